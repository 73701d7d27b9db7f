/* SPDX-License-Identifier: MIT */
/*
 * Segmented sort. The first kernel reads the offsets, sorts what it can at once, and lists the
 * other segments by class: how many work-items sort one in local memory; the last class has
 * segments that are too long for it. Onesweep sorts these where they are, cut into tiles; on
 * devices without it they are gathered, sorted by their keys and then by the numbers that they have
 * in their list, and written. A last kernel reports.
 */

/* Of C's clprims_segmented_sort_report. */
typedef struct clp_report {
    long fault;
    long index;
} clp_report;

typedef char clp_report_is_as_in_c[sizeof(clp_report) == CLP_SEGMENTS_REPORT_BYTES ? 1 : -1];

/* Words of found. The first CLP_CLASSES: the number of segments of each class. The words from
 * CLP_TASKS on belong to a run of few launches, which leaves 0 there. */
#define CLP_FAULT CLP_CLASSES /* the first block of offsets at fault, as its complement; or 0 */
#define CLP_FOUND (CLP_CLASSES + 1)
#define CLP_TASKS 10 /* the next task to take */
#define CLP_ENDED 11 /* work-groups that have ended */
#define CLP_DONE 12 /* every other word from here on: tasks of each round that are done */
#define CLP_ROUNDS 24 /* at most */
#define CLP_FOUND_WORDS (CLP_DONE + 2 * CLP_ROUNDS)
#define CLP_LONG (CLP_CLASSES - 1)

/* ---- Arrays ---- */

/* Lists and steps for each value are macros, here and in the room's other files: the number of the
 * values and their types differ by program, and k is a part of their names. */
#define CLP_VALUE_ARRAYS(k)                                                                        \
    , const global CLP_VALUE##k##_TYPE *in##k, ulong in_first##k,                                  \
        global CLP_VALUE##k##_TYPE *out##k, ulong out_first##k
/* CLP_SIZES declares n and segments, the numbers of elements and segments: as the host said, or as
 * the first kernel of a counted run found; 0 where there are too many. */
#define CLP_SIZE_PARAMETERS ulong most, ulong most_segments, const global ulong *sizes
#define CLP_SIZES                                                                                  \
    const ulong n = sizes != 0 ? sizes[CLP_SIZE_N] : most;                                         \
    const ulong segments = sizes != 0 ? sizes[CLP_SIZE_SEGMENTS] : most_segments;
#define CLP_SIZE_N 0
#define CLP_SIZE_SEGMENTS 1
#define CLP_SIZE_FAULT 2
#define CLP_SIZE_READ 3 /* the number at fault */

#define CLP_SEGMENT_PARAMETERS                                                                     \
    const global CLP_OFFSET *offsets, ulong offsets_first, CLP_SIZE_PARAMETERS,                    \
        const global CLP_K *keys_in, ulong keys_in_first, global CLP_K *keys_out,                  \
        ulong keys_out_first CLP_EACH_VALUE(CLP_VALUE_ARRAYS)

#define CLP_VALUE_NAMES(k) , in##k, in_first##k, out##k, out_first##k
#define CLP_SEGMENT_ARGUMENTS                                                                      \
    offsets, offsets_first, most, most_segments, sizes, keys_in, keys_in_first, keys_out,          \
        keys_out_first CLP_EACH_VALUE(CLP_VALUE_NAMES)

/* Element `item` of the segment that begins at `begin` goes to place `to`. */
#define CLP_VALUE_TO(k)                                                                            \
    out##k[out_first##k + to] = CLP_VALUE##k##_OF(in##k + in_first##k, begin, item);

/* Of each class: where its list begins, and its room. Only offsets at fault need more. */
#define CLP_LIST_PARAMETERS global uint *found, global ulong *lists, const global ulong *table

CLP_INLINE void clp_segments_note(global ulong *lists, const global ulong *table, uint class,
                                  uint place, ulong segment) {
    if (place < table[2 * class + 1]) lists[table[2 * class] + place] = segment;
}

/* How many segments the list has. */
CLP_INLINE ulong clp_segments_noted(const global uint *found, const global ulong *table,
                                    uint class) {
    return min((ulong)found[class], table[2 * class + 1]);
}

/* ---- Segments ---- */

/* Where segment s begins and the one before it ends: an offset or, by length, its multiple. */
#if CLP_BY_LENGTH
typedef ulong clp_offsets;
#define CLP_OFFSETS offsets_first

static inline long clp_offset(clp_offsets length, ulong n, ulong s) {
    return (long)min(s * length, n);
}
#else
typedef const global CLP_OFFSET *clp_offsets;
#define CLP_OFFSETS (offsets + offsets_first)

static inline long clp_offset(clp_offsets offsets, ulong n, ulong s) {
    return offsets[s];
}
#endif

typedef struct clp_segment {
    ulong begin, length;
} clp_segment;

/* Segment s; none of its elements where its offsets are at fault. */
static inline clp_segment clp_segments_take(clp_offsets offsets, ulong n, ulong s) {
    const long begin = clp_offset(offsets, n, s), end = clp_offset(offsets, n, s + 1);
    const bool is_valid = CLP_BY_LENGTH || (begin >= 0 && begin <= end && (ulong)end <= n);
    clp_segment segment;
    segment.begin = is_valid ? (ulong)begin : 0;
    segment.length = is_valid ? (ulong)(end - begin) : 0;
    return segment;
}

CLP_INLINE bool clp_segments_is_fault(clp_offsets offsets, ulong n, ulong i) {
    const long at = clp_offset(offsets, n, i);
    return at < 0 || (ulong)at > n || (i > 0 && at < clp_offset(offsets, n, i - 1));
}

/* ---- The report ---- */

/* One work-item, behind the first kernel. */
static inline void clp_segments_tell(clp_offsets offsets, ulong n, ulong segments,
                                     const global ulong *sizes, uint fault,
                                     global clp_report *report) {
    const ulong refused = sizes != 0 ? sizes[CLP_SIZE_FAULT] : 0;
    const bool is_fault = fault != 0;
    ulong i = (ulong)~fault * CLP_BLOCK;
    while (is_fault && i < segments && !clp_segments_is_fault(offsets, n, i)) i++;
    report->fault = refused != 0 ? (long)refused : is_fault ? CLP_FAULT_OFFSETS : 0;
    report->index = refused != 0 ? (long)sizes[CLP_SIZE_READ]
                    : is_fault   ? (long)i
                                 : CLP_INDEX_OF_VALID;
}
