/* SPDX-License-Identifier: MIT */
/* What the files of test_search share. */
#ifndef TESTS_SEARCH_GROUPS_H
#define TESTS_SEARCH_GROUPS_H

#include "fixtures/merge_cases.h"

/* A way of searching: small tiles, so that few needles take many. */
typedef struct search_way {
    const char *name;
    bool needles_sorted;
    const char *tuning;
    size_t tile; /* around which sizes are interesting */
} search_way;

enum { SEARCH_WAYS = 8 };
extern const search_way search_ways[SEARCH_WAYS];

/* Of up to 400 needles among up to 3000 elements. */
clprims_search *search_plan(const merge_order *order, const search_way *how,
                            clprims_search_bound bound, clprims_type positions);

void search_add_refusals(test_cases *cases);

#endif
