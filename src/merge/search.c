/* SPDX-License-Identifier: MIT */
/* Search: plans, the checks of each call, plain arrays. cl/merge/search.cl says how it works. */
#include "core/check.h"
#include "core/context.h"
#include "core/status.h"
#include "merge/merge_plan.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- Create and destroy ---- */

static clprims_status check_positions(const clprims_search_desc *desc, clp_merge_spec *spec) {
    const clprims_type type =
        desc->positions == CLPRIMS_TYPE_DEFAULT ? CLPRIMS_I64 : desc->positions;
    size_t reach = 0;
    if (type == CLPRIMS_I32) reach = INT32_MAX;
    if (type == CLPRIMS_U32) reach = UINT32_MAX;
    if (type == CLPRIMS_I64 || type == CLPRIMS_U64) reach = INT64_MAX;
    spec->positions = type;
    spec->out_bytes = clprims_type_bytes(type);
    if (reach == 0) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "search: positions = %d (%s) is no 32- or 64-bit integer type", (int)type,
                        clprims_type_name(type));
    }
    if (desc->max_sorted <= reach) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                    "search: max_sorted = %zu is beyond the reach of positions of type %s; use "
                    "int64",
                    desc->max_sorted, clprims_type_name(type));
}

static clprims_status fill_plan(clp_merge_plan *plan, const clprims_search_desc *desc) {
    static const char *const names[2] = {"max_n", "max_sorted"};
    plan->spec = (clp_merge_spec){.kind = desc->needles_sorted ? CLP_MERGE_SEARCH_SORTED
                                                               : CLP_MERGE_SEARCH_ANY,
                                  .who = "search",
                                  .type = desc->type,
                                  .custom = &desc->custom,
                                  .less = desc->less,
                                  .upper = desc->upper != 0,
                                  .max_a = desc->max_n,
                                  .max_b = desc->max_sorted};
    CLP_TRY(clp_merge_spec_check(plan->context, &plan->spec, names));
    CLP_TRY(check_positions(desc, &plan->spec));
    return clp_merge_plan_fill(plan, desc->parameters, desc->tuning);
}

static const clp_layout desc_layout =
    CLP_LAYOUT_AROUND(clprims_search_desc, max_n, custom, "CLPRIMS_SEARCH_DESC_INIT");

clprims_status clprims_search_create(clprims_search **out, clprims_context *context,
                                     const clprims_search_desc *desc) {
    clp_clear_error();
    if (out == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "search: out is NULL");
    *out = NULL;
    clprims_search_desc full = CLPRIMS_SEARCH_DESC_INIT;
    CLP_TRY(clp_take_desc("search", context, &desc_layout, desc, &full));
    clprims_search *search = calloc(1, sizeof *search);
    if (search == NULL) {
        return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "search: no host memory for a plan");
    }
    search->plan.context = context;
    const clprims_status status = fill_plan(&search->plan, &full);
    search->plan.spec.custom = NULL;
    search->plan.spec.less = NULL;
    if (status != CLPRIMS_OK) {
        clprims_search_destroy(search);
        return status;
    }
    *out = search;
    return CLPRIMS_OK;
}

void clprims_search_destroy(clprims_search *search) {
    if (search == NULL) return;
    clp_merge_plan_release(&search->plan);
    free(search);
}

clprims_status clprims_search_set_parameter(clprims_search *search, size_t k, size_t bytes,
                                            const void *value) {
    clp_clear_error();
    if (search == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "search: plan is NULL");
    return clp_parameters_set(&search->plan.parameters, search->plan.context, "search", k, bytes,
                              value);
}

static clprims_status check_numbers(const clp_merge_plan *plan, const char *who, size_t n_sorted,
                                    size_t n) {
    CLP_TRY(clp_check_n(who, n, plan->spec.max_a));
    if (n_sorted <= plan->spec.max_b) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                    "%s: n_sorted = %zu exceeds max_sorted = %zu given to create; create a larger "
                    "plan",
                    who, n_sorted, plan->spec.max_b);
}

