/* SPDX-License-Identifier: MIT */
/*
 * A pass by tiles, on any GPU: count the digits of each tile, scan the counts of all tiles,
 * scatter. Three launches, because no work-group may wait for another one here.
 *
 * To scatter, a work-group sorts its tile of CLP_ITEMS keys a work-item by the digit in local
 * memory, so that the keys of one digit are written side by side (Satish, Harris, Garland 2009). It
 * takes two stable splits of four bits: each work-item counts the values of its items' bits in a
 * column of its own, which needs no atomics; the columns are scanned, value by value; each item
 * moves to its place. What moves are words: the digit above the key's number in the tile. Then the
 * keys are written from local memory, and values from the tile's place in memory.
 *
 * Local memory: `keys`, the tile; `order`, its words; `columns`, counts, then places, of each value
 * and work-item; `sums`, the scan of the columns. One work-group does all passes of few keys alone
 * (clp_sort_single).
 */
#define CLP_TILE (CLP_GROUP * CLP_ITEMS)
#define CLP_PLACES 16 /* of a split: values of four bits */
#define CLP_DIGIT_AT 16 /* in a word */
#define CLP_NO_DIGIT 0xffu /* of items beyond the last key, which stay last */
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

/* ---- Splits ---- */

/* columns: a word a work-item and two values, v in its lower half and v + CLP_PAIRS in its upper
 * half. So each work-item of a sub-group has a bank of local memory of its own. */
#define CLP_PAIRS (CLP_PLACES / 2)

typedef struct clp_splitter {
    local CLP_K *keys;
    local uint *order; /* CLP_TILE words */
    local uint8 *columns; /* CLP_GROUP vectors: counts, then places */
} clp_splitter;

/* The work-item's own column of the value that the word has at `shift`, and the bits below its
 * half of that. */
CLP_INLINE local uint *clp_column_of(const clp_splitter *splitter, uint word, uint shift) {
    const uint column = (word >> shift & (CLP_PAIRS - 1)) * CLP_GROUP + (uint)get_local_id(0);
    return (local uint *)splitter->columns + column;
}

CLP_INLINE uint clp_half_of(uint word, uint shift) {
    return (word >> shift & CLP_PAIRS) != 0 ? 16 : 0;
}

/* turns: of each item among the work-item's own with the same bits. */
CLP_INLINE void clp_split_count(const clp_splitter *splitter, const uint *words, uint *turns,
                                uint shift) {
    local uint *columns = (local uint *)splitter->columns;
    CLP_UNROLL
    for (uint p = 0; p < CLP_PAIRS; p++) columns[p * CLP_GROUP + (uint)get_local_id(0)] = 0;
    CLP_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) {
        local uint *column = clp_column_of(splitter, words[j], shift);
        const uint counts = *column, low = clp_half_of(words[j], shift);
        turns[j] = counts >> low & 0xffff;
        *column = counts + (1u << low);
    }
}

/* Each work-item takes words that follow each other, and adds both of their halves at once. */
CLP_INLINE void clp_split_sum(const clp_splitter *splitter, local CLP_COUNT *sums) {
    const uint lane = (uint)get_local_id(0);
    const uint8 counts = splitter->columns[lane];
    const uint4 four = counts.lo + counts.hi;
    sums[lane] = four.x + four.y + four.z + four.w;
}

/* The upper halves' values follow all lower ones. */
CLP_INLINE void clp_split_set(const clp_splitter *splitter, const local CLP_COUNT *sums) {
    const uint lane = (uint)get_local_id(0);
    const uint all = (uint)sums[CLP_SUMS_AT + CLP_GROUP - 1];
    uint at = (uint)clp_sum_before(sums) + (all << 16), places[CLP_PAIRS];
    vstore8(splitter->columns[lane], 0, places);
    CLP_UNROLL
    for (uint p = 0; p < CLP_PAIRS; p++) {
        const uint counts = places[p];
        places[p] = at;
        at += counts;
    }
    splitter->columns[lane] = vload8(0, places);
}

CLP_INLINE void clp_split_move(const clp_splitter *splitter, const uint *words, const uint *turns,
                               uint shift) {
    CLP_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) {
        const uint places = *clp_column_of(splitter, words[j], shift);
        const uint place = (places >> clp_half_of(words[j], shift) & 0xffff) + turns[j];
        CLP_ASSERT(place < CLP_TILE);
        splitter->order[place] = words[j];
    }
}

/* The work-item's words, which follow each other. */
CLP_INLINE void clp_split_take(const clp_splitter *splitter, uint *words) {
    const uint first = (uint)get_local_id(0) * CLP_ITEMS;
    CLP_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) words[j] = splitter->order[first + j];
}

/* Sorts the caller's `words` by four bits, and leaves them in splitter.order as well. A macro, as
 * barriers stand at a kernel's top level. */
