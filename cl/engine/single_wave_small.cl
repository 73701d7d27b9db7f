/* SPDX-License-Identifier: MIT */
/*
 * Scan in a single wave, whose kernel is in single_wave_tile.cl, of arrays so short that a run
 * takes hardly longer than its launch. Instruction fetch dominates the time of few tiles, so there
 * is less code: each segment is scanned at once, without a reduction before; loops of few rounds
 * stay loops; one load reads both words of an aggregate. While the predecessors' aggregates are on
 * their way, each sub-group combines the aggregates of the segments before its own. The operator
 * must commute and have an identity.
 *
 * What it gains over single_wave.cl, in microseconds:
 *   uint8 to uint64 at 2^14     5.89 from 7.55
 *   int8 at 2^12                5.22 from 6.66
 *   float64 at 2^14             5.86 from 7.17
 *   int64 at 2^10 to 2^16       13 to 16 %
 * On an H200, driver 580.159.04, 2026-11-27.
 */
#if CLP_GUARD || !CLP_COMMUTATIVE
#error "single_wave_small.cl: an operator that does not commute, or has no identity"
#endif

/* The combination of all segments' aggregates. */
static inline CLP_A clp_fold_all(const local CLP_A *values) {
    CLP_A value[CLP_SUBGROUPS];
#pragma unroll
    for (uint i = 0; i < CLP_SUBGROUPS; i++) value[i] = values[i];
    return clp_fold_tree(value);
}

/* The combination of the first `count` values; of none, the first value, which nobody uses. */
static inline CLP_A clp_fold_some(const local CLP_A *values, uint count) {
    CLP_A value = values[0];
#pragma unroll 1
    for (uint i = 1; i < count; i++) value = clp_op(value, values[i]);
    return value;
}

static inline CLP_A clp_segment_aggregate(clp_tile *tile, local CLP_A *exchange) {
    clp_tile_reduce(tile, exchange);
    return tile->total;
}

static inline CLP_A clp_fold_segments(const local CLP_A *values, uint count, uint own,
                                      CLP_A *before, local CLP_A *exchange) {
    return clp_fold_all(values);
}

static inline void clp_work_meanwhile(clp_tile *tile, local clp_shared *shared, uint own,
                                      CLP_A *before) {
    *before = clp_fold_some(shared->aggregate, own);
}

static inline CLP_A clp_fold_parts(const local CLP_A *parts, uint count, local CLP_A *exchange) {
    return clp_fold_some(parts, count);
}
