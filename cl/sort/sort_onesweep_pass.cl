/* SPDX-License-Identifier: MIT */
/*
 * Onesweep: ranks within a tile, how a tile is written, and the kernel of a pass, whose method and
 * waiting sort_onesweep.cl explains. The many arrays of values make macros of what would be
 * functions: they name the kernel's in##k, out##k and ordered##k.
 */

/* ---- Ranks ---- */

/* Tests have neighbours exchange their keys, as if atomics were not served in the order of lanes.
 */
CLP_INLINE CLP_K clp_served(CLP_K key) {
#if !CLP_DISORDER
    return key;
#elif CLP_K_BYTES == 8
    return clp_shuffle_long(key, clp_lane() ^ 1);
#else
    return (CLP_K)clp_shuffle_word(key, clp_lane() ^ 1);
#endif
}

/* The slot of a key whose digit the lanes have; the last of them moves the counter on. */
CLP_INLINE uint clp_take_slot(uint counter, uint lanes) {
    const uint slot = clp_load_at(counter) + popcount(lanes & clp_lanes_below()) * CLP_SLOT;
    clp_subgroup_barrier(); /* counters, read above, written below */
    if ((lanes & clp_lanes_above()) == 0) clp_store_at(counter, slot + CLP_SLOT);
    clp_subgroup_barrier(); /* counters, written above, read for the next row */
    return slot;
}

/* The slots of some rows of keys, in the order of lanes. narrow: by the bits of room->masks. */
CLP_INLINE void clp_take_slots(const clp_room *room, const CLP_K *keys, clp_cut cut, uint counters,
                               bool narrow, uint *slots) {
    uint at[CLP_MATCHED], lanes[CLP_MATCHED];
    const uint4 masks = narrow ? *room->masks : (uint4)(0);
    CLP_UNROLL
    for (uint g = 0; g < CLP_MATCHED; g++) {
        at[g] = clp_digit_at(keys[g], cut, counters, false);
        lanes[g] = narrow ? clp_match_four(at[g], masks) : clp_match(at[g]);
    }
    CLP_UNROLL
    for (uint g = 0; g < CLP_MATCHED; g++) slots[g] = clp_take_slot(at[g], lanes[g]);
}

#define CLP_RANKED 8 /* rows of keys at once */

#if CLP_VALUES == 0
/* Whether a tile's keys may take any order within a digit, to be checked. */
CLP_INLINE bool clp_is_checked(const clp_room *room, uint count) {
    const uint needs = CLP_IS_PLAIN | CLP_IS_EVEN;
    return CLP_SAME_IF_EQUAL && count == CLP_TILE && (*room->flags & needs) == needs;
}

CLP_INLINE void clp_rank_by_ballots(const clp_room *room, uint pass, const CLP_K *keys,
                                    bool narrow) {
    const clp_cut cut = clp_cut_of(clp_anew(pass));
    const uint counters = clp_counters_at(room, cut);
    CLP_UNROLL
    for (uint i = 0; i < CLP_ITEMS; i += CLP_MATCHED) {
        uint slots[CLP_MATCHED];
        clp_take_slots(room, keys + i, cut, counters, narrow, slots);
        CLP_UNROLL
        for (uint g = 0; g < CLP_MATCHED; g++) clp_store_at(slots[g], keys[i + g]);
    }
}

CLP_INLINE void clp_rank_by_atomics(const clp_room *room, uint pass, const CLP_K *keys) {
    const clp_cut cut = clp_cut_of(clp_anew(pass));
    const uint counters = clp_counters_at(room, cut);
    CLP_UNROLL
    for (uint i = 0; i < CLP_ITEMS; i += CLP_RANKED) {
        CLP_K served[CLP_RANKED];
        uint slots[CLP_RANKED];
        CLP_UNROLL
        for (uint g = 0; g < CLP_RANKED && i + g < CLP_ITEMS; g++) {
            served[g] = clp_served(keys[i + g]);
            slots[g] = clp_add_at(clp_digit_at(served[g], cut, counters, true), CLP_SLOT);
        }
        CLP_UNROLL
        for (uint g = 0; g < CLP_RANKED && i + g < CLP_ITEMS; g++) {
            clp_store_at(slots[g], served[g]);
        }
    }
}

