/* SPDX-License-Identifier: MIT */
/* List ranking: knobs, plans, and the checks of each call. cl/list.cl says how it works. */
#include "list_plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* SUBLIST and UPPER are mean lengths of sublists, on level 0 and above; SPLITTERS bounds a level's
 * splitters; LAST is the size that one group ranks alone; WALKS is how many sublists a work-item
 * walks at once, BATCH how many it takes at once; COARSE is log2 of the elements that the
 * diagnosis counts as one, so that their numbers fit 32 bits. */
static const clp_knob default_knobs[CLP_LIST_KNOBS] = {
    [CLP_LIST_SUBLIST] = {"SUBLIST", 48, 2, 1 << 20, false},
    [CLP_LIST_UPPER] = {"UPPER", 16, 2, 1 << 20, false},
    [CLP_LIST_SPLITTERS] = {"SPLITTERS", 1 << 30, 1, 1 << 30, false},
    [CLP_LIST_LAST] = {"LAST", 1024, 1, 1 << 16, false},
    [CLP_LIST_GROUP] = {"GROUP", 256, 1, 1024, true},
    [CLP_LIST_LANES] = {"LANES", 1 << 17, 1, 1 << 20, false},
    [CLP_LIST_WALKS] = {"WALKS", 1, 1, 32, false},
    [CLP_LIST_BATCH] = {"BATCH", 4, 1, 256, false},
    [CLP_LIST_COARSE] = {"COARSE", 0, 0, 16, false},
};

/* ---- Create and destroy ---- */

static clprims_status check_desc(const clprims_context *context, const clprims_list_desc *desc) {
    if (context == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "list: context is NULL");
    if (desc == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "list: desc is NULL");
    if (desc->struct_size != sizeof *desc) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "list: desc.struct_size = %zu, not %zu; start from "
                        "CLPRIMS_LIST_DESC_INIT",
                        desc->struct_size, sizeof *desc);
    }
    if (desc->link != CLPRIMS_I32 && desc->link != CLPRIMS_I64) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "list: desc.link = %d (%s) is neither CLPRIMS_I32 nor CLPRIMS_I64",
                        (int)desc->link, clprims_type_name(desc->link));
    }
    if (desc->max_n == 0) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "list: max_n = 0; set the largest n that the plan will be given");
    }
    if (desc->link == CLPRIMS_I32 && desc->max_n > INT32_MAX) {
        return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                        "list: max_n = %zu exceeds %d, the most for int32 links; use CLPRIMS_I64",
                        desc->max_n, INT32_MAX);
    }
    if (desc->max_n > SIZE_MAX / 64) {
        return clp_fail(CLPRIMS_ERR_TOO_LARGE, "list: max_n = %zu exceeds %zu, the most of all",
                        desc->max_n, SIZE_MAX / 64);
    }
    return CLPRIMS_OK;
}

/* A CPU hides the wait for memory by walking several sublists at once in each of its few threads,
 * and ranks a few thousand splitters at once as fast as it could share them out. */
static void suit_cpu(clp_knob *knobs, size_t units) {
    knobs[CLP_LIST_SUBLIST].value = 64;
    knobs[CLP_LIST_SPLITTERS].value = units * 256 < 4096 ? 4096 : units * 256;
    knobs[CLP_LIST_LAST].value = 4096;
    knobs[CLP_LIST_GROUP].value = 1;
    knobs[CLP_LIST_LANES].value = units * 2;
    knobs[CLP_LIST_WALKS].value = 16;
    knobs[CLP_LIST_BATCH].value = 1;
}

static clprims_status choose_knobs(clprims_list *list, const char *tuning) {
    const clp_device *device = &list->context->device;
    const size_t bytes = clprims_type_bytes(list->link);
    clp_knob knobs[CLP_LIST_KNOBS];
    memcpy(knobs, default_knobs, sizeof knobs);
    if (device->is_cpu) suit_cpu(knobs, device->info.compute_units);
    if (knobs[CLP_LIST_GROUP].value > device->max_group)
        knobs[CLP_LIST_GROUP].value = device->max_group;
    CLP_TRY(clp_knobs_set(list->context, "list", bytes, tuning, knobs, CLP_LIST_KNOBS));
    for (size_t i = 0; i < CLP_LIST_KNOBS; i++) list->knobs[i] = knobs[i].value;
    if (list->knobs[CLP_LIST_GROUP] > device->max_group) {
        return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                        "list: GROUP = %zu exceeds the device's %zu work-items of a group",
                        list->knobs[CLP_LIST_GROUP], device->max_group);
    }
    /* Link and weight of the last level's nodes, and room for what the compiler adds. */
    const size_t fit = device->local_bytes / (2 * bytes) * 15 / 16;
    if (list->knobs[CLP_LIST_LAST] > fit) list->knobs[CLP_LIST_LAST] = fit;
    while (list->max_n >> list->knobs[CLP_LIST_COARSE] >= UINT32_MAX)
        list->knobs[CLP_LIST_COARSE]++;
    return CLPRIMS_OK;
}

