/* SPDX-License-Identifier: MIT */
/*
 * Onesweep (Adinets, Merrill, "Onesweep: a faster least significant digit radix sort for GPUs",
 * 2022): once the digits of all passes are counted, each pass is one launch that reads and writes
 * the keys once. A tile's keys of a digit go behind the keys of all tiles before it; how many these
 * are it finds by decoupled look-back (Merrill, Garland 2016): each tile publishes its count of
 * each digit, then the sum up to itself, in `state`; a look-back adds counts of tiles, from the
 * tile before it on, until it finds a sum.
 *
 * Why waiting ends: tiles are numbered by tickets, which are taken in order, so whoever waits for a
 * tile waits for one whose work-group is running; and a work-group publishes the counts of its tile
 * before it waits for anyone.
 *
 * Persistent work-groups take tiles by ticket. CLP_RANKERS sub-groups rank: they hold a tile's keys
 * in registers. Two look back. The work on tile i: count its digits and publish the counts; write
 * tile i - 1; rank the keys of tile i and put them in order in local memory. So the look-back of a
 * tile has as long as the ranking of that tile takes. A ticket is taken as late as possible,
 * because other work-groups wait for whoever holds one.
 *
 * Ranks are stable: lanes with the same digit find each other by ballots. Where keys alone move,
 * equal keys can't be told apart, and the order within a digit can be checked: it is that of the
 * bits that are sorted already. Keys of many digits are ranked by one atomic each. Most devices
 * serve a sub-group's atomics in the order of its lanes, although none promises it; each tile is
 * checked while it is written, and a tile out of order is put in order and written again. Where a
 * few digits have most keys their atomics would wait for each other, and ballots are faster
 * (CLP_LOPSIDED).
 *
 * Local memory is clp_room: counters of each ranking sub-group, one tile's keys in order, and what
 * both kinds of sub-groups hand to each other, for two tiles in turn.
 *
 * Segments (CLP_IN_SEGMENTS) are sorted each by itself, all by the same launches: a tile belongs to
 * one segment, each segment has counts of its own, and a look-back ends at its first tile.
 */
#define CLP_RANKING (32 * CLP_RANKERS)
#define CLP_LOOKBACKS 2 /* sub-groups: a work-item has four digits */
#define CLP_TILE (CLP_RANKING * CLP_ITEMS)
typedef char clp_roles_fill_the_group[CLP_RANKING + 32 * CLP_LOOKBACKS == CLP_GROUP ? 1 : -1];
typedef char clp_rankers_take_a_row[CLP_RANKING >= CLP_ROW ? 1 : -1];

/* ---- Look-back ---- */

/* A word of state holds a count of 30 or 62 bits, and above it one of two bits: whether it counts
 * the tile's keys or the keys of all tiles up to this one. 0: nothing is published yet. Both in one
 * word, so that whoever reads it needs no fence between the two. */
#define CLP_COUNT_BITS (8 * sizeof(CLP_COUNT))
#define CLP_OF_TILE ((CLP_COUNT)1 << (CLP_COUNT_BITS - 2))
#define CLP_TO_TILE ((CLP_COUNT)1 << (CLP_COUNT_BITS - 1))
#define CLP_COUNT_ONLY (CLP_OF_TILE - 1)
#define CLP_LOOKED 2 /* rows at once */
#define CLP_DELAY_LOOKS 200

/* Tests have tiles wait before they publish: tiles behind them find nothing, or counts of tiles
 * only, and look again. */
CLP_INLINE void clp_delay_publication(const global CLP_COUNT *state, uint tile) {
#if CLP_DELAYED_TILES > 0
    if (tile % CLP_DELAYED_TILES != 0) return;
    for (uint i = 0; i < CLP_DELAY_LOOKS; i++) (void)clp_observe_four(state);
#endif
}

/* The sums of four digits over all tiles before this one, by one lane. Ends because every tile
 * before this one has been taken by a work-group that publishes before it waits. */