/* count: keys of the tile. */
CLP_INLINE void clp_rank_keys(const clp_room *room, uint pass, uint count, const CLP_K *keys) {
    if (clp_is_checked(room, count))
        clp_rank_by_atomics(room, pass, keys);
    else if (count == CLP_TILE && (*room->flags & CLP_IS_NARROW) != 0)
        clp_rank_by_ballots(room, pass, keys, true);
    else
        clp_rank_by_ballots(room, pass, keys, false);
}
#define CLP_RANK_TILE clp_rank_keys(&room, pass, left, keys);
#else
/* Declares taken##k, the values of rows i to i + CLP_MATCHED - 1 of the kernel's keys: they are
 * read before ranks are found, because reading takes long. */
#define CLP_VALUE_TAKE(k)                                                                          \
    CLP_VALUE##k##_TYPE taken##k[CLP_MATCHED];                                                     \
    CLP_UNROLL                                                                                     \
    for (uint g = 0; g < CLP_MATCHED; g++) {                                                       \
        const uint item = item0 + 32 * (i + g);                                                    \
        if (item < left) taken##k[g] = CLP_VALUE##k##_AT(from##k, makes, first + item);            \
    }
#define CLP_VALUE_TO_SLOT(k) ordered##k[slots[g]] = taken##k[g];

#define CLP_RANK_TILE                                                                              \
    {                                                                                              \
        const clp_cut cut = clp_cut_of(clp_anew(pass));                                            \
        const uint item0 = clp_subgroup_number() * 32 * CLP_ITEMS + clp_lane();                    \
        const uint row = clp_counters_at(&room, cut);                                              \
        CLP_UNROLL                                                                                 \
        for (uint i = 0; i < CLP_ITEMS; i += CLP_MATCHED) {                                        \
            uint slots[CLP_MATCHED];                                                               \
            CLP_EACH_VALUE(CLP_VALUE_TAKE)                                                         \
            clp_take_slots(&room, keys + i, cut, row, false, slots);                               \
            CLP_UNROLL                                                                             \
            for (uint g = 0; g < CLP_MATCHED; g++) {                                               \
                ordered[slots[g]] = keys[i + g];                                                   \
                CLP_EACH_VALUE(CLP_VALUE_TO_SLOT)                                                  \
            }                                                                                      \
        }                                                                                          \
    }
#endif

/* ---- Writing a tile ---- */

#define CLP_WRITTEN (CLP_ITEMS % 8 == 0 ? 8 : CLP_ITEMS % 4 == 0 ? 4 : 2) /* keys at once */

/* From a slot of the key's digit to its place, for a tile of that parity. */
CLP_INLINE CLP_PLACE clp_place_of(const clp_room *room, CLP_K key, clp_cut cut, uint parity,
                                  bool plain) {
#if CLP_WIDE
    return room->places[parity * CLP_ROW + clp_digit_at(key, cut, cut.flip, plain) / 4];
#else
    const uint row = clp_local_address(room->places) + 4 * CLP_ROW * parity;
    return (int)clp_load_at(clp_digit_at(key, cut, row ^ cut.flip, plain));
#endif
}

#if CLP_VALUES == 0
/* Whether a must come behind b, by the bits up to this digit; no key shares its bits. unsorted: the
 * number of bits above, which are shifted out. */
CLP_INLINE bool clp_is_behind(CLP_K a, CLP_K b, uint unsorted) {
    const CLP_K flip = (CLP_ORDER == 1 ? CLP_TOP_BIT : 0) ^ (CLP_DESCENDING ? ~(CLP_K)0 : 0);
    return (CLP_K)((a ^ flip) << unsorted) > (CLP_K)((b ^ flip) << unsorted);
}

/* Puts the slots in order by odd-even transposition: lanes of one sub-group were served out of
 * order, so keys are at most a few slots away from their places. Ends, as each round that changes
 * something removes inversions, and stops when a round changes nothing. */
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
            CLP_ROLE_BARRIER(CLP_BARRIER_WRITTEN, CLP_RANKERS); /* the other neighbours */
        }
        again = clp_any_of(CLP_BARRIER_WRITTEN, CLP_RANKERS, again);
    }
}

