/* SPDX-License-Identifier: MIT */
/*
 * Segmented sort by sub-groups of 32 lanes whose exchanges may stand in loops (CLP_LOCKSTEP). The
 * keys of a segment stand in the lanes' registers and are sorted by a bitonic network (Batcher
 * 1968) whose exchanges all put the lesser key first: those between lanes are shuffles. What is
 * sorted is a word: the key in order and, where that does not say all, below it the element's
 * number in the segment.
 */

/* ---- Words ---- */

#if CLP_PACKS
#define CLP_ITEM_BITS 16
#define CLP_WORD_ITEM(word) ((uint)(word)&0xffff)
#else
#define CLP_ITEM_BITS 0
#define CLP_WORD_ITEM(word) 0
#endif
#define CLP_NO_WORD (~(CLP_WORD)0) /* behind all others */

typedef char clp_words_hold_keys[8 * sizeof(CLP_WORD) >= 8 * CLP_K_BYTES + CLP_ITEM_BITS ? 1 : -1];

CLP_INLINE CLP_WORD clp_word_of(CLP_K key, uint item) {
    const CLP_WORD compared = clp_compared(key);
    return CLP_PACKS ? compared << CLP_ITEM_BITS | item : compared;
}

#if CLP_INVERTS && CLP_BEGIN_BIT == 0 && CLP_END_BIT == 8 * CLP_K_BYTES
#define CLP_WORD_KEY(word, keys) clp_key_of_ordered((CLP_K)((word) >> CLP_ITEM_BITS))
#else
#define CLP_WORD_KEY(word, keys) (keys)[CLP_WORD_ITEM(word)]
#endif

CLP_INLINE CLP_WORD clp_word_of_lane(CLP_WORD word, uint lane) {
#if CLP_WORD_BYTES == 8
    const uint low = clp_shuffle_word((uint)word, lane);
    return (CLP_WORD)clp_shuffle_word((uint)(word >> 32), lane) << 32 | low;
#else
    return clp_shuffle_word(word, lane);
#endif
}

/* ---- The network ---- */

#define CLP_MOST_WORDS 16 /* of a lane */

CLP_INLINE void clp_exchange(CLP_WORD *low, CLP_WORD *high) {
    const CLP_WORD a = *low, b = *high;
    *low = min(a, b);
    *high = max(a, b);
}

/* The lesser word, or the greater one. */
CLP_INLINE CLP_WORD clp_min_or_max(CLP_WORD own, CLP_WORD other, bool lesser) {
    return (other < own) == lesser ? other : own;
}

/* Merges each two neighbouring blocks of 1 << (k - 1) words, from both ends on: the words of a lane
 * stand side by side, 1 << log_words of them. */
CLP_INLINE void clp_exchange_ends(CLP_WORD *words, const uint log_words, const uint k) {
    const uint last = (1u << log_words) - 1;
    if (k <= log_words) {
        const uint mask = (1u << k) - 1;
        CLP_UNROLL
        for (uint r = 0; r < CLP_MOST_WORDS; r++) {
            if (r <= last && (r ^ mask) > r) clp_exchange(&words[r], &words[r ^ mask]);
        }
        return;
    }
    const uint lane = clp_lane(), mask = (1u << (k - log_words)) - 1;
    const bool lesser = (lane & (mask + 1) / 2) == 0;
    if (log_words == 0) {
        words[0] = clp_min_or_max(words[0], clp_word_of_lane(words[0], lane ^ mask), lesser);
        return;
    }
    CLP_UNROLL
    for (uint r = 0; r < CLP_MOST_WORDS / 2; r++) {
        if (r > last / 2) continue;
        const CLP_WORD of_high = clp_word_of_lane(words[last - r], lane ^ mask);
        const CLP_WORD of_low = clp_word_of_lane(words[r], lane ^ mask);
        words[r] = clp_min_or_max(words[r], of_high, lesser);
        words[last - r] = clp_min_or_max(words[last - r], of_low, lesser);
    }
}

CLP_INLINE void clp_exchange_halves(CLP_WORD *words, const uint log_words, const uint j) {
    const uint count = 1u << log_words;
    if (j < log_words) {
        CLP_UNROLL
        for (uint r = 0; r < CLP_MOST_WORDS; r++) {
            if (r < count && (r >> j & 1) == 0) clp_exchange(&words[r], &words[r | 1u << j]);
        }
        return;
    }
    const uint lane = clp_lane(), distance = 1u << (j - log_words);
    CLP_UNROLL
    for (uint r = 0; r < CLP_MOST_WORDS; r++) {
        if (r >= count) continue;
        const CLP_WORD other = clp_word_of_lane(words[r], lane ^ distance);
        words[r] = clp_min_or_max(words[r], other, (lane & distance) == 0);
    }
}

