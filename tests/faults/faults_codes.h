/* SPDX-License-Identifier: MIT */
/* Cases of test_faults that stand in a file of their own. */
#ifndef TESTS_FAULTS_CODES_H
#define TESTS_FAULTS_CODES_H

#include "harness/harness.h"

void add_code_cases(test_cases *cases);

#endif
