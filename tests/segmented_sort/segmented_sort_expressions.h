/* SPDX-License-Identifier: MIT */
/* Segmented sorts by keys that an expression makes of elements. */
#ifndef TESTS_SEGMENTED_SORT_EXPRESSIONS_H
#define TESTS_SEGMENTED_SORT_EXPRESSIONS_H

#include "harness/harness.h"

void segmented_sort_add_expressions(test_cases *cases);

#endif
