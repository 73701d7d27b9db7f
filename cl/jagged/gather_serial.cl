/* SPDX-License-Identifier: MIT */
/*
 * Gather for CPUs: each work-item takes tiles of adjacent indices by itself, and returns the lowest
 * position of a fault. No local memory; nobody waits.
 */
static inline ulong clp_gather_tiles(const clp_run *run) {
    const ulong tiles = (run->n + CLP_GATHER_TILE - 1) / CLP_GATHER_TILE;
    ulong lowest = CLP_NOWHERE;
    for (ulong t = get_global_id(0); t < tiles; t += get_global_size(0)) {
        const ulong last = min((t + 1) * CLP_GATHER_TILE, run->n);
        for (ulong i = t * CLP_GATHER_TILE; i < last; i++)
            lowest = min(lowest, clp_gather_one(run, i));
    }
    return lowest;
}
