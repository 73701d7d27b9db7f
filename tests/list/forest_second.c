/* SPDX-License-Identifier: MIT */
/* Forests whose lists defeat the hash: the walk is given up and repeated. With a retry threshold of
 * one mean length every forest does, so that all results come from the second walk. */
#include "fixtures/list/forest_cases.h"

static void ranks_again(const void *data) {
    const list_setting *setting = data;
    const size_t n = test_small() ? 300 : 20011;
    list_links l = list_links_create(n);
    clprims_forest *plan = forest_create(setting, n);
    const forest_case c = {
        .plan = plan, .link = forest_link(setting), .next = l.next, .n = n, .first = 1};
    for (size_t lists = 1; lists <= 3; lists++) {
        list_visit(&l, LIST_HASH_ASCENDING);
        for (size_t k = 1; k < lists; k++) l.next[l.order[n / 7 * k]] = -1;
        assert_int_equal(forest_expect(&c).fault, CLPRIMS_LIST_VALID);
    }
    l.next[l.order[n - 1]] = l.order[n - 2];
    assert_int_equal(forest_expect(&c).fault, CLPRIMS_LIST_SAME_SUCCESSOR);
    l.next[l.order[n - 1]] = (int64_t)n;
    assert_int_equal(forest_expect(&c).fault, CLPRIMS_LIST_LINK_RANGE);
    list_visit(&l, LIST_RANDOM);
    assert_int_equal(forest_expect(&c).fault, CLPRIMS_LIST_VALID);
}

void forest_add_second(test_cases *cases) {
    for (size_t s = 0; s < LIST_RETRIES; s++)
        test_add_row(cases, ranks_again, list_retries[s], "forest/second-seed/%s/malformed",
                     list_retries[s].name);
}
