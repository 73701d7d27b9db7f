/* SPDX-License-Identifier: MIT */
/* Search beside its definition: types, orders, both bounds, needles in any order and sorted ones,
 * sizes, places, parameters. */
#include "merge/search_groups.h"
#include "subjects/runs/subject_counted.h"

const search_way search_ways[SEARCH_WAYS] = {
    {"serial", false, "GROUP=1 ITEMS=3 GROUPS=2", 3},
    {"pivots", false, "GROUP=4 ITEMS=3 GROUPS=2 PIVOTS=5 BLOCK=0", 12},
    {"few-pivots", false, "GROUP=8 ITEMS=2 GROUPS=1 PIVOTS=1 BLOCK=0", 16},
    {"sorted-serial", true, "GROUP=1 GROUPS=3", 7},
    {"sorted-tiles", true, "GROUP=8 ITEMS=3 SEARCHES=0", 24},
    {"levels", false, "GROUP=4 ITEMS=2 GROUPS=2 PIVOTS=3 BLOCK=2 LEAST=0", 8},
    {"many-levels", false, "GROUP=8 ITEMS=1 GROUPS=1 PIVOTS=1 BLOCK=1 LEAST=0", 8},
    {"sorted-searching", true, "GROUP=8 ITEMS=3 SEARCHES=65536", 24},
};

/* One plan, many pairs of sizes. */
typedef struct plan_case {
    merge_order order;
    const search_way *how;
    clprims_search_bound bound;
    clprims_type positions;
} plan_case;

enum { MAX_N = 400, MAX_SORTED = 3000 };

clprims_search *search_plan(const merge_order *order, const search_way *how,
                            clprims_search_bound bound, clprims_type positions) {
    clprims_search_desc desc = {.type = order->type,
                                .custom = order->custom,
                                .less = order->text,
                                .max_n = MAX_N,
                                .max_length = MAX_SORTED,
                                .bound = bound,
                                .needles_sorted = how->needles_sorted,
                                .positions = positions,
                                .tuning = how->tuning};
    test_needs_types(order->type, order->type);
    return subject_made_plan(&subject_search, &desc);
}

/* Numbers of needles around the tile, among few and many elements; each pair with other data. */
static void searched(const void *data) {
    const plan_case *p = data;
    const size_t tile = p->how->tile;
    const size_t needles[] = {0, 1, tile - 1, tile, tile + 1, 2 * tile + 1, MAX_N};
    const size_t among[] = {0, 1, 2, 5, 6, 7, tile, 64, 500, MAX_SORTED};
    clprims_search *plan = search_plan(&p->order, p->how, p->bound, p->positions);
    size_t turn = 0;
    for (size_t i = 0; i < sizeof needles / sizeof needles[0]; i++) {
        for (size_t j = 0; j < sizeof among / sizeof among[0]; j++, turn++) {
            if (test_small() && (needles[i] > 60 || among[j] > 100 || turn % 3 != 0)) continue;
            /* Which needles are whose is then not said: Oclgrind sees two groups write one's
             * position. */
            if (test_small() && p->how->needles_sorted && turn % MERGE_DATA_KINDS == MERGE_UNSORTED)
                continue;
            const search_case c = {.arrays = {.order = p->order,
                                              .data = (merge_data)(turn % MERGE_DATA_KINDS),
                                              .n_a = needles[i],
                                              .n_b = among[j],
                                              .first = turn % 4,
                                              .by_run = turn % 9 == 8},
                                   .bound = p->bound,
                                   .needles_sorted = p->how->needles_sorted,
                                   .positions = p->positions};
            search_run_is_right(plan, &c);
        }
    }
}

/* ---- Parameters, describe, defaults ---- */

static void parameters_order(const void *data) {
    const search_way *how = data;
    const clprims_search_desc *desc =
        SUBJECT_CUSTOM_DESC(search, MERGE_SIGNS, .max_n = 100, .max_length = 100,
                            .needles_sorted = how->needles_sorted, .tuning = how->tuning);
    merge_parameters_are_right(&subject_search, desc);
}

typedef struct described {
    const search_way *how;
    size_t groups, tile, pivots; /* of 31 needles among 1000 elements */
    size_t most; /* groups for each compute unit */
    const char *variant;
} described;

