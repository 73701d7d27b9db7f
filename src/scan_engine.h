/* SPDX-License-Identifier: MIT */
/* What the files of the scan share: a checked description, the shape of its tiles, the plan. */
#ifndef CLP_SCAN_ENGINE_H
#define CLP_SCAN_ENGINE_H

#include "internal.h"
#include <clprims/scan.h>

/* A description with every default filled in. */
typedef struct clp_scan_spec {
    clp_operation what;
    bool order_matters; /* regrouping would change the bits, and they must not change */
    clprims_scan_algorithm algorithm; /* never AUTO */
    size_t max_n;
} clp_scan_spec;

/* How the elements are dealt to work-items; see cl/tile.cl and cl/lookahead.cl. */
typedef struct clp_scan_shape {
    size_t group;
    size_t rows;
    size_t vec;
    size_t tile; /* elements */
    size_t window; /* predecessors that a look-back observes together */
    size_t spins; /* polls before a fallback */
    size_t mute; /* for tests: tiles 0, mute, 2 * mute ... publish nothing */
    /* Of a look-ahead only; zero otherwise. */
    size_t scanners; /* sub-groups */
    size_t reducers; /* sub-groups */
    size_t stages;
    size_t units; /* tiles of a lane in a batch of aggregates */
    size_t most_groups; /* that stay on the device */
} clp_scan_shape;

enum { CLP_SCAN_MOST_LEVELS = 8 };

/* One single-pass kernel: look-back or look-ahead. */
typedef struct clp_scan_pass {
    cl_program program;
    cl_kernel kernel;
    clp_scan_shape shape;
} clp_scan_pass;

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
    size_t scratch_bytes;

    /* Single pass. Both passes share the state: a run's number is used once. */
    clp_scan_pass main_pass;
    clp_scan_pass small_pass; /* up to small_n elements; no kernel if small_n is 0 */
    size_t small_n;
    cl_mem state;
    cl_mem tickets;
    cl_uint run; /* the last one submitted */

    /* Reduce-then-scan. */
    clp_scan_shape outer_shape; /* of level 0 */
    clp_scan_shape inner_shape; /* of the levels above */
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
    cl_uint num_wait;
    const cl_event *wait;
    cl_event *event;
} clp_scan_run;

/* scan_spec.c: checks the description against the device and fills the spec. start: room for
 * CLP_LARGEST_VALUE bytes. reason: why the algorithm. */
clprims_status clp_scan_spec_fill(const clprims_context *context, const clprims_scan_desc *desc,
                                  clp_scan_spec *spec, void *start, const char **reason);

/* scan_shape.c: knobs from defaults, tuning and the plan's text; for one tile a group (whose
 * tuning lines name the primitive "scan", or "scan-small" beside a look-ahead), and for groups that
 * stay ("scan-lookahead"). */
clprims_status clp_scan_shape_choose(const clprims_context *context, const char *primitive,
                                     const clp_scan_spec *spec, const char *tuning,
                                     clp_scan_shape *shape);
clprims_status clp_scan_lookahead_shape(const clprims_context *context, const clp_scan_spec *spec,
                                        const char *tuning, clp_scan_shape *shape, size_t *small_n);

static inline size_t clp_scan_tiles(size_t n, const clp_scan_shape *shape) {
    return n / shape->tile + (n % shape->tile != 0);
}

/* Words of the state that a tile's published value takes. */
static inline size_t clp_scan_words(const clp_scan_spec *spec) {
    return (spec->what.working_bytes + 3) / 4;
}

/* scan_text.c: the program of that spec and shape. */
clprims_status clp_scan_build(const clprims_context *context, const clp_scan_spec *spec,
                              const clp_scan_shape *shape, cl_program *program);

/* scan_pass.c and scan_levels.c: what create and enqueue do for one kind of algorithm. What they
 * made, destroy releases, whether they succeeded or not. */
clprims_status clp_scan_prepare_passes(clprims_scan *scan, const clprims_scan_desc *desc);
clprims_status clp_scan_enqueue_pass(clprims_scan *scan, const clp_scan_run *run);
void clp_scan_release_passes(clprims_scan *scan);
clprims_status clp_scan_prepare_levels(clprims_scan *scan, const clprims_scan_desc *desc);
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
