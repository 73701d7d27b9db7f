/* SPDX-License-Identifier: MIT */
/* Segmented reductions, scans and sorts, parents and gather. */
#include "load/load.h"

#include <stdlib.h>
#include <string.h>

LOAD_DESTROY(segmented)
LOAD_DESTROY(segmented_sort)
LOAD_DESTROY(parents)
LOAD_DESTROY(gather)

/* As many as there are, at most max_n. */
static size_t draw_segments(load_thread *t) {
    return 1 + load_below(t, load_below(t, 2) == 0 ? 4 : t->max_n);
}

/* ---- Segmented ---- */

static clprims_status create_segmented_sum(load_thread *t, void **plan) {
    clprims_segmented_desc desc = CLPRIMS_SEGMENTED_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.heads_type = CLPRIMS_I32;
    desc.max_n = t->max_n;
    desc.max_segments = t->max_n;
    LOAD_CREATE(segmented);
}

static void call_segmented_sum(load_thread *t, void *plan) {
    const size_t n = load_size(t, t->max_n);
    const size_t segments = draw_segments(t);
    const int32_t *in = load_int32(t, n, 1000);
    int32_t *offsets = load_offsets(t, n, segments);
    int32_t *out = load_int32(t, segments, 0);
    int32_t *expected = load_int32(t, segments, 0);
    size_t count = 0;
    for (size_t s = 0; s < segments; s++) {
        for (int32_t i = offsets[s]; i < offsets[s + 1]; i++) expected[s] += in[i];
    }
    clprims_segmented_arrays arrays = CLPRIMS_SEGMENTED_ARRAYS_INIT;
    arrays.in = in;
    arrays.heads = offsets;
    arrays.out = out;
    if (load_below(t, 8) == 0) {
        offsets[load_below(t, segments)] = (int32_t)n + 1;
        if (LOAD_TRY(t, CLPRIMS_ERR_DATA,
                     clprims_segmented_run(plan, &arrays, n, segments, &count)))
            t->counts.refused++;
        return;
    }
    if (LOAD_TRY(t, CLPRIMS_OK, clprims_segmented_run(plan, &arrays, n, segments, &count)))
        load_compare(t, expected, out, segments, sizeof *out, n + segments);
}

static clprims_status create_sum_by_key(load_thread *t, void **plan) {
    clprims_segmented_desc desc = CLPRIMS_SEGMENTED_DESC_INIT;
    desc.by = CLPRIMS_SEGMENTS_KEYS;
    desc.type = CLPRIMS_I32;
    desc.heads_type = CLPRIMS_I32;
    desc.unique_keys = 1;
    desc.max_n = t->max_n;
    LOAD_CREATE(segmented);
}

static void call_sum_by_key(load_thread *t, void *plan) {
    const size_t n = load_size(t, t->max_n);
    const int32_t *in = load_int32(t, n, 1000);
    const int32_t *keys = load_int32(t, n, 2 + load_below(t, 5));
    int32_t *sums = load_int32(t, n, 0), *found = load_int32(t, n, 0);
    int32_t *expected = load_int32(t, n, 0), *expected_keys = load_int32(t, n, 0);
    size_t segments = 0, count = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || keys[i] != keys[i - 1]) expected_keys[segments++] = keys[i];
        expected[segments - 1] += in[i];
    }
    clprims_segmented_arrays arrays = CLPRIMS_SEGMENTED_ARRAYS_INIT;
    arrays.in = in;
    arrays.heads = keys;
    arrays.out = sums;
    arrays.keys = found;
    if (!LOAD_TRY(t, CLPRIMS_OK, clprims_segmented_run(plan, &arrays, n, n, &count))) return;
    if (count != segments) load_fail(t, "n = %zu: %zu segments, not %zu", n, segments, count);
    load_compare(t, expected, sums, segments, sizeof *sums, n);
    load_compare(t, expected_keys, found, segments, sizeof *found, n);
}

static clprims_status create_segmented_scan(load_thread *t, void **plan) {
    clprims_segmented_desc desc = CLPRIMS_SEGMENTED_DESC_INIT;
    desc.result = CLPRIMS_SEGMENTED_INCLUSIVE;
    desc.by = CLPRIMS_SEGMENTS_FLAGS;
    desc.type = CLPRIMS_I32;
    desc.max_n = t->max_n;
    LOAD_CREATE(segmented);
}

static void call_segmented_scan(load_thread *t, void *plan) {
    const size_t n = load_size(t, t->max_n);
    const int32_t *in = load_int32(t, n, 1000);
    const uint8_t *flags = load_uint8(t, n, 2);
    int32_t *out = load_int32(t, n, 0);
    int32_t *expected = load_int32(t, n, 0);
    for (size_t i = 0; i < n; i++) {
        expected[i] = in[i] + (i == 0 || flags[i] != 0 ? 0 : expected[i - 1]);
    }
    clprims_segmented_arrays arrays = CLPRIMS_SEGMENTED_ARRAYS_INIT;
    arrays.in = in;
    arrays.heads = flags;
    arrays.out = out;
    if (LOAD_TRY(t, CLPRIMS_OK, clprims_segmented_run(plan, &arrays, n, 0, NULL)))
        load_compare(t, expected, out, n, sizeof *out, n);
}

