/* SPDX-License-Identifier: MIT */
/* One plan of the library at one size, and its peers. */
#include "harness/bench_plan.h"

typedef struct target {
    const bench *b;
    cl_mem buffer;
} target;

static const char *write_part(void *sink, size_t first_byte, size_t bytes, const void *from) {
    const target *to = sink;
    bench_cl(clEnqueueWriteBuffer(to->b->info.queue, to->buffer, CL_TRUE, first_byte, bytes, from,
                                  0, NULL, NULL),
             "clEnqueueWriteBuffer");
    return NULL;
}

static void add_up(const size_t *bytes, size_t count, double *total, double *largest) {
    for (size_t k = 0; k < count; k++) {
        *total += (double)bytes[k];
        if ((double)bytes[k] > *largest) *largest = (double)bytes[k];
    }
}

bool bench_plan_fits(bench *b, const beside_job *job, const bench_plan *plan) {
    const peer_task *task = &job->task;
    const bool has_peers = !b->options.alone && task->primitive != PEER_NOTHING;
    double arrays = 0, largest = 0, copied = 2.0 * (double)b->tools.copy_capacity;
    char n[24];
    add_up(task->in_bytes, PEER_INPUTS, &arrays, &largest);
    add_up(task->out_bytes, PEER_OUTPUTS, &arrays, &largest);
    if (job->bytes > copied) copied = job->bytes;
    const double total = (has_peers ? 2 : 1) * arrays + (double)plan->scratch_bytes + copied;
    if (bench_fits(b, largest, total)) return true;
    bench_note(
        "%s: %s elements do not fit the device: they need %.1f GiB, %.1f of them in one buffer",
        job->name, bench_count_text(task->n, n), total / (1 << 30), largest / (1 << 30));
    b->skipped++;
    return false;
}

void bench_plan_begin(bench *b, const beside_job *job, bench_plan *plan) {
    bench_step("%s %s: writing the input", job->suite, job->name);
    for (int input = 0; input < PEER_INPUTS; input++) {
        if (job->task.in_bytes[input] == 0) continue;
        plan->in[input] = bench_buffer(b, job->task.in_bytes[input]);
        target to = {b, plan->in[input]};
        bench_chunks(job->fill, job->self, input,
                     job->task.in_bytes[input] / job->in_element_bytes[input],
                     job->in_element_bytes[input], write_part, &to);
    }
    for (int output = 0; output < PEER_OUTPUTS; output++) {
        if (job->task.out_bytes[output] > 0)
            plan->out[output] = bench_buffer(b, job->task.out_bytes[output]);
    }
}

static void measure_own(bench *b, const beside_job *job, const bench_plan *plan) {
    char fault[BENCH_FAULT_CHARS] = "";
    const bench_job timed = {plan->submit, job->self};
    bench_result result = {.b = b};
    bench_row row = {.suite = job->suite,
                     .name = job->name,
                     .library = plan->library,
                     .method = "auto",
                     .n = job->task.n,
                     .bytes = job->bytes,
                     .copy_seconds = job->copy_seconds};
    for (int output = 0; output < PEER_OUTPUTS; output++)
        result.buffers[output] = plan->out[output];
    bench_choice chosen = {"auto", NULL};
    clprims_status status = plan->create(job->self, &chosen);
    if (status == CLPRIMS_OK) {
        row.method = chosen.method;
        row.variant = chosen.variant;
        status = bench_once(b, timed);
    }
    if (status == CLPRIMS_OK && job->verify(job->self, &result, fault, sizeof fault))
        status = bench_measure(b, timed, &row.time);
    bench_row_conclude(b, &row, status, fault);
    plan->destroy(job->self);
}

void bench_plan_measure(bench *b, beside_job *job, bench_plan *plan) {
    job->copy_seconds = bench_copy_seconds(b, job->bytes);
    measure_own(b, job, plan);
    bench_beside(b, job);
    for (int input = 0; input < PEER_INPUTS; input++)
        if (plan->in[input] != NULL) clReleaseMemObject(plan->in[input]);
    for (int output = 0; output < PEER_OUTPUTS; output++)
        if (plan->out[output] != NULL) clReleaseMemObject(plan->out[output]);
}
