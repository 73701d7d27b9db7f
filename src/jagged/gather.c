/* SPDX-License-Identifier: MIT */
/* Gather: plans, checks, runs. cl/jagged/gather.cl says how it works. */
#include "core/check.h"
#include "core/context.h"
#include "core/launch.h"
#include "core/program.h"
#include "core/tuning.h"
#include "core/type.h"
#include "jagged/jagged_knobs.h"

#include <clprims/gather.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of clp_report in cl/jagged/gather_report.cl. */
enum { REPORT_BYTES = 32 };
_Static_assert(sizeof(clprims_gather_report) == REPORT_BYTES, "kernels write it");

enum { COUNTERS = 2 }; /* of a run; cl/jagged/jagged.cl names them */
enum { VECTOR_BYTES = 16, SERIAL_TILE = 4096 };

struct clprims_gather {
    clprims_context *context;
    size_t type_bytes;
    clprims_type index_type;
    size_t max_n;
    size_t group; /* work-items; 1: they take index after index */
    size_t most_groups;
    size_t vec; /* indices of a vector */
    size_t depth;
    size_t tile; /* indices that a group takes at a time */
    cl_program program;
    cl_kernel kernel;
    cl_mem counters; /* zero between runs */
    cl_mem lowest; /* of each group: the lowest position of an index outside */
    cl_mem report; /* for runs without one */
    size_t scratch_bytes;
};

/* ---- Create ---- */

static clprims_status take_type(const clprims_gather_desc *desc, size_t *bytes) {
    const size_t given = desc->custom.type_bytes;
    *bytes = desc->type == CLPRIMS_STRUCT ? given : clprims_type_bytes(desc->type);
    if (desc->type == CLPRIMS_STRUCT && (given == 0 || given % 4 != 0 || given > VECTOR_BYTES)) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "gather: custom.type_bytes = %zu; it must be 4, 8, 12 or 16", given);
    }
    if (*bytes > 0) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "gather: type = %d is none of clprims_type",
                    (int)desc->type);
}

static clprims_status take_desc(clprims_gather *plan, const clprims_gather_desc *desc) {
    plan->index_type = desc->index_type == CLPRIMS_TYPE_DEFAULT ? CLPRIMS_I64 : desc->index_type;
    if (plan->index_type != CLPRIMS_I64 && plan->index_type != CLPRIMS_I32 &&
        plan->index_type != CLPRIMS_U32) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "gather: index_type = %d (%s) is none of int32, int64, uint32",
                        (int)desc->index_type, clprims_type_name(desc->index_type));
    }
    CLP_TRY(take_type(desc, &plan->type_bytes));
    CLP_TRY(clp_check_max_n("gather", desc->max_n, SIZE_MAX / 32));
    plan->max_n = desc->max_n;
    return CLPRIMS_OK;
}

static clprims_status choose_shape(clprims_gather *plan, const char *tuning) {
    const clp_device *device = &plan->context->device;
    const size_t index_bytes = clprims_type_bytes(plan->index_type), bytes = plan->type_bytes;
    const size_t elements = VECTOR_BYTES / bytes, indices = VECTOR_BYTES / index_bytes;
    clp_knob knobs[CLP_GATHER_KNOBS];
    memcpy(knobs, clp_gather_knobs, sizeof knobs);
    knobs[CLP_GATHER_GROUP].value = device->is_cpu ? 1 : 256;
    if (!device->is_cpu && device->max_group < 256) knobs[CLP_GATHER_GROUP].value = 64;
    knobs[CLP_GATHER_GROUPS].value = 8;
    CLP_TRY(clp_knobs_set(plan->context, "gather", bytes, tuning, knobs, CLP_GATHER_KNOBS));
    plan->group = knobs[CLP_GATHER_GROUP].value;
    plan->most_groups = knobs[CLP_GATHER_GROUPS].value * device->info.compute_units;
    plan->depth = knobs[CLP_GATHER_DEPTH].value;
    plan->vec = elements < indices ? elements : indices;
    /* One group must have a work-item for each index in front of the first vector. */
    if (plan->vec > plan->group) plan->vec = plan->group;
    plan->tile = plan->group == 1 ? SERIAL_TILE : plan->group * plan->depth * plan->vec;
    if (plan->group <= device->max_group) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "gather: GROUP=%zu; \"%s\" takes %zu at most",
                    plan->group, device->info.name, device->max_group);
}

#define PARTS_AROUND(tiles)                                                                        \
    {                                                                                              \
        "jagged/jagged.cl", "jagged/gather_report.cl", "engine/count.cl", "engine/last_group.cl",  \
            "jagged/gather.cl", tiles, "jagged/gather_kernel.cl", NULL                             \
    }

