/* SPDX-License-Identifier: MIT */
/* The kernels of the variants "sub-group" and "sub-group-ring", and their part of the end of a
 * launch: a scan over the sums of the last work-group's parts by lanes (segmented_finish.cl has the
 * rest). "sub-group-ring" scans in registers and local memory; "sub-group" by entries in global
 * memory, as it lacks the registers. */
/* ---- The end of a launch ---- */

/* The open end of some parts. ends: whether a segment begins or ends in one of them; the value is
 * then that of the segment behind it. */
typedef struct clp_tail {
    clp_value value;
    uint has, ends;
} clp_tail;

/* Steps of scans over lanes. They write the kernel's `tail` and `sum`, and read its `lane`: as a
 * function, the first gets other code of the compiler. */
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

#define CLP_SUM_STEP(distance)                                                                     \
    {                                                                                              \
        const ulong lower = clp_shuffle_long(sum, lane >= distance ? lane - distance : lane);      \
        sum += lane >= distance ? lower : 0;                                                       \
    }

#ifdef CLP_IN_RING
/* The first half of clp_scan_parts, by each sub-group: leaves the sum of its work-items' parts in
 * local memory. Returns the sum in front of the work-item's parts, from the sub-group's first one.
 */
CLP_INLINE clp_carry clp_scan_subgroup(const clp_run *run, local clp_carry *subgroups) {
    const uint lane = clp_lane();
    const clp_carry own = clp_sum_parts(run, (uint)get_local_id(0));
    clp_tail tail = {own.value, own.has, own.ends};
    ulong sum = own.heads;
    CLP_TAIL_STEP(1)
    CLP_TAIL_STEP(2)
    CLP_TAIL_STEP(4)
    CLP_TAIL_STEP(8)
    CLP_TAIL_STEP(16)
#if !CLP_BY_OFFSETS
    CLP_SUM_STEP(1)
    CLP_SUM_STEP(2)
    CLP_SUM_STEP(4)
    CLP_SUM_STEP(8)
    CLP_SUM_STEP(16)
#endif
    const uint flags = clp_shuffle_word(tail.has | tail.ends << 1, lane > 0 ? lane - 1 : 0);
    const uint last = clp_shuffle_word(tail.has | tail.ends << 1, 31);
    const uint empty = clp_ballot(own.empty != 0), broken = clp_ballot(own.broken != 0);
    const clp_carry before = {clp_value_below(tail.value, 1), sum - own.heads,           0,
                              lane > 0 ? flags & 1 : 0,       lane > 0 ? flags >> 1 : 0, 0};
    clp_carry all = {clp_value_of_lane(tail.value, 31),
                     clp_shuffle_long(sum, 31),
                     0,
                     last & 1,
                     last >> 1,
                     broken != 0};
    if (empty != 0) all.empty = clp_shuffle_long(own.empty, 31 - clz(empty & -empty));
    if (lane == 0) subgroups[clp_subgroup_number()] = all;
    return before;
}

/* The second half, behind a barrier: each work-item's entry becomes what is in front of its parts.
 */
