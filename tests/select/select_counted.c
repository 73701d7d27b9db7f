/* SPDX-License-Identifier: MIT */
/* Selections whose number of elements stands in device memory, and chains of such runs. */
#include "fixtures/count_cases.h"
#include "fixtures/select_cases.h"
#include "subjects/runs/subject_counted.h"

#include <stdlib.h>

typedef struct counted_case {
    const pass_way *way;
    bool partition; /* else with indices */
    bool in_place;
} counted_case;

static const pass_way chosen = {CLPRIMS_ALGORITHM_AUTO, NULL, "chosen"};

static size_t most_n(void) {
    return test_small() ? 300 : 9001;
}

static clprims_select_desc describe(const counted_case *c) {
    clprims_select_desc desc = select_describe(CLPRIMS_SELECT_PREDICATE, CLPRIMS_U32, 1, c->way);
    desc.indices = c->partition ? CLPRIMS_TYPE_DEFAULT : CLPRIMS_U32;
    desc.partition = c->partition;
    desc.max_n = most_n();
    return desc;
}

static subject_data data_like(const clprims_select_desc *desc) {
    return (subject_data){.of = &subject_select, .desc = desc, .most = {desc->max_n}};
}

/* Plain and counted runs of one plan in turn. */
static void counted_is_right(const void *data) {
    const counted_case *c = data;
    const clprims_select_desc desc = describe(c);
    const subject_data like = data_like(&desc);
    clprims_select *plan = select_plan(&desc);
    clprims_select_info info = CLPRIMS_SELECT_INFO_INIT;
    expect_ok(clprims_select_describe(plan, desc.max_n, &info));
    subject_counted_is_right(&like, plan, info.tile, c->in_place);
}

/* ---- Chains ---- */

/* A selection whose count is the number of elements of a scan, whose output is reduced. */
typedef struct chain {
    clprims_select *select;
    clprims_scan *scan;
    clprims_reduce *reduce;
    test_buffer in, kept, sums, total, count, number, scan_report, reduce_report;
} chain;

static chain make_chain(const uint32_t *in, size_t max_n) {
    const counted_case c = {.way = &chosen};
    const clprims_select_desc desc = describe(&c);
    clprims_scan_desc scan = CLPRIMS_SCAN_DESC_INIT;
    clprims_reduce_desc reduce = CLPRIMS_REDUCE_DESC_INIT;
    chain made = {.select = select_plan(&desc)};
    scan.type = CLPRIMS_U32;
    scan.inclusive = 1;
    reduce.type = CLPRIMS_U32;
    reduce.op = CLPRIMS_MAX;
    scan.max_n = reduce.max_n = max_n;
    expect_ok(clprims_scan_create(&made.scan, test_context(), &scan));
    expect_ok(clprims_reduce_create(&made.reduce, test_context(), &reduce));
    made.in = test_buffer_create(in, max_n, 4, 1);
    made.kept = test_buffer_create(NULL, max_n, 4, 2);
    made.sums = test_buffer_create(NULL, max_n, 4, 3);
    made.total = test_buffer_create(NULL, 1, 4, 1);
    made.count = test_buffer_create(NULL, 1, 8, 2);
    made.scan_report = test_buffer_create(NULL, 1, sizeof(clprims_scan_report), 1);
    made.reduce_report = test_buffer_create(NULL, 1, sizeof(clprims_reduce_report), 0);
    return made;
}

static void release_chain(chain *c) {
    test_buffer *const buffers[] = {&c->in,    &c->kept,        &c->sums,         &c->total,
                                    &c->count, &c->scan_report, &c->reduce_report};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) test_buffer_release(buffers[i]);
    clprims_scan_destroy(c->scan);
    clprims_reduce_destroy(c->reduce);
}

