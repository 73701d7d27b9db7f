/* SPDX-License-Identifier: MIT */
/*
 * Vectors of 16 bytes that stand at any byte, by way of the aligned chunks that hold them. Kernels
 * for such places are programs of their own (CLP_UNALIGNED): what they need would slow the others.
 */
#ifndef CLP_UNALIGNED
#error "unaligned.cl: CLP_UNALIGNED, whether arrays start anywhere, is not set by the prelude"
#endif

#if CLP_UNALIGNED
/* 32 bits from bit `bits`, below 32, of the 64 on. */
static inline uint clp_word_from(uint low, uint high, uint bits) {
    return (uint)(((ulong)high << 32 | low) >> bits);
}

/* 16 bytes from byte `byte`, at most 16, of the 32 on. */
static inline uint4 clp_chunk_from(uint4 low, uint4 high, uint byte) {
    const bool by_4 = byte & 16, by_2 = byte & 8, by_1 = byte & 4;
    const uint bits = byte % 4 * 8;
    const uint4 first = by_4 ? high : low;
    const uint4 even_low = by_2 ? (uint4)(first.zw, high.xy) : first;
    const uint2 even_high = by_2 ? high.zw : high.xy;
    const uint4 words = by_1 ? (uint4)(even_low.yzw, even_high.x) : even_low;
    const uint behind = by_1 ? even_high.y : even_high.x;
    return (uint4)(clp_word_from(words.x, words.y, bits), clp_word_from(words.y, words.z, bits),
                   clp_word_from(words.z, words.w, bits), clp_word_from(words.w, behind, bits));
}

/* The chunk of the lane below; lane 0 gets that of the last lane. */
static inline uint4 clp_chunk_below(uint4 chunk) {
    const uint lane = (clp_lane() + CLP_SUBGROUP - 1) % CLP_SUBGROUP;
    return (uint4)(clp_shuffle_word(chunk.x, lane), clp_shuffle_word(chunk.y, lane),
                   clp_shuffle_word(chunk.z, lane), clp_shuffle_word(chunk.w, lane));
}

/* Of a place, the bytes behind a multiple of 16. Types of whole words stand at whole words. */
#define CLP_BEHIND_CHUNK(place, type_bytes)                                                        \
    ((uint)(ulong)(place) & ((type_bytes) % 4 == 0 ? 12u : 15u))

#if CLP_OUT_IN_CHUNKS && CLP_OUT_CHUNKS == 1
/*
 * Stores the rows of a full segment one after another, as aligned chunks, each made of the vectors
 * of two neighbouring lanes. to: where the segment starts; last: the row before. What the segment
 * shares of a chunk with its neighbours goes element by element.
 */
static inline void clp_store_shifted(clp_out_vector vector, uint row, clp_out_vector *last,
                                     global CLP_OUT *to) {
    const uint byte = CLP_BEHIND_CHUNK(to, CLP_OUT_BYTES), lane = clp_lane();
    global uint4 *chunks = (global uint4 *)((global uchar *)to - byte);
    const uint4 own = vector.chunk[0];
    const uint4 sent = row > 0 && lane == CLP_SUBGROUP - 1 ? last->chunk[0] : own;
    const uint4 below = clp_chunk_below(sent);
    *last = vector;
    if (row > 0 || lane > 0) {
        clp_store_stream(chunks + row * CLP_SUBGROUP + lane, clp_chunk_from(below, own, 16 - byte));
        return;
    }
    for (uint j = 0; j < CLP_VEC; j++) {
        if (byte + j * CLP_OUT_BYTES < 16) to[j] = vector.element[j];
    }
}

/* The end of the segment: of its last lane's vector, which stands at `to`. */
static inline void clp_store_shifted_end(const clp_out_vector *last, global CLP_OUT *to) {
    const uint byte = CLP_BEHIND_CHUNK(to, CLP_OUT_BYTES);
    if (clp_lane() < CLP_SUBGROUP - 1) return;
    for (uint j = 0; j < CLP_VEC; j++) {
        if (byte + j * CLP_OUT_BYTES >= 16) to[j] = last->element[j];
    }
}
#endif
#endif
