/* SPDX-License-Identifier: MIT */
/* Parents: plans, checks, runs. cl/jagged/parents.cl says how it works. */
#include "cl_sources.h"
#include "core/tuning.h"
#include "core/type.h"
#include "jagged/jagged_knobs.h"
#include "plan/plan_arguments.h"

#include <clprims/parents.h>

/* Of clp_report in cl/jagged/parents.cl. */
enum { REPORT_BYTES = sizeof(clprims_parents_report) };

enum { TEAM = 32 }; /* work-items of a team */
enum { COUNTERS = 2 }; /* of a run; cl/jagged/jagged.cl names them */

struct clprims_parents {
    clp_plan head;
    clprims_parents_result result;
    clprims_type offsets_type;
    clprims_type type;
    size_t max_n;
    size_t max_segments;
    size_t group; /* work-items */
    size_t most_groups;
    size_t share; /* elements and ends of segments that a worker has at least */
    bool by_teams; /* a worker is 32 work-items, else one */
    cl_kernel kernel;
    cl_mem counters; /* zero between runs */
};

static bool gives_parents(const clprims_parents *plan) {
    return plan->result != CLPRIMS_PARENTS_LOCAL_INDEX;
}

static bool gives_indices(const clprims_parents *plan) {
    return plan->result != CLPRIMS_PARENTS_SEGMENT;
}

/* ---- Create ---- */

static clprims_status take_type(clprims_type given, clprims_type *type) {
    *type = clp_type_or(given, CLPRIMS_I64);
    if (*type == CLPRIMS_I64 || *type == CLPRIMS_I32) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "parents: type = %d (%s) is neither int32 nor int64",
                    (int)given, clprims_type_name(given));
}

/* Whether outputs of 32 bits hold what they may have to. */
static clprims_status check_outputs(const clprims_parents *plan) {
    static const size_t most = (size_t)1 << 31;
    if (plan->type == CLPRIMS_I64) return CLPRIMS_OK;
    CLP_FAIL_IF(gives_parents(plan) && plan->max_segments > most, CLPRIMS_ERR_TOO_LARGE,
                "parents: max_segments = %zu exceeds %zu, the most of int32 outputs",
                plan->max_segments, most);
    CLP_FAIL_IF(gives_indices(plan) && plan->max_n > most, CLPRIMS_ERR_TOO_LARGE,
                "parents: max_n = %zu exceeds %zu, the most of int32 outputs", plan->max_n, most);
    return CLPRIMS_OK;
}

static clprims_status take_desc(clprims_parents *plan, const clprims_parents_desc *desc) {
    CLP_TRY(clp_check_enumerator("parents", "result", (int)desc->result, CLPRIMS_PARENTS_BOTH,
                                 "clprims_parents_result"));
    CLP_TRY(clp_check_offsets("parents", "offsets_type", desc->offsets_type, desc->max_n,
                              &plan->offsets_type));
    CLP_TRY(take_type(desc->type, &plan->type));
    CLP_TRY(clp_check_max_n("parents", desc->max_n, SIZE_MAX / 32));
    CLP_FAIL_IF(desc->max_segments > SIZE_MAX / 32, CLPRIMS_ERR_TOO_LARGE,
                "parents: max_segments = %zu exceeds %zu", desc->max_segments, SIZE_MAX / 32);
    plan->result = desc->result;
    plan->max_n = desc->max_n;
    plan->max_segments = desc->max_segments;
    return check_outputs(plan);
}

static clprims_status choose_shape(clprims_parents *plan, const char *tuning) {
    const clprims_context *context = plan->head.context;
    const clp_device *device = &context->device;
    /* Exchanges stand in loops. */
    const bool can_team = context->layer == CLPRIMS_LAYER_NVIDIA;
    CLP_KNOBS(knobs, clp_parents_knobs);
    knobs[CLP_PARENTS_GROUP].value = device->is_cpu ? 1 : can_team ? 256 : 64;
    knobs[CLP_PARENTS_GROUPS].value = device->is_cpu ? 8 : can_team ? 6 : 16;
    knobs[CLP_PARENTS_SHARE].value = device->is_cpu ? 1 << 15 : can_team ? 2048 : 128;
    CLP_TRY(clp_knobs_set(context, "parents", clprims_type_bytes(plan->type), tuning, knobs,
                          CLP_PARENTS_KNOBS));
    plan->group = knobs[CLP_PARENTS_GROUP].value;
    plan->most_groups = knobs[CLP_PARENTS_GROUPS].value * device->info.compute_units;
    plan->share = knobs[CLP_PARENTS_SHARE].value;
    plan->by_teams = can_team && plan->group >= TEAM;
    return CLPRIMS_OK;
}

