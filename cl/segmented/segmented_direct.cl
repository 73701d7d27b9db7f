/* SPDX-License-Identifier: MIT */
/*
 * Reductions by offsets, each segment from where its elements stand. A team of CLP_SEGMENT_LANES
 * work-items combines a segment of up to CLP_SHORT elements; a worker, which is a sub-group,
 * combines a longer one. With teams of more than 32 the work-group is team and worker. A long
 * segment covers whole blocks of CLP_LONG_BLOCK elements of the array: these have workers of their
 * own. Each of them, and the segment's own worker, publishes its total under the run's number and
 * then looks whether all others of the segment have: who finds them all stores the result, the last
 * one at least. No group waits. So what a work-group does is bounded, however long segments are.
 * The first groups check the offsets, and report in the same way.
 */
#define CLP_FIRST_LANES                                                                            \
    (CLP_SEGMENT_LANES < 32 ? CLP_SEGMENT_LANES : 32) /* of a team that one sub-group has */
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
#define CLP_OFFSETS_OF_GROUP (16 * CLP_GROUP) /* offsets that a work-group checks */

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

#define CLP_VALUE_WORDS ((CLP_VALUE_BYTES + 3) / 4)

typedef union clp_value_split {
    clp_value value;
    uint words[CLP_VALUE_WORDS];
} clp_value_split;

/* What lanes or groups come to, if anything. */
typedef struct clp_total {
    clp_value value;
    uint lanes; /* that have some of it: the first ones */
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
CLP_INLINE clp_value clp_value_of_lane(clp_value value, uint lane) {
    clp_value_split split;
    split.words[CLP_VALUE_WORDS - 1] = 0;
    split.value = value;
    for (uint w = 0; w < CLP_VALUE_WORDS; w++) {
        split.words[w] = clp_shuffle_word(split.words[w], lane);
    }
    return split.value;
}

/* Combines what the first `lanes` of every `width` neighbouring lanes have; right for the first
 * one. All lanes come here. */
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

#if CLP_INPUTS == 0
#define CLP_TAKE(total, some, x, i) CLP_TAKE_VALUE(total, some, clp_value_of(run, i))
#else
#define CLP_TAKE(total, some, x, i) CLP_TAKE_VALUE(total, some, clp_value_of(run, x, i))
#endif
#define CLP_TAKE_VALUE(total, some, given)                                                         \
    {                                                                                              \
        const clp_value next_value = given;                                                        \
        total = some ? clp_combine_ordered(total, next_value) : next_value;                        \
        some = true;                                                                               \
    }

#define CLP_AT_ONCE                                                                                \
    (CLP_E_BYTES <= 4   ? 8                                                                        \
     : CLP_E_BYTES <= 8 ? 4                                                                        \
                        : 2) /* loads that wait together                                           \
                              */

/* What the lane has of `count` elements from number `first` on: every `lanes`-th one. */
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

/* The same of a worker's lane, which loads 16 bytes at once where it can: first come elements in
 * front of a multiple of these, last those behind one. */
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

/* a stands before b; both are those of a whole worker. */
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
    const long begin = run->heads[s], end = run->heads[s + 1];
    clp_segment segment = {(ulong)begin, (ulong)end, 0, 0, false};
    segment.is_real = begin >= 0 && end >= begin && (ulong)end <= run->counts->n;
    segment.block = (segment.begin + CLP_LONG_BLOCK - 1) / CLP_LONG_BLOCK;
    segment.last_block = segment.end / CLP_LONG_BLOCK;
    return segment;
}

static inline bool clp_is_long(const clp_segment *segment) {
    return segment->block < segment->last_block;
}

/* The number of the first segment that ends behind element x; none: how many there are. All lanes
 * come here. */
