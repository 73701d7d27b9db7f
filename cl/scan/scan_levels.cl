/* SPDX-License-Identifier: MIT */
/* Reduce-then-scan: each level reduces its tiles, the level above scans their aggregates, and the
 * tiles are scanned onto these prefixes. */

/* Elements of a level, of a run of n: one for each tile of the level below but its last. span:
 * elements of the run that come to one of the level's; 0: the level is the run's own. before: how
 * many of the run there are at least where the level has none. */
#define CLP_LEVEL_PARAMETERS ulong most_n, ulong before, ulong span

static inline ulong clp_level_n(ulong n, ulong before, ulong span) {
    if (span == 0 || n == CLP_REFUSED) return n;
    return n < before ? 0 : (n - before) / span;
}

/* The aggregates of all tiles but the last, which no tile needs. */
CLP_KERNEL(CLP_GROUP)
void clp_scan_reduce(const global CLP_E *in, ulong in_first, global CLP_A *sums,
                     CLP_LEVEL_PARAMETERS CLP_COUNT_PARAMETERS CLP_USER_PARAMETERS) {
    local clp_shared shared;
    const uint number = (uint)get_group_id(0);
    const clp_io io = {in + in_first, 0, 0 CLP_USER_IO};
    const ulong n = clp_level_n(clp_read_count(most_n, counted, counted_first, 0), before, span);
    if (n == CLP_REFUSED || (number + 1ul) * CLP_TILE >= n) return;
    clp_tile tile = clp_tile_load(&io, number, n);
    CLP_A earlier;
    const CLP_A aggregate = clp_group_reduce(&tile, &earlier, &shared);
    if (get_local_id(0) == 0) sums[number] = aggregate;
}

/* Every tile scanned onto its prefix. sums: the inclusive scan of the aggregates, from start on. */
CLP_KERNEL(CLP_GROUP)
void clp_scan_apply(CLP_IO_PARAMETERS, CLP_LEVEL_PARAMETERS, CLP_A start,
                    const global CLP_A *sums CLP_COUNT_PARAMETERS CLP_USER_PARAMETERS) {
    local clp_shared shared;
    const uint number = (uint)get_group_id(0);
    const clp_io io = CLP_IO;
    const ulong n =
        clp_level_n(clp_read_count(most_n, counted, counted_first, io.report), before, span);
    if (clp_is_idle(n, CLP_TILE)) return;
    clp_tile tile = clp_tile_load(&io, number, n);
    CLP_A earlier;
    clp_group_reduce(&tile, &earlier, &shared);
    if (get_local_id(0) == 0) shared.prefix = number > 0 ? sums[number - 1] : start;
    barrier(CLK_LOCAL_MEM_FENCE); /* prefix written above, read below */
    clp_group_store(&tile, shared.prefix, CLP_HAS_START || number > 0, earlier, &io);
}
