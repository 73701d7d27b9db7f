/* SPDX-License-Identifier: MIT */
/* Search: plans, the checks of each call, plain arrays. cl/merge/search.cl says how it works. */
#include "core/status.h"
#include "merge/merge_plan.h"

/* ---- The plan ---- */

static clprims_status check_positions(const clprims_search_desc *desc, clp_merge_spec *spec) {
    const clprims_type type =
        desc->positions == CLPRIMS_TYPE_DEFAULT ? CLPRIMS_I64 : desc->positions;
    spec->positions = type;
    spec->out_bytes = clprims_type_bytes(type);
    return clp_check_reach("search", "positions", type, "max_length", desc->max_length,
                           desc->max_length);
}

static clprims_status check_bound(clprims_search_bound bound) {
    if (bound >= CLPRIMS_SEARCH_LOWER && bound <= CLPRIMS_SEARCH_BOTH) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "search: bound = %d is not a value of clprims_search_bound", (int)bound);
}

static clprims_status fill(clp_plan *head, const void *description) {
    clp_merge_plan *plan = (clp_merge_plan *)head;
    const clprims_search_desc *desc = description;
    plan->spec = (clp_merge_spec){.kind = desc->needles_sorted ? CLP_MERGE_SEARCH_SORTED
                                                               : CLP_MERGE_SEARCH_ANY,
                                  .who = "search",
                                  .second = "length",
                                  .type = desc->type,
                                  .custom = &desc->custom,
                                  .less = desc->less,
                                  .bound = desc->bound,
                                  .max_a = desc->max_n,
                                  .max_b = desc->max_length};
    CLP_TRY(check_bound(desc->bound));
    CLP_TRY(clp_merge_spec_check(head->context, &plan->spec));
    CLP_TRY(check_positions(desc, &plan->spec));
    return clp_merge_plan_fill(plan, desc->parameters, desc->tuning);
}

enum { SORTED, NEEDLES, OUT, OUT_UPPER, N, LENGTH, REPORT, ARRAYS };

static size_t list_arrays(const clp_plan *head, clp_call *call, clp_run_array *rows) {
    const clp_merge_spec *spec = &((const clp_merge_plan *)head)->spec;
    clp_merge_run *run = (clp_merge_run *)call;
    clprims_merge_buffers *at = &run->buffers;
    const clprims_merge_arrays *plain = &run->arrays;
    rows[SORTED] = clp_read_row("sorted", &at->b, plain->b, at->sizes.n_b, spec->type_bytes);
    rows[NEEDLES] = clp_read_row("needles", &at->a, plain->a, run->n, spec->type_bytes);
    rows[OUT] = clp_written_row("out", &at->out, plain->out, run->n, spec->out_bytes);
    rows[OUT_UPPER] =
        clp_written_row("out_upper", &at->payload_out, plain->payload_out, run->n, spec->out_bytes);
    if (spec->bound != CLPRIMS_SEARCH_BOTH) rows[OUT_UPPER].lacks = "has one bound";
    rows[N] = clp_count_row("n", &at->n);
    rows[LENGTH] = clp_count_row("length", &at->n_b);
    rows[REPORT] = clp_report_row(&at->report, sizeof(clprims_search_report));
    return ARRAYS;
}

static const clp_plan_kind kind = {CLP_PLAN_KIND(search), .fill = fill,
                                   .check_sizes = clp_merge_check_sizes, .list_arrays = list_arrays,
                                   .submit = clp_merge_submit};

/* ---- The interface ---- */

CLP_PLAN_CREATE(search, kind)
CLP_PLAN_SET_PARAMETER(search)

static clprims_status describe(const clprims_search *search, const char *who, size_t n,
                               clprims_search_sizes sizes, clprims_search_info *info) {
    const clp_merge_plan *plan = &search->plan;
    CLP_TRY(clp_merge_check_numbers(plan, who, n, sizes.length));
    const bool by_tiles = clp_merge_splits(plan);
    const bool has_levels = clp_search_levels(plan, n, sizes.length) > 0;
    info->group = plan->shape.group;
    info->groups = clp_merge_groups(plan, n, sizes.length);
    info->tile = by_tiles ? plan->shape.tile : 0;
    info->pivots = plan->shape.pivots;
    info->variant = clp_merge_is_serial(&plan->shape) ? "serial"
                    : by_tiles                        ? "tiles"
                    : has_levels                      ? "levels"
                                                      : "pivots";
    return CLPRIMS_OK;
}

CLP_PLAN_DESCRIBE_SIZED(search, describe)

static clp_merge_run run_of(const clprims_search *plan, const clprims_search_buffers *at,
                            size_t n) {
    (void)plan;
    return (clp_merge_run){.buffers = {.a = at->needles,
                                       .b = at->sorted,
                                       .out = at->out,
                                       .payload_out = at->out_upper,
                                       .n = at->n,
                                       .n_b = at->length,
                                       .report = at->report,
                                       .sizes = {at->sizes.length}},
                           .n = n};
}

CLP_PLAN_ENQUEUE_AS(search, kind, clp_merge_run, run_of)

clprims_status clprims_search_check(const clprims_search_report *report) {
    CLP_TRY(clp_begin("search_check", "report", report));
    return clp_merge_check_report("search", report->fault, report->n, "length", report->length);
}

static clp_merge_run plain_run_of(const clprims_search *plan, const clprims_search_arrays *arrays,
                                  size_t n) {
    (void)plan;
    return (clp_merge_run){.buffers.sizes = {arrays->sizes.length},
                           .n = n,
                           .arrays = {.a = arrays->needles,
                                      .b = arrays->sorted,
                                      .out = arrays->out,
                                      .payload_out = arrays->out_upper}};
}

CLP_PLAN_RUN_AS(search, kind, clp_merge_run, plain_run_of)
