/* SPDX-License-Identifier: MIT */
/*
 * Top-k of each segment on NVIDIA GPUs: a team takes a row, a sub-group or a whole work-group. Each
 * work-item of the team finds the least keys of its elements, of which a limit is made that at
 * least k elements are up to, after 1, 2, 4, ... steps. Elements up to the limit are candidates,
 * and go to local memory. Where there is no room for all, they are sorted, and k stay. Elements are
 * read in the order of their indices, so that later elements with the limit's key come behind k
 * others. At the end each candidate's place is the number of candidates in front of it, or many
 * candidates are sorted.
 */
#define CLP_TEAM_ROOM 8 /* candidates for each work-item of a team */
#define CLP_TEAM_PLACES (CLP_TEAM_ROOM * CLP_TEAM)
#define CLP_TEAM_STEP (32 * CLP_TEAM) /* elements that a team reads at once */
#define CLP_COUNTED_TOGETHER 4
#define CLP_SAMPLED 4 /* elements of a long row that a work-item makes a first limit of */
#define CLP_LONG_ROW (16 * CLP_TEAM_STEP)
#define CLP_SAMPLED_ROW (1ul << 27) /* longer rows have no sample, whose steps 32 bits count */
#define CLP_TEAM_SUBGROUPS (CLP_TEAM / CLP_SUBGROUP)

typedef struct __attribute__((aligned(16))) clp_team {
    clp_item items[CLP_TEAM_PLACES]; /* candidates, by their numbers in the row */
    CLP_K limits[CLP_TEAM_SUBGROUPS];
    clp_item limit; /* where candidates became fewer: those up to it stayed */
    uint count; /* of the candidates, with those that had no room */
} clp_team;

CLP_INLINE uint clp_topk_member(void) {
    return (uint)get_local_id(0) & (CLP_TEAM - 1);
}

CLP_INLINE void clp_topk_barrier(void) {
#if CLP_TEAM == CLP_SUBGROUP
    clp_subgroup_barrier();
#else
    clp_team_barrier((uint)get_local_id(0) / CLP_TEAM, CLP_TEAM);
#endif
}

CLP_INLINE bool clp_topk_any(bool yes) {
#if CLP_TEAM == CLP_SUBGROUP
    return clp_ballot(yes) != 0;
#else
    return clp_any_of((uint)get_local_id(0) / CLP_TEAM, CLP_TEAM_SUBGROUPS, yes);
#endif
}

/* Sorts all candidates by a bitonic network, whose blocks begin from both ends. What fills the last
 * block comes behind them. No part of its callers, each of which would have a copy of it. */
static __attribute__((noinline)) void clp_topk_sort(local clp_team *team, uint held) {
    local clp_item *items = team->items;
    uint count = 2;
    while (count < held) count *= 2;
    CLP_NO_UNROLL
    for (uint at = held + clp_topk_member(); at < count; at += CLP_TEAM) {
        items[at] = clp_item_last();
    }
    CLP_NO_UNROLL
    for (uint size = 2; size <= count; size *= 2) {
        CLP_NO_UNROLL
        for (uint distance = size / 2; distance > 0; distance /= 2) {
            clp_topk_barrier(); /* items, written by the step before, read below */
            CLP_NO_UNROLL
            for (uint pair = clp_topk_member(); pair < count / 2; pair += CLP_TEAM) {
                const uint low = 2 * pair - (pair & (distance - 1));
                const uint high = distance == size / 2 ? low ^ (size - 1) : low + distance;
                const clp_item a = items[low], b = items[high];
                if (!clp_item_precedes(b, a)) continue;
                items[low] = b;
                items[high] = a;
            }
        }
    }
    clp_topk_barrier(); /* items, written above, read behind */
}

/* ---- Candidates ---- */

/* A limit that at least k of the team's elements are up to. a, b: the least key of each half of the
 * elements that this work-item has. Each sub-group takes the key up to which its share of k is. The
 * greatest of these is the limit. */
CLP_INLINE CLP_K clp_topk_guess(local clp_team *team, CLP_K a, CLP_K b, uint k) {
    CLP_K limit = clp_topk_of_lanes(a, b, (k - 1) / CLP_TEAM_SUBGROUPS, CLP_SUBGROUP);
#if CLP_TEAM > CLP_SUBGROUP
    team->limits[clp_topk_member() / CLP_SUBGROUP] = limit;
    clp_topk_barrier(); /* limits, written above, read below */
    CLP_UNROLL
    for (uint g = 0; g < CLP_TEAM_SUBGROUPS; g++) limit = max(limit, team->limits[g]);
    clp_topk_barrier(); /* limits, read above, written behind */
#endif
    return limit;
}

