/* SPDX-License-Identifier: MIT */
/* Offsets whose number of intervals stands in device memory. */
#include "fixtures/count_cases.h"
#include "offsets/offsets_cases.h"

#include <stdlib.h>
#include <string.h>

typedef struct counted_case {
    const pass_way *way;
    bool counts;
} counted_case;

static size_t most_n(void) {
    return test_small() ? 300 : 9001;
}

static clprims_offsets *make_plan(const counted_case *c) {
    clprims_offsets_desc desc = CLPRIMS_OFFSETS_DESC_INIT;
    clprims_offsets *plan = NULL;
    desc.type = CLPRIMS_U32;
    desc.counts = c->counts;
    desc.max_n = most_n();
    desc.algorithm = c->way->algorithm;
    desc.tuning = c->way->tuning;
    expect_ok(clprims_offsets_create(&plan, test_context(), &desc));
    return plan;
}

/* Checks offsets of n lengths, and the background behind them. */
static void expect_run(const uint32_t *lengths, uint64_t n, const int64_t *out,
                       const clprims_offsets_report *report) {
    const size_t max_n = most_n();
    int64_t *wanted = count_background(max_n + 1, 8), total = 0;
    if (n > max_n) {
        assert_int_equal(report->fault, CLPRIMS_OFFSETS_COUNT);
        assert_int_equal(report->index, -1);
        assert_true((uint64_t)report->total == n);
    } else {
        wanted[0] = 0;
        for (size_t i = 0; i < n; i++) wanted[i + 1] = total += lengths[i];
        expect_ok(clprims_offsets_check(report));
        assert_true(report->total == total);
    }
    expect_elements(wanted, out, max_n + 1, 8);
    free(wanted);
}

static void run_counted(clprims_offsets *plan, const counted_case *c, const uint32_t *starts,
                        const uint32_t *stops, const uint32_t *lengths, uint64_t n) {
    const size_t max_n = most_n();
    const clprims_buffer none = {NULL, 0};
    int64_t *before = count_background(max_n + 1, 8), *out = test_alloc(max_n + 1, 8);
    test_buffer from = test_buffer_create(starts, max_n, 4, n % 3);
    test_buffer with = test_buffer_create(c->counts ? lengths : stops, max_n, 4, n % 5);
    test_buffer to = test_buffer_create(before, max_n + 1, 8, n % 2);
    test_buffer said = test_buffer_create(NULL, 1, sizeof(clprims_offsets_report), 1);
    test_buffer number = test_buffer_create(&n, 1, 8, 2);
    clprims_offsets_report report;
    expect_ok(clprims_offsets_enqueue_counted(plan, test_queue(), c->counts ? none : from.at,
                                              with.at, to.at, number.at, said.at, 0, NULL, NULL));
    test_buffer_read(&to, out);
    test_buffer_read(&said, &report);
    expect_run(lengths, n, out, &report);
    test_buffer_expect_unchanged(&number, &n);
    test_buffer_release(&from);
    test_buffer_release(&with);
    test_buffer_release(&to);
    test_buffer_release(&said);
    test_buffer_release(&number);
    free(before);
    free(out);
}

/* Plain and counted runs of one plan in turn. */
static void counted_is_right(const void *data) {
    const counted_case *c = data;
    const size_t max_n = most_n();
    clprims_offsets *plan = make_plan(c);
    clprims_offsets_info info = CLPRIMS_OFFSETS_INFO_INIT;
    uint32_t *starts = test_alloc(max_n, 4), *stops = test_alloc(max_n, 4),
             *lengths = test_alloc(max_n, 4);
    int64_t *out = test_alloc(max_n + 1, 8);
    for (size_t i = 0; i < max_n; i++) {
        starts[i] = (uint32_t)test_random_below(1000000);
        lengths[i] = (uint32_t)test_random_below(1000);
        stops[i] = starts[i] + lengths[i];
    }
    expect_ok(clprims_offsets_describe(plan, max_n, &info));
    for (size_t k = 0; k < COUNT_CASES; k++) {
        const uint64_t n = count_case(k, info.tile, max_n);
        clprims_offsets_report report = {0, -1, 0};
        test_note("n = %llu", (unsigned long long)n);
        run_counted(plan, c, starts, stops, lengths, n);
        if (n > max_n) continue;
        free(out);
        out = count_background(max_n + 1, 8);
        expect_ok(clprims_offsets_run(plan, c->counts ? NULL : starts, c->counts ? lengths : stops,
                                      out, (size_t)n));
        report.total = out[n];
        expect_run(lengths, n, out, &report);
    }
    clprims_offsets_destroy(plan);
    free(starts);
    free(stops);
    free(lengths);
    free(out);
}

