/* SPDX-License-Identifier: MIT */
/* Random data of the load, and buffers between guards. */
#include "load/load.h"

#include <stdlib.h>
#include <string.h>

uint64_t load_below(load_thread *t, uint64_t bound) {
    t->random ^= t->random << 13;
    t->random ^= t->random >> 7;
    t->random ^= t->random << 17;
    return (t->random >> 11) % bound;
}

size_t load_size(load_thread *t, size_t most) {
    switch (load_below(t, 4)) {
    case 0:
        return most;
    case 1:
        return load_below(t, most < 70 ? most + 1 : 70);
    default:
        return load_below(t, most + 1);
    }
}

void *load_array(load_thread *t, size_t n, size_t bytes) {
    void *array = calloc(n > 0 ? n : 1, bytes);
    if (array == NULL || t->array_count == LOAD_MOST_ARRAYS) abort();
    t->arrays[t->array_count++] = array;
    return array;
}

int32_t *load_int32(load_thread *t, size_t n, uint64_t bound) {
    int32_t *values = load_array(t, n, sizeof *values);
    for (size_t i = 0; bound > 0 && i < n; i++) values[i] = (int32_t)load_below(t, bound);
    return values;
}

uint32_t *load_uint32(load_thread *t, size_t n, uint64_t bound) {
    uint32_t *values = load_array(t, n, sizeof *values);
    for (size_t i = 0; bound > 0 && i < n; i++) values[i] = (uint32_t)load_below(t, bound);
    return values;
}

uint8_t *load_uint8(load_thread *t, size_t n, uint64_t bound) {
    uint8_t *values = load_array(t, n, 1);
    for (size_t i = 0; bound > 0 && i < n; i++) values[i] = (uint8_t)load_below(t, bound);
    return values;
}

static int compare_int32(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

int32_t *load_offsets(load_thread *t, size_t n, size_t segments) {
    int32_t *offsets = load_int32(t, segments + 1, n + 1);
    offsets[0] = 0;
    offsets[segments] = (int32_t)n;
    qsort(offsets, segments + 1, sizeof *offsets, compare_int32);
    return offsets;
}

size_t load_draw_segments(load_thread *t) {
    return 1 + load_below(t, load_below(t, 2) == 0 ? 4 : t->max_n);
}

static int compare_uint64(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Numbers with their positions below them. */
void load_order_into(uint32_t *order, const uint32_t *numbers, size_t n) {
    uint64_t *both = calloc(n > 0 ? n : 1, sizeof *both);
    if (both == NULL) abort();
    for (size_t i = 0; i < n; i++) both[i] = (uint64_t)numbers[i] << 32 | i;
    qsort(both, n, sizeof *both, compare_uint64);
    for (size_t i = 0; i < n; i++) order[i] = (uint32_t)both[i];
    free(both);
}

const uint32_t *load_order(load_thread *t, const uint32_t *numbers, size_t n) {
    uint32_t *order = load_uint32(t, n, 0);
    load_order_into(order, numbers, n);
    return order;
}

/* ---- Device memory ---------------------------------------------------------------------------
 */

enum { POISON = 0xa5 };

load_way load_draw_way(load_thread *t) {
    const uint64_t drawn = load_below(t, 10);
    return drawn == 9 ? LOAD_EXCEEDED : (load_way)(drawn / 3);
}

size_t load_room(load_way way, size_t n, size_t most) {
    return way == LOAD_RUN || way == LOAD_ENQUEUE ? n : most;
}

clprims_buffer load_buffer(load_thread *t, const void *values, size_t n, size_t room,
                           size_t bytes) {
    const size_t all = (room + 2) * bytes;
    cl_int code = CL_SUCCESS;
    unsigned char *content = malloc(all);
    if (content == NULL || t->buffer_count == LOAD_MOST_ARRAYS) abort();
    memset(content, POISON, all);
    if (n > 0) memcpy(content + bytes, values, n * bytes);
    cl_mem mem =
        clCreateBuffer(t->cl, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, all, content, &code);
    free(content);
    if (code != CL_SUCCESS) abort();
    t->buffers[t->buffer_count] = mem;
    t->buffer_bytes[t->buffer_count++] = all;
    return (clprims_buffer){mem, 1};
}

clprims_buffer load_number(load_thread *t, load_way way, uint64_t n, uint64_t most) {
    const uint64_t number = way == LOAD_EXCEEDED ? most + 1 + load_below(t, 1000) : n;
    return load_buffer(t, &number, 1, 1, sizeof number);
}

void load_read(load_thread *t, load_way way, clprims_buffer buffer, void *values, size_t n,
               size_t bytes) {
    const size_t end = way == LOAD_EXCEEDED ? bytes : (n + 1) * bytes;
    size_t k = 0;
    while (t->buffers[k] != buffer.mem) k++;
    const size_t all = t->buffer_bytes[k];
    unsigned char *content = malloc(all);
    if (content == NULL) abort();
    if (clEnqueueReadBuffer(t->queue, buffer.mem, CL_TRUE, 0, all, content, 0, NULL, NULL) !=
        CL_SUCCESS) {
        load_fail(t, "clEnqueueReadBuffer of %zu bytes failed", all);
    } else {
        for (size_t i = 0; i < all; i++) {
            if ((i >= bytes && i < end) || content[i] == POISON) continue;
            load_fail(t, "n = %zu: byte %zu of %zu, of elements of %zu bytes, was written", n, i,
                      all, bytes);
            break;
        }
        if (end > bytes) memcpy(values, content + bytes, end - bytes);
    }
    free(content);
}
