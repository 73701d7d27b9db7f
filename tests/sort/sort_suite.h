/* SPDX-License-Identifier: MIT */
/* The cases of sort that files beside test_sort.c add. */
#ifndef TESTS_SORT_SUITE_H
#define TESTS_SORT_SUITE_H

#include "harness/harness.h"

/* Sorts whose keys an expression makes of elements. */
void sort_add_expressions(test_cases *cases);

/* Sorts of more keys than 32 bits count. */
void sort_add_large(test_cases *cases);

/* What sort refuses, and what it tells. */
void sort_add_refusals(test_cases *cases);

#endif
