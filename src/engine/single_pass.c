/* SPDX-License-Identifier: MIT */
/* The single-pass engine: one launch, by look-back or by look-ahead. */
#include "engine/single_pass.h"

#include <stdio.h>

/* ---- The algorithm ---- */

clprims_status clp_pass_choose(const clprims_context *context, const char *who,
                               clprims_algorithm wanted, clprims_algorithm *chosen) {
    const char *device = context->device.info.name;
    *chosen = wanted;
    if (!context->device.has_int64_atomics) {
        return clp_fail(CLPRIMS_ERR_UNSUPPORTED, "%s: \"%s\" has no 64-bit atomics", who, device);
    }
    switch (wanted) {
    case CLPRIMS_ALGORITHM_AUTO:
        *chosen = clp_pass_can_look_ahead(context) ? CLPRIMS_ALGORITHM_LOOKAHEAD
                  : context->groups_progress       ? CLPRIMS_ALGORITHM_LOOKBACK
                                                   : CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK;
        return CLPRIMS_OK;
    case CLPRIMS_ALGORITHM_LOOKBACK:
    case CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK:
        return CLPRIMS_OK;
    case CLPRIMS_ALGORITHM_LOOKAHEAD:
        if (clp_pass_can_look_ahead(context)) return CLPRIMS_OK;
        return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                        "%s: lookahead needs the nvidia layer; this is the %s layer of \"%s\"", who,
                        clprims_layer_name(context->layer), device);
    case CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN:
        return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                        "%s: reduce-then-scan is for scans only; use lookback-fallback", who);
    }
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: algorithm = %d is none of clprims_algorithm", who,
                    (int)wanted);
}

/* ---- Create ---- */

const char *clp_pass_scan_kernel(const clp_shape *shape) {
    if (shape->stages > 0) return "clp_scan_lookahead";
    if (shape->few) return "clp_scan_few";
    return shape->wave ? "clp_scan_wave" : "clp_scan_lookback";
}

/* Of a wave, on a multiprocessor: it has the registers for them. */
enum { WAVE_GROUPS = 4 };

/* The shape for up to *most elements, which become those of one wave. */
static clprims_status choose_small(const clp_pass *pass, const clp_pass_need *need,
                                   const char *suffix, size_t *most, clp_shape *shape) {
    char name[64];
    if (*most == 0) return CLPRIMS_OK;
    snprintf(name, sizeof name, "%s-%s", need->who, suffix);
    CLP_TRY(clp_shape_choose(pass->context, need, name, NULL, shape));
    if (!shape->wave) return CLPRIMS_OK;
    const size_t at_once = WAVE_GROUPS * pass->context->device.info.compute_units;
    if (*most > at_once * shape->tile) *most = at_once * shape->tile;
    return CLPRIMS_OK;
}

/* A look-ahead keeps every multiprocessor's local memory busy, which pays for many tiles only. */
static clprims_status choose_shapes(clp_pass *pass, const clp_pass_need *need) {
    clp_shape *shape = &pass->main.shape;
    char name[64];
    if (!need->looks_ahead) {
        snprintf(name, sizeof name, need->looks_apart ? "%s-lookback" : "%s", need->who);
        return clp_shape_choose(pass->context, need, name, need->tuning, shape);
    }
    CLP_TRY(clp_shape_choose_ring(pass->context, need, shape, &pass->sizes));
    if (!need->small_too) pass->sizes.small = 0;
    if (!need->small_too || !need->few_too) pass->sizes.few = 0;
    CLP_TRY(choose_small(pass, need, "small", &pass->sizes.small, &pass->small.shape));
    CLP_TRY(choose_small(pass, need, "few", &pass->sizes.few, &pass->few.shape));
    pass->few.shape.few = true;
    if (!pass->few.shape.wave) pass->sizes.few = 0;
    return CLPRIMS_OK;
}

