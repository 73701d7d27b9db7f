/* SPDX-License-Identifier: MIT */
/* Merge: plans, the checks of each call, plain arrays. cl/merge/merge.cl says how it works. */
#include "core/check.h"
#include "core/context.h"
#include "core/status.h"
#include "merge/merge_plan.h"

#include <inttypes.h>
#include <stdlib.h>

enum { LARGEST_PAYLOAD = 16 };

/* ---- Create and destroy ---- */

static clprims_status fill_plan(clp_merge_plan *plan, const clprims_merge_desc *desc) {
    static const char *const names[2] = {"max_a", "max_b"};
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
    CLP_TRY(clp_merge_spec_check(plan->context, &plan->spec, names));
    plan->spec.out_bytes = plan->spec.type_bytes;
    return clp_merge_plan_fill(plan, desc->parameters, desc->tuning);
}

static const clp_layout desc_layout =
    CLP_LAYOUT_AROUND(clprims_merge_desc, max_b, custom, "CLPRIMS_MERGE_DESC_INIT");

clprims_status clprims_merge_create(clprims_merge **out, clprims_context *context,
                                    const clprims_merge_desc *desc) {
    clp_clear_error();
    if (out == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "merge: out is NULL");
    *out = NULL;
    clprims_merge_desc full = CLPRIMS_MERGE_DESC_INIT;
    CLP_TRY(clp_take_desc("merge", context, &desc_layout, desc, &full));
    clprims_merge *merge = calloc(1, sizeof *merge);
    if (merge == NULL) {
        return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "merge: no host memory for a plan");
    }
    merge->plan.context = context;
    const clprims_status status = fill_plan(&merge->plan, &full);
    merge->plan.spec.custom = NULL;
    merge->plan.spec.less = NULL;
    if (status != CLPRIMS_OK) {
        clprims_merge_destroy(merge);
        return status;
    }
    *out = merge;
    return CLPRIMS_OK;
}

void clprims_merge_destroy(clprims_merge *merge) {
    if (merge == NULL) return;
    clp_merge_plan_release(&merge->plan);
    free(merge);
}

clprims_status clprims_merge_set_parameter(clprims_merge *merge, size_t k, size_t bytes,
                                           const void *value) {
    clp_clear_error();
    if (merge == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "merge: plan is NULL");
    return clp_parameters_set(&merge->plan.parameters, merge->plan.context, "merge", k, bytes,
                              value);
}

static const clp_layout info_layout =
    CLP_LAYOUT(clprims_merge_info, groups, "CLPRIMS_MERGE_INFO_INIT");

clprims_status clprims_merge_describe(const clprims_merge *merge, size_t n,
                                      clprims_merge_info *info) {
    clp_clear_error();
    if (merge == NULL || info == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "merge_describe: %s is NULL",
                        merge == NULL ? "plan" : "info");
    }
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
                                     .scratch_bytes = plan->scratch_bytes,
                                     .variant = is_serial ? "serial" : "tiles"};
    return clp_struct_give("merge_describe", "info", &info_layout, &full, info);
}

/* ---- Enqueue ---- */

static clprims_status check_numbers(const clp_merge_plan *plan, size_t n_a, size_t n_b) {
    const clp_merge_spec *spec = &plan->spec;
    if (n_a <= spec->max_a && n_b <= spec->max_b) return CLPRIMS_OK;
    const bool is_a = n_a > spec->max_a;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                    "merge: n_%c = %zu exceeds max_%c = %zu given to create; create a larger plan",
                    is_a ? 'a' : 'b', is_a ? n_a : n_b, is_a ? 'a' : 'b',
                    is_a ? spec->max_a : spec->max_b);
}

static clprims_status check_payload_absent(const clp_merge_run *run) {
    const clp_array arrays[] = {{"payload_a", run->payload_a, 0, 0},
                                {"payload_b", run->payload_b, 0, 0},
                                {"payload_out", run->payload_out, 0, 0}};
    for (size_t k = 0; k < 3; k++) {
        if (arrays[k].buffer.mem == NULL) continue;
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "merge: %s.mem is not NULL, but the plan has no payload", arrays[k].name);
    }
    return CLPRIMS_OK;
}

enum { OUTPUTS = 2, ARRAYS = 6 };

