/* SPDX-License-Identifier: MIT */
/* What the files of the scan share: a checked description, the shape of its tiles, the plan. */
#ifndef CLP_SCAN_ENGINE_H
#define CLP_SCAN_ENGINE_H

#include "internal.h"
#include <clprims/scan.h>

/* A description with every default filled in. The texts and init are the caller's: they are read
 * during create only. */
typedef struct clp_scan_spec {
    clprims_type type;
    clprims_type accumulator;
    size_t type_bytes;
    size_t accumulator_bytes;
    clprims_op op;
    clprims_custom custom;
    const char *input;
    bool has_input_array;
    bool inclusive;
    bool has_start; /* something comes before the first element */
    bool order_matters; /* regrouping would change the bits, and they must not change */
    clprims_scan_algorithm algorithm; /* never AUTO */
    size_t max_n;
} clp_scan_spec;

/* How the elements are dealt to work-items; see cl/tile.cl. */
typedef struct clp_scan_shape {
    size_t group;
    size_t rows;
    size_t vec;
    size_t tile; /* elements */
    size_t window; /* predecessors that a look-back observes together */
    size_t spins; /* polls before a fallback */
    size_t mute; /* for tests: tiles 0, mute, 2 * mute ... publish nothing */
} clp_scan_shape;

enum { CLP_SCAN_LARGEST_VALUE = 256, CLP_SCAN_MOST_LEVELS = 8 };

/* scan_spec.c: checks the description against the device and fills the spec. start: room for
 * CLP_SCAN_LARGEST_VALUE bytes. reason: why the algorithm. */
clprims_status clp_scan_spec_fill(const clprims_context *context, const clprims_scan_desc *desc,
                                  clp_scan_spec *spec, void *start, const char **reason);

/* scan_spec.c: knobs from defaults, tuning and the plan's text. */
clprims_status clp_scan_shape_choose(const clprims_context *context, const clp_scan_spec *spec,
                                     const char *tuning, clp_scan_shape *shape);

/* scan_text.c: the program's prelude. */
void clp_scan_add_prelude(clp_text *text, const clp_device *device, const clp_scan_spec *spec,
                          const clp_scan_shape *shape);

#endif
