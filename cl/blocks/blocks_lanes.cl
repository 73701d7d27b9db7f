/* SPDX-License-Identifier: MIT */
/*
 * Functions of a sub-group. Where the work-group is the sub-group, values go through local memory.
 */
/* The room was read; its next user writes to it. */
#if CLP_SUBGROUP_IS_GROUP
#define CLP_LEAVE_LANES barrier(CLK_LOCAL_MEM_FENCE);
#else
#define CLP_LEAVE_LANES
#endif

CLP_INLINE CLP_A clp_lanes_shuffle(CLP_A value, uint lane, local clp_local *room) {
    return clp_shuffle(value, lane, room->exchange);
}

CLP_INLINE CLP_A clp_lanes_xor(CLP_A value, uint mask, local clp_local *room) {
    return clp_shuffle(value, clp_lane() ^ mask, room->exchange);
}

CLP_INLINE CLP_A clp_lanes_up(CLP_A value, uint distance, local clp_local *room) {
    const uint lane = clp_lane();
    return clp_shuffle(value, lane >= distance ? lane - distance : lane, room->exchange);
}

CLP_INLINE CLP_A clp_lanes_down(CLP_A value, uint distance, local clp_local *room) {
    const uint lane = clp_lane();
    return clp_shuffle(value, distance < CLP_SUBGROUP - lane ? lane + distance : lane,
                       room->exchange);
}

CLP_INLINE uint clp_lanes_ballot(bool yes, uint first, local clp_local *room) {
    uint bits = 0;
#if CLP_SUBGROUP_IS_GROUP
    room->flags[clp_lane()] = yes;
    barrier(CLK_LOCAL_MEM_FENCE); /* flags written above, read below */
    for (uint l = 0; l < 32; l++) {
        if (first + l < CLP_SUBGROUP && room->flags[first + l] != 0) bits |= 1u << l;
    }
#else
    const clp_lanes lanes = clp_ballot(yes);
    if (first < CLP_SUBGROUP) bits = (uint)(lanes >> first);
#endif
    CLP_LEAVE_LANES
    return bits;
}

CLP_INLINE bool clp_lanes_any(bool yes, local clp_local *room) {
#if CLP_SUBGROUP_IS_GROUP
    if (clp_lane() == 0) room->flags[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* the flag cleared above, set below */
    if (yes) room->flags[0] = 1; /* with other work-items, all alike */
    barrier(CLK_LOCAL_MEM_FENCE); /* the flag set above, read below */
    const bool any = room->flags[0] != 0;
#else
    const bool any = clp_ballot(yes) != 0;
#endif
    CLP_LEAVE_LANES
    return any;
}

CLP_INLINE bool clp_lanes_all(bool yes, local clp_local *room) {
    return !clp_lanes_any(!yes, room);
}

CLP_INLINE bool clp_is_alike(CLP_A a, CLP_A b) {
    const clp_split left = clp_split_value(a), right = clp_split_value(b);
    bool alike = true;
    for (uint w = 0; w < CLP_A_WORDS; w++) alike = alike && left.words[w] == right.words[w];
    return alike;
}

CLP_INLINE uint clp_lanes_match(CLP_A value, uint first, local clp_local *room) {
    uint bits = 0;
#if CLP_SUBGROUP_IS_GROUP
    room->exchange[clp_lane()] = value;
    barrier(CLK_LOCAL_MEM_FENCE); /* values written above, read below */
#endif
#pragma unroll
    for (uint l = 0; l < 32; l++) {
        const uint lane = min(first + l, CLP_SUBGROUP - 1u);
#if CLP_SUBGROUP_IS_GROUP
        const CLP_A other = room->exchange[lane];
#else
        const CLP_A other = clp_shuffle(value, lane, room->exchange);
#endif
        if (first + l < CLP_SUBGROUP && clp_is_alike(value, other)) bits |= 1u << l;
    }
    CLP_LEAVE_LANES
    return bits;
}

CLP_INLINE CLP_A clp_lanes_inclusive(CLP_A value, local clp_local *room) {
    const CLP_A scanned = clp_subgroup_scan(value, true, room->exchange);
    CLP_LEAVE_LANES
    return scanned;
}

CLP_INLINE CLP_A clp_lanes_exclusive(CLP_A value, CLP_A start, local clp_local *room) {
    const CLP_A scanned = clp_subgroup_scan(value, true, room->exchange);
    const uint lane = clp_lane();
    const CLP_A below = clp_shuffle(scanned, max(lane, 1u) - 1, room->exchange);
    return lane > 0 ? clp_op(start, below) : start;
}

CLP_INLINE CLP_A clp_lanes_reduce(CLP_A value, local clp_local *room) {
    const CLP_A scanned = clp_subgroup_scan(value, true, room->exchange);
    return clp_shuffle(scanned, CLP_SUBGROUP - 1, room->exchange);
}
