/* SPDX-License-Identifier: MIT */
/*
 * Segmented sort in registers: a sub-group of 32 lanes sorts a segment of up to 1024 elements, or
 * several short ones at once, by the network of sort_network.cl. Short segments pass through local
 * memory, where each lane finds the words of its segment; longer ones are read and written by the
 * sub-group in rows. Sub-groups do not wait for each other. Needs lanes in lockstep (CLP_LOCKSTEP),
 * because the exchanges stand in loops.
 */

/* Avoids bank conflicts; a macro because sizes of arrays are padded, too. */
#define CLP_PADDED(place) ((place) + (place) / 32)

#define CLP_LINE_BYTES 128

/* ---- Short segments ---- */

#define CLP_GROUPS_AHEAD 1024
#define CLP_LOG_ROWS 2
#define CLP_ROWS (1 << CLP_LOG_ROWS) /* that a lane has words of */
#define CLP_LOG_SHARE 3
#define CLP_SHARE (1 << CLP_LOG_SHARE) /* words of a lane that sorts neighbours */
/* Words of a sub-group in local memory; lanes read a share from each place on. */
#define CLP_SHORT_ROOM CLP_PADDED(36 * CLP_SHARE)
#define CLP_SHORT_TYPE CLP_WORD
#define CLP_SHORT_WORDS (CLP_GROUP / 32 * CLP_SHORT_ROOM)

/* The segments of a sub-group's lanes, of up to 1 << log_lanes elements, each by as many lanes.
 * begins, lengths: of its 32 segments. */
CLP_INLINE void clp_short_network(CLP_SEGMENT_PARAMETERS, const local ulong *begins,
                                  const local uint *lengths, uint log_lanes) {
    const uint lane = clp_lane(), at = lane & ((1u << log_lanes) - 1);
    CLP_NO_UNROLL
    for (uint first = 0; first < 1u << log_lanes; first += CLP_ROWS) {
        CLP_WORD words[CLP_ROWS];
        CLP_K keys[CLP_ROWS];
        CLP_UNROLL
        for (uint r = 0; r < CLP_ROWS; r++) {
            const uint row = ((first + r) * 32 + lane) >> log_lanes;
            const global CLP_K *from = keys_in + keys_in_first + begins[row];
            words[r] = at < lengths[row] ? clp_word_of(from[at], at) : CLP_NO_WORD;
        }
        clp_sort_rows(words, CLP_LOG_ROWS, log_lanes);
        CLP_UNROLL
        for (uint r = 0; r < CLP_ROWS; r++) {
            const uint row = ((first + r) * 32 + lane) >> log_lanes;
            const global CLP_K *from = keys_in + keys_in_first + begins[row];
            if (at < lengths[row]) keys[r] = clp_key_of_word(words[r], from);
        }
        clp_subgroup_barrier(); /* keys read above, overwritten below where a run is in place */
        CLP_UNROLL
        for (uint r = 0; r < CLP_ROWS; r++) {
            const uint row = ((first + r) * 32 + lane) >> log_lanes;
            const ulong begin = begins[row], to = begin + at;
            const uint item = CLP_WORD_ITEM(words[r]);
            if (at >= lengths[row]) continue;
            if (!CLP_NO_KEYS) keys_out[keys_out_first + to] = keys[r];
            CLP_EACH_VALUE(CLP_VALUE_TO)
            (void)item;
        }
    }
}

/* Neighbours: a lane's segment ends where the next lane's begins, `place` elements behind the first
 * one's begin. Their elements move between memory and local memory as one array, in passes of 32 >>
 * log_lanes segments of up to CLP_SHARE << log_lanes elements, each sorted by 1 << log_lanes lanes.
 * An element's number is its place in the pass. */
