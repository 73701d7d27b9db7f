/* SPDX-License-Identifier: MIT */
/*
 * The second of the three launches of levels.cl: one work-group scans the aggregates of all tiles
 * but the last, inclusive and in place. Each work-item reduces an equal share of adjacent
 * aggregates, combines the totals of the work-items before it, and scans its share onto that.
 *
 * Local memory holds a total for each work-item; large values leave room for fewer work-items.
 * Nobody waits but at the one barrier.
 */

/* Work-items that have a share. */
#if CLP_GROUP * CLP_A_BYTES > 8192
#define CLP_SHARES (8192 / CLP_A_BYTES)
#else
#define CLP_SHARES CLP_GROUP
#endif

CLP_KERNEL(CLP_GROUP)
void clp_level_sums(volatile global ulong *state, ulong most_n CLP_COUNT_PARAMETERS) {
    local CLP_A totals[CLP_SHARES];
    global CLP_A *sums = (global CLP_A *)state;
    const uint item = (uint)get_local_id(0);
    const ulong n = clp_read_count(most_n, counted, counted_first, 0);
    const ulong count = n == CLP_REFUSED || n == 0 ? 0 : (n - 1) / CLP_TILE;
    const ulong share = (count + CLP_SHARES - 1) / CLP_SHARES;
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