static const char *const serial[] = PARTS_AROUND("jagged/gather_serial.cl");
static const char *const vectors[] = PARTS_AROUND("jagged/gather_vectors.cl");

static clprims_status build(clprims_gather *plan) {
    const bool is_serial = plan->group == 1;
    clp_text prelude = {0};
    clp_text_add(&prelude, "#define CLP_INDEX %s\n", clp_type_text(plan->index_type));
    clp_text_add(&prelude, "#define CLP_E_BYTES %zu\n", plan->type_bytes);
    clp_text_add(&prelude, "#define CLP_EXTRA 0\n#define CLP_GATHER_REPORT_BYTES %d\n",
                 REPORT_BYTES);
    clp_text_add(&prelude, "#define CLP_GROUP %zu\n", plan->group);
    if (is_serial) {
        clp_text_add(&prelude, "#define CLP_GATHER_TILE %zu\n", plan->tile);
    } else {
        clp_text_add(&prelude, "#define CLP_INDEX_BYTES %zu\n#define CLP_VEC %zu\n",
                     clprims_type_bytes(plan->index_type), plan->vec);
        clp_text_add(&prelude, "#define CLP_DEPTH %zu\n", plan->depth);
    }
    const clprims_status status = clp_program_build(plan->context, "gather", &prelude,
                                                    is_serial ? serial : vectors, &plan->program);
    clp_text_free(&prelude);
    CLP_TRY(status);
    return clp_kernel_create(plan->program, "gather", "clp_gather", &plan->kernel);
}

static clprims_status add_scratch(clprims_gather *plan, size_t bytes, bool zeroed, cl_mem *out) {
    CLP_TRY(clp_scratch_create(plan->context, "gather", bytes, zeroed, out));
    plan->scratch_bytes += bytes;
    return CLPRIMS_OK;
}

/* ---- Launches ---- */

/* One run's arguments. */
typedef struct gather_run {
    cl_command_queue queue;
    clprims_buffer index, in, out;
    clprims_buffer report; /* of the plan where the caller has none */
    size_t n;
    size_t length;
    clprims_buffer counted_n, counted_length; /* where they stand; {NULL, 0}: they are the above */
    cl_uint num_wait;
    const cl_event *wait;
    cl_event *event;
} gather_run;

static size_t groups_for(const clprims_gather *plan, size_t n) {
    const size_t groups = n / plan->tile + (n % plan->tile > 0);
    return groups == 0 ? 1 : groups < plan->most_groups ? groups : plan->most_groups;
}

/* Arrays that are not there are not touched, whatever stands in their stead. */
static clprims_status set_arguments(const clprims_gather *plan, const gather_run *run) {
    const clprims_buffer blank = {plan->context->blank, 0}, own = {plan->report, 0};
    const clprims_buffer index = run->n > 0 ? run->index : blank,
                         in = run->n > 0 && run->length > 0 ? run->in : blank,
                         out = run->n > 0 ? run->out : blank,
                         report = run->report.mem != NULL ? run->report : own;
    const cl_ulong index_first = index.first, in_first = in.first, out_first = out.first,
                   report_first = report.first, n = run->n, length = run->length,
                   n_first = run->counted_n.first, length_first = run->counted_length.first;
    const clp_argument arguments[] = {
        CLP_ARGUMENT(index.mem),
        CLP_ARGUMENT(index_first),
        CLP_ARGUMENT(in.mem),
        CLP_ARGUMENT(in_first),
        CLP_ARGUMENT(out.mem),
        CLP_ARGUMENT(out_first),
        CLP_ARGUMENT(report.mem),
        CLP_ARGUMENT(report_first),
        CLP_ARGUMENT(n),
        CLP_ARGUMENT(length),
        CLP_ARGUMENT(plan->counters),
        CLP_ARGUMENT(plan->lowest),
        CLP_ARGUMENT(run->counted_n.mem),
        CLP_ARGUMENT(n_first),
        CLP_ARGUMENT(run->counted_length.mem),
        CLP_ARGUMENT(length_first),
    };
    return clp_kernel_arguments(plan->kernel, "gather", arguments,
                                sizeof arguments / sizeof arguments[0]);
}

static clprims_status submit(const clprims_gather *plan, const gather_run *run) {
    const clp_step step = {plan->kernel, groups_for(plan, run->n), plan->group};
    CLP_TRY(set_arguments(plan, run));
    return clp_steps_enqueue(run->queue, "gather", &step, 1, run->num_wait, run->wait, run->event);
}

static clprims_status warm_up(const clprims_gather *plan) {
    const gather_run run = {.n = 0};
    const clp_step step = {plan->kernel, 1, plan->group};
    CLP_TRY(set_arguments(plan, &run));
    return clp_steps_warm_up(plan->context, "gather", &step, 1);
}

