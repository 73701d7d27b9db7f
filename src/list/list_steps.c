/* SPDX-License-Identifier: MIT */
/* The steps of level 0: the walks, and those that write the results. */
#include "list/list_engine.h"

#include <assert.h>

/* ---- Walks of a ranking ---- */

static clprims_status walk_scattered(clp_list_run *r, cl_uint attempt) {
    const clp_list *plan = r->plan;
    const size_t group = plan->knobs[CLP_LIST_GROUP];
    const clp_argument walk[] = {CLP_ARGUMENT(r->next.mem),    CLP_LIST_BUFFER(plan, PAIRS),
                                 CLP_LIST_BUFFER(plan, PARTS), CLP_LIST_BUFFER(plan, OFFSETS),
                                 CLP_LIST_BUFFER(plan, STATE), CLP_ARGUMENT(*r->layout.levels),
                                 CLP_ARGUMENT(attempt)};
    return CLP_LIST_ADD(r, CLP_LIST_WALK, walk, r->layout.lanes / group, group);
}

static clprims_status walk_in_place(clp_list_run *r, cl_uint attempt) {
    const clp_list *plan = r->plan;
    const size_t group = plan->knobs[CLP_LIST_GROUP];
    cl_ulong out_at = r->out.first;
    cl_ulong spare = clp_list_spare(plan, r->n);
    const clp_argument copy[] = {CLP_ARGUMENT(r->next.mem),    CLP_ARGUMENT(r->out.mem),
                                 CLP_ARGUMENT(out_at),         CLP_LIST_BUFFER(plan, PARTS),
                                 CLP_LIST_BUFFER(plan, STATE), CLP_ARGUMENT(*r->layout.levels),
                                 CLP_ARGUMENT(spare),          CLP_ARGUMENT(attempt)};
    CLP_TRY(CLP_LIST_ADD(r, CLP_LIST_COPY, copy, clp_list_groups(r, r->n, group), group));
    const clp_argument walk[] = {CLP_ARGUMENT(r->out.mem),     CLP_ARGUMENT(out_at),
                                 CLP_LIST_BUFFER(plan, PARTS), CLP_LIST_BUFFER(plan, OFFSETS),
                                 CLP_LIST_BUFFER(plan, STATE), CLP_ARGUMENT(*r->layout.levels),
                                 CLP_ARGUMENT(spare),          CLP_ARGUMENT(attempt)};
    return CLP_LIST_ADD(r, CLP_LIST_WALK_IN_PLACE, walk, r->layout.lanes / group, group);
}

static clprims_status walk_log(clp_list_run *r, cl_uint attempt) {
    const clp_list *plan = r->plan;
    const size_t group = plan->knobs[CLP_LIST_GROUP];
    cl_uint columns = (cl_uint)r->layout.chunks;
    assert(r->layout.buckets <= plan->most.buckets || plan->spec.result == CLPRIMS_LIST_ORDER);
    const clp_argument walk[] = {CLP_ARGUMENT(r->next.mem),    CLP_LIST_BUFFER(plan, VISITS),
                                 CLP_LIST_BUFFER(plan, FILLS), CLP_ARGUMENT(columns),
                                 CLP_LIST_BUFFER(plan, PARTS), CLP_LIST_BUFFER(plan, OFFSETS),
                                 CLP_LIST_BUFFER(plan, STATE), CLP_ARGUMENT(*r->layout.levels),
                                 CLP_ARGUMENT(attempt)};
    return CLP_LIST_ADD(r, CLP_LIST_WALK_LOG, walk, r->layout.lanes / group, group);
}

/* ---- Walks of a list scan ---- */

