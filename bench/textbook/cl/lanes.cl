/* SPDX-License-Identifier: MIT */
/*
 * Sums of longs over the lanes of a sub-group and over a work-group, by shuffles. In the local
 * layer the group stands for a sub-group, and its work-items exchange through local memory.
 */
#define LANES CLP_SUBGROUP
#define SUBGROUPS (CLP_GROUP / CLP_SUBGROUP)

/* The value of the lane `distance` below; the lowest lanes get one that is not used. */
static inline long lane_up(long value, uint distance, local long *exchange) {
#if CLP_SUBGROUP_IS_GROUP
    const uint lane = clp_lane();
    exchange[lane] = value;
    barrier(CLK_LOCAL_MEM_FENCE); /* written above, read below by another lane */
    const long result = exchange[lane >= distance ? lane - distance : lane];
    barrier(CLK_LOCAL_MEM_FENCE); /* read above, overwritten by the next exchange */
    return result;
#else
    const uint low = clp_shuffle_up_word((uint)value, distance);
    const uint high = clp_shuffle_up_word((uint)(as_ulong(value) >> 32), distance);
    return as_long((ulong)high << 32 | low);
#endif
}

#define LANE_STEP(distance)                                                                        \
    {                                                                                              \
        const long lower = lane_up(value, distance, exchange);                                     \
        if (clp_lane() >= distance) value += lower;                                                \
    }

/* Inclusive; all lanes take part. */
static inline long lanes_scan(long value, local long *exchange) {
#if LANES > 1
    LANE_STEP(1)
#endif
#if LANES > 2
    LANE_STEP(2)
#endif
#if LANES > 4
    LANE_STEP(4)
#endif
#if LANES > 8
    LANE_STEP(8)
#endif
#if LANES > 16
    LANE_STEP(16)
#endif
#if LANES > 32
    LANE_STEP(32)
#endif
    return value;
}

/* Inclusive over the work-group; `exchange` has room for CLP_GROUP longs, and is free again behind
 * the caller's next barrier. */
static inline long group_scan(long value, long *total, local long *exchange) {
    value = lanes_scan(value, exchange);
#if SUBGROUPS > 1
    const uint lane = clp_lane(), subgroup = clp_subgroup_number();
    if (lane == LANES - 1) exchange[subgroup] = value;
    barrier(CLK_LOCAL_MEM_FENCE); /* the sub-groups' sums, read by the first sub-group */
    if (subgroup == 0) {
        const long sums = lanes_scan(lane < SUBGROUPS ? exchange[lane] : 0, exchange);
        if (lane < SUBGROUPS) exchange[lane] = sums;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* their scan, read by all */
    if (subgroup > 0) value += exchange[subgroup - 1];
    *total = exchange[SUBGROUPS - 1];
#else
    if (clp_lane() == LANES - 1) exchange[0] = value;
    barrier(CLK_LOCAL_MEM_FENCE); /* the sum, read by all */
    *total = exchange[0];
#endif
    return value;
}