/* ---- Plans ---- */

static clprims_status fill_plan(clprims_gather *plan, const clprims_gather_desc *desc) {
    CLP_TRY(take_desc(plan, desc));
    CLP_TRY(choose_shape(plan, desc->tuning));
    CLP_TRY(build(plan));
    CLP_TRY(add_scratch(plan, COUNTERS * sizeof(cl_uint), true, &plan->counters));
    CLP_TRY(
        add_scratch(plan, groups_for(plan, plan->max_n) * sizeof(cl_ulong), false, &plan->lowest));
    CLP_TRY(add_scratch(plan, sizeof(clprims_gather_report), false, &plan->report));
    return warm_up(plan);
}

static const clp_layout desc_layout =
    CLP_LAYOUT_AROUND(clprims_gather_desc, max_n, custom, "CLPRIMS_GATHER_DESC_INIT");

clprims_status clprims_gather_create(clprims_gather **out, clprims_context *context,
                                     const clprims_gather_desc *desc) {
    clp_clear_error();
    if (out == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "gather: out is NULL");
    *out = NULL;
    clprims_gather_desc full = CLPRIMS_GATHER_DESC_INIT;
    CLP_TRY(clp_take_desc("gather", context, &desc_layout, desc, &full));
    clprims_gather *plan = calloc(1, sizeof *plan);
    if (plan == NULL) {
        return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "gather: no host memory for a plan");
    }
    plan->context = context;
    const clprims_status status = fill_plan(plan, &full);
    if (status != CLPRIMS_OK) {
        clprims_gather_destroy(plan);
        return status;
    }
    *out = plan;
    return CLPRIMS_OK;
}

void clprims_gather_destroy(clprims_gather *plan) {
    if (plan == NULL) return;
    const cl_mem mems[] = {plan->counters, plan->lowest, plan->report};
    clp_release_buffers(mems, sizeof mems / sizeof mems[0]);
    clp_release_kernels(&plan->kernel, 1);
    if (plan->program != NULL) clReleaseProgram(plan->program);
    free(plan);
}

static const clp_layout info_layout =
    CLP_LAYOUT(clprims_gather_info, groups, "CLPRIMS_GATHER_INFO_INIT");

clprims_status clprims_gather_describe(const clprims_gather *plan, size_t n,
                                       clprims_gather_info *info) {
    clp_clear_error();
    if (plan == NULL || info == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "gather_describe: %s is NULL",
                        plan == NULL ? "plan" : "info");
    }
    CLP_TRY(clp_check_n("gather_describe", n, plan->max_n));
    const clprims_gather_info full = {.group = plan->group,
                                      .groups = groups_for(plan, n),
                                      .tile = plan->tile,
                                      .scratch_bytes = plan->scratch_bytes,
                                      .variant = plan->group == 1 ? "serial" : "vectors"};
    return clp_struct_give("gather_describe", "info", &info_layout, &full, info);
}

/* ---- Enqueue ---- */

static clprims_status check_counted(const clprims_gather *plan, const gather_run *run) {
    const clp_array written[] = {{"out", run->out, run->n, plan->type_bytes},
                                 {"report", run->report, 1, sizeof(clprims_gather_report)}};
    const clp_array counted[] = {{"counted_n", run->counted_n, 1, sizeof(cl_ulong)},
                                 {"counted_length", run->counted_length, 1, sizeof(cl_ulong)}};
    for (size_t i = 0; i < 2; i++) {
        if (counted[i].buffer.mem == NULL) continue;
        CLP_TRY(clp_array_check(plan->context, "gather", &counted[i]));
        CLP_TRY(clp_arrays_apart("gather", &counted[i], &written[0]));
        CLP_TRY(clp_arrays_apart("gather", &counted[i], &written[1]));
    }
    return CLPRIMS_OK;
}

static clprims_status check_buffers(const clprims_gather *plan, const gather_run *run) {
    const clprims_context *context = plan->context;
    const clp_array arrays[] = {{"out", run->out, run->n, plan->type_bytes},
                                {"index", run->index, run->n, clprims_type_bytes(plan->index_type)},
                                {"in", run->in, run->length, plan->type_bytes}};
    const size_t count = run->n == 0 ? 0 : run->length == 0 ? 2 : 3;
    for (size_t i = 0; i < count; i++) {
        CLP_TRY(clp_array_check(context, "gather", &arrays[i]));
        if (i > 0) CLP_TRY(clp_arrays_apart("gather", &arrays[i], &arrays[0]));
    }
    CLP_TRY(clp_report_check(context, "gather", run->report, sizeof(clprims_gather_report), arrays,
                             count));
    return check_counted(plan, run);
}