CLP_INLINE ulong clp_find_segment(const clp_run *run, ulong x) {
    ulong from = 0, to = run->counts->segments;
#if CLP_LOCKSTEP
    while (from < to) {
        const ulong stride = (to - from + 31) / 32, k = from + (clp_lane() + 1) * stride - 1;
        const bool is_before = k < to && (long)run->heads[k + 1] <= (long)x;
        const uint count = popcount(clp_ballot(is_before));
        to = min(from + (count + 1) * stride - 1, to);
        from = min(from + count * stride, to);
    }
#else
    while (from < to) {
        const ulong middle = from + (to - from) / 2;
        if ((long)run->heads[middle + 1] <= (long)x) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
#endif
    return from;
}

/* Whether one segment covers the block; its number is then *s. All lanes come here. */
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

/* Ranges of elements that a worker combines: of a long segment what is in front of the blocks that
 * it covers, and what is behind them. */
static inline uint clp_ranges(const clp_segment *segment) {
    return !segment->is_real ? 0 : clp_is_long(segment) ? 2 : 1;
}

static inline ulong clp_range_begin(const clp_segment *segment, uint k) {
    return k == 0 ? segment->begin : segment->last_block * CLP_LONG_BLOCK;
}

static inline ulong clp_range_end(const clp_segment *segment, uint k) {
    return k == 0 && clp_is_long(segment) ? segment->block * CLP_LONG_BLOCK : segment->end;
}

/* ---- What is published ---- */

/* Words of 64 bits, each with 32 bits under the run's number: of each group that checks offsets the
 * lowest one at fault and the lowest segment without a value, then the entries. Of a block these
 * are its total, and what stands in front of it and behind the last one of the segment that begins
 * to cover blocks with it. */
#define CLP_TOTAL 0
#define CLP_FRONT 1
#define CLP_BEHIND 2
#define CLP_ENTRIES 3
#define CLP_FIRST_ENTRY (2 * CLP_MOST_CHECKERS)

static inline volatile global ulong *clp_entry_of(volatile global ulong *words, ulong block,
                                                  uint which) {
    return words + CLP_FIRST_ENTRY + (block * CLP_ENTRIES + which) * CLP_VALUE_WORDS;
}

CLP_INLINE void clp_publish_total(volatile global ulong *entry, uint number, clp_total total,
                                  ulong block) {
    clp_value_split split;
    for (uint w = 0; w < CLP_VALUE_WORDS; w++) split.words[w] = 0;
    split.value = total.value;
#if CLP_DELAYED_SHARES
    /* For tests: far longer than a block takes. */
    for (uint i = 0; block % CLP_DELAYED_SHARES == 0 && i < 20000; i++) clp_observe(entry);
#endif
    for (uint w = 0; w < CLP_VALUE_WORDS; w++) {
        clp_publish(entry + w, (ulong)number << 32 | split.words[w]);
    }
}

/* Between what is published above and what is looked at below, in one order of all fences: of
 * several workers one at least sees what all have published. */
CLP_INLINE void clp_fence_lanes(void) {
    clp_device_fence(); /* published above by one lane; with the other workers' */
#if CLP_LOCKSTEP
    clp_subgroup_barrier(); /* published above by one lane, looked at below by all */
    clp_device_fence(); /* looked at below; with the other workers' */
#endif
}

static inline bool clp_some_lane(bool yes) {
#if CLP_LOCKSTEP
    return clp_ballot(yes) != 0;
#else
    return yes;
#endif
}

/* What stands there, for all lanes. Returns false where it is not published. */
CLP_INLINE bool clp_take_entry(volatile global ulong *entry, uint number, clp_total *total) {
    clp_value_split split;
    bool arrived = true;
    for (uint w = 0; w < CLP_VALUE_WORDS; w++) {
        const ulong word = clp_observe(entry + w);
        split.words[w] = (uint)word;
        arrived = arrived && (uint)(word >> 32) == number;
    }
    total->value = split.value;
    total->lanes = 1;
    return !clp_some_lane(!arrived);
}

#define CLP_TOGETHER (CLP_VALUE_WORDS > 2 ? 1 : CLP_IS_WIDE ? 8 : 4) /* blocks that are looked at  \
                                                                      */

/* The same of the blocks that the segment covers, from the last one on, which starts last. */
CLP_INLINE bool clp_take_blocks(volatile global ulong *words, uint number,
                                const clp_segment *segment, clp_total *total) {
    const uint count = (uint)(segment->last_block - segment->block);
    bool some = false;
    for (uint from = 0; from < count; from += CLP_TOGETHER * CLP_FOLDERS) {
        clp_value_split next[CLP_TOGETHER];
        bool arrived = true;
#pragma unroll
        for (uint v = 0; v < CLP_TOGETHER; v++) {
            const uint k = min(from + v * CLP_FOLDERS + clp_folder(), count - 1);
            volatile global ulong *const entry =
                clp_entry_of(words, segment->last_block - 1 - k, CLP_TOTAL);
#pragma unroll
            for (uint w = 0; w < CLP_VALUE_WORDS; w++) {
                const ulong word = clp_observe(entry + w);
                next[v].words[w] = (uint)word;
                arrived = arrived && (uint)(word >> 32) == number;
            }
        }
        if (clp_some_lane(!arrived)) return false;
#pragma unroll
        for (uint v = 0; v < CLP_TOGETHER; v++) {
            if (from + v * CLP_FOLDERS + clp_folder() < count) {
                CLP_TAKE_VALUE(total->value, some, next[v].value)
            }
        }
    }
    total->lanes = min(count, (uint)CLP_FOLDERS);
    total->value = clp_fold_lanes(total->value, total->lanes, CLP_FOLDERS);
    return true;
}

/* Stores the result of a long segment, if all that it comes to is published. All lanes of a
 * sub-group come here. */
CLP_INLINE void clp_end_long(const clp_run *run, volatile global ulong *words, uint number,
                             ulong s) {
    const clp_segment segment = clp_segment_of(run, s);
    clp_part part = {0, 0, 0, 0, 0, 0, 0};
    clp_total front = clp_nothing(), blocks = clp_nothing(), behind = clp_nothing();
    clp_fence_lanes();
    if (!clp_take_blocks(words, number, &segment, &blocks)) return;
    if (!clp_take_entry(clp_entry_of(words, segment.block, CLP_FRONT), number, &front)) return;
    if (!clp_take_entry(clp_entry_of(words, segment.block, CLP_BEHIND), number, &behind)) return;
    if (clp_range_begin(&segment, 0) == clp_range_end(&segment, 0)) front.lanes = 0;
    if (clp_range_begin(&segment, 1) == clp_range_end(&segment, 1)) behind.lanes = 0;
    front = clp_append(clp_append(front, blocks), behind);
    if (clp_folder() == 0) clp_store_segment(run, s, true, front.value, &part);
}

/* The same of any segment, of which `front` is all or, of a long one, what stands in front of the
 * blocks that it covers, and `behind` what stands behind them. */
CLP_INLINE void clp_end_segment(const clp_run *run, volatile global ulong *words, uint number,
                                ulong s, const clp_segment *segment, clp_total front,
                                clp_total behind) {
    clp_part part = {0, 0, 0, 0, 0, 0, 0};
    const ulong block = segment->block;
    if (!clp_is_long(segment)) {
        if (clp_folder() == 0) clp_store_segment(run, s, front.lanes > 0, front.value, &part);
        return;
    }
    if (clp_folder() == 0) {
        clp_publish_total(clp_entry_of(words, block, CLP_FRONT), number, front, block);
        clp_publish_total(clp_entry_of(words, block, CLP_BEHIND), number, behind, block);
    }
    clp_end_long(run, words, number, s);
}

/* The same of the segment s, which covers the block. */
CLP_INLINE void clp_end_block(const clp_run *run, volatile global ulong *words, uint number,
                              ulong block, clp_total total, ulong s) {
    if (clp_folder() == 0) {
        clp_publish_total(clp_entry_of(words, block, CLP_TOTAL), number, total, block);
    }
    clp_end_long(run, words, number, s);
}

/* ---- The report ---- */

CLP_INLINE ulong clp_checkers(ulong segments) {
    return segments / CLP_OFFSETS_OF_GROUP + 1;
}

/* Checks the offsets of group number `group`, and segments without a value. */
CLP_INLINE void clp_check_offsets(const clp_run *run, ulong group, local clp_shared *shared) {
    const ulong segments = run->counts->segments, first = group * CLP_OFFSETS_OF_GROUP;
    uint lowest = ~0u, empty = ~0u;
#pragma unroll
    for (uint v = 0; v < CLP_OFFSETS_OF_GROUP / CLP_GROUP; v++) {
        const ulong k = first + v * CLP_GROUP + get_local_id(0);
        if (k > segments) continue;
        const long offset = run->heads[k], before = k == 0 ? 0 : (long)run->heads[k - 1];
        const bool is_bad = offset < before || offset < 0 || (ulong)offset > run->counts->n;
        if (is_bad) lowest = min(lowest, (uint)k);
        if (CLP_EMPTY && k > 0 && offset == before) empty = min(empty, (uint)k - 1);
    }
    if (lowest != ~0u) atomic_min(&shared->lowest, lowest); /* with the other work-items' */
    if (empty != ~0u) atomic_min(&shared->empty, empty); /* with the other work-items' */
}

/* The lowest of what all groups that check have published. Returns false where one has not. */
CLP_INLINE bool clp_take_faults(volatile global ulong *words, uint number, uint checkers,
                                uint *lowest, uint *empty) {
    for (uint from = 0; from < checkers; from += CLP_FOLDERS) {
        const uint k = checkers - 1 - min(from + clp_folder(), checkers - 1);
        const ulong own = clp_observe(words + 2 * k);
        const ulong without = CLP_EMPTY ? clp_observe(words + 2 * k + 1) : own | 0xffffffffu;
        const bool arrived = (uint)(own >> 32) == number && (uint)(without >> 32) == number;
        if (clp_some_lane(!arrived)) return false;
        *lowest = min(*lowest, (uint)own);
        *empty = min(*empty, (uint)without);
    }
    return true;
}

/* By CLP_FOLDERS work-items of each group that checks: who finds what all have found reports. */
CLP_INLINE void clp_report_faults(const clp_run *run, volatile global ulong *words, uint number,
                                  ulong group, const local clp_shared *shared,
                                  global clp_report *report) {
    const uint checkers = (uint)clp_checkers(run->counts->segments);
    uint lowest = shared->lowest, empty = shared->empty;
    if (checkers > 1) {
        if (clp_folder() == 0) {
            clp_publish(words + 2 * group, (ulong)number << 32 | lowest);
            if (CLP_EMPTY) clp_publish(words + 2 * group + 1, (ulong)number << 32 | empty);
        }
        clp_fence_lanes();
        if (!clp_take_faults(words, number, checkers, &lowest, &empty)) return;
#if CLP_LOCKSTEP
#pragma unroll
        for (uint d = 16; d > 0; d /= 2) {
            lowest = min(lowest, clp_shuffle_word(lowest, clp_lane() ^ d));
            empty = min(empty, clp_shuffle_word(empty, clp_lane() ^ d));
        }
#endif
    }
    clp_report found = {0, -1, (long)run->counts->segments};
    if (lowest != ~0u) {
        found.fault = CLP_FAULT_OFFSETS;
        found.index = (long)lowest;
    } else if (empty != ~0u) {
        found.fault = CLP_FAULT_EMPTY;
        found.index = (long)empty;
    }
    if (clp_folder() == 0) *report = found;
}

/* ---- The kernel ---- */

/* What a work-group does: it checks, combines blocks, or segments. */
typedef struct clp_task {
    ulong group; /* its number among those that do the same */
    bool checks, has_blocks, has_segments;
} clp_task;

static inline clp_task clp_find_task(const clp_counts *most, const local clp_counts *counts,
                                     uint group) {
    const ulong checkers = clp_checkers(most->segments);
    const ulong with_blocks = (most->n / CLP_LONG_BLOCK + CLP_WORKERS - 1) / CLP_WORKERS;
    clp_task task = {group, false, false, false};
    if (counts->workers == 0) return task;
    if (group < checkers) {
        task.checks = group < clp_checkers(counts->segments);
    } else if (group < checkers + with_blocks) {
        task.group = group - checkers;
        task.has_blocks = true;
    } else {
        task.group = group - checkers - with_blocks;
        task.has_segments = task.group * CLP_SEGMENTS < counts->segments;
    }
    return task;
}

CLP_INLINE void clp_begin_group(local clp_shared *shared) {
    if (get_local_id(0) > 0) return;
    shared->lowest = shared->empty = ~0u;
#if !CLP_IS_WIDE
    shared->count = 0;
#endif
}

#if CLP_IS_WIDE
/* Leaves what a sub-group comes to. */
CLP_INLINE void clp_leave_sum(clp_total total, local clp_value *sums) {
    const uint below = clp_subgroup_number() * 32;
    const uint lanes = total.lanes > below ? total.lanes - below : 0;
    const clp_value value = clp_fold_lanes(total.value, lanes, 32);
    if (clp_lane() == 0) sums[clp_subgroup_number()] = value;
}

/* What the group comes to, by its first sub-group. */
static inline clp_total clp_take_sums(clp_total total, const local clp_value *sums) {
    const uint count = (total.lanes + 31) / 32;
    if (clp_lane() < CLP_GROUP / 32) total.value = sums[clp_lane()];
    total.value = clp_fold_lanes(total.value, count, 32);
    return total;
}

CLP_KERNEL(CLP_GROUP)
void clp_segmented_go(CLP_SEGMENTED_PARAMETERS) {
    local clp_shared shared;
    local clp_counts counts;
    clp_begin_group(&shared);
    CLP_TAKE_COUNTS(report + report_first)
    const clp_run run = CLP_RUN;
    volatile global ulong *const words = (volatile global ulong *)tails;
    const clp_counts most = {most_n, most_segments, most_workers};
    const clp_task task = clp_find_task(&most, &counts, (uint)get_group_id(0));
    clp_segment segment = {0, 0, 0, 0, false};
    clp_total front = clp_nothing(), behind = clp_nothing();
    ulong s = 0; /* the segment that covers a block */
    CLP_END_UNLESS(task.checks || task.has_blocks || task.has_segments)
    if (task.checks) clp_check_offsets(&run, task.group, &shared);
    if (task.has_blocks) segment = clp_block_of(task.group, clp_is_covered(&run, task.group, &s));
    if (task.has_segments) segment = clp_segment_of(&run, task.group);
#pragma unroll 1
    for (uint k = 0; k < clp_ranges(&segment); k++) {
        const clp_total own =
            clp_take_range(&run, clp_range_begin(&segment, k), clp_range_end(&segment, k));
        clp_leave_sum(own, &shared.sums[k][0]);
        if (k == 0) {
            front = own;
        } else {
            behind = own;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* sums and faults written above, read below */
    if (get_local_id(0) >= 32) return;
    if (task.checks) {
        clp_report_faults(&run, words, number, task.group, &shared, report + report_first);
        return;
    }
    if (!segment.is_real) return;
    front = clp_take_sums(front, shared.sums[0]);
    if (task.has_blocks) {
        clp_end_block(&run, words, number, task.group, front, s);
    } else {
        behind = clp_take_sums(behind, shared.sums[1]);
        clp_end_segment(&run, words, number, task.group, &segment, front, behind);
    }
}
#else
static inline clp_total clp_fold_worker(clp_total total) {
    total.value = clp_fold_lanes(total.value, total.lanes, CLP_WORKER);
    return total;
}

/* Each team's segment, if it is short; lists the others. */
CLP_INLINE void clp_take_segments(const clp_run *run, ulong group, local clp_shared *shared) {
    const uint own = (uint)get_local_id(0) / CLP_SEGMENT_LANES,
               lane = (uint)get_local_id(0) % CLP_SEGMENT_LANES;
    const ulong s = group * CLP_SEGMENTS + own;
    clp_segment segment = {0, 0, 0, 0, false};
    clp_part part = {0, 0, 0, 0, 0, 0, 0};
    if (s < run->counts->segments) segment = clp_segment_of(run, s);
    const bool is_short = segment.is_real && segment.end - segment.begin <= CLP_SHORT;
    const uint count = is_short ? (uint)(segment.end - segment.begin) : 0;
    clp_total total = clp_take_elements(run, segment.begin, count, lane, CLP_SEGMENT_LANES);
    total.value = clp_fold_lanes(total.value, total.lanes, CLP_SEGMENT_LANES);
    if (lane > 0) return;
    if (is_short) {
        clp_store_segment(run, s, count > 0, total.value, &part);
    } else if (segment.is_real) {
        shared->listed[atomic_inc(&shared->count)] = own; /* with the other teams' */
    }
}

/* By each worker: its block, or listed segments. */
CLP_INLINE void clp_take_ranges(const clp_run *run, volatile global ulong *words, uint number,
                                const clp_task *task, const local clp_shared *shared) {
    const uint count = task->has_blocks ? CLP_WORKERS : shared->count;
    for (uint j = (uint)get_local_id(0) / CLP_WORKER; j < count; j += CLP_WORKERS) {
        const ulong block = task->group * CLP_WORKERS + j;
        ulong s = 0;
        clp_segment segment;
        if (task->has_blocks) {
            segment = clp_block_of(block, clp_is_covered(run, block, &s));
        } else {
            s = task->group * CLP_SEGMENTS + shared->listed[j];
            segment = clp_segment_of(run, s);
        }
        clp_total front = clp_nothing(), behind = clp_nothing();
#pragma unroll 1
        for (uint k = 0; k < clp_ranges(&segment); k++) {
            const clp_total own = clp_fold_worker(
                clp_take_range(run, clp_range_begin(&segment, k), clp_range_end(&segment, k)));
            if (k == 0) {
                front = own;
            } else {
                behind = own;
            }
        }
        if (!segment.is_real) continue;
        if (task->has_blocks) {
            clp_end_block(run, words, number, block, front, s);
        } else {
            clp_end_segment(run, words, number, s, &segment, front, behind);
        }
    }
}

CLP_KERNEL(CLP_GROUP)
void clp_segmented_go(CLP_SEGMENTED_PARAMETERS) {
    local clp_shared shared;
    local clp_counts counts;
    clp_begin_group(&shared);
    CLP_TAKE_COUNTS(report + report_first)
    const clp_run run = CLP_RUN;
    volatile global ulong *const words = (volatile global ulong *)tails;
    const clp_counts most = {most_n, most_segments, most_workers};
    const clp_task task = clp_find_task(&most, &counts, (uint)get_group_id(0));
    CLP_END_UNLESS(task.checks || task.has_blocks || task.has_segments)
    if (task.checks) clp_check_offsets(&run, task.group, &shared);
    if (task.has_segments) clp_take_segments(&run, task.group, &shared);
    barrier(CLK_LOCAL_MEM_FENCE); /* list and faults written above, read below */
    if (!task.checks) clp_take_ranges(&run, words, number, &task, &shared);
    if (task.checks && get_local_id(0) < CLP_FOLDERS) {
        clp_report_faults(&run, words, number, task.group, &shared, report + report_first);
    }
}
#endif
