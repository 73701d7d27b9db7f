/* SPDX-License-Identifier: MIT */
/* The variant "direct" (segmented_direct.cl): segments, the blocks that long ones cover, and what a
 * team or a worker combines of the array. Each lane takes every CLP_SEGMENT_LANES-th element or, of
 * a worker, every 32nd group of 16 bytes, several loads at once: lanes take operands out of their
 * order, so that the operator must commute. */
#define CLP_IS_WIDE (CLP_SEGMENT_LANES > 32)
#if CLP_IS_WIDE
#define CLP_WORKER CLP_GROUP
#elif CLP_LOCKSTEP
#define CLP_WORKER 32
#else
#define CLP_WORKER 1
#endif
#define CLP_WORKERS (CLP_GROUP / CLP_WORKER)
#define CLP_FOLDERS (CLP_LOCKSTEP ? 32 : 1) /* work-items that combine what was published */
#define CLP_SEGMENTS (CLP_GROUP / CLP_SEGMENT_LANES) /* of a work-group */
#define CLP_SHORT (16 * CLP_SEGMENT_LANES) /* elements of a segment that its team combines */
#define CLP_OFFSETS_OF_GROUP                                                                       \
    (CLP_OFFSETS_CHECKED * CLP_GROUP) /* offsets that a work-group checks */

#if !CLP_LOCKSTEP && CLP_SEGMENT_LANES > 1
#error "segmented_direct.cl: teams exchange values by shuffles"
#endif
#if CLP_IS_WIDE && CLP_SEGMENT_LANES != CLP_GROUP
#error "segmented_direct.cl: a team of more than 32 is a work-group"
#endif
#if !CLP_IS_WIDE && CLP_LONG_BLOCK <= CLP_SHORT
#error "segmented_direct.cl: a short segment covers a block"
#endif
#if !CLP_COMMUTATIVE || CLP_ARG
#error "segmented_direct.cl: lanes take operands out of their order"
#endif

/* The combination of some elements, if there are any. */
typedef struct clp_total {
    clp_value value;
    uint lanes; /* the first lanes, which have a part of it */
} clp_total;

/* What a work-group shares. */
typedef struct clp_shared {
#if CLP_IS_WIDE
    clp_value sums[2][CLP_GROUP / 32];
#else
    uint listed[CLP_SEGMENTS]; /* segments for workers, counted from the group's first one */
    uint count; /* of them */
#endif
    uint lowest, empty; /* what is at fault; ~0: nothing is */
} clp_shared;

static inline clp_total clp_nothing(void) {
    clp_value_split split;
    for (uint w = 0; w < CLP_VALUE_WORDS; w++) split.words[w] = 0;
    const clp_total nothing = {split.value, 0};
    return nothing;
}

/* ---- Exchange ---- */

#if CLP_LOCKSTEP
/* Combines the values of the first `lanes` of every `width` neighbouring lanes; the first of them
 * gets the result. All lanes call it. */
CLP_INLINE clp_value clp_fold_lanes(clp_value value, uint lanes, const uint width) {
    const uint lane = clp_lane(), t = lane % width;
#pragma unroll
    for (uint d = width / 2; d > 0; d /= 2) {
        const clp_value above = clp_value_of_lane(value, t + d < width ? lane + d : lane);
        if (t < d && t + d < lanes) value = clp_combine_ordered(value, above);
    }
    return value;
}
#else
CLP_INLINE clp_value clp_fold_lanes(clp_value value, uint lanes, const uint width) {
    return value;
}
#endif

static inline uint clp_folder(void) {
    return CLP_LOCKSTEP ? (uint)get_local_id(0) % 32 : 0;
}

/* ---- Elements ---- */

/* Takes a value into the caller's variables: `total`, and `some`, which says whether it has one.
 * A macro:
 * as a function, with pointers to them, it gets longer code of the compiler. */
