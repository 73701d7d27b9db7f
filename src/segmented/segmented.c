/* SPDX-License-Identifier: MIT */
/* Segmented: create, describe, destroy; the checks of a call; the arguments of a kernel.
 * segmented_plan.h has a map. */
#include "core/check.h"
#include "core/program.h"
#include "segmented/segmented_plan.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- Launches ---- */

enum { ARGUMENTS = 27 }; /* of CLP_SEGMENTED_PARAMETERS in cl/segmented/segmented.cl */

clprims_status clp_segmented_set_arguments(const clprims_segmented *plan, cl_kernel kernel,
                                           const clp_segmented_run *run, cl_uint number) {
    const clprims_segmented_buffers *b = &run->buffers;
    const cl_ulong in_first = b->in.first, heads_first = b->heads.first, out_first = b->out.first,
                   keys_first = b->keys.first, count_first = b->count.first,
                   report_first = b->report.first, n = run->n, segments = run->segments,
                   shares = clp_segmented_shares(&plan->spec, &plan->shape, run->n, run->segments),
                   share = plan->shape.share, counted_first = run->counted.first,
                   counted_segments_first = run->counted_segments.first;
    clp_argument arguments[ARGUMENTS + 1 + CLP_MOST_PARAMETERS] = {
        CLP_ARGUMENT(b->in.mem),
        CLP_ARGUMENT(in_first),
        CLP_ARGUMENT(b->heads.mem),
        CLP_ARGUMENT(heads_first),
        CLP_ARGUMENT(b->out.mem),
        CLP_ARGUMENT(out_first),
        CLP_ARGUMENT(b->keys.mem),
        CLP_ARGUMENT(keys_first),
        CLP_ARGUMENT(b->count.mem),
        CLP_ARGUMENT(count_first),
        CLP_ARGUMENT(b->report.mem),
        CLP_ARGUMENT(report_first),
        CLP_ARGUMENT(n),
        CLP_ARGUMENT(segments),
        CLP_ARGUMENT(shares),
        CLP_ARGUMENT(share),
        {plan->spec.what.working_bytes, plan->start},
        {plan->spec.result_bytes, plan->empty},
        CLP_ARGUMENT(plan->firsts),
        CLP_ARGUMENT(plan->tails),
        CLP_ARGUMENT(plan->parts),
        CLP_ARGUMENT(plan->lane_heads),
        CLP_ARGUMENT(plan->tickets),
        CLP_ARGUMENT(run->counted.mem),
        CLP_ARGUMENT(counted_first),
        CLP_ARGUMENT(run->counted_segments.mem),
        CLP_ARGUMENT(counted_segments_first)};
    size_t count = ARGUMENTS;
    if (plan->shape.variant == CLP_SEGMENTED_DIRECT)
        arguments[count++] = (clp_argument)CLP_ARGUMENT(number);
    clp_parameters_append(&plan->parameters, &plan->context->blank, arguments, &count);
    return clp_kernel_arguments(kernel, "segmented", arguments, (cl_uint)count);
}

/* Fills in buffers for arrays that a run does not have: its kernels do not touch them. */
static void fill_in(const clprims_segmented *plan, clprims_segmented_buffers *b) {
    const clprims_buffer blank = {plan->context->blank, 0};
    clprims_buffer *const optional[] = {&b->in, &b->heads, &b->out, &b->keys};
    for (size_t i = 0; i < sizeof optional / sizeof optional[0]; i++) {
        if (optional[i]->mem == NULL) *optional[i] = blank;
    }
    if (b->report.mem == NULL) b->report = (clprims_buffer){plan->report, 0};
    if (b->count.mem == NULL) b->count = (clprims_buffer){plan->count, 0};
}

static const clp_segmented_launches *launches_of(const clprims_segmented *plan) {
    return clp_segmented_variants[plan->shape.variant].launches;
}

clprims_status clp_segmented_enqueue_steps(const clprims_segmented *plan,
                                           const clp_segmented_run *run, const clp_step *steps,
                                           size_t count) {
    if (run->warms_up) return clp_steps_warm_up(plan->context, "segmented", steps, count);
    return clp_steps_enqueue(run->queue, "segmented", steps, count, run->num_wait, run->wait,
                             run->event);
}

clprims_status clp_segmented_submit(clprims_segmented *plan, const clp_segmented_run *run) {
    clp_segmented_run full = *run;
    fill_in(plan, &full.buffers);
    return launches_of(plan)->enqueue(plan, &full);
}

/* ---- Create ---- */

clprims_status clp_segmented_add_scratch(clprims_segmented *plan, size_t bytes, bool zeroed,
                                         cl_mem *out) {
    CLP_TRY(clp_scratch_create(plan->context, "segmented", bytes, zeroed, out));
    plan->scratch_bytes += bytes;
    return CLPRIMS_OK;
}

