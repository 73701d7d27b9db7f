/* SPDX-License-Identifier: MIT */
/* Elements, their order and the arrays of a run, for the subjects that sort. */
#include "subjects/draws/sort_order.h"

#include <math.h>

const char *const sort_data_names[SORT_DATA_KINDS] = {
    "random",    "sprinkled",  "low-entropy", "alike",  "sorted", "reversed", "few",
    "one-digit", "two-digits", "zeros",       "ands-1", "ands-9", "ands-15",  "all-but-one"};

/* ---- Elements -------------------------------------------------------------------------------- */

static uint64_t special(clprims_type type, size_t bits, uint64_t random) {
    const uint64_t top = (uint64_t)1 << (bits - 1);
    const uint64_t infinity = type == CLPRIMS_F32   ? UINT64_C(0x7f800000)
                              : type == CLPRIMS_F64 ? UINT64_C(0x7ff0000000000000)
                                                    : top - 1;
    const uint64_t values[] = {
        0,       top, infinity,     infinity | top, infinity + 1,        ~infinity, infinity - 1,
        top + 1, 1,   ~(uint64_t)0, top - 1,        (infinity + 5) | top};
    return values[random % (sizeof values / sizeof values[0])];
}

static uint64_t random_ands(size_t ands) {
    uint64_t word = test_random();
    for (size_t i = 0; i < ands; i++) word &= test_random();
    return word;
}

static uint64_t key_bits(clprims_type type, sort_data data, size_t i, size_t n) {
    const size_t bits = 8 * clprims_type_bytes(type);
    const uint64_t random = test_random();
    switch (data) {
    case SORT_SPRINKLED:
        return random % 3 == 0 ? special(type, bits, random >> 32) : test_random();
    case SORT_LOW_ENTROPY:
        return random & random_ands(2);
    case SORT_ALIKE:
        return UINT64_C(0x4142434445464748);
    case SORT_SORTED:
    case SORT_ALL_BUT_ONE:
        return i;
    case SORT_REVERSED:
        return n - i;
    case SORT_FEW:
        return (random >> 13) % 3 * UINT64_C(0x0123456789abcdef);
    case SORT_ONE_DIGIT:
        return (random & 0xff) << (bits / 16 * 8);
    case SORT_TWO_DIGITS:
        return (random & 0xff) | (random >> 8 & 0x7f) << (bits - 8);
    case SORT_ZEROS:
        return random % 4 == 0 ? special(type, bits, random >> 32)
                               : (random >> 8 & 1) << (bits - 1);
    case SORT_ANDS_1:
        return random & test_random();
    case SORT_ANDS_9:
        return random & random_ands(8);
    case SORT_ANDS_15:
        return random & random_ands(14);
    default:
        return random;
    }
}

void sort_fill_keys(clprims_type type, sort_data data, void *keys, size_t n) {
    const size_t bytes = clprims_type_bytes(type);
    const size_t late = data == SORT_ALL_BUT_ONE && n > 1 ? test_random() % (n - 1) : n;
    for (size_t i = 0; i < n; i++) {
        const size_t from = i == late ? i + 1 : i == late + 1 ? i - 1 : i;
        test_store_integer(bytes, keys, i, key_bits(type, data, from, n));
    }
}

/* ---- The definition -------------------------------------------------------------------------- */

static bool is_nan(clprims_type type, const void *keys, size_t i) {
    if (type == CLPRIMS_F32) return isnan(((const float *)keys)[i]);
    return type == CLPRIMS_F64 && isnan(((const double *)keys)[i]);
}

/* A key's ordered bits, as clprims_sort_desc has them. */
static uint64_t ordered_bits(const clprims_sort_desc *desc, const void *keys, size_t i) {
    const size_t bytes = clprims_type_bytes(desc->type);
    const uint64_t top = (uint64_t)1 << (8 * bytes - 1), all = top | (top - 1);
    const uint64_t key = subject_load(bytes, keys, i);
    if (desc->type < CLPRIMS_U8) return key ^ top;
    if (desc->type < CLPRIMS_F32) return key;
    if (desc->floats != CLPRIMS_SORT_TOTAL_ORDER && key == top) return top;
    return (key & top) != 0 ? all & ~key : key | top;
}

/* A number that is the less the earlier the key comes, within the window. */
static uint64_t rank_of(const clprims_sort_desc *desc, const void *keys, size_t i) {
    const unsigned width = 8 * (unsigned)clprims_type_bytes(desc->type);
    const unsigned end = desc->end_bit == 0 ? width : desc->end_bit;
    if (desc->floats == CLPRIMS_SORT_NAN_LAST && is_nan(desc->type, keys, i)) return UINT64_MAX;
    if (end == desc->begin_bit) return 0;
    const uint64_t mask = UINT64_MAX >> (64 - (end - desc->begin_bit));
    const uint64_t key = ordered_bits(desc, keys, i) >> desc->begin_bit & mask;
    return desc->descending ? mask - key : key;
}

