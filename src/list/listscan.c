/* SPDX-License-Identifier: MIT */
/* List scan. cl/list/listscan.cl says how it works. */
#include "core/status.h"
#include "core/type.h"
#include "list/list_engine.h"

#include <clprims/listscan.h>

struct clprims_listscan {
    clp_list engine;
};

/* ---- Create and destroy ---- */

static clprims_status fill(clp_plan *head, const void *description) {
    const clprims_listscan_desc *desc = description;
    const clp_list_spec spec = {.who = "listscan",
                                .link = clp_type_or(desc->link, CLPRIMS_I32),
                                .max_n = desc->max_n,
                                .what = {.type = desc->type,
                                         .accumulator = desc->accumulator,
                                         .op = desc->op,
                                         .custom = desc->custom,
                                         .input = desc->input,
                                         .has_input_array = !desc->no_input_array,
                                         .inclusive = desc->inclusive != 0},
                                .tuning = desc->tuning};
    return clp_list_fill(head, &spec, desc->init);
}

static const clp_plan_kind kind = {.name = "listscan",
                                   .bytes = sizeof(clprims_listscan),
                                   .desc_bytes = sizeof(clprims_listscan_desc),
                                   .report_bytes = sizeof(clprims_list_report),
                                   .fill = fill,
                                   .check_sizes = clp_list_check_sizes,
                                   .list_arrays = clp_list_list_arrays,
                                   .submit = clp_list_submit,
                                   .finish = clp_list_finish};

clprims_status clprims_listscan_create_sized(clprims_listscan **out, clprims_context *context,
                                             const clprims_listscan_desc *desc, size_t desc_bytes) {
    clprims_listscan_desc full;
    return clp_plan_create(out, context, &kind, desc, desc_bytes, &full);
}

void clprims_listscan_destroy(clprims_listscan *scan) {
    clp_plan_destroy(scan);
}

size_t clprims_listscan_scratch_bytes(const clprims_listscan *scan) {
    return scan == NULL ? 0 : scan->engine.head.scratch_bytes;
}

/* ---- Enqueue and run ---- */

clprims_status clprims_listscan_enqueue(clprims_listscan *scan, cl_command_queue queue,
                                        clprims_buffer next, clprims_buffer values,
                                        clprims_buffer out, int64_t head, size_t n,
                                        clprims_buffer report, cl_uint num_wait,
                                        const cl_event *wait, cl_event *event) {
    CLP_TRY(clp_begin("listscan", "plan", scan));
    clp_list_run r = {.call = {queue, num_wait, wait, event},
                      .next = next,
                      .values = values,
                      .out = out,
                      .report = report,
                      .head = head,
                      .n = n};
    return clp_plan_enqueue(&scan->engine.head, &r.call);
}

clprims_status clprims_listscan_run(clprims_listscan *scan, const void *next, const void *values,
                                    void *out, int64_t head, size_t n) {
    CLP_TRY(clp_begin("listscan", "plan", scan));
    clp_list_run r = {.head = head, .n = n};
    const clp_list_plain plain = {.next = next, .values = values, .out = out};
    return clp_list_run_plain(&scan->engine, &r, &plain);
}
