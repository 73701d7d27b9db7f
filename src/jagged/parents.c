/* SPDX-License-Identifier: MIT */
/* Parents: plans, checks, runs. cl/jagged/parents.cl says how it works. */
#include "core/check.h"
#include "core/context.h"
#include "core/launch.h"
#include "core/program.h"
#include "core/tuning.h"
#include "core/type.h"
#include "jagged/jagged_knobs.h"

#include <clprims/parents.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of clp_report in cl/jagged/parents.cl. */
enum { REPORT_BYTES = 24 };
_Static_assert(sizeof(clprims_parents_report) == REPORT_BYTES, "kernels write it");

enum { TEAM = 32 }; /* work-items of a team */
enum { COUNTERS = 2 }; /* of a run; cl/jagged/jagged.cl names them */

struct clprims_parents {
    clprims_context *context;
    clprims_parents_result result;
    clprims_type offsets_type;
    clprims_type type;
    size_t max_n;
    size_t max_segments;
    size_t group; /* work-items */
    size_t most_groups;
    size_t share; /* elements and ends of segments that a worker has at least */
    bool by_teams; /* a worker is 32 work-items, else one */
    cl_program program;
    cl_kernel kernel;
    cl_mem counters; /* zero between runs */
    cl_mem report; /* for runs without one */
    size_t scratch_bytes;
};

static bool gives_parents(const clprims_parents *plan) {
    return plan->result != CLPRIMS_PARENTS_LOCAL_INDEX;
}

static bool gives_indices(const clprims_parents *plan) {
    return plan->result != CLPRIMS_PARENTS_SEGMENT;
}

/* ---- Create ---- */

static clprims_status take_type(const char *name, clprims_type given, clprims_type *type) {
    *type = given == CLPRIMS_TYPE_DEFAULT ? CLPRIMS_I64 : given;
    if (*type == CLPRIMS_I64 || *type == CLPRIMS_I32) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "parents: %s = %d (%s) is neither int32 nor int64", name,
                    (int)given, clprims_type_name(given));
}

/* Whether outputs of 32 bits hold what they may have to. */
static clprims_status check_outputs(const clprims_parents *plan) {
    static const size_t most = (size_t)1 << 31;
    if (plan->type == CLPRIMS_I64) return CLPRIMS_OK;
    if (gives_parents(plan) && plan->max_segments > most) {
        return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                        "parents: max_segments = %zu exceeds %zu, the most of int32 outputs",
                        plan->max_segments, most);
    }
    if (gives_indices(plan) && plan->max_n > most) {
        return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                        "parents: max_n = %zu exceeds %zu, the most of int32 outputs", plan->max_n,
                        most);
    }
    return CLPRIMS_OK;
}

static clprims_status take_desc(clprims_parents *plan, const clprims_parents_desc *desc) {
    if ((unsigned)desc->result > CLPRIMS_PARENTS_BOTH) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "parents: result = %d is none of clprims_parents_result",
                        (int)desc->result);
    }
    CLP_TRY(take_type("offsets_type", desc->offsets_type, &plan->offsets_type));
    CLP_TRY(take_type("type", desc->type, &plan->type));
    CLP_TRY(clp_check_max_n("parents", desc->max_n, SIZE_MAX / 32));
    if (desc->max_segments > SIZE_MAX / 32) {
        return clp_fail(CLPRIMS_ERR_TOO_LARGE, "parents: max_segments = %zu exceeds %zu",
                        desc->max_segments, SIZE_MAX / 32);
    }
    plan->result = desc->result;
    plan->max_n = desc->max_n;
    plan->max_segments = desc->max_segments;
    return check_outputs(plan);
}

