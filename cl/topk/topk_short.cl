/* SPDX-License-Identifier: MIT */
/*
 * Top-k of short rows on NVIDIA GPUs: CLP_SHORT lanes take a row, so that a sub-group takes several
 * rows at once. Each lane finds the least key of each half of its elements. At least k keys are up
 * to the k-th one of these, the limit. The elements up to it are read again: they are candidates,
 * whose keys and numbers go to local memory. Of those with the limit's key only the first stay
 * where not all have room. A candidate's place is the number of keys in front of it; numbers are
 * compared only where keys are alike. A row whose candidates have no room goes to a team.
 *
 * The functions in front of CLP_SHORT are those that teams use, too.
 */
#define CLP_LOADS 16 /* keys that a work-item loads at once */

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

/* The keys of each `width` lanes in order. begin: 2, or width where the lower half of the lanes has
 * keys that rise and the upper half keys that fall. */
CLP_INLINE CLP_K clp_topk_in_order(CLP_K key, uint begin, uint width) {
    const uint lane = clp_lane();
    CLP_UNROLL
    for (uint block = begin; block <= width; block *= 2) {
        CLP_UNROLL
        for (uint distance = block / 2; distance > 0; distance /= 2) {
            const bool flips = begin == 2 && distance == block / 2;
            const CLP_K other = clp_topk_key_of_lane(key, lane ^ (flips ? block - 1 : distance));
            key = (lane & distance) == 0 ? min(key, other) : max(key, other);
        }
    }
    return key;
}

/* Of the two keys of each `width` lanes the one that `share` others are in front of or alike with.
 */
CLP_INLINE CLP_K clp_topk_of_lanes(CLP_K a, CLP_K b, uint share, uint width) {
    const uint lane = clp_lane();
    a = clp_topk_in_order(a, 2, width);
    b = clp_topk_key_of_lane(clp_topk_in_order(b, 2, width), lane ^ (width - 1));
    a = clp_topk_in_order(share < width ? min(a, b) : max(a, b), width, width);
    return clp_topk_key_of_lane(a, (lane & ~(width - 1)) | (share & (width - 1)));
}

/* Loads some of a work-item's elements, of which a row has one each `lanes` elements; those behind
 * the row's end, to which there are `left` elements, have the last key. */
CLP_INLINE void clp_lanes_load(const global CLP_K *from, int left, uint lanes, CLP_K *own) {
    CLP_UNROLL
    for (uint j = 0; j < CLP_LOADS; j++) {
        own[j] = clp_load_if(left > (int)(j * lanes), from + j * lanes, CLP_TOPK_LAST_KEY);
    }
}

/* The least ordered keys of each half of a work-item's elements. */
CLP_INLINE void clp_lanes_read(const global CLP_K *from, int left, uint lanes, CLP_K *least) {
    CLP_K a = CLP_TOPK_LAST_KEY, b = CLP_TOPK_LAST_KEY;
    CLP_NO_UNROLL
    for (; left > 0; left -= CLP_LOADS * lanes, from += CLP_LOADS * lanes) {
        CLP_K own[CLP_LOADS];
        clp_lanes_load(from, left, lanes, own);
        CLP_UNROLL
        for (uint j = 0; j < CLP_LOADS; j += 2) {
            a = clp_topk_lesser(a, own[j]);
            b = clp_topk_lesser(b, own[j + 1]);
        }
    }
    least[0] = clp_ordered(a);
    least[1] = clp_ordered(b);
}

/* A bit for each of a work-item's elements, 32 at most, that is up to the limit. They are read
 * again: registers are few, and most elements are behind the limit. */