/* Sorts 1 << log_words words of each of 1 << log_lanes lanes, 512 at most. All loops have as many
 * turns as these need: compilers unroll none whose bounds come from a caller. */
CLP_INLINE void clp_sort_words(CLP_WORD *words, const uint log_words, const uint log_lanes) {
    CLP_UNROLL
    for (uint k = 1; k <= 9; k++) {
        if (k > log_words + log_lanes) continue;
        clp_exchange_ends(words, log_words, k);
        CLP_UNROLL
        for (uint j = 8; j-- > 0;) {
            if (j + 1 < k) clp_exchange_halves(words, log_words, j);
        }
    }
}

/* ---- Short segments ---- */

#define CLP_SHORT_KEYS 1 /* in local memory: not used */
#define CLP_ROWS 4 /* that a lane has words of */

/* Segments of up to 1 << log_lanes elements, each by as many lanes; begins, lengths: of
 * CLP_GROUP. */
CLP_INLINE void clp_short_network(CLP_SEGMENT_PARAMETERS, const local ulong *begins,
                                  const local uint *lengths, const uint log_lanes) {
    const uint lane = (uint)get_local_id(0), at = lane & ((1u << log_lanes) - 1);
    for (uint first = 0; first < 1u << log_lanes; first += CLP_ROWS) {
        CLP_WORD words[CLP_ROWS];
        CLP_K keys[CLP_ROWS];
        CLP_UNROLL
        for (uint r = 0; r < CLP_ROWS; r++) {
            const uint row = ((first + r) * CLP_GROUP + lane) >> log_lanes;
            const global CLP_K *from = keys_in + keys_in_first + begins[row];
            words[r] = at < lengths[row] ? clp_word_of(from[at], at) : CLP_NO_WORD;
        }
        CLP_UNROLL
        for (uint r = 0; r < CLP_ROWS; r++) clp_sort_words(&words[r], 0, log_lanes);
        CLP_UNROLL
        for (uint r = 0; r < CLP_ROWS; r++) {
            const uint row = ((first + r) * CLP_GROUP + lane) >> log_lanes;
            const global CLP_K *from = keys_in + keys_in_first + begins[row];
            if (at < lengths[row]) keys[r] = CLP_WORD_KEY(words[r], from);
        }
        clp_subgroup_barrier(); /* keys read above, overwritten below where a run is in place */
        CLP_UNROLL
        for (uint r = 0; r < CLP_ROWS; r++) {
            const uint row = ((first + r) * CLP_GROUP + lane) >> log_lanes;
            const ulong begin = begins[row], to = begin + at;
            const uint item = CLP_WORD_ITEM(words[r]);
            if (at >= lengths[row]) continue;
            if (!CLP_NO_KEYS) keys_out[keys_out_first + to] = keys[r];
            CLP_EACH_VALUE(CLP_VALUE_TO)
            (void)item;
        }
    }
}

/* Keys go from memory to registers. */
CLP_INLINE void clp_short_read(CLP_SEGMENT_PARAMETERS, const local ulong *begins,
                               const local uint *lengths, local CLP_K *keys, uint bits) {}

CLP_INLINE void clp_short_sort(CLP_SEGMENT_PARAMETERS, const local ulong *begins,
                               const local uint *lengths, const local CLP_K *keys, uint bits) {
    if (bits == 3) {
        clp_short_network(CLP_SEGMENT_ARGUMENTS, begins, lengths, 3);
    } else if (bits == 4) {
        clp_short_network(CLP_SEGMENT_ARGUMENTS, begins, lengths, 4);
    } else {
        clp_short_network(CLP_SEGMENT_ARGUMENTS, begins, lengths, 5);
    }
}

/* ---- Longer segments ---- */

#define CLP_AHEAD 32 /* segments that a sub-group takes from the list at a time, a lane each */
#define CLP_PADDED(place) ((place) + (place) / 32) /* avoids bank conflicts */

/* A lane's elements of value k: all are loaded before the first is stored, so that the loads
 * overlap. */
#define CLP_MOVE_VALUE(k)                                                                          \
    {                                                                                              \
        CLP_VALUE##k##_TYPE value[CLP_MOST_WORDS];                                                 \
        CLP_UNROLL                                                                                 \
        for (uint r = 0; r < CLP_MOST_WORDS; r++) {                                                \
            const uint item = CLP_WORD_ITEM(words[r]);                                             \
            if (r * 32 + lane < length) {                                                          \
                value[r] = CLP_VALUE##k##_OF(in##k + in_first##k, begin, item);                    \
            }                                                                                      \
        }                                                                                          \
        CLP_UNROLL                                                                                 \
        for (uint r = 0; r < CLP_MOST_WORDS; r++) {                                                \
            const uint at = r * 32 + lane;                                                         \
            if (at < length) out##k[out_first##k + begin + at] = value[r];                         \
        }                                                                                          \
    }

