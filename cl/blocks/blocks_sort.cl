/* SPDX-License-Identifier: MIT */
/*
 * Radix sort of a work-group's tile, least significant digit first. In each pass the elements are
 * ranked by a digit: each column counts its elements of each digit, the counters are scanned digit
 * by digit, and an element's place is its column's counter plus its rank in the column. Columns
 * are sub-groups, whose lanes rank themselves by ballots (Adinets, Merrill 2022); where the
 * work-group is the sub-group, work-items, each of which counts for itself. So the order that a
 * pass keeps is the own order: clp_own.
 */

/* The number of the work-item's element j in the own order. */
#define CLP_OWN_STEP (CLP_SUBGROUP_IS_GROUP ? 1 : CLP_SUBGROUP)
CLP_INLINE uint clp_own(uint j) {
#if CLP_SUBGROUP_IS_GROUP
    return clp_blocked(j);
#else
    return clp_subgroup_number() * CLP_SUBGROUP * CLP_ITEMS + j * CLP_OWN_STEP + clp_lane();
#endif
}

#if !CLP_SUBGROUP_IS_GROUP
/* The lanes that have the same digit. */
CLP_INLINE clp_lanes clp_lanes_alike(uint digit) {
    clp_lanes lanes = ~(clp_lanes)0;
#pragma unroll
    for (uint bit = 0; bit < CLP_RADIX_BITS; bit++) {
        const bool set = (digit >> bit & 1) != 0;
        lanes &= clp_ballot(set) ^ (set ? 0 : ~(clp_lanes)0);
    }
    return lanes;
}

CLP_INLINE uint clp_lowest_lane(clp_lanes lanes) {
    return 8 * sizeof lanes - 1 - (uint)clz(lanes & -lanes);
}
#endif

/* Counts the work-item's elements in its column, and sets their ranks there. The lowest of the
 * lanes that have a digit counts for all of them; all lanes count before they ask for its result,
 * as atomics take long. */
CLP_INLINE void clp_rank_in_column(const uint *digit, uint *rank, local uint *counters) {
#if CLP_SUBGROUP_IS_GROUP
#pragma unroll
    for (uint j = 0; j < CLP_ITEMS; j++) {
        local uint *counter = &counters[CLP_PADDED(digit[j] * CLP_COLUMNS + clp_lane())];
        rank[j] = *counter;
        *counter = rank[j] + 1;
    }
#else
    const clp_lanes lower = ((clp_lanes)1 << clp_lane()) - 1;
    uint before[CLP_ITEMS];
#pragma unroll
    for (uint j = 0; j < CLP_ITEMS; j++) {
        const clp_lanes lanes = clp_lanes_alike(digit[j]);
        const uint among = (uint)popcount(lanes & lower), all = (uint)popcount(lanes);
        local uint *counter = &counters[CLP_PADDED(digit[j] * CLP_COLUMNS + clp_subgroup_number())];
        before[j] = 0;
        if (among == 0) before[j] = atomic_add(counter, all); /* with the next item's */
        rank[j] = among << 8 | clp_lowest_lane(lanes);
    }
#pragma unroll
    for (uint j = 0; j < CLP_ITEMS; j++) {
        rank[j] = (rank[j] >> 8) + clp_shuffle_word(before[j], rank[j] & 0xff);
    }
#endif
}

/* The counters become places, each work-item's behind those of lower ones. */
CLP_INLINE void clp_scan_counters(local clp_local *room) {
    const uint first = (uint)get_local_id(0) * (CLP_COUNTERS / CLP_GROUP);
    uint sum = 0, all;
#pragma unroll
    for (uint c = 0; c < CLP_COUNTERS / CLP_GROUP; c++) {
        sum += room->counters[CLP_PADDED(first + c)];
    }
    uint place = clp_sum_lower(sum, &all, room->sums);
#pragma unroll
    for (uint c = 0; c < CLP_COUNTERS / CLP_GROUP; c++) {
        const uint count = room->counters[CLP_PADDED(first + c)];
        room->counters[CLP_PADDED(first + c)] = place;
        place += count;
    }
}