#define CLP_SPLIT(shift)                                                                           \
    clp_split_count(&splitter, words, turns, shift);                                               \
    barrier(CLK_LOCAL_MEM_FENCE); /* columns: clp_split_count with clp_split_sum */                \
    clp_split_sum(&splitter, sums);                                                                \
    barrier(CLK_LOCAL_MEM_FENCE); /* sums: clp_split_sum with the first round */                   \
    CLP_EACH_ROUND(CLP_ADD_LOWER)                                                                  \
    clp_split_set(&splitter, sums);                                                                \
    barrier(CLK_LOCAL_MEM_FENCE); /* columns: clp_split_set with clp_split_move */                 \
    clp_split_move(&splitter, words, turns, shift);                                                \
    barrier(CLK_LOCAL_MEM_FENCE); /* order: clp_split_move with clp_split_take */                  \
    clp_split_take(&splitter, words);

#if CLP_BITS > 4
#define CLP_SPLIT_DIGIT                                                                            \
    CLP_SPLIT(CLP_DIGIT_AT)                                                                        \
    CLP_SPLIT(CLP_DIGIT_AT + 4)
#else
#define CLP_SPLIT_DIGIT CLP_SPLIT(CLP_DIGIT_AT)
#endif

/* Declares what CLP_SPLIT uses. */
#define CLP_SPLITTER                                                                               \
    local CLP_K keys[CLP_TILE];                                                                    \
    local uint order[CLP_TILE];                                                                    \
    local uint8 columns[CLP_GROUP];                                                                \
    local CLP_COUNT sums[2 * CLP_GROUP];                                                           \
    const clp_splitter splitter = {keys, order, columns};                                          \
    uint words[CLP_ITEMS], turns[CLP_ITEMS];

/* ---- Tiles ---- */

/* The work-item's keys, a row of the work-group each; 0 behind the last. All are loaded before one
 * is used, as a GPU waits as long for one as for many. */
CLP_INLINE void clp_load_tile(CLP_K *own, const global CLP_K *keys, uint count) {
    CLP_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) {
        const uint item = j * CLP_GROUP + (uint)get_local_id(0);
        own[j] = item < count ? keys[item] : 0;
    }
}

CLP_INLINE uint clp_count_of_tile(ulong tile, ulong n) {
    return tile * CLP_TILE < n ? (uint)min((ulong)CLP_TILE, n - tile * CLP_TILE) : 0;
}

/* Leaves the tile in local memory, and words that number its items. */
CLP_INLINE void clp_open_tile(const clp_splitter *splitter, uint *words, const global CLP_K *keys,
                              uint count) {
    const uint lane = (uint)get_local_id(0);
    CLP_K own[CLP_ITEMS];
    clp_load_tile(own, keys, count);
    CLP_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) {
        splitter->keys[j * CLP_GROUP + lane] = own[j];
        words[j] = lane * CLP_ITEMS + j;
    }
}

CLP_INLINE void clp_set_digits(const clp_splitter *splitter, uint *words, uint count, uint pass) {
    CLP_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) {
        const uint item = clp_item_of(words[j]);
        const uint digit = item < count ? clp_digit(splitter->keys[item], pass) : CLP_NO_DIGIT;
        words[j] = digit << CLP_DIGIT_AT | item;
    }
}

/* Sorts the caller's `words` by a digit, in the kernel's `order`. */
#define CLP_SORT_BY_DIGIT(pass)                                                                    \
    clp_set_digits(&splitter, words, count, pass);                                                 \
    CLP_SPLIT_DIGIT

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
        const uint item = j * CLP_GROUP + (uint)get_local_id(0);
        if (item < count) atomic_inc(&counts[clp_digit(own[j], pass)]);
    }
}

