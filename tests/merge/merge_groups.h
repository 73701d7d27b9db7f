/* SPDX-License-Identifier: MIT */
/* What the files of test_merge share. */
#ifndef TESTS_MERGE_GROUPS_H
#define TESTS_MERGE_GROUPS_H

#include "fixtures/merge_cases.h"

/* A way of merging: small pieces and tiles, so that few elements take many. */
typedef struct way {
    const char *name;
    const char *tuning;
    size_t tile; /* around which sizes are interesting */
} way;

enum { MERGE_WAYS = 4 };
extern const way merge_ways[MERGE_WAYS];

/* Of up to 700 elements in each array. */
clprims_merge *merge_plan(const merge_order *order, const char *tuning, size_t payload_bytes);

void merge_add_refusals(test_cases *cases);

#endif
