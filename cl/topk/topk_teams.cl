/* SPDX-License-Identifier: MIT */
/*
 * Top-k of each segment on NVIDIA GPUs: a team takes a row, a sub-group or a whole work-group. Each
 * work-item of the team finds the least keys of its first elements, of which a limit is made that
 * at least k elements are up to. Elements up to the limit are candidates, and go to local memory.
 * Where candidates become many, a limit is made of them as well, and fewer stay; where it does not
 * help, because many keys are equal, they are sorted, and k stay. Elements are read in the order of
 * their indices, so that later elements with the limit's key come behind k others. At the end each
 * candidate's place is the number of candidates in front of it, or many candidates are sorted.
 * Sorts are bitonic.
 */
#define CLP_TEAM_ROOM 8 /* candidates for each work-item of a team */
#define CLP_TEAM_PLACES (CLP_TEAM_ROOM * CLP_TEAM)
#define CLP_TEAM_STEP (CLP_TEAM_KEYS * CLP_TEAM) /* elements that a team reads at once */
#define CLP_COUNTED_TOGETHER 4
#define CLP_SAMPLED                                                                                \
    4 /* elements of a long row, by each work-item, that a limit is made of first                  \
       */
#define CLP_LONG_ROW (16 * CLP_TEAM_STEP)
#define CLP_KEYS_TOGETHER 4 /* that a work-item loads at once where there are less than a step */
#define CLP_TEAM_SUBGROUPS (CLP_TEAM / CLP_SUBGROUP)