static clprims_status check_arrays(const clp_merge_plan *plan, const clp_merge_run *run) {
    const clprims_context *context = plan->context;
    const size_t bytes = plan->spec.type_bytes, payload = plan->spec.payload_bytes;
    const size_t n_a = run->n_a, n_b = run->n_b, n_out = n_a + n_b;
    clp_array arrays[ARRAYS + 2] = {{"out", run->out, n_out, bytes},
                                    {"payload_out", run->payload_out, n_out, payload},
                                    {"a", run->a, n_a, bytes},
                                    {"b", run->b, n_b, bytes},
                                    {"payload_a", run->payload_a, n_a, payload},
                                    {"payload_b", run->payload_b, n_b, payload},
                                    {"n_a", run->counted_a, 1, sizeof(cl_ulong)},
                                    {"n_b", run->counted_b, 1, sizeof(cl_ulong)}};
    if (payload == 0) CLP_TRY(check_payload_absent(run));
    /* What has no elements is not looked at. */
    for (size_t k = 0; k < ARRAYS; k++) {
        if (arrays[k].n * arrays[k].element_bytes == 0) arrays[k].buffer.mem = NULL;
        if (arrays[k].n * arrays[k].element_bytes == 0) continue;
        CLP_TRY(clp_array_check(context, "merge", &arrays[k]));
        for (size_t o = 0; o < k && o < OUTPUTS; o++) {
            CLP_TRY(clp_arrays_apart("merge", &arrays[o], &arrays[k]));
        }
    }
    for (size_t k = ARRAYS; k < ARRAYS + 2 && arrays[k].buffer.mem != NULL; k++) {
        CLP_TRY(clp_array_check(context, "merge", &arrays[k]));
        for (size_t o = 0; o < OUTPUTS; o++) {
            CLP_TRY(clp_arrays_apart("merge", &arrays[o], &arrays[k]));
        }
    }
    return clp_report_check(context, "merge", run->report, sizeof(clprims_merge_report), arrays,
                            ARRAYS + 2);
}

static const clp_layout buffers_layout =
    CLP_LAYOUT(clprims_merge_buffers, payload_out, "CLPRIMS_MERGE_BUFFERS_INIT");

static clprims_status enqueue(const clprims_merge *merge, const clprims_merge_buffers *buffers,
                              clp_merge_run *run) {
    clprims_merge_buffers full = CLPRIMS_MERGE_BUFFERS_INIT;
    CLP_TRY(clp_struct_take("merge", "buffers", &buffers_layout, buffers, &full));
    run->a = full.a;
    run->b = full.b;
    run->out = full.out;
    run->payload_a = full.payload_a;
    run->payload_b = full.payload_b;
    run->payload_out = full.payload_out;
    CLP_TRY(clp_merge_check_run(&merge->plan, run));
    CLP_TRY(check_numbers(&merge->plan, run->n_a, run->n_b));
    CLP_TRY(check_arrays(&merge->plan, run));
    return clp_merge_submit(&merge->plan, run);
}

static clprims_status check_pointers(const clprims_merge *merge, cl_command_queue queue,
                                     const clprims_merge_buffers *buffers) {
    if (merge != NULL && queue != NULL && buffers != NULL) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "merge: %s is NULL",
                    merge == NULL   ? "plan"
                    : queue == NULL ? "queue"
                                    : "buffers");
}

clprims_status clprims_merge_enqueue(clprims_merge *merge, cl_command_queue queue,
                                     const clprims_merge_buffers *buffers, size_t n_a, size_t n_b,
                                     cl_uint num_wait, const cl_event *wait, cl_event *event) {
    clp_clear_error();
    CLP_TRY(check_pointers(merge, queue, buffers));
    clp_merge_run run = {
        .queue = queue, .n_a = n_a, .n_b = n_b, .num_wait = num_wait, .wait = wait, .event = event};
    return enqueue(merge, buffers, &run);
}

clprims_status clprims_merge_enqueue_counted(clprims_merge *merge, cl_command_queue queue,
                                             const clprims_merge_buffers *buffers,
                                             clprims_buffer n_a, clprims_buffer n_b,
                                             clprims_buffer report, cl_uint num_wait,
                                             const cl_event *wait, cl_event *event) {
    clp_clear_error();
    CLP_TRY(check_pointers(merge, queue, buffers));
    CLP_TRY(clp_check_counted("merge", "n_a", n_a));
    CLP_TRY(clp_check_counted("merge", "n_b", n_b));
    clp_merge_run run = {.queue = queue,
                         .n_a = merge->plan.spec.max_a,
                         .n_b = merge->plan.spec.max_b,
                         .counted_a = n_a,
                         .counted_b = n_b,
                         .report = report,
                         .num_wait = num_wait,
                         .wait = wait,
                         .event = event};
    return enqueue(merge, buffers, &run);
}

