/* SPDX-License-Identifier: MIT */
/* Select: the plan, its runs, the interface. cl/select/select.cl says how it works. */
#include "core/status.h"
#include "select/select_plan.h"

#include <inttypes.h>
#include <string.h>

/* ---- Launches ---- */

/* The same decision with no result but the count. */
static clp_select_spec counter_spec(const clprims_select *plan) {
    clp_select_spec spec = plan->spec;
    spec.partition = spec.values = false;
    spec.arrays = clp_select_has_flags(&spec) ? 0 : 1;
    return spec;
}

/* An array that has elements, or none. */
static void put_row(clp_arguments *a, const clprims_context *context, const clp_run_array *row) {
    const clprims_buffer none = {NULL, 0};
    clp_put_array(a, context, row->n > 0 ? *row->buffer : none);
}

/* Runs one of the plan's passes over `arrays` arrays. */
static clprims_status enqueue_pass(clprims_select *plan, clp_pass *pass, size_t arrays,
                                   const clp_run_array *rows, size_t capacity,
                                   const clp_pass_run *run) {
    const clprims_context *context = plan->head.context;
    clp_arguments a = {.count = 0};
    const bool is_text = plan->spec.stores_text; /* in the place of indices */
    for (size_t k = 0; k < arrays; k++) {
        put_row(&a, context, &rows[CLP_SELECT_IN + k]);
        put_row(&a, context, &rows[is_text ? CLP_SELECT_INDICES : CLP_SELECT_OUT + k]);
    }
    put_row(&a, context, &rows[CLP_SELECT_FLAGS]);
    put_row(&a, context, &rows[is_text ? CLP_SELECT_OUT : CLP_SELECT_INDICES]);
    put_row(&a, context, &rows[CLP_SELECT_LENGTHS]);
    CLP_PUT(&a, *rows[CLP_SELECT_COUNT].buffer, plan->total, capacity, run->n);
    return clp_pass_enqueue(pass, &a, run);
}

/* Launches the plan's kernels once. */
static clprims_status warm_up(clprims_select *plan) {
    clp_select_run nothing = {.buffers = {.count = {plan->counted, 0}}};
    const clp_pass_run run = {.warms_up = true};
    clp_run_array rows[CLP_SELECT_ROWS];
    clp_select_list_arrays(&plan->head, &nothing.call, rows);
    if (plan->spec.partition) {
        CLP_TRY(enqueue_pass(plan, &plan->counter, counter_spec(plan).arrays, rows, 0, &run));
    }
    return enqueue_pass(plan, &plan->pass, plan->spec.arrays, rows, 0, &run);
}

/* Counts, then partitions. */
static clprims_status enqueue_partition(clprims_select *plan, const clp_run_array *rows,
                                        const clp_pass_run *run) {
    const clp_call *call = &run->call;
    cl_event counted = NULL;
    clprims_buffer total = {plan->total, 0};
    clp_run_array only[CLP_SELECT_ROWS];
    clp_pass_run first = *run, second = *run;
    memcpy(only, rows, sizeof only);
    only[CLP_SELECT_COUNT].buffer = &total;
    first.call.event = &counted;
    CLP_TRY(enqueue_pass(plan, &plan->counter, counter_spec(plan).arrays, only, 0, &first));
    second.call.num_wait = 1;
    second.call.wait = &counted;
    const clprims_status status =
        enqueue_pass(plan, &plan->pass, plan->spec.arrays, rows, run->n, &second);
    if (status != CLPRIMS_OK) clp_steps_abandon(call->queue, counted, call->num_wait, call->wait);
    clReleaseEvent(counted);
    return status;
}

/* ---- The plan ---- */

static clprims_status prepare_counter(clprims_select *plan, const clp_pass_need *need) {
    const clp_select_spec spec = counter_spec(plan);
    clp_pass_need own = clp_select_need(&spec, plan->head.context, NULL);
    own.is_auto = need->is_auto;
    CLP_TRY(clp_pass_prepare(&plan->counter, &plan->head, &own));
    return clp_plan_scratch(&plan->head, sizeof(cl_ulong), true, &plan->total);
}

static clprims_status fill(clp_plan *head, const void *description) {
    clprims_select *plan = (clprims_select *)head;
    const clprims_select_desc *desc = description;
    clp_select_spec *spec = &plan->spec;
    CLP_TRY(clp_select_spec_fill(head->context, desc, spec));
    CLP_TRY(clp_select_read_texts(head, desc));
    spec->parameters = &head->parameters;
    clp_pass_need need = clp_select_need(spec, head->context, desc->tuning);
    need.is_auto = desc->algorithm == CLPRIMS_ALGORITHM_AUTO;
    CLP_TRY(clp_pass_prepare(&plan->pass, head, &need));
    if (spec->partition) CLP_TRY(prepare_counter(plan, &need));
    CLP_TRY(clp_plan_scratch(head, sizeof(cl_ulong), true, &plan->counted));
    spec->custom = (clprims_custom){0};
    spec->predicate = spec->equal = spec->result = NULL;
    return warm_up(plan);
}

