/* SPDX-License-Identifier: MIT */
/*
 * Segmented sort. The first kernel reads the offsets, sorts what it can at once, and lists the
 * other segments by class: how many work-items sort one in local memory; the last class has those
 * that are too long for it. These are gathered, sorted by their keys and then by the numbers that
 * they have in their list, and written (segments_long.cl). A last kernel reports.
 */

/* Of C's clprims_segmented_sort_report. */
typedef struct clp_report {
    long fault;
    long index;
} clp_report;

typedef char clp_report_is_as_in_c[sizeof(clp_report) == CLP_SEGMENTS_REPORT_BYTES ? 1 : -1];

/* Words of found: how many segments each class has; which block of offsets has the first fault, as
 * its complement, or 0; and, of a run of few launches, which leaves 0 there: the next task, how
 * many groups have ended, and at every other word from CLP_DONE on how many tasks of each round are
 * done.
 */
#define CLP_FAULT CLP_CLASSES
#define CLP_FOUND (CLP_CLASSES + 1)
#define CLP_TASKS 10
#define CLP_ENDED 11
#define CLP_DONE 12
#define CLP_ROUNDS 24 /* at most */
#define CLP_FOUND_WORDS (CLP_DONE + 2 * CLP_ROUNDS)
#define CLP_LONG (CLP_CLASSES - 1)

/* ---- Arrays ---- */

#define CLP_VALUE_ARRAYS(k)                                                                        \
    , const global CLP_VALUE##k##_TYPE *in##k, ulong in_first##k,                                  \
        global CLP_VALUE##k##_TYPE *out##k, ulong out_first##k
/* How many elements and segments there are: as the host said, or as the first kernel of a counted
 * run found; none where there are too many. */
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

typedef struct clp_segment {
    ulong begin, length;
} clp_segment;

/* Segment s; none of its elements where its offsets are at fault. */
static inline clp_segment clp_segments_take(const global CLP_OFFSET *offsets, ulong n, ulong s) {
    const long begin = offsets[s], end = offsets[s + 1];
    const bool is_valid = begin >= 0 && begin <= end && (ulong)end <= n;
    clp_segment segment;
    segment.begin = is_valid ? (ulong)begin : 0;
    segment.length = is_valid ? (ulong)(end - begin) : 0;
    return segment;
}

CLP_INLINE bool clp_segments_is_fault(const global CLP_OFFSET *offsets, ulong n, ulong i) {
    const long at = offsets[i];
    return at < 0 || (ulong)at > n || (i > 0 && at < (long)offsets[i - 1]);
}

/* ---- The ends of a run ---- */

/* One work-item, before all others; a run that failed half-way leaves anything in found. n_at,
 * segments_at: where the numbers stand, or NULL. sizes: of a counted run, else NULL. */
CLP_KERNEL(1)
void clp_segments_begin(global uint *found, global ulong *sizes, ulong most, ulong most_segments,
                        const global ulong *n_at, ulong n_first, const global ulong *segments_at,
                        ulong segments_first) {
    for (uint c = 0; c < CLP_FOUND; c++) found[c] = 0;
    if (sizes == 0) return;
    const ulong n = n_at != 0 ? n_at[n_first] : most;
    const ulong segments = segments_at != 0 ? segments_at[segments_first] : most_segments;
    const uint fault = n > most                   ? CLP_FAULT_COUNT
                       : segments > most_segments ? CLP_FAULT_SEGMENTS
                                                  : 0;
    sizes[CLP_SIZE_N] = fault != 0 ? 0 : n;
    sizes[CLP_SIZE_SEGMENTS] = fault != 0 ? 0 : segments;
    sizes[CLP_SIZE_FAULT] = fault;
    sizes[CLP_SIZE_READ] = n > most ? n : segments;
}

/* One work-item, behind the first kernel. */
static inline void clp_segments_tell(const global CLP_OFFSET *offsets, ulong n, ulong segments,
                                     const global ulong *sizes, uint fault,
                                     global clp_report *report) {
    const ulong refused = sizes != 0 ? sizes[CLP_SIZE_FAULT] : 0;
    const bool is_fault = fault != 0;
    ulong i = (ulong)~fault * CLP_BLOCK;
    while (is_fault && i < segments && !clp_segments_is_fault(offsets, n, i)) i++;
    report->fault = refused != 0 ? (long)refused : is_fault;
    report->index = refused != 0 ? (long)sizes[CLP_SIZE_READ] : is_fault ? (long)i : -1;
}

CLP_KERNEL(1)
void clp_segments_finish(const global CLP_OFFSET *offsets, ulong offsets_first, CLP_SIZE_PARAMETERS,
                         const global uint *found, global clp_report *report, ulong report_first) {
    CLP_SIZES
    if (report == 0) return;
    clp_segments_tell(offsets + offsets_first, n, segments, sizes, found[CLP_FAULT],
                      report + report_first);
}

#if CLP_PAYLOADS > 0
/* Payloads in place were written to scratch, from where they come now. */
#define CLP_VALUE_BACK(k) out##k[out_first##k + i] = in##k[in_first##k + i];
CLP_KERNEL(CLP_GROUP)
void clp_segments_copy(CLP_SEGMENT_PARAMETERS, const global uint *found) {
    CLP_SIZES
    const bool is_valid = found[CLP_FAULT] == 0;
    const ulong begin = is_valid ? (ulong)offsets[offsets_first] : 0;
    const ulong end = is_valid ? (ulong)offsets[offsets_first + segments] : 0;
    for (ulong i = begin + get_global_id(0); i < end; i += get_global_size(0)) {
        CLP_EACH_PAYLOAD(CLP_VALUE_BACK)
    }
}
#endif
