/* SPDX-License-Identifier: MIT */
/* The variant "direct": a team of work-items combines each segment of a reduction by offsets
 * (cl/segmented/segmented_direct.cl). The sizes of teams and blocks, the words that work-groups
 * publish, the launch. */
#include "core/test_hooks.h"
#include "engine/run_number.h"
#include "segmented/segmented_plan.h"

enum { SUBGROUP = 32, GROUP = 256, SHORT_PARTS = 16 };
enum { CHECKED = 16 }; /* offsets that a work-item checks */
enum { CHECKED_MOST = 64 }; /* the same where one work-group checks all of them */
enum { OF_CHECKER = 2 }; /* words that a work-group which checks offsets publishes */
enum { OF_BLOCK = 3 }; /* values that are published of a block */
enum { REGISTERS = 64 }; /* four groups of 256 have room in a multiprocessor's 65536 */
enum { OWN = 13 }; /* elements that a team's work-item has of a segment of the mean length */
enum { VALUE = 32 }; /* the largest value that is published, in bytes */
enum { LONG = 1500 }; /* the mean length from which a work-group combines a segment */

static bool can_publish(const clprims_context *context) {
    return context->words_arrive && context->groups_progress && context->device.has_int64_atomics;
}

/* Lanes take operands out of their order, so that the operator must commute. */
static bool can_team(const clprims_context *context, const clp_segmented_spec *spec) {
    const bool commutes = spec->what.op != CLPRIMS_CUSTOM || spec->what.custom.commutative;
    return can_publish(context) && spec->reduces && clp_segmented_by_offsets(spec) &&
           !spec->what.is_arg && commutes && spec->value_bytes <= VALUE &&
           spec->max_segments < UINT32_MAX / 2;
}

static size_t mean_of(const clp_segmented_spec *spec) {
    return spec->max_segments > 0 ? spec->max_n / spec->max_segments : spec->max_n;
}

/* Returns the number of elements and ends up to which teams were faster than shares or tiles of
 * rows, by the mean length of the segments. */
static size_t most_work(const clp_segmented_spec *spec, size_t mean) {
    if (mean >= LONG) return SIZE_MAX;
    if (spec->by == CLPRIMS_SEGMENTS_EQUAL && mean <= CLP_SEGMENTED_SHORT_ROW) return 1 << 19;
    return mean >= 32 ? 1 << 25 : mean >= 4 ? 1 << 23 : 1 << 22;
}

/* Blocks that no segment covers take time, too, so that a plan has some hundred to 2048 blocks. */
static size_t block_of(size_t mean, size_t max_n) {
    if (mean < LONG) return max_n > 1 << 22 ? 4096 : 1024;
    return max_n > 1 << 25 ? 1 << 17 : max_n > 1 << 22 ? 1 << 15 : 1 << 14;
}

/* As far as the host sees the lengths, each work-item gets about OWN elements at first. */
void clp_segmented_set_team_knobs(const clprims_context *context, const clp_segmented_spec *spec,
                                  clp_knob *knobs) {
    const bool shuffles = context->layer == CLPRIMS_LAYER_NVIDIA;
    const size_t mean = mean_of(spec), work = spec->max_n + spec->max_segments;
    size_t team = 1;
    while (team < SUBGROUP && team * OWN < mean) team *= 2;
    if (mean >= LONG) team = spec->max_n > 1 << 21 ? GROUP / 2 : GROUP;
    knobs[CLP_SEGMENTED_TEAM].value = shuffles && work <= most_work(spec, mean) ? team : 0;
    knobs[CLP_SEGMENTED_BLOCK].value = block_of(mean, spec->max_n);
}

static bool is_power(size_t team) {
    return team > 0 && (team & (team - 1)) == 0;
}

static bool is_wide(const clp_segmented_shape *shape) {
    return shape->team > SUBGROUP;
}

/* A team of more work-items than a sub-group is a work-group. Without exchanges of values a team is
 * one work-item. */
