/* SPDX-License-Identifier: MIT */
/*
 * Segmented sort by radix, least significant digit first: a team of some of a work-group's
 * sub-groups takes a segment at a time and keeps its keys in registers, rows of 32 side by side in
 * the segment. In each pass a sub-group counts its digits, lanes with the same digit finding each
 * other by ballots; counts become places, and keys go by local memory to whose they are next. A
 * pass in whose digit all keys agree is left out. Values are read once, at the end, by the number
 * that moves with its key. Teams have barriers of their own, and wait for no other team.
 */
#define CLP_RADIX_GROUP 1024
#define CLP_RADIX_LEAST_TEAM 256
#define CLP_RADIX_TEAMS (CLP_RADIX_GROUP / CLP_RADIX_LEAST_TEAM) /* at most */
#define CLP_RADIX_ROOM (CLP_RADIX_GROUP * CLP_RADIX_ITEMS)
#define CLP_RADIX_MATCHED 4 /* rows whose lanes are matched at once */
typedef char clp_radix_rows_are_whole[CLP_RADIX_ITEMS % CLP_RADIX_MATCHED == 0 ? 1 : -1];

/* The group's barrier; its teams have clp_radix_barrier. */
#define CLP_GROUP_BARRIER clp_team_barrier(0, CLP_RADIX_GROUP)

/* A team, and what it has of local memory. */
typedef struct clp_radix {
    local uint *counters; /* a row of digits for each of its sub-groups */
    local uint *sums; /* of 32 digits each */
    local CLP_K *ordered;
    local ushort *origins; /* the keys' numbers in the segment, if values move */
    uint team, width; /* work-items */
    uint rows; /* of a sub-group's keys, a multiple of CLP_RADIX_MATCHED */
    uint first; /* the number of this work-item's first key in the segment */
} clp_radix;

CLP_INLINE void clp_radix_barrier(const clp_radix *radix) {
    clp_team_barrier(1 + radix->team, radix->width);
}

CLP_INLINE uint clp_radix_member(const clp_radix *radix) {
    return (uint)get_local_id(0) & (radix->width - 1);
}

/* What a work-item knows of its keys besides: their ranks among the sub-group's keys of the digit
 * and, if values move, their numbers in the segment. */
#define CLP_RADIX_NOTES (CLP_VALUES > 0 ? CLP_RADIX_ITEMS : CLP_RADIX_ITEMS / 2)

CLP_INLINE uint clp_radix_rank_of(const uint *notes, uint i) {
    if (CLP_VALUES > 0) return notes[i] >> 16;
    return i % 2 == 0 ? notes[i / 2] & 0xffff : notes[i / 2] >> 16;
}

CLP_INLINE void clp_radix_set_rank(uint *notes, uint i, uint rank) {
    if (CLP_VALUES > 0)
        notes[i] = (notes[i] & 0xffff) | rank << 16;
    else
        notes[i / 2] = i % 2 == 0 ? rank : notes[i / 2] | rank << 16;
}

CLP_INLINE uint clp_radix_origin_of(const uint *notes, uint i) {
    return CLP_VALUES > 0 ? notes[i] & 0xffff : 0;
}

CLP_INLINE void clp_radix_set_origin(uint *notes, uint i, uint origin) {
    if (CLP_VALUES > 0) notes[i] = origin;
}

/* Takes the step, a statement of the caller and hence a macro's argument, for each row i of a
 * work-item's keys; declares `at`, where the row is behind the first key. */
#define CLP_RADIX_EACH_ROW(radix, step)                                                            \
    CLP_UNROLL                                                                                     \
    for (uint block = 0; block < CLP_RADIX_ITEMS; block += CLP_RADIX_MATCHED) {                    \
        if (block < (radix)->rows) {                                                               \
            CLP_UNROLL                                                                             \
            for (uint i = block; i < block + CLP_RADIX_MATCHED; i++) {                             \
                const uint at = 32 * i;                                                            \
                step                                                                               \
            }                                                                                      \
        }                                                                                          \
    }

