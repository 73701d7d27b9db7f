/* SPDX-License-Identifier: MIT */
/* The calls of a forest's ranking: wrong arguments and their messages, run, places, n = 0. */
#include "fixtures/list/forest_cases.h"

#include <stdlib.h>

static clprims_forest_desc desc_of(size_t max_n) {
    clprims_forest_desc desc = CLPRIMS_FOREST_DESC_INIT;
    desc.max_n = max_n;
    return desc;
}

static void expect_no_plan(const clprims_forest_desc *desc, clprims_status status,
                           const char *part) {
    int unset;
    clprims_forest *plan = (clprims_forest *)&unset;
    expect_failure(clprims_forest_create(&plan, test_context(), desc), status, part);
    assert_null(plan);
}

static void create_refuses(const void *data) {
    (void)data;
    clprims_forest *plan = NULL;
    clprims_forest_desc desc = desc_of(10);
    const clprims_status wrong = CLPRIMS_ERR_ARGUMENT;
    expect_failure(clprims_forest_create(NULL, test_context(), &desc), wrong, "out is NULL");
    expect_failure(clprims_forest_create(&plan, NULL, &desc), wrong, "context is NULL");
    expect_no_plan(NULL, wrong, "desc is NULL");
    desc.struct_size = 3;
    expect_no_plan(&desc, wrong, "forest: desc.struct_size = 3");
    desc = desc_of(0);
    expect_no_plan(&desc, wrong, "forest: max_n = 0");
    desc = desc_of((size_t)1 << 31);
    expect_no_plan(&desc, CLPRIMS_ERR_TOO_LARGE, "max_n = 2147483648 exceeds 2147483647");
    desc = desc_of(10);
    desc.link = CLPRIMS_U32;
    expect_no_plan(&desc, wrong, "forest: desc.link = 7 (uint32)");
    desc = desc_of(10);
    desc.tuning = "SUBLISTS=3";
    expect_no_plan(&desc, wrong, "SUBLISTS=3");
}

/* Two lists, 3 -> 0 -> 1 and 4 -> 2. */
static const int32_t links[5] = {1, -1, -1, 0, 2};
static const int32_t ranks[5] = {1, 2, 1, 0, 0};
static const int32_t firsts[5] = {3, 3, 4, 3, 4};

static void enqueue_refuses(const void *data) {
    (void)data;
    const clprims_status wrong = CLPRIMS_ERR_ARGUMENT;
    const clprims_buffer none = {NULL, 0};
    cl_command_queue queue = test_queue();
    clprims_forest *plan = forest_create(&forest_settings[0], 5);
    test_buffer next = test_buffer_create(links, 5, 4, 0);
    test_buffer rank = test_buffer_create(NULL, 5, 4, 0), head = test_buffer_create(NULL, 5, 4, 0);
    test_buffer report = test_buffer_create(NULL, 1, sizeof(clprims_list_report), 0);
    const clprims_buffer far = {report.at.mem, 1000};
    const clprims_forest_arrays good = {
        sizeof(clprims_forest_arrays), next.at, rank.at, head.at, none, 0};
    clprims_forest_arrays a = good;
#define REFUSED(n, status, part)                                                                   \
    expect_failure(clprims_forest_enqueue(plan, queue, &a, n, report.at, 0, NULL, NULL), status,   \
                   part)
    expect_failure(clprims_forest_enqueue(NULL, queue, &a, 5, report.at, 0, NULL, NULL), wrong,
                   "plan is NULL");
    expect_failure(clprims_forest_enqueue(plan, NULL, &a, 5, report.at, 0, NULL, NULL), wrong,
                   "queue is NULL");
    expect_failure(clprims_forest_enqueue(plan, queue, NULL, 5, report.at, 0, NULL, NULL), wrong,
                   "arrays is NULL");
    expect_failure(clprims_forest_enqueue(plan, queue, &a, 5, far, 0, NULL, NULL), wrong,
                   "report has room for");
    REFUSED(6, CLPRIMS_ERR_TOO_LARGE, "n = 6 exceeds max_n = 5");
    a = good, a.next = none;
    REFUSED(5, wrong, "next.mem is NULL");
    a = good, a.rank.first = 100000;
    REFUSED(5, wrong, "rank has room for");
    a = good, a.head.first = 100000;
    REFUSED(5, wrong, "head has room for");
    a = good, a.head = a.rank;
    REFUSED(5, wrong, "head (first = 0, n = 5) overlaps rank (first = 0, n = 5)");
    a = good, a.rank = report.at;
    REFUSED(5, wrong, "report (first = 0, n = 1) overlaps rank");
    a = good, a.num_heads = 2;
    REFUSED(5, wrong, "num_heads = 2, but heads.mem is NULL");
    a = good, a.heads = next.at, a.num_heads = 6;
    REFUSED(5, wrong, "num_heads = 6 exceeds n = 5");
    a = good, a.heads = far, a.num_heads = 5;
    REFUSED(5, wrong, "heads has room for");
#undef REFUSED
    test_buffer_expect_unchanged(&rank, NULL);
    test_buffer_expect_unchanged(&head, NULL);
    test_buffer_expect_unchanged(&report, NULL);
    test_buffer *const buffers[] = {&next, &rank, &head, &report};
    for (size_t k = 0; k < 4; k++) test_buffer_release(buffers[k]);
    clprims_forest_destroy(plan);
}

