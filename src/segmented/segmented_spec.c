/* SPDX-License-Identifier: MIT */
/* From a description to a checked spec and a shape: every default and every refusal. */
#include "core/check.h"
#include "core/tuning.h"
#include "core/type.h"
#include "segmented/segmented_plan.h"

#include <string.h>

/* ---- Heads ---- */

static clprims_status check_enumerators(const clprims_segmented_desc *desc) {
    if ((unsigned)desc->result > CLPRIMS_SEGMENTED_EXCLUSIVE) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "segmented: result = %d is none of clprims_segmented_result",
                        (int)desc->result);
    }
    if ((unsigned)desc->by > CLPRIMS_SEGMENTS_BITS) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "segmented: by = %d is none of clprims_segments_by",
                        (int)desc->by);
    }
    return CLPRIMS_OK;
}

static clprims_status take_offsets(clp_segmented_spec *spec) {
    if (spec->heads_type == CLPRIMS_TYPE_DEFAULT) spec->heads_type = CLPRIMS_I64;
    if (spec->heads_type == CLPRIMS_I64 || spec->heads_type == CLPRIMS_I32) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "segmented: heads_type = %d (%s); offsets are int32 or int64",
                    (int)spec->heads_type, clprims_type_name(spec->heads_type));
}

/* Structs must be declared, as an operation's are. */
static clprims_status take_keys(const clprims_context *context, clp_segmented_spec *spec) {
    const clprims_custom *custom = &spec->what.custom;
    if (spec->heads_type == CLPRIMS_STRUCT) {
        if (custom->type_name == NULL || custom->declarations == NULL || spec->equal == NULL) {
            return clp_fail(CLPRIMS_ERR_ARGUMENT,
                            "segmented: keys of CLPRIMS_STRUCT need custom.type_name, "
                            "custom.declarations and equal; %s is NULL",
                            custom->type_name == NULL      ? "type_name"
                            : custom->declarations == NULL ? "declarations"
                                                           : "equal");
        }
        if (custom->type_bytes == 0 || custom->type_bytes % 4 != 0 ||
            custom->type_bytes > CLP_LARGEST_VALUE) {
            return clp_fail(CLPRIMS_ERR_ARGUMENT,
                            "segmented: custom.type_bytes = %zu; it must be a multiple of 4 from "
                            "4 to %d",
                            custom->type_bytes, CLP_LARGEST_VALUE);
        }
        return CLPRIMS_OK;
    }
    if (clprims_type_bytes(spec->heads_type) == 0) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "segmented: heads_type = %d is none of clprims_type; by keys it is theirs",
                        (int)spec->heads_type);
    }
    if (spec->heads_type == CLPRIMS_F64 && !context->device.has_float64) {
        return clp_fail(CLPRIMS_ERR_UNSUPPORTED, "segmented: \"%s\" has no float64",
                        context->device.info.name);
    }
    return CLPRIMS_OK;
}

static clprims_status take_flags(clp_segmented_spec *spec) {
    if (spec->heads_type != CLPRIMS_TYPE_DEFAULT) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "segmented: heads_type = %d (%s); flags and bits have none, leave "
                        "CLPRIMS_TYPE_DEFAULT",
                        (int)spec->heads_type, clprims_type_name(spec->heads_type));
    }
    spec->heads_type = CLPRIMS_U8;
    return CLPRIMS_OK;
}

static clprims_status take_heads(const clprims_context *context, clp_segmented_spec *spec) {
    if (spec->equal != NULL && spec->by != CLPRIMS_SEGMENTS_KEYS) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "segmented: equal is of keys only, but by = %d",
                        (int)spec->by);
    }
    if (spec->unique_keys && (spec->by != CLPRIMS_SEGMENTS_KEYS || !spec->reduces)) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "segmented: unique_keys are of a reduction by keys only");
    }
    if (spec->by == CLPRIMS_SEGMENTS_OFFSETS) {
        CLP_TRY(take_offsets(spec));
    } else if (spec->by == CLPRIMS_SEGMENTS_KEYS) {
        CLP_TRY(take_keys(context, spec));
    } else {
        CLP_TRY(take_flags(spec));
    }
    spec->heads_bytes = spec->heads_type == CLPRIMS_STRUCT ? spec->what.custom.type_bytes
                                                           : clprims_type_bytes(spec->heads_type);
    return CLPRIMS_OK;
}

/* ---- The operation ---- */