/* Reads a segment of up to 32 << log_words elements, the lanes side by side. */
CLP_INLINE void clp_lanes_read(CLP_SEGMENT_PARAMETERS, clp_segment segment, CLP_WORD *words,
                               const uint log_words) {
    CLP_UNROLL
    for (uint r = 0; r < CLP_MOST_WORDS; r++) {
        const uint at = r * 32 + clp_lane();
        if (r >> log_words != 0) continue;
        words[r] = CLP_NO_WORD;
        if (at < segment.length) {
            words[r] = clp_word_of(keys_in[keys_in_first + segment.begin + at], at);
        }
    }
}

/* Sorts and writes it. room: of CLP_PADDED(32 << log_words) words. */
CLP_INLINE void clp_lanes_sort(CLP_SEGMENT_PARAMETERS, clp_segment segment, CLP_WORD *words,
                               local CLP_WORD *room, const uint log_words) {
    CLP_K keys[CLP_MOST_WORDS];
    const uint lane = clp_lane(), length = (uint)segment.length;
    const ulong begin = segment.begin;
    clp_sort_words(words, log_words, 5);
    CLP_UNROLL
    for (uint r = 0; r < CLP_MOST_WORDS; r++) {
        if (r >> log_words == 0) room[CLP_PADDED((lane << log_words) + r)] = words[r];
    }
    clp_subgroup_barrier(); /* words left above, read below by other lanes */
    CLP_UNROLL
    for (uint r = 0; r < CLP_MOST_WORDS; r++) {
        const uint at = r * 32 + lane;
        if (at >= length || r >> log_words != 0) continue;
        words[r] = room[CLP_PADDED(at)];
        keys[r] = CLP_WORD_KEY(words[r], keys_in + keys_in_first + begin);
    }
    clp_subgroup_barrier(); /* words and keys read above, overwritten below by other lanes */
    CLP_UNROLL
    for (uint r = 0; r < CLP_MOST_WORDS; r++) {
        const uint at = r * 32 + lane;
        if (at >= length || r >> log_words != 0) continue;
        if (!CLP_NO_KEYS) keys_out[keys_out_first + begin + at] = keys[r];
    }
    CLP_EACH_VALUE(CLP_MOVE_VALUE)
}

static inline clp_segment clp_segment_of_lane(const clp_segment *segment, uint lane) {
    const uint low = clp_shuffle_word((uint)segment->begin, lane);
    const uint high = clp_shuffle_word((uint)(segment->begin >> 32), lane);
    const clp_segment of_lane = {(ulong)high << 32 | low,
                                 clp_shuffle_word((uint)segment->length, lane)};
    return of_lane;
}

/* The segments of a class. */
#define CLP_SORT_BY_LANES(log_words)                                                               \
    CLP_SIZES                                                                                      \
    const ulong count = clp_segments_noted(found, table, class);                                   \
    const uint teams = CLP_LANES_GROUP / 32, team = clp_subgroup_number();                         \
    const global ulong *list = lists + table[2 * class];                                           \
    for (ulong first = (get_group_id(0) * teams + team) * CLP_AHEAD; first < count;                \
         first += get_num_groups(0) * teams * CLP_AHEAD) {                                         \
        const uint few = (uint)min(count - first, (ulong)CLP_AHEAD);                               \
        const clp_segment ahead =                                                                  \
            clp_segments_take(offsets + offsets_first, n, list[first + min(clp_lane(), few - 1)]); \
        for (uint s = 0; s < few; s++) {                                                           \
            CLP_WORD words[CLP_MOST_WORDS];                                                        \
            const clp_segment segment = clp_segment_of_lane(&ahead, s);                            \
            CLP_ASSERT(segment.length <= 32u << log_words);                                        \
            clp_lanes_read(CLP_SEGMENT_ARGUMENTS, segment, words, log_words);                      \
            clp_lanes_sort(CLP_SEGMENT_ARGUMENTS, segment, words, rooms[team], log_words);         \
        }                                                                                          \
    }

CLP_KERNEL(CLP_LANES_GROUP)
void clp_segments_lanes_4(CLP_SEGMENT_PARAMETERS, CLP_LIST_PARAMETERS, uint class, uint bits) {
    local CLP_WORD rooms[CLP_LANES_GROUP / 32][CLP_PADDED(32 * 4)];
    CLP_SORT_BY_LANES(2)
}

CLP_KERNEL(CLP_LANES_GROUP)
void clp_segments_lanes_16(CLP_SEGMENT_PARAMETERS, CLP_LIST_PARAMETERS, uint class, uint bits) {
    local CLP_WORD rooms[CLP_LANES_GROUP / 32][CLP_PADDED(32 * 16)];
    CLP_SORT_BY_LANES(4)
}
