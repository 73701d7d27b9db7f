/* SPDX-License-Identifier: MIT */
/* Top-k: plans, the checks of each call, plain arrays. cl/topk/topk.cl says how it works. */
#include "core/status.h"
#include "topk/topk_plan.h"

/* ---- Create and destroy ---- */

/* The sort whose first elements are wanted. */
static clprims_sort_desc sort_like(const clprims_topk_desc *desc) {
    return (clprims_sort_desc){CLP_SORT_LIKE(desc), .descending = !desc->least};
}

static clprims_status take_segments(clprims_topk *plan, const clprims_topk_desc *desc) {
    const bool has_indices = desc->indices != CLPRIMS_TYPE_DEFAULT;
    clp_topk_rows *rows = &plan->rows;
    CLP_TRY(clp_check_by("topk", desc->by, desc->offsets));
    CLP_TRY(clp_check_offsets("topk", "offsets", desc->offsets, desc->max_n, &rows->offsets));
    rows->by = desc->by;
    rows->local_indices = desc->local_indices != 0;
    rows->max_segments = desc->max_segments;
    CLP_FAIL_IF(rows->local_indices && (!has_indices || desc->max_segments == 0),
                CLPRIMS_ERR_ARGUMENT,
                "topk: local_indices = %d, but indices = %d and max_segments = %zu",
                desc->local_indices, (int)desc->indices, desc->max_segments);
    if (desc->max_segments > 0) {
        return clp_check_max_segments("topk", desc->max_segments, UINT32_MAX);
    }
    if (desc->by == CLPRIMS_SEGMENTS_OFFSETS && desc->offsets == CLPRIMS_TYPE_DEFAULT) {
        return CLPRIMS_OK;
    }
    return clp_fail(CLPRIMS_ERR_ARGUMENT,
                    "topk: %s and offsets = %d, but max_segments = 0 says that there is one array",
                    clp_segments_by_text(desc->by), (int)desc->offsets);
}

static clprims_status take_description(clprims_topk *plan, const clprims_topk_desc *desc) {
    const clprims_sort_desc like = sort_like(desc);
    CLP_TRY(clp_sort_spec_take("topk", &like, &plan->spec));
    CLP_FAIL_IF(desc->no_values && desc->indices == CLPRIMS_TYPE_DEFAULT, CLPRIMS_ERR_ARGUMENT,
                "topk: no_values without indices leaves no result");
    plan->spec.no_keys = plan->spec.no_elements = desc->no_values != 0;
    CLP_TRY(clp_sort_elements_check(plan->head.context, "topk", &like, &plan->spec));
    clp_sort_combine_keys(&plan->spec);
    plan->max_k = desc->max_k;
    CLP_TRY(take_segments(plan, desc));
    CLP_FAIL_IF(desc->max_k == 0 || desc->max_k > desc->max_n, CLPRIMS_ERR_ARGUMENT,
                "topk: max_k = %zu; it must be from 1 to max_n = %zu", desc->max_k, desc->max_n);
    if (desc->max_k <= INT32_MAX) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_TOO_LARGE, "topk: max_k = %zu exceeds %zu", desc->max_k,
                    (size_t)INT32_MAX);
}

static clprims_status fill(clp_plan *head, const void *description) {
    clprims_topk *plan = (clprims_topk *)head;
    const clprims_topk_desc *desc = description;
    const clprims_sort_desc like = sort_like(desc);
    CLP_TRY(take_description(plan, desc));
    CLP_TRY(clp_topk_choose_shape(plan, desc->tuning));
    CLP_TRY(clp_sort_elements_create(&plan->elements, head, &like, &plan->spec));
    CLP_TRY(plan->by_rows ? clp_topk_create_rows(plan) : clp_topk_create_guess(plan));
    return plan->by_rows ? clp_topk_warm_up_rows(plan) : clp_topk_warm_up_guess(plan);
}

