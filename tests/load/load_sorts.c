/* SPDX-License-Identifier: MIT */
/* Sorts of keys, of pairs and of indices, top-k and histograms. */
#include "load/load.h"

#include <string.h>

LOAD_DESTROY(sort)
LOAD_DESTROY(segmented_sort)
LOAD_DESTROY(topk)
LOAD_DESTROY(histogram)
LOAD_REPORT(sort)
LOAD_REPORT(segmented_sort)
LOAD_REPORT(topk)
LOAD_REPORT(histogram)

/* The unsigned numbers whose order is that of the keys. */
static uint32_t *numbers_of_int32(load_thread *t, const int32_t *keys, size_t n) {
    uint32_t *numbers = load_uint32(t, n, 0);
    for (size_t i = 0; i < n; i++) numbers[i] = (uint32_t)keys[i] ^ 0x80000000u;
    return numbers;
}

static uint32_t *numbers_descending(load_thread *t, const uint32_t *keys, size_t n) {
    uint32_t *numbers = load_uint32(t, n, 0);
    for (size_t i = 0; i < n; i++) numbers[i] = ~keys[i];
    return numbers;
}

static uint32_t *numbers_of_float(load_thread *t, const float *keys, size_t n) {
    uint32_t *numbers = load_uint32(t, n, 0);
    memcpy(numbers, keys, n * sizeof *keys);
    for (size_t i = 0; i < n; i++) {
        numbers[i] = numbers[i] >> 31 ? ~numbers[i] : numbers[i] | 0x80000000u;
    }
    return numbers;
}

/* Many equal keys, or few. */
static uint64_t draw_bound(load_thread *t) {
    return load_below(t, 2) == 0 ? 100 : 1 << 30;
}

/* ---- Sort ---- */

static clprims_status create_sort(load_thread *t, void **plan) {
    clprims_sort_desc desc = CLPRIMS_SORT_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.indices = CLPRIMS_U32;
    desc.max_n = t->max_n;
    LOAD_CREATE(sort);
}

static clprims_status create_pairs(load_thread *t, void **plan) {
    clprims_sort_desc desc = CLPRIMS_SORT_DESC_INIT;
    desc.type = CLPRIMS_U32;
    desc.descending = 1;
    desc.payloads = 1;
    desc.payload_bytes[0] = sizeof(int64_t);
    desc.max_n = t->max_n;
    LOAD_CREATE(sort);
}

static clprims_status create_argsort(load_thread *t, void **plan) {
    clprims_sort_desc desc = CLPRIMS_SORT_DESC_INIT;
    desc.type = CLPRIMS_F32;
    desc.no_keys = 1;
    desc.indices = CLPRIMS_U32;
    desc.max_n = t->max_n;
    LOAD_CREATE(sort);
}

/* Keys of 4 bytes; what the plan does not have is NULL. */
typedef struct sorted {
    const void *keys_in;
    void *keys_out;
    const int64_t *payload_in;
    int64_t *payload_out;
    uint32_t *indices;
} sorted;

static bool sort_on_queue(load_thread *t, clprims_sort *plan, load_way way, const sorted *s,
                          size_t n) {
    const size_t room = load_room(way, n, t->max_n);
    clprims_sort_buffers b = CLPRIMS_SORT_BUFFERS_INIT;
    b.keys_in = load_buffer(t, s->keys_in, n, room, 4);
    if (s->keys_out != NULL) b.keys_out = load_buffer(t, NULL, 0, room, 4);
    if (s->payload_in != NULL) {
        b.payload_in[0] = load_buffer(t, s->payload_in, n, room, 8);
        b.payload_out[0] = load_buffer(t, NULL, 0, room, 8);
    }
    if (s->indices != NULL) b.indices = load_buffer(t, NULL, 0, room, 4);
    const clprims_buffer number = load_number(t, way, n, t->max_n);
    const clprims_buffer report = load_buffer(t, NULL, 0, 1, sizeof(clprims_sort_report));
    if (!LOAD_TRY(t, CLPRIMS_OK,
                  way == LOAD_ENQUEUE ? clprims_sort_enqueue(plan, t->queue, &b, n, 0, NULL, NULL)
                                      : clprims_sort_enqueue_counted(plan, t->queue, &b, number,
                                                                     report, 0, NULL, NULL)))
        return false;
    if (way != LOAD_ENQUEUE && !check_sort(t, way, report)) return false;
    if (s->keys_out != NULL) load_read(t, way, b.keys_out, s->keys_out, n, 4);
    if (s->payload_in != NULL) load_read(t, way, b.payload_out[0], s->payload_out, n, 8);
    if (s->indices != NULL) load_read(t, way, b.indices, s->indices, n, 4);
    return way != LOAD_EXCEEDED;
}

