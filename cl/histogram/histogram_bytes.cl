/* SPDX-License-Identifier: MIT */
/*
 * Elements of one byte that all have a bin. A work-item counts the 256 values by itself, in bytes
 * of local memory; lanes of a sub-group have words of different banks. That is a load and a store
 * for each element, which are faster than an atomic. How often a byte wraps around is counted for
 * each value, by atomics. At the end values become bins.
 */
#define CLP_VALUES 256
#define CLP_ROW_CHUNKS 16 /* counters of a value: of 256 work-items, 16 in a chunk */
#define CLP_WRAPPED 256 /* the bit that a counter loses */
typedef char clp_row_has_a_counter_for_each[CLP_GROUP <= 16 * CLP_ROW_CHUNKS ? 1 : -1];

typedef union clp_counters {
    uint4 chunks[CLP_VALUES * CLP_ROW_CHUNKS];
    uchar bytes[CLP_VALUES * CLP_ROW_CHUNKS * 16];
} clp_counters;

/* What a work-group shares. */
typedef struct clp_shared {
    clp_counters counters;
    uint wraps[CLP_VALUES]; /* of all counters of a value */
    uint is_last; /* of the run's groups */
} clp_shared;

typedef char clp_shared_has_the_stated_size[sizeof(clp_shared) == CLP_SHARED_BYTES ? 1 : -1];

/* Where this work-item's counter of value 0 is: 32 lanes in 32 banks. */
CLP_INLINE uint clp_first_counter(void) {
    const uint item = (uint)get_local_id(0);
    return item % 32 * 4 + item / 32 % 4 + item / 128 * 128;
}

/* Where that of byte j of the word is. */
CLP_INLINE uint clp_counter_at(uint first, uint word, uint j) {
    return clp_choose_bytes(first, word, 0x1100 | (4 + j) << 4);
}

/* Counts two values, which may be the same: both counters are loaded before one is stored. Of the
 * same ones the second count is right, and counts[0] is none that wraps. */
CLP_INLINE void clp_count_pair(local uchar *bytes, uint at, uint other_at, uint *counts) {
    counts[0] = bytes[at] + 1u;
    counts[1] = bytes[other_at] + (at == other_at ? 2u : 1u);
    bytes[at] = (uchar)counts[0];
    bytes[other_at] = (uchar)counts[1];
}

/* Counts a word's values. The result has a bit in each byte whose counter wrapped around. */
CLP_INLINE uint clp_count_word(local uchar *bytes, uint first, uint word) {
    uint counts[4];
    clp_count_pair(bytes, clp_counter_at(first, word, 0), clp_counter_at(first, word, 1), counts);
    clp_count_pair(bytes, clp_counter_at(first, word, 2), clp_counter_at(first, word, 3),
                   counts + 2);
    return clp_choose_bytes(counts[0], counts[1], 0x2251) |
           clp_choose_bytes(counts[2], counts[3], 0x5122);
}

/* The same of every value once: of two equal ones the first may have wrapped around as well. */
CLP_INLINE uint clp_wrapped_once(uint word, uint wrapped) {
    const uint differ = word ^ word >> 8, pairs = wrapped & wrapped >> 8;
    const uint again = ((differ & 0xff) == 0 ? 1 : 0) | ((differ & 0xff0000) == 0 ? 0x10000 : 0);
    return wrapped & ~(pairs & again);
}

/* Counts the wraps of a vector's values. The atomics race with those of the other work-items;
 * clp_histogram_bytes reads the sums. */
CLP_INLINE void clp_note_wraps(local uint *wraps, uint4 vector, uint4 wrapped) {
    uint left = clp_wrapped_once(vector.x, wrapped.x) | clp_wrapped_once(vector.y, wrapped.y) << 1 |
                clp_wrapped_once(vector.z, wrapped.z) << 2 |
                clp_wrapped_once(vector.w, wrapped.w) << 3;
    while (left != 0) {
        const uint bit = 31 - clz(left);
        const uint word = (bit & 2) != 0 ? ((bit & 1) != 0 ? vector.w : vector.z)
                                         : ((bit & 1) != 0 ? vector.y : vector.x);
        atomic_inc(&wraps[word >> (bit & 24) & 255]);
        left ^= 1u << bit;
    }
}

