/* SPDX-License-Identifier: MIT */
/* What the files of the scan share: a checked description, the shape of its tiles, the plan. */
#ifndef CLP_SCAN_ENGINE_H
#define CLP_SCAN_ENGINE_H

#include "engine/operation.h"
#include "engine/single_pass.h"

#include <clprims/scan.h>

/* A description with every default filled in. */
typedef struct clp_scan_spec {
    clp_operation what;
    bool word_sums; /* sums of 32-bit integers */
    bool order_matters; /* regrouping would change the bits, and they must not change */
    clprims_algorithm algorithm; /* never AUTO */
    size_t max_n;
} clp_scan_spec;

enum { CLP_SCAN_MOST_LEVELS = 8 };

/* One level of reduce-then-scan: level 0 scans the input, level 1 the aggregates of its tiles... */
typedef struct clp_scan_level {
    cl_kernel reduce;
    cl_kernel apply;
    cl_mem sums; /* the aggregates of this level's tiles, then their scan */
} clp_scan_level;

struct clprims_scan {
    clprims_context *context;
    clp_scan_spec spec; /* its pointers into the description are cleared after create */
    const char *reason;
    unsigned char start[CLP_LARGEST_VALUE];
    clp_parameters parameters; /* of the input's expression */
    size_t scratch_bytes;

    clp_pass pass; /* the single-pass algorithms */

    /* Reduce-then-scan. */
    clp_shape outer_shape; /* of level 0 */
    clp_shape inner_shape; /* of the levels above */
    cl_program outer_program;
    cl_program inner_program;
    clp_scan_level levels[CLP_SCAN_MOST_LEVELS];
    size_t level_count;
};

/* One run's arguments. */
typedef struct clp_scan_run {
    cl_command_queue queue;
    clprims_buffer in;
    clprims_buffer out;
    size_t n; /* not 0 */
    clprims_buffer counted; /* where the number of elements stands, up to n; {NULL, 0}: it is n */
    clprims_buffer report; /* of a counted run */
    cl_uint num_wait;
    const cl_event *wait;
    cl_event *event;
    bool warms_up; /* launches all kernels in place of the run, whose n is 0 */
} clp_scan_run;

/* scan_spec.c: checks the description against the device and fills the spec. start: room for
 * CLP_LARGEST_VALUE bytes. reason: why the algorithm. */
clprims_status clp_scan_spec_fill(const clprims_context *context, const clprims_scan_desc *desc,
                                  clp_scan_spec *spec, void *start, const char **reason);

/* What the spec asks of the engine. */
clp_pass_need clp_scan_need(const clp_scan_spec *spec, const char *tuning);

/* scan_text.c: what a program of the scan has before the device's layer. */
clp_pass_prelude clp_scan_prelude;
extern const clp_variant_program clp_scan_programs[CLP_VARIANTS];

/* scan_levels.c: what create and enqueue do for reduce-then-scan. What they made, release gives
 * back, whether they succeeded or not. */
clprims_status clp_scan_prepare_levels(clprims_scan *scan, const clprims_scan_desc *desc);
clprims_status clp_scan_warm_up_levels(clprims_scan *scan);
clprims_status clp_scan_enqueue_levels(clprims_scan *scan, const clp_scan_run *run);
void clp_scan_release_levels(clprims_scan *scan);

/* Scratch of the plan, which is counted. */
static inline clprims_status clp_scan_add_scratch(clprims_scan *scan, size_t bytes, bool zeroed,
                                                  cl_mem *out) {
    CLP_TRY(clp_scratch_create(scan->context, "scan", bytes, zeroed, out));
    scan->scratch_bytes += bytes;
    return CLPRIMS_OK;
}

#endif
