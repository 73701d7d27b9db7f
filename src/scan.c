/* SPDX-License-Identifier: MIT */
/* The scan: plans, launches, plain arrays. */
#include "scan_engine.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_RUN = (1 << 30) - 1 };

/* One level of reduce-then-scan: level 0 scans the input, level 1 the aggregates of its tiles... */
typedef struct level {
    cl_kernel reduce;
    cl_kernel apply;
    cl_mem sums; /* the aggregates of this level's tiles, then their scan */
} level;

struct clprims_scan {
    clprims_context *context;
    clp_scan_spec spec; /* its pointers into the description are cleared after create */
    clp_scan_shape shape;
    const char *reason;
    unsigned char start[CLP_SCAN_LARGEST_VALUE];
    size_t scratch_bytes;

    cl_program program;
    cl_kernel lookback;
    cl_mem state;
    cl_mem tickets;
    cl_uint run; /* the last one submitted */

    clp_scan_shape inner_shape; /* of levels 1 and up */
    cl_program inner_program;
    level levels[CLP_SCAN_MOST_LEVELS];
    size_t level_count;
};

const char *clprims_scan_algorithm_name(clprims_scan_algorithm algorithm) {
    switch (algorithm) {
    case CLPRIMS_SCAN_AUTO:
        return "auto";
    case CLPRIMS_SCAN_LOOKBACK:
        return "lookback";
    case CLPRIMS_SCAN_LOOKBACK_FALLBACK:
        return "lookback-fallback";
    case CLPRIMS_SCAN_REDUCE_THEN_SCAN:
        return "reduce-then-scan";
    }
    return "unknown";
}

static size_t tiles_of(size_t n, const clp_scan_shape *shape) {
    return n / shape->tile + (n % shape->tile != 0);
}

/* ---- Create -----------------------------------------------------------------------------------
 */

static clprims_status build(const clprims_context *context, const clp_scan_spec *spec,
                            const clp_scan_shape *shape, cl_program *program) {
    const char *const parts[] = {
        "types.cl", shape->group == 1 ? "tile_serial.cl" : "tile.cl",
        spec->algorithm == CLPRIMS_SCAN_REDUCE_THEN_SCAN ? "scan.cl" : "lookback.cl",
        spec->algorithm == CLPRIMS_SCAN_REDUCE_THEN_SCAN ? NULL : "scan.cl", NULL};
    clp_text prelude = {0};
    clp_scan_add_prelude(&prelude, &context->device, spec, shape);
    const clprims_status status = clp_program_build(context, "scan", &prelude, parts, program);
    clp_text_free(&prelude);
    return status;
}

static clprims_status add_scratch(clprims_scan *scan, size_t bytes, bool zeroed, cl_mem *out) {
    CLP_TRY(clp_scratch_create(scan->context, "scan", bytes, zeroed, out));
    scan->scratch_bytes += bytes;
    return CLPRIMS_OK;
}

static clprims_status prepare_lookback(clprims_scan *scan) {
    const size_t words = (scan->spec.accumulator_bytes + 3) / 4;
    const size_t tiles = tiles_of(scan->spec.max_n, &scan->shape);
    CLP_TRY(build(scan->context, &scan->spec, &scan->shape, &scan->program));
    CLP_TRY(clp_kernel_create(scan->program, "scan", "clp_scan_lookback", &scan->lookback));
    CLP_TRY(add_scratch(scan, tiles * words * sizeof(cl_ulong), true, &scan->state));
    return add_scratch(scan, sizeof(cl_uint), true, &scan->tickets);
}

/* The inner levels scan aggregates: accumulators as they are, inclusive, from the same start. */
static clprims_status build_inner(clprims_scan *scan, const char *tuning) {
    clp_scan_spec inner = scan->spec;
    inner.type = inner.accumulator;
    inner.type_bytes = inner.accumulator_bytes;
    inner.input = NULL;
    inner.has_input_array = true;
    inner.inclusive = true;
    CLP_TRY(clp_scan_shape_choose(scan->context, &inner, tuning, &scan->inner_shape));
    return build(scan->context, &inner, &scan->inner_shape, &scan->inner_program);
}