/* For runs whose caller wants no count or no report. */
static clprims_status create_results(clprims_segmented *plan) {
    CLP_TRY(clp_segmented_add_scratch(plan, sizeof(cl_ulong), false, &plan->count));
    return clp_segmented_add_scratch(plan, sizeof(clprims_segmented_report), false, &plan->report);
}

static clprims_status fill_plan(clprims_segmented *plan, const clprims_segmented_desc *desc) {
    const clp_segmented_run warm_up = {.warms_up = true};
    const clprims_context *context = plan->context;
    clp_segmented_spec *spec = &plan->spec;
    CLP_TRY(clp_segmented_spec_fill(context, desc, spec, plan->start, plan->empty));
    CLP_TRY(clp_parameters_read("segmented", desc->parameters, &plan->parameters));
    if (plan->parameters.count > 0 && desc->input == NULL && desc->equal == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "segmented: %zu parameters, but neither desc.input nor desc.equal",
                        plan->parameters.count);
    }
    spec->what.parameters = &plan->parameters;
    CLP_TRY(clp_segmented_shape_choose(context, spec, desc->tuning, &plan->shape));
    CLP_TRY(create_results(plan));
    CLP_TRY(launches_of(plan)->prepare(plan));
    return clp_segmented_submit(plan, &warm_up);
}

static const clp_layout desc_layout =
    CLP_LAYOUT_AROUND(clprims_segmented_desc, max_segments, custom, "CLPRIMS_SEGMENTED_DESC_INIT");

clprims_status clprims_segmented_create(clprims_segmented **out, clprims_context *context,
                                        const clprims_segmented_desc *desc) {
    clp_clear_error();
    if (out == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "segmented: out is NULL");
    *out = NULL;
    clprims_segmented_desc full = CLPRIMS_SEGMENTED_DESC_INIT;
    CLP_TRY(clp_take_desc("segmented", context, &desc_layout, desc, &full));
    clprims_segmented *plan = calloc(1, sizeof *plan);
    if (plan == NULL) {
        return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "segmented: no host memory for a plan");
    }
    plan->context = context;
    const clprims_status status = fill_plan(plan, &full);
    plan->spec.what.custom = (clprims_custom)CLPRIMS_CUSTOM_INIT;
    plan->spec.what.input = plan->spec.equal = NULL;
    if (status != CLPRIMS_OK) {
        clprims_segmented_destroy(plan);
        return status;
    }
    *out = plan;
    return CLPRIMS_OK;
}

void clprims_segmented_destroy(clprims_segmented *plan) {
    if (plan == NULL) return;
    const cl_mem mems[] = {plan->firsts, plan->tails, plan->parts, plan->lane_heads, plan->tickets,
                           plan->report, plan->count, plan->bits,  plan->fault};
    const cl_kernel kernels[] = {plan->prefixes, plan->outputs, plan->clear, plan->mark};
    clp_pass_release(&plan->pass);
    clp_release_buffers(mems, sizeof mems / sizeof mems[0]);
    clp_release_kernels(kernels, sizeof kernels / sizeof kernels[0]);
    if (plan->program != NULL) clReleaseProgram(plan->program);
    free(plan);
}

static const clp_layout info_layout =
    CLP_LAYOUT(clprims_segmented_info, groups, "CLPRIMS_SEGMENTED_INFO_INIT");

clprims_status clprims_segmented_describe(const clprims_segmented *plan, size_t n, size_t segments,
                                          clprims_segmented_info *info) {
    clp_clear_error();
    if (plan == NULL || info == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "segmented_describe: %s is NULL",
                        plan == NULL ? "plan" : "info");
    }
    const clp_segmented_spec *spec = &plan->spec;
    CLP_TRY(clp_segmented_check_sizes("segmented_describe", spec, n, segments));
    clprims_segmented_info full = {.scratch_bytes = plan->scratch_bytes + plan->pass.scratch_bytes,
                                   .variant = clp_segmented_variants[plan->shape.variant].name};
    launches_of(plan)->describe(plan, n, segments, &full);
    return clp_struct_give("segmented_describe", "info", &info_layout, &full, info);
}

/* ---- Enqueue ---- */

static const clp_layout buffers_layout =
    CLP_LAYOUT(clprims_segmented_buffers, report, "CLPRIMS_SEGMENTED_BUFFERS_INIT");

/* Drops the arrays that a run without elements or outputs does not have. */
static void drop_unused(const clp_segmented_spec *spec, clp_segmented_run *run) {
    const clprims_buffer none = {NULL, 0};
    clprims_segmented_buffers *b = &run->buffers;
    if (run->n == 0) {
        b->in = none;
        if (!clp_segmented_by_offsets(spec)) b->heads = none;
    }
    if (clp_segmented_outputs(spec, run->n, run->segments) == 0) b->out = none;
    if (!spec->unique_keys || run->segments == 0) b->keys = none;
    if (!clp_segmented_counts(spec)) b->count = none;
}

