/* SPDX-License-Identifier: MIT */
/* From a description to a checked spec and a shape: every default and every refusal. */
#include "core/check.h"
#include "core/tuning.h"
#include "core/type.h"
#include "reduce/reduce_plan.h"

#include <string.h>

/* ---- Spec ---- */

enum { LANES = 128, TEAM = 32 };

/* What n = 0 gives where there is no initial value. */
static bool take_identity(const clp_operation *what, void *start) {
    if (what->op != CLPRIMS_CUSTOM) {
        clp_op_identity(what->op, what->accumulator, start);
        return true;
    }
    if (what->custom.identity == NULL) return false;
    memcpy(start, what->custom.identity, what->accumulator_bytes);
    return true;
}

/* Whether another order of the operands could change the result's bits. MIN and MAX of floats keep
 * the first of 0.0 and -0.0. */
static bool order_shows(const clp_operation *what) {
    return clp_operation_rounds(what) || clp_type_is_float(what->accumulator);
}

clprims_status clp_reduce_spec_fill(const clprims_context *context, const clprims_reduce_desc *desc,
                                    clp_reduce_spec *spec, void *start) {
    const bool is_arg = desc->op == CLPRIMS_ARGMIN || desc->op == CLPRIMS_ARGMAX;
    const clprims_op op = !is_arg                      ? desc->op
                          : desc->op == CLPRIMS_ARGMIN ? CLPRIMS_MIN
                                                       : CLPRIMS_MAX;
    CLP_TRY(clp_check_max_n("reduce", desc->max_n, SIZE_MAX / 16));
    *spec = (clp_reduce_spec){.what = {.type = desc->type,
                                       .accumulator = desc->accumulator,
                                       .op = op,
                                       .custom = desc->custom,
                                       .input = desc->input,
                                       .has_input_array = !desc->no_input_array,
                                       .inclusive = true},
                              .is_arg = is_arg,
                              .max_n = desc->max_n};
    clp_operation *what = &spec->what;
    if (is_arg && (desc->type == CLPRIMS_STRUCT || desc->accumulator == CLPRIMS_STRUCT)) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "reduce: operator %s does not know structs",
                        clprims_op_name(desc->op));
    }
    CLP_TRY(clp_operation_fill(context, "reduce", is_arg ? NULL : desc->init, what, start));
    spec->commutes = op != CLPRIMS_CUSTOM || what->custom.commutative;
    spec->exact = is_arg || desc->fast_floats || !order_shows(what);
    spec->value_bytes = is_arg ? 2 * sizeof(cl_ulong) : what->working_bytes;
    spec->result_bytes = is_arg ? sizeof(cl_long) : what->accumulator_bytes;
    if (is_arg && desc->init != NULL) {
        memcpy(start, desc->init, sizeof(cl_long));
    } else if (is_arg || (desc->init == NULL && !take_identity(what, start))) {
        spec->is_empty_fault = true;
    }
    return CLPRIMS_OK;
}

/* ---- Shape ---- */

static clprims_status check_group(const clprims_context *context, size_t group) {
    const size_t most = context->device.max_group, width = context->subgroup_width;
    if (group <= most && (group == 1 || (group >= TEAM && group % width == 0))) return CLPRIMS_OK;
    if (group <= most && group >= TEAM && context->layer == CLPRIMS_LAYER_LOCAL) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "reduce: GROUP=%zu; it must be 1, or %d or more and a multiple of the "
                    "sub-group's width %zu, and at most %zu",
                    group, TEAM, width, most);
}

/* Local memory in which a group's teams put their lanes side by side, or work-items what theirs
 * come to; none where they shuffle. */
static size_t local_bytes(const clprims_context *context, const clp_reduce_spec *spec,
                          const clp_reduce_shape *shape) {
    const bool local = context->layer == CLPRIMS_LAYER_LOCAL || context->subgroup_width % TEAM != 0;
    const size_t places = spec->exact ? shape->group : shape->group / TEAM * LANES;
    return shape->by_teams && local ? places * spec->value_bytes + sizeof(cl_uint) : 0;
}

/* A group that the caller's tuning asks for must fit; else it gets smaller until it does. */
static clprims_status fit_group(const clprims_context *context, const clp_reduce_spec *spec,
                                const clp_knob *knob, clp_reduce_shape *shape) {
    const size_t most = context->device.local_bytes;
    while (!knob->given && shape->group > TEAM && local_bytes(context, spec, shape) > most) {
        shape->group /= 2;
    }
    const size_t bytes = local_bytes(context, spec, shape);
    if (bytes <= most) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "reduce: GROUP=%zu takes %zu bytes of local memory; \"%s\" has %zu",
                    shape->group, bytes, context->device.info.name, most);
}

/* Work-items load 16 bytes at once where the order of the operands leaves them free to, and have
 * four lanes or more. */
