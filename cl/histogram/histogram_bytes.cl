/* SPDX-License-Identifier: MIT */
/*
 * Elements of one byte that all have a bin. Each work-item counts the 256 values by itself, in
 * counters of one byte. An element then costs a load and a store of local memory, which are faster
 * than an atomic. Counters wrap around at 256; an atomic counts the wraps of each value, for all
 * work-items together. At the end values become bins.
 *
 * Local memory: 256 counters of a byte for each work-item, laid out so that the lanes of a
 * sub-group use different banks, and the wraps. No work-group waits for another; the last one to
 * end writes the output (histogram_finish.cl).
 */
#define CLP_VALUES 256
#define CLP_ROW_CHUNKS 16 /* chunks of 16 counters of a value: one counter for each work-item */
#define CLP_WRAPPED 256 /* the bit that does not fit a counter */
typedef char clp_row_has_a_counter_for_each[CLP_GROUP <= 16 * CLP_ROW_CHUNKS ? 1 : -1];

typedef union clp_counters {
    uint4 chunks[CLP_VALUES * CLP_ROW_CHUNKS];
    uchar bytes[CLP_VALUES * CLP_ROW_CHUNKS * 16];
} clp_counters;

/* What a work-group shares. */
typedef struct clp_shared {
    clp_counters counters;
    uint wraps[CLP_VALUES]; /* of all work-items' counters of a value */
    uint is_last; /* whether this work-group is the last of the run */
} clp_shared;

typedef char clp_shared_has_the_stated_size[sizeof(clp_shared) == CLP_SHARED_BYTES ? 1 : -1];

/* The position of this work-item's counter of value 0. The 32 lanes of a sub-group have 32 words,
 * in 32 banks; four sub-groups share the words. */
CLP_INLINE uint clp_first_counter(void) {
    const uint item = (uint)get_local_id(0);
    return item % 32 * 4 + item / 32 % 4 + item / 128 * 128;
}

/* The position of the counter of byte j of the word: the byte permute multiplies the value by 256,
 * the length of a row, and adds `first` in one instruction. */
CLP_INLINE uint clp_counter_at(uint first, uint word, uint j) {
    return clp_choose_bytes(first, word, 0x1100 | (4 + j) << 4);
}

/* Whether all bytes are equal. */
CLP_INLINE bool clp_is_repeated(uint4 vector) {
    const uint first = clp_choose_bytes(vector.x, 0, 0);
    return ((vector.x ^ first) | (vector.y ^ first) | (vector.z ^ first) | (vector.w ^ first)) == 0;
}

/* Counts two values. Both counters are loaded before one is stored, so that the loads overlap. If
 * the values are equal, the second count is right and is stored last, and clp_note_wraps ignores
 * the first. */
CLP_INLINE void clp_count_pair(local uchar *bytes, uint at, uint other_at, uint *counts) {
    counts[0] = bytes[at] + 1u;
    counts[1] = bytes[other_at] + (at == other_at ? 2u : 1u);
    bytes[at] = (uchar)counts[0];
    bytes[other_at] = (uchar)counts[1];
}

CLP_INLINE uint clp_value_of(uint word, uint j) {
    return word >> 8 * j & 255;
}

/* Counts the wraps of a word's values. counts: the new count of each value. The atomics race with
 * other work-items' atomics; clp_histogram_bytes reads the sums behind a barrier. */
CLP_INLINE void clp_note_wraps(local uint *wraps, uint word, const uint *counts) {
    for (uint j = 0; j < 4; j++) {
        const uint value = clp_value_of(word, j);
        const bool is_again = j % 2 == 0 && value == clp_value_of(word, j + 1);
        if ((counts[j] & CLP_WRAPPED) != 0 && !is_again) atomic_inc(&wraps[value]);
    }
}

CLP_INLINE void clp_count_word(local uchar *bytes, uint first, uint word, uint *counts) {
    clp_count_pair(bytes, clp_counter_at(first, word, 0), clp_counter_at(first, word, 1), counts);
    clp_count_pair(bytes, clp_counter_at(first, word, 2), clp_counter_at(first, word, 3),
                   counts + 2);
}

CLP_INLINE bool clp_wraps(const uint *counts) {
    return ((counts[0] | counts[1] | counts[2] | counts[3]) & CLP_WRAPPED) != 0;
}

CLP_INLINE void clp_count_words(local clp_shared *shared, uint first, uint word, uint other) {
    uint counts[4], other_counts[4];
    clp_count_word(shared->counters.bytes, first, word, counts);
    clp_count_word(shared->counters.bytes, first, other, other_counts);
    if (clp_wraps(counts) || clp_wraps(other_counts)) {
        clp_note_wraps(shared->wraps, word, counts);
        clp_note_wraps(shared->wraps, other, other_counts);
    }
}