static void release(clp_plan *head) {
    clprims_topk *plan = (clprims_topk *)head;
    clprims_sort_destroy(plan->by_index);
    clprims_sort_destroy(plan->by_key);
    clp_sort_elements_release(&plan->elements);
}

/* ---- Runs ---- */

static clprims_status check_segments(const char *who, const clp_topk_rows *rows, size_t n,
                                     clprims_topk_sizes sizes) {
    const bool by_length = rows->by == CLPRIMS_SEGMENTS_EQUAL;
    if (rows->max_segments == 0) {
        if (sizes.segments == 0 && sizes.length == 0) return CLPRIMS_OK;
        return clp_fail(
            CLPRIMS_ERR_ARGUMENT,
            "%s: sizes.segments = %zu and sizes.length = %zu, but the plan has one array", who,
            sizes.segments, sizes.length);
    }
    CLP_TRY(clp_check_segment_sizes(who, rows->by, sizes.segments, sizes.length));
    return clp_check_within(who, "segments", by_length ? clp_rows(n, sizes.length) : sizes.segments,
                            "max_segments", rows->max_segments);
}

/* is_counted: there may be fewer than k elements, whatever n is. */
static clprims_status check_numbers(const char *who, const clprims_topk *plan, size_t n,
                                    clprims_topk_sizes sizes, bool is_counted) {
    const size_t k = sizes.k;
    const bool may_be_fewer = is_counted || plan->rows.max_segments > 0;
    CLP_TRY(clp_check_n(who, n, plan->spec.max_n));
    CLP_TRY(check_segments(who, &plan->rows, n, sizes));
    CLP_TRY(clp_check_within(who, "k", k, "max_k", plan->max_k));
    if (k > 0 && (k <= n || may_be_fewer)) return CLPRIMS_OK;
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "%s: k = %zu; it must be from 1 to n = %zu", who, k, n);
}

static clprims_status check_sizes(const clp_plan *head, const clp_call *call) {
    const clp_topk_run *run = (const clp_topk_run *)call;
    return check_numbers("topk", (const clprims_topk *)head, run->n, run->buffers.sizes,
                         run->buffers.n.mem != NULL);
}

enum { IN, VALUES, INDICES, COUNTED, REPORT, OFFSETS, COUNTED_SEGMENTS, COUNTS, ARRAYS };

/* What segments alone have. A run on plain arrays copies its outputs in, too: what segments of
 * fewer than k elements leave stays as it is. */
static void list_segments(const clp_topk_rows *rows_of, clp_topk_run *run, clp_run_array *rows,
                          size_t segments) {
    clprims_topk_buffers *b = &run->buffers;
    const bool by_length = rows_of->by == CLPRIMS_SEGMENTS_EQUAL;
    rows[OFFSETS] =
        clp_read_row("offsets", &b->offsets, run->arrays.offsets, by_length ? 0 : segments + 1,
                     clprims_type_bytes(rows_of->offsets));
    rows[COUNTED_SEGMENTS] = clp_count_row("segments", &b->segments);
    rows[COUNTS] =
        clp_written_row("counts", &b->counts, run->arrays.counts, segments, sizeof(cl_uint));
    rows[COUNTS].roles |= CLP_OPTIONAL;
    if (by_length) rows[OFFSETS].lacks = "has segments of one length";
    if (rows_of->max_segments > 0) {
        rows[VALUES].roles |= CLP_READ;
        rows[INDICES].roles |= CLP_READ;
    } else {
        rows[OFFSETS].lacks = rows[COUNTS].lacks = "has one array";
    }
    rows[COUNTED_SEGMENTS].lacks = rows[OFFSETS].lacks;
}

