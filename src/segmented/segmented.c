/* SPDX-License-Identifier: MIT */
/* Segmented: the plan, its runs, the interface; the arguments of a kernel. segmented_plan.h has a
 * map. */
#include "core/status.h"
#include "segmented/segmented_plan.h"

#include <inttypes.h>
#include <string.h>

/* ---- Launches ---- */

void clp_segmented_put_arrays(clp_arguments *a, const clprims_segmented *plan,
                              const clp_segmented_run *run, clprims_buffer heads) {
    const clprims_context *context = plan->head.context;
    const clprims_segmented_buffers *b = &run->buffers;
    const clprims_buffer own_count = {plan->count, 0};
    clp_put_array(a, context, b->in);
    clp_put_array(a, context, heads);
    clp_put_array(a, context, b->out);
    clp_put_array(a, context, b->keys);
    clp_put_buffer(a, b->count.mem != NULL ? b->count : own_count);
    clp_put_report(a, &plan->head, b->report);
}

/* CLP_SEGMENTED_PARAMETERS in cl/segmented/segmented.cl. */
clprims_status clp_segmented_set_arguments(const clprims_segmented *plan, cl_kernel kernel,
                                           const clp_segmented_run *run, cl_uint number) {
    clp_arguments a = {.count = 0};
    const clprims_buffer length = {plan->head.context->blank, run->buffers.sizes.length};
    const bool by_length = plan->spec.by == CLPRIMS_SEGMENTS_EQUAL;
    clp_segmented_put_arrays(&a, plan, run, by_length ? length : run->buffers.heads);
    const bool by_rows = plan->rows != NULL && kernel == plan->rows;
    CLP_PUT(&a, run->n, run->segments,
            clp_segmented_shares(&plan->spec, &plan->shape, run->n, run->segments),
            by_rows ? clp_segmented_rows_of_tile(plan, run) : plan->shape.share);
    clp_put_bytes(&a, plan->spec.what.working_bytes, plan->start);
    clp_put_bytes(&a, plan->spec.result_bytes, plan->empty);
    CLP_PUT(&a, plan->firsts, plan->tails, plan->parts, plan->tickets, run->buffers.n,
            run->buffers.segments);
    if (plan->shape.variant == CLP_SEGMENTED_DIRECT) clp_put_uint(&a, number);
    clp_put_parameters(&a, &plan->head);
    return clp_arguments_set(&a, &plan->head, kernel);
}

static const clp_segmented_launches *launches_of(const clprims_segmented *plan) {
    return clp_segmented_variants[plan->shape.variant].launches;
}

clprims_status clp_segmented_enqueue_steps(const clprims_segmented *plan,
                                           const clp_segmented_run *run, const clp_step *steps,
                                           size_t count) {
    if (run->warms_up) return clp_plan_warm_up(&plan->head, steps, count);
    return clp_plan_enqueue_steps(&plan->head, &run->call, steps, count);
}

/* ---- The plan ---- */

static clprims_status read_texts(clprims_segmented *plan, const clprims_segmented_desc *desc) {
    const bool by_keys = desc->by == CLPRIMS_SEGMENTS_KEYS;
    const bool has_x = !desc->no_input_array;
    const clp_user_text texts[] = {
        {"desc.input", desc->input, has_x ? "x i" : "i", NULL},
        {"desc.equal", desc->equal, "a b", by_keys ? NULL : clp_segments_by_text(desc->by)},
        {"desc.result", desc->result, has_x && !plan->spec.reduces ? "r i x" : "r i", NULL},
        {NULL}};
    return clp_plan_read_texts(&plan->head, texts, &desc->custom, desc->parameters);
}

static clprims_status fill(clp_plan *head, const void *description) {
    clprims_segmented *plan = (clprims_segmented *)head;
    const clprims_segmented_desc *desc = description;
    const clp_segmented_run warm_up = {.warms_up = true};
    clp_segmented_spec *spec = &plan->spec;
    CLP_TRY(clp_segmented_spec_fill(head->context, desc, spec, plan->start, plan->empty));
    CLP_TRY(read_texts(plan, desc));
    spec->what.parameters = &head->parameters;
    CLP_TRY(clp_segmented_shape_choose(head->context, spec, desc->tuning, &plan->shape));
    CLP_TRY(clp_plan_scratch(head, sizeof(cl_ulong), false, &plan->count));
    CLP_TRY(launches_of(plan)->prepare(plan));
    clp_operation_forget_texts(&spec->what);
    spec->equal = NULL;
    return launches_of(plan)->enqueue(plan, &warm_up);
}

static clprims_status check_sizes(const clp_plan *head, const clp_call *call) {
    const clp_segmented_run *run = (const clp_segmented_run *)call;
    return clp_segmented_check_sizes("segmented", &((const clprims_segmented *)head)->spec, run->n,
                                     run->buffers.sizes);
}

/* Drops the arrays that the run does not have. */
static clprims_status submit(clp_plan *head, clp_call *call) {
    clprims_segmented *plan = (clprims_segmented *)head;
    for (size_t k = 0; k < CLP_SEGMENTED_ROWS; k++) {
        if (call->rows[k].n == 0) *call->rows[k].buffer = (clprims_buffer){NULL, 0};
    }
    return launches_of(plan)->enqueue(plan, (const clp_segmented_run *)call);
}

