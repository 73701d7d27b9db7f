/* SPDX-License-Identifier: MIT */
/* Seed 004's compactions: on the CPU without and with a scan, and behind each scan on the device.
 */
#include "scan_ways.h"
#include <stdlib.h>

enum { GROUP = 128 };

/* ---- The subject: ints of which half are zero; the others are kept, and counted -----------------
 */

static void shape(textbook_problem *problem) {
    problem->in_bytes[0] = problem->out_bytes = problem->n * sizeof(uint32_t);
    problem->in_bytes[1] = 0;
}

static void fill(textbook_problem *problem) {
    uint32_t *in = problem->host_in[0];
    for (size_t i = 0; i < problem->n; i++) {
        const uint64_t bits = textbook_scatter(i);
        in[i] = bits >> 63 != 0 ? (uint32_t)bits | 1 : 0;
    }
}

static void twin(const textbook_problem *problem, void *expected, uint64_t *report) {
    const uint32_t *in = problem->host_in[0];
    uint32_t *out = expected;
    *report = 0;
    for (size_t i = 0; i < problem->n; i++)
        if (in[i] != 0) out[(*report)++] = in[i];
}

/* Half of what is read is written. */
static double bytes(const textbook_problem *problem) {
    return 1.5 * (double)problem->in_bytes[0];
}

static const textbook_subject subject = {"select", shape, fill, twin, bytes};

/* ---- On the CPU ------------------------------------------------------------------------------ */

static bool run_without_scan(void *state, const textbook_problem *problem, textbook_time *time) {
    const uint32_t *in = problem->host_in[0];
    uint32_t *out = problem->host_out;
    const double began = textbook_now();
    size_t kept = 0;
    (void)state;
    for (size_t i = 0; i < problem->n; i++)
        if (in[i] != 0) out[kept++] = in[i];
    time->seconds = textbook_now() - began;
    *problem->host_report = kept;
    return true;
}

typedef struct host_arrays {
    uint32_t *flags, *places;
} host_arrays;

static void destroy_host(void *state) {
    host_arrays *arrays = state;
    if (arrays == NULL) return;
    free(arrays->flags);
    free(arrays->places);
    free(arrays);
}

static bool create_host(void **state, const textbook_device *device,
                        const textbook_problem *problem, int number) {
    (void)device;
    (void)number;
    host_arrays *arrays = calloc(1, sizeof *arrays);
    if (arrays != NULL) {
        arrays->flags = malloc(problem->in_bytes[0]);
        arrays->places = malloc(problem->in_bytes[0]);
    }
    if (arrays == NULL || arrays->flags == NULL || arrays->places == NULL) {
        destroy_host(arrays);
        return textbook_fail("no host memory for flags and places");
    }
    *state = arrays;
    return true;
}

static bool run_with_scan(void *state, const textbook_problem *problem, textbook_time *time) {
    const host_arrays *arrays = state;
    const uint32_t *in = problem->host_in[0];
    uint32_t *out = problem->host_out, *flags = arrays->flags, *places = arrays->places;
    const size_t n = problem->n;
    const double began = textbook_now();
    for (size_t i = 0; i < n; i++) flags[i] = in[i] != 0;
    places[0] = 0;
    for (size_t i = 1; i < n; i++) places[i] = places[i - 1] + flags[i - 1];
    for (size_t i = 0; i < n; i++)
        if (flags[i] != 0) out[places[i]] = in[i];
    time->seconds = textbook_now() - began;
    *problem->host_report = (uint64_t)places[n - 1] + flags[n - 1];
    return true;
}

/* ---- On the device --------------------------------------------------------------------------- */

typedef struct select_plan {
    textbook_device device;
    scan_plan *scan;
    cl_program program;
    cl_kernel flag, scatter;
    cl_mem flags, places;
} select_plan;

static void destroy(void *state) {
    select_plan *plan = state;
    if (plan == NULL) return;
    scan_plan_destroy(plan->scan);
    textbook_release_kernel(plan->flag);
    textbook_release_kernel(plan->scatter);
    textbook_release_buffer(plan->flags);
    textbook_release_buffer(plan->places);
    textbook_release(plan->program);
    free(plan);
}

