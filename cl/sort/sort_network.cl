/* SPDX-License-Identifier: MIT */
/*
 * Sorting networks in registers (Batcher, "Sorting networks and their applications", 1968). Each
 * exchange puts the lesser word first. Within a lane the merges are odd-even ones, which take the
 * fewest exchanges; between lanes they are bitonic ones, because each lane then exchanges all its
 * words with one other lane, by shuffles. Between sub-groups the exchanges go through local memory.
 * A network's exchanges do not depend on the keys, so lanes never diverge.
 *
 * What is sorted is a word: the ordered key (clp_compared). If equal keys can be told apart, by
 * values that move with them or by bits outside the window, the element's number stands below the
 * key: words then differ, and their order is a stable one. Words of 16 bytes are vectors of number
 * and key.
 */

/* ---- Words ---- */

/* These are macros, because functions change the code that clang makes of them: short circuits
 * become selects, and whole words are loaded for their items. Nobody has measured that. */

#if CLP_WORD_BYTES == 16
#define CLP_ITEM_BITS 32
#define CLP_WORD_ITEM(word) ((uint)(word).x)
#define CLP_IS_BEFORE(a, b) ((a).y < (b).y || ((a).y == (b).y && (a).x < (b).x))
#define CLP_IS_EQUAL(a, b) false /* their numbers differ */
#define CLP_NO_WORD clp_pair_of(0xffffffff, ~(ulong)0) /* behind all others */

CLP_INLINE CLP_WORD clp_pair_of(ulong item, ulong compared) {
    CLP_WORD pair;
    pair.x = item;
    pair.y = compared;
    return pair;
}
#else
#define CLP_ITEM_BITS (CLP_PACKS ? 16 : 0)
#define CLP_WORD_ITEM(word) ((uint)(word)&0xffff)
#define CLP_IS_BEFORE(a, b) ((a) < (b))
#define CLP_IS_EQUAL(a, b) ((a) == (b))
#define CLP_NO_WORD (~(CLP_WORD)0) /* behind all others */
#endif

typedef char clp_words_hold_keys[8 * sizeof(CLP_WORD) >= 8 * CLP_K_BYTES + CLP_ITEM_BITS ? 1 : -1];

CLP_INLINE CLP_WORD clp_word_of(CLP_K key, uint item) {
#if CLP_WORD_BYTES == 16
    return clp_pair_of(item, clp_compared(key));
#else
    const CLP_WORD compared = clp_compared(key);
    return CLP_PACKS ? compared << CLP_ITEM_BITS | item : compared;
#endif
}

/* The key of a word: made of the word where that says all, else read again from the elements. */
CLP_INLINE CLP_K clp_key_of_word(CLP_WORD word, const global CLP_K *keys) {
#if !CLP_INVERTS || CLP_BEGIN_BIT != 0 || CLP_END_BIT != 8 * CLP_K_BYTES
    return keys[CLP_WORD_ITEM(word)];
#elif CLP_WORD_BYTES == 16
    return clp_key_of_ordered((CLP_K)word.y);
#else
    return clp_key_of_ordered((CLP_K)(word >> CLP_ITEM_BITS));
#endif
}

CLP_INLINE CLP_WORD clp_word_of_lane(CLP_WORD word, uint lane) {
#if CLP_WORD_BYTES == 16
    return clp_pair_of(clp_shuffle_word((uint)word.x, lane), clp_shuffle_long(word.y, lane));
#elif CLP_WORD_BYTES == 8
    return clp_shuffle_long(word, lane);
#else
    return clp_shuffle_word(word, lane);
#endif
}

/* ---- The network ---- */

CLP_INLINE void clp_exchange(CLP_WORD *low, CLP_WORD *high) {
    const CLP_WORD a = *low, b = *high;
#if CLP_WORD_BYTES == 16
    const bool swaps = CLP_IS_BEFORE(b, a);
    *low = swaps ? b : a;
    *high = swaps ? a : b;
#else
    *low = min(a, b);
    *high = max(a, b);
#endif
}

/* The lesser word, or the greater one. */
CLP_INLINE CLP_WORD clp_min_or_max(CLP_WORD own, CLP_WORD other, bool lesser) {
    return CLP_IS_BEFORE(other, own) == lesser ? other : own;
}

