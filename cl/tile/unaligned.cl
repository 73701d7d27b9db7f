/* SPDX-License-Identifier: MIT */
/*
 * Look-ahead of arrays that start at any element. A vector is read from local memory word by word.
 * A row is shifted across the lanes before it is stored, so that every access to device memory is
 * 16 aligned bytes. The rows of a segment that is not full are stored in the same way.
 */

#if CLP_INPUTS > 0
/* A vector in local memory that starts at any element. */
static inline clp_in_vector clp_vector_behind(const local CLP_E *from) {
    clp_in_vector vector;
#if CLP_E_BYTES < 4 && CLP_E_IN_CHUNKS
    const uint bytes = (uint)(ulong)from % 4;
    const local uint *words = (const local uint *)((const local uchar *)from - bytes);
    for (uint w = 0; w < 4 * CLP_E_CHUNKS; w++) {
        vector.word[w] = (uint)(((ulong)words[w + 1] << 32 | words[w]) >> 8 * bytes);
    }
#else
    for (uint j = 0; j < CLP_VEC; j++) vector.element[j] = from[j];
#endif
    return vector;
}
#endif

#if CLP_OUT_IN_CHUNKS && CLP_OUT_CHUNKS == 1
#define CLP_SHIFTS_ROWS /* for tile.cl */

/* The 32 bits of high:low that end `bits` bits, below 32, before the end of `high`. */
static inline uint clp_word_up(uint low, uint high, uint bits) {
    return (uint)((((ulong)high << 32 | low) << bits) >> 32);
}

/* The 16 bytes of high:low that end `bytes` bytes, below 16, before the end of `high`. Without an
 * index that is known at run time only: an array would not stay in registers. */
static inline uint4 clp_chunk_before(uint4 low, uint4 high, uint bytes) {
    const bool by_2 = bytes & 8, by_1 = bytes & 4;
    const uint bits = bytes % 4 * 8;
    const uint4 even_high = by_2 ? (uint4)(low.zw, high.xy) : high;
    const uint2 even_low = by_2 ? low.xy : low.zw;
    const uint4 words = by_1 ? (uint4)(even_low.y, even_high.xyz) : even_high;
    const uint below = by_1 ? even_low.x : even_low.y;
    return (uint4)(clp_word_up(below, words.x, bits), clp_word_up(words.x, words.y, bits),
                   clp_word_up(words.y, words.z, bits), clp_word_up(words.z, words.w, bits));
}

/* The chunk of the lane below; lane 0 gets that of the last lane. */
static inline uint4 clp_chunk_below(uint4 chunk) {
    const uint lane = (clp_lane() + CLP_SUBGROUP - 1) % CLP_SUBGROUP;
    return (uint4)(clp_shuffle_word(chunk.x, lane), clp_shuffle_word(chunk.y, lane),
                   clp_shuffle_word(chunk.z, lane), clp_shuffle_word(chunk.w, lane));
}

/* The bytes from the multiple of 16 before a place to the place. A value stands at a multiple of
 * its type's size, so the low bits of the place are known. */
static inline uint clp_behind_chunk(ulong place, uint type_bytes) {
    return (uint)place & (type_bytes % 8 == 0 ? 8u : type_bytes % 4 == 0 ? 12u : 15u);
}

/*
 * Makes aligned chunks of a row. Each lane's chunk starts with the elements of the lane below that
 * do not fit that lane's own chunk; lane 0 takes them from the last lane of the row before. *last:
 * the lane's vector of the row before, then of this one. to: where the segment starts. Called for
 * the rows in order, by all lanes.
 */
static inline clp_out_vector clp_shift_row(clp_out_vector vector, uint row, clp_out_vector *last,
                                           const global CLP_OUT *to) {
    const bool sends_last = row > 0 && clp_lane() == CLP_SUBGROUP - 1;
    const uint4 below = clp_chunk_below(sends_last ? last->chunk[0] : vector.chunk[0]);
    clp_out_vector shifted;
    *last = vector;
    shifted.chunk[0] =
        clp_chunk_before(below, vector.chunk[0], clp_behind_chunk((ulong)to, CLP_OUT_BYTES));
    return shifted;
}

/* Stores the elements of the chunk that holds element `start`, as far as they are among the
 * segment's first `real`. */
static inline void clp_store_part(clp_out_vector chunk, uint start, global CLP_OUT *to, uint real) {
    const int first = (int)(start - clp_behind_chunk((ulong)to, CLP_OUT_BYTES) / CLP_OUT_BYTES);
    if (first >= 0 && first + CLP_VEC <= (int)real) {
        clp_store_stream((global uint4 *)(to + first), chunk.chunk[0]);
        return;
    }
    for (int j = 0; j < CLP_VEC; j++) {
        if (first + j >= 0 && first + j < (int)real) to[first + j] = chunk.element[j];
    }
}

/* By the last lane: stores the elements of its last vector that no chunk has held. The vector
 * starts with element `start`. */
static inline void clp_store_rest(const clp_out_vector *last, uint start, global CLP_OUT *to,
                                  uint real) {
    const uint behind = clp_behind_chunk((ulong)to, CLP_OUT_BYTES);
    for (uint j = 0; j < CLP_VEC; j++) {
        if (behind + j * CLP_OUT_BYTES >= 16 && start + j < real) to[start + j] = last->element[j];
    }
}
#endif
