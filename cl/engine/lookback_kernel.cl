/* SPDX-License-Identifier: MIT */
/*
 * The kernel of scan and offsets with one tile a work-group, by decoupled look-back (lookback.cl)
 * or by levels (levels.cl). The tile stays in registers from its reduction to its scan, so
 * look-back reads the input once. The first sub-group looks back; the others wait at the second
 * barrier. lookback.cl says who waits for whom. Local memory: clp_shared of group_scan.cl.
 */

/* tickets: zero before and after each run. */
CLP_KERNEL(CLP_GROUP)
void clp_scan_lookback(CLP_IO_PARAMETERS, ulong most_n, CLP_A start, volatile global ulong *state,
                       volatile global uint *tickets,
                       uint run CLP_COUNT_PARAMETERS CLP_USER_PARAMETERS) {
    local clp_shared shared;
    const clp_io io = CLP_IO;
    const ulong n = clp_read_count(most_n, counted, counted_first, io.report);
    const bool works = !clp_is_idle(n, CLP_TILE);
    CLP_END_UNLESS(works)
    if (get_local_id(0) == 0) shared.number = works ? clp_take_ticket(tickets, n, CLP_TILE) : 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* number written above, read below */
    const uint number = shared.number;
    clp_tile tile = CLP_LOAD_TILE(&io, number, works ? n : CLP_EXTRA);
    CLP_A before;
    const CLP_A aggregate = clp_group_reduce(&tile, &before, &shared);
    const bool looks =
        works && (CLP_WINDOW == 1 ? get_local_id(0) == 0 : clp_subgroup_number() == 0);
    clp_look look = {state, run, start, &io, n};
    CLP_LOOK_TOGETHER(works, number, aggregate)
    if (looks) {
        const CLP_A prefix = clp_look_back(&look, number, aggregate, shared.room.exchange);
        if (clp_lane() == 0) shared.prefix = prefix;
#if CLP_FALLBACK
        /* The status is published before the output may overwrite the input. Partner: the fence of
         * a work-group that falls back, clp_value_of_missing. */
        clp_device_fence();
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* prefix written above, read below */
#if CLP_BY_LEVELS
    const bool stores = works && run != CLP_REDUCES;
#else
    const bool stores = works;
#endif
    clp_group_store(&tile, shared.prefix, CLP_HAS_START || number > 0, before, stores, &shared,
                    &io);
}
