/* SPDX-License-Identifier: MIT */
/*
 * Scatter on CPUs where the last element wins: each work-item has a range of places, goes through
 * all indices in their order, and stores the elements of its places. Each index is read as often as
 * there are work-items, but in order; an atomic maximum for each index would wait for memory every
 * time. Ranges end at multiples of 64 elements, so that no two work-items write one cache line. No
 * scratch; no work-item waits for another.
 */
static inline ulong clp_take_tiles(const clp_run *run) {
    const ulong share = ((run->length - 1) / get_global_size(0) + 64) / 64 * 64;
    const ulong begin = get_global_id(0) * share;
    ulong lowest = CLP_NOWHERE;
    for (ulong i = 0; i < run->n; i++) {
        const ulong at = clp_index_of(run, i);
        if (at - begin < share && at < run->length) run->out[at] = run->in[i];
        if (at >= run->length) lowest = min(lowest, i);
    }
    return lowest;
}