typedef struct __attribute__((aligned(16))) clp_team {
    CLP_K keys[CLP_TEAM_PLACES]; /* of the candidates, ordered */
    CLP_COUNT numbers[CLP_TEAM_PLACES]; /* of the candidates, in the row */
    CLP_K limits[CLP_TEAM_SUBGROUPS];
    CLP_K limit; /* where candidates became fewer: those up to it stayed */
    CLP_COUNT last; /* and, of those with its key, the ones up to that number */
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

/* ---- Orders ---- */

CLP_INLINE CLP_K clp_topk_key_of_lane(CLP_K key, uint lane) {
    return (CLP_K)(CLP_K_BYTES == 8 ? clp_shuffle_long(key, lane)
                                    : clp_shuffle_word((uint)key, lane));
}

/* Puts two candidates in order. */
CLP_INLINE void clp_topk_exchange(local clp_team *team, uint low, uint high) {
    const CLP_K a = team->keys[low], b = team->keys[high];
    const CLP_COUNT a_number = team->numbers[low], b_number = team->numbers[high];
    if (!clp_precedes(b, b_number, a, a_number)) return;
    team->keys[low] = b;
    team->keys[high] = a;
    team->numbers[low] = b_number;
    team->numbers[high] = a_number;
}

/* Sorts all candidates, from both ends of each block on at first. What fills the last block comes
 * behind them. No part of its callers, each of which would have a copy of it. */
static __attribute__((noinline)) void clp_topk_sort(local clp_team *team, uint held) {
    uint count = 2;
    while (count < held) count *= 2;
    CLP_NO_UNROLL
    for (uint at = held + clp_topk_member(); at < count; at += CLP_TEAM) {
        team->keys[at] = ~(CLP_K)0;
        team->numbers[at] = ~(CLP_COUNT)0;
    }
    CLP_NO_UNROLL
    for (uint size = 2; size <= count; size *= 2) {
        CLP_NO_UNROLL
        for (uint distance = size / 2; distance > 0; distance /= 2) {
            clp_topk_barrier(); /* candidates, written by the step before, read below */
            CLP_NO_UNROLL
            for (uint pair = clp_topk_member(); pair < count / 2; pair += CLP_TEAM) {
                const uint low = 2 * pair - (pair & (distance - 1));
                const bool from_ends = distance == size / 2;
                clp_topk_exchange(team, low, from_ends ? low ^ (size - 1) : low + distance);
            }
        }
    }
    clp_topk_barrier(); /* candidates, written above, read behind */
}

/* ---- Candidates ---- */

/* The lanes' keys in order. begin: 2, or SUBGROUP where the lower half of the lanes has keys that
 * rise and the upper half keys that fall. */
CLP_INLINE CLP_K clp_topk_in_order(CLP_K key, uint begin) {
    const uint lane = clp_lane();
    CLP_UNROLL
    for (uint block = begin; block <= CLP_SUBGROUP; block *= 2) {
        CLP_UNROLL
        for (uint distance = block / 2; distance > 0; distance /= 2) {
            const bool flips = begin == 2 && distance == block / 2;
            const CLP_K other = clp_topk_key_of_lane(key, lane ^ (flips ? block - 1 : distance));
            key = (lane & distance) == 0 ? min(key, other) : max(key, other);
        }
    }
    return key;
}

/* A limit that at least k of the team's elements are up to. a, b: the least key of each half of the
 * elements that this work-item has. Each sub-group takes the key up to which its share of k is: of
 * a large share, among the keys of both halves. The greatest of these is the limit. */
CLP_INLINE CLP_K clp_topk_guess(local clp_team *team, CLP_K a, CLP_K b, uint k) {
    const uint share = (k - 1) / CLP_TEAM_SUBGROUPS;
    CLP_K key = min(a, b);
    if (share >= CLP_SUBGROUP / 2) {
        a = clp_topk_in_order(a, 2);
        b = clp_topk_in_order(b, 2);
        key = min(a, clp_topk_key_of_lane(b, clp_lane() ^ (CLP_SUBGROUP - 1)));
        key = clp_topk_in_order(key, CLP_SUBGROUP);
    } else {
        key = clp_topk_in_order(key, 2);
    }
    CLP_K limit = clp_topk_key_of_lane(key, share);
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
    CLP_K a = ~(CLP_K)0, b = ~(CLP_K)0;
    CLP_NO_UNROLL
    for (uint at = member; at < held; at += 2 * CLP_TEAM) {
        a = min(a, team->keys[at]);
        if (at + CLP_TEAM < held) b = min(b, team->keys[at + CLP_TEAM]);
    }
    const CLP_K limit = clp_topk_guess(team, a, b, k);
    if (member == 0) {
        team->count = 0;
        team->limit = limit;
        team->last = ~(CLP_COUNT)0;
    }
    CLP_NO_UNROLL
    for (uint first = 0; first < held; first += CLP_TEAM) {
        const uint at = min(first + member, held - 1);
        const CLP_K key = team->keys[at];
        const CLP_COUNT number = team->numbers[at];
        clp_topk_barrier(); /* candidates, read above, written below; count, cleared above */
        if (first + member < held && key <= limit) {
            const uint to = atomic_inc(&team->count); /* with the team's others */
            team->keys[to] = key;
            team->numbers[to] = number;
        }
        clp_topk_barrier(); /* candidates, written above, read by the next round */
    }
    return team->count;
}

/* Fewer candidates stay, at least k; `limit` and `last` say which. All of the team's candidates
 * stand in local memory, or had no room there. No part of its callers, since few rows need it. */
static __attribute__((noinline)) void clp_topk_narrow(local clp_team *team, uint k) {
    clp_topk_barrier(); /* count and candidates, written above, read below */
    uint held = min(team->count, (uint)CLP_TEAM_PLACES);
    clp_topk_barrier(); /* count, read above, written below */
    if (k <= CLP_TEAM) held = clp_topk_guess_again(team, held, k);
    if (k > CLP_TEAM || held > CLP_TEAM_PLACES / 2) {
        clp_topk_sort(team, held);
        if (clp_topk_member() == 0) {
            team->limit = team->keys[k - 1];
            team->last = team->numbers[k - 1];
            team->count = k;
        }
    }
    clp_topk_barrier(); /* limit, last and count, written above, read behind */
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
            team->keys[to] = clp_ordered(from[at]);
            team->numbers[to] = (CLP_COUNT)(begin + at);
            *mask &= ~(1u << (31 - clz(*mask)));
        }
    }
    return clp_topk_any(are_many);
}

/* The lesser of two keys by order, which have no order yet. Floats in NumPy's order are compared as
 * floats: by one instruction, which prefers numbers to NaN. */
CLP_INLINE CLP_K clp_topk_lesser(CLP_K a, CLP_K b) {
#if CLP_ORDER == 2 && CLP_K_BYTES == 4
    const float x = as_float(a), y = as_float(b), lesser = CLP_DESCENDING ? fmax(x, y) : fmin(x, y);
    return as_uint(lesser);
#else
    return clp_ordered(b) < clp_ordered(a) ? b : a;
#endif
}

/* A key that no other one is behind. */
#define CLP_TOPK_LAST_KEY                                                                          \
    (CLP_K)(CLP_DESCENDING && CLP_ORDER != 2 ? (CLP_ORDER == 0   ? 0                               \
                                                : CLP_ORDER == 1 ? CLP_TOP_BIT                     \
                                                                 : ~(CLP_K)0)                      \
            : CLP_ORDER == 0                 ? ~(CLP_K)0                                           \
                                             : ~CLP_TOP_BIT)

/* Loads keys of this work-item, from its element `first` on; what is not there has the last key. No
 * load depends on a condition of one work-item, or each would wait for the load before. */
