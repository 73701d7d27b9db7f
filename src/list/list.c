/* SPDX-License-Identifier: MIT */
/* List ranking: descriptions and calls. list_engine.h has the map. */
#include "core/status.h"
#include "core/type.h"
#include "list/list_engine.h"

/* ---- Create and destroy ---- */

static clprims_status check_desc(const clprims_list_desc *desc) {
    CLP_TRY(clp_check_enumerator("list", "result", (int)desc->result, CLPRIMS_LIST_ORDER,
                                 "clprims_list_result"));
    CLP_TRY(clp_check_enumerator("list", "algorithm", (int)desc->algorithm, CLPRIMS_LIST_IN_PLACE,
                                 "clprims_list_algorithm"));
    return CLPRIMS_OK;
}

static clprims_status fill(clp_plan *head, const void *description) {
    const clprims_list_desc *desc = description;
    CLP_TRY(check_desc(desc));
    const clprims_type link = clp_type_or(desc->link, CLPRIMS_I32);
    const clp_list_spec spec = {.who = "list",
                                .link = link,
                                .max_n = desc->max_n,
                                .ranks = true,
                                .result = desc->result,
                                .algorithm = desc->algorithm,
                                .what = {.type = link, .op = CLPRIMS_ADD, .input = "1"},
                                .tuning = desc->tuning};
    return clp_list_fill(head, &spec, NULL);
}

static const clp_plan_kind kind = {CLP_LIST_KIND(list), .fill = fill};

CLP_PLAN_CREATE(list, kind)

/* ---- Runs and description ---- */

static clp_list_run run_of(const clprims_list *plan, const clprims_list_buffers *at, size_t n) {
    clp_list_run r = {.next = at->next, .out = at->out, .report = at->report, .n = n};
    (void)plan;
    clp_list_set_head(&r, at->head);
    return r;
}

CLP_PLAN_ENQUEUE_AS(list, kind, clp_list_run, run_of)

clprims_status clprims_list_run_sized(clprims_list *list, const clprims_list_arrays *arrays,
                                      size_t arrays_bytes, size_t n) {
    clprims_list_arrays full;
    CLP_TRY(clp_plan_take_arrays(list, &kind, arrays, arrays_bytes, &full));
    clp_list_run r = {.n = n, .plain = {.next = full.next, .out = full.out}};
    clp_list_set_head(&r, full.head);
    return clp_list_run_plain(&list->engine, &r);
}

static clprims_status describe(const clprims_list *list, const char *who, size_t n,
                               clprims_list_info *info) {
    return clp_list_describe(&list->engine, who, n, info);
}

CLP_PLAN_DESCRIBE(list, describe)