/* Merges each two neighbouring blocks of 1 << (k - 1) words of a lane, by Batcher's odd-even merge:
 * its exchanges at a distance of 1 << j. */
CLP_INLINE void clp_exchange_odd_even(CLP_WORD *words, const uint log_words, const uint k,
                                      const uint j) {
    const uint count = 1u << log_words, distance = 1u << j, begin = j + 1 == k ? 0 : distance;
    CLP_UNROLL
    for (uint r = 0; r < CLP_MOST_WORDS; r++) {
        const bool is_low = r >= begin && ((r - begin) >> j & 1) == 0;
        const bool is_of_block = r >> k == (r + distance) >> k;
        if (r + distance < count && is_low && is_of_block) {
            clp_exchange(&words[r], &words[r + distance]);
        }
    }
}

/* Exchanges each word with the same one of the lane `mask` away, of which bit `high` is the
 * highest.
 */
CLP_INLINE void clp_exchange_lanes(CLP_WORD *words, const uint log_words, uint mask, uint high) {
    const uint lane = clp_lane();
    CLP_UNROLL
    for (uint r = 0; r < CLP_MOST_WORDS; r++) {
        if (r >> log_words != 0) continue;
        const CLP_WORD other = clp_word_of_lane(words[r], lane ^ mask);
        words[r] = clp_min_or_max(words[r], other, (lane & high) == 0);
    }
}

/* Merges each two neighbouring blocks of words of 1 << (k - 1) lanes, from both ends on: the words
 * of a lane stand side by side, 1 << log_words of them. */
CLP_INLINE void clp_exchange_ends(CLP_WORD *words, const uint log_words, uint k) {
    const uint last = (1u << log_words) - 1;
    const uint lane = clp_lane(), mask = (1u << k) - 1;
    const bool lesser = (lane >> (k - 1) & 1) == 0;
    CLP_UNROLL
    for (uint r = 0; r < CLP_MOST_WORDS / 2; r++) {
        if (r > last / 2) continue;
        const CLP_WORD of_high = clp_word_of_lane(words[last - r], lane ^ mask);
        const CLP_WORD of_low = clp_word_of_lane(words[r], lane ^ mask);
        words[r] = clp_min_or_max(words[r], of_high, lesser);
        words[last - r] = clp_min_or_max(words[last - r], of_low, lesser);
    }
}

/* Sorts words that are bitonic: 1 << log_words of each of 1 << log_lanes lanes. The exchanges
 * between lanes are one loop, as compiling takes time with the length of the code. */
CLP_INLINE void clp_sort_bitonic(CLP_WORD *words, const uint log_words, uint log_lanes) {
    CLP_NO_UNROLL
    for (uint distance = 1u << log_lanes >> 1; distance > 0; distance >>= 1) {
        clp_exchange_lanes(words, log_words, distance, distance);
    }
    CLP_UNROLL
    for (uint j = 5; j-- > 0;) {
        if (j >= log_words) continue;
        CLP_UNROLL
        for (uint r = 0; r < CLP_MOST_WORDS; r++) {
            const bool is_low = r >> log_words == 0 && (r >> j & 1) == 0;
            if (is_low) clp_exchange(&words[r], &words[r | 1u << j]);
        }
    }
}

/* The exchanges that merge blocks of 1 << (k - 1) words of a lane. */
CLP_INLINE void clp_merge_words(CLP_WORD *words, const uint log_words, const uint k) {
    CLP_UNROLL
    for (uint j = 5; j-- > 0;) {
        if (j < k) clp_exchange_odd_even(words, log_words, k, j);
    }
}

/* Sorts 1 << log_words words, 2 to 32, of each of 1 << log_lanes lanes. */
CLP_INLINE void clp_sort_words(CLP_WORD *words, const uint log_words, uint log_lanes) {
    clp_merge_words(words, log_words, 1);
    if (log_words >= 2) clp_merge_words(words, log_words, 2);
    if (log_words >= 3) clp_merge_words(words, log_words, 3);
    if (log_words >= 4) clp_merge_words(words, log_words, 4);
    if (log_words >= 5) clp_merge_words(words, log_words, 5);
    CLP_NO_UNROLL
    for (uint k = 1; k <= log_lanes; k++) {
        clp_exchange_ends(words, log_words, k);
        clp_sort_bitonic(words, log_words, k - 1);
    }
}

