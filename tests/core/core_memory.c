/* SPDX-License-Identifier: MIT */
/* Buffers for callers without OpenCL: create, write, read, fill, release. */
#include "core/core_cases.h"

/* Elements of that size, some of them written, some filled, at drawn places. */
static void copies(const void *data) {
    const size_t bytes = *(const size_t *)data, all = 1 + test_random_below(3000);
    unsigned char *expected = test_scratch(all, bytes), *got = test_scratch(all, bytes);
    unsigned char value[128];
    clprims_buffer buffer;
    for (size_t i = 0; i < all * bytes; i++) expected[i] = (unsigned char)test_random_below(256);
    for (size_t i = 0; i < sizeof value; i++) value[i] = (unsigned char)test_random_below(256);
    expect_ok(clprims_buffer_create(&buffer, test_context(), all * bytes, expected));
    assert_int_equal(buffer.first, 0);
    for (int round = 0; round < 20; round++) {
        const size_t first = test_random_below(all), n = test_random_below(all - first + 1);
        const clprims_buffer part = {buffer.mem, first};
        unsigned char *at = expected + first * bytes;
        if (round % 2 == 0) {
            for (size_t i = 0; i < n; i++) memcpy(at + i * bytes, value, bytes);
            expect_ok(clprims_buffer_fill(test_context(), part, bytes, n, value));
        } else {
            for (size_t i = 0; i < n * bytes; i++) at[i] = (unsigned char)test_random_below(256);
            expect_ok(clprims_buffer_write(test_context(), part, bytes, n, at));
        }
        const size_t from = test_random_below(all);
        expect_ok(clprims_buffer_read(test_context(), (clprims_buffer){buffer.mem, from}, bytes,
                                      all - from, got));
        assert_memory_equal(got, expected + from * bytes, (all - from) * bytes);
    }
    clprims_buffer_release(&buffer);
    assert_null(buffer.mem);
    clprims_buffer_release(&buffer);
}

static void refused(void) {
    const clprims_status wrong = CLPRIMS_ERR_ARGUMENT;
    clprims_context *context = test_context();
    clprims_buffer buffer = {NULL, 7};
    int32_t values[4] = {1, 2, 3, 4};
    expect_failure(clprims_buffer_create(NULL, context, 4, values), wrong, "out is NULL");
    expect_failure(clprims_buffer_create(&buffer, NULL, 4, values), wrong, "context is NULL");
    assert_int_equal(buffer.first, 0);
    expect_failure(clprims_buffer_create(&buffer, context, 0, values), wrong, "bytes = 0");
    expect_ok(clprims_buffer_create(&buffer, context, sizeof values, NULL));
    clprims_buffer part = {buffer.mem, 2};
    expect_failure(clprims_buffer_write(NULL, part, 4, 1, values), wrong, "context is NULL");
    expect_failure(clprims_buffer_write(context, part, 4, 3, values), wrong, "has room for");
    expect_failure(clprims_buffer_read(context, part, 4, 3, values), wrong, "has room for");
    expect_failure(clprims_buffer_fill(context, part, 4, SIZE_MAX, values), wrong, "buffer");
    expect_failure(clprims_buffer_read(context, part, 0, 1, values), wrong, "element_bytes = 0");
    expect_failure(clprims_buffer_read(context, part, 4, 1, NULL), wrong, "host is NULL");
    expect_failure(clprims_buffer_fill(context, part, 4, 1, NULL), wrong, "value is NULL");
    part.mem = NULL;
    expect_failure(clprims_buffer_write(context, part, 4, 1, values), wrong, "buffer.mem is NULL");
    expect_ok(clprims_buffer_write(context, part, 4, 0, NULL));
    expect_ok(clprims_buffer_read(context, part, 4, 0, NULL));
    expect_ok(clprims_buffer_fill(context, part, 4, 0, NULL));
    clprims_buffer_release(&buffer);
    clprims_buffer_release(NULL);
}

void core_add_memory(test_cases *cases) {
    static const size_t sizes[] = {1, 2, 3, 4, 8, 12, 16, 100, 128};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        test_add_row(cases, copies, sizes[i], "core/memory/%zu-bytes", sizes[i]);
    }
    test_add_plain(cases, refused, "core/memory/refused");
}
