/* SPDX-License-Identifier: MIT */
/*
 * A pass by tiles, on any GPU: count the digits of each tile, scan the counts of all tiles,
 * scatter. Three launches, because no work-group may wait for another one here.
 *
 * To scatter, a work-group sorts its tile of CLP_ITEMS keys a work-item by the digit in local
 * memory, so that the keys of one digit are written side by side (Satish, Harris, Garland 2009).
 * CLP_LANES adjacent work-items, a team, take rows of adjacent keys in turn, and have a counter of
 * each digit of their own. One atomic counts a key and returns its turn among the team's keys of
 * the digit; the scanned counters say where these begin. The order must be stable, and most devices
 * serve a sub-group's atomics in the order of its lanes, although none promises it. So each key has
 * its number in the tile with it, the order is checked, and where it is wrong the turns are found
 * anew by the numbers. Then the keys are written from local memory, and values from the tile's
 * place in memory.
 *
 * Local memory: `keys` and `order`, the tile's keys in order, and words that hold a key's digit
 * above its number; `counters`; `sums`, the scan of the digits' counts. One work-group does all
 * passes of few keys alone (clp_sort_single).
 */
#define CLP_TILE (CLP_GROUP * CLP_ITEMS)
#define CLP_DIGIT_AT 16 /* in a word */
#define CLP_TEAM (CLP_LANES * CLP_ITEMS) /* keys of a team */
#define CLP_TEAM_ROWS (((CLP_GROUP + CLP_LANES - 1) / CLP_LANES + 1) / 2) /* of two teams each */
typedef char clp_places_fit_a_half[CLP_TILE < 1 << CLP_DIGIT_AT ? 1 : -1];

CLP_INLINE uint clp_item_of(uint word) {
    return word & 0xffff;
}

/* Leaves the kernel, and is a macro for that, which saves a work-group without work its barriers.
 * Not on CPUs: behind a return PoCL 3.1 takes loops for uniform, and goes beyond their ends. */
#if CLP_RETURNS
#define CLP_RETURN_UNLESS(condition)                                                               \
    if (!(condition)) return;
#else
#define CLP_RETURN_UNLESS(condition)
#endif

/* ---- Where digits begin ---- */

#define CLP_LANE_DIGITS ((CLP_DIGITS + CLP_GROUP - 1) / CLP_GROUP)

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
}

/* ---- A tile in order ---- */

typedef struct clp_sorter {
    local CLP_K *keys;
    local uint *order;
    local uint *counters; /* rows of CLP_DIGITS words: a team's counters in half of each */
    local uint *begins; /* of each digit, in order */
    local uint *is_bad;
} clp_sorter;

CLP_INLINE uint clp_team(void) {
    return (uint)get_local_id(0) / CLP_LANES;
}

/* The number in the tile of the work-item's key j. */
CLP_INLINE uint clp_item(uint j) {
    return clp_team() * CLP_TEAM + j * CLP_LANES + (uint)get_local_id(0) % CLP_LANES;
}

CLP_INLINE local uint *clp_counter_of(const clp_sorter *sorter, uint digit) {
    return &sorter->counters[clp_team() / 2 * CLP_DIGITS + digit];
}

/* The bits below the team's half of a counter. */
CLP_INLINE uint clp_team_bits(void) {
    return clp_team() % 2 * 16;
}

CLP_INLINE void clp_clear_tile(const clp_sorter *sorter) {
    const uint lane = (uint)get_local_id(0);
    for (uint i = lane; i < CLP_TEAM_ROWS * CLP_DIGITS; i += CLP_GROUP) sorter->counters[i] = 0;
    if (lane == 0) *sorter->is_bad = 0;
}

/* The work-item's keys, 0 behind the last. All are loaded before one is used, as a GPU waits as
 * long for one as for many. */
CLP_INLINE void clp_load_tile(CLP_K *own, const global CLP_K *keys, uint count) {
    CLP_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) {
        own[j] = clp_item(j) < count ? keys[clp_item(j)] : 0;
    }
}

