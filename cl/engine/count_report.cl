/* SPDX-License-Identifier: MIT */
/* What a run of map, scan or sort reports whose number of elements stands in device memory. */
typedef struct clp_report {
    long fault;
    long count;
} clp_report;

typedef char clp_report_is_as_in_c[sizeof(clp_report) == CLP_COUNT_REPORT_BYTES ? 1 : -1];

static inline void clp_report_count(global clp_report *report, ulong n, bool refused) {
    const clp_report found = {refused, (long)n};
    *report = found;
}
