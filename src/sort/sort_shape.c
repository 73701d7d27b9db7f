/* SPDX-License-Identifier: MIT */
/* How a sort's kernels are cut: knobs, digits, tiles. */
#include "core/status.h"
#include "core/test_hooks.h"
#include "core/tuning.h"
#include "sort/sort_plan.h"

/* Local memory of the tile kernels, as cl/sort/sort_tile.cl declares it: of a tile, and of one that
 * a work-group sorts alone. */
static size_t local_bytes(const clprims_sort *plan, const clp_sort_shape *shape) {
    enum { WORD = 4, NUMBER = 2 };
    const size_t teams = shape->group / clp_sort_team(plan, shape);
    const size_t begins = (1 + (teams + 1) / 2) * shape->digits * WORD;
    const size_t sums = 2 * shape->group * shape->count_bytes;
    const size_t moves = shape->digits * shape->count_bytes;
    const size_t numbers = NUMBER * clp_sort_tile(shape);
    const size_t sort = (WORD + plan->spec.key_bytes) * clp_sort_tile(shape) + begins + sums +
                        WORD + (moves > numbers ? moves : numbers);
    const size_t digits = WORD * shape->passes * shape->digits;
    return sort > digits ? sort : digits;
}

void clp_sort_cut_window(const clp_sort_spec *spec, size_t most_bits, clp_sort_shape *shape) {
    const size_t width = spec->end - spec->begin;
    shape->passes = (width + most_bits - 1) / most_bits;
    shape->bits = (width + shape->passes - 1) / shape->passes;
    shape->digits = (size_t)1 << shape->bits;
}

/* Lines are long while the lines of all digits fit a small cache. Eleven bits save passes where
 * lines of all 2^11 digits fit a cache of the second level, and are not too short: values have
 * lines, too.
 */
static void suit_lines(clp_knob *knobs, const clp_sort_spec *spec) {
    enum { LONGEST = 64, SHORTEST = 8, NARROW = 8, WIDE = 11 };
    enum { SMALL_CACHE = 64 << 10, LARGE_CACHE = 256 << 10 };
    size_t bytes = spec->key_bytes, line = LONGEST;
    for (size_t k = 0; k < spec->values; k++) bytes += spec->value_bytes[k];
    const size_t least = spec->values > 0 ? 32 : 16;
    const bool is_wide = (bytes * least) << WIDE <= LARGE_CACHE;
    const size_t bits = is_wide ? WIDE : NARROW, cache = is_wide ? LARGE_CACHE : SMALL_CACHE;
    while (line > SHORTEST && (bytes * line) << bits > cache) line /= 2;
    /* Lines of wide values would overflow the stack. */
    while (line > 1 && (bytes * line) << bits > LARGE_CACHE) line /= 2;
    knobs[CLP_SORT_LINE].value = line;
    knobs[CLP_SORT_BITS].value = bits;
}

static void suit_cpu(clp_knob *knobs, const clprims_sort *plan) {
    const clp_device *device = &plan->head.context->device;
    const size_t units = device->info.compute_units;
    const size_t bytes = plan->spec.key_bytes;
    knobs[CLP_SORT_GROUP].value = knobs[CLP_SORT_GROUP].most = 1;
    knobs[CLP_SORT_ITEMS].value = 1;
    knobs[CLP_SORT_PARTS].value = units > 0 ? units : 1;
    suit_lines(knobs, &plan->spec);
    knobs[CLP_SORT_SINGLE].value = 1 << 13;
    knobs[CLP_SORT_STREAM].value = device->is_cpu ? device->cache_bytes / 2 / bytes : SIZE_MAX;
}

/* Four counting groups a unit; the shape's local memory within the device's. Long tiles write
 * longer runs of a digit and have fewer counts to scan: they win once every unit has one, and where
 * one holds all keys. Keys between lie on more units in short tiles. An H200's local layer, pairs,
 * 11 and 17 keys a work-item: 2^16 74 and 82 us, 2^20 139 and 126, 2^24 1200 and 1050. Where values
 * move, groups of 512 take tiles of that size: 2^16 76, 2^24 988 us.
 */
