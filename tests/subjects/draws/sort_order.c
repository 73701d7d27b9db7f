/* SPDX-License-Identifier: MIT */
/* The order of keys, for the subjects that sort. */
#include "subjects/draws/sort_order.h"

#include <string.h>

void sort_order_fill(clprims_type type, void *keys, size_t n) {
    const uint64_t bound = test_random_below(2) == 0 ? 100 : 0;
    const size_t bytes = clprims_type_bytes(type);
    if (type != CLPRIMS_F32) {
        subject_fill(keys, bytes, n, bound);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        ((float *)keys)[i] = ((float)test_random_below(bound == 0 ? 1 << 20 : bound) - 50) / 8;
    }
}

uint32_t *sort_order_numbers(clprims_type type, const void *keys, size_t stride, size_t n,
                             unsigned end, bool descending) {
    const size_t bytes = clprims_type_bytes(type);
    const uint32_t sign = (uint32_t)1 << (8 * bytes - 1);
    const bool is_signed = type <= CLPRIMS_I64;
    uint32_t *numbers = test_alloc(n, sizeof *numbers);
    for (size_t i = 0; i < n; i++) {
        uint32_t x = 0;
        memcpy(&x, (const char *)keys + i * stride, bytes);
        if (is_signed) x ^= sign;
        if (type == CLPRIMS_F32) x = (x & sign) != 0 ? ~x : x | sign;
        if (end < 8 * bytes) x &= ((uint32_t)1 << end) - 1;
        numbers[i] = descending ? ~x : x;
    }
    return numbers;
}

void sort_order_move(subject_data *d, size_t slot, const char *name, const subject_array *values,
                     const uint32_t *from, size_t n, size_t room) {
    const size_t bytes = values->bytes;
    char *out = subject_out(d, slot, name, n, room, bytes);
    for (size_t i = 0; i < n; i++) {
        memcpy(out + i * bytes, (const char *)values->values + from[i] * bytes, bytes);
    }
}

void sort_order_indices(subject_data *d, size_t slot, const uint32_t *from, size_t n, size_t room,
                        size_t bytes) {
    void *out = subject_out(d, slot, "indices", n, room, bytes);
    for (size_t i = 0; i < n; i++) test_store_integer(bytes, out, i, from[i]);
}

void sort_order_results(subject_data *d, sort_results results, const uint32_t *from, size_t n) {
    const size_t room = subject_room(d, 0), bytes = results.payload_bytes;
    if (results.has_keys) {
        sort_order_move(d, SORT_KEYS_OUT, "keys_out", &d->at[SORT_KEYS_IN], from, n, room);
        subject_may_overlap(d, SORT_KEYS_IN, SORT_KEYS_OUT, SUBJECT_SAME_PLACE);
    }
    if (bytes > 0) {
        subject_fill(subject_in(d, SORT_PAYLOAD_IN, "payload_in[0]", n, room, bytes), bytes, n, 0);
        sort_order_move(d, SORT_PAYLOAD_OUT, "payload_out[0]", &d->at[SORT_PAYLOAD_IN], from, n,
                        room);
        subject_may_overlap(d, SORT_PAYLOAD_IN, SORT_PAYLOAD_OUT, SUBJECT_SAME_PLACE);
    }
    if (results.indices != CLPRIMS_TYPE_DEFAULT) {
        sort_order_indices(d, SORT_INDICES, from, n, room, clprims_type_bytes(results.indices));
    }
}
