/* SPDX-License-Identifier: MIT */
/* The wait lists of every call, among the cases of test_faults. */
#ifndef TESTS_FAULTS_WAITS_H
#define TESTS_FAULTS_WAITS_H

#include "harness/harness.h"

void faults_add_waits(test_cases *cases);

#endif
