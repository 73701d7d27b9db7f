/* SPDX-License-Identifier: MIT */
/* The device scans of seed 004: how their kernels are launched. */
#include "scan_ways.h"
#include <stdlib.h>

enum { GROUP = 128, LEAST_GROUP = 32, BLOCK = 512, MAX_LEVELS = 8 };

typedef enum kernel_name {
    NAIVE_PASS,
    INCLUSIVE_TO_EXCLUSIVE,
    PAD,
    UP_BY_REMAINDER,
    DOWN_BY_REMAINDER,
    UP,
    DOWN,
    CLEAR_ROOT,
    UNPAD,
    SCAN_BLOCKS,
    ADD_SUMS,
    KERNELS
} kernel_name;

static const char *const kernel_names[KERNELS] = {"naive_pass",
                                                  "inclusive_to_exclusive",
                                                  "pad",
                                                  "up_sweep_by_remainder",
                                                  "down_sweep_by_remainder",
                                                  "up_sweep",
                                                  "down_sweep",
                                                  "clear_root",
                                                  "unpad",
                                                  "scan_blocks",
                                                  "add_sums"};

struct scan_plan {
    textbook_device device;
    scan_way way;
    cl_program program;
    cl_kernel kernels[KERNELS];
    cl_mem scratch[MAX_LEVELS]; /* two arrays, one tree, or the sums of each level */
};

static size_t groups_of(size_t n, size_t group) {
    return (n + group - 1) / group;
}

static size_t padded(size_t n) {
    size_t power = 1;
    while (power < n) power *= 2;
    return power;
}

static bool allocate(scan_plan *plan, size_t max_n) {
    const textbook_device *device = &plan->device;
    const size_t each = sizeof(cl_uint);
    if (plan->way == SCAN_NAIVE)
        return textbook_buffer(device, max_n * each, &plan->scratch[0]) &&
               textbook_buffer(device, max_n * each, &plan->scratch[1]);
    if (plan->way != SCAN_IN_LOCAL_MEMORY)
        return textbook_buffer(device, padded(max_n) * each, &plan->scratch[0]);
    size_t n = groups_of(max_n, BLOCK);
    for (int level = 0; level < MAX_LEVELS; level++) {
        if (!textbook_buffer(device, n * each, &plan->scratch[level])) return false;
        if (n == 1) break;
        n = groups_of(n, BLOCK);
    }
    return true;
}

scan_plan *scan_plan_create(const textbook_device *device, scan_way way, size_t max_n) {
    scan_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL) {
        textbook_fail("no host memory for a plan");
        return NULL;
    }
    plan->device = *device;
    plan->way = way;
    bool good = textbook_build(device, "scan.cl", "", &plan->program) && allocate(plan, max_n);
    for (int k = 0; good && k < KERNELS; k++)
        good = textbook_kernel(plan->program, kernel_names[k], &plan->kernels[k]);
    if (good) return plan;
    scan_plan_destroy(plan);
    return NULL;
}

void scan_plan_destroy(scan_plan *plan) {
    if (plan == NULL) return;
    for (int k = 0; k < KERNELS; k++) textbook_release_kernel(plan->kernels[k]);
    for (int k = 0; k < MAX_LEVELS; k++) textbook_release_buffer(plan->scratch[k]);
    textbook_release(plan->program);
    free(plan);
}

static bool scan_naively(scan_plan *plan, cl_mem in, cl_mem out, size_t n, cl_event *event) {
    const cl_ulong count = n;
    cl_mem from = in;
    int turn = 0;
    for (cl_ulong stride = 1; stride < n; stride *= 2, turn = 1 - turn) {
        cl_mem to = plan->scratch[turn];
        if (!textbook_launch(&plan->device, plan->kernels[NAIVE_PASS], groups_of(n, GROUP), GROUP,
                             NULL, TEXTBOOK_ARG(from), TEXTBOOK_ARG(to), TEXTBOOK_ARG(count),
                             TEXTBOOK_ARG(stride)))
            return false;
        from = to;
    }
    return textbook_launch(&plan->device, plan->kernels[INCLUSIVE_TO_EXCLUSIVE],
                           groups_of(n, GROUP), GROUP, event, TEXTBOOK_ARG(from), TEXTBOOK_ARG(out),
                           TEXTBOOK_ARG(count));
}

