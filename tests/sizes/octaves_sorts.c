/* SPDX-License-Identifier: MIT */
/* What puts in order: sort, segmented sort, top-k, merge; and search. */
#include "sizes/octaves.h"

#include <stdlib.h>

static union {
    clprims_sort *sort;
    clprims_segmented_sort *segmented;
    clprims_topk *topk;
    clprims_merge *merge;
    clprims_search *search;
} plan;

static const clprims_buffer none = {NULL, 0};

/* Keys from the few values that make many ties, or from all. */
static uint32_t *draw_keys(size_t n) {
    return octaves_words(n, test_random_below(3) == 0 ? 1 + (uint32_t)(n / 4) : 0);
}

/* A stable order is the only one that ascends in (key, index): so n elements of [begin, end) that
 * do are what a sort must give. */
static void expect_sorted(const uint32_t *keys, const uint32_t *sorted, const uint32_t *indices,
                          size_t begin, size_t end, bool descending) {
    for (size_t i = begin; i < end; i++) {
        const size_t from = indices[i];
        if (from < begin || from >= end || keys[from] != sorted[i]) {
            test_fail("sorted[%zu] = %u, indices[%zu] = %zu", i, sorted[i], i, from);
        }
        if (i == begin) continue;
        const uint32_t before = descending ? sorted[i] : sorted[i - 1];
        const uint32_t behind = descending ? sorted[i - 1] : sorted[i];
        if (before > behind || (before == behind && indices[i - 1] >= from)) {
            test_fail("sorted[%zu] = %u of index %u stands before %u of %zu", i - 1, sorted[i - 1],
                      indices[i - 1], sorted[i], from);
        }
    }
}

static uint32_t *take(test_buffer *buffer, size_t n) {
    uint32_t *values = test_alloc(n, sizeof *values);
    test_buffer_read(buffer, values);
    test_buffer_release(buffer);
    return values;
}

/* ---- Sort ---- */

static void create_sort(size_t max_n) {
    clprims_sort_desc desc = CLPRIMS_SORT_DESC_INIT;
    clprims_sort_info info = CLPRIMS_SORT_INFO_INIT;
    desc.type = CLPRIMS_U32;
    desc.indices = CLPRIMS_U32;
    desc.max_n = max_n;
    expect_ok(clprims_sort_create(&plan.sort, test_context(), &desc));
    expect_ok(clprims_sort_describe(plan.sort, max_n, &info));
    octaves_expect_scratch(info.scratch_bytes);
}

static void run_sort(size_t n) {
    clprims_sort_buffers b = CLPRIMS_SORT_BUFFERS_INIT;
    clprims_sort_info info = CLPRIMS_SORT_INFO_INIT;
    uint32_t *keys = draw_keys(n);
    test_buffer in = octaves_in(keys, n, 4), out = octaves_out(n, 4), places = octaves_out(n, 4);
    b.keys_in = in.at;
    b.keys_out = out.at;
    b.indices = places.at;
    const clprims_sort_report right = {CLPRIMS_SORT_VALID, (int64_t)n};
    test_buffer number = octaves_in(&(uint64_t){n}, 1, 8), report = octaves_out(1, sizeof right);
    octaves_watch();
    if (octaves_counted) {
        expect_ok(clprims_sort_enqueue_counted(plan.sort, test_queue(), &b, number.at, report.at, 0,
                                               NULL, NULL));
        test_buffer_expect_unchanged(&report, &right);
    } else {
        expect_ok(clprims_sort_enqueue(plan.sort, test_queue(), &b, n, 0, NULL, NULL));
        expect_ok(clprims_sort_describe(plan.sort, n, &info));
        octaves_expect_launched(0, info.group);
    }
    test_buffer_release(&report);
    octaves_expect(&number, &(uint64_t){n});

    octaves_expect(&in, keys);
    uint32_t *sorted = take(&out, n), *indices = take(&places, n);
    expect_sorted(keys, sorted, indices, 0, n, false);
    free(keys);
    free(sorted);
    free(indices);
}

static void destroy_sort(void) {
    clprims_sort_destroy(plan.sort);
}

/* ---- Segmented sort ---- */

