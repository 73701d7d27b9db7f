/* SPDX-License-Identifier: MIT */
/* Forests whose lists defeat the hash: the walk is given up and repeated. With a retry threshold of
 * one mean length every forest does, so that all results come from the second walk. */
#include "fixtures/list/forest_cases.h"

#include <stdlib.h>

static void ranks_again(const void *data) {
    const list_setting *setting = data;
    const size_t n = test_small() ? 300 : 20011;
    int64_t *order = test_alloc(n, sizeof *order), *next = test_alloc(n, sizeof *next);
    clprims_forest *plan = forest_create(setting, n);
    const forest_case c = {
        .plan = plan, .link = forest_link(setting), .next = next, .n = n, .first = 1};
    list_hash_ascending(order, n);
    for (size_t lists = 1; lists <= 3; lists++) {
        list_link(order, next, n);
        for (size_t k = 1; k < lists; k++) next[order[n / 7 * k]] = -1;
        assert_int_equal(forest_expect(&c).fault, CLPRIMS_LIST_VALID);
    }
    next[order[n - 1]] = order[n - 2];
    assert_int_equal(forest_expect(&c).fault, CLPRIMS_LIST_SAME_SUCCESSOR);
    next[order[n - 1]] = (int64_t)n;
    assert_int_equal(forest_expect(&c).fault, CLPRIMS_LIST_LINK_RANGE);
    list_random(order, n);
    list_link(order, next, n);
    assert_int_equal(forest_expect(&c).fault, CLPRIMS_LIST_VALID);
    clprims_forest_destroy(plan);
    free(order);
    free(next);
}

void forest_add_second(test_cases *cases) {
    for (size_t s = 0; s < LIST_RETRIES; s++)
        test_add(cases, ranks_again, &list_retries[s], sizeof list_retries[s],
                 "forest/second-seed/%s/malformed", list_retries[s].name);
}
