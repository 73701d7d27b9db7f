/* SPDX-License-Identifier: MIT */
/* Shares: the elements, and by offsets the ends of segments too, are cut into one range a work-item
 * (cl/segmented/segmented_serial.cl), a sub-group (segmented_tile.cl) or a work-group
 * (segmented_path.cl). Which devices and plans each of the three fits, the room that it needs, and
 * its launches. */
#include "core/program.h"
#include "segmented/segmented_plan.h"

enum { SUBGROUP = 32, SUBGROUP_VALUE = 32 }; /* the largest value that lanes exchange, in bytes */
enum { SHARED = 64, SHARED_SUBGROUP = 64 }; /* bytes of clp_shared and clp_counts */

clprims_status clp_segmented_adjust_serial(const clprims_context *context,
                                           const clp_segmented_spec *spec, const clp_knob *knobs,
                                           clp_segmented_shape *shape) {
    (void)context;
    (void)spec;
    (void)knobs;
    shape->lanes = 1;
    return CLPRIMS_OK;
}

/* ---- Tiles of a sub-group ---- */

enum { TILE_ITEMS = 16, TILE_GROUP = 256, TILE_GROUPS = 3 }; /* TILE_ITEMS: at most */
enum { TILE_LANE = 48 }; /* bytes of a lane's values, at least */
enum { TILE_REGISTERS = 80 }; /* three groups of 256 have room in a multiprocessor's 65536 */

/* Exchanges stand in loops, which the nvidia layer alone allows. */
static bool can_exchange(const clprims_context *context, const clp_segmented_spec *spec) {
    return context->layer == CLPRIMS_LAYER_NVIDIA && spec->value_bytes <= SUBGROUP_VALUE &&
           spec->reduces && clp_segmented_by_offsets(spec);
}

bool clp_segmented_fits_subgroups(const clprims_context *context, const clp_segmented_spec *spec,
                                  const clp_knob *knobs) {
    return can_exchange(context, spec) && knobs[CLP_SEGMENTED_GROUP].value >= SUBGROUP;
}

/* Returns the local memory of a group: clp_local_tile in cl/segmented/segmented_tile.cl. */
static size_t tile_bytes(const clp_segmented_spec *spec, const clp_segmented_shape *shape) {
    const size_t lane =
        clp_at_least((shape->items * spec->value_bytes + 15) / 16 * 16 + 16, TILE_LANE);
    const size_t bytes = (SUBGROUP * (shape->items + lane) + 15) / 16 * 16;
    return shape->group / SUBGROUP * (bytes + SHARED_SUBGROUP) + SHARED;
}

/* A tile that the caller's tuning asks for must fit; another one gets smaller until it does. */
clprims_status clp_segmented_adjust_subgroups(const clprims_context *context,
                                              const clp_segmented_spec *spec, const clp_knob *knobs,
                                              clp_segmented_shape *shape) {
    const size_t most = context->device.static_local_bytes;
    const clp_knob *items = &knobs[CLP_SEGMENTED_ITEMS];
    shape->lanes = SUBGROUP;
    shape->registers = spec->value_bytes <= 4 ? TILE_REGISTERS : 0;
    while (!items->given && shape->items > items->least && tile_bytes(spec, shape) > most)
        shape->items /= 2;
    shape->row_tile = clp_segmented_row_tile(context, spec, shape);
    if (shape->items <= TILE_ITEMS && tile_bytes(spec, shape) <= most) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "segmented: GROUP=%zu ITEMS=%zu takes %zu bytes of local memory; \"%s\" has "
                    "%zu, for ITEMS of at most %d",
                    shape->group, shape->items, tile_bytes(spec, shape), context->device.info.name,
                    most, TILE_ITEMS);
}

/* ---- Tiles of a work-group ---- */

/* Two work-groups share local memory, unless their work-items would have fewer items. */
enum { PATH_GROUP = 128, PATH_ITEMS = 16, PATH_GROUPS = 16, LEAST_GROUP = 4 };
enum { REGISTERS = 64 }; /* four groups of 256 have room in a multiprocessor's 65536 */

/* Returns the local memory of a group, at most: clp_local_tile in cl/segmented/segmented_path.cl.
 */
static size_t path_bytes(const clp_segmented_spec *spec, const clp_segmented_shape *shape) {
    enum { CARRY = 28, TAIL = 8, ROUNDING = 384 }; /* of clp_carry, clp_tail behind their values */
    const size_t value = spec->value_bytes;
    const size_t unit = value % 16 == 0 ? 16 : value % 8 == 0 ? 8 : 4;
    const size_t tail = (value + TAIL + unit - 1) / unit * unit;
    const size_t carry = (value + CARRY + 2 * unit - 1) / unit * unit;
    const size_t flags = shape->items + sizeof(cl_uint), places = 2 * (shape->items - 1);
    const size_t heads = clp_segmented_counts(spec) && places > flags ? places : flags;
    const size_t values = (shape->items - 1) * value;
    return shape->group * ((values > carry ? values : carry) + heads + 2 * tail + sizeof(cl_uint)) +
           ROUNDING;
}