#define CLP_TAKE_VALUE(total, some, given)                                                         \
    {                                                                                              \
        const clp_value next_value = given;                                                        \
        total = some ? clp_combine_ordered(total, next_value) : next_value;                        \
        some = true;                                                                               \
    }
#define CLP_TAKE(total, some, x, i) CLP_TAKE_VALUE(total, some, CLP_VALUE_OF(run, x, i))

/* The number of a lane's loads that overlap. */
#define CLP_AT_ONCE (CLP_E_BYTES <= 4 ? 8 : CLP_E_BYTES <= 8 ? 4 : 2)

/* Combines the lane's part of `count` elements from number `first` on: every `lanes`-th one. */
static inline clp_total clp_take_elements(const clp_run *run, ulong first, uint count, uint lane,
                                          const uint lanes) {
    clp_total total = clp_nothing();
    bool some = false;
    for (uint i = lane; i < count; i += CLP_AT_ONCE * lanes) {
#if CLP_INPUTS > 0
        const global CLP_E *const from = run->in + first;
        CLP_E next[CLP_AT_ONCE];
#pragma unroll
        for (uint v = 0; v < CLP_AT_ONCE; v++) {
            if (i + v * lanes < count) next[v] = from[i + v * lanes];
        }
#endif
#pragma unroll
        for (uint v = 0; v < CLP_AT_ONCE; v++) {
            if (i + v * lanes < count) CLP_TAKE(total.value, some, next[v], first + i + v * lanes)
        }
    }
    total.lanes = min(count, lanes);
    return total;
}

#if CLP_LOCKSTEP && CLP_INPUTS > 0 && 16 % CLP_E_BYTES == 0 && CLP_E_BYTES < 16
#define CLP_PIECE (16 / CLP_E_BYTES) /* elements of a load */
#define CLP_PIECES_AT_ONCE (CLP_IS_WIDE ? 8 : 4)

typedef union clp_piece {
    CLP_E element[CLP_PIECE];
    uint4 whole;
} clp_piece;

/* Combines the part of a worker's lane of elements [first, last). Between the first and the last
 * address that is a multiple of 16, it loads 16 bytes at once. */
static inline clp_total clp_take_range(const clp_run *run, ulong first, ulong last) {
    const uint lane = (uint)get_local_id(0) % CLP_WORKER, all = (uint)(last - first);
    const global CLP_E *const from = run->in + first;
    const uint past = (uint)((ulong)from / CLP_E_BYTES) % CLP_PIECE;
    const uint lead = min(past > 0 ? CLP_PIECE - past : 0, all);
    const uint pieces = (all - lead) / CLP_PIECE, rest = lead + pieces * CLP_PIECE;
    const global uint4 *const whole = (const global uint4 *)(from + lead);
    clp_total total = clp_nothing();
    bool some = false;
    CLP_E before, behind;
    if (lane < lead) before = from[lane];
    if (lane < all - rest) behind = from[rest + lane];
    for (uint p = lane; p < pieces; p += CLP_PIECES_AT_ONCE * CLP_WORKER) {
        clp_piece piece[CLP_PIECES_AT_ONCE];
#pragma unroll
        for (uint v = 0; v < CLP_PIECES_AT_ONCE; v++) {
            if (p + v * CLP_WORKER < pieces) {
                piece[v].whole = clp_load_stream(whole + p + v * CLP_WORKER);
            }
        }
#pragma unroll
        for (uint v = 0; v < CLP_PIECES_AT_ONCE; v++) {
            if (p + v * CLP_WORKER >= pieces) continue;
            const ulong i = first + lead + (p + v * CLP_WORKER) * (ulong)CLP_PIECE;
#pragma unroll
            for (uint j = 0; j < CLP_PIECE; j++) {
                CLP_TAKE(total.value, some, piece[v].element[j], i + j)
            }
        }
    }
    if (lane < lead) CLP_TAKE(total.value, some, before, first + lane)
    if (lane < all - rest) CLP_TAKE(total.value, some, behind, first + rest + lane)
    total.lanes = max(max(lead, all - rest), min(pieces, (uint)CLP_WORKER));
    return total;
}
#else
static inline clp_total clp_take_range(const clp_run *run, ulong first, ulong last) {
    return clp_take_elements(run, first, (uint)(last - first), (uint)get_local_id(0) % CLP_WORKER,
                             CLP_WORKER);
}
#endif

