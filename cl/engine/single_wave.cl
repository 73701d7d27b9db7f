/* SPDX-License-Identifier: MIT */
/*
 * Single-pass scan in a single wave. All work-groups are resident at once, one tile each. A
 * work-group publishes its tile's aggregate, reads the aggregates of all predecessor tiles, and
 * combines them into its exclusive prefix: the decoupled look-back of Merrill and Garland 2016 with
 * a window that spans the whole array, so no inclusive prefix is published or waited for.
 *
 *   1. Each sub-group reduces its segment; the segments' aggregates meet in local memory.
 *   2. Every sub-group combines them. Work-item 0 publishes the tile's aggregate.
 *   3. The predecessors are cut into batches of 32 adjacent tiles, one tile a lane. Each sub-group
 *      takes adjacent batches, loads a first one, and scans its own segment while the loads are on
 *      their way. It polls until the whole batch is there.
 *   4. The sub-groups' parts meet in local memory; their combination is the prefix.
 *
 * Local memory holds an aggregate and a part for each sub-group, and the ticket.
 *
 * A work-group waits only for tiles with lower tickets, whose work-groups have started. These
 * publish before they wait for anything, so every wait ends as soon as the device lets resident
 * work-groups proceed. The result is right for any number of tiles, but each work-group reads the
 * words of all its predecessors: the host takes this kernel for few tiles.
 *
 * Which batches a sub-group combines follows from the tile's number alone, so float results are the
 * same in every run.
 *
 * It takes 0.84 of a look-ahead's time at 2^20 int32 on an H200.
 */
#define CLP_BATCH 32

/* Where operands may change places and padding is the identity, aggregates are combined without
 * regard to which lane is the last. The aggregate is then published before the tile is scanned. */
#define CLP_SUMS_FIRST (CLP_COMMUTATIVE && !CLP_GUARD)

#if CLP_SUMS_FIRST
/* One step of a butterfly: the value combined with that of the lane whose number differs in that
 * bit. */
CLP_INLINE CLP_A clp_combine_across(CLP_A value, uint bit, local CLP_A *exchange) {
    return clp_op(value, clp_shuffle(value, clp_lane() ^ bit, exchange));
}

/* The combination of all lanes' values, right in lane 0. */
static inline CLP_A clp_combine_lanes(CLP_A value, local CLP_A *exchange) {
#if CLP_SUMS_ARE_WORDS
    return (CLP_A)clp_add_lanes((uint)value);
#else
    value = clp_combine_across(value, 1, exchange);
    value = clp_combine_across(value, 2, exchange);
    value = clp_combine_across(value, 4, exchange);
    value = clp_combine_across(value, 8, exchange);
    return clp_combine_across(value, 16, exchange);
#endif
}
#endif

/* ---- The tile's aggregate ---- */

/* Lane 0 gets the segment's aggregate. */
static inline CLP_A clp_segment_aggregate(clp_tile *tile, local CLP_A *exchange) {
#if CLP_SUMS_FIRST
    CLP_A sum = clp_items_sum(tile->item[0], CLP_VEC);
#define CLP_ADD_ROW(r)                                                                             \
    if (r > 0) sum = clp_op(sum, clp_items_sum(tile->item[r], CLP_VEC));
    CLP_EACH_ROW(CLP_ADD_ROW)
    return clp_combine_lanes(sum, exchange);
#else
    clp_tile_reduce(tile, exchange);
    return tile->total;
#endif
}

#if CLP_SUMS_FIRST && !CLP_SUMS_ARE_WORDS && CLP_A_BYTES == 4
/* The combination of the first `count` values as a tree, with padding behind them. */
static inline CLP_A clp_fold_values(const CLP_A *values, uint count) {
    CLP_A value[CLP_SUBGROUPS];
#pragma unroll
    for (uint i = 0; i < CLP_SUBGROUPS; i++) value[i] = i < count ? values[i] : clp_padding();
#pragma unroll
    for (uint distance = 1; distance < CLP_SUBGROUPS; distance *= 2) {
#pragma unroll
        for (uint i = 0; i + distance < CLP_SUBGROUPS; i += 2 * distance) {
            value[i] = clp_op(value[i], value[i + distance]);
        }
    }
    return value[0];
}

/* Returns the combination of the first `count` values to all lanes; *before gets the combination of
 * the values before number `own`. Each lane reads all values: for 4 bytes that takes less time than
 * exchanging them. */
static inline CLP_A clp_fold_shared(const local CLP_A *values, uint count, uint own, CLP_A *before,
                                    local CLP_A *exchange) {
    CLP_A value[CLP_SUBGROUPS];
#pragma unroll
    for (uint i = 0; i < CLP_SUBGROUPS; i++) value[i] = values[i];
    *before = clp_fold_values(value, min(own, count));
    return clp_fold_values(value, count);
}
#else
/* A step of the scan over the sub-groups' values, as far as there are that many. */
#define CLP_SHARED_STEP(distance)                                                                  \
    if (CLP_SUBGROUPS > distance) CLP_SCAN_STEP(distance)

/* Returns the combination of the first `count` values to all lanes; *before gets the combination of
 * the values before number `own`. Neither is set where it combines no value. */
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

/* ---- The predecessors' aggregates ---- */

