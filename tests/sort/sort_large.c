/* SPDX-License-Identifier: MIT */
/* Sorts of more keys than 32 bits count, checked by the runs of equal keys that must come out; the
 * same with few keys and counts of 64 bits. */
#include "core/test_hooks.h"
#include "sort/sort_suite.h"
#include "subjects/subjects.h"

/* Element i has key number i * 37 % KEYS, of KEYS distinct ones, whose digits all differ, and the
 * high bits of i for payload. */
enum {
    KEYS = 64,
    KEY_STEP = 1021,
    TURN = 37,
    CHUNK = 1 << 22, /* a multiple of KEYS */
    MOST_PAYLOAD = 200
};

static size_t payload_shift(size_t n) {
    size_t shift = 0;
    while (n >> shift > MOST_PAYLOAD) shift++;
    return shift;
}

/* By writes: a driver may refuse to fill more than 4 GB. */
static void write_elements(cl_mem buffer, size_t at, size_t count, size_t bytes,
                           const void *values) {
    expect_cl(clEnqueueWriteBuffer(test_queue(), buffer, CL_TRUE, at * bytes, count * bytes, values,
                                   0, NULL, NULL));
}

static void fill_keys(cl_mem keys, size_t n, uint16_t *chunk) {
    for (size_t i = 0; i < CHUNK; i++) chunk[i] = (uint16_t)(i * TURN % KEYS * KEY_STEP);
    for (size_t at = 0; at < n; at += CHUNK) {
        write_elements(keys, at, CHUNK < n - at ? CHUNK : n - at, sizeof *chunk, chunk);
    }
}

static void fill_payload(cl_mem payload, size_t n, uint8_t *chunk) {
    const size_t shift = payload_shift(n);
    for (size_t at = 0; at < n; at += CHUNK) {
        const size_t here = CHUNK < n - at ? CHUNK : n - at;
        for (size_t i = 0; i < here; i++) chunk[i] = (uint8_t)((at + i) >> shift);
        write_elements(payload, at, here, sizeof *chunk, chunk);
    }
}

/* Number k's elements stand from `first` on, in the order of their indices. Returns their end. */
static size_t expect_run(cl_mem keys, cl_mem payload, size_t n, size_t k, size_t first,
                         uint16_t *chunk_keys, uint8_t *chunk_payload) {
    const size_t shift = payload_shift(n);
    size_t index = 0;
    while (index * TURN % KEYS != k) index++;
    const size_t count = n / KEYS + (index < n % KEYS);
    for (size_t at = 0; at < count; at += CHUNK) {
        const size_t here = count - at < CHUNK ? count - at : CHUNK, from = first + at;
        expect_cl(clEnqueueReadBuffer(test_queue(), keys, CL_TRUE, from * 2, here * 2, chunk_keys,
                                      0, NULL, NULL));
        expect_cl(clEnqueueReadBuffer(test_queue(), payload, CL_TRUE, from, here, chunk_payload, 0,
                                      NULL, NULL));
        for (size_t i = 0; i < here; i++, index += KEYS) {
            if (chunk_keys[i] == k * KEY_STEP && chunk_payload[i] == index >> shift) continue;
            test_fail("element %zu is %u, %u, not %zu, %zu", from + i, chunk_keys[i],
                      chunk_payload[i], k * KEY_STEP, index >> shift);
        }
    }
    return first + count;
}

static void runs_are_right(const void *data) {
    const size_t n = *(const size_t *)data;
    const clp_test_hooks hooks = {.wide_counts = 1};
    clprims_sort_buffers b = {0};
    test_want_memory(7 * n, 2 * n); /* scratch and counts among them */
    clprims_sort_desc desc = {
        .type = CLPRIMS_U16, .payloads = 1, .payload_bytes[0] = 1, .max_n = n};
    clp_test_hooks_set(&hooks);
    clprims_sort *plan = subject_made_plan(&subject_sort, &desc);
    clp_test_hooks_set(NULL);
    cl_mem keys = test_mem(n * 2), payload = test_mem(n);
    uint16_t *chunk_keys = test_scratch(CHUNK, 2);
    uint8_t *chunk_payload = test_scratch(CHUNK, 1);
    fill_keys(keys, n, chunk_keys);
    fill_payload(payload, n, chunk_payload);
    b.keys_in.mem = b.keys_out.mem = keys;
    b.payload_in[0].mem = b.payload_out[0].mem = payload;
    expect_ok(clprims_sort_enqueue(plan, test_queue(), &b, n, 0, NULL, NULL));
    expect_cl(clFinish(test_queue()));
    size_t at = 0;
    for (size_t k = 0; k < KEYS; k++) {
        at = expect_run(keys, payload, n, k, at, chunk_keys, chunk_payload);
    }
    assert_true(at == n);
}

void sort_add_large(test_cases *cases) {
    static const size_t sizes[] = {20005, ((size_t)1 << 32) + 5};
    for (size_t i = 0; i < (test_small() ? 0 : 2); i++) {
        test_add_row(cases, runs_are_right, sizes[i], "sort/runs/n=%zu", sizes[i]);
    }
}
