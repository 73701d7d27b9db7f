/* SPDX-License-Identifier: MIT */
/* The calls of list ranking: wrong arguments and their messages, run, events, n = 0. */
#include "fixtures/list_cases.h"

#include <stdlib.h>
#include <string.h>

static clprims_list_desc desc_of(size_t max_n) {
    clprims_list_desc desc = CLPRIMS_LIST_DESC_INIT;
    desc.max_n = max_n;
    return desc;
}

static void expect_no_plan(const clprims_list_desc *desc, clprims_status status, const char *part) {
    int unset;
    clprims_list *plan = (clprims_list *)&unset;
    expect_failure(clprims_list_create(&plan, test_context(), desc), status, part);
    assert_null(plan);
}

static void create_refuses(const void *data) {
    (void)data;
    clprims_list *plan = NULL;
    clprims_list_desc desc = desc_of(10);
    expect_failure(clprims_list_create(NULL, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "out is NULL");
    expect_failure(clprims_list_create(&plan, NULL, &desc), CLPRIMS_ERR_ARGUMENT,
                   "context is NULL");
    expect_no_plan(NULL, CLPRIMS_ERR_ARGUMENT, "desc is NULL");
    desc.struct_size = 3;
    expect_no_plan(&desc, CLPRIMS_ERR_ARGUMENT, "struct_size = 3");
    desc = desc_of(0);
    expect_no_plan(&desc, CLPRIMS_ERR_ARGUMENT, "max_n = 0");
    desc = desc_of((size_t)1 << 31);
    expect_no_plan(&desc, CLPRIMS_ERR_TOO_LARGE, "max_n = 2147483648 exceeds 2147483647");
    desc.link = CLPRIMS_I64;
    desc.max_n = SIZE_MAX;
    expect_no_plan(&desc, CLPRIMS_ERR_TOO_LARGE, "max_n = 18446744073709551615");
    desc = desc_of(10);
    desc.link = CLPRIMS_F32;
    expect_no_plan(&desc, CLPRIMS_ERR_ARGUMENT, "link = 9 (float32)");
    desc = desc_of(10);
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
    desc = desc_of(100000);
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
    desc.tuning = "SUBLISTS=3";
    expect_no_plan(&desc, CLPRIMS_ERR_ARGUMENT, "SUBLISTS=3");
    desc.tuning = "GROUP=3";
    expect_no_plan(&desc, CLPRIMS_ERR_ARGUMENT, "GROUP=3");
}

/* A plan for 10 elements and its buffers, of the very size they need. */
typedef struct calls {
    clprims_list *plan;
    test_buffer next, rank, report;
} calls;

static calls calls_begin(void) {
    const int32_t next[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, -1};
    calls c = {list_create(CLPRIMS_I32, &list_settings[0], 10),
               {{NULL, 0}, 0, 0, 0},
               {{NULL, 0}, 0, 0, 0},
               {{NULL, 0}, 0, 0, 0}};
    c.next = test_buffer_create(next, 10, 4, 0);
    c.rank = test_buffer_create(NULL, 10, 4, 0);
    c.report = test_buffer_create(NULL, 1, sizeof(clprims_list_report), 0);
    return c;
}

static void calls_end(calls *c) {
    test_buffer_release(&c->next);
    test_buffer_release(&c->rank);
    test_buffer_release(&c->report);
    clprims_list_destroy(c->plan);
}

static void expect_refused(const calls *c, clprims_buffer next, clprims_buffer rank, int64_t head,
                           size_t n, clprims_buffer report, clprims_status status,
                           const char *part) {
    expect_failure(
        clprims_list_enqueue(c->plan, test_queue(), next, rank, head, n, report, 0, NULL, NULL),
        status, part);
}

static void enqueue_refuses(const void *data) {
    (void)data;
    calls c = calls_begin();
    const clprims_buffer next = c.next.at, rank = c.rank.at, report = c.report.at;
    const clprims_buffer none = {NULL, 0};
    const clprims_buffer next_far = {next.mem, 100000}, rank_far = {rank.mem, 100000};
    const clprims_buffer report_far = {report.mem, 1000}, next_1 = {next.mem, 1};
    const clprims_status wrong = CLPRIMS_ERR_ARGUMENT;
    expect_failure(
        clprims_list_enqueue(NULL, test_queue(), next, rank, 0, 10, report, 0, NULL, NULL), wrong,
        "list is NULL");
    expect_failure(clprims_list_enqueue(c.plan, NULL, next, rank, 0, 10, report, 0, NULL, NULL),
                   wrong, "queue is NULL");
    expect_refused(&c, next, rank, 0, 11, report, CLPRIMS_ERR_TOO_LARGE,
                   "n = 11 exceeds max_n = 10");
    expect_refused(&c, next, rank, 10, 10, report, wrong, "head = 10 is not in [0, n = 10)");
    expect_refused(&c, next, rank, -2, 10, report, wrong, "head = -2");
    expect_refused(&c, next, rank, INT64_MAX, 10, report, wrong, "head = 9223372036854775807");
    expect_refused(&c, next, rank, 0, 0, report, wrong, "head = 0 is not in [0, n = 0)");
    expect_refused(&c, none, rank, 0, 10, report, wrong, "next.mem is NULL");
    expect_refused(&c, next, none, 0, 10, report, wrong, "rank.mem is NULL");
    expect_refused(&c, next_far, rank, 0, 10, report, wrong, "first = 100000");
    expect_refused(&c, next, rank_far, 0, 10, report, wrong, "first = 100000");
    expect_refused(&c, next, rank, 0, 10, report_far, wrong, "first = 1000");
    expect_refused(&c, next, rank, 0, 10, rank, wrong, "report (first = 0, n = 1) overlaps rank");
    expect_refused(&c, next, next, 0, 10, report, wrong, "overlaps");
    expect_refused(&c, next_1, next, 0, 9, report, wrong, "overlaps");
    test_buffer_expect_unchanged(&c.rank, NULL);
    test_buffer_expect_unchanged(&c.report, NULL);
    expect_ok(clprims_list_enqueue(c.plan, test_queue(), next, rank, 0, 10, none, 0, NULL, NULL));
    int32_t ranks[10];
    test_buffer_read(&c.rank, ranks);
    for (int i = 0; i < 10; i++) assert_int_equal(ranks[i], i);
    calls_end(&c);
}

static void empty(const void *data) {
    (void)data;
    calls c = calls_begin();
    const clprims_buffer none = {NULL, 0};
    clprims_list_report report;
    cl_event event = NULL;
    expect_ok(clprims_list_enqueue(c.plan, test_queue(), none, none, CLPRIMS_LIST_FIND_HEAD, 0,
                                   c.report.at, 0, NULL, NULL));
    test_buffer_read(&c.report, &report);
    assert_int_equal(report.fault, CLPRIMS_LIST_VALID);
    assert_int_equal(report.index, -1);
    assert_int_equal(report.other, -1);
    assert_int_equal(report.head, -1);
    expect_ok(clprims_list_enqueue(c.plan, test_queue(), none, none, CLPRIMS_LIST_FIND_HEAD, 0,
                                   none, 0, NULL, &event));
    expect_cl(clWaitForEvents(1, &event));
    expect_cl(clReleaseEvent(event));
    expect_ok(clprims_list_run(c.plan, NULL, NULL, CLPRIMS_LIST_FIND_HEAD, 0));
    calls_end(&c);
}

static clprims_status submit(void *plan, cl_command_queue queue, clprims_buffer next,
                             clprims_buffer rank, const cl_event *after, cl_event *done) {
    const clprims_buffer none = {NULL, 0};
    return clprims_list_enqueue(plan, queue, next, rank, CLPRIMS_LIST_FIND_HEAD, LIST_CHAINED, none,
                                1, after, done);
}

static void out_of_order(const void *data) {
    (void)data;
    clprims_list *plan = list_create(CLPRIMS_I32, &list_settings[0], LIST_CHAINED);
    list_expect_chained(submit, plan);
    clprims_list_destroy(plan);
}

static void run_plain(const void *data) {
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
    expect_failure(clprims_list_run(plan, good, rank.values, 3, 5), CLPRIMS_ERR_DATA,
                   "head = 3 is not the first element: next[0] names it");
    expect_failure(clprims_list_run(plan, NULL, rank.values, 4, 5), CLPRIMS_ERR_ARGUMENT,
                   "next is NULL");
    expect_failure(clprims_list_run(plan, good, NULL, 4, 5), CLPRIMS_ERR_ARGUMENT, "rank is NULL");
    expect_failure(clprims_list_run(plan, good, rank.values, 4, 6), CLPRIMS_ERR_TOO_LARGE,
                   "n = 6 exceeds max_n = 5");
    expect_failure(clprims_list_run(NULL, good, rank.values, 4, 5), CLPRIMS_ERR_ARGUMENT,
                   "list is NULL");
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

static void scratch(const void *data) {
    (void)data;
    clprims_list *plan = list_create(CLPRIMS_I32, &list_settings[0], 100000);
    assert_int_equal(clprims_list_scratch_bytes(NULL), 0);
    assert_in_range(clprims_list_scratch_bytes(plan), 1, 100000 * 12);
    clprims_list_destroy(plan);
    clprims_list_destroy(NULL);
}

void list_add_calls(test_cases *cases) {
    test_add(cases, create_refuses, NULL, 0, "list/create/refuses");
    test_add(cases, enqueue_refuses, NULL, 0, "list/enqueue/refuses");
    test_add(cases, empty, NULL, 0, "list/n=0");
    test_add(cases, out_of_order, NULL, 0, "list/out-of-order-queue");
    test_add(cases, run_plain, NULL, 0, "list/run");
    test_add(cases, run_order, NULL, 0, "list/run/order");
    test_add(cases, messages, NULL, 0, "list/check/messages");
    test_add(cases, scratch, NULL, 0, "list/scratch-bytes");
}