/* turns: of each of the work-item's keys among those of its team with the same digit, as the
 * atomics of the two teams that share the counter are served. */
CLP_INLINE void clp_count_tile(const clp_sorter *sorter, const CLP_K *own, uint *words, uint *turns,
                               uint count, uint pass) {
    const uint bits = clp_team_bits();
    CLP_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) {
        const uint digit = clp_digit(own[j], pass);
        words[j] = digit << CLP_DIGIT_AT | clp_item(j);
        if (clp_item(j) >= count) continue;
        turns[j] = atomic_add(clp_counter_of(sorter, digit), 1u << bits) >> bits & 0xffff;
    }
}

/* The keys of the work-item's digits. */
CLP_INLINE uint clp_sum_digits(const clp_sorter *sorter) {
    uint sum = 0;
    CLP_UNROLL
    for (uint j = 0; j < CLP_LANE_DIGITS; j++) {
        const uint digit = (uint)get_local_id(0) * CLP_LANE_DIGITS + j;
        for (uint row = 0; digit < CLP_DIGITS && row < CLP_TEAM_ROWS; row++) {
            const uint counts = sorter->counters[row * CLP_DIGITS + digit];
            sum += (counts & 0xffff) + (counts >> 16);
        }
    }
    return sum;
}

/* Each counter becomes where the team's keys of the digit begin; at: of the work-item's first
 * digit. */
CLP_INLINE void clp_set_begins(const clp_sorter *sorter, uint at) {
    CLP_UNROLL
    for (uint j = 0; j < CLP_LANE_DIGITS; j++) {
        const uint digit = (uint)get_local_id(0) * CLP_LANE_DIGITS + j;
        if (digit < CLP_DIGITS) sorter->begins[digit] = at;
        for (uint row = 0; digit < CLP_DIGITS && row < CLP_TEAM_ROWS; row++) {
            const uint counts = sorter->counters[row * CLP_DIGITS + digit];
            const uint middle = at + (counts & 0xffff);
            sorter->counters[row * CLP_DIGITS + digit] = middle << 16 | at;
            at = middle + (counts >> 16);
        }
    }
}

/* Where the team's keys of the digit begin. */
CLP_INLINE uint clp_begin_of(const clp_sorter *sorter, uint digit) {
    return *clp_counter_of(sorter, digit) >> clp_team_bits() & 0xffff;
}

CLP_INLINE void clp_put_tile(const clp_sorter *sorter, const CLP_K *own, const uint *words,
                             const uint *turns, uint count) {
    CLP_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) {
        if (clp_item(j) >= count) continue;
        const uint slot = clp_begin_of(sorter, words[j] >> CLP_DIGIT_AT) + turns[j];
        CLP_ASSERT(slot < count);
        sorter->order[slot] = words[j];
        sorter->keys[slot] = own[j];
    }
}

CLP_INLINE void clp_check_tile(const clp_sorter *sorter, uint count) {
    bool bad = false;
    CLP_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) {
        const uint slot = j * CLP_GROUP + (uint)get_local_id(0);
        if (slot + 1 < count) bad |= sorter->order[slot] > sorter->order[slot + 1];
    }
    if (bad) *sorter->is_bad = 1; /* the value that other work-items store */
}

/* The turns by the keys' numbers, in a tile that is out of order. */
CLP_INLINE void clp_find_turns(const clp_sorter *sorter, const uint *words, uint *turns,
                               uint count) {
    CLP_NO_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) {
        if (clp_item(j) >= count) continue;
        const uint team = words[j] - clp_item(j) + clp_team() * CLP_TEAM; /* its first word */
        turns[j] = 0;
        for (uint i = clp_begin_of(sorter, words[j] >> CLP_DIGIT_AT);
             i < count && sorter->order[i] - team < CLP_TEAM; i++) {
            turns[j] += sorter->order[i] < words[j];
        }
    }
}

