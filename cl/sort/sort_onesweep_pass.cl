/* SPDX-License-Identifier: MIT */
/* Onesweep: ranks within a tile, how a tile is written, and the kernel of a pass. */

/* ---- Ranks ---- */

/* Which lanes have this one's digit. */
CLP_INLINE uint clp_match(uint digit_at, const clp_ranker *ranker) {
#if CLP_BY_TABLES
    return clp_match_by_tables(digit_at, ranker->not_bits);
#else
    return clp_match_by_ballots(digit_at);
#endif
}

CLP_INLINE void clp_match_rows(const CLP_K *keys, clp_cut cut, const clp_ranker *ranker,
                               uint *lanes) {
    CLP_UNROLL
    for (uint g = 0; g < CLP_MATCHED; g++) {
        lanes[g] = clp_match(clp_digit_at(keys[g], cut, 0, false), ranker);
    }
}

/* The slot of a key; the last lane with its digit moves the counter on. */
CLP_INLINE uint clp_take_slot(CLP_K key, clp_cut cut, uint lanes, const clp_ranker *ranker) {
    const uint counter = clp_digit_at(key, cut, ranker->counters, false);
    const uint slot = clp_load_at(counter) + popcount(lanes & ranker->below) * CLP_SLOT;
    clp_subgroup_barrier(); /* counters, read above, written below */
    if ((lanes & ranker->above) == 0) clp_store_at(counter, slot + CLP_SLOT);
    clp_subgroup_barrier(); /* counters, written above, read for the next row */
    return slot;
}

#if CLP_VALUES == 0
/* Keys alone: a slot is an address. */
CLP_INLINE void clp_rank_by_ballots(const clp_ranker *ranker, const CLP_K *keys) {
    const clp_cut cut = clp_cut_anew(ranker->cut);
    CLP_UNROLL
    for (uint i = 0; i < CLP_ITEMS; i += CLP_MATCHED) {
        uint lanes[CLP_MATCHED];
        clp_match_rows(keys + i, cut, ranker, lanes);
        CLP_UNROLL
        for (uint g = 0; g < CLP_MATCHED; g++) {
            clp_store_at(clp_take_slot(keys[i + g], cut, lanes[g], ranker), keys[i + g]);
        }
    }
}

/* Tests have keys of neighbours exchanged, as if atomics were not served in the order of lanes. */
#if CLP_DISORDER
CLP_INLINE CLP_K clp_served(CLP_K key) {
    const uint from = clp_lane() ^ 1;
#if CLP_K_BYTES == 8
    const uint high = clp_shuffle_word((uint)(key >> 32), from);
    return (ulong)high << 32 | clp_shuffle_word((uint)key, from);
#else
    return (CLP_K)clp_shuffle_word(key, from);
#endif
}
#else
#define clp_served(key) (key)
#endif

#define CLP_ADDED 8 /* rows of keys at once */

/* Keys of which none is one of many. */
CLP_INLINE void clp_rank_by_atomics(const clp_ranker *ranker, const CLP_K *keys) {
    const clp_cut cut = clp_cut_anew(ranker->cut);
    CLP_UNROLL
    for (uint i = 0; i < CLP_ITEMS; i += CLP_ADDED) {
        CLP_K served[CLP_ADDED];
        uint slots[CLP_ADDED];
        CLP_UNROLL
        for (uint g = 0; g < CLP_ADDED && i + g < CLP_ITEMS; g++) {
            served[g] = clp_served(keys[i + g]);
            slots[g] = clp_add_at(clp_digit_at(served[g], cut, ranker->counters, true), CLP_SLOT);
        }
        CLP_UNROLL
        for (uint g = 0; g < CLP_ADDED && i + g < CLP_ITEMS; g++) {
            clp_store_at(slots[g], served[g]);
        }
    }
}

/* ---- The order of a tile ---- */

/* Whether a must come behind b, by the bits up to this digit; no key is one of many. */
CLP_INLINE bool clp_is_behind(CLP_K a, CLP_K b, uint unsorted) {
    const CLP_K flip = (CLP_ORDER == 1 ? CLP_TOP_BIT : 0) ^ (CLP_DESCENDING ? ~(CLP_K)0 : 0);
    return (CLP_K)((a ^ flip) << unsorted) > (CLP_K)((b ^ flip) << unsorted);
}

/* Puts the slots in order, by exchanges of neighbours. For devices whose atomics are not served in
 * the order of lanes: keys are a few slots away from their place. */
