/* SPDX-License-Identifier: MIT */
/* Guarded device buffers and host arrays of the harness. */
#include "harness/harness.h"

enum { GUARD_BYTES = 1024 };

/* Differs from byte to byte, so that a shifted copy of the guard is seen as well. */
static unsigned char poison_at(size_t position) {
    return (unsigned char)(0xA5u ^ (position * 29u));
}

static void poison(unsigned char *memory, size_t position, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) memory[i] = poison_at(position + i);
}

static void expect_poison(const unsigned char *memory, size_t position, size_t bytes,
                          const char *where) {
    for (size_t i = 0; i < bytes; i++)
        if (memory[i] != poison_at(position + i))
            test_fail("a guard byte %s was overwritten: byte %zu of %zu is 0x%02x", where, i, bytes,
                      memory[i]);
}

void *test_alloc(size_t n, size_t element_bytes) {
    void *memory = NULL;
    if (element_bytes == 0 || n <= (SIZE_MAX - 1) / element_bytes)
        memory = malloc(n * element_bytes + (n * element_bytes == 0));
    if (memory == NULL) test_fail("no host memory for %zu elements of %zu", n, element_bytes);
    return memory;
}

void *test_scratch(size_t n, size_t element_bytes) {
    void *memory = test_alloc(n, element_bytes);
    test_leave(free, memory);
    return memory;
}

void test_scratch_free(void *memory) {
    test_take_back(memory);
    free(memory);
}

/* ---- Device buffers -------------------------------------------------------------------------- */

static void write_part(const test_buffer *buffer, size_t offset, size_t bytes, const void *from) {
    if (bytes > 0)
        expect_cl(clEnqueueWriteBuffer(test_queue(), buffer->at.mem, CL_TRUE, offset, bytes, from,
                                       0, NULL, NULL));
}

static void read_part(const test_buffer *buffer, size_t offset, size_t bytes, void *to) {
    if (bytes > 0)
        expect_cl(clEnqueueReadBuffer(test_queue(), buffer->at.mem, CL_TRUE, offset, bytes, to, 0,
                                      NULL, NULL));
}

static void write_poison(const test_buffer *buffer, size_t offset, size_t bytes) {
    unsigned char *guard = test_alloc(bytes, 1);
    poison(guard, offset, bytes);
    write_part(buffer, offset, bytes, guard);
    free(guard);
}

static void read_poison(const test_buffer *buffer, size_t offset, size_t bytes, const char *where) {
    unsigned char *guard = test_alloc(bytes, 1);
    read_part(buffer, offset, bytes, guard);
    expect_poison(guard, offset, bytes, where);
    free(guard);
}

static size_t values_offset(const test_buffer *buffer) {
    return buffer->at.first * buffer->element_bytes;
}

static size_t values_end(const test_buffer *buffer) {
    return (buffer->at.first + buffer->n) * buffer->element_bytes;
}

static void expect_guards(const test_buffer *buffer) {
    read_poison(buffer, 0, values_offset(buffer), "before the elements");
    read_poison(buffer, values_end(buffer), buffer->bytes - values_end(buffer),
                "after the elements");
}

void test_release_mem(void *mem) {
    clReleaseMemObject(mem);
}

cl_mem test_mem(size_t bytes) {
    cl_int code;
    cl_mem mem = clCreateBuffer(test_info().context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    expect_cl(code);
    test_leave(test_release_mem, mem);
    return mem;
}

test_buffer test_buffer_create(const void *values, size_t n, size_t element_bytes, size_t first) {
    return test_buffer_create_roomy(values, n, element_bytes, first, 0);
}

test_buffer test_buffer_create_roomy(const void *values, size_t n, size_t element_bytes,
                                     size_t first, size_t spare) {
    test_buffer buffer = {{NULL, first}, n, element_bytes, 0};
    buffer.bytes = values_end(&buffer) + spare * element_bytes + (test_small() ? 0 : GUARD_BYTES);
    if (buffer.bytes == 0) buffer.bytes = element_bytes;
    buffer.at.mem = test_mem(buffer.bytes);
    if (values == NULL) {
        write_poison(&buffer, 0, buffer.bytes);
    } else {
        write_poison(&buffer, 0, values_offset(&buffer));
        write_part(&buffer, values_offset(&buffer), n * element_bytes, values);
        write_poison(&buffer, values_end(&buffer), buffer.bytes - values_end(&buffer));
    }
    return buffer;
}

void test_buffer_read(const test_buffer *buffer, void *values) {
    expect_guards(buffer);
    read_part(buffer, values_offset(buffer), buffer->n * buffer->element_bytes, values);
}

void test_buffer_expect_unchanged(const test_buffer *buffer, const void *values) {
    expect_guards(buffer);
    const size_t bytes = buffer->n * buffer->element_bytes;
    unsigned char *now = test_alloc(bytes, 1);
    read_part(buffer, values_offset(buffer), bytes, now);
    if (values == NULL)
        expect_poison(now, values_offset(buffer), bytes, "among the elements");
    else
        expect_elements(values, now, buffer->n, buffer->element_bytes);
    free(now);
}

void test_buffer_release(test_buffer *buffer) {
    test_take_back(buffer->at.mem);
    if (buffer->at.mem != NULL) expect_cl(clReleaseMemObject(buffer->at.mem));
    buffer->at.mem = NULL;
}

/* ---- Host arrays ----------------------------------------------------------------------------- */

test_array test_array_create(const void *values, size_t n, size_t element_bytes) {
    const size_t bytes = n * element_bytes;
    unsigned char *memory = test_scratch(bytes + 2 * GUARD_BYTES, 1);
    poison(memory, 0, bytes + 2 * GUARD_BYTES);
    if (values != NULL && bytes > 0) memcpy(memory + GUARD_BYTES, values, bytes);
    return (test_array){memory + GUARD_BYTES, bytes, memory};
}

void test_array_expect_guards(const test_array *array) {
    const size_t end = GUARD_BYTES + array->bytes;
    expect_poison(array->memory, 0, GUARD_BYTES, "before the array");
    expect_poison(array->memory + end, end, GUARD_BYTES, "after the array");
}

void test_array_expect_untouched(const test_array *array) {
    expect_poison(array->values, GUARD_BYTES, array->bytes, "in the array");
}

void test_array_free(test_array *array) {
    test_scratch_free(array->memory);
    array->memory = NULL;
}
