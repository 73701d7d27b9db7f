/* SPDX-License-Identifier: MIT */
/* Histogram: plans, calls, plain arrays. */
#include "core/check.h"
#include "histogram/histogram_plan.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- Create ---- */

static clprims_status add_scratch(clprims_histogram *plan, size_t bytes, bool zeroed, cl_mem *out) {
    CLP_TRY(clp_scratch_create(plan->context, "histogram", bytes, zeroed, out));
    plan->scratch_bytes += bytes;
    return CLPRIMS_OK;
}

static clprims_status allocate(clprims_histogram *plan, const clprims_histogram_desc *desc) {
    const clp_histogram_spec *spec = &plan->spec;
    const clp_histogram_shape *shape = &plan->shape;
    const size_t word = sizeof(cl_uint), sum_bytes = spec->words * word;
    const size_t edges_bytes = (spec->bins + 1) * spec->type_bytes;
    if (spec->by == CLPRIMS_HISTOGRAM_EDGES) {
        CLP_TRY(clp_upload(plan->context, "histogram", desc->edges, edges_bytes, &plan->edges));
        plan->scratch_bytes += edges_bytes;
    }
    const size_t words = shape->arrivals > spec->words ? shape->arrivals : spec->words;
    CLP_TRY(add_scratch(plan, spec->bins * words * word, true, &plan->sums));
    CLP_TRY(add_scratch(plan, (CLP_HISTOGRAM_FOUND_WORDS + 1) * word, true, &plan->found));
    CLP_TRY(add_scratch(plan, sizeof(clprims_histogram_report), false, &plan->report));
    if (shape->way == CLP_HISTOGRAM_SERIAL) {
        const size_t groups = clp_histogram_groups(shape, spec->max_n);
        const bool narrow = spec->weights == CLPRIMS_TYPE_DEFAULT && shape->copies == 1;
        const size_t bytes = narrow ? sizeof(cl_uchar) : sum_bytes;
        CLP_TRY(
            add_scratch(plan, groups * shape->copies * spec->bins * bytes, false, &plan->counters));
    }
    return CLPRIMS_OK;
}

static clprims_status fill_plan(clprims_histogram *plan, const clprims_histogram_desc *desc) {
    CLP_TRY(clp_histogram_spec_fill(plan->context, desc, &plan->spec));
    CLP_TRY(clp_parameters_read("histogram", desc->parameters, &plan->parameters));
    if (plan->parameters.count > 0 && desc->by != CLPRIMS_HISTOGRAM_EXPRESSION) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "histogram: %zu parameters and no desc.bin that could name them",
                        plan->parameters.count);
    }
    CLP_TRY(clp_histogram_shape_choose(plan->context, &plan->spec, desc->tuning, &plan->shape));
    CLP_TRY(clp_histogram_build(plan));
    CLP_TRY(allocate(plan, desc));
    return clp_histogram_warm_up(plan);
}

static const clp_layout desc_layout =
    CLP_LAYOUT_AROUND(clprims_histogram_desc, most, custom, "CLPRIMS_HISTOGRAM_DESC_INIT");

clprims_status clprims_histogram_create(clprims_histogram **out, clprims_context *context,
                                        const clprims_histogram_desc *desc) {
    clp_clear_error();
    if (out == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "histogram: out is NULL");
    *out = NULL;
    clprims_histogram_desc full = CLPRIMS_HISTOGRAM_DESC_INIT;
    CLP_TRY(clp_take_desc("histogram", context, &desc_layout, desc, &full));
    clprims_histogram *plan = calloc(1, sizeof *plan);
    if (plan == NULL) {
        return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "histogram: no host memory for a plan");
    }
    plan->context = context;
    const clprims_status status = fill_plan(plan, &full);
    plan->spec.custom = NULL;
    plan->spec.bin = NULL;
    if (status != CLPRIMS_OK) {
        clprims_histogram_destroy(plan);
        return status;
    }
    *out = plan;
    return CLPRIMS_OK;
}

void clprims_histogram_destroy(clprims_histogram *plan) {
    if (plan == NULL) return;
    const cl_mem mems[] = {plan->sums, plan->found, plan->counters, plan->edges, plan->report};
    clp_release_buffers(mems, sizeof mems / sizeof mems[0]);
    clp_release_kernels(plan->kernels, CLP_HISTOGRAM_KERNELS);
    if (plan->program != NULL) clReleaseProgram(plan->program);
    free(plan);
}

