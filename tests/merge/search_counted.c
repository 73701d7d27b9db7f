/* SPDX-License-Identifier: MIT */
/* Searches whose numbers of elements stand in device memory. */
#include "fixtures/count_cases.h"
#include "merge/search_groups.h"

#include <stdlib.h>

enum { MAX_N = 400, MAX_SORTED = 3000 };

/* One run, with room for the plan's most elements. */
static void search_counted(clprims_search *plan, uint64_t n_sorted, uint64_t n) {
    const merge_order order = merge_order_of(CLPRIMS_U32);
    const bool refused = n > MAX_N || n_sorted > MAX_SORTED;
    const uint64_t numbers[] = {n_sorted, n};
    const size_t real = refused ? 0 : (size_t)n;
    uint32_t *sorted = test_alloc(MAX_SORTED, 4), *needles = test_alloc(MAX_N, 4);
    int32_t *actual = test_alloc(MAX_N, 4);
    void *background = count_background(MAX_N, 4);
    clprims_search_report found;
    merge_fill(&order, MERGE_RANDOM, needles, MAX_N, sorted, MAX_SORTED);
    test_buffer among = test_buffer_create(sorted, MAX_SORTED, 4, 1);
    test_buffer from = test_buffer_create(needles, MAX_N, 4, 2);
    test_buffer out = test_buffer_create(background, MAX_N, 4, 3);
    test_buffer count = test_buffer_create(numbers, 2, 8, 1);
    test_buffer report = test_buffer_create(NULL, 1, sizeof found, 2);
    const clprims_buffer second = {count.at.mem, count.at.first + 1};
    test_note("n_sorted = %llu, n = %llu", (unsigned long long)n_sorted, (unsigned long long)n);
    expect_ok(clprims_search_enqueue_counted(plan, test_queue(), among.at, count.at, from.at,
                                             out.at, second, report.at, 0, NULL, NULL));
    test_buffer_read(&report, &found);
    test_buffer_read(&out, actual);
    test_buffer_expect_unchanged(&count, numbers);
    for (size_t i = 0; i < real; i++) {
        const size_t expected = search_twin(&order, false, sorted, (size_t)n_sorted, &needles[i]);
        if ((size_t)actual[i] != expected)
            test_fail("position %zu is %d, not %zu", i, actual[i], expected);
    }
    count_expect_background(actual, real, MAX_N, 4);
    assert_int_equal(found.fault, n > MAX_N               ? CLPRIMS_SEARCH_COUNT
                                  : n_sorted > MAX_SORTED ? CLPRIMS_SEARCH_COUNT_SORTED
                                                          : CLPRIMS_SEARCH_VALID);
    assert_true((uint64_t)found.n_sorted == n_sorted && (uint64_t)found.n == n);
    test_buffer *const all[] = {&among, &from, &out, &count, &report};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) test_buffer_release(all[k]);
    free(sorted);
    free(needles);
    free(actual);
    free(background);
}

static void counted_is_right(const void *data) {
    const search_way *how = data;
    const merge_order order = merge_order_of(CLPRIMS_U32);
    clprims_search *plan = search_plan(&order, how, false, CLPRIMS_I32);
    const search_case plain = {.arrays = {.order = order, .n_a = 50, .n_b = 31},
                               .needles_sorted = how->needles_sorted,
                               .positions = CLPRIMS_I32};
    for (size_t k = 0; k < COUNT_CASES; k++) {
        const uint64_t n = count_case(k, how->tile, MAX_N);
        if (test_small() && n > 60 && n <= MAX_N) continue;
        search_counted(plan, k % 2 == 0 ? 61 : n, n);
        search_counted(plan, count_case(k, 24, test_small() ? 100 : MAX_SORTED), k % 4);
        if (k % 5 == 0) search_run_is_right(plan, &plain);
    }
    clprims_search_destroy(plan);
}

static void reports_are_checked(const void *data) {
    (void)data;
    clprims_search_report report = {CLPRIMS_SEARCH_VALID, 1, 2};
    expect_ok(clprims_search_check(&report));
    report.n = 5000;
    report.fault = CLPRIMS_SEARCH_COUNT;
    expect_failure(clprims_search_check(&report), CLPRIMS_ERR_DATA,
                   "n = 5000, as read on the device, exceeds max_n");
    report.n_sorted = -1;
    report.fault = CLPRIMS_SEARCH_COUNT_SORTED;
    expect_failure(clprims_search_check(&report), CLPRIMS_ERR_DATA,
                   "n_sorted = 18446744073709551615, as read on the device, exceeds max_sorted");
    report.fault = 3;
    expect_failure(clprims_search_check(&report), CLPRIMS_ERR_ARGUMENT, "report.fault = 3 is none");
    expect_failure(clprims_search_check(NULL), CLPRIMS_ERR_ARGUMENT, "report is NULL");
}

void search_add_counted(test_cases *cases) {
    for (size_t w = 0; w < SEARCH_WAYS; w++) {
        if (w == 2) continue;
        test_add(cases, counted_is_right, &search_ways[w], sizeof search_ways[w],
                 "search/counted/%s", search_ways[w].name);
    }
    test_add(cases, reports_are_checked, NULL, 0, "search/check");
}