static const clp_layout info_layout =
    CLP_LAYOUT(clprims_search_info, groups, "CLPRIMS_SEARCH_INFO_INIT");

clprims_status clprims_search_describe(const clprims_search *search, size_t n_sorted, size_t n,
                                       clprims_search_info *info) {
    clp_clear_error();
    if (search == NULL || info == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "search_describe: %s is NULL",
                        search == NULL ? "plan" : "info");
    }
    const clp_merge_plan *plan = &search->plan;
    CLP_TRY(check_numbers(plan, "search_describe", n_sorted, n));
    const bool by_tiles = clp_merge_splits(plan);
    const bool has_levels = clp_search_levels(plan, n, n_sorted) > 0;
    const clprims_search_info full = {.group = plan->shape.group,
                                      .groups = clp_merge_groups(plan, n, n_sorted),
                                      .tile = by_tiles ? plan->shape.tile : 0,
                                      .pivots = plan->shape.pivots,
                                      .scratch_bytes = plan->scratch_bytes,
                                      .variant = clp_merge_is_serial(&plan->shape) ? "serial"
                                                 : by_tiles                        ? "tiles"
                                                 : has_levels                      ? "levels"
                                                                                   : "pivots"};
    return clp_struct_give("search_describe", "info", &info_layout, &full, info);
}

/* ---- Enqueue ---- */

static clprims_status check_arrays(const clp_merge_plan *plan, const clp_merge_run *run) {
    const clprims_context *context = plan->context;
    const clp_merge_spec *spec = &plan->spec;
    clp_array arrays[] = {{"out", run->out, run->n_a, spec->out_bytes},
                          {"sorted", run->b, run->n_b, spec->type_bytes},
                          {"needles", run->a, run->n_a, spec->type_bytes},
                          {"n_sorted", run->counted_b, 1, sizeof(cl_ulong)},
                          {"n", run->counted_a, 1, sizeof(cl_ulong)}};
    enum { COUNT = sizeof arrays / sizeof arrays[0] };
    const bool counted = run->counted_a.mem != NULL;
    for (size_t k = 0; k < COUNT; k++) {
        /* What has no elements is not looked at. */
        if (arrays[k].n == 0 || (k > 2 && !counted)) {
            arrays[k].buffer.mem = NULL;
            continue;
        }
        CLP_TRY(clp_array_check(context, "search", &arrays[k]));
        if (k > 0) CLP_TRY(clp_arrays_apart("search", &arrays[0], &arrays[k]));
    }
    return clp_report_check(context, "search", run->report, sizeof(clprims_search_report), arrays,
                            COUNT);
}

static clprims_status enqueue(const clprims_search *search, clp_merge_run *run) {
    CLP_TRY(clp_merge_check_run(&search->plan, run));
    CLP_TRY(check_arrays(&search->plan, run));
    return clp_merge_submit(&search->plan, run);
}

static clprims_status check_pointers(const clprims_search *search, cl_command_queue queue) {
    if (search != NULL && queue != NULL) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "search: %s is NULL", search == NULL ? "plan" : "queue");
}

clprims_status clprims_search_enqueue(clprims_search *search, cl_command_queue queue,
                                      clprims_buffer sorted, size_t n_sorted,
                                      clprims_buffer needles, clprims_buffer out, size_t n,
                                      cl_uint num_wait, const cl_event *wait, cl_event *event) {
    clp_clear_error();
    CLP_TRY(check_pointers(search, queue));
    CLP_TRY(check_numbers(&search->plan, "search", n_sorted, n));
    clp_merge_run run = {.queue = queue,
                         .a = needles,
                         .b = sorted,
                         .out = out,
                         .n_a = n,
                         .n_b = n_sorted,
                         .num_wait = num_wait,
                         .wait = wait,
                         .event = event};
    return enqueue(search, &run);
}

