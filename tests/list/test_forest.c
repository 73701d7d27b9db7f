/* SPDX-License-Identifier: MIT */
/* Ranking of forests: one list, many, and as many as elements; heads found and given. */
#include "fixtures/list/forest_cases.h"

/* How an order of all elements is cut into lists. */
typedef enum cut { ONE_LIST, SINGLES, PAIRS, HUNDREDS, MANY_SIZES, FEW, CUTS } cut;
static const char *const cut_names[CUTS] = {"one-list", "singles",    "pairs",
                                            "hundreds", "many-sizes", "few"};

typedef struct planted {
    const list_setting *setting;
    size_t order; /* of list_orders */
    cut cut;
    bool has_largest; /* of the sizes */
} planted;

static bool ends_here(cut how, size_t k, size_t n) {
    switch (how) {
    case ONE_LIST:
        return false;
    case SINGLES:
        return true;
    case PAIRS:
        return k % 2 == 1;
    case HUNDREDS:
        return k % 100 == 99;
    case MANY_SIZES:
        /* Lengths 1, 1, 2, 4, 8, ... again and again, and what is left. */
        return k % 4096 == 0 || ((k % 4096) & (k % 4096 - 1)) == 0;
    default:
        return k == n / 3 || k == n / 3 + 1;
    }
}

static void plant(const planted *p, list_links *l) {
    list_visit(l, p->order);
    for (size_t k = 0; k < l->n; k++)
        if (ends_here(p->cut, k, l->n)) l->next[l->order[k]] = -1;
}

static void ranks(const void *data) {
    static const size_t sizes[] = {1,  2,  3,   15,  16,   17,   31,   33,   34,
                                   64, 65, 100, 129, 1000, 2049, 2050, 4097, 20011};
    const planted *p = data;
    const size_t most = test_small() ? 100 : 20011;
    const size_t largest = test_small() ? 100 : p->has_largest || test_long() ? most : 2050;
    list_links l = list_links_create(most);
    clprims_forest *plan = forest_create(p->setting, most);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0] && sizes[k] <= largest; k++) {
        size_t count;
        if (test_small() && k % 3 != 0) continue;
        l.n = sizes[k];
        plant(p, &l);
        int64_t *heads = forest_heads(l.next, l.n, &count);
        forest_case c = {.plan = plan,
                         .link = forest_link(p->setting),
                         .next = l.next,
                         .n = l.n,
                         .without_rank = k % 5 == 3,
                         .without_head = k % 5 == 4,
                         .first = k % 4};
        assert_int_equal(forest_expect(&c).fault, CLPRIMS_LIST_VALID);
        c.heads = heads;
        c.num_heads = count;
        assert_int_equal(forest_expect(&c).fault, CLPRIMS_LIST_VALID);
    }
}

static void ranks_large(const void *data) {
    const planted *p = data;
    const size_t n = test_long() ? 10000019 : 500009;
    list_links l = list_links_create(n);
    clprims_forest *plan = forest_create(p->setting, n);
    plant(p, &l);
    const forest_case c = {
        .plan = plan, .link = forest_link(p->setting), .next = l.next, .n = n, .first = 1};
    assert_int_equal(forest_expect(&c).fault, CLPRIMS_LIST_VALID);
}

void test_program(test_cases *cases) {
    for (size_t s = 0; s < FOREST_SETTINGS; s++) {
        if (test_small() && (s == 2 || s == FOREST_THRESHOLD)) continue;
        for (size_t k = 0; k < (size_t)CUTS * LIST_ORDERS; k++) {
            const planted p = {&forest_settings[s], k / CUTS, (cut)(k % CUTS), (s + k) % 3 == 0};
            /* Every order and every cut, but not every pair of them. */
            const bool chosen = k / CUTS % CUTS == k % CUTS || k / CUTS == 0;
            if (!test_long() && (!chosen || (s >= FOREST_ONE_GROUP && k % 2 != 0))) continue;
            if (test_small() && k / CUTS % 4 != 0) continue;
            test_add_row(cases, ranks, p, "forest/%s/%s/%s", p.setting->name,
                         list_orders[p.order].name, cut_names[p.cut]);
        }
    }
    for (int how = 0; how < CUTS && !test_small(); how++) {
        const planted p = {&forest_settings[how % 2 * 2], (size_t)how % 3, (cut)how, true};
        test_add_row(cases, ranks_large, p, "forest/%s/%s/%s/large", p.setting->name,
                     list_orders[p.order].name, cut_names[how]);
    }
    forest_add_malformed(cases);
    forest_add_second(cases);
    forest_add_calls(cases);
}
