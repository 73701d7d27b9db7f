/* SPDX-License-Identifier: MIT */
/* Map: what a run reports, as clprims_map_report. */
typedef struct clp_report {
    long fault;
    long count;
} clp_report;

typedef char clp_report_has_the_stated_size[sizeof(clp_report) == CLP_MAP_REPORT_BYTES ? 1 : -1];

static inline void clp_report_count(global clp_report *report, ulong n, bool refused) {
    const clp_report found = {refused, (long)n};
    *report = found;
}
