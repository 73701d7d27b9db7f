/* SPDX-License-Identifier: MIT */
/*
 * Search of sorted needles. A work-group takes one tile of the merged sequence of needles and
 * sorted array (merge_path.cl), so that tiles have equal work. The tile's elements of the sorted
 * array are loaded into local memory, and each work-item searches there for its needles.
 *
 * Local memory: the elements, and the tile's two splits, which two work-items find. No work-group
 * waits for another.
 */

/* From this number of elements for each needle on, the tile is searched in device memory: most of
 * its elements would be loaded in vain. */
#define CLP_MANY_ELEMENTS 32

/* A macro because the address space of the elements differs. */
#define CLP_SEARCH_FUNCTION(name, space)                                                           \
    CLP_INLINE uint name(const space CLP_E *elements, uint n, CLP_E needle, const clp_io *io) {    \
        uint place = 0;                                                                            \
        while (n > 0) {                                                                            \
            const uint half_n = max(n / 2, 1u);                                                    \
            const CLP_E x = elements[place + half_n - 1];                                          \
            if (clp_is_before(x, needle, CLP_UPPER, io)) place += half_n;                          \
            n -= half_n;                                                                           \
        }                                                                                          \
        return place;                                                                              \
    }
CLP_SEARCH_FUNCTION(clp_search_staged, local)
CLP_SEARCH_FUNCTION(clp_search_array, global)

/* A split of this work-group's tile. end: 0 for its first diagonal, 1 for its last. splits: of all
 * tiles; if NULL, the work-item searches. */
CLP_INLINE ulong clp_take_split(const clp_io *io, const global ulong *splits, uint end) {
    const ulong n = io->n_a + io->n_b, tile = get_group_id(0) + end;
    const ulong diagonal = min(tile * CLP_TILE, n);
    if (splits == 0) return clp_find_split(io, diagonal);
    return diagonal < n ? splits[tile] : io->n_a;
}

CLP_KERNEL(CLP_GROUP)
void clp_search_tile(CLP_IO_PARAMETERS, const global ulong *splits, global CLP_OUT *out,
                     ulong out_first CLP_BOTH_PARAMETERS, global clp_report *report,
                     ulong report_first CLP_USER_PARAMETERS) {
    local CLP_E staged[CLP_TILE];
    local ulong shared_ends[2];
    clp_io io = CLP_IO;
    clp_piece piece;
    clp_report_counts(n_a, n_b, CLP_COUNTS, report != 0 ? report + report_first : 0);
    clp_take_counts(&io, CLP_COUNTS);
    const uint self = (uint)get_local_id(0);
    if (self < 2) shared_ends[self] = clp_take_split(&io, splits, self);
    barrier(CLK_LOCAL_MEM_FENCE); /* shared_ends, written above, read below */
    const ulong ends[2] = {shared_ends[0], shared_ends[1]};
    clp_take_tile(&io, ends, &piece);
    const uint needles = (uint)piece.n_a, n = (uint)piece.n_b;
    const global CLP_E *elements = io.b + piece.b;
    const bool stages = n / CLP_MANY_ELEMENTS < needles;
    for (uint i = self; stages && i < n; i += CLP_GROUP) staged[i] = elements[i];
    barrier(CLK_LOCAL_MEM_FENCE); /* staged written above, read below */
    for (uint i = self; i < needles; i += CLP_GROUP) {
        const CLP_E needle = io.a[piece.a + i];
        const uint place = stages ? clp_search_staged(staged, n, needle, &io)
                                  : clp_search_array(elements, n, needle, &io);
        out[out_first + piece.a + i] = (CLP_OUT)(piece.b + place);
#if CLP_BOTH
        /* Equal elements may go on behind the tile. Mostly there are none. */
        const bool is_only =
            stages && place < n && !clp_is_before(staged[place], needle, true, &io);
        const ulong upper =
            is_only ? piece.b + place : clp_gallop(needle, piece.b + place, true, &io);
        out_upper[out_upper_first + piece.a + i] = (CLP_OUT)upper;
#endif
    }
}
