/* SPDX-License-Identifier: MIT */
/* What the files of test_histogram share: the shapes to try, the plain-C twin, runs. */
#ifndef TESTS_HISTOGRAM_CASES_H
#define TESTS_HISTOGRAM_CASES_H

#include "fixtures/histogram_twin.h"

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

/* A plan for desc; the last one is kept, so that neighbouring cases of one desc share a program.
 * desc and all that it points to must stay as they are. */
clprims_histogram *histogram_plan(const clprims_histogram_desc *desc);

/* Counts n guarded elements from `first` and compares bins and report with the twin. user: for the
 * twin's expression. */
void histogram_compare(clprims_histogram *plan, const histogram_twin *twin, const void *in,
                       const void *weights, size_t first, size_t n);

/* The cases of the other files. */
void add_range_cases(test_cases *cases);
void add_weight_cases(test_cases *cases);
void add_refusal_cases(test_cases *cases);
void add_counted_cases(test_cases *cases);
void add_run_cases(test_cases *cases);

#endif
