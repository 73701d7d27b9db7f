/* SPDX-License-Identifier: MIT */
/* What a run of parents reports, as clprims_parents_report. */
typedef struct clp_report {
    long fault;
    long index;
    long segments;
} clp_report;

typedef char
    clp_report_has_the_stated_size[sizeof(clp_report) == CLP_PARENTS_REPORT_BYTES ? 1 : -1];

#define CLP_FAULT_OFFSETS 1
#define CLP_FAULT_COUNT 2

static inline void clp_report_count(global clp_report *report, ulong segments, bool refused) {
    const clp_report found = {CLP_FAULT_COUNT, -1, (long)segments};
    if (refused) *report = found;
}
