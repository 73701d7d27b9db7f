/* SPDX-License-Identifier: MIT */
/*
 * Scan: a checked description and the plan. From the call to the kernel and back:
 *   scan.c          clprims_scan_enqueue; submit() and its arguments. plan.h has what is between
 *   single_pass.h   the engine: its map goes on to the kernels in cl/engine, and back;
 *                   count_report.cl has what a counted run reports
 * When the plan is created:
 *   scan.c          clprims_scan_create: fill()
 *   scan_spec.c     the algorithm; what the scan asks of the engine, with its measured sizes
 *   scan_knobs.c    what tuning may set
 *   scan_text.c     the prelude; the files of each variant's program
 */
#ifndef CLP_SCAN_ENGINE_H
#define CLP_SCAN_ENGINE_H

#include "engine/single_pass.h"
#include "plan/operation.h"

#include <clprims/scan.h>

/* A description with every default filled in. */
typedef struct clp_scan_spec {
    clp_operation what;
    bool word_sums; /* sums of 32-bit integers */
    bool
        order_matters; /* regrouping changes the bits, and the caller wants the same in every run */
    clprims_algorithm algorithm; /* never AUTO */
    size_t max_n;
} clp_scan_spec;

struct clprims_scan {
    clp_plan head;
    clp_scan_spec spec; /* its pointers into the description are cleared after create */
    unsigned char start[CLP_LARGEST_VALUE];
    clp_pass pass;
};

/* scan_spec.c: checks the description against the device and fills the spec. start: room for
 * CLP_LARGEST_VALUE bytes. *reason: why this algorithm, in words. */
clprims_status clp_scan_spec_fill(const clprims_context *context, const clprims_scan_desc *desc,
                                  clp_scan_spec *spec, void *start, const char **reason);

/* What the spec asks of the engine. */
clp_pass_need clp_scan_need(const clp_scan_spec *spec, const char *tuning);

/* scan_text.c: what a program of the scan has before the device's layer. */
clp_pass_prelude clp_scan_prelude;
extern const clp_variant_program clp_scan_programs[CLP_VARIANTS];

#endif