#define PARTS                                                                                      \
    &clp_jagged_cl, &clp_parents_report_cl, &clp_count_cl, &clp_last_group_cl, &clp_parents_cl

static const clp_part serial[] = {PARTS, &clp_parents_serial_cl, NULL};
static const clp_part teams[] = {PARTS, &clp_parents_team_cl, NULL};

static clprims_status build(clprims_parents *plan) {
    clp_text prelude = {0};
    clp_text_add(&prelude, "#define CLP_OFFSET %s\n", clp_offset_text(plan->offsets_type));
    clp_text_add(&prelude, "#define CLP_OUT %s\n", clp_type_text(plan->type));
    clp_text_add(&prelude, "#define CLP_GIVES_PARENTS %d\n#define CLP_GIVES_INDICES %d\n",
                 gives_parents(plan), gives_indices(plan));
    clp_text_add(&prelude, "#define CLP_GROUP %zu\n#define CLP_SHARE %zu\n", plan->group,
                 plan->share);
    clp_text_add(&prelude, "#define CLP_EXTRA 0\n#define CLP_PARENTS_REPORT_BYTES %d\n",
                 REPORT_BYTES);
    if (plan->by_teams) {
        clp_text_add(&prelude, "#define CLP_OUT_BYTES %zu\n", clprims_type_bytes(plan->type));
    }
    cl_program program;
    CLP_TRY(clp_plan_build(&plan->head, &prelude, plan->by_teams ? teams : serial, 0, &program));
    return clp_plan_kernel(&plan->head, program,
                           plan->by_teams ? "clp_parents_team" : "clp_parents_serial",
                           &plan->kernel);
}

/* ---- Launches ---- */

/* One run's arguments. */
typedef struct parents_run {
    clp_call call;
    clprims_parents_buffers buffers;
    size_t n;
    clprims_parents_arrays arrays; /* of a run on plain arrays */
} parents_run;

static size_t groups_for(const clprims_parents *plan, size_t n, size_t segments) {
    const size_t work = n + segments, workers = work / plan->share + (work % plan->share > 0);
    const size_t each = plan->by_teams ? plan->group / TEAM : plan->group;
    const size_t groups = (workers + each - 1) / each;
    return groups == 0 ? 1 : groups < plan->most_groups ? groups : plan->most_groups;
}

static clprims_status set_arguments(const clprims_parents *plan, const parents_run *run) {
    const clprims_context *context = plan->head.context;
    const clprims_parents_buffers *at = &run->buffers;
    const clprims_buffer none = {NULL, 0};
    clp_arguments a = {.count = 0};
    clp_put_array(&a, context, at->offsets);
    clp_put_array(&a, context, run->n > 0 ? at->parents : none);
    clp_put_array(&a, context, run->n > 0 ? at->local_index : none);
    clp_put_report(&a, &plan->head, at->report);
    CLP_PUT(&a, run->n, at->sizes.segments, plan->counters, at->segments);
    return clp_arguments_set(&a, &plan->head, plan->kernel);
}

static clprims_status submit(clp_plan *head, clp_call *call) {
    const clprims_parents *plan = (const clprims_parents *)head;
    const parents_run *run = (const parents_run *)call;
    const size_t groups = groups_for(plan, run->n, run->buffers.sizes.segments);
    const clp_step step = {plan->kernel, groups, plan->group};
    CLP_TRY(set_arguments(plan, run));
    return clp_plan_enqueue_steps(head, call, &step, 1);
}

static clprims_status warm_up(const clprims_parents *plan) {
    const parents_run run = {.n = 0};
    const clp_step step = {plan->kernel, 1, plan->group};
    CLP_TRY(set_arguments(plan, &run));
    return clp_plan_warm_up(&plan->head, &step, 1);
}

/* ---- The plan ---- */

