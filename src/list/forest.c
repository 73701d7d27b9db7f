/* SPDX-License-Identifier: MIT */
/*
 * Forests of lists: a list scan of pairs (rank, head). The scan of a list starts with (0, its
 * head), and each element adds (1, nothing).
 */
#include "core/status.h"
#include "core/type.h"
#include "list/list_engine.h"

#include <clprims/forest.h>

struct clprims_forest {
    clp_list engine;
};

/* ---- Create and destroy ---- */

static clprims_status fill(clp_plan *head, const void *description) {
    static const int64_t nothing[2] = {0, 0};
    const clprims_forest_desc *desc = description;
    const bool wide = desc->link == CLPRIMS_I64;
    const clp_list_spec spec = {
        .who = "forest",
        .link = clp_type_or(desc->link, CLPRIMS_I32),
        .max_n = desc->max_n,
        .forest = true,
        .what = {.type = CLPRIMS_STRUCT,
                 .op = CLPRIMS_CUSTOM,
                 .custom = {.op = "(CLP_A)(a.x + b.x, a.y)",
                            .declarations = "",
                            .type_name = wide ? "long2" : "int2",
                            .type_bytes = 2 * (wide ? sizeof(int64_t) : sizeof(int32_t))},
                 .input = "(CLP_A)(1, 0)"},
        .tuning = desc->tuning};
    return clp_list_fill(head, &spec, nothing);
}

static const clp_plan_kind kind = {CLP_LIST_KIND(forest), .fill = fill};

CLP_PLAN_CREATE(forest, kind)

/* ---- Runs and description ---- */

static clp_list_run run_of(const clprims_forest *plan, const clprims_forest_buffers *at, size_t n) {
    (void)plan;
    return (clp_list_run){.next = at->next,
                          .out = at->rank,
                          .out_heads = at->head,
                          .given = at->heads,
                          .num_given = at->sizes.heads,
                          .gives_heads = at->heads.mem != NULL,
                          .report = at->report,
                          .head = -1,
                          .n = n};
}

CLP_PLAN_ENQUEUE_AS(forest, kind, clp_list_run, run_of)

clprims_status clprims_forest_check(const clprims_list_report *report) {
    CLP_TRY(clp_begin("forest_check", "report", report));
    return clp_list_report_status("forest", report, CLPRIMS_TYPE_DEFAULT, NULL);
}

clprims_status clprims_forest_run_sized(clprims_forest *forest, const clprims_forest_arrays *arrays,
                                        size_t arrays_bytes, size_t n) {
    clprims_forest_arrays full;
    CLP_TRY(clp_plan_take_arrays(forest, &kind, arrays, arrays_bytes, &full));
    clp_list_run r = {
        .num_given = full.sizes.heads,
        .head = -1,
        .n = n,
        .plain = {.next = full.next, .given = full.heads, .out = full.rank, .heads = full.head}};
    return clp_list_run_plain(&forest->engine, &r);
}

static clprims_status describe(const clprims_forest *forest, const char *who, size_t n,
                               clprims_forest_sizes sizes, clprims_forest_info *info) {
    clprims_list_info list;
    CLP_TRY(clp_list_describe(&forest->engine, who, n, &list));
    info->sublists = list.sublists;
    info->levels = list.levels;
    return clp_list_check_heads(who, n, sizes.heads);
}

CLP_PLAN_DESCRIBE_SIZED(forest, describe)
