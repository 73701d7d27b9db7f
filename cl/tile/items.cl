/* SPDX-License-Identifier: MIT */
/*
 * A lane's vector of a row, in registers. The values of its elements stand one by one. Sums of
 * bytes and of halves stay packed instead (CLP_PACKED): the elements stand as they come from
 * memory, four or two a word, and are summed and scanned within words, which takes fewer
 * instructions.
 */

/* The type of sums within a tile: of short sums 32 bits are enough, though the running value is
 * wider. */
#if CLP_SHORT_SUMS
typedef int clp_sum;
#else
typedef CLP_A clp_sum;
#endif

/* ---- Padding ---- */

static inline CLP_A clp_padding(void) {
#if CLP_GUARD
    clp_split nothing;
    for (uint w = 0; w < CLP_A_WORDS; w++) nothing.words[w] = 0;
    return nothing.value;
#else
    return CLP_IDENTITY;
#endif
}

#if CLP_PACKED
/* ---- Elements in words: integers under addition, whose padding is zero ---- */

typedef uint clp_item;
#define CLP_ITEMS (CLP_VEC * CLP_E_BYTES / 4)
#define CLP_PER_ITEM (4u / CLP_E_BYTES)

static inline void clp_items_pad(clp_item *item) {
#pragma unroll
    for (uint w = 0; w < CLP_ITEMS; w++) item[w] = 0;
}

/* Element j, which was padding. */
static inline void clp_items_set(clp_item *item, uint j, CLP_A value) {
    const uint bits = 8 * CLP_E_BYTES;
    item[j / CLP_PER_ITEM] |= ((uint)value & ((1u << bits) - 1)) << j % CLP_PER_ITEM * bits;
}

static inline void clp_items_take(clp_item *item, const clp_in_vector *in, const clp_io *io,
                                  ulong i) {
#pragma unroll
    for (uint w = 0; w < CLP_ITEMS; w++) item[w] = in->word[w];
}

/* Makes padding of what stands behind the first `real` elements. */
static inline void clp_items_cut(clp_item *item, uint real) {
#pragma unroll
    for (uint w = 0; w < CLP_ITEMS; w++) {
        if (real < (w + 1) * CLP_PER_ITEM) {
            const uint bits = (max(real, w * CLP_PER_ITEM) - w * CLP_PER_ITEM) * 8 * CLP_E_BYTES;
            item[w] &= (1u << bits) - 1;
        }
    }
}

/* The sum. Bits above an element's mean nothing. */
static inline clp_sum clp_items_sum(const clp_item *item, uint real) {
    uint sum = 0;
#pragma unroll
    for (uint w = 0; w < CLP_ITEMS; w++) {
#if CLP_E_BYTES == 1
        sum = clp_add_bytes(sum, item[w]);
#else
        sum = clp_add_halves(sum, item[w]);
#endif
    }
    return (clp_sum)sum;
}

#if CLP_E_BYTES == 1
/* Scans the four bytes of a word. A half of a word holds a sum of bytes without a carry into the
 * other half: `up_to_even` has the sums up to bytes 0 and 2 in its halves, `up_to_odd` the sums up
 * to bytes 1 and 3. Multiplying by 0x00010001 adds the low half to the high one.
 * *before: the sum before the word, below 256, in both halves. */
static inline uint clp_word_scan(uint word, uint *before) {
    const uint even = (word & 0x00ff00ffu) * 0x00010001u + *before;
    const uint odd = clp_choose_bytes(word, 0, 0x4341) * 0x00010001u;
    const uint up_to_even = even + (odd << 16), up_to_odd = even + odd;
    uint sums = clp_choose_bytes(up_to_even, up_to_odd, 0x6240);
    if (!CLP_INCLUSIVE) sums = clp_choose_bytes(sums, *before, 0x2104);
    *before = clp_choose_bytes(up_to_odd, 0, 0x4242);
    return sums;
}

