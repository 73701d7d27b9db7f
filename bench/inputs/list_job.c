/* SPDX-License-Identifier: MIT */
/* Ranking a list of int32 links that stands in host memory, as a job that can be timed. */
#include "inputs/list_job.h"
#include "harness/parallel.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHUNK = 1 << 24 };

clprims_status list_job_create(bench *b, size_t max_n, list_job *job) {
    return list_job_create_as(b, max_n, CLPRIMS_LIST_RANKS, CLPRIMS_LIST_AUTO, NULL, job);
}

clprims_status list_job_create_as(bench *b, size_t max_n, clprims_list_result result,
                                  clprims_list_algorithm algorithm, cl_mem next, list_job *job) {
    clprims_list_desc desc = {0};
    *job = (list_job){.b = b, .is_order = result == CLPRIMS_LIST_ORDER};
    desc.result = result;
    desc.algorithm = algorithm;
    desc.max_n = max_n;
    bench_step("list: creating the plan");
    const clprims_status status = clprims_list_create(&job->list, b->context, &desc);
    if (status != CLPRIMS_OK) return status;
    if (next != NULL) bench_cl(clRetainMemObject(next), "clRetainMemObject");
    job->next = next != NULL ? next : bench_buffer(b, max_n * sizeof(int32_t));
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
    return clprims_list_enqueue(
        job->list, queue,
        &(clprims_list_buffers){.next = next, .out = rank, .head = &job->head, .report = report},
        job->n, 0, NULL, event);
}

clprims_status list_job_run(list_job *job, const int32_t *next, size_t n, int64_t head) {
    cl_command_queue queue = job->b->info.queue;
    clprims_list_report report = {0};
    job->n = n;
    job->head = head;
    if (next != NULL) bench_write(job->b, job->next, 0, n * sizeof *next, next);
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

typedef struct comparison {
    const order_shape *shape;
    const int32_t *got;
    size_t first;
    bool is_order;
    atomic_size_t wrong; /* some result that is wrong; n: none */
} comparison;

static void compare_part(void *self, size_t begin, size_t end) {
    comparison *c = self;
    for (size_t k = begin; k < end; k++) {
        const size_t at = c->first + k;
        const size_t right =
            c->is_order ? (size_t)order_element(c->shape, at) : order_rank(c->shape, at);
        if (c->got[k] >= 0 && (size_t)c->got[k] == right) continue;
        atomic_store(&c->wrong, at);
        return;
    }
}

bool list_job_verify(const list_job *job, const order_shape *shape, char *fault,
                     size_t fault_bytes) {
    const size_t n = job->n;
    int32_t *got = bench_alloc((n < CHUNK ? n : CHUNK) * sizeof *got);
    comparison c = {shape, got, 0, job->is_order, n};
    for (; c.first < n && c.wrong == n; c.first += CHUNK) {
        const size_t count = n - c.first < CHUNK ? n - c.first : CHUNK;
        list_job_read(job, c.first, count, got);
        bench_parallel(count, compare_part, &c);
    }
    if (c.wrong < n)
        snprintf(fault, fault_bytes, "%s[%zu] = %d is not what plain C has",
                 job->is_order ? "order" : "rank", (size_t)c.wrong, (int)got[c.wrong % CHUNK]);
    free(got);
    return c.wrong == n;
}

double list_job_bytes(size_t n) {
    return 2.0 * sizeof(int32_t) * (double)n;
}
