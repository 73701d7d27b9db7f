/* SPDX-License-Identifier: MIT */
/* Histogram: what a run reports, as clprims_histogram_report. */
typedef struct clp_report {
    long fault;
    long outside;
    long index;
} clp_report;

typedef char
    clp_report_has_the_stated_size[sizeof(clp_report) == CLP_HISTOGRAM_REPORT_BYTES ? 1 : -1];

/* If the count is not refused, the end of the run writes the rest of the report. */
static inline void clp_report_count(global clp_report *report, ulong n, bool refused) {
    const clp_report found = {refused ? CLP_FAULT_COUNT : 0, 0, (long)n};
    *report = found;
}
