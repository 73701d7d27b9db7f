/* SPDX-License-Identifier: MIT */
/* Who combines a block, how many work-groups that takes, where the sums stand. */
#include "core/tuning.h"
#include "reduce/reduce_plan.h"

enum { LANES = 128, TEAM = 32, COUNTED_BYTES = 8192 };

/* One core reduces fewer elements before a second core has been woken. */
enum { SINGLE_N = 1 << 16 };

/* ---- The group ---- */

static clprims_status check_group(const clprims_context *context, size_t group) {
    const size_t width = context->subgroup_width;
    if (group == 1 || (group >= TEAM && group % width == 0)) return CLPRIMS_OK;
    if (group >= TEAM && context->layer == CLPRIMS_LAYER_LOCAL) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "reduce: GROUP=%zu; it must be 1, or %d or more and a multiple of the "
                    "sub-group's width %zu",
                    group, TEAM, width);
}

static bool groups_may_wait(const clprims_context *context) {
    return context->words_arrive && context->groups_progress && context->device.has_int64_atomics;
}

/* Chooses the lanes of a block. A work-item loads 4 bytes at once by groups, 16 by teams, where the
 * order of operands allows several lanes a work-item; a block has at least LANES lanes. */
static void choose_lanes(const clp_reduce_spec *spec, clp_reduce_shape *shape) {
    const size_t bytes = spec->what.has_input_array ? spec->what.type_bytes : 4;
    const size_t load = shape->by == CLP_REDUCE_BY_GROUP ? 4 : 16;
    shape->team = shape->by == CLP_REDUCE_BY_GROUP ? LANES : TEAM;
    const size_t least = LANES / shape->team;
    shape->vec = bytes <= load && load % bytes == 0 ? load / bytes : 1;
    if (!spec->exact && shape->vec > least) shape->vec = least;
    shape->chunks = shape->vec < least ? least / shape->vec : 1;
    shape->lanes = shape->team * shape->vec * shape->chunks;
    if (shape->by == CLP_REDUCE_BY_ITEM) shape->lanes = LANES;
}

/* Who combines a block of groups of that size. */
static void choose_who(const clprims_context *context, const clp_reduce_spec *spec,
                       clp_reduce_shape *shape) {
    const bool in_loops = context->layer == CLPRIMS_LAYER_NVIDIA; /* exchanges may stand there */
    shape->by = CLP_REDUCE_BY_ITEM;
    if (shape->group > 1 && (spec->commutes || in_loops)) shape->by = CLP_REDUCE_BY_TEAM;
    if (shape->group == LANES && spec->commutes && groups_may_wait(context)) {
        shape->by = CLP_REDUCE_BY_GROUP;
    }
    choose_lanes(spec, shape);
}

/* Local memory of a work-group: values that its work-items exchange, one for each lane or
 * work-item. Teams that shuffle need none. */
static size_t local_bytes(const clprims_context *context, const clp_reduce_spec *spec,
                          const clp_reduce_shape *shape) {
    const bool local = context->layer == CLPRIMS_LAYER_LOCAL || context->subgroup_width % TEAM != 0;
    const size_t lanes = spec->exact ? shape->group : shape->group / TEAM * LANES;
    if (shape->by == CLP_REDUCE_BY_GROUP) {
        return shape->counted_blocks * (LANES * spec->value_bytes + sizeof(cl_uint)) +
               sizeof(cl_uint);
    }
    return shape->by == CLP_REDUCE_BY_TEAM && local ? lanes * spec->value_bytes + sizeof(cl_uint)
                                                    : 0;
}

/* The blocks of a counted run's reader: few enough that their values leave room for many resident
 * work-groups. */
static size_t counted_blocks(const clp_reduce_spec *spec, size_t blocks) {
    const size_t most = COUNTED_BYTES / (LANES * spec->value_bytes);
    return most == 0 ? 1 : blocks < most ? blocks : most;
}

/* Makes the work-group fit local memory. One that the caller's tuning asks for must fit as it
 * is. */
static clprims_status fit_group(const clprims_context *context, const clp_reduce_spec *spec,
                                const clp_knob *knob, clp_reduce_shape *shape) {
    const size_t most = context->device.local_bytes;
    choose_who(context, spec, shape);
    while (!knob->given && shape->group > TEAM && local_bytes(context, spec, shape) > most) {
        shape->group /= 2;
        choose_who(context, spec, shape);
    }
    const size_t bytes = local_bytes(context, spec, shape);
    if (bytes <= most) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "reduce: GROUP=%zu takes %zu bytes of local memory; \"%s\" has %zu",
                    shape->group, bytes, context->device.info.name, most);
}

/* ---- The tree: include/clprims/reduce.h, cl/reduce/reduce.cl ---- */

static const size_t few_rows_n = (size_t)1 << 20, some_rows_n = (size_t)1 << 25;

static size_t rows_of(size_t n) {
    return n <= few_rows_n ? 8 : n <= some_rows_n ? 32 : 64;
}

size_t clp_reduce_block(const clp_reduce_shape *shape, size_t n) {
    return rows_of(n) * shape->lanes;
}

static size_t blocks_of(const clp_reduce_shape *shape, size_t n) {
    const size_t block = clp_reduce_block(shape, n);
    return (n + block - 1) / block;
}

