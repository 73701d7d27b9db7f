/* SPDX-License-Identifier: MIT */
/*
 * A pass by tiles, on any GPU: count the digits of each tile, scan the counts of all tiles,
 * scatter. Three launches, because no work-group may wait for another one here.
 *
 * To scatter, a work-group sorts its tile of CLP_ITEMS keys a work-item by the digit in local
 * memory, so that the keys of one digit are written side by side (Satish, Harris, Garland 2009). It
 * takes two stable splits of four bits: each work-item counts the values of its items' bits in a
 * column of its own, which needs no atomics; the columns are scanned, value by value; each item
 * moves to its place. What moves are words: the digit above the key's number in the tile. Then keys
 * and values are gathered from the tile's place in memory and written.
 *
 * Local memory: `order`, the tile's words; `columns`, counts, then places, of each value and
 * work-item; `sums`, the scan of the columns. One work-group does all passes of few keys alone
 * (clp_sort_single).
 */
#define CLP_TILE (CLP_GROUP * CLP_ITEMS)
#define CLP_PLACES 16 /* of a split: values of four bits */
#define CLP_DIGIT_AT 16 /* in a word */
#define CLP_NO_DIGIT 0xffu /* of items beyond the last key, which stay last */
typedef char clp_items_fit_a_word[CLP_TILE <= 1 << CLP_DIGIT_AT ? 1 : -1];

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
    local uint alike;
    const uint lane = (uint)get_local_id(0), pass = (uint)get_group_id(0);
    CLP_COUNT counts[CLP_LANE_DIGITS];
    CLP_COUNT sum = 0;
    for (uint j = 0; j < CLP_LANE_DIGITS; j++) {
        const uint digit = lane * CLP_LANE_DIGITS + j;
        counts[j] = 0;
        for (ulong c = 0; digit < CLP_DIGITS && c < counters; c++) {
            counts[j] += digits[(c * CLP_PASSES + pass) * CLP_DIGITS + digit];
        }
        sum += counts[j];
    }
    sums[lane] = sum;
    if (lane == 0) alike = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* sums and alike, with the first round and the loop below */
    CLP_EACH_ROUND(CLP_ADD_LOWER)
    CLP_COUNT at = clp_sum_before(sums);
    for (uint j = 0; j < CLP_LANE_DIGITS; j++) {
        const uint digit = lane * CLP_LANE_DIGITS + j;
        if (digit < CLP_DIGITS) bases[pass * CLP_DIGITS + digit] = at;
        if (counts[j] == n) atomic_inc(&alike); /* with other work-items */
        at += counts[j];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* alike, written above, read below */
    if (lane == 0) live[pass] = alike == 0;
}

/* ---- Splits ---- */

typedef struct clp_splitter {
    local uint *order; /* CLP_TILE words */
    local ushort *columns; /* counts, then places: of a value of four bits, of a work-item */
} clp_splitter;

CLP_INLINE uint clp_place_of(uint word, uint shift) {
    return (word >> shift & (CLP_PLACES - 1)) * CLP_GROUP + (uint)get_local_id(0);
}

/* turns: of each item among the work-item's own with the same bits. */
CLP_INLINE void clp_split_count(const clp_splitter *splitter, const uint *words, uint *turns,
                                uint shift) {
    const uint lane = (uint)get_local_id(0);
    CLP_UNROLL
    for (uint p = 0; p < CLP_PLACES; p++) splitter->columns[p * CLP_GROUP + lane] = 0;
    CLP_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) {
        turns[j] = splitter->columns[clp_place_of(words[j], shift)]++;
    }
}

/* Each work-item takes CLP_PLACES counts that follow each other. */
CLP_INLINE void clp_split_sum(const clp_splitter *splitter, local CLP_COUNT *sums) {
    const uint lane = (uint)get_local_id(0);
    uint sum = 0;
    CLP_UNROLL
    for (uint p = 0; p < CLP_PLACES; p++) sum += splitter->columns[lane * CLP_PLACES + p];
    sums[lane] = sum;
}

CLP_INLINE void clp_split_set(const clp_splitter *splitter, const local CLP_COUNT *sums) {
    const uint lane = (uint)get_local_id(0);
    uint at = (uint)clp_sum_before(sums);
    CLP_UNROLL
    for (uint p = 0; p < CLP_PLACES; p++) {
        const uint count = splitter->columns[lane * CLP_PLACES + p];
        splitter->columns[lane * CLP_PLACES + p] = (ushort)at;
        at += count;
    }
}