/* One stage of a sweep over the tree of `size` leaves. */
static bool sweep(scan_plan *plan, bool up, cl_ulong size, cl_ulong stride) {
    if (plan->way == SCAN_WORK_EFFICIENT)
        return textbook_launch(
            &plan->device, plan->kernels[up ? UP_BY_REMAINDER : DOWN_BY_REMAINDER],
            groups_of((size_t)size, GROUP), GROUP, NULL, TEXTBOOK_ARG(plan->scratch[0]),
            TEXTBOOK_ARG(size), TEXTBOOK_ARG(stride));
    const cl_ulong pairs = size / (2 * stride);
    size_t group = GROUP;
    while (group > pairs && group > LEAST_GROUP) group /= 2;
    return textbook_launch(
        &plan->device, plan->kernels[up ? UP : DOWN], groups_of((size_t)pairs, group), group, NULL,
        TEXTBOOK_ARG(plan->scratch[0]), TEXTBOOK_ARG(pairs), TEXTBOOK_ARG(stride));
}

static bool scan_tree(scan_plan *plan, cl_mem in, cl_mem out, size_t n, cl_event *event) {
    const textbook_device *device = &plan->device;
    const cl_ulong count = n, size = padded(n);
    const cl_mem tree = plan->scratch[0];
    if (!textbook_launch(device, plan->kernels[PAD], groups_of((size_t)size, GROUP), GROUP, NULL,
                         TEXTBOOK_ARG(in), TEXTBOOK_ARG(tree), TEXTBOOK_ARG(count),
                         TEXTBOOK_ARG(size)))
        return false;
    for (cl_ulong stride = 1; stride < size; stride *= 2)
        if (!sweep(plan, true, size, stride)) return false;
    if (!textbook_launch(device, plan->kernels[CLEAR_ROOT], 1, 1, NULL, TEXTBOOK_ARG(tree),
                         TEXTBOOK_ARG(size)))
        return false;
    for (cl_ulong stride = size / 2; stride > 0; stride /= 2)
        if (!sweep(plan, false, size, stride)) return false;
    return textbook_launch(device, plan->kernels[UNPAD], groups_of(n, GROUP), GROUP, event,
                           TEXTBOOK_ARG(tree), TEXTBOOK_ARG(out), TEXTBOOK_ARG(count));
}

/* Scans the blocks, their sums by the next level, and adds the scanned sums. The sums are scanned
 * in place: a work-group reads all of its block before it writes. */
static bool scan_level(scan_plan *plan, int level, cl_mem in, cl_mem out, size_t n,
                       cl_event *event) {
    const cl_ulong count = n;
    const size_t blocks = groups_of(n, BLOCK);
    cl_mem sums = plan->scratch[level];
    if (!textbook_launch(&plan->device, plan->kernels[SCAN_BLOCKS], blocks, BLOCK / 2,
                         blocks == 1 ? event : NULL, TEXTBOOK_ARG(in), TEXTBOOK_ARG(out),
                         TEXTBOOK_ARG(sums), TEXTBOOK_ARG(count)))
        return false;
    if (blocks == 1) return true;
    return scan_level(plan, level + 1, sums, sums, blocks, NULL) &&
           textbook_launch(&plan->device, plan->kernels[ADD_SUMS], blocks, BLOCK / 2, event,
                           TEXTBOOK_ARG(out), TEXTBOOK_ARG(sums), TEXTBOOK_ARG(count));
}

bool scan_plan_enqueue(scan_plan *plan, cl_mem in, cl_mem out, size_t n, cl_event *event) {
    if (plan->way == SCAN_NAIVE) return scan_naively(plan, in, out, n, event);
    if (plan->way == SCAN_IN_LOCAL_MEMORY) return scan_level(plan, 0, in, out, n, event);
    return scan_tree(plan, in, out, n, event);
}