CLP_INLINE uint clp_lanes_mask(const global CLP_K *from, int left, uint lanes, CLP_K limit) {
    const uint count = left > 0 ? (uint)(left - 1) / lanes + 1 : 0;
    uint mask = 0, shift = 0;
    CLP_NO_UNROLL
    for (; left > 0; left -= CLP_LOADS * lanes, from += CLP_LOADS * lanes, shift += CLP_LOADS) {
        CLP_K own[CLP_LOADS];
        uint some = 0;
        clp_lanes_load(from, left, lanes, own);
        CLP_UNROLL
        for (uint j = 0; j < CLP_LOADS; j++) some |= (uint)clp_topk_is_up_to(own[j], limit) << j;
        mask |= some << shift;
    }
    if (limit == ~(CLP_K)0) mask = ~0u;
    return mask & (uint)((1ul << count) - 1);
}

#if CLP_SHORT > 0
#define CLP_SHORT_MOST (32 * CLP_SHORT) /* elements of a short row: a bit of a mask for each */
#define CLP_SHORT_ROOM (4 * CLP_SHORT) /* for a row's candidates */
#define CLP_SHORT_TOGETHER 4 /* keys that are compared together */
#define CLP_SHORT_PLACES (CLP_SHORT > 8 ? 2 : 3) /* of a lane's candidates, found together */

