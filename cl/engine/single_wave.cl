/* SPDX-License-Identifier: MIT */
/*
 * The scan of few tiles: the device holds all groups at once, in one wave, so each looks at all the
 * tiles before its own together instead of waiting for what others found. Only aggregates are
 * published. Each sub-group folds neighbouring batches of 32 tiles, each batch by the same tree,
 * one after another; which batches, follows from the tile's number alone: floats have the same bits
 * in every run.
 *
 * Right for any number of tiles (a group waits only for groups that have started, as in
 * lookback.cl), but each reads all the words before its own.
 */
/* Lane 0 gets the segment's aggregate. */
#if CLP_SUMS_FIRST
static inline CLP_A clp_segment_aggregate(const clp_tile *tile, local CLP_A *exchange) {
    CLP_A sum = clp_items_sum(tile->item[0], CLP_VEC);
#define CLP_ADD_ROW(r)                                                                             \
    if (r > 0) sum = clp_op(sum, clp_items_sum(tile->item[r], CLP_VEC));
    CLP_EACH_ROW(CLP_ADD_ROW)
    return clp_combine_lanes(sum, exchange);
}
#else
static inline CLP_A clp_segment_aggregate(clp_tile *tile, local CLP_A *exchange) {
    clp_tile_reduce(tile, exchange);
    return tile->total;
}
#endif

#if CLP_SUMS_FIRST && !CLP_SUMS_ARE_WORDS && CLP_A_BYTES == 4
/* The combination of the first `count` values, or of padding too. */
static inline CLP_A clp_fold_values(const CLP_A *values, uint count) {
    CLP_A value[CLP_SUBGROUPS];
#pragma unroll
    for (uint i = 0; i < CLP_SUBGROUPS; i++) value[i] = i < count ? values[i] : clp_padding();
    return clp_fold_tree(value);
}

/* The combination of the first `count` values for all lanes; *before gets that of those before
 * number `own`. Each lane reads them all, which takes less time than exchanging them; not so where
 * values are wider. */
static inline CLP_A clp_fold_shared(const local CLP_A *values, uint count, uint own, CLP_A *before,
                                    local CLP_A *exchange) {
    CLP_A value[CLP_SUBGROUPS];
#pragma unroll
    for (uint i = 0; i < CLP_SUBGROUPS; i++) value[i] = values[i];
    *before = clp_fold_values(value, min(own, count));
    return clp_fold_values(value, count);
}
#else
#define CLP_SHARED_STEP(distance)                                                                  \
    if (CLP_SUBGROUPS > distance) CLP_SCAN_STEP(distance)

/* The combination of the first `count` values for all lanes; *before gets that of those before
 * number `own`. Not set where there are none. */
static inline CLP_A clp_fold_shared(const local CLP_A *values, uint count, uint own, CLP_A *before,
                                    local CLP_A *exchange) {
    const uint lane = clp_lane();
    const bool real = lane < count;
    const uint last = max(count, 1u) - 1;
    CLP_A value = values[min(lane, last)];
#if CLP_SUMS_ARE_WORDS
    *before = (CLP_A)clp_add_lanes(lane < min(own, count) ? (uint)value : 0);
    return (CLP_A)clp_add_lanes(real ? (uint)value : 0);
#else
    CLP_SHARED_STEP(1)
    CLP_SHARED_STEP(2)
    CLP_SHARED_STEP(4)
    CLP_SHARED_STEP(8)
    CLP_SHARED_STEP(16)
    *before = clp_shuffle(value, max(own, 1u) - 1, exchange);
    return clp_shuffle(value, last, exchange);
#endif
}
#endif

/* One pass. tickets: zero before and after each run. */
CLP_KERNEL(CLP_GROUP)
void clp_scan_single_wave(CLP_IO_PARAMETERS, ulong n, CLP_A start, volatile global ulong *state,
                          volatile global uint *tickets, uint run) {
    local clp_shared shared;
    local CLP_A parts[CLP_SUBGROUPS]; /* of the tiles before, as the sub-groups folded them */
    if (get_local_id(0) == 0) shared.number = clp_take_ticket(tickets);
    barrier(CLK_LOCAL_MEM_FENCE); /* number written above, read below */
    const uint number = shared.number;
    const uint subgroup = clp_subgroup_number();
    const clp_io io = CLP_IO;
    const clp_look look = {state, run, start, &io, n};
    clp_tile tile = clp_tile_load(&io, number, n);
    const CLP_A own = clp_segment_aggregate(&tile, shared.exchange);
    if (clp_lane() == 0) shared.aggregate[subgroup] = own;
    barrier(CLK_LOCAL_MEM_FENCE); /* aggregates written above, read below */
    const uint whole = CLP_GUARD ? tile.count / CLP_SEGMENT : CLP_SUBGROUPS;
    CLP_A before, unused;
    const CLP_A aggregate =
        clp_fold_shared(shared.aggregate, whole, subgroup, &before, shared.exchange);
    if (get_local_id(0) == 0 && number + 1 < get_num_groups(0)) {
        clp_publish_value(&look, number, CLP_AGGREGATE, aggregate);
    }
    const uint batches = (number + CLP_BATCH - 1) / CLP_BATCH;
    const uint each = max((batches + CLP_SUBGROUPS - 1) / CLP_SUBGROUPS, 1u);
    const uint first = subgroup * each, behind = min(first + each, batches);
    const clp_seen seen = clp_see(&look, first * CLP_BATCH, number);
#if CLP_SUMS_FIRST
    clp_tile_reduce(&tile, shared.exchange); /* while the aggregates are on their way */
#endif
    if (first < behind) {
        const CLP_A part = clp_fold_batches(&look, seen, first, behind, number, shared.exchange);
        if (clp_lane() == 0) parts[subgroup] = part;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* parts written above, read below */
    CLP_A prefix = start;
    if (number > 0) {
        const CLP_A earlier =
            clp_fold_shared(parts, (batches + each - 1) / each, 0, &unused, shared.exchange);
        prefix = CLP_HAS_START ? clp_op(start, earlier) : earlier;
    }
    clp_group_store(&tile, prefix, CLP_HAS_START || number > 0, before, &io);
}
