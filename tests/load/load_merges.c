/* SPDX-License-Identifier: MIT */
/* Merges and searches. */
#include "load/load.h"

LOAD_DESTROY(merge)
LOAD_DESTROY(search)
LOAD_REPORT(merge)
LOAD_REPORT(search)

/* n numbers in ascending order. */
static int32_t *draw_sorted(load_thread *t, size_t n, uint64_t bound) {
    const uint32_t *in = load_uint32(t, n, bound);
    const uint32_t *order = load_order(t, in, n);
    int32_t *sorted = load_int32(t, n, 0);
    for (size_t i = 0; i < n; i++) sorted[i] = (int32_t)in[order[i]];
    return sorted;
}

/* ---- Merge ---- */

static clprims_status create_merge(load_thread *t, void **plan) {
    clprims_merge_desc desc = CLPRIMS_MERGE_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.max_a = t->max_n;
    desc.max_b = t->max_n;
    desc.payload_bytes = 4;
    LOAD_CREATE(merge);
}

static bool merge(load_thread *t, clprims_merge *plan, const clprims_merge_arrays *arrays,
                  size_t n_a, size_t n_b) {
    const load_way way = load_draw_way(t);
    if (way == LOAD_RUN) return LOAD_TRY(t, CLPRIMS_OK, clprims_merge_run(plan, arrays, n_a, n_b));
    const size_t room_a = load_room(way, n_a, t->max_n), room_b = load_room(way, n_b, t->max_n);
    clprims_merge_buffers b = CLPRIMS_MERGE_BUFFERS_INIT;
    b.a = load_buffer(t, arrays->a, n_a, room_a, 4);
    b.b = load_buffer(t, arrays->b, n_b, room_b, 4);
    b.payload_a = load_buffer(t, arrays->payload_a, n_a, room_a, 4);
    b.payload_b = load_buffer(t, arrays->payload_b, n_b, room_b, 4);
    b.out = load_buffer(t, NULL, 0, room_a + room_b, 4);
    b.payload_out = load_buffer(t, NULL, 0, room_a + room_b, 4);
    const clprims_buffer number_a = load_number(t, LOAD_COUNTED, n_a, 0);
    const clprims_buffer number_b = load_number(t, way, n_b, t->max_n);
    const clprims_buffer report = load_buffer(t, NULL, 0, 1, sizeof(clprims_merge_report));
    if (!LOAD_TRY(t, CLPRIMS_OK,
                  way == LOAD_ENQUEUE
                      ? clprims_merge_enqueue(plan, t->queue, &b, n_a, n_b, 0, NULL, NULL)
                      : clprims_merge_enqueue_counted(plan, t->queue, &b, number_a, number_b,
                                                      report, 0, NULL, NULL)))
        return false;
    if (way != LOAD_ENQUEUE && !check_merge(t, way, report)) return false;
    load_read(t, way, b.out, arrays->out, n_a + n_b, 4);
    load_read(t, way, b.payload_out, arrays->payload_out, n_a + n_b, 4);
    return way != LOAD_EXCEEDED;
}

