/* SPDX-License-Identifier: MIT */
/*
 * One plan and many n: every n from 0 to max_n is legal, whatever n a plan's kernels and scratch
 * were sized by. The cases cross each threshold between kernels, levels, passes and sizes of
 * arrays, which small tuning brings down to some thousand elements. Kernels check their
 * assertions (cl/device/assert.cl).
 */
#ifndef TESTS_SIZES_H
#define TESTS_SIZES_H

#include "harness/harness.h"

void sizes_add_lists(test_cases *cases);
void sizes_add_layouts(test_cases *cases);
void sizes_add_large(test_cases *cases);

#endif