static bool sort(load_thread *t, clprims_sort *plan, const sorted *s, size_t n) {
    const load_way way = load_draw_way(t);
    if (way != LOAD_RUN) return sort_on_queue(t, plan, way, s, n);
    clprims_sort_arrays arrays = CLPRIMS_SORT_ARRAYS_INIT;
    arrays.keys_in = s->keys_in;
    arrays.keys_out = s->keys_out;
    arrays.payload_in[0] = s->payload_in;
    arrays.payload_out[0] = s->payload_out;
    arrays.indices = s->indices;
    return LOAD_TRY(t, CLPRIMS_OK, clprims_sort_run(plan, &arrays, n));
}

static void call_sort(load_thread *t, void *plan) {
    const size_t n = load_size(t, t->max_n);
    const int32_t *in = load_int32(t, n, draw_bound(t));
    const uint32_t *order = load_order(t, numbers_of_int32(t, in, n), n);
    int32_t *out = load_int32(t, n, 0), *expected = load_int32(t, n, 0);
    uint32_t *indices = load_uint32(t, n, 0);
    for (size_t i = 0; i < n; i++) expected[i] = in[order[i]];
    const sorted s = {in, out, NULL, NULL, indices};
    if (!sort(t, plan, &s, n)) return;
    load_compare(t, expected, out, n, sizeof *out, n);
    load_compare(t, order, indices, n, sizeof *indices, 0);
}

static void call_pairs(load_thread *t, void *plan) {
    const size_t n = load_size(t, t->max_n);
    const uint32_t *in = load_uint32(t, n, draw_bound(t));
    const uint32_t *order = load_order(t, numbers_descending(t, in, n), n);
    uint32_t *out = load_uint32(t, n, 0), *expected = load_uint32(t, n, 0);
    int64_t *payload = load_array(t, n, sizeof *payload), *moved = load_array(t, n, sizeof *moved);
    int64_t *expected_moved = load_array(t, n, sizeof *moved);
    for (size_t i = 0; i < n; i++) payload[i] = -(int64_t)(i << 20);
    for (size_t i = 0; i < n; i++) {
        expected[i] = in[order[i]];
        expected_moved[i] = payload[order[i]];
    }
    const sorted s = {in, out, payload, moved, NULL};
    if (!sort(t, plan, &s, n)) return;
    load_compare(t, expected, out, n, sizeof *out, n);
    load_compare(t, expected_moved, moved, n, sizeof *moved, 0);
}

static void call_argsort(load_thread *t, void *plan) {
    const size_t n = load_size(t, t->max_n);
    const int32_t *numerators = load_int32(t, n, draw_bound(t));
    float *in = load_array(t, n, sizeof *in);
    for (size_t i = 0; i < n; i++) in[i] = (float)(numerators[i] - 50) / 8;
    const uint32_t *order = load_order(t, numbers_of_float(t, in, n), n);
    uint32_t *indices = load_uint32(t, n, 0);
    const sorted s = {in, NULL, NULL, NULL, indices};
    if (sort(t, plan, &s, n)) load_compare(t, order, indices, n, sizeof *indices, n);
}

/* ---- Segmented sort ---- */

static clprims_status create_segmented_sort(load_thread *t, void **plan) {
    clprims_segmented_sort_desc desc = CLPRIMS_SEGMENTED_SORT_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.indices = CLPRIMS_U32;
    desc.offsets = CLPRIMS_I32;
    desc.max_n = t->max_n;
    desc.max_segments = t->max_n;
    LOAD_CREATE(segmented_sort);
}

static bool segments_on_queue(load_thread *t, clprims_segmented_sort *plan, load_way way,
                              const clprims_segmented_sort_arrays *a, size_t n, size_t segments) {
    const size_t room = load_room(way, n, t->max_n), most = load_room(way, segments, t->max_n);
    clprims_segmented_sort_buffers b = CLPRIMS_SEGMENTED_SORT_BUFFERS_INIT;
    b.offsets = load_buffer(t, a->offsets, segments + 1, most + 1, 4);
    b.keys_in = load_buffer(t, a->keys_in, n, room, 4);
    b.keys_out = load_buffer(t, NULL, 0, room, 4);
    b.indices = load_buffer(t, NULL, 0, room, 4);
    b.report = load_buffer(t, NULL, 0, 1, sizeof(clprims_segmented_sort_report));
    const clprims_buffer number = load_number(t, way, n, t->max_n);
    const clprims_buffer count = load_number(t, LOAD_COUNTED, segments, 0);
    if (!LOAD_TRY(t, CLPRIMS_OK,
                  way == LOAD_ENQUEUE ? clprims_segmented_sort_enqueue(plan, t->queue, &b, n,
                                                                       segments, 0, NULL, NULL)
                                      : clprims_segmented_sort_enqueue_counted(
                                            plan, t->queue, &b, number, count, 0, NULL, NULL)))
        return false;
    if (!check_segmented_sort(t, way, b.report)) return false;
    load_read(t, way, b.keys_out, a->keys_out, n, 4);
    load_read(t, way, b.indices, a->indices, n, 4);
    return way != LOAD_EXCEEDED;
}