/* Only the first k of the candidates stay, and `limit` says which. All of the team's candidates
 * stand in local memory, or had no room there. No part of its callers, since few rows need it. */
static __attribute__((noinline)) void clp_topk_narrow(local clp_team *team, uint k) {
    clp_topk_barrier(); /* count and candidates, written above, read below */
    clp_topk_sort(team, min(team->count, (uint)CLP_TEAM_PLACES));
    if (clp_topk_member() == 0) {
        team->limit = team->items[k - 1];
        team->count = k;
    }
    clp_topk_barrier(); /* limit and count, written above, read behind */
}

/* Puts this work-item's candidates, of which mask has a bit each. Those without room stay in the
 * mask. Returns whether the team has such. */
CLP_INLINE bool clp_topk_put(local clp_team *team, const global CLP_K *from, uint *mask,
                             ulong begin) {
    if (*mask != 0) {
        uint to = atomic_add(&team->count, popcount(*mask)); /* with the team's others */
        CLP_NO_UNROLL
        for (; *mask != 0 && to < CLP_TEAM_PLACES; to++) {
            const uint at = (31 - clz(*mask)) * CLP_TEAM + clp_topk_member();
            team->items[to] = clp_item_of(clp_ordered(from[at]), begin + at);
            *mask &= ~(1u << (31 - clz(*mask)));
        }
    }
    return clp_topk_any(*mask != 0);
}

/* A limit from elements of the whole row, which spares a long row in order from having nothing but
 * candidates. */
CLP_INLINE CLP_K clp_topk_sample(local clp_team *team, const global CLP_K *from, uint length,
                                 uint k) {
    const uint apart = length / (CLP_SAMPLED * CLP_TEAM), own = clp_topk_member() * apart;
    CLP_K least[2];
    clp_lanes_read(from + own, (int)(length - own), CLP_TEAM * apart, least);
    return clp_topk_guess(team, least[0], least[1], k);
}

/* Finds candidates among which are the first k of the row's elements, and returns how many. */
CLP_INLINE uint clp_topk_find(local clp_team *team, const global CLP_K *from, ulong length,
                              uint k) {
    const uint member = clp_topk_member();
    CLP_K limit = ~(CLP_K)0, a = limit, b = limit; /* a, b: least keys of all steps */
    if (k <= CLP_TEAM && length >= CLP_LONG_ROW && length < CLP_SAMPLED_ROW) {
        limit = clp_topk_sample(team, from, (uint)length, k);
    }
    CLP_NO_UNROLL
    for (ulong begin = 0; begin < length; begin += CLP_TEAM_STEP, from += CLP_TEAM_STEP) {
        const int left = (int)min(length - begin, (ulong)CLP_TEAM_STEP) - (int)member;
        const ulong turn = begin / CLP_TEAM_STEP;
        CLP_K least[2];
        uint mask = 0;
        clp_lanes_read(from + member, left, CLP_TEAM, least);
        a = min(a, least[0]);
        b = min(b, least[1]);
        bool is_new = (turn & (turn + 1)) == 0 && k < length && k <= CLP_TEAM;
        if (is_new) {
            const CLP_K guess = clp_topk_guess(team, a, b, k);
            is_new = guess <= limit;
            limit = min(limit, guess);
        }
        if (clp_ballot(min(least[0], least[1]) <= limit) != 0) {
            mask = clp_lanes_mask(from + member, left, CLP_TEAM, limit);
        }
        CLP_NO_UNROLL
        while (clp_topk_put(team, from, &mask, begin)) {
            clp_topk_narrow(team, k);
            limit = clp_item_key(team->limit);
            is_new = true;
            CLP_NO_UNROLL
            for (uint rest = mask; rest != 0; rest &= rest - 1) {
                const uint bit = rest & (0 - rest), at = (31 - clz(bit)) * CLP_TEAM + member;
                const clp_item item = clp_item_of(clp_ordered(from[at]), begin + at);
                if (clp_item_precedes(team->limit, item)) mask &= ~bit;
            }
            clp_topk_barrier(); /* limit, read above, written by the next turn */
        }
        if (is_new && limit == 0) break;
        limit = (CLP_K)(limit - is_new);
    }
    clp_topk_barrier(); /* candidates and count, written above, read behind */
    return team->count;
}

