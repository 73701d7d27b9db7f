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
    const clp_user_text texts[] = {
        {"desc.input", desc->input, desc->no_input_array ? "i" : "x i", NULL}, {NULL}};
    const clp_list_spec spec = {.who = "listscan",
                                .link = clp_type_or(desc->link, CLPRIMS_I32),
                                .max_n = desc->max_n,
                                .what = {.type = desc->type,
                                         .accumulator = desc->accumulator,
                                         .op = desc->op,
                                         .custom = desc->custom,
                                         .input = desc->input,
                                         .parameters = &head->parameters,
                                         .has_input_array = !desc->no_input_array,
                                         .inclusive = desc->inclusive != 0},
                                .tuning = desc->tuning};
    CLP_TRY(clp_plan_read_texts(head, texts, &desc->custom, desc->parameters));
    return clp_list_fill(head, &spec, desc->init);
}

static const clp_plan_kind kind = {CLP_LIST_KIND(listscan), .fill = fill};

CLP_PLAN_CREATE(listscan, kind)
CLP_PLAN_SET_PARAMETER(listscan)

/* ---- Runs and description ---- */

static clp_list_run run_of(const clprims_listscan *plan, const clprims_listscan_buffers *at,
                           size_t n) {
    clp_list_run r = {
        .next = at->next, .values = at->values, .out = at->out, .report = at->report, .n = n};
    (void)plan;
    clp_list_set_head(&r, at->head);
    return r;
}

CLP_PLAN_ENQUEUE_AS(listscan, kind, clp_list_run, run_of)

clprims_status clprims_listscan_check(const clprims_list_report *report) {
    CLP_TRY(clp_begin("listscan_check", "report", report));
    return clp_list_report_status("listscan", report, CLPRIMS_TYPE_DEFAULT, NULL);
}

clprims_status clprims_listscan_run_sized(clprims_listscan *scan,
                                          const clprims_listscan_arrays *arrays,
                                          size_t arrays_bytes, size_t n) {
    clprims_listscan_arrays full;
    CLP_TRY(clp_plan_take_arrays(scan, &kind, arrays, arrays_bytes, &full));
    clp_list_run r = {.n = n, .plain = {.next = full.next, .values = full.values, .out = full.out}};
    clp_list_set_head(&r, full.head);
    return clp_list_run_plain(&scan->engine, &r);
}

static clprims_status describe(const clprims_listscan *scan, const char *who, size_t n,
                               clprims_listscan_info *info) {
    clprims_list_info list;
    CLP_TRY(clp_list_describe(&scan->engine, who, n, &list));
    info->sublists = list.sublists;
    info->levels = list.levels;
    return CLPRIMS_OK;
}

CLP_PLAN_DESCRIBE(listscan, describe)