static clprims_status check_numbers(const char *who, const clprims_parents *plan, size_t n,
                                    size_t segments) {
    CLP_TRY(clp_check_n(who, n, plan->max_n));
    return clp_check_within(who, "segments", segments, "max_segments", plan->max_segments);
}

static clprims_status check_sizes(const clp_plan *head, const clp_call *call) {
    const parents_run *run = (const parents_run *)call;
    return check_numbers("parents", (const clprims_parents *)head, run->n,
                         run->buffers.sizes.segments);
}

enum { OFFSETS, PARENTS, INDICES, SEGMENTS, REPORT, ARRAYS };

/* Elements that are in no segment stay as they are. */
static size_t list_arrays(const clp_plan *head, clp_call *call, clp_run_array *rows) {
    const clprims_parents *plan = (const clprims_parents *)head;
    parents_run *run = (parents_run *)call;
    clprims_parents_buffers *at = &run->buffers;
    const size_t bytes = clprims_type_bytes(plan->type);
    const char *const lacks = "does not write it";
    rows[OFFSETS] = clp_read_row("offsets", &at->offsets, run->arrays.offsets,
                                 at->sizes.segments + 1, clprims_type_bytes(plan->offsets_type));
    rows[PARENTS] = clp_written_row("parents", &at->parents, run->arrays.parents, run->n, bytes);
    rows[PARENTS].lacks = gives_parents(plan) ? NULL : lacks;
    rows[INDICES] =
        clp_written_row("local_index", &at->local_index, run->arrays.local_index, run->n, bytes);
    rows[INDICES].lacks = gives_indices(plan) ? NULL : lacks;
    rows[PARENTS].roles = rows[INDICES].roles = CLP_READ | CLP_WRITTEN;
    rows[SEGMENTS] = clp_count_row("segments", &at->segments);
    rows[REPORT] = clp_report_row(&at->report, sizeof(clprims_parents_report));
    return ARRAYS;
}

static clprims_status finish(const clp_plan *head, clp_call *call, const void *own) {
    const parents_run *run = (const parents_run *)call;
    const clprims_parents_report *report = own;
    if (report->fault != CLPRIMS_PARENTS_OFFSETS) return clprims_parents_check(report);
    return clp_fail_offset("parents", report->index, ((const clprims_parents *)head)->offsets_type,
                           run->arrays.offsets, run->n);
}

static clprims_status fill(clp_plan *head, const void *description) {
    clprims_parents *plan = (clprims_parents *)head;
    const clprims_parents_desc *desc = description;
    CLP_TRY(take_desc(plan, desc));
    CLP_TRY(choose_shape(plan, desc->tuning));
    CLP_TRY(build(plan));
    CLP_TRY(clp_plan_scratch(head, COUNTERS * sizeof(cl_uint), true, &plan->counters));
    return warm_up(plan);
}

static const clp_plan_kind kind = {CLP_PLAN_KIND_REPORTING(parents),
                                   CLP_PLAN_HOOKS(fill, check_sizes, list_arrays, submit),
                                   .finish = finish};

/* ---- The interface ---- */

CLP_PLAN_CREATE(parents, kind)
CLP_PLAN_ENQUEUE(parents, kind, parents_run)

static clprims_status describe(const clprims_parents *plan, const char *who, size_t n,
                               clprims_parents_sizes sizes, clprims_parents_info *info) {
    info->group = plan->group;
    info->groups = groups_for(plan, n, sizes.segments);
    info->variant = plan->by_teams ? "sub-group" : "serial";
    return check_numbers(who, plan, n, sizes.segments);
}

CLP_PLAN_DESCRIBE_SIZED(parents, describe)

clprims_status clprims_parents_check(const clprims_parents_report *report) {
    CLP_TRY(clp_begin("parents_check", "report", report));
    switch (report->fault) {
    case CLPRIMS_PARENTS_OFFSETS:
        return clp_fail_offset("parents", report->index, CLPRIMS_I64, NULL, 0);
    case CLPRIMS_PARENTS_COUNT:
        return clp_fail_count("parents", "segments", report->segments);
    default:
        return clp_check_fault("parents", report->fault);
    }
}

CLP_PLAN_RUN_SIZED(parents, kind, parents_run)