static void suit_gpu(clp_knob *knobs, const clprims_sort *plan, clp_sort_shape *shape) {
    enum { SHORT_ITEMS = 11, LONG_ITEMS = 17 };
    const clp_device *device = &plan->head.context->device;
    knobs[CLP_SORT_BITS].most = 8;
    knobs[CLP_SORT_PARTS].value = 4 * (size_t)device->info.compute_units;
    const size_t group = clp_halved(knobs[CLP_SORT_GROUP].value, device->max_group);
    const size_t wide = plan->spec.values > 0 && 2 * group <= device->max_group ? 2 : 1;
    knobs[CLP_SORT_GROUP].value = shape->group = wide * group;
    clp_sort_cut_window(&plan->spec, knobs[CLP_SORT_BITS].value, shape);
    const size_t tile = LONG_ITEMS * group, max_n = plan->spec.max_n;
    const bool is_between = max_n > tile && max_n / tile < device->info.compute_units;
    size_t *items = &knobs[CLP_SORT_ITEMS].value;
    *items = (is_between ? SHORT_ITEMS : LONG_ITEMS) / wide | 1;
    for (shape->items = *items; shape->items > 1; shape->items -= 2) {
        if (local_bytes(plan, shape) <= device->static_local_bytes) break;
    }
    *items = shape->items;
}

static clprims_status check_device(const clprims_sort *plan) {
    const clp_device *device = &plan->head.context->device;
    const clp_sort_shape *shape = &plan->shape;
    if (clp_sort_is_serial(plan)) return CLPRIMS_OK;
    CLP_FAIL_IF(local_bytes(plan, shape) > device->static_local_bytes, CLPRIMS_ERR_UNSUPPORTED,
                "sort: GROUP = %zu, ITEMS = %zu and digits of %zu bits need %zu bytes of "
                "local memory; the device has %zu",
                shape->group, shape->items, shape->bits, local_bytes(plan, shape),
                device->static_local_bytes);
    if (shape->single <= clp_sort_tile(shape)) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                    "sort: SINGLE = %zu exceeds the tile of GROUP = %zu by ITEMS = %zu keys",
                    shape->single, shape->group, shape->items);
}

clprims_status clp_sort_choose_shape(clprims_sort *plan, const char *tuning) {
    clp_sort_shape *shape = &plan->shape;
    const clp_sort_spec *spec = &plan->spec;
    CLP_KNOBS(knobs, clp_sort_knobs);
    const bool wide = spec->max_n > UINT32_MAX || clp_test_hooks_get()->wide_counts != 0;
    shape->count_bytes = wide ? sizeof(cl_ulong) : sizeof(cl_uint);
    if (clp_sort_is_serial(plan))
        suit_cpu(knobs, plan);
    else
        suit_gpu(knobs, plan, shape);
    CLP_TRY(
        clp_knobs_set(plan->head.context, "sort", spec->key_bytes, tuning, knobs, CLP_SORT_KNOBS));
    shape->group = knobs[CLP_SORT_GROUP].value;
    shape->items = knobs[CLP_SORT_ITEMS].value;
    shape->counters = knobs[CLP_SORT_PARTS].value;
    shape->line = knobs[CLP_SORT_LINE].value;
    shape->single = knobs[CLP_SORT_SINGLE].value;
    shape->stream = knobs[CLP_SORT_STREAM].value;
    clp_sort_cut_window(spec, knobs[CLP_SORT_BITS].value, shape);
    if (!clp_sort_is_serial(plan) && !knobs[CLP_SORT_SINGLE].set) {
        shape->single = clp_sort_tile(shape);
    }
    return check_device(plan);
}
