/* SPDX-License-Identifier: MIT */
/* Merge: plans, the checks of each call, plain arrays. cl/merge/merge.cl says how it works. */
#include "core/status.h"
#include "merge/merge_plan.h"

#include <inttypes.h>

enum { LARGEST_PAYLOAD = 16 };

/* ---- The plan ---- */

static clprims_status fill(clp_plan *head, const void *description) {
    static const char *const names[2] = {"max_a", "max_b"};
    clp_merge_plan *plan = (clp_merge_plan *)head;
    const clprims_merge_desc *desc = description;
    plan->spec = (clp_merge_spec){.kind = CLP_MERGE_ARRAYS,
                                  .who = "merge",
                                  .type = desc->type,
                                  .custom = &desc->custom,
                                  .less = desc->less,
                                  .payload_bytes = desc->payload_bytes,
                                  .max_a = desc->max_a,
                                  .max_b = desc->max_b};
    if (desc->payload_bytes > LARGEST_PAYLOAD) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "merge: payload_bytes = %zu; it must be at most %d",
                        desc->payload_bytes, LARGEST_PAYLOAD);
    }
    CLP_TRY(clp_merge_spec_check(head->context, &plan->spec, names));
    plan->spec.out_bytes = plan->spec.type_bytes;
    return clp_merge_plan_fill(plan, desc->parameters, desc->tuning);
}

static clprims_status check_sizes(const clp_plan *head, const clp_call *call) {
    const clp_merge_spec *spec = &((const clp_merge_plan *)head)->spec;
    const clp_merge_run *run = (const clp_merge_run *)call;
    if (run->n_a <= spec->max_a && run->n_b <= spec->max_b) return CLPRIMS_OK;
    const bool is_a = run->n_a > spec->max_a;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                    "merge: n_%c = %zu exceeds max_%c = %zu given to create; create a larger plan",
                    is_a ? 'a' : 'b', is_a ? run->n_a : run->n_b, is_a ? 'a' : 'b',
                    is_a ? spec->max_a : spec->max_b);
}

enum { A, B, OUT, PAYLOAD_A, PAYLOAD_B, PAYLOAD_OUT, COUNTED_A, COUNTED_B, REPORT, ARRAYS };

static size_t list_arrays(const clp_plan *head, clp_call *call, clp_run_array *rows) {
    const clp_merge_spec *spec = &((const clp_merge_plan *)head)->spec;
    clp_merge_run *run = (clp_merge_run *)call;
    const size_t bytes = spec->type_bytes, payload = spec->payload_bytes;
    const size_t n_a = run->n_a, n_b = run->n_b, n_out = n_a + n_b;
    rows[A] = clp_read_row("a", &run->a, n_a, bytes);
    rows[B] = clp_read_row("b", &run->b, n_b, bytes);
    rows[OUT] = clp_written_row("out", &run->out, n_out, bytes);
    rows[PAYLOAD_A] = clp_read_row("payload_a", &run->payload_a, n_a, payload);
    rows[PAYLOAD_B] = clp_read_row("payload_b", &run->payload_b, n_b, payload);
    rows[PAYLOAD_OUT] = clp_written_row("payload_out", &run->payload_out, n_out, payload);
    rows[COUNTED_A] = clp_count_row("n_a", &run->counted_a);
    rows[COUNTED_B] = clp_count_row("n_b", &run->counted_b);
    rows[REPORT] = clp_report_row(&run->report, sizeof(clprims_merge_report));
    if (payload == 0) {
        rows[PAYLOAD_OUT].lacks = rows[PAYLOAD_A].lacks = rows[PAYLOAD_B].lacks = "has no payload";
    }
    return ARRAYS;
}

static const clp_plan_kind kind = {.name = "merge",
                                   .bytes = sizeof(clprims_merge),
                                   .desc_bytes = sizeof(clprims_merge_desc),
                                   .fill = fill,
                                   .check_sizes = check_sizes,
                                   .list_arrays = list_arrays,
                                   .submit = clp_merge_submit};

/* ---- The interface ---- */

clprims_status clprims_merge_create_sized(clprims_merge **out, clprims_context *context,
                                          const clprims_merge_desc *desc, size_t desc_bytes) {
    clprims_merge_desc full;
    return clp_plan_create(out, context, &kind, desc, desc_bytes, &full);
}

void clprims_merge_destroy(clprims_merge *merge) {
    clp_plan_destroy(merge);
}

clprims_status clprims_merge_set_parameter(clprims_merge *merge, size_t k, size_t bytes,
                                           const void *value) {
    return clp_plan_set_parameter(merge, "merge", k, bytes, value);
}

