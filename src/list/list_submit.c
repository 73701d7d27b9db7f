/* SPDX-License-Identifier: MIT */
/*
 * A run of list ranking: one chain of kernels, whose sizes depend on n alone. A short list takes
 * one kernel. The chain of a long list is
 *   begin, [sum, find,] walk level 0, walk level 1, ..., last, expand level ..., 1,
 *   write the result of level 0,
 * followed by diagnose if the caller wants a report.
 */
#include "core/context.h"
#include "list/list_plan.h"

#include <assert.h>

/* ---- One more kernel of a kind ---- */

clprims_status clp_list_add_groups(clp_list_run *r, int kind, const clp_argument *arguments,
                                   cl_uint count, size_t groups, size_t group) {
    assert(r->count < CLP_LIST_MOST_STEPS && r->taken[kind] < CLP_LIST_LEVELS);
    cl_kernel kernel = r->list->kernels[kind][r->taken[kind]++];
    assert(kernel != NULL);
    CLP_TRY(clp_kernel_arguments(kernel, "list", arguments, count));
    r->steps[r->count++] = (clp_step){kernel, groups, group};
    return CLPRIMS_OK;
}

clprims_status clp_list_add(clp_list_run *r, int kind, const clp_argument *arguments, cl_uint count,
                            size_t work_items, size_t group) {
    const bool is_long = kind == CLP_LIST_WALK_LOG || kind == CLP_LIST_WALK_IN_PLACE;
    const size_t lanes = r->list->knobs[is_long ? CLP_LIST_LANES : CLP_LIST_WIDE];
    const size_t wanted = work_items < lanes ? work_items : lanes;
    return clp_list_add_groups(r, kind, arguments, count, (wanted + group - 1) / group, group);
}

#define ADD(r, kind, arguments, work_items, group)                                                 \
    clp_list_add(r, kind, arguments, CLP_LIST_COUNT(arguments), work_items, group)
#define ADD_GROUPS(r, kind, arguments, groups, group)                                              \
    clp_list_add_groups(r, kind, arguments, CLP_LIST_COUNT(arguments), groups, group)

/* ---- Walks of level 0: with a visit log, or in place ---- */

static clprims_status walk_in_place(clp_list_run *r, clp_list_level here, cl_uint attempt) {
    clprims_list *list = r->list;
    const size_t group = list->knobs[CLP_LIST_GROUP];
    cl_ulong out_at = r->out.first;
    cl_ulong spare = clp_list_spare(list, r->n);
    const clp_argument copy[] = {
        CLP_ARGUMENT(r->next.mem), CLP_ARGUMENT(r->out.mem),  CLP_ARGUMENT(out_at),
        CLP_ARGUMENT(list->nodes), CLP_ARGUMENT(list->pairs), CLP_ARGUMENT(list->state),
        CLP_ARGUMENT(here),        CLP_ARGUMENT(spare),       CLP_ARGUMENT(attempt)};
    CLP_TRY(ADD(r, CLP_LIST_COPY, copy, r->n, group));
    const clp_argument walk[] = {CLP_ARGUMENT(r->out.mem),  CLP_ARGUMENT(out_at),
                                 CLP_ARGUMENT(list->nodes), CLP_ARGUMENT(list->state),
                                 CLP_ARGUMENT(here),        CLP_ARGUMENT(spare),
                                 CLP_ARGUMENT(attempt)};
    return ADD(r, CLP_LIST_WALK_IN_PLACE, walk, here.ids, group);
}

static clprims_status walk_log(clp_list_run *r, clp_list_level here, cl_uint attempt) {
    clprims_list *list = r->list;
    const clp_list_room room = clp_list_room_of(list, r->n);
    const size_t cursors = room.buckets + (room.bits > 0 ? room.windows : 0);
    const bool sorts = list->result == CLPRIMS_LIST_RANKS;
    cl_uint most = (cl_uint)room.columns;
    cl_uint buckets = sorts ? (cl_uint)cursors : 0;
    assert(room.columns <= list->most.columns && buckets <= list->most.cursors);
    assert(!sorts || room.buckets <= list->most.buckets);
    assert(!sorts || (size_t)1 << room.bits <= list->most.buckets);
    const clp_argument walk[] = {
        CLP_ARGUMENT(r->next.mem),   CLP_ARGUMENT(list->visits), CLP_ARGUMENT(list->starts),
        CLP_ARGUMENT(most),          CLP_ARGUMENT(list->nodes),  CLP_ARGUMENT(list->pairs),
        CLP_ARGUMENT(list->cursors), CLP_ARGUMENT(buckets),      CLP_ARGUMENT(list->state),
        CLP_ARGUMENT(here),          CLP_ARGUMENT(attempt)};
    return ADD(r, CLP_LIST_WALK_LOG, walk, here.ids, list->knobs[CLP_LIST_GROUP]);
}

