/* SPDX-License-Identifier: MIT */
/* Search: plans, the checks of each call, plain arrays. cl/merge/search.cl says how it works. */
#include "core/status.h"
#include "merge/merge_plan.h"

#include <inttypes.h>

/* ---- The plan ---- */

static clprims_status check_positions(const clprims_search_desc *desc, clp_merge_spec *spec) {
    const clprims_type type =
        desc->positions == CLPRIMS_TYPE_DEFAULT ? CLPRIMS_I64 : desc->positions;
    spec->positions = type;
    spec->out_bytes = clprims_type_bytes(type);
    return clp_check_reach("search", "positions", type, "max_sorted", desc->max_sorted,
                           desc->max_sorted);
}

static clprims_status fill(clp_plan *head, const void *description) {
    static const char *const names[2] = {"max_n", "max_sorted"};
    clp_merge_plan *plan = (clp_merge_plan *)head;
    const clprims_search_desc *desc = description;
    plan->spec = (clp_merge_spec){.kind = desc->needles_sorted ? CLP_MERGE_SEARCH_SORTED
                                                               : CLP_MERGE_SEARCH_ANY,
                                  .who = "search",
                                  .type = desc->type,
                                  .custom = &desc->custom,
                                  .less = desc->less,
                                  .upper = desc->upper != 0,
                                  .max_a = desc->max_n,
                                  .max_b = desc->max_sorted};
    CLP_TRY(clp_merge_spec_check(head->context, &plan->spec, names));
    CLP_TRY(check_positions(desc, &plan->spec));
    return clp_merge_plan_fill(plan, desc->parameters, desc->tuning);
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

static clprims_status check_sizes(const clp_plan *head, const clp_call *call) {
    const clp_merge_run *run = (const clp_merge_run *)call;
    return check_numbers((const clp_merge_plan *)head, "search", run->n_b, run->n_a);
}

enum { SORTED, NEEDLES, OUT, COUNTED_SORTED, COUNTED, REPORT, ARRAYS };

static size_t list_arrays(const clp_plan *head, clp_call *call, clp_run_array *rows) {
    const clp_merge_spec *spec = &((const clp_merge_plan *)head)->spec;
    clp_merge_run *run = (clp_merge_run *)call;
    rows[SORTED] = clp_read_row("sorted", &run->b, run->n_b, spec->type_bytes);
    rows[NEEDLES] = clp_read_row("needles", &run->a, run->n_a, spec->type_bytes);
    rows[OUT] = clp_written_row("out", &run->out, run->n_a, spec->out_bytes);
    rows[COUNTED_SORTED] = clp_count_row("n_sorted", &run->counted_b);
    rows[COUNTED] = clp_count_row("n", &run->counted_a);
    rows[REPORT] = clp_report_row(&run->report, sizeof(clprims_search_report));
    return ARRAYS;
}

static const clp_plan_kind kind = {.name = "search",
                                   .bytes = sizeof(clprims_search),
                                   .desc_bytes = sizeof(clprims_search_desc),
                                   .fill = fill,
                                   .check_sizes = check_sizes,
                                   .list_arrays = list_arrays,
                                   .submit = clp_merge_submit};

/* ---- The interface ---- */

clprims_status clprims_search_create_sized(clprims_search **out, clprims_context *context,
                                           const clprims_search_desc *desc, size_t desc_bytes) {
    clprims_search_desc full;
    return clp_plan_create(out, context, &kind, desc, desc_bytes, &full);
}

void clprims_search_destroy(clprims_search *search) {
    clp_plan_destroy(search);
}

clprims_status clprims_search_set_parameter(clprims_search *search, size_t k, size_t bytes,
                                            const void *value) {
    return clp_plan_set_parameter(search, "search", k, bytes, value);
}

clprims_status clprims_search_describe_sized(const clprims_search *search, size_t n_sorted,
                                             size_t n, clprims_search_info *info,
                                             size_t info_bytes) {
    CLP_TRY(clp_begin("search_describe", "plan", search));
    const clp_merge_plan *plan = &search->plan;
    CLP_TRY(check_numbers(plan, "search_describe", n_sorted, n));
    const bool by_tiles = clp_merge_splits(plan);
    const bool has_levels = clp_search_levels(plan, n, n_sorted) > 0;
    const clprims_search_info full = {.group = plan->shape.group,
                                      .groups = clp_merge_groups(plan, n, n_sorted),
                                      .tile = by_tiles ? plan->shape.tile : 0,
                                      .pivots = plan->shape.pivots,
                                      .scratch_bytes = plan->head.scratch_bytes,
                                      .variant = clp_merge_is_serial(&plan->shape) ? "serial"
                                                 : by_tiles                        ? "tiles"
                                                 : has_levels                      ? "levels"
                                                                                   : "pivots"};
    return clp_give("search_describe", "info", &full, sizeof full, info, info_bytes);
}

clprims_status clprims_search_enqueue(clprims_search *search, cl_command_queue queue,
                                      clprims_buffer sorted, size_t n_sorted,
                                      clprims_buffer needles, clprims_buffer out, size_t n,
                                      cl_uint num_wait, const cl_event *wait, cl_event *event) {
    CLP_TRY(clp_begin("search", "plan", search));
    clp_merge_run run = {.call = {queue, num_wait, wait, event},
                         .a = needles,
                         .b = sorted,
                         .out = out,
                         .n_a = n,
                         .n_b = n_sorted};
    return clp_plan_enqueue(&search->plan.head, &run.call);
}

clprims_status clprims_search_enqueue_counted(clprims_search *search, cl_command_queue queue,
                                              clprims_buffer sorted, clprims_buffer n_sorted,
                                              clprims_buffer needles, clprims_buffer out,
                                              clprims_buffer n, clprims_buffer report,
                                              cl_uint num_wait, const cl_event *wait,
                                              cl_event *event) {
    CLP_TRY(clp_begin("search", "plan", search));
    CLP_TRY(clp_check_counted("search", "n", n));
    CLP_TRY(clp_check_counted("search", "n_sorted", n_sorted));
    clp_merge_run run = {.call = {queue, num_wait, wait, event},
                         .a = needles,
                         .b = sorted,
                         .out = out,
                         .n_a = search->plan.spec.max_a,
                         .n_b = search->plan.spec.max_b,
                         .counted_a = n,
                         .counted_b = n_sorted,
                         .report = report};
    return clp_plan_enqueue(&search->plan.head, &run.call);
}

clprims_status clprims_search_check(const clprims_search_report *report) {
    CLP_TRY(clp_begin("search_check", "report", report));
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
        return clp_fail_fault("search", report->fault);
    }
}

clprims_status clprims_search_run(clprims_search *search, const void *sorted, size_t n_sorted,
                                  const void *needles, void *out, size_t n) {
    CLP_TRY(clp_begin("search", "plan", search));
    clp_merge_run run = {.n_a = n, .n_b = n_sorted};
    const clp_host_array hosts[ARRAYS] = {
        [SORTED] = {sorted}, [NEEDLES] = {needles}, [OUT] = {.to = out}};
    return clp_plan_run(&search->plan.head, &run.call, hosts);
}