CLP_INLINE void clp_repair(const clp_room *room, uint unsorted) {
    bool again = true;
    while (again) {
        again = false;
        for (uint odd = 0; odd < 2; odd++) {
            for (uint slot = 2 * (uint)get_local_id(0) + odd; slot < CLP_TILE - odd;
                 slot += 2 * CLP_RANKING) {
                const CLP_K key = room->keys[slot], next = room->keys[slot + 1];
                if (clp_is_behind(key, next, unsorted)) {
                    room->keys[slot] = next;
                    room->keys[slot + 1] = key;
                    again = true;
                }
            }
            CLP_BARRIER_OF(CLP_BARRIER_WRITTEN, CLP_RANKERS); /* keys, of the other neighbours */
        }
        again = clp_any_of(CLP_BARRIER_WRITTEN, CLP_RANKERS, again);
    }
}
#endif

/* ---- Writing a tile ---- */

#define CLP_WRITTEN (CLP_ITEMS % 8 == 0 ? 8 : 4) /* keys of a work-item at once */

/* From a slot of the key's digit to its place, for a tile of that parity. */
CLP_INLINE CLP_PLACE clp_place_of_digit(const clp_room *room, CLP_K key, clp_cut cut, uint parity,
                                        bool plain) {
#if CLP_WIDE
    return room->places[parity * CLP_ROW + (clp_digit_at(key, cut, cut.flip, plain) >> 2)];
#else
    const uint row = clp_local_at(room->places) + 4 * CLP_ROW * parity;
    return (int)clp_load_at(clp_digit_at(key, cut, row ^ cut.flip, plain));
#endif
}

#if CLP_VALUES == 0
/* A whole tile of keys alone. Gives whether it is out of order, if checks. */
CLP_INLINE bool clp_write_keys(const clp_room *room, const clp_ranker *ranker, global CLP_K *to,
                               uint key_bytes, uint parity, bool checks) {
    const clp_cut cut = clp_cut_anew(ranker->cut);
    const uint t = (uint)get_local_id(0);
    const local CLP_K *slots = room->keys + t;
    global CLP_K *target = to + t;
    bool bad = false;
    CLP_NO_UNROLL
    for (uint i = 0; i < CLP_ITEMS; i += CLP_WRITTEN) {
        CLP_K keys[CLP_WRITTEN];
        CLP_PLACE places[CLP_WRITTEN];
        CLP_UNROLL
        for (uint g = 0; g < CLP_WRITTEN; g++) keys[g] = slots[g * CLP_RANKING];
        CLP_UNROLL
        for (uint g = 0; g < CLP_WRITTEN && checks; g++) {
            bad |= clp_is_behind(keys[g], slots[g * CLP_RANKING + 1], ranker->unsorted);
        }
        CLP_UNROLL
        for (uint g = 0; g < CLP_WRITTEN; g++) {
            places[g] = clp_place_of_digit(room, keys[g], cut, parity, checks);
        }
        CLP_UNROLL
        for (uint g = 0; g < CLP_WRITTEN; g++) {
#if CLP_WIDE
            global CLP_K *at = target + places[g];
#else
            global CLP_K *at = clp_element(target, places[g], key_bytes);
#endif
            at[g * CLP_RANKING] = clp_leave(keys[g], ranker->leaves);
        }
        slots += CLP_WRITTEN * CLP_RANKING;
        target += CLP_WRITTEN * CLP_RANKING;
    }
    return bad;
}

/* The last tile. */
CLP_INLINE void clp_write_some(const clp_room *room, const clp_ranker *ranker, global CLP_K *to,
                               uint count, uint parity) {
    CLP_NO_UNROLL
    for (uint slot = (uint)get_local_id(0); slot < count; slot += CLP_RANKING) {
        const CLP_K key = room->keys[slot];
        const CLP_PLACE place = clp_place_of_digit(room, key, ranker->cut, parity, false);
        to[(CLP_COUNT)(place + slot)] = clp_leave(key, ranker->leaves);
    }
}

CLP_INLINE bool clp_may_rank_by_atomics(const clp_ranker *ranker, uint count) {
    return CLP_SAME_IF_EQUAL && ranker->plain && count == CLP_TILE;
}

#define CLP_RANK_TILE                                                                              \
    if (clp_may_rank_by_atomics(&ranker, left))                                                    \
        clp_rank_by_atomics(&ranker, keys);                                                        \
    else                                                                                           \
        clp_rank_by_ballots(&ranker, keys);