static void create_segmented(size_t max_n) {
    clprims_segmented_sort_desc desc = CLPRIMS_SEGMENTED_SORT_DESC_INIT;
    clprims_segmented_sort_info info = CLPRIMS_SEGMENTED_SORT_INFO_INIT;
    desc.type = CLPRIMS_U32;
    desc.indices = CLPRIMS_U32;
    desc.max_n = max_n;
    desc.max_segments = max_n + 1;
    expect_ok(clprims_segmented_sort_create(&plan.segmented, test_context(), &desc));
    expect_ok(clprims_segmented_sort_describe(plan.segmented, max_n, max_n, &info));
    octaves_expect_scratch(info.scratch_bytes);
}

static void run_segmented(size_t n) {
    clprims_segmented_sort_buffers b = CLPRIMS_SEGMENTED_SORT_BUFFERS_INIT;
    const clprims_segmented_sort_report right = {CLPRIMS_SEGMENTED_SORT_VALID, -1};
    const size_t count = 1 + test_random_below(n / (test_random_below(2) == 0 ? 3 : 300) + 1);
    uint32_t *keys = draw_keys(n);
    int64_t *offsets = octaves_offsets(n, count);
    test_buffer in = octaves_in(keys, n, 4), at = octaves_in(offsets, count + 1, 8);
    test_buffer out = octaves_out(n, 4), places = octaves_out(n, 4);
    test_buffer report = octaves_out(1, sizeof right);
    b.offsets = at.at;
    b.keys_in = in.at;
    b.keys_out = out.at;
    b.indices = places.at;
    b.report = report.at;
    const uint64_t numbers[] = {n, count};
    test_buffer counted = octaves_in(numbers, 2, 8);
    if (octaves_counted) {
        expect_ok(clprims_segmented_sort_enqueue_counted(
            plan.segmented, test_queue(), &b, counted.at, octaves_second(&counted), 0, NULL, NULL));
    } else {
        expect_ok(clprims_segmented_sort_enqueue(plan.segmented, test_queue(), &b, n, count, 0,
                                                 NULL, NULL));
    }
    octaves_expect(&counted, numbers);

    octaves_expect(&report, &right);
    octaves_expect(&in, keys);
    octaves_expect(&at, offsets);
    uint32_t *sorted = take(&out, n), *indices = take(&places, n);
    for (size_t s = 0; s < count; s++) {
        expect_sorted(keys, sorted, indices, (size_t)offsets[s], (size_t)offsets[s + 1], false);
    }
    free(keys);
    free(offsets);
    free(sorted);
    free(indices);
}

static void destroy_segmented(void) {
    clprims_segmented_sort_destroy(plan.segmented);
}

/* ---- Top-k ---- */

static size_t max_k;

static void create_topk(size_t max_n) {
    clprims_topk_desc desc = CLPRIMS_TOPK_DESC_INIT;
    clprims_topk_info info = CLPRIMS_TOPK_INFO_INIT;
    max_k = max_n < 5000 ? max_n : 5000;
    desc.type = CLPRIMS_U32;
    desc.indices = CLPRIMS_U32;
    desc.max_n = max_n;
    desc.max_k = max_k;
    expect_ok(clprims_topk_create(&plan.topk, test_context(), &desc));
    expect_ok(clprims_topk_describe(plan.topk, max_n, max_k, &info));
    octaves_expect_scratch(info.scratch_bytes);
}

/* How many elements a stable sort puts before that of the last index, itself included. */
static size_t rank_of(const uint32_t *keys, size_t n, size_t last) {
    size_t rank = 0;
    for (size_t i = 0; i < n; i++) {
        rank += keys[i] > keys[last] || (keys[i] == keys[last] && i <= last);
    }
    return rank;
}

static void expect_best(const uint32_t *keys, size_t n, const uint32_t *values,
                        const uint32_t *indices, size_t k) {

    for (size_t i = 0; i < k; i++) {
        if (indices[i] >= n || keys[indices[i]] != values[i]) {
            test_fail("values[%zu] = %u, indices[%zu] = %u", i, values[i], i, indices[i]);
        }
        const bool ordered = i == 0 || values[i] < values[i - 1] ||
                             (values[i] == values[i - 1] && indices[i] > indices[i - 1]);
        if (!ordered) test_fail("values[%zu] = %u of index %u", i, values[i], indices[i]);
    }
    /* k elements that ascend so, of which the last is number k: there are no others. */
    const size_t rank = rank_of(keys, n, indices[k - 1]);
    if (rank != k) test_fail("of k = %zu the last is number %zu", k, rank);
}

