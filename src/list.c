/* SPDX-License-Identifier: MIT */
/*
 * List ranking: plans, the levels of a run, and the reports. cl/list.cl says how it works.
 *
 * All sizes of a run follow from n, so a run is one chain of kernels:
 *   begin, [sum, find,] walk of level 0, 1, ..., last, spread of level ..., 1, 0,
 * and, when the caller wants a report, look, look, unmark, look, conclude.
 */
#include "internal.h"

#include <clprims/list.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 64, STAGES = 3, STATE_BYTES = 2048, MOST_STEPS = 2 * LEVELS + 9 };

/* As in cl/list.cl, which explains the members. */
typedef struct level {
    cl_ulong count;
    cl_ulong ids;
    cl_ulong links_at;
    cl_ulong at;
    cl_ulong above;
    cl_ulong mask;
    cl_ulong shift;
    cl_ulong number;
} level;

enum { SUBLIST, UPPER, SPLITTERS, LAST, GROUP, LANES, WALKS, BATCH, COARSE, KNOBS };

static const clp_knob default_knobs[KNOBS] = {
    [SUBLIST] = {"SUBLIST", 48, 2, 1 << 20, false}, /* mean length of a sublist */
    [UPPER] = {"UPPER", 16, 2, 1 << 20, false}, /* the same on the upper levels */
    [SPLITTERS] = {"SPLITTERS", 1 << 30, 1, 1 << 30, false}, /* most of a level */
    [LAST] = {"LAST", 1024, 1, 1 << 16, false}, /* nodes that one group ranks */
    [GROUP] = {"GROUP", 256, 1, 1024, true}, /* work-items of a work-group */
    [LANES] = {"LANES", 1 << 17, 1, 1 << 20, false}, /* work-items of a kernel */
    [WALKS] = {"WALKS", 1, 1, 32, false}, /* sublists a work-item walks at once */
    [BATCH] = {"BATCH", 4, 1, 256, false}, /* sublists it takes at once */
    [COARSE] = {"COARSE", 0, 0, 16, false}, /* log2 of a stretch of the diagnosis */
};

struct clprims_list {
    clprims_context *context;
    clprims_type link;
    size_t max_n;
    size_t knobs[KNOBS];
    size_t scratch_bytes;
    cl_program program;
    cl_kernel begin, sum, find, last, unmark, conclude;
    cl_kernel walk[LEVELS], spread[LEVELS], look[STAGES];
    cl_mem links, weights, pairs, state;
};

/* ---- Levels ---- */

/* Fills what follows from the number of nodes alone. */
static level level_of(const clprims_list *list, size_t count, size_t number) {
    const size_t mean = list->knobs[number == 0 ? SUBLIST : UPPER];
    level here = {.count = count, .number = number};
    unsigned bits = 1;
    while (((size_t)1 << bits) < count) bits++;
    here.mask = ((size_t)1 << bits) - 1;
    here.shift = (bits + 1) / 2;
    here.ids = (here.mask + 1) / mean;
    if (here.ids > list->knobs[SPLITTERS]) here.ids = list->knobs[SPLITTERS];
    if (here.ids < 1 || count <= list->knobs[LAST]) here.ids = 1;
    return here;
}

/* Lays out the levels of n > 0 elements; returns the number of the last one. nodes: of all levels
 * above level 0. */
static size_t lay_out(const clprims_list *list, size_t n, level *levels, size_t *nodes) {
    size_t number = 0;
    size_t at = 0;
    levels[0] = level_of(list, n, 0);
    while (levels[number].count > list->knobs[LAST]) {
        levels[number].above = at;
        levels[number + 1] = level_of(list, levels[number].ids, number + 1);
        number++;
        levels[number].links_at = levels[number].at = at;
        at += levels[number].count;
    }
    levels[0].at = at;
    *nodes = at;
    return number;
}

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
    knobs[SUBLIST].value = 64;
    knobs[SPLITTERS].value = units * 256 < 4096 ? 4096 : units * 256;
    knobs[LAST].value = 4096;
    knobs[GROUP].value = 1;
    knobs[LANES].value = units * 2;
    knobs[WALKS].value = 16;
    knobs[BATCH].value = 1;
}

