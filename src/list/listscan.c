/* SPDX-License-Identifier: MIT */
/* List scan. cl/list/listscan.cl says how it works. */
#include "core/check.h"
#include "core/context.h"
#include "list/list_engine.h"

#include <clprims/listscan.h>

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
    clp_list *plan = NULL;
    const clprims_status status = clp_list_create(&plan, context, &spec, full.init);
    *out = (clprims_listscan *)plan;
    return status;
}

void clprims_listscan_destroy(clprims_listscan *scan) {
    clp_list_destroy((clp_list *)scan);
}

size_t clprims_listscan_scratch_bytes(const clprims_listscan *scan) {
    return scan == NULL ? 0 : scan->engine.scratch_bytes;
}

/* ---- Enqueue and run ---- */

static const clp_list_names names = {"listscan", "scan"};

clprims_status clprims_listscan_enqueue(clprims_listscan *scan, cl_command_queue queue,
                                        clprims_buffer next, clprims_buffer values,
                                        clprims_buffer out, int64_t head, size_t n,
                                        clprims_buffer report, cl_uint num_wait,
                                        const cl_event *wait, cl_event *event) {
    clp_clear_error();
    clp_list_run r = {.plan = (clp_list *)scan,
                      .next = next,
                      .values = values,
                      .out = out,
                      .report = report,
                      .head = head,
                      .n = n};
    return clp_list_enqueue(&r, &names, queue, num_wait, wait, event);
}

clprims_status clprims_listscan_run(clprims_listscan *scan, const void *next, const void *values,
                                    void *out, int64_t head, size_t n) {
    clp_clear_error();
    clp_list_run r = {.plan = (clp_list *)scan, .head = head, .n = n};
    const clp_list_plain plain = {.next = next, .values = values, .out = out};
    return clp_list_run_plain(&r, &names, &plain);
}
