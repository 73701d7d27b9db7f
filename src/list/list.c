/* SPDX-License-Identifier: MIT */
/* List ranking: plans, and the checks of each call. cl/list/list.cl says how it works. */
#include "core/check.h"
#include "core/context.h"
#include "list/list_engine.h"

/* ---- Create and destroy ---- */

static clprims_status check_desc(const clprims_list_desc *desc) {
    if (desc->result != CLPRIMS_LIST_RANKS && desc->result != CLPRIMS_LIST_ORDER) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "list: desc.result = %d is neither CLPRIMS_LIST_RANKS nor "
                        "CLPRIMS_LIST_ORDER",
                        (int)desc->result);
    }
    if ((unsigned)desc->algorithm > CLPRIMS_LIST_IN_PLACE) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "list: desc.algorithm = %d is none of clprims_list_algorithm",
                        (int)desc->algorithm);
    }
    return CLPRIMS_OK;
}

static const clp_layout desc_layout =
    CLP_LAYOUT(clprims_list_desc, max_n, "CLPRIMS_LIST_DESC_INIT");

clprims_status clprims_list_create(clprims_list **out, clprims_context *context,
                                   const clprims_list_desc *desc) {
    clp_clear_error();
    if (out == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "list: out is NULL");
    *out = NULL;
    clprims_list_desc full = CLPRIMS_LIST_DESC_INIT;
    CLP_TRY(clp_take_desc("list", context, &desc_layout, desc, &full));
    CLP_TRY(check_desc(&full));
    const clp_list_spec spec = {.who = "list",
                                .link = full.link,
                                .max_n = full.max_n,
                                .ranks = true,
                                .result = full.result,
                                .algorithm = full.algorithm,
                                .what = {.type = full.link, .op = CLPRIMS_ADD, .input = "1"},
                                .tuning = full.tuning};
    clp_list *plan = NULL;
    const clprims_status status = clp_list_create(&plan, context, &spec, NULL);
    *out = (clprims_list *)plan;
    return status;
}

void clprims_list_destroy(clprims_list *list) {
    clp_list_destroy((clp_list *)list);
}

size_t clprims_list_scratch_bytes(const clprims_list *list) {
    return list == NULL ? 0 : list->engine.scratch_bytes;
}

/* ---- Enqueue and run ---- */

static const clp_list_names names = {"list", "list"};

clprims_status clprims_list_enqueue(clprims_list *list, cl_command_queue queue, clprims_buffer next,
                                    clprims_buffer out, int64_t head, size_t n,
                                    clprims_buffer report, cl_uint num_wait, const cl_event *wait,
                                    cl_event *event) {
    clp_clear_error();
    clp_list_run r = {
        .plan = (clp_list *)list, .next = next, .out = out, .report = report, .head = head, .n = n};
    return clp_list_enqueue(&r, &names, queue, num_wait, wait, event);
}

clprims_status clprims_list_run(clprims_list *list, const void *next, void *out, int64_t head,
                                size_t n) {
    clp_clear_error();
    clp_list_run r = {.plan = (clp_list *)list, .head = head, .n = n};
    const clp_list_plain plain = {.next = next, .out = out};
    return clp_list_run_plain(&r, &names, &plain);
}

/* ---- Description ---- */

static const clp_layout info_layout =
    CLP_LAYOUT(clprims_list_info, algorithm, "CLPRIMS_LIST_INFO_INIT");

clprims_status clprims_list_describe(const clprims_list *list, size_t n, clprims_list_info *info) {
    clp_clear_error();
    if (list == NULL || info == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "list_describe: %s is NULL",
                        list == NULL ? "list" : "info");
    }
    if (n == 0) return clp_fail(CLPRIMS_ERR_ARGUMENT, "list_describe: n = 0; there is no list");
    const clp_list *plan = &list->engine;
    if (n > plan->spec.max_n) {
        return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                        "list_describe: n = %zu exceeds max_n = %zu given to create", n,
                        plan->spec.max_n);
    }
    clp_list_layout layout;
    clp_list_lay_out(plan, n, &layout);
    const bool one_each = clp_list_is_one_per_item(plan, n);
    const clprims_list_info full = {.algorithm = layout.algorithm,
                                    .sublists = one_each ? n : layout.levels[0].sublists,
                                    .levels = layout.last + 1};
    return clp_struct_give("list_describe", "info", &info_layout, &full, info);
}
