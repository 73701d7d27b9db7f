/* SPDX-License-Identifier: MIT */
/*
 * The kernel of scan and offsets for CPUs, by decoupled look-back or by levels: one work-item a
 * tile, no barrier, no local memory. A tile is as large as a core's cache; it is read from memory
 * to be reduced, and from the cache to be scanned.
 *
 * The reduction can be skipped where nobody waits for the tile's aggregate and its prefix is known:
 * if one work-item takes all tiles, or only one core is at work. Beyond the caches each tile is
 * reduced, since the reduction brings it in and memory decides.
 *
 * A work-item waits only for tiles with lower tickets, whose work-items have started. OpenCL does
 * not promise that these go on; the context's probe saw it, or the fallback needs it not.
 */
#define CLP_CAN_SKIP_REDUCING (CLP_SIMD > 1 && !CLP_REPRODUCIBLE && !CLP_FALLBACK && !CLP_BY_LEVELS)

/* The hint says that the kernel uses vectors itself. Without it Intel's compiler for CPUs
 * vectorizes across work-items, and crashes on this kernel. */
#define CLP_BY_VECTORS __attribute__((vec_type_hint(float4)))

#if CLP_SIMD > 1
/* Elements from the current one to the one that is prefetched, where there is no next tile. */
#define CLP_FETCH_DISTANCE 1024

/* Scans and stores a tile that was not reduced. Returns the running value behind it. */
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
/* A flag beside a tile's number in the second ticket: the tile before it was stored before it was
 * begun. */
#define CLP_NO_OTHERS (1u << 31)
#endif

/* tickets: the first is zero before and after each run. The second is the number of the tile behind
 * the last one that was stored, of this run or another. */
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
    /* Written below by earlier tiles. If nobody else was at work for two tiles in a row, nobody is
     * expected now. A wrong guess costs only time: look-back waits for the prefix. */
    const uint stored = atomic_add(tickets + 1, 0u);
    const bool no_others = number > 0 && (stored & ~CLP_NO_OTHERS) == number;
    if (no_others && (stored & CLP_NO_OTHERS) != 0 && !tile.streams) {
        const CLP_A prefix = clp_prefix_before(&look, number, exchange);
        const CLP_A end = clp_tile_store_unreduced(&tile, prefix, true, &io);
        if (number < get_num_groups(0) - 1) clp_publish_value(&look, number, CLP_PREFIX, end);
        atomic_xchg(tickets + 1, (number + 1) | CLP_NO_OTHERS); /* partner: atomic_add above */
        return;
    }
#endif
    clp_tile_reduce(&tile, exchange);
    const CLP_A prefix = clp_look_back(&look, number, tile.total, exchange);
#if CLP_FALLBACK
    /* The status is published before the output may overwrite the input. Partner: the fence of a
     * work-item that falls back, clp_value_of_missing. */
    clp_device_fence();
#endif
#if CLP_BY_LEVELS
    if (run == CLP_REDUCES) return;
#endif
    clp_tile_store(&tile, prefix, CLP_HAS_START || number > 0, &io);
#if CLP_CAN_SKIP_REDUCING
    /* Partner: the atomic_add of later tiles. */
    atomic_xchg(tickets + 1, (number + 1) | (no_others ? CLP_NO_OTHERS : 0u));
#endif
}
