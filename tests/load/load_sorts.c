/* SPDX-License-Identifier: MIT */
/* Sorts, top-k, histograms, merges and searches. */
#include "load/load.h"

#include <stdlib.h>
#include <string.h>

LOAD_DESTROY(sort)
LOAD_DESTROY(topk)
LOAD_DESTROY(histogram)
LOAD_DESTROY(merge)
LOAD_DESTROY(search)

static int compare_int32(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static void sort_int32(int32_t *values, size_t n) {
    if (n > 1) qsort(values, n, sizeof *values, compare_int32);
}

static int32_t *copy_int32(load_thread *t, const int32_t *values, size_t n) {
    int32_t *copy = load_int32(t, n, 0);
    for (size_t i = 0; i < n; i++) copy[i] = values[i];
    return copy;
}

/* ---- Sort ---- */

static clprims_status create_sort(load_thread *t, void **plan) {
    clprims_sort_desc desc = CLPRIMS_SORT_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.indices = CLPRIMS_U32;
    desc.max_n = t->max_n;
    LOAD_CREATE(sort);
}

/* Equal keys keep their order, so that the indices of a run of them ascend. */
static void check_indices(load_thread *t, const int32_t *in, const int32_t *sorted,
                          const uint32_t *indices, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const bool is_right = indices[i] < n && in[indices[i]] == sorted[i] &&
                              (i == 0 || sorted[i] != sorted[i - 1] || indices[i - 1] < indices[i]);
        if (is_right) continue;
        load_fail(t, "n = %zu: index %u at %zu is wrong", n, (unsigned)indices[i], i);
        return;
    }
}

static void call_sort(load_thread *t, void *plan) {
    const size_t n = load_size(t, t->max_n);
    const int32_t *in = load_int32(t, n, load_below(t, 2) == 0 ? 100 : 1 << 30);
    int32_t *out = load_int32(t, n, 0);
    uint32_t *indices = load_array(t, n, sizeof *indices);
    int32_t *expected = copy_int32(t, in, n);
    sort_int32(expected, n);
    if (load_below(t, 2) == 0) {
        clprims_sort_arrays arrays = CLPRIMS_SORT_ARRAYS_INIT;
        arrays.keys_in = in;
        arrays.keys_out = out;
        arrays.indices = indices;
        if (!LOAD_TRY(t, CLPRIMS_OK, clprims_sort_run(plan, &arrays, n))) return;
    } else {
        clprims_sort_buffers buffers = CLPRIMS_SORT_BUFFERS_INIT;
        buffers.keys_in = load_buffer(t, in, n, sizeof *in);
        buffers.keys_out = load_buffer(t, out, n, sizeof *out);
        buffers.indices = load_buffer(t, indices, n, sizeof *indices);
        if (!LOAD_TRY(t, CLPRIMS_OK,
                      clprims_sort_enqueue(plan, t->queue, &buffers, n, 0, NULL, NULL)))
            return;
        load_read(t, buffers.keys_out, out, n, sizeof *out);
        load_read(t, buffers.indices, indices, n, sizeof *indices);
    }
    load_compare(t, expected, out, n, sizeof *out, n);
    check_indices(t, in, expected, indices, n);
}

/* ---- Top-k ---- */

static size_t most_found(const load_thread *t) {
    return t->max_n < 100 ? t->max_n : 100;
}

static clprims_status create_topk(load_thread *t, void **plan) {
    clprims_topk_desc desc = CLPRIMS_TOPK_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.max_n = t->max_n;
    desc.max_k = most_found(t);
    LOAD_CREATE(topk);
}

static void call_topk(load_thread *t, void *plan) {
    const size_t n = 1 + load_size(t, t->max_n - 1);
    const size_t most = n < most_found(t) ? n : most_found(t);
    const size_t k = 1 + load_below(t, most);
    const int32_t *in = load_int32(t, n, load_below(t, 2) == 0 ? 100 : 1 << 30);
    int32_t *values = load_int32(t, k, 0);
    int32_t *sorted = copy_int32(t, in, n);
    int32_t *expected = load_int32(t, k, 0);
    sort_int32(sorted, n);
    for (size_t i = 0; i < k; i++) expected[i] = sorted[n - 1 - i];
    clprims_topk_arrays arrays = CLPRIMS_TOPK_ARRAYS_INIT;
    arrays.in = in;
    arrays.values = values;
    if (LOAD_TRY(t, CLPRIMS_OK, clprims_topk_run(plan, &arrays, n, k)))
        load_compare(t, expected, values, k, sizeof *values, n);
}

