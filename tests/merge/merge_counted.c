/* SPDX-License-Identifier: MIT */
/* Merges whose numbers of elements stand in device memory. */
#include "fixtures/count_cases.h"
#include "merge/merge_groups.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_N = 700, TOO_MANY = MAX_N + 1 };

/* One run, with room for max_n elements in each array. */
static void merge_counted(clprims_merge *plan, uint64_t n_a, uint64_t n_b) {
    const merge_order order = merge_order_of(CLPRIMS_I16);
    const bool refused = n_a > MAX_N || n_b > MAX_N;
    const uint64_t numbers[] = {n_a, n_b};
    const size_t real_a = refused ? 0 : (size_t)n_a, real_b = refused ? 0 : (size_t)n_b;
    int16_t *a = test_alloc(MAX_N, 2), *b = test_alloc(MAX_N, 2);
    int16_t *expected = test_alloc(2 * MAX_N, 2), *actual = test_alloc(2 * MAX_N, 2);
    size_t *places = test_alloc(2 * MAX_N, sizeof *places);
    void *background = count_background(2 * MAX_N, 2);
    clprims_merge_buffers at = CLPRIMS_MERGE_BUFFERS_INIT;
    clprims_merge_report found;
    merge_fill(&order, MERGE_FEW, a, MAX_N, b, MAX_N);
    merge_twin(&order, a, real_a, b, real_b, expected, places);
    test_buffer from[] = {test_buffer_create(a, MAX_N, 2, 1), test_buffer_create(b, MAX_N, 2, 2)};
    test_buffer out = test_buffer_create(background, 2 * MAX_N, 2, 3);
    test_buffer count = test_buffer_create(numbers, 2, 8, 1);
    test_buffer report = test_buffer_create(NULL, 1, sizeof found, 2);
    const clprims_buffer second = {count.at.mem, count.at.first + 1};
    test_note("n_a = %llu, n_b = %llu", (unsigned long long)n_a, (unsigned long long)n_b);
    at.a = from[0].at;
    at.b = from[1].at;
    at.out = out.at;
    expect_ok(clprims_merge_enqueue_counted(plan, test_queue(), &at, count.at, second, report.at, 0,
                                            NULL, NULL));
    test_buffer_read(&report, &found);
    test_buffer_read(&out, actual);
    test_buffer_expect_unchanged(&count, numbers);
    expect_elements(expected, actual, real_a + real_b, 2);
    count_expect_background(actual, real_a + real_b, 2 * MAX_N, 2);
    assert_int_equal(found.fault, n_a > MAX_N   ? CLPRIMS_MERGE_COUNT_A
                                  : n_b > MAX_N ? CLPRIMS_MERGE_COUNT_B
                                                : CLPRIMS_MERGE_VALID);
    assert_true((uint64_t)found.n_a == n_a && (uint64_t)found.n_b == n_b);
    test_buffer *const all[] = {&from[0], &from[1], &out, &count, &report};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) test_buffer_release(all[k]);
    void *const memory[] = {a, b, expected, actual, places, background};
    for (size_t k = 0; k < sizeof memory / sizeof memory[0]; k++) free(memory[k]);
}

static void counted_is_right(const void *data) {
    const way *how = data;
    const merge_order order = merge_order_of(CLPRIMS_I16);
    clprims_merge *plan = merge_plan(&order, how->tuning, 0);
    const merge_case plain = {.order = order, .data = MERGE_FEW, .n_a = 50, .n_b = 31};
    for (size_t k = 0; k < COUNT_CASES; k++) {
        const uint64_t n = count_case(k, how->tile, MAX_N);
        if (test_small() && n > 100 && n <= MAX_N) continue;
        merge_counted(plan, n, k % 2 == 0 ? 17 : n);
        merge_counted(plan, k % 4, n);
        if (k % 5 == 0) merge_run_is_right(plan, &plain);
    }
    clprims_merge_destroy(plan);
}

static void reports_are_checked(const void *data) {
    (void)data;
    clprims_merge_report report = {CLPRIMS_MERGE_VALID, 1, 2};
    expect_ok(clprims_merge_check(&report));
    report.n_a = 5000;
    report.fault = CLPRIMS_MERGE_COUNT_A;
    expect_failure(clprims_merge_check(&report), CLPRIMS_ERR_DATA,
                   "n_a = 5000, as read on the device, exceeds max_a");
    report.n_b = -1;
    report.fault = CLPRIMS_MERGE_COUNT_B;
    expect_failure(clprims_merge_check(&report), CLPRIMS_ERR_DATA,
                   "n_b = 18446744073709551615, as read on the device, exceeds max_b");
    report.fault = 3;
    expect_failure(clprims_merge_check(&report), CLPRIMS_ERR_ARGUMENT, "report.fault = 3 is none");
    expect_failure(clprims_merge_check(NULL), CLPRIMS_ERR_ARGUMENT, "report is NULL");
}

void merge_add_counted(test_cases *cases) {
    for (size_t w = 0; w < 2; w++) {
        test_add(cases, counted_is_right, &merge_ways[w], sizeof merge_ways[w], "merge/counted/%s",
                 merge_ways[w].name);
    }
    test_add(cases, reports_are_checked, NULL, 0, "merge/check");
}
