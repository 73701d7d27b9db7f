/* SPDX-License-Identifier: MIT */
/* Shares: the elements, and by offsets the ends of segments too, are cut into one range a work-item
 * (cl/segmented/segmented_serial.cl) or a sub-group (segmented_tile.cl, segmented_rings.cl). Which
 * devices and plans each of the three fits, the room that it needs, and its launches. */
#include "core/program.h"
#include "segmented/segmented_plan.h"

enum { SUBGROUP = 32, SUBGROUP_VALUE = 32 }; /* the largest value that lanes exchange, in bytes */
enum { ITEMS_MOST = 16 }; /* of a lane in a tile in registers */
enum { SHARED = 64, SHARED_SUBGROUP = 64 }; /* bytes of clp_shared and clp_counts */
enum { REGISTERS = 80 }; /* three groups of 256 have room in a multiprocessor's 65536 */

/* Exchanges stand in loops, which the nvidia layer alone allows. */
static bool can_exchange(const clprims_context *context, const clp_segmented_spec *spec) {
    return context->layer == CLPRIMS_LAYER_NVIDIA && spec->value_bytes <= SUBGROUP_VALUE;
}

bool clp_segmented_fits_subgroups(const clprims_context *context, const clp_segmented_spec *spec,
                                  const clp_knob *knobs) {
    return can_exchange(context, spec) && knobs[CLP_SEGMENTED_GROUP].value >= SUBGROUP;
}

static clprims_status check_group(const clprims_context *context,
                                  const clp_segmented_shape *shape) {
    if (shape->group <= context->device.max_group) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "segmented: GROUP=%zu; \"%s\" takes %zu at most",
                    shape->group, context->device.info.name, context->device.max_group);
}

static clprims_status check_items(const clp_segmented_shape *shape) {
    if (shape->items <= ITEMS_MOST) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "segmented: ITEMS=%zu; at most %d without a ring",
                    shape->items, ITEMS_MOST);
}

clprims_status clp_segmented_adjust_serial(const clprims_context *context,
                                           const clp_segmented_spec *spec, const clp_knob *knobs,
                                           clp_segmented_shape *shape) {
    (void)spec;
    (void)knobs;
    shape->lanes = 1;
    CLP_TRY(check_group(context, shape));
    return check_items(shape);
}

/* ---- Tiles ---- */

/* Returns the local memory of a group: clp_tile in cl/segmented/segmented_tile.cl. */
static size_t tile_bytes(const clp_segmented_spec *spec, const clp_segmented_shape *shape) {
    const size_t tile = SUBGROUP * shape->items;
    const size_t lane = (shape->items * spec->value_bytes + 15) / 16 * 16 + 16;
    const size_t heads = clp_segmented_counts(spec) ? 2 * tile : tile;
    const size_t bytes = heads + (spec->reduces ? SUBGROUP * lane : 0);
    return shape->group / SUBGROUP * ((bytes + 15) / 16 * 16 + SHARED_SUBGROUP) + SHARED;
}

/* A tile that the caller's tuning asks for must fit; another one gets smaller until it does. */
clprims_status clp_segmented_adjust_subgroups(const clprims_context *context,
                                              const clp_segmented_spec *spec, const clp_knob *knobs,
                                              clp_segmented_shape *shape) {
    const size_t most = context->device.static_local_bytes;
    const clp_knob *items = &knobs[CLP_SEGMENTED_ITEMS];
    shape->lanes = SUBGROUP;
    shape->registers = spec->value_bytes <= 4 ? REGISTERS : 0;
    CLP_TRY(check_group(context, shape));
    CLP_TRY(check_items(shape));
    while (!items->given && shape->items > items->least && tile_bytes(spec, shape) > most)
        shape->items /= 2;
    if (tile_bytes(spec, shape) <= most) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "segmented: GROUP=%zu ITEMS=%zu takes %zu bytes of local memory; \"%s\" has "
                    "%zu",
                    shape->group, shape->items, tile_bytes(spec, shape), context->device.info.name,
                    most);
}

/* ---- Rings ---- */

