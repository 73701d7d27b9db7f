/* SPDX-License-Identifier: MIT */
/* The calls of list ranking: those that it shares with list scan, and its own. */
#include "fixtures/list/list_interface.h"

#include <stdlib.h>
#include <string.h>

static clprims_list_desc desc_of(size_t max_n) {
    clprims_list_desc desc = CLPRIMS_LIST_DESC_INIT;
    desc.max_n = max_n;
    return desc;
}

static void expect_no_plan(const clprims_list_desc *desc, clprims_status status, const char *part) {
    subject_is_refused(&subject_list, desc, status, part);
}

static void create_refuses(const void *data) {
    (void)data;
    clprims_list_desc desc = desc_of(10);
    desc.result = (clprims_list_result)2;
    expect_no_plan(&desc, CLPRIMS_ERR_ARGUMENT, "result = 2");
    desc = desc_of(10);
    desc.algorithm = (clprims_list_algorithm)4;
    expect_no_plan(&desc, CLPRIMS_ERR_ARGUMENT, "algorithm = 4");
    desc = desc_of(10);
    desc.result = CLPRIMS_LIST_ORDER;
    desc.algorithm = CLPRIMS_LIST_IN_PLACE;
    expect_no_plan(&desc, CLPRIMS_ERR_UNSUPPORTED, "order can't be written in place");
    desc = desc_of(INT32_MAX);
    desc.algorithm = CLPRIMS_LIST_IN_PLACE;
    expect_no_plan(&desc, CLPRIMS_ERR_TOO_LARGE, "max_n = 2147483647 leaves no room");
    desc = desc_of((size_t)1 << 33);
    desc.link = CLPRIMS_I64;
    desc.algorithm = CLPRIMS_LIST_VISIT_LOG;
    expect_no_plan(&desc, CLPRIMS_ERR_TOO_LARGE, "max_n = 8589934592 exceeds 4294967294");
}

static void create_refuses_knobs(const void *data) {
    (void)data;
    clprims_list_desc desc = desc_of(100000);
    desc.algorithm = CLPRIMS_LIST_VISIT_LOG;
    desc.tuning = "WINDOW=3 SORT_GROUP=1 BUCKETS=2";
    expect_no_plan(&desc, CLPRIMS_ERR_TOO_LARGE, "more than BUCKETS = 2");
    desc.tuning = "SORT_GROUP=32 BUCKETS=2";
    expect_no_plan(&desc, CLPRIMS_ERR_UNSUPPORTED, "BUCKETS = 2 is less than SORT_GROUP = 32");
    desc = desc_of((size_t)1 << 33);
    desc.link = CLPRIMS_I64;
    desc.tuning = "COARSE=1";
    expect_no_plan(&desc, CLPRIMS_ERR_UNSUPPORTED,
                   "COARSE = 1 does not count max_n = 8589934592 elements in 32 bits; 2 is");
    desc = desc_of(10);
    desc.tuning = "GROUP=3";
    expect_no_plan(&desc, CLPRIMS_ERR_ARGUMENT, "GROUP=3");
}