/* run: all but the buffers. */
static clprims_status enqueue(clprims_segmented *plan, const clprims_segmented_buffers *buffers,
                              clp_segmented_run *run) {
    run->buffers = (clprims_segmented_buffers)CLPRIMS_SEGMENTED_BUFFERS_INIT;
    CLP_TRY(clp_struct_take("segmented", "buffers", &buffers_layout, buffers, &run->buffers));
    CLP_TRY(clp_segmented_check_sizes("segmented", &plan->spec, run->n, run->segments));
    CLP_TRY(clp_check_submission(plan->context, "segmented", run->queue, run->num_wait, run->wait));
    CLP_TRY(clp_parameters_check(&plan->parameters, "segmented"));
    CLP_TRY(clp_segmented_check_buffers(plan, run));
    drop_unused(&plan->spec, run);
    return clp_segmented_submit(plan, run);
}

static clprims_status check_pointers(const clprims_segmented *plan, cl_command_queue queue,
                                     const clprims_segmented_buffers *buffers) {
    if (plan != NULL && queue != NULL && buffers != NULL) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "segmented: %s is NULL",
                    plan == NULL    ? "plan"
                    : queue == NULL ? "queue"
                                    : "buffers");
}

clprims_status clprims_segmented_enqueue(clprims_segmented *plan, cl_command_queue queue,
                                         const clprims_segmented_buffers *buffers, size_t n,
                                         size_t segments, cl_uint num_wait, const cl_event *wait,
                                         cl_event *event) {
    clp_clear_error();
    CLP_TRY(check_pointers(plan, queue, buffers));
    clp_segmented_run run = {.queue = queue,
                             .n = n,
                             .segments = segments,
                             .num_wait = num_wait,
                             .wait = wait,
                             .event = event};
    return enqueue(plan, buffers, &run);
}

static clprims_status check_counts(const clp_segmented_spec *spec, clprims_buffer n,
                                   clprims_buffer segments) {
    const bool by_offsets = clp_segmented_by_offsets(spec);
    if (!by_offsets && segments.mem != NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "segmented: segments.mem is not NULL, but by = %d; only offsets have their "
                        "number on the device",
                        (int)spec->by);
    }
    return by_offsets && segments.mem != NULL ? CLPRIMS_OK : clp_check_counted("segmented", "n", n);
}

clprims_status clprims_segmented_enqueue_counted(clprims_segmented *plan, cl_command_queue queue,
                                                 const clprims_segmented_buffers *buffers,
                                                 clprims_buffer n, clprims_buffer segments,
                                                 size_t capacity, cl_uint num_wait,
                                                 const cl_event *wait, cl_event *event) {
    clp_clear_error();
    CLP_TRY(check_pointers(plan, queue, buffers));
    CLP_TRY(check_counts(&plan->spec, n, segments));
    const bool by_offsets = clp_segmented_by_offsets(&plan->spec);
    clp_segmented_run run = {.queue = queue,
                             .n = plan->spec.max_n,
                             .segments = by_offsets ? plan->spec.max_segments : capacity,
                             .counted = n,
                             .counted_segments = segments,
                             .num_wait = num_wait,
                             .wait = wait,
                             .event = event};
    return enqueue(plan, buffers, &run);
}

clprims_status clprims_segmented_set_parameter(clprims_segmented *plan, size_t k, size_t bytes,
                                               const void *value) {
    clp_clear_error();
    if (plan == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "segmented: plan is NULL");
    return clp_parameters_set(&plan->parameters, plan->context, "segmented", k, bytes, value);
}

clprims_status clprims_segmented_check(const clprims_segmented_report *report) {
    clp_clear_error();
    if (report == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "segmented_check: report is NULL");
    }
    switch (report->fault) {
    case CLPRIMS_SEGMENTED_VALID:
        return CLPRIMS_OK;
    case CLPRIMS_SEGMENTED_OFFSETS:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "segmented: offsets[%" PRId64 "] is less than the offset before, less than "
                        "0, or beyond the elements",
                        report->index);
    case CLPRIMS_SEGMENTED_EMPTY:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "segmented: segment %" PRId64 " is empty, and the plan has neither an "
                        "initial value nor an identity",
                        report->index);
    case CLPRIMS_SEGMENTED_COUNT:
        return clp_fail_count("segmented", report->index);
    case CLPRIMS_SEGMENTED_SEGMENTS:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "segmented: segments = %" PRIu64
                        ", as read on the device, exceeds max_segments",
                        (uint64_t)report->index);
    default:
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "segmented_check: report.fault = %" PRId64
                        " is none of clprims_segmented_fault; was the report read after its event?",
                        report->fault);
    }
}
