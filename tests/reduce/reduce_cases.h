/* SPDX-License-Identifier: MIT */
/* What the files of test_reduce share: the shapes to try, plans that are kept, runs. */
#ifndef TESTS_REDUCE_CASES_H
#define TESTS_REDUCE_CASES_H

#include "subjects/runs/subject_buffers.h"

/* A shape of groups, small so that a test crosses many of them. */
typedef struct reduce_shape {
    const char *name;
    const char *tuning;
} reduce_shape;

enum { REDUCE_SHAPES = 5 };
extern const reduce_shape reduce_shapes[REDUCE_SHAPES];

/* A plan for desc, which is kept (subject_kept_plan). */
clprims_reduce *reduce_plan(const clprims_reduce_desc *desc);

typedef struct reduce_case {
    clprims_reduce_desc desc;
    const custom_operand *operand; /* NULL: a built-in operator and input */
    size_t n, first;
    bool by_run; /* through clprims_reduce_run */
    void (*fill)(const subject_data *d, void *in, size_t n); /* NULL: as the subject does */
} reduce_case;

/* The data of a reduction by this plan. */
subject_data reduce_data(const clprims_reduce_desc *desc, size_t n);

/* Reduces fresh data of a reduce_case, and compares. */
void reduce_is_right(const void *data);

/* The cases of the other files. */
void add_bit_cases(test_cases *cases);
void add_counted_cases(test_cases *cases);
void add_custom_cases(test_cases *cases);
void add_empty_cases(test_cases *cases);
void add_few_cases(test_cases *cases);
void add_parameter_cases(test_cases *cases);
void add_refusal_cases(test_cases *cases);

#endif
