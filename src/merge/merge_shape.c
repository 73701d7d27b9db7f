/* SPDX-License-Identifier: MIT */
/* How the kernels of merge and search are cut. */
#include "core/context.h"
#include "core/status.h"
#include "core/tuning.h"
#include "merge/merge_plan.h"

/* A serial piece of fewer elements is not worth a work-item of its own. */
enum { LEAST_PIECE = 2048, SMALLEST_GROUP = 32 };

/* Local memory of a tile, as cl/merge/merge.cl and cl/merge/search_tiles.cl declare it. */
static size_t tile_bytes(const clp_merge_spec *spec, const clp_merge_shape *shape) {
    const size_t places = spec->payload_bytes > 0 ? shape->tile : 1;
    const size_t ends = spec->kind == CLP_MERGE_ARRAYS ? 0 : 2 * sizeof(cl_ulong);
    return shape->tile * spec->type_bytes + places * sizeof(cl_ushort) + ends;
}

static void set_tile(clp_merge_shape *shape) {
    shape->tile = shape->group * shape->items;
}

/* Tiles that leave room for several groups of a compute unit, unless the caller says otherwise. */
static void suit_tile(const clprims_context *context, const clp_merge_spec *spec,
                      const clp_knob *knobs, clp_merge_shape *shape) {
    enum { WANTED = 24 << 10 };
    const size_t most = context->device.static_local_bytes;
    const size_t wanted = most < WANTED ? most : WANTED;
    for (set_tile(shape); tile_bytes(spec, shape) > wanted; set_tile(shape)) {
        if (shape->items > 1 && !knobs[CLP_MERGE_ITEMS].set) {
            shape->items -= shape->items > 2 ? 2 : 1;
        } else if (shape->group > SMALLEST_GROUP && !knobs[CLP_MERGE_GROUP].set) {
            shape->group /= 2;
        } else {
            return;
        }
    }
}

static clprims_status check_device(const clprims_context *context, const clp_merge_spec *spec,
                                   const clp_merge_shape *shape, size_t bytes) {
    const clp_device *device = &context->device;
    if (clp_merge_is_serial(shape) || bytes <= device->static_local_bytes) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                    "%s: elements of %zu bytes with GROUP = %zu, ITEMS = %zu and %zu pivots need "
                    "%zu bytes of local memory; the device has %zu",
                    spec->who, spec->type_bytes, shape->group, shape->items, shape->pivots, bytes,
                    device->static_local_bytes);
}

static bool is_serial_device(const clprims_context *context) {
    return context->device.is_cpu && context->layer == CLPRIMS_LAYER_LOCAL;
}

/* The tuning key of the tiles. */
static const char *tuning_key(const clp_merge_spec *spec) {
    enum { MANY_OUTPUTS = 1 << 24 };
    if (spec->kind != CLP_MERGE_ARRAYS) return "search-sorted";
    return spec->max_a + spec->max_b > MANY_OUTPUTS ? "merge-many" : "merge";
}

static clprims_status choose_tiles(const clprims_context *context, const clp_merge_spec *spec,
                                   const char *tuning, clp_merge_shape *shape) {
    const size_t units = context->device.info.compute_units;
    CLP_KNOBS(knobs, clp_merge_knobs);
    if (is_serial_device(context)) knobs[CLP_MERGE_GROUP].value = 1;
    CLP_TRY(
        clp_knobs_set(context, tuning_key(spec), spec->type_bytes, tuning, knobs, CLP_MERGE_KNOBS));
    *shape = (clp_merge_shape){.group = knobs[CLP_MERGE_GROUP].value,
                               .items = knobs[CLP_MERGE_ITEMS].value,
                               .most_groups = SIZE_MAX,
                               .searching_groups = knobs[CLP_MERGE_SEARCHES].value * units};
    if (clp_merge_is_serial(shape)) {
        shape->most_groups = knobs[CLP_MERGE_GROUPS].value * units;
        shape->tile = LEAST_PIECE;
    } else {
        suit_tile(context, spec, knobs, shape);
    }
    return check_device(context, spec, shape, tile_bytes(spec, shape));
}

/* A block as long as a line of a GPU's cache. Levels of large elements would take much memory. */
static size_t wanted_block(const clp_merge_spec *spec, size_t bits) {
    enum { LINE = 128, LARGEST = 16 };
    if (spec->type_bytes > LARGEST) return 0;
    while (spec->type_bytes << bits > LINE) bits--;
    return bits;
}

