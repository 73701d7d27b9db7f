/* SPDX-License-Identifier: MIT */
/* Segmented reductions and scans, reductions by key, parents and gather. */
#include "load/load.h"

LOAD_DESTROY(segmented)
LOAD_DESTROY(parents)
LOAD_DESTROY(gather)
LOAD_REPORT(segmented)
LOAD_REPORT(parents)
LOAD_REPORT(gather)

/* ---- Segmented ---- */

/* What a call is made of and what it must write. keys and count: of reductions by key alone. */
typedef struct segmented_call {
    clprims_segmented_arrays arrays;
    size_t n, segments; /* by keys and flags: the capacity */
    size_t heads, head_bytes, most_heads;
    size_t out; /* elements that are written */
    uint64_t count;
    bool by_offsets, by_keys;
} segmented_call;

static bool segmented_on_queue(load_thread *t, clprims_segmented *plan, load_way way,
                               segmented_call *c, size_t *count) {
    const size_t room = load_room(way, c->n, t->max_n);
    const clprims_buffer none = {NULL, 0};
    clprims_segmented_buffers b = CLPRIMS_SEGMENTED_BUFFERS_INIT;
    b.in = load_buffer(t, c->arrays.in, c->n, room, 4);
    b.heads = load_buffer(t, c->arrays.heads, c->heads, load_room(way, c->heads, c->most_heads),
                          c->head_bytes);
    b.out =
        load_buffer(t, NULL, 0, c->by_offsets ? load_room(way, c->segments, t->max_n) : room, 4);
    if (c->by_keys) {
        b.keys = load_buffer(t, NULL, 0, room, 4);
        b.count = load_buffer(t, NULL, 0, 1, sizeof c->count);
    }
    b.report = load_buffer(t, NULL, 0, 1, sizeof(clprims_segmented_report));
    const clprims_buffer number = load_number(t, way, c->n, t->max_n);
    const clprims_buffer segments =
        c->by_offsets ? load_number(t, LOAD_COUNTED, c->segments, 0) : none;
    if (!LOAD_TRY(
            t, CLPRIMS_OK,
            way == LOAD_ENQUEUE
                ? clprims_segmented_enqueue(plan, t->queue, &b, c->n, c->segments, 0, NULL, NULL)
                : clprims_segmented_enqueue_counted(plan, t->queue, &b, number, segments, room, 0,
                                                    NULL, NULL)))
        return false;
    if (!check_segmented(t, way, b.report)) return false;
    load_read(t, way, b.out, c->arrays.out, c->out, 4);
    if (c->by_keys) {
        uint64_t found = 0;
        load_read(t, way, b.keys, c->arrays.keys, c->out, 4);
        load_read(t, LOAD_ENQUEUE, b.count, &found, 1, sizeof found);
        *count = (size_t)found;
    }
    return way != LOAD_EXCEEDED;
}

/* Whether the outputs are there to be compared. */
static bool segmented(load_thread *t, clprims_segmented *plan, segmented_call *c) {
    const load_way way = load_draw_way(t);
    size_t count = 0;
    if (way != LOAD_RUN) {
        if (!segmented_on_queue(t, plan, way, c, &count)) return false;
    } else if (!LOAD_TRY(t, CLPRIMS_OK,
                         clprims_segmented_run(plan, &c->arrays, c->n, c->segments,
                                               c->by_keys ? &count : NULL))) {
        return false;
    }
    if (c->by_keys && count != c->count)
        load_fail(t, "n = %zu: %llu segments, not %zu", c->n, (unsigned long long)c->count, count);
    return true;
}

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
    const size_t segments = load_draw_segments(t);
    const int32_t *in = load_int32(t, n, 1000);
    int32_t *offsets = load_offsets(t, n, segments);
    int32_t *out = load_int32(t, segments, 0);
    int32_t *expected = load_int32(t, segments, 0);
    for (size_t s = 0; s < segments; s++) {
        for (int32_t i = offsets[s]; i < offsets[s + 1]; i++) expected[s] += in[i];
    }
    segmented_call c = {CLPRIMS_SEGMENTED_ARRAYS_INIT,
                        n,
                        segments,
                        segments + 1,
                        4,
                        t->max_n + 1,
                        segments,
                        0,
                        true,
                        false};
    c.arrays.in = in;
    c.arrays.heads = offsets;
    c.arrays.out = out;
    if (load_below(t, 8) == 0) {
        offsets[load_below(t, segments)] = (int32_t)n + 1;
        (void)LOAD_TRY(t, CLPRIMS_ERR_DATA,
                       clprims_segmented_run(plan, &c.arrays, n, segments, NULL));
        return;
    }
    if (segmented(t, plan, &c)) load_compare(t, expected, out, segments, sizeof *out, n + segments);
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
    size_t segments = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || keys[i] != keys[i - 1]) expected_keys[segments++] = keys[i];
        expected[segments - 1] += in[i];
    }
    segmented_call c = {
        CLPRIMS_SEGMENTED_ARRAYS_INIT, n, n, n, 4, t->max_n, segments, segments, false, true};
    c.arrays.in = in;
    c.arrays.heads = keys;
    c.arrays.out = sums;
    c.arrays.keys = found;
    if (!segmented(t, plan, &c)) return;
    load_compare(t, expected, sums, segments, sizeof *sums, n);
    load_compare(t, expected_keys, found, segments, sizeof *found, 0);
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
    segmented_call c = {CLPRIMS_SEGMENTED_ARRAYS_INIT, n, 0, n, 1, t->max_n, n, 0, false, false};
    c.arrays.in = in;
    c.arrays.heads = flags;
    c.arrays.out = out;
    if (segmented(t, plan, &c)) load_compare(t, expected, out, n, sizeof *out, n);
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

