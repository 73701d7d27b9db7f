/* SPDX-License-Identifier: MIT */
/*
 * The scan kernels. One work-group a tile; what differs is where a tile's prefix comes from.
 * `start` is the initial value; it is not used unless CLP_HAS_START.
 */
#ifndef CLP_HAS_START
#error "scan.cl: CLP_HAS_START is not set by the prelude"
#endif
#ifndef CLP_INCLUSIVE
#error "scan.cl: CLP_INCLUSIVE is not set by the prelude"
#endif

/* What a work-group shares. */
typedef struct clp_shared {
    CLP_A exchange[CLP_EXCHANGE];
    CLP_A aggregate[CLP_SUBGROUPS]; /* of each segment */
    CLP_A prefix; /* of the tile */
    uint number;
} clp_shared;

/* Reduces the tile. Returns its aggregate, right only if the tile is full; *before gets what comes
 * before the work-item's own segment in the tile, which is not set in the first segment. Every
 * sub-group scans the segments' aggregates for itself. */
static inline CLP_A clp_group_reduce(clp_tile *tile, CLP_A *before, local clp_shared *shared) {
    const CLP_A total = clp_tile_reduce(tile, shared->exchange);
#if CLP_SUBGROUPS == 1
    *before = total;
    return total;
#else
    const uint lane = clp_lane();
    const uint subgroup = clp_subgroup_number();
    if (lane == 0) shared->aggregate[subgroup] = total;
    barrier(CLK_LOCAL_MEM_FENCE); /* aggregates written above, read below */
    const bool real = lane < CLP_SUBGROUPS && clp_is_real(tile, (lane + 1) * CLP_SEGMENT - 1);
    const CLP_A own = shared->aggregate[min(lane, CLP_SUBGROUPS - 1u)];
    const CLP_A scanned = clp_subgroup_scan(own, real, shared->exchange);
    *before = clp_shuffle(scanned, max(subgroup, 1u) - 1, shared->exchange);
    return clp_shuffle(scanned, CLP_SUBGROUPS - 1, shared->exchange);
#endif
}

/* Stores the scanned tile; shared->prefix holds its prefix, if it has one. */
static inline void clp_group_store(const clp_tile *tile, CLP_A before, bool has_prefix,
                                   global CLP_A *out, local clp_shared *shared) {
    CLP_A prefix = shared->prefix;
#if CLP_SUBGROUPS > 1
    const uint subgroup = clp_subgroup_number();
    if (subgroup > 0 && clp_is_real(tile, subgroup * CLP_SEGMENT)) {
        prefix = has_prefix ? clp_op(prefix, before) : before;
        has_prefix = true;
    }
#endif
    clp_tile_store(tile, prefix, has_prefix, out);
}

#ifdef CLP_SCAN_LOOKBACK
/* One pass. tickets: zero before and after each run. */
CLP_KERNEL(CLP_GROUP)
void clp_scan_lookback(const global CLP_E *in, ulong in_first, global CLP_A *out, ulong out_first,
                       ulong n, CLP_A start, volatile global ulong *state,
                       volatile global uint *tickets, uint run) {
    local clp_shared shared;
    if (get_local_id(0) == 0) shared.number = clp_take_ticket(tickets);
    barrier(CLK_LOCAL_MEM_FENCE); /* number written above, read below */
    const uint number = shared.number;
    const global CLP_E *from = in + in_first;
    clp_tile tile = clp_tile_load(from, number, n);
    CLP_A before;
    const CLP_A aggregate = clp_group_reduce(&tile, &before, &shared);
    const bool looks = CLP_WINDOW == 1 ? get_local_id(0) == 0 : clp_subgroup_number() == 0;
    if (looks) {
        const clp_look look = {state, run, start, from, n};
        const CLP_A prefix = clp_look_back(&look, number, aggregate, shared.exchange);
        if (clp_lane() == 0) shared.prefix = prefix;
#if CLP_FALLBACK
        clp_device_fence(); /* status above, output below; with the fence of a group that falls back
                             */
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* prefix written above, read below */
    clp_group_store(&tile, before, CLP_HAS_START || number > 0, out + out_first, &shared);
}
#else
/* The aggregates of all tiles but the last, which nobody needs. */
CLP_KERNEL(CLP_GROUP)
void clp_scan_reduce(const global CLP_E *in, ulong in_first, global CLP_A *sums, ulong n) {
    local clp_shared shared;
    const uint number = (uint)get_group_id(0);
    clp_tile tile = clp_tile_load(in + in_first, number, n);
    CLP_A before;
    const CLP_A aggregate = clp_group_reduce(&tile, &before, &shared);
    if (get_local_id(0) == 0) sums[number] = aggregate;
}

/* Every tile scanned onto its prefix. sums: the inclusive scan of the aggregates, from start on. */
CLP_KERNEL(CLP_GROUP)
void clp_scan_apply(const global CLP_E *in, ulong in_first, global CLP_A *out, ulong out_first,
                    ulong n, CLP_A start, const global CLP_A *sums) {
    local clp_shared shared;
    const uint number = (uint)get_group_id(0);
    clp_tile tile = clp_tile_load(in + in_first, number, n);
    CLP_A before;
    clp_group_reduce(&tile, &before, &shared);
    if (get_local_id(0) == 0) shared.prefix = number > 0 ? sums[number - 1] : start;
    barrier(CLK_LOCAL_MEM_FENCE); /* prefix written above, read below */
    clp_group_store(&tile, before, CLP_HAS_START || number > 0, out + out_first, &shared);
}
#endif