static void choose_lanes(const clp_reduce_spec *spec, clp_reduce_shape *shape) {
    const size_t bytes = spec->what.has_input_array ? spec->what.type_bytes : 4;
    shape->vec = bytes <= 16 && 16 % bytes == 0 ? 16 / bytes : 1;
    if (!spec->exact && shape->vec > LANES / TEAM) shape->vec = LANES / TEAM;
    shape->chunks = shape->vec < LANES / TEAM ? LANES / TEAM / shape->vec : 1;
    shape->lanes = TEAM * shape->vec * shape->chunks;
    if (shape->by_teams) return;
    shape->lanes = LANES;
}

/* Up to so many elements the tuning lines of reduce-few are taken, and where operands keep their
 * order: groups of 256 work-items were faster there on an H200, groups of 1024 beyond. */
enum { FEW = 1 << 22 };

clprims_status clp_reduce_shape_choose(const clprims_context *context, const clp_reduce_spec *spec,
                                       const char *tuning, clp_reduce_shape *shape) {
    clp_knob knobs[CLP_REDUCE_KNOBS];
    const bool is_cpu = context->device.is_cpu;
    const bool in_loops = context->layer == CLPRIMS_LAYER_NVIDIA; /* exchanges may stand there */
    const size_t units = context->device.info.compute_units;
    memcpy(knobs, clp_reduce_knobs, sizeof knobs);
    knobs[CLP_REDUCE_GROUP].value = is_cpu ? 1 : 256;
    knobs[CLP_REDUCE_GROUPS].value = is_cpu ? 4 : 1024;
    knobs[CLP_REDUCE_SINGLE].value = is_cpu ? 1 << 16 : 0;
    const bool few = spec->max_n <= FEW || !spec->commutes;
    CLP_TRY(clp_knobs_set(context, few ? "reduce-few" : "reduce", spec->what.type_bytes, tuning,
                          knobs, CLP_REDUCE_KNOBS));
    *shape = (clp_reduce_shape){.group = knobs[CLP_REDUCE_GROUP].value,
                                .depth = knobs[CLP_REDUCE_DEPTH].value,
                                .single_n = knobs[CLP_REDUCE_SINGLE].value};
    CLP_TRY(check_group(context, shape->group));
    shape->by_teams = shape->group > 1 && (spec->commutes || in_loops);
    shape->most_groups = knobs[CLP_REDUCE_GROUPS].value * units;
    choose_lanes(spec, shape);
    if (shape->by_teams && !in_loops) {
        shape->most_groups = SIZE_MAX;
        shape->single_n = 0;
    }
    shape->simd = 1;
    if (is_cpu && !shape->by_teams && spec->what.op != CLPRIMS_CUSTOM) {
        shape->simd = spec->what.working_bytes == 8 ? 8 : 16;
    }
    CLP_TRY(fit_group(context, spec, &knobs[CLP_REDUCE_GROUP], shape));
    if (clp_reduce_most_groups(shape, spec->max_n) <= UINT32_MAX / 2) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE, "reduce: max_n = %zu takes more than %u work-groups",
                    spec->max_n, UINT32_MAX / 2);
}

/* ---- The tree: include/clprims/reduce.h, cl/reduce/reduce.cl ---- */

static const size_t few_rows_n = (size_t)1 << 20, some_rows_n = (size_t)1 << 25;

size_t clp_reduce_block(const clp_reduce_shape *shape, size_t n) {
    const size_t rows = n <= few_rows_n ? 8 : n <= some_rows_n ? 32 : 64;
    return rows * shape->lanes;
}

size_t clp_reduce_blocks(const clp_reduce_shape *shape, size_t n) {
    const size_t block = clp_reduce_block(shape, n);
    return (n + block - 1) / block;
}

size_t clp_reduce_groups(const clp_reduce_shape *shape, size_t n) {
    const size_t at_once = shape->by_teams ? shape->group / TEAM : shape->group;
    const size_t groups = (clp_reduce_blocks(shape, n) + at_once - 1) / at_once;
    if (n <= shape->single_n || groups == 0) return 1;
    return groups < shape->most_groups ? groups : shape->most_groups;
}

/* Of n elements, above which there may be levels of narrower rows. */
static size_t sums_of(const clp_reduce_shape *shape, size_t n) {
    size_t sums = 0, m = clp_reduce_blocks(shape, n);
    for (; m > 1; m = m / (8 * LANES) + 1) sums += m;
    return sums + 1;
}

/* The most that some n up to max_n takes: blocks get larger at two sizes. */
static size_t most_of(size_t (*taken)(const clp_reduce_shape *shape, size_t n),
                      const clp_reduce_shape *shape, size_t max_n) {
    const size_t bounds[] = {few_rows_n, some_rows_n, max_n};
    size_t most = 0;
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        const size_t some = taken(shape, bounds[i] < max_n ? bounds[i] : max_n);
        if (some > most) most = some;
    }
    return most;
}

size_t clp_reduce_most_groups(const clp_reduce_shape *shape, size_t max_n) {
    return most_of(clp_reduce_groups, shape, max_n);
}

size_t clp_reduce_most_sums(const clp_reduce_shape *shape, size_t max_n) {
    return most_of(sums_of, shape, max_n);
}