/* Tiles that the state has room for; a look-ahead reads whole batches, and one behind the last. */
static size_t state_tiles(const clp_pass *pass, size_t max_n) {
    const clp_shape *shape = &pass->main.shape;
    const size_t batch = shape->units > 0 ? 32 * shape->units : 1;
    size_t tiles = (clp_shape_tiles(max_n, shape) + 2 * batch - 1) / batch * batch;
    const clp_shape *const others[] = {&pass->small.shape, &pass->few.shape};
    const size_t most[] = {pass->sizes.small, pass->sizes.few};
    for (size_t i = 0; i < 2; i++) {
        const size_t needed = most[i] > 0 ? clp_shape_tiles(most[i], others[i]) : 0;
        if (needed > tiles) tiles = needed;
    }
    return tiles;
}

static clprims_status add_scratch(clp_pass *pass, size_t bytes, cl_mem *out) {
    CLP_TRY(clp_scratch_create(pass->context, pass->who, bytes, true, out));
    pass->scratch_bytes += bytes;
    return CLPRIMS_OK;
}

/* Elements of arrays that start anywhere: the small kernel takes these one by one, which of 4 bytes
 * and more pays for longer. */
enum { MOST_SMALL_ODD = 1 << 19, MOST_WIDE_ODD = 5 << 18 };

static clprims_status build_kernel(clp_pass_kernel *kernel, clp_pass_build *build,
                                   const void *user) {
    return build(user, &kernel->shape, &kernel->program, &kernel->kernel);
}

/* Only what choose_kernel takes for some n up to max_n: each program takes the compiler a while. */
static clprims_status build_kernels(clp_pass *pass, const clp_pass_need *need,
                                    clp_pass_build *build, const void *user) {
    const size_t n = need->max_n, small = pass->sizes.small, few = pass->sizes.few;
    if (small == 0 || n > small) CLP_TRY(build_kernel(&pass->main, build, user));
    if (need->looks_ahead && need->unaligned_too && (n > small || n > pass->most_odd)) {
        pass->unaligned.shape = pass->main.shape;
        pass->unaligned.shape.unaligned = true;
        pass->unaligned.shape.burst = 0; /* it would lose by them */
        CLP_TRY(build_kernel(&pass->unaligned, build, user));
    }
    if (small > 0 && n > few) CLP_TRY(build_kernel(&pass->small, build, user));
    return few > 0 ? build_kernel(&pass->few, build, user) : CLPRIMS_OK;
}

clprims_status clp_pass_prepare(clp_pass *pass, const clprims_context *context,
                                const clp_pass_need *need, clp_pass_build *build,
                                const void *user) {
    pass->context = context;
    pass->who = need->who;
    CLP_TRY(choose_shapes(pass, need));
    pass->run = (cl_uint)pass->main.shape.first_run;
    pass->most_odd = need->element_bytes >= 4 ? MOST_WIDE_ODD : MOST_SMALL_ODD;
    const size_t tiles = clp_shape_tiles(need->max_n, &pass->main.shape);
    if (tiles > UINT32_MAX / 2) {
        return clp_fail(CLPRIMS_ERR_TOO_LARGE, "%s: max_n = %zu is more than %u tiles of %zu",
                        need->who, need->max_n, UINT32_MAX / 2, pass->main.shape.tile);
    }
    CLP_TRY(build_kernels(pass, need, build, user));
    const size_t words = state_tiles(pass, need->max_n) * clp_shape_words(need->value_bytes);
    CLP_TRY(add_scratch(pass, words * sizeof(cl_ulong), &pass->state));
    return add_scratch(pass, 2 * sizeof(cl_uint), &pass->tickets);
}

static void release_kernel(clp_pass_kernel *kernel) {
    if (kernel->kernel != NULL) clReleaseKernel(kernel->kernel);
    if (kernel->program != NULL) clReleaseProgram(kernel->program);
}

void clp_pass_release(clp_pass *pass) {
    release_kernel(&pass->main);
    release_kernel(&pass->unaligned);
    release_kernel(&pass->small);
    release_kernel(&pass->few);
    if (pass->state != NULL) clReleaseMemObject(pass->state);
    if (pass->tickets != NULL) clReleaseMemObject(pass->tickets);
}