/* A tile of that parity, which holds so many keys. */
CLP_INLINE void clp_write_tile(const clp_room *room, const clp_ranker *ranker, global CLP_K *to,
                               uint key_bytes, uint count, uint parity) {
    if (count < CLP_TILE) {
        clp_write_some(room, ranker, to, count, parity);
    } else if (!clp_may_rank_by_atomics(ranker, count)) {
        clp_write_keys(room, ranker, to, key_bytes, parity, false);
    } else {
        bool bad = clp_write_keys(room, ranker, to, key_bytes, parity, true);
        if (!clp_any_of(CLP_BARRIER_WRITTEN, CLP_RANKERS, bad)) return;
        clp_repair(room, ranker->unsorted);
        clp_write_keys(room, ranker, to, key_bytes, parity, true);
    }
}
#define CLP_WRITE_TILE(count, parity) clp_write_tile(&room, &ranker, to, key_bytes, count, parity);
#else
#define CLP_VALUE_TAKE(k)                                                                          \
    CLP_VALUE##k##_TYPE taken##k[CLP_MATCHED];                                                     \
    CLP_UNROLL                                                                                     \
    for (uint g = 0; g < CLP_MATCHED; g++) {                                                       \
        const uint item = item0 + 32 * (i + g);                                                    \
        if (item < left) taken##k[g] = CLP_VALUE##k##_AT(from##k, makes, first + item);            \
    }
#define CLP_VALUE_TO_SLOT(k) ordered##k[slot] = taken##k[g];

/* Values are read while lanes find each other. */
#define CLP_RANK_TILE                                                                              \
    {                                                                                              \
        const clp_cut cut = clp_cut_anew(ranker.cut);                                              \
        const uint item0 = clp_subgroup_number() * 32 * CLP_ITEMS + clp_lane();                    \
        CLP_UNROLL                                                                                 \
        for (uint i = 0; i < CLP_ITEMS; i += CLP_MATCHED) {                                        \
            uint lanes[CLP_MATCHED];                                                               \
            CLP_EACH_VALUE(CLP_VALUE_TAKE)                                                         \
            clp_match_rows(keys + i, cut, &ranker, lanes);                                         \
            CLP_UNROLL                                                                             \
            for (uint g = 0; g < CLP_MATCHED; g++) {                                               \
                const uint slot = clp_take_slot(keys[i + g], cut, lanes[g], &ranker);              \
                ordered[slot] = keys[i + g];                                                       \
                CLP_EACH_VALUE(CLP_VALUE_TO_SLOT)                                                  \
            }                                                                                      \
        }                                                                                          \
    }

#define CLP_VALUE_TO_PLACE(k)                                                                      \
    CLP_UNROLL                                                                                     \
    for (uint g = 0; g < CLP_WRITTEN; g++) {                                                       \
        const uint slot = slot0 + g * CLP_RANKING;                                                 \
        if (slot < count) to##k[places[g]] = ordered##k[slot];                                     \
    }

#define CLP_WRITE_TILE(keys_of_tile, parity)                                                       \
    {                                                                                              \
        const uint count = keys_of_tile;                                                           \
        const clp_cut cut = clp_cut_anew(ranker.cut);                                              \
        CLP_NO_UNROLL                                                                              \
        for (uint slot0 = t; slot0 < count; slot0 += CLP_WRITTEN * CLP_RANKING) {                  \
            CLP_K now[CLP_WRITTEN];                                                                \
            CLP_PLACE places[CLP_WRITTEN];                                                         \
            CLP_UNROLL                                                                             \
            for (uint g = 0; g < CLP_WRITTEN; g++) now[g] = ordered[slot0 + g * CLP_RANKING];      \
            CLP_UNROLL                                                                             \
            for (uint g = 0; g < CLP_WRITTEN; g++) {                                               \
                const uint slot = slot0 + g * CLP_RANKING;                                         \
                places[g] = clp_place_of_digit(&room, now[g], cut, parity, false) + slot;          \
                if (keeps && slot < count) to[places[g]] = clp_leave(now[g], ranker.leaves);       \
            }                                                                                      \
            CLP_EACH_VALUE(CLP_VALUE_TO_PLACE)                                                     \
        }                                                                                          \
    }
#endif

/* ---- A pass ---- */

#define CLP_ORDERED_ARRAY(k) local CLP_VALUE##k##_TYPE ordered##k[CLP_TILE];
#define CLP_VALUE_COPY(k) to##k[i] = CLP_VALUE##k##_AT(from##k, makes, i);

/* What the last pass does where no pass has anything to do. */
#define CLP_COPY_ALL                                                                               \
    for (ulong base = get_group_id(0) * 8 * CLP_GROUP; base < n; base += get_global_size(0) * 8) { \
        CLP_UNROLL                                                                                 \
        for (uint g = 0; g < 8; g++) {                                                             \
            const ulong i = base + g * CLP_GROUP + t;                                              \
            if (i < n) {                                                                           \
                if (keeps) to[i] = from[i];                                                        \
                CLP_EACH_VALUE(CLP_VALUE_COPY)                                                     \
            }                                                                                      \
        }                                                                                          \
    }