typedef struct __attribute__((aligned(16))) clp_short {
    CLP_K keys[6 * CLP_SHORT + CLP_SHORT_TOGETHER]; /* ordered; those behind the room are any */
    uint numbers[CLP_SHORT_ROOM + CLP_SHORT_TOGETHER];
    uint first[2 * CLP_SHORT]; /* the numbers of the first k candidates */
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
        const uint number = (31 - clz(bit)) * CLP_SHORT + member;
        if (clp_ordered(from[number]) == limit) alike |= bit;
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

/* The places of some candidates, from `at` on: how many keys are in front; by_number: and how many
 * alike ones with lower numbers. */
CLP_INLINE void clp_short_places(const local clp_short *s, uint held, uint at, bool by_number,
                                 uint *places) {
    CLP_K own[CLP_SHORT_PLACES];
    CLP_UNROLL
    for (uint t = 0; t < CLP_SHORT_PLACES; t++) {
        own[t] = s->keys[at + t * CLP_SHORT];
        places[t] = 0;
    }
    CLP_NO_UNROLL
    for (uint j = 0; j < held; j += CLP_SHORT_TOGETHER) {
        CLP_UNROLL
        for (uint i = 0; i < CLP_SHORT_TOGETHER; i++) {
            const CLP_K key = s->keys[j + i];
            CLP_UNROLL
            for (uint t = 0; t < CLP_SHORT_PLACES; t++) {
                places[t] = clp_count_less(places[t], key, own[t]);
                if (by_number && j + i < held && key == own[t]) {
                    places[t] += s->numbers[j + i] < s->numbers[at + t * CLP_SHORT];
                }
            }
        }
    }
}

/* Puts the first k candidates in order. Where keys are alike their places are, and the sum of all
 * places is less: returns false, unless numbers are compared as well. */
CLP_INLINE bool clp_short_order(local clp_short *s, uint held, uint k, bool by_number) {
    uint sum = 0;
    CLP_NO_UNROLL
    for (uint at = clp_short_member(); at < held; at += CLP_SHORT_PLACES * CLP_SHORT) {
        uint places[CLP_SHORT_PLACES];
        clp_short_places(s, held, at, by_number, places);
        CLP_UNROLL
        for (uint t = 0; t < CLP_SHORT_PLACES; t++) {
            const uint own = at + t * CLP_SHORT;
            if (own < held && places[t] < k) s->first[places[t]] = s->numbers[own];
            sum += own < held ? places[t] : 0;
        }
    }
    CLP_UNROLL
    for (uint distance = 1; distance < CLP_SHORT; distance *= 2) {
        sum += clp_shuffle_word(sum, clp_lane() ^ distance);
    }
    clp_subgroup_barrier(); /* the first, written above, read behind or written again */
    return clp_ballot(held > 0 && 2 * sum != held * (held - 1)) == 0;
}

/* Finds the first k of a row's elements, which are in `first` then, among those of which mask has
 * a bit each. Returns how many candidates there were; more than the room: not found. */
CLP_INLINE uint clp_short_find(local clp_short *s, const global CLP_K *from, uint mask, CLP_K limit,
                               uint k) {
    const uint member = clp_short_member();
    uint end = clp_short_sum(popcount(mask)), held = clp_short_of_last(end);
    if (clp_ballot(held > CLP_SHORT_ROOM) != 0) {
        mask = clp_short_cut(from, mask, limit, k);
        end = clp_short_sum(popcount(mask));
        held = clp_short_of_last(end);
    }
    const uint found = held;
    if (held > CLP_SHORT_ROOM) held = mask = 0;
    end -= popcount(mask);
    CLP_NO_UNROLL
    while (mask != 0) {
        const uint i = 31 - clz(mask);
        s->numbers[end++] = i * CLP_SHORT + member;
        mask ^= 1u << i;
    }
    clp_subgroup_barrier(); /* numbers, written above, read below */
    CLP_NO_UNROLL
    for (uint first = 0; first < held; first += 2 * CLP_SHORT) {
        const uint a = first + member, b = a + CLP_SHORT;
        const CLP_K a_key = clp_load_if(a < held, from + s->numbers[a], CLP_TOPK_LAST_KEY);
        const CLP_K b_key = clp_load_if(b < held, from + s->numbers[b], CLP_TOPK_LAST_KEY);
        s->keys[a] = clp_ordered(a_key);
        s->keys[b] = clp_ordered(b_key);
    }
    clp_subgroup_barrier(); /* keys, written above, read below */
    if (!clp_short_order(s, held, k, false)) clp_short_order(s, held, k, true);
    return found;
}

/* Row r, without elements where there is none. */
CLP_INLINE clp_segment clp_short_take(const clp_rows *rows, ulong r) {
    clp_segment segment = {0, 0};
    return r < rows->segments ? clp_segments_take(rows->offsets, rows->n, r) : segment;
}

/* Rows from the first one on, a row for each CLP_SHORT lanes. next: the row that this lane takes
 * after its own. Returns the lanes whose row is left to a team. */
CLP_INLINE uint clp_short_rows(local clp_short *of_rows, const clp_rows *rows, ulong r,
                               clp_segment own, clp_segment next) {
    local clp_short *s = &of_rows[clp_lane() / CLP_SHORT];
    /* An empty one at 0 may be at fault. */
    const bool is_short = own.begin + own.length > 0 && own.length <= CLP_SHORT_MOST;
    const uint length = is_short ? (uint)own.length : 0, k = (uint)rows->k;
    const global CLP_K *from = rows->keys + own.begin;
    const uint member = clp_short_member(), line = 32 * member;
    CLP_K least[2];
    const int left = (int)(length - member);
    clp_lanes_read(from + member, left, CLP_SHORT, least);
    const CLP_K limit = clp_topk_of_lanes(least[0], least[1], k - 1, CLP_SHORT);
    if (line < next.length && next.length <= CLP_SHORT_MOST) {
        clp_fetch_line(rows->keys + next.begin + line);
    }
    const uint mask = clp_lanes_mask(from + member, left, CLP_SHORT, limit);
    const uint held = clp_short_find(s, from, mask, limit, k);
    const bool is_found = is_short && held <= CLP_SHORT_ROOM;
    const uint found = is_found ? min(length, k) : 0;
    if (is_found && rows->counts != 0 && clp_short_member() == 0) rows->counts[r] = found;
    CLP_NO_UNROLL
    for (uint j = clp_short_member(); j < found; j += CLP_SHORT) {
        CLP_ROW_WRITE(rows, r * k + j, own.begin, s->first[j]);
    }
    clp_subgroup_barrier(); /* the first, read above, written for the next rows */
    return clp_ballot(!is_found);
}
#endif