clprims_status clprims_merge_check(const clprims_merge_report *report) {
    clp_clear_error();
    if (report == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "merge_check: report is NULL");
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
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "merge_check: report.fault = %" PRId64
                        " is none of clprims_merge_fault; was the report read after its event?",
                        report->fault);
    }
}

/* ---- Plain arrays ---- */

static clprims_status check_host(const clp_merge_plan *plan, const clprims_merge_arrays *arrays,
                                 size_t n_a, size_t n_b) {
    const bool has_payload = plan->spec.payload_bytes > 0;
    const char *lacking = NULL;
    if (!has_payload &&
        (arrays->payload_a != NULL || arrays->payload_b != NULL || arrays->payload_out != NULL)) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "merge: a payload is not NULL, but the plan has no payload");
    }
    if (has_payload && n_a + n_b > 0 && arrays->payload_out == NULL) lacking = "payload_out";
    if (has_payload && n_b > 0 && arrays->payload_b == NULL) lacking = "payload_b";
    if (has_payload && n_a > 0 && arrays->payload_a == NULL) lacking = "payload_a";
    if (n_a + n_b > 0 && arrays->out == NULL) lacking = "out";
    if (n_b > 0 && arrays->b == NULL) lacking = "b";
    if (n_a > 0 && arrays->a == NULL) lacking = "a";
    if (lacking == NULL) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "merge: %s is NULL, with n_a = %zu and n_b = %zu",
                    lacking, n_a, n_b);
}

/* A copy of an array, if it has elements. */
static clprims_status upload(const clprims_context *context, const void *host, size_t bytes,
                             clprims_buffer *out) {
    return bytes == 0 ? CLPRIMS_OK : clp_upload(context, "merge", host, bytes, &out->mem);
}

static clprims_status run_on(const clp_merge_plan *plan, const clprims_merge_arrays *arrays,
                             clp_merge_run *run) {
    const clprims_context *context = plan->context;
    const size_t bytes = plan->spec.type_bytes, payload = plan->spec.payload_bytes;
    const size_t n = run->n_a + run->n_b;
    CLP_TRY(upload(context, arrays->a, run->n_a * bytes, &run->a));
    CLP_TRY(upload(context, arrays->b, run->n_b * bytes, &run->b));
    CLP_TRY(upload(context, arrays->payload_a, run->n_a * payload, &run->payload_a));
    CLP_TRY(upload(context, arrays->payload_b, run->n_b * payload, &run->payload_b));
    CLP_TRY(upload(context, NULL, n * bytes, &run->out));
    CLP_TRY(upload(context, NULL, n * payload, &run->payload_out));
    CLP_TRY(clp_merge_submit(plan, run));
    CLP_TRY(clp_download(context, "merge", run->out.mem, arrays->out, n * bytes));
    if (payload == 0) return CLPRIMS_OK;
    return clp_download(context, "merge", run->payload_out.mem, arrays->payload_out, n * payload);
}

static const clp_layout arrays_layout =
    CLP_LAYOUT(clprims_merge_arrays, payload_out, "CLPRIMS_MERGE_ARRAYS_INIT");

clprims_status clprims_merge_run(clprims_merge *merge, const clprims_merge_arrays *arrays,
                                 size_t n_a, size_t n_b) {
    clprims_merge_arrays full = CLPRIMS_MERGE_ARRAYS_INIT;
    clp_clear_error();
    if (merge == NULL || arrays == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "merge: %s is NULL",
                        merge == NULL ? "plan" : "arrays");
    }
    const clp_merge_plan *plan = &merge->plan;
    CLP_TRY(clp_struct_take("merge", "arrays", &arrays_layout, arrays, &full));
    CLP_TRY(check_numbers(plan, n_a, n_b));
    CLP_TRY(clp_parameters_check(&plan->parameters, "merge"));
    CLP_TRY(check_host(plan, &full, n_a, n_b));
    if (n_a + n_b == 0) return CLPRIMS_OK;
    clp_merge_run run = {.queue = plan->context->queue, .n_a = n_a, .n_b = n_b};
    const clprims_status status = run_on(plan, &full, &run);
    const cl_mem mems[] = {run.a.mem,         run.b.mem,         run.out.mem,
                           run.payload_a.mem, run.payload_b.mem, run.payload_out.mem};
    clp_release_buffers(mems, sizeof mems / sizeof mems[0]);
    return status;
}
