/* SPDX-License-Identifier: MIT */
/* What the files of test_histogram share: the shapes to try, the plain-C twin, runs. */
#ifndef TESTS_HISTOGRAM_CASES_H
#define TESTS_HISTOGRAM_CASES_H

#include "fixtures/histogram_twin.h"
#include "subjects/runs/subject_buffers.h"

/* A shape of groups, small so that a test crosses many of them. */
typedef struct histogram_shape {
    const char *name;
    const char *tuning;
} histogram_shape;

enum {
    HISTOGRAM_SERIAL,
    HISTOGRAM_LOCAL,
    HISTOGRAM_PARTS,
    HISTOGRAM_GLOBAL,
    HISTOGRAM_BYTEWISE, /* of bytes that all have an even bin; others are as LOCAL */
    HISTOGRAM_SHAPES
};
extern const histogram_shape histogram_shapes[HISTOGRAM_SHAPES];

/* A plan for desc, which is kept (subject_kept_plan). */
clprims_histogram *histogram_plan(const clprims_histogram_desc *desc);

/* Bins of equal width; and bins of bytes that are their numbers, some of which may be outside. */
histogram_twin histogram_even(clprims_type type, size_t bins, double least, double most,
                              size_t max_n);
histogram_twin histogram_by_value(size_t bins, clprims_type weights, size_t max_n);

/* Counts n guarded elements from `first`, or plain arrays, and compares bins and report with the
 * twin. */
void histogram_compare(const histogram_twin *twin, const void *in, const void *weights,
                       size_t first, size_t n);
void histogram_compare_run(const histogram_twin *twin, const void *in, size_t n);

/* The cases of the other files. */
void add_range_cases(test_cases *cases);
void add_weight_cases(test_cases *cases);
void add_refusal_cases(test_cases *cases);
void add_counted_cases(test_cases *cases);
void add_run_cases(test_cases *cases);

#endif
