/* SPDX-License-Identifier: MIT */
/*
 * Single-pass scan in a single wave. All work-groups are resident at once, one tile each. A
 * work-group publishes its tile's aggregate, reads the aggregates of all predecessor tiles, and
 * combines them into its exclusive prefix: the decoupled look-back of Merrill and Garland 2016 with
 * a window that spans the whole array, so no inclusive prefix is published or waited for.
 *
 *   1. The segments' aggregates meet in local memory.
 *   2. Every sub-group combines them. Work-item 0 publishes the tile's aggregate.
 *   3. The predecessors are cut into batches of 32 adjacent tiles, one tile a lane. Each sub-group
 *      takes adjacent batches, loads a first one, and does other work while the loads are on their
 *      way. It polls until the whole batch is there.
 *   4. The sub-groups' parts meet in local memory; their combination is the prefix.
 *
 * Two kernels share this body. single_wave.cl and single_wave_small.cl say how each computes an
 * aggregate, and what it does while loads are on their way.
 *
 * Local memory holds an aggregate and a part for each sub-group, and the ticket.
 *
 * A work-group waits only for tiles with lower tickets, whose work-groups have started. These
 * publish before they wait for anything, so every wait ends as soon as the device lets resident
 * work-groups proceed. The result is right for any number of tiles, but each work-group reads the
 * words of all its predecessors: the host takes these kernels for few tiles.
 *
 * Which batches a sub-group combines follows from the tile's number alone, so float results are the
 * same in every run.
 */
#if CLP_SMALL_WAVE && !defined(CLP_LONG_SUMS)
#error                                                                                             \
    "single_wave_tile.cl: CLP_LONG_SUMS, whether 64-bit integers are added, is not set by the prelude"
#endif

#define CLP_BATCH 32

/* Where operands may change places and padding is the identity, aggregates are combined without
 * regard to which lane is the last. */
#define CLP_SUMS_FIRST (CLP_COMMUTATIVE && !CLP_GUARD)

#if CLP_SUMS_FIRST
/* One step of a butterfly: it combines the caller's `value` with that of the lane whose number
 * differs in that bit. */
#define CLP_COMBINE_STEP(bit) value = clp_op(value, clp_shuffle(value, clp_lane() ^ bit, exchange));