static clprims_status build_program(clprims_list *list) {
    const char *link = clp_type_text(list->link);
    clp_text prelude = {0};
    clp_text_add(&prelude, "#define CLP_LINK %s\n#define CLP_INDEX u%s\n", link, link);
    clp_text_add(&prelude, "#define CLP_PAIR u%s2\n#define CLP_LEVELS %d\n", link, CLP_LIST_LEVELS);
    clp_text_add(&prelude, "#define CLP_GROUP %zu\n", list->knobs[CLP_LIST_GROUP]);
    clp_text_add(&prelude, "#define CLP_WALKS %zu\n", list->knobs[CLP_LIST_WALKS]);
    clp_text_add(&prelude, "#define CLP_BATCH %zu\n", list->knobs[CLP_LIST_BATCH]);
    const char *const parts[] = {"list.cl", "list_fault.cl", NULL};
    const clprims_status status =
        clp_program_build(list->context, "list", &prelude, parts, &list->program);
    clp_text_free(&prelude);
    return status;
}

static clprims_status create_kernels(clprims_list *list, size_t last) {
    const struct {
        const char *name;
        cl_kernel *kernels;
        size_t count;
    } kinds[] = {
        {"clp_list_begin", &list->begin, 1},
        {"clp_list_sum", &list->sum, 1},
        {"clp_list_find", &list->find, 1},
        {"clp_list_walk", list->walk, last},
        {"clp_list_last", &list->last, 1},
        {"clp_list_spread", list->spread, last},
        {"clp_list_look", list->look, CLP_LIST_STAGES},
        {"clp_list_unmark", &list->unmark, 1},
        {"clp_list_conclude", &list->conclude, 1},
    };
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        for (size_t i = 0; i < kinds[kind].count; i++) {
            CLP_TRY(clp_kernel_create(list->program, "list", kinds[kind].name,
                                      &kinds[kind].kernels[i]));
        }
    }
    return CLPRIMS_OK;
}

static clprims_status create_scratch(clprims_list *list, size_t elements, size_t element_bytes,
                                     cl_mem *out) {
    const size_t bytes = (elements + 1) * element_bytes;
    CLP_TRY(clp_scratch_create(list->context, "list", bytes, false, out));
    list->scratch_bytes += bytes;
    return CLPRIMS_OK;
}

static clprims_status set_up(clprims_list *list, const clprims_list_desc *desc) {
    const size_t bytes = clprims_type_bytes(desc->link);
    clp_list_level levels[CLP_LIST_LEVELS];
    size_t nodes;
    CLP_TRY(choose_knobs(list, desc->tuning));
    CLP_TRY(build_program(list));
    const size_t last = clp_list_lay_out(list, list->max_n, levels, &nodes);
    CLP_TRY(create_kernels(list, last));
    CLP_TRY(create_scratch(list, CLP_LIST_STATE_BYTES, 1, &list->state));
    CLP_TRY(create_scratch(list, nodes, bytes, &list->links));
    CLP_TRY(create_scratch(list, nodes, bytes, &list->weights));
    return create_scratch(list, last > 0 ? nodes + list->max_n : 0, 2 * bytes, &list->pairs);
}

clprims_status clprims_list_create(clprims_list **out, clprims_context *context,
                                   const clprims_list_desc *desc) {
    clp_clear_error();
    if (out == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "list: out is NULL");
    *out = NULL;
    CLP_TRY(check_desc(context, desc));
    clprims_list *list = calloc(1, sizeof *list);
    if (list == NULL) return clp_fail(CLPRIMS_ERR_HOST_MEMORY, "list: no host memory for a plan");
    list->context = context;
    list->link = desc->link;
    list->max_n = desc->max_n;
    const clprims_status status = set_up(list, desc);
    if (status == CLPRIMS_OK) {
        *out = list;
    } else {
        clprims_list_destroy(list);
    }
    return status;
}

static void release_kernels(cl_kernel *kernels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (kernels[i] != NULL) clReleaseKernel(kernels[i]);
    }
}

void clprims_list_destroy(clprims_list *list) {
    if (list == NULL) return;
    cl_kernel single[] = {list->begin, list->sum,    list->find,
                          list->last,  list->unmark, list->conclude};
    const cl_mem scratch[] = {list->links, list->weights, list->pairs, list->state};
    release_kernels(single, sizeof single / sizeof single[0]);
    release_kernels(list->walk, CLP_LIST_LEVELS);
    release_kernels(list->spread, CLP_LIST_LEVELS);
    release_kernels(list->look, CLP_LIST_STAGES);
    for (size_t i = 0; i < sizeof scratch / sizeof scratch[0]; i++) {
        if (scratch[i] != NULL) clReleaseMemObject(scratch[i]);
    }
    if (list->program != NULL) clReleaseProgram(list->program);
    free(list);
}