static clprims_status prepare_levels(clprims_scan *scan, const char *tuning) {
    size_t n = scan->spec.max_n;
    CLP_TRY(build(scan->context, &scan->spec, &scan->shape, &scan->program));
    if (tiles_of(n, &scan->shape) > 1) CLP_TRY(build_inner(scan, tuning));
    for (;;) {
        const size_t depth = scan->level_count;
        level *here = &scan->levels[depth];
        cl_program program = depth == 0 ? scan->program : scan->inner_program;
        scan->level_count++;
        CLP_TRY(clp_kernel_create(program, "scan", "clp_scan_apply", &here->apply));
        n = tiles_of(n, depth == 0 ? &scan->shape : &scan->inner_shape) - 1;
        if (n == 0) return CLPRIMS_OK;
        if (scan->level_count == CLP_SCAN_MOST_LEVELS) {
            return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                            "scan: max_n = %zu needs more than %d levels of tiles of %zu elements",
                            scan->spec.max_n, CLP_SCAN_MOST_LEVELS, scan->inner_shape.tile);
        }
        CLP_TRY(clp_kernel_create(program, "scan", "clp_scan_reduce", &here->reduce));
        CLP_TRY(add_scratch(scan, n * scan->spec.accumulator_bytes, false, &here->sums));
    }
}

static clprims_status fill_plan(clprims_scan *scan, const clprims_scan_desc *desc) {
    const clprims_context *context = scan->context;
    CLP_TRY(clp_scan_spec_fill(context, desc, &scan->spec, scan->start, &scan->reason));
    CLP_TRY(clp_scan_shape_choose(context, &scan->spec, desc->tuning, &scan->shape));
    const size_t tiles = tiles_of(scan->spec.max_n, &scan->shape);
    if (tiles > UINT32_MAX / 2) {
        return clp_fail(CLPRIMS_ERR_TOO_LARGE, "scan: max_n = %zu is more than %u tiles of %zu",
                        scan->spec.max_n, UINT32_MAX / 2, scan->shape.tile);
    }
    return scan->spec.algorithm == CLPRIMS_SCAN_REDUCE_THEN_SCAN
               ? prepare_levels(scan, desc->tuning)
               : prepare_lookback(scan);
}

clprims_status clprims_scan_create(clprims_scan **out, clprims_context *context,
                                   const clprims_scan_desc *desc) {
    clp_clear_error();
    if (out == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "scan: out is NULL");
    *out = NULL;
    if (context == NULL || desc == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "scan: %s is NULL",
                        context == NULL ? "context" : "desc");
    }
    clprims_scan *scan = calloc(1, sizeof *scan);
    if (scan == NULL) return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "scan: no host memory for a plan");
    scan->context = context;
    const clprims_status status = fill_plan(scan, desc);
    scan->spec.custom = (clprims_custom){0};
    scan->spec.input = NULL;
    if (status != CLPRIMS_OK) {
        clprims_scan_destroy(scan);
        return status;
    }
    *out = scan;
    return CLPRIMS_OK;
}

void clprims_scan_destroy(clprims_scan *scan) {
    if (scan == NULL) return;
    for (size_t i = 0; i < scan->level_count; i++) {
        if (scan->levels[i].reduce != NULL) clReleaseKernel(scan->levels[i].reduce);
        if (scan->levels[i].apply != NULL) clReleaseKernel(scan->levels[i].apply);
        if (scan->levels[i].sums != NULL) clReleaseMemObject(scan->levels[i].sums);
    }
    if (scan->lookback != NULL) clReleaseKernel(scan->lookback);
    if (scan->program != NULL) clReleaseProgram(scan->program);
    if (scan->inner_program != NULL) clReleaseProgram(scan->inner_program);
    if (scan->state != NULL) clReleaseMemObject(scan->state);
    if (scan->tickets != NULL) clReleaseMemObject(scan->tickets);
    free(scan);
}

clprims_status clprims_scan_describe(const clprims_scan *scan, clprims_scan_info *info) {
    clp_clear_error();
    if (scan == NULL || info == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "scan_describe: %s is NULL",
                        scan == NULL ? "scan" : "info");
    }
    *info = (clprims_scan_info){.algorithm = scan->spec.algorithm,
                                .group = scan->shape.group,
                                .tile = scan->shape.tile,
                                .scratch_bytes = scan->scratch_bytes,
                                .reason = scan->reason};
    return CLPRIMS_OK;
}

/* ---- Enqueue ----------------------------------------------------------------------------------
 */