static void call_segmented_sort(load_thread *t, void *plan) {
    const size_t n = load_size(t, t->max_n), segments = load_draw_segments(t);
    const int32_t *in = load_int32(t, n, draw_bound(t));
    const int32_t *offsets = load_offsets(t, n, segments);
    const uint32_t *numbers = numbers_of_int32(t, in, n);
    int32_t *out = load_int32(t, n, 0), *expected = load_int32(t, n, 0);
    uint32_t *indices = load_uint32(t, n, 0), *expected_indices = load_uint32(t, n, 0);
    const load_way way = load_draw_way(t);
    for (size_t s = 0; s < segments; s++) {
        const uint32_t first = (uint32_t)offsets[s], count = (uint32_t)offsets[s + 1] - first;
        load_order_into(expected_indices + first, numbers + first, count);
        for (uint32_t i = first; i < first + count; i++) {
            expected_indices[i] += first;
            expected[i] = in[expected_indices[i]];
        }
    }
    clprims_segmented_sort_arrays arrays = CLPRIMS_SEGMENTED_SORT_ARRAYS_INIT;
    arrays.offsets = offsets;
    arrays.keys_in = in;
    arrays.keys_out = out;
    arrays.indices = indices;
    if (way != LOAD_RUN) {
        if (!segments_on_queue(t, plan, way, &arrays, n, segments)) return;
    } else if (!LOAD_TRY(t, CLPRIMS_OK, clprims_segmented_sort_run(plan, &arrays, n, segments))) {
        return;
    }
    load_compare(t, expected, out, n, sizeof *out, n + segments);
    load_compare(t, expected_indices, indices, n, sizeof *indices, 0);
}

/* ---- Top-k ---- */

static size_t most_found(const load_thread *t) {
    return t->max_n < 100 ? t->max_n : 100;
}

static clprims_status create_topk(load_thread *t, void **plan) {
    clprims_topk_desc desc = CLPRIMS_TOPK_DESC_INIT;
    desc.type = CLPRIMS_U32;
    desc.indices = CLPRIMS_U32;
    desc.max_n = t->max_n;
    desc.max_k = most_found(t);
    LOAD_CREATE(topk);
}

static bool topk(load_thread *t, clprims_topk *plan, const clprims_topk_arrays *a, size_t n,
                 size_t k) {
    const load_way way = load_draw_way(t);
    if (way == LOAD_RUN) return LOAD_TRY(t, CLPRIMS_OK, clprims_topk_run(plan, a, n, k));
    clprims_topk_buffers b = CLPRIMS_TOPK_BUFFERS_INIT;
    b.in = load_buffer(t, a->in, n, load_room(way, n, t->max_n), 4);
    b.values = load_buffer(t, NULL, 0, k, 4);
    b.indices = load_buffer(t, NULL, 0, k, 4);
    const clprims_buffer number = load_number(t, way, n, t->max_n);
    const clprims_buffer report = load_buffer(t, NULL, 0, 1, sizeof(clprims_topk_report));
    if (!LOAD_TRY(t, CLPRIMS_OK,
                  way == LOAD_ENQUEUE
                      ? clprims_topk_enqueue(plan, t->queue, &b, n, k, 0, NULL, NULL)
                      : clprims_topk_enqueue_counted(plan, t->queue, &b, number, k, report, 0, NULL,
                                                     NULL)))
        return false;
    if (way != LOAD_ENQUEUE && !check_topk(t, way, report)) return false;
    load_read(t, way, b.values, a->values, k, 4);
    load_read(t, way, b.indices, a->indices, k, 4);
    return way != LOAD_EXCEEDED;
}

