/* SPDX-License-Identifier: MIT */
/* Ranking of forests: one list, many, and as many as elements; heads found and given. */
#include "fixtures/list/forest_cases.h"

#include <stdlib.h>

/* How an order of all elements is cut into lists. */
typedef enum cut { ONE_LIST, SINGLES, PAIRS, HUNDREDS, MANY_SIZES, FEW, CUTS } cut;
static const char *const cut_names[CUTS] = {"one-list", "singles",    "pairs",
                                            "hundreds", "many-sizes", "few"};

typedef struct planted {
    const list_setting *setting;
    const list_order *order;
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

static void plant(const planted *p, int64_t *order, int64_t *next, size_t n) {
    p->order->fill(order, n);
    list_link(order, next, n);
    for (size_t k = 0; k < n; k++)
        if (ends_here(p->cut, k, n)) next[order[k]] = -1;
}

static void ranks(const void *data) {
    static const size_t sizes[] = {1,  2,  3,   15,  16,   17,   31,   33,   34,
                                   64, 65, 100, 129, 1000, 2049, 2050, 4097, 20011};
    const planted *p = data;
    const size_t most = test_small() ? 100 : 20011;
    const size_t largest = test_small() ? 100 : p->has_largest || test_long() ? most : 2050;
    int64_t *order = test_alloc(most, sizeof *order), *next = test_alloc(most, sizeof *next);
    clprims_forest *plan = forest_create(p->setting, most);
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0] && sizes[k] <= largest; k++) {
        const size_t n = sizes[k];
        size_t count;
        if (test_small() && k % 3 != 0) continue;
        plant(p, order, next, n);
        int64_t *heads = forest_heads(next, n, &count);
        forest_case c = {.plan = plan,
                         .link = forest_link(p->setting),
                         .next = next,
                         .n = n,
                         .without_rank = k % 5 == 3,
                         .without_head = k % 5 == 4,
                         .first = k % 4};
        assert_int_equal(forest_expect(&c).fault, CLPRIMS_LIST_VALID);
        c.heads = heads;
        c.num_heads = count;
        assert_int_equal(forest_expect(&c).fault, CLPRIMS_LIST_VALID);
        free(heads);
    }
    clprims_forest_destroy(plan);
    free(order);
    free(next);
}

static void ranks_large(const void *data) {
    const planted *p = data;
    const size_t n = test_long() ? 10000019 : 500009;
    int64_t *order = test_alloc(n, sizeof *order), *next = test_alloc(n, sizeof *next);
    clprims_forest *plan = forest_create(p->setting, n);
    plant(p, order, next, n);
    const forest_case c = {
        .plan = plan, .link = forest_link(p->setting), .next = next, .n = n, .first = 1};
    assert_int_equal(forest_expect(&c).fault, CLPRIMS_LIST_VALID);
    clprims_forest_destroy(plan);
    free(order);
    free(next);
}

static void add_cases(test_cases *cases) {
    for (size_t s = 0; s < FOREST_SETTINGS; s++) {
        if (test_small() && (s == 2 || s == FOREST_THRESHOLD)) continue;
        for (size_t k = 0; k < (size_t)CUTS * LIST_ORDERS; k++) {
            const planted p = {&forest_settings[s], &list_orders[k / CUTS], (cut)(k % CUTS),
                               (s + k) % 3 == 0};
            /* Every order and every cut, but not every pair of them. */
            const bool chosen = k / CUTS % CUTS == k % CUTS || k / CUTS == 0;
            if (!test_long() && (!chosen || (s >= FOREST_ONE_GROUP && k % 2 != 0))) continue;
            if (test_small() && k / CUTS % 4 != 0) continue;
            test_add(cases, ranks, &p, sizeof p, "forest/%s/%s/%s", p.setting->name, p.order->name,
                     cut_names[p.cut]);
        }
    }
    for (int how = 0; how < CUTS && !test_small(); how++) {
        const planted p = {&forest_settings[how % 2 * 2], &list_orders[how % 3], (cut)how, true};
        test_add(cases, ranks_large, &p, sizeof p, "forest/%s/%s/%s/large", p.setting->name,
                 p.order->name, cut_names[how]);
    }
    forest_add_malformed(cases);
    forest_add_second(cases);
    forest_add_calls(cases);
}

int main(int argc, char **argv) {
    return test_main(argc, argv, add_cases);
}