/* The payload of a's elements are numbers from 0 on, that of b's from -1 down. */
static void call_merge(load_thread *t, void *plan) {
    const size_t n_a = load_size(t, t->max_n), n_b = load_size(t, t->max_n), n = n_a + n_b;
    const int32_t *a = draw_sorted(t, n_a, 1 << 20), *b = draw_sorted(t, n_b, 1 << 20);
    int32_t *payload_a = load_int32(t, n_a, 0), *payload_b = load_int32(t, n_b, 0);
    int32_t *out = load_int32(t, n, 0), *moved = load_int32(t, n, 0);
    int32_t *expected = load_int32(t, n, 0), *expected_moved = load_int32(t, n, 0);
    for (size_t i = 0; i < n_a; i++) payload_a[i] = (int32_t)i;
    for (size_t i = 0; i < n_b; i++) payload_b[i] = -1 - (int32_t)i;
    for (size_t i = 0, j = 0; i + j < n;) {
        const bool takes_a = j == n_b || (i < n_a && a[i] <= b[j]);
        expected[i + j] = takes_a ? a[i] : b[j];
        expected_moved[i + j] = takes_a ? payload_a[i] : payload_b[j];
        i += takes_a;
        j += !takes_a;
    }
    clprims_merge_arrays arrays = CLPRIMS_MERGE_ARRAYS_INIT;
    arrays.a = a;
    arrays.b = b;
    arrays.out = out;
    arrays.payload_a = payload_a;
    arrays.payload_b = payload_b;
    arrays.payload_out = moved;
    if (!merge(t, plan, &arrays, n_a, n_b)) return;
    load_compare(t, expected, out, n, sizeof *out, n);
    load_compare(t, expected_moved, moved, n, sizeof *moved, 0);
}

/* ---- Search ---- */

static clprims_status create_search(load_thread *t, void **plan) {
    clprims_search_desc desc = CLPRIMS_SEARCH_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.max_sorted = t->max_n;
    desc.max_n = t->max_n;
    LOAD_CREATE(search);
}

static bool search(load_thread *t, clprims_search *plan, const int32_t *sorted, size_t n_sorted,
                   const int32_t *needles, int64_t *out, size_t n) {
    const load_way way = load_draw_way(t);
    if (way == LOAD_RUN)
        return LOAD_TRY(t, CLPRIMS_OK, clprims_search_run(plan, sorted, n_sorted, needles, out, n));
    const size_t room = load_room(way, n, t->max_n), most = load_room(way, n_sorted, t->max_n);
    const clprims_buffer in = load_buffer(t, sorted, n_sorted, most, sizeof *sorted);
    const clprims_buffer wanted = load_buffer(t, needles, n, room, sizeof *needles);
    const clprims_buffer to = load_buffer(t, NULL, 0, room, sizeof *out);
    const clprims_buffer number_sorted = load_number(t, LOAD_COUNTED, n_sorted, 0);
    const clprims_buffer number = load_number(t, way, n, t->max_n);
    const clprims_buffer report = load_buffer(t, NULL, 0, 1, sizeof(clprims_search_report));
    if (!LOAD_TRY(
            t, CLPRIMS_OK,
            way == LOAD_ENQUEUE
                ? clprims_search_enqueue(plan, t->queue, in, n_sorted, wanted, to, n, 0, NULL, NULL)
                : clprims_search_enqueue_counted(plan, t->queue, in, number_sorted, wanted, to,
                                                 number, report, 0, NULL, NULL)))
        return false;
    if (way != LOAD_ENQUEUE && !check_search(t, way, report)) return false;
    load_read(t, way, to, out, n, sizeof *out);
    return way != LOAD_EXCEEDED;
}

static int64_t lower_bound(const int32_t *sorted, size_t n, int32_t needle) {
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (sorted[middle] < needle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return (int64_t)low;
}

static void call_search(load_thread *t, void *plan) {
    const size_t n = load_size(t, t->max_n), n_sorted = load_size(t, t->max_n);
    const int32_t *sorted = draw_sorted(t, n_sorted, 1 << 16);
    const int32_t *needles = load_int32(t, n, 1 << 16);
    int64_t *out = load_array(t, n, sizeof *out);
    int64_t *expected = load_array(t, n, sizeof *expected);
    for (size_t i = 0; i < n; i++) expected[i] = lower_bound(sorted, n_sorted, needles[i]);
    if (search(t, plan, sorted, n_sorted, needles, out, n))
        load_compare(t, expected, out, n, sizeof *out, n + n_sorted);
}

const load_subject load_merges[2] = {{"merge", create_merge, destroy_merge, call_merge},
                                     {"search", create_search, destroy_search, call_search}};