static clprims_status walk(clp_list_run *r, cl_uint attempt) {
    clp_list_level here = r->levels[0];
    if (attempt > 0) {
        here.seed = here.second_seed;
        here.retry_steps = ~(cl_ulong)0;
    }
    return r->algorithm == CLPRIMS_LIST_VISIT_LOG ? walk_log(r, here, attempt)
                                                  : walk_in_place(r, here, attempt);
}

clprims_status clp_list_add_long_walk(clp_list_run *r) {
    CLP_TRY(walk(r, 0));
    return r->list->knobs[CLP_LIST_RETRY] > 0 ? walk(r, 1) : CLPRIMS_OK;
}

/* ---- Results ---- */

static clprims_status expand_in_place(clp_list_run *r) {
    clprims_list *list = r->list;
    cl_ulong out_at = r->out.first;
    const clp_argument arguments[] = {CLP_ARGUMENT(r->out.mem), CLP_ARGUMENT(out_at),
                                      CLP_ARGUMENT(list->ranks), CLP_ARGUMENT(list->state),
                                      CLP_ARGUMENT(r->levels[0])};
    return ADD(r, CLP_LIST_EXPAND_IN_PLACE, arguments, r->n, list->knobs[CLP_LIST_GROUP]);
}

/* Writes the columns directly to the result. */
static clprims_status write_columns(clp_list_run *r, const clp_list_room *room, int kind) {
    clprims_list *list = r->list;
    const size_t group = list->knobs[CLP_LIST_SORT_GROUP];
    cl_uint most = (cl_uint)room->columns;
    cl_ulong out_at = r->out.first;
    const clp_argument write[] = {CLP_ARGUMENT(list->visits), CLP_ARGUMENT(list->starts),
                                  CLP_ARGUMENT(most),         CLP_ARGUMENT(list->ranks),
                                  CLP_ARGUMENT(r->out.mem),   CLP_ARGUMENT(out_at),
                                  CLP_ARGUMENT(list->state),  CLP_ARGUMENT(r->levels[0])};
    return ADD_GROUPS(r, kind, write, (room->columns + group - 1) / group, group);
}

static clprims_status sort(clp_list_run *r, const clp_list_room *room) {
    clprims_list *list = r->list;
    const size_t group = list->knobs[CLP_LIST_SORT_GROUP];
    cl_uint most = (cl_uint)room->columns;
    cl_uint bits = (cl_uint)room->bits;
    const clp_argument sort[] = {
        CLP_ARGUMENT(list->visits), CLP_ARGUMENT(list->starts),  CLP_ARGUMENT(most),
        CLP_ARGUMENT(list->ranks),  CLP_ARGUMENT(list->cursors), CLP_ARGUMENT(list->items),
        CLP_ARGUMENT(bits),         CLP_ARGUMENT(list->state),   CLP_ARGUMENT(r->levels[0])};
    return ADD_GROUPS(r, CLP_LIST_SORT, sort, (room->columns + group - 1) / group, group);
}

static clprims_status sort_finer(clp_list_run *r, const clp_list_room *room) {
    clprims_list *list = r->list;
    const size_t group = list->knobs[CLP_LIST_SORT_GROUP];
    const size_t batch = group * list->knobs[CLP_LIST_ROWS];
    cl_uint bits = (cl_uint)room->bits;
    cl_uint cursors_at = (cl_uint)room->buckets;
    const clp_argument finer[] = {CLP_ARGUMENT(list->items), CLP_ARGUMENT(list->cursors),
                                  CLP_ARGUMENT(cursors_at),  CLP_ARGUMENT(list->finer),
                                  CLP_ARGUMENT(bits),        CLP_ARGUMENT(list->state),
                                  CLP_ARGUMENT(r->levels[0])};
    return ADD_GROUPS(r, CLP_LIST_SORT_FINER, finer, (r->n + batch - 1) / batch, group);
}