size_t *sort_define_order(const clprims_sort_desc *desc, const void *keys, size_t n) {
    uint64_t *ranks = test_alloc(n, sizeof *ranks);
    size_t *order = test_alloc(n, sizeof *order);
    for (size_t i = 0; i < n; i++) ranks[i] = rank_of(desc, keys, i);
    subject_order_by(ranks, n, order);
    free(ranks);
    return order;
}

/* ---- Several keys ---------------------------------------------------------------------------- */

/* An element and the ranks of its keys. */
typedef struct ranked {
    uint64_t ranks[CLPRIMS_SORT_KEYS];
    size_t index;
} ranked;

static int compare(const void *one, const void *other) {
    const ranked *a = one, *b = other;
    for (size_t k = 0; k < CLPRIMS_SORT_KEYS; k++) {
        if (a->ranks[k] != b->ranks[k]) return a->ranks[k] < b->ranks[k] ? -1 : 1;
    }
    return a->index < b->index ? -1 : 1;
}

/* The sort by key k alone; a description without it has type DEFAULT. */
static clprims_sort_desc desc_of_key(const clprims_sort_desc *desc, size_t k) {
    clprims_sort_desc one = *desc;
    if (k == 0) return one;
    one.begin_bit = one.end_bit = 0;
    if (k == CLPRIMS_SORT_KEYS || desc->then[k - 1] == NULL)
        one.type = CLPRIMS_TYPE_DEFAULT;
    else if (desc->then_type[k - 1] != CLPRIMS_TYPE_DEFAULT)
        one.type = desc->then_type[k - 1];
    return one;
}

/* Elements are structures whose members are the keys. All keys but the last one mostly have few
 * values, so that others decide. */
static size_t *order_by_keys(const clprims_sort_desc *desc, sort_data data, char *elements,
                             size_t n) {
    ranked *rows = test_alloc(n, sizeof *rows);
    size_t *order = test_alloc(n, sizeof *order), at = 0;
    memset(rows, 0, n * sizeof *rows);
    for (size_t k = 0; desc_of_key(desc, k).type != CLPRIMS_TYPE_DEFAULT; k++) {
        const clprims_sort_desc one = desc_of_key(desc, k);
        const bool is_last = desc_of_key(desc, k + 1).type == CLPRIMS_TYPE_DEFAULT;
        const size_t bytes = clprims_type_bytes(one.type);
        char *keys = test_alloc(n, bytes);
        sort_fill_keys(one.type, is_last || test_random_below(3) == 0 ? data : SORT_FEW, keys, n);
        at = (at + bytes - 1) / bytes * bytes;
        for (size_t i = 0; i < n; i++) {
            memcpy(elements + i * desc->custom.type_bytes + at, keys + i * bytes, bytes);
            rows[i].ranks[k] = rank_of(&one, keys, i);
        }
        at += bytes;
        free(keys);
    }
    for (size_t i = 0; i < n; i++) rows[i].index = i;
    qsort(rows, n, sizeof *rows, compare);
    for (size_t i = 0; i < n; i++) order[i] = rows[i].index;
    free(rows);
    return order;
}

/* ---- Arrays ---------------------------------------------------------------------------------- */

size_t *sort_order_in(subject_data *d, const clprims_sort_desc *desc, const char *name, size_t n) {
    const sort_draw *how = d->how;
    const sort_data data = how != NULL ? how->data : (sort_data)test_random_below(SORT_DATA_KINDS);
    const bool by_expression = desc->elements != CLPRIMS_TYPE_DEFAULT;
    const clprims_type type = by_expression ? desc->elements : desc->type;
    const size_t bytes = subject_bytes(type, &desc->custom);
    void *elements = subject_in(d, SORT_IN, name, n, subject_room(d, 0), bytes);
    if (!by_expression) {
        if (how != NULL && how->keys != NULL) {
            memcpy(elements, how->keys, n * bytes);
        } else {
            sort_fill_keys(type, data, elements, n);
        }
        return sort_define_order(desc, elements, n);
    }
    subject_fill(elements, 4, n * bytes / 4, 0);
    if (desc->then[0] != NULL) return order_by_keys(desc, data, elements, n);
    void *keys = element_keys(desc->type, bytes / 4, elements, how != NULL ? how->values : NULL, n);
    size_t *order = sort_define_order(desc, keys, n);
    test_scratch_free(keys);
    return order;
}

static bool has_stays(const size_t *from, size_t n) {
    size_t i = 0;
    while (i < n && from[i] != SORT_STAYS) i++;
    return i < n;
}

