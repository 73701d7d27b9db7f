/* SPDX-License-Identifier: MIT */
/*
 * Top-k of each segment on NVIDIA GPUs: a team takes a row, a sub-group or a whole work-group. Each
 * work-item of the team finds the least keys of its elements, of which a limit is made that at
 * least k elements are up to, after 1, 2, 4, ... steps. Elements up to it are candidates, and go to
 * local memory. Where candidates become many, a limit is made of them as well, and fewer stay;
 * where it does not help, because many keys are equal, they are sorted, and k stay. Elements are
 * read in the order of their indices, so that later elements with the limit's key come behind k
 * others. At the end the candidates are sorted.
 */
#define CLP_TEAM_ROOM 8 /* candidates for each work-item of a team */
#define CLP_TEAM_PLACES (CLP_TEAM_ROOM * CLP_TEAM)
#define CLP_TEAM_STEP (32 * CLP_TEAM) /* elements that a team reads at once */
#define CLP_SAMPLED 4 /* elements of a long row that a work-item makes a first limit of */
#define CLP_LONG_ROW (16 * CLP_TEAM_STEP)
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

CLP_LANES_SORT(clp_topk_sort_keys, CLP_K, clp_topk_key_of_lane, CLP_LEAST, CLP_SUBGROUP)

/* A limit that at least k of the team's elements are up to. least: the least keys of this
 * work-item's elements. Each sub-group takes the key up to which its share of k is. The greatest of
 * these is the limit. */
CLP_INLINE CLP_K clp_topk_guess(local clp_team *team, CLP_K *least, uint k) {
    clp_topk_sort_keys(least);
    CLP_K limit = clp_lanes_pick(least, (k - 1) / CLP_TEAM_SUBGROUPS, CLP_SUBGROUP);
#if CLP_TEAM > CLP_SUBGROUP
    team->limits[clp_topk_member() / CLP_SUBGROUP] = limit;
    clp_topk_barrier(); /* limits, written above, read below */
    CLP_UNROLL
    for (uint g = 0; g < CLP_TEAM_SUBGROUPS; g++) limit = max(limit, team->limits[g]);
    clp_topk_barrier(); /* limits, read above, written behind */
#endif
    return limit;
}

/* Leaves those of the candidates that are up to a limit made of them. Returns how many. */
CLP_INLINE uint clp_topk_guess_again(local clp_team *team, uint held, uint k) {
    const uint member = clp_topk_member();
    CLP_K least[CLP_LEAST];
    CLP_UNROLL
    for (uint j = 0; j < CLP_LEAST; j++) least[j] = ~(CLP_K)0;
    CLP_NO_UNROLL
    for (uint first = member; first < held; first += CLP_LEAST * CLP_TEAM) {
        CLP_UNROLL
        for (uint j = 0; j < CLP_LEAST; j++) {
            const uint at = first + j * CLP_TEAM;
            if (at < held) least[j] = min(least[j], clp_item_key(team->items[at]));
        }
    }
    const CLP_K limit = clp_topk_guess(team, least, k);
    if (member == 0) {
        team->count = 0;
        team->limit = clp_item_of(limit, ~(CLP_COUNT)0);
    }
    CLP_NO_UNROLL
    for (uint first = 0; first < held; first += CLP_TEAM) {
        const clp_item item = team->items[min(first + member, held - 1)];
        clp_topk_barrier(); /* candidates, read above, written below; count, cleared above */
        if (first + member < held && clp_item_key(item) <= limit) {
            team->items[atomic_inc(&team->count)] = item; /* with the team's others */
        }
        clp_topk_barrier(); /* candidates, written above, read by the next round */
    }
    return team->count;
}

/* Fewer candidates stay, at least k; `limit` says which. All of the team's candidates stand in
 * local memory, or had no room there. No part of its callers, since few rows need it. */
static __attribute__((noinline)) void clp_topk_narrow(local clp_team *team, uint k) {
    clp_topk_barrier(); /* count and candidates, written above, read below */
    uint held = min(team->count, (uint)CLP_TEAM_PLACES);
    clp_topk_barrier(); /* count, read above, written below */
    if (k <= CLP_TEAM) held = clp_topk_guess_again(team, held, k);
    if (k > CLP_TEAM || held > CLP_TEAM_PLACES / 2) {
        clp_topk_sort(team, held);
        if (clp_topk_member() == 0) {
            team->limit = team->items[k - 1];
            team->count = k;
        }
    }
    clp_topk_barrier(); /* limit and count, written above, read behind */
}

/* Puts this work-item's candidates, of which mask has a bit each. Those without room stay in the
 * mask. Returns whether the team has many now. */
CLP_INLINE bool clp_topk_put(local clp_team *team, const global CLP_K *from, uint *mask,
                             ulong begin, uint many) {
    bool are_many = false;
    if (*mask != 0) {
        uint to = atomic_add(&team->count, popcount(*mask)); /* with the team's others */
        are_many = to + popcount(*mask) > many;
        CLP_NO_UNROLL
        for (; *mask != 0 && to < CLP_TEAM_PLACES; to++) {
            const uint at = (31 - clz(*mask)) * CLP_TEAM + clp_topk_member();
            team->items[to] = clp_item_of(clp_ordered(from[at]), begin + at);
            *mask &= ~(1u << (31 - clz(*mask)));
        }
    }
    return clp_topk_any(are_many);
}

