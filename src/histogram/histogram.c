/* SPDX-License-Identifier: MIT */
/* Histogram: plans, calls, plain arrays. */
#include "core/type.h"
#include "histogram/histogram_plan.h"

#include <inttypes.h>

/* ---- Create ---- */

static clprims_status allocate(clprims_histogram *plan, const clprims_histogram_desc *desc) {
    const clp_histogram_spec *spec = &plan->spec;
    const clp_histogram_shape *shape = &plan->shape;
    const size_t word = sizeof(cl_uint), sum_bytes = spec->words * word;
    const size_t edges_bytes = (spec->bins + 1) * spec->type_bytes;
    if (spec->by == CLPRIMS_HISTOGRAM_EDGES) {
        CLP_TRY(clp_plan_upload(&plan->head, desc->edges, edges_bytes, &plan->edges));
    }
    const size_t words = shape->arrivals > spec->words ? shape->arrivals : spec->words;
    CLP_TRY(clp_plan_scratch(&plan->head, spec->bins * words * word, true, &plan->sums));
    CLP_TRY(
        clp_plan_scratch(&plan->head, (CLP_HISTOGRAM_FOUND_WORDS + 1) * word, true, &plan->found));
    if (shape->way == CLP_HISTOGRAM_SERIAL) {
        const size_t groups = clp_histogram_groups(shape, spec->max_n);
        const bool narrow = spec->weights == CLPRIMS_TYPE_DEFAULT && shape->copies == 1;
        const size_t bytes = narrow ? sizeof(cl_uchar) : sum_bytes;
        CLP_TRY(clp_plan_scratch(&plan->head, groups * shape->copies * spec->bins * bytes, false,
                                 &plan->counters));
    }
    return CLPRIMS_OK;
}

static clprims_status fill(clp_plan *head, const void *description) {
    static const char *const others[] = {[CLPRIMS_HISTOGRAM_EVEN] = "by = 0 (even)",
                                         [CLPRIMS_HISTOGRAM_EDGES] = "by = 1 (edges)",
                                         [CLPRIMS_HISTOGRAM_EXPRESSION] = NULL};
    clprims_histogram *plan = (clprims_histogram *)head;
    const clprims_histogram_desc *desc = description;
    const clprims_context *context = head->context;
    CLP_TRY(clp_histogram_spec_fill(context, desc, &plan->spec));
    const clp_user_text texts[] = {
        {"desc.bin", desc->bin, "x i", others[desc->by]},
        {"custom.op", desc->custom.op, NULL, "a histogram has no operator"},
        {NULL}};
    CLP_TRY(clp_plan_read_texts(head, texts, &desc->custom, desc->parameters));
    CLP_TRY(clp_histogram_shape_choose(context, &plan->spec, desc->tuning, &plan->shape));
    CLP_TRY(clp_histogram_build(plan));
    CLP_TRY(allocate(plan, desc));
    plan->spec.custom = NULL;
    plan->spec.bin = NULL;
    return clp_histogram_warm_up(plan);
}

static clprims_status describe(const clprims_histogram *plan, const char *who, size_t n,
                               clprims_histogram_info *info) {
    static const char *const variants[] = {[CLP_HISTOGRAM_LOCAL] = "local",
                                           [CLP_HISTOGRAM_BYTES] = "bytes",
                                           [CLP_HISTOGRAM_SERIAL] = "serial",
                                           [CLP_HISTOGRAM_GLOBAL] = "global"};
    const clp_histogram_shape *shape = &plan->shape;
    const bool is_few = clp_histogram_is_few(shape, n);
    info->group = is_few ? shape->few_group : shape->group;
    info->groups = clp_histogram_groups(shape, n);
    info->parts = shape->parts;
    info->copies = is_few ? shape->few_copies : shape->copies;
    info->variant = is_few ? "few bytes" : variants[shape->way];
    return clp_check_n(who, n, plan->spec.max_n);
}

