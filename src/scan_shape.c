/* SPDX-License-Identifier: MIT */
/* The shapes of a scan's tiles: defaults, tuning, and what a device allows. */
#include "scan_engine.h"

/* Elements of a vector: 16 bytes of the wider type, or twice that when the other is narrow. */
static size_t choose_vec(const clp_scan_spec *spec) {
    const size_t narrow = spec->what.type_bytes < spec->what.accumulator_bytes
                              ? spec->what.type_bytes
                              : spec->what.accumulator_bytes;
    const size_t wide = spec->what.type_bytes + spec->what.accumulator_bytes - narrow;
    const size_t per_wide = wide < 16 ? 16 / wide : 1;
    const size_t vec = narrow < wide ? 2 * per_wide : per_wide;
    size_t power = 1;
    while (2 * power <= vec) power *= 2;
    return power;
}

/* ---- One tile a group ---- */

/* Rows of a group of many are unrolled in the program's text. */
enum { MOST_UNROLLED_ROWS = 64 };

static clprims_status check_rows(const clp_scan_shape *shape) {
    if (shape->group == 1 || shape->rows <= MOST_UNROLLED_ROWS) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "scan: ROWS=%zu; for GROUP=%zu it must be at most %d",
                    shape->rows, shape->group, MOST_UNROLLED_ROWS);
}

static clprims_status check_group(const clprims_context *context, size_t group) {
    const size_t width = context->subgroup_width;
    const size_t most = context->device.max_group;
    const size_t subgroups = group / width;
    const bool fits = context->layer == CLPRIMS_LAYER_LOCAL || group == 1 ||
                      (group % width == 0 && subgroups <= width);
    if (group > most || !fits) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "scan: GROUP=%zu; it must be 1 or a multiple of the sub-group's width "
                        "%zu, at most %zu times it, and at most %zu",
                        group, width, width, most);
    }
    return CLPRIMS_OK;
}

clprims_status clp_scan_shape_choose(const clprims_context *context, const char *primitive,
                                     const clp_scan_spec *spec, const char *tuning,
                                     clp_scan_shape *shape) {
    const bool is_cpu = context->device.is_cpu;
    size_t group = is_cpu ? 1 : 256;
    while (group > context->device.max_group) group /= 2;
    clp_knob knobs[] = {{"GROUP", group, 1, 1024, true},
                        {"ROWS", is_cpu ? 8192 : 4, 1, 65536, false},
                        {"SPINS", 256, 1, UINT32_MAX, false},
                        {"MUTE", 0, 0, UINT32_MAX, false}};
    enum { KNOBS = sizeof knobs / sizeof knobs[0] };
    CLP_TRY(clp_knobs_set(context, primitive, spec->what.type_bytes, tuning, knobs, KNOBS));
    *shape = (clp_scan_shape){.group = clp_knob_value(knobs, KNOBS, "GROUP"),
                              .rows = clp_knob_value(knobs, KNOBS, "ROWS"),
                              .vec = choose_vec(spec),
                              .spins = clp_knob_value(knobs, KNOBS, "SPINS"),
                              .mute = clp_knob_value(knobs, KNOBS, "MUTE")};
    CLP_TRY(check_group(context, shape->group));
    CLP_TRY(check_rows(shape));
    if (shape->mute > 0 && spec->algorithm == CLPRIMS_SCAN_LOOKBACK) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "scan: MUTE=%zu would hang lookback; it is for lookback-fallback",
                        shape->mute);
    }
    const bool lanes_share_memory = context->layer == CLPRIMS_LAYER_LOCAL && shape->group > 1;
    if (lanes_share_memory) {
        /* A row costs barriers there, and none may stand in a loop: one long row. */
        shape->vec *= shape->rows;
        shape->rows = 1;
    }
    const bool alone = shape->group == 1 || lanes_share_memory || is_cpu;
    const size_t width = context->subgroup_width < 32 ? context->subgroup_width : 32;
    shape->window = alone ? 1 : width;
    shape->tile = shape->group * shape->rows * shape->vec;
    return CLPRIMS_OK;
}

/* ---- Groups that stay ---- */

enum {
    WARP = 32,
    MOST_LOCAL_BYTES = 227 * 1024, /* of a work-group on compute capability 9.0 */
    RING_NOTES_BYTES = 1024 /* gates, numbers, padding: what a ring has besides values */
};

/* Tiles of a lane in a batch. */
static size_t choose_units(const clp_scan_spec *spec) {
    return spec->what.working_bytes <= 8 ? 4 : 2;
}

static clprims_status check_ring(const clp_scan_spec *spec, const clp_scan_shape *shape) {
    const size_t input = spec->what.has_input_array ? shape->tile * spec->what.type_bytes : 0;
    const size_t values = 2 * shape->scanners * spec->what.working_bytes;
    const size_t bytes = shape->stages * (input + values + 64) + RING_NOTES_BYTES;
    if (bytes > MOST_LOCAL_BYTES || shape->group > 1024) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "scan: lookahead with SCANNERS=%zu REDUCERS=%zu ROWS=%zu STAGES=%zu takes "
                        "%zu bytes of local memory and %zu work-items; at most %d and 1024",
                        shape->scanners, shape->reducers, shape->rows, shape->stages, bytes,
                        shape->group, MOST_LOCAL_BYTES);
    }
    return CLPRIMS_OK;
}

clprims_status clp_scan_lookahead_shape(const clprims_context *context, const clp_scan_spec *spec,
                                        const char *tuning, clp_scan_shape *shape,
                                        size_t *small_n) {
    clp_knob knobs[] = {{"SCANNERS", 8, 1, 31, false},
                        {"REDUCERS", 4, 1, 30, false},
                        {"ROWS", 8, 1, 64, false},
                        {"STAGES", 6, 2, 64, false},
                        {"GROUPS", 1, 1, 32, false},
                        {"UNITS", choose_units(spec), 1, 16, false},
                        {"SMALL", 1 << 19, 0, SIZE_MAX, false}};
    enum { KNOBS = sizeof knobs / sizeof knobs[0] };
    CLP_TRY(clp_knobs_set(context, "scan-lookahead", spec->what.type_bytes, tuning, knobs, KNOBS));
    *shape = (clp_scan_shape){.scanners = clp_knob_value(knobs, KNOBS, "SCANNERS"),
                              .reducers = clp_knob_value(knobs, KNOBS, "REDUCERS"),
                              .rows = clp_knob_value(knobs, KNOBS, "ROWS"),
                              .stages = clp_knob_value(knobs, KNOBS, "STAGES"),
                              .units = clp_knob_value(knobs, KNOBS, "UNITS"),
                              .vec = choose_vec(spec),
                              .window = WARP,
                              .spins = 1};
    *small_n = clp_knob_value(knobs, KNOBS, "SMALL");
    shape->most_groups =
        clp_knob_value(knobs, KNOBS, "GROUPS") * context->device.info.compute_units;
    shape->group = (shape->scanners + shape->reducers + 2) * WARP;
    shape->tile = shape->scanners * shape->rows * shape->vec * WARP;
    return check_ring(spec, shape);
}
