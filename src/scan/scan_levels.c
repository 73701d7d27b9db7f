/* SPDX-License-Identifier: MIT */
/* Reduce-then-scan: every level's tiles are reduced, the aggregates scanned, the tiles scanned. */
#include "core/program.h"
#include "scan/scan_engine.h"

/* The inner levels scan aggregates: running values as they are, inclusive, from the same start. */
static clprims_status build_inner(clprims_scan *scan, const char *tuning) {
    clp_scan_spec inner = scan->spec;
    inner.what.type = inner.what.accumulator = inner.what.working;
    inner.what.type_bytes = inner.what.accumulator_bytes = inner.what.working_bytes;
    inner.what.input = NULL;
    inner.what.parameters = NULL;
    inner.what.has_input_array = true;
    inner.what.inclusive = true;
    const clp_pass_need need = clp_scan_need(&inner, tuning);
    CLP_TRY(clp_shape_choose(scan->context, &need, CLP_LEVELS, tuning, &scan->inner_shape));
    return clp_pass_build(scan->context, &need, &scan->inner_shape, &scan->inner_program);
}

clprims_status clp_scan_prepare_levels(clprims_scan *scan, const clprims_scan_desc *desc) {
    const clprims_context *context = scan->context;
    size_t n = scan->spec.max_n;
    const clp_pass_need need = clp_scan_need(&scan->spec, desc->tuning);
    CLP_TRY(clp_shape_choose(context, &need, CLP_LEVELS, desc->tuning, &scan->outer_shape));
    CLP_TRY(clp_pass_build(context, &need, &scan->outer_shape, &scan->outer_program));
    if (clp_shape_tiles(n, &scan->outer_shape) > 1) CLP_TRY(build_inner(scan, desc->tuning));
    for (;;) {
        const size_t depth = scan->level_count;
        clp_scan_level *here = &scan->levels[depth];
        cl_program program = depth == 0 ? scan->outer_program : scan->inner_program;
        scan->level_count++;
        CLP_TRY(clp_kernel_create(program, "scan", "clp_scan_apply", &here->apply));
        n = clp_shape_tiles(n, depth == 0 ? &scan->outer_shape : &scan->inner_shape) - 1;
        if (n == 0) return CLPRIMS_OK;
        if (scan->level_count == CLP_SCAN_MOST_LEVELS) {
            return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                            "scan: max_n = %zu needs more than %d levels of tiles of %zu elements",
                            scan->spec.max_n, CLP_SCAN_MOST_LEVELS, scan->inner_shape.tile);
        }
        CLP_TRY(clp_kernel_create(program, "scan", "clp_scan_reduce", &here->reduce));
        CLP_TRY(clp_scan_add_scratch(scan, n * scan->spec.what.working_bytes, false, &here->sums));
    }
}

/* A level has (n - before) / span elements of a run of n, as cl/scan/scan_levels.cl says. */
typedef struct level_range {
    cl_ulong before, span;
} level_range;

static void go_up(level_range *range, size_t tile) {
    const cl_ulong span = range->span > 0 ? range->span : 1;
    range->before += span;
    range->span = span * tile;
}

/* Sets the arguments of one level's kernels; a single tile needs no aggregates. run: in and out are
 * the level's. */