static clprims_status check_run(const clprims_scan *scan, clprims_buffer in, clprims_buffer out,
                                size_t n) {
    const size_t in_bytes = scan->spec.type_bytes;
    const size_t out_bytes = scan->spec.accumulator_bytes;
    CLP_TRY(clp_buffer_check("scan", "out", out, n, out_bytes));
    if (!scan->spec.has_input_array) {
        if (in.mem == NULL) return CLPRIMS_OK;
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "scan: in.mem is not NULL, but the plan has no input array");
    }
    CLP_TRY(clp_buffer_check("scan", "in", in, n, in_bytes));
    clp_overlap overlap;
    CLP_TRY(clp_buffer_overlap("scan", in, in_bytes, out, out_bytes, n, &overlap));
    if (overlap == CLP_OVERLAP) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "scan: in (first = %zu) and out (first = %zu) overlap for n = %zu; only "
                        "the very same place is allowed",
                        in.first, out.first, n);
    }
    return CLPRIMS_OK;
}

static clprims_status check_n(const clprims_scan *scan, size_t n) {
    if (n <= scan->spec.max_n) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                    "scan: n = %zu exceeds max_n = %zu given to create; create a larger plan", n,
                    scan->spec.max_n);
}

/* A new run's number; when the numbers are used up, the state is cleared and they start again. */
static clprims_status next_run(clprims_scan *scan, cl_command_queue queue, cl_uint *run) {
    *run = scan->run + 1;
    if (scan->run < MOST_RUN) return CLPRIMS_OK;
    const cl_uint zero = 0;
    size_t bytes = 0;
    cl_int code = clGetMemObjectInfo(scan->state, CL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    if (code == CL_SUCCESS) {
        code = clEnqueueFillBuffer(queue, scan->state, &zero, sizeof zero, 0, bytes, 0, NULL, NULL);
    }
    if (code == CL_SUCCESS) code = clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL);
    if (code != CL_SUCCESS) return clp_fail_cl(code, "scan: clearing the state failed");
    *run = 1;
    return CLPRIMS_OK;
}

static clprims_status enqueue_lookback(clprims_scan *scan, cl_command_queue queue,
                                       clprims_buffer in, clprims_buffer out, size_t n,
                                       cl_uint num_wait, const cl_event *wait, cl_event *event) {
    cl_uint run;
    const cl_ulong in_first = in.first, out_first = out.first, count = n;
    CLP_TRY(next_run(scan, queue, &run));
    const clp_argument arguments[] = {
        CLP_ARGUMENT(in.mem),      CLP_ARGUMENT(in_first),
        CLP_ARGUMENT(out.mem),     CLP_ARGUMENT(out_first),
        CLP_ARGUMENT(count),       {scan->spec.accumulator_bytes, scan->start},
        CLP_ARGUMENT(scan->state), CLP_ARGUMENT(scan->tickets),
        CLP_ARGUMENT(run)};
    const clp_step step = {scan->lookback, tiles_of(n, &scan->shape), scan->shape.group};
    CLP_TRY(clp_kernel_arguments(scan->lookback, "scan", arguments, 9));
    CLP_TRY(clp_steps_enqueue(queue, "scan", &step, 1, num_wait, wait, event));
    scan->run = run;
    return CLPRIMS_OK;
}

/* Sets up one level's launches: its reduce goes to the front of the chain, its apply to the back.
 */
static clprims_status set_level(const clprims_scan *scan, const level *here, clprims_buffer in,
                                clprims_buffer out, size_t n, size_t tiles) {
    const cl_ulong in_first = in.first, out_first = out.first, count = n;
    const clp_argument apply[] = {
        CLP_ARGUMENT(in.mem),    CLP_ARGUMENT(in_first),
        CLP_ARGUMENT(out.mem),   CLP_ARGUMENT(out_first),
        CLP_ARGUMENT(count),     {scan->spec.accumulator_bytes, scan->start},
        CLP_ARGUMENT(here->sums)};
    CLP_TRY(clp_kernel_arguments(here->apply, "scan", apply, 7));
    if (tiles == 1) return CLPRIMS_OK;
    const clp_argument reduce[] = {CLP_ARGUMENT(in.mem), CLP_ARGUMENT(in_first),
                                   CLP_ARGUMENT(here->sums), CLP_ARGUMENT(count)};
    return clp_kernel_arguments(here->reduce, "scan", reduce, 4);
}