/* Sets the number of elements of each output that a run on plain arrays copies. */
static clprims_status finish(const clp_plan *head, clp_call *call, const void *own) {
    const clp_segmented_spec *spec = &((const clprims_segmented *)head)->spec;
    const clp_segmented_run *run = (const clp_segmented_run *)call;
    const clprims_segmented_report *report = own;
    if (report->fault == CLPRIMS_SEGMENTED_OFFSETS) {
        return clp_fail_offset("segmented", report->index, spec->heads_type, run->arrays.heads,
                               run->n);
    }
    CLP_TRY(clprims_segmented_check(report));
    const size_t found = report->segments < 0 ? 0 : (size_t)report->segments;
    if (run->arrays.count != NULL) *run->arrays.count = found;
    CLP_FAIL_IF(clp_segmented_counts(spec) && found > run->segments, CLPRIMS_ERR_TOO_LARGE,
                "segmented: %zu segments exceed capacity = %zu, the room of the outputs", found,
                run->segments);
    call->rows[CLP_SEGMENTED_OUT].n = clp_segmented_outputs(spec, run->n, found);
    if (spec->unique_keys) call->rows[CLP_SEGMENTED_KEYS].n = found;
    return CLPRIMS_OK;
}

static const clp_plan_kind kind = {CLP_PLAN_KIND(segmented),
                                   .report_bytes = sizeof(clprims_segmented_report),
                                   .fill = fill,
                                   .check_sizes = check_sizes,
                                   .list_arrays = clp_segmented_list_arrays,
                                   .submit = submit,
                                   .finish = finish};

/* ---- The interface ---- */

CLP_PLAN_CREATE(segmented, kind)
CLP_PLAN_SET_PARAMETER(segmented)

clprims_status clprims_segmented_set_init(clprims_segmented *plan, const void *init) {
    CLP_TRY(clp_begin("segmented_set_init", "plan", plan));
    CLP_TRY(clp_given("segmented_set_init", "init", init));
    const clp_segmented_spec *spec = &plan->spec;
    CLP_FAIL_IF(!spec->what.has_start && !spec->what.is_arg, CLPRIMS_ERR_ARGUMENT,
                "segmented_set_init: the plan was created without desc.init");
    if (!spec->what.is_arg) clp_operation_set_start(&spec->what, init, plan->start);
    memcpy(plan->empty, init, spec->result_bytes);
    return CLPRIMS_OK;
}

static clp_segmented_run run_of(const clprims_segmented *plan, const clprims_segmented_buffers *at,
                                size_t n) {
    return (clp_segmented_run){
        .buffers = *at, .n = n, .segments = clp_segmented_segments(&plan->spec, at->sizes, n)};
}

static clprims_status describe(const clprims_segmented *plan, const char *who, size_t n,
                               clprims_segmented_sizes sizes, clprims_segmented_info *info) {
    CLP_TRY(clp_segmented_check_sizes(who, &plan->spec, n, sizes));
    const clprims_segmented_buffers buffers = {.sizes = sizes};
    const clp_segmented_run run = run_of(plan, &buffers, n);
    info->variant = clp_segmented_variants[plan->shape.variant].name;
    launches_of(plan)->describe(plan, &run, info);
    return CLPRIMS_OK;
}

CLP_PLAN_DESCRIBE_SIZED(segmented, describe)

CLP_PLAN_ENQUEUE_AS(segmented, kind, clp_segmented_run, run_of)

clprims_status clprims_segmented_check(const clprims_segmented_report *report) {
    CLP_TRY(clp_begin("segmented_check", "report", report));
    switch (report->fault) {
    case CLPRIMS_SEGMENTED_OFFSETS:
        return clp_fail_offset("segmented", report->index, CLPRIMS_I64, NULL, 0);
    case CLPRIMS_SEGMENTED_EMPTY:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "segmented: segment %" PRId64 " is empty, and the plan has neither an "
                        "initial value nor an identity",
                        report->index);
    case CLPRIMS_SEGMENTED_COUNT:
        return clp_fail_count("segmented", "n", report->index);
    case CLPRIMS_SEGMENTED_SEGMENTS:
        return clp_fail_count("segmented", "segments", report->index);
    default:
        return clp_check_fault("segmented", report->fault);
    }
}

clprims_status clprims_segmented_run_sized(clprims_segmented *plan,
                                           const clprims_segmented_arrays *arrays,
                                           size_t arrays_bytes, size_t n) {
    clp_segmented_run run = {.n = n, .is_plain = true};
    const clprims_segmented_arrays *full = &run.arrays;
    CLP_TRY(clp_plan_take_arrays(plan, &kind, arrays, arrays_bytes, &run.arrays));
    const bool counts = clp_segmented_counts(&plan->spec);
    const size_t segments = clp_segmented_segments(&plan->spec, full->sizes, n);
    if (counts) CLP_TRY(clp_given("segmented", "count", full->count));
    run.segments = counts && n < segments ? n : segments;
    run.buffers.sizes = full->sizes;
    return clp_plan_run(&plan->head, &run.call);
}