static size_t list_arrays(const clp_plan *head, clp_call *call, clp_run_array *rows) {
    const clprims_topk *plan = (const clprims_topk *)head;
    const clp_sort_spec *spec = &plan->spec;
    clp_topk_run *run = (clp_topk_run *)call;
    clprims_topk_buffers *b = &run->buffers;
    const size_t index_bytes = clprims_type_bytes(spec->indices);
    const size_t segments =
        b->sizes.length > 0 ? clp_rows(run->n, b->sizes.length) : b->sizes.segments;
    const size_t found = plan->rows.max_segments > 0 ? segments * b->sizes.k : b->sizes.k;
    rows[IN] = clp_read_row("in", &b->in, run->arrays.in, run->n, spec->element_bytes);
    rows[VALUES] = clp_written_row("values", &b->values, run->arrays.values, found,
                                   spec->no_elements ? 0 : spec->element_bytes);
    rows[INDICES] =
        clp_written_row("indices", &b->indices, run->arrays.indices, found, index_bytes);
    rows[COUNTED] = clp_count_row("n", &b->n);
    rows[REPORT] = clp_report_row(&b->report, sizeof(clprims_topk_report));
    list_segments(&plan->rows, run, rows, segments);
    return ARRAYS;
}

static clprims_status submit(clp_plan *head, clp_call *call) {
    clprims_topk *plan = (clprims_topk *)head;
    const clp_topk_run *run = (const clp_topk_run *)call;
    return plan->by_rows ? clp_topk_submit_rows(plan, run) : clp_topk_submit_guess(plan, run);
}

static clprims_status finish(const clp_plan *head, clp_call *call, const void *own) {
    const clp_topk_run *run = (const clp_topk_run *)call;
    const clprims_topk_report *report = own;
    if (run->buffers.report.mem == NULL) return CLPRIMS_OK;
    if (report->fault != CLPRIMS_TOPK_OFFSETS) return clprims_topk_check(report);
    return clp_fail_offset("topk", report->count, ((const clprims_topk *)head)->rows.offsets,
                           run->arrays.offsets, run->n);
}

static const clp_plan_kind kind = {CLP_PLAN_KIND_REPORTING(topk),
                                   CLP_PLAN_HOOKS(fill, check_sizes, list_arrays, submit),
                                   .finish = finish, .release = release};

/* ---- The interface ---- */

CLP_PLAN_CREATE(topk, kind)

CLP_PLAN_SET_PARAMETER(topk)
CLP_PLAN_ENQUEUE(topk, kind, clp_topk_run)

static clprims_status describe(const clprims_topk *plan, const char *who, size_t n,
                               clprims_topk_sizes sizes, clprims_topk_info *info) {
    CLP_TRY(check_numbers(who, plan, n, sizes, false));
    if (plan->by_rows) {
        info->group = plan->rows.group;
        info->variant = plan->rows.by_teams ? "teams" : "heaps";
    } else {
        info->group = plan->shape.group;
        info->room = plan->shape.room;
        info->variant = plan->shape.sorted > 0        ? "groups"
                        : clp_topk_takes_all(plan, n) ? "sort"
                                                      : "sample";
    }
    return CLPRIMS_OK;
}

CLP_PLAN_DESCRIBE_SIZED(topk, describe)

clprims_status clprims_topk_check(const clprims_topk_report *report) {
    CLP_TRY(clp_begin("topk_check", "report", report));
    switch (report->fault) {
    case CLPRIMS_TOPK_OFFSETS:
        return clp_fail_offset("topk", report->count, CLPRIMS_I64, NULL, 0);
    case CLPRIMS_TOPK_SEGMENTS:
        return clp_fail_count("topk", "segments", report->count);
    default:
        return clp_check_count_report("topk", report->fault, report->count);
    }
}

static clp_topk_run plain_run_of(const clprims_topk *plan, const clprims_topk_arrays *arrays,
                                 size_t n) {
    clp_topk_run run = {.n = n, .buffers.sizes = arrays->sizes, .arrays = *arrays};
    if (plan->rows.max_segments > 0) run.buffers.report.mem = plan->head.report;
    return run;
}

CLP_PLAN_RUN_AS(topk, kind, clp_topk_run, plain_run_of)
