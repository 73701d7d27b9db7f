/* SPDX-License-Identifier: MIT */
/* Lists that defeat the hash of list scan: the walk is given up and repeated. With a retry
 * threshold of one mean length every list does, so that all results come from the second walk. */
#include "fixtures/list/listscan_cases.h"

static clprims_listscan_desc describe(const list_setting *setting, clprims_type type, size_t n) {
    clprims_listscan_desc desc = {
        .link = CLPRIMS_I32, .type = type, .max_n = n, .tuning = setting->tuning};
    return desc;
}

static size_t elements(void) {
    return test_small() ? 300 : 20011;
}

static void scans_again(const void *data) {
    const clprims_listscan_desc desc = describe(data, CLPRIMS_I64, elements());
    listscan_case c = listscan_open(&desc, 1, false);
    list_expect_again(listscan_run, &c, elements());
}

static void reports_again(const void *data) {
    const clprims_listscan_desc desc = describe(data, CLPRIMS_I64, elements());
    test_want_groups_of_one();
    listscan_case c = listscan_open(&desc, 1, false);
    list_expect_faults_again(listscan_run, &c, elements());
}

/* The second seed depends on the list alone, so that floats that round have the same bits in each
 * plan. */
static void repeats_again(const void *data) {
    const size_t n = elements(), bytes = n * sizeof(float);
    const clprims_listscan_desc desc = describe(data, CLPRIMS_F32, n);
    list_links l = list_links_create(n);
    listscan_case c = listscan_open(&desc, 1, true);
    void *results[2];
    list_visit(&l, LIST_HASH_ASCENDING);
    c.next = l.next;
    c.head = l.head;
    c.n = n;
    for (size_t k = 0; k < 2; k++) {
        results[k] = test_scratch(bytes, 1);
        assert_int_equal(listscan_expect(&c, results[k]).fault, CLPRIMS_LIST_VALID);
        c.plan = listscan_create(&desc);
    }
    assert_memory_equal(results[0], results[1], bytes);
}

/*
 * A walk that ends at element 0 because it visited it before, after as many steps as there are
 * elements. The first walk takes element 0 for a splitter; the second one often does not, and the
 * number of steps then does not show that the list is malformed.
 */
static void meets_element_0(void) {
    enum { N = 9 };
    static const list_setting small = {"small",
                                       "SINGLE=0 GROUP=32 WALKS=1 LANES=64 SUBLIST=4 LEAST=1 "
                                       "UPPER=4 SPLITTERS=1000000 LAST=16 BATCH=2 CHUNK=64 "
                                       "BUCKET=64 WINDOW=64 RETRY=1",
                                       CLPRIMS_LIST_AUTO, CLPRIMS_LIST_RANKS};
    const clprims_listscan_desc desc = describe(&small, CLPRIMS_I64, N);
    int64_t order[N], next[N];
    listscan_case c = listscan_open(&desc, 1, false);
    for (int round = 0; round < (test_small() ? 10 : 300); round++) {
        list_random(order, N);
        for (size_t k = 0; k < N; k++)
            if (order[k] == 0) order[k] = order[N - 1];
        order[N - 1] = 0;
        list_link(order, next, N);
        next[0] = 0;
        assert_int_equal(listscan_run(&c, next, order[0], N).fault, CLPRIMS_LIST_NO_TAIL);
    }
}

void listscan_add_second(test_cases *cases) {
    static const list_setting in_group = {"one-group", "SINGLE_GROUP=32", CLPRIMS_LIST_AUTO,
                                          CLPRIMS_LIST_RANKS};
    for (size_t s = 0; s < LIST_RETRIES; s++) {
        test_add_row(cases, scans_again, list_retries[s], "listscan/second-seed/%s",
                     list_retries[s].name);
        test_add_row(cases, reports_again, list_retries[s], "listscan/second-seed/%s/malformed",
                     list_retries[s].name);
    }
    test_add_plain(cases, meets_element_0, "listscan/second-seed/meets-element-0/malformed");
    test_add_row(cases, reports_again, in_group, "listscan/second-seed/one-group/malformed");
    if (!test_small())
        test_add_row(cases, repeats_again, list_retries[1], "listscan/second-seed/same-bits");
}
