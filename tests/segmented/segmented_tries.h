/* SPDX-License-Identifier: MIT */
/* What the files of test_segmented share. */
#ifndef TESTS_SEGMENTED_TRIES_H
#define TESTS_SEGMENTED_TRIES_H

#include "fixtures/segmented_cases.h"

/* A plan for desc; the last one is kept, so that neighbouring cases of one desc share a program.
 * desc and all that it points to must stay as they are. */
clprims_segmented *segmented_plan(const clprims_segmented_desc *desc);

/* The cases of the other files. */
void add_chain_cases(test_cases *cases);
void add_counted_cases(test_cases *cases);
void add_custom_cases(test_cases *cases);
void add_malformed_cases(test_cases *cases);
void add_alike_cases(test_cases *cases);
void add_block_cases(test_cases *cases);
void add_late_cases(test_cases *cases);
void add_parameter_cases(test_cases *cases);
void add_refusal_cases(test_cases *cases);
void add_row_cases(test_cases *cases);

#endif
