/* SPDX-License-Identifier: MIT */
/* What a run of gather or scatter reports, as clprims_gather_report and clprims_scatter_report. */
typedef struct clp_report {
    long fault;
    long position;
    long index;
    long count;
} clp_report;

typedef char
    clp_report_has_the_stated_size[sizeof(clp_report) == CLP_INDEXED_REPORT_BYTES ? 1 : -1];

#define CLP_FAULT_INDEX 1
#define CLP_FAULT_COUNT 2
#define CLP_FAULT_LENGTH 3

static inline void clp_report_count(global clp_report *report, ulong n, bool refused) {
    const clp_report found = {CLP_FAULT_COUNT, -1, 0, (long)n};
    if (refused) *report = found;
}
