/* SPDX-License-Identifier: MIT */
/* Reduce: what a run reports. */
typedef struct clp_report {
    long fault;
    long count;
} clp_report;

#define CLP_FAULT_EMPTY 1
#define CLP_FAULT_COUNT 2

typedef char clp_report_has_the_stated_size[sizeof(clp_report) == CLP_REDUCE_REPORT_BYTES ? 1 : -1];

static inline void clp_report_count(global clp_report *report, ulong n, bool refused) {
    const clp_report found = {CLP_FAULT_COUNT, (long)n};
    if (refused) *report = found;
}