CLP_INLINE void clp_topk_load(const global CLP_K *from, uint left, uint first, CLP_K *own) {
    CLP_UNROLL
    for (uint i = 0; i < CLP_KEYS_TOGETHER; i++) {
        own[i] = from[min((first + i) * CLP_TEAM + clp_topk_member(), left - 1)];
    }
    CLP_UNROLL
    for (uint i = 0; i < CLP_KEYS_TOGETHER; i++) {
        if ((first + i) * CLP_TEAM + clp_topk_member() >= left) own[i] = CLP_TOPK_LAST_KEY;
    }
}

/* The least ordered keys of each half of what this work-item reads. */
CLP_INLINE void clp_topk_read(const global CLP_K *from, uint left, CLP_K *least) {
    CLP_K a = CLP_TOPK_LAST_KEY, b = CLP_TOPK_LAST_KEY;
    if (left == CLP_TEAM_STEP) {
        CLP_K own[CLP_TEAM_KEYS];
        CLP_UNROLL
        for (uint i = 0; i < CLP_TEAM_KEYS; i++) own[i] = from[i * CLP_TEAM + clp_topk_member()];
        CLP_UNROLL
        for (uint i = 0; i < CLP_TEAM_KEYS; i += 2) {
            a = clp_topk_lesser(a, own[i]);
            b = clp_topk_lesser(b, own[i + 1]);
        }
    } else {
        CLP_NO_UNROLL
        for (uint i = 0; i * CLP_TEAM < left; i += CLP_KEYS_TOGETHER) {
            CLP_K own[CLP_KEYS_TOGETHER];
            clp_topk_load(from, left, i, own);
            CLP_UNROLL
            for (uint j = 0; j < CLP_KEYS_TOGETHER; j += 2) {
                a = clp_topk_lesser(a, own[j]);
                b = clp_topk_lesser(b, own[j + 1]);
            }
        }
    }
    least[0] = clp_ordered(a);
    least[1] = clp_ordered(b);
}

/* Whether a key is up to the limit, or perhaps also where both are NaN: floats are compared as
 * floats. */
CLP_INLINE bool clp_topk_is_up_to(CLP_K key, CLP_K limit) {
#if CLP_ORDER == 2 && CLP_K_BYTES == 4
    const CLP_K ordered = CLP_DESCENDING ? ~limit : limit;
    const float last = as_float((ordered & CLP_TOP_BIT) != 0 ? ordered ^ CLP_TOP_BIT : ~ordered);
    return (CLP_DESCENDING ? as_float(key) >= last : as_float(key) <= last) || last != last;
#else
    return clp_ordered(key) <= limit;
#endif
}

/* A bit for each element of this work-item that is up to the limit. It is read again: registers are
 * few, and most elements are behind the limit. */
CLP_INLINE uint clp_topk_candidates(const global CLP_K *from, uint left, CLP_K limit) {
    const uint member = clp_topk_member();
    const uint count = left > member ? (left - member - 1) / CLP_TEAM + 1 : 0;
    uint mask = 0;
    if (left == CLP_TEAM_STEP) {
        CLP_UNROLL
        for (uint i = 0; i < CLP_TEAM_KEYS; i++) {
            mask |= (uint)clp_topk_is_up_to(from[i * CLP_TEAM + member], limit) << i;
        }
        return mask;
    }
    CLP_NO_UNROLL
    for (uint i = 0; i * CLP_TEAM < left; i += CLP_KEYS_TOGETHER) {
        CLP_K own[CLP_KEYS_TOGETHER];
        clp_topk_load(from, left, i, own);
        CLP_UNROLL
        for (uint j = 0; j < CLP_KEYS_TOGETHER; j++) {
            mask |= (uint)clp_topk_is_up_to(own[j], limit) << (i + j);
        }
    }
    return mask & (uint)((1ul << count) - 1);
}

/* A limit from elements of the whole row, which spares a long row in order from having nothing but
 * candidates. */
CLP_INLINE CLP_K clp_topk_sample(local clp_team *team, const global CLP_K *from, ulong length,
                                 uint k) {
    const ulong apart = length / (CLP_SAMPLED * CLP_TEAM);
    CLP_K own[CLP_SAMPLED];
    CLP_UNROLL
    for (uint i = 0; i < CLP_SAMPLED; i++) {
        own[i] = from[(i * CLP_TEAM + clp_topk_member()) * apart];
    }
    CLP_UNROLL
    for (uint i = 2; i < CLP_SAMPLED; i++) own[i & 1] = clp_topk_lesser(own[i & 1], own[i]);
    return clp_topk_guess(team, clp_ordered(own[0]), clp_ordered(own[1]), k);
}