enum { RING = 8, RING_ITEMS = 16, RING_GROUP = 512 };
enum { RING_VALUE = 8 }; /* the largest value that a ring's sub-group takes, in bytes */
/* Elements and ends that a share has at most: their bytes fit 32 bits. */
enum { RING_SHARE = 1 << 27 };

/* Whether bulk copies may bring a share into rings: cl/segmented/segmented_streams.cl. */
static bool can_ring(const clprims_context *context, const clp_segmented_spec *spec) {
    const size_t bytes = spec->what.type_bytes;
    return context->layer == CLPRIMS_LAYER_NVIDIA && context->device.compute_capability >= 90 &&
           spec->reduces && spec->by == CLPRIMS_SEGMENTS_OFFSETS && !spec->what.is_arg &&
           spec->what.has_input_array && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) &&
           spec->value_bytes <= RING_VALUE;
}

bool clp_segmented_fits_rings(const clprims_context *context, const clp_segmented_spec *spec,
                              const clp_knob *knobs) {
    const size_t groups = knobs[CLP_SEGMENTED_GROUPS].value * context->device.info.compute_units;
    return clp_segmented_fits_subgroups(context, spec, knobs) &&
           knobs[CLP_SEGMENTED_ITEMS].value >= RING_ITEMS &&
           spec->max_n + spec->max_segments < RING_SHARE * groups;
}

/* Whether rings were faster where it was measured (bench/results/segmented_notes.md): by the mean
 * length of the plan's segments, as the host does not see the offsets. */
static bool ring_wins(const clp_segmented_spec *spec) {
    enum { SHORT = 10, MIDDLE = 50, LONG = 500 };
    const size_t mean = spec->max_segments > 0 ? spec->max_n / spec->max_segments : LONG;
    return mean < SHORT || (mean >= MIDDLE && mean < LONG);
}

/* Returns a power of two with room for two tiles. */
static size_t ring_of(size_t bytes, size_t least) {
    size_t ring = least;
    while (ring < 2 * bytes || (ring & (ring - 1)) != 0) ring++;
    return ring;
}

/* Returns the local memory of a group: clp_tile in cl/segmented/segmented_streams.cl. */
static size_t ring_bytes(const clp_segmented_spec *spec, const clp_segmented_shape *shape) {
    const size_t ends = 16 * shape->items;
    const size_t again = 64 * spec->what.type_bytes;
    const size_t subgroup = shape->in_ring + shape->end_ring + again + ends * spec->value_bytes +
                            SUBGROUP * shape->items + ends / 8 + 8 * sizeof(cl_ulong);
    return shape->group / SUBGROUP * ((subgroup + 127) / 128 * 128 + SHARED_SUBGROUP) + SHARED;
}

