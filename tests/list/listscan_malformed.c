/* SPDX-License-Identifier: MIT */
/* Malformed lists: list scan says of them what ranking says, and writes nothing. */
#include "fixtures/list/listscan_cases.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Every way to corrupt a list ---- */

typedef struct corrupted {
    const list_setting *setting;
    const list_corruption *what;
    size_t n;
} corrupted;

static void expect_one(const listscan_case *c, clprims_list_fault fault) {
    const clprims_list_report report = listscan_expect(c, NULL);
    assert_int_equal(report.fault, fault);
    assert_true(oracle_report_true(CLPRIMS_I64, c->next, c->head, c->n, &report));
}

/* The plan is as good as new after each fault. */
static void expect_good(const listscan_case *c) {
    int64_t *order = test_alloc(c->n, sizeof *order);
    int64_t *next = test_alloc(c->n, sizeof *next);
    list_random(order, c->n);
    list_link(order, next, c->n);
    listscan_case good = *c;
    good.next = next;
    good.head = order[0];
    expect_one(&good, CLPRIMS_LIST_VALID);
    free(order);
    free(next);
}

static void reports(const void *data) {
    const corrupted *s = data;
    const size_t n = s->n;
    test_want_groups_of_one();
    int64_t *order = test_alloc(n, sizeof *order);
    int64_t *next = test_alloc(n, sizeof *next);
    int64_t *values = test_alloc(n, sizeof *values);
    const clprims_listscan_desc desc = listscan_sums(s->setting, n);
    clprims_listscan *plan = listscan_create(&desc);
    const int64_t head = list_corrupted_links(s->what, order, next, n);
    test_random_values(CLPRIMS_I64, CLPRIMS_ADD, values, n);
    listscan_case c = {.plan = plan,
                       .desc = &desc,
                       .next = next,
                       .values = values,
                       .head = head,
                       .n = n,
                       .first = 1};
    expect_one(&c, s->what->given);
    expect_good(&c);
    c.head = CLPRIMS_LIST_FIND_HEAD;
    expect_one(&c, s->what->found);
    expect_good(&c);
    clprims_listscan_destroy(plan);
    free(order);
    free(next);
    free(values);
}

/* Each illegal link at several elements, and at the last one as well; then at the tail alone. */
static void reports_range(const void *data) {
    const corrupted *s = data;
    const size_t n = s->n;
    test_want_groups_of_one();
    int64_t illegal[LIST_ILLEGAL];
    int64_t *order = test_alloc(n, sizeof *order);
    int64_t *next = test_alloc(n, sizeof *next);
    int64_t *values = test_alloc(n, sizeof *values);
    const clprims_listscan_desc desc = listscan_sums(s->setting, n);
    const size_t count = list_illegal(desc.link, n, illegal);
    clprims_listscan *plan = listscan_create(&desc);
    list_random(order, n);
    test_random_values(CLPRIMS_I64, CLPRIMS_ADD, values, n);
    /* Oclgrind takes half a second for each. */
    const size_t step = test_small() && !test_long() ? 5 : 1;
    for (size_t k = 0; k < 5 * count; k += step) {
        list_link(order, next, n);
        if (k < 4 * count)
            next[n - 1] = next[k / count * (n / 4)] = illegal[k % count];
        else
            next[order[n - 1]] = illegal[k % count];
        const int64_t head = k % 2 == 0 ? order[0] : CLPRIMS_LIST_FIND_HEAD;
        const listscan_case c = {
            .plan = plan, .desc = &desc, .next = next, .values = values, .head = head, .n = n};
        expect_one(&c, CLPRIMS_LIST_LINK_RANGE);
    }
    clprims_listscan_destroy(plan);
    free(order);
    free(next);
    free(values);
}

/* ---- The fuzzer: good lists with one to ten links changed ---- */

static size_t random_size(size_t most) {
    unsigned bits = 0;
    while (most >> (bits + 1) > 0) bits++;
    const uint64_t span = (uint64_t)1 << test_random_below(bits + 1);
    const size_t n = (size_t)(span + test_random_below(span));
    return n < most ? n : most;
}