static clprims_status choose_shape(clprims_parents *plan, const char *tuning) {
    const clprims_context *context = plan->context;
    const clp_device *device = &context->device;
    clp_knob knobs[CLP_PARENTS_KNOBS];
    /* Exchanges stand in loops. */
    const bool can_team = context->layer == CLPRIMS_LAYER_NVIDIA;
    memcpy(knobs, clp_parents_knobs, sizeof knobs);
    knobs[CLP_PARENTS_GROUP].value = device->is_cpu ? 1 : can_team ? 256 : 64;
    knobs[CLP_PARENTS_GROUPS].value = device->is_cpu ? 8 : can_team ? 6 : 16;
    knobs[CLP_PARENTS_SHARE].value = device->is_cpu ? 1 << 15 : can_team ? 2048 : 128;
    CLP_TRY(clp_knobs_set(context, "parents", clprims_type_bytes(plan->type), tuning, knobs,
                          CLP_PARENTS_KNOBS));
    plan->group = knobs[CLP_PARENTS_GROUP].value;
    plan->most_groups = knobs[CLP_PARENTS_GROUPS].value * device->info.compute_units;
    plan->share = knobs[CLP_PARENTS_SHARE].value;
    plan->by_teams = can_team && plan->group >= TEAM;
    if (plan->group <= device->max_group) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "parents: GROUP=%zu; \"%s\" takes %zu at most",
                    plan->group, device->info.name, device->max_group);
}

#define PARTS                                                                                      \
    "jagged/jagged.cl", "jagged/parents_report.cl", "engine/count.cl", "engine/last_group.cl",     \
        "jagged/parents.cl"

static const char *const serial[] = {PARTS, "jagged/parents_serial.cl", NULL};
static const char *const teams[] = {PARTS, "jagged/parents_team.cl", NULL};

static clprims_status build(clprims_parents *plan) {
    clp_text prelude = {0};
    clp_text_add(&prelude, "#define CLP_OFFSET %s\n", clp_type_text(plan->offsets_type));
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
    const clprims_status status = clp_program_build(
        plan->context, "parents", &prelude, plan->by_teams ? teams : serial, &plan->program);
    clp_text_free(&prelude);
    CLP_TRY(status);
    return clp_kernel_create(plan->program, "parents",
                             plan->by_teams ? "clp_parents_team" : "clp_parents_serial",
                             &plan->kernel);
}

static clprims_status add_scratch(clprims_parents *plan, size_t bytes, bool zeroed, cl_mem *out) {
    CLP_TRY(clp_scratch_create(plan->context, "parents", bytes, zeroed, out));
    plan->scratch_bytes += bytes;
    return CLPRIMS_OK;
}

/* ---- Launches ---- */

/* One run's arguments. */
typedef struct parents_run {
    cl_command_queue queue;
    clprims_buffer offsets, parents, indices;
    clprims_buffer report; /* of the plan where the caller has none */
    size_t n;
    size_t segments;
    clprims_buffer counted; /* where their number stands, up to `segments`; {NULL, 0}: it is that */
    cl_uint num_wait;
    const cl_event *wait;
    cl_event *event;
} parents_run;

static size_t groups_for(const clprims_parents *plan, size_t n, size_t segments) {
    const size_t work = n + segments, workers = work / plan->share + (work % plan->share > 0);
    const size_t each = plan->by_teams ? plan->group / TEAM : plan->group;
    const size_t groups = (workers + each - 1) / each;
    return groups == 0 ? 1 : groups < plan->most_groups ? groups : plan->most_groups;
}

/* Outputs that are not there are not touched, whatever stands in their stead. */
static clprims_status set_arguments(const clprims_parents *plan, const parents_run *run) {
    const clprims_buffer blank = {plan->context->blank, 0}, own = {plan->report, 0};
    const clprims_buffer parents = run->parents.mem != NULL ? run->parents : blank,
                         indices = run->indices.mem != NULL ? run->indices : blank,
                         report = run->report.mem != NULL ? run->report : own;
    const cl_ulong offsets_first = run->offsets.first, parents_first = parents.first,
                   indices_first = indices.first, report_first = report.first, n = run->n,
                   segments = run->segments, counted_first = run->counted.first;
    const clp_argument arguments[] = {CLP_ARGUMENT(run->offsets.mem),
                                      CLP_ARGUMENT(offsets_first),
                                      CLP_ARGUMENT(parents.mem),
                                      CLP_ARGUMENT(parents_first),
                                      CLP_ARGUMENT(indices.mem),
                                      CLP_ARGUMENT(indices_first),
                                      CLP_ARGUMENT(report.mem),
                                      CLP_ARGUMENT(report_first),
                                      CLP_ARGUMENT(n),
                                      CLP_ARGUMENT(segments),
                                      CLP_ARGUMENT(plan->counters),
                                      CLP_ARGUMENT(run->counted.mem),
                                      CLP_ARGUMENT(counted_first)};
    return clp_kernel_arguments(plan->kernel, "parents", arguments,
                                sizeof arguments / sizeof arguments[0]);
}

