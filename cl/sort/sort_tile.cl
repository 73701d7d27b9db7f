/* SPDX-License-Identifier: MIT */
/*
 * A work-group sorts a tile of CLP_ITEMS keys a work-item by a digit in local memory, so that the
 * keys of one digit can be written side by side (Satish, Harris, Garland 2009). CLP_LANES adjacent
 * work-items, a team, take rows of adjacent keys in turn, and have a counter of each digit of their
 * own. One atomic counts a key and returns its turn among the team's keys of the digit; the scanned
 * counters say where these begin. The order must be stable, and most devices serve a sub-group's
 * atomics in the order of its lanes, although none promises it. So the order is checked, and where
 * it is wrong the turns are found anew: by the keys' numbers in the tile (CLP_PACKS), or, where
 * equal keys are the same, by the bits that are sorted. Then the keys are written from local
 * memory, and values from the tile's place in memory.
 *
 * Local memory: `keys`, the tile's in order; `order`, their digits above their numbers; `counters`;
 * `sums`, the scan of the digits' counts. One work-group does all passes of few keys alone
 * (clp_sort_single); sort_scatter.cl has the passes of many.
 */
#define CLP_TILE (CLP_GROUP * CLP_ITEMS)
#define CLP_DIGIT_AT 16 /* in a word */
#define CLP_LANE_DIGITS ((CLP_DIGITS + CLP_GROUP - 1) / CLP_GROUP) /* of a work-item */
#define CLP_TEAM (CLP_LANES * CLP_ITEMS) /* keys of a team */
#define CLP_TEAM_ROWS (((CLP_GROUP + CLP_LANES - 1) / CLP_LANES + 1) / 2) /* of two teams each */
typedef char clp_places_fit_a_half[CLP_TILE < 1 << CLP_DIGIT_AT ? 1 : -1];

/* Leaves the kernel, and is a macro for that, which saves a work-group without work its barriers.
 * Not on CPUs: behind a return PoCL 3.1 takes loops for uniform, and goes beyond their ends. */
#if CLP_RETURNS
#define CLP_RETURN_UNLESS(condition)                                                               \
    if (!(condition)) return;
#else
#define CLP_RETURN_UNLESS(condition)
#endif

/* ---- A tile in order ---- */

typedef struct clp_sorter {
    local CLP_K *keys;
    local uint *order; /* if CLP_PACKS */
    local uint *counters; /* rows of CLP_DIGITS words: a team's counters in half of each */
    local uint *begins; /* of each digit, in order */
    local uint *is_bad;
    /* The pass is read anew for each step: else compilers keep what follows from it for each key,
     * and registers are few. */
    volatile local uint *pass;
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

CLP_INLINE void clp_clear_tile(const clp_sorter *sorter, uint pass) {
    const uint lane = (uint)get_local_id(0);
    for (uint i = lane; i < CLP_TEAM_ROWS * CLP_DIGITS; i += CLP_GROUP) sorter->counters[i] = 0;
    if (lane == 0) *sorter->is_bad = 0;
    if (lane == 0) *sorter->pass = pass;
}

/* The work-item's keys, 0 behind the last. All are loaded before one is used, as a GPU waits as
 * long for one as for many. */
CLP_INLINE void clp_load_tile(CLP_K *own, const global CLP_K *keys, uint count) {
    CLP_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) {
        own[j] = clp_item(j) < count ? keys[clp_item(j)] : 0;
    }
}

/* What a tile is in order of: digits and numbers; or keys without the bits above their digit. */
#if CLP_PACKS
typedef uint clp_rank;
CLP_INLINE clp_rank clp_rank_of(CLP_K key, uint item, uint pass) {
    return clp_digit(key, pass) << CLP_DIGIT_AT | item;
}

CLP_INLINE clp_rank clp_rank_at(const clp_sorter *sorter, uint slot, uint pass) {
    return sorter->order[slot];
}
#else
typedef CLP_K clp_rank;
CLP_INLINE clp_rank clp_rank_of(CLP_K key, uint item, uint pass) {
    const uint end = min((pass + 1) * CLP_BITS, (uint)CLP_END_BIT);
    return (CLP_K)(clp_ordered(key) << (8 * CLP_K_BYTES - end));
}