/* One mutated list: ranking, list scan and plain serial C say the same of it. */
static void fuzz_once(clprims_list *list, const listscan_case *like, size_t n, int64_t *order,
                      int64_t *next) {
    const int64_t head = list_mutated(like->desc->link, order, next, n);
    const list_case ranked = {list, like->desc->link, next, head, n, 0, 1, 0, CLPRIMS_LIST_RANKS};
    listscan_case scanned = *like;
    scanned.head = head;
    scanned.n = n;
    const clprims_list_report by_rank = list_expect(&ranked);
    const clprims_list_report by_scan = listscan_expect(&scanned, NULL);
    assert_memory_equal(&by_rank, &by_scan, sizeof by_rank);
}

static void fuzz(const void *data) {
    const corrupted *s = data;
    test_want_groups_of_one();
    /* Elements in all; a seed that is printed replays the case. */
    size_t left = test_small() ? 500 : test_long() ? 60000000 : 600000;
    int64_t *order = test_alloc(s->n, sizeof *order);
    int64_t *next = test_alloc(s->n, sizeof *next);
    int64_t *values = test_alloc(s->n, sizeof *values);
    const clprims_listscan_desc desc = listscan_sums(s->setting, s->n);
    clprims_listscan *plan = listscan_create(&desc);
    clprims_list *list = list_create(desc.link, &list_settings[0], s->n);
    test_random_values(CLPRIMS_I64, CLPRIMS_ADD, values, s->n);
    const listscan_case like = {
        .plan = plan, .desc = &desc, .next = next, .values = values, .first = 2};
    while (left > 0) {
        const size_t n = random_size(s->n);
        /* What a run costs besides its elements counts as some hundreds of them. */
        const size_t cost = test_small() ? n : n + 1000;
        fuzz_once(list, &like, n, order, next);
        left = left > cost ? left - cost : 0;
    }
    clprims_listscan_destroy(plan);
    clprims_list_destroy(list);
    free(order);
    free(next);
    free(values);
}

static void add_setting(test_cases *cases, const list_setting *setting) {
    const bool in_group = setting == &listscan_settings[LISTSCAN_ONE_GROUP];
    const size_t n = test_small() ? 100 : in_group ? 2001 : 3001;
    for (size_t k = 0; k < LIST_CORRUPTIONS; k++) {
        const corrupted s = {setting, &list_corruptions[k], n};
        if (test_small() && k % 3 != 0) continue;
        test_add(cases, reports, &s, sizeof s, "listscan/%s/malformed/%s/n=%zu", setting->name,
                 list_corruptions[k].name, n);
    }
    const corrupted bad = {setting, NULL, n};
    test_add(cases, reports_range, &bad, sizeof bad, "listscan/%s/malformed/link-range/n=%zu",
             setting->name, n);
}

void listscan_add_malformed(test_cases *cases) {
    for (size_t k = 0; k < LISTSCAN_SETTINGS; k++)
        if (listscan_suits(&listscan_settings[k])) add_setting(cases, &listscan_settings[k]);
    for (size_t k = 0; !test_small() && k < LIST_CORRUPTIONS; k += test_long() ? 1 : 2) {
        const size_t setting = k / 2 % 2 == 0 ? LISTSCAN_THRESHOLD : 1;
        const corrupted s = {&listscan_settings[setting], &list_corruptions[k], 50021};
        test_add(cases, reports, &s, sizeof s, "listscan/%s/malformed/%s/n=%zu", s.setting->name,
                 s.what->name, s.n);
    }
    for (size_t k = 0; k < LISTSCAN_SETTINGS; k++) {
        if (k == 3 || k == 4 || !listscan_suits(&listscan_settings[k])) continue;
        const size_t most = test_small()              ? 60
                            : k == 0                  ? 1000000
                            : k == 1                  ? 100000
                            : k == LISTSCAN_THRESHOLD ? 20000
                                                      : 3000;
        const corrupted s = {&listscan_settings[k], NULL, most};
        test_add(cases, fuzz, &s, sizeof s, "listscan/%s/mutations/n<=%zu", s.setting->name, most);
    }
}
