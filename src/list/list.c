/* SPDX-License-Identifier: MIT */
/* List ranking: plans, and the checks of each call. cl/list/list.cl says how it works. */
#include "core/check.h"
#include "core/context.h"
#include "list/list_plan.h"

#include <stdlib.h>

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
    return clp_list_check_links("list", desc->link, desc->max_n, SIZE_MAX / 64);
}

/* Salt from the plan's address: no input can be built against it. */
static cl_ulong salt_of(const clprims_list *list) {
    const cl_ulong address = (cl_ulong)(uintptr_t)list;
    return (address >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 8;
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
    clprims_list *list = calloc(1, sizeof *list);
    if (list == NULL) return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "list: no host memory for a plan");
    list->context = context;
    list->link = full.link;
    list->max_n = full.max_n;
    list->result = full.result;
    list->algorithm = full.algorithm;
    list->salt = salt_of(list);
    clprims_status status = clp_list_build(list, full.tuning);
    if (status == CLPRIMS_OK) status = clp_list_warm_up(list);
    if (status == CLPRIMS_OK) {
        *out = list;
    } else {
        clprims_list_destroy(list);
    }
    return status;
}

void clprims_list_destroy(clprims_list *list) {
    if (list == NULL) return;
    const cl_mem scratch[] = {list->state,  list->nodes, list->ranks, list->pairs,  list->visits,
                              list->starts, list->items, list->finer, list->cursors};
    for (size_t kind = 0; kind < CLP_LIST_KINDS; kind++) {
        clp_release_kernels(list->kernels[kind], CLP_LIST_LEVELS);
    }
    clp_release_buffers(scratch, sizeof scratch / sizeof scratch[0]);
    if (list->program != NULL) clReleaseProgram(list->program);
    free(list);
}

size_t clprims_list_scratch_bytes(const clprims_list *list) {
    return list == NULL ? 0 : list->scratch_bytes;
}

/* ---- Enqueue ---- */

static clprims_status check_run(const clprims_list *list, size_t n, int64_t head) {
    if (list == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "list: list is NULL");
    CLP_TRY(clp_check_n("list", n, list->max_n));
    return clp_list_check_head("list", head, n);
}

/* The caller's name of the result, for messages. */
static const char *result_name(const clprims_list *list) {
    return list->result == CLPRIMS_LIST_ORDER ? "order" : "rank";
}

static clprims_status check_buffers(const clp_list_run *r) {
    const size_t bytes = clprims_type_bytes(r->list->link);
    const clp_array arrays[] = {{"next", r->next, r->n, bytes},
                                {result_name(r->list), r->out, r->n, bytes}};
    if (r->n > 0) {
        CLP_TRY(clp_array_check(r->list->context, "list", &arrays[0]));
        CLP_TRY(clp_array_check(r->list->context, "list", &arrays[1]));
        CLP_TRY(clp_arrays_apart("list", &arrays[0], &arrays[1]));
    }
    return clp_report_check(r->list->context, "list", r->report, sizeof(clprims_list_report),
                            arrays, r->n > 0 ? 2 : 0);
}

static clprims_status enqueue(clp_list_run *r, cl_command_queue queue, cl_uint num_wait,
                              const cl_event *wait, cl_event *event) {
    if (queue == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "list: queue is NULL");
    CLP_TRY(check_run(r->list, r->n, r->head));
    CLP_TRY(clp_check_submission(r->list->context, "list", queue, num_wait, wait));
    CLP_TRY(check_buffers(r));
    return clp_list_submit(r, queue, num_wait, wait, event);
}

clprims_status clprims_list_enqueue(clprims_list *list, cl_command_queue queue, clprims_buffer next,
                                    clprims_buffer out, int64_t head, size_t n,
                                    clprims_buffer report, cl_uint num_wait, const cl_event *wait,
                                    cl_event *event) {
    clp_clear_error();
    clp_list_run r = {
        .list = list, .next = next, .out = out, .report = report, .head = head, .n = n};
    return enqueue(&r, queue, num_wait, wait, event);
}

/* ---- Run ---- */

static clprims_status run_on(clprims_list *list, const void *next, void *out, int64_t head,
                             size_t n, cl_mem mem[3]) {
    const clprims_context *context = list->context;
    const size_t bytes = n * clprims_type_bytes(list->link);
    clprims_list_report report;
    CLP_TRY(clp_upload(context, "list", next, bytes, &mem[0]));
    CLP_TRY(clp_upload(context, "list", NULL, bytes, &mem[1]));
    CLP_TRY(clp_upload(context, "list", NULL, sizeof report, &mem[2]));
    clp_list_run r = {.list = list,
                      .next = {mem[0], 0},
                      .out = {mem[1], 0},
                      .report = {mem[2], 0},
                      .head = head,
                      .n = n};
    CLP_TRY(enqueue(&r, context->queue, 0, NULL, NULL));
    CLP_TRY(clp_download(context, "list", mem[2], &report, sizeof report));
    CLP_TRY(clp_list_report_status("list", &report, list->link, next));
    return clp_download(context, "list", mem[1], out, bytes);
}

clprims_status clprims_list_run(clprims_list *list, const void *next, void *out, int64_t head,
                                size_t n) {
    cl_mem mem[3] = {NULL, NULL, NULL};
    clp_clear_error();
    CLP_TRY(check_run(list, n, head));
    if (n == 0) return CLPRIMS_OK;
    if (next == NULL || out == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "list: %s is NULL, with n = %zu",
                        next == NULL ? "next" : result_name(list), n);
    }
    const clprims_status status = run_on(list, next, out, head, n, mem);
    clp_release_buffers(mem, 3);
    return status;
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
    if (n > list->max_n) {
        return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                        "list_describe: n = %zu exceeds max_n = %zu given to create", n,
                        list->max_n);
    }
    clp_list_level levels[CLP_LIST_LEVELS];
    size_t nodes;
    const size_t last = clp_list_lay_out(list, n, levels, &nodes);
    const bool one_each = clp_list_is_one_per_item(list, n);
    const clprims_list_info full = {.algorithm = clp_list_choose(list, n),
                                    .sublists = one_each ? n : levels[0].ids,
                                    .levels = last + 1};
    return clp_struct_give("list_describe", "info", &info_layout, &full, info);
}
