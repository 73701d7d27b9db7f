/* SPDX-License-Identifier: MIT */
/*
 * The look-ahead of run lengths. What a tile of fewer than 2^16 elements publishes fits one word:
 * below, how many runs begin; above, the place of the last one's first element in the tile, plus 1.
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

static inline ulong clp_behind_place(uint number, uint place) {
    return place == 0 ? 0 : (ulong)number * CLP_TILE + place;
}

/* The tiles' number in the batch stands above the place, so that the last one's is the largest. */
static inline CLP_A clp_part_total(const clp_part *part, uint batch) {
    uint count = 0, last = 0;
#define CLP_ADD_UNIT(u)                                                                            \
    {                                                                                              \
        const uint word = u < part->real ? (uint)part->word[u] : 0;                                \
        const uint tile = clp_lane() + (u)*CLP_UNIT_STRIDE;                                        \
        count += word & 0xffff;                                                                    \
        if (word >> 16 != 0) last = tile << 16 | word >> 16;                                       \
    }
    CLP_EACH_UNIT(CLP_ADD_UNIT)
    count = clp_add_lanes(count);
    last = clp_max_lanes(last);
    return clp_kept(count, clp_behind_place(batch * CLP_BATCH + (last >> 16), last & 0xffff));
}

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
