/* SPDX-License-Identifier: MIT */
/* Gather: plans, checks, runs. cl/jagged/gather.cl says how it works. */
#include "core/tuning.h"
#include "core/type.h"
#include "jagged/jagged_knobs.h"
#include "plan/plan_arguments.h"

#include <clprims/gather.h>
#include <inttypes.h>
#include <string.h>

/* Of clp_report in cl/jagged/gather_report.cl. */
enum { REPORT_BYTES = 32 };
_Static_assert(sizeof(clprims_gather_report) == REPORT_BYTES, "kernels write it");

enum { COUNTERS = 2 }; /* of a run; cl/jagged/jagged.cl names them */
enum { VECTOR_BYTES = 16, SERIAL_TILE = 4096 };

struct clprims_gather {
    clp_plan head;
    size_t type_bytes;
    clprims_type index_type;
    size_t max_n;
    size_t group; /* work-items; 1: they take index after index */
    size_t most_groups;
    size_t vec; /* indices of a vector */
    size_t depth;
    size_t tile; /* indices that a group takes at a time */
    cl_kernel kernel;
    cl_mem counters; /* zero between runs */
    cl_mem lowest; /* of each group: the lowest position of an index outside */
};

/* ---- Create ---- */

static clprims_status take_type(const clprims_gather_desc *desc, size_t *bytes) {
    const bool is_struct = desc->type == CLPRIMS_STRUCT;
    *bytes = is_struct ? desc->custom.type_bytes : clprims_type_bytes(desc->type);
    if (is_struct) return clp_check_struct_bytes("gather", &desc->custom);
    if (*bytes > 0) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "gather: type = %d is not a value of clprims_type",
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

enum { MOST_HELD = 64 }; /* bytes of elements that a work-item has in registers */

static clprims_status choose_shape(clprims_gather *plan, const char *tuning) {
    const clp_device *device = &plan->head.context->device;
    const size_t index_bytes = clprims_type_bytes(plan->index_type), bytes = plan->type_bytes;
    const size_t indices = VECTOR_BYTES / index_bytes;
    size_t elements = 1; /* of a vector: as many as one access stores */
    while (VECTOR_BYTES % (2 * elements * bytes) == 0) elements *= 2;
    clp_knob knobs[CLP_GATHER_KNOBS];
    memcpy(knobs, clp_gather_knobs, sizeof knobs);
    knobs[CLP_GATHER_GROUP].value = device->is_cpu ? 1 : 256;
    if (!device->is_cpu && device->max_group < 256) knobs[CLP_GATHER_GROUP].value = 64;
    knobs[CLP_GATHER_GROUPS].value = 8;
    while (knobs[CLP_GATHER_DEPTH].value * bytes > MOST_HELD && knobs[CLP_GATHER_DEPTH].value > 1) {
        knobs[CLP_GATHER_DEPTH].value /= 2;
    }
    CLP_TRY(clp_knobs_set(plan->head.context, "gather", bytes, tuning, knobs, CLP_GATHER_KNOBS));
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
    clp_text_add_moved(&prelude, "clp_gathered", plan->type_bytes);
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
    cl_program program;
    CLP_TRY(clp_plan_build(&plan->head, &prelude, is_serial ? serial : vectors, 0, &program));
    return clp_plan_kernel(&plan->head, program, "clp_gather", &plan->kernel);
}

/* ---- Launches ---- */

/* One run's arguments. */
typedef struct gather_run {
    clp_call call;
    clprims_gather_buffers buffers;
    size_t n;
} gather_run;

static size_t groups_for(const clprims_gather *plan, size_t n) {
    const size_t groups = n / plan->tile + (n % plan->tile > 0);
    return groups == 0 ? 1 : groups < plan->most_groups ? groups : plan->most_groups;
}

static clprims_status set_arguments(const clprims_gather *plan, const gather_run *run) {
    const clprims_context *context = plan->head.context;
    const clprims_gather_buffers *at = &run->buffers;
    const clprims_buffer none = {NULL, 0};
    clp_arguments a = {.count = 0};
    clp_put_array(&a, context, run->n > 0 ? at->index : none);
    clp_put_array(&a, context, run->n > 0 && at->sizes.length > 0 ? at->in : none);
    clp_put_array(&a, context, run->n > 0 ? at->out : none);
    clp_put_report(&a, &plan->head, at->report);
    clp_put_value(&a, run->n);
    clp_put_value(&a, at->sizes.length);
    clp_put_mem(&a, plan->counters);
    clp_put_mem(&a, plan->lowest);
    clp_put_buffer(&a, at->n);
    clp_put_buffer(&a, at->length);
    return clp_arguments_set(&a, &plan->head, plan->kernel);
}

static clprims_status submit(clp_plan *head, clp_call *call, const clp_run_array *rows) {
    const clprims_gather *plan = (const clprims_gather *)head;
    const gather_run *run = (const gather_run *)call;
    const clp_step step = {plan->kernel, groups_for(plan, run->n), plan->group};
    (void)rows;
    CLP_TRY(set_arguments(plan, run));
    return clp_plan_enqueue_steps(head, call, &step, 1);
}

static clprims_status warm_up(const clprims_gather *plan) {
    const gather_run run = {.n = 0};
    const clp_step step = {plan->kernel, 1, plan->group};
    CLP_TRY(set_arguments(plan, &run));
    return clp_plan_warm_up(&plan->head, &step, 1);
}

/* ---- The plan ---- */

enum { OUT, INDEX, IN, N, LENGTH, REPORT, ARRAYS };

static size_t list_arrays(const clp_plan *head, clp_call *call, clp_run_array *rows) {
    const clprims_gather *plan = (const clprims_gather *)head;
    gather_run *run = (gather_run *)call;
    const size_t index_bytes = clprims_type_bytes(plan->index_type);
    clprims_gather_buffers *at = &run->buffers;
    const size_t length = run->n > 0 ? at->sizes.length : 0;
    rows[OUT] = clp_written_row("out", &at->out, run->n, plan->type_bytes);
    rows[INDEX] = clp_read_row("index", &at->index, run->n, index_bytes);
    rows[IN] = clp_read_row("in", &at->in, length, plan->type_bytes);
    rows[N] = clp_count_row("n", &at->n);
    rows[LENGTH] = clp_count_row("length", &at->length);
    rows[REPORT] = clp_report_row(&at->report, sizeof(clprims_gather_report));
    return ARRAYS;
}

static clprims_status check_sizes(const clp_plan *head, const clp_call *call) {
    return clp_check_n("gather", ((const gather_run *)call)->n,
                       ((const clprims_gather *)head)->max_n);
}

static clprims_status finish(const clp_plan *head, clp_call *call, const void *report,
                             clp_run_array *rows) {
    (void)head, (void)call, (void)rows;
    return clprims_gather_check(report);
}

static clprims_status fill(clp_plan *head, const void *description) {
    clprims_gather *plan = (clprims_gather *)head;
    const clprims_gather_desc *desc = description;
    CLP_TRY(take_desc(plan, desc));
    CLP_TRY(choose_shape(plan, desc->tuning));
    CLP_TRY(build(plan));
    CLP_TRY(clp_plan_scratch(head, COUNTERS * sizeof(cl_uint), true, &plan->counters));
    CLP_TRY(clp_plan_scratch(head, groups_for(plan, plan->max_n) * sizeof(cl_ulong), false,
                             &plan->lowest));
    return warm_up(plan);
}

static const clp_plan_kind kind = {.name = "gather",
                                   .bytes = sizeof(clprims_gather),
                                   .desc_bytes = sizeof(clprims_gather_desc),
                                   .report_bytes = sizeof(clprims_gather_report),
                                   .fill = fill,
                                   .check_sizes = check_sizes,
                                   .list_arrays = list_arrays,
                                   .submit = submit,
                                   .finish = finish};

/* ---- The interface ---- */

clprims_status clprims_gather_create_sized(clprims_gather **out, clprims_context *context,
                                           const clprims_gather_desc *desc, size_t desc_bytes) {
    clprims_gather_desc full;
    return clp_plan_create(out, context, &kind, desc, desc_bytes, &full);
}

void clprims_gather_destroy(clprims_gather *plan) {
    clp_plan_destroy(plan);
}

clprims_status clprims_gather_describe_sized(const clprims_gather *plan, size_t n,
                                             clprims_gather_sizes sizes, clprims_gather_info *info,
                                             size_t info_bytes) {
    (void)sizes;
    CLP_TRY(clp_begin("gather_describe", "plan", plan));
    CLP_TRY(clp_check_n("gather_describe", n, plan->max_n));
    const clprims_gather_info full = {.group = plan->group,
                                      .groups = groups_for(plan, n),
                                      .tile = plan->tile,
                                      .scratch_bytes = plan->head.scratch_bytes,
                                      .variant = plan->group == 1 ? "serial" : "vectors"};
    return clp_give("gather_describe", "info", &full, sizeof full, info, info_bytes);
}

clprims_status clprims_gather_enqueue_sized(clprims_gather *plan, cl_command_queue queue,
                                            const clprims_gather_buffers *buffers,
                                            size_t buffers_bytes, size_t n, cl_uint num_wait,
                                            const cl_event *wait, cl_event *event) {
    CLP_TRY(clp_begin("gather", "plan", plan));
    gather_run run = {.call = {queue, num_wait, wait, event}, .n = n};
    CLP_TRY(
        clp_take("gather", "buffers", buffers, buffers_bytes, &run.buffers, sizeof run.buffers));
    return clp_plan_enqueue(&plan->head, &run.call);
}

clprims_status clprims_gather_check(const clprims_gather_report *report) {
    CLP_TRY(clp_begin("gather_check", "report", report));
    switch (report->fault) {
    case CLPRIMS_GATHER_VALID:
        return CLPRIMS_OK;
    case CLPRIMS_GATHER_INDEX:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "gather: index[%" PRId64 "] = %" PRId64
                        " is outside of the elements, the first that is",
                        report->position, report->index);
    case CLPRIMS_GATHER_COUNT:
        return clp_fail_count("gather", report->count);
    case CLPRIMS_GATHER_LENGTH:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "gather: length = %" PRIu64
                        ", as read on the device, exceeds that of the call",
                        (uint64_t)report->count);
    default:
        return clp_fail_fault("gather", report->fault);
    }
}

clprims_status clprims_gather_run_sized(clprims_gather *plan, const clprims_gather_arrays *arrays,
                                        size_t arrays_bytes, size_t n) {
    clprims_gather_arrays full;
    CLP_TRY(clp_begin("gather", "plan", plan));
    CLP_TRY(clp_take("gather", "arrays", arrays, arrays_bytes, &full, sizeof full));
    gather_run run = {.buffers.sizes = full.sizes, .n = n};
    const clp_host_array hosts[ARRAYS] = {
        [OUT] = {.to = full.out}, [INDEX] = {full.index}, [IN] = {full.in}};
    return clp_plan_run(&plan->head, &run.call, hosts);
}
