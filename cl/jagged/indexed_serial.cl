/* SPDX-License-Identifier: MIT */
/*
 * Gather and scatter for CPUs: each work-item takes tiles of adjacent indices by itself, and
 * returns the lowest position of a fault. No local memory; no work-item waits for another.
 */
static inline ulong clp_take_tiles(const clp_run *run) {
    const ulong tiles = (run->n + CLP_INDEXED_TILE - 1) / CLP_INDEXED_TILE;
    ulong lowest = CLP_NOWHERE;
    for (ulong t = get_global_id(0); t < tiles; t += get_global_size(0)) {
        const ulong last = min((t + 1) * CLP_INDEXED_TILE, run->n);
        for (ulong i = t * CLP_INDEXED_TILE; i < last; i++) {
            const ulong at = clp_index_of(run, i);
            clp_moved x;
            clp_fetch(run, i, at, &x);
            lowest = min(lowest, clp_place(run, i, at, &x));
        }
    }
    return lowest;
}
