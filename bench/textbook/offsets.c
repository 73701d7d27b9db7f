/* SPDX-License-Identifier: MIT */
/* Seed 001's table: offsets of lists from starts and stops, with the lowest fault reported. */
#include "harness/parallel.h"
#include "offsets_cpu.h"
#include "textbook.h"
#include <stdio.h>
#include <stdlib.h>

enum { WITH_FAULTS = 16, MAX_LEVELS = 8, FIND_GROUP = 64 };

/* ---- The subject ----------------------------------------------------------------------------- */

static int type_of(const textbook_problem *problem) {
    return problem->variant->number % WITH_FAULTS;
}

static void shape(textbook_problem *problem) {
    const size_t each = type_of(problem) == OFFSETS_I64 ? sizeof(int64_t) : sizeof(int32_t);
    problem->in_bytes[0] = problem->in_bytes[1] = problem->n * each;
    problem->out_bytes = (problem->n + 1) * sizeof(int64_t);
}

/* Lists of up to 15 elements somewhere in their type; with faults, one in 512 ends too early. */
static void fill_part(void *self, size_t begin, size_t end) {
    const textbook_problem *problem = self;
    const bool faulty = problem->variant->number >= WITH_FAULTS;
    const int type = type_of(problem);
    for (size_t i = begin; i < end; i++) {
        const uint64_t bits = textbook_scatter(i);
        const bool fault = faulty && (bits >> 40) % 512 == 0;
        const uint32_t start = (uint32_t)bits >> 4 | (type == OFFSETS_U32 ? 1u << 31 : 0);
        const uint32_t stop = fault ? start - 1 - (bits >> 60 & 1) : start + (uint32_t)(bits >> 60);
        if (type == OFFSETS_I64) {
            ((int64_t *)problem->host_in[0])[i] = (int64_t)start - (1 << 27);
            ((int64_t *)problem->host_in[1])[i] = (int64_t)stop - (1 << 27);
        } else {
            ((uint32_t *)problem->host_in[0])[i] = start;
            ((uint32_t *)problem->host_in[1])[i] = stop;
        }
    }
}

static void fill(textbook_problem *problem) {
    bench_parallel(problem->n, fill_part, problem);
}

/* Element i as an int64. */
static int64_t element(const textbook_problem *problem, int input, size_t i) {
    const void *values = problem->host_in[input];
    if (type_of(problem) == OFFSETS_I64) return ((const int64_t *)values)[i];
    if (type_of(problem) == OFFSETS_U32) return ((const uint32_t *)values)[i];
    return ((const int32_t *)values)[i];
}

static void twin(const textbook_problem *problem, void *expected, uint64_t *report) {
    int64_t *offsets = expected;
    *report = UINT64_MAX;
    offsets[0] = 0;
    for (size_t i = 0; i < problem->n; i++) {
        const int64_t start = element(problem, 0, i), stop = element(problem, 1, i);
        if (stop < start && *report == UINT64_MAX) *report = i;
        offsets[i + 1] = offsets[i] + (stop - start);
    }
}

static double bytes(const textbook_problem *problem) {
    return (double)problem->in_bytes[0] + (double)problem->in_bytes[1] + (double)problem->out_bytes;
}

static const textbook_subject subject = {"offsets", shape, fill, twin, bytes};

/* ---- On the CPU ------------------------------------------------------------------------------ */

static bool run_loop(offsets_loop *const loops[], const textbook_problem *problem,
                     textbook_time *time) {
    const double began = textbook_now();
    *problem->host_report = loops[type_of(problem)](problem->host_in[0], problem->host_in[1],
                                                    problem->n, problem->host_out);
    time->seconds = textbook_now() - began;
    return true;
}

static bool run_at_o2(void *state, const textbook_problem *problem, textbook_time *time) {
    (void)state;
    return run_loop(offsets_at_o2, problem, time);
}

static bool run_at_o3(void *state, const textbook_problem *problem, textbook_time *time) {
    (void)state;
    return run_loop(offsets_at_o3, problem, time);
}

static bool run_by_simd(void *state, const textbook_problem *problem, textbook_time *time) {
    (void)state;
    return run_loop(offsets_by_simd, problem, time);
}

/* ---- On the device --------------------------------------------------------------------------- */

