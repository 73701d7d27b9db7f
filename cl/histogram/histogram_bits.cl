/* SPDX-License-Identifier: MIT */
/*
 * Elements of one byte that all have a bin, by products of bit matrices. Of each 32 elements a lane
 * makes a word for each value of their bits 0 to 2, in which an element with that value has a bit,
 * the same of bits 4 to 6, and the words of bits 3 and 7. The product of the words of bits 4 to 6,
 * as rows, and of bits 0 to 2, as columns, counts the elements of each pair of values; with bit 7
 * asked of rows and bit 3 of columns there are four counts of each pair, from which those of the
 * 256 values follow. At the end values become bins.
 */
#define CLP_VALUES 256
#define CLP_SUBGROUPS (CLP_GROUP / 32)
#define CLP_TILE_VECTORS                                                                           \
    (64 * CLP_DEPTH) /* of a sub-group, of which a lane takes two at a time                        \
                      */
#define CLP_VALUE_WORDS 8 /* of three bits */
#define CLP_STRIDE                                                                                 \
    48 /* words from a value's to the next one's: 8 lanes read from different banks */

/* Words of the 32 lanes of a sub-group. */
typedef struct clp_words {
    uint high[CLP_VALUE_WORDS * CLP_STRIDE]; /* bits 4 to 6 */
    uint low[CLP_VALUE_WORDS * CLP_STRIDE]; /* bits 0 to 2 */
    uint top[32], middle[32]; /* bit 7; bit 3 */
} clp_words;

/* What a work-group shares. */
typedef struct clp_shared {
    clp_words words[CLP_SUBGROUPS];
    uint counts[CLP_VALUES];
    uint is_last; /* of the run's groups */
    uint unused[3];
} clp_shared;

typedef char clp_shared_has_the_stated_size[sizeof(clp_shared) == CLP_SHARED_BYTES ? 1 : -1];

/* ---- Words of bits ---- */

/* Exchanges the bits of `low` that are not in the mask, `shift` above those that are, and those of
 * `high` that are. */
CLP_INLINE void clp_exchange_bits(uint *low, uint *high, uint shift, uint mask) {
    const uint below = clp_select_bits(*high << shift, *low, mask);
    *high = clp_select_bits(*high, *low >> shift, mask);
    *low = below;
}

/* Word b becomes the bits b of all bytes. */
CLP_INLINE void clp_transpose_bits(uint *words) {
    clp_exchange_bits(&words[0], &words[4], 4, 0x0f0f0f0f);
    clp_exchange_bits(&words[1], &words[5], 4, 0x0f0f0f0f);
    clp_exchange_bits(&words[2], &words[6], 4, 0x0f0f0f0f);
    clp_exchange_bits(&words[3], &words[7], 4, 0x0f0f0f0f);
    clp_exchange_bits(&words[0], &words[2], 2, 0x33333333);
    clp_exchange_bits(&words[1], &words[3], 2, 0x33333333);
    clp_exchange_bits(&words[4], &words[6], 2, 0x33333333);
    clp_exchange_bits(&words[5], &words[7], 2, 0x33333333);
    clp_exchange_bits(&words[0], &words[1], 1, 0x55555555);
    clp_exchange_bits(&words[2], &words[3], 1, 0x55555555);
    clp_exchange_bits(&words[4], &words[5], 1, 0x55555555);
    clp_exchange_bits(&words[6], &words[7], 1, 0x55555555);
}

/* The words of the eight values of three bits. */
CLP_INLINE void clp_put_values(local uint *to, uint a, uint b, uint c) {
    to[0 * CLP_STRIDE] = ~a & ~b & ~c;
    to[1 * CLP_STRIDE] = a & ~b & ~c;
    to[2 * CLP_STRIDE] = ~a & b & ~c;
    to[3 * CLP_STRIDE] = a & b & ~c;
    to[4 * CLP_STRIDE] = ~a & ~b & c;
    to[5 * CLP_STRIDE] = a & ~b & c;
    to[6 * CLP_STRIDE] = ~a & b & c;
    to[7 * CLP_STRIDE] = a & b & c;
}

CLP_INLINE void clp_put_words(local clp_words *to, uint4 vector, uint4 other) {
    uint words[8] = {vector.x, vector.y, vector.z, vector.w, other.x, other.y, other.z, other.w};
    const uint lane = clp_lane();
    clp_transpose_bits(words);
    clp_put_values(to->low + lane, words[0], words[1], words[2]);
    clp_put_values(to->high + lane, words[4], words[5], words[6]);
    to->top[lane] = words[7];
    to->middle[lane] = words[3];
}

/* ---- Products ---- */

/* Of 256 elements, whose words two times four lanes have made: the words of a value of bits 4 to 6
 * and of one of bits 0 to 2, of bit 7 and of bit 3. sums: of any bit 3; of those with it. */
CLP_INLINE void clp_add_product(uint *sums, uint *sums_with, uint high, uint next_high, uint low,
                                uint next_low, uint top, uint next_top, uint middle,
                                uint next_middle) {
    const uint row = high & top, next_row = next_high & next_top;
    clp_add_common_bits(sums, row, next_row, high, next_high, low, next_low);
    clp_add_common_bits(sums_with, row, next_row, high, next_high, low & middle,
                        next_low & next_middle);
}

