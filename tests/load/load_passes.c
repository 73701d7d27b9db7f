/* SPDX-License-Identifier: MIT */
/* Scans, selections, runs, partitions, offsets and reductions. */
#include "load/load.h"

LOAD_DESTROY(scan)
LOAD_DESTROY(select)
LOAD_DESTROY(offsets)
LOAD_DESTROY(reduce)
LOAD_REPORT(scan)
LOAD_REPORT(offsets)
LOAD_REPORT(reduce)

/* ---- Scan ---- */

static clprims_status create_scan(load_thread *t, void **plan) {
    clprims_scan_desc desc = CLPRIMS_SCAN_DESC_INIT;
    desc.type = CLPRIMS_U32;
    desc.inclusive = 1;
    desc.input = "x * factor";
    desc.parameters = "uint factor";
    desc.max_n = t->max_n;
    LOAD_CREATE(scan);
}

static bool scan(load_thread *t, clprims_scan *plan, const uint32_t *in, uint32_t *out, size_t n) {
    const load_way way = load_draw_way(t);
    const size_t room = load_room(way, n, t->max_n);
    if (way == LOAD_RUN) return LOAD_TRY(t, CLPRIMS_OK, clprims_scan_run(plan, in, out, n));
    const clprims_buffer from = load_buffer(t, in, n, room, sizeof *in);
    const clprims_buffer to = load_buffer(t, NULL, 0, room, sizeof *out);
    const clprims_buffer number = load_number(t, way, n, t->max_n);
    const clprims_buffer report = load_buffer(t, NULL, 0, 1, sizeof(clprims_scan_report));
    if (!LOAD_TRY(t, CLPRIMS_OK,
                  way == LOAD_ENQUEUE
                      ? clprims_scan_enqueue(plan, t->queue, from, to, n, 0, NULL, NULL)
                      : clprims_scan_enqueue_counted(plan, t->queue, from, to, number, report, 0,
                                                     NULL, NULL)))
        return false;
    if (way != LOAD_ENQUEUE && !check_scan(t, way, report)) return false;
    load_read(t, way, to, out, n, sizeof *out);
    return way != LOAD_EXCEEDED;
}

static void call_scan(load_thread *t, void *plan) {
    const size_t n = load_size(t, t->max_n);
    const uint32_t *in = load_uint32(t, n, 1 << 30);
    uint32_t *out = load_uint32(t, n, 0);
    uint32_t *expected = load_uint32(t, n, 0);
    const uint32_t factor = 1 + (uint32_t)load_below(t, 9);
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += in[i] * factor;
        expected[i] = sum;
    }
    if (LOAD_TRY(t, CLPRIMS_OK, clprims_scan_set_parameter(plan, 0, sizeof factor, &factor)) &&
        scan(t, plan, in, out, n))
        load_compare(t, expected, out, n, sizeof *out, n);
}

/* ---- Select, runs and partition ---- */

static clprims_select_desc select_desc(const load_thread *t, clprims_select_by by) {
    clprims_select_desc desc = CLPRIMS_SELECT_DESC_INIT;
    desc.by = by;
    desc.arrays = 1;
    desc.type[0] = CLPRIMS_I32;
    if (by == CLPRIMS_SELECT_PREDICATE) desc.predicate = "x % 3 == 0";
    desc.max_n = t->max_n;
    return desc;
}

static clprims_status create_select(load_thread *t, void **plan) {
    clprims_select_desc desc = select_desc(t, CLPRIMS_SELECT_PREDICATE);
    desc.indices = CLPRIMS_I64;
    LOAD_CREATE(select);
}

static clprims_status create_runs(load_thread *t, void **plan) {
    clprims_select_desc desc = select_desc(t, CLPRIMS_SELECT_RUNS);
    desc.lengths = CLPRIMS_I64;
    LOAD_CREATE(select);
}

static clprims_status create_partition(load_thread *t, void **plan) {
    clprims_select_desc desc = select_desc(t, CLPRIMS_SELECT_PREDICATE);
    desc.partition = 1;
    LOAD_CREATE(select);
}

/* Elements, and beside them their indices or the lengths of runs. */
typedef struct selection {
    int32_t *values;
    int64_t *indices, *lengths; /* NULL: not of this plan */
    size_t written; /* elements */
    uint64_t count;
} selection;

static selection draw_selection(load_thread *t, size_t n, bool indices, bool lengths) {
    selection s = {load_int32(t, n, 0), NULL, NULL, n, 0};
    if (indices) s.indices = load_array(t, n, sizeof *s.indices);
    if (lengths) s.lengths = load_array(t, n, sizeof *s.lengths);
    return s;
}

