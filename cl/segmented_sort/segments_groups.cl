/* SPDX-License-Identifier: MIT */
/*
 * Segmented sort by work-groups. A work-group takes CLP_GROUP segments and sorts the short ones,
 * with a row of work-items for each (below), or in registers (segments_lanes.cl). Of a longer class
 * a team of work-items sorts one segment in local memory, by insertion and then by merges (Green,
 * McColl, Bader 2012): each work-item has as many elements to write in each round. NVIDIA GPUs sort
 * these segments by digits (segments_radix.cl), unless these take more local memory.
 */

#if !CLP_BY_LANES
/* Short segments in local memory: the rank of each element is how many of its segment come before
 * it. */
#define CLP_SHORT_TYPE CLP_K
#define CLP_SHORT_WORDS (CLP_GROUP * CLP_SHORT)
#define CLP_SHORT_AT_ONCE 8 /* rows whose loads overlap; the fewest that a work-item has */

/* Elements of the row that come before its element `item`. */
CLP_INLINE uint clp_short_rank(const local CLP_K *row, uint item, uint length) {
    const CLP_K own = clp_compared(row[item]);
    uint rank = 0;
    CLP_UNROLL_SOME
    for (uint i = 0; i < length; i++) {
        const CLP_K other = clp_compared(row[i]);
        rank += i < item ? other <= own : other < own;
    }
    return rank;
}

/* Brings the segments of a work-group to local memory, a row of 1 << bits keys each. */
CLP_INLINE void clp_short_read(CLP_SEGMENT_PARAMETERS, const local ulong *begins,
                               const local uint *lengths, local CLP_K *keys, uint bits) {
    const uint lane = (uint)get_local_id(0), item = lane & ((1u << bits) - 1);
    const uint step = CLP_GROUP >> bits;
    for (uint row = lane >> bits; row < CLP_GROUP; row += CLP_SHORT_AT_ONCE * step) {
        CLP_K own[CLP_SHORT_AT_ONCE];
        CLP_UNROLL
        for (uint j = 0; j < CLP_SHORT_AT_ONCE; j++) {
            const uint r = row + j * step;
            own[j] = item < lengths[r] ? keys_in[keys_in_first + begins[r] + item] : 0;
        }
        CLP_UNROLL
        for (uint j = 0; j < CLP_SHORT_AT_ONCE; j++) {
            if (item < lengths[row + j * step]) keys[((row + j * step) << bits) + item] = own[j];
        }
    }
}

CLP_INLINE void clp_short_sort(CLP_SEGMENT_PARAMETERS, const local ulong *begins,
                               const local uint *lengths, const local CLP_K *keys, uint bits) {
    const uint lane = (uint)get_local_id(0), item = lane & ((1u << bits) - 1);
    for (uint row = lane >> bits; row < CLP_GROUP; row += CLP_GROUP >> bits) {
        if (item < lengths[row]) {
            const local CLP_K *segment = keys + (row << bits);
            const ulong begin = begins[row];
            const ulong to = begin + clp_short_rank(segment, item, lengths[row]);
            if (!CLP_NO_KEYS) keys_out[keys_out_first + to] = segment[item];
            CLP_EACH_VALUE(CLP_VALUE_TO)
        }
    }
}
#endif

/* ---- Short segments ---- */

/* Keys in place that one work-item reads are overwritten by another. */
#define CLP_SHORT_FENCES (CLK_LOCAL_MEM_FENCE | (CLP_BY_LANES ? 0 : CLK_GLOBAL_MEM_FENCE))

typedef char clp_a_group_has_whole_rows[CLP_GROUP >= CLP_SHORT ? 1 : -1];
typedef char clp_a_group_clears_all_counts[CLP_GROUP >= CLP_CLASSES ? 1 : -1];