typedef enum offsets_way { TREE, TREE_4, SHUFFLE } offsets_way;

typedef struct offsets_plan {
    textbook_device device;
    cl_program program;
    cl_kernel scan_diff, scan_sums, broadcast, find_fault;
    cl_mem sums[MAX_LEVELS], faults;
    size_t group, block;
} offsets_plan;

static size_t blocks_of(const offsets_plan *plan, size_t n) {
    return (n + plan->block - 1) / plan->block;
}

static void destroy(void *state) {
    offsets_plan *plan = state;
    if (plan == NULL) return;
    textbook_release_kernel(plan->scan_diff);
    textbook_release_kernel(plan->scan_sums);
    textbook_release_kernel(plan->broadcast);
    textbook_release_kernel(plan->find_fault);
    for (int k = 0; k < MAX_LEVELS; k++) textbook_release_buffer(plan->sums[k]);
    textbook_release_buffer(plan->faults);
    textbook_release(plan->program);
    free(plan);
}

static bool prepare(offsets_plan *plan, const textbook_problem *problem, offsets_way way) {
    static const char *const types[] = {"int", "uint", "long"};
    char defines[128];
    const size_t items = way == TREE ? 2 : way == TREE_4 ? 4 : 1;
    plan->group = way == TREE     ? 512
                  : way == TREE_4 ? 256
                                  : textbook_lanes_group(&plan->device, 256);
    plan->block = items * plan->group;
    snprintf(defines, sizeof defines, "#define WAY %d\n#define C %s\n#define GROUP %zu\n", (int)way,
             types[type_of(problem)], plan->group);
    if (way == SHUFFLE ? !textbook_build_lanes(&plan->device, "offsets.cl", plan->group, defines,
                                               &plan->program)
                       : !textbook_build(&plan->device, "offsets.cl", defines, &plan->program))
        return false;
    size_t n = blocks_of(plan, problem->n + 1);
    if (!textbook_buffer(&plan->device, n * sizeof(cl_uint), &plan->faults)) return false;
    for (int level = 0; level < MAX_LEVELS; level++) {
        if (!textbook_buffer(&plan->device, n * sizeof(cl_long), &plan->sums[level])) return false;
        if (n == 1) break;
        n = blocks_of(plan, n);
    }
    if (n > 1) return textbook_fail("n = %zu needs more than %d levels", problem->n, MAX_LEVELS);
    return textbook_kernel(plan->program, "scan_diff", &plan->scan_diff) &&
           textbook_kernel(plan->program, "scan_sums", &plan->scan_sums) &&
           textbook_kernel(plan->program, "broadcast", &plan->broadcast) &&
           textbook_kernel(plan->program, "find_fault", &plan->find_fault);
}

static bool create(void **state, const textbook_device *device, const textbook_problem *problem,
                   int number) {
    offsets_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL) return textbook_fail("no host memory for a plan");
    plan->device = *device;
    *state = plan;
    if (prepare(plan, problem, (offsets_way)number)) return true;
    destroy(plan);
    *state = NULL;
    return false;
}

/* Scans the sums of a level in place, and all levels above. */
static bool scan_level(offsets_plan *plan, int level, size_t count) {
    const cl_ulong n = count;
    const size_t blocks = blocks_of(plan, count);
    const cl_mem values = plan->sums[level];
    if (count == 1) return true;
    const cl_mem sums = plan->sums[level + 1];
    if (!textbook_launch(&plan->device, plan->scan_sums, blocks, plan->group, NULL,
                         TEXTBOOK_ARG(values), TEXTBOOK_ARG(n), TEXTBOOK_ARG(sums)))
        return false;
    if (blocks == 1) return true;
    return scan_level(plan, level + 1, blocks) &&
           textbook_launch(&plan->device, plan->broadcast, blocks, plan->group, NULL,
                           TEXTBOOK_ARG(values), TEXTBOOK_ARG(n), TEXTBOOK_ARG(sums));
}

