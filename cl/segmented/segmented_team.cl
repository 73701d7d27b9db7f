/* SPDX-License-Identifier: MIT */
/*
 * Shares that a team goes through: a sub-group of 32 lanes whose exchanges may stand in loops
 * (CLP_LOCKSTEP). It takes a tile of 32 * CLP_ITEMS elements at a time through local memory, where
 * lane l scans elements l * CLP_ITEMS and on; bits say which elements begin a segment.
 */
#define CLP_TEAMS (CLP_GROUP / 32)
#define CLP_TILE (32 * CLP_ITEMS)

/* What a team has in local memory. */
typedef struct clp_team_tile {
    clp_value value[CLP_TILE + 32]; /* clp_place says where */
    uint heads[CLP_ITEMS]; /* a bit an element */
} clp_team_tile;

/* Each lane's elements are followed by a gap, so that lanes meet in no bank. */
static inline uint clp_place(uint i) {
    return i + i / CLP_ITEMS;
}

/* ---- Exchange ---- */

#define CLP_VALUE_WORDS ((CLP_VALUE_BYTES + 3) / 4)

typedef union clp_value_split {
    clp_value value;
    uint words[CLP_VALUE_WORDS];
} clp_value_split;

/* The value of that lane. */
CLP_INLINE clp_value clp_value_of_lane(clp_value value, uint lane) {
    clp_value_split split;
    split.words[CLP_VALUE_WORDS - 1] = 0;
    split.value = value;
    for (uint w = 0; w < CLP_VALUE_WORDS; w++) {
        split.words[w] = clp_shuffle_word(split.words[w], lane);
    }
    return split.value;
}

/* The value of the lane that many below; the lowest lanes get their own. */
CLP_INLINE clp_value clp_value_below(clp_value value, uint distance) {
    const uint lane = clp_lane();
    return clp_value_of_lane(value, lane >= distance ? lane - distance : lane);
}

CLP_INLINE ulong clp_long_of_lane(ulong value, uint lane) {
    const uint low = clp_shuffle_word((uint)value, lane);
    return (ulong)clp_shuffle_word((uint)(value >> 32), lane) << 32 | low;
}

/* ---- A share ---- */

/* What is open at a place: the combination of the elements in front of it in its segment. The same
 * for all lanes. */
typedef struct clp_open {
    clp_value value;
    bool has;
} clp_open;

#if CLP_BY_OFFSETS
/* clp_ends_before by 32 lanes: each step asks 32 places. */
CLP_INLINE ulong clp_ends_before_team(const clp_run *run, long low, ulong span, ulong d) {
    ulong from = d > span ? d - span : 0, to = min(d, run->segments);
    while (from < to) {
        const ulong step = (to - from + 31) / 32, k = from + clp_lane() * step;
        bool before = false;
        if (k < to) before = (ulong)(long)run->heads[k + 1] - (ulong)low + k < d;
        const uint count = popcount(clp_ballot(before));
        to = count == 0 ? from : min(from + count * step, to);
        if (count > 0) from += (count - 1) * step + 1;
    }
    return from;
}
#endif

CLP_INLINE clp_share clp_team_share_of(const clp_run *run, ulong worker) {
#if CLP_BY_OFFSETS
    clp_share share = {0, 0, 0, 0, false};
    const long low = run->heads[0], high = run->heads[run->segments];
    if (low < 0 || high < low || (ulong)high > run->n) {
        share.broken = true;
        return share;
    }
    const ulong span = (ulong)(high - low), all = span + run->segments;
    const ulong each = (all + run->workers - 1) / run->workers;
    const ulong begin = min(worker * each, all), end = min(begin + each, all);
    share.segment = clp_ends_before_team(run, low, span, begin);
    share.last_segment = clp_ends_before_team(run, low, span, end);
    share.first = (ulong)low + begin - share.segment;
    share.last = (ulong)low + end - share.last_segment;
    if (share.last_segment < share.segment || share.last < share.first) {
        const clp_share none = {0, 0, 0, 0, true};
        return none;
    }
    return share;
#else
    return clp_share_of(run, worker);
#endif
}

