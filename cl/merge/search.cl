/* SPDX-License-Identifier: MIT */
/*
 * Search of needles in any order. A work-group takes a range of needles. Its work-items search for
 * CLP_ITEMS needles at once, all by the same steps, so that their loads overlap. Where CLP_PIVOTS
 * is above 0, the first steps are made among elements that stand in local memory: every `stride`-th
 * of the sorted array, which each group reads once.
 */
/* Whether x of b comes before the needle. */
CLP_INLINE bool clp_is_before(CLP_E x, CLP_E needle, const clp_io *io) {
    return !clp_a_is_first(needle, x, io);
}

/* Moves each place on by as many of the n elements behind it as come before its needle. The first
 * step leaves a range whose length is a power of two (Shar); the others add a bit each, which no
 * compiler makes a branch of. */
#define CLP_SEARCH(elements, n)                                                                    \
    if ((n) > 0) {                                                                                 \
        const uint top = 63 - (uint)clz((ulong)(n));                                               \
        const ulong other = (n) - (1ul << top) + 1;                                                \
        for (uint k = 0; k < CLP_ITEMS; k++) {                                                     \
            const CLP_E x = (elements)[place[k] + (1ul << top) - 1];                               \
            place[k] += clp_is_before(x, needle[k], &io) ? other : 0;                              \
        }                                                                                          \
        for (uint bit = top; bit-- > 0;) {                                                         \
            for (uint k = 0; k < CLP_ITEMS; k++) {                                                 \
                const CLP_E x = (elements)[place[k] + (1ul << bit) - 1];                           \
                place[k] += (ulong)clp_is_before(x, needle[k], &io) << bit;                        \
            }                                                                                      \
        }                                                                                          \
    }

CLP_KERNEL(CLP_GROUP)
void clp_search_any(CLP_IO_PARAMETERS, global CLP_OUT *out, ulong out_first,
                    global clp_report *report, ulong report_first CLP_USER_PARAMETERS) {
    clp_io io = CLP_IO;
    clp_report_counts(n_a, n_b, CLP_COUNTS, report != 0 ? report + report_first : 0);
    clp_take_counts(&io, CLP_COUNTS);
    const uint self = (uint)get_local_id(0);
#if CLP_PIVOTS > 0
    local CLP_E pivots[CLP_PIVOTS];
    const ulong stride = io.n_b / CLP_PIVOTS + 1, count = io.n_b / stride;
    const ulong length = min(stride, io.n_b);
    for (uint i = self; i < count; i += CLP_GROUP) pivots[i] = io.b[(i + 1) * stride - 1];
    barrier(CLK_LOCAL_MEM_FENCE); /* pivots written above, read below */
#else
    const ulong length = io.n_b;
#endif
    const ulong tiles = (io.n_a + CLP_TILE - 1) / CLP_TILE, groups = get_num_groups(0);
    const ulong share = (tiles / groups + (tiles % groups > 0)) * CLP_TILE;
    const ulong end = min((get_group_id(0) + 1) * share, io.n_a);
    global CLP_OUT *to = out + out_first;
    for (ulong i = get_group_id(0) * share + self; i < end; i += CLP_TILE) {
        CLP_E needle[CLP_ITEMS];
        ulong place[CLP_ITEMS];
        for (uint k = 0; k < CLP_ITEMS; k++) {
            needle[k] = io.a[min(i + k * CLP_GROUP, end - 1)];
            place[k] = 0;
        }
#if CLP_PIVOTS > 0
        CLP_SEARCH(pivots, count)
        for (uint k = 0; k < CLP_ITEMS; k++) place[k] = min(place[k] * stride, io.n_b - length);
#endif
        CLP_SEARCH(io.b, length)
        for (uint k = 0; k < CLP_ITEMS; k++) {
            if (i + k * CLP_GROUP < end) to[i + k * CLP_GROUP] = (CLP_OUT)place[k];
        }
    }
}
