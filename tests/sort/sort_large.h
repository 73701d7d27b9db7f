/* SPDX-License-Identifier: MIT */
/* Sorts of more keys than 32 bits count. */
#ifndef TESTS_SORT_LARGE_H
#define TESTS_SORT_LARGE_H

#include "harness/harness.h"

void sort_add_large(test_cases *cases);

#endif
