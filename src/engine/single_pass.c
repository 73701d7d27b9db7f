/* SPDX-License-Identifier: MIT */
/* The single-pass engine: the variants of a plan, their programs, state and tickets; a run's
 * launches. single_pass.h has the map. */
#include "engine/single_pass.h"
#include "core/test_hooks.h"
#include "engine/run_number.h"

/* ---- The algorithm ---- */

clprims_status clp_pass_check_words(const clprims_context *context, const char *who,
                                    clprims_algorithm wanted) {
    const char *device = context->device.info.name;
    CLP_FAIL_IF(!context->device.has_int64_atomics, CLPRIMS_ERR_UNSUPPORTED,
                "%s: %s needs 64-bit atomics, which \"%s\" lacks; use reduce-then-scan", who,
                clprims_algorithm_name(wanted), device);
    if (context->words_arrive) return CLPRIMS_OK;
    return clp_fail(
        CLPRIMS_ERR_UNSUPPORTED,
        "%s: %s needs work-groups that see each other's words, and the probe saw words of \"%s\" "
        "that did not arrive; use reduce-then-scan",
        who, clprims_algorithm_name(wanted), device);
}

clprims_status clp_pass_choose(const clprims_context *context, const char *who,
                               clprims_algorithm wanted, clprims_algorithm *chosen) {
    const char *device = context->device.info.name;
    const bool safe = context->words_arrive && context->groups_progress;
    *chosen = wanted;
    switch (wanted) {
    case CLPRIMS_ALGORITHM_AUTO:
        *chosen = CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN;
        if (safe && context->device.has_int64_atomics) *chosen = CLPRIMS_ALGORITHM_LOOKBACK;
        if (safe && clp_pass_can_look_ahead(context)) *chosen = CLPRIMS_ALGORITHM_LOOKAHEAD;
        return CLPRIMS_OK;
    case CLPRIMS_ALGORITHM_LOOKBACK:
    case CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK:
        return clp_pass_check_words(context, who, wanted);
    case CLPRIMS_ALGORITHM_LOOKAHEAD:
        if (clp_pass_can_look_ahead(context)) return clp_pass_check_words(context, who, wanted);
        return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                        "%s: lookahead needs the nvidia layer; this is the %s layer of \"%s\"", who,
                        clprims_layer_name(context->layer), device);
    case CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN:
        return CLPRIMS_OK;
    }
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: algorithm = %d is not a value of clprims_algorithm",
                    who, (int)wanted);
}

/* ---- The variants of a plan ---- */

/* Work-groups of a single wave that a multiprocessor has the registers for. */
enum { WAVE_GROUPS = 4 };

