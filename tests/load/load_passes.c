/* SPDX-License-Identifier: MIT */
/* Scans, selections, offsets and reductions. */
#include "load/load.h"

#include <string.h>

LOAD_DESTROY(scan)
LOAD_DESTROY(select)
LOAD_DESTROY(offsets)
LOAD_DESTROY(reduce)

/* ---- Scan ---- */

static clprims_status create_scan(load_thread *t, void **plan) {
    clprims_scan_desc desc = CLPRIMS_SCAN_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.inclusive = 1;
    desc.max_n = t->max_n;
    LOAD_CREATE(scan);
}

static bool scan_on_own_queue(load_thread *t, void *plan, const int32_t *in, int32_t *out,
                              size_t n) {
    const clprims_buffer from = load_buffer(t, in, n, sizeof *in);
    const clprims_buffer to = load_buffer(t, out, n, sizeof *out);
    if (!LOAD_TRY(t, CLPRIMS_OK, clprims_scan_enqueue(plan, t->queue, from, to, n, 0, NULL, NULL)))
        return false;
    load_read(t, to, out, n, sizeof *out);
    return true;
}

static void call_scan(load_thread *t, void *plan) {
    const size_t n = load_size(t, t->max_n);
    const int32_t *in = load_int32(t, n, 1 << 30);
    int32_t *out = load_int32(t, n, 0);
    int32_t *expected = load_int32(t, n, 0);
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += (uint32_t)in[i];
        expected[i] = (int32_t)sum;
    }
    const bool is_done = load_below(t, 2) == 0
                             ? scan_on_own_queue(t, plan, in, out, n)
                             : LOAD_TRY(t, CLPRIMS_OK, clprims_scan_run(plan, in, out, n));
    if (is_done) load_compare(t, expected, out, n, sizeof *out, n);
}

/* ---- Select ---- */

static clprims_status create_select(load_thread *t, void **plan) {
    clprims_select_desc desc = CLPRIMS_SELECT_DESC_INIT;
    desc.by = CLPRIMS_SELECT_PREDICATE;
    desc.arrays = 1;
    desc.type[0] = CLPRIMS_I32;
    desc.indices = CLPRIMS_I64;
    desc.predicate = "x % 3 == 0";
    desc.max_n = t->max_n;
    LOAD_CREATE(select);
}

static void call_select(load_thread *t, void *plan) {
    const size_t n = load_size(t, t->max_n);
    const int32_t *in = load_int32(t, n, 1000);
    int32_t *out = load_int32(t, n, 0);
    int64_t *indices = load_array(t, n, sizeof *indices);
    int32_t *expected = load_int32(t, n, 0);
    int64_t *expected_indices = load_array(t, n, sizeof *expected_indices);
    size_t kept = 0, count = 0;
    for (size_t i = 0; i < n; i++) {
        if (in[i] % 3 != 0) continue;
        expected[kept] = in[i];
        expected_indices[kept++] = (int64_t)i;
    }
    clprims_select_arrays arrays = CLPRIMS_SELECT_ARRAYS_INIT;
    arrays.in[0] = in;
    arrays.out[0] = out;
    arrays.indices = indices;
    if (!LOAD_TRY(t, CLPRIMS_OK, clprims_select_run(plan, &arrays, n, n, &count))) return;
    if (count != kept) load_fail(t, "%zu of %zu are kept, not %zu", kept, n, count);
    load_compare(t, expected, out, kept, sizeof *out, n);
    load_compare(t, expected_indices, indices, kept, sizeof *indices, 0);
}

/* ---- Offsets ---- */

static clprims_status create_offsets(load_thread *t, void **plan) {
    clprims_offsets_desc desc = CLPRIMS_OFFSETS_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.counts = 1;
    desc.max_n = t->max_n;
    LOAD_CREATE(offsets);
}

static void call_offsets(load_thread *t, void *plan) {
    const size_t n = load_size(t, t->max_n);
    int32_t *counts = load_int32(t, n, 1 << 20);
    int64_t *offsets = load_array(t, n + 1, sizeof *offsets);
    int64_t *expected = load_array(t, n + 1, sizeof *expected);
    for (size_t i = 0; i < n; i++) expected[i + 1] = expected[i] + counts[i];
    if (n > 0 && load_below(t, 8) == 0) {
        counts[load_below(t, n)] = -1;
        if (LOAD_TRY(t, CLPRIMS_ERR_DATA, clprims_offsets_run(plan, NULL, counts, offsets, n)))
            t->counts.refused++;
        return;
    }
    if (LOAD_TRY(t, CLPRIMS_OK, clprims_offsets_run(plan, NULL, counts, offsets, n)))
        load_compare(t, expected, offsets, n + 1, sizeof *offsets, n);
}

/* ---- Reduce ---- */

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
    if (load_below(t, 2) == 0) {
        if (LOAD_TRY(t, CLPRIMS_OK, clprims_reduce_run(plan, in, result, n)))
            load_compare(t, &sum, result, 1, sizeof sum, n);
        return;
    }
    const clprims_buffer from = load_buffer(t, in, n, sizeof *in);
    const clprims_buffer to = load_buffer(t, result, 1, sizeof *result);
    const clprims_buffer none = {NULL, 0};
    if (!LOAD_TRY(t, CLPRIMS_OK,
                  clprims_reduce_enqueue(plan, t->queue, from, to, n, none, 0, NULL, NULL)))
        return;
    load_read(t, to, result, 1, sizeof *result);
    load_compare(t, &sum, result, 1, sizeof sum, n);
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
    if (LOAD_TRY(t, CLPRIMS_OK, clprims_reduce_run(plan, in, result, n)))
        load_compare(t, &least, result, 1, sizeof least, n);
}

const load_subject load_passes[LOAD_PASSES] = {
    {"scan", create_scan, destroy_scan, call_scan},
    {"select", create_select, destroy_select, call_select},
    {"offsets", create_offsets, destroy_offsets, call_offsets},
    {"sum", create_sum, destroy_reduce, call_sum},
    {"argmin", create_argmin, destroy_reduce, call_argmin}};