/* A whole tile. Gives whether it is out of order, if checked. */
CLP_INLINE bool clp_write_keys(const clp_room *room, uint pass, global CLP_K *to, uint key_bytes,
                               uint parity, bool checked) {
    const clp_cut cut = clp_cut_of(clp_anew(pass));
    const uint t = (uint)get_local_id(0), unsorted = clp_unsorted_of(clp_anew(pass));
    const CLP_K leaves = clp_leave_mask(room);
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
        for (uint g = 0; g < CLP_WRITTEN && checked; g++) {
            bad |= clp_is_behind(keys[g], slots[g * CLP_RANKING + 1], unsorted);
        }
        CLP_UNROLL
        for (uint g = 0; g < CLP_WRITTEN; g++) {
            places[g] = clp_place_of(room, keys[g], cut, parity, checked);
        }
        CLP_UNROLL
        for (uint g = 0; g < CLP_WRITTEN; g++) {
#if CLP_WIDE
            global CLP_K *at = target + places[g];
#else
            global CLP_K *at = clp_element(target, places[g], key_bytes);
#endif
            at[g * CLP_RANKING] = clp_leave_if(keys[g], leaves);
        }
        slots += CLP_WRITTEN * CLP_RANKING;
        target += CLP_WRITTEN * CLP_RANKING;
    }
    return bad;
}

/* The last tile. */
CLP_INLINE void clp_write_some(const clp_room *room, uint pass, global CLP_K *to, uint count,
                               uint parity) {
    const clp_cut cut = clp_cut_of(clp_anew(pass));
    const CLP_K leaves = clp_leave_mask(room);
    CLP_NO_UNROLL
    for (uint slot = (uint)get_local_id(0); slot < count; slot += CLP_RANKING) {
        const CLP_K key = room->keys[slot];
        const CLP_PLACE place = clp_place_of(room, key, cut, parity, false);
        to[(CLP_COUNT)(place + slot)] = clp_leave_if(key, leaves);
    }
}

/* Writes a tile of that parity and of `count` keys. */
CLP_INLINE void clp_write_tile(const clp_room *room, uint pass, global CLP_K *to, uint key_bytes,
                               uint count, uint parity) {
    if (count < CLP_TILE) {
        clp_write_some(room, pass, to, count, parity);
        return;
    }
    const bool checked = clp_is_checked(room, count);
    bool again = true;
    while (again) {
        const bool bad = checked ? clp_write_keys(room, pass, to, key_bytes, parity, true)
                                 : clp_write_keys(room, pass, to, key_bytes, parity, false);
        again = clp_any_of(CLP_BARRIER_WRITTEN, CLP_RANKERS, bad);
        if (again) clp_repair(room, clp_unsorted_of(clp_anew(pass)));
    }
}
#define CLP_WRITE_TILE(count, parity)                                                              \
    clp_write_tile(&room, pass, room.targets->to, key_bytes, count, parity);
#else
#define CLP_VALUE_TO_PLACE(k)                                                                      \
    CLP_UNROLL                                                                                     \
    for (uint g = 0; g < CLP_WRITTEN; g++) {                                                       \
        const uint slot = slot0 + g * CLP_RANKING;                                                 \
        if (slot < count) to##k[places[g]] = ordered##k[slot];                                     \
    }

/* Writes a tile of that parity: the kernel's `ordered` keys and values. */
#define CLP_WRITE_TILE(keys_of_tile, parity)                                                       \
    {                                                                                              \
        const uint count = keys_of_tile;                                                           \
        const clp_cut cut = clp_cut_of(clp_anew(pass));                                            \
        const CLP_K leaves = clp_leave_mask(&room);                                                \
        CLP_NO_UNROLL                                                                              \
        for (uint slot0 = t; slot0 < count; slot0 += CLP_WRITTEN * CLP_RANKING) {                  \
            CLP_PLACE places[CLP_WRITTEN];                                                         \
            CLP_K now[CLP_WRITTEN];                                                                \
            CLP_UNROLL                                                                             \
            for (uint g = 0; g < CLP_WRITTEN; g++) now[g] = ordered[slot0 + g * CLP_RANKING];      \
            CLP_UNROLL                                                                             \
            for (uint g = 0; g < CLP_WRITTEN; g++) {                                               \
                const uint slot = slot0 + g * CLP_RANKING;                                         \
                places[g] = clp_place_of(&room, now[g], cut, parity, false) + slot;                \
                if (keeps && slot < count) to[places[g]] = clp_leave_if(now[g], leaves);           \
            }                                                                                      \
            CLP_EACH_VALUE(CLP_VALUE_TO_PLACE)                                                     \
        }                                                                                          \
    }