static clp_segmented_shape shape_of(const clprims_context *context, const clp_segmented_spec *spec,
                                    const clp_knob *knobs) {
    const bool shuffles = context->layer == CLPRIMS_LAYER_NVIDIA;
    clp_segmented_shape shape = {.variant = CLP_SEGMENTED_DIRECT,
                                 .most_groups = 1,
                                 .share = knobs[CLP_SEGMENTED_SHARE].value,
                                 .team = shuffles ? knobs[CLP_SEGMENTED_TEAM].value : 1,
                                 .block = knobs[CLP_SEGMENTED_BLOCK].value};
    if (is_wide(&shape)) {
        shape.group = shape.team;
    } else if (knobs[CLP_SEGMENTED_GROUP].given) {
        shape.group = knobs[CLP_SEGMENTED_GROUP].value;
    } else {
        shape.group = shuffles ? GROUP : 64;
    }
    shape.lanes = is_wide(&shape) ? shape.group : shuffles ? SUBGROUP : 1;
    while (!is_wide(&shape) && shape.block <= SHORT_PARTS * shape.team) shape.block *= 2;
    shape.registers = spec->value_bytes <= 4 && spec->what.type_bytes <= 4 ? REGISTERS : 0;
    /* What several groups publish takes longer than what one checks. */
    shape.checked = spec->max_segments < CHECKED_MOST * shape.group ? CHECKED_MOST : CHECKED;
    return shape;
}

bool clp_segmented_fits_teams(const clprims_context *context, const clp_segmented_spec *spec,
                              const clp_knob *knobs) {
    if (!can_team(context, spec) || !is_power(knobs[CLP_SEGMENTED_TEAM].value)) return false;
    const clp_segmented_shape shape = shape_of(context, spec, knobs);
    return shape.group <= context->device.max_group && shape.group >= shape.team &&
           shape.group % shape.lanes == 0;
}

clprims_status clp_segmented_adjust_teams(const clprims_context *context,
                                          const clp_segmented_spec *spec, const clp_knob *knobs,
                                          clp_segmented_shape *shape) {
    *shape = shape_of(context, spec, knobs);
    return CLPRIMS_OK;
}

size_t clp_segmented_checkers(const clp_segmented_shape *shape, size_t segments) {
    return segments / (shape->checked * shape->group) + 1;
}

/* ---- Launches ---- */

static size_t groups_of(const clp_segmented_shape *shape, size_t n, size_t segments) {
    const size_t workers = shape->group / shape->lanes, each = shape->group / shape->team;
    const size_t with_blocks = (n / shape->block + workers - 1) / workers;
    return clp_segmented_checkers(shape, segments) + with_blocks + (segments + each - 1) / each;
}

static size_t words_of(const clp_segmented_spec *spec, const clp_segmented_shape *shape) {
    const size_t blocks = spec->max_n / shape->block, of_value = (spec->value_bytes + 3) / 4;
    return OF_CHECKER * clp_segmented_checkers(shape, spec->max_segments) +
           OF_BLOCK * blocks * of_value;
}

static clprims_status prepare(clprims_segmented *plan) {
    const size_t bytes = words_of(&plan->spec, &plan->shape) * sizeof(cl_ulong);
    cl_program program;
    plan->run = (cl_uint)clp_test_hooks_get()->first_run;
    CLP_TRY(clp_segmented_build(plan, &program));
    CLP_TRY(clp_plan_kernel(&plan->head, program, "clp_segmented_direct", &plan->outputs));
    return clp_plan_scratch(&plan->head, bytes, true, &plan->tails);
}

static clprims_status enqueue(clprims_segmented *plan, const clp_segmented_run *run) {
    const clp_step step = {plan->outputs, groups_of(&plan->shape, run->n, run->segments),
                           plan->shape.group};
    cl_mem cleared;
    const cl_uint number = clp_next_run(plan->run, plan->tails, &cleared);
    CLP_TRY(
        clp_segmented_set_arguments(plan, plan->outputs, run, run->warms_up ? plan->run : number));
    if (run->warms_up) return clp_plan_warm_up(&plan->head, &step, 1);
    CLP_TRY(clp_plan_clear_and_enqueue(&plan->head, &run->call, cleared, &step, 1));
    plan->run = number;
    return CLPRIMS_OK;
}

static void describe(const clprims_segmented *plan, const clp_segmented_run *run,
                     clprims_segmented_info *info) {
    info->group = plan->shape.group;
    info->groups = groups_of(&plan->shape, run->n, run->segments);
    info->launches = 1;
}

const clp_segmented_launches clp_segmented_team_launches = {prepare, enqueue, describe};