/* As many sub-groups as have room, unless the caller's tuning says how many. */
clprims_status clp_segmented_adjust_rings(const clprims_context *context,
                                          const clp_segmented_spec *spec, const clp_knob *knobs,
                                          clp_segmented_shape *shape) {
    const size_t most = context->device.static_local_bytes;
    shape->lanes = SUBGROUP;
    CLP_TRY(check_group(context, shape));
    shape->in_ring = ring_of(SUBGROUP * (shape->items - 1) * spec->what.type_bytes,
                             knobs[CLP_SEGMENTED_RING].value << 10);
    shape->end_ring = ring_of(16 * shape->items * spec->heads_bytes, 1 << 10);
    while (!knobs[CLP_SEGMENTED_GROUP].given && shape->group > SUBGROUP &&
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

/* ---- Tiles of the merge path ---- */

/* Two work-groups share local memory, unless their work-items would have fewer items. */
enum { PATH_GROUP = 256, PATH_ITEMS = 8 };

/* Returns the local memory of a group, at most: clp_path and clp_carries in
 * cl/segmented/segmented_path.cl. */
static size_t path_bytes(const clp_segmented_spec *spec, const clp_segmented_shape *shape) {
    enum { TAILS = 2, ROUNDING = 384 }; /* a work-item's tails, and its part of the blocks' */
    const size_t in = spec->what.type_bytes, out = spec->result_bytes;
    const bool in_place = spec->what.has_input_array && in == out;
    const size_t place = spec->reduces ? (in > out ? in : out) : in_place ? in : in + out;
    const size_t tail = (spec->value_bytes + 2 * sizeof(cl_uint) + 7) / 8 * 8;
    return shape->share * (place + 2) + TAILS * shape->group * tail + ROUNDING;
}

/* The largest tile that has room. */
static clp_segmented_shape path_of(const clprims_context *context, const clp_segmented_spec *spec,
                                   const clp_knob *knobs) {
    const clp_knob *items = &knobs[CLP_SEGMENTED_ITEMS];
    size_t room = 0;
    clp_segmented_shape shape = {.variant = CLP_SEGMENTED_PATH,
                                 .group = knobs[CLP_SEGMENTED_GROUP].value,
                                 .most_groups = SIZE_MAX,
                                 .items = 2 * (items->set ? items->value : items->most)};
    do {
        shape.items /= 2;
        shape.share = shape.group * (shape.items - 1);
        room = context->device.static_local_bytes;
        if (!items->set && shape.items > PATH_ITEMS) room /= 2;
    } while (shape.items > items->least && path_bytes(spec, &shape) > room);
    shape.lanes = shape.group;
    return shape;
}

/* Segments that are counted are left to "serial". */
static bool has_path(const clprims_context *context, const clp_segmented_spec *spec) {
    return context->layer != CLPRIMS_LAYER_NVIDIA &&
           (clp_segmented_by_offsets(spec) || !spec->reduces);
}

bool clp_segmented_fits_path(const clprims_context *context, const clp_segmented_spec *spec,
                             const clp_knob *knobs) {
    const clp_segmented_shape shape = path_of(context, spec, knobs);
    return has_path(context, spec) && shape.group > 1 && shape.group <= context->device.max_group &&
           path_bytes(spec, &shape) <= context->device.static_local_bytes;
}

clprims_status clp_segmented_adjust_path(const clprims_context *context,
                                         const clp_segmented_spec *spec, const clp_knob *knobs,
                                         clp_segmented_shape *shape) {
    *shape = path_of(context, spec, knobs);
    return CLPRIMS_OK;
}

/* ---- Knobs ---- */

static size_t items_of(const clp_segmented_spec *spec) {
    return spec->value_bytes > 8 ? 4 : spec->value_bytes > 4 ? 8 : 16;
}

void clp_segmented_set_share_knobs(const clprims_context *context, const clp_segmented_spec *spec,
                                   clp_knob *knobs) {
    const bool is_cpu = context->device.is_cpu, exchanges = can_exchange(context, spec);
    const bool rings = can_ring(context, spec);
    size_t portable = has_path(context, spec) ? PATH_GROUP : 64;
    while (portable > context->device.max_group) portable /= 2;
    const bool by_ring = rings && clp_segmented_has_room(context) && ring_wins(spec);
    knobs[CLP_SEGMENTED_GROUP].value = by_ring     ? RING_GROUP
                                       : is_cpu    ? 1
                                       : exchanges ? 256
                                                   : portable;
    knobs[CLP_SEGMENTED_GROUPS].value = is_cpu ? 8 : exchanges ? 3 : 16;
    knobs[CLP_SEGMENTED_ITEMS].value = by_ring ? RING_ITEMS : items_of(spec);
    knobs[CLP_SEGMENTED_SHARE].value = is_cpu ? 1 << 15 : exchanges ? 1024 : 128;
    knobs[CLP_SEGMENTED_RING].value = by_ring ? RING : 0;
    if (!rings) knobs[CLP_SEGMENTED_RING].most = 0;
}

/* ---- Launches ---- */

size_t clp_segmented_shares(const clp_segmented_spec *spec, const clp_segmented_shape *shape,
                            size_t n, size_t segments) {
    const size_t work = clp_segmented_by_offsets(spec) ? n + segments : n;
    const size_t most = shape->most_groups * (shape->group / shape->lanes);
    const size_t shares = work / shape->share + (work % shape->share > 0);
    return shares == 0 ? 1 : shares < most ? shares : most;
}

static size_t groups_of(const clprims_segmented *plan, size_t n, size_t segments) {
    const size_t each = plan->shape.group / plan->shape.lanes;
    return (clp_segmented_shares(&plan->spec, &plan->shape, n, segments) + each - 1) / each;
}

static size_t lane_heads_bytes(const clp_segmented_spec *spec, const clp_segmented_shape *shape,
                               size_t shares) {
    if (shape->variant == CLP_SEGMENTED_PATH) return shares * CLP_SEGMENTED_PART_BYTES;
    if (!clp_segmented_notes_heads(spec, shape)) return 0;
    const size_t tile = SUBGROUP * shape->items, tiles = spec->max_n / tile + 1;
    return tiles * SUBGROUP * (shape->items > 8 ? sizeof(cl_ushort) : sizeof(cl_uchar));
}

/* Entries of the shares, of the last group's work-items, and of the whole. */
static clprims_status create_scratch(clprims_segmented *plan) {
    const clp_segmented_spec *spec = &plan->spec;
    const size_t shares = clp_segmented_shares(spec, &plan->shape, spec->max_n, spec->max_segments);
    const size_t entries = shares + plan->shape.group + 1;
    const size_t lane_heads = lane_heads_bytes(spec, &plan->shape, shares);
    const size_t part_bytes = entries * CLP_SEGMENTED_PART_BYTES;
    CLP_TRY(clp_plan_scratch(&plan->head, shares * spec->value_bytes, false, &plan->firsts));
    CLP_TRY(clp_plan_scratch(&plan->head, entries * spec->value_bytes, false, &plan->tails));
    CLP_TRY(clp_plan_scratch(&plan->head, part_bytes, false, &plan->parts));
    if (lane_heads > 0) {
        CLP_TRY(clp_plan_scratch(&plan->head, lane_heads, false, &plan->lane_heads));
    }
    return clp_plan_scratch(&plan->head, sizeof(cl_uint), true, &plan->tickets);
}

static clprims_status prepare(clprims_segmented *plan) {
    const clp_segmented_spec *spec = &plan->spec;
    cl_program program;
    CLP_TRY(clp_segmented_build(plan, &program));
    if (plan->shape.variant == CLP_SEGMENTED_PATH) {
        CLP_TRY(clp_plan_kernel(&plan->head, program, "clp_segmented_shares", &plan->shares));
    }
    CLP_TRY(clp_plan_kernel(&plan->head, program, "clp_segmented_outputs", &plan->outputs));
    if (!spec->reduces || !clp_segmented_by_offsets(spec)) {
        CLP_TRY(clp_plan_kernel(&plan->head, program, "clp_segmented_prefixes", &plan->prefixes));
    }
    return create_scratch(plan);
}

static clprims_status enqueue(clprims_segmented *plan, const clp_segmented_run *run) {
    const size_t groups = groups_of(plan, run->n, run->segments);
    clp_step steps[3];
    size_t count = 0;
    if (plan->shares != NULL) {
        CLP_TRY(clp_segmented_set_arguments(plan, plan->shares, run, 0));
        steps[count++] =
            (clp_step){plan->shares, groups / plan->shape.group + 1, plan->shape.group};
    }
    if (plan->prefixes != NULL) {
        CLP_TRY(clp_segmented_set_arguments(plan, plan->prefixes, run, 0));
        steps[count++] = (clp_step){plan->prefixes, groups, plan->shape.group};
    }
    CLP_TRY(clp_segmented_set_arguments(plan, plan->outputs, run, 0));
    steps[count++] = (clp_step){plan->outputs, groups, plan->shape.group};
    return clp_segmented_enqueue_steps(plan, run, steps, count);
}

static void describe(const clprims_segmented *plan, size_t n, size_t segments,
                     clprims_segmented_info *info) {
    info->group = plan->shape.group;
    info->groups = groups_of(plan, n, segments);
    info->launches = (size_t)(plan->shares != NULL) + (plan->prefixes != NULL) + 1;
}

const clp_segmented_launches clp_segmented_share_launches = {prepare, enqueue, describe};