CLP_INLINE clp_rank clp_rank_at(const clp_sorter *sorter, uint slot, uint pass) {
    return clp_rank_of(sorter->keys[slot], 0, pass);
}
#endif

CLP_INLINE uint clp_digit_at(const clp_sorter *sorter, uint slot, uint pass) {
#if CLP_PACKS
    return sorter->order[slot] >> CLP_DIGIT_AT;
#else
    return clp_digit(sorter->keys[slot], pass);
#endif
}

/* The digit of the work-item's key j: the last one of what stands behind the tile's keys. */
CLP_INLINE uint clp_digit_in(CLP_K key, uint j, uint count, uint pass) {
    return clp_item(j) < count ? clp_digit(key, pass) : CLP_DIGITS - 1;
}

/* turns: of each of the work-item's keys among those of its team with the same digit, as the
 * atomics of the two teams that share the counter are served. */
CLP_INLINE void clp_count_tile(const clp_sorter *sorter, const CLP_K *own, uint *turns,
                               uint count) {
    const uint bits = clp_team_bits(), pass = *sorter->pass;
    CLP_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) {
        local uint *counter = clp_counter_of(sorter, clp_digit_in(own[j], j, count, pass));
        turns[j] = atomic_add(counter, 1u << bits) >> bits & 0xffff;
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

/* Where the keys behind the digit's begin. */
CLP_INLINE uint clp_end_of_digit(const clp_sorter *sorter, uint digit, uint count) {
    return digit + 1 < CLP_DIGITS ? sorter->begins[digit + 1] : count;
}

/* Where the keys of the digit behind the team's begin. */
CLP_INLINE uint clp_end_of(const clp_sorter *sorter, uint digit, uint count) {
    const uint next = clp_team() + 1;
    if (next * CLP_LANES >= CLP_GROUP) return clp_end_of_digit(sorter, digit, count);
    return sorter->counters[next / 2 * CLP_DIGITS + digit] >> next % 2 * 16 & 0xffff;
}

CLP_INLINE void clp_put_tile(const clp_sorter *sorter, const CLP_K *own, const uint *turns,
                             uint count) {
    const uint pass = *sorter->pass;
    CLP_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) {
        const uint slot = clp_begin_of(sorter, clp_digit_in(own[j], j, count, pass)) + turns[j];
        CLP_ASSERT(slot < CLP_TILE);
        if (CLP_PACKS) sorter->order[slot] = clp_rank_of(own[j], clp_item(j), pass);
        sorter->keys[slot] = own[j];
    }
}

CLP_INLINE void clp_check_tile(const clp_sorter *sorter, uint count) {
    const uint pass = *sorter->pass;
    bool bad = false;
    for (uint slot = (uint)get_local_id(0); slot + 1 < count; slot += CLP_GROUP) {
        bad |= clp_rank_at(sorter, slot, pass) > clp_rank_at(sorter, slot + 1, pass);
    }
    if (bad) *sorter->is_bad = 1; /* the value that other work-items store */
}

/* The turns by the ranks, in a tile that is out of order: a key's own slot tells it from its
 * equals. What stands behind the keys keeps its turn. */
CLP_INLINE void clp_find_turns(const clp_sorter *sorter, const CLP_K *own, uint *turns,
                               uint count) {
    const uint pass = *sorter->pass;
    CLP_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) {
        const uint digit = clp_digit_in(own[j], j, count, pass),
                   begin = clp_begin_of(sorter, digit);
        const uint slot = begin + turns[j], end = clp_end_of(sorter, digit, count);
        const clp_rank rank = clp_rank_of(own[j], clp_item(j), pass);
        uint turn = 0;
        CLP_NO_UNROLL
        for (uint i = begin; i < end; i++) {
            const clp_rank other = clp_rank_at(sorter, i, pass);
            turn += other < rank || (other == rank && i < slot);
        }
        if (clp_item(j) < count) turns[j] = turn;
    }
}