static bool submit(void *state, const textbook_problem *problem, cl_event *event) {
    offsets_plan *plan = state;
    const textbook_device *device = &plan->device;
    const cl_ulong n = problem->n, count = n + 1;
    const size_t blocks = blocks_of(plan, problem->n + 1);
    const cl_ulong block_count = blocks;
    if (!textbook_launch(device, plan->scan_diff, blocks, plan->group, NULL,
                         TEXTBOOK_ARG(problem->in[0]), TEXTBOOK_ARG(problem->in[1]),
                         TEXTBOOK_ARG(n), TEXTBOOK_ARG(problem->out), TEXTBOOK_ARG(plan->sums[0]),
                         TEXTBOOK_ARG(plan->faults)) ||
        !textbook_launch(device, plan->find_fault, 1, FIND_GROUP, blocks == 1 ? event : NULL,
                         TEXTBOOK_ARG(plan->faults), TEXTBOOK_ARG(block_count),
                         TEXTBOOK_ARG(problem->report)))
        return false;
    return blocks == 1 || (scan_level(plan, 0, blocks) &&
                           textbook_launch(device, plan->broadcast, blocks, plan->group, event,
                                           TEXTBOOK_ARG(problem->out), TEXTBOOK_ARG(count),
                                           TEXTBOOK_ARG(plan->sums[0])));
}

/* ---- The library ------------------------------------------------------------------------------
 */

typedef struct library_offsets {
    clprims_offsets *plan;
    cl_command_queue queue;
} library_offsets;

static void destroy_library(void *state) {
    library_offsets *it = state;
    if (it == NULL) return;
    clprims_offsets_destroy(it->plan);
    free(it);
}

static bool create_library(void **state, const textbook_device *device,
                           const textbook_problem *problem, int number) {
    static const clprims_type types[] = {CLPRIMS_I32, CLPRIMS_U32, CLPRIMS_I64};
    clprims_offsets_desc desc = {0};
    library_offsets *it = calloc(1, sizeof *it);
    (void)number;
    if (it == NULL) return textbook_fail("no host memory for a plan");
    desc.type = types[type_of(problem)];
    desc.max_n = problem->n;
    it->queue = device->queue;
    *state = it;
    if (clprims_offsets_create(&it->plan, device->clprims, &desc) == CLPRIMS_OK) return true;
    textbook_fail("%s", clprims_last_error()->message);
    destroy_library(it);
    *state = NULL;
    return false;
}

static bool submit_library(void *state, const textbook_problem *problem, cl_event *event) {
    const library_offsets *it = state;
    const clprims_buffer starts = {problem->in[0], 0}, stops = {problem->in[1], 0};
    const clprims_buffer offsets = {problem->out, 0}, report = {problem->report, 0};
    return clprims_offsets_enqueue(
               it->plan, it->queue,
               &(clprims_offsets_buffers){
                   .starts = starts, .stops = stops, .offsets = offsets, .report = report},
               problem->n, 0, NULL, event) == CLPRIMS_OK ||
           textbook_fail("%s", clprims_last_error()->message);
}

/* ---- The table ------------------------------------------------------------------------------- */

static const textbook_step steps[] = {
    {"CPU -O2", 0, 0, true, NULL, NULL, run_at_o2, NULL},
    {"CPU -O3", 0, 0, true, NULL, NULL, run_at_o3, NULL},
    {"CPU SIMD", 0, 0, true, NULL, NULL, run_by_simd, NULL},
    {"Blelloch", TREE, 0, false, create, submit, NULL, destroy},
    {"Blelloch, 4 apart", TREE_4, 0, false, create, submit, NULL, destroy},
    {"shuffle", SHUFFLE, 0, false, create, submit, NULL, destroy},
    {"clprims", 0, 0, false, create_library, submit_library, NULL, destroy_library},
};

static const textbook_variant variants[] = {
    {"int32 to int64", OFFSETS_I32},
    {"uint32 to int64", OFFSETS_U32},
    {"int64 to int64", OFFSETS_I64},
    {"int32 with faults", OFFSETS_I32 + WITH_FAULTS},
    {"uint32 with faults", OFFSETS_U32 + WITH_FAULTS},
    {"int64 with faults", OFFSETS_I64 + WITH_FAULTS},
};

const textbook_table textbook_offsets = {
    .seed = "001",
    .title = "offsets",
    .subject = &subject,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .measured_variants = OFFSETS_TYPES,
    .steps = steps,
    .step_count = sizeof steps / sizeof *steps,
    .gpu = {2, 20, 27, 1, 0},
    .cpu = {2, 20, 22, 1, 0},
};
