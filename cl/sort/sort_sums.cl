/* SPDX-License-Identifier: MIT */
/*
 * The scan of a work-group's counts, one a work-item (Hillis, Steele 1986): in round r each
 * work-item adds what the one 2^r before it has, from one half of sums[] to the other, so that one
 * barrier a round is enough. The kernel has the rounds at its top level: CLP_EACH_ROUND.
 */
CLP_INLINE void clp_add_sums_below(local CLP_COUNT *sums, uint round) {
    const uint lane = (uint)get_local_id(0), distance = 1u << round;
    const uint from = (round & 1) * CLP_GROUP, to = CLP_GROUP - from;
    const CLP_COUNT lower = lane >= distance ? sums[from + lane - distance] : 0;
    sums[to + lane] = sums[from + lane] + lower;
}

/* A macro because barriers stay at a kernel's top level. */
#define CLP_ADD_LOWER(round)                                                                       \
    clp_add_sums_below(sums, round);                                                               \
    barrier(CLK_LOCAL_MEM_FENCE); /* sums, with the next round or clp_sum_before */
#define CLP_COUNT_ROUND(round) +1
#define CLP_SUMS_AT (((0 CLP_EACH_ROUND(CLP_COUNT_ROUND)) & 1) * CLP_GROUP)

/* What the work-items before this one have put into sums[], behind all rounds. */
CLP_INLINE CLP_COUNT clp_sum_before(const local CLP_COUNT *sums) {
    const uint lane = (uint)get_local_id(0);
    return lane == 0 ? 0 : sums[CLP_SUMS_AT + lane - 1];
}
