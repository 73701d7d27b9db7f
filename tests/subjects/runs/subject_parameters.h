/* SPDX-License-Identifier: MIT */
/* Parameters of the user's expressions, for the tests of each subject's own. */
#ifndef TESTS_SUBJECT_PARAMETERS_H
#define TESTS_SUBJECT_PARAMETERS_H

#include "subjects/runs/subject_buffers.h"

/* The values of the parameters. */
typedef struct subject_values {
    uint32_t weight[SUBJECT_WEIGHTS], limit;
} subject_values;

/* What a plan of uint32 that has these parameters may take for its input. */
#define SUBJECT_WEIGHTED_PARAMETERS "global const uint *weight, uint limit"
#define SUBJECT_WEIGHTED_INPUT "min(x, limit) * weight[i % 7]"

/* What the expression makes of element i with the values of the run that is drawn. */
uint32_t subject_weighted(const void *in, size_t i);
/* The same without its index. */
uint32_t subject_limited(const void *in, size_t i);

/* One plan: each value stays until it is set again; runs that were submitted keep the old one.
 * like: subject, description and sizes; an operand unless the plan makes sums of that input. */
void subject_parameters_are_used(const subject_data *like);

/* Values that are refused, and runs before each has been set. */
void subject_values_are_checked(const subject_data *like);

#endif
