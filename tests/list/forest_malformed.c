/* SPDX-License-Identifier: MIT */
/* Links that are no forest, and heads that are not its heads: the lowest element at fault is named,
 * nothing is written, and the plan is as good as new. */
#include "fixtures/list/forest_cases.h"

typedef struct corrupted {
    const list_setting *setting;
    const list_corruption *what;
    size_t n;
} corrupted;

/* Every way to corrupt a list. Two tails are fine here, no tail and a head on a cycle are cycles.
 */
static void reports(const void *data) {
    const corrupted *s = data;
    list_links l = list_links_create(s->n);
    clprims_forest *plan = forest_create(s->setting, s->n);
    const forest_case c = {
        .plan = plan, .link = forest_link(s->setting), .next = l.next, .n = s->n, .first = 1};
    list_corrupt(&l, s->what);
    forest_expect(&c);
    list_visit(&l, LIST_RANDOM);
    l.next[l.order[s->n / 2]] = -1;
    assert_int_equal(forest_expect(&c).fault, CLPRIMS_LIST_VALID);
}

/* ---- Heads ---- */

enum { N = 60 };

/* Lists of one to N elements, and their heads. */
static int64_t *sow(int64_t next[N], size_t *count) {
    int64_t order[N];
    list_random(order, N);
    list_link(order, next, N);
    for (size_t k = 0; k < N; k++)
        if (test_random_below(4) == 0) next[order[k]] = -1;
    return forest_heads(next, N, count);
}

/* The first that a link names; 0: there is none. */
static int64_t named_element(const int64_t next[N]) {
    size_t i = 0;
    while (i < N - 1 && next[i] < 0) i++;
    return next[i] < 0 ? 0 : next[i];
}

static void heads_are_checked(const void *data) {
    const list_setting *const *setting = data;
    int64_t next[N];
    clprims_forest *plan = forest_create(*setting, N);
    for (int round = 0; round < (test_small() ? 6 : 24); round++) {
        size_t count;
        int64_t *heads = sow(next, &count);
        forest_case c = {.plan = plan,
                         .link = forest_link(*setting),
                         .next = next,
                         .n = N,
                         .heads = heads,
                         .num_heads = count};
        if (round % 6 == 0) c.num_heads = count - 1;
        if (round % 6 == 1) heads[count / 2] = (heads[count / 2] + 1 + round) % N;
        if (round % 6 == 2) heads[count - 1] = round < 12 ? N : -7;
        if (round % 6 == 3) heads[count - 1] = heads[0];
        /* One more than there are: what a link names, or no element. */
        if (round % 6 >= 4 && count < N) {
            heads[count] = round % 6 == 4 ? named_element(next) : N + 3;
            c.num_heads = count + 1;
        }
        const clprims_list_report report = forest_expect(&c);
        if (report.fault != CLPRIMS_LIST_VALID) {
            expect_failure(clprims_forest_check(&report), CLPRIMS_ERR_DATA, "forest: ");
        }
    }
}

/* No head is given, by an array of none: that is not to find them. */
static void no_heads_are_given(const void *data) {
    const list_setting *const *setting = data;
    int64_t next[N];
    size_t count;
    clprims_forest *plan = forest_create(*setting, N);
    for (size_t n = 1; n <= N; n += 19) {
        int64_t *heads = sow(next, &count);
        for (size_t i = 0; i < n; i++)
            if (next[i] >= (int64_t)n) next[i] = -1;
        const forest_case c = {
            .plan = plan, .link = forest_link(*setting), .next = next, .n = n, .heads = heads};
        assert_int_equal(forest_expect(&c).fault, CLPRIMS_LIST_HEAD);
    }
}

/* Two lists that meet, and a cycle of as many elements as they share: all walks from heads together
 * take as many steps as there are elements. */
static void steps_do_not_cover(const void *data) {
    static const int64_t next[] = {2, 2, -1, 3};
    const list_setting *const *setting = data;
    clprims_forest *plan = forest_create(*setting, 4);
    const forest_case c = {.plan = plan, .link = forest_link(*setting), .next = next, .n = 4};
    assert_int_equal(forest_expect(&c).fault, CLPRIMS_LIST_SAME_SUCCESSOR);
}

/* ---- The fuzzer: good forests with one to ten links changed ---- */

static void fuzz(const void *data) {
    const corrupted *s = data;
    const clprims_type link = forest_link(s->setting);
    size_t left = test_small() ? 300 : test_long() ? 60000000 : 600000;
    list_links l = list_links_create(s->n);
    clprims_forest *plan = forest_create(s->setting, s->n);
    while (left > 0) {
        const size_t n = 1 + (size_t)test_random_below(1 + test_random_below(s->n));
        const uint64_t cuts = test_random_below(n + 1);
        l.n = n;
        list_visit(&l, LIST_RANDOM);
        for (uint64_t k = 0; k < cuts; k += 1 + test_random_below(9))
            l.next[test_random_below(n)] = -1;
        list_mutate(link, l.next, n);
        const forest_case c = {.plan = plan, .link = link, .next = l.next, .n = n, .first = 2};
        forest_expect(&c);
        const size_t cost = test_small() ? n : n + 1000;
        left = left > cost ? left - cost : 0;
    }
}

void forest_add_malformed(test_cases *cases) {
    for (size_t k = 0; k < FOREST_SETTINGS; k++) {
        if (test_small() && (k == 2 || k == FOREST_THRESHOLD)) continue;
        const list_setting *setting = &forest_settings[k];
        for (size_t i = 0; i < LIST_CORRUPTIONS; i++) {
            const size_t n = test_small() ? 100 : k == FOREST_ONE_GROUP ? 2001 : 3001;
            const corrupted s = {setting, &list_corruptions[i], n};
            if (test_small() && i % 3 != 0) continue;
            test_add_row(cases, reports, s, "forest/%s/malformed/%s/n=%zu", setting->name,
                         list_corruptions[i].name, s.n);
        }
        const corrupted s = {setting, NULL,
                             test_small()            ? 60
                             : k == 0                ? 100000
                             : k == FOREST_ONE_GROUP ? 2049
                                                     : 3000};
        test_add_row(cases, fuzz, s, "forest/%s/mutations/n<=%zu", setting->name, s.n);
        test_add_row(cases, steps_do_not_cover, setting, "forest/%s/malformed/steps",
                     setting->name);
        test_add_row(cases, no_heads_are_given, setting, "forest/%s/malformed/no-heads",
                     setting->name);
        test_add_row(cases, heads_are_checked, setting, "forest/%s/malformed/heads", setting->name);
    }
}