static clprims_status choose_knobs(clprims_list *list, const char *tuning) {
    const clp_device *device = &list->context->device;
    const size_t bytes = clprims_type_bytes(list->link);
    clp_knob knobs[KNOBS];
    memcpy(knobs, default_knobs, sizeof knobs);
    if (device->is_cpu) suit_cpu(knobs, device->info.compute_units);
    if (knobs[GROUP].value > device->max_group) knobs[GROUP].value = device->max_group;
    CLP_TRY(clp_knobs_set(list->context, "list", bytes, tuning, knobs, KNOBS));
    for (size_t i = 0; i < KNOBS; i++) list->knobs[i] = knobs[i].value;
    if (list->knobs[GROUP] > device->max_group) {
        return clp_fail(CLPRIMS_ERR_UNSUPPORTED,
                        "list: GROUP = %zu exceeds the device's %zu work-items of a group",
                        list->knobs[GROUP], device->max_group);
    }
    /* Link and weight of the last level's nodes, and room for what the compiler adds. */
    const size_t fit = device->local_bytes / (2 * bytes) * 15 / 16;
    if (list->knobs[LAST] > fit) list->knobs[LAST] = fit;
    while (list->max_n >> list->knobs[COARSE] >= UINT32_MAX) list->knobs[COARSE]++;
    return CLPRIMS_OK;
}