/* ---- Enqueue ---- */

/* A new run's number; when the numbers are used up, the state is cleared and they start again. The
 * clearing waits for what the run waits for: on a queue out of order the run before may be there.
 */
static clprims_status next_run(clp_pass *pass, const clp_pass_run *run, cl_uint *number) {
    *number = pass->run + 1;
    if (pass->run < CLP_PASS_MOST_RUN) return CLPRIMS_OK;
    const cl_uint zero = 0;
    size_t bytes = 0;
    cl_int code = clGetMemObjectInfo(pass->state, CL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    if (code == CL_SUCCESS) {
        code = clEnqueueFillBuffer(run->queue, pass->state, &zero, sizeof zero, 0, bytes,
                                   run->num_wait, run->wait, NULL);
    }
    if (code == CL_SUCCESS) code = clEnqueueBarrierWithWaitList(run->queue, 0, NULL, NULL);
    if (code != CL_SUCCESS) return clp_fail_cl(code, "%s: clearing the state failed", pass->who);
    *number = 1;
    return CLPRIMS_OK;
}

static const clp_pass_kernel *choose_kernel(const clp_pass *pass, size_t n, bool unaligned) {
    const bool is_odd = unaligned && pass->unaligned.kernel != NULL;
    const bool is_small = n <= pass->sizes.small && (!is_odd || n <= pass->most_odd);
    if (pass->sizes.few > 0 && n <= pass->sizes.few) return &pass->few;
    if (pass->sizes.small > 0 && is_small) return &pass->small;
    return is_odd ? &pass->unaligned : &pass->main;
}

static clprims_status set_arguments(const clp_pass *pass, const clp_pass_kernel *used,
                                    const clp_argument *arguments, size_t count, cl_uint number) {
    clp_argument all[CLP_PASS_MOST_ARGUMENTS];
    for (size_t i = 0; i < count; i++) all[i] = arguments[i];
    all[count++] = (clp_argument)CLP_ARGUMENT(pass->state);
    all[count++] = (clp_argument)CLP_ARGUMENT(pass->tickets);
    all[count++] = (clp_argument)CLP_ARGUMENT(number);
    return clp_kernel_arguments(used->kernel, pass->who, all, (cl_uint)count);
}

/* A single tile publishes nothing, so that no run's number is used up. */
static clprims_status warm_up(const clp_pass *pass, const clp_argument *arguments, size_t count) {
    const clp_pass_kernel *const kernels[] = {&pass->main, &pass->unaligned, &pass->small,
                                              &pass->few};
    clp_step steps[4];
    size_t left = 0;
    for (size_t i = 0; i < 4; i++) {
        if (kernels[i]->kernel == NULL) continue;
        CLP_TRY(set_arguments(pass, kernels[i], arguments, count, 1));
        steps[left++] = (clp_step){kernels[i]->kernel, 1, kernels[i]->shape.group};
    }
    return clp_steps_warm_up(pass->context, pass->who, steps, left);
}

clprims_status clp_pass_enqueue_placed(clp_pass *pass, const clp_argument *arguments, size_t count,
                                       const clp_pass_run *run, bool unaligned) {
    const clp_pass_kernel *used = choose_kernel(pass, run->n, unaligned);
    cl_uint number;
    if (run->warms_up) return warm_up(pass, arguments, count);
    CLP_TRY(next_run(pass, run, &number));
    size_t groups = clp_shape_tiles(run->n, &used->shape);
    if (groups == 0 || run->n <= used->shape.alone_n) groups = 1;
    if (used->shape.most_groups > 0 && groups > used->shape.most_groups) {
        groups = used->shape.most_groups;
    }
    const clp_step step = {used->kernel, groups, used->shape.group};
    CLP_TRY(set_arguments(pass, used, arguments, count, number));
    CLP_TRY(
        clp_steps_enqueue(run->queue, pass->who, &step, 1, run->num_wait, run->wait, run->event));
    pass->run = number;
    return CLPRIMS_OK;
}
