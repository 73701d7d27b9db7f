/* SPDX-License-Identifier: MIT */
/* Ranking of valid lists: every order and size, on the paths of a CPU and of a GPU. */
#include "fixtures/list/list_cases.h"
#include "subjects/subjects.h"

typedef struct ranked {
    clprims_type link;
    const list_setting *setting;
    size_t order; /* of list_orders */
    size_t largest; /* of sizes */
} ranked;

static const size_t sizes[] = {1,    2,    3,    4,    5,    31,   32,    33,    47,    48,   49,
                               63,   64,   65,   127,  128,  129,  255,   257,   1023,  1024, 1025,
                               4095, 4096, 4097, 5000, 8191, 8193, 65535, 65537, 100003};

static size_t most_elements(const list_setting *setting) {
    if (test_small()) return 129;
    /* Each element takes a level, so that only small lists are feasible. */
    return setting == &list_settings[LIST_ONE_SUBLIST] ? 8193 : 100003;
}

static void ranks(const void *data) {
    const ranked *r = data;
    const size_t most = most_elements(r->setting);
    list_links l = list_links_create(most);
    clprims_list *plan = list_plan(r->link, r->setting, most);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0] && sizes[k] <= r->largest; k++) {
        static const size_t firsts[] = {0, 1, 3};
        if (test_small() && k % 2 == 1) continue;
        l.n = sizes[k];
        list_visit(&l, r->order);
        const list_case c = {plan,
                             r->link,
                             l.next,
                             k % 2 == 0 ? l.head : FIND_HEAD,
                             l.n,
                             firsts[k % 3],
                             firsts[(k / 3) % 3],
                             k % 2,
                             r->setting->result};
        const clprims_list_report report = list_expect(&c);
        assert_int_equal(report.fault, CLPRIMS_LIST_VALID);
        assert_int_equal(report.head, l.head);
    }
}

/* A million elements and more: no cache holds them, and all levels of a large list occur. */
static void ranks_large(const void *data) {
    const ranked *r = data;
    const size_t n = test_long() ? 10000019 : 1000003;
    list_links l = list_links_create(n);
    clprims_list *plan = list_create(r->link, r->setting, n);
    list_visit(&l, r->order);
    const list_case c = {plan, r->link, l.next, FIND_HEAD, n, 1, 3, 0, r->setting->result};
    assert_int_equal(list_expect(&c).fault, CLPRIMS_LIST_VALID);
}

#define ONE_SUBLIST "GROUP=4 WALKS=1 LANES=4 WIDE=4 SUBLIST=1048576 SHORT=1048576 LAST=2 RETRY=0 "

/* In place, one sublist of all elements, which is cut wherever its offsets are too long for a word.
 * There are numbers for no more cuts than the list needs. A CPU's single work-item walks near lists
 * without them. */
static const list_setting cut[] = {
    {"one-sublist", ONE_SUBLIST "LAST_GROUP=2", CLPRIMS_LIST_IN_PLACE, CLPRIMS_LIST_RANKS},
    {"near", ONE_SUBLIST "LAST_GROUP=1", CLPRIMS_LIST_IN_PLACE, CLPRIMS_LIST_RANKS},
};

static void cuts(const void *data) {
    const list_setting *setting = data;
    static const size_t lengths[] = {1023, 1024, 1025, 2047, 2048, 2049, 3071, 3072};
    int64_t order[3072], next[3072];
    clprims_list *plan = list_create(CLPRIMS_I32, setting, 3072);
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        list_random(order, lengths[k]);
        list_link(order, next, lengths[k]);
        const list_case c = {plan, CLPRIMS_I32, next, order[0],       lengths[k],
                             0,    1,           0,    setting->result};
        assert_int_equal(list_expect(&c).fault, CLPRIMS_LIST_VALID);
    }
}

static void add_orders(test_cases *cases, clprims_type link, const list_setting *setting) {
    const char *type = clprims_type_name(link);
    for (size_t k = 0; k < LIST_ORDERS; k++) {
        const size_t turn = k + (size_t)(setting - list_settings);
        if (test_small() && !test_long() && turn % 2 == 1) continue;
        /* Every third order goes on to the largest sizes by default. */
        const size_t most = most_elements(setting);
        const size_t largest = test_long() || turn % 3 == 0 || most < 8193 ? most : 8193;
        const ranked r = {link, setting, k, largest};
        test_add_row(cases, ranks, r, "list/%s/%s/%s/n<=%zu", type, setting->name,
                     list_orders[k].name, largest);
    }
    if (test_small() || setting > &list_settings[1]) return;
    for (size_t k = 0; k < 3; k++) {
        const ranked r = {link, setting, k, 0};
        test_add_row(cases, ranks_large, r, "list/%s/%s/%s/large", type, setting->name,
                     list_orders[k].name);
    }
}

static void add_cases(test_cases *cases) {
    for (size_t s = 0; s < LIST_SETTINGS; s++) {
        add_orders(cases, CLPRIMS_I32, &list_settings[s]);
        const bool wide = test_long() ? s < 3 : test_small() ? s == 2 : s == 0 || s == 2;
        if (wide) add_orders(cases, CLPRIMS_I64, &list_settings[s]);
    }
    for (size_t k = 0; !test_small() && k < 2; k++)
        test_add_row(cases, cuts, cut[k], "list/int32/in-place/%s", cut[k].name);
    list_add_malformed(cases);
    list_add_calls(cases);
    list_add_large(cases);
    list_add_second(cases);
    list_add_watched(cases);
}

int main(int argc, char **argv) {
    return test_main(argc, argv, add_cases);
}