static clprims_status enqueue(const clprims_gather *plan, const gather_run *run) {
    clp_clear_error();
    if (plan == NULL || run->queue == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "gather: %s is NULL",
                        plan == NULL ? "plan" : "queue");
    }
    CLP_TRY(clp_check_n("gather", run->n, plan->max_n));
    CLP_TRY(clp_check_submission(plan->context, "gather", run->queue, run->num_wait, run->wait));
    CLP_TRY(check_buffers(plan, run));
    return submit(plan, run);
}

clprims_status clprims_gather_enqueue(clprims_gather *plan, cl_command_queue queue,
                                      clprims_buffer index, clprims_buffer in, clprims_buffer out,
                                      size_t n, size_t length, clprims_buffer report,
                                      cl_uint num_wait, const cl_event *wait, cl_event *event) {
    const gather_run run = {.queue = queue,
                            .index = index,
                            .in = in,
                            .out = out,
                            .report = report,
                            .n = n,
                            .length = length,
                            .num_wait = num_wait,
                            .wait = wait,
                            .event = event};
    return enqueue(plan, &run);
}

clprims_status clprims_gather_enqueue_counted(clprims_gather *plan, cl_command_queue queue,
                                              clprims_buffer index, clprims_buffer in,
                                              clprims_buffer out, size_t n, size_t length,
                                              clprims_buffer counted_n,
                                              clprims_buffer counted_length, clprims_buffer report,
                                              cl_uint num_wait, const cl_event *wait,
                                              cl_event *event) {
    const gather_run run = {.queue = queue,
                            .index = index,
                            .in = in,
                            .out = out,
                            .report = report,
                            .n = n,
                            .length = length,
                            .counted_n = counted_n,
                            .counted_length = counted_length,
                            .num_wait = num_wait,
                            .wait = wait,
                            .event = event};
    return enqueue(plan, &run);
}

clprims_status clprims_gather_check(const clprims_gather_report *report) {
    clp_clear_error();
    if (report == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "gather_check: report is NULL");
    switch (report->fault) {
    case CLPRIMS_GATHER_VALID:
        return CLPRIMS_OK;
    case CLPRIMS_GATHER_INDEX:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "gather: index[%" PRId64 "] = %" PRId64
                        " is outside of the elements, the first that is",
                        report->position, report->index);
    case CLPRIMS_GATHER_COUNT:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "gather: n = %" PRIu64 ", as read on the device, exceeds that of the call",
                        (uint64_t)report->count);
    case CLPRIMS_GATHER_LENGTH:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "gather: length = %" PRIu64
                        ", as read on the device, exceeds that of the call",
                        (uint64_t)report->count);
    default:
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "gather_check: report.fault = %" PRId64
                        " is none of clprims_gather_fault; was the report read after its event?",
                        report->fault);
    }
}

/* ---- Plain arrays ---- */

static clprims_status run_on(const clprims_gather *plan, const void *index, const void *in,
                             void *out, gather_run *run) {
    const clprims_context *context = plan->context;
    const size_t bytes = run->n * plan->type_bytes;
    clprims_gather_report report;
    if (run->n > 0) {
        CLP_TRY(clp_upload(context, "gather", index, run->n * clprims_type_bytes(plan->index_type),
                           &run->index.mem));
        CLP_TRY(clp_upload(context, "gather", NULL, bytes, &run->out.mem));
    }
    if (run->n > 0 && run->length > 0) {
        CLP_TRY(clp_upload(context, "gather", in, run->length * plan->type_bytes, &run->in.mem));
    }
    CLP_TRY(submit(plan, run));
    CLP_TRY(clp_download(context, "gather", plan->report, &report, sizeof report));
    CLP_TRY(clprims_gather_check(&report));
    if (run->n == 0) return CLPRIMS_OK;
    return clp_download(context, "gather", run->out.mem, out, bytes);
}

clprims_status clprims_gather_run(clprims_gather *plan, const void *index, const void *in,
                                  void *out, size_t n, size_t length) {
    clp_clear_error();
    if (plan == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "gather: plan is NULL");
    CLP_TRY(clp_check_n("gather", n, plan->max_n));
    if (n > 0 && (index == NULL || out == NULL || (in == NULL && length > 0))) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "gather: %s is NULL, with n = %zu and length = %zu",
                        index == NULL ? "index"
                        : out == NULL ? "out"
                                      : "in",
                        n, length);
    }
    gather_run run = {.queue = plan->context->queue, .n = n, .length = length};
    const clprims_status status = run_on(plan, index, in, out, &run);
    const cl_mem mems[] = {run.index.mem, run.in.mem, run.out.mem};
    clp_release_buffers(mems, sizeof mems / sizeof mems[0]);
    return status;
}
