/* SPDX-License-Identifier: MIT */
/* Merge beside its definition: types, orders, payloads, sizes, places, parameters. */
#include "merge/merge_groups.h"
#include "subjects/runs/subject_counted.h"

const way merge_ways[MERGE_WAYS] = {
    {"serial", "GROUP=1 GROUPS=3", 12},
    {"tiles", "GROUP=8 ITEMS=3 SEARCHES=0", 24},
    {"searching", "GROUP=8 ITEMS=3 SEARCHES=65536", 24},
    {"large-group", "GROUP=64 ITEMS=5 SEARCHES=1", 320},
};

/* One plan, many pairs of sizes. */
typedef struct plan_case {
    merge_order order;
    const way *how;
    size_t payload_bytes;
} plan_case;

enum { MAX_N = 700 };

clprims_merge *merge_plan(const merge_order *order, const char *tuning, size_t payload_bytes) {
    clprims_merge_desc desc = {.type = order->type, .custom = order->custom, .less = order->text};
    desc.max_n = desc.max_n_b = MAX_N;
    desc.payload_bytes = payload_bytes;
    desc.tuning = tuning;
    test_needs_types(order->type, order->type);
    return subject_made_plan(&subject_merge, &desc);
}

/* Every pair of sizes around the tile, each with other data and another way to be called. */
static void merged(const void *data) {
    const plan_case *p = data;
    const size_t tile = p->how->tile,
                 sizes[] = {0, 1, 2, tile - 1, tile, tile + 1, 3 * tile + 1, MAX_N};
    const size_t count = sizeof sizes / sizeof sizes[0];
    clprims_merge *plan = merge_plan(&p->order, p->how->tuning, p->payload_bytes);
    size_t turn = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++, turn++) {
            if (test_small() && (sizes[i] + sizes[j] > 100 || turn % 3 != 0)) continue;
            if (sizes[i] > MAX_N || sizes[j] > MAX_N) continue;
            const merge_case c = {.order = p->order,
                                  .data = (merge_data)(turn % MERGE_DATA_KINDS),
                                  .payload_bytes = p->payload_bytes,
                                  .n_a = sizes[i],
                                  .n_b = sizes[j],
                                  .first = turn % 4,
                                  .by_run = turn % 9 == 8};
            merge_run_is_right(plan, &c);
        }
    }
}

static void every_n(const void *data) {
    const plan_case *p = data;
    clprims_merge *plan = merge_plan(&p->order, p->how->tuning, p->payload_bytes);
    const size_t most = test_small() ? 30 : 3 * p->how->tile;
    for (size_t n = 0; n <= most; n++) {
        const size_t n_a = test_random_below(n + 1);
        const merge_case c = {.order = p->order,
                              .data = (merge_data)(n % (MERGE_DATA_KINDS - 1)),
                              .payload_bytes = p->payload_bytes,
                              .n_a = n_a,
                              .n_b = n - n_a,
                              .first = n % 3};
        merge_run_is_right(plan, &c);
    }
}

/* ---- Parameters ---- */

static void parameters_order(const void *data) {
    const way *how = data;
    const clprims_merge_desc *desc = SUBJECT_CUSTOM_DESC(merge, MERGE_SIGNS, .max_n = 100,
                                                         .max_n_b = 100, .tuning = how->tuning);
    merge_parameters_are_right(&subject_merge, desc);
}

/* ---- Describe ---- */

static void describes(void) {
    clprims_merge_info info = {0};
    const merge_order order = merge_order_of(CLPRIMS_I32);
    clprims_merge *plan = merge_plan(&order, "GROUP=8 ITEMS=3", 0);
    expect_ok(clprims_merge_describe(plan, 20, (clprims_merge_sizes){29}, &info));
    assert_int_equal(info.group, 8);
    assert_int_equal(info.tile, 24);
    assert_int_equal(info.groups, 3);
    assert_int_equal(info.scratch_bytes, 8 * ((2 * MAX_N + 23) / 24));
    assert_string_equal(info.variant, "tiles");
    expect_ok(clprims_merge_describe(plan, 0, (clprims_merge_sizes){0}, &info));
    assert_int_equal(info.groups, 1);
    plan = merge_plan(&order, "GROUP=1 GROUPS=1", 0);
    expect_ok(clprims_merge_describe(plan, MAX_N, (clprims_merge_sizes){MAX_N}, &info));
    assert_int_equal(info.tile, 0);
    assert_string_equal(info.variant, "serial");
}

