/* SPDX-License-Identifier: MIT */
/*
 * One tile a work-group: its reduction and its scan. Each sub-group holds a segment in registers;
 * local memory holds the segments' aggregates, the tile's prefix and its number. The kernels on
 * this file, lookback_kernel.cl and the kernels on single_wave_tile.cl, differ in where a tile's
 * prefix comes from. Their argument `start` is the initial value; it is used only if CLP_HAS_START.
 */

/* What a work-group shares. */
typedef union clp_shared_room {
    CLP_A exchange[CLP_EXCHANGE];
    uint4 turned[CLP_TURNED_CHUNKS];
} clp_shared_room;

typedef struct clp_shared {
    clp_shared_room room;
    CLP_A aggregate[CLP_SUBGROUPS]; /* of each segment */
    CLP_A prefix; /* of the tile */
    uint number;
} clp_shared;

/* Reduces the tile. Returns its aggregate, right only if the tile is full or padded. *before gets
 * the combination of the segments before the work-item's own; it is not set in the first segment.
 * Every sub-group scans the segments' aggregates for itself: that takes one barrier, where a scan
 * by one sub-group would take a second to hand the results out. */
static inline CLP_A clp_group_reduce(clp_tile *tile, CLP_A *before, local clp_shared *shared) {
    clp_tile_reduce(tile, shared->room.exchange);
    const CLP_A total = tile->total;
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
    const CLP_A scanned = clp_subgroup_scan(own, real, shared->room.exchange);
    *before = clp_shuffle(scanned, max(subgroup, 1u) - 1, shared->room.exchange);
    return clp_shuffle(scanned, CLP_SUBGROUPS - 1, shared->room.exchange);
#endif
}

/* The tile is loaded, and stored, through local memory where a work-item has many chunks. */
#if CLP_TURNS_IN
#define CLP_LOAD_TILE(io, number, n) clp_tile_load_turned(io, number, n, shared.room.turned)
#else
#define CLP_LOAD_TILE(io, number, n) clp_tile_load(io, number, n)
#endif

/* Scans the tile onto its prefix, if it has one, and stores it. stores: whether it is stored. */
static inline void clp_group_store(const clp_tile *tile, CLP_A prefix, bool has_prefix,
                                   CLP_A before, bool stores, local clp_shared *shared,
                                   const clp_io *io) {
#if CLP_SUBGROUPS > 1
    const uint subgroup = clp_subgroup_number();
    if (subgroup > 0 && clp_is_real(tile, subgroup * CLP_SEGMENT)) {
        prefix = has_prefix ? clp_op(prefix, before) : before;
        has_prefix = true;
    }
#endif
#if CLP_TURNS_OUT
    clp_tile_store_turned(tile, prefix, has_prefix, io, shared->room.turned, stores);
#else
    if (stores) clp_tile_store(tile, prefix, has_prefix, io);
#endif
}
