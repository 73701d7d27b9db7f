/* SPDX-License-Identifier: MIT */
/*
 * Top-k of short rows on NVIDIA GPUs: CLP_SHORT lanes take a row, so that a sub-group takes several
 * rows at once, and keep its elements in registers. A word is an element's ordered key above its
 * number in the row; no two are alike. Each lane finds the least word of each half of its elements.
 * At least k words are up to the k-th one of these. They are candidates, and go to local memory;
 * where the halves mislead, there is no room for all. A candidate's place is the number of
 * candidates in front of it.
 */
#if CLP_SHORT > 0
#define CLP_SHORT_KEYS 16 /* of a lane */
#define CLP_SHORT_ROOM (4 * CLP_SHORT) /* for a row's candidates */
#define CLP_SHORT_TOGETHER 4 /* words that are compared together */

typedef struct clp_short {
    ulong words[CLP_SHORT_ROOM + CLP_SHORT_TOGETHER];
    ulong end; /* candidates are in front of it */
    uint count; /* of the candidates, with those that have no room */
} clp_short;

CLP_INLINE ulong clp_short_word(CLP_K key, uint i) {
    return (ulong)key << 32 | (i * CLP_SHORT + clp_lane() % CLP_SHORT);
}

/* The number of words in front of one. */
CLP_INLINE uint clp_short_place(const local clp_short *s, uint count, ulong word) {
    uint place = 0;
    CLP_NO_UNROLL
    for (uint j = 0; j < count; j += CLP_SHORT_TOGETHER) {
        CLP_UNROLL
        for (uint i = j; i < j + CLP_SHORT_TOGETHER; i++) place += s->words[i] < word;
    }
    return place;
}

/* Loads a row's elements in order: what is not there comes behind all. No load depends on a
 * condition, or each would wait for the load before. Some row of the sub-group has elements. */
CLP_INLINE void clp_short_load(const local clp_rows *rows, ulong first, uint length, CLP_K *own) {
    const uint member = clp_lane() % CLP_SHORT;
    const global CLP_K *from = rows->keys + (length > 0 ? first : 0);
    CLP_UNROLL
    for (uint i = 0; i < CLP_SHORT_KEYS; i++) {
        own[i] = from[min(i * CLP_SHORT + member, max(length, 1u) - 1)];
    }
    CLP_UNROLL
    for (uint i = 0; i < CLP_SHORT_KEYS; i++) {
        own[i] = i * CLP_SHORT + member < length ? clp_ordered(own[i]) : ~(CLP_K)0;
    }
}

/* Sets `end`, and no candidates yet. */
CLP_INLINE void clp_short_guess(local clp_short *s, const CLP_K *own, uint length, uint k) {
    const uint member = clp_lane() % CLP_SHORT;
    const ulong end = (ulong)~0u << 32 | length;
    CLP_K least[2] = {own[0], own[1]};
    uint at[2] = {0, 1};
    CLP_UNROLL
    for (uint i = 2; i < CLP_SHORT_KEYS; i++) {
        const bool is_less = own[i] < least[i & 1];
        at[i & 1] = is_less ? i : at[i & 1];
        least[i & 1] = min(own[i], least[i & 1]);
    }
    if (member == 0) {
        s->end = end;
        s->count = 0;
    }
    for (uint j = 0; j < 2; j++) s->words[2 * member + j] = clp_short_word(least[j], at[j]);
    clp_subgroup_barrier(); /* words and end, written above, read and written below */
    for (uint j = 0; j < 2; j++) {
        const ulong word = clp_short_word(least[j], at[j]);
        if (clp_short_place(s, 2 * CLP_SHORT, word) == k - 1 && word < end) s->end = word + 1;
    }
    clp_subgroup_barrier(); /* words and end, read and written above, written and read behind */
}

CLP_INLINE void clp_short_put(local clp_short *s, const CLP_K *own) {
    const ulong end = s->end;
    uint mask = 0;
    CLP_UNROLL
    for (uint i = 0; i < CLP_SHORT_KEYS; i++) {
        mask |= (uint)(clp_short_word(own[i], i) < end) << i;
    }
    uint to = atomic_add(&s->count, popcount(mask)); /* with the row's other lanes */
    if (to + popcount(mask) > CLP_SHORT_ROOM) mask = 0;
    CLP_UNROLL
    for (uint i = 0; i < CLP_SHORT_KEYS; i++) {
        if ((mask >> i & 1) != 0) s->words[to++] = clp_short_word(own[i], i);
    }
    clp_subgroup_barrier(); /* words and count, written above, read behind */
}

/* Rows from the first one on, a row for each CLP_SHORT lanes. Returns the lanes whose row is not
 * short, or has too many candidates. */
CLP_INLINE uint clp_short_rows(local clp_short *of_rows, const local clp_rows *rows, ulong first,
                               ulong count) {
    const uint part = clp_lane() / CLP_SHORT, member = clp_lane() % CLP_SHORT;
    local clp_short *s = &of_rows[part];
    clp_row row = {0, 0, 0, 0};
    if (first + part < count) row = clp_row_take(rows, first + part, member == 0);
    const bool is_short = row.length <= CLP_SHORT_KEYS * CLP_SHORT;
    const uint length = is_short ? (uint)row.length : 0;
    if (clp_ballot(length > 0) == 0) return clp_ballot(!is_short);
    CLP_K own[CLP_SHORT_KEYS];
    clp_short_load(rows, row.first, length, own);
    clp_short_guess(s, own, length, (uint)rows->k);
    clp_short_put(s, own);
    const bool has_room = s->count <= CLP_SHORT_ROOM;
    const uint held = has_room ? s->count : 0;
    if (member < CLP_SHORT_TOGETHER) s->words[held + member] = ~0ul;
    clp_subgroup_barrier(); /* the last words, written above, read below */
    CLP_NO_UNROLL
    for (uint at = member; at < held; at += CLP_SHORT) {
        const ulong word = s->words[at];
        const uint place = clp_short_place(s, held, word);
        if (place < rows->k) clp_row_put(rows, &row, place, (uint)word);
    }
    clp_subgroup_barrier(); /* words, read above, written for the next rows */
    return clp_ballot(!is_short || !has_room);
}
#endif