static clprims_status walk_records(clp_list_run *r, cl_uint attempt) {
    const clp_list *plan = r->plan;
    const size_t group = plan->knobs[CLP_LIST_GROUP];
    cl_ulong next_at = r->next.first, nodes = r->layout.nodes, fills = r->layout.chunks;
    cl_uint chunks = (cl_uint)fills;
    const clp_argument again[] = {
        CLP_ARGUMENT(r->next.mem),    CLP_ARGUMENT(next_at),         CLP_LIST_BUFFER(plan, STATE),
        CLP_LIST_BUFFER(plan, LEADS), CLP_LIST_BUFFER(plan, STATES), CLP_ARGUMENT(nodes),
        CLP_LIST_BUFFER(plan, FILLS), CLP_ARGUMENT(fills),           CLP_ARGUMENT(r->n)};
    if (attempt > 0)
        CLP_TRY(CLP_LIST_ADD(r, CLP_LIST_AGAIN, again, clp_list_groups(r, r->n, group), group));
    const clp_argument walk[] = {CLP_LIST_BUFFER(plan, ITEMS),
                                 CLP_LIST_BUFFER(plan, VISITS),
                                 CLP_LIST_BUFFER(plan, FILLS),
                                 CLP_LIST_NODES(plan),
                                 CLP_LIST_BUFFER(plan, BITS),
                                 CLP_LIST_BUFFER(plan, STATE),
                                 CLP_ARGUMENT(*r->layout.levels),
                                 CLP_ARGUMENT(chunks),
                                 {plan->spec.what.working_bytes, plan->start},
                                 CLP_ARGUMENT(attempt)};
    return CLP_LIST_ADD(r, CLP_LIST_WALK, walk, r->layout.lanes / group, group);
}

clprims_status clp_list_add_walks(clp_list_run *r) {
    const size_t attempts = r->plan->knobs[CLP_LIST_RETRY] > 0 ? 2 : 1;
    for (cl_uint attempt = 0; attempt < attempts; attempt++) {
        if (!r->plan->spec.ranks)
            CLP_TRY(walk_records(r, attempt));
        else if (r->layout.algorithm == CLPRIMS_LIST_VISIT_LOG)
            CLP_TRY(walk_log(r, attempt));
        else if (r->layout.algorithm == CLPRIMS_LIST_IN_PLACE)
            CLP_TRY(walk_in_place(r, attempt));
        else
            CLP_TRY(walk_scattered(r, attempt));
    }
    return CLPRIMS_OK;
}

/* ---- Placing ---- */

/* Work-items of a work-group that sorts, and items of each. */
static size_t sort_group(const clp_list *plan) {
    return plan->knobs[plan->spec.ranks ? CLP_LIST_SORT_GROUP : CLP_LIST_GROUP];
}

static size_t batch_of(const clp_list *plan) {
    return sort_group(plan) * (plan->spec.ranks ? plan->knobs[CLP_LIST_ROWS] : plan->held);
}

static clprims_status sort_finer(clp_list_run *r, int to) {
    const clp_list *plan = r->plan;
    const size_t batch = batch_of(plan);
    cl_uint bits = (cl_uint)r->layout.bits;
    cl_uint cursors_at = (cl_uint)(plan->spec.ranks ? r->layout.buckets : CLP_LIST_SCAN_BUCKETS);
    const clp_argument finer[] = {CLP_LIST_BUFFER(plan, ITEMS),
                                  CLP_LIST_BUFFER(plan, CURSORS),
                                  CLP_ARGUMENT(cursors_at),
                                  CLP_ARGUMENT(plan->buffers[to]),
                                  CLP_ARGUMENT(bits),
                                  CLP_LIST_BUFFER(plan, STATE),
                                  CLP_ARGUMENT(*r->layout.levels)};
    return CLP_LIST_ADD(r, CLP_LIST_SORT_FINER, finer, (r->n + batch - 1) / batch,
                        sort_group(plan));
}

static clprims_status scatter_windows(clp_list_run *r, int from) {
    const clp_list *plan = r->plan;
    clp_list_places places;
    clp_argument arguments[12] = {CLP_ARGUMENT(plan->buffers[from]), CLP_LIST_BUFFER(plan, STATE),
                                  CLP_ARGUMENT(r->n)};
    const cl_uint count = clp_list_add_output(r, arguments, 3, &places);
    return clp_list_add(r, CLP_LIST_SCATTER_WINDOW, arguments, count, r->layout.windows,
                        plan->knobs[plan->spec.ranks ? CLP_LIST_WINDOW_GROUP : CLP_LIST_GROUP]);
}

