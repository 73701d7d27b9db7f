/* SPDX-License-Identifier: MIT */
/* What the files of test_offsets share. */
#ifndef TESTS_OFFSETS_CASES_H
#define TESTS_OFFSETS_CASES_H

#include "harness.h"

/* offsets_refusals.c */
void add_refusal_cases(test_cases *cases);

#endif
