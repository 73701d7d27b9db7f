/* SPDX-License-Identifier: MIT */
/* Reduce: plans, launches, plain arrays. */
#include "core/check.h"
#include "core/launch.h"
#include "core/test_hooks.h"
#include "engine/run_number.h"
#include "reduce/reduce_plan.h"

#include <inttypes.h>
#include <stdlib.h>

/* One run's arguments. */
typedef struct reduce_run {
    cl_command_queue queue;
    clprims_buffer in;
    clprims_buffer out;
    clprims_buffer report; /* of the plan where the caller has none */
    size_t n;
    clprims_buffer counted; /* where the number of elements stands, up to n; {NULL, 0}: it is n */
    cl_uint num_wait;
    const cl_event *wait;
    cl_event *event;
} reduce_run;

/* ---- Launches ---- */

static clprims_status set_arguments(const clprims_reduce *reduce, cl_kernel kernel,
                                    const reduce_run *run, cl_uint number) {
    const cl_ulong in_first = run->in.first, out_first = run->out.first,
                   report_first = run->report.first, n = run->n, counted_first = run->counted.first;
    /* A run without elements reads none, but the argument must be a buffer. */
    const cl_mem in = run->in.mem != NULL ? run->in.mem : reduce->context->blank;
    clp_argument arguments[13 + CLP_MOST_PARAMETERS] = {CLP_ARGUMENT(in),
                                                        CLP_ARGUMENT(in_first),
                                                        CLP_ARGUMENT(run->out.mem),
                                                        CLP_ARGUMENT(out_first),
                                                        CLP_ARGUMENT(run->report.mem),
                                                        CLP_ARGUMENT(report_first),
                                                        CLP_ARGUMENT(n),
                                                        {reduce->spec.result_bytes, reduce->start},
                                                        CLP_ARGUMENT(reduce->sums),
                                                        CLP_ARGUMENT(reduce->tickets),
                                                        CLP_ARGUMENT(number),
                                                        CLP_ARGUMENT(run->counted.mem),
                                                        CLP_ARGUMENT(counted_first)};
    size_t count = 13;
    clp_parameters_append(&reduce->parameters, &reduce->context->blank, arguments, &count);
    return clp_kernel_arguments(kernel, "reduce", arguments, (cl_uint)count);
}

static clprims_status submit(clprims_reduce *reduce, const reduce_run *run) {
    const clp_reduce_shape *shape = &reduce->shape;
    cl_uint number;
    const bool counted = run->counted.mem != NULL;
    const size_t groups =
        counted ? clp_reduce_counted_groups(shape, run->n) : clp_reduce_groups(shape, run->n);
    const cl_kernel kernel = counted && reduce->counted != NULL ? reduce->counted : reduce->kernel;
    const clp_step step = {kernel, groups, shape->group};
    CLP_TRY(clp_next_run("reduce", reduce->run, reduce->sums, run->queue, run->num_wait, run->wait,
                         &number));
    CLP_TRY(set_arguments(reduce, kernel, run, number));
    CLP_TRY(
        clp_steps_enqueue(run->queue, "reduce", &step, 1, run->num_wait, run->wait, run->event));
    reduce->run = number;
    return CLPRIMS_OK;
}

/* ---- Create ---- */

/* Writes its output behind the sums. */
static clprims_status warm_up(const clprims_reduce *reduce, size_t first_behind) {
    const reduce_run run = {.in = {reduce->context->blank, 0},
                            .out = {reduce->sums, first_behind},
                            .report = {reduce->report, 0}};
    const clp_step steps[] = {{reduce->kernel, 1, reduce->shape.group},
                              {reduce->counted, 1, reduce->shape.group}};
    const size_t count = reduce->counted == NULL ? 1 : 2;
    for (size_t i = 0; i < count; i++) {
        CLP_TRY(set_arguments(reduce, steps[i].kernel, &run, 0));
    }
    return clp_steps_warm_up(reduce->context, "reduce", steps, count);
}