size_t clprims_list_scratch_bytes(const clprims_list *list) {
    return list == NULL ? 0 : list->scratch_bytes;
}

/* ---- Enqueue ---- */

static clprims_status check_run(const clprims_list *list, size_t n, int64_t head) {
    if (list == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "list: list is NULL");
    if (n > list->max_n) {
        return clp_fail(CLPRIMS_ERR_TOO_LARGE,
                        "list: n = %zu exceeds max_n = %zu given to create; create a larger plan",
                        n, list->max_n);
    }
    if (head != CLPRIMS_LIST_FIND_HEAD && (head < 0 || (uint64_t)head >= n)) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "list: head = %" PRId64 " is not in [0, n = %zu); "
                        "CLPRIMS_LIST_FIND_HEAD (-1) finds it",
                        head, n);
    }
    return CLPRIMS_OK;
}

static clprims_status check_buffers(const clp_list_run *r) {
    const size_t bytes = clprims_type_bytes(r->list->link);
    if (r->n > 0) {
        CLP_TRY(clp_buffer_check("list", "next", r->next, r->n, bytes));
        CLP_TRY(clp_buffer_check("list", "rank", r->rank, r->n, bytes));
        clp_overlap overlap;
        CLP_TRY(clp_buffer_overlap("list", r->next, bytes, r->rank, bytes, r->n, &overlap));
        if (overlap != CLP_APART) {
            return clp_fail(CLPRIMS_ERR_ARGUMENT,
                            "list: rank (first = %zu) overlaps next (first = %zu) in the n = %zu "
                            "elements; give rank memory of its own",
                            r->rank.first, r->next.first, r->n);
        }
    }
    if (r->report.mem == NULL) return CLPRIMS_OK;
    return clp_buffer_check("list", "report", r->report, 1, sizeof(clprims_list_report));
}

static clprims_status enqueue(clp_list_run *r, cl_command_queue queue, cl_uint num_wait,
                              const cl_event *wait, cl_event *event) {
    if (queue == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "list: queue is NULL");
    CLP_TRY(check_run(r->list, r->n, r->head));
    CLP_TRY(check_buffers(r));
    return clp_list_submit(r, queue, num_wait, wait, event);
}

clprims_status clprims_list_enqueue(clprims_list *list, cl_command_queue queue, clprims_buffer next,
                                    clprims_buffer rank, int64_t head, size_t n,
                                    clprims_buffer report, cl_uint num_wait, const cl_event *wait,
                                    cl_event *event) {
    clp_clear_error();
    clp_list_run r = {
        .list = list, .next = next, .rank = rank, .report = report, .head = head, .n = n};
    return enqueue(&r, queue, num_wait, wait, event);
}

/* ---- Run ---- */

static clprims_status run_on(clprims_list *list, const void *next, void *rank, int64_t head,
                             size_t n, cl_mem mem[3]) {
    const clprims_context *context = list->context;
    const size_t bytes = n * clprims_type_bytes(list->link);
    clprims_list_report report;
    CLP_TRY(clp_upload(context, "list", next, bytes, &mem[0]));
    CLP_TRY(clp_upload(context, "list", NULL, bytes, &mem[1]));
    CLP_TRY(clp_upload(context, "list", NULL, sizeof report, &mem[2]));
    clp_list_run r = {.list = list,
                      .next = {mem[0], 0},
                      .rank = {mem[1], 0},
                      .report = {mem[2], 0},
                      .head = head,
                      .n = n};
    CLP_TRY(enqueue(&r, context->queue, 0, NULL, NULL));
    CLP_TRY(clp_download(context, "list", mem[2], &report, sizeof report));
    CLP_TRY(clp_list_judge("list", &report, list->link, next));
    return clp_download(context, "list", mem[1], rank, bytes);
}

clprims_status clprims_list_run(clprims_list *list, const void *next, void *rank, int64_t head,
                                size_t n) {
    cl_mem mem[3] = {NULL, NULL, NULL};
    clp_clear_error();
    CLP_TRY(check_run(list, n, head));
    if (n == 0) return CLPRIMS_OK;
    if (next == NULL || rank == NULL) {
        return clp_fail(CLPRIMS_ERR_ARGUMENT, "list: %s is NULL, with n = %zu",
                        next == NULL ? "next" : "rank", n);
    }
    const clprims_status status = run_on(list, next, rank, head, n, mem);
    for (size_t i = 0; i < 3; i++) {
        if (mem[i] != NULL) clReleaseMemObject(mem[i]);
    }
    return status;
}
