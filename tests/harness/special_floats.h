/* SPDX-License-Identifier: MIT */
/* Floats that a wrong padding, start or order of operands changes: NaN, infinities, zeros of both
 * signs, subnormals. What any number of them come to is the same in every order. */
#ifndef TESTS_SPECIAL_FLOATS_H
#define TESTS_SPECIAL_FLOATS_H

#include "harness/custom_operators.h"

enum { SPECIAL_FLOATS = 8 };

/* ADD, MIN, MAX and MUL of float32, then of float64. Neither has an initial value. */
extern const custom_operand *const special_floats[SPECIAL_FLOATS];

extern const custom_operand special_float_ADD; /* the first of them */

/* An initial value for each of them. */
extern const void *const special_inits[SPECIAL_FLOATS];

#endif
