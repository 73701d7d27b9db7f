/* SPDX-License-Identifier: MIT */
/* The order of keys, for the subjects that sort: keys of at most 32 bits without NaN. */
#ifndef TESTS_SORT_ORDER_H
#define TESTS_SORT_ORDER_H

#include "subjects/subjects.h"

/* Draws n keys: many equal ones, or few. */
void sort_order_fill(clprims_type type, void *keys, size_t n);

/* Numbers that ascend as the keys in bits [begin, end) do, `stride` bytes from one to the next. */
uint32_t *sort_order_numbers(clprims_type type, const void *keys, size_t stride, size_t n,
                             unsigned end, bool descending);

/* The slots of sorts begin so. */
enum { SORT_PAYLOAD_IN, SORT_PAYLOAD_OUT, SORT_KEYS_IN, SORT_KEYS_OUT, SORT_INDICES, SORT_SLOTS };

/* What a sort writes, of which a type or a number of bytes is 0 where there is none: the keys, the
 * payload, which is drawn, and the indices. */
typedef struct sort_results {
    bool has_keys;
    size_t payload_bytes;
    clprims_type indices;
} sort_results;
void sort_order_results(subject_data *d, sort_results results, const uint32_t *from, size_t n);

/* An output whose element i is element from[i] of the values. */
void sort_order_move(subject_data *d, size_t slot, const char *name, const subject_array *values,
                     const uint32_t *from, size_t n, size_t room);
/* An output of those numbers themselves. */
void sort_order_indices(subject_data *d, size_t slot, const uint32_t *from, size_t n, size_t room,
                        size_t bytes);

#endif