/* At least as many as there are blocks of the levels above a level of `blocks` blocks. All blocks
 * are taken to have the fewest rows; a level of more than few_rows_n sums has fewer blocks, and
 * some work-groups then have nothing to do. */
static size_t blocks_above(size_t blocks) {
    const size_t block = rows_of(0) * LANES;
    size_t sum = 0;
    for (; blocks > 1; sum += blocks) blocks = (blocks + block - 1) / block;
    return sum;
}

static size_t groups_of(const clp_reduce_shape *shape, size_t blocks) {
    const size_t at_once = shape->by == CLP_REDUCE_BY_TEAM ? shape->group / TEAM : shape->group;
    const size_t groups = (blocks + at_once - 1) / at_once;
    if (blocks == 0) return 1;
    if (shape->by == CLP_REDUCE_BY_GROUP) return blocks + blocks_above(blocks);
    return groups < shape->most_groups ? groups : shape->most_groups;
}

size_t clp_reduce_groups(const clp_reduce_shape *shape, size_t n) {
    return n <= shape->single_n ? 1 : groups_of(shape, blocks_of(shape, n));
}

/* The most blocks of the first level that any n up to max_n has. Blocks grow at two sizes, so the
 * number of blocks is largest at one of them or at max_n. */
static size_t most_blocks(const clp_reduce_shape *shape, size_t max_n) {
    const size_t bounds[] = {few_rows_n, some_rows_n, max_n};
    size_t most = 1;
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        const size_t some = blocks_of(shape, bounds[i] < max_n ? bounds[i] : max_n);
        if (some > most) most = some;
    }
    return most;
}

size_t clp_reduce_most_sums(const clp_reduce_shape *shape, size_t max_n) {
    const size_t blocks = most_blocks(shape, max_n);
    return blocks + blocks_above(blocks);
}

static size_t most_groups(const clp_reduce_shape *shape, size_t max_n) {
    return max_n <= shape->single_n ? 1 : groups_of(shape, most_blocks(shape, max_n));
}

size_t clp_reduce_counted_groups(const clp_reduce_shape *shape, size_t max_n) {
    if (shape->by != CLP_REDUCE_BY_GROUP) return most_groups(shape, max_n);
    const size_t blocks = most_blocks(shape, max_n), each = shape->counted_blocks;
    size_t readers = (blocks + each - 1) / each;
    if (readers < shape->least_readers) readers = shape->least_readers;
    if (readers > blocks) readers = blocks;
    return readers + blocks_above(blocks);
}

/* ---- Shape ---- */

clprims_status clp_reduce_shape_choose(const clprims_context *context, const clp_reduce_spec *spec,
                                       const char *tuning, clp_reduce_shape *shape) {
    const bool is_cpu = context->device.is_cpu;
    const size_t units = context->device.info.compute_units;
    const bool by_group = spec->commutes && groups_may_wait(context);
    CLP_KNOBS(knobs, clp_reduce_knobs);
    knobs[CLP_REDUCE_GROUP].value = is_cpu ? 1 : by_group ? LANES : 256;
    knobs[CLP_REDUCE_GROUPS].value = is_cpu ? 4 : 1024;
    knobs[CLP_REDUCE_WAITERS].value = units;
    CLP_TRY(
        clp_knobs_set(context, "reduce", spec->what.type_bytes, tuning, knobs, CLP_REDUCE_KNOBS));
    if (context->device.max_group < TEAM && !knobs[CLP_REDUCE_GROUP].given) {
        knobs[CLP_REDUCE_GROUP].value = 1;
    }
    *shape =
        (clp_reduce_shape){.group = knobs[CLP_REDUCE_GROUP].value,
                           .depth = knobs[CLP_REDUCE_DEPTH].value,
                           .most_groups = knobs[CLP_REDUCE_GROUPS].value * units,
                           .counted_blocks = counted_blocks(spec, knobs[CLP_REDUCE_BLOCKS].value),
                           .least_readers = knobs[CLP_REDUCE_READERS].value * units,
                           .simd = 1};
    CLP_TRY(check_group(context, shape->group));
    CLP_TRY(fit_group(context, spec, &knobs[CLP_REDUCE_GROUP], shape));
    if (shape->by != CLP_REDUCE_BY_ITEM && spec->commutes) shape->most_groups = SIZE_MAX;
    if (is_cpu && shape->by == CLP_REDUCE_BY_ITEM) {
        /* Whoever sets the number of groups wants that many. */
        shape->single_n = knobs[CLP_REDUCE_GROUPS].set ? 0 : SINGLE_N;
        if (spec->what.op != CLPRIMS_CUSTOM) shape->simd = spec->what.working_bytes == 8 ? 8 : 16;
    }
    shape->by_ticket =
        shape->by == CLP_REDUCE_BY_GROUP &&
        blocks_above(most_blocks(shape, spec->max_n)) > knobs[CLP_REDUCE_WAITERS].value;
    if (most_groups(shape, spec->max_n) <= UINT32_MAX / 2) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE, "reduce: max_n = %zu takes more than %u work-groups",
                    spec->max_n, UINT32_MAX / 2);
}