static clprims_status check_arg(const clprims_segmented_desc *desc) {
    const bool is_arg = desc->op == CLPRIMS_ARGMIN || desc->op == CLPRIMS_ARGMAX;
    if (!is_arg && desc->local_index) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "segmented: local_index is of argmin and argmax only; op = %d (%s)",
                        (int)desc->op, clprims_op_name(desc->op));
    }
    if (!is_arg) return CLPRIMS_OK;
    if (desc->result != CLPRIMS_SEGMENTED_REDUCE) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "segmented: operator %s is of reduce alone",
                        clprims_op_name(desc->op));
    }
    if (desc->type == CLPRIMS_STRUCT || desc->accumulator == CLPRIMS_STRUCT) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "segmented: operator %s does not know structs",
                        clprims_op_name(desc->op));
    }
    return CLPRIMS_OK;
}

/* What an empty segment gives. */
static void take_empty(const clprims_segmented_desc *desc, clp_segmented_spec *spec, void *empty) {
    const clp_operation *what = &spec->what;
    if (desc->init != NULL) {
        memcpy(empty, desc->init, spec->result_bytes);
    } else if (spec->is_arg) {
        const cl_long none = -1;
        memcpy(empty, &none, sizeof none);
    } else if (what->op != CLPRIMS_CUSTOM) {
        clp_op_identity(what->op, what->accumulator, empty);
    } else if (what->custom.identity != NULL) {
        memcpy(empty, what->custom.identity, what->accumulator_bytes);
    } else {
        spec->is_empty_fault = spec->reduces;
    }
}

static clprims_status check_sizes(const clprims_segmented_desc *desc) {
    CLP_TRY(clp_check_max_n("segmented", desc->max_n, SIZE_MAX / 32));
    if (desc->by != CLPRIMS_SEGMENTS_OFFSETS || desc->max_segments <= SIZE_MAX / 32) {
        return CLPRIMS_OK;
    }
    return clp_fail(CLPRIMS_ERR_TOO_LARGE, "segmented: max_segments = %zu exceeds %zu",
                    desc->max_segments, SIZE_MAX / 32);
}

clprims_status clp_segmented_spec_fill(const clprims_context *context,
                                       const clprims_segmented_desc *desc, clp_segmented_spec *spec,
                                       void *start, void *empty) {
    const bool is_arg = desc->op == CLPRIMS_ARGMIN || desc->op == CLPRIMS_ARGMAX;
    const clprims_op op = !is_arg                      ? desc->op
                          : desc->op == CLPRIMS_ARGMIN ? CLPRIMS_MIN
                                                       : CLPRIMS_MAX;
    CLP_TRY(check_enumerators(desc));
    CLP_TRY(check_sizes(desc));
    CLP_TRY(check_arg(desc));
    *spec = (clp_segmented_spec){.what = {.type = desc->type,
                                          .accumulator = desc->accumulator,
                                          .op = op,
                                          .custom = desc->custom,
                                          .input = desc->input,
                                          .has_input_array = !desc->no_input_array,
                                          .inclusive = desc->result != CLPRIMS_SEGMENTED_EXCLUSIVE},
                                 .by = desc->by,
                                 .heads_type = desc->heads_type,
                                 .equal = desc->equal,
                                 .reduces = desc->result == CLPRIMS_SEGMENTED_REDUCE,
                                 .is_arg = is_arg,
                                 .local_index = desc->local_index != 0,
                                 .unique_keys = desc->unique_keys != 0,
                                 .max_n = desc->max_n,
                                 .max_segments =
                                     desc->by == CLPRIMS_SEGMENTS_OFFSETS ? desc->max_segments : 0};
    CLP_TRY(
        clp_operation_fill(context, "segmented", is_arg ? NULL : desc->init, &spec->what, start));
    CLP_TRY(take_heads(context, spec));
    const size_t indices = desc->local_index ? 2 : 1;
    spec->value_bytes = is_arg ? (indices + 1) * sizeof(cl_ulong) : spec->what.working_bytes;
    spec->result_bytes = is_arg ? sizeof(cl_long) : spec->what.accumulator_bytes;
    take_empty(desc, spec, empty);
    return CLPRIMS_OK;
}

/* ---- Shape ---- */

enum { TEAM = 32, TEAMS_VALUE = 32 }; /* the largest value that teams take, in bytes */
enum { ITEMS_MOST = 16 }; /* of a lane in a tile in registers */
enum { SHARED = 64, SHARED_TEAM = 64 }; /* bytes of clp_shared and clp_counts */
enum { REGISTERS = 80 }; /* three groups of 256 have room in a multiprocessor's 65536 */

/* Of a group's teams: clp_team_tile in cl/segmented/segmented_team.cl. */
static size_t local_bytes(const clp_segmented_spec *spec, const clp_segmented_shape *shape) {
    const size_t tile = TEAM * shape->items;
    const size_t lane = (shape->items * spec->value_bytes + 15) / 16 * 16 + 16;
    const size_t heads = spec->reduces && !clp_segmented_by_offsets(spec) ? 2 * tile : tile;
    const size_t bytes = heads + (spec->reduces ? TEAM * lane : 0);
    return shape->group / TEAM * ((bytes + 15) / 16 * 16 + SHARED_TEAM) + SHARED;
}