/* Whether one of the work-item's keys in the tile is less than the one before it, of all keys. */
CLP_INLINE bool clp_falls_in(const CLP_K *own, const global CLP_K *keys, ulong tile, uint count) {
    bool falls = false;
    CLP_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) {
        const uint item = j * CLP_GROUP + (uint)get_local_id(0);
        const ulong place = tile * CLP_TILE + item;
        if (!falls && item < count && place > 0) {
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

/* Of one pass, as counts[digit][tile]. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_count(const global CLP_K *keys_in, ulong keys_in_first, const global CLP_K *keys_out,
                    ulong keys_out_first, const global CLP_K *keys_spare, CLP_N_PARAMETERS,
                    uint pass, uint in_place, const global uint *live,
                    const global CLP_COUNT *digits, global CLP_COUNT *counts, ulong tiles) {
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
            counts[d * tiles + tile] = found[d];
        }
    }
}

/* A work-group a digit: its counts become places in the output. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_rows(global CLP_COUNT *counts, ulong tiles, uint pass, const global CLP_COUNT *bases,
                   const global uint *live, CLP_N_PARAMETERS) {
    const ulong used = (CLP_N + CLP_TILE - 1) / CLP_TILE;
    local CLP_COUNT sums[2 * CLP_GROUP];
    const uint lane = (uint)get_local_id(0), digit = (uint)get_group_id(0);
    const ulong share =
        (clp_live_passes(live) >> pass & 1) == 0 ? 0 : (used + CLP_GROUP - 1) / CLP_GROUP;
    const ulong first = min(used, lane * share), end = min(used, first + share);
    global CLP_COUNT *row = counts + digit * tiles;
    CLP_COUNT sum = 0;
    for (ulong tile = first; tile < end; tile++) sum += row[tile];
    sums[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE); /* sums, with the first round */
    CLP_EACH_ROUND(CLP_ADD_LOWER)
    CLP_COUNT at = bases[pass * CLP_DIGITS + digit] + clp_sum_before(sums);
    for (ulong tile = first; tile < end; tile++) {
        const CLP_COUNT count = row[tile];
        row[tile] = at;
        at += count;
    }
}

/* ---- Scatter ---- */

/* Moves each word's item to its place, CLP_PLACE, which the kernel defines. */
#define CLP_VALUE_TO_PLACE(k)                                                                      \
    for (uint slot = lane; slot < count; slot += CLP_GROUP) {                                      \
        const ulong item = first + clp_item_of(order[slot]);                                       \
        to##k[CLP_PLACE(slot)] = CLP_VALUE##k##_AT(from##k, makes, item);                          \
    }
#define CLP_TO_PLACES                                                                              \
    for (uint slot = lane; keeps && slot < count; slot += CLP_GROUP) {                             \
        CLP_ASSERT(CLP_PLACE(slot) < n);                                                           \
        to[CLP_PLACE(slot)] = keys[clp_item_of(order[slot])];                                      \
    }                                                                                              \
    CLP_EACH_VALUE(CLP_VALUE_TO_PLACE)

#define CLP_MOVE_ALL                                                                               \
    do {                                                                                           \
        CLP_MOVES                                                                                  \
        CLP_TO_PLACES                                                                              \
    } while (0)

#define CLP_PLACE(slot) ((CLP_COUNT)(moves[order[slot] >> CLP_DIGIT_AT] + (slot)))
/* A work-group a tile. counts: the place of the tile's first key of each digit. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_scatter(CLP_ARRAY_PARAMETERS, CLP_N_PARAMETERS, uint pass, uint in_place,
                      const global uint *live, const global CLP_COUNT *counts, ulong tiles) {
    const ulong n = CLP_N;
    CLP_SPLITTER
    local CLP_COUNT moves[CLP_DIGITS]; /* from a slot of order to a place in memory, per digit */
    const clp_role role = clp_role_of(clp_live_passes(live), pass, in_place);
    CLP_RETURN_UNLESS(role.runs)
    const uint lane = (uint)get_local_id(0);
    CLP_MOVES
    CLP_EACH_TILE {
        const ulong first = tile * CLP_TILE;
        const uint count = role.runs ? clp_count_of_tile(tile, n) : 0;
        clp_open_tile(&splitter, words, from + first, count);
        barrier(CLK_LOCAL_MEM_FENCE); /* keys: clp_open_tile with clp_set_digits */
        CLP_SORT_BY_DIGIT(pass)
        for (uint slot = lane; slot < count; slot += CLP_GROUP) {
            const uint digit = order[slot] >> CLP_DIGIT_AT;
            if (slot == 0 || order[slot - 1] >> CLP_DIGIT_AT != digit) {
                moves[digit] = counts[digit * tiles + tile] - slot;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* moves, written above, read below */
        CLP_TO_PLACES
        barrier(CLK_LOCAL_MEM_FENCE); /* keys, order and moves, with the next tile */
    }
}
#undef CLP_PLACE

/* ---- Few keys ---- */

#define CLP_PLACE(slot) (slot)
/* A tile at most, by one work-group, which has read all before it writes to the output: in place
 * the spare copies take it first. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_single(CLP_ARRAY_PARAMETERS, CLP_N_REPORT_PARAMETERS, uint in_place) {
    const ulong n = CLP_N_REPORTED;
    CLP_SPLITTER
    const uint lane = (uint)get_local_id(0), count = (uint)n;
    const ulong first = 0;
    clp_role role;
    clp_open_tile(&splitter, words, keys_in + keys_in_first, count);
    barrier(CLK_LOCAL_MEM_FENCE); /* keys, as in clp_sort_scatter */
    CLP_EACH_PASS(CLP_SORT_BY_DIGIT)
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
#undef CLP_PLACE
