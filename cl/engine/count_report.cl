/* SPDX-License-Identifier: MIT */
/*
 * Scan: what a run reports whose number of elements stands in device memory. The kernels of scan
 * are the engine's: src/engine/single_pass.h says which file of cl/engine has which, and
 * src/scan/scan_text.c lists the files of each program.
 */
typedef struct clp_report {
    long fault;
    long count;
} clp_report;

typedef char clp_report_is_as_in_c[sizeof(clp_report) == CLP_SCAN_REPORT_BYTES ? 1 : -1];

static inline void clp_report_count(global clp_report *report, ulong n, bool refused) {
    const clp_report found = {refused, (long)n};
    *report = found;
}