CLP_KERNEL(CLP_GROUP)
void clp_segments_short(CLP_SEGMENT_PARAMETERS, CLP_LIST_PARAMETERS) {
    local CLP_SHORT_TYPE room[CLP_SHORT_WORDS];
    local uint beyond_8[1], beyond_16[1];
    local ulong begins[CLP_GROUP];
    local uint lengths[CLP_GROUP];
    local uint counts[CLP_CLASSES];
    local uint places[CLP_CLASSES];
    local uint fault[1];
    const uint lane = (uint)get_local_id(0);
    CLP_SIZES
    const ulong s = get_global_id(0);
    const clp_offsets at = CLP_OFFSETS;
    if (lane < CLP_CLASSES) counts[lane] = 0;
    if (lane == 0) fault[0] = beyond_8[0] = beyond_16[0] = 0;
#if CLP_FEW_LAUNCHES
    for (uint w = CLP_TASKS + lane; get_group_id(0) == 0 && w < CLP_FOUND_WORDS; w += CLP_GROUP) {
        found[w] = 0;
    }
#endif
#if CLP_BY_LANES
    clp_short_fetch(at, segments);
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* counts and flags, cleared above, set below */
    clp_segment own = {0, 0};
    if (s < segments) own = clp_segments_take(at, n, s);
    const bool is_short = own.length <= CLP_SHORT;
    uint class = 0, place = 0;
    if (!is_short) {
        class = CLP_CLASS_OF(own.length);
        place = atomic_inc(&counts[class]); /* with the other work-items' */
        own.length = 0;
    }
    lengths[lane] = (uint)own.length;
    begins[lane] = own.begin;
#if !CLP_BY_LANES
    if (own.length > 8) beyond_8[0] = 1;
    if (own.length > 16) beyond_16[0] = 1;
#endif
    if (s <= segments && clp_segments_is_fault(at, n, s)) fault[0] = 1;
    barrier(CLK_LOCAL_MEM_FENCE); /* lengths, begins, counts, flags: set above, read below */
    if (lane < CLP_CLASSES && counts[lane] > 0) {
        places[lane] = atomic_add(&found[lane], counts[lane]); /* with the other groups' */
    }
    if (lane == 0 && fault[0] != 0) {
        atomic_max(&found[CLP_FAULT], ~(uint)get_group_id(0)); /* with the other groups' */
    }
#if !CLP_BY_LANES
    /* Rows of 8, 16 or 32 keys, each by as many work-items. */
    const uint bits = beyond_16[0] != 0 ? 5 : beyond_8[0] != 0 ? 4 : 3;
    clp_short_read(CLP_SEGMENT_ARGUMENTS, begins, lengths, room, bits);
#endif
    barrier(CLP_SHORT_FENCES); /* keys and places, written above, read below */
    if (!is_short) clp_segments_note(lists, table, class, places[class] + place, s);
#if CLP_BY_LANES
    clp_short_sort(CLP_SEGMENT_ARGUMENTS, own, begins, lengths, room);
#else
    clp_short_sort(CLP_SEGMENT_ARGUMENTS, begins, lengths, room, bits);
#endif
}

/* ---- Teams ---- */

/* A team and its segment. In each round work-item k of it writes elements k * share to
 * (k + 1) * share - 1. */
typedef struct clp_team {
    local CLP_K *keys; /* two copies, `room` elements apart */
    local ushort *items; /* their numbers in the segment */
    uint room;
    uint member, width, share;
    uint length;
    ulong begin;
} clp_team;

/* The team of this work-item, for a segment that may have no elements. room: elements of all teams'
 * segments. */
static inline clp_team clp_team_of(local CLP_K *keys, local ushort *items, uint room, uint bits,
                                   clp_segment segment) {
    const uint lane = (uint)get_local_id(0), group = (uint)get_local_size(0);
    const uint number = lane >> bits, first = (room / group * number) << bits;
    clp_team team;
    team.keys = keys + first;
    team.items = CLP_VALUES > 0 ? items + first : items;
    team.room = room;
    team.width = 1u << bits;
    team.member = lane & (team.width - 1);
    team.length = (uint)segment.length;
    team.begin = segment.begin;
    team.share = (team.length + team.width - 1) >> bits | 1; /* odd: no two in one bank */
    CLP_ASSERT(team.length <= (room / group) << bits);
    return team;
}

CLP_INLINE void clp_team_read(const clp_team *team, const global CLP_K *in) {
    for (uint i = team->member; i < team->length; i += team->width) {
        team->keys[i] = in[team->begin + i];
        if (CLP_VALUES > 0) team->items[i] = (ushort)i;
    }
}

CLP_INLINE void clp_team_insert(const clp_team *team) {
    const uint first = min(team->length, team->member * team->share);
    const uint end = min(team->length, first + team->share);
    for (uint i = first + 1; i < end; i++) {
        const CLP_K key = team->keys[i], ordered = clp_compared(key);
        uint at = i;
        for (; at > first && clp_compared(team->keys[at - 1]) > ordered; at--) {
            team->keys[at] = team->keys[at - 1];
            if (CLP_VALUES > 0) team->items[at] = team->items[at - 1];
        }
        team->keys[at] = key;
        if (CLP_VALUES > 0) team->items[at] = (ushort)i;
    }
}

/* How many of the first `place` elements of the merged run come from its left part. */
CLP_INLINE uint clp_team_split(const local CLP_K *left, uint left_length, const local CLP_K *right,
                               uint right_length, uint place) {
    uint low = place > right_length ? place - right_length : 0, high = min(place, left_length);
    while (low < high) {
        const uint middle = (low + high) / 2;
        const bool more = clp_compared(left[middle]) <= clp_compared(right[place - 1 - middle]);
        low = more ? middle + 1 : low;
        high = more ? high : middle;
    }
    return low;
}