#endif

/* ---- A pass ---- */

#define CLP_ORDERED_ARRAY(k) local CLP_VALUE##k##_TYPE ordered##k[CLP_TILE];
/* CLP_COPY_ALL: what the last pass does where no pass has anything to do. Declares n. */
#define CLP_COPIED 8 /* elements of a work-item at once */
#define CLP_COPY(type, to, element)                                                                \
    {                                                                                              \
        type copied[CLP_COPIED];                                                                   \
        CLP_UNROLL                                                                                 \
        for (uint g = 0; g < CLP_COPIED; g++) {                                                    \
            const ulong i = base + g * CLP_GROUP;                                                  \
            if (i < n) copied[g] = element;                                                        \
        }                                                                                          \
        CLP_UNROLL                                                                                 \
        for (uint g = 0; g < CLP_COPIED; g++) {                                                    \
            const ulong i = base + g * CLP_GROUP;                                                  \
            if (i < n) to[i] = copied[g];                                                          \
        }                                                                                          \
    }
#define CLP_VALUE_COPY_ROW(k)                                                                      \
    CLP_COPY(CLP_VALUE##k##_TYPE, to##k, CLP_VALUE##k##_AT(from##k, makes, i))
#define CLP_COPY_ALL                                                                               \
    const ulong n = CLP_N;                                                                         \
    for (ulong base = get_group_id(0) * CLP_COPIED * CLP_GROUP + t; base < n;                      \
         base += get_global_size(0) * CLP_COPIED) {                                                \
        if (keeps) CLP_COPY(CLP_K, to, from[i])                                                    \
        CLP_EACH_VALUE(CLP_VALUE_COPY_ROW)                                                         \
    }

/* The next tile, behind the one of that number; tickets only grow. */
CLP_INLINE uint clp_next_tile(const clp_room *room, uint tile, uint ticket) {
    uint next;
    if (get_local_id(0) == 0) room->tickets[0] = ticket;
    clp_subgroup_barrier(); /* the first lane has written */
    do next = clp_observe_local(room->tickets);
    while (next == tile);
    clp_subgroup_barrier(); /* all lanes have read */
    return next;
}

/* Takes a tile's keys, counts and publishes its digits. */
CLP_INLINE void clp_count_and_publish(const clp_room *room, uint pass, const global CLP_K *from,
                                      uint left, uint tile, uint parity, CLP_K *keys) {
    const ulong row = (ulong)tile * CLP_ROW;
    clp_clear_counters(room->counters);
    clp_take_keys(from, left, (*room->flags & CLP_ENTERS) != 0, keys);
    if (CLP_BITS_ARE_SHARED && (*room->flags & CLP_IS_PLAIN) == 0)
        clp_count_tile(room, pass, keys, false);
    else
        clp_count_tile(room, pass, keys, true);
    CLP_ROLE_BARRIER(CLP_BARRIER_COUNTED, CLP_RANKERS); /* counters, counted, summed below */
    if (get_local_id(0) >= CLP_ROW) return;
    clp_publish_counts(room, room->targets->state + row, tile, parity);
    room->targets->next_state[row + get_local_id(0)] = 0;
}

CLP_INLINE bool clp_last_copies(const global uint *live, uint pass, uint in_place) {
    return !CLP_IN_SEGMENTS && pass == CLP_PASSES - 1 && in_place == 0 &&
           live[CLP_DISTINCT_FOUND] == 0;
}

/* By one work-item. */
CLP_INLINE void clp_set_targets(const clp_room *room, global CLP_K *to, global CLP_COUNT *states,
                                uint turn, ulong rows CLP_TILE_PARAMETERS) {
    room->targets->to = to;
    room->targets->state = states + turn * rows * CLP_ROW;
    room->targets->next_state = states + (turn ^ 1) * rows * CLP_ROW;
#if CLP_IN_SEGMENTS
    room->targets->tiles = tiles;
#endif
}

/* By one work-item: the first ticket, and what stays. n: keys, or tiles of segments. */
CLP_INLINE void clp_begin_pass(const clp_room *room, global uint *live, clp_role role, uint pass,
                               ulong n) {
    const uint tiles = CLP_IN_SEGMENTS ? (uint)n : (uint)((n + CLP_TILE - 1) / CLP_TILE);
    const uint ticket = atomic_inc(&live[CLP_TICKETS + pass]); /* with the other groups' */
    room->tickets[0] = ticket;
    room->tickets[1] = ticket;
    room->keys[CLP_TILE] = CLP_FILL;
    *room->flags = clp_flags_of(live, role, pass);
    *room->masks = clp_masks_of(live[pass] >> CLP_TELLING);
    room->extent[0] = tiles;
    room->extent[1] = (uint)(n - (ulong)(tiles - 1) * CLP_TILE);
}

/* CLP_N: keys, or tiles of segments. states: `rows` rows for each of two passes, which take turns:
 * a pass clears the words of the next one. key_bytes: CLP_K_BYTES (clp_element says why it is
 * given).
 */
CLP_KERNEL(CLP_GROUP)
void clp_sort_onesweep_pass(CLP_ARRAY_PARAMETERS, CLP_N_PARAMETERS, uint pass, uint in_place,
                            global uint *live, const global CLP_COUNT *bases,
                            global CLP_COUNT *states, ulong rows,
                            uint key_bytes CLP_TILE_PARAMETERS) {
    local uint counters[CLP_RANKERS * CLP_ROW] __attribute__((aligned(1024)));
    local CLP_PLACE places[2 * CLP_ROW] __attribute__((aligned(1024)));
    local uint totals[2 * CLP_ROW] __attribute__((aligned(16)));
    local uint starts[2 * CLP_ROW] __attribute__((aligned(16)));
    local uint sums[CLP_ROW_GROUPS];
    volatile local uint tickets[3];
    local CLP_K ordered[CLP_TILE + 1] __attribute__((aligned(16))); /* and CLP_FILL */
    volatile local uint flags[1];
    volatile local uint extent[2];
    volatile local clp_targets targets[1];
    local uint4 masks[1];
    CLP_EACH_VALUE(CLP_ORDERED_ARRAY)
    const ulong mask = clp_live_passes(live);
    const bool copies = mask == 0 && clp_last_copies(live, pass, in_place);
    const clp_role role =
        mask == 0 ? clp_copy_role(mask, in_place) : clp_role_of(mask, pass, in_place);
    const uint t = (uint)get_local_id(0);
    CLP_MOVES
    if (copies) {
        CLP_COPY_ALL
    }
    if (mask == 0 || !role.runs) return;
    const uint turn = (uint)popcount(mask & ((1ul << pass) - 1)) & 1;
    global CLP_COUNT *state = states + turn * rows * CLP_ROW;
    const clp_room room = {counters, totals, starts,  places, sums,   tickets,
                           flags,    extent, targets, masks,  ordered};
    if (t == 0) {
        clp_set_targets(&room, to, states, turn, rows CLP_TILE_ARGUMENTS);
        clp_begin_pass(&room, live, role, pass, CLP_N);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* what clp_begin_pass writes, read below */
    uint tile = tickets[0], before = tile;
    if (t >= CLP_RANKING) {
        clp_look(&room, bases + pass * CLP_ROW, state, tile, extent[0]);
        return;
    }
    for (uint parity = 0;; parity ^= 1) {
        CLP_K keys[CLP_ITEMS];
        const ulong first = clp_begin_of_tile(&room, tile);
        const uint left = clp_keys_of_tile(&room, tile);
        if (left > 0) clp_count_and_publish(&room, pass, from + first, left, tile, parity, keys);
        if (t == 0) tickets[1 + parity] = tile;
        CLP_ROLE_BARRIER(CLP_BARRIER_TURN, CLP_GROUP / 32); /* starts, tickets; places of before */
        if (before != tile) {
            CLP_WRITE_TILE(clp_keys_of_tile(&room, before), parity ^ 1)
        }
        if (left == 0) return;
        CLP_ROLE_BARRIER(CLP_BARRIER_WRITTEN, CLP_RANKERS); /* ordered, read above, written below */
        const uint ticket = t == 0 ? atomic_inc(&live[CLP_TICKETS + pass]) : 0;
        CLP_RANK_TILE
        before = tile;
        tile = clp_next_tile(&room, tile, ticket);
    }
}
