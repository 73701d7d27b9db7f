/* SPDX-License-Identifier: MIT */
/*
 * One plan and many n: every n from 0 to max_n is legal, whatever n a plan's kernels and scratch
 * were sized by. The cases cross each threshold between kernels, levels, passes and sizes of
 * arrays, which small tuning brings down to some thousand elements. Kernels check their
 * assertions (cl/device/assert.cl).
 */
#ifndef TESTS_SIZES_H
#define TESTS_SIZES_H

#include "fixtures/list/list_cases.h"

enum { SIZES_THRESHOLDS = 8, SIZES_ROOM = 400 };

/* A plan's tuning and what it makes matter. */
typedef struct sizes_setting {
    list_setting how;
    clprims_type link;
    size_t max_n;
    size_t unit; /* of what there is one more for so many elements, such as a window */
    size_t thresholds[SIZES_THRESHOLDS]; /* ends with 0 */
} sizes_setting;

/* The next max_n to try after max_n: all next to thresholds, and every unit-th beside them. */
size_t sizes_next(const sizes_setting *setting, size_t max_n);

/* Numbers of elements for one plan, at most max_n, in random order: 0, 1, max_n, those next to
 * powers of two, to powers of two of the unit, and to the thresholds. Returns how many. */
size_t sizes_draw(const sizes_setting *setting, size_t sizes[SIZES_ROOM]);

void sizes_add_lists(test_cases *cases);
void sizes_add_scans(test_cases *cases);
void sizes_add_layouts(test_cases *cases);
void sizes_add_large(test_cases *cases);

#endif