/* left: of the segment's keys, from this work-item's first one on. */
CLP_INLINE void clp_radix_read(const clp_radix *radix, const global CLP_K *from, int left,
                               CLP_K *keys, uint *notes) {
    CLP_RADIX_EACH_ROW(radix, {
        keys[i] = (int)at < left ? from[at] : CLP_FILL_IN;
        clp_radix_set_origin(notes, i, radix->first + at);
    })
    CLP_RADIX_EACH_ROW(radix, {
        keys[i] = clp_enter(keys[i]);
        (void)at;
    })
}

/* ---- Passes with something to do ---- */

#define CLP_RADIX_WORDS (CLP_K_BYTES == 8 ? 2 : 1) /* of a key */

/* The bits in which keys differ from the segment's first one. */
CLP_INLINE void clp_radix_compare(const clp_radix *radix, CLP_K first, int left, const CLP_K *keys,
                                  local uint *differ) {
    const CLP_K first_bits = clp_sorted_bits(clp_enter(first));
    CLP_K bits = 0;
    CLP_RADIX_EACH_ROW(radix, {
        if ((int)at < left) bits |= clp_sorted_bits(keys[i]) ^ first_bits;
    })
    CLP_UNROLL
    for (uint w = 0; w < CLP_RADIX_WORDS; w++) {
        const uint word = clp_or_lanes((uint)((ulong)bits >> 32 * w));
        if (clp_lane() == 0) atomic_or(&differ[w], word); /* with the team's other sub-groups */
    }
}

/* Bit p is set if pass p has something to do. */
CLP_INLINE uint clp_radix_passes(const local uint *differ) {
    uint passes = 0;
    CLP_UNROLL
    for (uint pass = 0; pass < CLP_PASSES; pass++) {
        const uint shift = clp_shift_of(pass), mask = (1u << clp_bits_of(shift)) - 1;
        const ulong bits = CLP_K_BYTES == 8 ? (ulong)differ[1] << 32 | differ[0] : differ[0];
        if (((uint)(bits >> shift) & mask) != 0) passes |= 1u << pass;
    }
    return passes;
}

/* ---- A pass ---- */

/* The address of the sub-group's counters, flipped. */
CLP_INLINE uint clp_radix_counters(const clp_radix *radix, clp_cut cut) {
    return clp_local_address(radix->counters + clp_radix_member(radix) / 32 * CLP_ROW) ^ cut.flip;
}

/* Of the keys whose digit the lanes have: the number before this one. The last lane moves the
 * counter on. */
CLP_INLINE uint clp_radix_rank(uint counter, uint lanes) {
    const uint rank = clp_load_at(counter) + popcount(lanes & clp_lanes_below());
    clp_subgroup_barrier(); /* counters, read above, written below */
    if ((lanes & clp_lanes_above()) == 0) clp_store_at(counter, rank + 1);
    clp_subgroup_barrier(); /* counters, written above, read for the next row */
    return rank;
}

CLP_INLINE void clp_radix_count(const clp_radix *radix, uint pass, const CLP_K *keys, uint *notes) {
    const clp_cut cut = clp_cut_of(clp_anew(pass));
    const uint counters = clp_radix_counters(radix, cut);
    local uint4 *row = (local uint4 *)(radix->counters + clp_radix_member(radix) / 32 * CLP_ROW);
    row[clp_lane()] = row[clp_lane() + 32] = (uint4)(0);
    clp_subgroup_barrier(); /* counters, cleared above, counted below */
    CLP_UNROLL
    for (uint i = 0; i < CLP_RADIX_ITEMS; i += CLP_RADIX_MATCHED) {
        if (i < radix->rows) {
            uint at[CLP_RADIX_MATCHED], lanes[CLP_RADIX_MATCHED];
            CLP_UNROLL
            for (uint g = 0; g < CLP_RADIX_MATCHED; g++) {
                at[g] = clp_digit_at(keys[i + g], cut, counters, false);
                lanes[g] = clp_match(at[g]);
            }
            CLP_UNROLL
            for (uint g = 0; g < CLP_RADIX_MATCHED; g++) {
                const uint rank = clp_radix_rank(at[g], lanes[g]);
                clp_radix_set_rank(notes, i + g, rank);
            }
        }
    }
}

