/* SPDX-License-Identifier: MIT */
/* The second of the three launches of levels.cl. */

/* Scans the aggregates of all tiles but the last, inclusive, by one work-group: each work-item
 * takes as many as any other, side by side. */
CLP_KERNEL(CLP_GROUP)
void clp_level_sums(volatile global ulong *state, ulong most_n CLP_COUNT_PARAMETERS) {
    local CLP_A totals[CLP_GROUP];
    global CLP_A *sums = (global CLP_A *)state;
    const uint item = (uint)get_local_id(0);
    const ulong n = clp_read_count(most_n, counted, counted_first, 0);
    const ulong count = n == CLP_REFUSED || n == 0 ? 0 : (n - 1) / CLP_TILE;
    const ulong share = (count + CLP_GROUP - 1) / CLP_GROUP;
    const ulong first = min(item * share, count), end = min(first + share, count);
    if (first < end) {
        CLP_A total = sums[first];
        for (ulong i = first + 1; i < end; i++) total = clp_op(total, sums[i]);
        totals[item] = total;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* totals written above, read below */
    if (first < end) {
        CLP_A before = totals[0];
        for (uint k = 1; k < item; k++) before = clp_op(before, totals[k]);
        for (ulong i = first; i < end; i++) {
            before = item > 0 || i > 0 ? clp_op(before, sums[i]) : sums[i];
            sums[i] = before;
        }
    }
}