CLP_INLINE CLP_COUNT4 clp_look_back(const global CLP_COUNT *state, uint tile) {
    CLP_COUNT4 sum = (CLP_COUNT4)(0);
    long row = (long)tile - 1;
    while (row >= 0) {
        CLP_COUNT4 seen[CLP_LOOKED];
        bool goes_on = true;
        CLP_UNROLL
        for (uint k = 0; k < CLP_LOOKED; k++) {
            seen[k] = clp_observe_four(state + max(row - (long)k, 0l) * CLP_ROW);
        }
        CLP_UNROLL
        for (uint k = 0; k < CLP_LOOKED; k++) {
            const CLP_COUNT all = seen[k].x & seen[k].y & seen[k].z & seen[k].w;
            const bool is_end = (all & CLP_TO_TILE) != 0, is_tile = (all & CLP_OF_TILE) != 0;
            goes_on = goes_on && row >= 0 && (is_end || is_tile);
            if (goes_on) {
                sum += seen[k] & CLP_COUNT_ONLY;
                row = is_end ? -1 : row - 1;
            }
        }
    }
    return sum;
}

/* ---- Roles ---- */

/* Where a pass writes keys; its state, and the one of the next pass. */
typedef struct clp_targets {
    global CLP_K *to;
    global CLP_COUNT *state, *next_state;
#if CLP_IN_SEGMENTS
    const global uint4 *tiles;
#endif
} clp_targets;

/* Local memory. Two tiles are at work: the parity says whose. */
typedef struct clp_room {
    local uint *counters; /* a row for each ranking sub-group */
    local uint *totals, *starts; /* 2 rows: a tile's digits; where they begin in the tile */
    local CLP_PLACE *places; /* 2 rows: from a digit's slot in the tile to its place in memory */
    local uint *sums; /* of 32 digits each */
    volatile local uint *tickets; /* the next tile; the tile of each parity */
    volatile local uint *flags;
    volatile local uint *extent; /* tiles; keys of the last one: here, as registers are few */
    volatile local clp_targets *targets; /* here, as registers are few */
    local uint4 *masks; /* CLP_IS_NARROW: the bits that tell the digits of the pass apart */
    local CLP_K *keys; /* a tile, in order */
} clp_room;

/* ---- Tiles ---- */

/* tile: a number, which may be one behind the last. */
#if CLP_IN_SEGMENTS
#define CLP_TILE_PARAMETERS , const global uint4 *tiles
#define CLP_TILE_ARGUMENTS , tiles

CLP_INLINE bool clp_is_first(const clp_room *room, uint tile) {
    return (room->targets->tiles[tile].z & CLP_FIRST_TILE) != 0;
}

CLP_INLINE uint clp_keys_of_tile(const clp_room *room, uint tile) {
    return tile < room->extent[0] ? clp_tile_keys(room->targets->tiles[tile]) : 0;
}

CLP_INLINE ulong clp_begin_of_tile(const clp_room *room, uint tile) {
    return tile < room->extent[0] ? clp_tile_begin(room->targets->tiles[tile]) : 0;
}

/* Where the digits of the tile's segment begin, from where the first segment's begin. */
CLP_INLINE ulong clp_bases_of_tile(const clp_room *room, uint tile) {
    return (ulong)room->targets->tiles[tile].w * CLP_PASSES * CLP_ROW;
}
#else
#define CLP_TILE_PARAMETERS
#define CLP_TILE_ARGUMENTS

CLP_INLINE bool clp_is_first(const clp_room *room, uint tile) {
    return tile == 0;
}

CLP_INLINE uint clp_keys_of_tile(const clp_room *room, uint tile) {
    const uint behind = tile + 1, tiles = room->extent[0];
    return behind < tiles ? CLP_TILE : behind == tiles ? room->extent[1] : 0;
}

CLP_INLINE ulong clp_begin_of_tile(const clp_room *room, uint tile) {
    return (ulong)tile * CLP_TILE;
}

