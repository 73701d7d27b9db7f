/* SPDX-License-Identifier: MIT */
/* Reduce-then-scan: each level reduces its tiles, the level above scans their aggregates, and the
 * tiles are scanned onto these prefixes. */

/* The aggregates of all tiles but the last, which no tile needs. */
CLP_KERNEL(CLP_GROUP)
void clp_scan_reduce(const global CLP_E *in, ulong in_first, global CLP_A *sums,
                     ulong n CLP_USER_PARAMETERS) {
    local clp_shared shared;
    const uint number = (uint)get_group_id(0);
    const clp_io io = {in + in_first, 0 CLP_USER_IO};
    clp_tile tile = clp_tile_load(&io, number, n);
    CLP_A before;
    const CLP_A aggregate = clp_group_reduce(&tile, &before, &shared);
    if (get_local_id(0) == 0) sums[number] = aggregate;
}

/* Every tile scanned onto its prefix. sums: the inclusive scan of the aggregates, from start on. */
CLP_KERNEL(CLP_GROUP)
void clp_scan_apply(CLP_IO_PARAMETERS, ulong n, CLP_A start,
                    const global CLP_A *sums CLP_USER_PARAMETERS) {
    local clp_shared shared;
    const uint number = (uint)get_group_id(0);
    const clp_io io = CLP_IO;
    clp_tile tile = clp_tile_load(&io, number, n);
    CLP_A before;
    clp_group_reduce(&tile, &before, &shared);
    if (get_local_id(0) == 0) shared.prefix = number > 0 ? sums[number - 1] : start;
    barrier(CLK_LOCAL_MEM_FENCE); /* prefix written above, read below */
    clp_group_store(&tile, shared.prefix, CLP_HAS_START || number > 0, before, &io);
}
