/* SPDX-License-Identifier: MIT */
/*
 * Elements of one byte that all have a bin. A work-item counts the 256 values by itself, in bytes
 * of local memory; lanes of a sub-group have words of different banks. That is a load and a store
 * for each element, which are faster than an atomic. How often a byte wraps around is counted for
 * each value, by atomics. At the end values become bins.
 */
#define CLP_VALUES 256
#define CLP_ROW_CHUNKS 16 /* counters of a value in a table, of 256 work-items: 16 in a chunk */
#define CLP_TABLE_CHUNKS (CLP_VALUES * CLP_ROW_CHUNKS)
#define CLP_TABLES ((CLP_GROUP + 255) / 256)
#define CLP_WRAPPED 256 /* the bit that a counter loses */

typedef union clp_counters {
    uint4 chunks[CLP_TABLES * CLP_TABLE_CHUNKS];
    uchar bytes[CLP_TABLES * CLP_TABLE_CHUNKS * 16];
} clp_counters;

/* What a work-group shares. */
typedef struct clp_shared {
    clp_counters counters;
    uint
        lost[CLP_VALUES]; /* by all counters of a value, when they wrapped around; then their sum */
    uint is_last; /* of the run's groups */
} clp_shared;

typedef char clp_shared_has_the_stated_size[sizeof(clp_shared) == CLP_SHARED_BYTES ? 1 : -1];

/* Where this work-item's counter of value 0 is: 32 lanes in 32 banks. */
CLP_INLINE uint clp_first_counter(void) {
    const uint item = (uint)get_local_id(0);
    return item % 32 * 4 + item / 32 % 4 + item / 128 % 2 * 128 + item / 256 * 65536;
}

/* Where that of byte j of the word is. */
CLP_INLINE uint clp_counter_at(uint first, uint word, uint j) {
    return clp_choose_bytes(first, word, 0x3200 | (4 + j) << 4);
}

/* Counts two values, which may be the same: both counters are loaded before one is stored. Of the
 * same ones the second count is right, and counts[0] is none that wraps. */
CLP_INLINE void clp_count_pair(local uchar *bytes, uint at, uint other_at, uint *counts) {
    counts[0] = bytes[at] + 1u;
    counts[1] = bytes[other_at] + (at == other_at ? 2u : 1u);
    bytes[at] = (uchar)counts[0];
    bytes[other_at] = (uchar)counts[1];
}

CLP_INLINE void clp_count_word(local uchar *bytes, uint first, uint word, uint *counts) {
    clp_count_pair(bytes, clp_counter_at(first, word, 0), clp_counter_at(first, word, 1), counts);
    clp_count_pair(bytes, clp_counter_at(first, word, 2), clp_counter_at(first, word, 3),
                   counts + 2);
}

CLP_INLINE bool clp_wraps(const uint *counts) {
    return ((counts[0] | counts[1] | counts[2] | counts[3]) & CLP_WRAPPED) != 0;
}

/* A bit in each byte of the word whose counter wrapped around. Of two equal ones the first may
 * have, as well as the second, and is left out. */
CLP_INLINE uint clp_wrapped(uint word, const uint *counts) {
    const uint wrapped = clp_choose_bytes(counts[0], counts[1], 0x2251) |
                         clp_choose_bytes(counts[2], counts[3], 0x5122);
    const uint differ = word ^ word >> 8, pairs = wrapped & wrapped >> 8;
    const uint again = ((differ & 0xff) == 0 ? 1 : 0) | ((differ & 0xff0000) == 0 ? 0x10000 : 0);
    return wrapped & ~(pairs & again);
}

/* Counts what the counters of two words' values lost. The atomics race with those of the other
 * work-items; clp_histogram_bytes reads the sums. */
CLP_INLINE void clp_note_wraps(local uint *lost, uint word, uint other, const uint *counts,
                               const uint *other_counts) {
    uint left = clp_wrapped(word, counts) | clp_wrapped(other, other_counts) << 1;
    while (left != 0) {
        const uint bit = 31 - clz(left);
        const uint value = ((bit & 1) != 0 ? other : word) >> (bit & 24) & 255;
        atomic_add(&lost[value], (uint)CLP_WRAPPED);
        left ^= 1u << bit;
    }
}

CLP_INLINE void clp_count_words(local clp_shared *shared, uint first, uint word, uint other) {
    uint counts[4], other_counts[4];
    clp_count_word(shared->counters.bytes, first, word, counts);
    clp_count_word(shared->counters.bytes, first, other, other_counts);
    if (clp_wraps(counts) || clp_wraps(other_counts)) {
        clp_note_wraps(shared->lost, word, other, counts, other_counts);
    }
}

/* `times` equal elements. */
CLP_INLINE void clp_count_equal(local clp_shared *shared, uint first, uint value, uint times) {
    local uchar *const counter = shared->counters.bytes + clp_counter_at(first, value, 0);
    const uint count = *counter + times;
    *counter = (uchar)count;
    /* with the other work-items' */
    if (count >= CLP_WRAPPED) atomic_add(&shared->lost[value], (uint)CLP_WRAPPED);
}

CLP_INLINE void clp_count_vector(local clp_shared *shared, uint first, uint4 vector) {
    const uint repeated = clp_choose_bytes(vector.x, 0, 0);
    if (((vector.x ^ repeated) | (vector.y ^ repeated) | (vector.z ^ repeated) |
         (vector.w ^ repeated)) == 0) {
        clp_count_equal(shared, first, repeated & 255, 16);
        return;
    }
    clp_count_words(shared, first, vector.x, vector.y);
    clp_count_words(shared, first, vector.z, vector.w);
}