static clprims_status submit(const clprims_parents *plan, const parents_run *run) {
    const clp_step step = {plan->kernel, groups_for(plan, run->n, run->segments), plan->group};
    CLP_TRY(set_arguments(plan, run));
    return clp_steps_enqueue(run->queue, "parents", &step, 1, run->num_wait, run->wait, run->event);
}

static clprims_status warm_up(const clprims_parents *plan) {
    const parents_run run = {.offsets = {plan->context->blank, 0}};
    const clp_step step = {plan->kernel, 1, plan->group};
    CLP_TRY(set_arguments(plan, &run));
    return clp_steps_warm_up(plan->context, "parents", &step, 1);
}

/* ---- Plans ---- */

static clprims_status fill_plan(clprims_parents *plan, const clprims_parents_desc *desc) {
    CLP_TRY(take_desc(plan, desc));
    CLP_TRY(choose_shape(plan, desc->tuning));
    CLP_TRY(build(plan));
    CLP_TRY(add_scratch(plan, COUNTERS * sizeof(cl_uint), true, &plan->counters));
    CLP_TRY(add_scratch(plan, sizeof(clprims_parents_report), false, &plan->report));
    return warm_up(plan);
}

static const clp_layout desc_layout =
    CLP_LAYOUT(clprims_parents_desc, max_segments, "CLPRIMS_PARENTS_DESC_INIT");

clprims_status clprims_parents_create(clprims_parents **out, clprims_context *context,
                                      const clprims_parents_desc *desc) {
    clp_clear_error();
    if (out == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "parents: out is NULL");
    *out = NULL;
    clprims_parents_desc full = CLPRIMS_PARENTS_DESC_INIT;
    CLP_TRY(clp_take_desc("parents", context, &desc_layout, desc, &full));
    clprims_parents *plan = calloc(1, sizeof *plan);
    if (plan == NULL) {
        return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "parents: no host memory for a plan");
    }
    plan->context = context;
    const clprims_status status = fill_plan(plan, &full);
    if (status != CLPRIMS_OK) {
        clprims_parents_destroy(plan);
        return status;
    }
    *out = plan;
    return CLPRIMS_OK;
}

void clprims_parents_destroy(clprims_parents *plan) {
    if (plan == NULL) return;
    const cl_mem mems[] = {plan->counters, plan->report};
    clp_release_buffers(mems, sizeof mems / sizeof mems[0]);
    clp_release_kernels(&plan->kernel, 1);
    if (plan->program != NULL) clReleaseProgram(plan->program);
    free(plan);
}

static clprims_status check_sizes(const char *who, const clprims_parents *plan, size_t n,
                                  size_t segments) {
    CLP_TRY(clp_check_n(who, n, plan->max_n));
    if (segments <= plan->max_segments) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE, "%s: segments = %zu exceeds max_segments = %zu", who,
                    segments, plan->max_segments);
}

static const clp_layout info_layout =
    CLP_LAYOUT(clprims_parents_info, group, "CLPRIMS_PARENTS_INFO_INIT");

clprims_status clprims_parents_describe(const clprims_parents *plan, size_t n, size_t segments,
                                        clprims_parents_info *info) {
    clp_clear_error();
    if (plan == NULL || info == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "parents_describe: %s is NULL",
                        plan == NULL ? "plan" : "info");
    }
    CLP_TRY(check_sizes("parents_describe", plan, n, segments));
    const clprims_parents_info full = {.group = plan->group,
                                       .groups = groups_for(plan, n, segments),
                                       .scratch_bytes = plan->scratch_bytes,
                                       .variant = plan->by_teams ? "sub-group" : "serial"};
    return clp_struct_give("parents_describe", "info", &info_layout, &full, info);
}

