/* SPDX-License-Identifier: MIT */
/* Lists that defeat the hash of list scan: the walk is given up and repeated. With a retry
 * threshold of one mean length every list does, so that all results come from the second walk. */
#include "fixtures/list/listscan_cases.h"

#include <stdlib.h>

typedef struct scanned {
    listscan_case c;
    clprims_listscan_desc desc;
    void *values;
} scanned;

static void open(scanned *s, const list_setting *setting, clprims_type type, size_t n) {
    s->desc = (clprims_listscan_desc)CLPRIMS_LISTSCAN_DESC_INIT;
    s->desc.type = type;
    s->desc.max_n = n;
    s->desc.tuning = setting->tuning;
    s->values = test_alloc(n, clprims_type_bytes(type));
    if (type == CLPRIMS_F32)
        test_random_unit(type, s->values, n);
    else
        test_random_values(type, CLPRIMS_ADD, s->values, n);
    s->c = (listscan_case){.plan = listscan_create(&s->desc),
                           .desc = &s->desc,
                           .values = s->values,
                           .first = 1,
                           .roundings = (double)n};
}

static void close(scanned *s) {
    clprims_listscan_destroy(s->c.plan);
    free(s->values);
}

static size_t elements(void) {
    return test_small() ? 300 : 20011;
}

static void scans_again(const void *data) {
    scanned s;
    open(&s, data, CLPRIMS_I64, elements());
    list_expect_again(listscan_run, &s.c, elements());
    close(&s);
}

static void reports_again(const void *data) {
    scanned s;
    test_want_groups_of_one();
    open(&s, data, CLPRIMS_I64, elements());
    list_expect_faults_again(listscan_run, &s.c, elements());
    close(&s);
}

/* The second seed depends on the list alone, so that floats that round have the same bits in each
 * plan. */
static void repeats_again(const void *data) {
    const size_t n = elements(), bytes = n * sizeof(float);
    list_links l = list_links_create(n);
    scanned s;
    void *results[2];
    open(&s, data, CLPRIMS_F32, n);
    list_visit(&l, LIST_HASH_ASCENDING);
    s.c.next = l.next;
    s.c.head = l.head;
    s.c.n = n;
    for (size_t k = 0; k < 2; k++) {
        results[k] = test_alloc(bytes, 1);
        assert_int_equal(listscan_expect(&s.c, results[k]).fault, CLPRIMS_LIST_VALID);
        clprims_listscan_destroy(s.c.plan);
        s.c.plan = listscan_create(&s.desc);
    }
    assert_memory_equal(results[0], results[1], bytes);
    close(&s);
    free(results[0]);
    free(results[1]);
    list_links_free(&l);
}

/*
 * A walk that ends at element 0 because it visited it before, after as many steps as there are
 * elements. The first walk takes element 0 for a splitter; the second one often does not, and the
 * number of steps then does not show that the list is malformed.
 */
static void meets_element_0(const void *data) {
    enum { N = 9 };
    static const list_setting small = {"small",
                                       "SINGLE=0 GROUP=32 WALKS=1 LANES=64 SUBLIST=4 LEAST=1 "
                                       "UPPER=4 SPLITTERS=1000000 LAST=16 BATCH=2 CHUNK=64 "
                                       "BUCKET=64 WINDOW=64 RETRY=1",
                                       CLPRIMS_LIST_AUTO, CLPRIMS_LIST_RANKS};
    int64_t order[N], next[N];
    scanned s;
    (void)data;
    open(&s, &small, CLPRIMS_I64, N);
    for (int round = 0; round < (test_small() ? 10 : 300); round++) {
        list_random(order, N);
        for (size_t k = 0; k < N; k++)
            if (order[k] == 0) order[k] = order[N - 1];
        order[N - 1] = 0;
        list_link(order, next, N);
        next[0] = 0;
        assert_int_equal(listscan_run(&s.c, next, order[0], N).fault, CLPRIMS_LIST_NO_TAIL);
    }
    close(&s);
}

void listscan_add_second(test_cases *cases) {
    static const list_setting in_group = {"one-group", "SINGLE_GROUP=32", CLPRIMS_LIST_AUTO,
                                          CLPRIMS_LIST_RANKS};
    for (size_t s = 0; s < LIST_RETRIES; s++) {
        test_add(cases, scans_again, &list_retries[s], sizeof list_retries[s],
                 "listscan/second-seed/%s", list_retries[s].name);
        test_add(cases, reports_again, &list_retries[s], sizeof list_retries[s],
                 "listscan/second-seed/%s/malformed", list_retries[s].name);
    }
    test_add(cases, meets_element_0, NULL, 0, "listscan/second-seed/meets-element-0/malformed");
    test_add(cases, reports_again, &in_group, sizeof in_group,
             "listscan/second-seed/one-group/malformed");
    if (!test_small())
        test_add(cases, repeats_again, &list_retries[1], sizeof list_retries[1],
                 "listscan/second-seed/same-bits");
}
