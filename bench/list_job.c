/* SPDX-License-Identifier: MIT */
/* Ranking a list of int32 links that stands in host memory, as a job that can be timed. */
#include "list_job.h"

clprims_status list_job_create(bench *b, size_t max_n, list_job *job) {
    return list_job_create_as(b, max_n, CLPRIMS_LIST_RANKS, CLPRIMS_LIST_AUTO, job);
}

clprims_status list_job_create_as(bench *b, size_t max_n, clprims_list_result result,
                                  clprims_list_algorithm algorithm, list_job *job) {
    clprims_list_desc desc = CLPRIMS_LIST_DESC_INIT;
    *job = (list_job){.b = b};
    desc.result = result;
    desc.algorithm = algorithm;
    desc.max_n = max_n;
    bench_step("list: creating the plan");
    const clprims_status status = clprims_list_create(&job->list, b->context, &desc);
    if (status != CLPRIMS_OK) return status;
    job->next = bench_buffer(b, max_n * sizeof(int32_t));
    job->rank = bench_buffer(b, max_n * sizeof(int32_t));
    job->report = bench_buffer(b, sizeof(clprims_list_report));
    return CLPRIMS_OK;
}

void list_job_destroy(list_job *job) {
    if (job->next != NULL) clReleaseMemObject(job->next);
    if (job->rank != NULL) clReleaseMemObject(job->rank);
    if (job->report != NULL) clReleaseMemObject(job->report);
    clprims_list_destroy(job->list);
    *job = (list_job){0};
}

clprims_status list_job_submit(void *self, cl_command_queue queue, cl_event *event) {
    const list_job *job = self;
    const clprims_buffer next = {job->next, 0}, rank = {job->rank, 0};
    const clprims_buffer report = {job->unasked ? NULL : job->report, 0};
    return clprims_list_enqueue(job->list, queue, next, rank, job->head, job->n, report, 0, NULL,
                                event);
}

clprims_status list_job_run(list_job *job, const int32_t *next, size_t n, int64_t head) {
    cl_command_queue queue = job->b->info.queue;
    clprims_list_report report = {0};
    job->n = n;
    job->head = head;
    bench_cl(
        clEnqueueWriteBuffer(queue, job->next, CL_TRUE, 0, n * sizeof *next, next, 0, NULL, NULL),
        "clEnqueueWriteBuffer");
    bench_buffer_poison(job->b, job->rank, n * sizeof(int32_t));
    bench_buffer_poison(job->b, job->report, sizeof report);
    const clprims_status status = bench_once(job->b, (bench_job){list_job_submit, job});
    if (status != CLPRIMS_OK) return status;
    bench_cl(
        clEnqueueReadBuffer(queue, job->report, CL_TRUE, 0, sizeof report, &report, 0, NULL, NULL),
        "clEnqueueReadBuffer");
    return clprims_list_check(&report);
}

clprims_status list_job_measure(list_job *job, bench_time *time) {
    return bench_measure(job->b, (bench_job){list_job_submit, job}, time);
}

void list_job_read(const list_job *job, size_t first, size_t count, int32_t *rank) {
    bench_read(job->b, job->rank, first * sizeof *rank, count * sizeof *rank, rank);
}

double list_job_bytes(size_t n) {
    return 2.0 * sizeof(int32_t) * (double)n;
}

void list_walk(const int32_t *next, int32_t head, int32_t *rank) {
    int32_t position = 0;
    for (int32_t i = head; i >= 0; i = next[i]) rank[i] = position++;
}