/* The next tile, behind the one of that number; tickets only grow. */
CLP_INLINE uint clp_next_tile(const clp_room *room, uint tile, uint ticket) {
    uint next;
    if (get_local_id(0) == 0) room->tickets[0] = ticket;
    clp_subgroup_barrier(); /* the first lane has written */
    do next = room->tickets[0];
    while (next == tile);
    clp_subgroup_barrier(); /* all lanes have read */
    return next;
}

/* Takes a tile's keys, counts and publishes its digits. */
CLP_INLINE void clp_count(const clp_room *room, const clp_ranker *ranker, const global CLP_K *from,
                          uint left, global CLP_COUNT *row, bool is_first, uint parity,
                          CLP_K *keys) {
    clp_clear_counters(room);
    clp_take_keys(from, left, ranker->enters, keys);
    if (CLP_HAS_MANY && !ranker->plain)
        clp_count_tile(keys, ranker, false);
    else
        clp_count_tile(keys, ranker, true);
    CLP_BARRIER_OF(CLP_BARRIER_COUNTED, CLP_RANKERS); /* counters, counted, summed below */
    if (get_local_id(0) < CLP_ROW) clp_publish_counts(room, row, is_first, parity);
}

/* states: of two passes, used in turn, so many rows each; a pass clears those of the next one.
 * key_bytes: CLP_K_BYTES. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_onesweep_pass(CLP_ARRAY_PARAMETERS, ulong n, uint pass, uint in_place,
                            global uint *live, const global CLP_COUNT *bases,
                            global CLP_COUNT *states, ulong rows, uint key_bytes) {
    local uint counters[CLP_RANKERS * CLP_ROW] __attribute__((aligned(1024)));
    local CLP_PLACE places[2 * CLP_ROW] __attribute__((aligned(1024)));
    local uint totals[2 * CLP_ROW] __attribute__((aligned(16)));
    local uint starts[2 * CLP_ROW] __attribute__((aligned(16)));
    local uint sums[CLP_ROW_GROUPS];
    volatile local uint tickets[3];
    local CLP_K ordered[CLP_TILE + 1] __attribute__((aligned(16))); /* and CLP_FILL */
    CLP_EACH_VALUE(CLP_ORDERED_ARRAY)
    const ulong mask = clp_live_passes(live);
    const bool copies = mask == 0 && pass == CLP_PASSES - 1 && in_place == 0;
    const clp_role role =
        mask == 0 ? clp_copy_role(mask, in_place) : clp_role_of(mask, pass, in_place);
    const uint t = (uint)get_local_id(0);
    CLP_MOVES
    if (copies) CLP_COPY_ALL
    if (mask == 0 || !role.runs) return;
    const uint tiles = (uint)((n + CLP_TILE - 1) / CLP_TILE);
    const uint turn = (uint)popcount(mask & ((1ul << pass) - 1)) & 1;
    global CLP_COUNT *state = states + turn * rows * CLP_ROW;
    global CLP_COUNT *next_state = states + (turn ^ 1) * rows * CLP_ROW;
    const clp_room room = {counters, totals, starts, places, sums, tickets, ordered};
    if (t == 0) tickets[0] = tickets[1] = atomic_inc(&live[CLP_TICKETS + pass]);
    if (t == 0) ordered[CLP_TILE] = CLP_FILL;
    barrier(CLK_LOCAL_MEM_FENCE); /* tickets and CLP_FILL, written above, read below */
    uint tile = tickets[0], before = tile;
    if (t >= CLP_RANKING) {
        clp_look(&room, bases + pass * CLP_ROW, state, tile, tiles);
        return;
    }
    const clp_ranker ranker = clp_ranker_of(&room, live, role, pass);
    for (uint parity = 0;; parity ^= 1) {
        CLP_K keys[CLP_ITEMS];
        const ulong first = (ulong)tile * CLP_TILE;
        const uint left = tile < tiles ? (uint)min(n - first, (ulong)CLP_TILE) : 0;
        if (left > 0) {
            const ulong row = (ulong)tile * CLP_ROW;
            clp_count(&room, &ranker, from + first, left, state + row, tile == 0, parity, keys);
            if (t < CLP_ROW) next_state[row + t] = 0;
        }
        if (t == 0) tickets[1 + parity] = tile;
        CLP_BARRIER_OF(CLP_BARRIER_TURN, CLP_GROUP / 32); /* starts, tickets; places of before */
        if (before != tile) {
            CLP_WRITE_TILE((uint)min(n - (ulong)before * CLP_TILE, (ulong)CLP_TILE), parity ^ 1)
        }
        if (left == 0) return;
        CLP_BARRIER_OF(CLP_BARRIER_WRITTEN, CLP_RANKERS); /* ordered, read above, written below */
        const uint ticket = t == 0 ? atomic_inc(&live[CLP_TICKETS + pass]) : 0;
        CLP_RANK_TILE
        before = tile;
        tile = clp_next_tile(&room, tile, ticket);
    }
}