static bool parents_on_queue(load_thread *t, clprims_parents *plan, load_way way,
                             const int32_t *offsets, int32_t *parents, int32_t *local, size_t n,
                             size_t segments) {
    const size_t most = load_room(way, segments, t->max_n);
    const clprims_buffer from = load_buffer(t, offsets, segments + 1, most + 1, sizeof *offsets);
    const clprims_buffer to = load_buffer(t, NULL, 0, n, sizeof *parents);
    const clprims_buffer index = load_buffer(t, NULL, 0, n, sizeof *local);
    const clprims_buffer number = load_number(t, way, segments, t->max_n);
    const clprims_buffer report = load_buffer(t, NULL, 0, 1, sizeof(clprims_parents_report));
    if (!LOAD_TRY(t, CLPRIMS_OK,
                  way == LOAD_ENQUEUE
                      ? clprims_parents_enqueue(plan, t->queue, from, to, index, n, segments,
                                                report, 0, NULL, NULL)
                      : clprims_parents_enqueue_counted(plan, t->queue, from, to, index, n, number,
                                                        report, 0, NULL, NULL)))
        return false;
    if (!check_parents(t, way, report)) return false;
    load_read(t, way, to, parents, n, sizeof *parents);
    load_read(t, way, index, local, n, sizeof *local);
    return way != LOAD_EXCEEDED;
}

static void call_parents(load_thread *t, void *plan) {
    const size_t n = load_size(t, t->max_n);
    const size_t segments = load_draw_segments(t);
    const int32_t *offsets = load_offsets(t, n, segments);
    int32_t *parents = load_int32(t, n, 0), *local = load_int32(t, n, 0);
    int32_t *expected = load_int32(t, n, 0), *expected_local = load_int32(t, n, 0);
    for (size_t s = 0; s < segments; s++) {
        for (int32_t i = offsets[s]; i < offsets[s + 1]; i++) {
            expected[i] = (int32_t)s;
            expected_local[i] = i - offsets[s];
        }
    }
    const load_way way = load_draw_way(t);
    if (way != LOAD_RUN) {
        if (!parents_on_queue(t, plan, way, offsets, parents, local, n, segments)) return;
    } else if (!LOAD_TRY(t, CLPRIMS_OK,
                         clprims_parents_run(plan, offsets, parents, local, n, segments))) {
        return;
    }
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

static bool gather_on_queue(load_thread *t, clprims_gather *plan, load_way way,
                            const int32_t *index, const int32_t *in, int32_t *out, size_t n,
                            size_t length) {
    const size_t room = load_room(way, n, t->max_n), most = load_room(way, length, t->max_n);
    const clprims_buffer at = load_buffer(t, index, n, room, sizeof *index);
    const clprims_buffer from = load_buffer(t, in, length, most, sizeof *in);
    const clprims_buffer to = load_buffer(t, NULL, 0, room, sizeof *out);
    const clprims_buffer number = load_number(t, way, n, room);
    const clprims_buffer number_in = load_number(t, LOAD_COUNTED, length, 0);
    const clprims_buffer report = load_buffer(t, NULL, 0, 1, sizeof(clprims_gather_report));
    if (!LOAD_TRY(t, CLPRIMS_OK,
                  way == LOAD_ENQUEUE
                      ? clprims_gather_enqueue(plan, t->queue, at, from, to, n, length, report, 0,
                                               NULL, NULL)
                      : clprims_gather_enqueue_counted(plan, t->queue, at, from, to, room, most,
                                                       number, number_in, report, 0, NULL, NULL)))
        return false;
    if (!check_gather(t, way, report)) return false;
    load_read(t, way, to, out, n, sizeof *out);
    return way != LOAD_EXCEEDED;
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
        (void)LOAD_TRY(t, CLPRIMS_ERR_DATA, clprims_gather_run(plan, index, in, out, n, length));
        return;
    }
    const load_way way = load_draw_way(t);
    if (way != LOAD_RUN) {
        if (!gather_on_queue(t, plan, way, index, in, out, n, length)) return;
    } else if (!LOAD_TRY(t, CLPRIMS_OK, clprims_gather_run(plan, index, in, out, n, length))) {
        return;
    }
    load_compare(t, expected, out, n, sizeof *out, n + length);
}

const load_subject load_segments[5] = {
    {"segmented sum", create_segmented_sum, destroy_segmented, call_segmented_sum},
    {"sum by key", create_sum_by_key, destroy_segmented, call_sum_by_key},
    {"segmented scan", create_segmented_scan, destroy_segmented, call_segmented_scan},
    {"parents", create_parents, destroy_parents, call_parents},
    {"gather", create_gather, destroy_gather, call_gather}};
