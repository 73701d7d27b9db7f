/* SPDX-License-Identifier: MIT */
/* The calls of list scan: wrong arguments and their messages, run, places, events, n = 0. */
#include "fixtures/listscan_cases.h"

#include <stdlib.h>
#include <string.h>

static clprims_listscan_desc desc_of(size_t max_n) {
    clprims_listscan_desc desc = CLPRIMS_LISTSCAN_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.max_n = max_n;
    return desc;
}

static void expect_no_plan(const clprims_listscan_desc *desc, clprims_status status,
                           const char *part) {
    int unset;
    clprims_listscan *plan = (clprims_listscan *)&unset;
    expect_failure(clprims_listscan_create(&plan, test_context(), desc), status, part);
    assert_null(plan);
}

static void create_refuses(const void *data) {
    (void)data;
    clprims_listscan *plan = NULL;
    clprims_listscan_desc desc = desc_of(10);
    const clprims_status wrong = CLPRIMS_ERR_ARGUMENT;
    expect_failure(clprims_listscan_create(NULL, test_context(), &desc), wrong, "out is NULL");
    expect_failure(clprims_listscan_create(&plan, NULL, &desc), wrong, "context is NULL");
    expect_no_plan(NULL, wrong, "desc is NULL");
    desc.struct_size = 3;
    expect_no_plan(&desc, wrong, "listscan: desc.struct_size = 3");
    desc = desc_of(0);
    expect_no_plan(&desc, wrong, "max_n = 0");
    desc = desc_of((size_t)1 << 31);
    expect_no_plan(&desc, CLPRIMS_ERR_TOO_LARGE, "max_n = 2147483648 exceeds 2147483647");
    desc.link = CLPRIMS_I64;
    desc.max_n = SIZE_MAX;
    expect_no_plan(&desc, CLPRIMS_ERR_TOO_LARGE, "max_n = 18446744073709551615");
    desc = desc_of(10);
    desc.link = CLPRIMS_F32;
    expect_no_plan(&desc, wrong, "link = 9 (float32)");
    desc = desc_of(10);
    desc.type = CLPRIMS_TYPE_DEFAULT;
    expect_no_plan(&desc, wrong, "listscan: type = 0 is none of clprims_type");
    desc.type = (clprims_type)99;
    expect_no_plan(&desc, wrong, "type = 99");
    desc = desc_of(10);
    desc.accumulator = (clprims_type)-1;
    expect_no_plan(&desc, wrong, "accumulator = -1");
    desc = desc_of(10);
    desc.op = (clprims_op)8;
    expect_no_plan(&desc, wrong, "op = 8");
    desc.op = CLPRIMS_CUSTOM;
    expect_no_plan(&desc, wrong, "CLPRIMS_CUSTOM needs custom.op");
    desc.custom.op = "a + b";
    expect_no_plan(&desc, wrong, "an exclusive scan by a custom operator needs its first output");
    desc = desc_of(10);
    desc.type = CLPRIMS_STRUCT;
    expect_no_plan(&desc, wrong, "CLPRIMS_STRUCT needs custom.type_name");
    desc = desc_of(10);
    desc.type = CLPRIMS_F32;
    desc.op = CLPRIMS_XOR;
    expect_no_plan(&desc, CLPRIMS_ERR_UNSUPPORTED, "operator xor is not defined for float32");
    desc = desc_of(10);
    desc.no_input_array = 1;
    expect_no_plan(&desc, wrong, "no_input_array without desc.input");
    desc = desc_of(10);
    desc.input = "x + undeclared";
    expect_no_plan(&desc, CLPRIMS_ERR_BUILD, "listscan: the OpenCL compiler refuses the program");
}