#define CLP_RADIX_SUMMED 8 /* sub-groups whose counters are read at once */

/* By the team's first work-items, one a digit: the keys of lower digits within 32 of them. */
CLP_INLINE uint clp_radix_sum(const clp_radix *radix) {
    const uint digit = clp_radix_member(radix);
    uint sum = 0;
    for (uint w = 0; w < radix->width / 32; w += CLP_RADIX_SUMMED) {
        CLP_UNROLL
        for (uint g = 0; g < CLP_RADIX_SUMMED; g++) {
            sum += radix->counters[(w + g) * CLP_ROW + digit];
        }
    }
    const uint to_lane = clp_sum_to_lane(sum);
    if (clp_lane() == 31) radix->sums[digit / 32] = to_lane;
    return to_lane - sum;
}

/* Counts become places. */
CLP_INLINE void clp_radix_set(const clp_radix *radix, uint before) {
    const uint digit = clp_radix_member(radix);
    uint place = before;
    CLP_UNROLL
    for (uint g = 0; g < CLP_ROW_GROUPS - 1; g++) {
        if (g < digit / 32) place += radix->sums[g];
    }
    for (uint w = 0; w < radix->width / 32; w += CLP_RADIX_SUMMED) {
        uint counts[CLP_RADIX_SUMMED];
        CLP_UNROLL
        for (uint g = 0; g < CLP_RADIX_SUMMED; g++) {
            counts[g] = radix->counters[(w + g) * CLP_ROW + digit];
        }
        CLP_UNROLL
        for (uint g = 0; g < CLP_RADIX_SUMMED; g++) {
            radix->counters[(w + g) * CLP_ROW + digit] = place;
            place += counts[g];
        }
    }
}

CLP_INLINE void clp_radix_scatter(const clp_radix *radix, uint pass, const CLP_K *keys,
                                  const uint *notes) {
    const clp_cut cut = clp_cut_of(clp_anew(pass));
    const uint counters = clp_radix_counters(radix, cut);
    CLP_RADIX_EACH_ROW(radix, {
        const uint begin = clp_load_at(clp_digit_at(keys[i], cut, counters, false));
        const uint slot = begin + clp_radix_rank_of(notes, i);
        CLP_ASSERT(slot < radix->width * CLP_RADIX_ITEMS);
        radix->ordered[slot] = keys[i];
        if (CLP_VALUES > 0) radix->origins[slot] = (ushort)clp_radix_origin_of(notes, i);
        (void)at;
    })
}

CLP_INLINE void clp_radix_take(const clp_radix *radix, CLP_K *keys, uint *notes) {
    const uint first = clp_anew(radix->first); /* or all sums were kept in registers */
    const local CLP_K *ordered = radix->ordered + first;
    const local ushort *origins = radix->origins + (CLP_VALUES > 0 ? first : 0);
    CLP_RADIX_EACH_ROW(radix, {
        keys[i] = ordered[at];
        if (CLP_VALUES > 0) clp_radix_set_origin(notes, i, origins[at]);
    })
}

CLP_INLINE void clp_radix_write(const clp_radix *radix, const CLP_K *keys, int left,
                                global CLP_K *to) {
    CLP_RADIX_EACH_ROW(radix, {
        if ((int)at < left) to[at] = clp_leave(keys[i]);
    })
}

/* ---- Teams ---- */