/* Sorts the words of 1 << log_lanes lanes, 1 << log_rows times: each lane has one word of each. */
CLP_INLINE void clp_sort_rows(CLP_WORD *words, const uint log_rows, uint log_lanes) {
    CLP_NO_UNROLL
    for (uint k = 1; k <= log_lanes; k++) {
        clp_exchange_lanes(words, log_rows, (1u << k) - 1, 1u << (k - 1));
        CLP_NO_UNROLL
        for (uint distance = 1u << (k - 1) >> 1; distance > 0; distance >>= 1) {
            clp_exchange_lanes(words, log_rows, distance, distance);
        }
    }
}

/* ---- Between sub-groups ---- */

/* log2 of the sub-groups, a power of two, that n words take. */
CLP_INLINE uint clp_log_teams(uint n, const uint log_words) {
    const uint teams = (n + (32 << log_words) - 1) >> (5 + log_words);
    return teams > 1 ? 32 - clz(teams - 1) : 0;
}

/* A sub-group's words, 1 << log_words of each lane: of n elements the ones from `first` on, side by
 * side in memory. */
CLP_INLINE void clp_read_words(const global CLP_K *in, uint n, uint first, const uint log_words,
                               CLP_WORD *words) {
    CLP_UNROLL
    for (uint r = 0; r < CLP_MOST_WORDS; r++) {
        const uint item = first + r * 32 + clp_lane();
        if (r >> log_words == 0) words[r] = item < n ? clp_word_of(in[item], item) : CLP_NO_WORD;
    }
}

/* Exchange j of the merge of 1 << k sub-groups' words, 1 << log_words of each lane. The first one,
 * k - 1, pairs the words from both ends on, the last one, 0, the words of neighbours. A sub-group
 * writes its words before the barrier and reads its partner's behind it; the next exchange uses the
 * other half of the room, so that no second barrier has to keep its words from being overwritten.
 */
CLP_INLINE void clp_exchange_teams(CLP_WORD *words, const uint log_words, uint k, uint j,
                                   bool works, local CLP_WORD *room, const uint group) {
    const uint lane = (uint)get_local_id(0), team = clp_subgroup_number();
    const bool ends = j + 1 == k, lesser = (team >> j & 1) == 0;
    const uint across = ends ? (1u << k) - 1 : 1u << j, flip = ends ? (1u << log_words) - 1 : 0;
    const uint other = (team ^ across) * 32 + (clp_lane() ^ (ends ? 31 : 0));
    if (works) {
        CLP_UNROLL
        for (uint r = 0; r < CLP_MOST_WORDS; r++) {
            if (r >> log_words == 0) room[r * group + lane] = words[r];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* words, written above, read below by the other sub-group */
    if (works) {
        CLP_UNROLL
        for (uint r = 0; r < CLP_MOST_WORDS; r++) {
            if (r >> log_words != 0) continue;
            words[r] = clp_min_or_max(words[r], room[(r ^ flip) * group + other], lesser);
        }
    }
}

/* Sorts the words of 1 << log_teams sub-groups, 1 << log_words of each lane. group: work-items of
 * as many sub-groups or more. room: twice as many words as they have; its halves are used in turn.
 */
CLP_INLINE void clp_sort_teams(CLP_WORD *words, const uint log_words, uint log_teams,
                               local CLP_WORD *room, const uint group) {
    const bool works = clp_subgroup_number() >> log_teams == 0;
    uint parity = 0;
    if (works) clp_sort_words(words, log_words, 5);
    CLP_NO_UNROLL
    for (uint k = 1; k <= log_teams; k++) {
        CLP_NO_UNROLL
        for (uint j = k; j-- > 0; parity ^= 1) {
            clp_exchange_teams(words, log_words, k, j, works, room + (parity << log_words) * group,
                               group);
        }
        if (works) clp_sort_bitonic(words, log_words, 5);
    }
}