/* Elements of every size get tiles that the device has room for. */
static void large_elements_fit(void) {
    clprims_merge_info info = {0};
    clprims_merge_desc desc = {.type = CLPRIMS_STRUCT,
                               .custom.declarations = "typedef struct { uint words[64]; } page;",
                               .custom.type_name = "page",
                               .custom.type_bytes = 256,
                               .less = "a.words[0] < b.words[0]"};
    desc.max_n = desc.max_n_b = 10;
    clprims_merge *plan = subject_made_plan(&subject_merge, &desc);
    expect_ok(clprims_merge_describe(plan, 10, (clprims_merge_sizes){10}, &info));
    assert_true(info.tile <= 256);
}

/* ---- Cases ---- */

static void add_plan(test_cases *cases, test_function *run, const char *what,
                     const merge_order *order, const way *how, size_t payload_bytes) {
    const plan_case p = {*order, how, payload_bytes};
    test_add_row(cases, run, p, "merge/%s/%s/%s/payload=%zu", what, order->name, how->name,
                 payload_bytes);
}

/* Payloads of 3, 4, 12 and 16 bytes have elements of another kind each. */
static void add_types(test_cases *cases) {
    static const size_t payloads[] = {0, 4, 12, 0, 3, 16, 0, 1, 0, 2, 8};
    for (int type = CLPRIMS_I8; type <= CLPRIMS_F64; type++) {
        const merge_order order = merge_order_of((clprims_type)type);
        const bool now =
            type == CLPRIMS_I16 || type == CLPRIMS_I32 || type == CLPRIMS_U8 || type >= CLPRIMS_F32;
        for (size_t w = 0; w < 3; w++) {
            if (!test_long() && (!now || w != (size_t)type % 3)) continue;
            add_plan(cases, merged, "types", &order, &merge_ways[w], payloads[type]);
        }
    }
}

/* Payloads of more bytes than a built-in type has. */
static void add_wide(test_cases *cases) {
    static const size_t payloads[] = {33, 256, 96};
    const merge_order order = merge_order_of(CLPRIMS_U16);
    for (size_t w = 0; w < 3; w++) {
        add_plan(cases, merged, "wide", &order, &merge_ways[w], payloads[w]);
    }
}

static void add_counted(test_cases *cases) {
    clprims_merge_desc desc = {.type = CLPRIMS_I16};
    desc.max_n = desc.max_n_b = test_small() ? 100 : MAX_N;
    for (size_t w = 0; w < 2; w++) {
        char name[32];
        desc.tuning = merge_ways[w].tuning;
        snprintf(name, sizeof name, "merge/counted/%s", merge_ways[w].name);
        subject_add_counted(cases, &subject_merge, &desc, merge_ways[w].tile, false, name);
    }
}

void test_program(test_cases *cases) {
    const merge_order words = merge_order_of(CLPRIMS_U32);
    add_types(cases);
    add_wide(cases);
    add_plan(cases, merged, "custom", &merge_weights, &merge_ways[0], 12);
    add_plan(cases, merged, "custom", &merge_weights, &merge_ways[1], 0);
    if (!test_small()) add_plan(cases, merged, "wide", &words, &merge_ways[3], 8);
    add_plan(cases, every_n, "every-n", &merge_weights, &merge_ways[1], 0);
    add_plan(cases, every_n, "every-n", &merge_weights, &merge_ways[2], 4);
    add_plan(cases, every_n, "every-n", &merge_weights, &merge_ways[0], 12);
    for (size_t w = 0; w < 2; w++) {
        test_add_row(cases, parameters_order, merge_ways[w], "merge/parameters/%s",
                     merge_ways[w].name);
    }
    test_add_plain(cases, describes, "merge/describe");
    test_add_plain(cases, large_elements_fit, "merge/large-elements");
    add_counted(cases);
    merge_add_refusals(cases);
}
