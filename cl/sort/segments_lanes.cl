/* SPDX-License-Identifier: MIT */
/*
 * Segmented sort by sub-groups of 32 lanes whose exchanges may stand in loops (CLP_LOCKSTEP), each
 * by the network of sort_network.cl.
 */

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

/* Where the lane's row r stands in a segment that 1 << log_lanes lanes sort. */
#define CLP_LANE_ITEM(r) (((r) << log_lanes) + (clp_lane() & ((1u << log_lanes) - 1)))

/* A lane's elements of value k: all are loaded before the first is stored, so that the loads
 * overlap. */
#define CLP_MOVE_VALUE(k)                                                                          \
    {                                                                                              \
        CLP_VALUE##k##_TYPE value[CLP_MOST_WORDS];                                                 \
        CLP_UNROLL                                                                                 \
        for (uint r = 0; r < CLP_MOST_WORDS; r++) {                                                \
            const uint item = CLP_WORD_ITEM(words[r]);                                             \
            if (CLP_LANE_ITEM(r) < length) {                                                       \
                value[r] = CLP_VALUE##k##_OF(in##k + in_first##k, begin, item);                    \
            }                                                                                      \
        }                                                                                          \
        CLP_UNROLL                                                                                 \
        for (uint r = 0; r < CLP_MOST_WORDS; r++) {                                                \
            const uint at = CLP_LANE_ITEM(r);                                                      \
            if (at < length) out##k[out_first##k + begin + at] = value[r];                         \
        }                                                                                          \
    }

/* Reads a segment of up to 1 << (log_words + log_lanes) elements, the lanes side by side. */
CLP_INLINE void clp_lanes_read(CLP_SEGMENT_PARAMETERS, clp_segment segment, CLP_WORD *words,
                               const uint log_words, const uint log_lanes) {
    CLP_UNROLL
    for (uint r = 0; r < CLP_MOST_WORDS; r++) {
        const uint at = CLP_LANE_ITEM(r);
        if (r >> log_words != 0) continue;
        words[r] = CLP_NO_WORD;
        if (at < segment.length) {
            words[r] = clp_word_of(keys_in[keys_in_first + segment.begin + at], at);
        }
    }
}

/* Sorts and writes it. room: of CLP_PADDED(1 << (log_words + log_lanes)) words. */
CLP_INLINE void clp_lanes_sort(CLP_SEGMENT_PARAMETERS, clp_segment segment, CLP_WORD *words,
                               local CLP_WORD *room, const uint log_words, const uint log_lanes) {
    CLP_K keys[CLP_MOST_WORDS];
    const uint lane = CLP_LANE_ITEM(0), length = (uint)segment.length;
    const ulong begin = segment.begin;
    clp_sort_words(words, log_words, log_lanes);
    CLP_UNROLL
    for (uint r = 0; r < CLP_MOST_WORDS; r++) {
        if (r >> log_words == 0) room[CLP_PADDED((lane << log_words) + r)] = words[r];
    }
    clp_subgroup_barrier(); /* words left above, read below by other lanes */
    CLP_UNROLL
    for (uint r = 0; r < CLP_MOST_WORDS; r++) {
        const uint at = CLP_LANE_ITEM(r);
        if (at >= length || r >> log_words != 0) continue;
        words[r] = room[CLP_PADDED(at)];
        keys[r] = CLP_WORD_KEY(words[r], keys_in + keys_in_first + begin);
    }
    clp_subgroup_barrier(); /* words and keys read above, overwritten below by other lanes */
    CLP_UNROLL
    for (uint r = 0; r < CLP_MOST_WORDS; r++) {
        const uint at = CLP_LANE_ITEM(r);
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

/* The segments of a class, each by 1 << log_lanes lanes, so that a sub-group sorts several at once.
 */
#define CLP_SORT_BY_LANES(log_words, log_lanes)                                                    \
    CLP_SIZES                                                                                      \
    const ulong count = clp_segments_noted(found, table, class);                                   \
    const uint teams = CLP_LANES_GROUP / 32, team = clp_subgroup_number();                         \
    const global ulong *list = lists + table[2 * class];                                           \
    for (ulong first = (get_group_id(0) * teams + team) * CLP_AHEAD; first < count;                \
         first += get_num_groups(0) * teams * CLP_AHEAD) {                                         \
        const uint few = (uint)min(count - first, (ulong)CLP_AHEAD);                               \
        const clp_segment ahead =                                                                  \
            clp_segments_take(offsets + offsets_first, n, list[first + min(clp_lane(), few - 1)]); \
        const uint mates = 32u >> log_lanes, mate = clp_lane() >> log_lanes;                       \
        for (uint s = 0; s < few; s += mates) {                                                    \
            CLP_WORD words[CLP_MOST_WORDS];                                                        \
            clp_segment segment = clp_segment_of_lane(&ahead, min(s + mate, few - 1));             \
            if (s + mate >= few) segment.length = 0;                                               \
            CLP_ASSERT(segment.length <= 1u << (log_words + log_lanes));                           \
            clp_lanes_read(CLP_SEGMENT_ARGUMENTS, segment, words, log_words, log_lanes);           \
            clp_lanes_sort(CLP_SEGMENT_ARGUMENTS, segment, words, rooms[team * mates + mate],      \
                           log_words, log_lanes);                                                  \
        }                                                                                          \
    }

/* 128 elements take 8 lanes of 16 words 24 shuffles of a sub-group, 32 lanes of 4 words 60.
 * Payloads come faster to lanes side by side. */
#define CLP_LOG_WORDS (CLP_PAYLOADS > 0 ? 2 : 4)
#define CLP_LOG_LANES (CLP_PAYLOADS > 0 ? 5 : 3)
CLP_KERNEL(CLP_LANES_GROUP)
void clp_segments_lanes_128(CLP_SEGMENT_PARAMETERS, CLP_LIST_PARAMETERS, uint class, uint bits) {
    local CLP_WORD rooms[CLP_LANES_GROUP >> CLP_LOG_LANES][CLP_PADDED(128)];
    CLP_SORT_BY_LANES(CLP_LOG_WORDS, CLP_LOG_LANES)
}

CLP_KERNEL(CLP_LANES_GROUP)
void clp_segments_lanes_512(CLP_SEGMENT_PARAMETERS, CLP_LIST_PARAMETERS, uint class, uint bits) {
    local CLP_WORD rooms[CLP_LANES_GROUP / 32][CLP_PADDED(32 * 16)];
    CLP_SORT_BY_LANES(4, 5)
}

#if CLP_MOST_WORDS >= 32
CLP_KERNEL(CLP_LANES_GROUP)
void clp_segments_lanes_1024(CLP_SEGMENT_PARAMETERS, CLP_LIST_PARAMETERS, uint class, uint bits) {
    local CLP_WORD rooms[CLP_LANES_GROUP / 32][CLP_PADDED(32 * 32)];
    CLP_SORT_BY_LANES(5, 5)
}
#endif