CLP_INLINE ulong clp_bases_of_tile(const clp_room *room, uint tile) {
    return 0;
}
#endif

/* ---- The sub-groups that look back ---- */

#define CLP_BARRIER_COUNTED 1 /* rankers: counters are complete, or written as starts */
#define CLP_BARRIER_TURN 2 /* all: totals and starts of a tile, and places of the one before */
#define CLP_BARRIER_WRITTEN 3 /* rankers: the ordered keys of the tile before are written */
#define CLP_BARRIER_SUMS 4 /* work-items with a digit: sums */

CLP_INLINE void clp_look(const clp_room *room, const global CLP_COUNT *bases,
                         global CLP_COUNT *state, uint tile, uint tiles) {
    const uint at = 4 * ((uint)get_local_id(0) - CLP_RANKING);
    CLP_COUNT4 begin = vload4(0, bases + at);
    CLP_ROLE_BARRIER(CLP_BARRIER_TURN, CLP_GROUP / 32); /* totals and starts of the first tile */
    for (uint parity = 0; tile < tiles; parity ^= 1) {
        global CLP_COUNT *row = state + (ulong)tile * CLP_ROW + at;
        const bool is_first = CLP_IN_SEGMENTS && clp_is_first(room, tile);
        const CLP_COUNT4 before = is_first ? (CLP_COUNT4)(0) : clp_look_back(state + at, tile);
        if (CLP_IN_SEGMENTS) begin = vload4(0, bases + clp_bases_of_tile(room, tile) + at);
        const uint4 own = vload4(0, room->totals + parity * CLP_ROW + at);
        const uint4 start = vload4(0, room->starts + parity * CLP_ROW + at);
        clp_delay_publication(state + at, tile);
        clp_publish_four(row, (before + CLP_CONVERT_COUNT4(own)) | CLP_TO_TILE);
        vstore4(CLP_CONVERT_PLACE4(begin + before - CLP_CONVERT_COUNT4(start)), 0,
                room->places + parity * CLP_ROW + at);
        clp_subgroup_barrier(); /* lanes look back apart: all have written their places */
        CLP_ROLE_BARRIER(CLP_BARRIER_TURN,
                         CLP_GROUP / 32); /* totals, starts, places; the next tile */
        tile = room->tickets[1 + (parity ^ 1)];
    }
}

/* Flags of a pass. */
#define CLP_ENTERS 1 /* it is the first that does something: it takes keys by clp_enter */
#define CLP_LEAVES 2 /* it is the last that does something: it gives keys by clp_leave */
#define CLP_IS_EVEN 4 /* it is not CLP_LOPSIDED */
#define CLP_IS_PLAIN 8 /* no key shares its bits */
#define CLP_IS_NARROW 16 /* at most four bits tell the pass's digits apart (CLP_TELLING) */
#define CLP_NARROW_BITS 4

CLP_INLINE uint clp_flags_of(const global uint *live, clp_role role, uint pass) {
    return (role.from == CLP_IN ? CLP_ENTERS : 0) | (role.is_last ? CLP_LEAVES : 0) |
           ((live[pass] & CLP_LOPSIDED) == 0 ? CLP_IS_EVEN : 0) |
           (popcount(live[pass] >> CLP_TELLING) <= CLP_NARROW_BITS ? CLP_IS_NARROW : 0) |
           (!CLP_BITS_ARE_SHARED || live[CLP_SHARED] == 0 ? CLP_IS_PLAIN : 0);
}

/* The four lowest bits, times 4, each apart. */
CLP_INLINE uint4 clp_masks_of(uint telling) {
    uint4 masks;
    masks.x = telling;
    masks.y = masks.x & (masks.x - 1);
    masks.z = masks.y & (masks.y - 1);
    masks.w = masks.z & (masks.z - 1);
    return (masks & -masks) << 2;
}

CLP_INLINE CLP_K clp_leave_mask(const clp_room *room) {
    return (*room->flags & CLP_LEAVES) != 0 ? ~(CLP_K)0 : 0;
}

