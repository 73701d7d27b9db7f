/* SPDX-License-Identifier: MIT */
/* The calls of list scan: those that it shares with list ranking, and its own. */
#include "fixtures/list/list_interface.h"
#include "fixtures/list/listscan_cases.h"

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
    subject_is_refused(&subject_listscan, desc, status, part);
}

static void create_refuses(const void *data) {
    (void)data;
    clprims_listscan_desc desc = desc_of(10);
    const clprims_status wrong = CLPRIMS_ERR_ARGUMENT;
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
    expect_no_plan(&desc, CLPRIMS_ERR_UNSUPPORTED, "listscan: COARSE = 1 does not count max_n = ");
}

/* A plan for 10 elements and its buffers, of the very size they need. */
typedef struct calls {
    clprims_listscan *plan;
    test_buffer next, values, out;
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
    return c;
}

static void calls_end(calls *c) {
    test_buffer_release(&c->next);
    test_buffer_release(&c->values);
    test_buffer_release(&c->out);
    clprims_listscan_destroy(c->plan);
}

static void enqueue_refuses_values(const void *data) {
    (void)data;
    const clprims_listscan_desc desc = desc_of(10);
    subject_data d = {.of = &subject_listscan, .desc = &desc, .n = {10}, .most = {10}};
    void *plan = NULL;
    subject_enqueue_refuses(&d);
    expect_ok(subject_plan(&d, test_context(), NULL, &plan));
    subject_draw(&d);
    subject_enqueue_is_right(&d, plan);
    subject_free(&d);
    subject_listscan.destroy(plan);
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

static void run_values(const void *data) {
    (void)data;
    const int32_t next[5] = {3, -1, 0, 1, 2}, values[5] = {10, 20, 30, 40, 50};
    const int32_t expected[5] = {80, 130, 50, 90, 0};
    const clprims_listscan_desc desc = desc_of(5);
    clprims_listscan *plan = listscan_create(&desc);
    test_array out = test_array_create(NULL, 5, 4), before = test_array_create(NULL, 5, 4);
    expect_failure(clprims_listscan_run(plan, next, NULL, out.values, 4, 5), CLPRIMS_ERR_ARGUMENT,
                   "values is NULL");
    assert_memory_equal(out.values, before.values, out.bytes);
    expect_ok(clprims_listscan_run(plan, next, values, out.values, CLPRIMS_LIST_FIND_HEAD, 5));
    test_array_expect_guards(&out);
    expect_values(CLPRIMS_I32, expected, out.values, 5);
    test_array_free(&out);
    test_array_free(&before);
    clprims_listscan_destroy(plan);
}

/* The scan of ones, whose sums are the ranks. */
#define ONES(link_)                                                                                \
    {                                                                                              \
        .struct_size = sizeof(clprims_listscan_desc),                                              \
        .custom.struct_size = sizeof(clprims_custom), .type = CLPRIMS_I32, .link = link_,          \
        .input = "1", .no_input_array = 1                                                          \
    }

void listscan_add_calls(test_cases *cases) {
    static const clprims_listscan_desc narrow = ONES(CLPRIMS_I32), wide = ONES(CLPRIMS_I64),
                                       floats = ONES(CLPRIMS_F32);
    const list_interface interface = {&subject_listscan,
                                      &narrow,
                                      &wide,
                                      &floats,
                                      "listscan: COARSE = 1",
                                      .result = 2,
                                      .report = 3,
                                      .has_head = true,
                                      100000 * 8,
                                      SIZE_MAX};
    list_interface_add(cases, &interface);
    test_add(cases, create_refuses, NULL, 0, "listscan/create/refuses-types");
    test_add(cases, knobs_are_refused, NULL, 0, "listscan/create/refuses-knobs/messages");
    test_add(cases, enqueue_refuses_values, NULL, 0, "listscan/enqueue/refuses-values");
    test_add(cases, refuses_values, NULL, 0, "listscan/enqueue/no-input-array");
    test_add(cases, onto_inputs, NULL, 0, "listscan/onto-inputs");
    test_add(cases, run_values, NULL, 0, "listscan/run/values");
}