/* The number of candidates in front of one. CLP_COUNTED_TOGETHER of them are loaded at once. */
CLP_INLINE uint clp_topk_place(const local clp_team *team, uint held, clp_item item) {
    uint place = 0;
    CLP_NO_UNROLL
    for (uint j = 0; j < held; j += CLP_COUNTED_TOGETHER) {
        CLP_UNROLL
        for (uint i = j; i < j + CLP_COUNTED_TOGETHER; i++) {
            place += clp_item_precedes(team->items[i], item);
        }
    }
    return place;
}

/* Writes the first k candidates. The place of few candidates is counted. */
CLP_INLINE void clp_topk_give(local clp_team *team, uint held, const local clp_rows *rows,
                              const clp_row *row) {
    const bool are_few = held * held <= 128 * CLP_TEAM;
    if (!are_few) {
        clp_topk_sort(team, held);
    } else if (clp_topk_member() < CLP_COUNTED_TOGETHER) {
        team->items[held + clp_topk_member()] = clp_item_last();
    }
    clp_topk_barrier(); /* the last candidates, written above, read below */
    CLP_NO_UNROLL
    for (uint at = clp_topk_member(); at < held; at += CLP_TEAM) {
        const clp_item item = team->items[at];
        const uint place = are_few ? clp_topk_place(team, held, item) : at;
        if (place < rows->k) clp_row_put(rows, row, place, clp_item_index(item));
    }
}

#if CLP_SHORT > 0
typedef char clp_rows_fit[sizeof(clp_team) >= 32 / CLP_SHORT * sizeof(clp_short) ? 1 : -1];
#define CLP_ROW_INLINE static __attribute__((noinline)) /* few rows need it */
#else
#define CLP_ROW_INLINE CLP_INLINE
#endif

/* Finds and writes the first k elements of row r. leads: whether this work-item lists it. */
CLP_ROW_INLINE void clp_topk_row(local clp_team *team, const local clp_rows *rows, ulong r,
                                 bool leads) {
    const clp_row row = clp_row_take(rows, r, leads);
    if (row.length == 0) return;
    if (clp_topk_member() == 0) team->count = 0;
    clp_topk_barrier(); /* count, cleared above, added to below */
    const uint held = clp_topk_find(team, rows->keys + row.first, row.length, (uint)rows->k);
    clp_topk_give(team, held, rows, &row);
    clp_topk_barrier(); /* candidates and count, read above, written for the next row */
}

CLP_KERNEL(CLP_GROUP)
void clp_topk_rows(CLP_ROWS_PARAMETERS) {
    local clp_team of_group[CLP_GROUP / CLP_TEAM];
    local clp_rows rows[1];
    const uint lane = (uint)get_local_id(0), number = lane / CLP_TEAM;
    const ulong teams = get_num_groups(0) * (CLP_GROUP / CLP_TEAM);
    local clp_team *team = &of_group[number];
    CLP_TAKE_ROWS
    if (lane == 0) rows[0] = taken;
    CLP_ROLE_BARRIER(0, CLP_GROUP / CLP_SUBGROUP); /* rows, written above, read below */
    const ulong count = clp_rows_count(rows),
                own = get_group_id(0) * (CLP_GROUP / CLP_TEAM) + number;
#if CLP_SHORT > 0
    const uint together = CLP_SUBGROUP / CLP_SHORT, part = clp_lane() / CLP_SHORT;
    local clp_short *of_rows = (local clp_short *)team; /* which takes a row when they have ended */
    clp_segment taken_row = clp_short_take(&taken, own * together + part);
    CLP_NO_UNROLL
    for (ulong r = own * together; r < count; r += teams * together) {
        const clp_segment next = clp_short_take(&taken, r + teams * together + part);
        uint left = ~0u;
        if (what == CLP_OF_SEGMENTS) {
            left = clp_short_rows(of_rows, &taken, r + part, taken_row, next);
        }
        CLP_NO_UNROLL
        for (uint i = 0; left != 0 && i < together; i++) {
            if ((left >> i * CLP_SHORT & 1) != 0 && r + i < count) {
                clp_topk_row(team, rows, r + i, clp_lane() == 0);
            }
        }
        taken_row = next;
    }
#else
    CLP_NO_UNROLL
    for (ulong r = own; r < count; r += teams) {
        clp_topk_row(team, rows, r, clp_topk_member() == 0);
    }
#endif
}