static clprims_status add_scratch(clprims_reduce *reduce, size_t bytes, bool zeroed, cl_mem *out) {
    CLP_TRY(clp_scratch_create(reduce->context, "reduce", bytes, zeroed, out));
    reduce->scratch_bytes += bytes;
    return CLPRIMS_OK;
}

/* Room for the sums and for one output behind them. */
static clprims_status add_sums(clprims_reduce *reduce, size_t *first_behind) {
    const bool by_groups = reduce->shape.by == CLP_REDUCE_BY_GROUP;
    const size_t words = (reduce->spec.value_bytes + 3) / 4, result = reduce->spec.result_bytes;
    const size_t bytes = clp_reduce_most_sums(&reduce->shape, reduce->spec.max_n) *
                         (by_groups ? words * sizeof(cl_ulong) : reduce->spec.value_bytes);
    *first_behind = (bytes + result - 1) / result;
    return add_scratch(reduce, (*first_behind + 1) * result, by_groups, &reduce->sums);
}

static clprims_status fill_plan(clprims_reduce *reduce, const clprims_reduce_desc *desc) {
    const clprims_context *context = reduce->context;
    clp_reduce_spec *spec = &reduce->spec;
    CLP_TRY(clp_reduce_spec_fill(context, desc, spec, reduce->start));
    CLP_TRY(clp_parameters_read("reduce", desc->parameters, &reduce->parameters));
    if (reduce->parameters.count > 0 && desc->input == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "reduce: %zu parameters and no desc.input that could name them",
                        reduce->parameters.count);
    }
    spec->what.parameters = &reduce->parameters;
    CLP_TRY(clp_reduce_shape_choose(context, spec, desc->tuning, &reduce->shape));
    CLP_TRY(clp_reduce_build(context, spec, &reduce->shape, &reduce->program, &reduce->kernel,
                             &reduce->counted));
    size_t first_behind = 0;
    CLP_TRY(add_sums(reduce, &first_behind));
    CLP_TRY(add_scratch(reduce, sizeof(cl_uint), true, &reduce->tickets));
    CLP_TRY(add_scratch(reduce, sizeof(clprims_reduce_report), false, &reduce->report));
    reduce->run = (cl_uint)clp_test_hooks_get()->first_run;
    return warm_up(reduce, first_behind);
}

static const clp_layout desc_layout =
    CLP_LAYOUT_AROUND(clprims_reduce_desc, max_n, custom, "CLPRIMS_REDUCE_DESC_INIT");

clprims_status clprims_reduce_create(clprims_reduce **out, clprims_context *context,
                                     const clprims_reduce_desc *desc) {
    clp_clear_error();
    if (out == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "reduce: out is NULL");
    *out = NULL;
    clprims_reduce_desc full = CLPRIMS_REDUCE_DESC_INIT;
    CLP_TRY(clp_take_desc("reduce", context, &desc_layout, desc, &full));
    clprims_reduce *reduce = calloc(1, sizeof *reduce);
    if (reduce == NULL) {
        return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "reduce: no host memory for a plan");
    }
    reduce->context = context;
    const clprims_status status = fill_plan(reduce, &full);
    reduce->spec.what.custom = (clprims_custom)CLPRIMS_CUSTOM_INIT;
    reduce->spec.what.input = NULL;
    if (status != CLPRIMS_OK) {
        clprims_reduce_destroy(reduce);
        return status;
    }
    *out = reduce;
    return CLPRIMS_OK;
}

void clprims_reduce_destroy(clprims_reduce *reduce) {
    if (reduce == NULL) return;
    const cl_mem mems[] = {reduce->sums, reduce->tickets, reduce->report};
    clp_release_buffers(mems, sizeof mems / sizeof mems[0]);
    const cl_kernel kernels[] = {reduce->kernel, reduce->counted};
    clp_release_kernels(kernels, sizeof kernels / sizeof kernels[0]);
    if (reduce->program != NULL) clReleaseProgram(reduce->program);
    free(reduce);
}

