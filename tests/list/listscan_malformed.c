/* SPDX-License-Identifier: MIT */
/* Malformed lists: list scan says of them what ranking says, and writes nothing. */
#include "fixtures/list/listscan_cases.h"

/* ---- Every way to corrupt a list ---- */

typedef struct corrupted {
    const list_setting *setting;
    const list_corruption *what;
    size_t n;
} corrupted;

static void reports(const void *data) {
    const corrupted *s = data;
    const clprims_listscan_desc desc = listscan_sums(s->setting, s->n);
    test_want_groups_of_one();
    listscan_case like = listscan_open(&desc, 1, false);
    list_expect_corrupted(listscan_run, &like, s->what, s->n);
}

static void reports_range(const void *data) {
    const corrupted *s = data;
    const clprims_listscan_desc desc = listscan_sums(s->setting, s->n);
    test_want_groups_of_one();
    listscan_case like = listscan_open(&desc, 0, false);
    /* Oclgrind takes half a second for each. */
    const size_t every = test_small() && !test_long() ? 5 : 1;
    list_expect_illegal(listscan_run, &like, desc.link, s->n, 4, every);
}

/* ---- The fuzzer: good lists with one to ten links changed ---- */

static size_t random_size(size_t most) {
    unsigned bits = 0;
    while (most >> (bits + 1) > 0) bits++;
    const uint64_t span = (uint64_t)1 << test_random_below(bits + 1);
    const size_t n = (size_t)(span + test_random_below(span));
    return n < most ? n : most;
}

/* Of each mutated list ranking, list scan and plain serial C say the same. */
static void fuzz(const void *data) {
    const corrupted *s = data;
    const clprims_listscan_desc desc = listscan_sums(s->setting, s->n);
    test_want_groups_of_one();
    /* Elements in all; a seed that is printed replays the case. */
    size_t left = test_small() ? 500 : test_long() ? 60000000 : 600000;
    list_links l = list_links_create(s->n);
    listscan_case like = listscan_open(&desc, 2, false);
    const list_case ranked = {.plan = list_create(desc.link, &list_settings[0], s->n),
                              .link = desc.link,
                              .rank_first = 1};
    while (left > 0) {
        const size_t n = random_size(s->n);
        /* What a run costs besides its elements counts as some hundreds of them. */
        const size_t cost = test_small() ? n : n + 1000;
        const int64_t head = list_mutated(desc.link, l.order, l.next, n);
        const clprims_list_report by_rank = list_run_ranks(&ranked, l.next, head, n);
        const clprims_list_report by_scan = listscan_run(&like, l.next, head, n);
        assert_memory_equal(&by_rank, &by_scan, sizeof by_rank);
        left = left > cost ? left - cost : 0;
    }
}

static void add_setting(test_cases *cases, const list_setting *setting) {
    const bool in_group = setting == &listscan_settings[LISTSCAN_ONE_GROUP];
    const size_t n = test_small() ? 100 : in_group ? 2001 : 3001;
    for (size_t k = 0; k < LIST_CORRUPTIONS; k++) {
        const corrupted s = {setting, &list_corruptions[k], n};
        if (test_small() && k % 3 != 0) continue;
        test_add_row(cases, reports, s, "listscan/%s/malformed/%s/n=%zu", setting->name,
                     list_corruptions[k].name, n);
    }
    const corrupted bad = {setting, NULL, n};
    test_add_row(cases, reports_range, bad, "listscan/%s/malformed/link-range/n=%zu", setting->name,
                 n);
}

void listscan_add_malformed(test_cases *cases) {
    for (size_t k = 0; k < LISTSCAN_SETTINGS; k++)
        if (listscan_suits(&listscan_settings[k])) add_setting(cases, &listscan_settings[k]);
    for (size_t k = 0; !test_small() && k < LIST_CORRUPTIONS; k += test_long() ? 1 : 2) {
        const size_t setting = k / 2 % 2 == 0 ? LISTSCAN_THRESHOLD : 1;
        const corrupted s = {&listscan_settings[setting], &list_corruptions[k], 50021};
        test_add_row(cases, reports, s, "listscan/%s/malformed/%s/n=%zu", s.setting->name,
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
        test_add_row(cases, fuzz, s, "listscan/%s/mutations/n<=%zu", s.setting->name, most);
    }
}