CLP_INLINE void clp_short_neighbours(CLP_SEGMENT_PARAMETERS, ulong first, uint place, uint length,
                                     local CLP_WORD *room, uint log_lanes) {
    const uint lane = clp_lane(), at = (lane & ((1u << log_lanes) - 1)) << CLP_LOG_SHARE;
    _Pragma("unroll 1") for (uint pass = 0; pass < 1u << log_lanes; pass++) {
        CLP_WORD words[CLP_SHARE];
        CLP_K keys[CLP_SHARE], sorted[CLP_SHARE];
        const uint lowest = pass << (5 - log_lanes), own = lowest + (lane >> log_lanes);
        const uint highest = lowest + (31u >> log_lanes);
        const uint of_first = clp_shuffle_word(place, lowest);
        uint own_place = clp_shuffle_word(place, own) - of_first + at;
        /* Rows of the pass, and words of the segment, that this lane still has. */
        int left = (int)(clp_shuffle_word(place + length, highest) - of_first - lane);
        int own_left = (int)(clp_shuffle_word(length, own) - at);
        const ulong begin = first + of_first;
        const global CLP_K *from = keys_in + keys_in_first + begin + lane;
        CLP_UNROLL
        for (uint r = 0; r < CLP_SHARE; r++) keys[r] = left > (int)(32 * r) ? from[32 * r] : 0;
        CLP_UNROLL
        for (uint r = 0; r < CLP_SHARE; r++) {
            room[r * 33 + lane] = clp_word_of(keys[r], r * 32 + lane);
        }
        clp_subgroup_barrier(); /* words left above, read below by other lanes */
        CLP_UNROLL
        for (uint j = 0; j < CLP_SHARE; j++) {
            words[j] = room[CLP_PADDED(own_place + j)];
            if (own_left <= (int)j) words[j] = CLP_NO_WORD;
        }
        clp_sort_words(words, CLP_LOG_SHARE, log_lanes);
        /* Asked for again, as compilers keep a register for each comparison with what is known. */
        own_left = (int)(clp_shuffle_word(length, own) - at);
        own_place = clp_shuffle_word(place, own) - of_first + at;
        left = (int)(clp_shuffle_word(place + length, highest) - of_first - lane);
        CLP_UNROLL
        for (uint j = 0; j < CLP_SHARE; j++) {
            if (own_left > (int)j) room[CLP_PADDED(own_place + j)] = words[j];
        }
        clp_subgroup_barrier(); /* sorted words left above, read below by other lanes */
        CLP_UNROLL
        for (uint r = 0; r < CLP_SHARE; r++) words[r] = room[r * 33 + lane];
        CLP_UNROLL
        for (uint r = 0; r < CLP_SHARE; r++) {
            if (left > (int)(32 * r)) sorted[r] = clp_key_of_word(words[r], from - lane);
        }
        clp_subgroup_barrier(); /* keys read above, overwritten below where a run is in place */
        CLP_UNROLL
        for (uint r = 0; r < CLP_SHARE; r++) {
            const ulong to = begin + r * 32 + lane;
            const uint item = CLP_WORD_ITEM(words[r]);
            if (left <= (int)(32 * r)) continue;
            if (!CLP_NO_KEYS) keys_out[keys_out_first + to] = sorted[r];
            CLP_EACH_VALUE(CLP_VALUE_TO)
            (void)item;
        }
    }
}

/* Whether segments of up to CLP_SHORT elements are neighbours, and `place` of the lane's own one.
 */
CLP_INLINE bool clp_short_are_neighbours(ulong first, clp_segment own, uint *place) {
    const ulong behind = own.begin - first;
    *place = (uint)behind;
    const uint next = clp_shuffle_word(*place, (clp_lane() + 1) % 32);
    const bool meets = clp_lane() == 31 || *place + (uint)own.length == next;
    return clp_ballot(behind > 32 * CLP_SHORT || !meets) == 0;
}

/* Brings the offsets of a group to come into the device's cache: of one that starts when about as
 * many as a device holds at once have ended. */
CLP_INLINE void clp_short_fetch(clp_offsets offsets, ulong segments) {
#if !CLP_BY_LENGTH
    const ulong of_line = CLP_LINE_BYTES / sizeof(CLP_OFFSET);
    const ulong s = (get_group_id(0) + CLP_GROUPS_AHEAD) * CLP_GROUP + get_local_id(0) * of_line;
    if (get_local_id(0) * of_line < CLP_GROUP && s <= segments) clp_fetch_line(offsets + s);
#endif
}

/* own: the lane's segment, without elements if it is not short. room: of the work-group. */
CLP_INLINE void clp_short_sort(CLP_SEGMENT_PARAMETERS, clp_segment own, const local ulong *begins,
                               const local uint *lengths, local CLP_WORD *room) {
    const uint subgroup = clp_subgroup_number(), length = (uint)own.length;
    const ulong first = clp_shuffle_long(own.begin, 0);
    const bool beyond_8 = clp_ballot(length > 8) != 0, beyond_16 = clp_ballot(length > 16) != 0;
    uint place = 0;
    begins += 32 * subgroup;
    lengths += 32 * subgroup;
    room += CLP_SHORT_ROOM * subgroup;
    if (clp_ballot(length > 0) == 0) return;
    const uint log_shares = beyond_16 ? 2 : beyond_8 ? 1 : 0;
    if (!CLP_LOCAL_INDICES && clp_short_are_neighbours(first, own, &place)) {
        clp_short_neighbours(CLP_SEGMENT_ARGUMENTS, first, place, length, room, log_shares);
    } else {
        clp_short_network(CLP_SEGMENT_ARGUMENTS, begins, lengths, CLP_LOG_SHARE + log_shares);
    }
}

