/* SPDX-License-Identifier: MIT */
/*
 * The variant "direct" (segmented_direct.cl): totals of blocks and faults that workers publish, who
 * stores a long segment's result, the report.
 *
 * What is published are words of 64 bits: 32 bits of a value under the run's number, so that a word
 * is whole or not there, and nothing is cleared between runs. Each group that checks offsets has
 * two, the lowest offset at fault and the lowest segment without a value. Behind them each block
 * has three entries: its total and, of the segment that begins to cover blocks with it, the totals
 * in front of the blocks and behind them.
 */
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

/* Between what a worker publishes and what it looks at. All fences have one order: the worker whose
 * fence is the last sees what all others have published. */
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

/* Reads an entry, for all lanes. Returns false where it is not published. */
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

/* The number of blocks whose words a work-item loads at once. */
#define CLP_TOGETHER (CLP_VALUE_WORDS > 2 ? 1 : CLP_IS_WIDE ? 8 : 4)

/* Combines the totals of the blocks that a segment covers. Returns false where one is not
 * published. The last block comes first: its work-group starts last, and is missing most often. */
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

/* Stores the result of a long segment, if all its totals are published. All lanes of a sub-group
 * call it. */
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
    if (clp_folder() > 0) return; /* the others lack the blocks */
    front = clp_append(clp_append(front, blocks), behind);
    clp_store_segment(run, s, true, front.value, &part);
}

/* Ends a segment: stores its total `front` or, of a long one, publishes the totals in front of its
 * blocks and behind them, and stores the result if nothing is missing. */
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

/* Ends a block that segment s covers: publishes its total, and stores the segment's result if
 * nothing is missing. */
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

#define CLP_CHECKED_TOGETHER 8 /* a work-item's offsets whose loads overlap */

/* Checks the offsets of group number `group`, and segments without a value. */
CLP_INLINE void clp_check_offsets(const clp_run *run, ulong group, local clp_shared *shared) {
    const ulong segments = run->counts->segments, begin = group * CLP_OFFSETS_OF_GROUP;
    const ulong end = min(begin + CLP_OFFSETS_OF_GROUP, segments + 1);
    uint lowest = ~0u, empty = ~0u;
    for (ulong first = begin + get_local_id(0); first < end;
         first += CLP_CHECKED_TOGETHER * CLP_GROUP) {
        long offset[CLP_CHECKED_TOGETHER], before[CLP_CHECKED_TOGETHER];
#pragma unroll
        for (uint v = 0; v < CLP_CHECKED_TOGETHER; v++) {
            const ulong k = min(first + v * CLP_GROUP, end - 1);
            offset[v] = clp_offset(run, k);
            before[v] = clp_offset(run, k - (k > 0));
        }
#pragma unroll
        for (uint v = 0; v < CLP_CHECKED_TOGETHER; v++) {
            const ulong k = min(first + v * CLP_GROUP, end - 1);
            const bool falls = offset[v] < before[v];
            if (falls || offset[v] < 0 || (ulong)offset[v] > run->counts->n) {
                lowest = min(lowest, (uint)k);
            }
            if (CLP_EMPTY && k > 0 && offset[v] == before[v]) empty = min(empty, (uint)k - 1);
        }
    }
    if (lowest != ~0u) atomic_min(&shared->lowest, lowest); /* with the other work-items' */
    if (empty != ~0u) atomic_min(&shared->empty, empty); /* with the other work-items' */
}

/* Finds the lowest faults that the checking groups have published. Returns false where one is
 * missing. */
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

/* By CLP_FOLDERS work-items of each group that checks: a group that sees the faults of all others
 * reports. */
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