/* A team without a segment. All but sums: of the group. */
static inline clp_radix clp_radix_of(local uint *counters, local uint *sums, local CLP_K *ordered,
                                     local ushort *origins, uint team, uint bits) {
    const uint before_team = team << bits, room = before_team * CLP_RADIX_ITEMS;
    clp_radix radix;
    radix.counters = counters + before_team / 32 * CLP_ROW;
    radix.sums = sums;
    radix.ordered = ordered + room;
    radix.origins = origins + (CLP_VALUES > 0 ? room : 0);
    radix.team = team;
    radix.width = 1u << bits;
    radix.rows = radix.first = 0;
    return radix;
}

/* Writes value k of the caller's segment: read once, by the numbers that moved with the keys. */
#define CLP_RADIX_VALUE(k)                                                                         \
    {                                                                                              \
        global CLP_VALUE##k##_TYPE *to = out##k + out_first##k + begin + first;                    \
        CLP_UNROLL                                                                                 \
        for (uint block = 0; block < CLP_RADIX_ITEMS; block += CLP_RADIX_MATCHED) {                \
            if (block < radix.rows) {                                                              \
                CLP_VALUE##k##_TYPE value[CLP_RADIX_MATCHED];                                      \
                CLP_UNROLL                                                                         \
                for (uint g = 0; g < CLP_RADIX_MATCHED; g++) {                                     \
                    const uint item = clp_radix_origin_of(notes, block + g);                       \
                    const uint at = 32 * (block + g);                                              \
                    if ((int)at < left)                                                            \
                        value[g] = CLP_VALUE##k##_OF(in##k + in_first##k, begin, item);            \
                }                                                                                  \
                CLP_UNROLL                                                                         \
                for (uint g = 0; g < CLP_RADIX_MATCHED; g++) {                                     \
                    const uint at = 32 * (block + g);                                              \
                    if ((int)at < left) to[at] = value[g];                                         \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }

/* Sorts the keys of a segment of the team. differ: words without a bit; other_differ: those that
 * are cleared meanwhile. */
CLP_INLINE void clp_radix_sort(clp_radix *radix, const global CLP_K *in, uint length,
                               local uint *differ, local uint *other_differ, CLP_K *keys,
                               uint *notes) {
    const uint member = clp_radix_member(radix);
    const uint whole = CLP_RADIX_MATCHED * radix->width;
    uint before = 0;
    radix->rows = (length + whole - 1) / whole * CLP_RADIX_MATCHED;
    radix->first = member / 32 * 32 * radix->rows + clp_lane();
    CLP_ASSERT(length > 0 && radix->rows <= CLP_RADIX_ITEMS);
    clp_radix_read(radix, in + radix->first, (int)length - (int)radix->first, keys, notes);
    clp_radix_compare(radix, in[0], (int)length - (int)radix->first, keys, differ);
    clp_radix_barrier(radix); /* differ: clp_radix_compare with clp_radix_passes; its other
                                  words: clp_radix_passes of the turn before with what follows */
    const uint passes = clp_radix_passes(differ);
    if (member < CLP_RADIX_WORDS) other_differ[member] = 0;
    CLP_NO_UNROLL
    for (uint pass = 0; pass < CLP_PASSES; pass++) {
        if ((passes >> pass & 1) == 0) continue;
        clp_radix_count(radix, pass, keys, notes);
        clp_radix_barrier(radix); /* counters: clp_radix_count with clp_radix_sum */
        if (member < CLP_ROW) before = clp_radix_sum(radix);
        clp_radix_barrier(radix); /* sums: clp_radix_sum with clp_radix_set */
        if (member < CLP_ROW) clp_radix_set(radix, before);
        clp_radix_barrier(radix); /* counters: clp_radix_set with clp_radix_scatter; ordered:
                                      clp_radix_take of the pass before with the same */
        clp_radix_scatter(radix, pass, keys, notes);
        clp_radix_barrier(radix); /* ordered: clp_radix_scatter with clp_radix_take */
        clp_radix_take(radix, keys, notes);
    }
}