/* Declares what CLP_SORT_BY_DIGIT uses. */
#define CLP_SORTED_TILE                                                                            \
    local CLP_K keys[CLP_TILE];                                                                    \
    local uint order[CLP_TILE];                                                                    \
    local uint counters[CLP_TEAM_ROWS * CLP_DIGITS];                                               \
    local uint begins[CLP_DIGITS], is_bad;                                                         \
    local CLP_COUNT sums[2 * CLP_GROUP];                                                           \
    const clp_sorter sorter = {keys, order, counters, begins, &is_bad};                            \
    CLP_K own[CLP_ITEMS];                                                                          \
    uint words[CLP_ITEMS], turns[CLP_ITEMS];

/* Sorts the caller's `own` keys by a digit into keys[] and order[]. The caller has cleared the
 * counters, with a barrier behind. A macro, as barriers stand at a kernel's top level. */
#define CLP_SORT_BY_DIGIT(pass)                                                                    \
    clp_count_tile(&sorter, own, words, turns, count, pass);                                       \
    barrier(CLK_LOCAL_MEM_FENCE); /* counters, counted above, summed below */                      \
    sums[get_local_id(0)] = clp_sum_digits(&sorter);                                               \
    barrier(CLK_LOCAL_MEM_FENCE); /* sums, with the first round */                                 \
    CLP_EACH_ROUND(CLP_ADD_LOWER)                                                                  \
    clp_set_begins(&sorter, (uint)clp_sum_before(sums));                                           \
    barrier(CLK_LOCAL_MEM_FENCE); /* counters, set above, read below */                            \
    clp_put_tile(&sorter, own, words, turns, count);                                               \
    barrier(CLK_LOCAL_MEM_FENCE); /* order, written above, checked below */                        \
    clp_check_tile(&sorter, count);                                                                \
    barrier(CLK_LOCAL_MEM_FENCE); /* is_bad, written above, read below */                          \
    if (is_bad != 0) clp_find_turns(&sorter, words, turns, count);                                 \
    barrier(CLK_LOCAL_MEM_FENCE); /* order, read above, written below */                           \
    if (is_bad != 0) clp_put_tile(&sorter, own, words, turns, count);                              \
    barrier(CLK_LOCAL_MEM_FENCE); /* keys and order, with what follows */

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
 * than the key before it: keys that are in order already need no pass. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_digits(const global CLP_K *keys, ulong keys_first, CLP_N_REPORT_PARAMETERS,
                     ulong counters, global CLP_COUNT *digits) {
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
}

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

/* ---- Scatter ---- */

/* Writes each slot's key and values to its place, CLP_PLACE, which the kernel defines, as it does
 * CLP_ITEM, the number of the key whose values they are. */
#define CLP_VALUE_TO_PLACE(k)                                                                      \
    for (uint slot = lane; slot < count; slot += CLP_GROUP) {                                      \
        const ulong item = first + CLP_ITEM(slot);                                                 \
        to##k[CLP_PLACE(slot)] = CLP_VALUE##k##_AT(from##k, makes, item);                          \
    }
#define CLP_TO_PLACES                                                                              \
    for (uint slot = lane; keeps && slot < count; slot += CLP_GROUP) {                             \
        CLP_ASSERT(CLP_PLACE(slot) < n);                                                           \
        to[CLP_PLACE(slot)] = keys[slot];                                                          \
    }                                                                                              \
    CLP_EACH_VALUE(CLP_VALUE_TO_PLACE)

#define CLP_MOVE_ALL                                                                               \
    do {                                                                                           \
        CLP_MOVES                                                                                  \
        CLP_TO_PLACES                                                                              \
    } while (0)

