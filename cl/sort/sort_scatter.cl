/* SPDX-License-Identifier: MIT */
/*
 * A pass by tiles (sort_tile.cl), on any GPU. Where no work-group may wait for another one it takes
 * three launches: count the digits of each tile, scan the counts of all tiles, scatter. Else
 * scattering is all (CLP_LOOKS): a tile takes its number by ticket, publishes its counts and looks
 * back for the sums of the tiles before it, as in sort_onesweep.cl, which says why its waiting
 * ends.
 */
#define CLP_TICKETS CLP_PASSES /* of each pass, behind its word of live */

/* ---- Where digits begin ---- */

/* A work-group a pass. digits: counts per counting work-group, pass and digit. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_bases(const global CLP_COUNT *digits, ulong counters, CLP_N_PARAMETERS,
                    global CLP_COUNT *bases, global uint *live) {
    const ulong n = CLP_N;
    local CLP_COUNT sums[2 * CLP_GROUP];
    local uint alike, falls;
    const uint lane = (uint)get_local_id(0), pass = (uint)get_group_id(0);
    CLP_COUNT counts[CLP_LANE_DIGITS];
    CLP_COUNT sum = 0;
    for (uint j = 0; j < CLP_LANE_DIGITS; j++) {
        const uint digit = lane * CLP_LANE_DIGITS + j;
        counts[j] = 0;
        CLP_UNROLL_SOME
        for (ulong c = 0; digit < CLP_DIGITS && c < counters; c++) {
            counts[j] += digits[(c * CLP_PASSES + pass) * CLP_DIGITS + digit];
        }
        sum += counts[j];
    }
    sums[lane] = sum;
    if (lane == 0) alike = falls = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* sums, alike and falls, with the first round and what follows */
    CLP_EACH_ROUND(CLP_ADD_LOWER)
    CLP_COUNT at = clp_sum_before(sums);
    for (uint j = 0; j < CLP_LANE_DIGITS; j++) {
        const uint digit = lane * CLP_LANE_DIGITS + j;
        if (digit < CLP_DIGITS) bases[pass * CLP_DIGITS + digit] = at;
        if (counts[j] == n) atomic_inc(&alike); /* with other work-items */
        at += counts[j];
    }
    for (ulong c = lane; c < counters; c += CLP_GROUP) {
        if (digits[counters * CLP_PASSES * CLP_DIGITS + c] != 0) atomic_inc(&falls); /* the same */
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* alike and falls, written above, read below */
    if (lane == 0) live[pass] = alike == 0 && falls != 0;
    if (lane == 0) live[CLP_TICKETS + pass] = 0;
}

/* ---- Tiles ---- */

CLP_INLINE uint clp_count_of_tile(ulong tile, ulong n) {
    return tile * CLP_TILE < n ? (uint)min((ulong)CLP_TILE, n - tile * CLP_TILE) : 0;
}

/* A work-group takes a tile, and on a GPU more if there are more tiles than work-groups: a counted
 * run has few work-groups, as it may have few keys. Other compilers take no barriers in loops. */
#if CLP_RETURNS
#define CLP_EACH_TILE                                                                              \
    for (ulong tile = get_group_id(0); tile * CLP_TILE < n; tile += get_num_groups(0))
#else
#define CLP_EACH_TILE const ulong tile = get_group_id(0);
#endif

/* ---- Counts ---- */

CLP_INLINE void clp_count_digits(local uint *counts, const CLP_K *own, uint count, uint pass) {
    CLP_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) {
        if (clp_item(j) < count) atomic_inc(&counts[clp_digit(own[j], pass)]);
    }
}

/* Whether one of the work-item's keys in the tile is less than the one before it, of all keys. */
CLP_INLINE bool clp_falls_in(const CLP_K *own, const global CLP_K *keys, ulong tile, uint count) {
    bool falls = false;
    CLP_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) {
        const ulong place = tile * CLP_TILE + clp_item(j);
        if (!falls && clp_item(j) < count && place > 0) {
            falls = clp_compared(own[j]) < clp_compared(keys[place - 1]);
        }
    }
    return falls;
}

/* Of all passes; work-groups take turns. Behind the digits, per work-group, whether a key is less
 * than the key before it: keys that are in order already need no pass. words: of the state that the
 * first pass looks back over, which are cleared. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_digits(const global CLP_K *keys, ulong keys_first, CLP_N_REPORT_PARAMETERS,
                     ulong counters, global CLP_COUNT *digits, global uint *state, ulong words) {
    const ulong n = CLP_N_REPORTED;
    local uint counts[CLP_PASSES * CLP_DIGITS], all_falls;
    const uint lane = (uint)get_local_id(0);
    bool falls = false;
    for (uint i = lane; i < CLP_PASSES * CLP_DIGITS; i += CLP_GROUP) counts[i] = 0;
    if (lane == 0) all_falls = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* counts and all_falls, cleared above, counted below */
    for (ulong tile = get_group_id(0); tile * CLP_TILE < n; tile += counters) {
        const uint count = clp_count_of_tile(tile, n);
        CLP_K own[CLP_ITEMS];
        clp_load_tile(own, keys + keys_first + tile * CLP_TILE, count);
        for (uint pass = 0; pass < CLP_PASSES; pass++) {
            clp_count_digits(counts + pass * CLP_DIGITS, own, count, pass);
        }
        if (!falls) falls = clp_falls_in(own, keys + keys_first, tile, count);
    }
    if (falls) atomic_inc(&all_falls); /* with other work-items */
    barrier(CLK_LOCAL_MEM_FENCE); /* counts and all_falls, counted above, read below */
    global CLP_COUNT *own = digits + get_group_id(0) * CLP_PASSES * CLP_DIGITS;
    for (uint i = lane; i < CLP_PASSES * CLP_DIGITS; i += CLP_GROUP) own[i] = counts[i];
    if (lane == 0) digits[counters * CLP_PASSES * CLP_DIGITS + get_group_id(0)] = all_falls;
    for (ulong i = get_global_id(0); i < words; i += get_global_size(0)) state[i] = 0;
}