/* ---- A tile ---- */

/* Elements [first, first + count) to the tile; a barrier follows before others read them. */
CLP_INLINE void clp_load_tile(const clp_run *run, local clp_team_tile *tile, ulong first,
                              uint count) {
    clp_value value[CLP_ITEMS];
    const uint lane = clp_lane();
#pragma unroll
    for (uint r = 0; r < CLP_ITEMS; r++) {
        if (r * 32 + lane < count) value[r] = clp_element(run, first + r * 32 + lane);
    }
#pragma unroll
    for (uint r = 0; r < CLP_ITEMS; r++) {
        if (r * 32 + lane < count) tile->value[clp_place(r * 32 + lane)] = value[r];
    }
}

/* The bits of the lane's own elements. */
CLP_INLINE uint clp_own_heads(const local clp_team_tile *tile) {
    const uint bit = clp_lane() * CLP_ITEMS;
    const uint own = tile->heads[bit / 32] >> bit % 32;
    return CLP_ITEMS == 32 ? own : own & ((1u << CLP_ITEMS % 32) - 1);
}

/* What some elements come to: `ends` if one of them begins a segment, whose value it is then. */
typedef struct clp_tail {
    clp_value value;
    uint has, ends;
} clp_tail;

#define CLP_TAIL_STEP(distance)                                                                    \
    {                                                                                              \
        const clp_value lower = clp_value_below(tail.value, distance);                             \
        const uint flags = clp_shuffle_word(tail.has | tail.ends << 1,                             \
                                            lane >= distance ? lane - distance : lane);            \
        if (lane >= distance && !tail.ends) {                                                      \
            if (flags & 1) {                                                                       \
                tail.value = tail.has ? clp_combine_ordered(lower, tail.value) : lower;            \
            }                                                                                      \
            tail.has |= flags & 1;                                                                 \
            tail.ends = flags >> 1;                                                                \
        }                                                                                          \
    }

/* Scans the tile's elements, each from the head before it on; what is open at the tile's first
 * element goes into those in front of the first head. open becomes that of the tile's end, as if no
 * segment ended there. Barriers follow from and to other accesses. */
CLP_INLINE void clp_scan_tile(local clp_team_tile *tile, uint count, clp_open *open) {
    const uint lane = clp_lane(), first = lane * CLP_ITEMS, heads = clp_own_heads(tile);
    clp_tail tail;
    tail.has = 0;
    tail.ends = 0;
#pragma unroll
    for (uint k = 0; k < CLP_ITEMS; k++) {
        if (first + k >= count) continue;
        const clp_value own = tile->value[clp_place(first + k)];
        const bool begins = (heads >> k & 1) != 0;
        tail.value = tail.has && !begins ? clp_combine_ordered(tail.value, own) : own;
        tail.ends |= begins;
        tail.has = 1;
    }
    CLP_TAIL_STEP(1)
    CLP_TAIL_STEP(2)
    CLP_TAIL_STEP(4)
    CLP_TAIL_STEP(8)
    CLP_TAIL_STEP(16)
    clp_value before = clp_value_below(tail.value, 1);
    const uint flags = lane == 0 ? 0 : 3;
    const uint lower = clp_shuffle_word(tail.has | tail.ends << 1, lane > 0 ? lane - 1 : 0) & flags;
    bool has = (lower & 1) != 0;
    if (open->has && (lower & 2) == 0) {
        before = has ? clp_combine_ordered(open->value, before) : open->value;
        has = true;
    }
#pragma unroll
    for (uint k = 0; k < CLP_ITEMS; k++) {
        if (first + k >= count) continue;
        const clp_value own = tile->value[clp_place(first + k)];
        before = has && (heads >> k & 1) == 0 ? clp_combine_ordered(before, own) : own;
        has = true;
        tile->value[clp_place(first + k)] = before;
    }
    clp_subgroup_barrier(); /* scanned values written above, read below and by other lanes */
    if (count > 0) {
        open->value = tile->value[clp_place(count - 1)];
        open->has = true;
    }
}