/* The elements of one array in another, or in its own place. */
static void move(subject_data *d, size_t slot, const char *name, size_t in, const size_t *from,
                 size_t n, size_t room, bool in_place) {
    const size_t bytes = d->at[in].bytes;
    const char *values = d->at[in].values;
    char *out = subject_out(d, slot, name, n, room, bytes);
    if (in_place)
        memcpy(out, values, n * bytes);
    else if (has_stays(from, n))
        subject_keep(d, slot);
    for (size_t i = 0; i < n; i++) {
        if (from[i] != SORT_STAYS) memcpy(out + i * bytes, values + from[i] * bytes, bytes);
    }
}

void sort_order_out(subject_data *d, const clprims_sort_desc *desc, const char *name,
                    const size_t *from, size_t n, size_t room, bool may_share) {
    static const char *const names[][2] = {{"payload_in[0]", "payload_out[0]"},
                                           {"payload_in[1]", "payload_out[1]"},
                                           {"payload_in[2]", "payload_out[2]"},
                                           {"payload_in[3]", "payload_out[3]"}};
    static const sort_draw usual;
    const sort_draw *how = d->how != NULL ? d->how : &usual;
    if (!desc->no_keys) {
        const bool in_place = may_share && how->keys_in_place;
        move(d, SORT_OUT, name, SORT_IN, from, n, room, in_place);
        if (may_share && (in_place || d->how == NULL)) {
            subject_may_overlap(d, SORT_IN, SORT_OUT, SUBJECT_SAME_PLACE);
        }
    }
    for (size_t k = 0; k < desc->payloads; k++) {
        const size_t in = SORT_PAYLOAD_IN + k, bytes = desc->payload_bytes[k];
        subject_fill(subject_in(d, in, names[k][0], n, room, bytes), 1, n * bytes, 0);
        move(d, SORT_PAYLOAD_OUT + k, names[k][1], in, from, n, room, how->payloads_in_place);
        if (how->payloads_in_place || d->how == NULL) {
            subject_may_overlap(d, in, SORT_PAYLOAD_OUT + k, SUBJECT_SAME_PLACE);
        }
    }
    if (d->how != NULL) subject_put_in_place(d);
    if (desc->indices == CLPRIMS_TYPE_DEFAULT) return;
    const size_t bytes = clprims_type_bytes(desc->indices);
    void *out = subject_out(d, SORT_INDICES, "indices", n, room, bytes);
    if (has_stays(from, n)) subject_keep(d, SORT_INDICES);
    for (size_t i = 0; i < n; i++) {
        if (from[i] != SORT_STAYS) test_store_integer(bytes, out, i, from[i]);
    }
}

/* ---- Segments -------------------------------------------------------------------------------- */

size_t sort_begin_of(const subject_data *d, bool by_length, size_t s) {
    const subject_array *offsets = &d->at[SORT_OFFSETS];
    if (by_length) return s < d->n[1] ? s * d->n[SUBJECT_LENGTH] : d->n[0];
    return subject_load(offsets->bytes, offsets->values, s);
}

/* Given ones, or drawn ones, which leave `lead` elements at both ends. */
static void fill_offsets(const subject_data *d, void *offsets, size_t bytes, size_t n) {
    const sort_draw *how = d->how;
    const size_t lead = how == NULL ? 0 : how->lead < n / 2 ? how->lead : n / 2;
    if (d->offsets == NULL) subject_cut(offsets, bytes, n - 2 * lead, d->n[1]);
    for (size_t s = 0; s <= d->n[1]; s++) {
        const uint64_t offset =
            d->offsets != NULL ? (uint64_t)d->offsets[s] : lead + subject_load(bytes, offsets, s);
        test_store_integer(bytes, offsets, s, offset);
    }
}

void sort_draw_offsets(subject_data *d, clprims_type type, size_t n) {
    const size_t bytes = type == CLPRIMS_I32 || type == CLPRIMS_U32 ? 4 : 8;
    void *offsets =
        subject_in(d, SORT_OFFSETS, "offsets", d->n[1] + 1, subject_room(d, 1) + 1, bytes);
    fill_offsets(d, offsets, bytes, n);
    subject_number(d, SORT_SEGMENTS, "segments", 1);
}

size_t *sort_define_segments(const subject_data *d, bool by_length, const size_t *order, size_t n) {
    const size_t count = d->n[1];
    size_t *from = test_alloc(n, sizeof *from), *segments = test_alloc(n, sizeof *segments);
    size_t *next = test_alloc(count, sizeof *next);
    for (size_t i = 0; i < n; i++) from[i] = segments[i] = SORT_STAYS;
    for (size_t s = 0; s < count; s++) {
        const size_t end = sort_begin_of(d, by_length, s + 1);
        next[s] = sort_begin_of(d, by_length, s);
        for (size_t i = next[s]; i < end; i++) segments[i] = s;
    }
    for (size_t i = 0; i < n; i++) {
        const size_t segment = segments[order[i]];
        if (segment != SORT_STAYS) from[next[segment]++] = order[i];
    }
    free(segments);
    free(next);
    return from;
}
