/* SPDX-License-Identifier: MIT */
/* Seed 003's table: r[i][j] = min over k of d[i][k] + d[k][j], from the naive kernel on. */
#include "minplus_ways.h"
#include <math.h>

/* ---- The subject ----------------------------------------------------------------------------- */

static void shape(textbook_problem *problem) {
    problem->in_bytes[0] = problem->out_bytes = problem->n * problem->n * sizeof(float);
    problem->in_bytes[1] = 0;
}

/* Small whole numbers, whose sums are exact; one in eight pairs has no edge. */
static void fill(textbook_problem *problem) {
    float *d = problem->host_in[0];
    for (size_t i = 0; i < problem->n * problem->n; i++) {
        const uint64_t bits = textbook_scatter(i);
        d[i] = bits % 8 == 0 ? INFINITY : (float)(bits >> 40 & 0xffff);
    }
}

static void twin(const textbook_problem *problem, void *expected, uint64_t *report) {
    const float *d = problem->host_in[0];
    const size_t n = problem->n;
    float *r = expected;
    (void)report;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) r[i * n + j] = INFINITY;
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < n; j++) {
                const float sum = d[i * n + k] + d[k * n + j];
                r[i * n + j] = sum < r[i * n + j] ? sum : r[i * n + j];
            }
    }
}

static double bytes(const textbook_problem *problem) {
    return (double)problem->in_bytes[0] + (double)problem->out_bytes;
}

static const textbook_subject subject = {"minplus", shape, fill, twin, bytes};

/* ---- The steps ------------------------------------------------------------------------------- */

static bool create(void **state, const textbook_device *device, const textbook_problem *problem,
                   int number) {
    *state = minplus_steps_create(device, (minplus_way)number, problem->n);
    return *state != NULL;
}

static bool submit(void *state, const textbook_problem *problem, cl_event *event) {
    return minplus_steps_enqueue(state, problem->in[0], problem->out, problem->n, event);
}

static void destroy(void *state) {
    minplus_steps_destroy(state);
}

static textbook_device library_device;

static bool create_library(void **state, const textbook_device *device,
                           const textbook_problem *problem, int number) {
    const clprims_minplus_desc desc = {0};
    clprims_minplus *minplus = NULL;
    (void)problem;
    (void)number;
    library_device = *device;
    if (clprims_minplus_create(&minplus, device->clprims, &desc) != CLPRIMS_OK)
        return textbook_fail("%s", clprims_last_error()->message);
    *state = minplus;
    return true;
}

static bool submit_library(void *state, const textbook_problem *problem, cl_event *event) {
    const size_t n = problem->n;
    const clprims_matrix d = {problem->in[0], 0, n, 0}, r = {problem->out, 0, n, 0};
    const clprims_minplus_buffers buffers = {.a = d, .b = d, .c = r, .sizes = {n, n, 1}};
    return clprims_minplus_enqueue(state, library_device.queue, &buffers, n, 0, NULL, event) ==
               CLPRIMS_OK ||
           textbook_fail("%s", clprims_last_error()->message);
}

static void destroy_library(void *state) {
    clprims_minplus_destroy(state);
}

/* ---- The table ------------------------------------------------------------------------------- */

static const textbook_step steps[] = {
    {"V0 naive", MINPLUS_ROWS_APART, 0, false, create, submit, NULL, destroy},
    {"V1 columns side by side", MINPLUS_SIDE_BY_SIDE, 0, false, create, submit, NULL, destroy},
    {"V2 registers", MINPLUS_IN_REGISTERS, 0, false, create, submit, NULL, destroy},
    {"V3 local memory", MINPLUS_IN_LOCAL_MEMORY, 0, false, create, submit, NULL, destroy},
    {"V4 vectors", MINPLUS_IN_VECTORS, 0, false, create, submit, NULL, destroy},
    {"clprims", 0, 0, false, create_library, submit_library, NULL, destroy_library}};

static const textbook_variant variants[] = {{"float32", 0}};

static const size_t test_sizes[] = {1, 2, 7, 31, 63, 64, 65, 100, 128, 131, 0};

const textbook_table textbook_minplus = {
    "003", "min-plus product",           &subject,         variants,        1, 0,
    steps, sizeof steps / sizeof *steps, {2, 8, 11, 1, 5}, {2, 7, 8, 1, 3}, 0, test_sizes};