static const clp_layout info_layout =
    CLP_LAYOUT(clprims_histogram_info, groups, "CLPRIMS_HISTOGRAM_INFO_INIT");

clprims_status clprims_histogram_describe(const clprims_histogram *plan, size_t n,
                                          clprims_histogram_info *info) {
    static const char *const variants[] = {[CLP_HISTOGRAM_LOCAL] = "local",
                                           [CLP_HISTOGRAM_BYTES] = "bytes",
                                           [CLP_HISTOGRAM_SERIAL] = "serial",
                                           [CLP_HISTOGRAM_GLOBAL] = "global"};
    clp_clear_error();
    if (plan == NULL || info == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "histogram_describe: %s is NULL",
                        plan == NULL ? "histogram" : "info");
    }
    CLP_TRY(clp_check_n("histogram_describe", n, plan->spec.max_n));
    const clp_histogram_shape *shape = &plan->shape;
    const bool is_few = clp_histogram_is_few(shape, n);
    const clprims_histogram_info full = {.group = is_few ? shape->few_group : shape->group,
                                         .groups = clp_histogram_groups(shape, n),
                                         .parts = shape->parts,
                                         .copies = is_few ? shape->few_copies : shape->copies,
                                         .scratch_bytes = plan->scratch_bytes,
                                         .variant = is_few ? "few bytes" : variants[shape->way]};
    return clp_struct_give("histogram_describe", "info", &info_layout, &full, info);
}

clprims_status clprims_histogram_set_parameter(clprims_histogram *plan, size_t k, size_t bytes,
                                               const void *value) {
    clp_clear_error();
    if (plan == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "histogram: histogram is NULL");
    return clp_parameters_set(&plan->parameters, plan->context, "histogram", k, bytes, value);
}

/* ---- Enqueue ---- */

static clprims_status check_arrays(const clprims_histogram *plan, const clp_histogram_run *run) {
    const clprims_context *context = plan->context;
    const clp_histogram_spec *spec = &plan->spec;
    clp_array arrays[4] = {{"out", run->out, spec->bins, spec->sum_bytes},
                           {"in", run->in, run->n, spec->type_bytes},
                           {"weights", run->weights, run->n, spec->weight_bytes}};
    const bool weighted = spec->weights != CLPRIMS_TYPE_DEFAULT;
    if (!weighted && run->weights.mem != NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "histogram: weights.mem is not NULL, but the plan has no weights");
    }
    size_t count = run->n == 0 ? 1 : weighted ? 3 : 2;
    for (size_t k = 0; k < count; k++) {
        CLP_TRY(clp_array_check(context, "histogram", &arrays[k]));
        if (k > 0) CLP_TRY(clp_arrays_apart("histogram", &arrays[0], &arrays[k]));
    }
    CLP_TRY(clp_count_check(context, "histogram", run->counted, arrays, 1));
    arrays[count++] = (clp_array){"n", run->counted, 1, sizeof(cl_ulong)};
    return clp_report_check(context, "histogram", run->report, sizeof(clprims_histogram_report),
                            arrays, count);
}

static clprims_status enqueue(clprims_histogram *plan, clp_histogram_run *run) {
    if (plan == NULL || run->queue == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "histogram: %s is NULL",
                        plan == NULL ? "histogram" : "queue");
    }
    CLP_TRY(clp_check_n("histogram", run->n, plan->spec.max_n));
    CLP_TRY(clp_check_submission(plan->context, "histogram", run->queue, run->num_wait, run->wait));
    CLP_TRY(clp_parameters_check(&plan->parameters, "histogram"));
    CLP_TRY(check_arrays(plan, run));
    if (run->report.mem == NULL) run->report = (clprims_buffer){plan->report, 0};
    return clp_histogram_submit(plan, run);
}

clprims_status clprims_histogram_enqueue(clprims_histogram *plan, cl_command_queue queue,
                                         clprims_buffer in, clprims_buffer weights,
                                         clprims_buffer out, size_t n, clprims_buffer report,
                                         cl_uint num_wait, const cl_event *wait, cl_event *event) {
    clp_clear_error();
    clp_histogram_run run = {.queue = queue,
                             .in = in,
                             .weights = weights,
                             .out = out,
                             .report = report,
                             .n = n,
                             .num_wait = num_wait,
                             .wait = wait,
                             .event = event};
    return enqueue(plan, &run);
}