/* ---- Rings ---- */

enum { RING = 8, RING_ITEMS = 16, RING_GROUP = 512 };
enum { RING_VALUE = 8 }; /* the largest value that a ring's team takes, in bytes */
/* Elements and ends that a worker has at most: their bytes fit 32 bits. */
enum { RING_SHARE = 1 << 27 };

/* Whether bulk copies may bring a team's share into rings: cl/segmented/segmented_streams.cl. */
static bool can_ring(const clprims_context *context, const clp_segmented_spec *spec) {
    const size_t bytes = spec->what.type_bytes;
    return context->layer == CLPRIMS_LAYER_NVIDIA && context->device.compute_capability >= 90 &&
           spec->reduces && clp_segmented_by_offsets(spec) && !spec->is_arg &&
           spec->what.has_input_array && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) &&
           spec->value_bytes <= RING_VALUE;
}

/* Whether rings were faster where it was measured (bench/results/segmented_notes.md): by the mean
 * length of the plan's segments, as the host does not see the offsets. */
static bool ring_wins(const clp_segmented_spec *spec) {
    enum { SHORT = 10, MIDDLE = 50, LONG = 500 };
    const size_t mean = spec->max_segments > 0 ? spec->max_n / spec->max_segments : LONG;
    return mean < SHORT || (mean >= MIDDLE && mean < LONG);
}

/* A power of two, and room for two tiles. */
static size_t ring_of(size_t bytes, size_t least) {
    size_t ring = least;
    while (ring < 2 * bytes || (ring & (ring - 1)) != 0) ring++;
    return ring;
}

/* Of a group's teams: clp_team_tile in cl/segmented/segmented_streams.cl. */
static size_t ring_bytes(const clp_segmented_spec *spec, const clp_segmented_shape *shape) {
    const size_t ends = 16 * shape->items;
    const size_t again = 64 * spec->what.type_bytes;
    const size_t team = shape->in_ring + shape->end_ring + again + ends * spec->value_bytes +
                        TEAM * shape->items + ends / 8 + 8 * sizeof(cl_ulong);
    return shape->group / TEAM * ((team + 127) / 128 * 128 + SHARED_TEAM) + SHARED;
}

/* As many teams as have room, unless the caller's tuning says how many. */
static clprims_status fit_rings(const clprims_context *context, const clp_segmented_spec *spec,
                                const clp_knob *knobs, clp_segmented_shape *shape) {
    const size_t most = context->device.static_local_bytes;
    shape->in_ring = ring_of(TEAM * (shape->items - 1) * spec->what.type_bytes,
                             knobs[CLP_SEGMENTED_RING].value << 10);
    shape->end_ring = ring_of(16 * shape->items * spec->heads_bytes, 1 << 10);
    shape->registers = 0;
    while (!knobs[CLP_SEGMENTED_GROUP].given && shape->group > TEAM &&
           ring_bytes(spec, shape) > most) {
        shape->group /= 2;
    }
    const size_t bytes = ring_bytes(spec, shape);
    if (bytes > most) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "segmented: GROUP=%zu RING=%zu takes %zu bytes of local memory; \"%s\" has "
                        "%zu",
                        shape->group, shape->in_ring >> 10, bytes, context->device.info.name, most);
    }
    if (!knobs[CLP_SEGMENTED_GROUPS].given) {
        shape->most_groups = most / bytes * context->device.info.compute_units;
    }
    return CLPRIMS_OK;
}

/* ---- Tiles ---- */

/* A tile that the caller's tuning asks for must fit; else it gets smaller until it does. */
static clprims_status fit_tile(const clprims_context *context, const clp_segmented_spec *spec,
                               const clp_knob *knob, clp_segmented_shape *shape) {
    const size_t most = context->device.static_local_bytes;
    while (!knob->given && shape->items > knob->least && local_bytes(spec, shape) > most)
        shape->items /= 2;
    if (local_bytes(spec, shape) <= most) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "segmented: GROUP=%zu ITEMS=%zu takes %zu bytes of local memory; \"%s\" has "
                    "%zu",
                    shape->group, shape->items, local_bytes(spec, shape), context->device.info.name,
                    most);
}

static size_t items_of(const clp_segmented_spec *spec) {
    return spec->value_bytes > 8 ? 4 : spec->value_bytes > 4 ? 8 : 16;
}