/* The ranks may take the place of the links. */
static void onto_links(const void *data) {
    (void)data;
    clprims_forest *plan = forest_create(&forest_settings[0], 5);
    test_buffer next = test_buffer_create(links, 5, 4, 1);
    const clprims_buffer none = {NULL, 0};
    const clprims_forest_arrays arrays = {
        sizeof(clprims_forest_arrays), next.at, next.at, none, none, 0};
    int32_t out[5];
    expect_ok(clprims_forest_enqueue(plan, test_queue(), &arrays, 5, none, 0, NULL, NULL));
    test_buffer_read(&next, out);
    assert_memory_equal(out, ranks, sizeof ranks);
    test_buffer_release(&next);
    clprims_forest_destroy(plan);
}

static clprims_status submit(void *plan, cl_command_queue queue, clprims_buffer next,
                             clprims_buffer rank, const cl_event *after, cl_event *done) {
    const clprims_buffer none = {NULL, 0};
    const clprims_forest_arrays arrays = {sizeof(clprims_forest_arrays), next, rank, none, none, 0};
    return clprims_forest_enqueue(plan, queue, &arrays, LIST_CHAINED, none, 1, after, done);
}

static void out_of_order(const void *data) {
    (void)data;
    clprims_forest *plan = forest_create(&forest_settings[0], LIST_CHAINED);
    list_expect_chained(submit, plan);
    clprims_forest_destroy(plan);
}