CLP_INLINE void clp_split_move(const clp_splitter *splitter, const uint *words, const uint *turns,
                               uint shift) {
    CLP_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) {
        const uint place = splitter->columns[clp_place_of(words[j], shift)] + turns[j];
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

/* Sorts splitter.order by four bits of its words, from and to the caller's `words`. A macro, as
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
    local uint order[CLP_TILE];                                                                    \
    local ushort columns[CLP_PLACES * CLP_GROUP];                                                  \
    local CLP_COUNT sums[2 * CLP_GROUP];                                                           \
    const clp_splitter splitter = {order, columns};                                                \
    uint words[CLP_ITEMS], turns[CLP_ITEMS];

/* ---- Counts ---- */

/* Of all passes; work-groups take turns. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_digits(const global CLP_K *keys, ulong keys_first, CLP_N_REPORT_PARAMETERS,
                     ulong counters, global CLP_COUNT *digits) {
    const ulong n = CLP_N_REPORTED;
    local uint counts[CLP_PASSES * CLP_DIGITS];
    const uint lane = (uint)get_local_id(0);
    for (uint i = lane; i < CLP_PASSES * CLP_DIGITS; i += CLP_GROUP) counts[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* counts, cleared above, counted below */
    for (ulong i = get_global_id(0); i < n; i += counters * CLP_GROUP) {
        const CLP_K key = keys[keys_first + i];
        CLP_UNROLL
        for (uint pass = 0; pass < CLP_PASSES; pass++) {
            atomic_inc(&counts[pass * CLP_DIGITS + clp_digit(key, pass)]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* counts, counted above, read below */
    global CLP_COUNT *own = digits + get_group_id(0) * CLP_PASSES * CLP_DIGITS;
    for (uint i = lane; i < CLP_PASSES * CLP_DIGITS; i += CLP_GROUP) own[i] = counts[i];
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
    const ulong tile = get_group_id(0);
    const clp_role role = clp_role_of(clp_live_passes(live), pass, in_place);
    const ulong end = role.runs ? min(n, (tile + 1) * CLP_TILE) : 0;
    const global CLP_K *from =
        CLP_CHOOSE(role.from, keys_in, keys_in_first, keys_out, keys_out_first, keys_spare);
    for (uint d = lane; d < CLP_DIGITS; d += CLP_GROUP) found[d] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* found, cleared above, counted below */
    for (ulong i = tile * CLP_TILE + lane; i < end; i += CLP_GROUP) {
        atomic_inc(&found[clp_digit(from[i], pass)]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* found, counted above, read below */
    if (!role.runs) return;
    for (uint d = lane; d < CLP_DIGITS; d += CLP_GROUP) counts[d * tiles + tile] = found[d];
}

/* A work-group a digit: its counts become places in the output. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_rows(global CLP_COUNT *counts, ulong tiles, uint pass, const global CLP_COUNT *bases,
                   const global uint *live) {
    local CLP_COUNT sums[2 * CLP_GROUP];
    const uint lane = (uint)get_local_id(0), digit = (uint)get_group_id(0);
    const ulong share =
        (clp_live_passes(live) >> pass & 1) == 0 ? 0 : (tiles + CLP_GROUP - 1) / CLP_GROUP;
    const ulong first = min(tiles, lane * share), end = min(tiles, first + share);
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
        to[CLP_PLACE(slot)] = from[first + clp_item_of(order[slot])];                              \
    }                                                                                              \
    CLP_EACH_VALUE(CLP_VALUE_TO_PLACE)

#define CLP_MOVE_ALL                                                                               \
    do {                                                                                           \
        CLP_MOVES                                                                                  \
        CLP_TO_PLACES                                                                              \
    } while (0)

CLP_INLINE void clp_set_order(local uint *order, const global CLP_K *keys, uint count, uint pass) {
    for (uint item = (uint)get_local_id(0); item < CLP_TILE; item += CLP_GROUP) {
        const uint digit = item < count ? clp_digit(keys[item], pass) : CLP_NO_DIGIT;
        order[item] = digit << CLP_DIGIT_AT | item;
    }
}

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
    const ulong tile = get_group_id(0), first = tile * CLP_TILE;
    const uint count = role.runs && first < n ? (uint)min((ulong)CLP_TILE, n - first) : 0;
    CLP_MOVES
    clp_set_order(order, from + first, count, pass);
    barrier(CLK_LOCAL_MEM_FENCE); /* order: clp_set_order with clp_split_take */
    clp_split_take(&splitter, words);
    CLP_SPLIT_DIGIT
    for (uint slot = lane; slot < count; slot += CLP_GROUP) {
        const uint digit = order[slot] >> CLP_DIGIT_AT;
        if (slot == 0 || order[slot - 1] >> CLP_DIGIT_AT != digit) {
            moves[digit] = counts[digit * tiles + tile] - slot;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* moves, written above, read below */
    CLP_TO_PLACES
}
#undef CLP_PLACE

/* ---- Few keys ---- */

CLP_INLINE void clp_set_digits(uint *words, const global CLP_K *keys, uint count, uint pass) {
    CLP_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) {
        const uint item = clp_item_of(words[j]);
        const uint digit = item < count ? clp_digit(keys[item], pass) : CLP_NO_DIGIT;
        words[j] = digit << CLP_DIGIT_AT | item;
    }
}

/* Sorts the caller's `words` by a digit, in the kernel's `order`. */
#define CLP_SORT_BY_DIGIT(pass)                                                                    \
    clp_set_digits(words, keys, count, pass);                                                      \
    CLP_SPLIT_DIGIT

#define CLP_PLACE(slot) (slot)
/* A tile at most, by one work-group, which has read all before it writes to the output: in place
 * the spare copies take it first. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_single(CLP_ARRAY_PARAMETERS, CLP_N_REPORT_PARAMETERS, uint in_place) {
    const ulong n = CLP_N_REPORTED;
    CLP_SPLITTER
    const uint lane = (uint)get_local_id(0), count = (uint)n;
    const ulong first = 0;
    const global CLP_K *keys = keys_in + keys_in_first;
    clp_role role;
    CLP_UNROLL
    for (uint j = 0; j < CLP_ITEMS; j++) words[j] = lane * CLP_ITEMS + j;
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