static const clp_layout info_layout =
    CLP_LAYOUT(clprims_reduce_info, groups, "CLPRIMS_REDUCE_INFO_INIT");

clprims_status clprims_reduce_describe(const clprims_reduce *reduce, size_t n,
                                       clprims_reduce_info *info) {
    clp_clear_error();
    if (reduce == NULL || info == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "reduce_describe: %s is NULL",
                        reduce == NULL ? "reduce" : "info");
    }
    CLP_TRY(clp_check_n("reduce_describe", n, reduce->spec.max_n));
    static const char *const variants[] = {[CLP_REDUCE_BY_ITEM] = "serial",
                                           [CLP_REDUCE_BY_TEAM] = "sub-group",
                                           [CLP_REDUCE_BY_GROUP] = "group"};
    const clp_reduce_shape *shape = &reduce->shape;
    const clprims_reduce_info full = {.group = shape->group,
                                      .groups = clp_reduce_groups(shape, n),
                                      .block = clp_reduce_block(shape, n),
                                      .scratch_bytes = reduce->scratch_bytes,
                                      .variant = variants[shape->by]};
    return clp_struct_give("reduce_describe", "info", &info_layout, &full, info);
}

/* ---- Parameters ---- */

clprims_status clprims_reduce_set_parameter(clprims_reduce *reduce, size_t k, size_t bytes,
                                            const void *value) {
    clp_clear_error();
    if (reduce == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "reduce: reduce is NULL");
    return clp_parameters_set(&reduce->parameters, reduce->context, "reduce", k, bytes, value);
}

/* ---- Enqueue ---- */

static clprims_status check_arrays(const clprims_reduce *reduce, const reduce_run *run) {
    const clprims_context *context = reduce->context;
    const clp_array arrays[] = {{"out", run->out, 1, reduce->spec.result_bytes},
                                {"in", run->in, run->n, reduce->spec.what.type_bytes}};
    const clp_array own = {"n", run->counted, 1, sizeof(cl_ulong)};
    const bool has_in = reduce->spec.what.has_input_array && run->n > 0;
    if (!reduce->spec.what.has_input_array && run->in.mem != NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "reduce: in.mem is not NULL, but the plan has no input array");
    }
    CLP_TRY(clp_array_check(context, "reduce", &arrays[0]));
    if (has_in) {
        CLP_TRY(clp_array_check(context, "reduce", &arrays[1]));
        CLP_TRY(clp_arrays_apart("reduce", &arrays[0], &arrays[1]));
    }
    CLP_TRY(clp_count_check(context, "reduce", run->counted, arrays, 1));
    CLP_TRY(
        clp_report_check(context, "reduce", run->report, sizeof(clprims_reduce_report), &own, 1));
    return clp_report_check(context, "reduce", run->report, sizeof(clprims_reduce_report), arrays,
                            has_in ? 2 : 1);
}

static clprims_status enqueue(clprims_reduce *reduce, reduce_run *run) {
    CLP_TRY(clp_check_submission(reduce->context, "reduce", run->queue, run->num_wait, run->wait));
    CLP_TRY(clp_parameters_check(&reduce->parameters, "reduce"));
    CLP_TRY(check_arrays(reduce, run));
    if (run->n == 0) run->in = (clprims_buffer){NULL, 0};
    if (run->report.mem == NULL) run->report = (clprims_buffer){reduce->report, 0};
    return submit(reduce, run);
}

clprims_status clprims_reduce_enqueue(clprims_reduce *reduce, cl_command_queue queue,
                                      clprims_buffer in, clprims_buffer out, size_t n,
                                      clprims_buffer report, cl_uint num_wait, const cl_event *wait,
                                      cl_event *event) {
    clp_clear_error();
    if (reduce == NULL || queue == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "reduce: %s is NULL",
                        reduce == NULL ? "reduce" : "queue");
    }
    CLP_TRY(clp_check_n("reduce", n, reduce->spec.max_n));
    reduce_run run = {.queue = queue,
                      .in = in,
                      .out = out,
                      .report = report,
                      .n = n,
                      .num_wait = num_wait,
                      .wait = wait,
                      .event = event};
    return enqueue(reduce, &run);
}