clprims_status clp_segmented_shape_choose(const clprims_context *context,
                                          const clp_segmented_spec *spec, const char *tuning,
                                          clp_segmented_shape *shape) {
    clp_knob knobs[CLP_SEGMENTED_KNOBS];
    const bool is_cpu = context->device.is_cpu;
    /* Exchanges stand in loops. */
    const bool can_team =
        context->layer == CLPRIMS_LAYER_NVIDIA && spec->value_bytes <= TEAMS_VALUE;
    memcpy(knobs, clp_segmented_knobs, sizeof knobs);
    knobs[CLP_SEGMENTED_GROUP].value = is_cpu ? 1 : can_team ? 256 : 64;
    knobs[CLP_SEGMENTED_GROUPS].value = is_cpu ? 8 : can_team ? 3 : 16;
    knobs[CLP_SEGMENTED_ITEMS].value = items_of(spec);
    const bool rings = can_ring(context, spec);
    knobs[CLP_SEGMENTED_RING].value =
        rings && clp_segmented_looks_ahead(context) && ring_wins(spec) ? RING : 0;
    knobs[CLP_SEGMENTED_RING].most = rings ? knobs[CLP_SEGMENTED_RING].most : 0;
    if (knobs[CLP_SEGMENTED_RING].value > 0) {
        knobs[CLP_SEGMENTED_GROUP].value = RING_GROUP;
        knobs[CLP_SEGMENTED_ITEMS].value = RING_ITEMS;
    }
    knobs[CLP_SEGMENTED_SHARE].value = is_cpu ? 1 << 15 : can_team ? 1024 : 128;
    const bool can_look_ahead = clp_segmented_can_look_ahead(context, spec);
    knobs[CLP_SEGMENTED_SINGLE].value = can_look_ahead && clp_segmented_looks_ahead(context);
    knobs[CLP_SEGMENTED_SINGLE].most = can_look_ahead;
    clp_segmented_set_teams(context, spec, knobs);
    CLP_TRY(clp_knobs_set(context, "segmented", spec->what.type_bytes, tuning, knobs,
                          CLP_SEGMENTED_KNOBS));
    *shape = (clp_segmented_shape){.group = knobs[CLP_SEGMENTED_GROUP].value,
                                   .most_groups = knobs[CLP_SEGMENTED_GROUPS].value *
                                                  context->device.info.compute_units,
                                   .items = knobs[CLP_SEGMENTED_ITEMS].value,
                                   .share = knobs[CLP_SEGMENTED_SHARE].value,
                                   .looks_ahead = knobs[CLP_SEGMENTED_SINGLE].value > 0};
    if (clp_segmented_fit_teams(context, spec, knobs, shape)) return CLPRIMS_OK;
    shape->by_teams = can_team && shape->group >= TEAM;
    if (shape->by_teams && spec->value_bytes <= 4) shape->registers = REGISTERS;
    if (shape->group > context->device.max_group) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "segmented: GROUP=%zu; \"%s\" takes %zu at most",
                        shape->group, context->device.info.name, context->device.max_group);
    }
    const size_t most_work = RING_SHARE * shape->most_groups;
    const bool has_ring = shape->by_teams && knobs[CLP_SEGMENTED_RING].value > 0 &&
                          shape->items >= RING_ITEMS &&
                          (spec->max_n + spec->max_segments) < most_work;
    if (has_ring) return fit_rings(context, spec, knobs, shape);
    if (shape->items > ITEMS_MOST) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "segmented: ITEMS=%zu; at most %d without a ring",
                        shape->items, ITEMS_MOST);
    }
    return shape->by_teams ? fit_tile(context, spec, &knobs[CLP_SEGMENTED_ITEMS], shape)
                           : CLPRIMS_OK;
}

size_t clp_segmented_lane_heads_bytes(const clp_segmented_spec *spec,
                                      const clp_segmented_shape *shape) {
    if (!clp_segmented_notes_heads(spec, shape)) return 0;
    const size_t tile = TEAM * shape->items, tiles = spec->max_n / tile + 1;
    return tiles * TEAM * (shape->items > 8 ? sizeof(cl_ushort) : sizeof(cl_uchar));
}

static size_t workers_of_group(const clp_segmented_shape *shape) {
    if (shape->by_groups) return 1;
    return shape->by_teams ? shape->group / TEAM : shape->group;
}

size_t clp_segmented_workers(const clp_segmented_shape *shape, size_t work) {
    const size_t most = shape->most_groups * workers_of_group(shape);
    const size_t workers = work / shape->share + (work % shape->share > 0);
    return workers == 0 ? 1 : workers < most ? workers : most;
}

size_t clp_segmented_groups(const clp_segmented_spec *spec, const clp_segmented_shape *shape,
                            size_t n, size_t segments) {
    const size_t each = workers_of_group(shape);
    const size_t work = clp_segmented_by_offsets(spec) ? n + segments : n;
    if (shape->team > 0) return clp_segmented_direct_groups(shape, n, segments);
    return (clp_segmented_workers(shape, work) + each - 1) / each;
}