/* ---- Enqueue ---- */

enum { PARENTS, INDICES, REPORT, OUTPUTS };

static clprims_status check_buffers(const clprims_parents *plan, const parents_run *run) {
    const clprims_context *context = plan->context;
    const size_t bytes = clprims_type_bytes(plan->type);
    const clp_array offsets = {"offsets", run->offsets, run->segments + 1,
                               clprims_type_bytes(plan->offsets_type)};
    const clp_array outputs[OUTPUTS] = {
        [PARENTS] = {"parents", run->parents, run->n, bytes},
        [INDICES] = {"local_index", run->indices, run->n, bytes},
        [REPORT] = {"report", run->report, 1, sizeof(clprims_parents_report)}};
    const bool written[OUTPUTS] = {gives_parents(plan), gives_indices(plan),
                                   run->report.mem != NULL};
    CLP_TRY(clp_array_check(context, "parents", &offsets));
    for (size_t i = 0; i < OUTPUTS; i++) {
        if (!written[i] && outputs[i].buffer.mem != NULL) {
            return clp_fail(CLPRIMS_ERR_ARGUMENT,
                            "parents: %s.mem is not NULL, but the plan does not write it",
                            outputs[i].name);
        }
        if (!written[i] || outputs[i].n == 0) continue;
        CLP_TRY(clp_array_check(context, "parents", &outputs[i]));
        CLP_TRY(clp_arrays_apart("parents", &outputs[i], &offsets));
        for (size_t k = 0; k < i; k++) {
            CLP_TRY(clp_arrays_apart("parents", &outputs[i], &outputs[k]));
        }
    }
    const clp_array counted = {"segments", run->counted, 1, sizeof(cl_ulong)};
    if (run->counted.mem == NULL) return CLPRIMS_OK;
    CLP_TRY(clp_array_check(context, "parents", &counted));
    for (size_t i = 0; i < OUTPUTS; i++) {
        CLP_TRY(clp_arrays_apart("parents", &counted, &outputs[i]));
    }
    return CLPRIMS_OK;
}

static clprims_status enqueue(clprims_parents *plan, parents_run *run) {
    CLP_TRY(check_sizes("parents", plan, run->n, run->segments));
    CLP_TRY(clp_check_submission(plan->context, "parents", run->queue, run->num_wait, run->wait));
    CLP_TRY(check_buffers(plan, run));
    if (run->n == 0) run->parents = run->indices = (clprims_buffer){NULL, 0};
    return submit(plan, run);
}

static clprims_status check_plan(const clprims_parents *plan, cl_command_queue queue) {
    if (plan != NULL && queue != NULL) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "parents: %s is NULL", plan == NULL ? "plan" : "queue");
}

clprims_status clprims_parents_enqueue(clprims_parents *plan, cl_command_queue queue,
                                       clprims_buffer offsets, clprims_buffer parents,
                                       clprims_buffer local_index, size_t n, size_t segments,
                                       clprims_buffer report, cl_uint num_wait,
                                       const cl_event *wait, cl_event *event) {
    clp_clear_error();
    CLP_TRY(check_plan(plan, queue));
    parents_run run = {.queue = queue,
                       .offsets = offsets,
                       .parents = parents,
                       .indices = local_index,
                       .report = report,
                       .n = n,
                       .segments = segments,
                       .num_wait = num_wait,
                       .wait = wait,
                       .event = event};
    return enqueue(plan, &run);
}

clprims_status clprims_parents_enqueue_counted(clprims_parents *plan, cl_command_queue queue,
                                               clprims_buffer offsets, clprims_buffer parents,
                                               clprims_buffer local_index, size_t n,
                                               clprims_buffer segments, clprims_buffer report,
                                               cl_uint num_wait, const cl_event *wait,
                                               cl_event *event) {
    clp_clear_error();
    CLP_TRY(check_plan(plan, queue));
    CLP_TRY(clp_check_counted("parents", "segments", segments));
    parents_run run = {.queue = queue,
                       .offsets = offsets,
                       .parents = parents,
                       .indices = local_index,
                       .report = report,
                       .n = n,
                       .segments = plan->max_segments,
                       .counted = segments,
                       .num_wait = num_wait,
                       .wait = wait,
                       .event = event};
    return enqueue(plan, &run);
}