/* Declares what sorts a tile. */
#define CLP_SORTED_TILE                                                                            \
    local CLP_K keys[CLP_TILE];                                                                    \
    local uint order[CLP_PACKS ? CLP_TILE : 1];                                                    \
    local uint counters[CLP_TEAM_ROWS * CLP_DIGITS];                                               \
    local uint begins[CLP_DIGITS], is_bad;                                                         \
    volatile local uint read_pass;                                                                 \
    local CLP_COUNT sums[2 * CLP_GROUP];                                                           \
    const clp_sorter sorter = {keys, order, counters, begins, &is_bad, &read_pass};                \
    CLP_K own[CLP_ITEMS];                                                                          \
    uint turns[CLP_ITEMS];

/* Finds where the digits of the caller's `own` keys begin. The caller has cleared the counters,
 * with a barrier behind. Macros, as barriers stand at a kernel's top level. */
#define CLP_COUNT_BY_DIGIT                                                                         \
    clp_count_tile(&sorter, own, turns, count);                                                    \
    barrier(CLK_LOCAL_MEM_FENCE); /* counters, counted above, summed below */                      \
    sums[get_local_id(0)] = clp_sum_digits(&sorter);                                               \
    barrier(CLK_LOCAL_MEM_FENCE); /* sums, with the first round */                                 \
    CLP_EACH_ROUND(CLP_ADD_LOWER)                                                                  \
    clp_set_begins(&sorter, (uint)clp_sum_before(sums));                                           \
    barrier(CLK_LOCAL_MEM_FENCE); /* counters and begins, set above, read below */

/* Then sorts them into keys[] and order[]. */
#define CLP_SORT_BY_DIGIT                                                                          \
    clp_put_tile(&sorter, own, turns, count);                                                      \
    barrier(CLK_LOCAL_MEM_FENCE); /* keys and order, written above, checked below */               \
    clp_check_tile(&sorter, count);                                                                \
    barrier(CLK_LOCAL_MEM_FENCE); /* is_bad, written above, read below */                          \
    if (is_bad != 0) clp_find_turns(&sorter, own, turns, count);                                   \
    barrier(CLK_LOCAL_MEM_FENCE); /* keys and order, read above, written below */                  \
    if (is_bad != 0) clp_put_tile(&sorter, own, turns, count);                                     \
    barrier(CLK_LOCAL_MEM_FENCE); /* keys and order, with what follows */

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
    clp_clear_tile(&sorter, pass);                                                                 \
    barrier(CLK_LOCAL_MEM_FENCE); /* counters, cleared above, counted below */                     \
    CLP_COUNT_BY_DIGIT                                                                             \
    CLP_SORT_BY_DIGIT                                                                              \
    if (CLP_PACKS) clp_take_items(items, order, count, own_items);                                 \
    clp_take_sorted(keys, count, own);                                                             \
    barrier(CLK_LOCAL_MEM_FENCE); /* items, order and keys, read above, written below */           \
    if (CLP_PACKS) clp_leave_items(items, count, own_items);

/* A tile at most, by one work-group, which has read all before it writes to the output: in place
 * the spare copies take it first. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_single(CLP_ARRAY_PARAMETERS, CLP_N_REPORT_PARAMETERS, uint in_place) {
    const ulong n = CLP_N_REPORTED;
    CLP_SORTED_TILE
    local ushort items[CLP_PACKS ? CLP_TILE : 1];
    ushort own_items[CLP_ITEMS];
    const uint lane = (uint)get_local_id(0), count = (uint)n;
    const ulong first = 0;
    clp_role role;
    clp_load_tile(own, keys_in + keys_in_first, count);
    CLP_UNROLL
    for (uint j = 0; CLP_PACKS && j < CLP_ITEMS; j++) items[clp_item(j)] = (ushort)clp_item(j);
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
