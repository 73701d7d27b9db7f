/* SPDX-License-Identifier: MIT */
/* The wait lists of every call, and what a wait list that fails leaves, among the cases of
 * test_faults. */
#ifndef TESTS_FAULTS_WAITS_H
#define TESTS_FAULTS_WAITS_H

#include "harness/harness.h"

void faults_add_waits(test_cases *cases);
void faults_add_dropped(test_cases *cases);

#endif
