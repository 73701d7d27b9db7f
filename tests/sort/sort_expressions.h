/* SPDX-License-Identifier: MIT */
/* Sorts whose keys an expression makes of elements. */
#ifndef TESTS_SORT_EXPRESSIONS_H
#define TESTS_SORT_EXPRESSIONS_H

#include "harness/harness.h"

void sort_add_expressions(test_cases *cases);

#endif