/* Counts `times` equal elements. */
CLP_INLINE void clp_count_equal(local clp_shared *shared, uint first, uint value, uint times) {
    local uchar *const counter = shared->counters.bytes + clp_counter_at(first, value, 0);
    const uint count = *counter + times;
    *counter = (uchar)count;
    if (count >= CLP_WRAPPED) atomic_inc(&shared->wraps[value]); /* with the other work-items' */
}

CLP_INLINE void clp_count_vector(local clp_shared *shared, uint first, uint4 vector) {
    if (clp_is_repeated(vector)) {
        clp_count_equal(shared, first, vector.x & 255, 16);
        return;
    }
    clp_count_words(shared, first, vector.x, vector.y);
    clp_count_words(shared, first, vector.z, vector.w);
}

/* Counts every element of the work-group. First come tiles of CLP_DEPTH vectors a work-item. Before
 * a vector is counted, its registers take the vector of the next tile, so that loads and counts
 * overlap. Then come single vectors. The first work-group takes the elements before the first and
 * behind the last vector. */
CLP_INLINE void clp_count_bytes(const global uchar *in, ulong n, local clp_shared *shared) {
    const uint lane = (uint)get_local_id(0), first = clp_first_counter();
    const ulong head = min((16 - ((ulong)in & 15)) % 16, n), vectors = (n - head) / 16;
    const ulong tiles = vectors / (CLP_GROUP * CLP_DEPTH), groups = get_num_groups(0);
    const global uint4 *from = (const global uint4 *)(in + head);
    uint4 ahead[CLP_DEPTH];
    ulong tile = get_group_id(0);
    if (tile < tiles) {
        const global uint4 *of_tile = from + tile * CLP_GROUP * CLP_DEPTH + lane;
        _Pragma("unroll") for (uint d = 0; d < CLP_DEPTH; d++) {
            ahead[d] = clp_load_stream(of_tile + d * CLP_GROUP);
        }
    }
    while (tile < tiles) {
        const global uint4 *of_next = from + (tile + groups) * CLP_GROUP * CLP_DEPTH + lane;
        tile += groups;
        _Pragma("unroll") for (uint d = 0; d < CLP_DEPTH; d++) {
            const uint4 vector = ahead[d];
            if (tile < tiles) ahead[d] = clp_load_stream(of_next + d * CLP_GROUP);
            clp_count_vector(shared, first, vector);
        }
    }
    for (ulong v = tiles * CLP_GROUP * CLP_DEPTH + get_group_id(0) * CLP_GROUP + lane; v < vectors;
         v += groups * CLP_GROUP) {
        clp_count_vector(shared, first, from[v]);
    }
    if (get_group_id(0) != 0) return;
    for (ulong i = lane; i < head; i += CLP_GROUP) {
        clp_count_equal(shared, first, in[i], 1);
    }
    for (ulong i = head + 16 * vectors + lane; i < n; i += CLP_GROUP) {
        clp_count_equal(shared, first, in[i], 1);
    }
}

CLP_KERNEL(CLP_GROUP)
void clp_histogram_bytes(CLP_IO_PARAMETERS, CLP_OWN_END_PARAMETERS volatile global uint *sums,
                         volatile global uint *found CLP_USER_PARAMETERS) {
    local clp_shared shared;
    const clp_io io = CLP_IO;
    const ulong n = CLP_N;
    const uint lane = (uint)get_local_id(0);
    for (uint c = lane; c < CLP_VALUES * CLP_ROW_CHUNKS; c += CLP_GROUP) {
        shared.counters.chunks[c] = (uint4)(0);
    }
    for (uint value = lane; value < CLP_VALUES; value += CLP_GROUP) shared.wraps[value] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* counters and wraps, cleared above, added to below */
    clp_count_bytes((const global uchar *)io.in, n, &shared);
    barrier(CLK_LOCAL_MEM_FENCE); /* counters and wraps, added to above, read below */
    for (uint value = lane; value < CLP_VALUES; value += CLP_GROUP) {
        uint count = CLP_WRAPPED * shared.wraps[value];
        _Pragma("unroll 4") for (uint c = 0; c < CLP_ROW_CHUNKS; c++) {
            const uint at = (c + lane) % CLP_ROW_CHUNKS; /* lanes read different banks */
            const uint4 chunk = shared.counters.chunks[value * CLP_ROW_CHUNKS + at];
            count = clp_add_bytes(clp_add_bytes(count, chunk.x), chunk.y);
            count = clp_add_bytes(clp_add_bytes(count, chunk.z), chunk.w);
        }
        const uint bin = clp_bin(&io, (CLP_E)(uchar)value, 0);
        if (count > 0) clp_add_to_global(sums + (ulong)bin * CLP_WORDS, 1, clp_sum_of(count, 0));
    }
    CLP_FINISH_IF_LAST(shared.is_last)
}