clprims_status clprims_reduce_enqueue_counted(clprims_reduce *reduce, cl_command_queue queue,
                                              clprims_buffer in, clprims_buffer out,
                                              clprims_buffer n, clprims_buffer report,
                                              cl_uint num_wait, const cl_event *wait,
                                              cl_event *event) {
    clp_clear_error();
    if (reduce == NULL || queue == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "reduce: %s is NULL",
                        reduce == NULL ? "reduce" : "queue");
    }
    CLP_TRY(clp_check_counted("reduce", "n", n));
    reduce_run run = {.queue = queue,
                      .in = in,
                      .out = out,
                      .report = report,
                      .n = reduce->spec.max_n,
                      .counted = n,
                      .num_wait = num_wait,
                      .wait = wait,
                      .event = event};
    return enqueue(reduce, &run);
}

/* ---- Plain arrays ---- */

clprims_status clprims_reduce_check(const clprims_reduce_report *report) {
    clp_clear_error();
    if (report == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "reduce_check: report is NULL");
    switch (report->fault) {
    case CLPRIMS_REDUCE_VALID:
        return CLPRIMS_OK;
    case CLPRIMS_REDUCE_EMPTY:
        return clp_fail(CLPRIMS_ERR_DATA, "reduce: no elements, and the plan has neither an "
                                          "initial value nor an identity");
    case CLPRIMS_REDUCE_COUNT:
        return clp_fail_count("reduce", report->count);
    default:
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "reduce_check: report.fault = %" PRId64
                        " is none of clprims_reduce_fault; was the report read after its event?",
                        report->fault);
    }
}

static clprims_status run_on(clprims_reduce *reduce, cl_mem in, cl_mem out, void *host_out,
                             size_t n) {
    const clprims_context *context = reduce->context;
    clprims_reduce_report report;
    const reduce_run run = {.queue = context->queue,
                            .in = {in, 0},
                            .out = {out, 0},
                            .report = {reduce->report, 0},
                            .n = n};
    CLP_TRY(submit(reduce, &run));
    CLP_TRY(clp_download(context, "reduce", reduce->report, &report, sizeof report));
    CLP_TRY(clprims_reduce_check(&report));
    return clp_download(context, "reduce", out, host_out, reduce->spec.result_bytes);
}

clprims_status clprims_reduce_run(clprims_reduce *reduce, const void *in, void *out, size_t n) {
    clp_clear_error();
    if (reduce == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "reduce: reduce is NULL");
    CLP_TRY(clp_check_n("reduce", n, reduce->spec.max_n));
    CLP_TRY(clp_parameters_check(&reduce->parameters, "reduce"));
    const bool has_in = reduce->spec.what.has_input_array;
    if (out == NULL || (in == NULL && has_in && n > 0) || (in != NULL && !has_in)) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "reduce: %s, with n = %zu",
                        out == NULL ? "out is NULL"
                        : has_in    ? "in is NULL"
                                    : "in is not NULL, but the plan has no input array",
                        n);
    }
    const clprims_context *context = reduce->context;
    cl_mem mems[2] = {NULL, NULL};
    clprims_status status = CLPRIMS_OK;
    if (has_in && n > 0) {
        status = clp_upload(context, "reduce", in, n * reduce->spec.what.type_bytes, &mems[0]);
    }
    if (status == CLPRIMS_OK) {
        status = clp_upload(context, "reduce", NULL, reduce->spec.result_bytes, &mems[1]);
    }
    if (status == CLPRIMS_OK) status = run_on(reduce, mems[0], mems[1], out, n);
    clp_release_buffers(mems, 2);
    return status;
}
