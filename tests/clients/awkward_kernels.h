/* SPDX-License-Identifier: MIT */
/* Awkward Array's kernels for CPUs, and the jagged arrays that theirs and ours are given. */
#ifndef TESTS_AWKWARD_KERNELS_H
#define TESTS_AWKWARD_KERNELS_H

#include "fixtures/segmented_cases.h"

/* What each of them returns: of a failure, its words and the number of the list or index. */
typedef struct kernel_error {
    const char *words, *file;
    int64_t list, attempt;
} kernel_error;

typedef void kernel(void);

/* Fails the case where there is none of that name. */
kernel *kernel_of(const char *name);

enum { MOST_N = 3000, MOST_LISTS = 5 * MOST_N, LISTS = 6 * SEGMENTS_SHAPES };

/* Jagged array k < LISTS: 0, 1, 7, ... elements in every shape of lists. */
test_segments lists_of(size_t k);

/* In awkward_jagged.c: parents, local indices, gather. */
void awkward_add_jagged(test_cases *cases);

#endif