#define CLP_ITEM(slot) (order[slot] & 0xffff)
#define CLP_PLACE(slot) ((CLP_COUNT)(moves[order[slot] >> CLP_DIGIT_AT] + (slot)))
/* A work-group a tile. counts: the place of the tile's first key of each digit. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_scatter(CLP_ARRAY_PARAMETERS, CLP_N_PARAMETERS, uint pass, uint in_place,
                      const global uint *live, const global CLP_COUNT *counts, ulong row) {
    const ulong n = CLP_N;
    CLP_SORTED_TILE
    local CLP_COUNT moves[CLP_DIGITS]; /* from a slot of order to a place in memory, per digit */
    const clp_role role = clp_role_of(clp_live_passes(live), pass, in_place);
    CLP_RETURN_UNLESS(role.runs)
    const uint lane = (uint)get_local_id(0);
    CLP_MOVES
    CLP_EACH_TILE {
        const ulong first = tile * CLP_TILE;
        const uint count = role.runs ? clp_count_of_tile(tile, n) : 0;
        clp_clear_tile(&sorter);
        clp_load_tile(own, from + first, count);
        barrier(CLK_LOCAL_MEM_FENCE); /* counters, cleared above, counted below */
        CLP_SORT_BY_DIGIT(pass)
        for (uint d = lane; count > 0 && d < CLP_DIGITS; d += CLP_GROUP) {
            moves[d] = counts[d * row + tile] - begins[d];
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* moves, written above, read below */
        CLP_TO_PLACES
        barrier(CLK_LOCAL_MEM_FENCE); /* keys, order and moves, with the next tile */
    }
}
#undef CLP_ITEM
#undef CLP_PLACE

/* ---- Few keys ---- */

/* The numbers that the keys had in the input, in the order of a pass. own: CLP_ITEMS. */
CLP_INLINE void clp_take_items(const local ushort *items, const local uint *order, uint count,
                               ushort *own) {
    CLP_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) {
        if (clp_item(j) < count) own[j] = items[order[clp_item(j)] & 0xffff];
    }
}

CLP_INLINE void clp_leave_items(local ushort *items, uint count, const ushort *own) {
    CLP_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) {
        if (clp_item(j) < count) items[clp_item(j)] = own[j];
    }
}

CLP_INLINE void clp_take_sorted(const local CLP_K *keys, uint count, CLP_K *own) {
    CLP_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) own[j] = clp_item(j) < count ? keys[clp_item(j)] : 0;
}

#define CLP_ITEM(slot) (items[slot])
#define CLP_PLACE(slot) (slot)
#define CLP_SORT_SINGLE_PASS(pass)                                                                 \
    clp_clear_tile(&sorter);                                                                       \
    barrier(CLK_LOCAL_MEM_FENCE); /* counters, cleared above, counted below */                     \
    CLP_SORT_BY_DIGIT(pass)                                                                        \
    clp_take_items(items, order, count, own_items);                                                \
    clp_take_sorted(keys, count, own);                                                             \
    barrier(CLK_LOCAL_MEM_FENCE); /* items, order and keys, read above, written below */           \
    clp_leave_items(items, count, own_items);

/* A tile at most, by one work-group, which has read all before it writes to the output: in place
 * the spare copies take it first. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_single(CLP_ARRAY_PARAMETERS, CLP_N_REPORT_PARAMETERS, uint in_place) {
    const ulong n = CLP_N_REPORTED;
    CLP_SORTED_TILE
    local ushort items[CLP_TILE];
    ushort own_items[CLP_ITEMS];
    const uint lane = (uint)get_local_id(0), count = (uint)n;
    const ulong first = 0;
    clp_role role;
    clp_load_tile(own, keys_in + keys_in_first, count);
    CLP_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) items[clp_item(j)] = (ushort)clp_item(j);
    CLP_EACH_PASS(CLP_SORT_SINGLE_PASS)
    barrier(CLK_LOCAL_MEM_FENCE); /* items, written above, read below */
    role.is_last = in_place == 0;
    role.from = CLP_IN;
    role.to = in_place != 0 ? CLP_SPARE : CLP_OUT;
    CLP_MOVE_ALL;
    barrier(CLK_GLOBAL_MEM_FENCE); /* spare copies, written above, read below */
    role.is_last = true;
    role.from = CLP_SPARE;
    role.to = CLP_OUT;
    CLP_MOVES
    for (uint i = lane; in_place != 0 && i < count; i += CLP_GROUP) {
        if (keeps) to[i] = from[i];
        CLP_EACH_VALUE(CLP_VALUE_COPY)
    }
}
#undef CLP_ITEM
#undef CLP_PLACE