/* Every element that the work-group takes: one vector of each work-item after the other, CLP_DEPTH
 * of them asked for ahead. A vector's registers take the one that is CLP_DEPTH behind before it is
 * counted. Near the end that may be the last one again. Then come, by the first group, what stands
 * before and behind vectors. */
#define CLP_COUNT_VECTORS                                                                          \
    while (at + 2 * depth < vectors) {                                                             \
        _Pragma("unroll") for (uint d = 0; d < CLP_DEPTH; d++) {                                   \
            const uint4 vector = ahead[d];                                                         \
            ahead[d] = clp_load_stream(from + at + depth);                                         \
            clp_count_vector(&shared, first, vector);                                              \
            at += step;                                                                            \
        }                                                                                          \
    }                                                                                              \
    _Pragma("unroll 1") for (; at < vectors; at += step) {                                         \
        const uint4 vector = ahead[0];                                                             \
        _Pragma("unroll") for (uint d = 1; d < CLP_DEPTH; d++) ahead[d - 1] = ahead[d];            \
        ahead[CLP_DEPTH - 1] = clp_load_stream(from + min(at + depth, vectors - 1));               \
        clp_count_vector(&shared, first, vector);                                                  \
    }

CLP_INLINE void clp_count_singles(const global uchar *in, ulong n, ulong head, ulong behind,
                                  local clp_shared *shared, uint first) {
    if (get_group_id(0) != 0) return;
    for (ulong i = get_local_id(0); i < head; i += CLP_GROUP) {
        clp_count_equal(shared, first, in[i], 1);
    }
    for (ulong i = behind + get_local_id(0); i < n; i += CLP_GROUP) {
        clp_count_equal(shared, first, in[i], 1);
    }
}

/* The sum of a value's counters in a table. Lanes read different banks. */
CLP_INLINE uint clp_row_sum(const local clp_shared *shared, uint table, uint value) {
    const local uint4 *row =
        shared->counters.chunks + table * CLP_TABLE_CHUNKS + value * CLP_ROW_CHUNKS;
    uint sum = 0;
    _Pragma("unroll 4") for (uint c = 0; c < CLP_ROW_CHUNKS; c++) {
        const uint4 chunk = row[(c + value) % CLP_ROW_CHUNKS];
        sum = clp_add_bytes(clp_add_bytes(sum, chunk.x), chunk.y);
        sum = clp_add_bytes(clp_add_bytes(sum, chunk.z), chunk.w);
    }
    return sum;
}
#define CLP_VALUE_COUNT(value) shared.lost[value]

CLP_KERNEL(CLP_GROUP)
void clp_histogram_bytes(CLP_IO_PARAMETERS, CLP_OWN_END_PARAMETERS volatile global uint *sums,
                         volatile global uint *both, uint run CLP_USER_PARAMETERS) {
    local clp_shared shared;
    const clp_io io = CLP_IO;
    const ulong n = CLP_N;
    const uint lane = (uint)get_local_id(0), first = clp_first_counter();
    const global uchar *const bytes = (const global uchar *)io.in;
    const ulong head = min((16 - ((ulong)bytes & 15)) % 16, n), vectors = (n - head) / 16;
    const ulong step = get_num_groups(0) * CLP_GROUP, depth = CLP_DEPTH * step;
    const global uint4 *const from = (const global uint4 *)(bytes + head);
    uint4 ahead[CLP_DEPTH];
    ulong at = get_global_id(0);
    _Pragma("unroll") for (uint d = 0; d < CLP_DEPTH && vectors > 0; d++) {
        ahead[d] = clp_load_stream(from + min(at + d * step, vectors - 1));
    }
    for (uint c = lane; c < CLP_TABLES * CLP_TABLE_CHUNKS; c += CLP_GROUP) {
        shared.counters.chunks[c] = (uint4)(0);
    }
    for (uint value = lane; value < CLP_VALUES; value += CLP_GROUP) shared.lost[value] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* counters and lost, cleared above, added to below */
    CLP_COUNT_VECTORS
    clp_count_singles(bytes, n, head, head + 16 * vectors, &shared, first);
    barrier(CLK_LOCAL_MEM_FENCE); /* counters, added to above, read below; lost, added to by all */
    for (uint r = lane; r < CLP_TABLES * CLP_VALUES; r += CLP_GROUP) {
        const uint value = r % CLP_VALUES;
        atomic_add(&shared.lost[value], clp_row_sum(&shared, r / CLP_VALUES, value));
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* lost, added to above, read below */
#if CLP_ARRIVALS
    CLP_ARRIVE(CLP_GROUP, CLP_VALUES, 0u, get_num_groups(0), CLP_VALUE_COUNT)
#else
    for (uint value = lane; value < CLP_VALUES; value += CLP_GROUP) {
        const uint count = CLP_VALUE_COUNT(value), bin = clp_bin(&io, (CLP_E)(uchar)value, 0);
        if (count > 0) clp_add_to_global(sums + (ulong)bin * CLP_WORDS, 1, clp_sum_of(count, 0));
    }
    CLP_FINISH_IF_LAST(shared.is_last)
#endif
}