clprims_status clprims_parents_check(const clprims_parents_report *report) {
    clp_clear_error();
    if (report == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "parents_check: report is NULL");
    switch (report->fault) {
    case CLPRIMS_PARENTS_VALID:
        return CLPRIMS_OK;
    case CLPRIMS_PARENTS_OFFSETS:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "parents: offsets[%" PRId64 "] is less than the offset before, less than "
                        "0, or beyond the elements",
                        report->index);
    case CLPRIMS_PARENTS_COUNT:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "parents: segments = %" PRIu64
                        ", as read on the device, exceeds max_segments",
                        (uint64_t)report->segments);
    default:
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "parents_check: report.fault = %" PRId64
                        " is none of clprims_parents_fault; was the report read after its event?",
                        report->fault);
    }
}

/* ---- Plain arrays ---- */

static clprims_status check_host(const clprims_parents *plan, const void *offsets,
                                 const void *parents, const void *local_index, size_t n,
                                 size_t segments) {
    const char *lacking = NULL, *surplus = NULL;
    if (parents == NULL && gives_parents(plan) && n > 0) lacking = "parents";
    if (local_index == NULL && gives_indices(plan) && n > 0) lacking = "local_index";
    if (offsets == NULL) lacking = "offsets";
    if (lacking != NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "parents: %s is NULL, with n = %zu and segments = %zu", lacking, n,
                        segments);
    }
    if (parents != NULL && !gives_parents(plan)) surplus = "parents";
    if (local_index != NULL && !gives_indices(plan)) surplus = "local_index";
    if (surplus == NULL) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "parents: %s is not NULL, but the plan does not write it",
                    surplus);
}

/* Elements that are in no segment stay as they are. */
static clprims_status upload(const clprims_parents *plan, const void *host, size_t count,
                             clprims_type type, clprims_buffer *buffer) {
    if (host == NULL || count == 0) return CLPRIMS_OK;
    return clp_upload(plan->context, "parents", host, count * clprims_type_bytes(type),
                      &buffer->mem);
}

static clprims_status download(const clprims_parents *plan, clprims_buffer buffer, void *host,
                               size_t n) {
    if (host == NULL || n == 0) return CLPRIMS_OK;
    return clp_download(plan->context, "parents", buffer.mem, host,
                        n * clprims_type_bytes(plan->type));
}

static clprims_status run_on(const clprims_parents *plan, const void *offsets, void *parents,
                             void *local_index, parents_run *run) {
    clprims_parents_report report;
    CLP_TRY(upload(plan, offsets, run->segments + 1, plan->offsets_type, &run->offsets));
    CLP_TRY(upload(plan, parents, run->n, plan->type, &run->parents));
    CLP_TRY(upload(plan, local_index, run->n, plan->type, &run->indices));
    CLP_TRY(submit(plan, run));
    CLP_TRY(clp_download(plan->context, "parents", plan->report, &report, sizeof report));
    CLP_TRY(clprims_parents_check(&report));
    CLP_TRY(download(plan, run->parents, parents, run->n));
    return download(plan, run->indices, local_index, run->n);
}

clprims_status clprims_parents_run(clprims_parents *plan, const void *offsets, void *parents,
                                   void *local_index, size_t n, size_t segments) {
    clp_clear_error();
    if (plan == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "parents: plan is NULL");
    CLP_TRY(check_sizes("parents", plan, n, segments));
    CLP_TRY(check_host(plan, offsets, parents, local_index, n, segments));
    parents_run run = {.queue = plan->context->queue, .n = n, .segments = segments};
    const clprims_status status = run_on(plan, offsets, parents, local_index, &run);
    const cl_mem mems[] = {run.offsets.mem, run.parents.mem, run.indices.mem};
    clp_release_buffers(mems, sizeof mems / sizeof mems[0]);
    return status;
}