static void describes(const void *data) {
    const described *d = data;
    const merge_order order = merge_order_of(CLPRIMS_I32);
    clprims_search_info info = {0};
    const size_t most = d->most * test_info().device.compute_units;
    clprims_search *plan = search_plan(&order, d->how, CLPRIMS_SEARCH_LOWER, CLPRIMS_I32);
    expect_ok(clprims_search_describe(plan, 31, (clprims_search_sizes){1000}, &info));
    assert_int_equal(info.tile, d->tile);
    assert_int_equal(info.pivots, d->pivots);
    assert_string_equal(info.variant, d->variant);
    assert_int_equal(info.groups, d->groups < most ? d->groups : most);
    expect_ok(clprims_search_describe(plan, 0, (clprims_search_sizes){0}, &info));
    assert_int_equal(info.groups, 1);
}

/* Levels are for arrays that local memory does not hold, and for many needles. */
static void levels_are_chosen(void) {
    static const struct {
        size_t length, n;
        const char *variant;
    } all[] = {{3000, 45, "pivots"}, {3000, 46, "levels"}, {3000, 0, "pivots"},
               {4, 0, "levels"},     {3, 400, "pivots"},   {0, 0, "pivots"}};
    const merge_order order = merge_order_of(CLPRIMS_I32);
    clprims_search_info info = {0};
    clprims_search *plan = search_plan(&order, &search_ways[5], CLPRIMS_SEARCH_LOWER, CLPRIMS_I32);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        expect_ok(
            clprims_search_describe(plan, all[i].n, (clprims_search_sizes){all[i].length}, &info));
        assert_string_equal(info.variant, all[i].variant);
    }
    assert_int_equal(info.scratch_bytes, (750 + 187 + 46 + 11 + 2) * 4);
    const search_way from_500 = {"from-500", false, "GROUP=4 ITEMS=2 PIVOTS=3 BLOCK=2 LEAST=500",
                                 8};
    plan = search_plan(&order, &from_500, CLPRIMS_SEARCH_LOWER, CLPRIMS_I32);
    for (size_t n = 499; n < 501; n++) {
        expect_ok(clprims_search_describe(plan, 400, (clprims_search_sizes){n}, &info));
        assert_string_equal(info.variant, n < 500 ? "pivots" : "levels");
    }
}

/* A plan for few needles has room for the levels of the longest array that it searches by them. */
static void scratch_fits_levels(void) {
    enum { NEEDLES = 3, LONGEST = 255 };
    const merge_order order = merge_order_of(CLPRIMS_I32);
    clprims_search_info info = {0};
    clprims_search_desc desc = {.type = CLPRIMS_I32,
                                .max_n = NEEDLES,
                                .max_length = MAX_SORTED,
                                .tuning = search_ways[5].tuning};
    clprims_search *plan = subject_made_plan(&subject_search, &desc);
    for (size_t n = LONGEST - 1; n < LONGEST + 2; n++) {
        const search_case c = {.arrays = {.order = order, .n_a = NEEDLES, .n_b = n},
                               .positions = CLPRIMS_I64};
        expect_ok(clprims_search_describe(plan, NEEDLES, (clprims_search_sizes){n}, &info));
        assert_string_equal(info.variant, n > LONGEST ? "pivots" : "levels");
        assert_int_equal(info.scratch_bytes, (63 + 15 + 3) * 4);
        search_run_is_right(plan, &c);
    }
}

/* What a plan is without tuning, for elements of both extreme sizes. */
static void chosen_is_right(const void *data) {
    const bool sorted = *(const bool *)data;
    clprims_search_info info = {0};
    clprims_search_desc desc = {.type = CLPRIMS_STRUCT,
                                .custom.declarations = "typedef struct { uint words[64]; } page;",
                                .custom.type_name = "page",
                                .custom.type_bytes = 256,
                                .less = "a.words[0] < b.words[0]"};
    desc.max_n = desc.max_length = 10;
    desc.needles_sorted = sorted;
    clprims_search *plan = subject_made_plan(&subject_search, &desc);
    expect_ok(clprims_search_describe(plan, 10, (clprims_search_sizes){10}, &info));
    assert_true(info.tile <= 256 && info.pivots <= 128);
}

/* ---- Cases ---- */