static clprims_status scatter_window(clp_list_run *r, const clp_list_room *room) {
    clprims_list *list = r->list;
    cl_mem items = room->bits > 0 ? list->finer : list->items;
    cl_ulong out_at = r->out.first;
    cl_ulong n = r->n;
    const clp_argument arguments[] = {CLP_ARGUMENT(items), CLP_ARGUMENT(r->out.mem),
                                      CLP_ARGUMENT(out_at), CLP_ARGUMENT(list->state),
                                      CLP_ARGUMENT(n)};
    return ADD_GROUPS(r, CLP_LIST_SCATTER_WINDOW, arguments, room->windows,
                      list->knobs[CLP_LIST_WINDOW_GROUP]);
}

clprims_status clp_list_add_long_result(clp_list_run *r) {
    if (r->algorithm == CLPRIMS_LIST_IN_PLACE) return expand_in_place(r);
    const clp_list_room room = clp_list_room_of(r->list, r->n);
    if (r->list->result == CLPRIMS_LIST_ORDER) return write_columns(r, &room, CLP_LIST_WRITE_ORDER);
    if (r->n <= r->list->knobs[CLP_LIST_NEAR]) return write_columns(r, &room, CLP_LIST_SCATTER);
    CLP_TRY(sort(r, &room));
    if (room.bits > 0) CLP_TRY(sort_finer(r, &room));
    return scatter_window(r, &room);
}

clprims_status clp_list_add_all_results(clp_list_run *r) {
    const clprims_list *list = r->list;
    const clp_list_room room = clp_list_room_of(list, r->n);
    if (list->result == CLPRIMS_LIST_ORDER) return write_columns(r, &room, CLP_LIST_WRITE_ORDER);
    if (list->knobs[CLP_LIST_NEAR] > 0) CLP_TRY(write_columns(r, &room, CLP_LIST_SCATTER));
    if (list->items == NULL) return CLPRIMS_OK;
    CLP_TRY(sort(r, &room));
    if (list->finer != NULL) CLP_TRY(sort_finer(r, &room));
    return scatter_window(r, &room);
}

/* ---- Other steps ---- */

static clprims_status add_begin(clp_list_run *r) {
    clprims_list *list = r->list;
    cl_ulong n = r->n;
    const size_t group = list->knobs[CLP_LIST_GROUP];
    const clp_argument begin[] = {CLP_ARGUMENT(list->state), CLP_ARGUMENT(r->head),
                                  CLP_ARGUMENT(n)};
    return ADD(r, CLP_LIST_BEGIN, begin, 1, group);
}

static clprims_status add_find(clp_list_run *r) {
    clprims_list *list = r->list;
    cl_ulong n = r->n;
    const clp_argument sum[] = {CLP_ARGUMENT(r->next.mem), CLP_ARGUMENT(list->state),
                                CLP_ARGUMENT(r->levels[0])};
    CLP_TRY(ADD(r, CLP_LIST_SUM, sum, r->n, list->knobs[CLP_LIST_GROUP]));
    const clp_argument find[] = {CLP_ARGUMENT(list->state), CLP_ARGUMENT(n)};
    return ADD(r, CLP_LIST_FIND, find, 1, 1);
}

static clprims_status add_walk(clp_list_run *r, size_t number, cl_uint attempt) {
    clprims_list *list = r->list;
    clp_list_level here = r->levels[number];
    if (attempt > 0) {
        here.seed = here.second_seed;
        here.retry_steps = ~(cl_ulong)0;
    }
    const clp_argument walk[] = {CLP_ARGUMENT(r->next.mem), CLP_ARGUMENT(list->nodes),
                                 CLP_ARGUMENT(list->pairs), CLP_ARGUMENT(list->nodes),
                                 CLP_ARGUMENT(list->pairs), CLP_ARGUMENT(list->state),
                                 CLP_ARGUMENT(here),        CLP_ARGUMENT(attempt)};
    const size_t slots = (here.ids + list->knobs[CLP_LIST_WALKS] - 1) / list->knobs[CLP_LIST_WALKS];
    return ADD(r, CLP_LIST_WALK, walk, slots, list->knobs[CLP_LIST_GROUP]);
}

static clprims_status add_first_walks(clp_list_run *r) {
    if (r->algorithm != CLPRIMS_LIST_SCATTERED) return clp_list_add_long_walk(r);
    CLP_TRY(add_walk(r, 0, 0));
    return r->list->knobs[CLP_LIST_RETRY] > 0 ? add_walk(r, 0, 1) : CLPRIMS_OK;
}