/* ---- Histogram ---- */

enum { BINS = 50 };

static clprims_status create_histogram(load_thread *t, void **plan) {
    clprims_histogram_desc desc = CLPRIMS_HISTOGRAM_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.bins = BINS;
    desc.least = 0;
    desc.most = BINS;
    desc.max_n = t->max_n;
    LOAD_CREATE(histogram);
}

static void call_histogram(load_thread *t, void *plan) {
    const size_t n = load_size(t, t->max_n);
    const int32_t *in = load_int32(t, n, BINS + 10);
    uint64_t *counts = load_array(t, BINS, sizeof *counts);
    uint64_t *expected = load_array(t, BINS, sizeof *expected);
    uint64_t outside = 0, found = 0;
    for (size_t i = 0; i < n; i++) {
        /* The last edge belongs to the last bin. */
        if (in[i] > BINS) {
            outside++;
        } else {
            expected[in[i] < BINS ? in[i] : BINS - 1]++;
        }
    }
    if (!LOAD_TRY(t, CLPRIMS_OK, clprims_histogram_run(plan, in, NULL, counts, n, &found))) return;
    if (found != outside)
        load_fail(t, "n = %zu: %llu outside, not %llu", n, (unsigned long long)outside,
                  (unsigned long long)found);
    load_compare(t, expected, counts, BINS, sizeof *counts, n);
}

/* ---- Merge and search ---- */

static clprims_status create_merge(load_thread *t, void **plan) {
    clprims_merge_desc desc = CLPRIMS_MERGE_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.max_a = t->max_n;
    desc.max_b = t->max_n;
    LOAD_CREATE(merge);
}

static void call_merge(load_thread *t, void *plan) {
    const size_t n_a = load_size(t, t->max_n), n_b = load_size(t, t->max_n);
    int32_t *a = load_int32(t, n_a, 1 << 20), *b = load_int32(t, n_b, 1 << 20);
    int32_t *out = load_int32(t, n_a + n_b, 0);
    int32_t *expected = load_int32(t, n_a + n_b, 0);
    sort_int32(a, n_a);
    sort_int32(b, n_b);
    for (size_t i = 0, j = 0; i + j < n_a + n_b;) {
        const bool takes_a = j == n_b || (i < n_a && a[i] <= b[j]);
        expected[i + j] = takes_a ? a[i] : b[j];
        i += takes_a;
        j += !takes_a;
    }
    clprims_merge_arrays arrays = CLPRIMS_MERGE_ARRAYS_INIT;
    arrays.a = a;
    arrays.b = b;
    arrays.out = out;
    if (LOAD_TRY(t, CLPRIMS_OK, clprims_merge_run(plan, &arrays, n_a, n_b)))
        load_compare(t, expected, out, n_a + n_b, sizeof *out, n_a + n_b);
}

static clprims_status create_search(load_thread *t, void **plan) {
    clprims_search_desc desc = CLPRIMS_SEARCH_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.max_sorted = t->max_n;
    desc.max_n = t->max_n;
    LOAD_CREATE(search);
}

static void call_search(load_thread *t, void *plan) {
    const size_t n = load_size(t, t->max_n), n_sorted = load_size(t, t->max_n);
    int32_t *sorted = load_int32(t, n_sorted, 1 << 16);
    const int32_t *needles = load_int32(t, n, 1 << 16);
    int64_t *out = load_array(t, n, sizeof *out);
    int64_t *expected = load_array(t, n, sizeof *expected);
    sort_int32(sorted, n_sorted);
    for (size_t i = 0; i < n; i++) {
        size_t low = 0, high = n_sorted;
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            if (sorted[middle] < needles[i]) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        expected[i] = (int64_t)low;
    }
    if (LOAD_TRY(t, CLPRIMS_OK, clprims_search_run(plan, sorted, n_sorted, needles, out, n)))
        load_compare(t, expected, out, n, sizeof *out, n + n_sorted);
}

const load_subject load_sorts[LOAD_SORTS] = {
    {"sort", create_sort, destroy_sort, call_sort},
    {"topk", create_topk, destroy_topk, call_topk},
    {"histogram", create_histogram, destroy_histogram, call_histogram},
    {"merge", create_merge, destroy_merge, call_merge},
    {"search", create_search, destroy_search, call_search}};