/* The combination of all lanes' values, right in lane 0. */
static inline CLP_A clp_combine_lanes(CLP_A value, local CLP_A *exchange) {
#if CLP_SUMS_ARE_WORDS
    return (CLP_A)clp_add_lanes((uint)value);
#elif CLP_SMALL_WAVE && CLP_LONG_SUMS
    /* In parts of 27 bits: the sum of 32 parts fits a word. */
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
#endif

/* The combination of the sub-groups' values as a tree, which overwrites the values. */
static inline CLP_A clp_fold_tree(CLP_A value[CLP_SUBGROUPS]) {
#pragma unroll
    for (uint distance = 1; distance < CLP_SUBGROUPS; distance *= 2) {
#pragma unroll
        for (uint i = 0; i + distance < CLP_SUBGROUPS; i += 2 * distance) {
            value[i] = clp_op(value[i], value[i + distance]);
        }
    }
    return value[0];
}

/* ---- The predecessors' aggregates ---- */

/* As clp_observe_value. The small kernel reads both words of a value in one load. Partner:
 * clp_publish_value. */
static inline uint clp_observe_earlier(const clp_look *look, uint number, CLP_A *value) {
#if CLP_SMALL_WAVE && CLP_A_WORDS == 2
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

/* What a lane has observed of its tile in a batch. */
typedef struct clp_seen {
    CLP_A value;
    uint number; /* the tile's */
    uint status; /* CLP_NOTHING: it must be polled again */
} clp_seen;

/* The lane's first look at the batch that starts with tile `first`, of tiles before `end`. */
static inline clp_seen clp_see(const clp_look *look, uint first, uint end) {
    clp_seen seen = {clp_padding(), first + clp_lane(), CLP_AGGREGATE};
    if (seen.number < end) seen.status = clp_observe_earlier(look, seen.number, &seen.value);
    return seen;
}

/* Lane 0 gets the combination of the batch, once all of it is there. Partner: clp_publish_value of
 * the batch's tiles. */
static inline CLP_A clp_fold_batch(const clp_look *look, clp_seen seen, uint end,
                                   local CLP_A *exchange) {
    while (clp_ballot(seen.status == CLP_NOTHING) != 0) {
        if (seen.status == CLP_NOTHING) {
            seen.status = clp_observe_earlier(look, seen.number, &seen.value);
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

/* ---- What the two files fill in ---- */

/* Lane 0 gets the segment's aggregate. */
static inline CLP_A clp_segment_aggregate(clp_tile *tile, local CLP_A *exchange);

/* Returns the combination of the first `count` segments' aggregates to all lanes; *before may get
 * the combination of the aggregates before number `own`. */
static inline CLP_A clp_fold_segments(const local CLP_A *values, uint count, uint own,
                                      CLP_A *before, local CLP_A *exchange);

/* The work while the predecessors' aggregates are on their way. Sets *before if clp_fold_segments
 * did not. */
static inline void clp_work_meanwhile(clp_tile *tile, local clp_shared *shared, uint own,
                                      CLP_A *before);

/* The combination of the first `count` parts, at least one, for all lanes. */
static inline CLP_A clp_fold_parts(const local CLP_A *parts, uint count, local CLP_A *exchange);

/* ---- The kernel ---- */

/* Scans the tile of that number. parts: room for the predecessors' aggregates as the sub-groups
 * combined them. */
CLP_INLINE void clp_single_wave(const clp_look *look, uint number, uint subgroup,
                                local clp_shared *shared, local CLP_A *parts) {
    clp_tile tile = clp_tile_load(look->io, number, look->n);
    const CLP_A own = clp_segment_aggregate(&tile, shared->room.exchange);
    if (clp_lane() == 0) shared->aggregate[subgroup] = own;
    barrier(CLK_LOCAL_MEM_FENCE); /* aggregates written above, read below */
    const uint whole = CLP_GUARD ? tile.count / CLP_SEGMENT : CLP_SUBGROUPS;
    CLP_A before;
    const CLP_A aggregate =
        clp_fold_segments(shared->aggregate, whole, subgroup, &before, shared->room.exchange);
    if (get_local_id(0) == 0 && number + 1 < get_num_groups(0)) {
        clp_publish_value(look, number, CLP_AGGREGATE, aggregate);
    }
    const uint batches = (number + CLP_BATCH - 1) / CLP_BATCH;
    const uint each = max((batches + CLP_SUBGROUPS - 1) / CLP_SUBGROUPS, 1u);
    const uint first = subgroup * each, behind = min(first + each, batches);
    const clp_seen seen = clp_see(look, first * CLP_BATCH, number);
    clp_work_meanwhile(&tile, shared, subgroup, &before);
    if (first < behind) {
        const CLP_A part =
            clp_fold_batches(look, seen, first, behind, number, shared->room.exchange);
        if (clp_lane() == 0) parts[subgroup] = part;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* parts written above, read below */
    CLP_A prefix = look->start;
    if (number > 0) {
        const CLP_A earlier =
            clp_fold_parts(parts, (batches + each - 1) / each, shared->room.exchange);
        prefix = CLP_HAS_START ? clp_op(look->start, earlier) : earlier;
    }
    clp_group_store(&tile, prefix, CLP_HAS_START || number > 0, before, true, shared, look->io);
}

#if CLP_SMALL_WAVE
#define CLP_SINGLE_WAVE clp_scan_single_wave_small
#else
#define CLP_SINGLE_WAVE clp_scan_single_wave
#endif

/* tickets: zero before and after each run. */
CLP_KERNEL(CLP_GROUP)
void CLP_SINGLE_WAVE(CLP_IO_PARAMETERS, ulong most_n, CLP_A start, volatile global ulong *state,
                     volatile global uint *tickets,
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
