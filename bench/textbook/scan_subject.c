/* SPDX-License-Identifier: MIT */
/* Exclusive sums of int32: inputs, plain-C twin, and the library's own step. */
#include "harness/parallel.h"
#include "scan_ways.h"
#include <stdlib.h>

static void shape(textbook_problem *problem) {
    problem->in_bytes[0] = problem->out_bytes = problem->n * sizeof(int32_t);
    problem->in_bytes[1] = 0;
}

static void fill_part(void *self, size_t begin, size_t end) {
    uint32_t *in = self;
    for (size_t i = begin; i < end; i++) in[i] = (uint32_t)(textbook_scatter(i) >> 32);
}

static void fill(textbook_problem *problem) {
    bench_parallel(problem->n, fill_part, problem->host_in[0]);
}

static void twin(const textbook_problem *problem, void *expected, uint64_t *report) {
    const uint32_t *in = problem->host_in[0];
    uint32_t *out = expected, sum = 0;
    (void)report;
    for (size_t i = 0; i < problem->n; i++) {
        out[i] = sum;
        sum += in[i];
    }
}

static double bytes(const textbook_problem *problem) {
    return 2.0 * sizeof(int32_t) * (double)problem->n;
}

const textbook_subject scan_subject = {"scan", shape, fill, twin, bytes};

typedef struct library_scan {
    clprims_scan *scan;
    cl_command_queue queue;
} library_scan;

bool scan_library_create(void **state, const textbook_device *device,
                         const textbook_problem *problem, int number) {
    (void)number;
    library_scan *it = calloc(1, sizeof *it);
    if (it == NULL) return textbook_fail("no host memory for a plan");
    clprims_scan_desc desc = {0};
    desc.type = CLPRIMS_I32;
    desc.max_n = problem->n;
    it->queue = device->queue;
    if (clprims_scan_create(&it->scan, device->clprims, &desc) != CLPRIMS_OK) {
        free(it);
        return textbook_fail("%s", clprims_last_error()->message);
    }
    *state = it;
    return true;
}

bool scan_library_submit(void *state, const textbook_problem *problem, cl_event *event) {
    const library_scan *it = state;
    const clprims_buffer in = {problem->in[0], 0}, out = {problem->out, 0};
    return clprims_scan_enqueue(it->scan, it->queue, &(clprims_scan_buffers){.in = in, .out = out},
                                problem->n, 0, NULL, event) == CLPRIMS_OK ||
           textbook_fail("%s", clprims_last_error()->message);
}

void scan_library_destroy(void *state) {
    library_scan *it = state;
    if (it == NULL) return;
    clprims_scan_destroy(it->scan);
    free(it);
}
