/* SPDX-License-Identifier: MIT */
/*
 * Top-k of short rows on NVIDIA GPUs: CLP_SHORT lanes take a row, so that a sub-group takes several
 * rows at once. Each lane finds the least key of each half of its elements. At least k keys are up
 * to the k-th one of these, the limit. The elements up to it are read again: they are candidates,
 * whose keys and numbers go to local memory. Of those with the limit's key only the first stay
 * where not all have room. A candidate's place is the number of keys in front of it; numbers are
 * compared only where keys are alike. What both halves of a lane mislead about goes to a team.
 *
 * Before that, what teams and these lanes share.
 */
#define CLP_LOADS (CLP_SHORT > 0 ? 16 : 32) /* keys that a work-item loads at once */
/* Parts of a work-item's elements, of each of which it finds the least key. */
#define CLP_LEAST (CLP_SHORT > 0 && CLP_SHORT <= 8 ? 4 : 2)
#define CLP_LANES_MOST 4 /* values that a lane sorts */

/* The lesser of two keys by order, which have no order yet. Floats in NumPy's order are compared as
 * floats: by one instruction, which prefers numbers to NaN. */
CLP_INLINE CLP_K clp_topk_lesser(CLP_K a, CLP_K b) {
#if CLP_ORDER == 2 && CLP_K_BYTES == 4
    const float x = as_float(a), y = as_float(b), lesser = CLP_DESCENDING ? fmax(x, y) : fmin(x, y);
    return as_uint(lesser);
#else
    return clp_ordered(b) < clp_ordered(a) ? b : a;
#endif
}

/* A key that no other one is behind. */
#define CLP_TOPK_LAST_KEY                                                                          \
    (CLP_K)(CLP_DESCENDING && CLP_ORDER != 2 ? (CLP_ORDER == 0   ? 0                               \
                                                : CLP_ORDER == 1 ? CLP_TOP_BIT                     \
                                                                 : ~(CLP_K)0)                      \
            : CLP_ORDER == 0                 ? ~(CLP_K)0                                           \
                                             : ~CLP_TOP_BIT)

/* Whether a key is up to the limit, which is not NaN: floats are compared as floats. */
CLP_INLINE bool clp_topk_is_up_to(CLP_K key, CLP_K limit) {
#if CLP_ORDER == 2 && CLP_K_BYTES == 4
    const CLP_K ordered = CLP_DESCENDING ? ~limit : limit;
    const float last = as_float((ordered & CLP_TOP_BIT) != 0 ? ordered ^ CLP_TOP_BIT : ~ordered);
    return CLP_DESCENDING ? as_float(key) >= last : as_float(key) <= last;
#else
    return clp_ordered(key) <= limit;
#endif
}

CLP_INLINE CLP_K clp_topk_key_of_lane(CLP_K key, uint lane) {
    return (CLP_K)(CLP_K_BYTES == 8 ? clp_shuffle_long(key, lane)
                                    : clp_shuffle_word((uint)key, lane));
}

/* Sorts `each` values of each of `lanes` lanes, both powers of two, by a bitonic network, whose
 * blocks begin from both ends: lane l gets the values from number l * each on. Macros, so that
 * compilers know how many turns a loop has. */