#if !CLP_LOOKS
/* Of one pass, as counts[digit][tile]; row: words of a digit. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_count(const global CLP_K *keys_in, ulong keys_in_first, const global CLP_K *keys_out,
                    ulong keys_out_first, const global CLP_K *keys_spare, CLP_N_PARAMETERS,
                    uint pass, uint in_place, const global uint *live,
                    const global CLP_COUNT *digits, global CLP_COUNT *counts, ulong row) {
    const ulong n = CLP_N;
    local uint found[CLP_DIGITS];
    const uint lane = (uint)get_local_id(0);
    const clp_role role = clp_role_of(clp_live_passes(live), pass, in_place);
    CLP_RETURN_UNLESS(role.runs)
    const global CLP_K *from =
        CLP_CHOOSE(role.from, keys_in, keys_in_first, keys_out, keys_out_first, keys_spare);
    CLP_EACH_TILE {
        const uint count = role.runs ? clp_count_of_tile(tile, n) : 0;
        CLP_K own[CLP_ITEMS];
        for (uint d = lane; d < CLP_DIGITS; d += CLP_GROUP) found[d] = 0;
        barrier(CLK_LOCAL_MEM_FENCE); /* found, cleared above, counted below */
        clp_load_tile(own, from + tile * CLP_TILE, count);
        clp_count_digits(found, own, count, pass);
        barrier(CLK_LOCAL_MEM_FENCE); /* found, counted above, read below */
        for (uint d = lane; count > 0 && d < CLP_DIGITS; d += CLP_GROUP) {
            counts[d * row + tile] = found[d];
        }
    }
}

/* A row's counts from `first` on, which is a multiple of four; 0 from `end` on. */
CLP_INLINE CLP_COUNT4 clp_load_counts(const global CLP_COUNT *row, ulong first, ulong end) {
    CLP_COUNT4 counts = *(const global CLP_COUNT4 *)(row + first);
    if (first + 1 >= end) counts.y = 0;
    if (first + 2 >= end) counts.z = 0;
    if (first + 3 >= end) counts.w = 0;
    return counts;
}

/* A work-group a digit: its counts become places in the output. Work-items take vectors that follow
 * each other; row: of a digit, a multiple of vectors. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_rows(global CLP_COUNT *counts, ulong row, uint pass, const global CLP_COUNT *bases,
                   const global uint *live, CLP_N_PARAMETERS) {
    const ulong used = (CLP_N + CLP_TILE - 1) / CLP_TILE;
    local CLP_COUNT sums[2 * CLP_GROUP];
    const uint lane = (uint)get_local_id(0), digit = (uint)get_group_id(0);
    const bool runs = (clp_live_passes(live) >> pass & 1) != 0;
    const ulong share = runs ? (used + 4 * CLP_GROUP - 1) / (4 * CLP_GROUP) * 4 : 0;
    const ulong first = min(used, lane * share), end = min(used, first + share);
    global CLP_COUNT *own = counts + digit * row;
    CLP_COUNT sum = 0;
    CLP_UNROLL_SOME
    for (ulong tile = first; tile < end; tile += 4) {
        const CLP_COUNT4 four = clp_load_counts(own, tile, end);
        sum += four.x + four.y + four.z + four.w;
    }
    sums[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE); /* sums, with the first round */
    CLP_EACH_ROUND(CLP_ADD_LOWER)
    CLP_COUNT at = bases[pass * CLP_DIGITS + digit] + clp_sum_before(sums);
    CLP_UNROLL_SOME
    for (ulong tile = first; tile < end; tile += 4) {
        const CLP_COUNT4 four = clp_load_counts(own, tile, end);
        const CLP_COUNT y = at + four.x, z = y + four.y, w = z + four.z;
        *(global CLP_COUNT4 *)(own + tile) = (CLP_COUNT4)(at, y, z, w);
        at = w + four.w;
    }
}

#else
/* ---- Look-back ---- */

/* A word of the state holds a count of 30 bits, and above it whether it counts the tile's keys of a
 * digit or those of all tiles up to it; 0: nothing is published. A row of words a tile. */
