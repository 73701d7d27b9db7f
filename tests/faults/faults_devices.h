/* SPDX-License-Identifier: MIT */
/* Cases of test_faults about machines other than this one. */
#ifndef TESTS_FAULTS_DEVICES_H
#define TESTS_FAULTS_DEVICES_H

#include "harness/harness.h"

/* program: the path of this one, for processes of their own. */
void add_device_cases(test_cases *cases, const char *program);

/* Whether a program with this argument is a process of a device's, and what it does: its exit
 * status. */
bool faults_is_process(const char *argument);
int faults_process(const char *argument);

#endif