/* ---- Segmented sort ---- */

static clprims_status create_segmented_sort(load_thread *t, void **plan) {
    clprims_segmented_sort_desc desc = CLPRIMS_SEGMENTED_SORT_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.offsets = CLPRIMS_I32;
    desc.max_n = t->max_n;
    desc.max_segments = t->max_n;
    LOAD_CREATE(segmented_sort);
}

static int compare_int32(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static void call_segmented_sort(load_thread *t, void *plan) {
    const size_t n = load_size(t, t->max_n);
    const size_t segments = draw_segments(t);
    const int32_t *in = load_int32(t, n, 1 << 30);
    const int32_t *offsets = load_offsets(t, n, segments);
    int32_t *out = load_int32(t, n, 0);
    int32_t *expected = load_int32(t, n, 0);
    for (size_t i = 0; i < n; i++) expected[i] = in[i];
    for (size_t s = 0; s < segments; s++) {
        const size_t count = (size_t)(offsets[s + 1] - offsets[s]);
        if (count > 1) qsort(expected + offsets[s], count, sizeof *expected, compare_int32);
    }
    clprims_segmented_sort_arrays arrays = CLPRIMS_SEGMENTED_SORT_ARRAYS_INIT;
    arrays.offsets = offsets;
    arrays.keys_in = in;
    arrays.keys_out = out;
    if (LOAD_TRY(t, CLPRIMS_OK, clprims_segmented_sort_run(plan, &arrays, n, segments)))
        load_compare(t, expected, out, n, sizeof *out, n + segments);
}

/* ---- Parents and gather ---- */

static clprims_status create_parents(load_thread *t, void **plan) {
    clprims_parents_desc desc = CLPRIMS_PARENTS_DESC_INIT;
    desc.result = CLPRIMS_PARENTS_BOTH;
    desc.offsets_type = CLPRIMS_I32;
    desc.type = CLPRIMS_I32;
    desc.max_n = t->max_n;
    desc.max_segments = t->max_n;
    LOAD_CREATE(parents);
}

static void call_parents(load_thread *t, void *plan) {
    const size_t n = load_size(t, t->max_n);
    const size_t segments = draw_segments(t);
    const int32_t *offsets = load_offsets(t, n, segments);
    int32_t *parents = load_int32(t, n, 0), *local = load_int32(t, n, 0);
    int32_t *expected = load_int32(t, n, 0), *expected_local = load_int32(t, n, 0);
    for (size_t s = 0; s < segments; s++) {
        for (int32_t i = offsets[s]; i < offsets[s + 1]; i++) {
            expected[i] = (int32_t)s;
            expected_local[i] = i - offsets[s];
        }
    }
    if (!LOAD_TRY(t, CLPRIMS_OK, clprims_parents_run(plan, offsets, parents, local, n, segments)))
        return;
    load_compare(t, expected, parents, n, sizeof *parents, n + segments);
    load_compare(t, expected_local, local, n, sizeof *local, 0);
}

static clprims_status create_gather(load_thread *t, void **plan) {
    clprims_gather_desc desc = CLPRIMS_GATHER_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.index_type = CLPRIMS_I32;
    desc.max_n = t->max_n;
    LOAD_CREATE(gather);
}

static void call_gather(load_thread *t, void *plan) {
    const size_t n = load_size(t, t->max_n);
    const size_t length = 1 + load_size(t, t->max_n - 1);
    const int32_t *in = load_int32(t, length, 1 << 30);
    int32_t *index = load_int32(t, n, length);
    int32_t *out = load_int32(t, n, 0);
    int32_t *expected = load_int32(t, n, 0);
    for (size_t i = 0; i < n; i++) expected[i] = in[index[i]];
    if (n > 0 && load_below(t, 8) == 0) {
        index[load_below(t, n)] = (int32_t)length;
        if (LOAD_TRY(t, CLPRIMS_ERR_DATA, clprims_gather_run(plan, index, in, out, n, length)))
            t->counts.refused++;
        return;
    }
    if (LOAD_TRY(t, CLPRIMS_OK, clprims_gather_run(plan, index, in, out, n, length)))
        load_compare(t, expected, out, n, sizeof *out, n + length);
}

const load_subject load_segments[LOAD_SEGMENTS] = {
    {"segmented sum", create_segmented_sum, destroy_segmented, call_segmented_sum},
    {"sum by key", create_sum_by_key, destroy_segmented, call_sum_by_key},
    {"segmented scan", create_segmented_scan, destroy_segmented, call_segmented_scan},
    {"segmented sort", create_segmented_sort, destroy_segmented_sort, call_segmented_sort},
    {"parents", create_parents, destroy_parents, call_parents},
    {"gather", create_gather, destroy_gather, call_gather}};