/* Of what sixteen lanes have made. */
CLP_INLINE void clp_add_words(uint *sums, uint *sums_with, const local clp_words *words,
                              uint first) {
    const uint row = clp_lane() / 4, column = first + 4 * (clp_lane() % 4);
    const uint4 high = *(const local uint4 *)(words->high + row * CLP_STRIDE + column);
    const uint4 low = *(const local uint4 *)(words->low + row * CLP_STRIDE + column);
    const uint4 top = *(const local uint4 *)(words->top + column);
    const uint4 middle = *(const local uint4 *)(words->middle + column);
    clp_add_product(sums, sums_with, high.x, high.y, low.x, low.y, top.x, top.y, middle.x,
                    middle.y);
    clp_add_product(sums, sums_with, high.z, high.w, low.z, low.w, top.z, top.w, middle.z,
                    middle.w);
}

CLP_INLINE void clp_load_tile(const global uint4 *from, uint4 *vectors) {
    _Pragma("unroll") for (uint v = 0; v < 2 * CLP_DEPTH; v++) {
        vectors[v] = clp_load_stream(from + 32 * v);
    }
}

/* Every whole tile, by the sub-groups of all groups in turn; the next one is loaded while one is
 * counted. */
CLP_INLINE void clp_count_tiles(const global uint4 *from, ulong tiles, local clp_words *words,
                                uint *sums, uint *sums_with) {
    const ulong step = get_num_groups(0) * CLP_SUBGROUPS;
    ulong tile = get_group_id(0) * CLP_SUBGROUPS + clp_subgroup_number();
    uint4 next[2 * CLP_DEPTH];
    from += clp_lane();
    if (tile < tiles) clp_load_tile(from + tile * CLP_TILE_VECTORS, next);
    while (tile < tiles) {
        uint4 now[2 * CLP_DEPTH];
        _Pragma("unroll") for (uint v = 0; v < 2 * CLP_DEPTH; v++) now[v] = next[v];
        tile += step;
        if (tile < tiles) clp_load_tile(from + tile * CLP_TILE_VECTORS, next);
        _Pragma("unroll") for (uint d = 0; d < CLP_DEPTH; d++) {
            clp_put_words(words, now[2 * d], now[2 * d + 1]);
            clp_subgroup_barrier(); /* words, written above, read below by other lanes */
            clp_add_words(sums, sums_with, words, 0);
            clp_add_words(sums, sums_with, words, 16);
            clp_subgroup_barrier(); /* words, read above, written next */
        }
    }
}

/* The lane's sums become counts of the group's. */
CLP_INLINE void clp_add_values(local uint *counts, const uint *sums, const uint *sums_with) {
    for (uint j = 0; j < 2; j++) {
        const uint value = clp_lane() / 4 << 4 | (2 * (clp_lane() % 4) + j);
        const uint with_both = sums_with[j], with_7 = sums[j], with_3 = sums_with[2 + j];
        const uint all = sums[2 + j];
        atomic_add(&counts[value | 0x88], with_both);
        atomic_add(&counts[value | 0x80], with_7 - with_both);
        atomic_add(&counts[value | 0x08], with_3 - with_both);
        atomic_add(&counts[value], all - with_7 - with_3 + with_both);
    }
}

CLP_KERNEL(CLP_GROUP)
void clp_histogram_bits(CLP_IO_PARAMETERS, CLP_OWN_END_PARAMETERS volatile global uint *sums,
                        volatile global uint *both, uint run CLP_USER_PARAMETERS) {
    local clp_shared shared;
    const clp_io io = CLP_IO;
    const ulong n = CLP_N;
    const uint lane = (uint)get_local_id(0);
    const global uchar *bytes = (const global uchar *)io.in;
    const ulong head = min((16 - ((ulong)bytes & 15)) % 16, n);
    const ulong tiles = (n - head) / (16 * CLP_TILE_VECTORS);
    uint products[4] = {0, 0, 0, 0}, products_with[4] = {0, 0, 0, 0};
    for (uint value = lane; value < CLP_VALUES; value += CLP_GROUP) shared.counts[value] = 0;
    clp_count_tiles((const global uint4 *)(bytes + head), tiles,
                    &shared.words[clp_subgroup_number()], products, products_with);
    barrier(CLK_LOCAL_MEM_FENCE); /* counts, cleared above, added to below */
    clp_add_values(shared.counts, products, products_with);
    if (get_group_id(0) == 0) { /* and what is before and behind tiles */
        for (ulong i = lane; i < head; i += CLP_GROUP) atomic_inc(&shared.counts[bytes[i]]);
        for (ulong i = head + tiles * 16 * CLP_TILE_VECTORS + lane; i < n; i += CLP_GROUP) {
            atomic_inc(&shared.counts[bytes[i]]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* counts, added to above, read below */
    for (uint value = lane; value < CLP_VALUES; value += CLP_GROUP) {
        const uint count = shared.counts[value], bin = clp_bin(&io, (CLP_E)(uchar)value, 0);
        if (count > 0) clp_add_to_global(sums + (ulong)bin * CLP_WORDS, 1, clp_sum_of(count, 0));
    }
    CLP_FINISH_IF_LAST(shared.is_last)
}
