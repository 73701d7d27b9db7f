/* SPDX-License-Identifier: MIT */
/* What the files of test_minplus share: shapes to try, data, and plans that are kept. */
#ifndef TESTS_MINPLUS_CASES_H
#define TESTS_MINPLUS_CASES_H

#include "harness.h"
#include "oracle_minplus.h"

/* A shape of tiles, small so that a test crosses many of them. */
typedef struct minplus_shape {
    const char *name;
    const char *tuning;
} minplus_shape;

enum { MINPLUS_SHAPES = 4 };
extern const minplus_shape minplus_shapes[MINPLUS_SHAPES];

/* Ends the case as skipped where the device has no float64 and the type needs it. */
void minplus_needs(clprims_type type);

/* A plan for desc; the last one is kept, so that neighbouring cases of one desc share a program.
 * desc and all that it points to must stay as they are. */
clprims_minplus *minplus_plan(const clprims_minplus_desc *desc);
void minplus_plan_forget(void);

/* n random elements for desc: a third no edge or beyond, the rest small, some below zero; floats
 * with some NaN and infinities of both signs. */
void minplus_values(const clprims_minplus_desc *desc, void *values, size_t n);

/* The cases of the other files. */
void add_minplus_refusals(test_cases *cases);
void add_minplus_custom(test_cases *cases);
void add_paths_cases(test_cases *cases);
void paths_plan_forget(void);

#endif