CLP_INLINE void clp_clear_heads(local clp_team_tile *tile) {
    for (uint r = clp_lane(); r < CLP_ITEMS; r += 32) tile->heads[r] = 0;
}

/* Takes elements [first, last), in which no segment begins, into what is open. */
CLP_INLINE void clp_fold_team(const clp_run *run, local clp_team_tile *tile, ulong first,
                              ulong last, clp_open *open) {
    clp_clear_heads(tile);
    while (first < last) {
        const uint count = (uint)min(last - first, (ulong)CLP_TILE);
        clp_load_tile(run, tile, first, count);
        clp_subgroup_barrier(); /* tile loaded above, scanned below */
        clp_scan_tile(tile, count, open);
        clp_subgroup_barrier(); /* tile read above, overwritten below */
        first += count;
    }
}

#if CLP_COMMUTATIVE && !CLP_ARG
#define CLP_FOLD_STEP(distance)                                                                    \
    total = clp_combine_ordered(total, clp_value_of_lane(total, lane ^ distance));

/* The same for as many whole tiles as end before `end`, by each lane in registers; returns where
 * they end. */
CLP_INLINE ulong clp_take_tiles(const clp_run *run, ulong first, ulong last, ulong end,
                                clp_open *open) {
    const uint lane = clp_lane();
    clp_value total;
    bool some = false;
    while (last - first >= CLP_TILE && first + CLP_TILE < end) {
        clp_value value[CLP_ITEMS];
#pragma unroll
        for (uint r = 0; r < CLP_ITEMS; r++) value[r] = clp_element(run, first + r * 32 + lane);
#pragma unroll
        for (uint r = 0; r < CLP_ITEMS; r++) {
            total = r > 0 || some ? clp_combine_ordered(total, value[r]) : value[r];
        }
        some = true;
        first += CLP_TILE;
    }
    if (!some) return first;
    CLP_FOLD_STEP(16)
    CLP_FOLD_STEP(8)
    CLP_FOLD_STEP(4)
    CLP_FOLD_STEP(2)
    CLP_FOLD_STEP(1)
    total = clp_value_of_lane(total, 0);
    open->value = open->has ? clp_combine_ordered(open->value, total) : total;
    open->has = true;
    return first;
}
#else
CLP_INLINE ulong clp_take_tiles(const clp_run *run, ulong first, ulong last, ulong end,
                                clp_open *open) {
    return first;
}
#endif

/* Notes what is open behind the share. */
CLP_INLINE void clp_note_open(const clp_run *run, ulong worker, const clp_open *open,
                              clp_part *part) {
    part->has_tail = open->has;
    if (open->has && clp_lane() == 0) run->tails[worker] = open->value;
}

#if !CLP_REDUCES
/* Scans the tile and stores its outputs. */
CLP_INLINE void clp_store_tile(const clp_run *run, local clp_team_tile *tile, ulong first,
                               uint count, clp_open *open) {
    const clp_open before = *open;
    const uint lane = clp_lane();
    clp_scan_tile(tile, count, open);
#pragma unroll
    for (uint r = 0; r < CLP_ITEMS; r++) {
        const uint i = r * 32 + lane;
        if (i >= count) continue;
#if CLP_INCLUSIVE
        const clp_value total = tile->value[clp_place(i)];
        run->out[first + i] = CLP_STORED(CLP_HAS_START ? clp_op(run->start, total) : total);
#else
        const bool has = (tile->heads[r] >> lane & 1) == 0 && (i > 0 || before.has);
        clp_value total = run->start;
        if (has) {
            total = clp_op(run->start, i > 0 ? tile->value[clp_place(i - 1)] : before.value);
        }
        run->out[first + i] = CLP_STORED(total);
#endif
    }
}
#endif