/* What a lane has observed of its tile in a batch. */
typedef struct clp_seen {
    CLP_A value;
    uint number; /* the tile's */
    uint status; /* CLP_NOTHING: it must be polled again */
} clp_seen;

/* The lane's first look at the batch that starts with tile `first`, of tiles before `end`. */
static inline clp_seen clp_see(const clp_look *look, uint first, uint end) {
    clp_seen seen = {clp_padding(), first + clp_lane(), CLP_AGGREGATE};
    if (seen.number < end) seen.status = clp_observe_value(look, seen.number, &seen.value);
    return seen;
}

/* Lane 0 gets the combination of the batch, once all of it is there. Partner: clp_publish_value of
 * the batch's tiles. */
static inline CLP_A clp_fold_batch(const clp_look *look, clp_seen seen, uint end,
                                   local CLP_A *exchange) {
    while (clp_ballot(seen.status == CLP_NOTHING) != 0) {
        if (seen.status == CLP_NOTHING) {
            seen.status = clp_observe_value(look, seen.number, &seen.value);
        }
    }
#if CLP_SUMS_FIRST
    return clp_combine_lanes(seen.value, exchange);
#else
    const uint first = seen.number - clp_lane();
    const CLP_A scanned = clp_subgroup_scan(seen.value, seen.number < end, exchange);
    return clp_shuffle(scanned, min(end - first, (uint)CLP_BATCH) - 1, exchange);
#endif
}

/* Lane 0 gets the combination of batches `first` to `behind` - 1, at least one. seen: the first
 * look at batch `first`. */
static inline CLP_A clp_fold_batches(const clp_look *look, clp_seen seen, uint first, uint behind,
                                     uint end, local CLP_A *exchange) {
    CLP_A part = clp_fold_batch(look, seen, end, exchange);
    for (uint batch = first + 1; batch < behind; batch++) {
        seen = clp_see(look, batch * CLP_BATCH, end);
        part = clp_op(part, clp_fold_batch(look, seen, end, exchange));
    }
    return part;
}

/* The combination of the first `count` parts, at least one, for all lanes. */
static inline CLP_A clp_fold_parts(const local CLP_A *parts, uint count, local CLP_A *exchange) {
    CLP_A unused;
    return clp_fold_shared(parts, count, 0, &unused, exchange);
}

/* ---- The kernel ---- */

/* Scans the tile of that number. parts: room for the predecessors' aggregates as the sub-groups
 * combined them. */
CLP_INLINE void clp_single_wave(const clp_look *look, uint number, uint subgroup,
                                local clp_shared *shared, local CLP_A *parts) {
    clp_tile tile = clp_tile_load(look->io, number, look->n);
    const CLP_A own = clp_segment_aggregate(&tile, shared->exchange);
    if (clp_lane() == 0) shared->aggregate[subgroup] = own;
    barrier(CLK_LOCAL_MEM_FENCE); /* aggregates written above, read below */
    const uint whole = CLP_GUARD ? tile.count / CLP_SEGMENT : CLP_SUBGROUPS;
    CLP_A before;
    const CLP_A aggregate =
        clp_fold_shared(shared->aggregate, whole, subgroup, &before, shared->exchange);
    if (get_local_id(0) == 0 && number + 1 < get_num_groups(0)) {
        clp_publish_value(look, number, CLP_AGGREGATE, aggregate);
    }
    const uint batches = (number + CLP_BATCH - 1) / CLP_BATCH;
    const uint each = max((batches + CLP_SUBGROUPS - 1) / CLP_SUBGROUPS, 1u);
    const uint first = subgroup * each, behind = min(first + each, batches);
    const clp_seen seen = clp_see(look, first * CLP_BATCH, number);
#if CLP_SUMS_FIRST
    clp_tile_reduce(&tile, shared->exchange); /* while the loads of clp_see are on their way */
#endif
    if (first < behind) {
        const CLP_A part = clp_fold_batches(look, seen, first, behind, number, shared->exchange);
        if (clp_lane() == 0) parts[subgroup] = part;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* parts written above, read below */
    CLP_A prefix = look->start;
    if (number > 0) {
        const CLP_A earlier = clp_fold_parts(parts, (batches + each - 1) / each, shared->exchange);
        prefix = CLP_HAS_START ? clp_op(look->start, earlier) : earlier;
    }
    clp_group_store(&tile, prefix, CLP_HAS_START || number > 0, before, look->io);
}

/* tickets: zero before and after each run. */
CLP_KERNEL(CLP_GROUP)
void clp_scan_single_wave(CLP_IO_PARAMETERS, ulong most_n, CLP_A start,
                          volatile global ulong *state, volatile global uint *tickets,
                          uint run CLP_COUNT_PARAMETERS CLP_USER_PARAMETERS) {
    local clp_shared shared;
    local CLP_A parts[CLP_SUBGROUPS];
    const clp_io io = CLP_IO;
    const ulong n = clp_read_count(most_n, counted, counted_first, io.report);
    if (clp_is_idle(n, CLP_TILE)) return;
    if (get_local_id(0) == 0) shared.number = clp_take_ticket(tickets, n, CLP_TILE);
    barrier(CLK_LOCAL_MEM_FENCE); /* number written above, read below */
    const uint number = shared.number, subgroup = clp_subgroup_number();
    const clp_look look = {state, run, start, &io, n};
    clp_single_wave(&look, number, subgroup, &shared, parts);
}