static void run_plain(const void *data) {
    (void)data;
    const int32_t cycle[5] = {1, -1, 4, 0, 2};
    const int32_t shared[5] = {1, -1, 1, 0, 2};
    clprims_forest *plan = forest_create(&forest_settings[0], 5);
    test_array rank = test_array_create(NULL, 5, 4), head = test_array_create(NULL, 5, 4);
    test_array before = test_array_create(NULL, 5, 4);
    expect_failure(clprims_forest_run(plan, cycle, rank.values, head.values, 5), CLPRIMS_ERR_DATA,
                   "forest: element 2 is on a cycle");
    expect_failure(clprims_forest_run(plan, shared, rank.values, head.values, 5), CLPRIMS_ERR_DATA,
                   "forest: next[0] = 1 is also next[2]");
    expect_failure(clprims_forest_run(plan, NULL, rank.values, head.values, 5),
                   CLPRIMS_ERR_ARGUMENT, "next is NULL");
    expect_failure(clprims_forest_run(NULL, links, rank.values, head.values, 5),
                   CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    expect_failure(clprims_forest_run(plan, links, rank.values, head.values, 6),
                   CLPRIMS_ERR_TOO_LARGE, "n = 6 exceeds max_n = 5");
    assert_memory_equal(rank.values, before.values, rank.bytes);
    assert_memory_equal(head.values, before.values, head.bytes);
    expect_ok(clprims_forest_run(plan, links, rank.values, head.values, 5));
    test_array_expect_guards(&rank);
    test_array_expect_guards(&head);
    assert_memory_equal(rank.values, ranks, sizeof ranks);
    assert_memory_equal(head.values, firsts, sizeof firsts);
    expect_ok(clprims_forest_run(plan, links, NULL, NULL, 5));
    test_array_free(&rank);
    test_array_free(&head);
    test_array_free(&before);
    clprims_forest_destroy(plan);
}

static void empty(const void *data) {
    (void)data;
    const clprims_buffer none = {NULL, 0};
    const clprims_forest_arrays arrays = {sizeof(clprims_forest_arrays), none, none, none, none, 0};
    const clprims_list_report expected = {CLPRIMS_LIST_VALID, -1, -1, -1};
    clprims_list_report report;
    clprims_forest *plan = forest_create(&forest_settings[0], 5);
    test_buffer place = test_buffer_create(NULL, 1, sizeof report, 0);
    cl_event event = NULL;
    expect_ok(clprims_forest_enqueue(plan, test_queue(), &arrays, 0, place.at, 0, NULL, &event));
    expect_cl(clWaitForEvents(1, &event));
    expect_cl(clReleaseEvent(event));
    test_buffer_read(&place, &report);
    assert_memory_equal(&report, &expected, sizeof report);
    expect_ok(clprims_forest_run(plan, NULL, NULL, NULL, 0));
    assert_int_equal(clprims_forest_scratch_bytes(NULL), 0);
    assert_true(clprims_forest_scratch_bytes(plan) > 0);
    test_buffer_release(&place);
    clprims_forest_destroy(plan);
    clprims_forest_destroy(NULL);
}

static void messages(const void *data) {
    (void)data;
    static const struct {
        clprims_list_report report;
        const char *part;
    } cases[] = {
        {{CLPRIMS_LIST_LINK_RANGE, 5, 93, -1}, "forest: next[5] = 93 is neither"},
        {{CLPRIMS_LIST_SAME_SUCCESSOR, 4, 17, -1}, "forest: next[4] is also next[17]"},
        {{CLPRIMS_LIST_CYCLE, 4, -1, -1}, "forest: element 4 is on a cycle"},
        {{CLPRIMS_LIST_HEAD, 4, 17, -1}, "forest: element 4 is given as a head, but next[17]"},
        {{CLPRIMS_LIST_HEAD, 4, -1, -1}, "forest: no link names element 4, but it is not given"},
        {{CLPRIMS_LIST_HEAD, -1, 60, -1}, "forest: 60 is given as a head and is not in [0, n)"},
    };
    const clprims_list_report good = {CLPRIMS_LIST_VALID, -1, -1, -1};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        expect_failure(clprims_forest_check(&cases[k].report), CLPRIMS_ERR_DATA, cases[k].part);
    expect_ok(clprims_forest_check(&good));
    expect_failure(clprims_forest_check(NULL), CLPRIMS_ERR_ARGUMENT, "report is NULL");
}

void forest_add_calls(test_cases *cases) {
    test_add(cases, create_refuses, NULL, 0, "forest/create/refuses");
    test_add(cases, enqueue_refuses, NULL, 0, "forest/enqueue/refuses");
    test_add(cases, onto_links, NULL, 0, "forest/onto-links");
    test_add(cases, out_of_order, NULL, 0, "forest/out-of-order-queue");
    test_add(cases, run_plain, NULL, 0, "forest/run");
    test_add(cases, empty, NULL, 0, "forest/n=0");
    test_add(cases, messages, NULL, 0, "forest/check/messages");
}