static clprims_status add_last(clp_list_run *r) {
    clprims_list *list = r->list;
    cl_ulong n = r->n;
    const clp_argument last[] = {CLP_ARGUMENT(list->nodes), CLP_ARGUMENT(list->ranks),
                                 CLP_ARGUMENT(list->state), CLP_ARGUMENT(r->levels[r->last]),
                                 CLP_ARGUMENT(n)};
    return ADD(r, CLP_LIST_LAST_LEVEL, last, 1, list->knobs[CLP_LIST_LAST_GROUP]);
}

static clprims_status add_expand(clp_list_run *r, size_t number) {
    clprims_list *list = r->list;
    clp_list_level *here = &r->levels[number];
    cl_mem *out = number == 0 ? &r->out.mem : &list->ranks;
    cl_ulong out_at = number == 0 ? r->out.first : here->at;
    cl_uint as_order = number == 0 && list->result == CLPRIMS_LIST_ORDER;
    const clp_argument arguments[] = {CLP_ARGUMENT(list->pairs), CLP_ARGUMENT(list->ranks),
                                      CLP_ARGUMENT(*out),        CLP_ARGUMENT(out_at),
                                      CLP_ARGUMENT(list->state), CLP_ARGUMENT(*here),
                                      CLP_ARGUMENT(as_order)};
    return ADD(r, CLP_LIST_EXPAND, arguments, here->count, list->knobs[CLP_LIST_GROUP]);
}

static clprims_status add_ranking(clp_list_run *r) {
    CLP_TRY(add_first_walks(r));
    for (size_t number = 1; number < r->last; number++) CLP_TRY(add_walk(r, number, 0));
    CLP_TRY(add_last(r));
    for (size_t number = r->last; number-- > 1;) CLP_TRY(add_expand(r, number));
    return r->algorithm == CLPRIMS_LIST_SCATTERED ? add_expand(r, 0) : clp_list_add_long_result(r);
}

/* Takes one launch if work-groups may wait for others that started before them, else one launch per
 * stage. */
static clprims_status add_diagnosis(clp_list_run *r) {
    clprims_list *list = r->list;
    cl_ulong out_at = r->out.first;
    cl_ulong report_at = r->report.first;
    cl_uint coarse = (cl_uint)list->knobs[CLP_LIST_COARSE];
    const bool at_once = list->context->groups_progress;
    const size_t group = list->knobs[CLP_LIST_LAST_GROUP];
    /* A quarter of what fills a device: on a valid list these groups have nothing to do. */
    const size_t most = list->knobs[CLP_LIST_WIDE] / group / 4 + 1;
    const size_t wanted = (r->n + group - 1) / group;
    cl_uint pieces = (cl_uint)(wanted < 1 ? 1 : wanted < most ? wanted : most);
    for (cl_uint stage = 0; stage <= CLP_LIST_STAGES; stage++) {
        cl_uint launched = at_once ? UINT32_MAX : stage;
        const size_t groups = at_once                    ? CLP_LIST_STAGES * pieces + 1
                              : stage == CLP_LIST_STAGES ? 1
                                                         : pieces;
        const clp_argument diagnose[] = {
            CLP_ARGUMENT(r->next.mem), CLP_ARGUMENT(r->out.mem),    CLP_ARGUMENT(out_at),
            CLP_ARGUMENT(list->state), CLP_ARGUMENT(*r->levels),    CLP_ARGUMENT(coarse),
            CLP_ARGUMENT(list->ranks), CLP_ARGUMENT(r->report.mem), CLP_ARGUMENT(report_at),
            CLP_ARGUMENT(r->head),     CLP_ARGUMENT(pieces),        CLP_ARGUMENT(launched)};
        CLP_TRY(clp_list_add_groups(r, CLP_LIST_DIAGNOSE, diagnose, CLP_LIST_COUNT(diagnose),
                                    groups, group));
        if (at_once) break;
    }
    return CLPRIMS_OK;
}