/* The lowest of faults that stand before n counts, none of those behind it. */
static void faults_behind_do_not_count(const void *data) {
    const counted_case *c = data;
    static const uint64_t numbers[] = {70, 71, 72, 300};
    clprims_offsets *plan = make_plan(c);
    const size_t max_n = most_n();
    uint32_t *starts = test_alloc(max_n, 4), *stops = test_alloc(max_n, 4);
    memset(starts, 0, 4 * max_n);
    memset(stops, 0, 4 * max_n);
    starts[71] = starts[200] = 1;
    test_buffer from = test_buffer_create(starts, max_n, 4, 0);
    test_buffer with = test_buffer_create(stops, max_n, 4, 0);
    test_buffer to = test_buffer_create(NULL, max_n + 1, 8, 0);
    test_buffer said = test_buffer_create(NULL, 1, sizeof(clprims_offsets_report), 0);
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        test_buffer number = test_buffer_create(&numbers[k], 1, 8, 0);
        clprims_offsets_report report;
        expect_ok(clprims_offsets_enqueue_counted(plan, test_queue(), from.at, with.at, to.at,
                                                  number.at, said.at, 0, NULL, NULL));
        test_buffer_read(&said, &report);
        assert_int_equal(report.fault,
                         numbers[k] > 71 ? CLPRIMS_OFFSETS_INTERVAL : CLPRIMS_OFFSETS_VALID);
        assert_int_equal(report.index, numbers[k] > 71 ? 71 : -1);
        test_buffer_release(&number);
    }
    test_buffer_release(&from);
    test_buffer_release(&with);
    test_buffer_release(&to);
    test_buffer_release(&said);
    clprims_offsets_destroy(plan);
    free(starts);
    free(stops);
}

static void counted_is_refused(const void *data) {
    const counted_case *c = data;
    const clprims_buffer none = {NULL, 0};
    const size_t max_n = most_n();
    clprims_offsets *plan = make_plan(c);
    cl_command_queue queue = test_queue();
    const clprims_offsets_report refused = {CLPRIMS_OFFSETS_COUNT, -1, 77};
    test_buffer in = test_buffer_create(NULL, max_n, 4, 0);
    test_buffer out = test_buffer_create(NULL, max_n + 1, 8, 0);
    test_buffer few = test_buffer_create(NULL, max_n / 2, 8, 0);
    test_buffer number = test_buffer_create(NULL, 4, 8, 0);
    const clprims_buffer i = in.at, o = out.at, n = number.at;
    expect_failure(clprims_offsets_enqueue_counted(NULL, queue, i, i, o, n, none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    expect_failure(clprims_offsets_enqueue_counted(plan, NULL, i, i, o, n, none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "queue is NULL");
    expect_failure(clprims_offsets_enqueue_counted(plan, queue, i, i, o, none, none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "n.mem is NULL");
    expect_failure(clprims_offsets_enqueue_counted(plan, queue, i, i, o, o, none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "n (first = 0, n = 1) overlaps offsets");
    expect_failure(clprims_offsets_enqueue_counted(plan, queue, i, i, o, n, n, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "report (first = 0, n = 1) overlaps n");
    expect_failure(
        clprims_offsets_enqueue_counted(plan, queue, i, i, few.at, n, none, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "offsets has room for");
    expect_failure(clprims_offsets_check(&refused), CLPRIMS_ERR_DATA, "offsets: n = 77");
    test_buffer_release(&in);
    test_buffer_release(&out);
    test_buffer_release(&few);
    test_buffer_release(&number);
    clprims_offsets_destroy(plan);
}

void add_counted_cases(test_cases *cases) {
    size_t count;
    const pass_way *ways = pass_ways(&count);
    for (size_t w = 0; w < count; w++) {
        const counted_case c = {&ways[w], w % 3 == 1};
        test_add(cases, counted_is_right, &c, sizeof c, "offsets/counted/%s%s", ways[w].name,
                 c.counts ? "/counts" : "");
        if (c.counts) continue;
        test_add(cases, faults_behind_do_not_count, &c, sizeof c, "offsets/counted/faults/%s",
                 ways[w].name);
        if (w == 0) {
            test_add(cases, counted_is_refused, &c, sizeof c, "offsets/counted/refusals");
        }
    }
}
