/* SPDX-License-Identifier: MIT */
/* What segmented sort refuses, and what it finds in offsets. */
#ifndef TESTS_SEGMENTED_SORT_REFUSALS_H
#define TESTS_SEGMENTED_SORT_REFUSALS_H

#include "harness/harness.h"

void segmented_sort_add_refusals(test_cases *cases);

#endif