/* Finds candidates among which are the first k of the row's elements, and returns how many. */
CLP_INLINE uint clp_topk_find(local clp_team *team, const global CLP_K *from, ulong length,
                              uint k) {
    const uint many = k <= CLP_TEAM ? CLP_TEAM_PLACES / 2 : CLP_TEAM_PLACES;
    CLP_K limit = ~(CLP_K)0;
    if (k <= CLP_TEAM && length >= CLP_LONG_ROW) limit = clp_topk_sample(team, from, length, k);
    CLP_NO_UNROLL
    for (ulong begin = 0; begin < length; begin += CLP_TEAM_STEP, from += CLP_TEAM_STEP) {
        const uint left = (uint)min(length - begin, (ulong)CLP_TEAM_STEP);
        CLP_K least[2];
        uint mask = 0;
        clp_topk_read(from, left, least);
        bool is_new = begin == 0 && k < length && k <= CLP_TEAM;
        if (is_new) {
            const CLP_K guess = clp_topk_guess(team, least[0], least[1], k);
            is_new = guess <= limit;
            limit = min(limit, guess);
        }
        if (clp_ballot(min(least[0], least[1]) <= limit) != 0) {
            mask = clp_topk_candidates(from, left, limit);
        }
        CLP_NO_UNROLL
        while (clp_topk_put(team, from, &mask, begin, many)) {
            clp_topk_narrow(team, k);
            limit = team->limit;
            is_new = true;
            CLP_NO_UNROLL
            for (uint i = 0; i < CLP_TEAM_KEYS; i++) {
                const uint at = i * CLP_TEAM + clp_topk_member();
                if ((mask >> i & 1) == 0) continue;
                if (clp_precedes(limit, team->last, clp_ordered(from[at]), begin + at)) {
                    mask &= ~(1u << i);
                }
            }
            clp_topk_barrier(); /* limit and last, read above, written by the next turn */
        }
        if (is_new && limit == 0) break;
        limit = (CLP_K)(limit - is_new);
    }
    clp_topk_barrier(); /* candidates and count, written above, read below */
    if (k <= CLP_TEAM && team->count > max(2 * k, 64u)) clp_topk_narrow(team, k);
    return team->count;
}

/* Candidates compare as integers of 64 bits where these hold key and number. */
CLP_INLINE bool clp_topk_precedes(CLP_K key, CLP_COUNT number, CLP_K other,
                                  CLP_COUNT other_number) {
    if (sizeof(CLP_K) > 4 || sizeof(CLP_COUNT) > 4)
        return clp_precedes(key, number, other, other_number);
    return ((ulong)key << 32 | number) < ((ulong)other << 32 | other_number);
}

/* The number of candidates in front of one. CLP_COUNTED_TOGETHER of them are loaded at once. */
CLP_INLINE uint clp_topk_place(const local clp_team *team, uint held, CLP_K key, CLP_COUNT number) {
    uint place = 0;
    CLP_NO_UNROLL
    for (uint j = 0; j < held; j += CLP_COUNTED_TOGETHER) {
        CLP_UNROLL
        for (uint i = j; i < j + CLP_COUNTED_TOGETHER; i++) {
            place += clp_topk_precedes(team->keys[i], team->numbers[i], key, number);
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
        team->keys[held + clp_topk_member()] = ~(CLP_K)0;
        team->numbers[held + clp_topk_member()] = ~(CLP_COUNT)0;
    }
    clp_topk_barrier(); /* the last candidates, written above, read below */
    CLP_NO_UNROLL
    for (uint at = clp_topk_member(); at < held; at += CLP_TEAM) {
        const CLP_K key = team->keys[at];
        const CLP_COUNT number = team->numbers[at];
        const uint place = are_few ? clp_topk_place(team, held, key, number) : at;
        if (place < rows->k) clp_row_put(rows, row, place, number);
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
    if (lane == 0) {
        CLP_TAKE_ROWS
        rows[0] = taken;
    }
    CLP_ROLE_BARRIER(0, CLP_GROUP / CLP_SUBGROUP); /* rows, written above, read below */
    const ulong count = clp_rows_count(rows),
                own = get_group_id(0) * (CLP_GROUP / CLP_TEAM) + number;
#if CLP_SHORT > 0
    const uint together = CLP_SUBGROUP / CLP_SHORT;
    CLP_NO_UNROLL
    for (ulong r = own * together; r < count; r += teams * together) {
        uint left = clp_short_rows(of_group[number].rows, rows, r, count);
        CLP_NO_UNROLL
        for (uint i = 0; left != 0; i++, left >>= CLP_SHORT - 1, left >>= 1) {
            if ((left & 1) != 0) clp_topk_row(team, rows, r + i, false);
        }
    }
#else
    CLP_NO_UNROLL
    for (ulong r = own; r < count; r += teams) {
        clp_topk_row(team, rows, r, clp_topk_member() == 0);
    }
#endif
}