/* ---- Longer segments ---- */

#define CLP_AHEAD 32 /* segments that a sub-group takes from the list at a time, a lane each */

/* Where the lane's row r stands in a segment that 1 << log_lanes lanes sort. */
CLP_INLINE uint clp_lane_item(uint r, uint log_lanes) {
    return (r << log_lanes) + (clp_lane() & ((1u << log_lanes) - 1));
}

/* A lane's elements of value k: all are loaded before the first is stored, so that the loads
 * overlap. */
#define CLP_MOVE_VALUE(k)                                                                          \
    {                                                                                              \
        CLP_VALUE##k##_TYPE value[CLP_MOST_WORDS];                                                 \
        CLP_UNROLL                                                                                 \
        for (uint r = 0; r < CLP_MOST_WORDS; r++) {                                                \
            const uint item = CLP_WORD_ITEM(words[r]);                                             \
            if (clp_lane_item(r, log_lanes) < length) {                                            \
                value[r] = CLP_VALUE##k##_OF(in##k + in_first##k, begin, item);                    \
            }                                                                                      \
        }                                                                                          \
        CLP_UNROLL                                                                                 \
        for (uint r = 0; r < CLP_MOST_WORDS; r++) {                                                \
            const uint at = clp_lane_item(r, log_lanes);                                           \
            if (at < length) out##k[out_first##k + begin + at] = value[r];                         \
        }                                                                                          \
    }

/* Reads a segment of up to 1 << (log_words + log_lanes) elements, the lanes side by side. */
CLP_INLINE void clp_lanes_read(CLP_SEGMENT_PARAMETERS, clp_segment segment, CLP_WORD *words,
                               const uint log_words, const uint log_lanes) {
    CLP_UNROLL
    for (uint r = 0; r < CLP_MOST_WORDS; r++) {
        const uint at = clp_lane_item(r, log_lanes);
        if (r >> log_words != 0) continue;
        words[r] = CLP_NO_WORD;
        if (at < segment.length) {
            words[r] = clp_word_of(keys_in[keys_in_first + segment.begin + at], at);
        }
    }
}

/* Brings the keys of a segment to come into the device's cache, a line by each lane. */
CLP_INLINE void clp_lanes_fetch(const global CLP_K *keys, clp_segment segment,
                                const uint log_lanes) {
    const uint at = clp_lane_item(0, log_lanes) * (CLP_LINE_BYTES / CLP_K_BYTES);
    if (at < segment.length) clp_fetch_line(keys + segment.begin + at);
}