/* The largest tile that has room. */
static clp_segmented_shape path_of(const clprims_context *context, const clp_segmented_spec *spec,
                                   const clp_knob *knobs) {
    const clp_knob *items = &knobs[CLP_SEGMENTED_ITEMS];
    size_t room = 0;
    clp_segmented_shape shape = {.variant = CLP_SEGMENTED_PATH,
                                 .group = knobs[CLP_SEGMENTED_GROUP].value,
                                 .most_groups = knobs[CLP_SEGMENTED_GROUPS].value *
                                                context->device.info.compute_units,
                                 .registers = spec->value_bytes <= 4 ? REGISTERS : 0,
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

bool clp_segmented_fits_path(const clprims_context *context, const clp_segmented_spec *spec,
                             const clp_knob *knobs) {
    const clp_segmented_shape shape = path_of(context, spec, knobs);
    return shape.group >= LEAST_GROUP &&
           path_bytes(spec, &shape) <= context->device.static_local_bytes;
}

clprims_status clp_segmented_adjust_path(const clprims_context *context,
                                         const clp_segmented_spec *spec, const clp_knob *knobs,
                                         clp_segmented_shape *shape) {
    *shape = path_of(context, spec, knobs);
    shape->row_tile = clp_segmented_row_tile(context, spec, shape);
    return CLPRIMS_OK;
}

/* ---- Knobs ---- */

void clp_segmented_set_share_knobs(const clprims_context *context, const clp_segmented_spec *spec,
                                   clp_knob *knobs) {
    const bool is_cpu = context->device.is_cpu, exchanges = can_exchange(context, spec);
    knobs[CLP_SEGMENTED_GROUP].value = is_cpu ? 1 : exchanges ? TILE_GROUP : PATH_GROUP;
    knobs[CLP_SEGMENTED_GROUPS].value = is_cpu ? 8 : exchanges ? TILE_GROUPS : PATH_GROUPS;
    knobs[CLP_SEGMENTED_ITEMS].value = spec->value_bytes <= 4  ? TILE_ITEMS
                                       : spec->value_bytes > 8 ? 4
                                                               : 8;
    knobs[CLP_SEGMENTED_SHARE].value = is_cpu ? 1 << 15 : 1024;
}

/* ---- Launches ---- */

size_t clp_segmented_shares(const clp_segmented_spec *spec, const clp_segmented_shape *shape,
                            size_t n, size_t segments) {
    const size_t work = clp_segmented_by_offsets(spec) ? n + segments : n;
    const size_t most = shape->most_groups * (shape->group / shape->lanes);
    const size_t shares = work / shape->share + (work % shape->share > 0);
    return shares == 0 ? 1 : shares < most ? shares : most;
}

static size_t groups_of(const clprims_segmented *plan, const clp_segmented_run *run) {
    const size_t each = plan->shape.group / plan->shape.lanes;
    if (clp_segmented_by_rows(plan, run)) {
        return clp_at_least(clp_rows(run->segments, clp_segmented_rows_of_tile(plan, run)), 1);
    }
    return clp_rows(clp_segmented_shares(&plan->spec, &plan->shape, run->n, run->segments), each);
}

/* Entries of the shares, of the last group's work-items, and of the whole. */
static clprims_status create_scratch(clprims_segmented *plan) {
    const clp_segmented_spec *spec = &plan->spec;
    const size_t shares = clp_segmented_shares(spec, &plan->shape, spec->max_n, spec->max_segments);
    const size_t entries = shares + plan->shape.group + 1;
    const size_t part_bytes = entries * CLP_SEGMENTED_PART_BYTES;
    CLP_TRY(clp_plan_scratch(&plan->head, shares * spec->value_bytes, false, &plan->firsts));
    CLP_TRY(clp_plan_scratch(&plan->head, entries * spec->value_bytes, false, &plan->tails));
    CLP_TRY(clp_plan_scratch(&plan->head, part_bytes, false, &plan->parts));
    return clp_plan_scratch(&plan->head, sizeof(cl_uint), true, &plan->tickets);
}

static clprims_status prepare(clprims_segmented *plan) {
    const clp_segmented_spec *spec = &plan->spec;
    cl_program program;
    CLP_TRY(clp_segmented_build(plan, &program));
    CLP_TRY(clp_plan_kernel(&plan->head, program, "clp_segmented_outputs", &plan->outputs));
    if (!spec->reduces || !clp_segmented_by_offsets(spec)) {
        CLP_TRY(clp_plan_kernel(&plan->head, program, "clp_segmented_prefixes", &plan->prefixes));
    }
    if (plan->shape.row_tile > 0) {
        CLP_TRY(clp_plan_kernel(&plan->head, program, "clp_segmented_rows", &plan->rows));
    }
    return create_scratch(plan);
}

static clprims_status enqueue(clprims_segmented *plan, const clp_segmented_run *run) {
    const bool by_rows = clp_segmented_by_rows(plan, run);
    const cl_kernel kernels[] = {plan->rows, plan->prefixes, plan->outputs};
    const bool wanted[] = {by_rows || run->warms_up, !by_rows, !by_rows};
    const size_t groups = groups_of(plan, run);
    clp_step steps[3];
    size_t count = 0;
    for (size_t k = 0; k < 3; k++) {
        if (kernels[k] == NULL || !wanted[k]) continue;
        CLP_TRY(clp_segmented_set_arguments(plan, kernels[k], run, 0));
        steps[count++] = (clp_step){kernels[k], groups, plan->shape.group};
    }
    return clp_segmented_enqueue_steps(plan, run, steps, count);
}

static void describe(const clprims_segmented *plan, const clp_segmented_run *run,
                     clprims_segmented_info *info) {
    const bool by_rows = clp_segmented_by_rows(plan, run);
    info->group = plan->shape.group;
    info->groups = groups_of(plan, run);
    info->launches = plan->prefixes != NULL && !by_rows ? 2 : 1;
    if (by_rows) info->variant = "rows";
}

const clp_segmented_launches clp_segmented_share_launches = {prepare, enqueue, describe};