static bool select_on_queue(load_thread *t, clprims_select *plan, load_way way, const int32_t *in,
                            size_t n, const selection *expected, selection *found) {
    const size_t room = load_room(way, n, t->max_n), bytes = sizeof(int64_t);
    clprims_select_buffers b = CLPRIMS_SELECT_BUFFERS_INIT;
    b.in[0] = load_buffer(t, in, n, room, sizeof *in);
    b.out[0] = load_buffer(t, NULL, 0, room, sizeof *in);
    if (found->indices != NULL) b.indices = load_buffer(t, NULL, 0, room, bytes);
    if (found->lengths != NULL) b.lengths = load_buffer(t, NULL, 0, room, bytes);
    b.count = load_buffer(t, NULL, 0, 1, sizeof found->count);
    const clprims_buffer number = load_number(t, way, n, t->max_n);
    if (!LOAD_TRY(
            t, CLPRIMS_OK,
            way == LOAD_ENQUEUE
                ? clprims_select_enqueue(plan, t->queue, &b, n, n, 0, NULL, NULL)
                : clprims_select_enqueue_counted(plan, t->queue, &b, number, room, 0, NULL, NULL)))
        return false;
    load_read(t, LOAD_ENQUEUE, b.count, &found->count, 1, sizeof found->count);
    load_read(t, way, b.out[0], found->values, expected->written, sizeof *in);
    if (found->indices != NULL)
        load_read(t, way, b.indices, found->indices, expected->written, bytes);
    if (found->lengths != NULL)
        load_read(t, way, b.lengths, found->lengths, expected->written, bytes);
    if (way != LOAD_EXCEEDED) return true;
    if (found->count != CLPRIMS_SELECT_REFUSED)
        load_fail(t, "more than max_n elements gave the count %llu",
                  (unsigned long long)found->count);
    t->now.refused++;
    return false;
}

static void select_and_compare(load_thread *t, void *plan, const int32_t *in, size_t n,
                               const selection *expected) {
    selection found = draw_selection(t, n, expected->indices != NULL, expected->lengths != NULL);
    const load_way way = load_draw_way(t);
    if (way == LOAD_RUN) {
        clprims_select_arrays arrays = CLPRIMS_SELECT_ARRAYS_INIT;
        size_t count = 0;
        arrays.in[0] = in;
        arrays.out[0] = found.values;
        arrays.indices = found.indices;
        arrays.lengths = found.lengths;
        if (!LOAD_TRY(t, CLPRIMS_OK, clprims_select_run(plan, &arrays, n, n, &count))) return;
        found.count = count;
    } else if (!select_on_queue(t, plan, way, in, n, expected, &found)) {
        return;
    }
    load_compare(t, &expected->count, &found.count, 1, sizeof found.count, 0);
    load_compare(t, expected->values, found.values, expected->written, sizeof *in, n);
    if (found.indices != NULL)
        load_compare(t, expected->indices, found.indices, expected->written, sizeof(int64_t), 0);
    if (found.lengths != NULL)
        load_compare(t, expected->lengths, found.lengths, expected->written, sizeof(int64_t), 0);
}

static void call_select(load_thread *t, void *plan) {
    const size_t n = load_size(t, t->max_n);
    const int32_t *in = load_int32(t, n, 1000);
    selection expected = draw_selection(t, n, true, false);
    for (size_t i = 0; i < n; i++) {
        if (in[i] % 3 != 0) continue;
        expected.values[expected.count] = in[i];
        expected.indices[expected.count++] = (int64_t)i;
    }
    expected.written = expected.count;
    select_and_compare(t, plan, in, n, &expected);
}

static void call_runs(load_thread *t, void *plan) {
    const size_t n = load_size(t, t->max_n);
    const int32_t *in = load_int32(t, n, 2 + load_below(t, 3));
    selection expected = draw_selection(t, n, false, true);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || in[i] != in[i - 1]) expected.values[expected.count++] = in[i];
        expected.lengths[expected.count - 1]++;
    }
    expected.written = expected.count;
    select_and_compare(t, plan, in, n, &expected);
}

static void call_partition(load_thread *t, void *plan) {
    const size_t n = load_size(t, t->max_n);
    const int32_t *in = load_int32(t, n, 1000);
    selection expected = draw_selection(t, n, false, false);
    for (size_t i = 0; i < n; i++) {
        if (in[i] % 3 == 0) expected.values[expected.count++] = in[i];
    }
    for (size_t i = 0, next = expected.count; i < n; i++) {
        if (in[i] % 3 != 0) expected.values[next++] = in[i];
    }
    select_and_compare(t, plan, in, n, &expected);
}

/* ---- Offsets ---- */

static clprims_status create_offsets(load_thread *t, void **plan) {
    clprims_offsets_desc desc = CLPRIMS_OFFSETS_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.counts = 1;
    desc.max_n = t->max_n;
    LOAD_CREATE(offsets);
}

