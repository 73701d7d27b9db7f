/* SPDX-License-Identifier: MIT */
/* Sorts whose number of keys stands in device memory. */
#ifndef TESTS_SORT_COUNTED_H
#define TESTS_SORT_COUNTED_H

#include "harness/harness.h"

#include <clprims/sort.h>

/* Cases of one way of sorting. */
void sort_add_counted(test_cases *cases, clprims_sort_algorithm algorithm, const char *name,
                      const char *tuning, size_t max_n);
void sort_add_counted_reports(test_cases *cases);

#endif
