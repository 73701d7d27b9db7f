/* SPDX-License-Identifier: MIT */
/*
 * Search of needles in any order. A work-group takes a range of needles. A work-item searches for
 * CLP_ITEMS needles at once by equal steps, so that their loads overlap.
 *
 * If CLP_PIVOTS is above 0, the first steps search in local memory, which holds every `stride`-th
 * element of the sorted array. Each work-group reads these pivots once.
 *
 * Many needles in a long array are searched for by levels, as in a cache-sensitive search tree
 * (Rao, Ross 1999). Level 0 is the sorted array. Each higher level holds the last element of each
 * whole block of the level below. The highest level is in local memory. A search reads one block of
 * each level below it; a block is as long as a line of the cache, so a level costs one line.
 *
 * clp_search_sample writes the levels in a launch before. No work-group waits for another.
 */
/* Adds to each place the number of the n elements from it on that come before its needle: Shar's
 * uniform binary search. The first step leaves a range whose length is a power of two. Each other
 * step adds one bit, without a branch. A macro because `elements` is local or global, and because
 * it writes the caller's arrays, which stay in registers. */
#define CLP_SEARCH(elements, n)                                                                    \
    if ((n) > 0) {                                                                                 \
        const uint top = 63 - (uint)clz((ulong)(n));                                               \
        const ulong other = (n) - (1ul << top) + 1;                                                \
        for (uint k = 0; k < CLP_ITEMS; k++) {                                                     \
            const CLP_E x = (elements)[place[k] + (1ul << top) - 1];                               \
            place[k] += clp_is_before(x, needle[k], CLP_UPPER, &io) ? other : 0;                   \
        }                                                                                          \
        for (uint bit = top; bit-- > 0;) {                                                         \
            for (uint k = 0; k < CLP_ITEMS; k++) {                                                 \
                const CLP_E x = (elements)[place[k] + (1ul << bit) - 1];                           \
                place[k] += (ulong)clp_is_before(x, needle[k], CLP_UPPER, &io) << bit;             \
            }                                                                                      \
        }                                                                                          \
    }

#if CLP_PIVOTS > 0
/* The number of pivots that a work-group gathers itself from a longer array without levels. */
#define CLP_GATHERED (CLP_PIVOTS < 512 ? CLP_PIVOTS : 512)

/* The number of elements of a level. */
CLP_INLINE ulong clp_level_count(const clp_io *io, ulong level) {
    return io->n_b >> level * CLP_BLOCK_BITS;
}

/* The position of a level in the scratch: behind the levels below it, without level 0. */
CLP_INLINE ulong clp_level_at(const clp_io *io, ulong level) {
    ulong at = 0;
    for (ulong k = 1; k < level; k++) at += clp_level_count(io, k);
    return at;
}

CLP_KERNEL(CLP_GROUP)
void clp_search_sample(CLP_IO_PARAMETERS, global CLP_E *samples, ulong levels CLP_USER_PARAMETERS) {
    clp_io io = CLP_IO;
    clp_take_counts(&io, CLP_COUNTS);
    for (ulong level = 1; level <= levels; level++) {
        const ulong at = clp_level_at(&io, level), bits = level * CLP_BLOCK_BITS;
        for (ulong i = get_global_id(0); i < clp_level_count(&io, level); i += get_global_size(0))
            samples[at + i] = io.b[((i + 1) << bits) - 1];
    }
}
#endif

CLP_KERNEL(CLP_GROUP)
void clp_search_any(CLP_IO_PARAMETERS,
#if CLP_PIVOTS > 0
                    const global CLP_E *samples, ulong levels,
#endif
                    global CLP_OUT *out, ulong out_first CLP_BOTH_PARAMETERS,
                    global clp_report *report, ulong report_first CLP_USER_PARAMETERS) {
    clp_io io = CLP_IO;
    clp_report_counts(n_a, n_b, CLP_COUNTS, report != 0 ? report + report_first : 0);
    clp_take_counts(&io, CLP_COUNTS);
    const uint self = (uint)get_local_id(0);
#if CLP_PIVOTS > 0
    local CLP_E pivots[CLP_PIVOTS];
    const ulong distance = io.n_b > CLP_PIVOTS ? io.n_b / CLP_GATHERED + 1 : 1;
    const ulong stride = levels > 0 ? 1ul << CLP_BLOCK_BITS : distance;
    const ulong count = levels > 0 ? clp_level_count(&io, levels) : io.n_b / stride;
    const global CLP_E *highest = samples + clp_level_at(&io, levels);
    for (uint i = self; i < count; i += CLP_GROUP)
        pivots[i] = levels > 0 ? highest[i] : io.b[(i + 1) * stride - 1];
    barrier(CLK_LOCAL_MEM_FENCE); /* pivots written above, read below */
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
        for (ulong level = levels > 0 ? levels : 1; level-- > 0;) {
            const ulong n = clp_level_count(&io, level), length = min(stride - 1, n);
            const global CLP_E *elements = level > 0 ? samples + clp_level_at(&io, level) : io.b;
            for (uint k = 0; k < CLP_ITEMS; k++) place[k] = min(place[k] * stride, n - length);
            CLP_SEARCH(elements, length)
        }
#else
        CLP_SEARCH(io.b, io.n_b)
#endif
        for (uint k = 0; k < CLP_ITEMS; k++) {
            if (i + k * CLP_GROUP >= end) continue;
            to[i + k * CLP_GROUP] = (CLP_OUT)place[k];
#if CLP_BOTH
            out_upper[out_upper_first + i + k * CLP_GROUP] =
                (CLP_OUT)clp_gallop(needle[k], place[k], true, &io);
#endif
        }
    }
}