#define CLP_LANES_SORT(name, type, of_lane, each, lanes)                                           \
    CLP_INLINE void name(type *own) {                                                              \
        CLP_UNROLL                                                                                 \
        for (uint size = 2; size <= (each) * (lanes); size *= 2) {                                 \
            CLP_UNROLL                                                                             \
            for (uint distance = size / 2; distance > 0; distance /= 2) {                          \
                const uint across = distance == size / 2 ? size - 1 : distance;                    \
                const bool is_upper = (clp_lane() & distance / (each)) != 0;                       \
                type others[each];                                                                 \
                CLP_UNROLL                                                                         \
                for (uint r = 0; r < (each); r++) {                                                \
                    others[r] = own[(r ^ across) & ((each)-1)];                                    \
                    if (distance >= (each))                                                        \
                        others[r] = of_lane(others[r], clp_lane() ^ across / (each));              \
                }                                                                                  \
                CLP_UNROLL                                                                         \
                for (uint r = 0; r < (each); r++) {                                                \
                    const bool takes = distance >= (each)    ? (others[r] < own[r]) != is_upper    \
                                       : (r & distance) != 0 ? own[r] < others[r]                  \
                                                             : others[r] < own[r];                 \
                    own[r] = takes ? others[r] : own[r];                                           \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }

/* Of the sorted keys of `lanes` lanes the one that `share` keys are in front of or alike with. */
CLP_INLINE CLP_K clp_lanes_pick(const CLP_K *least, uint share, uint lanes) {
    CLP_K key = ~(CLP_K)0;
    CLP_UNROLL
    for (uint r = 0; r < CLP_LEAST; r++) {
        key = min(key, share % CLP_LEAST == r ? least[r] : ~(CLP_K)0);
    }
    return clp_topk_key_of_lane(key, (clp_lane() & ~(lanes - 1)) | share / CLP_LEAST);
}

/* Loads some of a work-item's elements, of which a row has one each `lanes` elements; those behind
 * the row's end, to which there are `left` elements, have the last key. are_full: none is, of all
 * lanes. */
CLP_INLINE void clp_lanes_load(const global CLP_K *from, int left, uint lanes, bool are_full,
                               CLP_K *own) {
    if (are_full) {
        CLP_UNROLL
        for (uint j = 0; j < CLP_LOADS; j++) own[j] = from[j * lanes];
        return;
    }
    CLP_UNROLL
    for (uint j = 0; j < CLP_LOADS; j++) {
        own[j] = clp_load_if(left > (int)(j * lanes), from + j * lanes, CLP_TOPK_LAST_KEY);
    }
}

/* The least ordered keys of the parts of a work-item's elements. */
CLP_INLINE void clp_lanes_read(const global CLP_K *from, int left, uint lanes, bool are_full,
                               CLP_K *least) {
    CLP_UNROLL
    for (uint j = 0; j < CLP_LEAST; j++) least[j] = CLP_TOPK_LAST_KEY;
    CLP_NO_UNROLL
    for (; left > 0; left -= CLP_LOADS * lanes, from += CLP_LOADS * lanes) {
        CLP_K own[CLP_LOADS];
        clp_lanes_load(from, left, lanes, are_full, own);
        CLP_UNROLL
        for (uint j = 0; j < CLP_LOADS; j++) {
            least[j % CLP_LEAST] = clp_topk_lesser(least[j % CLP_LEAST], own[j]);
        }
    }
    CLP_UNROLL
    for (uint j = 0; j < CLP_LEAST; j++) least[j] = clp_ordered(least[j]);
}

/* A bit for each of a work-item's elements, 32 at most, that is up to the limit. They are read
 * again: registers are few, and most elements are behind the limit. */
CLP_INLINE uint clp_lanes_mask(const global CLP_K *from, int left, uint lanes, bool are_full,
                               CLP_K limit) {
    const uint count = left > 0 ? (uint)(left - 1) / lanes + 1 : 0;
    uint mask = 0, shift = 0;
    CLP_NO_UNROLL
    for (; left > 0; left -= CLP_LOADS * lanes, from += CLP_LOADS * lanes, shift += CLP_LOADS) {
        CLP_K own[CLP_LOADS];
        uint some = 0;
        clp_lanes_load(from, left, lanes, are_full, own);
        CLP_UNROLL
        for (uint j = 0; j < CLP_LOADS; j++) some |= (uint)clp_topk_is_up_to(own[j], limit) << j;
        mask |= some << shift;
    }
    if (limit == ~(CLP_K)0) mask = ~0u;
    return mask & (uint)((1ul << count) - 1);
}

#if CLP_SHORT > 0
#define CLP_SHORT_MOST (32 * CLP_SHORT) /* elements of a short row: a bit of a mask for each */
#define CLP_SHORT_ROOM (CLP_LANES_MOST * CLP_SHORT) /* for a row's candidates */

typedef struct clp_short {
    uint numbers[CLP_SHORT_ROOM]; /* of the candidates */
} clp_short;

CLP_INLINE uint clp_short_member(void) {
    return clp_lane() % CLP_SHORT;
}

/* The sum of the row's lanes up to this one. */
CLP_INLINE uint clp_short_sum(uint value) {
    CLP_UNROLL
    for (uint distance = 1; distance < CLP_SHORT; distance *= 2) {
        const uint other = clp_shuffle_up_word(value, distance);
        value += clp_short_member() >= distance ? other : 0;
    }
    return value;
}

/* What the row's last lane has. */
CLP_INLINE uint clp_short_of_last(uint value) {
    return clp_shuffle_word(value, clp_lane() | (CLP_SHORT - 1));
}

/* Of the elements with the limit's key the first ones stay, so that k elements do. */
CLP_INLINE uint clp_short_cut(const global CLP_K *from, uint mask, CLP_K limit, uint k) {
    const uint member = clp_short_member(), row = clp_lane() - member;
    const uint lanes = (uint)((1ul << CLP_SHORT) - 1);
    uint alike = 0;
    for (uint rest = mask; rest != 0; rest &= rest - 1) {
        const uint bit = rest & (0 - rest);
        if (clp_ordered(from[(31 - clz(bit)) * CLP_SHORT]) == limit) alike |= bit;
    }
    mask &= ~alike;
    uint before = clp_short_of_last(clp_short_sum(popcount(mask)));
    CLP_NO_UNROLL
    for (uint i = 0; i < 32; i++) {
        const uint others = clp_ballot((alike >> i & 1) != 0) >> row & lanes;
        const uint place = before + popcount(others & ((1u << member) - 1));
        if (place < k) mask |= alike & 1u << i;
        before += popcount(others);
    }
    return mask;
}

/* Puts the numbers of this lane's candidates, of which mask has a bit each. */
CLP_INLINE void clp_short_put(local clp_short *s, uint mask, uint to) {
    CLP_NO_UNROLL
    while (mask != 0) {
        const uint i = 31 - clz(mask);
        s->numbers[to++] = i * CLP_SHORT + clp_short_member();
        mask ^= 1u << i;
    }
}

CLP_LANES_SORT(clp_short_sort_keys, CLP_K, clp_topk_key_of_lane, CLP_LEAST, CLP_SHORT)
CLP_LANES_SORT(clp_short_sort_few, ulong, clp_shuffle_long, 2, CLP_SHORT)
CLP_LANES_SORT(clp_short_sort_all, ulong, clp_shuffle_long, CLP_LANES_MOST, CLP_SHORT)

/* Writes the first k of a row's candidates. are_few: each lane has two at most. */
CLP_INLINE void clp_short_write(const local clp_short *s, const clp_rows *rows, ulong r,
                                ulong begin, uint held, bool are_few) {
    const uint member = clp_short_member(), each = are_few ? 2 : CLP_LANES_MOST;
    const global CLP_K *from = rows->keys + begin;
    CLP_K keys[CLP_LANES_MOST];
    uint numbers[CLP_LANES_MOST];
    ulong words[CLP_LANES_MOST];
    CLP_UNROLL
    for (uint j = 0; j < CLP_LANES_MOST; j++) {
        if (j >= each) continue;
        const uint at = j * CLP_SHORT + member;
        numbers[j] = s->numbers[at];
        keys[j] = clp_load_if(at < held, from + numbers[j], CLP_TOPK_LAST_KEY);
    }
    CLP_UNROLL
    for (uint j = 0; j < CLP_LANES_MOST; j++) {
        if (j >= each) continue;
        const ulong word = (ulong)clp_ordered(keys[j]) << 32 | numbers[j];
        words[j] = j * CLP_SHORT + member < held ? word : ~0ul;
    }
    if (are_few) {
        clp_short_sort_few(words);
    } else {
        clp_short_sort_all(words);
    }
    CLP_UNROLL
    for (uint j = 0; j < CLP_LANES_MOST; j++) {
        const uint place = each * member + j;
        if (j >= each || place >= min(held, (uint)rows->k)) continue;
        CLP_ROW_WRITE(rows, r * rows->k + place, begin, (uint)words[j]);
    }
}

/* Row r, without elements where there is none. */
CLP_INLINE clp_segment clp_short_take(const clp_rows *rows, ulong r) {
    clp_segment segment = {0, 0};
    return r < rows->segments ? clp_segments_take(rows->offsets, rows->n, r) : segment;
}

/* Row r of each CLP_SHORT lanes. next: the row that these lanes take after it. Returns the lanes
 * whose row is left to a team. */
CLP_INLINE uint clp_short_rows(local clp_short *of_rows, const clp_rows *rows, ulong r,
                               clp_segment own, clp_segment next) {
    local clp_short *s = &of_rows[clp_lane() / CLP_SHORT];
    /* An empty one at 0 may be at fault. */
    const bool is_short = own.begin + own.length > 0 && own.length <= CLP_SHORT_MOST;
    const uint length = is_short ? (uint)own.length : 0, k = (uint)rows->k;
    const bool are_full = clp_ballot(length % (CLP_LOADS * CLP_SHORT) != 0) == 0;
    const uint member = clp_short_member(), line = 32 * member;
    const global CLP_K *from = rows->keys + own.begin + member;
    const int left = (int)(length - member);
    CLP_K least[CLP_LEAST];
    clp_lanes_read(from, left, CLP_SHORT, are_full, least);
    clp_short_sort_keys(least);
    const CLP_K limit = clp_lanes_pick(least, k - 1, CLP_SHORT);
    if (line < next.length && next.length <= CLP_SHORT_MOST) {
        clp_fetch_line(rows->keys + next.begin + line);
    }
    uint mask = clp_lanes_mask(from, left, CLP_SHORT, are_full, limit);
    uint end = clp_short_sum(popcount(mask)), held = clp_short_of_last(end);
    if (clp_ballot(held > CLP_SHORT_ROOM) != 0) {
        mask = clp_short_cut(from, mask, limit, k);
        end = clp_short_sum(popcount(mask));
        held = clp_short_of_last(end);
    }
    const bool is_found = is_short && held <= CLP_SHORT_ROOM;
    if (!is_found) held = mask = 0;
    clp_short_put(s, mask, end - popcount(mask));
    clp_subgroup_barrier(); /* numbers, written above, read below */
    if (clp_ballot(held > 2 * CLP_SHORT) == 0) {
        clp_short_write(s, rows, r, own.begin, held, true);
    } else {
        clp_short_write(s, rows, r, own.begin, held, false);
    }
    if (is_found && rows->counts != 0 && member == 0) rows->counts[r] = min(length, k);
    clp_subgroup_barrier(); /* numbers, read above, written for the next rows */
    return clp_ballot(!is_found);
}
#endif