/* Combines two totals of a whole worker; a stands before b. */
static inline clp_total clp_append(clp_total a, clp_total b) {
    if (a.lanes == 0) return b;
    if (b.lanes > 0) a.value = clp_combine_ordered(a.value, b.value);
    return a;
}

/* ---- Segments ---- */

typedef struct clp_segment {
    ulong begin, end;
    ulong block, last_block; /* the blocks that it covers */
    bool is_real; /* its offsets are not malformed */
} clp_segment;

static inline clp_segment clp_segment_of(const clp_run *run, ulong s) {
    const long begin = clp_offset(run, s), end = clp_offset(run, s + 1);
    clp_segment segment = {(ulong)begin, (ulong)end, 0, 0, false};
    segment.is_real = begin >= 0 && end >= begin && (ulong)end <= run->counts->n;
    segment.block = (segment.begin + CLP_LONG_BLOCK - 1) / CLP_LONG_BLOCK;
    segment.last_block = segment.end / CLP_LONG_BLOCK;
    return segment;
}

static inline bool clp_is_long(const clp_segment *segment) {
    return segment->block < segment->last_block;
}

/* Returns the number of the first segment that ends behind element x, or the number of segments.
 * All lanes call it: each step asks for 32 ends. */
CLP_INLINE ulong clp_find_segment(const clp_run *run, ulong x) {
    ulong from = 0, to = run->counts->segments;
#if CLP_LOCKSTEP
    while (from < to) {
        const ulong stride = (to - from + 31) / 32, k = from + (clp_lane() + 1) * stride - 1;
        const bool is_before = k < to && clp_offset(run, k + 1) <= (long)x;
        const uint count = popcount(clp_ballot(is_before));
        to = min(from + (count + 1) * stride - 1, to);
        from = min(from + count * stride, to);
    }
#else
    while (from < to) {
        const ulong middle = from + (to - from) / 2;
        if (clp_offset(run, middle + 1) <= (long)x) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
#endif
    return from;
}

/* Whether one segment covers the block; *s is then its number. All lanes call it. */
CLP_INLINE bool clp_is_covered(const clp_run *run, ulong block, ulong *s) {
    if (block >= run->counts->n / CLP_LONG_BLOCK) return false;
    *s = clp_find_segment(run, block * CLP_LONG_BLOCK);
    if (*s >= run->counts->segments) return false;
    const clp_segment segment = clp_segment_of(run, *s);
    return segment.is_real && segment.block <= block && block < segment.last_block;
}

/* The block as a segment of its own. */
static inline clp_segment clp_block_of(ulong block, bool is_real) {
    const clp_segment own = {block * CLP_LONG_BLOCK, (block + 1) * CLP_LONG_BLOCK, 0, 0, is_real};
    return own;
}

/* The ranges of elements that a worker combines of a segment: all of it or, of a long one, what is
 * in front of its blocks and what is behind them. */
static inline uint clp_ranges(const clp_segment *segment) {
    return !segment->is_real ? 0 : clp_is_long(segment) ? 2 : 1;
}

static inline ulong clp_range_begin(const clp_segment *segment, uint k) {
    return k == 0 ? segment->begin : segment->last_block * CLP_LONG_BLOCK;
}

static inline ulong clp_range_end(const clp_segment *segment, uint k) {
    return k == 0 && clp_is_long(segment) ? segment->block * CLP_LONG_BLOCK : segment->end;
}
