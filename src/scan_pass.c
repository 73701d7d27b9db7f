/* SPDX-License-Identifier: MIT */
/* The single-pass scans: one launch, by look-back or by look-ahead. */
#include "scan_engine.h"

enum { MOST_RUN = (1 << 30) - 1 };

/* ---- Create ---- */

static clprims_status build_pass(const clprims_context *context, const clp_scan_spec *spec,
                                 clp_scan_pass *pass) {
    const char *name =
        spec->algorithm == CLPRIMS_SCAN_LOOKAHEAD ? "clp_scan_lookahead" : "clp_scan_lookback";
    CLP_TRY(clp_scan_build(context, spec, &pass->shape, &pass->program));
    return clp_kernel_create(pass->program, "scan", name, &pass->kernel);
}

/* A look-ahead keeps every multiprocessor's local memory busy, which pays for many tiles only. */
static clprims_status prepare_small(clprims_scan *scan) {
    clp_scan_spec small = scan->spec;
    small.algorithm = CLPRIMS_SCAN_LOOKBACK;
    CLP_TRY(
        clp_scan_shape_choose(scan->context, "scan-small", &small, NULL, &scan->small_pass.shape));
    return build_pass(scan->context, &small, &scan->small_pass);
}

/* Tiles that the state has room for; a look-ahead reads whole batches, and one behind the last. */
static size_t state_tiles(const clprims_scan *scan) {
    const clp_scan_shape *shape = &scan->main_pass.shape;
    const size_t batch = shape->units > 0 ? 32 * shape->units : 1;
    const size_t tiles = (clp_scan_tiles(scan->spec.max_n, shape) + 2 * batch - 1) / batch * batch;
    if (scan->small_n == 0) return tiles;
    const size_t small = clp_scan_tiles(scan->small_n, &scan->small_pass.shape);
    return small > tiles ? small : tiles;
}

clprims_status clp_scan_prepare_passes(clprims_scan *scan, const clprims_scan_desc *desc) {
    const clprims_context *context = scan->context;
    const clp_scan_spec *spec = &scan->spec;
    clp_scan_shape *shape = &scan->main_pass.shape;
    if (spec->algorithm == CLPRIMS_SCAN_LOOKAHEAD) {
        CLP_TRY(clp_scan_lookahead_shape(context, spec, desc->tuning, shape, &scan->small_n));
        if (desc->algorithm != CLPRIMS_SCAN_AUTO) scan->small_n = 0;
        if (scan->small_n > 0) CLP_TRY(prepare_small(scan));
    } else {
        CLP_TRY(clp_scan_shape_choose(context, "scan", spec, desc->tuning, shape));
    }
    const size_t tiles = clp_scan_tiles(spec->max_n, shape);
    if (tiles > UINT32_MAX / 2) {
        return clp_fail(CLPRIMS_ERR_TOO_LARGE, "scan: max_n = %zu is more than %u tiles of %zu",
                        spec->max_n, UINT32_MAX / 2, shape->tile);
    }
    const size_t state_bytes = state_tiles(scan) * clp_scan_words(spec) * sizeof(cl_ulong);
    CLP_TRY(build_pass(context, spec, &scan->main_pass));
    CLP_TRY(clp_scan_add_scratch(scan, state_bytes, true, &scan->state));
    return clp_scan_add_scratch(scan, sizeof(cl_uint), true, &scan->tickets);
}

static void release_pass(clp_scan_pass *pass) {
    if (pass->kernel != NULL) clReleaseKernel(pass->kernel);
    if (pass->program != NULL) clReleaseProgram(pass->program);
}

void clp_scan_release_passes(clprims_scan *scan) {
    release_pass(&scan->main_pass);
    release_pass(&scan->small_pass);
    if (scan->state != NULL) clReleaseMemObject(scan->state);
    if (scan->tickets != NULL) clReleaseMemObject(scan->tickets);
}

/* ---- Enqueue ---- */

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

clprims_status clp_scan_enqueue_pass(clprims_scan *scan, const clp_scan_run *run) {
    const clp_scan_pass *pass = run->n > scan->small_n ? &scan->main_pass : &scan->small_pass;
    const cl_ulong in_first = run->in.first, out_first = run->out.first, n = run->n;
    cl_uint number;
    CLP_TRY(next_run(scan, run->queue, &number));
    const clp_argument arguments[] = {CLP_ARGUMENT(run->in.mem),
                                      CLP_ARGUMENT(in_first),
                                      CLP_ARGUMENT(run->out.mem),
                                      CLP_ARGUMENT(out_first),
                                      CLP_ARGUMENT(n),
                                      {scan->spec.what.working_bytes, scan->start},
                                      CLP_ARGUMENT(scan->state),
                                      CLP_ARGUMENT(scan->tickets),
                                      CLP_ARGUMENT(number)};
    size_t groups = clp_scan_tiles(run->n, &pass->shape);
    if (pass->shape.most_groups > 0 && groups > pass->shape.most_groups) {
        groups = pass->shape.most_groups;
    }
    const clp_step step = {pass->kernel, groups, pass->shape.group};
    CLP_TRY(clp_kernel_arguments(pass->kernel, "scan", arguments, 9));
    CLP_TRY(clp_steps_enqueue(run->queue, "scan", &step, 1, run->num_wait, run->wait, run->event));
    scan->run = number;
    return CLPRIMS_OK;
}
