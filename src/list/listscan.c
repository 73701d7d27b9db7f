/* SPDX-License-Identifier: MIT */
/* List scan: plans, the checks of each call, plain arrays. cl/list/listscan.cl says how it works.
 */
#include "core/check.h"
#include "core/context.h"
#include "list/list_report.h"
#include "list/listscan_engine.h"

#include <clprims/listscan.h>
#include <stdlib.h>

struct clprims_listscan {
    clp_listscan engine;
};

/* ---- Create and destroy ---- */

static const clp_layout desc_layout =
    CLP_LAYOUT_AROUND(clprims_listscan_desc, max_n, custom, "CLPRIMS_LISTSCAN_DESC_INIT");

clprims_status clprims_listscan_create(clprims_listscan **out, clprims_context *context,
                                       const clprims_listscan_desc *desc) {
    clp_clear_error();
    if (out == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "listscan: out is NULL");
    *out = NULL;
    clprims_listscan_desc full = CLPRIMS_LISTSCAN_DESC_INIT;
    CLP_TRY(clp_take_desc("listscan", context, &desc_layout, desc, &full));
    const clp_listscan_spec spec = {.who = "listscan",
                                    .link = full.link,
                                    .max_n = full.max_n,
                                    .what = {.type = full.type,
                                             .accumulator = full.accumulator,
                                             .op = full.op,
                                             .custom = full.custom,
                                             .input = full.input,
                                             .has_input_array = !full.no_input_array,
                                             .inclusive = full.inclusive != 0},
                                    .tuning = full.tuning};
    clprims_listscan *scan = calloc(1, sizeof *scan);
    if (scan == NULL) {
        return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "listscan: no host memory for a plan");
    }
    const clprims_status status = clp_listscan_prepare(&scan->engine, context, &spec, full.init);
    if (status == CLPRIMS_OK) {
        *out = scan;
    } else {
        clprims_listscan_destroy(scan);
    }
    return status;
}

void clprims_listscan_destroy(clprims_listscan *scan) {
    if (scan == NULL) return;
    clp_listscan_release(&scan->engine);
    free(scan);
}

size_t clprims_listscan_scratch_bytes(const clprims_listscan *scan) {
    return scan == NULL ? 0 : scan->engine.scratch_bytes;
}

/* ---- Enqueue ---- */

static clprims_status check_run(const clprims_listscan *scan, int64_t head, size_t n) {
    if (scan == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "listscan: scan is NULL");
    CLP_TRY(clp_check_n("listscan", n, scan->engine.spec.max_n));
    return clp_list_check_head("listscan", head, n);
}

static clprims_status check_buffers(const clp_listscan *engine, const clp_listscan_run *run) {
    const clp_listscan_spec *spec = &engine->spec;
    const clp_operation *what = &spec->what;
    const clp_array arrays[] = {{"next", run->next, run->n, clprims_type_bytes(spec->link)},
                                {"out", run->out, run->n, what->accumulator_bytes},
                                {"values", run->values, run->n, what->type_bytes}};
    if (run->n > 0 && !what->has_input_array && run->values.mem != NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "listscan: values.mem is not NULL, but the plan has no input array");
    }
    const size_t count = run->n == 0 ? 0 : what->has_input_array ? 3 : 2;
    for (size_t i = 0; i < count; i++)
        CLP_TRY(clp_array_check(engine->context, "listscan", &arrays[i]));
    return clp_report_check(engine->context, "listscan", run->report, sizeof(clprims_list_report),
                            arrays, count);
}

static clprims_status enqueue(clprims_listscan *scan, const clp_listscan_run *run,
                              cl_command_queue queue, cl_uint num_wait, const cl_event *wait,
                              cl_event *event) {
    if (queue == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "listscan: queue is NULL");
    CLP_TRY(check_run(scan, run->head, run->n));
    CLP_TRY(clp_check_submission(scan->engine.context, "listscan", queue, num_wait, wait));
    CLP_TRY(check_buffers(&scan->engine, run));
    return clp_listscan_submit(&scan->engine, run, queue, num_wait, wait, event);
}

clprims_status clprims_listscan_enqueue(clprims_listscan *scan, cl_command_queue queue,
                                        clprims_buffer next, clprims_buffer values,
                                        clprims_buffer out, int64_t head, size_t n,
                                        clprims_buffer report, cl_uint num_wait,
                                        const cl_event *wait, cl_event *event) {
    clp_clear_error();
    const clp_listscan_run run = {
        .next = next, .values = values, .out = out, .report = report, .head = head, .n = n};
    return enqueue(scan, &run, queue, num_wait, wait, event);
}

/* ---- Run ---- */

enum { NEXT, VALUES, OUT, REPORT, ARRAYS };

static clprims_status run_on(clprims_listscan *scan, const void *next, const void *values,
                             void *out, int64_t head, size_t n, cl_mem mem[ARRAYS]) {
    const clp_listscan_spec *spec = &scan->engine.spec;
    const clprims_context *context = scan->engine.context;
    const size_t out_bytes = n * spec->what.accumulator_bytes;
    clprims_list_report report;
    CLP_TRY(clp_upload(context, "listscan", next, n * clprims_type_bytes(spec->link), &mem[NEXT]));
    if (spec->what.has_input_array) {
        CLP_TRY(clp_upload(context, "listscan", values, n * spec->what.type_bytes, &mem[VALUES]));
    }
    CLP_TRY(clp_upload(context, "listscan", NULL, out_bytes, &mem[OUT]));
    CLP_TRY(clp_upload(context, "listscan", NULL, sizeof report, &mem[REPORT]));
    const clp_listscan_run run = {.next = {mem[NEXT], 0},
                                  .values = {mem[VALUES], 0},
                                  .out = {mem[OUT], 0},
                                  .report = {mem[REPORT], 0},
                                  .head = head,
                                  .n = n};
    CLP_TRY(enqueue(scan, &run, context->queue, 0, NULL, NULL));
    CLP_TRY(clp_download(context, "listscan", mem[REPORT], &report, sizeof report));
    CLP_TRY(clp_list_report_status("listscan", &report, spec->link, next));
    return clp_download(context, "listscan", mem[OUT], out, out_bytes);
}

clprims_status clprims_listscan_run(clprims_listscan *scan, const void *next, const void *values,
                                    void *out, int64_t head, size_t n) {
    cl_mem mem[ARRAYS] = {NULL};
    clp_clear_error();
    CLP_TRY(check_run(scan, head, n));
    if (n == 0) return CLPRIMS_OK;
    const bool has_values = scan->engine.spec.what.has_input_array;
    if (next == NULL || out == NULL || (has_values && values == NULL)) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "listscan: %s is NULL for n = %zu",
                        next == NULL  ? "next"
                        : out == NULL ? "out"
                                      : "values",
                        n);
    }
    if (!has_values && values != NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "listscan: values is not NULL, but the plan has no input array");
    }
    const clprims_status status = run_on(scan, next, values, out, head, n, mem);
    clp_release_buffers(mem, ARRAYS);
    return status;
}
