/* SPDX-License-Identifier: MIT */
/* The cases of segmented sort that files beside test_segmented_sort.c add. */
#ifndef TESTS_SEGMENTED_SORT_SUITE_H
#define TESTS_SEGMENTED_SORT_SUITE_H

#include "harness/harness.h"

/* Sorts by keys that an expression makes of elements. */
void segmented_sort_add_expressions(test_cases *cases);

/* What segmented sort refuses, and what it finds in offsets. */
void segmented_sort_add_refusals(test_cases *cases);

#endif
