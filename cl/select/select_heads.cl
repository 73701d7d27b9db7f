/* SPDX-License-Identifier: MIT */
/*
 * Run lengths by look-ahead: functions of lookahead_sums.cl for a value of two parts. A tile has
 * fewer than 2^16 elements, so that its aggregate fits one word: in the lower half the number of
 * runs that begin in the tile, in the upper half 1 + the position in the tile of the last run's
 * first element, or 0. Look-back then reads one word a tile instead of CLP_A_WORDS.
 *
 * No local memory: lanes exchange by shuffles. lookahead.cl says who waits for whom.
 */
#if CLP_WORD_SUMS
#if CLP_TILE > 65535
#error "select_heads.cl: more elements in a tile than 16 bits count"
#endif

static inline uint clp_max_lanes(uint value) {
    const uint lane = clp_lane();
    value = max(value, clp_shuffle_word(value, lane ^ 16));
    value = max(value, clp_shuffle_word(value, lane ^ 8));
    value = max(value, clp_shuffle_word(value, lane ^ 4));
    value = max(value, clp_shuffle_word(value, lane ^ 2));
    return max(value, clp_shuffle_word(value, lane ^ 1));
}

/* 1 + the index in the array of a tile's element; place: 1 + its position in the tile, or 0. */
static inline ulong clp_behind_place(uint number, uint place) {
    return place == 0 ? 0 : (ulong)number * CLP_TILE + place;
}

/* Combines a batch of tiles. The number of a tile in the batch stands above the place, so that the
 * maximum finds the last tile in which a run begins. */
static inline CLP_A clp_part_total(const clp_part *part, uint batch) {
    uint count = 0, last = 0;
#pragma unroll
    for (uint u = 0; u < CLP_UNITS; u++) {
        const uint word = u < part->real ? (uint)part->word[u] : 0;
        const uint tile = clp_lane() + u * CLP_UNIT_STRIDE;
        count += word & 0xffff;
        if (word >> 16 != 0) last = tile << 16 | word >> 16;
    }
    count = clp_add_lanes(count);
    last = clp_max_lanes(last);
    return clp_kept(count, clp_behind_place(batch * CLP_BATCH + (last >> 16), last & 0xffff));
}

/* Publishes the tile's aggregate from the aggregates of its segments, one a lane. Returns the
 * lane's exclusive prefix within the tile: the number of runs that begin in earlier segments, and
 * the last of them. The ballot finds the last segment with a run, for the tile and below the lane.
 */
static inline CLP_A clp_publish_segments(const clp_look *look, uint number, bool publishes,
                                         CLP_A own, bool real) {
    const uint lane = clp_lane();
    const uint count = real ? (uint)own.count : 0;
    const uint place = real && own.behind > 0 ? (uint)(own.behind - (ulong)number * CLP_TILE) : 0;
    const uint some = clp_ballot(place > 0), lower = some & ((1u << lane) - 1);
    const uint last = clp_shuffle_word(place, some == 0 ? 0 : 31 - clz(some));
    const uint sum = clp_add_lanes(count);
    if (lane == 0 && publishes) clp_publish_sum(look, number, sum | last << 16);
    const uint scanned = clp_shuffle_up_word(clp_scan_words(count), 1);
    const uint before = clp_shuffle_word(place, lower == 0 ? 0 : 31 - clz(lower));
    return clp_kept(scanned, clp_behind_place(number, lower == 0 ? 0 : before));
}
#endif
