/* SPDX-License-Identifier: MIT */
/* The scan in one pass on a CPU: one work-item a tile, which needs no barrier; the prefix comes
 * from looking back. A work-item that is the only one takes all elements at once. */

/* One pass. tickets: zero before and after each run. */
CLP_KERNEL(CLP_GROUP)
void clp_scan_lookback(CLP_IO_PARAMETERS, ulong n, CLP_A start, volatile global ulong *state,
                       volatile global uint *tickets, uint run) {
    local CLP_A *const exchange = 0; /* there are no other lanes */
    const clp_io io = CLP_IO;
#if CLP_SIMD > 1
    if (get_num_groups(0) == 1) {
        clp_scan_alone(&io, n, start);
        return;
    }
#endif
    const uint number = clp_take_ticket(tickets);
    clp_tile tile = clp_tile_load(&io, number, n);
    clp_tile_reduce(&tile, exchange);
    const clp_look look = {state, run, start, &io, n};
    const CLP_A prefix = clp_look_back(&look, number, tile.total, exchange);
#if CLP_FALLBACK
    clp_device_fence(); /* status above, output below; with the fence of a group that falls back */
#endif
    clp_tile_store(&tile, prefix, CLP_HAS_START || number > 0, &io);
}
