/* SPDX-License-Identifier: MIT */
/*
 * Histogram: a checked description, even bins, the shape, the plan. cl/histogram/histogram.cl says
 * how it works. From the call to the kernels and back:
 *   histogram.c         clprims_histogram_enqueue; plan.h has what is between it and submit()
 *   histogram_submit.c  the launches: of float sums the largest weight, the counts, the end
 *   histogram.cl        the bin of an element, sums as words
 *   histogram_floats.cl the largest weight, where sums are floats
 *   the counts, by the shape's way:
 *     CLP_HISTOGRAM_LOCAL   histogram_local.cl, on histogram_vectors.cl
 *     CLP_HISTOGRAM_BYTES   histogram_bytes.cl; of few elements histogram_bytes_few.cl
 *     CLP_HISTOGRAM_SERIAL  histogram_serial.cl, on histogram_counters.cl
 *     CLP_HISTOGRAM_GLOBAL  histogram_global.cl, on histogram_vectors.cl
 *   histogram_finish.cl sums become the output: a kernel, or the end of the counts
 *   histogram_arrivals.cl  the end of the counts where sums also count the slices added
 *   histogram_report.cl what a run reports
 * When the plan is created:
 *   histogram_spec.c    checks the description
 *   histogram_even.c    edges of even bins; a product in place of comparisons with edges
 *   histogram_shape.c   the way, slices, parts, counters of a bin
 *   histogram_knobs.c   what tuning may set
 *   histogram_text.c    the prelude; the files of the program
 */
#ifndef CLP_HISTOGRAM_PLAN_H
#define CLP_HISTOGRAM_PLAN_H

#include "core/knobs.h"
#include "plan/plan.h"

#include <clprims/histogram.h>

enum {
    CLP_HISTOGRAM_GROUP,
    CLP_HISTOGRAM_SLICES,
    CLP_HISTOGRAM_DEPTH,
    CLP_HISTOGRAM_COPIES,
    CLP_HISTOGRAM_PARTS,
    CLP_HISTOGRAM_PART_BINS,
    CLP_HISTOGRAM_BYTEWISE,
    CLP_HISTOGRAM_FEW,
    CLP_HISTOGRAM_KNOBS
};
extern const clp_knob clp_histogram_knobs[CLP_HISTOGRAM_KNOBS];

/* Words of what a run finds besides sums; cl/histogram/histogram.cl names them. */
enum { CLP_HISTOGRAM_FOUND_WORDS = 5 };

/* Bits of a sum of 32 or 64 bits below the number of slices that have been added to it. */
enum { CLP_HISTOGRAM_SHORT_SUM_BITS = 24, CLP_HISTOGRAM_SUM_BITS = 48 };

/* The bin of an integer x: ((x - first) * factor + addend) >> shift, if x is in the span; what is
 * beyond the last bin is in the last bin. */
typedef struct clp_histogram_product {
    bool is_exact; /* it gives every bin; the rest is set only then */
    bool is_shift; /* the factor is 1, the addend 0 */
    int64_t first;
    uint32_t span;
    uint32_t factor;
    uint64_t addend;
    unsigned shift;
} clp_histogram_product;

/* A description with every default filled in. */
typedef struct clp_histogram_spec {
    clprims_type type;
    size_t type_bytes;
    const clprims_custom *custom; /* of the caller's, during create */
    const char *bin;
    clprims_histogram_by by;
    double least, most;
    clp_histogram_product product;
    size_t bins;
    size_t max_n;
    clprims_type weights; /* CLPRIMS_TYPE_DEFAULT: none */
    size_t weight_bytes;
    clprims_type sums;
    size_t sum_bytes;
    bool floats; /* sums are of floats */
    size_t words; /* of a sum while it is made: 1, 2 or 4 of 32 bits */
    bool refuses_outside;
} clp_histogram_spec;

typedef enum clp_histogram_way {
    CLP_HISTOGRAM_LOCAL,
    CLP_HISTOGRAM_BYTES,
    CLP_HISTOGRAM_SERIAL,
    CLP_HISTOGRAM_GLOBAL
} clp_histogram_way;

