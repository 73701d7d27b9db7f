/* SPDX-License-Identifier: MIT */
/*
 * The scan of fewest elements: a wave as in scan_wave.cl, but of groups so small that they take
 * hardly longer than their launch. So the tile is scanned at once, not reduced before, and loops
 * that few groups make often are left as loops. For operators that commute and whose identity is
 * known. The order in which values are combined follows from the tile's number alone.
 */
#define CLP_BATCH 32

#if CLP_GUARD || !CLP_COMMUTATIVE
#error "scan_few.cl: an operator that does not commute, or has no identity"
#endif
#ifndef CLP_LONG_SUMS
#error                                                                                             \
    "scan_few.cl: CLP_LONG_SUMS, whether integers of 64 bits are added, is not set by the prelude"
#endif

#define CLP_COMBINE_STEP(distance)                                                                 \
    value = clp_op(value, clp_shuffle(value, clp_lane() ^ distance, exchange));

/* The combination of all lanes' values, right in lane 0. */
static inline CLP_A clp_combine_lanes(CLP_A value, local CLP_A *exchange) {
#if CLP_SUMS_ARE_WORDS
    return (CLP_A)clp_add_lanes((uint)value);
#elif CLP_LONG_SUMS
    /* In parts of 27 bits, whose sums fit words. */
    const ulong bits = (ulong)value;
    const ulong low = clp_add_lanes((uint)bits & 0x7ffffffu);
    const ulong middle = clp_add_lanes((uint)(bits >> 27) & 0x7ffffffu);
    const ulong high = clp_add_lanes((uint)(bits >> 54));
    return (CLP_A)(low + (middle << 27) + (high << 54));
#else
    CLP_COMBINE_STEP(1)
    CLP_COMBINE_STEP(2)
    CLP_COMBINE_STEP(4)
    CLP_COMBINE_STEP(8)
    CLP_COMBINE_STEP(16)
    return value;
#endif
}

/* As clp_observe_value; a value of two words is read at once. */
static inline uint clp_observe_whole(const clp_look *look, uint number, CLP_A *value) {
#if CLP_A_WORDS == 2
    const ulong2 words = clp_observe_pair(look->state + (ulong)number * 2);
    const uint tag = (uint)(words.x >> 32);
    if ((uint)(words.y >> 32) != tag || tag >> 2 != look->run) return CLP_NOTHING;
    clp_split split;
    split.words[0] = (uint)words.x;
    split.words[1] = (uint)words.y;
    *value = split.value;
    return tag & 3u;
#else
    return clp_observe_value(look, number, value);
#endif
}

/* What a lane has seen of its tile in a batch. */
typedef struct clp_seen {
    CLP_A value;
    uint number; /* the tile's */
    uint status; /* CLP_NOTHING: it has to be looked at again */
} clp_seen;

/* The lane's first look at the batch that starts with tile `first`, of tiles before `end`. */
static inline clp_seen clp_see(const clp_look *look, uint first, uint end) {
    clp_seen seen = {clp_padding(), first + clp_lane(), CLP_AGGREGATE};
    if (seen.number < end) seen.status = clp_observe_whole(look, seen.number, &seen.value);
    return seen;
}

/* Lane 0 gets the combination of the batch, once all of it is there. */
static inline CLP_A clp_fold_batch(const clp_look *look, clp_seen seen, local CLP_A *exchange) {
    while (clp_ballot(seen.status == CLP_NOTHING) != 0) {
        if (seen.status == CLP_NOTHING) {
            seen.status = clp_observe_whole(look, seen.number, &seen.value);
        }
    }
    return clp_combine_lanes(seen.value, exchange);
}

/* The combination of all segments' aggregates. */
static inline CLP_A clp_fold_all(const local CLP_A *values) {
    CLP_A value[CLP_SUBGROUPS];
#pragma unroll
    for (uint i = 0; i < CLP_SUBGROUPS; i++) value[i] = values[i];
#pragma unroll
    for (uint distance = 1; distance < CLP_SUBGROUPS; distance *= 2) {
#pragma unroll
        for (uint i = 0; i + distance < CLP_SUBGROUPS; i += 2 * distance) {
            value[i] = clp_op(value[i], value[i + distance]);
        }
    }
    return value[0];
}

/* That of the first `count`; the first one if there is none. */
static inline CLP_A clp_fold_some(const local CLP_A *values, uint count) {
    CLP_A value = values[0];
#pragma unroll 1
    for (uint i = 1; i < count; i++) value = clp_op(value, values[i]);
    return value;
}

/* One pass. tickets: zero before and after each run. */
CLP_KERNEL(CLP_GROUP)
void clp_scan_few(CLP_IO_PARAMETERS, ulong n, CLP_A start, volatile global ulong *state,
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
    clp_tile_reduce(&tile, shared.exchange);
    if (clp_lane() == 0) shared.aggregate[subgroup] = tile.total;
    barrier(CLK_LOCAL_MEM_FENCE); /* aggregates written above, read below */
    const CLP_A aggregate = clp_fold_all(shared.aggregate);
    if (get_local_id(0) == 0 && number + 1 < get_num_groups(0)) {
        clp_publish_value(&look, number, CLP_AGGREGATE, aggregate);
    }
    const uint batches = (number + CLP_BATCH - 1) / CLP_BATCH;
    const uint each = max((batches + CLP_SUBGROUPS - 1) / CLP_SUBGROUPS, 1u);
    const uint first = subgroup * each, behind = min(first + each, batches);
    clp_seen seen = clp_see(&look, first * CLP_BATCH, number);
    const CLP_A before = clp_fold_some(shared.aggregate, subgroup);
    if (first < behind) {
        CLP_A part = clp_fold_batch(&look, seen, shared.exchange);
        for (uint batch = first + 1; batch < behind; batch++) {
            seen = clp_see(&look, batch * CLP_BATCH, number);
            part = clp_op(part, clp_fold_batch(&look, seen, shared.exchange));
        }
        if (clp_lane() == 0) parts[subgroup] = part;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* parts written above, read below */
    CLP_A prefix = start;
    if (number > 0) {
        const CLP_A earlier = clp_fold_some(parts, (batches + each - 1) / each);
        prefix = CLP_HAS_START ? clp_op(start, earlier) : earlier;
    }
    clp_group_store(&tile, prefix, CLP_HAS_START || number > 0, before, &io);
}