static void knobs_are_refused(const void *data) {
    (void)data;
    clprims_listscan_desc desc = desc_of((size_t)1 << 40);
    desc.link = CLPRIMS_I64;
    desc.tuning = "CHUNK=40";
    expect_no_plan(&desc, CLPRIMS_ERR_TOO_LARGE, "max_n = 1099511627776 takes");
    desc = desc_of((size_t)1 << 33);
    desc.link = CLPRIMS_I64;
    desc.tuning = "COARSE=1";
    expect_no_plan(&desc, CLPRIMS_ERR_UNSUPPORTED,
                   "listscan: COARSE = 1; the least that counts max_n elements in 32 bits is 2");
    desc = desc_of(10);
    desc.tuning = "SUBLISTS=3";
    expect_no_plan(&desc, CLPRIMS_ERR_ARGUMENT, "SUBLISTS=3");
}

/* A plan for 10 elements and its buffers, of the very size they need. */
typedef struct calls {
    clprims_listscan *plan;
    test_buffer next, values, out, report;
} calls;

static const int32_t links[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, -1};
static const int32_t numbers[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
static const int32_t sums[10] = {0, 1, 3, 6, 10, 15, 21, 28, 36, 45};

static calls calls_begin(void) {
    const clprims_listscan_desc desc = desc_of(10);
    calls c;
    c.plan = listscan_create(&desc);
    c.next = test_buffer_create(links, 10, 4, 0);
    c.values = test_buffer_create(numbers, 10, 4, 0);
    c.out = test_buffer_create(NULL, 10, 4, 0);
    c.report = test_buffer_create(NULL, 1, sizeof(clprims_list_report), 0);
    return c;
}

static void calls_end(calls *c) {
    test_buffer_release(&c->next);
    test_buffer_release(&c->values);
    test_buffer_release(&c->out);
    test_buffer_release(&c->report);
    clprims_listscan_destroy(c->plan);
}

typedef struct refused {
    clprims_buffer next, values, out, report;
    int64_t head;
    size_t n;
} refused;

static void expect_refused(const calls *c, refused r, clprims_status status, const char *part) {
    expect_failure(clprims_listscan_enqueue(c->plan, test_queue(), r.next, r.values, r.out, r.head,
                                            r.n, r.report, 0, NULL, NULL),
                   status, part);
}

static void enqueue_refuses(const void *data) {
    (void)data;
    calls c = calls_begin();
    const clprims_status wrong = CLPRIMS_ERR_ARGUMENT;
    const clprims_buffer none = {NULL, 0};
    const refused good = {c.next.at, c.values.at, c.out.at, c.report.at, 0, 10};
    refused r = good;
    expect_failure(clprims_listscan_enqueue(NULL, test_queue(), r.next, r.values, r.out, 0, 10,
                                            r.report, 0, NULL, NULL),
                   wrong, "scan is NULL");
    expect_failure(clprims_listscan_enqueue(c.plan, NULL, r.next, r.values, r.out, 0, 10, r.report,
                                            0, NULL, NULL),
                   wrong, "queue is NULL");
    r.n = 11;
    expect_refused(&c, r, CLPRIMS_ERR_TOO_LARGE, "n = 11 exceeds max_n = 10");
    r = good, r.head = 10;
    expect_refused(&c, r, wrong, "head = 10 is not in [0, n = 10)");
    r = good, r.head = -2;
    expect_refused(&c, r, wrong, "head = -2");
    r = good, r.n = 0;
    expect_refused(&c, r, wrong, "head = 0 is not in [0, n = 0)");
    r = good, r.next = none;
    expect_refused(&c, r, wrong, "next.mem is NULL");
    r = good, r.values = none;
    expect_refused(&c, r, wrong, "values.mem is NULL");
    r = good, r.out = none;
    expect_refused(&c, r, wrong, "out.mem is NULL");
    r = good, r.next.first = 100000;
    expect_refused(&c, r, wrong, "next has room for");
    r = good, r.values.first = 100000;
    expect_refused(&c, r, wrong, "values has room for");
    r = good, r.out.first = SIZE_MAX;
    expect_refused(&c, r, wrong, "out has room for");
    r = good, r.report.first = 1000;
    expect_refused(&c, r, wrong, "report has room for");
    r = good, r.report = r.values;
    expect_refused(&c, r, wrong, "report (first = 0, n = 1) overlaps values");
    test_buffer_expect_unchanged(&c.out, NULL);
    test_buffer_expect_unchanged(&c.report, NULL);
    r = good;
    expect_ok(clprims_listscan_enqueue(c.plan, test_queue(), r.next, r.values, r.out, 0, 10, none,
                                       0, NULL, NULL));
    int32_t out[10];
    test_buffer_read(&c.out, out);
    assert_memory_equal(out, sums, sizeof sums);
    calls_end(&c);
}

static void refuses_values(const void *data) {
    (void)data;
    calls c = calls_begin();
    clprims_listscan_desc desc = desc_of(10);
    desc.no_input_array = 1;
    desc.input = "(int)i + 1";
    clprims_listscan *plan = listscan_create(&desc);
    const clprims_buffer none = {NULL, 0};
    expect_failure(clprims_listscan_enqueue(plan, test_queue(), c.next.at, c.values.at, c.out.at, 0,
                                            10, none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "the plan has no input array");
    int32_t out[10];
    expect_failure(clprims_listscan_run(plan, links, numbers, out, 0, 10), CLPRIMS_ERR_ARGUMENT,
                   "the plan has no input array");
    expect_ok(clprims_listscan_run(plan, links, NULL, out, 0, 10));
    assert_memory_equal(out, sums, sizeof sums);
    clprims_listscan_destroy(plan);
    calls_end(&c);
}

/* The output may lie on the values or the links, in any way. */
static void onto_inputs(const void *data) {
    (void)data;
    int32_t out[10];
    const clprims_buffer none = {NULL, 0};
    for (size_t first = 1; first < 4; first++) {
        for (int onto_links = 0; onto_links < 2; onto_links++) {
            calls c = calls_begin();
            test_buffer both = test_buffer_create(onto_links ? links : numbers, 10, 4, first);
            const clprims_buffer out_at = {both.at.mem, 1};
            const clprims_buffer next = onto_links ? both.at : c.next.at;
            const clprims_buffer values = onto_links ? c.values.at : both.at;
            expect_ok(clprims_listscan_enqueue(c.plan, test_queue(), next, values, out_at, 0, 10,
                                               none, 0, NULL, NULL));
            expect_cl(clEnqueueReadBuffer(test_queue(), both.at.mem, CL_TRUE, 4, sizeof out, out, 0,
                                          NULL, NULL));
            assert_memory_equal(out, sums, sizeof sums);
            test_buffer_release(&both);
            calls_end(&c);
        }
    }
}

static void empty(const void *data) {
    (void)data;
    calls c = calls_begin();
    const clprims_buffer none = {NULL, 0};
    const clprims_list_report expected = {CLPRIMS_LIST_VALID, -1, -1, -1};
    clprims_list_report report;
    cl_event event = NULL;
    expect_ok(clprims_listscan_enqueue(c.plan, test_queue(), none, none, none,
                                       CLPRIMS_LIST_FIND_HEAD, 0, c.report.at, 0, NULL, NULL));
    test_buffer_read(&c.report, &report);
    assert_memory_equal(&report, &expected, sizeof report);
    expect_ok(clprims_listscan_enqueue(c.plan, test_queue(), none, none, none,
                                       CLPRIMS_LIST_FIND_HEAD, 0, none, 0, NULL, &event));
    expect_cl(clWaitForEvents(1, &event));
    expect_cl(clReleaseEvent(event));
    expect_ok(clprims_listscan_run(c.plan, NULL, NULL, NULL, CLPRIMS_LIST_FIND_HEAD, 0));
    calls_end(&c);
}

static clprims_status submit(void *plan, cl_command_queue queue, clprims_buffer next,
                             clprims_buffer rank, const cl_event *after, cl_event *done) {
    const clprims_buffer none = {NULL, 0};
    return clprims_listscan_enqueue(plan, queue, next, none, rank, CLPRIMS_LIST_FIND_HEAD,
                                    LIST_CHAINED, none, 1, after, done);
}

/* The sums of ones are the ranks. */
static void out_of_order(const void *data) {
    (void)data;
    clprims_listscan_desc desc = desc_of(LIST_CHAINED);
    desc.input = "1";
    desc.no_input_array = 1;
    clprims_listscan *plan = listscan_create(&desc);
    list_expect_chained(submit, plan);
    clprims_listscan_destroy(plan);
}

static void run_plain(const void *data) {
    (void)data;
    const int32_t good[5] = {3, -1, 0, 1, 2}, twice[5] = {3, -1, 3, 1, 2};
    const int32_t values[5] = {10, 20, 30, 40, 50};
    const int32_t expected[5] = {80, 130, 50, 90, 0};
    const clprims_listscan_desc desc = desc_of(5);
    clprims_listscan *plan = listscan_create(&desc);
    test_array out = test_array_create(NULL, 5, 4), before = test_array_create(NULL, 5, 4);
    const clprims_status wrong = CLPRIMS_ERR_ARGUMENT;
    expect_failure(clprims_listscan_run(plan, twice, values, out.values, 4, 5), CLPRIMS_ERR_DATA,
                   "listscan: next[0] = 3 is also next[2]");
    expect_failure(clprims_listscan_run(plan, NULL, values, out.values, 4, 5), wrong,
                   "next is NULL");
    expect_failure(clprims_listscan_run(plan, good, NULL, out.values, 4, 5), wrong,
                   "values is NULL");
    expect_failure(clprims_listscan_run(plan, good, values, NULL, 4, 5), wrong, "out is NULL");
    expect_failure(clprims_listscan_run(plan, good, values, out.values, 4, 6),
                   CLPRIMS_ERR_TOO_LARGE, "n = 6 exceeds max_n = 5");
    expect_failure(clprims_listscan_run(NULL, good, values, out.values, 4, 5), wrong,
                   "scan is NULL");
    assert_memory_equal(out.values, before.values, out.bytes);
    expect_ok(clprims_listscan_run(plan, good, values, out.values, CLPRIMS_LIST_FIND_HEAD, 5));
    test_array_expect_guards(&out);
    expect_values(CLPRIMS_I32, expected, out.values, 5);
    test_array_free(&out);
    test_array_free(&before);
    clprims_listscan_destroy(plan);
}

static void scratch(const void *data) {
    (void)data;
    const clprims_listscan_desc desc = desc_of(100000);
    clprims_listscan *plan = listscan_create(&desc);
    assert_int_equal(clprims_listscan_scratch_bytes(NULL), 0);
    assert_true(clprims_listscan_scratch_bytes(plan) >= 100000 * 8);
    clprims_listscan_destroy(plan);
    clprims_listscan_destroy(NULL);
}

void listscan_add_calls(test_cases *cases) {
    test_add(cases, create_refuses, NULL, 0, "listscan/create/refuses");
    test_add(cases, knobs_are_refused, NULL, 0, "listscan/create/refuses-knobs");
    test_add(cases, enqueue_refuses, NULL, 0, "listscan/enqueue/refuses");
    test_add(cases, refuses_values, NULL, 0, "listscan/enqueue/no-input-array");
    test_add(cases, onto_inputs, NULL, 0, "listscan/onto-inputs");
    test_add(cases, empty, NULL, 0, "listscan/n=0");
    test_add(cases, out_of_order, NULL, 0, "listscan/out-of-order-queue");
    test_add(cases, run_plain, NULL, 0, "listscan/run");
    test_add(cases, scratch, NULL, 0, "listscan/scratch-bytes");
}
