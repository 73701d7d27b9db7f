/* SPDX-License-Identifier: MIT */
/* Seed 002's table: decoupled look-back by one work-item and by a window, 1 to 24 elements each. */
#include "scan_ways.h"
#include <stdio.h>
#include <stdlib.h>

enum { GROUP = 256, CLEAR_GROUP = 64, BY_WINDOW = 100 };

typedef struct lookback_plan {
    textbook_device device;
    cl_program program;
    cl_kernel clear, scan;
    cl_mem tiles, ticket;
    size_t group, tile;
} lookback_plan;

static size_t tiles_of(const lookback_plan *plan, size_t n) {
    return (n + plan->tile - 1) / plan->tile;
}

static void destroy(void *state) {
    lookback_plan *plan = state;
    if (plan == NULL) return;
    textbook_release_kernel(plan->clear);
    textbook_release_kernel(plan->scan);
    textbook_release_buffer(plan->tiles);
    textbook_release_buffer(plan->ticket);
    textbook_release(plan->program);
    free(plan);
}

static bool prepare(lookback_plan *plan, size_t max_n, size_t items, bool window) {
    const textbook_device *device = &plan->device;
    char defines[64];
    plan->group = textbook_lanes_group(device, GROUP);
    plan->tile = plan->group * items;
    snprintf(defines, sizeof defines, "#define ITEMS %zu\n#define WINDOW %d\n", items, window);
    return textbook_build_lanes(device, "lookback.cl", plan->group, defines, &plan->program) &&
           textbook_kernel(plan->program, "clear_tiles", &plan->clear) &&
           textbook_kernel(plan->program, "scan_tiles", &plan->scan) &&
           textbook_buffer(device, tiles_of(plan, max_n) * sizeof(cl_ulong), &plan->tiles) &&
           textbook_buffer(device, sizeof(cl_uint), &plan->ticket);
}

static bool create(void **state, const textbook_device *device, const textbook_problem *problem,
                   int number) {
    lookback_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL) return textbook_fail("no host memory for a plan");
    plan->device = *device;
    *state = plan;
    if (prepare(plan, problem->n, (size_t)(number % BY_WINDOW), number >= BY_WINDOW)) return true;
    destroy(plan);
    *state = NULL;
    return false;
}

static bool submit(void *state, const textbook_problem *problem, cl_event *event) {
    lookback_plan *plan = state;
    const cl_ulong n = problem->n;
    const size_t tiles = tiles_of(plan, problem->n);
    const cl_ulong count = tiles;
    return textbook_launch(&plan->device, plan->clear, (tiles + CLEAR_GROUP - 1) / CLEAR_GROUP,
                           CLEAR_GROUP, NULL, TEXTBOOK_ARG(plan->tiles), TEXTBOOK_ARG(count),
                           TEXTBOOK_ARG(plan->ticket)) &&
           textbook_launch(&plan->device, plan->scan, tiles, plan->group, event,
                           TEXTBOOK_ARG(problem->in[0]), TEXTBOOK_ARG(problem->out),
                           TEXTBOOK_ARG(n), TEXTBOOK_ARG(plan->tiles), TEXTBOOK_ARG(plan->ticket));
}

#define ALONE(items)                                                                               \
    { "alone, " #items " each", items, 0, false, create, submit, NULL, destroy }
#define WINDOW(items)                                                                              \
    { "window, " #items " each", BY_WINDOW + items, 0, false, create, submit, NULL, destroy }

static const textbook_step steps[] = {
    ALONE(1),   ALONE(2),   ALONE(4),   ALONE(8),   ALONE(12),        ALONE(16),
    ALONE(20),  ALONE(24),  WINDOW(1),  WINDOW(2),  WINDOW(4),        WINDOW(8),
    WINDOW(12), WINDOW(16), WINDOW(20), WINDOW(24), SCAN_LIBRARY_STEP};

static const textbook_variant variants[] = {{"int32", 0}};

const textbook_table textbook_lookback = {
    .seed = "002",
    .title = "look-back",
    .subject = &scan_subject,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .steps = steps,
    .step_count = sizeof steps / sizeof *steps,
    .tested_every = 4,
    .gpu = {2, 22, 30, 4, 0},
    .cpu = {2, 14, 20, 3, 0},
};
