/* SPDX-License-Identifier: MIT */
/* Selection for CPUs: one work-item compacts a tile that its cache holds, looks back, and copies
 * it out. The tile is read before it is published: so the output may overwrite the input. */
#define CLP_TILE (CLP_ROWS * CLP_VEC)

/* How many of a full tile are kept, for lookback.cl. */
static inline CLP_A clp_tile_reduce_alone(const clp_io *io, ulong number, ulong n,
                                          local CLP_A *exchange) {
    uint count = 0;
    ulong behind = 0;
    for (uint k = 0; k < CLP_TILE; k++) {
        const ulong i = number * CLP_TILE + k;
        if (!clp_keeps(io, i)) continue;
        behind = i + 1;
        count++;
    }
    return clp_kept(count, behind);
}

/* The compacted tile. Rejected elements of a partition stand at the end, the last one first. */
#define CLP_STAGED_ARRAY(k) local clp_t##k staged##k[CLP_TILE];
#define CLP_STAGE_KEPT(k) staged##k[kept] = io.in##k[i];
#define CLP_STAGE_EITHER(k) staged##k[keeps ? kept : CLP_TILE - 1 - (j - kept)] = io.in##k[i];
#define CLP_COPY_KEPT(k)                                                                           \
    for (uint q = 0; q < fitting; q++) io.out##k[at + q] = staged##k[q];
#define CLP_COPY_REJECTED(k)                                                                       \
    for (uint q = 0; q < count - kept; q++) {                                                      \
        io.out##k[io.total + first - at + q] = staged##k[CLP_TILE - 1 - q];                        \
    }

CLP_KERNEL(CLP_GROUP)
void clp_select_lookback(CLP_IO_PARAMETERS, ulong n, volatile global ulong *state,
                         volatile global uint *tickets, uint run) {
    local CLP_A exchange[CLP_EXCHANGE];
    CLP_EACH_ARRAY(CLP_STAGED_ARRAY)
#if CLP_PLACES
    local ushort place[CLP_TILE];
#endif
    CLP_SET_IO
    const uint number = clp_take_ticket(tickets);
    const ulong first = (ulong)number * CLP_TILE;
    const uint count = (uint)min((ulong)CLP_TILE, n - first);
    uint kept = 0;
    for (uint j = 0; j < count; j++) {
        const ulong i = first + j;
        const bool keeps = clp_keeps(&io, i);
#if CLP_PARTITION
        CLP_EACH_ARRAY(CLP_STAGE_EITHER)
#elif CLP_VALUES
        CLP_EACH_ARRAY(CLP_STAGE_KEPT)
#endif
#if CLP_PLACES
        place[kept] = (ushort)j;
#endif
        kept += keeps;
    }
    const bool any = CLP_LENGTHS && kept > 0;
#if CLP_PLACES
    const ulong behind = any ? first + place[kept - 1] + 1 : 0;
#else
    const ulong behind = 0;
#endif
    const clp_look look = {state, run, clp_padding(), &io, n};
    const CLP_A own = clp_kept(kept, behind);
    const CLP_A before = clp_look_back(&look, number, own, exchange);
#if CLP_FALLBACK
    clp_device_fence(); /* status above, output below; with the fence of a group that falls back */
#endif
    const ulong at = clp_count_of(before);
#if CLP_VALUES
    const uint fitting = clp_fitting(&io, at, kept);
    CLP_EACH_ARRAY(CLP_COPY_KEPT)
#endif
#if CLP_PARTITION
    CLP_EACH_ARRAY(CLP_COPY_REJECTED)
#endif
#if CLP_PLACES
    for (uint k = 0; k < kept; k++) clp_place_out(&io, first, place, k, at + k, before);
#endif
    if (first + count == n) clp_conclude(&io, n, clp_op(before, own));
}
