/* SPDX-License-Identifier: MIT */
/* More kept elements than 32 bits count: selected in place, where that can be, and compared in
 * full. */
#include "fixtures/select_cases.h"

/* One element of so many is rejected, the REJECTED-th. */
enum { CHUNK = 1 << 26, PERIOD = 4099, REJECTED = 7 };

static uint8_t element(size_t i) {
    return (uint8_t)(i * 0x9e3779b97f4a7c15u >> 56);
}

/* Where the kept element of that rank stood. */
static size_t place_of(size_t rank) {
    const size_t within = rank % (PERIOD - 1);
    return rank / (PERIOD - 1) * PERIOD + within + (within >= REJECTED);
}

static size_t count_kept(size_t n) {
    return n - n / PERIOD - (n % PERIOD > REJECTED);
}

static void write_elements(cl_mem mem, size_t n) {
    uint8_t *chunk = test_scratch(CHUNK, 1);
    for (size_t at = 0; at < n; at += CHUNK) {
        const size_t here = n - at < CHUNK ? n - at : CHUNK;
        for (size_t i = 0; i < here; i++) chunk[i] = element(at + i);
        expect_cl(clEnqueueWriteBuffer(test_queue(), mem, CL_TRUE, at, here, chunk, 0, NULL, NULL));
    }
}

static void expect_kept(cl_mem mem, size_t kept) {
    uint8_t *chunk = test_scratch(CHUNK, 1);
    for (size_t at = 0; at < kept; at += CHUNK) {
        const size_t here = kept - at < CHUNK ? kept - at : CHUNK;
        expect_cl(clEnqueueReadBuffer(test_queue(), mem, CL_TRUE, at, here, chunk, 0, NULL, NULL));
        for (size_t i = 0; i < here; i++) {
            const uint8_t right = element(place_of(at + i));
            if (chunk[i] != right) test_fail("out[%zu] = %u, not %u", at + i, chunk[i], right);
        }
    }
}

static void keeps_more_than_32_bits(const void *data) {
    const size_t n = *(const size_t *)data, kept = count_kept(n);
    const clprims_context_info info = test_info();
    test_want_memory(n, n);
    if (n > UINT32_MAX && (info.device.type & CL_DEVICE_TYPE_CPU) != 0 && !test_long()) {
        test_skip("takes half a minute and 4 GiB of a CPU; tests/run --long does it");
    }
    test_buffer count = test_buffer_create(NULL, 1, sizeof(cl_ulong), 0);
    cl_mem mem = test_mem(n), out = mem;
    write_elements(mem, n);
    clprims_select_desc desc = {.by = CLPRIMS_SELECT_PREDICATE,
                                .arrays = 1,
                                .type[0] = CLPRIMS_U8,
                                .predicate = "i % 4099 != 7",
                                .max_n = n};
    clprims_select_info chosen = {0};
    clprims_select *plan = subject_made_plan(&subject_select, &desc);
    expect_ok(clprims_select_describe(plan, n, &chosen));
    if (chosen.algorithm == CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN) out = test_mem(n);
    const clprims_select_buffers buffers = {
        .in = {{mem, 0}}, .out = {{out, 0}}, .count = count.at, .sizes = {kept}};
    expect_ok(clprims_select_enqueue(plan, test_queue(), &buffers, n, 0, NULL, NULL));
    expect_kept(out, kept);
    cl_ulong counted;
    test_buffer_read(&count, &counted);
    if (counted != kept) test_fail("%llu are kept, not %zu", (unsigned long long)counted, kept);
}

void add_large_cases(test_cases *cases) {
    const size_t sizes[] = {2 * PERIOD + REJECTED, test_small() ? 3001 : 1000003,
                            ((size_t)1 << 32) + ((size_t)1 << 21) + 3};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        test_add_row(cases, keeps_more_than_32_bits, sizes[s], "select/large/uint8/n=%zu",
                     sizes[s]);
    }
}