/* Places the items of the first pass. Those of a list scan reuse the memory of the records, which
 * are no longer needed; the second pass then reuses that of the visit log. */
static clprims_status place(clp_list_run *r) {
    const int finer = r->plan->spec.ranks ? CLP_LIST_FINER : CLP_LIST_VISITS;
    if (r->layout.bits == 0) return scatter_windows(r, CLP_LIST_ITEMS);
    CLP_TRY(sort_finer(r, finer));
    return scatter_windows(r, finer);
}

/* ---- Results of a ranking ---- */

static clprims_status expand(clp_list_run *r) {
    const clp_list *plan = r->plan;
    const size_t group = plan->knobs[CLP_LIST_GROUP];
    cl_ulong out_at = r->out.first;
    cl_uint as_order = plan->spec.result == CLPRIMS_LIST_ORDER;
    const clp_argument arguments[] = {CLP_LIST_BUFFER(plan, PAIRS), CLP_LIST_BUFFER(plan, OFFSETS),
                                      CLP_ARGUMENT(r->out.mem),     CLP_ARGUMENT(out_at),
                                      CLP_LIST_BUFFER(plan, STATE), CLP_ARGUMENT(*r->layout.levels),
                                      CLP_ARGUMENT(as_order)};
    return CLP_LIST_ADD(r, CLP_LIST_EXPAND, arguments, clp_list_groups(r, r->n, group), group);
}

static clprims_status expand_in_place(clp_list_run *r) {
    const clp_list *plan = r->plan;
    const size_t group = plan->knobs[CLP_LIST_GROUP];
    cl_ulong out_at = r->out.first;
    const clp_argument arguments[] = {CLP_ARGUMENT(r->out.mem), CLP_ARGUMENT(out_at),
                                      CLP_LIST_BUFFER(plan, OFFSETS), CLP_LIST_BUFFER(plan, STATE),
                                      CLP_ARGUMENT(*r->layout.levels)};
    return CLP_LIST_ADD(r, CLP_LIST_EXPAND_IN_PLACE, arguments, clp_list_groups(r, r->n, group),
                        group);
}

/* Work-groups of a kernel with a column per work-item. */
static size_t groups_of_columns(const clp_list_run *r) {
    const size_t group = r->plan->knobs[CLP_LIST_SORT_GROUP];
    return (r->layout.chunks + group - 1) / group;
}

/* Writes the columns directly to the result. */
static clprims_status write_columns(clp_list_run *r, int kind) {
    const clp_list *plan = r->plan;
    cl_uint columns = (cl_uint)r->layout.chunks;
    cl_ulong out_at = r->out.first;
    const clp_argument write[] = {CLP_LIST_BUFFER(plan, VISITS), CLP_LIST_BUFFER(plan, FILLS),
                                  CLP_ARGUMENT(columns),         CLP_LIST_BUFFER(plan, OFFSETS),
                                  CLP_ARGUMENT(r->out.mem),      CLP_ARGUMENT(out_at),
                                  CLP_LIST_BUFFER(plan, STATE),  CLP_ARGUMENT(*r->layout.levels)};
    return CLP_LIST_ADD(r, kind, write, groups_of_columns(r), plan->knobs[CLP_LIST_SORT_GROUP]);
}

static clprims_status sort(clp_list_run *r) {
    const clp_list *plan = r->plan;
    cl_uint columns = (cl_uint)r->layout.chunks;
    cl_uint bits = (cl_uint)r->layout.bits;
    const clp_argument sort[] = {CLP_LIST_BUFFER(plan, VISITS),
                                 CLP_LIST_BUFFER(plan, FILLS),
                                 CLP_ARGUMENT(columns),
                                 CLP_LIST_BUFFER(plan, OFFSETS),
                                 CLP_LIST_BUFFER(plan, CURSORS),
                                 CLP_LIST_BUFFER(plan, ITEMS),
                                 CLP_ARGUMENT(bits),
                                 CLP_LIST_BUFFER(plan, STATE),
                                 CLP_ARGUMENT(*r->layout.levels)};
    return CLP_LIST_ADD(r, CLP_LIST_SORT, sort, groups_of_columns(r),
                        plan->knobs[CLP_LIST_SORT_GROUP]);
}

