/* SPDX-License-Identifier: MIT */
/* List scan: plans, the checks of each call, plain arrays. cl/list/listscan.cl says how it works.
 */
#include "core/check.h"
#include "core/context.h"
#include "list/list_engine.h"
#include "list/list_report.h"

#include <clprims/listscan.h>
#include <stdlib.h>

struct clprims_listscan {
    clp_list engine;
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
    const clp_list_spec spec = {.who = "listscan",
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
    const clprims_status status = clp_list_prepare(&scan->engine, context, &spec, full.init);
    if (status == CLPRIMS_OK) {
        *out = scan;
    } else {
        clprims_listscan_destroy(scan);
    }
    return status;
}

void clprims_listscan_destroy(clprims_listscan *scan) {
    if (scan == NULL) return;
    clp_list_release(&scan->engine);
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

static clprims_status check_buffers(const clp_list_run *r) {
    const clp_list_spec *spec = &r->plan->spec;
    const clp_operation *what = &spec->what;
    const clp_array arrays[] = {{"next", r->next, r->n, clprims_type_bytes(spec->link)},
                                {"out", r->out, r->n, what->accumulator_bytes},
                                {"values", r->values, r->n, what->type_bytes}};
    if (r->n > 0 && !what->has_input_array && r->values.mem != NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "listscan: values.mem is not NULL, but the plan has no input array");
    }
    const size_t count = r->n == 0 ? 0 : what->has_input_array ? 3 : 2;
    for (size_t i = 0; i < count; i++)
        CLP_TRY(clp_array_check(r->plan->context, "listscan", &arrays[i]));
    return clp_report_check(r->plan->context, "listscan", r->report, sizeof(clprims_list_report),
                            arrays, count);
}

clprims_status clprims_listscan_enqueue(clprims_listscan *scan, cl_command_queue queue,
                                        clprims_buffer next, clprims_buffer values,
                                        clprims_buffer out, int64_t head, size_t n,
                                        clprims_buffer report, cl_uint num_wait,
                                        const cl_event *wait, cl_event *event) {
    clp_clear_error();
    if (queue == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "listscan: queue is NULL");
    CLP_TRY(check_run(scan, head, n));
    clp_list_run r = {.plan = &scan->engine,
                      .next = next,
                      .values = values,
                      .out = out,
                      .report = report,
                      .head = head,
                      .n = n};
    CLP_TRY(clp_check_submission(r.plan->context, "listscan", queue, num_wait, wait));
    CLP_TRY(check_buffers(&r));
    return clp_list_submit(&r, queue, num_wait, wait, event);
}

/* ---- Run ---- */

clprims_status clprims_listscan_run(clprims_listscan *scan, const void *next, const void *values,
                                    void *out, int64_t head, size_t n) {
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
    const clp_list_spec *spec = &scan->engine.spec;
    const size_t bytes = n * spec->what.type_bytes;
    clp_list_run r = {.plan = &scan->engine, .head = head, .n = n};
    const clp_list_plain arrays[] = {{next, NULL, n * clprims_type_bytes(spec->link), &r.next},
                                     {values, NULL, has_values ? bytes : 0, &r.values},
                                     {NULL, out, n * spec->what.accumulator_bytes, &r.out}};
    return clp_list_run_plain(&r, arrays, 3, next);
}