clprims_status clprims_merge_describe_sized(const clprims_merge *merge, size_t n,
                                            clprims_merge_info *info, size_t info_bytes) {
    CLP_TRY(clp_begin("merge_describe", "plan", merge));
    const clp_merge_plan *plan = &merge->plan;
    const size_t most = plan->spec.max_a + plan->spec.max_b;
    const bool is_serial = clp_merge_is_serial(&plan->shape);
    if (n > most) {
        return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                        "merge_describe: n = %zu exceeds max_a + max_b = %zu given to create", n,
                        most);
    }
    const clprims_merge_info full = {.group = plan->shape.group,
                                     .groups = clp_merge_groups(plan, n, 0),
                                     .tile = is_serial ? 0 : plan->shape.tile,
                                     .scratch_bytes = plan->head.scratch_bytes,
                                     .variant = is_serial ? "serial" : "tiles"};
    return clp_give("merge_describe", "info", &full, sizeof full, info, info_bytes);
}

static clprims_status enqueue(clprims_merge *merge, const clprims_merge_buffers *buffers,
                              size_t buffers_bytes, clp_merge_run *run) {
    clprims_merge_buffers full;
    CLP_TRY(clp_take("merge", "buffers", buffers, buffers_bytes, &full, sizeof full));
    run->a = full.a;
    run->b = full.b;
    run->out = full.out;
    run->payload_a = full.payload_a;
    run->payload_b = full.payload_b;
    run->payload_out = full.payload_out;
    return clp_plan_enqueue(&merge->plan.head, &run->call);
}

clprims_status clprims_merge_enqueue_sized(clprims_merge *merge, cl_command_queue queue,
                                           const clprims_merge_buffers *buffers,
                                           size_t buffers_bytes, size_t n_a, size_t n_b,
                                           cl_uint num_wait, const cl_event *wait,
                                           cl_event *event) {
    CLP_TRY(clp_begin("merge", "plan", merge));
    clp_merge_run run = {.call = {queue, num_wait, wait, event}, .n_a = n_a, .n_b = n_b};
    return enqueue(merge, buffers, buffers_bytes, &run);
}

clprims_status clprims_merge_enqueue_counted_sized(clprims_merge *merge, cl_command_queue queue,
                                                   const clprims_merge_buffers *buffers,
                                                   size_t buffers_bytes, clprims_buffer n_a,
                                                   clprims_buffer n_b, clprims_buffer report,
                                                   cl_uint num_wait, const cl_event *wait,
                                                   cl_event *event) {
    CLP_TRY(clp_begin("merge", "plan", merge));
    CLP_TRY(clp_check_counted("merge", "n_a", n_a));
    CLP_TRY(clp_check_counted("merge", "n_b", n_b));
    clp_merge_run run = {.call = {queue, num_wait, wait, event},
                         .n_a = merge->plan.spec.max_a,
                         .n_b = merge->plan.spec.max_b,
                         .counted_a = n_a,
                         .counted_b = n_b,
                         .report = report};
    return enqueue(merge, buffers, buffers_bytes, &run);
}

clprims_status clprims_merge_check(const clprims_merge_report *report) {
    CLP_TRY(clp_begin("merge_check", "report", report));
    switch (report->fault) {
    case CLPRIMS_MERGE_VALID:
        return CLPRIMS_OK;
    case CLPRIMS_MERGE_COUNT_A:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "merge: n_a = %" PRIu64 ", as read on the device, exceeds max_a",
                        (uint64_t)report->n_a);
    case CLPRIMS_MERGE_COUNT_B:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "merge: n_b = %" PRIu64 ", as read on the device, exceeds max_b",
                        (uint64_t)report->n_b);
    default:
        return clp_fail_fault("merge", report->fault);
    }
}

clprims_status clprims_merge_run_sized(clprims_merge *merge, const clprims_merge_arrays *arrays,
                                       size_t arrays_bytes, size_t n_a, size_t n_b) {
    clprims_merge_arrays full;
    CLP_TRY(clp_begin("merge", "plan", merge));
    CLP_TRY(clp_take("merge", "arrays", arrays, arrays_bytes, &full, sizeof full));
    clp_merge_run run = {.n_a = n_a, .n_b = n_b};
    const clp_host_array hosts[ARRAYS] = {[A] = {full.a},
                                          [B] = {full.b},
                                          [OUT] = {.to = full.out},
                                          [PAYLOAD_A] = {full.payload_a},
                                          [PAYLOAD_B] = {full.payload_b},
                                          [PAYLOAD_OUT] = {.to = full.payload_out}};
    return clp_plan_run(&merge->plan.head, &run.call, hosts);
}
