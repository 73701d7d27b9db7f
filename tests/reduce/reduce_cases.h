/* SPDX-License-Identifier: MIT */
/* What the files of test_reduce share: the shapes to try, plans that are kept, runs. */
#ifndef TESTS_REDUCE_CASES_H
#define TESTS_REDUCE_CASES_H

#include "harness/oracle_reduce.h"

/* A shape of groups, small so that a test crosses many of them. */
typedef struct reduce_shape {
    const char *name;
    const char *tuning;
} reduce_shape;

enum { REDUCE_SHAPES = 5 };
extern const reduce_shape reduce_shapes[REDUCE_SHAPES];

/* A plan for desc; the last one is kept, so that neighbouring cases of one desc share a program.
 * desc and all that it points to must stay as they are. */
clprims_reduce *reduce_plan(const clprims_reduce_desc *desc);

/* Bytes of an element of the input. */
size_t reduce_in_bytes(const clprims_reduce_desc *desc);

/* Reduces n guarded elements from `first` into a guarded place; the guards are checked, the input
 * must be unchanged and the report right. */
void reduce_on_device(clprims_reduce *reduce, const clprims_reduce_desc *desc, const void *in,
                      size_t first, size_t n, void *result);

/* The cases of the other files. */
void add_bit_cases(test_cases *cases);
void add_counted_cases(test_cases *cases);
void add_custom_cases(test_cases *cases);
void add_empty_cases(test_cases *cases);
void add_few_cases(test_cases *cases);
void add_parameter_cases(test_cases *cases);
void add_refusal_cases(test_cases *cases);

#endif