/* The low byte of what comes before a word, in both halves. */
static inline uint clp_before_word(uint value) {
    return clp_choose_bytes(value, 0, 0x4040);
}
#else
/* Scans the two halves of a word. *before: the sum before the word, in the low half. */
static inline uint clp_word_scan(uint word, uint *before) {
    const uint up_to_0 = *before + word, up_to_1 = up_to_0 + (word >> 16);
    const uint sums = CLP_INCLUSIVE ? clp_choose_bytes(up_to_0, up_to_1, 0x5410)
                                    : clp_choose_bytes(*before, up_to_0, 0x5410);
    *before = up_to_1;
    return sums;
}

static inline uint clp_before_word(uint value) {
    return value;
}
#endif

/* The scan onto `running`, or onto zero. */
static inline clp_out_vector clp_items_scan(const clp_item *item, uint real, CLP_A running,
                                            bool has, const clp_io *io, ulong i) {
    uint before = clp_before_word(has ? (uint)running : 0);
    clp_out_vector vector;
#pragma unroll
    for (uint w = 0; w < CLP_ITEMS; w++) vector.word[w] = clp_word_scan(item[w], &before);
    return vector;
}

#else
/* ---- Values one by one ---- */

typedef clp_sum clp_item;
#define CLP_ITEMS CLP_VEC

static inline void clp_items_pad(clp_item *item) {
    for (uint j = 0; j < CLP_VEC; j++) item[j] = clp_padding();
}

static inline void clp_items_set(clp_item *item, uint j, CLP_A value) {
    item[j] = value;
}

/* The vector from element i on. */
#if CLP_INPUTS == 2
static inline void clp_items_take(clp_item *item, const clp_in_vector *in,
                                  const clp_in_vector *with, const clp_io *io, ulong i) {
    for (uint j = 0; j < CLP_VEC; j++) {
        item[j] = clp_input(in->element[j], with->element[j], i + j CLP_USER(io));
    }
}
#elif CLP_INPUTS == 1
static inline void clp_items_take(clp_item *item, const clp_in_vector *in, const clp_io *io,
                                  ulong i) {
    for (uint j = 0; j < CLP_VEC; j++) item[j] = clp_input(in->element[j], i + j CLP_USER(io));
}
#endif

/* The combination of the first `real` elements, at least one. Where padding is the identity, it is
 * combined too. */
static inline clp_sum clp_items_sum(const clp_item *item, uint real) {
    clp_sum sum = item[0];
#pragma unroll
    for (uint j = 1; j < CLP_VEC; j++) {
        if (!CLP_GUARD || j < real) sum = clp_op(sum, item[j]);
    }
    return sum;
}

/* The scan onto `running`, if it `has` one, of the vector from element i on; right for the first
 * `real` elements. */
static inline clp_out_vector clp_items_scan(const clp_item *item, uint real, CLP_A running,
                                            bool has, const clp_io *io, ulong i) {
    clp_out_vector vector;
#pragma unroll
    for (uint j = 0; j < CLP_VEC; j++) {
        CLP_A next = item[j];
        if (has && (!CLP_GUARD || j < real)) next = clp_op(running, next);
        if (!CLP_STORES_TEXT || j < real) {
            const CLP_A previous = has ? running : next;
            vector.element[j] = clp_stored_at(io, CLP_INCLUSIVE ? next : running, previous, i + j);
        }
        running = next;
        has = true;
    }
    return vector;
}
#endif

/* ---- From memory ---- */

/* Reads the vector from element i on, element by element: `real` elements, then padding. */
static inline void clp_items_load(clp_item *item, const clp_io *io, ulong i, uint real) {
    clp_items_pad(item);
#pragma unroll
    for (uint j = 0; j < CLP_VEC; j++) {
        if (j < real) clp_items_set(item, j, clp_item_at(io, i + j));
    }
}

#if CLP_E_IN_CHUNKS
/* Reads the whole vector from element i on, which is at a multiple of 16 bytes. */
static inline void clp_items_at(const clp_io *io, ulong i, clp_item *item) {
    const clp_in_vector in = clp_vector_at(io->in + i);
#if CLP_INPUTS == 2
    const clp_in_vector with = clp_vector_at(io->with + i);
    clp_items_take(item, &in, &with, io, i);
#else
    clp_items_take(item, &in, io, i);
#endif
}
#endif