clprims_status clprims_search_enqueue_counted(clprims_search *search, cl_command_queue queue,
                                              clprims_buffer sorted, clprims_buffer n_sorted,
                                              clprims_buffer needles, clprims_buffer out,
                                              clprims_buffer n, clprims_buffer report,
                                              cl_uint num_wait, const cl_event *wait,
                                              cl_event *event) {
    clp_clear_error();
    CLP_TRY(check_pointers(search, queue));
    CLP_TRY(clp_check_counted("search", "n", n));
    CLP_TRY(clp_check_counted("search", "n_sorted", n_sorted));
    clp_merge_run run = {.queue = queue,
                         .a = needles,
                         .b = sorted,
                         .out = out,
                         .n_a = search->plan.spec.max_a,
                         .n_b = search->plan.spec.max_b,
                         .counted_a = n,
                         .counted_b = n_sorted,
                         .report = report,
                         .num_wait = num_wait,
                         .wait = wait,
                         .event = event};
    return enqueue(search, &run);
}

clprims_status clprims_search_check(const clprims_search_report *report) {
    clp_clear_error();
    if (report == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "search_check: report is NULL");
    switch (report->fault) {
    case CLPRIMS_SEARCH_VALID:
        return CLPRIMS_OK;
    case CLPRIMS_SEARCH_COUNT:
        return clp_fail_count("search", report->n);
    case CLPRIMS_SEARCH_COUNT_SORTED:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "search: n_sorted = %" PRIu64 ", as read on the device, exceeds max_sorted",
                        (uint64_t)report->n_sorted);
    default:
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "search_check: report.fault = %" PRId64
                        " is none of clprims_search_fault; was the report read after its event?",
                        report->fault);
    }
}

/* ---- Plain arrays ---- */

static clprims_status check_host(const void *sorted, size_t n_sorted, const void *needles,
                                 const void *out, size_t n) {
    const char *lacking = NULL;
    if (n > 0 && out == NULL) lacking = "out";
    if (n > 0 && needles == NULL) lacking = "needles";
    if (n_sorted > 0 && sorted == NULL) lacking = "sorted";
    if (lacking == NULL) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "search: %s is NULL, with n_sorted = %zu and n = %zu",
                    lacking, n_sorted, n);
}

static clprims_status run_on(const clp_merge_plan *plan, const void *sorted, const void *needles,
                             void *out, clp_merge_run *run) {
    const clprims_context *context = plan->context;
    const size_t bytes = plan->spec.type_bytes, out_bytes = run->n_a * plan->spec.out_bytes;
    if (run->n_b > 0) {
        CLP_TRY(clp_upload(context, "search", sorted, run->n_b * bytes, &run->b.mem));
    }
    CLP_TRY(clp_upload(context, "search", needles, run->n_a * bytes, &run->a.mem));
    CLP_TRY(clp_upload(context, "search", NULL, out_bytes, &run->out.mem));
    CLP_TRY(clp_merge_submit(plan, run));
    return clp_download(context, "search", run->out.mem, out, out_bytes);
}

clprims_status clprims_search_run(clprims_search *search, const void *sorted, size_t n_sorted,
                                  const void *needles, void *out, size_t n) {
    clp_clear_error();
    if (search == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "search: plan is NULL");
    const clp_merge_plan *plan = &search->plan;
    CLP_TRY(check_numbers(plan, "search", n_sorted, n));
    CLP_TRY(clp_parameters_check(&plan->parameters, "search"));
    CLP_TRY(check_host(sorted, n_sorted, needles, out, n));
    if (n == 0) return CLPRIMS_OK;
    clp_merge_run run = {.queue = plan->context->queue, .n_a = n, .n_b = n_sorted};
    const clprims_status status = run_on(plan, sorted, needles, out, &run);
    const cl_mem mems[] = {run.a.mem, run.b.mem, run.out.mem};
    clp_release_buffers(mems, sizeof mems / sizeof mems[0]);
    return status;
}