static void call_topk(load_thread *t, void *plan) {
    const size_t n = 1 + load_size(t, t->max_n - 1);
    const size_t most = n < most_found(t) ? n : most_found(t);
    const size_t k = 1 + load_below(t, most);
    const uint32_t *in = load_uint32(t, n, draw_bound(t));
    const uint32_t *order = load_order(t, numbers_descending(t, in, n), n);
    uint32_t *values = load_uint32(t, k, 0), *expected = load_uint32(t, k, 0);
    uint32_t *indices = load_uint32(t, k, 0);
    for (size_t i = 0; i < k; i++) expected[i] = in[order[i]];
    clprims_topk_arrays arrays = CLPRIMS_TOPK_ARRAYS_INIT;
    arrays.in = in;
    arrays.values = values;
    arrays.indices = indices;
    if (!topk(t, plan, &arrays, n, k)) return;
    load_compare(t, expected, values, k, sizeof *values, n);
    load_compare(t, order, indices, k, sizeof *indices, 0);
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

static clprims_status create_weights(load_thread *t, void **plan) {
    clprims_histogram_desc desc = CLPRIMS_HISTOGRAM_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.by = CLPRIMS_HISTOGRAM_EXPRESSION;
    desc.bin = "x < 50 ? x : x == 50 ? 49 : -1";
    desc.bins = BINS;
    desc.weights = CLPRIMS_I32;
    desc.max_n = t->max_n;
    LOAD_CREATE(histogram);
}

/* weights: NULL without. */
static bool histogram(load_thread *t, clprims_histogram *plan, const int32_t *in,
                      const int32_t *weights, uint64_t *sums, size_t n, uint64_t *outside) {
    const load_way way = load_draw_way(t);
    if (way == LOAD_RUN)
        return LOAD_TRY(t, CLPRIMS_OK, clprims_histogram_run(plan, in, weights, sums, n, outside));
    const size_t room = load_room(way, n, t->max_n);
    const clprims_buffer none = {NULL, 0}, from = load_buffer(t, in, n, room, sizeof *in);
    const clprims_buffer factors =
        weights != NULL ? load_buffer(t, weights, n, room, sizeof *weights) : none;
    const clprims_buffer to = load_buffer(t, NULL, 0, BINS, sizeof *sums);
    const clprims_buffer number = load_number(t, way, n, t->max_n);
    const clprims_buffer report = load_buffer(t, NULL, 0, 1, sizeof(clprims_histogram_report));
    clprims_histogram_report found;
    if (!LOAD_TRY(t, CLPRIMS_OK,
                  way == LOAD_ENQUEUE
                      ? clprims_histogram_enqueue(plan, t->queue, from, factors, to, n, report, 0,
                                                  NULL, NULL)
                      : clprims_histogram_enqueue_counted(plan, t->queue, from, factors, to, number,
                                                          report, 0, NULL, NULL)))
        return false;
    if (!check_histogram(t, way, report)) return false;
    load_read(t, LOAD_ENQUEUE, report, &found, 1, sizeof found);
    *outside = (uint64_t)found.outside;
    load_read(t, way, to, sums, BINS, sizeof *sums);
    return way != LOAD_EXCEEDED;
}

static void call_histogram_of(load_thread *t, void *plan, bool weighted) {
    const size_t n = load_size(t, t->max_n);
    const int32_t *in = load_int32(t, n, BINS + 10);
    const int32_t *weights = weighted ? load_int32(t, n, 1 << 20) : NULL;
    uint64_t *sums = load_array(t, BINS, sizeof *sums);
    uint64_t *expected = load_array(t, BINS, sizeof *expected);
    uint64_t outside = 0, found = 0;
    for (size_t i = 0; i < n; i++) {
        /* The last edge belongs to the last bin. */
        if (in[i] > BINS) {
            outside++;
        } else {
            expected[in[i] < BINS ? in[i] : BINS - 1] += weighted ? (uint64_t)weights[i] : 1;
        }
    }
    if (!histogram(t, plan, in, weights, sums, n, &found)) return;
    load_compare(t, &outside, &found, 1, sizeof found, 0);
    load_compare(t, expected, sums, BINS, sizeof *sums, n);
}

static void call_histogram(load_thread *t, void *plan) {
    call_histogram_of(t, plan, false);
}

static void call_weights(load_thread *t, void *plan) {
    call_histogram_of(t, plan, true);
}

const load_subject load_sorts[7] = {
    {"sort", create_sort, destroy_sort, call_sort},
    {"sort of pairs", create_pairs, destroy_sort, call_pairs},
    {"argsort", create_argsort, destroy_sort, call_argsort},
    {"segmented sort", create_segmented_sort, destroy_segmented_sort, call_segmented_sort},
    {"topk", create_topk, destroy_topk, call_topk},
    {"histogram", create_histogram, destroy_histogram, call_histogram},
    {"histogram of weights", create_weights, destroy_histogram, call_weights}};
