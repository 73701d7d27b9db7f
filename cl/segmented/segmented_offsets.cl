/* SPDX-License-Identifier: MIT */
/* The variant "lookahead" by offsets: what the launches that make bits of offsets
 * (segmented_marks.cl) and the single pass over the bits know of a run. */
#if CLP_MARKED
#define CLP_NO_FAULT (~0u)

/* The elements between the first and the last offset. */
typedef struct clp_marks {
    ulong n; /* of the array */
    ulong offsets; /* how many there are; 0: a count was refused */
    long low; /* the first one */
    ulong span; /* elements from there on; 0 where the first or the last offset is at fault */
} clp_marks;

/* As clp_read_count, of segments. */
static inline ulong clp_read_segments(ulong most, const global ulong *counted, ulong counted_first,
                                      global clp_report *report) {
    if (counted == 0) return most;
    const ulong segments = counted[counted_first];
    if (segments <= most) return segments;
    if (report != 0 && get_global_id(0) == 0) clp_report_segments(report, segments);
    return CLP_REFUSED;
}

/* n, segments: CLP_REFUSED: a count was refused. */
static inline clp_marks clp_marks_of(const global CLP_OFFSET *offsets, ulong n, ulong segments) {
    clp_marks marks = {n, 0, 0, 0};
    if (n == CLP_REFUSED || segments == CLP_REFUSED) return marks;
    const long low = offsets[0], high = offsets[segments];
    marks.offsets = segments + 1;
    if (low < 0 || high < low || (ulong)high > n) return marks;
    marks.low = low;
    marks.span = (ulong)(high - low);
    return marks;
}
#endif