static void run_topk(size_t n) {
    clprims_topk_buffers b = CLPRIMS_TOPK_BUFFERS_INIT;
    clprims_topk_info info = CLPRIMS_TOPK_INFO_INIT;
    const size_t most = n < max_k ? n : max_k, k = 1 + test_random_below(most);
    uint32_t *keys = draw_keys(n);
    test_buffer in = octaves_in(keys, n, 4), out = octaves_out(k, 4), places = octaves_out(k, 4);
    b.in = in.at;
    b.values = out.at;
    b.indices = places.at;
    const clprims_topk_report right = {CLPRIMS_TOPK_VALID, (int64_t)n};
    test_buffer number = octaves_in(&(uint64_t){n}, 1, 8), report = octaves_out(1, sizeof right);
    octaves_watch();
    if (octaves_counted) {
        expect_ok(clprims_topk_enqueue_counted(plan.topk, test_queue(), &b, number.at, k, report.at,
                                               0, NULL, NULL));
        test_buffer_expect_unchanged(&report, &right);
    } else {
        expect_ok(clprims_topk_enqueue(plan.topk, test_queue(), &b, n, k, 0, NULL, NULL));
        expect_ok(clprims_topk_describe(plan.topk, n, k, &info));
        octaves_expect_launched(0, info.group);
    }
    test_buffer_release(&report);
    octaves_expect(&number, &(uint64_t){n});
    octaves_expect(&in, keys);
    uint32_t *values = take(&out, k), *indices = take(&places, k);
    expect_best(keys, n, values, indices, k);
    free(keys);
    free(values);
    free(indices);
}

static void destroy_topk(void) {
    clprims_topk_destroy(plan.topk);
}

/* ---- Merge ---- */

static void create_merge(size_t max_n) {
    clprims_merge_desc desc = CLPRIMS_MERGE_DESC_INIT;
    clprims_merge_info info = CLPRIMS_MERGE_INFO_INIT;
    desc.type = CLPRIMS_U32;
    desc.payload_bytes = 4;
    desc.max_a = desc.max_b = max_n;
    expect_ok(clprims_merge_create(&plan.merge, test_context(), &desc));
    expect_ok(clprims_merge_describe(plan.merge, 2 * max_n, &info));
    octaves_expect_scratch(info.scratch_bytes);
}

static void submit_merge(const clprims_merge_buffers *buffers, size_t n_a, size_t n_b) {
    const uint64_t numbers[] = {n_a, n_b};
    clprims_merge_info info = CLPRIMS_MERGE_INFO_INIT;
    test_buffer counted = octaves_in(numbers, 2, 8);
    octaves_watch();
    if (octaves_counted) {
        expect_ok(clprims_merge_enqueue_counted(plan.merge, test_queue(), buffers, counted.at,
                                                octaves_second(&counted), none, 0, NULL, NULL));
    } else {
        expect_ok(
            clprims_merge_enqueue(plan.merge, test_queue(), buffers, n_a, n_b, 0, NULL, NULL));
        expect_ok(clprims_merge_describe(plan.merge, n_a + n_b, &info));
        octaves_expect_launched(info.groups, info.group);
    }
    octaves_expect(&counted, numbers);
}

/* The payload is the place that an element had: i of a, n_a + i of b. */
static void run_merge(size_t n) {
    clprims_merge_buffers buffers = CLPRIMS_MERGE_BUFFERS_INIT;

    const size_t n_a = test_random_below(n + 1), n_b = n - n_a;
    uint32_t *a = octaves_ascending(n_a, 3), *b = octaves_ascending(n_b, 3);
    uint32_t *numbers = test_alloc(n, 4), *merged = test_alloc(n, 4), *places = test_alloc(n, 4);
    for (size_t i = 0; i < n; i++) numbers[i] = (uint32_t)i;
    for (size_t to = 0, i = 0, k = 0; to < n; to++) {
        const bool from_b = i == n_a || (k < n_b && b[k] < a[i]);
        places[to] = (uint32_t)(from_b ? n_a + k : i);
        merged[to] = from_b ? b[k++] : a[i++];
    }
    test_buffer from_a = octaves_in(a, n_a, 4), from_b = octaves_in(b, n_b, 4);
    test_buffer pay_a = octaves_in(numbers, n_a, 4), pay_b = octaves_in(numbers + n_a, n_b, 4);
    test_buffer out = octaves_out(n, 4), pay = octaves_out(n, 4);
    buffers.a = from_a.at;
    buffers.b = from_b.at;
    buffers.out = out.at;
    buffers.payload_a = pay_a.at;
    buffers.payload_b = pay_b.at;
    buffers.payload_out = pay.at;
    submit_merge(&buffers, n_a, n_b);

    octaves_expect(&out, merged);
    octaves_expect(&pay, places);
    octaves_expect(&from_a, a);
    octaves_expect(&from_b, b);
    octaves_expect(&pay_a, numbers);
    octaves_expect(&pay_b, numbers + n_a);
    uint32_t *const all[] = {a, b, numbers, merged, places};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
}

