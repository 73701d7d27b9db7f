/* SPDX-License-Identifier: MIT */
/*
 * Copies from local memory to the output by a sub-group. Adjacent lanes store adjacent words, so
 * stores are coalesced whatever the alignments. Four words a lane are loaded before the first is
 * stored, so that the loads overlap. The caller's barrier orders the copies behind the compaction;
 * no work-group waits for another.
 */

/* The four bytes that begin `bits` above the start of word w. */
static inline uint clp_word_at(const local uint *words, uint w, uint bits) {
    return (uint)(((ulong)words[w + 1] << 32 | words[w]) >> bits);
}

/* Copies bytes between addresses of any alignment. Stores are aligned words; each is put together
 * from two words of local memory. */
static inline void clp_copy_bytes(global uchar *to, const local uchar *from, uint bytes) {
    const uint lane = clp_lane();
    const uint head = min(bytes, (uint)(-(ulong)to & 3));
    const uint words = (bytes - head) / 4;
    const uint tail = head + 4 * words;
    const uint bits = (clp_local_address(from + head) & 3) * 8;
    const local uint *source = (const local uint *)(from + head - bits / 8);
    global uint *target = (global uint *)(to + head);
    uint w = lane;
    if (lane < head) to[lane] = from[lane];
    for (; w + 3 * CLP_SUBGROUP < words; w += 4 * CLP_SUBGROUP) {
        const uint a = clp_word_at(source, w, bits);
        const uint b = clp_word_at(source, w + CLP_SUBGROUP, bits);
        const uint c = clp_word_at(source, w + 2 * CLP_SUBGROUP, bits);
        const uint d = clp_word_at(source, w + 3 * CLP_SUBGROUP, bits);
        target[w] = a;
        target[w + CLP_SUBGROUP] = b;
        target[w + 2 * CLP_SUBGROUP] = c;
        target[w + 3 * CLP_SUBGROUP] = d;
    }
    for (; w < words; w += CLP_SUBGROUP) target[w] = clp_word_at(source, w, bits);
    if (lane < bytes - tail) to[tail + lane] = from[tail + lane];
}

static inline void clp_copy_words(global uint *to, const local uint *from, uint words) {
    uint w = clp_lane();
    for (; w + 3 * CLP_SUBGROUP < words; w += 4 * CLP_SUBGROUP) {
        const uint a = from[w], b = from[w + CLP_SUBGROUP];
        const uint c = from[w + 2 * CLP_SUBGROUP], d = from[w + 3 * CLP_SUBGROUP];
        to[w] = a;
        to[w + CLP_SUBGROUP] = b;
        to[w + 2 * CLP_SUBGROUP] = c;
        to[w + 3 * CLP_SUBGROUP] = d;
    }
    for (; w < words; w += CLP_SUBGROUP) to[w] = from[w];
}

/* Copies bytes of a segment whose address has the same remainder by 16 on both sides: whole chunks
 * of 16 bytes, then the bytes at both ends, the first by lanes below 16, the last by the others. */
static inline void clp_copy_chunks(global uchar *to, const local uchar *from, uint bytes) {
    const uint lane = clp_lane();
    const uint head = (uint)(ulong)to & 15, end = head + bytes, chunks = end / 16;
    const uint first = head > 0 ? 1 : 0;
    const local uint4 *source = (const local uint4 *)(from - head);
    global uint4 *target = (global uint4 *)(to - head);
    uint4 chunk[CLP_ROWS];
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        const uint q = first + r * CLP_SUBGROUP + lane;
        if (q < chunks) chunk[r] = clp_load_quad(source + q);
    }
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        const uint q = first + r * CLP_SUBGROUP + lane;
        if (q < chunks) target[q] = chunk[r];
    }
    const uint i = lane < 16 ? lane : 16 * chunks + lane - 16;
    const bool is_edge = lane < 16 ? i >= head && head > 0 : chunks >= first;
    if (is_edge && i < end) to[(int)i - (int)head] = from[(int)i - (int)head];
}