/* The result must not overlap the links. */
static void overlaps(const void *data) {
    (void)data;
    const int32_t links[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, -1};
    const clprims_buffer none = {NULL, 0};
    clprims_list *plan = list_create(CLPRIMS_I32, &list_settings[0], 10);
    test_buffer next = test_buffer_create(links, 10, 4, 0);
    const clprims_buffer second = {next.at.mem, 1};
    expect_failure(
        clprims_list_enqueue(plan, test_queue(), next.at, next.at, 0, 10, none, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "overlaps");
    expect_failure(
        clprims_list_enqueue(plan, test_queue(), second, next.at, 0, 9, none, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "overlaps");
    test_buffer_expect_unchanged(&next, links);
    test_buffer_release(&next);
    clprims_list_destroy(plan);
}

/* Messages print int64 links, too. */
static void run_int64(const void *data) {
    (void)data;
    const int64_t good[5] = {3, -1, 0, 1, 2};
    const int64_t twice[5] = {3, -1, 3, 1, 2};
    const int64_t expected[5] = {2, 4, 1, 3, 0};
    clprims_list *plan = list_create(CLPRIMS_I64, &list_settings[0], 5);
    test_array rank = test_array_create(NULL, 5, 8);
    test_array before = test_array_create(NULL, 5, 8);
    expect_failure(clprims_list_run(plan, twice, rank.values, 4, 5), CLPRIMS_ERR_DATA,
                   "next[0] = 3 is also next[2]");
    assert_memory_equal(rank.values, before.values, rank.bytes);
    expect_ok(clprims_list_run(plan, good, rank.values, CLPRIMS_LIST_FIND_HEAD, 5));
    test_array_expect_guards(&rank);
    expect_values(CLPRIMS_I64, expected, rank.values, 5);
    test_array_free(&rank);
    test_array_free(&before);
    clprims_list_destroy(plan);
}

static void run_order(const void *data) {
    (void)data;
    const int32_t good[5] = {3, -1, 0, 1, 2};
    const int32_t cut[5] = {-1, -1, 0, 1, 2};
    const int32_t expected[5] = {4, 2, 0, 3, 1};
    const list_setting setting = {"", NULL, CLPRIMS_LIST_AUTO, CLPRIMS_LIST_ORDER};
    clprims_list *plan = list_create(CLPRIMS_I32, &setting, 5);
    test_array order = test_array_create(NULL, 5, 4);
    test_array before = test_array_create(NULL, 5, 4);
    expect_failure(clprims_list_run(plan, cut, order.values, CLPRIMS_LIST_FIND_HEAD, 5),
                   CLPRIMS_ERR_DATA, "next[0] and next[1] are both -1");
    expect_failure(clprims_list_run(plan, good, NULL, 4, 5), CLPRIMS_ERR_ARGUMENT, "order is NULL");
    assert_memory_equal(order.values, before.values, order.bytes);
    expect_ok(clprims_list_run(plan, good, order.values, CLPRIMS_LIST_FIND_HEAD, 5));
    test_array_expect_guards(&order);
    expect_values(CLPRIMS_I32, expected, order.values, 5);
    test_array_free(&order);
    test_array_free(&before);
    clprims_list_destroy(plan);
}

static void messages(const void *data) {
    (void)data;
    static const struct {
        clprims_list_report report;
        clprims_status status;
        const char *part;
    } cases[] = {
        {{CLPRIMS_LIST_LINK_RANGE, 5, 93, 0}, CLPRIMS_ERR_DATA, "list: next[5] = 93 is neither"},
        {{CLPRIMS_LIST_TWO_TAILS, 2, 7, 0},
         CLPRIMS_ERR_DATA,
         "list: next[2] and next[7] are both -1"},
        {{CLPRIMS_LIST_NO_TAIL, -1, -1, 0}, CLPRIMS_ERR_DATA, "list: no link is -1"},
        {{CLPRIMS_LIST_SAME_SUCCESSOR, 4, 17, 0},
         CLPRIMS_ERR_DATA,
         "list: next[4] is also next[17]: two elements have the same successor"},
        {{CLPRIMS_LIST_CYCLE, 4, -1, 9},
         CLPRIMS_ERR_DATA,
         "list: element 4 is on a cycle, which head = 9 does not reach"},
        {{CLPRIMS_LIST_HEAD, 4, 17, 4},
         CLPRIMS_ERR_DATA,
         "list: head = 4 is not the first element: next[17] names it"},
        {{CLPRIMS_LIST_INVALID, -1, -1, 4}, CLPRIMS_ERR_DATA, "list: "},
        {{99, -1, -1, 4}, CLPRIMS_ERR_ARGUMENT, "report.fault = 99"},
        {{-1, -1, -1, 4}, CLPRIMS_ERR_ARGUMENT, "report.fault = -1"},
    };
    const clprims_list_report good = {CLPRIMS_LIST_VALID, -1, -1, 3};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        expect_failure(clprims_list_check(&cases[k].report), cases[k].status, cases[k].part);
    }
    expect_ok(clprims_list_check(&good));
    expect_failure(clprims_list_check(NULL), CLPRIMS_ERR_ARGUMENT, "report is NULL");
}

void list_add_calls(test_cases *cases) {
    static const clprims_list_desc narrow = {.struct_size = sizeof narrow, .link = CLPRIMS_I32},
                                   wide = {.struct_size = sizeof wide, .link = CLPRIMS_I64},
                                   floats = {.struct_size = sizeof floats, .link = CLPRIMS_F32};
    const list_interface interface = {
        &subject_list, &narrow,          &wide, &floats,    "list: COARSE = 1", .result = 1,
        .report = 2,   .has_head = true, 1,     100000 * 12};
    list_interface_add(cases, &interface);
    test_add(cases, create_refuses, NULL, 0, "list/create/refuses-algorithms");
    test_add(cases, create_refuses_knobs, NULL, 0, "list/create/refuses-knobs/messages");
    test_add(cases, overlaps, NULL, 0, "list/enqueue/refuses-overlaps");
    test_add(cases, run_int64, NULL, 0, "list/run/int64");
    test_add(cases, run_order, NULL, 0, "list/run/order");
    test_add(cases, messages, NULL, 0, "list/check/messages");
}
