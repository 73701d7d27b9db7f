/* SPDX-License-Identifier: MIT */
/* Input expressions of uint32 with parameters, of scans and reductions. */
#ifndef TESTS_DRAWN_INPUT_H
#define TESTS_DRAWN_INPUT_H

#include "subjects/subjects.h"

#define DRAWN_SHIFTED "x * 3 + shift"
#define DRAWN_SHIFT "uint shift"
#define DRAWN_WEIGHED "x * weight[i % 7] + shift"
#define DRAWN_WEIGHTS "global const uint *weight, uint shift"

/* Draws the parameters, and returns what an expression of them makes of n elements, to be freed. */
uint32_t *drawn_input_made(subject_data *d, const char *parameters, const uint32_t *in, size_t n);

/* Sets them in a plan. */
clprims_status drawn_input_prepare(void *plan, const subject_data *d, const char *parameters);

#endif
