/* SPDX-License-Identifier: MIT */
/*
 * How the kernels of onesweep are cut: sub-groups, tiles, columns of counters. A plan for more than
 * SOME_KEYS has a second program, whose smaller tiles take runs of up to SOME_KEYS keys: 2^20 keys
 * by a plan for 2^28 take 51 us with it, 98 without.
 */
#include "core/status.h"
#include "core/test_hooks.h"
#include "core/tuning.h"
#include "core/type.h"
#include "sort/sort_plan.h"

enum { ROW = 256, LOOKBACKS = 2, WARP = 32, DIGIT_BITS = 8, LEAST_TILE = 2048 };
/* Up to FEW_KEYS and up to SOME_KEYS tiles are small, so that every compute unit has some. Up to
 * MANY_KEYS they are smaller than registers allow, because the last of a few rounds of large tiles
 * would leave units idle. */
enum { FEW_KEYS = 1 << 18, SOME_KEYS = 1 << 21, MANY_KEYS = 1 << 25 };

static size_t element_bytes(const clp_sort_spec *spec) {
    size_t bytes = spec->key_bytes;
    for (size_t k = 0; k < spec->values; k++) bytes += spec->value_bytes[k];
    return bytes;
}

/* Local memory of clp_sort_onesweep_pass, as cl/sort/sort_onesweep.cl declares it. */
static size_t pass_bytes(const clp_sort_spec *spec, const clp_sort_shape *shape) {
    enum { NOTES = 2048 }; /* the rest, and what alignment loses */
    const size_t rows = 4 * shape->rankers + 2 * shape->count_bytes + 4 * 4;
    return ROW * rows + NOTES + shape->rankers * WARP * shape->items * element_bytes(spec);
}

/* Counters narrow enough for all passes of clp_sort_onesweep_digits. */
static size_t most_columns(const clp_sort_shape *shape, size_t local_bytes) {
    size_t columns = WARP;
    while (columns > 1 && shape->passes * ROW * columns * sizeof(cl_uint) + 64 > local_bytes) {
        columns /= 2;
    }
    return columns;
}

/* Otherwise a tile has as many keys as fit the registers of a work-item and local memory. Measured
 * on an H200 (bench/results/sort_notes.md), whose units stand for those of each GPU: programs
 * follow from a GPU's architecture alone, so that packs can be made without it. */
enum { H200_UNITS = 132 };

static void choose_tile(const clprims_context *context, const clp_sort_spec *spec, size_t n,
                        clp_sort_shape *shape) {
    const size_t local_bytes = context->device.static_local_bytes;
    const bool is_wide_float = spec->key_bytes == 8 && clp_type_is_float(spec->type);
    shape->rankers = n <= FEW_KEYS ? 14 : n <= SOME_KEYS ? 16 : 30;
    shape->items = spec->key_bytes == 8 ? 20 : 40;
    const size_t round = H200_UNITS * clp_sort_tile(shape);
    const bool is_some = n <= SOME_KEYS || (n > round && n <= MANY_KEYS);
    if (is_some || spec->values > 0 || is_wide_float) shape->items = 16;
    if (n <= FEW_KEYS) shape->items = 8;
    while (shape->items > 2 && pass_bytes(spec, shape) > local_bytes) shape->items -= 2;
}

/* The counters of each distinct key in local memory, beside the digits' counters; 0 where the
 * digits' counters leave no room, or the counts of keys do not say all. */
static size_t most_table_columns(const clp_sort_spec *spec, const clp_sort_shape *shape,
                                 size_t local_bytes) {
    enum { NOTES = 1024 };
    const size_t digits = shape->passes * ROW * shape->columns * sizeof(cl_uint);
    const size_t slot = spec->key_bytes + shape->count_bytes + sizeof(cl_uint);
    const size_t fixed = digits + CLP_DISTINCT_SLOTS * slot + NOTES;
    size_t columns = WARP;
    if (spec->key_bytes < 4 || !clp_sort_needs_counts_only(spec, spec->key_bytes)) return 0;
    while (columns > 0 && fixed + CLP_DISTINCT_SLOTS * columns * sizeof(cl_uint) > local_bytes) {
        columns /= 2;
    }
    return columns;
}

static bool is_wide(const clp_sort_spec *spec) {
    return spec->max_n >= (size_t)1 << 30 || clp_test_hooks_get()->wide_counts != 0;
}

bool clp_onesweep_suits(const clprims_context *context, const clp_sort_spec *spec) {
    const size_t local_bytes = context->device.static_local_bytes;
    clp_sort_shape shape = {.count_bytes = is_wide(spec) ? sizeof(cl_ulong) : sizeof(cl_uint)};
    const bool safe = context->words_arrive && context->groups_progress;
    if (context->layer != CLPRIMS_LAYER_NVIDIA || !safe) return false;
    choose_tile(context, spec, spec->max_n, &shape);
    return context->device.max_group >= (shape.rankers + LOOKBACKS) * WARP &&
           pass_bytes(spec, &shape) <= local_bytes &&
           shape.rankers * WARP * shape.items >= LEAST_TILE;
}

static clprims_status check_shape(const clprims_sort *plan) {
    const clp_sort_shape *shape = &plan->shape;
    const size_t bytes = pass_bytes(&plan->spec, shape);
    const size_t local_bytes = plan->head.context->device.static_local_bytes;
    CLP_FAIL_IF(shape->items % 2 != 0, CLPRIMS_ERR_ARGUMENT, "sort: ITEMS = %zu is not even",
                shape->items);
    if (bytes <= local_bytes && shape->group <= plan->head.context->device.max_group)
        return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                    "sort: onesweep with RANKERS = %zu, ITEMS = %zu and %zu bytes of a key and its "
                    "values needs %zu work-items and %zu bytes of local memory; the device has "
                    "%zu and %zu",
                    shape->rankers, shape->items, element_bytes(&plan->spec), shape->group, bytes,
                    plan->head.context->device.max_group, local_bytes);
}