static bool offsets_on_queue(load_thread *t, clprims_offsets *plan, load_way way,
                             const int32_t *counts, int64_t *offsets, size_t n) {
    const size_t room = load_room(way, n, t->max_n);
    const clprims_buffer none = {NULL, 0}, from = load_buffer(t, counts, n, room, sizeof *counts);
    const clprims_buffer to = load_buffer(t, NULL, 0, room + 1, sizeof *offsets);
    const clprims_buffer report = load_buffer(t, NULL, 0, 1, sizeof(clprims_offsets_report));
    const clprims_buffer number = load_number(t, way, n, t->max_n);
    if (!LOAD_TRY(
            t, CLPRIMS_OK,
            way == LOAD_ENQUEUE
                ? clprims_offsets_enqueue(plan, t->queue, none, from, to, n, report, 0, NULL, NULL)
                : clprims_offsets_enqueue_counted(plan, t->queue, none, from, to, number, report, 0,
                                                  NULL, NULL)))
        return false;
    if (!check_offsets(t, way, report)) return false;
    load_read(t, way, to, offsets, n + 1, sizeof *offsets);
    return way != LOAD_EXCEEDED;
}

static void call_offsets(load_thread *t, void *plan) {
    const size_t n = load_size(t, t->max_n);
    int32_t *counts = load_int32(t, n, 1 << 20);
    int64_t *offsets = load_array(t, n + 1, sizeof *offsets);
    int64_t *expected = load_array(t, n + 1, sizeof *expected);
    const load_way way = load_draw_way(t);
    for (size_t i = 0; i < n; i++) expected[i + 1] = expected[i] + counts[i];
    if (n > 0 && load_below(t, 8) == 0) {
        counts[load_below(t, n)] = -1;
        (void)LOAD_TRY(t, CLPRIMS_ERR_DATA, clprims_offsets_run(plan, NULL, counts, offsets, n));
        return;
    }
    if (way != LOAD_RUN) {
        if (!offsets_on_queue(t, plan, way, counts, offsets, n)) return;
    } else if (!LOAD_TRY(t, CLPRIMS_OK, clprims_offsets_run(plan, NULL, counts, offsets, n))) {
        return;
    }
    load_compare(t, expected, offsets, n + 1, sizeof *offsets, n);
}

/* ---- Reduce ---- */

static bool reduce(load_thread *t, clprims_reduce *plan, const int32_t *in, int64_t *result,
                   size_t n) {
    const load_way way = load_draw_way(t);
    if (way == LOAD_RUN) return LOAD_TRY(t, CLPRIMS_OK, clprims_reduce_run(plan, in, result, n));
    const size_t room = load_room(way, n, t->max_n);
    const clprims_buffer from = load_buffer(t, in, n, room, sizeof *in);
    const clprims_buffer to = load_buffer(t, NULL, 0, 1, sizeof *result);
    const clprims_buffer report = load_buffer(t, NULL, 0, 1, sizeof(clprims_reduce_report));
    const clprims_buffer number = load_number(t, way, n, t->max_n);
    if (!LOAD_TRY(t, CLPRIMS_OK,
                  way == LOAD_ENQUEUE
                      ? clprims_reduce_enqueue(plan, t->queue, from, to, n, report, 0, NULL, NULL)
                      : clprims_reduce_enqueue_counted(plan, t->queue, from, to, number, report, 0,
                                                       NULL, NULL)))
        return false;
    if (!check_reduce(t, way, report)) return false;
    load_read(t, way, to, result, 1, sizeof *result);
    return way != LOAD_EXCEEDED;
}

static clprims_status create_sum(load_thread *t, void **plan) {
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.accumulator = CLPRIMS_I64;
    desc.max_n = t->max_n;
    LOAD_CREATE(reduce);
}

static void call_sum(load_thread *t, void *plan) {
    const size_t n = load_size(t, t->max_n);
    const int32_t *in = load_int32(t, n, 1 << 30);
    int64_t *result = load_array(t, 1, sizeof *result);
    int64_t sum = 0;
    for (size_t i = 0; i < n; i++) sum += in[i];
    if (reduce(t, plan, in, result, n)) load_compare(t, &sum, result, 1, sizeof sum, n);
}

static clprims_status create_argmin(load_thread *t, void **plan) {
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.op = CLPRIMS_ARGMIN;
    desc.max_n = t->max_n;
    LOAD_CREATE(reduce);
}

static void call_argmin(load_thread *t, void *plan) {
    const size_t n = 1 + load_size(t, t->max_n - 1);
    const int32_t *in = load_int32(t, n, 1 << 10);
    int64_t *result = load_array(t, 1, sizeof *result);
    int64_t least = 0;
    for (size_t i = 1; i < n; i++) {
        if (in[i] < in[least]) least = (int64_t)i;
    }
    if (reduce(t, plan, in, result, n)) load_compare(t, &least, result, 1, sizeof least, n);
}

const load_subject load_passes[7] = {
    {"scan", create_scan, destroy_scan, call_scan},
    {"select", create_select, destroy_select, call_select},
    {"runs", create_runs, destroy_select, call_runs},
    {"partition", create_partition, destroy_select, call_partition},
    {"offsets", create_offsets, destroy_offsets, call_offsets},
    {"sum", create_sum, destroy_reduce, call_sum},
    {"argmin", create_argmin, destroy_reduce, call_argmin}};
