/* SPDX-License-Identifier: MIT */
/*
 * Forests of lists: a list scan of pairs (rank, head). The scan of a list starts with (0, its
 * head), and each element adds (1, nothing).
 */
#include "core/check.h"
#include "core/context.h"
#include "list/list_engine.h"
#include "list/list_report.h"

#include <clprims/forest.h>
#include <stdlib.h>

struct clprims_forest {
    clp_list engine;
};

/* ---- Create and destroy ---- */

static clprims_status prepare(clprims_forest *forest, clprims_context *context,
                              const clprims_forest_desc *desc) {
    static const int64_t nothing[2] = {0, 0};
    const bool wide = desc->link == CLPRIMS_I64;
    const clp_list_spec spec = {
        .who = "forest",
        .link = desc->link,
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
    return clp_list_prepare(&forest->engine, context, &spec, nothing);
}

static const clp_layout desc_layout =
    CLP_LAYOUT(clprims_forest_desc, max_n, "CLPRIMS_FOREST_DESC_INIT");

clprims_status clprims_forest_create(clprims_forest **out, clprims_context *context,
                                     const clprims_forest_desc *desc) {
    clp_clear_error();
    if (out == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "forest: out is NULL");
    *out = NULL;
    clprims_forest_desc full = CLPRIMS_FOREST_DESC_INIT;
    CLP_TRY(clp_take_desc("forest", context, &desc_layout, desc, &full));
    clprims_forest *forest = calloc(1, sizeof *forest);
    if (forest == NULL) {
        return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "forest: no host memory for a plan");
    }
    const clprims_status status = prepare(forest, context, &full);
    if (status == CLPRIMS_OK) {
        *out = forest;
    } else {
        clprims_forest_destroy(forest);
    }
    return status;
}

void clprims_forest_destroy(clprims_forest *forest) {
    if (forest == NULL) return;
    clp_list_release(&forest->engine);
    free(forest);
}

size_t clprims_forest_scratch_bytes(const clprims_forest *forest) {
    return forest == NULL ? 0 : forest->engine.scratch_bytes;
}

/* ---- Enqueue ---- */

static clprims_status check_n(const clprims_forest *forest, size_t n) {
    if (forest == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "forest: forest is NULL");
    return clp_check_n("forest", n, forest->engine.spec.max_n);
}

static clprims_status check_heads(const clp_list_run *r) {
    if (r->given.mem == NULL) {
        if (r->num_given == 0) return CLPRIMS_OK;
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "forest: num_heads = %zu, but heads.mem is NULL; give heads or 0",
                        (size_t)r->num_given);
    }
    if (r->num_given > r->n) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "forest: num_heads = %zu exceeds n = %zu; an element is one list's head",
                        (size_t)r->num_given, (size_t)r->n);
    }
    return CLPRIMS_OK;
}

static clprims_status check_buffers(const clp_list_run *r) {
    const clprims_context *context = r->plan->context;
    const size_t bytes = clprims_type_bytes(r->plan->spec.link);
    const clp_array arrays[] = {{"next", r->next, r->n, bytes},
                                {"rank", r->out, r->n, bytes},
                                {"head", r->out_heads, r->n, bytes},
                                {"heads", r->given, r->num_given, bytes}};
    const size_t count = r->n > 0 ? 4 : 0;
    for (size_t i = 0; i < count; i++) {
        const bool is_wanted = i == 0 || arrays[i].buffer.mem != NULL;
        if (is_wanted) CLP_TRY(clp_array_check(context, "forest", &arrays[i]));
    }
    if (count > 0) CLP_TRY(clp_arrays_apart("forest", &arrays[1], &arrays[2]));
    return clp_report_check(context, "forest", r->report, sizeof(clprims_list_report), arrays,
                            count);
}

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
    if (queue == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "forest: queue is NULL");
    CLP_TRY(check_n(forest, n));
    clp_list_run r = {.plan = &forest->engine,
                      .next = full.next,
                      .out = full.rank,
                      .out_heads = full.head,
                      .given = full.heads,
                      .num_given = full.num_heads,
                      .report = report,
                      .head = CLPRIMS_LIST_FIND_HEAD,
                      .n = n};
    CLP_TRY(clp_check_submission(r.plan->context, "forest", queue, num_wait, wait));
    CLP_TRY(check_heads(&r));
    CLP_TRY(check_buffers(&r));
    return clp_list_submit(&r, queue, num_wait, wait, event);
}

clprims_status clprims_forest_check(const clprims_list_report *report) {
    clp_clear_error();
    if (report == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "forest_check: report is NULL");
    return clp_list_report_status("forest", report, CLPRIMS_TYPE_DEFAULT, NULL);
}

/* ---- Run ---- */

clprims_status clprims_forest_run(clprims_forest *forest, const void *next, void *rank, void *head,
                                  size_t n) {
    clp_clear_error();
    CLP_TRY(check_n(forest, n));
    if (n == 0) return CLPRIMS_OK;
    if (next == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "forest: next is NULL for n = %zu", n);
    }
    const size_t bytes = n * clprims_type_bytes(forest->engine.spec.link);
    clp_list_run r = {.plan = &forest->engine, .head = CLPRIMS_LIST_FIND_HEAD, .n = n};
    const clp_list_plain arrays[] = {{next, NULL, bytes, &r.next},
                                     {NULL, rank, rank != NULL ? bytes : 0, &r.out},
                                     {NULL, head, head != NULL ? bytes : 0, &r.out_heads}};
    return clp_list_run_plain(&r, arrays, 3, next);
}
