/* SPDX-License-Identifier: MIT */
/* Elements, their order by definition, and the arrays of a run, for the subjects that sort: sort,
 * segmented sort and top-k. */
#ifndef TESTS_SORT_ORDER_H
#define TESTS_SORT_ORDER_H

#include "fixtures/element_keys.h"
#include "subjects/subjects.h"

/* The arrays of all three. */
enum {
    SORT_PAYLOAD_IN,
    SORT_PAYLOAD_OUT = CLPRIMS_SORT_PAYLOADS,
    SORT_IN = 2 * CLPRIMS_SORT_PAYLOADS,
    SORT_OUT,
    SORT_INDICES,
    SORT_OFFSETS,
    SORT_N,
    SORT_SEGMENTS,
    SORT_REPORT,
    SORT_COUNTS /* of top-k */
};

/* Gives a description of one of the three the keys of another one. */
#define SORT_TAKE_KEYS(to, from)                                                                   \
    do {                                                                                           \
        (to)->type = (from)->type;                                                                 \
        (to)->floats = (from)->floats;                                                             \
        (to)->key = (from)->key;                                                                   \
        (to)->elements = (from)->elements;                                                         \
        (to)->custom = (from)->custom;                                                             \
        memcpy((to)->then, (from)->then, sizeof(to)->then);                                        \
        memcpy((to)->then_type, (from)->then_type, sizeof(to)->then_type);                         \
    } while (0)

/* How the keys are filled. */
typedef enum sort_data {
    SORT_RANDOM,
    SORT_SPRINKLED, /* random, with extremes, zeros of both signs, infinities and NaNs */
    SORT_LOW_ENTROPY, /* the bitwise and of four random words */
    SORT_ALIKE,
    SORT_SORTED,
    SORT_REVERSED,
    SORT_FEW, /* three values */
    SORT_ONE_DIGIT, /* all differ only in one byte in the middle */
    SORT_TWO_DIGITS, /* in the lowest and the highest byte */
    SORT_ZEROS, /* mostly the top bit alone, which makes -0.0 of a float, and 0 */
    SORT_ANDS_1, /* the bitwise and of 2, 10 and 16 random words */
    SORT_ANDS_9,
    SORT_ANDS_15,
    SORT_ALL_BUT_ONE, /* in order, but for two neighbours */
    SORT_DATA_KINDS
} sort_data;

extern const char *const sort_data_names[SORT_DATA_KINDS];

/* What a case may ask of a run, as subject_data's `how`. */
typedef struct sort_draw {
    sort_data data; /* of keys that are the elements themselves */
    const void *keys; /* the keys, given; NULL: they are drawn */
    const element_values *values; /* of the parameters of desc.key; NULL: there are none */
    size_t lead; /* elements before the first segment and behind the last one, at most */
    bool keys_in_place, payloads_in_place;
} sort_draw;

void sort_fill_keys(clprims_type type, sort_data data, void *keys, size_t n);

/* The indices that sort the keys, as the description says. Free them. */
size_t *sort_define_order(const clprims_sort_desc *desc, const void *keys, size_t n);

/* Draws n elements in SORT_IN, by this name. Returns the order of all; free it. With `then` they
 * are structures whose members are the keys, as sort_by_keys describes them. */
size_t *sort_order_in(subject_data *d, const clprims_sort_desc *desc, const char *name, size_t n);

/* An element that stays what it was. */
#define SORT_STAYS SIZE_MAX

/* The outputs of n elements, of which element i comes from place from[i], with room for `room`:
 * elements by this name, payloads, which are drawn, and indices. may_share: elements may lie in the
 * place of the input. */
void sort_order_out(subject_data *d, const clprims_sort_desc *desc, const char *name,
                    const size_t *from, size_t n, size_t room, bool may_share);

/* Where segment s begins and the one before it ends; number 1 of the run is that of segments. */
size_t sort_begin_of(const subject_data *d, bool by_length, size_t s);

/* The offsets of n elements, and their number. */
void sort_draw_offsets(subject_data *d, clprims_type type, size_t n);

/* Where the element of each place comes from, of elements in this order: they are put into their
 * segments one after another. Free them. */
size_t *sort_define_segments(const subject_data *d, bool by_length, const size_t *order, size_t n);

#endif
