/* SPDX-License-Identifier: MIT */
/*
 * Top-k of each segment on NVIDIA GPUs: a team takes a row, a sub-group or a whole work-group. Each
 * work-item of the team finds the least key of its first elements, of which a limit is made that at
 * least k elements are up to. Elements up to the limit are candidates, and go to local memory.
 * Where candidates have no more room, they are sorted, the first k stay, and the k-th one becomes
 * the limit. At the end the candidates are sorted. Sorts are bitonic, and exchange by shuffles
 * within a sub-group. Elements are read in the order of their indices, so that behind a sort an
 * element with the limit's key comes too late.
 */
#define CLP_TEAM_ROOM 8 /* candidates for each work-item of a team */
#define CLP_TEAM_KEYS (CLP_K_BYTES == 8 ? 8 : 16) /* that a work-item reads at once */
#define CLP_KEYS_TOGETHER 4 /* of these, which a short row may do without */

typedef struct clp_team {
    local CLP_K *keys; /* of the candidates, ordered */
    local CLP_COUNT *numbers; /* of the candidates, in the row */
    local uint *count;
    uint width, member;
    uint held; /* candidates */
    CLP_K limit; /* elements up to it are candidates */
    bool is_done; /* no other element is one */
} clp_team;

/* A group is one team where it is more than one sub-group. Barriers of smaller teams would take
 * numbers, of which a multiprocessor has few. */
CLP_INLINE void clp_topk_barrier(uint width) {
    if (width == CLP_SUBGROUP)
        clp_subgroup_barrier();
    else
        CLP_ROLE_BARRIER(0, CLP_GROUP / CLP_SUBGROUP);
}

CLP_INLINE bool clp_topk_any(const clp_team *team, bool yes) {
    if (team->width == CLP_SUBGROUP) return clp_ballot(yes) != 0;
    return clp_any_of(0, CLP_GROUP / CLP_SUBGROUP, yes);
}

/* ---- Sorts ---- */

CLP_INLINE CLP_K clp_topk_key_of_lane(CLP_K key, uint lane) {
    return (CLP_K)(CLP_K_BYTES == 8 ? clp_shuffle_long(key, lane)
                                    : clp_shuffle_word((uint)key, lane));
}

/* This lane keeps the lesser candidate of its own and that of another lane, or the greater one. */
CLP_INLINE void clp_topk_exchange(CLP_K *key, CLP_COUNT *number, uint lane, bool lesser) {
    const CLP_K other = clp_topk_key_of_lane(*key, lane);
    const CLP_COUNT other_number =
        (CLP_COUNT)(sizeof(CLP_COUNT) == 8 ? clp_shuffle_long(*number, lane)
                                           : clp_shuffle_word((uint)*number, lane));
    if (clp_precedes(other, other_number, *key, *number) == lesser) {
        *key = other;
        *number = other_number;
    }
}

/* Exchanges within each 32 of `count` candidates: of all blocks up to 32, or the last ones of
 * larger blocks. */
CLP_INLINE void clp_topk_sort_lanes(local CLP_K *keys, local CLP_COUNT *numbers, uint width,
                                    uint count, bool all) {
    const uint lane = clp_lane();
    CLP_NO_UNROLL
    for (uint at = (uint)get_local_id(0) & (width - 1); at < max(count, (uint)CLP_SUBGROUP);
         at += width) {
        CLP_K key = keys[at];
        CLP_COUNT number = numbers[at];
        CLP_UNROLL
        for (uint block = all ? 2 : CLP_SUBGROUP; block <= CLP_SUBGROUP; block *= 2) {
            if (block > count) break;
            CLP_UNROLL
            for (uint distance = block / 2; distance > 0; distance /= 2) {
                const uint mask = all && distance == block / 2 ? block - 1 : distance;
                clp_topk_exchange(&key, &number, lane ^ mask, (lane & distance) == 0);
            }
        }
        keys[at] = key;
        numbers[at] = number;
    }
    clp_topk_barrier(width); /* candidates, written above, read behind */
}

/* Exchanges at a distance of at least 32; from both ends of each block on at first. */
CLP_INLINE void clp_topk_sort_local(local CLP_K *keys, local CLP_COUNT *numbers, uint width,
                                    uint count, uint distance, bool from_ends) {
    CLP_NO_UNROLL
    for (uint pair = (uint)get_local_id(0) & (width - 1); pair < count / 2; pair += width) {
        const uint low = 2 * pair - (pair & (distance - 1));
        const uint high = from_ends ? low ^ (2 * distance - 1) : low + distance;
        const CLP_K a = keys[low], b = keys[high];
        const CLP_COUNT a_number = numbers[low], b_number = numbers[high];
        if (!clp_precedes(b, b_number, a, a_number)) continue;
        keys[low] = b;
        keys[high] = a;
        numbers[low] = b_number;
        numbers[high] = a_number;
    }
    clp_topk_barrier(width); /* candidates, written above, read behind */
}

