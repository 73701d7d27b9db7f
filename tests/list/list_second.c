/* SPDX-License-Identifier: MIT */
/* Lists that defeat the first seed of the hash: the walk is given up and repeated. With a retry
 * threshold of one mean length every list does, so that all results come from the second walk. */
#include "fixtures/list/list_cases.h"

#include <stdlib.h>

#define SMALL                                                                                      \
    "GROUP=8 WALKS=1 LANES=64 WIDE=64 SUBLIST=12 SHORT=12 UPPER=8 SPLITTERS=1000000 LAST=64 "      \
    "LAST_GROUP=8 BATCH=2 FIXED=30 LEAST=1 ROWS=8 SORT_GROUP=32 BUCKETS=2048 WINDOW=60 "           \
    "WINDOW_GROUP=16 "

static const list_setting settings[] = {
    {"scattered", SMALL "RETRY=1", CLPRIMS_LIST_SCATTERED, CLPRIMS_LIST_RANKS},
    {"visit-log", SMALL "RETRY=1", CLPRIMS_LIST_VISIT_LOG, CLPRIMS_LIST_RANKS},
    {"visit-log-order", SMALL "RETRY=1", CLPRIMS_LIST_VISIT_LOG, CLPRIMS_LIST_ORDER},
    {"in-place", SMALL "RETRY=1", CLPRIMS_LIST_IN_PLACE, CLPRIMS_LIST_RANKS},
    {"scattered-retry-32", SMALL "RETRY=32", CLPRIMS_LIST_SCATTERED, CLPRIMS_LIST_RANKS},
    {"visit-log-retry-32", SMALL "RETRY=32", CLPRIMS_LIST_VISIT_LOG, CLPRIMS_LIST_RANKS},
    {"in-place-retry-32", SMALL "RETRY=32", CLPRIMS_LIST_IN_PLACE, CLPRIMS_LIST_RANKS},
};

static void expect_valid(clprims_list *plan, const list_setting *setting, const int64_t *order,
                         int64_t *next, size_t n) {
    list_link(order, next, n);
    const list_case c = {plan, CLPRIMS_I32, next, order[0], n, 1, 2, 0, setting->result};
    assert_int_equal(list_expect(&c).fault, CLPRIMS_LIST_VALID);
}

static void ranks_again(const void *data) {
    const list_setting *setting = data;
    const size_t n = test_small() ? 300 : 20011;
    int64_t *order = test_alloc(n, sizeof *order);
    int64_t *next = test_alloc(n, sizeof *next);
    clprims_list *plan = list_create(CLPRIMS_I32, setting, n);
    list_random(order, n);
    expect_valid(plan, setting, order, next, n);
    list_hash_ascending(order, n);
    expect_valid(plan, setting, order, next, n);
    list_random(order, n);
    expect_valid(plan, setting, order, next, n);
    clprims_list_destroy(plan);
    free(order);
    free(next);
}

/* Faults of an adversarial list, and a valid list after them. */
static void reports_again(const void *data) {
    const list_setting *setting = data;
    const size_t n = test_small() ? 300 : 20011;
    test_want_groups_of_one();
    int64_t *order = test_alloc(n, sizeof *order);
    int64_t *next = test_alloc(n, sizeof *next);
    clprims_list *plan = list_create(CLPRIMS_I32, setting, n);
    list_hash_ascending(order, n);
    list_link(order, next, n);
    const list_case c = {plan, CLPRIMS_I32, next, order[0], n, 0, 0, 0, setting->result};
    next[order[n - 1]] = order[n / 2];
    assert_int_equal(list_expect(&c).fault, CLPRIMS_LIST_NO_TAIL);
    next[order[n - 1]] = -1;
    next[order[n / 2]] = order[3];
    assert_int_equal(list_expect(&c).fault, CLPRIMS_LIST_SAME_SUCCESSOR);
    list_random(order, n);
    expect_valid(plan, setting, order, next, n);
    clprims_list_destroy(plan);
    free(order);
    free(next);
}

void list_add_second(test_cases *cases) {
    for (size_t s = 0; s < sizeof settings / sizeof settings[0]; s++) {
        test_add(cases, ranks_again, &settings[s], sizeof settings[s], "list/second-seed/%s",
                 settings[s].name);
        test_add(cases, reports_again, &settings[s], sizeof settings[s],
                 "list/second-seed/%s/malformed", settings[s].name);
    }
}