/* A limit from elements of the whole row, which spares a long row in order from having nothing but
 * candidates. */
CLP_INLINE CLP_K clp_topk_sample(local clp_team *team, const global CLP_K *from, ulong length,
                                 uint k) {
    const ulong apart = length / (CLP_SAMPLED * CLP_TEAM);
    CLP_K least[CLP_LEAST];
    CLP_UNROLL
    for (uint i = 0; i < CLP_SAMPLED; i++) {
        const CLP_K key = from[(i * CLP_TEAM + clp_topk_member()) * apart];
        least[i % CLP_LEAST] = i < CLP_LEAST ? key : clp_topk_lesser(least[i % CLP_LEAST], key);
    }
    CLP_UNROLL
    for (uint j = 0; j < CLP_LEAST; j++) least[j] = clp_ordered(least[j]);
    return clp_topk_guess(team, least, k);
}

/* Finds candidates among which are the first k of the row's elements, and returns how many. */
CLP_INLINE uint clp_topk_find(local clp_team *team, const global CLP_K *from, ulong length,
                              uint k) {
    const uint many = k <= CLP_TEAM ? CLP_TEAM_PLACES / 2 : CLP_TEAM_PLACES;
    const uint member = clp_topk_member();
    CLP_K limit = ~(CLP_K)0, best[CLP_LEAST]; /* best: of all that this work-item has read */
    CLP_UNROLL
    for (uint j = 0; j < CLP_LEAST; j++) best[j] = ~(CLP_K)0;
    if (k <= CLP_TEAM && length >= CLP_LONG_ROW) limit = clp_topk_sample(team, from, length, k);
    CLP_NO_UNROLL
    for (ulong begin = 0; begin < length; begin += CLP_TEAM_STEP, from += CLP_TEAM_STEP) {
        const ulong turn = begin / CLP_TEAM_STEP;
        const uint left = (uint)min(length - begin, (ulong)CLP_TEAM_STEP);
        const int own_left = (int)left - (int)member;
        const bool are_full = left % (CLP_LOADS * CLP_TEAM) == 0;
        CLP_K least[CLP_LEAST];
        uint mask = 0;
        clp_lanes_read(from + member, own_left, CLP_TEAM, are_full, least);
        CLP_K first = least[0], seen[CLP_LEAST];
        CLP_UNROLL
        for (uint j = 0; j < CLP_LEAST; j++) {
            first = min(first, least[j]);
            seen[j] = best[j] = min(best[j], least[j]);
        }
        bool is_new = (turn & (turn + 1)) == 0 && k < length && k <= CLP_TEAM;
        if (is_new) {
            const CLP_K guess = clp_topk_guess(team, seen, k);
            is_new = guess <= limit;
            limit = min(limit, guess);
        }
        if (clp_ballot(first <= limit) != 0) {
            mask = clp_lanes_mask(from + member, own_left, CLP_TEAM, are_full, limit);
        }
        CLP_NO_UNROLL
        while (clp_topk_put(team, from, &mask, begin, many)) {
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
    clp_topk_barrier(); /* candidates and count, written above, read below */
    if (k <= CLP_TEAM && team->count > max(2 * k, 64u)) clp_topk_narrow(team, k);
    return team->count;
}

/* Writes the first k candidates. */
CLP_INLINE void clp_topk_give(local clp_team *team, uint held, const local clp_rows *rows,
                              const clp_row *row) {
    clp_topk_sort(team, held);
    CLP_NO_UNROLL
    for (uint at = clp_topk_member(); at < min(held, (uint)rows->k); at += CLP_TEAM) {
        clp_row_put(rows, row, at, clp_item_index(team->items[at]));
    }
}

#if CLP_SHORT > 0
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

typedef union clp_team_or_short {
    clp_team team;
#if CLP_SHORT > 0
    clp_short rows[CLP_SUBGROUP / CLP_SHORT];
#endif
} clp_team_or_short;

CLP_KERNEL(CLP_GROUP)
void clp_topk_rows(CLP_ROWS_PARAMETERS) {
    local clp_team_or_short of_group[CLP_GROUP / CLP_TEAM];
    local clp_rows rows[1];
    const uint lane = (uint)get_local_id(0), number = lane / CLP_TEAM;
    const ulong teams = get_num_groups(0) * (CLP_GROUP / CLP_TEAM);
    local clp_team *team = &of_group[number].team;
    CLP_TAKE_ROWS
    if (lane == 0) rows[0] = taken;
    CLP_ROLE_BARRIER(0, CLP_GROUP / CLP_SUBGROUP); /* rows, written above, read below */
    const ulong count = clp_rows_count(rows),
                own = get_group_id(0) * (CLP_GROUP / CLP_TEAM) + number;
#if CLP_SHORT > 0
    const uint together = CLP_SUBGROUP / CLP_SHORT, part = clp_lane() / CLP_SHORT;
    clp_segment taken_row = clp_short_take(&taken, own * together + part);
    CLP_NO_UNROLL
    for (ulong r = own * together; r < count; r += teams * together) {
        const clp_segment next = clp_short_take(&taken, r + teams * together + part);
        uint left = ~0u;
        if (what == CLP_OF_SEGMENTS) {
            left = clp_short_rows(of_group[number].rows, &taken, r + part, taken_row, next);
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