static bool create(void **state, const textbook_device *device, const textbook_problem *problem,
                   int number) {
    select_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL) return textbook_fail("no host memory for a plan");
    plan->device = *device;
    plan->scan = scan_plan_create(device, (scan_way)number, problem->n);
    if (plan->scan != NULL && textbook_build(device, "select.cl", "", &plan->program) &&
        textbook_kernel(plan->program, "flag_kept", &plan->flag) &&
        textbook_kernel(plan->program, "scatter", &plan->scatter) &&
        textbook_buffer(device, problem->in_bytes[0], &plan->flags) &&
        textbook_buffer(device, problem->in_bytes[0], &plan->places)) {
        *state = plan;
        return true;
    }
    destroy(plan);
    return false;
}

static bool submit(void *state, const textbook_problem *problem, cl_event *event) {
    select_plan *plan = state;
    const cl_ulong n = problem->n;
    const size_t groups = (problem->n + GROUP - 1) / GROUP;
    return textbook_launch(&plan->device, plan->flag, groups, GROUP, NULL,
                           TEXTBOOK_ARG(problem->in[0]), TEXTBOOK_ARG(plan->flags),
                           TEXTBOOK_ARG(n)) &&
           scan_plan_enqueue(plan->scan, plan->flags, plan->places, problem->n, NULL) &&
           textbook_launch(&plan->device, plan->scatter, groups, GROUP, event,
                           TEXTBOOK_ARG(problem->in[0]), TEXTBOOK_ARG(plan->flags),
                           TEXTBOOK_ARG(plan->places), TEXTBOOK_ARG(n), TEXTBOOK_ARG(problem->out),
                           TEXTBOOK_ARG(problem->report));
}

/* ---- The library ------------------------------------------------------------------------------
 */

typedef struct library_select {
    clprims_select *plan;
    cl_command_queue queue;
} library_select;

static void destroy_library(void *state) {
    library_select *it = state;
    if (it == NULL) return;
    clprims_select_destroy(it->plan);
    free(it);
}

static bool create_library(void **state, const textbook_device *device,
                           const textbook_problem *problem, int number) {
    clprims_select_desc desc = {0};
    library_select *it = calloc(1, sizeof *it);
    (void)number;
    if (it == NULL) return textbook_fail("no host memory for a plan");
    desc.by = CLPRIMS_SELECT_NONZERO;
    desc.arrays = 1;
    desc.type[0] = CLPRIMS_I32;
    desc.max_n = problem->n;
    it->queue = device->queue;
    *state = it;
    if (clprims_select_create(&it->plan, device->clprims, &desc) == CLPRIMS_OK) return true;
    textbook_fail("%s", clprims_last_error()->message);
    destroy_library(it);
    *state = NULL;
    return false;
}

static bool submit_library(void *state, const textbook_problem *problem, cl_event *event) {
    const library_select *it = state;
    const clprims_select_buffers buffers = {.in = {{problem->in[0], 0}},
                                            .out = {{problem->out, 0}},
                                            .count = {problem->report, TEXTBOOK_REPORT_WORD}};
    return clprims_select_enqueue(it->plan, it->queue, &buffers, problem->n, 0, NULL, event) ==
               CLPRIMS_OK ||
           textbook_fail("%s", clprims_last_error()->message);
}

/* ---- The table ------------------------------------------------------------------------------- */

#define ON_DEVICE(name, way)                                                                       \
    { name, way, 0, false, create, submit, NULL, destroy }

static const textbook_step steps[] = {
    {"CPU without scan", 0, 0, true, NULL, NULL, run_without_scan, NULL},
    {"CPU with scan", 0, 0, true, create_host, NULL, run_with_scan, destroy_host},
    ON_DEVICE("naive", SCAN_NAIVE),
    ON_DEVICE("work-efficient", SCAN_WORK_EFFICIENT),
    ON_DEVICE("remapped", SCAN_REMAPPED),
    ON_DEVICE("local memory", SCAN_IN_LOCAL_MEMORY),
    {"clprims", 0, 0, false, create_library, submit_library, NULL, destroy_library},
};

static const textbook_variant variants[] = {{"int32, half kept", 0}};

const textbook_table textbook_select = {
    .seed = "004",
    .title = "compaction",
    .subject = &subject,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .steps = steps,
    .step_count = sizeof steps / sizeof *steps,
    .gpu = {2, 10, 24, 2, 3},
    .cpu = {2, 10, 20, 2, 3},
};