/* `times` equal elements. */
CLP_INLINE void clp_count_equal(local clp_shared *shared, uint first, uint value, uint times) {
    local uchar *const counter = shared->counters.bytes + clp_counter_at(first, value, 0);
    const uint count = *counter + times;
    *counter = (uchar)count;
    if (count >= CLP_WRAPPED) atomic_inc(&shared->wraps[value]); /* with the other work-items' */
}

CLP_INLINE void clp_count_vector(local clp_shared *shared, uint first, uint4 vector) {
    const uint repeated = clp_choose_bytes(vector.x, 0, 0);
    if (((vector.x ^ repeated) | (vector.y ^ repeated) | (vector.z ^ repeated) |
         (vector.w ^ repeated)) == 0) {
        clp_count_equal(shared, first, repeated & 255, 16);
        return;
    }
    uint4 wrapped;
    wrapped.x = clp_count_word(shared->counters.bytes, first, vector.x);
    wrapped.y = clp_count_word(shared->counters.bytes, first, vector.y);
    wrapped.z = clp_count_word(shared->counters.bytes, first, vector.z);
    wrapped.w = clp_count_word(shared->counters.bytes, first, vector.w);
    if ((wrapped.x | wrapped.y | wrapped.z | wrapped.w) != 0) {
        clp_note_wraps(shared->wraps, vector, wrapped);
    }
}

/* Every element that the work-group takes: one vector of each work-item after the other, CLP_DEPTH
 * of them asked for ahead, behind the end the last one again. A vector's registers take the one
 * that is CLP_DEPTH behind before it is counted. Then come, by the first group, what stands before
 * and behind vectors. */
#define CLP_COUNT_VECTORS                                                                          \
    while (at < vectors) {                                                                         \
        _Pragma("unroll") for (uint d = 0; d < CLP_DEPTH; d++) {                                   \
            const uint4 vector = ahead[d];                                                         \
            ahead[d] = clp_load_stream(from + min(at + depth, vectors - 1));                       \
            if (at < vectors) clp_count_vector(&shared, first, vector);                            \
            at += step;                                                                            \
        }                                                                                          \
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

/* The sum of a value's counters. Lanes read different banks. */
CLP_INLINE uint clp_value_count(const local clp_shared *shared, uint value) {
    uint count = CLP_WRAPPED * shared->wraps[value];
    _Pragma("unroll 4") for (uint c = 0; c < CLP_ROW_CHUNKS; c++) {
        const uint4 chunk =
            shared->counters.chunks[value * CLP_ROW_CHUNKS + (c + value) % CLP_ROW_CHUNKS];
        count = clp_add_bytes(clp_add_bytes(count, chunk.x), chunk.y);
        count = clp_add_bytes(clp_add_bytes(count, chunk.z), chunk.w);
    }
    return count;
}
#define CLP_VALUE_COUNT(value) clp_value_count(&shared, value)

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
    for (uint c = lane; c < CLP_VALUES * CLP_ROW_CHUNKS; c += CLP_GROUP) {
        shared.counters.chunks[c] = (uint4)(0);
    }
    for (uint value = lane; value < CLP_VALUES; value += CLP_GROUP) shared.wraps[value] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* counters and wraps, cleared above, added to below */
    CLP_COUNT_VECTORS
    clp_count_singles(bytes, n, head, head + 16 * vectors, &shared, first);
    barrier(CLK_LOCAL_MEM_FENCE); /* counters and wraps, added to above, read below */
#if CLP_ARRIVALS
    CLP_ARRIVE(CLP_VALUES, 0u, get_num_groups(0), CLP_VALUE_COUNT)
#else
    for (uint value = lane; value < CLP_VALUES; value += CLP_GROUP) {
        const uint count = CLP_VALUE_COUNT(value), bin = clp_bin(&io, (CLP_E)(uchar)value, 0);
        if (count > 0) clp_add_to_global(sums + (ulong)bin * CLP_WORDS, 1, clp_sum_of(count, 0));
    }
    CLP_FINISH_IF_LAST(shared.is_last)
#endif
}
