/* SPDX-License-Identifier: MIT */
/*
 * Scan by decoupled look-back, or by levels, on a CPU: one work-item a tile, no barrier. A tile
 * whose prefix is there before it is read needs no reduction, so long as nobody waits for what that
 * would tell: where one work-item takes all, or one core alone comes. Beyond the caches every tile
 * is reduced, which brings it in: there memory decides.
 */
#define CLP_CAN_SKIP_REDUCING (CLP_SIMD > 1 && !CLP_REPRODUCIBLE && !CLP_FALLBACK && !CLP_BY_LEVELS)

/* The kernel takes vectors by itself. A compiler that puts work-items side by side unless told so
 * (Intel's for CPUs) ends with a crash over it. */
#define CLP_BY_VECTORS __attribute__((vec_type_hint(float4)))

#if CLP_SIMD > 1
/* From an element to the one that is fetched meanwhile, where there is no next tile. */
#define CLP_FETCH_DISTANCE 1024

/* Returns the running value behind the tile. */
static inline CLP_A clp_tile_store_unreduced(const clp_tile *tile, CLP_A prefix, bool has_prefix,
                                             const clp_io *io) {
    const CLP_A end = clp_tile_scan(tile, prefix, has_prefix, io);
#if CLP_REPORTS
    clp_report_segment(io, tile->first, tile->loaded, tile->loaded < tile->count, prefix, end);
#endif
    return end;
}

static inline void clp_scan_single(const clp_io *io, ulong n, CLP_A start) {
    clp_tile tile = clp_tile_load(io, 0, n);
    tile.count = (uint)n;
    tile.loaded = (uint)(n - CLP_EXTRA);
    tile.next = CLP_FETCH_DISTANCE;
    clp_tile_store_unreduced(&tile, start, CLP_HAS_START, io);
}
#endif

#if CLP_CAN_SKIP_REDUCING
/* Beside a tile's number: the one before it was stored before this one was begun. */
#define CLP_NO_OTHERS (1u << 31)
#endif

/* tickets: the first is zero before and after each run; the second is the number of the
 * tile behind the last one that was stored, in this run or another. */
CLP_KERNEL(CLP_GROUP)
CLP_BY_VECTORS void clp_scan_serial(CLP_IO_PARAMETERS, ulong most_n, CLP_A start,
                                    volatile global ulong *state, volatile global uint *tickets,
                                    uint run CLP_COUNT_PARAMETERS CLP_USER_PARAMETERS) {
    local CLP_A *const exchange = 0; /* there are no other lanes */
    const clp_io io = CLP_IO;
    const ulong n = clp_read_count(most_n, counted, counted_first, io.report);
    if (clp_is_idle(n, CLP_TILE)) return;
#if CLP_SIMD > 1
    if (get_num_groups(0) == 1) {
        clp_scan_single(&io, n, start);
        return;
    }
#endif
    const uint number = clp_take_ticket(tickets, n, CLP_TILE);
    const clp_look look = {state, run, start, &io, n};
    clp_tile tile = clp_tile_load(&io, number, n);
#if CLP_CAN_SKIP_REDUCING
    /* Written below, by earlier tiles. When for two of them on end nobody else was at work, nobody
     * is expected now. A wrong guess costs time alone: the prefix is waited for. */
    const uint stored = atomic_add(tickets + 1, 0u);
    const bool no_others = number > 0 && (stored & ~CLP_NO_OTHERS) == number;
    if (no_others && (stored & CLP_NO_OTHERS) != 0 && !tile.streams) {
        const CLP_A prefix = clp_prefix_before(&look, number, exchange);
        const CLP_A end = clp_tile_store_unreduced(&tile, prefix, true, &io);
        if (number < get_num_groups(0) - 1) clp_publish_value(&look, number, CLP_PREFIX, end);
        atomic_xchg(tickets + 1, (number + 1) | CLP_NO_OTHERS); /* with the reading above */
        return;
    }
#endif
    clp_tile_reduce(&tile, exchange);
    const CLP_A prefix = clp_look_back(&look, number, tile.total, exchange);
#if CLP_FALLBACK
    clp_device_fence(); /* status above, output below; with the fence of a group that falls back */
#endif
#if CLP_BY_LEVELS
    if (run == CLP_REDUCES) return;
#endif
    clp_tile_store(&tile, prefix, CLP_HAS_START || number > 0, &io);
#if CLP_CAN_SKIP_REDUCING
    /* With the reading above. */
    atomic_xchg(tickets + 1, (number + 1) | (no_others ? CLP_NO_OTHERS : 0u));
#endif
}