static void add_plan(test_cases *cases, const char *what, const merge_order *order,
                     const search_way *how, clprims_search_bound bound, clprims_type positions) {
    static const char *const names[] = {"lower", "upper", "both"};
    const plan_case p = {*order, how, bound, positions};
    test_add_row(cases, searched, p, "search/%s/%s/%s/%s/%s", what, order->name, how->name,
                 names[bound], clprims_type_name(positions));
}

static void add_types(test_cases *cases) {
    /* By type: the way of the default tier. */
    static const size_t ways[] = {0, 4, 5, 0, 6, 3, 7, 4, 1, 1, 2};
    for (int type = CLPRIMS_I8; type <= CLPRIMS_F64; type++) {
        const merge_order order = merge_order_of((clprims_type)type);
        for (size_t w = 0; w < SEARCH_WAYS; w++) {
            if (!test_long() && w != ways[type]) continue;
            add_plan(cases, "types", &order, &search_ways[w],
                     (type + (int)w) % 2 == 0 ? CLPRIMS_SEARCH_UPPER : CLPRIMS_SEARCH_LOWER,
                     (clprims_type)(type % 2 == 0 ? CLPRIMS_I32 : CLPRIMS_I64));
        }
    }
}

static void add_counted(test_cases *cases) {
    clprims_search_desc desc = {.type = CLPRIMS_U32,
                                .positions = CLPRIMS_I32,
                                .max_n = test_small() ? 60 : MAX_N,
                                .max_length = test_small() ? 100 : MAX_SORTED};
    for (size_t w = 0; w < SEARCH_WAYS; w++) {
        const search_way *how = &search_ways[w];
        char name[40];
        if (w == 2) continue;
        desc.needles_sorted = how->needles_sorted;
        desc.tuning = how->tuning;
        snprintf(name, sizeof name, "search/counted/%s", how->name);
        subject_add_counted(cases, &subject_search, &desc, how->tile, false, name);
    }
}

void test_program(test_cases *cases) {
    static const described all[] = {{&search_ways[0], 11, 0, 0, 2, "serial"},
                                    {&search_ways[1], 3, 0, 5, 2, "pivots"},
                                    {&search_ways[4], 43, 24, 0, 1000, "tiles"},
                                    {&search_ways[5], 4, 0, 3, 2, "levels"}};
    const merge_order floats = merge_order_of(CLPRIMS_F32);
    add_types(cases);
    add_plan(cases, "floats", &floats, &search_ways[4], CLPRIMS_SEARCH_UPPER, CLPRIMS_U32);
    add_plan(cases, "floats", &floats, &search_ways[3], CLPRIMS_SEARCH_UPPER, CLPRIMS_U64);
    add_plan(cases, "custom", &merge_weights, &search_ways[1], CLPRIMS_SEARCH_UPPER, CLPRIMS_I64);
    add_plan(cases, "custom", &merge_weights, &search_ways[4], CLPRIMS_SEARCH_LOWER, CLPRIMS_I64);
    add_plan(cases, "custom", &merge_weights, &search_ways[5], CLPRIMS_SEARCH_LOWER, CLPRIMS_U64);
    const merge_order bytes = merge_order_of(CLPRIMS_U8);
    for (size_t w = 0; w < SEARCH_WAYS; w++) {
        if (w == 2 || w == 6) continue; /* other numbers of pivots and levels */
        add_plan(cases, "both",
                 w == 4   ? &merge_weights
                 : w == 3 ? &floats
                          : &bytes,
                 &search_ways[w], CLPRIMS_SEARCH_BOTH, w % 2 == 0 ? CLPRIMS_I32 : CLPRIMS_I64);
    }
    for (size_t w = 1; w < SEARCH_WAYS; w += 3) {
        test_add_row(cases, parameters_order, search_ways[w], "search/parameters/%s",
                     search_ways[w].name);
    }
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        test_add_row(cases, describes, all[i], "search/describe/%s", all[i].how->name);
    }
    test_add_plain(cases, levels_are_chosen, "search/describe/by-needles");
    test_add_plain(cases, scratch_fits_levels, "search/scratch");
    for (int sorted = 0; sorted < 2; sorted++) {
        const bool is_sorted = sorted;
        test_add_row(cases, chosen_is_right, is_sorted, "search/chosen/%s",
                     sorted ? "sorted" : "any");
    }
    add_counted(cases);
    search_add_refusals(cases);
}