/* Sorts and writes it. room: of CLP_PADDED(1 << (log_words + log_lanes)) words. */
CLP_INLINE void clp_lanes_sort(CLP_SEGMENT_PARAMETERS, clp_segment segment, CLP_WORD *words,
                               local CLP_WORD *room, const uint log_words, const uint log_lanes) {
    CLP_K keys[CLP_MOST_WORDS];
    const uint lane = clp_lane_item(0, log_lanes), length = (uint)segment.length;
    const ulong begin = segment.begin;
    clp_sort_words(words, log_words, log_lanes);
    CLP_UNROLL
    for (uint r = 0; r < CLP_MOST_WORDS; r++) {
        if (r >> log_words == 0) room[CLP_PADDED((lane << log_words) + r)] = words[r];
    }
    clp_subgroup_barrier(); /* words left above, read below by other lanes */
    CLP_UNROLL
    for (uint r = 0; r < CLP_MOST_WORDS; r++) {
        const uint at = clp_lane_item(r, log_lanes);
        if (at >= length || r >> log_words != 0) continue;
        words[r] = room[CLP_PADDED(at)];
        keys[r] = clp_key_of_word(words[r], keys_in + keys_in_first + begin);
    }
    clp_subgroup_barrier(); /* words and keys read above, overwritten below by other lanes */
    CLP_UNROLL
    for (uint r = 0; r < CLP_MOST_WORDS; r++) {
        const uint at = clp_lane_item(r, log_lanes);
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

/* A kernel's body: sorts the segments of a class, each by 1 << log_lanes lanes, so that a sub-group
 * sorts several at once. A macro, as it passes on the kernel's arrays of values. */
#define CLP_SORT_BY_LANES(log_words, log_lanes)                                                    \
    CLP_SIZES                                                                                      \
    const ulong count = clp_segments_noted(found, table, class);                                   \
    const uint teams = CLP_LANES_GROUP / 32, team = clp_subgroup_number();                         \
    const global ulong *list = lists + table[2 * class];                                           \
    for (ulong first = (get_group_id(0) * teams + team) * CLP_AHEAD; first < count;                \
         first += get_num_groups(0) * teams * CLP_AHEAD) {                                         \
        const uint few = (uint)min(count - first, (ulong)CLP_AHEAD);                               \
        const clp_segment ahead =                                                                  \
            clp_segments_take(CLP_OFFSETS, n, list[first + min(clp_lane(), few - 1)]);             \
        const uint mates = 32u >> log_lanes, mate = clp_lane() >> log_lanes;                       \
        for (uint s = 0; s < few; s += mates) {                                                    \
            CLP_WORD words[CLP_MOST_WORDS];                                                        \
            clp_segment segment = clp_segment_of_lane(&ahead, min(s + mate, few - 1));             \
            if (s + mate >= few) segment.length = 0;                                               \
            CLP_ASSERT(segment.length <= 1u << (log_words + log_lanes));                           \
            clp_lanes_read(CLP_SEGMENT_ARGUMENTS, segment, words, log_words, log_lanes);           \
            clp_lanes_fetch(keys_in + keys_in_first,                                               \
                            clp_segment_of_lane(&ahead, min(s + mates + mate, few - 1)),           \
                            log_lanes);                                                            \
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

#if CLP_FEW_LAUNCHES
/* The task-th segments of a class that a sub-group sorts at once; room: of the sub-group. A macro,
 * as it passes on the kernel's arrays of values. */
#define CLP_LANES_TASK(class, task, log_words, log_lanes)                                          \
    {                                                                                              \
        const uint mates = 32u >> log_lanes, mate = clp_lane() >> log_lanes;                       \
        const ulong item = (task)*mates + mate;                                                    \
        CLP_WORD words[CLP_MOST_WORDS];                                                            \
        clp_segment segment = {0, 0};                                                              \
        if (item < clp_segments_noted(found, table, class)) {                                      \
            segment = clp_segments_take(CLP_OFFSETS, n, lists[table[2 * (class)] + item]);         \
        }                                                                                          \
        CLP_ASSERT(segment.length <= 1u << (log_words + log_lanes));                               \
        clp_lanes_read(CLP_SEGMENT_ARGUMENTS, segment, words, log_words, log_lanes);               \
        clp_lanes_sort(CLP_SEGMENT_ARGUMENTS, segment, words,                                      \
                       room + mate * CLP_PADDED(1 << (log_words + log_lanes)), log_words,          \
                       log_lanes);                                                                 \
    }

/* Few elements: all classes of these segments in one launch, the longest first. */
CLP_KERNEL(CLP_LANES_GROUP)
void clp_segments_lanes(CLP_SEGMENT_PARAMETERS, CLP_LIST_PARAMETERS) {
    local CLP_WORD rooms[CLP_LANES_GROUP / 32][CLP_PADDED(32 * CLP_MOST_WORDS)];
    CLP_SIZES
    const uint team = clp_subgroup_number(), teams = CLP_LANES_GROUP / 32;
    local CLP_WORD *room = rooms[team];
    const ulong of_1024 = CLP_MOST_WORDS >= 32 ? clp_segments_noted(found, table, 2) : 0;
    const ulong of_512 = clp_segments_noted(found, table, 1);
    const ulong of_128 =
        (clp_segments_noted(found, table, 0) + (32 >> CLP_LOG_LANES) - 1) >> (5 - CLP_LOG_LANES);
    _Pragma("unroll 1") for (ulong task = get_group_id(0) * teams + team;
                             task < of_1024 + of_512 + of_128; task += get_num_groups(0) * teams) {
        if (task < of_1024) {
#if CLP_MOST_WORDS >= 32
            CLP_LANES_TASK(2, task, 5, 5)
#endif
        } else if (task < of_1024 + of_512) {
            CLP_LANES_TASK(1, task - of_1024, 4, 5)
        } else {
            CLP_LANES_TASK(0, task - of_1024 - of_512, CLP_LOG_WORDS, CLP_LOG_LANES)
        }
    }
}
#endif