CLP_INLINE void clp_add_subgroups(const clp_run *run, const local clp_carry *subgroups,
                                  const clp_carry *before) {
    const ulong entry = run->counts->workers + get_local_id(0);
    const uint own_number = clp_subgroup_number();
    clp_carry carry;
    clp_carry_none(&carry);
    for (uint t = 0; t < own_number; t++) {
        const clp_carry next = subgroups[t];
        clp_carry_append(&carry, &next);
    }
    clp_carry own = carry;
    clp_carry_append(&own, before);
    clp_carry_put(run, entry, &own);
    if (get_local_id(0) == CLP_GROUP - 1) {
        const clp_carry next = subgroups[own_number];
        clp_carry_append(&carry, &next);
        clp_carry_put(run, entry + 1, &carry);
    }
}
#else
/* clp_scan_parts of segmented_finish.cl by 32 lanes. */
CLP_INLINE void clp_scan_parts(const clp_run *run) {
    const uint lane = clp_lane();
    clp_carry carry;
    clp_carry_none(&carry);
    for (uint first = 0; first < CLP_GROUP; first += 32) {
        const ulong entry = run->counts->workers + first + lane;
        const clp_part part = run->parts[entry];
        clp_tail tail;
        ulong sum = part.heads;
        tail.value = run->tails[entry];
        tail.has = part.has_tail;
        tail.ends = part.ends;
        CLP_TAIL_STEP(1)
        CLP_TAIL_STEP(2)
        CLP_TAIL_STEP(4)
        CLP_TAIL_STEP(8)
        CLP_TAIL_STEP(16)
        CLP_SUM_STEP(1)
        CLP_SUM_STEP(2)
        CLP_SUM_STEP(4)
        CLP_SUM_STEP(8)
        CLP_SUM_STEP(16)
        /* The sum of the lanes below this one, behind the carry. */
        clp_part lower = {sum - part.heads, CLP_NONE, 0, 0, 0, 0, 0};
        const clp_value value = clp_value_below(tail.value, 1);
        const uint flags = clp_shuffle_word(tail.has | tail.ends << 1, lane > 0 ? lane - 1 : 0);
        lower.has_tail = lane > 0 && (flags & 1) != 0;
        lower.ends = lane > 0 && (flags & 2) != 0;
        clp_carry own = carry;
        clp_carry_over(&own, &lower, &value);
        clp_carry_put(run, entry, &own);
        const uint last = clp_shuffle_word(tail.has | tail.ends << 1, 31);
        clp_part all = {clp_shuffle_long(sum, 31),        CLP_NONE, 0, last >> 1, 0, last & 1,
                        clp_ballot(part.broken != 0) != 0};
        const uint empty = clp_ballot(part.empty != 0);
        if (empty != 0) all.empty = clp_shuffle_long(part.empty, 31 - clz(empty & -empty));
        const clp_value whole = clp_value_of_lane(tail.value, 31);
        clp_carry_over(&carry, &all, &whole);
    }
    if (lane == 0) clp_carry_put(run, run->counts->workers + CLP_GROUP, &carry);
}
#endif

/* What comes of a share's part that each lane notes by itself: the lowest empty segment. */
CLP_INLINE void clp_put_part(const clp_run *run, ulong worker, const clp_part *noted) {
    clp_part part = *noted;
#if CLP_EMPTY
    for (uint distance = 16; distance > 0; distance /= 2) {
        const ulong other = clp_shuffle_long(part.empty, clp_lane() ^ distance);
        if (other != 0 && (part.empty == 0 || other < part.empty)) part.empty = other;
    }
#endif
    if (clp_lane() == 0) run->parts[worker] = part;
}

#if !CLP_REDUCES || !CLP_BY_OFFSETS
CLP_KERNEL(CLP_GROUP)
void clp_segmented_prefixes(CLP_SEGMENTED_PARAMETERS) {
    local clp_shared shared;
    local clp_local_tile tiles[CLP_SUBGROUPS];
    local clp_counts counts;
    CLP_TAKE_COUNTS(0)
    const ulong worker = get_group_id(0) * CLP_SUBGROUPS + clp_subgroup_number();
    if (worker < counts.workers) {
        const clp_run run = CLP_RUN;
        const clp_part part = clp_summarize_share(&run, worker, &tiles[clp_subgroup_number()]);
        clp_put_part(&run, worker, &part);
    }
    CLP_FINISH_PREFIXES
}
#endif

CLP_KERNEL(CLP_GROUP)
void clp_segmented_outputs(CLP_SEGMENTED_PARAMETERS) {
    local clp_shared shared;
    local clp_local_tile tiles[CLP_SUBGROUPS];
    local clp_counts counts;
    CLP_TAKE_COUNTS(report + report_first)
    const ulong worker = get_group_id(0) * CLP_SUBGROUPS + clp_subgroup_number();
    if (worker < counts.workers) {
        const clp_run run = CLP_RUN;
        const clp_part part = clp_process_share(&run, worker, &tiles[clp_subgroup_number()]);
        clp_put_part(&run, worker, &part);
    }
    CLP_FINISH_RUN
}