CLP_PLAN_DESCRIBE(histogram, describe)

/* ---- Runs ---- */

enum { OUT, IN, WEIGHTS, COUNTED, REPORT, ARRAYS };

static size_t list_arrays(const clp_plan *head, clp_call *call, clp_run_array *rows) {
    const clprims_histogram *plan = (const clprims_histogram *)head;
    const clp_histogram_spec *spec = &plan->spec;
    clp_histogram_run *run = (clp_histogram_run *)call;
    rows[OUT] =
        clp_written_row("out", &run->buffers.out, run->arrays.out, spec->bins, spec->sum_bytes);
    rows[IN] = clp_read_row("in", &run->buffers.in, run->arrays.in, run->n, spec->type_bytes);
    rows[WEIGHTS] = clp_read_row("weights", &run->buffers.weights, run->arrays.weights, run->n,
                                 spec->weight_bytes);
    rows[WEIGHTS].lacks = spec->weights == CLPRIMS_TYPE_DEFAULT ? "has no weights" : NULL;
    rows[COUNTED] = clp_count_row("n", &run->buffers.n);
    rows[REPORT] = clp_report_row(&run->buffers.report, sizeof(clprims_histogram_report));
    return ARRAYS;
}

CLP_PLAN_CHECK_N(histogram, clp_histogram_run, spec.max_n)

static clprims_status submit(clp_plan *head, clp_call *call) {
    return clp_histogram_submit((clprims_histogram *)head, (const clp_histogram_run *)call);
}

static clprims_status finish(const clp_plan *head, clp_call *call, const void *own) {
    const clp_histogram_spec *spec = &((const clprims_histogram *)head)->spec;
    const clprims_histogram_arrays *arrays = &((const clp_histogram_run *)call)->arrays;
    const clprims_histogram_report *report = own;
    const int64_t i = report->index;
    char value[CLP_NUMBER_CHARS];
    if (arrays->outside != NULL) *arrays->outside = (uint64_t)report->outside;
    if (report->fault == CLPRIMS_HISTOGRAM_WEIGHT) {
        clp_print_number(spec->weights, arrays->weights, i, value);
        return clp_fail(CLPRIMS_ERR_DATA, "histogram: weights[%" PRId64 "] = %s is not finite", i,
                        value);
    }
    if (report->fault != CLPRIMS_HISTOGRAM_OUTSIDE || spec->type == CLPRIMS_STRUCT) {
        return clprims_histogram_check(report);
    }
    clp_print_number(spec->type, arrays->in, i, value);
    return clp_fail(CLPRIMS_ERR_DATA,
                    "histogram: in[%" PRId64 "] = %s is outside of the bins, the first of %" PRId64,
                    i, value, report->outside);
}

static const clp_plan_kind kind = {CLP_PLAN_KIND_REPORTING(histogram),
                                   CLP_PLAN_HOOKS(fill, histogram_check_sizes, list_arrays, submit),
                                   .finish = finish};

/* ---- The interface ---- */

CLP_PLAN_CREATE(histogram, kind)
CLP_PLAN_SET_PARAMETER(histogram)
CLP_PLAN_ENQUEUE(histogram, kind, clp_histogram_run)

clprims_status clprims_histogram_check(const clprims_histogram_report *report) {
    CLP_TRY(clp_begin("histogram_check", "report", report));
    switch (report->fault) {
    case CLPRIMS_HISTOGRAM_OUTSIDE:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "histogram: element %" PRId64
                        " is outside of the bins, the first of %" PRId64,
                        report->index, report->outside);
    case CLPRIMS_HISTOGRAM_WEIGHT:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "histogram: weight %" PRId64 " is infinite or NaN, the first of these",
                        report->index);
    case CLPRIMS_HISTOGRAM_COUNT:
        return clp_fail_count("histogram", "n", report->index);
    default:
        return clp_check_fault("histogram", report->fault);
    }
}

CLP_PLAN_RUN(histogram, kind, clp_histogram_run)
