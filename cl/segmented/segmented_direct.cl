/* SPDX-License-Identifier: MIT */
/*
 * The variant "direct": reductions by offsets whose operator commutes. A segment is combined from
 * where its elements stand, without a search, as CUB's DeviceSegmentedReduce does; two loads follow
 * each other, the offsets and the elements. For segments of 100 it takes 5.8 and 8.5 us where
 * sub-groups with shares took 17.7 and 22.5 (2^16 and 2^20, H200).
 *
 * A team of CLP_SEGMENT_LANES work-items combines a segment of up to CLP_SHORT elements. A worker,
 * a sub-group, combines a longer one; teams list these in local memory. With teams of more than 32
 * work-items the work-group is both team and worker. A long segment covers whole blocks of
 * CLP_LONG_BLOCK elements of the array, and these have workers of their own, which find by a search
 * of the offsets whether a segment covers their block. So what a work-group does is bounded,
 * however long segments are.
 *
 * Who stores the result of a long segment: each of its blocks' workers, and its own, publishes a
 * total under the run's number, passes a fence, and looks whether all others have published. Of
 * several workers, the last one at least sees all of them, as fences have one order; who does
 * combines the totals, always in the same way, and stores. Nobody waits. The first work-groups
 * check the offsets, and report by the same protocol.
 */
/* What a work-group does: it checks, combines blocks, or segments. */
typedef struct clp_task {
    ulong group; /* its number among the groups with the same task */
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
/* Leaves the combination of a sub-group's values in local memory. */
CLP_INLINE void clp_leave_sum(clp_total total, local clp_value *sums) {
    const uint below = clp_subgroup_number() * 32;
    const uint lanes = total.lanes > below ? total.lanes - below : 0;
    const clp_value value = clp_fold_lanes(total.value, lanes, 32);
    if (clp_lane() == 0) sums[clp_subgroup_number()] = value;
}

/* Returns the combination of the group's values, by its first sub-group. */
static inline clp_total clp_take_sums(clp_total total, const local clp_value *sums) {
    const uint count = (total.lanes + 31) / 32;
    if (clp_lane() < CLP_GROUP / 32) total.value = sums[clp_lane()];
    total.value = clp_fold_lanes(total.value, count, 32);
    return total;
}

CLP_KERNEL(CLP_GROUP)
void clp_segmented_direct(CLP_SEGMENTED_PARAMETERS) {
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

/* Each team combines its segment, if it is short, else lists it for the workers. */
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

/* Each worker combines its block, or listed segments in turn. */
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
void clp_segmented_direct(CLP_SEGMENTED_PARAMETERS) {
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