static clprims_status set_level(const clprims_scan *scan, const clp_scan_level *here,
                                const clp_scan_run *run, const level_range *range, size_t tiles) {
    const bool is_first = here == scan->levels;
    const clprims_buffer report = is_first ? run->report : (clprims_buffer){NULL, 0};
    const cl_ulong in_first = run->in.first, out_first = run->out.first, n = run->n,
                   report_first = report.first, counted_first = run->counted.first;
    clp_argument apply[13 + CLP_MOST_PARAMETERS] = {CLP_ARGUMENT(run->in.mem),
                                                    CLP_ARGUMENT(in_first),
                                                    CLP_ARGUMENT(run->out.mem),
                                                    CLP_ARGUMENT(out_first),
                                                    CLP_ARGUMENT(report.mem),
                                                    CLP_ARGUMENT(report_first),
                                                    CLP_ARGUMENT(n),
                                                    CLP_ARGUMENT(range->before),
                                                    CLP_ARGUMENT(range->span),
                                                    {scan->spec.what.working_bytes, scan->start},
                                                    CLP_ARGUMENT(here->sums),
                                                    CLP_ARGUMENT(run->counted.mem),
                                                    CLP_ARGUMENT(counted_first)};
    clp_argument reduce[8 + CLP_MOST_PARAMETERS] = {
        CLP_ARGUMENT(run->in.mem),      CLP_ARGUMENT(in_first),
        CLP_ARGUMENT(here->sums),       CLP_ARGUMENT(n),
        CLP_ARGUMENT(range->before),    CLP_ARGUMENT(range->span),
        CLP_ARGUMENT(run->counted.mem), CLP_ARGUMENT(counted_first)};
    size_t applies = 13, reduces = 8;
    if (is_first) {
        const cl_mem *blank = &scan->context->blank;
        clp_parameters_append(&scan->parameters, blank, apply, &applies);
        clp_parameters_append(&scan->parameters, blank, reduce, &reduces);
    }
    CLP_TRY(clp_kernel_arguments(here->apply, "scan", apply, (cl_uint)applies));
    if (tiles == 1) return CLPRIMS_OK;
    return clp_kernel_arguments(here->reduce, "scan", reduce, (cl_uint)reduces);
}

/* All levels above the first have the same kernels. */
clprims_status clp_scan_warm_up_levels(clprims_scan *scan) {
    const clprims_buffer blank = {scan->context->blank, 0};
    const clp_scan_run run = {.in = blank, .out = blank};
    const level_range range = {0, 0};
    clp_step steps[4];
    size_t count = 0;
    for (size_t depth = 0; depth < scan->level_count && depth < 2; depth++) {
        const clp_scan_level *here = &scan->levels[depth];
        const size_t group = (depth == 0 ? &scan->outer_shape : &scan->inner_shape)->group;
        CLP_TRY(set_level(scan, here, &run, &range, here->reduce != NULL ? 2 : 1));
        steps[count++] = (clp_step){here->apply, 1, group};
        if (here->reduce != NULL) steps[count++] = (clp_step){here->reduce, 1, group};
    }
    return clp_steps_warm_up(scan->context, "scan", steps, count);
}

/* In the chain each level's reduce comes before those above it, its apply behind theirs. */
clprims_status clp_scan_enqueue_levels(clprims_scan *scan, const clp_scan_run *run) {
    clp_scan_run inner = *run;
    level_range range = {0, 0};
    size_t n = run->n;
    clp_step down[CLP_SCAN_MOST_LEVELS], up[CLP_SCAN_MOST_LEVELS];
    clp_step steps[2 * CLP_SCAN_MOST_LEVELS];
    size_t depth = 0, count = 0, tiles;
    do {
        const clp_scan_level *here = &scan->levels[depth];
        const clp_shape *shape = depth == 0 ? &scan->outer_shape : &scan->inner_shape;
        tiles = clp_shape_tiles(n, shape);
        CLP_TRY(set_level(scan, here, &inner, &range, tiles));
        if (tiles > 1) down[depth] = (clp_step){here->reduce, tiles - 1, shape->group};
        up[depth] = (clp_step){here->apply, tiles, shape->group};
        inner.in = inner.out = (clprims_buffer){here->sums, 0};
        go_up(&range, shape->tile);
        n = tiles - 1;
        depth++;
    } while (tiles > 1);
    for (size_t i = 0; i + 1 < depth; i++) steps[count++] = down[i];
    for (size_t i = depth; i-- > 0;) steps[count++] = up[i];
    return clp_steps_enqueue(run->queue, "scan", steps, count, run->num_wait, run->wait,
                             run->event);
}

void clp_scan_release_levels(clprims_scan *scan) {
    for (size_t i = 0; i < scan->level_count; i++) {
        const clp_scan_level *here = &scan->levels[i];
        if (here->reduce != NULL) clReleaseKernel(here->reduce);
        if (here->apply != NULL) clReleaseKernel(here->apply);
        if (here->sums != NULL) clReleaseMemObject(here->sums);
    }
    if (scan->outer_program != NULL) clReleaseProgram(scan->outer_program);
    if (scan->inner_program != NULL) clReleaseProgram(scan->inner_program);
}
