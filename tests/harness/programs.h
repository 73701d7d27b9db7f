/* SPDX-License-Identifier: MIT */
/* Counts the distinct programs that this process has the OpenCL compiler read, which is what tests
 * take their time for. */
#ifndef TESTS_PROGRAMS_H
#define TESTS_PROGRAMS_H

#include <stddef.h>

size_t programs_count(void);

#endif
