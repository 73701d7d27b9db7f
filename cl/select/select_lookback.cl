/* SPDX-License-Identifier: MIT */
/*
 * The kernel of selection with one tile a work-group, by decoupled look-back (lookback.cl) or by
 * levels (levels.cl):
 *   1. The tile's chunks are read into registers; each sub-group counts the kept elements of its
 *      segment.
 *   2. The kept elements are staged side by side in local memory (clp_shared of select_group.cl).
 *   3. The first sub-group finds the number of kept elements before the tile; the others wait at
 *      the barrier.
 *   4. All store the staged elements.
 * lookback.cl says who waits for whom, and why that ends. By levels, no work-group waits for
 * another.
 */

CLP_KERNEL(CLP_GROUP)
void clp_select_lookback(CLP_IO_PARAMETERS, ulong most_n, volatile global ulong *state,
                         volatile global uint *tickets,
                         uint run CLP_COUNT_PARAMETERS CLP_USER_PARAMETERS) {
    local clp_shared shared;
    CLP_SET_IO
    const ulong n = clp_read_count(most_n, counted, counted_first, io.result);
    const bool works = !clp_is_idle(n, CLP_TILE);
    CLP_END_UNLESS(works)
    const uint item = (uint)get_local_id(0), subgroup = clp_subgroup_number();
    if (item == 0) shared.number = works ? clp_take_ticket(tickets, n, CLP_TILE) : 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* number written above, read below */
    const uint number = shared.number;
    const ulong first = (ulong)number * CLP_TILE;
    const uint count = works ? (uint)min((ulong)CLP_TILE, n - first) : 0;
#if CLP_BY_LEVELS
    const bool stores = run != CLP_REDUCES;
#else
    const bool stores = true;
#endif
    clp_rows rows;
    clp_read_rows(&io, first, count, stores, &rows);
    const uint own = clp_scan_chunks(rows.bits, rows.at, shared.exchange);
    if (clp_lane() == 0) shared.kept[subgroup] = own;
    barrier(CLK_LOCAL_MEM_FENCE); /* kept written above, read below */
    uint kept = 0, earlier = 0;
    for (uint s = 0; s < CLP_SUBGROUPS; s++) {
        if (s == subgroup) earlier = kept;
        kept += shared.kept[s];
    }
    if (stores || CLP_LENGTHS) clp_stage_rows(&rows, count, kept, earlier, &shared);
    barrier(CLK_LOCAL_MEM_FENCE); /* staged above, read below */
    ulong behind = 0;
#if CLP_LENGTHS
    if (kept > 0) behind = first + shared.place[kept - 1] + 1;
#endif
    const CLP_A aggregate = clp_kept(kept, behind);
    const bool looks = works && (CLP_WINDOW == 1 ? item == 0 : subgroup == 0);
    clp_look look = {state, run, clp_padding(), &io, n};
    CLP_LOOK_TOGETHER(works, number, aggregate)
    if (looks) {
        const CLP_A prefix = clp_look_back(&look, number, aggregate, shared.exchange);
        if (clp_lane() == 0) shared.prefix = prefix;
#if CLP_FALLBACK
        /* The status is published before the output may overwrite the input. Partner: the fence of
         * a work-group that falls back. */
        clp_device_fence();
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* prefix written above, read below */
    if (!stores) return;
    const CLP_A before = shared.prefix;
    clp_copy_out(&io, first, count, kept, before, &shared);
    if (item == 0 && works && first + count == n)
        clp_write_count(&io, n, clp_op(before, aggregate));
}
