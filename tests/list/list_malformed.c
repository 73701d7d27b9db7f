/* SPDX-License-Identifier: MIT */
/* Malformed lists: every run terminates, names the lowest element at fault, and does not affect
 * later runs. */
#include "fixtures/list/list_cases.h"

#include "harness/oracle.h"

#include <inttypes.h>
#include <stdlib.h>

/* Programs depend on max_n and take time to compile, so that most cases share one plan. */
static size_t max_of(size_t n) {
    const size_t most = test_small() ? 129 : 5003;
    return n > most ? n : most;
}

typedef struct corrupted {
    clprims_type link;
    const list_setting *setting;
    const list_corruption *what;
    size_t n;
} corrupted;

static void expect_one(const list_case *c, clprims_list_fault fault) {
    const clprims_list_report report = list_expect(c);
    assert_int_equal(report.fault, fault);
    assert_true(oracle_report_true(CLPRIMS_I64, c->next, c->head, c->n, &report));
    if (fault == CLPRIMS_LIST_VALID)
        expect_ok(clprims_list_check(&report));
    else
        expect_failure(clprims_list_check(&report), CLPRIMS_ERR_DATA, "list: ");
}

/* Checks that the plan ranks a valid list after a fault. */
static void expect_good(const list_case *c) {
    int64_t *order = test_alloc(c->n, sizeof *order);
    int64_t *next = test_alloc(c->n, sizeof *next);
    list_random(order, c->n);
    list_link(order, next, c->n);
    list_case good = *c;
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
    clprims_list *plan = list_plan(s->link, s->setting, max_of(n));
    const int64_t head = list_corrupted_links(s->what, order, next, n);
    list_case c = {plan, s->link, next, head, n, 1, 3, 0, s->setting->result};
    expect_one(&c, s->what->given);
    expect_good(&c);
    c.head = CLPRIMS_LIST_FIND_HEAD;
    expect_one(&c, s->what->found);
    expect_good(&c);
    free(order);
    free(next);
}

/* Puts each illegal link at several elements, and at the last one. */
static void reports_range(const void *data) {
    const corrupted *s = data;
    const size_t n = s->n;
    const size_t places = test_small() ? 3 : 10;
    const size_t step = n / places + 1;
    test_want_groups_of_one();
    int64_t illegal[LIST_ILLEGAL];
    const size_t count = list_illegal(s->link, n, illegal);
    int64_t *order = test_alloc(n, sizeof *order);
    int64_t *next = test_alloc(n, sizeof *next);
    clprims_list *plan = list_plan(s->link, s->setting, max_of(n));
    list_random(order, n);
    for (size_t k = 0; k < places * count; k++) {
        const size_t i = k / count * step;
        list_link(order, next, n);
        next[n - 1] = next[i] = illegal[k % count];
        const int64_t head = i % 2 == 0 ? order[0] : CLPRIMS_LIST_FIND_HEAD;
        const list_case c = {plan, s->link, next, head, n, 0, 1, 2, s->setting->result};
        expect_one(&c, CLPRIMS_LIST_LINK_RANGE);
        assert_int_equal(list_expected(&c).index, i);
    }
    free(order);
    free(next);
}

/* A link to the element behind the last one, for which the buffer has a link: a walk that went
 * there would come to an end after n elements. */
static void reports_behind(const void *data) {
    const corrupted *s = data;
    const size_t bytes = clprims_type_bytes(s->link);
    test_want_groups_of_one();
    int64_t *order = test_alloc(s->n, sizeof *order);
    int64_t *next = test_alloc(s->n + 1, sizeof *next);
    clprims_list *plan = list_plan(s->link, s->setting, max_of(s->n + 1));
    for (size_t n = s->n - 9; n <= s->n; n++) {
        clprims_list_report report;
        list_random(order, n);
        list_link(order, next, n);
        next[order[n - 2]] = (int64_t)n;
        next[n] = -1;
        void *links = list_narrow(s->link, next, n + 1);
        test_buffer given = test_buffer_create(links, n + 1, bytes, 0);
        test_buffer out = test_buffer_create(NULL, n, bytes, 1);
        test_buffer place = test_buffer_create(NULL, 1, sizeof report, 0);
        expect_ok(clprims_list_enqueue(plan, test_queue(), given.at, out.at, order[0], n, place.at,
                                       0, NULL, NULL));
        test_buffer_read(&place, &report);
        const list_case c = {plan, s->link, next, order[0], n, 0, 1, 0, s->setting->result};
        list_expect_report(list_expected(&c), report, order[0], n);
        assert_int_equal(report.fault, CLPRIMS_LIST_LINK_RANGE);
        test_buffer_release(&given);
        test_buffer_release(&out);
        test_buffer_release(&place);
        free(links);
    }
    free(order);
    free(next);
}

/* ---- Random mutations ---- */

static void mutations(const void *data) {
    const corrupted *s = data;
    const size_t rounds = test_small() ? 10 : test_long() ? 20000 : 200;
    test_want_groups_of_one();
    int64_t *order = test_alloc(s->n, sizeof *order);
    int64_t *next = test_alloc(s->n, sizeof *next);
    clprims_list *plan = list_plan(s->link, s->setting, max_of(s->n));
    for (size_t round = 0; round < rounds; round++) {
        const size_t n = 1 + (size_t)test_random_below(s->n);
        const int64_t head = list_mutated(s->link, order, next, n);
        const list_case c = {plan, s->link, next, head, n, 0, 1, 0, s->setting->result};
        expect_one(&c, (clprims_list_fault)list_expected(&c).fault);
    }
    free(order);
    free(next);
}

static void add_setting(test_cases *cases, clprims_type link, const list_setting *setting) {
    const char *type = clprims_type_name(link);
    const size_t n = test_small() ? 100 : 5003;
    for (size_t k = 0; k < LIST_CORRUPTIONS; k++) {
        const size_t turn = k + (size_t)(setting - list_settings);
        if (test_small() && !test_long() && turn % 3 != 0) continue;
        const corrupted s = {link, setting, &list_corruptions[k], n};
        test_add(cases, reports, &s, sizeof s, "list/%s/%s/malformed/%s/n=%zu", type, setting->name,
                 list_corruptions[k].name, n);
    }
    const corrupted bad = {link, setting, NULL, n};
    test_add(cases, reports_range, &bad, sizeof bad, "list/%s/%s/malformed/link-range/n=%zu", type,
             setting->name, n);
    test_add(cases, reports_behind, &bad, sizeof bad, "list/%s/%s/malformed/behind-the-end/n<=%zu",
             type, setting->name, n);
    const corrupted s = {link, setting, NULL, test_small() ? 60 : 300};
    test_add(cases, mutations, &s, sizeof s, "list/%s/%s/mutations/n<=%zu", type, setting->name,
             s.n);
}

void list_add_malformed(test_cases *cases) {
    for (size_t k = 0; k < LIST_SETTINGS; k++) {
        add_setting(cases, CLPRIMS_I32, &list_settings[k]);
        if (k == 0 || k == 2) add_setting(cases, CLPRIMS_I64, &list_settings[k]);
    }
    for (size_t k = 0; !test_small() && k < LIST_CORRUPTIONS; k++) {
        static const size_t settings[] = {0, 1, 5, 8};
        const list_setting *setting = &list_settings[settings[k % 4]];
        const corrupted s = {CLPRIMS_I32, setting, &list_corruptions[k],
                             test_long() ? 200003 : 100003};
        test_add(cases, reports, &s, sizeof s, "list/int32/%s/malformed/%s/n=%zu", s.setting->name,
                 list_corruptions[k].name, s.n);
    }
}