/* Sets the places of the elements by their digits, both in the own order. */
CLP_INLINE void clp_rank_own(const uint *digit, uint *place, local clp_local *room) {
    const uint item = (uint)get_local_id(0);
    const uint column = CLP_SUBGROUP_IS_GROUP ? item : clp_subgroup_number();
#pragma unroll
    for (uint c = 0; c < CLP_COUNTERS / CLP_GROUP; c++) {
        room->counters[CLP_PADDED(c * CLP_GROUP + item)] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* counters cleared above, counted below */
    clp_rank_in_column(digit, place, room->counters);
    barrier(CLK_LOCAL_MEM_FENCE); /* counters counted above, scanned below */
    clp_scan_counters(room);
    barrier(CLK_LOCAL_MEM_FENCE); /* counters scanned above, read below; sums, with the next scan */
#pragma unroll
    for (uint j = 0; j < CLP_ITEMS; j++) {
        place[j] += room->counters[CLP_PADDED(digit[j] * CLP_COLUMNS + column)];
        CLP_ASSERT(place[j] < CLP_TILE);
    }
}

/* From blocked to own order, and back, by memory that nobody reads. */
#if CLP_SUBGROUP_IS_GROUP || CLP_ITEMS == 1
#define CLP_TO_OWN(x, memory)
#define CLP_FROM_OWN(x, memory)
#else
#define CLP_TO_OWN(x, memory) CLP_MOVE(x, memory, clp_blocked(j), clp_own(j))
#define CLP_FROM_OWN(x, memory) CLP_MOVE(x, memory, clp_own(j), clp_blocked(j))
#endif

CLP_INLINE void clp_rank(const uint *digit, uint *place, uint count, local clp_local *room) {
    uint own[CLP_ITEMS];
#pragma unroll
    for (uint j = 0; j < CLP_ITEMS; j++) {
        own[j] = clp_is_among(clp_blocked(j), count) ? digit[j] & 15 : 15;
    }
    CLP_TO_OWN(own, room->words)
    clp_rank_own(own, place, room);
    CLP_FROM_OWN(place, room->words)
    barrier(CLK_LOCAL_MEM_FENCE); /* the room, read above, with its next user */
}

/* One pass: bits, and numbers if `numbered`, from the own order to the order of a digit; the
 * work-item takes elements first, first + step, ... of it. */
CLP_INLINE void clp_sort_pass(CLP_K *bits, uint *number, bool numbered, uint shift,
                              local clp_local *room) {
    const bool last = shift + CLP_RADIX_BITS >= 8 * CLP_K_BYTES;
    const uint first = last ? clp_blocked(0) : clp_own(0), step = last ? 1 : CLP_OWN_STEP;
    uint digit[CLP_ITEMS], place[CLP_ITEMS];
#pragma unroll
    for (uint j = 0; j < CLP_ITEMS; j++) digit[j] = (uint)(bits[j] >> shift) % CLP_DIGITS;
    clp_rank_own(digit, place, room);
    CLP_MOVE(bits, room->keys, place[j], first + j * step)
    if (numbered) {
        barrier(CLK_LOCAL_MEM_FENCE); /* keys, read above, with the numbers below */
        CLP_MOVE(number, room->words, place[j], first + j * step)
    }
}

/* Elements behind the count get the greatest key, and come last. A sort without numbers begins in
 * any order, as equal keys cannot be told apart; a sort with numbers begins in the own order. */
CLP_INLINE void clp_sort_numbered(CLP_A *x, uint *from, bool numbered, uint count,
                                  local clp_local *room) {
    CLP_K bits[CLP_ITEMS];
#pragma unroll
    for (uint j = 0; j < CLP_ITEMS; j++) {
        const bool real = clp_is_among(clp_blocked(j), count);
        bits[j] = real ? clp_ordered(CLP_TO_K(x[j])) : (CLP_K) ~(CLP_K)0;
        from[j] = clp_own(j);
    }
    if (numbered) {
        CLP_TO_OWN(bits, room->keys)
    }
    for (uint shift = 0; shift < 8 * CLP_K_BYTES; shift += CLP_RADIX_BITS) {
        clp_sort_pass(bits, from, numbered, shift, room);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the room, read above, with its next user */
#pragma unroll
    for (uint j = 0; j < CLP_ITEMS; j++) x[j] = CLP_FROM_K(clp_key_of_ordered(bits[j]));
}

CLP_INLINE void clp_sort(CLP_A *x, uint count, local clp_local *room) {
    uint none[CLP_ITEMS];
    clp_sort_numbered(x, none, false, count, room);
}

CLP_INLINE void clp_sort_from(CLP_A *x, uint *from, uint count, local clp_local *room) {
    clp_sort_numbered(x, from, true, count, room);
}
