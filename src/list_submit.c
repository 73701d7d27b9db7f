/* SPDX-License-Identifier: MIT */
/*
 * A run of list ranking as one chain of kernels: all sizes follow from n. The chain is
 *   begin, [sum, find,] walk of level 0, 1, ..., last, spread of level ..., 1, 0,
 * and, when the caller wants a report, look, look, unmark, look, conclude.
 */
#include "list_plan.h"

/* ---- Levels ---- */

/* Fills what follows from the number of nodes alone. */
static clp_list_level level_of(const clprims_list *list, size_t count, size_t number) {
    const size_t mean = list->knobs[number == 0 ? CLP_LIST_SUBLIST : CLP_LIST_UPPER];
    clp_list_level here = {.count = count, .number = number};
    unsigned bits = 1;
    while (((size_t)1 << bits) < count) bits++;
    here.mask = ((size_t)1 << bits) - 1;
    here.shift = (bits + 1) / 2;
    here.ids = (here.mask + 1) / mean;
    if (here.ids > list->knobs[CLP_LIST_SPLITTERS]) here.ids = list->knobs[CLP_LIST_SPLITTERS];
    if (here.ids < 1 || count <= list->knobs[CLP_LIST_LAST]) here.ids = 1;
    return here;
}

size_t clp_list_lay_out(const clprims_list *list, size_t n, clp_list_level *levels, size_t *nodes) {
    size_t number = 0;
    size_t at = 0;
    levels[0] = level_of(list, n, 0);
    while (levels[number].count > list->knobs[CLP_LIST_LAST]) {
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

/* ---- Steps ---- */

static clprims_status add_step(clp_list_run *r, cl_kernel kernel, const clp_argument *arguments,
                               cl_uint count, size_t work_items, size_t group) {
    const size_t lanes = r->list->knobs[CLP_LIST_LANES];
    const size_t wanted = work_items < lanes ? work_items : lanes;
    const size_t groups = (wanted + group - 1) / group;
    CLP_TRY(clp_kernel_arguments(kernel, "list", arguments, count));
    r->steps[r->count++] = (clp_step){kernel, groups, group};
    return CLPRIMS_OK;
}

#define ADD_STEP(r, kernel, arguments, work_items, group)                                          \
    add_step(r, kernel, arguments, (cl_uint)(sizeof(arguments) / sizeof((arguments)[0])),          \
             work_items, group)

static clprims_status add_head(clp_list_run *r) {
    clprims_list *list = r->list;
    cl_ulong n = r->n;
    const clp_argument begin[] = {CLP_ARGUMENT(list->state), CLP_ARGUMENT(r->head),
                                  CLP_ARGUMENT(n)};
    CLP_TRY(ADD_STEP(r, list->begin, begin, 1, 1));
    if (r->n == 0 || r->head != CLPRIMS_LIST_FIND_HEAD) return CLPRIMS_OK;
    const clp_argument sum[] = {CLP_ARGUMENT(r->next.mem), CLP_ARGUMENT(list->state),
                                CLP_ARGUMENT(r->levels[0])};
    CLP_TRY(ADD_STEP(r, list->sum, sum, r->n, list->knobs[CLP_LIST_GROUP]));
    const clp_argument find[] = {CLP_ARGUMENT(list->state), CLP_ARGUMENT(n)};
    return ADD_STEP(r, list->find, find, 1, 1);
}

/* The buffers of a level's links and ranks; level 0 works on the caller's. */
static cl_mem *links_of(clp_list_run *r, size_t number) {
    return number == 0 ? &r->next.mem : &r->list->links;
}

static cl_mem *ranks_of(clp_list_run *r, size_t number, cl_ulong *at) {
    *at = number == 0 ? r->rank.first : r->levels[number].at;
    return number == 0 ? &r->rank.mem : &r->list->weights;
}

static clprims_status add_walk(clp_list_run *r, size_t number) {
    clprims_list *list = r->list;
    clp_list_level *here = &r->levels[number];
    const clp_argument walk[] = {CLP_ARGUMENT(*links_of(r, number)), CLP_ARGUMENT(list->weights),
                                 CLP_ARGUMENT(list->pairs),          CLP_ARGUMENT(list->links),
                                 CLP_ARGUMENT(list->weights),        CLP_ARGUMENT(list->pairs),
                                 CLP_ARGUMENT(list->state),          CLP_ARGUMENT(*here)};
    const size_t slots =
        (here->ids + list->knobs[CLP_LIST_WALKS] - 1) / list->knobs[CLP_LIST_WALKS];
    return ADD_STEP(r, list->walk[number], walk, slots, list->knobs[CLP_LIST_GROUP]);
}

static clprims_status add_last(clp_list_run *r) {
    clprims_list *list = r->list;
    clp_list_level *here = &r->levels[r->last];
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
    return ADD_STEP(r, list->last, last, 1, list->knobs[CLP_LIST_GROUP]);
}

static clprims_status add_spread(clp_list_run *r, size_t number) {
    clprims_list *list = r->list;
    clp_list_level *here = &r->levels[number];
    cl_ulong at;
    cl_mem *ranks = ranks_of(r, number, &at);
    const clp_argument spread[] = {CLP_ARGUMENT(list->pairs), CLP_ARGUMENT(list->weights),
                                   CLP_ARGUMENT(*ranks),      CLP_ARGUMENT(at),
                                   CLP_ARGUMENT(list->state), CLP_ARGUMENT(*here)};
    return ADD_STEP(r, list->spread[number], spread, here->count, list->knobs[CLP_LIST_GROUP]);
}

static clprims_status add_ranking(clp_list_run *r) {
    for (size_t number = 0; number < r->last; number++) CLP_TRY(add_walk(r, number));
    CLP_TRY(add_last(r));
    for (size_t number = r->last; number-- > 0;) CLP_TRY(add_spread(r, number));
    return CLPRIMS_OK;
}

static clprims_status add_diagnosis(clp_list_run *r) {
    clprims_list *list = r->list;
    clp_list_level *here = &r->levels[0];
    cl_ulong rank_at = r->rank.first;
    cl_ulong report_at = r->report.first;
    cl_uint coarse = (cl_uint)list->knobs[CLP_LIST_COARSE];
    const size_t group = list->knobs[CLP_LIST_GROUP];
    for (cl_uint stage = 0; r->n > 0 && stage < CLP_LIST_STAGES; stage++) {
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

clprims_status clp_list_submit(clp_list_run *r, cl_command_queue queue, cl_uint num_wait,
                               const cl_event *wait, cl_event *event) {
    size_t nodes;
    if (r->n > 0) r->last = clp_list_lay_out(r->list, r->n, r->levels, &nodes);
    r->levels[0].links_at = r->next.first;
    if (r->n > 0 || r->report.mem != NULL) CLP_TRY(add_head(r));
    if (r->n > 0) CLP_TRY(add_ranking(r));
    if (r->report.mem != NULL) CLP_TRY(add_diagnosis(r));
    return clp_steps_enqueue(queue, "list", r->steps, r->count, num_wait, wait, event);
}
