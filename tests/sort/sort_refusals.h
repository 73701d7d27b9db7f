/* SPDX-License-Identifier: MIT */
/* What sort refuses, and what it tells. */
#ifndef TESTS_SORT_REFUSALS_H
#define TESTS_SORT_REFUSALS_H

#include "harness/harness.h"

void sort_add_refusals(test_cases *cases);

#endif
