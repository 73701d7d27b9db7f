/* SPDX-License-Identifier: MIT */
/* Segmented: what a run reports. One work-item of the last work-group writes it, or of the first
 * where a count is refused; in "direct" a work-item of each group that sees all faults writes the
 * same. */
typedef struct clp_report {
    long fault;
    long index;
    long segments;
} clp_report;

#define CLP_FAULT_OFFSETS 1
#define CLP_FAULT_EMPTY 2
#define CLP_FAULT_COUNT 3
#define CLP_FAULT_SEGMENTS 4

typedef char clp_report_is_as_in_c[sizeof(clp_report) == CLP_SEGMENTED_REPORT_BYTES ? 1 : -1];

static inline void clp_report_count(global clp_report *report, ulong n, bool refused) {
    const clp_report found = {CLP_FAULT_COUNT, (long)n, -1};
    if (refused) *report = found;
}

/* Reports a number of segments that is refused. */
static inline void clp_report_segments(global clp_report *report, ulong segments) {
    const clp_report found = {CLP_FAULT_SEGMENTS, (long)segments, -1};
    *report = found;
}
