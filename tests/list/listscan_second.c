/* SPDX-License-Identifier: MIT */
/* Lists that defeat the hash of list scan: the walk is given up and repeated. With a retry
 * threshold of one mean length every list does, so that all results come from the second walk. */
#include "fixtures/list/listscan_cases.h"

#include <stdlib.h>

typedef struct scanned {
    listscan_case c;
    clprims_listscan_desc desc;
    int64_t *order, *next;
    void *values;
} scanned;

static scanned scan_of(const list_setting *setting, clprims_type type, size_t n) {
    scanned s = {.desc = CLPRIMS_LISTSCAN_DESC_INIT};
    s.desc.type = type;
    s.desc.max_n = n;
    s.desc.tuning = setting->tuning;
    s.order = test_alloc(n, sizeof *s.order);
    s.next = test_alloc(n, sizeof *s.next);
    s.values = test_alloc(n, clprims_type_bytes(type));
    if (type == CLPRIMS_F32)
        test_random_unit(type, s.values, n);
    else
        test_random_values(type, CLPRIMS_ADD, s.values, n);
    s.c = (listscan_case){.plan = listscan_create(&s.desc),
                          .next = s.next,
                          .values = s.values,
                          .n = n,
                          .first = 1,
                          .roundings = (double)n};
    return s;
}

static void release(scanned *s) {
    clprims_listscan_destroy(s->c.plan);
    free(s->order);
    free(s->next);
    free(s->values);
}

static void expect(scanned *s, bool against, int64_t fault, void *out) {
    if (fault == CLPRIMS_LIST_VALID) {
        if (against)
            list_hash_ascending(s->order, s->c.n);
        else
            list_random(s->order, s->c.n);
        list_link(s->order, s->next, s->c.n);
    }
    s->c.desc = &s->desc;
    s->c.head = s->order[0];
    assert_int_equal(listscan_expect(&s->c, out).fault, fault);
}

static void scans_again(const void *data) {
    const list_setting *setting = data;
    const size_t n = test_small() ? 300 : 20011;
    scanned s = scan_of(setting, CLPRIMS_I64, n);
    expect(&s, false, CLPRIMS_LIST_VALID, NULL);
    expect(&s, true, CLPRIMS_LIST_VALID, NULL);
    expect(&s, false, CLPRIMS_LIST_VALID, NULL);
    release(&s);
}

/* Faults of an adversarial list, and a valid list after them. */
static void reports_again(const void *data) {
    const list_setting *setting = data;
    const size_t n = test_small() ? 300 : 20011;
    test_want_groups_of_one();
    scanned s = scan_of(setting, CLPRIMS_I64, n);
    expect(&s, true, CLPRIMS_LIST_VALID, NULL);
    s.next[s.order[n - 1]] = s.order[n / 2];
    expect(&s, true, CLPRIMS_LIST_NO_TAIL, NULL);
    s.next[s.order[n - 1]] = -1;
    s.next[s.order[n / 2]] = s.order[3];
    expect(&s, true, CLPRIMS_LIST_SAME_SUCCESSOR, NULL);
    s.next[s.order[n / 2]] = (int64_t)n;
    expect(&s, true, CLPRIMS_LIST_LINK_RANGE, NULL);
    expect(&s, false, CLPRIMS_LIST_VALID, NULL);
    release(&s);
}

/* The second seed depends on the list alone, so that floats that round have the same bits in each
 * plan. */
static void repeats_again(const void *data) {
    const list_setting *setting = data;
    const size_t n = test_small() ? 300 : 20011;
    const size_t bytes = n * sizeof(float);
    scanned s = scan_of(setting, CLPRIMS_F32, n);
    void *first = test_alloc(bytes, 1), *again = test_alloc(bytes, 1);
    expect(&s, true, CLPRIMS_LIST_VALID, first);
    clprims_listscan *before = s.c.plan;
    s.c.plan = listscan_create(&s.desc);
    expect(&s, true, CLPRIMS_LIST_VALID, again);
    assert_memory_equal(first, again, bytes);
    clprims_listscan_destroy(before);
    release(&s);
    free(first);
    free(again);
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
    (void)data;
    scanned s = scan_of(&small, CLPRIMS_I64, N);
    s.c.desc = &s.desc;
    for (int round = 0; round < (test_small() ? 10 : 300); round++) {
        list_random(s.order, N);
        for (size_t k = 0; k < N; k++)
            if (s.order[k] == 0) s.order[k] = s.order[N - 1];
        s.order[N - 1] = 0;
        list_link(s.order, s.next, N);
        s.next[0] = 0;
        s.c.head = s.order[0];
        assert_int_equal(listscan_expect(&s.c, NULL).fault, CLPRIMS_LIST_NO_TAIL);
    }
    release(&s);
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
