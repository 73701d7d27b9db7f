/* SPDX-License-Identifier: MIT */
/*
 * Elements of one byte that all have a bin. A work-item counts the 256 values by itself, in halves
 * of words of local memory; lanes of a sub-group have words of different banks. That is a load and
 * a store for each element, which are faster than an atomic. At the end values become bins.
 */
#define CLP_VALUES 256
#define CLP_ROW_WORDS 64 /* counters of a value: of 128 work-items, two in a word */
typedef char clp_row_has_a_counter_for_each[CLP_GROUP <= 2 * CLP_ROW_WORDS ? 1 : -1];

typedef union clp_counters {
    uint words[CLP_VALUES * CLP_ROW_WORDS];
    ushort halves[CLP_VALUES * CLP_ROW_WORDS * 2];
} clp_counters;

/* What a work-group shares. */
typedef struct clp_shared {
    clp_counters counters;
    uint is_last; /* of the run's groups */
} clp_shared;

typedef char clp_shared_has_the_stated_size[sizeof(clp_shared) == CLP_SHARED_BYTES ? 1 : -1];

/* Where this work-item's counter of value 0 is, in bytes: 32 lanes in 32 banks. */
CLP_INLINE uint clp_first_counter(void) {
    const uint item = (uint)get_local_id(0);
    return item % 32 * 4 + item / 32 % 2 * 2 + item / 64 * 128;
}

/* Where that of byte j of the word is. */
CLP_INLINE uint clp_counter_at(uint first, uint word, uint j) {
    return clp_choose_bytes(first, word, 0x1100 | (4 + j) << 4);
}

CLP_INLINE local ushort *clp_counter(local ushort *counters, uint at) {
    return (local ushort *)((local uchar *)counters + at);
}

/* Two values, which may be the same: both counters are loaded before one is stored. */
CLP_INLINE void clp_count_pair(local ushort *counters, uint at, uint other_at) {
    local ushort *const counter = clp_counter(counters, at);
    local ushort *const other = clp_counter(counters, other_at);
    const uint count = *counter + 1u, other_count = *other + (at == other_at ? 2u : 1u);
    *counter = (ushort)count;
    *other = (ushort)other_count;
}

CLP_INLINE void clp_count_word(local ushort *counters, uint first, uint word) {
    clp_count_pair(counters, clp_counter_at(first, word, 0), clp_counter_at(first, word, 1));
    clp_count_pair(counters, clp_counter_at(first, word, 2), clp_counter_at(first, word, 3));
}

CLP_INLINE void clp_count_vector(local ushort *counters, uint first, uint4 vector) {
    clp_count_word(counters, first, vector.x);
    clp_count_word(counters, first, vector.y);
    clp_count_word(counters, first, vector.z);
    clp_count_word(counters, first, vector.w);
}

/* CLP_DEPTH vectors of a work-item, one of each CLP_GROUP. */
CLP_INLINE void clp_load_tile(const global uint4 *from, uint4 *vectors) {
    _Pragma("unroll") for (uint d = 0; d < CLP_DEPTH; d++) {
        vectors[d] = clp_load_stream(from + d * CLP_GROUP);
    }
}

/* Every element that the work-group takes: tiles in turn, the next one loaded while one is counted;
 * then single vectors, and by the first group what stands before and behind vectors. */
CLP_INLINE void clp_count_bytes(const global uchar *in, ulong n, local ushort *counters) {
    const uint lane = (uint)get_local_id(0), first = clp_first_counter();
    const ulong head = min((16 - ((ulong)in & 15)) % 16, n), vectors = (n - head) / 16;
    const ulong tiles = vectors / (CLP_GROUP * CLP_DEPTH), groups = get_num_groups(0);
    const global uint4 *from = (const global uint4 *)(in + head);
    uint4 next[CLP_DEPTH];
    ulong tile = get_group_id(0);
    if (tile < tiles) clp_load_tile(from + tile * CLP_GROUP * CLP_DEPTH + lane, next);
    while (tile < tiles) {
        uint4 now[CLP_DEPTH];
        _Pragma("unroll") for (uint d = 0; d < CLP_DEPTH; d++) now[d] = next[d];
        tile += groups;
        if (tile < tiles) clp_load_tile(from + tile * CLP_GROUP * CLP_DEPTH + lane, next);
        _Pragma("unroll") for (uint d = 0; d < CLP_DEPTH; d++) {
            clp_count_vector(counters, first, now[d]);
        }
    }
    for (ulong v = tiles * CLP_GROUP * CLP_DEPTH + get_group_id(0) * CLP_GROUP + lane; v < vectors;
         v += groups * CLP_GROUP) {
        clp_count_vector(counters, first, from[v]);
    }
    if (get_group_id(0) != 0) return;
    for (ulong i = lane; i < head; i += CLP_GROUP) {
        *clp_counter(counters, clp_counter_at(first, in[i], 0)) += 1;
    }
    for (ulong i = head + 16 * vectors + lane; i < n; i += CLP_GROUP) {
        *clp_counter(counters, clp_counter_at(first, in[i], 0)) += 1;
    }
}

CLP_KERNEL(CLP_GROUP)
void clp_histogram_bytes(CLP_IO_PARAMETERS, CLP_OWN_END_PARAMETERS volatile global uint *sums,
                         volatile global uint *both, uint run CLP_USER_PARAMETERS) {
    local clp_shared shared;
    const clp_io io = CLP_IO;
    const ulong n = CLP_N;
    const uint lane = (uint)get_local_id(0);
    for (uint w = lane; w < CLP_VALUES * CLP_ROW_WORDS; w += CLP_GROUP) {
        shared.counters.words[w] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* counters, cleared above, added to below */
    clp_count_bytes((const global uchar *)io.in, n, shared.counters.halves);
    barrier(CLK_LOCAL_MEM_FENCE); /* counters, added to above, read below */
    for (uint value = lane; value < CLP_VALUES; value += CLP_GROUP) {
        uint count = 0;
        for (uint w = 0; w < CLP_ROW_WORDS; w++) {
            const uint at = (w + lane) % CLP_ROW_WORDS; /* lanes read different banks */
            count = clp_add_halves(count, shared.counters.words[value * CLP_ROW_WORDS + at]);
        }
        const uint bin = clp_bin(&io, (CLP_E)(uchar)value, 0);
        if (count > 0) clp_add_to_global(sums + (ulong)bin * CLP_WORDS, 1, clp_sum_of(count, 0));
    }
    CLP_FINISH_IF_LAST(shared.is_last)
}