static clprims_status build_program(clprims_list *list) {
    const char *link = clp_type_text(list->link);
    clp_text prelude = {0};
    clp_text_add(&prelude, "#define CLP_LINK %s\n#define CLP_INDEX u%s\n", link, link);
    clp_text_add(&prelude, "#define CLP_PAIR u%s2\n#define CLP_LEVELS %d\n", link, LEVELS);
    clp_text_add(&prelude, "#define CLP_GROUP %zu\n", list->knobs[GROUP]);
    clp_text_add(&prelude, "#define CLP_WALKS %zu\n", list->knobs[WALKS]);
    clp_text_add(&prelude, "#define CLP_BATCH %zu\n", list->knobs[BATCH]);
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
        {"clp_list_begin", &list->begin, 1},       {"clp_list_sum", &list->sum, 1},
        {"clp_list_find", &list->find, 1},         {"clp_list_walk", list->walk, last},
        {"clp_list_last", &list->last, 1},         {"clp_list_spread", list->spread, last},
        {"clp_list_look", list->look, STAGES},     {"clp_list_unmark", &list->unmark, 1},
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
    level levels[LEVELS];
    size_t nodes;
    CLP_TRY(choose_knobs(list, desc->tuning));
    CLP_TRY(build_program(list));
    const size_t last = lay_out(list, list->max_n, levels, &nodes);
    CLP_TRY(create_kernels(list, last));
    CLP_TRY(create_scratch(list, STATE_BYTES, 1, &list->state));
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
    release_kernels(list->walk, LEVELS);
    release_kernels(list->spread, LEVELS);
    release_kernels(list->look, STAGES);
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

/* One run while it is put together. */
typedef struct run {
    clprims_list *list;
    clprims_buffer next, rank, report;
    cl_long head;
    size_t n;
    level levels[LEVELS];
    size_t last;
    clp_step steps[MOST_STEPS];
    size_t count;
} run;

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

static clprims_status check_buffers(const run *r) {
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

static clprims_status add_step(run *r, cl_kernel kernel, const clp_argument *arguments,
                               cl_uint count, size_t work_items, size_t group) {
    const size_t lanes = r->list->knobs[LANES];
    const size_t wanted = work_items < lanes ? work_items : lanes;
    const size_t groups = (wanted + group - 1) / group;
    CLP_TRY(clp_kernel_arguments(kernel, "list", arguments, count));
    r->steps[r->count++] = (clp_step){kernel, groups, group};
    return CLPRIMS_OK;
}

#define ADD_STEP(r, kernel, arguments, work_items, group)                                          \
    add_step(r, kernel, arguments, (cl_uint)(sizeof(arguments) / sizeof((arguments)[0])),          \
             work_items, group)

static clprims_status add_head(run *r) {
    clprims_list *list = r->list;
    cl_ulong n = r->n;
    const clp_argument begin[] = {CLP_ARGUMENT(list->state), CLP_ARGUMENT(r->head),
                                  CLP_ARGUMENT(n)};
    CLP_TRY(ADD_STEP(r, list->begin, begin, 1, 1));
    if (r->n == 0 || r->head != CLPRIMS_LIST_FIND_HEAD) return CLPRIMS_OK;
    const clp_argument sum[] = {CLP_ARGUMENT(r->next.mem), CLP_ARGUMENT(list->state),
                                CLP_ARGUMENT(r->levels[0])};
    CLP_TRY(ADD_STEP(r, list->sum, sum, r->n, list->knobs[GROUP]));
    const clp_argument find[] = {CLP_ARGUMENT(list->state), CLP_ARGUMENT(n)};
    return ADD_STEP(r, list->find, find, 1, 1);
}

/* The buffers of a level's links and ranks; level 0 works on the caller's. */
static cl_mem *links_of(run *r, size_t number) {
    return number == 0 ? &r->next.mem : &r->list->links;
}

static cl_mem *ranks_of(run *r, size_t number, cl_ulong *at) {
    *at = number == 0 ? r->rank.first : r->levels[number].at;
    return number == 0 ? &r->rank.mem : &r->list->weights;
}

static clprims_status add_walk(run *r, size_t number) {
    clprims_list *list = r->list;
    level *here = &r->levels[number];
    const clp_argument walk[] = {CLP_ARGUMENT(*links_of(r, number)), CLP_ARGUMENT(list->weights),
                                 CLP_ARGUMENT(list->pairs),          CLP_ARGUMENT(list->links),
                                 CLP_ARGUMENT(list->weights),        CLP_ARGUMENT(list->pairs),
                                 CLP_ARGUMENT(list->state),          CLP_ARGUMENT(*here)};
    const size_t slots = (here->ids + list->knobs[WALKS] - 1) / list->knobs[WALKS];
    return ADD_STEP(r, list->walk[number], walk, slots, list->knobs[GROUP]);
}

static clprims_status add_last(run *r) {
    clprims_list *list = r->list;
    level *here = &r->levels[r->last];
    cl_ulong n = r->n;
    cl_ulong at;
    cl_mem *ranks = ranks_of(r, r->last, &at);
    const size_t local_bytes = here->count * clprims_type_bytes(list->link);
    const clp_argument last[] = {CLP_ARGUMENT(*links_of(r, r->last)),
                                 CLP_ARGUMENT(list->weights),
                                 CLP_ARGUMENT(*ranks),
                                 CLP_ARGUMENT(at),
                                 CLP_ARGUMENT(list->state),
                                 CLP_ARGUMENT(*here),
                                 CLP_ARGUMENT(n),
                                 {local_bytes, NULL},
                                 {local_bytes, NULL}};
    return ADD_STEP(r, list->last, last, 1, list->knobs[GROUP]);
}

static clprims_status add_spread(run *r, size_t number) {
    clprims_list *list = r->list;
    level *here = &r->levels[number];
    cl_ulong at;
    cl_mem *ranks = ranks_of(r, number, &at);
    const clp_argument spread[] = {CLP_ARGUMENT(list->pairs), CLP_ARGUMENT(list->weights),
                                   CLP_ARGUMENT(*ranks),      CLP_ARGUMENT(at),
                                   CLP_ARGUMENT(list->state), CLP_ARGUMENT(*here)};
    return ADD_STEP(r, list->spread[number], spread, here->count, list->knobs[GROUP]);
}

static clprims_status add_ranking(run *r) {
    for (size_t number = 0; number < r->last; number++) CLP_TRY(add_walk(r, number));
    CLP_TRY(add_last(r));
    for (size_t number = r->last; number-- > 0;) CLP_TRY(add_spread(r, number));
    return CLPRIMS_OK;
}

static clprims_status add_diagnosis(run *r) {
    clprims_list *list = r->list;
    level *here = &r->levels[0];
    cl_ulong rank_at = r->rank.first;
    cl_ulong report_at = r->report.first;
    cl_uint coarse = (cl_uint)list->knobs[COARSE];
    const size_t group = list->knobs[GROUP];
    for (cl_uint stage = 0; r->n > 0 && stage < STAGES; stage++) {
        if (stage == 2) {
            const clp_argument unmark[] = {CLP_ARGUMENT(r->next.mem),  CLP_ARGUMENT(r->rank.mem),
                                           CLP_ARGUMENT(rank_at),      CLP_ARGUMENT(list->state),
                                           CLP_ARGUMENT(*here),        CLP_ARGUMENT(coarse),
                                           CLP_ARGUMENT(list->weights)};
            CLP_TRY(ADD_STEP(r, list->unmark, unmark, here->ids, group));
        }
        const clp_argument look[] = {CLP_ARGUMENT(r->next.mem), CLP_ARGUMENT(r->rank.mem),
                                     CLP_ARGUMENT(rank_at),     CLP_ARGUMENT(list->state),
                                     CLP_ARGUMENT(*here),       CLP_ARGUMENT(coarse),
                                     CLP_ARGUMENT(stage)};
        CLP_TRY(ADD_STEP(r, list->look[stage], look, r->n, group));
    }
    const clp_argument conclude[] = {
        CLP_ARGUMENT(r->next.mem),   CLP_ARGUMENT(r->rank.mem), CLP_ARGUMENT(rank_at),
        CLP_ARGUMENT(list->state),   CLP_ARGUMENT(*here),       CLP_ARGUMENT(coarse),
        CLP_ARGUMENT(r->report.mem), CLP_ARGUMENT(report_at),   CLP_ARGUMENT(r->head)};
    return ADD_STEP(r, list->conclude, conclude, 1, 1);
}

static clprims_status enqueue(clprims_list *list, cl_command_queue queue, clprims_buffer next,
                              clprims_buffer rank, int64_t head, size_t n, clprims_buffer report,
                              cl_uint num_wait, const cl_event *wait, cl_event *event) {
    run r = {.list = list, .next = next, .rank = rank, .report = report, .head = head, .n = n};
    size_t nodes;
    if (queue == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "list: queue is NULL");
    CLP_TRY(check_run(list, n, head));
    CLP_TRY(check_buffers(&r));
    r.last = lay_out(list, n, r.levels, &nodes);
    r.levels[0].links_at = next.first;
    if (n > 0 || report.mem != NULL) CLP_TRY(add_head(&r));
    if (n > 0) CLP_TRY(add_ranking(&r));
    if (report.mem != NULL) CLP_TRY(add_diagnosis(&r));
    return clp_steps_enqueue(queue, "list", r.steps, r.count, num_wait, wait, event);
}

clprims_status clprims_list_enqueue(clprims_list *list, cl_command_queue queue, clprims_buffer next,
                                    clprims_buffer rank, int64_t head, size_t n,
                                    clprims_buffer report, cl_uint num_wait, const cl_event *wait,
                                    cl_event *event) {
    clp_clear_error();
    return enqueue(list, queue, next, rank, head, n, report, num_wait, wait, event);
}

/* ---- Reports ---- */

/* value: what next[index] is, " = 93", or "" when it isn't known. */
static clprims_status judge(const clprims_list_report *report, const char *value) {
    const int64_t i = report->index;
    const int64_t j = report->other;
    switch (report->fault) {
    case CLPRIMS_LIST_VALID:
        return CLPRIMS_OK;
    case CLPRIMS_LIST_LINK_RANGE:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "list: next[%" PRId64 "] = %" PRId64 " is neither -1 nor an element's "
                        "index; every link must be in [-1, n)",
                        i, j);
    case CLPRIMS_LIST_TWO_TAILS:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "list: next[%" PRId64 "] and next[%" PRId64 "] are both -1; "
                        "a list has one tail",
                        i, j);
    case CLPRIMS_LIST_NO_TAIL:
        return clp_fail(CLPRIMS_ERR_DATA, "list: no link is -1; a list has one tail");
    case CLPRIMS_LIST_SAME_SUCCESSOR:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "list: next[%" PRId64 "]%s is also next[%" PRId64 "]: two elements have "
                        "the same successor",
                        i, value, j);
    case CLPRIMS_LIST_CYCLE:
        return clp_fail(CLPRIMS_ERR_DATA,
                        "list: element %" PRId64 " is on a cycle, which head = %" PRId64
                        " does not reach",
                        i, report->head);
    case CLPRIMS_LIST_HEAD:
        return clp_fail(
            CLPRIMS_ERR_DATA,
            "list: head = %" PRId64 " is not the first element: next[%" PRId64 "] names it", i, j);
    case CLPRIMS_LIST_INVALID:
        return clp_fail(CLPRIMS_ERR_DATA, "list: the links are no list");
    default:
        return clp_fail(CLPRIMS_ERR_ARGUMENT,
                        "list: report.fault = %" PRId64 " is none of clprims_list_fault; "
                        "was the report read after its event?",
                        report->fault);
    }
}

