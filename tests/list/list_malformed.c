/* SPDX-License-Identifier: MIT */
/* Malformed lists: every run terminates, names the lowest element at fault, and does not affect
 * later runs. */
#include "fixtures/list/list_cases.h"

#include "harness/oracle.h"

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

static list_case case_of(const corrupted *s, size_t max_n) {
    return (list_case){.plan = list_plan(s->link, s->setting, max_of(max_n)),
                       .link = s->link,
                       .next_first = 1,
                       .rank_first = 3,
                       .result = s->setting->result};
}

static void reports(const void *data) {
    const corrupted *s = data;
    test_want_groups_of_one();
    const list_case like = case_of(s, s->n);
    list_expect_corrupted(list_run_ranks, &like, s->what, s->n);
}

static void reports_range(const void *data) {
    const corrupted *s = data;
    test_want_groups_of_one();
    const list_case like = case_of(s, s->n);
    list_expect_illegal(list_run_ranks, &like, s->link, s->n, test_small() ? 3 : 10, 1);
}

/* A link to the element behind the last one, for which the buffer has a link: a walk that went
 * there would come to an end after n elements. */
static void reports_behind(const void *data) {
    const corrupted *s = data;
    const size_t bytes = clprims_type_bytes(s->link);
    test_want_groups_of_one();
    list_links l = list_links_create(s->n + 1);
    list_case c = case_of(s, s->n + 1);
    c.next = l.next;
    for (size_t n = s->n - 9; n <= s->n; n++) {
        clprims_list_report report;
        l.n = c.n = n;
        list_visit(&l, LIST_RANDOM);
        c.head = l.head;
        l.next[l.order[n - 2]] = (int64_t)n;
        l.next[n] = -1;
        void *links = list_narrow(s->link, l.next, n + 1);
        test_buffer given = test_buffer_create(links, n + 1, bytes, 0);
        test_buffer out = test_buffer_create(NULL, n, bytes, 1);
        test_buffer place = test_buffer_create(NULL, 1, sizeof report, 0);
        expect_ok(clprims_list_enqueue(
            c.plan, test_queue(),
            &(clprims_list_buffers){
                .next = given.at, .out = out.at, .head = head_given(&l.head), .report = place.at},
            n, 0, NULL, NULL));
        test_buffer_read(&place, &report);
        list_expect_report(list_expected(&c), report, l.head, n);
        assert_int_equal(report.fault, CLPRIMS_LIST_LINK_RANGE);
    }
}

static void mutations(const void *data) {
    const corrupted *s = data;
    const size_t rounds = test_small() ? 10 : test_long() ? 20000 : 200;
    test_want_groups_of_one();
    list_links l = list_links_create(s->n);
    const list_case like = case_of(s, s->n);
    for (size_t round = 0; round < rounds; round++) {
        const size_t n = 1 + (size_t)test_random_below(s->n);
        const int64_t head = list_mutated(s->link, l.order, l.next, n);
        const clprims_list_report report = list_run_ranks(&like, l.next, head, n);
        assert_true(oracle_report_true(CLPRIMS_I64, l.next, head, n, &report));
    }
}

static void add_setting(test_cases *cases, clprims_type link, const list_setting *setting) {
    const char *type = clprims_type_name(link);
    const size_t n = test_small() ? 100 : 5003;
    for (size_t k = 0; k < LIST_CORRUPTIONS; k++) {
        const size_t turn = k + (size_t)(setting - list_settings);
        if (test_small() && !test_long() && turn % 3 != 0) continue;
        const corrupted s = {link, setting, &list_corruptions[k], n};
        test_add_row(cases, reports, s, "list/%s/%s/malformed/%s/n=%zu", type, setting->name,
                     list_corruptions[k].name, n);
    }
    const corrupted bad = {link, setting, NULL, n};
    test_add_row(cases, reports_range, bad, "list/%s/%s/malformed/link-range/n=%zu", type,
                 setting->name, n);
    test_add_row(cases, reports_behind, bad, "list/%s/%s/malformed/behind-the-end/n<=%zu", type,
                 setting->name, n);
    const corrupted s = {link, setting, NULL, test_small() ? 60 : 300};
    test_add_row(cases, mutations, s, "list/%s/%s/mutations/n<=%zu", type, setting->name, s.n);
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
        test_add_row(cases, reports, s, "list/int32/%s/malformed/%s/n=%zu", s.setting->name,
                     list_corruptions[k].name, s.n);
    }
}
