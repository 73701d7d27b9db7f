/* SPDX-License-Identifier: MIT */
/* Elements of scans and reductions, which are the user's own, expressions with parameters, or
 * numbers of a type. */
#ifndef TESTS_DRAWN_INPUT_H
#define TESTS_DRAWN_INPUT_H

#include "harness/custom_operators.h"
#include "subjects/subjects.h"

/* Expressions of uint32, with their parameters. */
#define DRAWN_SHIFTED "x * 3 + shift"
#define DRAWN_SHIFT "uint shift"
#define DRAWN_WEIGHED "x * weight[i % 7] + shift"
#define DRAWN_WEIGHTS "global const uint *weight, uint shift"

/* Draws n elements; operand: NULL where the operator is built in. */
void drawn_input_fill(const custom_operand *operand, clprims_type type, clprims_op op, void *in,
                      size_t n);

/* Draws the parameters, and returns what an expression of them makes of n elements, to be freed. */
uint32_t *drawn_input_made(subject_data *d, const char *parameters, const uint32_t *in, size_t n);

/* Sets them in a plan. */
clprims_status drawn_input_prepare(void *plan, const subject_data *d, const char *parameters);

#endif
