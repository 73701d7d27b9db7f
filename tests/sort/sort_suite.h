/* SPDX-License-Identifier: MIT */
/* The cases of sort that files beside test_sort.c add. */
#ifndef TESTS_SORT_SUITE_H
#define TESTS_SORT_SUITE_H

#include "harness/harness.h"

#include <clprims/sort.h>

/* Sorts whose number of keys stands in device memory, by one way of sorting. */
void sort_add_counted(test_cases *cases, clprims_sort_algorithm algorithm, const char *name,
                      const char *tuning, size_t max_n);
void sort_add_counted_reports(test_cases *cases);

/* Sorts whose keys an expression makes of elements. */
void sort_add_expressions(test_cases *cases);

/* Sorts of more keys than 32 bits count. */
void sort_add_large(test_cases *cases);

/* What sort refuses, and what it tells. */
void sort_add_refusals(test_cases *cases);

#endif
