/* SPDX-License-Identifier: MIT */
/* Sort: what a run reports whose number of keys stands in device memory. */
typedef struct clp_report {
    long fault;
    long count;
} clp_report;

typedef char clp_report_is_as_in_c[sizeof(clp_report) == CLP_SORT_REPORT_BYTES ? 1 : -1];

static inline void clp_report_count(global clp_report *report, ulong n, bool refused) {
    const clp_report found = {refused, (long)n};
    *report = found;
}