typedef struct clp_histogram_shape {
    clp_histogram_way way;
    size_t group; /* work-items */
    size_t slices; /* at most: of the input, each of which `parts` groups read */
    size_t parts;
    size_t part_bins;
    size_t copies;
    size_t depth;
    size_t vec; /* elements of a vector */
    size_t slice_n; /* elements that are worth a slice */
    size_t wave; /* the most slices of slice_n elements */
    size_t long_n; /* elements that are worth a slice beyond the wave */
    size_t few; /* by bytes: elements that are counted by atomics, at most */
    size_t few_copies; /* then: counters of a value */
    size_t few_slices; /* then: at most */
    size_t few_group; /* then: work-items */
    size_t local_bytes; /* of a group's counters and what it finds */
    unsigned block_shift; /* indices of a block, as a power of two */
    size_t arrivals; /* 32-bit words of a sum that counts slices, too; 0: no sum does */
    bool leaves_counters; /* serial work-items leave them to the finishing kernel */
    bool ends_itself; /* the last group that counts writes the output */
} clp_histogram_shape;

enum {
    CLP_HISTOGRAM_CLEAR,
    CLP_HISTOGRAM_LARGEST, /* of float weights alone */
    CLP_HISTOGRAM_COUNT,
    CLP_HISTOGRAM_COUNT_FEW, /* of CLP_HISTOGRAM_BYTES alone */
    CLP_HISTOGRAM_FINISH,
    CLP_HISTOGRAM_KERNELS
};

struct clprims_histogram {
    clp_plan head;
    clp_histogram_spec spec; /* its pointers into the description are cleared after create */
    clp_histogram_shape shape;
    cl_kernel kernels[CLP_HISTOGRAM_KERNELS];
    cl_mem sums; /* words, zero between runs */
    cl_mem found; /* CLP_HISTOGRAM_FOUND_WORDS and a counter of groups, zero between runs */
    cl_mem counters; /* of serial work-items */
    cl_mem edges; /* bins + 1 elements, of CLPRIMS_HISTOGRAM_EDGES */
    bool clears; /* a run was not submitted whole: all others clear sums and found first */
};

/* One run's arguments. */
typedef struct clp_histogram_run {
    clp_call call;
    clprims_histogram_buffers buffers;
    size_t n;
    clprims_histogram_arrays arrays; /* of a run on plain arrays */
} clp_histogram_run;

/* ---- histogram_spec.c ---- */

clprims_status clp_histogram_spec_fill(const clprims_context *context,
                                       const clprims_histogram_desc *desc,
                                       clp_histogram_spec *spec);

/* ---- histogram_even.c ---- */

/* Edge b of even bins, b <= bins. */
double clp_histogram_edge(const clp_histogram_spec *spec, size_t b);

/* Whether every value of the type has a bin by the product. */
bool clp_histogram_takes_all(const clp_histogram_spec *spec);

/* Whether the bin of every value of one byte is that value, less the least one. */
bool clp_histogram_is_identity(const clp_histogram_spec *spec);

/* Looks for a product that gives the even bin of every integer of the type. */
void clp_histogram_product_find(const clp_histogram_spec *spec, clp_histogram_product *product);

/* ---- histogram_shape.c ---- */

/* Reads the knobs. */
clprims_status clp_histogram_shape_choose(const clprims_context *context,
                                          const clp_histogram_spec *spec, const char *tuning,
                                          clp_histogram_shape *shape);

/* Whether n elements are counted by clp_histogram_bytes_few. */
bool clp_histogram_is_few(const clp_histogram_shape *shape, size_t n);

/* Work-groups that count n elements. */
size_t clp_histogram_groups(const clp_histogram_shape *shape, size_t n);

/* ---- histogram_text.c ---- */

clprims_status clp_histogram_build(clprims_histogram *plan);

/* ---- histogram_submit.c ---- */

clprims_status clp_histogram_submit(clprims_histogram *plan, const clp_histogram_run *run);

/* Launches all kernels without elements. */
clprims_status clp_histogram_warm_up(clprims_histogram *plan);

#endif