#define CLP_OF_TILE (1u << 30)
#define CLP_TO_TILE (1u << 31)
#define CLP_LOOKED 4 /* rows at once */

/* The keys of a digit in all tiles before that one; state: the digit's word of tile 0. A GPU loads
 * many words at a time. Atomics wait for those that it did not find, whatever its caches hold. */
CLP_INLINE uint clp_look_back(volatile global uint *state, ulong tile) {
    uint sum = 0;
    while (tile > 0) {
        const ulong first = tile;
        uint seen[CLP_LOOKED];
        CLP_UNROLL
        for (uint k = 0; k < CLP_LOOKED; k++) {
            seen[k] = CLP_RETURNS && k < first ? state[(first - 1 - k) * CLP_DIGITS] : 0;
        }
        CLP_UNROLL
        for (uint k = 0; k < CLP_LOOKED; k++) {
            if (tile + k != first || tile == 0) continue;
            while (seen[k] == 0) seen[k] = atomic_add(&state[(tile - 1) * CLP_DIGITS], 0u);
            sum += seen[k] & (CLP_OF_TILE - 1);
            tile = (seen[k] & CLP_TO_TILE) != 0 ? 0 : tile - 1;
        }
    }
    return sum;
}

CLP_INLINE void clp_publish_digit(volatile global uint *state, ulong tile, uint word) {
#if CLP_DELAYED_TILES > 0
    for (uint i = 0; tile % CLP_DELAYED_TILES == 0 && i < 200; i++) (void)atomic_add(state, 0u);
#endif
    atomic_xchg(state + tile * CLP_DIGITS, word);
}
#endif

/* ---- Scatter ---- */

/* Where the tile's keys of the work-item's digits go. counts: their places, or where tiles look
 * back the states of this pass and the next one, which take turns: a pass clears the next one's. */
CLP_INLINE void clp_find_moves(const clp_sorter *sorter, ulong tile, uint count,
                               const global CLP_COUNT *bases, global CLP_COUNT *counts, ulong row,
                               uint turn, local CLP_COUNT *moves) {
#if CLP_LOOKS
    volatile global uint *state = counts + turn * row * CLP_DIGITS;
    global uint *next = counts + (turn ^ 1) * row * CLP_DIGITS + tile * CLP_DIGITS;
    for (uint d = (uint)get_local_id(0); count > 0 && d < CLP_DIGITS; d += CLP_GROUP) {
        const uint own = clp_end_of_digit(sorter, d, count) - sorter->begins[d];
        clp_publish_digit(state + d, tile, own | CLP_OF_TILE);
        next[d] = 0;
    }
#endif
    for (uint d = (uint)get_local_id(0); count > 0 && d < CLP_DIGITS; d += CLP_GROUP) {
#if CLP_LOOKS
        const uint own = clp_end_of_digit(sorter, d, count) - sorter->begins[d];
        const uint before = clp_look_back(state + d, tile);
        clp_publish_digit(state + d, tile, (before + own) | CLP_TO_TILE);
        moves[d] = bases[d] + before - sorter->begins[d];
#else
        moves[d] = counts[d * row + tile] - sorter->begins[d];
#endif
    }
}

#define CLP_ITEM(slot) (order[slot] & 0xffff)
#define CLP_PLACE(slot) ((CLP_COUNT)(moves[clp_digit_at(&sorter, slot, pass)] + (slot)))
/* A work-group a tile, by ticket where tiles look back. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_scatter(CLP_ARRAY_PARAMETERS, CLP_N_PARAMETERS, uint pass, uint in_place,
                      global uint *live, const global CLP_COUNT *bases, global CLP_COUNT *counts,
                      ulong row) {
    const ulong n = CLP_N;
    CLP_SORTED_TILE
    local CLP_COUNT moves[CLP_DIGITS]; /* from a slot of keys to a place in memory, per digit */
    local uint ticket;
    const ulong mask = clp_live_passes(live);
    const clp_role role = clp_role_of(mask, pass, in_place);
    CLP_RETURN_UNLESS(role.runs)
    const uint lane = (uint)get_local_id(0);
    const uint turn = (uint)popcount(mask & ((1ul << pass) - 1)) & 1;
    CLP_MOVES
    CLP_EACH_TILE {
        clp_clear_tile(&sorter, pass);
        if (lane == 0) ticket = CLP_LOOKS ? atomic_inc(&live[CLP_TICKETS + pass]) : (uint)tile;
        barrier(CLK_LOCAL_MEM_FENCE); /* counters, cleared above, counted below; ticket */
        const ulong number = ticket, first = number * CLP_TILE;
        const uint count = role.runs ? clp_count_of_tile(number, n) : 0;
        clp_load_tile(own, from + first, count);
        CLP_COUNT_BY_DIGIT
        clp_find_moves(&sorter, number, count, bases + pass * CLP_DIGITS, counts, row, turn, moves);
        CLP_SORT_BY_DIGIT
        CLP_TO_PLACES
        barrier(CLK_LOCAL_MEM_FENCE); /* keys, order, moves and ticket, with the next tile */
    }
}
#undef CLP_ITEM
#undef CLP_PLACE
