/* SPDX-License-Identifier: MIT */
/* The scan: plans, launches, plain arrays. */
#include "core/check.h"
#include "core/program.h"
#include "scan/scan_engine.h"

#include <stdlib.h>

/* ---- Create ---- */

static clprims_status fill_plan(clprims_scan *scan, const clprims_scan_desc *desc) {
    CLP_TRY(clp_scan_spec_fill(scan->context, desc, &scan->spec, scan->start, &scan->reason));
    CLP_TRY(clp_parameters_read("scan", desc->parameters, &scan->parameters));
    if (scan->parameters.count > 0 && desc->input == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "scan: %zu parameters, but no desc.input that could name them",
                        scan->parameters.count);
    }
    scan->spec.what.parameters = scan->pass.parameters = &scan->parameters;
    clp_pass_need need = clp_scan_need(&scan->spec, desc->tuning);
    need.is_auto = desc->algorithm == CLPRIMS_ALGORITHM_AUTO;
    return clp_pass_prepare(&scan->pass, scan->context, &need);
}

static clprims_status enqueue_pass(clprims_scan *scan, const clp_scan_run *run) {
    const cl_ulong in_first = run->in.first, out_first = run->out.first,
                   report_first = run->report.first, n = run->n;
    const clp_argument arguments[] = {CLP_ARGUMENT(run->in.mem),
                                      CLP_ARGUMENT(in_first),
                                      CLP_ARGUMENT(run->out.mem),
                                      CLP_ARGUMENT(out_first),
                                      CLP_ARGUMENT(run->report.mem),
                                      CLP_ARGUMENT(report_first),
                                      CLP_ARGUMENT(n),
                                      {scan->spec.what.working_bytes, scan->start}};
    const bool unaligned = clp_is_unaligned(run->in, scan->spec.what.type_bytes) ||
                           clp_is_unaligned(run->out, scan->spec.what.accumulator_bytes);
    const clp_pass_run pass_run = {.queue = run->queue,
                                   .n = run->n,
                                   .counted = run->counted,
                                   .num_wait = run->num_wait,
                                   .wait = run->wait,
                                   .event = run->event,
                                   .warms_up = run->warms_up};
    return clp_pass_enqueue_placed(&scan->pass, arguments, sizeof arguments / sizeof arguments[0],
                                   &pass_run, unaligned);
}

/* Launches the plan's kernels once. */
static clprims_status warm_up(clprims_scan *scan) {
    const clprims_buffer blank = {scan->context->blank, 0};
    const clp_scan_run run = {.in = blank, .out = blank, .warms_up = true};
    return enqueue_pass(scan, &run);
}

static const clp_layout desc_layout =
    CLP_LAYOUT_AROUND(clprims_scan_desc, max_n, custom, "CLPRIMS_SCAN_DESC_INIT");

clprims_status clprims_scan_create(clprims_scan **out, clprims_context *context,
                                   const clprims_scan_desc *desc) {
    clp_clear_error();
    if (out == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "scan: out is NULL");
    *out = NULL;
    clprims_scan_desc full = CLPRIMS_SCAN_DESC_INIT;
    CLP_TRY(clp_take_desc("scan", context, &desc_layout, desc, &full));
    clprims_scan *scan = calloc(1, sizeof *scan);
    if (scan == NULL) return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "scan: no host memory for a plan");
    scan->context = context;
    clprims_status status = fill_plan(scan, &full);
    if (status == CLPRIMS_OK) status = warm_up(scan);
    scan->spec.what.custom = (clprims_custom)CLPRIMS_CUSTOM_INIT;
    scan->spec.what.input = NULL;
    if (status != CLPRIMS_OK) {
        clprims_scan_destroy(scan);
        return status;
    }
    *out = scan;
    return CLPRIMS_OK;
}

void clprims_scan_destroy(clprims_scan *scan) {
    if (scan == NULL) return;
    clp_pass_release(&scan->pass);
    free(scan);
}

static const clp_layout info_layout =
    CLP_LAYOUT(clprims_scan_info, algorithm, "CLPRIMS_SCAN_INFO_INIT");

clprims_status clprims_scan_describe(const clprims_scan *scan, size_t n, clprims_scan_info *info) {
    clp_clear_error();
    if (scan == NULL || info == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "scan_describe: %s is NULL",
                        scan == NULL ? "scan" : "info");
    }
    CLP_TRY(clp_check_n("scan_describe", n, scan->spec.max_n));
    const clp_shape *shape = &clp_pass_choose_kernel(&scan->pass, n, false)->shape;
    const clp_shape *unaligned = &clp_pass_choose_kernel(&scan->pass, n, true)->shape;
    const clprims_scan_info full = {.algorithm = scan->spec.algorithm,
                                    .group = shape->group,
                                    .tile = shape->tile,
                                    .scratch_bytes = scan->pass.scratch_bytes,
                                    .reason = scan->reason,
                                    .variant = clp_variants[shape->variant].name,
                                    .unaligned_variant = clp_variants[unaligned->variant].name};
    return clp_struct_give("scan_describe", "info", &info_layout, &full, info);
}

/* ---- Parameters ---- */

clprims_status clprims_scan_set_parameter(clprims_scan *scan, size_t k, size_t bytes,
                                          const void *value) {
    clp_clear_error();
    if (scan == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "scan: scan is NULL");
    return clp_parameters_set(&scan->parameters, scan->context, "scan", k, bytes, value);
}

clprims_status clprims_scan_set_init(clprims_scan *scan, const void *init) {
    clp_clear_error();
    if (scan == NULL || init == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "scan_set_init: %s is NULL",
                        scan == NULL ? "scan" : "init");
    }
    if (!scan->spec.what.has_start) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "scan_set_init: the plan is inclusive and was created without desc.init");
    }
    clp_operation_set_start(&scan->spec.what, init, scan->start);
    return CLPRIMS_OK;
}

