/* SPDX-License-Identifier: MIT */
/* What the tests of list scan share: settings, a plain-C twin, and one checked run. */
#ifndef TESTS_LISTSCAN_CASES_H
#define TESTS_LISTSCAN_CASES_H

#include "list_cases.h"
#include "oracle.h"

/* As list_settings: paths of CPUs and GPUs, many levels, buckets that matter at small sizes. */
enum { LISTSCAN_ONE_GROUP = 5, LISTSCAN_THRESHOLD, LISTSCAN_SETTINGS };
extern const list_setting listscan_settings[LISTSCAN_SETTINGS];

/* Sums of int64 by that setting: what most cases run, since each other plan is compiled anew. */
clprims_listscan_desc listscan_sums(const list_setting *setting, size_t max_n);

/* Whether the device can do what the setting says, and the tier wants it: a device without
 * sub-groups can do all. */
bool listscan_suits(const list_setting *setting);

clprims_listscan *listscan_create(const clprims_listscan_desc *desc);

size_t listscan_in_bytes(const clprims_listscan_desc *desc);

/* One run between guards. */
typedef struct listscan_case {
    clprims_listscan *plan;
    const clprims_listscan_desc *desc; /* of the plan */
    const oracle_twin *twin; /* of a custom operator or an input expression; or NULL */
    const int64_t *next;
    const void *values;
    int64_t head; /* as it is given to enqueue */
    size_t n;
    size_t first; /* of values and out; next and report begin elsewhere */
    double roundings; /* that the twin forgives, as in expect_scan */
    bool without_report; /* the list is valid, and nothing else is asked for */
} listscan_case;

/* Runs the case, and fails it unless the report and, of a valid list, the result are right; of
 * another list the output must be as it was. out: n results, or NULL. */
clprims_list_report listscan_expect(const listscan_case *c, void *out);

void listscan_add_custom(test_cases *cases);
void listscan_add_malformed(test_cases *cases);
void listscan_add_second(test_cases *cases);
void listscan_add_calls(test_cases *cases);

#endif