static void destroy_merge(void) {
    clprims_merge_destroy(plan.merge);
}

/* ---- Search ---- */

static void create_search(size_t max_n) {
    clprims_search_desc desc = CLPRIMS_SEARCH_DESC_INIT;
    clprims_search_info info = CLPRIMS_SEARCH_INFO_INIT;
    desc.max_sorted = max_n;
    desc.type = CLPRIMS_U32;
    desc.positions = CLPRIMS_U32;
    desc.max_n = max_n;
    expect_ok(clprims_search_create(&plan.search, test_context(), &desc));
    expect_ok(clprims_search_describe(plan.search, max_n, max_n, &info));
    octaves_expect_scratch(info.scratch_bytes);
}

static uint32_t lower_bound(const uint32_t *sorted, size_t n, uint32_t needle) {
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (sorted[middle] < needle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return (uint32_t)low;
}

/* Needles of the elements, between them and behind them. Every second run has many needles, the
 * others many elements. */
static void run_search(size_t n) {
    clprims_search_info info = CLPRIMS_SEARCH_INFO_INIT;
    const size_t other = test_random_below((n < 100000 ? n : 100000) + 1);
    const size_t n_sorted = test_random_below(2) == 0 ? n : other;
    const size_t needles = n_sorted == n ? other : n;
    uint32_t *sorted = octaves_ascending(n_sorted, 5);
    const uint32_t last = n_sorted == 0 ? 10 : sorted[n_sorted - 1] + 10;
    uint32_t *wanted = octaves_words(needles, last), *expected = test_alloc(needles, 4);
    for (size_t i = 0; i < needles; i++) expected[i] = lower_bound(sorted, n_sorted, wanted[i]);
    test_buffer among = octaves_in(sorted, n_sorted, 4), in = octaves_in(wanted, needles, 4);
    test_buffer out = octaves_out(needles, 4);
    const uint64_t numbers[] = {n_sorted, needles};
    test_buffer counted = octaves_in(numbers, 2, 8);
    octaves_watch();
    if (octaves_counted) {
        expect_ok(clprims_search_enqueue_counted(plan.search, test_queue(), among.at, counted.at,
                                                 in.at, out.at, octaves_second(&counted), none, 0,
                                                 NULL, NULL));
    } else {
        expect_ok(clprims_search_enqueue(plan.search, test_queue(), among.at, n_sorted, in.at,
                                         out.at, needles, 0, NULL, NULL));
        expect_ok(clprims_search_describe(plan.search, n_sorted, needles, &info));
        if (needles > 0) octaves_expect_launched(info.groups, info.group);
    }
    octaves_expect(&counted, numbers);

    octaves_expect(&out, expected);
    octaves_expect(&among, sorted);
    octaves_expect(&in, wanted);
    free(sorted);
    free(wanted);
    free(expected);
}

static void destroy_search(void) {
    clprims_search_destroy(plan.search);
}

static const octaves_subject subjects[] = {
    {"sort", 12345678, OCTAVES_MOST, create_sort, run_sort, destroy_sort},
    {"segmented_sort", 5000000, OCTAVES_MOST, create_segmented, run_segmented, destroy_segmented},
    {"topk", 12345678, OCTAVES_MOST, create_topk, run_topk, destroy_topk},
    {"merge", 12345678, OCTAVES_MOST, create_merge, run_merge, destroy_merge},
    {"search", 5000000, OCTAVES_MOST, create_search, run_search, destroy_search},
};

void octaves_add_sorts(test_cases *cases) {
    octaves_add(cases, subjects, sizeof subjects / sizeof subjects[0]);
}