static size_t least_of(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Adds a single wave, the wish, for up to most_n elements, as far as one wave holds them. Knobs may
 * make a look-back of it; CLP_SINGLE_WAVE_SMALL is left out then. */
static clprims_status add_wave(clp_pass *pass, const clp_pass_need *need, clp_variant wish,
                               size_t most_n) {
    clp_pass_kernel *kernel = &pass->kernels[pass->count];
    if (most_n == 0) return CLPRIMS_OK;
    CLP_TRY(clp_shape_choose(pass->plan->context, need, wish, NULL, &kernel->shape));
    const bool is_wave = clp_variants[kernel->shape.variant].is_wave;
    if (wish == CLP_SINGLE_WAVE_SMALL && !is_wave) return CLPRIMS_OK;
    const size_t at_once = WAVE_GROUPS * pass->plan->context->device.info.compute_units;
    kernel->most_n = is_wave ? least_of(most_n, at_once * kernel->shape.tile) : most_n;
    pass->count++;
    return CLPRIMS_OK;
}

/* A look-ahead fills the local memory of every multiprocessor, which pays for many tiles only:
 * fewer go as a single wave. */
static clprims_status add_lookahead(clp_pass *pass, const clp_pass_need *need) {
    clp_shape ring;
    clp_wave_sizes sizes;
    CLP_TRY(clp_shape_choose_ring(pass->plan->context, need, &ring, &sizes));
    const bool small_too =
        need->commutes && clp_variant_is_there(pass->plan->context, need, CLP_SINGLE_WAVE_SMALL);
    if (need->is_auto) {
        const size_t small = small_too ? sizes.small : 0;
        CLP_TRY(add_wave(pass, need, CLP_SINGLE_WAVE_SMALL, small));
        CLP_TRY(add_wave(pass, need, CLP_SINGLE_WAVE, sizes.wave));
    }
    pass->kernels[pass->count++] = (clp_pass_kernel){.shape = ring, .most_n = SIZE_MAX};
    return CLPRIMS_OK;
}

static clprims_status choose_variants(clp_pass *pass, const clp_pass_need *need) {
    clp_variant wish = CLP_LOOKBACK;
    if (need->algorithm == CLPRIMS_ALGORITHM_LOOKAHEAD) return add_lookahead(pass, need);
    if (need->algorithm == CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK) {
        wish = CLP_LOOKBACK_FALLBACK;
    } else if (need->algorithm == CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN) {
        wish = CLP_LEVELS;
    }
    clp_pass_kernel *kernel = &pass->kernels[pass->count++];
    kernel->most_n = SIZE_MAX;
    return clp_shape_choose(pass->plan->context, need, wish, need->tuning, &kernel->shape);
}

/* ---- Create ---- */

/* Tiles that the state has room for. A look-ahead reads whole batches, and one batch behind the
 * last tile's: it folds two batches side by side. */
static size_t state_tiles(const clp_pass *pass, size_t max_n) {
    size_t most = 0;
    for (size_t k = 0; k < pass->count; k++) {
        const clp_pass_kernel *kernel = &pass->kernels[k];
        if (kernel->program == NULL) continue;
        const bool is_ring = clp_shape_is_ring(&kernel->shape);
        const size_t batch = is_ring ? 32 * kernel->shape.ring.units : 1;
        const size_t tiles = clp_shape_tiles(least_of(kernel->most_n, max_n), &kernel->shape);
        const size_t room = (tiles + 2 * batch - 1) / batch * batch;
        if (room > most) most = room;
    }
    return most;
}

static clprims_status build(clp_pass *pass, const clp_pass_need *need, clp_pass_kernel *kernel) {
    const clp_variant_program *program = &need->programs[kernel->shape.variant];
    clp_text prelude = {0};
    const clprims_status status =
        need->prelude(pass->plan->context, need->user, &kernel->shape, &prelude);
    if (status != CLPRIMS_OK) clp_text_free(&prelude);
    CLP_TRY(status);
    CLP_TRY(clp_plan_build(pass->plan, &prelude, program->parts, 0, &kernel->program));
    CLP_TRY(clp_plan_kernel(pass->plan, kernel->program, program->kernel, &kernel->kernel));
    if (!clp_variants[kernel->shape.variant].by_levels) return CLPRIMS_OK;
    if (clp_shape_tiles(need->max_n, &kernel->shape) < 2) return CLPRIMS_OK;
    CLP_TRY(clp_plan_kernel(pass->plan, kernel->program, program->kernel, &kernel->reduce));
    return clp_plan_kernel(pass->plan, kernel->program, "clp_level_sums", &kernel->sums);
}

/* Builds only the kernels that some n up to max_n gets: each program takes the compiler 0.1 s and
 * more. */
static clprims_status build_kernels(clp_pass *pass, const clp_pass_need *need) {
    size_t taken = 0; /* what earlier kernels take, at most */
    for (size_t k = 0; k < pass->count; k++) {
        clp_pass_kernel *kernel = &pass->kernels[k];
        const size_t most = least_of(kernel->most_n, need->max_n);
        if (most <= taken) continue;
        taken = most;
        CLP_TRY(build(pass, need, kernel));
    }
    return CLPRIMS_OK;
}

clprims_status clp_pass_prepare(clp_pass *pass, clp_plan *plan, const clp_pass_need *need) {
    pass->plan = plan;
    pass->run = (cl_uint)clp_test_hooks_get()->first_run;
    CLP_TRY(choose_variants(pass, need));
    const clp_shape *last = &pass->kernels[pass->count - 1].shape;
    CLP_FAIL_IF(clp_shape_tiles(need->max_n, last) > UINT32_MAX / 2, CLPRIMS_ERR_TOO_LARGE,
                "%s: max_n = %zu takes more than %u tiles of %zu elements", need->who, need->max_n,
                UINT32_MAX / 2, last->tile);
    CLP_TRY(build_kernels(pass, need));
    const size_t words = state_tiles(pass, need->max_n) * clp_shape_words(need->value_bytes);
    CLP_TRY(clp_plan_scratch(plan, words * sizeof(cl_ulong), true, &pass->state));
    return clp_plan_scratch(plan, 2 * sizeof(cl_uint), true, &pass->tickets);
}

/* ---- Enqueue ---- */

const clp_pass_kernel *clp_pass_choose_kernel(const clp_pass *pass, size_t n) {
    const clp_pass_kernel *kernel = pass->kernels;
    while (n > kernel->most_n) kernel++;
    return kernel;
}

size_t clp_pass_groups(const clp_shape *shape, size_t n) {
    const size_t tiles = clp_shape_tiles(n, shape);
    if (tiles == 0) return 1;
    switch (clp_shape_kind_of(shape)) {
    case CLP_SHAPE_SERIAL:
        return n <= shape->serial.single_n ? 1 : tiles;
    case CLP_SHAPE_RING:
        return least_of(tiles, shape->ring.most_groups);
    case CLP_SHAPE_GROUP:
        break;
    }
    return tiles;
}

/* What cl/engine/levels.cl gets as the run's number. */
enum { REDUCES = 1, READS_PREFIXES = 2 };

/* The most launches of a variant: by levels. */
enum { MOST_STEPS = 3 };

/* The launches of a run, or of a plan that warms up. */
typedef struct chain {
    const clp_pass *pass;
    const clp_pass_run *run;
    clp_arguments *arguments; /* the primitive's, to which each step adds its own for a while */
    clp_step steps[CLP_PASS_MOST_KERNELS * MOST_STEPS];
    size_t step_count;
} chain;

static clprims_status add_step(chain *c, cl_kernel kernel, const clp_shape *shape, size_t groups,
                               cl_uint number) {
    const clp_pass *pass = c->pass;
    clp_arguments *a = c->arguments;
    const size_t own = a->count;
    CLP_PUT(a, pass->state, pass->tickets, number, c->run->counted);
    clp_put_parameters(a, pass->plan);
    c->steps[c->step_count++] = (clp_step){kernel, groups, shape->group};
    const clprims_status status = clp_arguments_set(a, pass->plan, kernel);
    a->count = own;
    return status;
}

/* By levels: the launches that make the tiles' prefixes. */
static clprims_status add_levels(chain *c, const clp_pass_kernel *used, size_t groups) {
    clp_arguments sums = {.count = 0};
    CLP_PUT(&sums, c->pass->state, c->run->n, c->run->counted);
    CLP_TRY(add_step(c, used->reduce, &used->shape, groups, REDUCES));
    c->steps[c->step_count++] = (clp_step){used->sums, 1, used->shape.group};
    return clp_arguments_set(&sums, c->pass->plan, used->sums);
}

/* A single tile publishes nothing, so that no run's number is used up. */
static clprims_status warm_up(const clp_pass *pass, clp_arguments *arguments) {
    const clp_pass_run none = {.n = 0};
    chain c = {pass, &none, arguments, .step_count = 0};
    for (size_t k = 0; k < pass->count; k++) {
        const clp_pass_kernel *kernel = &pass->kernels[k];
        if (kernel->kernel == NULL) continue;
        if (kernel->reduce != NULL) CLP_TRY(add_levels(&c, kernel, 1));
        CLP_TRY(add_step(&c, kernel->kernel, &kernel->shape, 1, READS_PREFIXES));
    }
    return clp_plan_warm_up(pass->plan, c.steps, c.step_count);
}

clprims_status clp_pass_enqueue(clp_pass *pass, clp_arguments *arguments, const clp_pass_run *run) {
    const clp_pass_kernel *used = clp_pass_choose_kernel(pass, run->n);
    const size_t groups = clp_pass_groups(&used->shape, run->n);
    const bool by_levels = clp_variants[used->shape.variant].by_levels;
    chain c = {pass, run, arguments, .step_count = 0};
    cl_mem cleared = NULL;
    const cl_uint number =
        by_levels ? READS_PREFIXES : clp_next_run(pass->run, pass->state, &cleared);
    if (run->warms_up) return warm_up(pass, arguments);
    if (by_levels && groups > 1) CLP_TRY(add_levels(&c, used, groups));
    CLP_TRY(add_step(&c, used->kernel, &used->shape, groups, number));
    CLP_TRY(clp_plan_clear_and_enqueue(pass->plan, &run->call, cleared, c.steps, c.step_count));
    pass->run = number;
    return CLPRIMS_OK;
}