static clprims_status add_single_group(clp_list_run *r, int kind) {
    clprims_list *list = r->list;
    cl_ulong out_at = r->out.first;
    cl_ulong report_at = r->report.first;
    cl_uint coarse = (cl_uint)list->knobs[CLP_LIST_COARSE];
    cl_uint wanted = r->report.mem != NULL;
    cl_uint as_order = list->result == CLPRIMS_LIST_ORDER;
    const cl_mem report = wanted ? r->report.mem : list->state;
    const clp_argument arguments[] = {
        CLP_ARGUMENT(r->next.mem), CLP_ARGUMENT(r->out.mem), CLP_ARGUMENT(out_at),
        CLP_ARGUMENT(list->state), CLP_ARGUMENT(*r->levels), CLP_ARGUMENT(r->head),
        CLP_ARGUMENT(coarse),      CLP_ARGUMENT(report),     CLP_ARGUMENT(report_at),
        CLP_ARGUMENT(wanted),      CLP_ARGUMENT(as_order)};
    const size_t group = list->knobs[CLP_LIST_LAST_GROUP];
    return ADD(r, kind, arguments, 1, group);
}

static clprims_status add_steps(clp_list_run *r) {
    size_t nodes;
    if (r->n == 0) {
        if (r->report.mem == NULL) return CLPRIMS_OK;
        CLP_TRY(add_begin(r));
        return add_diagnosis(r);
    }
    r->algorithm = clp_list_choose(r->list, r->n);
    r->last = clp_list_lay_out(r->list, r->n, r->levels, &nodes);
    assert(r->last <= r->list->most.last && nodes <= r->list->most.nodes);
    assert(r->algorithm != CLPRIMS_LIST_SCATTERED || r->last == 0 || r->n <= r->list->most.pairs);
    r->levels[0].links_at = r->next.first;
    if (r->last == 0) {
        return add_single_group(r, clp_list_is_one_per_item(r->list, r->n) ? CLP_LIST_ONE_PER_ITEM
                                                                           : CLP_LIST_SINGLE_GROUP);
    }
    CLP_TRY(add_begin(r));
    if (r->head == CLPRIMS_LIST_FIND_HEAD) CLP_TRY(add_find(r));
    CLP_TRY(add_ranking(r));
    return r->report.mem != NULL ? add_diagnosis(r) : CLPRIMS_OK;
}

clprims_status clp_list_submit(clp_list_run *r, cl_command_queue queue, cl_uint num_wait,
                               const cl_event *wait, cl_event *event) {
    CLP_TRY(add_steps(r));
    return clp_steps_enqueue(queue, "list", r->steps, r->count, num_wait, wait, event);
}

/* ---- Warming up ---- */

/* Adds the chain, with levels that have no nodes. */
static clprims_status add_chains(clp_list_run *r) {
    const clprims_list *list = r->list;
    const bool in_place = r->algorithm == CLPRIMS_LIST_IN_PLACE;
    const bool logs =
        r->algorithm == CLPRIMS_LIST_VISIT_LOG && list->max_n >= list->knobs[CLP_LIST_LEAST];
    CLP_TRY(add_find(r));
    CLP_TRY(add_walk(r, 0, 0));
    if (logs || in_place) CLP_TRY(clp_list_add_long_walk(r));
    CLP_TRY(add_last(r));
    CLP_TRY(add_expand(r, 0));
    if (in_place) return clp_list_add_long_result(r);
    return logs ? clp_list_add_all_results(r) : CLPRIMS_OK;
}

clprims_status clp_list_warm_up(clprims_list *list) {
    const clprims_buffer blank = {list->context->blank, 0};
    clp_list_run r = {.list = list,
                      .next = blank,
                      .out = blank,
                      .report = blank,
                      .head = CLPRIMS_LIST_FIND_HEAD,
                      .algorithm = list->algorithm};
    CLP_TRY(add_begin(&r));
    CLP_TRY(add_diagnosis(&r));
    r.report.mem = NULL;
    CLP_TRY(add_single_group(&r, CLP_LIST_SINGLE_GROUP));
    if (list->kernels[CLP_LIST_ONE_PER_ITEM][0] != NULL)
        CLP_TRY(add_single_group(&r, CLP_LIST_ONE_PER_ITEM));
    r.n = 1; /* a visit log holds at least one element */
    r.levels[0] = (clp_list_level){.ids = 1, .batch = 1};
    if (list->kernels[CLP_LIST_EXPAND][0] != NULL) CLP_TRY(add_chains(&r));
    for (size_t i = 0; i < r.count; i++) r.steps[i].groups = 1;
    return clp_steps_warm_up(list->context, "list", r.steps, r.count);
}