/* Sorts `count` candidates, a power of two. No part of its callers, each of which would have a copy
 * of it and too few registers. */
static __attribute__((noinline)) void clp_topk_sort(local CLP_K *keys, local CLP_COUNT *numbers,
                                                    uint width, uint count) {
    clp_topk_barrier(width); /* candidates, written before, read below */
    clp_topk_sort_lanes(keys, numbers, width, count, true);
    CLP_NO_UNROLL
    for (uint size = 2 * CLP_SUBGROUP; size <= count; size *= 2) {
        CLP_NO_UNROLL
        for (uint distance = size / 2; distance >= CLP_SUBGROUP; distance /= 2) {
            clp_topk_sort_local(keys, numbers, width, count, distance, distance == size / 2);
        }
        clp_topk_sort_lanes(keys, numbers, width, count, false);
    }
}

/* Sorts all candidates. What fills the last block comes behind them. */
CLP_INLINE void clp_topk_sort_held(const clp_team *team) {
    uint count = 8;
    while (count < team->held) count *= 2;
    CLP_NO_UNROLL
    for (uint at = team->held + team->member; at < count; at += team->width) {
        team->keys[at] = ~(CLP_K)0;
        team->numbers[at] = ~(CLP_COUNT)0;
    }
    clp_topk_sort(team->keys, team->numbers, team->width, count);
}

/* ---- Candidates ---- */

/* The limit that a row begins with. key: the least one that this work-item read. Each sub-group
 * sorts its lanes' keys, and takes the one up to which its share of k elements is. The greatest of
 * these is the limit. */
CLP_INLINE CLP_K clp_topk_guess(const clp_team *team, CLP_K key, uint k) {
    const uint lane = clp_lane(), subgroups = team->width / CLP_SUBGROUP;
    CLP_UNROLL
    for (uint block = 2; block <= CLP_SUBGROUP; block *= 2) {
        CLP_UNROLL
        for (uint distance = block / 2; distance > 0; distance /= 2) {
            const uint mask = distance == block / 2 ? block - 1 : distance;
            const CLP_K other = clp_topk_key_of_lane(key, lane ^ mask);
            key = (lane & distance) == 0 ? min(key, other) : max(key, other);
        }
    }
    CLP_K limit = clp_topk_key_of_lane(key, (k - 1) / subgroups);
    if (subgroups == 1) return limit;
    team->keys[team->member / CLP_SUBGROUP] = limit;
    clp_topk_barrier(team->width); /* limits, written above, read below */
    CLP_NO_UNROLL
    for (uint g = 0; g < subgroups; g++) limit = max(limit, team->keys[g]);
    clp_topk_barrier(team->width); /* limits, read above; candidates take their place behind */
    return limit;
}

/* The first k candidates stay. */
CLP_INLINE void clp_topk_keep(clp_team *team, uint k) {
    clp_topk_sort_held(team);
    const CLP_K last = team->keys[k - 1];
    team->held = k;
    team->is_done = team->is_done || last == 0;
    team->limit = (CLP_K)(last - 1);
    if (team->member == 0) team->count[0] = k;
    clp_topk_barrier(team->width); /* count, written above, added to behind; keys, read above */
}

/* Takes the elements from `begin` on where their candidates have no room together, a row of the
 * team at a time. */
CLP_INLINE void clp_topk_take_slowly(clp_team *team, const global CLP_K *from, ulong begin,
                                     ulong length, uint k) {
    clp_topk_barrier(team->width); /* count, read above, written below */
    if (team->member == 0) team->count[0] = team->held;
    clp_topk_barrier(team->width); /* count, written above, added to below */
    CLP_NO_UNROLL
    for (uint i = 0; i < CLP_TEAM_KEYS; i++) {
        const ulong at = begin + i * team->width + team->member;
        if (team->held + team->width > CLP_TEAM_ROOM * team->width) clp_topk_keep(team, k);
        const CLP_K key = at < length ? clp_ordered(from[at]) : 0;
        if (at < length && key <= team->limit && !team->is_done) {
            const uint to = atomic_inc(team->count); /* with the team's others */
            team->keys[to] = key;
            team->numbers[to] = (CLP_COUNT)at;
        }
        clp_topk_barrier(team->width); /* count, added to above, read below */
        team->held = team->count[0];
        clp_topk_barrier(team->width); /* count, read above, changed behind */
    }
}