/* Nothing waits between the three. */
static void submit_chain(const chain *c, size_t max_n) {
    clprims_select_buffers b = CLPRIMS_SELECT_BUFFERS_INIT;
    test_buffer indices = test_buffer_create(NULL, max_n, 4, 0);
    b.in[0] = c->in.at;
    b.out[0] = c->kept.at;
    b.indices = indices.at;
    b.count = c->count.at;
    expect_ok(clprims_select_enqueue_counted(c->select, test_queue(), &b, c->number.at, max_n, 0,
                                             NULL, NULL));
    expect_ok(clprims_scan_enqueue_counted(c->scan, test_queue(), c->kept.at, c->sums.at,
                                           c->count.at, c->scan_report.at, 0, NULL, NULL));
    expect_ok(clprims_reduce_enqueue_counted(c->reduce, test_queue(), c->sums.at, c->total.at,
                                             c->count.at, c->reduce_report.at, 0, NULL, NULL));
    expect_cl(clFinish(test_queue()));
    test_buffer_release(&indices);
}

static void expect_chain(const chain *c, const uint32_t *in, uint64_t n, size_t max_n) {
    clprims_scan_report scanned;
    clprims_reduce_report reduced;
    uint64_t kept = 0, count;
    uint32_t sum = 0, most = 0, total;
    test_buffer_read(&c->count, &count);
    test_buffer_read(&c->scan_report, &scanned);
    test_buffer_read(&c->reduce_report, &reduced);
    test_buffer_read(&c->total, &total);
    if (n > max_n) {
        assert_true(count == CLPRIMS_SELECT_REFUSED);
        expect_failure(clprims_scan_check(&scanned), CLPRIMS_ERR_DATA, "scan: n = 18446744");
        expect_failure(clprims_reduce_check(&reduced), CLPRIMS_ERR_DATA, "reduce: n = 18446744");
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (in[i] % 2 == 0) continue;
        sum += in[i];
        if (sum > most) most = sum;
        kept++;
    }
    assert_true(count == kept);
    expect_ok(clprims_scan_check(&scanned));
    expect_ok(clprims_reduce_check(&reduced));
    assert_true((uint64_t)reduced.count == kept);
    assert_int_equal(total, most);
}

static void chains_are_right(const void *data) {
    const size_t max_n = most_n();
    uint32_t *in = test_alloc(max_n, 4);
    (void)data;
    for (size_t i = 0; i < max_n; i++) in[i] = (uint32_t)test_random();
    chain c = make_chain(in, max_n);
    for (size_t k = 0; k < COUNT_CASES; k++) {
        const uint64_t n = count_case(k, 64, max_n);
        test_note("n = %llu", (unsigned long long)n);
        c.number = test_buffer_create(&n, 1, 8, 1);
        submit_chain(&c, max_n);
        expect_chain(&c, in, n, max_n);
        test_buffer_release(&c.number);
    }
    release_chain(&c);
    free(in);
}

/* ---- Refusals ---- */

static void counted_is_refused(const void *data) {
    const counted_case c = {.way = &chosen};
    const clprims_select_desc desc = describe(&c);
    const subject_data like = data_like(&desc);
    test_buffer number = test_buffer_create(NULL, 1, 8, 0);
    (void)data;
    subject_counted_is_refused(&like, select_plan(&desc));
    expect_failure(clprims_select_enqueue_counted(select_plan(&desc), test_queue(), NULL, number.at,
                                                  4, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "buffers is NULL");
    test_buffer_release(&number);
}

void add_counted_cases(test_cases *cases) {
    size_t count;
    const pass_way *ways = pass_ways(&count);
    for (size_t w = 0; w < count; w++) {
        const bool places = pass_is_in_place(ways[w].algorithm);
        for (int partition = 0; partition < (w % 2 == 0 ? 2 : 1); partition++) {
            const counted_case c = {&ways[w], partition, places && !partition && w % 2 == 1};
            test_add(cases, counted_is_right, &c, sizeof c, "select/counted/%s%s%s", ways[w].name,
                     c.partition ? "/partition" : "", c.in_place ? "/in-place" : "");
        }
    }
    test_add(cases, chains_are_right, NULL, 0, "select/counted/chain");
    test_add(cases, counted_is_refused, NULL, 0, "select/counted/refusals");
}
