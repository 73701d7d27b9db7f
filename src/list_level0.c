/* SPDX-License-Identifier: MIT */
/* Level 0 of long lists: walked in rows (cl/list_rows.cl) or in place (cl/list_in_place.cl). */
#include "list_plan.h"

#include <assert.h>

#define ADD(r, kind, arguments, work_items, group)                                                 \
    clp_list_add(r, kind, arguments, CLP_LIST_COUNT(arguments), work_items, group)
#define ADD_GROUPS(r, kind, arguments, groups, group)                                              \
    clp_list_add_groups(r, kind, arguments, CLP_LIST_COUNT(arguments), groups, group)

/* ---- Walks ---- */

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

static clprims_status walk_rows(clp_list_run *r, clp_list_level here, cl_uint attempt) {
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
        CLP_ARGUMENT(r->next.mem),   CLP_ARGUMENT(list->rows),  CLP_ARGUMENT(list->starts),
        CLP_ARGUMENT(most),          CLP_ARGUMENT(list->nodes), CLP_ARGUMENT(list->pairs),
        CLP_ARGUMENT(list->cursors), CLP_ARGUMENT(buckets),     CLP_ARGUMENT(list->state),
        CLP_ARGUMENT(here),          CLP_ARGUMENT(attempt)};
    return ADD(r, CLP_LIST_WALK_ROWS, walk, here.ids, list->knobs[CLP_LIST_GROUP]);
}

static clprims_status walk(clp_list_run *r, cl_uint attempt) {
    clp_list_level here = r->levels[0];
    if (attempt > 0) {
        here.seed = here.second_seed;
        here.patience = ~(cl_ulong)0;
    }
    return r->algorithm == CLPRIMS_LIST_ROWS ? walk_rows(r, here, attempt)
                                             : walk_in_place(r, here, attempt);
}

clprims_status clp_list_add_long_walk(clp_list_run *r) {
    CLP_TRY(walk(r, 0));
    return r->list->knobs[CLP_LIST_PATIENCE] > 0 ? walk(r, 1) : CLPRIMS_OK;
}

/* ---- Results ---- */

static clprims_status spread_in_place(clp_list_run *r) {
    clprims_list *list = r->list;
    cl_ulong out_at = r->out.first;
    const clp_argument spread[] = {CLP_ARGUMENT(r->out.mem), CLP_ARGUMENT(out_at),
                                   CLP_ARGUMENT(list->ranks), CLP_ARGUMENT(list->state),
                                   CLP_ARGUMENT(r->levels[0])};
    return ADD(r, CLP_LIST_SPREAD_IN_PLACE, spread, r->n, list->knobs[CLP_LIST_GROUP]);
}

/* Columns straight to the result. */
static clprims_status write_columns(clp_list_run *r, const clp_list_room *room, int kind) {
    clprims_list *list = r->list;
    const size_t group = list->knobs[CLP_LIST_SORT_GROUP];
    cl_uint most = (cl_uint)room->columns;
    cl_ulong out_at = r->out.first;
    const clp_argument write[] = {CLP_ARGUMENT(list->rows),  CLP_ARGUMENT(list->starts),
                                  CLP_ARGUMENT(most),        CLP_ARGUMENT(list->ranks),
                                  CLP_ARGUMENT(r->out.mem),  CLP_ARGUMENT(out_at),
                                  CLP_ARGUMENT(list->state), CLP_ARGUMENT(r->levels[0])};
    return ADD_GROUPS(r, kind, write, (room->columns + group - 1) / group, group);
}

static clprims_status sort(clp_list_run *r, const clp_list_room *room) {
    clprims_list *list = r->list;
    const size_t group = list->knobs[CLP_LIST_SORT_GROUP];
    cl_uint most = (cl_uint)room->columns;
    cl_uint bits = (cl_uint)room->bits;
    const clp_argument sort[] = {
        CLP_ARGUMENT(list->rows),  CLP_ARGUMENT(list->starts),  CLP_ARGUMENT(most),
        CLP_ARGUMENT(list->ranks), CLP_ARGUMENT(list->cursors), CLP_ARGUMENT(list->items),
        CLP_ARGUMENT(bits),        CLP_ARGUMENT(list->state),   CLP_ARGUMENT(r->levels[0])};
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

static clprims_status place(clp_list_run *r, const clp_list_room *room) {
    clprims_list *list = r->list;
    cl_mem items = room->bits > 0 ? list->finer : list->items;
    cl_ulong out_at = r->out.first;
    cl_ulong n = r->n;
    const clp_argument place[] = {CLP_ARGUMENT(items), CLP_ARGUMENT(r->out.mem),
                                  CLP_ARGUMENT(out_at), CLP_ARGUMENT(list->state), CLP_ARGUMENT(n)};
    return ADD_GROUPS(r, CLP_LIST_PLACE, place, room->windows, list->knobs[CLP_LIST_PLACE_GROUP]);
}

clprims_status clp_list_add_long_result(clp_list_run *r) {
    if (r->algorithm == CLPRIMS_LIST_IN_PLACE) return spread_in_place(r);
    const clp_list_room room = clp_list_room_of(r->list, r->n);
    if (r->list->result == CLPRIMS_LIST_ORDER) return write_columns(r, &room, CLP_LIST_WRITE_ORDER);
    if (r->n <= r->list->knobs[CLP_LIST_NEAR]) return write_columns(r, &room, CLP_LIST_SCATTER);
    CLP_TRY(sort(r, &room));
    if (room.bits > 0) CLP_TRY(sort_finer(r, &room));
    return place(r, &room);
}

clprims_status clp_list_add_all_results(clp_list_run *r) {
    const clprims_list *list = r->list;
    const clp_list_room room = clp_list_room_of(list, r->n);
    if (list->result == CLPRIMS_LIST_ORDER) return write_columns(r, &room, CLP_LIST_WRITE_ORDER);
    if (list->knobs[CLP_LIST_NEAR] > 0) CLP_TRY(write_columns(r, &room, CLP_LIST_SCATTER));
    if (list->items == NULL) return CLPRIMS_OK;
    CLP_TRY(sort(r, &room));
    if (list->finer != NULL) CLP_TRY(sort_finer(r, &room));
    return place(r, &room);
}