clprims_status clprims_histogram_enqueue_counted(clprims_histogram *plan, cl_command_queue queue,
                                                 clprims_buffer in, clprims_buffer weights,
                                                 clprims_buffer out, clprims_buffer n,
                                                 clprims_buffer report, cl_uint num_wait,
                                                 const cl_event *wait, cl_event *event) {
    clp_clear_error();
    clp_histogram_run run = {.queue = queue,
                             .in = in,
                             .weights = weights,
                             .out = out,
                             .report = report,
                             .n = plan != NULL ? plan->spec.max_n : 0,
                             .counted = n,
                             .num_wait = num_wait,
                             .wait = wait,
                             .event = event};
    CLP_TRY(clp_check_counted("histogram", "n", n));
    return enqueue(plan, &run);
}

/* ---- Plain arrays ---- */

clprims_status clprims_histogram_check(const clprims_histogram_report *report) {
    clp_clear_error();
    if (report == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "histogram_check: report is NULL");
    switch (report->fault) {
    case CLPRIMS_HISTOGRAM_VALID:
        return CLPRIMS_OK;
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
        return clp_check_count_report("histogram", 1, report->index);
    default:
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "histogram_check: report.fault = %" PRId64
                        " is none of clprims_histogram_fault; was the report read after its event?",
                        report->fault);
    }
}

/* mems: the input, the weights, the output. */
static clprims_status run_on(clprims_histogram *plan, const cl_mem mems[3], void *out, size_t n,
                             uint64_t *outside) {
    const clprims_context *context = plan->context;
    clprims_histogram_report report;
    const clp_histogram_run run = {.queue = context->queue,
                                   .in = {mems[0], 0},
                                   .weights = {mems[1], 0},
                                   .out = {mems[2], 0},
                                   .report = {plan->report, 0},
                                   .n = n};
    CLP_TRY(clp_histogram_submit(plan, &run));
    CLP_TRY(clp_download(context, "histogram", plan->report, &report, sizeof report));
    if (outside != NULL) *outside = (uint64_t)report.outside;
    CLP_TRY(clprims_histogram_check(&report));
    return clp_download(context, "histogram", mems[2], out, plan->spec.bins * plan->spec.sum_bytes);
}

static clprims_status check_host(const clprims_histogram *plan, const void *in, const void *weights,
                                 const void *out, size_t n) {
    const bool weighted = plan->spec.weights != CLPRIMS_TYPE_DEFAULT;
    if (weights != NULL && !weighted) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "histogram: weights is not NULL, but the plan has no weights");
    }
    if (out != NULL && (n == 0 || (in != NULL && (weights != NULL || !weighted)))) {
        return CLPRIMS_OK;
    }
    return clp_fail(CLPRIMS_ERR_ARGUMENT, "histogram: %s is NULL, with n = %zu",
                    out == NULL  ? "out"
                    : in == NULL ? "in"
                                 : "weights",
                    n);
}

clprims_status clprims_histogram_run(clprims_histogram *plan, const void *in, const void *weights,
                                     void *out, size_t n, uint64_t *outside) {
    clp_clear_error();
    if (plan == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "histogram: histogram is NULL");
    CLP_TRY(clp_check_n("histogram", n, plan->spec.max_n));
    CLP_TRY(clp_parameters_check(&plan->parameters, "histogram"));
    CLP_TRY(check_host(plan, in, weights, out, n));
    const clprims_context *context = plan->context;
    const clp_histogram_spec *spec = &plan->spec;
    cl_mem mems[3] = {NULL, NULL, NULL};
    clprims_status status = CLPRIMS_OK;
    if (n > 0) status = clp_upload(context, "histogram", in, n * spec->type_bytes, &mems[0]);
    if (status == CLPRIMS_OK && n > 0 && weights != NULL) {
        status = clp_upload(context, "histogram", weights, n * spec->weight_bytes, &mems[1]);
    }
    if (status == CLPRIMS_OK) {
        status = clp_upload(context, "histogram", NULL, spec->bins * spec->sum_bytes, &mems[2]);
    }
    if (status == CLPRIMS_OK) status = run_on(plan, mems, out, n, outside);
    clp_release_buffers(mems, 3);
    return status;
}