static clprims_status choose_pivots(const clprims_context *context, const clp_merge_spec *spec,
                                    const char *tuning, clp_merge_shape *shape) {
    enum { WANTED = 32 << 10 };
    const size_t units = context->device.info.compute_units;
    const bool serial = is_serial_device(context);
    CLP_KNOBS(knobs, clp_search_knobs);
    if (serial) knobs[CLP_SEARCH_GROUP].value = 1;
    if (serial) knobs[CLP_SEARCH_ITEMS].value = 8;
    size_t *pivots = &knobs[CLP_SEARCH_PIVOTS].value;
    while (*pivots * spec->type_bytes > WANTED) *pivots /= 2;
    if (serial) *pivots = 0;
    knobs[CLP_SEARCH_BLOCK].value = wanted_block(spec, knobs[CLP_SEARCH_BLOCK].value);
    CLP_TRY(clp_knobs_set(context, "search", spec->type_bytes, tuning, knobs, CLP_SEARCH_KNOBS));
    *shape = (clp_merge_shape){.group = knobs[CLP_SEARCH_GROUP].value,
                               .items = knobs[CLP_SEARCH_ITEMS].value,
                               .pivots = *pivots,
                               .block_bits = knobs[CLP_SEARCH_BLOCK].value,
                               .least = knobs[CLP_SEARCH_LEAST].value,
                               .most_groups = knobs[CLP_SEARCH_GROUPS].value * units};
    set_tile(shape);
    if (clp_merge_is_serial(shape)) shape->pivots = 0;
    if (shape->pivots == 0) shape->block_bits = 0;
    return check_device(context, spec, shape, shape->pivots * spec->type_bytes);
}

clprims_status clp_merge_shape_choose(const clprims_context *context, const clp_merge_spec *spec,
                                      const char *tuning, clp_merge_shape *shape) {
    return spec->kind == CLP_MERGE_SEARCH_ANY ? choose_pivots(context, spec, tuning, shape)
                                              : choose_tiles(context, spec, tuning, shape);
}

size_t clp_merge_groups(const clp_merge_plan *plan, size_t n_a, size_t n_b) {
    const clp_merge_shape *shape = &plan->shape;
    const size_t n =
        plan->spec.kind == CLP_MERGE_ARRAYS || clp_merge_splits(plan) ? n_a + n_b : n_a;
    const size_t groups = n / shape->tile + (n % shape->tile > 0);
    return groups == 0 ? 1 : groups < shape->most_groups ? groups : shape->most_groups;
}

/* Elements per needle from which on levels cost more than they save. */
enum { MANY_ELEMENTS = 64 };

/* Pivots of a work-group, at most. Where it has few needles, one more level costs less than reading
 * more pivots. */
static size_t most_pivots(const clp_merge_plan *plan, size_t needles, size_t n_sorted) {
    enum { OF_NEEDLE = 4 };
    const size_t of_group = needles / clp_merge_groups(plan, needles, n_sorted) + 1;
    const size_t most = OF_NEEDLE * of_group;
    return most < plan->shape.pivots ? most : plan->shape.pivots;
}

size_t clp_search_levels(const clp_merge_plan *plan, size_t needles, size_t n_sorted) {
    const clp_merge_shape *shape = &plan->shape;
    size_t levels = 0;
    if (shape->block_bits == 0 || n_sorted < shape->least) return 0;
    if (n_sorted / MANY_ELEMENTS > needles) return 0;
    const size_t most = most_pivots(plan, needles, n_sorted);
    while (n_sorted >> levels * shape->block_bits > most) levels++;
    return levels;
}

size_t clp_merge_scratch_bytes(const clp_merge_plan *plan) {
    const clp_merge_spec *spec = &plan->spec;
    const size_t bits = plan->shape.block_bits;
    if (clp_merge_splits(plan))
        return clp_merge_groups(plan, spec->max_a, spec->max_b) * sizeof(cl_ulong);
    size_t elements = 0, n = spec->max_b; /* of the longest array that has levels */
    if (n / MANY_ELEMENTS > spec->max_a) n = (spec->max_a + 1) * MANY_ELEMENTS - 1;
    /* A run of fewer needles may have more levels, so there is room for all of them. */
    if (bits > 0 && n >= plan->shape.least) {
        for (size_t m = n >> bits; m > 0; m >>= bits) elements += m;
    }
    return elements > 0 ? elements * spec->type_bytes : sizeof(cl_ulong);
}