static clprims_status enqueue_levels(clprims_scan *scan, cl_command_queue queue, clprims_buffer in,
                                     clprims_buffer out, size_t n, cl_uint num_wait,
                                     const cl_event *wait, cl_event *event) {
    clp_step down[CLP_SCAN_MOST_LEVELS], up[CLP_SCAN_MOST_LEVELS];
    clp_step steps[2 * CLP_SCAN_MOST_LEVELS];
    size_t depth = 0, count = 0, tiles;
    do {
        const level *here = &scan->levels[depth];
        const clp_scan_shape *shape = depth == 0 ? &scan->shape : &scan->inner_shape;
        tiles = tiles_of(n, shape);
        CLP_TRY(set_level(scan, here, in, out, n, tiles));
        if (tiles > 1) down[depth] = (clp_step){here->reduce, tiles - 1, shape->group};
        up[depth] = (clp_step){here->apply, tiles, shape->group};
        in = out = (clprims_buffer){here->sums, 0};
        n = tiles - 1;
        depth++;
    } while (tiles > 1);
    for (size_t i = 0; i + 1 < depth; i++) steps[count++] = down[i];
    for (size_t i = depth; i-- > 0;) steps[count++] = up[i];
    return clp_steps_enqueue(queue, "scan", steps, count, num_wait, wait, event);
}

static clprims_status enqueue(clprims_scan *scan, cl_command_queue queue, clprims_buffer in,
                              clprims_buffer out, size_t n, cl_uint num_wait, const cl_event *wait,
                              cl_event *event) {
    if (n == 0) return clp_steps_enqueue(queue, "scan", NULL, 0, num_wait, wait, event);
    if (scan->spec.algorithm == CLPRIMS_SCAN_REDUCE_THEN_SCAN) {
        return enqueue_levels(scan, queue, in, out, n, num_wait, wait, event);
    }
    return enqueue_lookback(scan, queue, in, out, n, num_wait, wait, event);
}

clprims_status clprims_scan_enqueue(clprims_scan *scan, cl_command_queue queue, clprims_buffer in,
                                    clprims_buffer out, size_t n, cl_uint num_wait,
                                    const cl_event *wait, cl_event *event) {
    clp_clear_error();
    if (scan == NULL || queue == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "scan: %s is NULL", scan == NULL ? "scan" : "queue");
    }
    CLP_TRY(check_n(scan, n));
    CLP_TRY(check_run(scan, in, out, n));
    return enqueue(scan, queue, in, out, n, num_wait, wait, event);
}

/* ---- Plain arrays -----------------------------------------------------------------------------
 */

static clprims_status run_on(clprims_scan *scan, cl_mem in, cl_mem out, void *host_out, size_t n) {
    const clprims_buffer from = {in, 0}, to = {out, 0};
    CLP_TRY(enqueue(scan, scan->context->queue, from, to, n, 0, NULL, NULL));
    return clp_download(scan->context, "scan", out, host_out, n * scan->spec.accumulator_bytes);
}

clprims_status clprims_scan_run(clprims_scan *scan, const void *in, void *out, size_t n) {
    clp_clear_error();
    if (scan == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "scan: scan is NULL");
    CLP_TRY(check_n(scan, n));
    if (n == 0) return CLPRIMS_OK;
    const bool has_in = scan->spec.has_input_array;
    if (out == NULL || (in == NULL) == has_in) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "scan: %s for n = %zu",
                        out == NULL ? "out is NULL"
                        : has_in    ? "in is NULL"
                                    : "in is not NULL, but the plan has no input array",
                        n);
    }
    const clp_scan_spec *spec = &scan->spec;
    const bool in_place = has_in && spec->type_bytes == spec->accumulator_bytes;
    cl_mem device_in = NULL, device_out = NULL;
    clprims_status status = CLPRIMS_OK;
    if (has_in) status = clp_upload(scan->context, "scan", in, n * spec->type_bytes, &device_in);
    if (status == CLPRIMS_OK && !in_place) {
        status = clp_upload(scan->context, "scan", NULL, n * spec->accumulator_bytes, &device_out);
    }
    if (status == CLPRIMS_OK) {
        status = run_on(scan, device_in, in_place ? device_in : device_out, out, n);
    }
    if (device_out != NULL) clReleaseMemObject(device_out);
    if (device_in != NULL) clReleaseMemObject(device_in);
    return status;
}
