/* SPDX-License-Identifier: MIT */
#ifndef TESTS_CORE_CASES_H
#define TESTS_CORE_CASES_H

#include "harness/harness.h"

/* The cases of the other files. */
void core_add_sizes(test_cases *cases);
void core_add_memory(test_cases *cases);
void core_add_submissions(test_cases *cases);

#endif