/* Parts of the possible keys whose counters fit local memory; 0 if these are more than are worth
 * reading the keys so often. */
static size_t count_parts(const clp_sort_spec *spec, size_t local_bytes) {
    enum { DISTINCT = 1 << 16, MOST_PARTS = 4, NOTES = 1024 };
    if (!clp_sort_needs_counts_only(spec, 2)) return 0;
    for (size_t parts = 1; parts <= MOST_PARTS; parts *= 2) {
        if (DISTINCT / parts * sizeof(cl_uint) + NOTES <= local_bytes) return parts;
    }
    return 0;
}

/* Keys that networks sort, whole tiles; 0 where local memory has no room for words, or
 * a lane's registers not for four elements of a value. */
static size_t most_of_network(const clp_sort_spec *spec, const clp_device *device) {
    enum { NOTES = 4096, LARGEST_VALUE = 16 };
    const size_t word = clp_sort_word_bytes(spec), local_bytes = device->static_local_bytes;
    if (device->max_group < CLP_NETWORK_SINGLE_GROUP) return 0;
    for (size_t k = 0; k < spec->values; k++) {
        if (spec->value_bytes[k] > LARGEST_VALUE) return 0;
    }
    if (2 * CLP_NETWORK_SINGLE * word + NOTES > local_bytes) return 0;
    const size_t tiles = (local_bytes - NOTES) / (CLP_NETWORK_TILE * word);
    return tiles * CLP_NETWORK_TILE < CLP_NETWORK_MOST ? tiles * CLP_NETWORK_TILE
                                                       : CLP_NETWORK_MOST;
}

/* Chooses the tiles of runs with far fewer keys than max_n. Returns the most keys that take them; 0
 * if they are max_n's tiles, or no run takes them. */
static size_t choose_small(const clprims_sort *plan, size_t wanted, clp_sort_shape *small) {
    const clp_sort_shape *shape = &plan->shape;
    const size_t most = wanted < plan->spec.max_n ? wanted : plan->spec.max_n;
    const size_t local_bytes = plan->head.context->device.static_local_bytes;
    *small = *shape;
    small->network = 0;
    choose_tile(plan->head.context, &plan->spec, most, small);
    small->group = (small->rankers + LOOKBACKS) * WARP;
    const bool differs = small->group != shape->group || small->items != shape->items;
    const bool fits = small->group <= plan->head.context->device.max_group &&
                      pass_bytes(&plan->spec, small) <= local_bytes;
    const bool is_taken = most > shape->network && !plan->always_counted;
    return differs && fits && is_taken && !clp_sort_writes_runs(plan) ? most : 0;
}

/* Segments are sorted by passes alone: the kernels for few keys, and the kernels that count
 * distinct keys, take the keys for one array. */
static void suit_segments(clprims_sort *plan) {
    clp_sort_shape *shape = &plan->shape;
    shape->network = 0;
    shape->count_parts = shape->table_columns = shape->distinct_n = 0;
    shape->small_n = 0;
}

clprims_status clp_onesweep_choose_shape(clprims_sort *plan, const char *tuning) {
    clp_sort_shape *shape = &plan->shape;
    const clp_sort_spec *spec = &plan->spec;
    const clp_device *device = &plan->head.context->device;
    CLP_KNOBS(knobs, clp_onesweep_knobs);
    shape->count_bytes = is_wide(spec) ? sizeof(cl_ulong) : sizeof(cl_uint);
    choose_tile(plan->head.context, spec, spec->max_n, shape);
    if (spec->max_n > SOME_KEYS) knobs[CLP_ONESWEEP_SMALL].value = SOME_KEYS;
    knobs[CLP_ONESWEEP_RANKERS].value = shape->rankers;
    knobs[CLP_ONESWEEP_ITEMS].value = shape->items;
    CLP_TRY(clp_knobs_set(plan->head.context,
                          spec->max_n > SOME_KEYS ? "sort-onesweep-many" : "sort-onesweep",
                          spec->key_bytes, tuning, knobs, CLP_ONESWEEP_KNOBS));
    clp_sort_cut_window(spec, DIGIT_BITS, shape);
    shape->rankers = knobs[CLP_ONESWEEP_RANKERS].value;
    shape->items = knobs[CLP_ONESWEEP_ITEMS].value;
    shape->group = (shape->rankers + LOOKBACKS) * WARP;
    shape->digits = ROW;
    shape->columns = most_columns(shape, device->static_local_bytes);
    shape->distinct_n = knobs[CLP_ONESWEEP_DISTINCT].value;
    if (shape->distinct_n > 0 && spec->max_n >= shape->distinct_n) {
        shape->table_columns = most_table_columns(spec, shape, device->static_local_bytes);
    }
    shape->counters = device->info.compute_units > 0 ? device->info.compute_units : 1;
    shape->network = clp_at_most(most_of_network(spec, device), knobs[CLP_ONESWEEP_SINGLE].value);
    if (spec->max_n >= knobs[CLP_ONESWEEP_COUNTED].value) {
        shape->count_parts = count_parts(spec, device->static_local_bytes);
    }
    shape->small_n = choose_small(plan, knobs[CLP_ONESWEEP_SMALL].value, &plan->small);
    if (plan->most_segments > 0) suit_segments(plan);
    return check_shape(plan);
}