/* Merges pairs of runs of share << round elements from one copy to the other. */
CLP_INLINE void clp_team_merge(const clp_team *team, uint round) {
    const uint run = team->share << round, at = team->member * team->share;
    if (run >= team->length || at >= team->length) return;
    const uint from = (round & 1) * team->room, to = team->room - from;
    const uint base = (team->member >> (round + 1) << (round + 1)) * team->share;
    const uint left_length = min(run, team->length - base);
    const uint right_length = min(run, team->length - base - left_length);
    const local CLP_K *left = team->keys + from + base, *right = left + left_length;
    uint a = clp_team_split(left, left_length, right, right_length, at - base);
    uint b = at - base - a;
    const uint end = min(team->length, at + team->share);
    CLP_K left_key = a < left_length ? clp_compared(left[a]) : 0;
    CLP_K right_key = b < right_length ? clp_compared(right[b]) : 0;
    for (uint i = at; i < end; i++) {
        const bool is_right = a == left_length || (b < right_length && right_key < left_key);
        const uint source = is_right ? left_length + b++ : a++;
        team->keys[to + i] = left[source];
        if (CLP_VALUES > 0) team->items[to + i] = team->items[from + base + source];
        if (is_right) {
            right_key = b < right_length ? clp_compared(right[b]) : 0;
        } else {
            left_key = a < left_length ? clp_compared(left[a]) : 0;
        }
    }
}

/* Which copy has the segment in order. */
CLP_INLINE uint clp_team_last(const clp_team *team) {
    uint rounds = 0;
    while (team->share << rounds < team->length) rounds++;
    return (rounds & 1) * team->room;
}

/* A macro because barriers stay at a kernel's top level. */
#define CLP_TEAM_ROUND(round)                                                                      \
    clp_team_merge(&team, round);                                                                  \
    barrier(CLK_LOCAL_MEM_FENCE); /* a copy: clp_team_merge with the next one, or CLP_TEAM_WRITE   \
                                   */

/* Writes the keys and values of the kernel's `team`. */
#define CLP_TEAM_WRITE                                                                             \
    do {                                                                                           \
        const uint last = clp_team_last(&team);                                                    \
        const ulong begin = team.begin;                                                            \
        for (uint i = team.member; i < team.length; i += team.width) {                             \
            const ulong to = begin + i;                                                            \
            const uint item = CLP_VALUES > 0 ? team.items[last + i] : 0;                           \
            if (!CLP_NO_KEYS) keys_out[keys_out_first + to] = team.keys[last + i];                 \
            CLP_EACH_VALUE(CLP_VALUE_TO)                                                           \
            (void)item;                                                                            \
        }                                                                                          \
    } while (0)

/* Declares turn. Persistent work-groups take one turn after another; others have one turn, because
 * not every compiler takes barriers in a loop. */
#if CLP_STAYS
#define CLP_EACH_TURN                                                                              \
    for (ulong turn = get_group_id(0); turn * teams < count; turn += get_num_groups(0))
#define CLP_END_TURN                                                                               \
    barrier(CLK_LOCAL_MEM_FENCE); /* CLP_TEAM_WRITE with the next clp_team_read                    \
                                   */
#else
#define CLP_EACH_TURN const ulong turn = get_group_id(0);
#define CLP_END_TURN
#endif

/* A kernel's body: teams sort the segments of its class in its keys and items. rounds: the macro of
 * the merges' rounds, which have barriers. */
#define CLP_SORT_BY_TEAMS(rounds)                                                                  \
    CLP_SIZES                                                                                      \
    const uint teams = (uint)get_local_size(0) >> bits;                                            \
    const ulong count = clp_segments_noted(found, table, class);                                   \
    CLP_EACH_TURN {                                                                                \
        const ulong place = turn * teams + ((uint)get_local_id(0) >> bits);                        \
        clp_segment segment = {0, 0};                                                              \
        if (place < count) {                                                                       \
            segment = clp_segments_take(CLP_OFFSETS, n, lists[table[2 * class] + place]);          \
        }                                                                                          \
        const clp_team team =                                                                      \
            clp_team_of(keys, items, sizeof keys / sizeof keys[0] / 2, bits, segment);             \
        clp_team_read(&team, keys_in + keys_in_first);                                             \
        barrier(CLK_LOCAL_MEM_FENCE); /* keys and items: clp_team_read with clp_team_insert */     \
        clp_team_insert(&team);                                                                    \
        barrier(CLK_LOCAL_MEM_FENCE); /* the same: clp_team_insert with the first round */         \
        rounds(CLP_TEAM_ROUND) CLP_TEAM_WRITE;                                                     \
        CLP_END_TURN                                                                               \
    }

#if CLP_TEAMS_ROOM > 0
/* Teams of 1 << bits work-items, for the segments of a class. */
CLP_KERNEL(CLP_TEAMS_GROUP)
void clp_segments_teams(CLP_SEGMENT_PARAMETERS, CLP_LIST_PARAMETERS, uint class, uint bits) {
    local CLP_K keys[2 * CLP_TEAMS_ROOM];
    local ushort items[CLP_VALUES > 0 ? 2 * CLP_TEAMS_ROOM : 1];
    CLP_SORT_BY_TEAMS(CLP_EACH_TEAMS_ROUND)
}
#endif

#if CLP_LARGE_ROOM > 0
CLP_KERNEL(CLP_LARGE_GROUP)
void clp_segments_large(CLP_SEGMENT_PARAMETERS, CLP_LIST_PARAMETERS, uint class, uint bits) {
    local CLP_K keys[2 * CLP_LARGE_ROOM];
    local ushort items[CLP_VALUES > 0 ? 2 * CLP_LARGE_ROOM : 1];
    CLP_SORT_BY_TEAMS(CLP_EACH_LARGE_ROUND)
}
#endif