static clprims_status write_log(clp_list_run *r) {
    if (r->plan->spec.result == CLPRIMS_LIST_ORDER) return write_columns(r, CLP_LIST_WRITE_ORDER);
    if (r->n <= r->plan->knobs[CLP_LIST_NEAR]) return write_columns(r, CLP_LIST_SCATTER);
    CLP_TRY(sort(r));
    return place(r);
}

/* ---- Results of a list scan ---- */

static clprims_status sort_entries(clp_list_run *r) {
    const clp_list *plan = r->plan;
    const size_t batch = batch_of(plan);
    const size_t batches = (plan->knobs[CLP_LISTSCAN_CHUNK] + batch - 1) / batch;
    cl_uint bits = (cl_uint)r->layout.bits;
    const clp_argument sort[] = {CLP_LIST_BUFFER(plan, VISITS),
                                 CLP_LIST_BUFFER(plan, FILLS),
                                 CLP_LIST_BUFFER(plan, OFFSETS),
                                 CLP_LIST_BUFFER(plan, STATES),
                                 CLP_LIST_BUFFER(plan, CURSORS),
                                 CLP_LIST_BUFFER(plan, ITEMS),
                                 CLP_ARGUMENT(bits),
                                 CLP_LIST_BUFFER(plan, STATE),
                                 CLP_ARGUMENT(*r->layout.levels)};
    CLP_TRY(CLP_LIST_ADD(r, CLP_LIST_SORT, sort, r->layout.chunks * batches, sort_group(plan)));
    return place(r);
}

static clprims_status scatter_entries(clp_list_run *r) {
    const clp_list *plan = r->plan;
    clp_list_places places;
    clp_argument arguments[12] = {CLP_LIST_BUFFER(plan, VISITS),  CLP_LIST_BUFFER(plan, FILLS),
                                  CLP_LIST_BUFFER(plan, OFFSETS), CLP_LIST_BUFFER(plan, STATES),
                                  CLP_LIST_BUFFER(plan, STATE),   CLP_ARGUMENT(*r->layout.levels)};
    const cl_uint count = clp_list_add_output(r, arguments, 6, &places);
    return clp_list_add(r, CLP_LIST_SCATTER, arguments, count, r->layout.chunks,
                        plan->knobs[CLP_LIST_GROUP]);
}

/* ---- All of it ---- */

clprims_status clp_list_add_result(clp_list_run *r) {
    if (!r->plan->spec.ranks) return r->layout.buckets > 0 ? sort_entries(r) : scatter_entries(r);
    if (r->layout.algorithm == CLPRIMS_LIST_VISIT_LOG) return write_log(r);
    return r->layout.algorithm == CLPRIMS_LIST_IN_PLACE ? expand_in_place(r) : expand(r);
}

clprims_status clp_list_add_all_results(clp_list_run *r) {
    const clp_list *plan = r->plan;
    r->layout.bits = plan->most.two_passes;
    r->layout.buckets = 1;
    if (!plan->spec.ranks) return clp_list_may_partition(plan) ? sort_entries(r) : CLPRIMS_OK;
    if (plan->most.chunks == 0) return CLPRIMS_OK;
    r->layout.algorithm = CLPRIMS_LIST_VISIT_LOG;
    CLP_TRY(clp_list_add_walks(r));
    if (plan->spec.result == CLPRIMS_LIST_ORDER) return write_columns(r, CLP_LIST_WRITE_ORDER);
    if (plan->knobs[CLP_LIST_NEAR] > 0) CLP_TRY(write_columns(r, CLP_LIST_SCATTER));
    CLP_TRY(sort(r));
    return place(r);
}