/* Takes what this work-item read from `begin` on. mask: a bit for each candidate. */
CLP_INLINE bool clp_topk_take(clp_team *team, const CLP_K *own, uint mask, ulong begin) {
    uint to = mask != 0 ? atomic_add(team->count, popcount(mask)) : 0; /* with the team's others */
    clp_topk_barrier(team->width); /* count, added to above, read below */
    const uint held = team->count[0];
    if (held > CLP_TEAM_ROOM * team->width) return false;
    team->held = held;
    CLP_UNROLL
    for (uint i = 0; i < CLP_TEAM_KEYS; i++) {
        if ((mask >> i & 1) == 0) continue;
        team->keys[to] = own[i];
        team->numbers[to++] = (CLP_COUNT)(begin + i * team->width + team->member);
    }
    return true;
}

/* Reads elements, at most CLP_TEAM_KEYS; what is not there has the greatest key. Returns the least
 * key. No load depends on a condition of one work-item, or each would wait for the load before. */
CLP_INLINE CLP_K clp_topk_read(const clp_team *team, const global CLP_K *from, uint left,
                               CLP_K *own) {
    CLP_K least = ~(CLP_K)0;
    CLP_UNROLL
    for (uint block = 0; block < CLP_TEAM_KEYS; block += CLP_KEYS_TOGETHER) {
        CLP_UNROLL
        for (uint i = block; i < block + CLP_KEYS_TOGETHER; i++) own[i] = ~(CLP_K)0;
        if (block * team->width >= left) continue;
        CLP_UNROLL
        for (uint i = block; i < block + CLP_KEYS_TOGETHER; i++) {
            own[i] = from[min(i * team->width + team->member, left - 1)];
        }
    }
    CLP_UNROLL
    for (uint block = 0; block < CLP_TEAM_KEYS; block += CLP_KEYS_TOGETHER) {
        if (block * team->width >= left) continue;
        CLP_UNROLL
        for (uint i = block; i < block + CLP_KEYS_TOGETHER; i++) {
            const CLP_K key = clp_ordered(own[i]);
            own[i] = i * team->width + team->member < left ? key : ~(CLP_K)0;
            least = min(least, own[i]);
        }
    }
    return least;
}

/* The first k of the row's elements are the team's first candidates, in order. */
CLP_INLINE void clp_topk_find(clp_team *team, const global CLP_K *from, ulong length, uint k) {
    const uint step = CLP_TEAM_KEYS * team->width;
    const bool guesses = length > team->width && k <= team->width;
    team->held = 0;
    team->limit = ~(CLP_K)0;
    team->is_done = false;
    CLP_NO_UNROLL
    for (ulong begin = 0; begin < length && !team->is_done; begin += step) {
        const uint left = (uint)min(length - begin, (ulong)step);
        CLP_K own[CLP_TEAM_KEYS];
        uint mask = 0;
        const CLP_K least = clp_topk_read(team, from + begin, left, own);
        if (begin == 0 && guesses) team->limit = clp_topk_guess(team, least, k);
        if (!clp_topk_any(team, least <= team->limit)) continue;
        CLP_UNROLL
        for (uint i = 0; i < CLP_TEAM_KEYS; i++) {
            const bool is_there = i * team->width + team->member < left;
            mask |= (uint)(is_there && own[i] <= team->limit) << i;
        }
        if (!clp_topk_take(team, own, mask, begin)) {
            clp_topk_take_slowly(team, from, begin, length, k);
        }
    }
    clp_topk_sort_held(team);
}

/* width: the work-items of a team, a sub-group's or a group's. */
CLP_KERNEL(CLP_GROUP)
void clp_topk_rows(CLP_ROWS_PARAMETERS, uint width) {
    local CLP_K candidates[CLP_TEAM_ROOM * CLP_GROUP];
    local CLP_COUNT numbers[CLP_TEAM_ROOM * CLP_GROUP];
    local uint held[CLP_GROUP / CLP_SUBGROUP];
    CLP_TAKE_ROWS
    const uint lane = (uint)get_local_id(0), number = lane / width, teams = CLP_GROUP / width;
    clp_team team;
    team.keys = candidates + CLP_TEAM_ROOM * number * width;
    team.numbers = numbers + CLP_TEAM_ROOM * number * width;
    team.count = held + number;
    team.width = width;
    team.member = lane & (width - 1);
    if (team.member == 0) team.count[0] = 0;
    clp_topk_barrier(width); /* count, cleared above, added to below */
    CLP_NO_UNROLL
    for (ulong r = get_group_id(0) * teams + number; r < count; r += get_num_groups(0) * teams) {
        const clp_row row = clp_row_take(&rows, r, team.member == 0);
        if (row.length == 0) continue;
        clp_topk_find(&team, rows.keys + row.first, row.length, (uint)k);
        CLP_NO_UNROLL
        for (uint j = team.member; j < min((uint)k, team.held); j += width) {
            clp_row_put(&rows, &row, j, team.numbers[j]);
        }
        if (team.member == 0) team.count[0] = 0;
        clp_topk_barrier(width); /* candidates and count, read above, written for the next row */
    }
}
