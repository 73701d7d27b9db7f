/* SPDX-License-Identifier: MIT */
/* Seed 004's scans: from the loop on the CPU to local memory, which here is right at every n. */
#include "scan_ways.h"

static bool create(void **state, const textbook_device *device, const textbook_problem *problem,
                   int number) {
    *state = scan_plan_create(device, (scan_way)number, problem->n);
    return *state != NULL;
}

static bool submit(void *state, const textbook_problem *problem, cl_event *event) {
    return scan_plan_enqueue(state, problem->in[0], problem->out, problem->n, event);
}

static void destroy(void *state) {
    scan_plan_destroy(state);
}

static bool run_on_cpu(void *state, const textbook_problem *problem, textbook_time *time) {
    const uint32_t *in = problem->host_in[0];
    uint32_t *out = problem->host_out;
    const double began = textbook_now();
    (void)state;
    if (problem->n > 0) out[0] = 0;
    for (size_t i = 1; i < problem->n; i++) out[i] = out[i - 1] + in[i - 1];
    time->seconds = textbook_now() - began;
    return true;
}

#define ON_DEVICE(name, way)                                                                       \
    { name, way, 0, false, create, submit, NULL, destroy }

static const textbook_step steps[] = {
    {"CPU", 0, 0, true, NULL, NULL, run_on_cpu, NULL}, ON_DEVICE("naive", SCAN_NAIVE),
    ON_DEVICE("work-efficient", SCAN_WORK_EFFICIENT),  ON_DEVICE("remapped", SCAN_REMAPPED),
    ON_DEVICE("local memory", SCAN_IN_LOCAL_MEMORY),   SCAN_LIBRARY_STEP,
};

static const textbook_variant variants[] = {{"int32", 0}};

const textbook_table textbook_scan = {
    .seed = "004",
    .title = "scan",
    .subject = &scan_subject,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .steps = steps,
    .step_count = sizeof steps / sizeof *steps,
    .gpu = {2, 10, 24, 2, 3},
    .cpu = {2, 10, 20, 2, 3},
};
