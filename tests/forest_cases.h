/* SPDX-License-Identifier: MIT */
/* What the tests of forests share: settings, a plain-C twin, and one checked run. */
#ifndef TESTS_FOREST_CASES_H
#define TESTS_FOREST_CASES_H

#include "list_cases.h"

enum { FOREST_ONE_GROUP = 3, FOREST_THRESHOLD, FOREST_SETTINGS };
extern const list_setting forest_settings[FOREST_SETTINGS];

/* The link type that goes with a setting: each other plan is compiled anew. */
clprims_type forest_link(const list_setting *setting);

clprims_forest *forest_create(const list_setting *setting, size_t max_n);

/* One run between guards. */
typedef struct forest_case {
    clprims_forest *plan;
    clprims_type link;
    const int64_t *next;
    size_t n;
    const int64_t *heads; /* given, or NULL */
    size_t num_heads;
    bool without_rank;
    bool without_head;
    size_t first; /* of next and head; rank, heads and report begin elsewhere */
} forest_case;

/* Runs the case, and fails it unless the report and, of a valid forest, the results are right; of
 * another forest the outputs must be as they were. */
clprims_list_report forest_expect(const forest_case *c);

/* The elements that no link names, in a random order; their number in *count. Free them. */
int64_t *forest_heads(const int64_t *next, size_t n, size_t *count);

void forest_add_malformed(test_cases *cases);
void forest_add_second(test_cases *cases);
void forest_add_calls(test_cases *cases);

#endif
