/* SPDX-License-Identifier: MIT */
/*
 * Scatter on GPUs: a work-item loads CLP_DEPTH indices and elements, and then stores or combines
 * all of them. Otherwise no load could overtake the store before, which may have changed what it
 * reads. Sums into 2^20 uint32 take 187 us for 2^24 elements; by the loop of indexed_serial.cl, one
 * element after another, 220 us. On an H200, driver 580.159.04, 2026-11-28.
 *
 * No local memory; no work-group waits for another.
 */
static inline ulong clp_take_tiles(const clp_run *run) {
    const ulong tile = CLP_GROUP * CLP_DEPTH;
    ulong lowest = CLP_NOWHERE;
    for (ulong t = get_group_id(0); t * tile < run->n; t += get_num_groups(0)) {
        const ulong first = t * tile + get_local_id(0);
        ulong at[CLP_DEPTH];
        clp_moved x[CLP_DEPTH];
#pragma unroll
        for (uint d = 0; d < CLP_DEPTH; d++) {
            const ulong i = first + d * CLP_GROUP;
            if (i >= run->n) continue;
            at[d] = clp_index_of(run, i);
            if (CLP_REPEATS != CLP_LAST || CLP_PACKED) x[d] = run->in[i];
        }
#pragma unroll
        for (uint d = 0; d < CLP_DEPTH; d++) {
            const ulong i = first + d * CLP_GROUP;
            if (i < run->n) lowest = min(lowest, clp_place(run, i, at[d], x[d]));
        }
    }
    return lowest;
}