clprims_status clprims_list_check(const clprims_list_report *report) {
    clp_clear_error();
    if (report == NULL) return clp_fail(CLPRIMS_ERR_ARGUMENT, "list: report is NULL");
    return judge(report, "");
}

/* ---- Run ---- */

static clprims_status judge_run(const clprims_list *list, const void *next,
                                const clprims_list_report *report) {
    char value[32] = "";
    if (report->index >= 0) {
        const int64_t link = list->link == CLPRIMS_I32 ? ((const int32_t *)next)[report->index]
                                                       : ((const int64_t *)next)[report->index];
        snprintf(value, sizeof value, " = %" PRId64, link);
    }
    return judge(report, value);
}

static clprims_status run_on(clprims_list *list, const void *next, void *rank, int64_t head,
                             size_t n, cl_mem mem[3]) {
    const clprims_context *context = list->context;
    const size_t bytes = n * clprims_type_bytes(list->link);
    clprims_list_report report;
    CLP_TRY(clp_upload(context, "list", next, bytes, &mem[0]));
    CLP_TRY(clp_upload(context, "list", NULL, bytes, &mem[1]));
    CLP_TRY(clp_upload(context, "list", NULL, sizeof report, &mem[2]));
    CLP_TRY(enqueue(list, context->queue, (clprims_buffer){mem[0], 0}, (clprims_buffer){mem[1], 0},
                    head, n, (clprims_buffer){mem[2], 0}, 0, NULL, NULL));
    CLP_TRY(clp_download(context, "list", mem[2], &report, sizeof report));
    CLP_TRY(judge_run(list, next, &report));
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