static clprims_status check_sizes(const clp_plan *head, const clp_call *call) {
    const clp_select_spec *spec = &((const clprims_select *)head)->spec;
    const clp_select_run *run = (const clp_select_run *)call;
    CLP_TRY(clp_check_n("select", run->n, spec->max_n));
    const size_t capacity = run->buffers.sizes.capacity;
    if (!spec->partition || run->arrays.count == NULL || capacity >= run->n) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "select: capacity = %zu; a partition of n = %zu needs room for all", capacity,
                    run->n);
}

static clprims_status submit(clp_plan *head, clp_call *call) {
    clprims_select *plan = (clprims_select *)head;
    const clp_select_run *run = (const clp_select_run *)call;
    const clp_pass_run pass_run = {.call = *call, .n = run->n, .counted = run->buffers.n};
    CLP_TRY(clp_select_check_in_place(&plan->spec, call->rows));
    if (plan->spec.partition) return enqueue_partition(plan, call->rows, &pass_run);
    return enqueue_pass(plan, &plan->pass, plan->spec.arrays, call->rows,
                        run->buffers.sizes.capacity, &pass_run);
}

/* Sets the number of elements of each output that a run on plain arrays copies. */
static clprims_status finish(const clp_plan *head, clp_call *call, const void *report) {
    const clprims_select *plan = (const clprims_select *)head;
    const clp_select_run *run = (const clp_select_run *)call;
    const clp_select_spec *spec = &plan->spec;
    const size_t capacity = run->buffers.sizes.capacity;
    cl_ulong kept = 0;
    (void)report;
    CLP_TRY(clp_download(head->context, "select", plan->counted, &kept, sizeof kept));
    *run->arrays.count = (size_t)kept;
    CLP_FAIL_IF(clp_select_has_outputs(spec) && !spec->partition && kept > capacity,
                CLPRIMS_ERR_TOO_LARGE,
                "select: %zu elements are kept, more than capacity = %zu; give more room",
                *run->arrays.count, capacity);
    for (size_t k = CLP_SELECT_OUT; k <= CLP_SELECT_LENGTHS; k++) {
        const bool is_all = spec->partition && k < CLP_SELECT_INDICES;
        if (!is_all && call->rows[k].n > 0) call->rows[k].n = (size_t)kept;
    }
    return CLPRIMS_OK;
}

static const clp_plan_kind kind = {
    CLP_PLAN_KIND(select),      .fill = fill,
    .check_sizes = check_sizes, .list_arrays = clp_select_list_arrays,
    .submit = submit,           .finish = finish};

/* ---- The interface ---- */

CLP_PLAN_CREATE(select, kind)
CLP_PLAN_SET_PARAMETER(select)

static clprims_status describe(const clprims_select *plan, const char *who, size_t n,
                               clprims_select_info *info) {
    CLP_TRY(clp_check_n(who, n, plan->spec.max_n));
    const clp_shape *shape = &clp_pass_choose_kernel(&plan->pass, n)->shape;
    info->algorithm = plan->spec.algorithm;
    info->group = shape->group;
    info->tile = shape->tile;
    info->variant = clp_variants[shape->variant].name;
    return CLPRIMS_OK;
}

CLP_PLAN_DESCRIBE(select, describe)

clprims_status clprims_select_enqueue_sized(clprims_select *plan, cl_command_queue queue,
                                            const clprims_select_buffers *buffers,
                                            size_t buffers_bytes, size_t n, cl_uint num_wait,
                                            const cl_event *wait, cl_event *event) {
    clp_select_run run = {.call = {queue, num_wait, wait, event, NULL}, .n = n};
    CLP_TRY(clp_plan_take_buffers(plan, &kind, buffers, buffers_bytes, &run.buffers));
    size_t *const capacity = &run.buffers.sizes.capacity;
    if (*capacity == 0 || n == 0) *capacity = n;
    return clp_plan_enqueue(&plan->head, &run.call);
}

clprims_status clprims_select_check(const uint64_t *count) {
    CLP_TRY(clp_begin("select_check", "count", count));
    if (*count != CLPRIMS_SELECT_REFUSED) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_DATA,
                    "select: count = %" PRIu64
                    ": the number of elements, as read on the device, exceeds n of the call",
                    *count);
}

clprims_status clprims_select_run_sized(clprims_select *plan, const clprims_select_arrays *arrays,
                                        size_t arrays_bytes, size_t n) {
    clp_select_run run = {.n = n};
    CLP_TRY(clp_plan_take_arrays(plan, &kind, arrays, arrays_bytes, &run.arrays));
    run.buffers.count.mem = plan->counted;
    CLP_TRY(clp_given("select", "count", run.arrays.count));
    *run.arrays.count = 0;
    const size_t capacity = run.arrays.sizes.capacity;
    run.buffers.sizes.capacity = capacity == 0 || capacity > n ? n : capacity;
    return clp_plan_run(&plan->head, &run.call);
}
