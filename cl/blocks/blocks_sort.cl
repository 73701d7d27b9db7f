/* SPDX-License-Identifier: MIT */
/*
 * Radix sort of a work-group's tile, least significant digit first. In each pass the elements are
 * ranked by a digit (Merrill, Grimshaw 2011): each work-item counts its elements of each digit, the
 * counters are scanned digit by digit, and an element's place is its work-item's counter plus its
 * rank there. Digits have few bits: the counters of all of them stand in local memory.
 */

/* A digit's counter of the work-item, and where its bits begin there. */
CLP_INLINE local uint *clp_counter(uint digit, local clp_local *room) {
    return &room->counters[digit % CLP_ROWS * CLP_GROUP + get_local_id(0)];
}

CLP_INLINE uint clp_counter_shift(uint digit) {
    return digit / CLP_ROWS * 16;
}

/* A digit's count of such a word. */
CLP_INLINE uint clp_count_of(uint word, uint digit) {
    return CLP_ROWS == CLP_DIGITS ? word : word >> clp_counter_shift(digit) & 0xffff;
}

/* The counters become places, each work-item's behind those of lower ones; the digits of upper
 * halves behind all of lower halves. */
CLP_INLINE void clp_scan_counters(local clp_local *room) {
    local uint *own = room->counters + get_local_id(0) * CLP_SCANNED;
    uint sum = 0, all;
#pragma unroll
    for (uint c = 0; c < CLP_SCANNED; c++) sum += own[c];
    uint place = clp_sum_lower(sum, &all, room->sums);
    if (CLP_ROWS < CLP_DIGITS) place += all << 16;
#pragma unroll
    for (uint c = 0; c < CLP_SCANNED; c++) {
        const uint count = own[c];
        own[c] = place;
        place += count;
    }
}

/* Sets the elements' places by their digits. The caller's next barrier frees the room. */
CLP_INLINE void clp_rank_all(const uint *digit, uint *place, local clp_local *room) {
#pragma unroll
    for (uint c = 0; c < CLP_SCANNED; c++) room->counters[c * CLP_GROUP + get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* counters cleared above, counted below */
#pragma unroll
    for (uint j = 0; j < CLP_ITEMS; j++) {
        local uint *counter = clp_counter(digit[j], room);
        const uint word = *counter;
        place[j] = clp_count_of(word, digit[j]);
        *counter = word + (1u << clp_counter_shift(digit[j]));
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* counters counted above, scanned below */
    clp_scan_counters(room);
    barrier(CLK_LOCAL_MEM_FENCE); /* counters scanned above, read below; sums, with the next scan */
#pragma unroll
    for (uint j = 0; j < CLP_ITEMS; j++) {
        place[j] += clp_count_of(*clp_counter(digit[j], room), digit[j]);
        CLP_ASSERT(place[j] < CLP_TILE);
    }
}

CLP_INLINE void clp_rank(const uint *digit, uint *place, uint count, local clp_local *room) {
    uint real[CLP_ITEMS];
#pragma unroll
    for (uint j = 0; j < CLP_ITEMS; j++) {
        real[j] = clp_is_among(clp_blocked(j), count) ? digit[j] & 15 : 15;
    }
    clp_rank_all(real, place, room);
    barrier(CLK_LOCAL_MEM_FENCE); /* the room, read above, with its next user */
}

/* One pass: bits, and numbers if `numbered`, to the order of a digit. */
CLP_INLINE void clp_sort_pass(CLP_K *bits, uint *number, bool numbered, uint shift,
                              local clp_local *room) {
    uint digit[CLP_ITEMS], place[CLP_ITEMS];
#pragma unroll
    for (uint j = 0; j < CLP_ITEMS; j++) digit[j] = (uint)(bits[j] >> shift) % CLP_DIGITS;
    clp_rank_all(digit, place, room);
    CLP_MOVE(bits, room->keys, place[j], clp_blocked(j))
    if (numbered) {
        barrier(CLK_LOCAL_MEM_FENCE); /* keys, read above, with the numbers below */
        CLP_MOVE(number, room->words, place[j], clp_blocked(j))
    }
}

/* Elements behind the count get the greatest key, and come last. */
CLP_INLINE void clp_sort_numbered(CLP_A *x, uint *from, bool numbered, uint count,
                                  local clp_local *room) {
    CLP_K bits[CLP_ITEMS];
#pragma unroll
    for (uint j = 0; j < CLP_ITEMS; j++) {
        const bool real = clp_is_among(clp_blocked(j), count);
        bits[j] = real ? clp_ordered(CLP_TO_K(x[j])) : (CLP_K) ~(CLP_K)0;
        from[j] = clp_blocked(j);
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