/* Bits of a key above the pass's digit. */
CLP_INLINE uint clp_unsorted_of(uint pass) {
    const uint shift = clp_shift_of(pass);
    return 8 * CLP_K_BYTES - shift - clp_bits_of(shift);
}

/* The address of the sub-group's counters, flipped. What follows from the pass is computed anew
 * where it is used, as the keys need the registers. */
CLP_INLINE uint clp_counters_at(const clp_room *room, clp_cut cut) {
    return clp_local_address(room->counters + clp_subgroup_number() * CLP_ROW) ^ cut.flip;
}

/* ---- Counting a tile ---- */

CLP_INLINE void clp_count_tile(const clp_room *room, uint pass, const CLP_K *keys, bool plain) {
    const clp_cut cut = clp_cut_of(clp_anew(pass));
    const uint counters = clp_counters_at(room, cut);
    CLP_UNROLL
    for (uint i = 0; i < CLP_ITEMS; i++) {
        clp_count_at(clp_digit_at(keys[i], cut, counters, plain));
    }
}

CLP_INLINE void clp_take_keys(const global CLP_K *from, uint left, bool enters, CLP_K *keys) {
    const uint first = clp_subgroup_number() * 32 * CLP_ITEMS + clp_lane();
    if (left >= CLP_TILE) {
        CLP_UNROLL
        for (uint i = 0; i < CLP_ITEMS; i++) keys[i] = clp_load_row(from + first + 32 * i);
    } else {
        const uint anew = clp_anew(first); /* or all sums below were kept from tile to tile */
        const global CLP_K *at = from + anew;
        CLP_UNROLL
        for (uint i = 0; i < CLP_ITEMS; i++) {
            const bool is_key = anew + 32 * i < left;
            keys[i] = is_key ? clp_load_row(at + 32 * i) : enters ? CLP_FILL_IN : CLP_FILL;
        }
    }
    if (enters) {
        CLP_UNROLL
        for (uint i = 0; i < CLP_ITEMS; i++) keys[i] = clp_enter(keys[i]);
    }
}

/* A counter, once its tile is counted, says where the digit's next key goes: of keys alone as an
 * address in local memory, which saves the address arithmetic; of keys with values as an index. */
#define CLP_SLOT (CLP_VALUES == 0 ? CLP_K_BYTES : 1)

/* By the first work-items, one a digit: publishes the tile's count, and turns the sub-groups'
 * counts into slots. */
CLP_INLINE void clp_publish_counts(const clp_room *room, global CLP_COUNT *row, uint tile,
                                   uint parity) {
    const uint digit = (uint)get_local_id(0), lane = clp_lane();
    uint sum = 0;
    CLP_UNROLL
    for (uint w = 0; w < CLP_RANKERS; w++) sum += room->counters[w * CLP_ROW + digit];
    clp_delay_publication(row, tile);
    clp_publish_word(row + digit,
                     (CLP_COUNT)sum | (clp_is_first(room, tile) ? CLP_TO_TILE : CLP_OF_TILE));
    room->totals[parity * CLP_ROW + digit] = sum;
    uint before = clp_sum_to_lane(sum);
    if (lane == 31) room->sums[digit / 32] = before;
    CLP_ROLE_BARRIER(CLP_BARRIER_SUMS, CLP_ROW_GROUPS); /* sums, written above, read below */
    before -= sum;
    CLP_UNROLL
    for (uint g = 0; g < CLP_ROW_GROUPS - 1; g++) {
        if (g < digit / 32) before += room->sums[g];
    }
    room->starts[parity * CLP_ROW + digit] = before;
    uint slot = before * CLP_SLOT + (CLP_VALUES == 0 ? clp_local_address(room->keys) : 0);
    CLP_UNROLL
    for (uint w = 0; w < CLP_RANKERS; w++) {
        const uint count = room->counters[w * CLP_ROW + digit];
        room->counters[w * CLP_ROW + digit] = slot;
        slot += count * CLP_SLOT;
    }
}