/* ---- Enqueue ---- */

static clprims_status check_arrays(const clprims_scan *scan, const clp_array *from,
                                   const clp_array *to) {
    bool in_place = false;
    CLP_TRY(clp_array_check(scan->context, "scan", to));
    if (!scan->spec.what.has_input_array) {
        if (from->buffer.mem == NULL) return CLPRIMS_OK;
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "scan: in.mem is not NULL, but the plan has no input array");
    }
    CLP_TRY(clp_array_check(scan->context, "scan", from));
    CLP_TRY(clp_arrays_begin_alike("scan", from, to, &in_place));
    return in_place ? CLPRIMS_OK : clp_arrays_apart("scan", from, to);
}

static clprims_status check_run(const clprims_scan *scan, const clp_scan_run *run) {
    const clprims_context *context = scan->context;
    const clp_array arrays[] = {{"out", run->out, run->n, scan->spec.what.accumulator_bytes},
                                {"in", run->in, run->n, scan->spec.what.type_bytes},
                                {"n", run->counted, 1, sizeof(cl_ulong)}};
    CLP_TRY(clp_check_submission(context, "scan", run->queue, run->num_wait, run->wait));
    CLP_TRY(clp_parameters_check(&scan->parameters, "scan"));
    if (run->n == 0) return CLPRIMS_OK;
    CLP_TRY(check_arrays(scan, &arrays[1], &arrays[0]));
    CLP_TRY(clp_count_check(context, "scan", run->counted, arrays, 1));
    return clp_report_check(context, "scan", run->report, sizeof(clprims_scan_report), arrays, 3);
}

static clprims_status enqueue(clprims_scan *scan, const clp_scan_run *run) {
    if (run->n == 0) {
        return clp_steps_enqueue(run->queue, "scan", NULL, 0, run->num_wait, run->wait, run->event);
    }
    return enqueue_pass(scan, run);
}

clprims_status clprims_scan_enqueue(clprims_scan *scan, cl_command_queue queue, clprims_buffer in,
                                    clprims_buffer out, size_t n, cl_uint num_wait,
                                    const cl_event *wait, cl_event *event) {
    clp_clear_error();
    if (scan == NULL || queue == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "scan: %s is NULL", scan == NULL ? "scan" : "queue");
    }
    CLP_TRY(clp_check_n("scan", n, scan->spec.max_n));
    const clp_scan_run run = {.queue = queue,
                              .in = in,
                              .out = out,
                              .n = n,
                              .num_wait = num_wait,
                              .wait = wait,
                              .event = event};
    CLP_TRY(check_run(scan, &run));
    return enqueue(scan, &run);
}

clprims_status clprims_scan_enqueue_counted(clprims_scan *scan, cl_command_queue queue,
                                            clprims_buffer in, clprims_buffer out, clprims_buffer n,
                                            clprims_buffer report, cl_uint num_wait,
                                            const cl_event *wait, cl_event *event) {
    clp_clear_error();
    if (scan == NULL || queue == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "scan: %s is NULL", scan == NULL ? "scan" : "queue");
    }
    CLP_TRY(clp_check_counted("scan", "n", n));
    const clp_scan_run run = {.queue = queue,
                              .in = in,
                              .out = out,
                              .n = scan->spec.max_n,
                              .counted = n,
                              .report = report,
                              .num_wait = num_wait,
                              .wait = wait,
                              .event = event};
    CLP_TRY(check_run(scan, &run));
    return enqueue(scan, &run);
}

clprims_status clprims_scan_check(const clprims_scan_report *report) {
    clp_clear_error();
    if (report == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "scan_check: report is NULL");
    return clp_check_count_report("scan", report->fault, report->count);
}

/* ---- Plain arrays ---- */

static clprims_status run_on(clprims_scan *scan, cl_mem in, cl_mem out, void *host_out, size_t n) {
    const clp_scan_run run = {
        .queue = scan->context->queue, .in = {in, 0}, .out = {out, 0}, .n = n};
    CLP_TRY(enqueue(scan, &run));
    return clp_download(scan->context, "scan", out, host_out,
                        n * scan->spec.what.accumulator_bytes);
}

clprims_status clprims_scan_run(clprims_scan *scan, const void *in, void *out, size_t n) {
    clp_clear_error();
    if (scan == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "scan: scan is NULL");
    CLP_TRY(clp_check_n("scan", n, scan->spec.max_n));
    CLP_TRY(clp_parameters_check(&scan->parameters, "scan"));
    if (n == 0) return CLPRIMS_OK;
    const bool has_in = scan->spec.what.has_input_array;
    if (out == NULL || (in == NULL) == has_in) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "scan: %s for n = %zu",
                        out == NULL ? "out is NULL"
                        : has_in    ? "in is NULL"
                                    : "in is not NULL, but the plan has no input array",
                        n);
    }
    const clp_scan_spec *spec = &scan->spec;
    const bool in_place = has_in && spec->what.type_bytes == spec->what.accumulator_bytes;
    cl_mem device_in = NULL, device_out = NULL;
    clprims_status status = CLPRIMS_OK;
    if (has_in)
        status = clp_upload(scan->context, "scan", in, n * spec->what.type_bytes, &device_in);
    if (status == CLPRIMS_OK && !in_place) {
        status =
            clp_upload(scan->context, "scan", NULL, n * spec->what.accumulator_bytes, &device_out);
    }
    if (status == CLPRIMS_OK) {
        status = run_on(scan, device_in, in_place ? device_in : device_out, out, n);
    }
    if (device_out != NULL) clReleaseMemObject(device_out);
    if (device_in != NULL) clReleaseMemObject(device_in);
    return status;
}
