/* SPDX-License-Identifier: MIT */
/*
 * Forests of lists: a list scan of pairs (rank, head). The scan of a list starts with (0, its
 * head), and each element adds (1, nothing).
 */
#include "core/check.h"
#include "core/context.h"
#include "list/list_engine.h"

#include <clprims/forest.h>

struct clprims_forest {
    clp_list engine;
};

/* ---- Create and destroy ---- */

static const clp_layout desc_layout =
    CLP_LAYOUT(clprims_forest_desc, max_n, "CLPRIMS_FOREST_DESC_INIT");

clprims_status clprims_forest_create(clprims_forest **out, clprims_context *context,
                                     const clprims_forest_desc *desc) {
    static const int64_t nothing[2] = {0, 0};
    clp_clear_error();
    if (out == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "forest: out is NULL");
    *out = NULL;
    clprims_forest_desc full = CLPRIMS_FOREST_DESC_INIT;
    CLP_TRY(clp_take_desc("forest", context, &desc_layout, desc, &full));
    const bool wide = full.link == CLPRIMS_I64;
    const clp_list_spec spec = {
        .who = "forest",
        .link = full.link,
        .max_n = full.max_n,
        .forest = true,
        .what = {.type = CLPRIMS_STRUCT,
                 .op = CLPRIMS_CUSTOM,
                 .custom = {.op = "(CLP_A)(a.x + b.x, a.y)",
                            .declarations = "",
                            .type_name = wide ? "long2" : "int2",
                            .type_bytes = 2 * (wide ? sizeof(int64_t) : sizeof(int32_t))},
                 .input = "(CLP_A)(1, 0)"},
        .tuning = full.tuning};
    clp_list *plan = NULL;
    const clprims_status status = clp_list_create(&plan, context, &spec, nothing);
    *out = (clprims_forest *)plan;
    return status;
}

void clprims_forest_destroy(clprims_forest *forest) {
    clp_list_destroy((clp_list *)forest);
}

size_t clprims_forest_scratch_bytes(const clprims_forest *forest) {
    return forest == NULL ? 0 : forest->engine.scratch_bytes;
}

/* ---- Enqueue and run ---- */

static const clp_list_names names = {"forest", "forest"};

static const clp_layout arrays_layout =
    CLP_LAYOUT(clprims_forest_arrays, num_heads, "CLPRIMS_FOREST_ARRAYS_INIT");

clprims_status clprims_forest_enqueue(clprims_forest *forest, cl_command_queue queue,
                                      const clprims_forest_arrays *arrays, size_t n,
                                      clprims_buffer report, cl_uint num_wait, const cl_event *wait,
                                      cl_event *event) {
    clp_clear_error();
    if (arrays == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "forest: arrays is NULL");
    clprims_forest_arrays full = CLPRIMS_FOREST_ARRAYS_INIT;
    CLP_TRY(clp_struct_take("forest", "arrays", &arrays_layout, arrays, &full));
    clp_list_run r = {.plan = (clp_list *)forest,
                      .next = full.next,
                      .out = full.rank,
                      .out_heads = full.head,
                      .given = full.heads,
                      .num_given = full.num_heads,
                      .report = report,
                      .head = CLPRIMS_LIST_FIND_HEAD,
                      .n = n};
    return clp_list_enqueue(&r, &names, queue, num_wait, wait, event);
}

clprims_status clprims_forest_check(const clprims_list_report *report) {
    clp_clear_error();
    if (report == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "forest_check: report is NULL");
    return clp_list_report_status("forest", report, CLPRIMS_TYPE_DEFAULT, NULL);
}

clprims_status clprims_forest_run(clprims_forest *forest, const void *next, void *rank, void *head,
                                  size_t n) {
    clp_clear_error();
    clp_list_run r = {.plan = (clp_list *)forest, .head = CLPRIMS_LIST_FIND_HEAD, .n = n};
    const clp_list_plain plain = {.next = next, .out = rank, .heads = head};
    return clp_list_run_plain(&r, &names, &plain);
}
