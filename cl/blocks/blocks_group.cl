/* SPDX-License-Identifier: MIT */
/*
 * Reductions and scans of a work-group: each work-item reduces its elements, each sub-group scans
 * these values, and then every sub-group scans the sub-groups' aggregates for itself, which takes
 * one barrier.
 */

#if !CLP_SUBGROUP_IS_GROUP
/* Each sub-group's last real work-item leaves its aggregate; lane s of each sub-group then gets the
 * combination of sub-groups 0 to s. One barrier. */
CLP_INLINE CLP_A clp_scan_aggregates(CLP_A scanned, uint items, local clp_local *room) {
    const uint item = (uint)get_local_id(0), lane = clp_lane(), subgroup = clp_subgroup_number();
    const bool real = lane * CLP_SUBGROUP < items;
    local CLP_A *exchange = room->exchange;
    if (item == min(items, (subgroup + 1) * CLP_SUBGROUP) - 1) room->aggregate[subgroup] = scanned;
    barrier(CLK_LOCAL_MEM_FENCE); /* aggregates written above, read below */
    CLP_A value = room->aggregate[min(lane, CLP_SUBGROUPS - 1u)];
    if (CLP_SUBGROUPS > 1) CLP_SCAN_STEP(1)
    if (CLP_SUBGROUPS > 2) CLP_SCAN_STEP(2)
    if (CLP_SUBGROUPS > 4) CLP_SCAN_STEP(4)
    if (CLP_SUBGROUPS > 8) CLP_SCAN_STEP(8)
    if (CLP_SUBGROUPS > 16) CLP_SCAN_STEP(16)
    return value;
}
#endif

/* The combination of what the work-items before this one have; it is not set for work-item 0. The
 * first `items` work-items, at least one, have a value. */
CLP_INLINE CLP_A clp_combine_lower(CLP_A own, uint items, CLP_A *all, local clp_local *room) {
    const uint item = (uint)get_local_id(0);
#if CLP_ADDS_WORDS
    uint sum;
    const uint before = clp_sum_lower(item < items ? (uint)own : 0, &sum, room->sums);
    *all = (CLP_A)sum;
    return (CLP_A)before;
#else
    const CLP_A scanned = clp_subgroup_scan(own, item < items, room->exchange);
#if CLP_SUBGROUP_IS_GROUP
    room->exchange[item] = scanned;
    barrier(CLK_LOCAL_MEM_FENCE); /* the scan written above, read below by the item above */
    *all = room->exchange[items - 1];
    return room->exchange[max(item, 1u) - 1];
#else
    const uint subgroup = clp_subgroup_number();
    const CLP_A below = clp_shuffle_up(scanned, 1, room->exchange);
    const CLP_A aggregates = clp_scan_aggregates(scanned, items, room);
    const CLP_A before = clp_shuffle(aggregates, max(subgroup, 1u) - 1, room->exchange);
    *all = clp_shuffle(aggregates, (items - 1) / CLP_SUBGROUP, room->exchange);
    if (clp_lane() == 0) return before;
    return subgroup > 0 && item < items ? clp_op(before, below) : below;
#endif
#endif
}

/* The number of work-items that have elements, but at least 1. */
CLP_INLINE uint clp_items_among(uint count) {
    if (count >= CLP_TILE) return CLP_GROUP;
    return max((count + CLP_ITEMS - 1) / CLP_ITEMS, 1u);
}

/* The combination of the work-item's elements, which is x[0] if none is real. */
CLP_INLINE CLP_A clp_combine_own(const CLP_A *x, uint count) {
    CLP_A own = x[0];
#pragma unroll
    for (uint j = 1; j < CLP_ITEMS; j++) {
        if (clp_is_among(clp_blocked(j), count)) own = clp_op(own, x[j]);
    }
    return own;
}

/* Scans the elements onto `running`, if it `has` one. */
CLP_INLINE void clp_scan_own(CLP_A *x, CLP_A running, bool has, bool inclusive, uint count) {
#pragma unroll
    for (uint j = 0; j < CLP_ITEMS; j++) {
        if (clp_is_among(clp_blocked(j), count)) {
            const CLP_A next = has ? clp_op(running, x[j]) : x[j];
            x[j] = inclusive ? next : running;
            running = next;
            has = true;
        }
    }
}

CLP_INLINE CLP_A clp_reduce(const CLP_A *x, uint count, local clp_local *room) {
    const uint items = clp_items_among(count);
    const CLP_A own = clp_combine_own(x, count);
    CLP_A all;
#if CLP_SUBGROUP_IS_GROUP
    clp_combine_lower(own, items, &all, room);
#elif CLP_ADDS_WORDS
    const uint lane = clp_lane();
    const uint sum = clp_add_lanes(get_local_id(0) < items ? (uint)own : 0);
    if (lane == 0) room->aggregate[clp_subgroup_number()] = (CLP_A)sum;
    barrier(CLK_LOCAL_MEM_FENCE); /* sums written above, read below */
    all = (CLP_A)clp_add_lanes(lane < CLP_SUBGROUPS ? (uint)room->aggregate[lane] : 0);
#else
    const CLP_A scanned = clp_subgroup_scan(own, get_local_id(0) < items, room->exchange);
    const CLP_A aggregates = clp_scan_aggregates(scanned, items, room);
    all = clp_shuffle(aggregates, (items - 1) / CLP_SUBGROUP, room->exchange);
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* the room, read above, with its next user */
    return all;
}

/* Scans onto `start` if the scan `has` one. Without a start, and without elements, what is returned
 * is not set. Where all elements are real, none is compared with the count: a kernel of 24 elements
 * takes 56 registers for an H200, with the comparisons alone 96. */
CLP_INLINE CLP_A clp_scan(CLP_A *x, CLP_A start, bool has, bool inclusive, uint count,
                          local clp_local *room) {
    CLP_A all;
    const bool first = get_local_id(0) == 0;
    const bool whole = clp_is_among(CLP_TILE - 1, count);
    const CLP_A own = whole ? clp_combine_own(x, CLP_WHOLE) : clp_combine_own(x, count);
    CLP_A before = clp_combine_lower(own, clp_items_among(count), &all, room);
    barrier(CLK_LOCAL_MEM_FENCE); /* the room, read above, with its next user */
    if (has && !first && clp_is_among(clp_blocked(0), count)) before = clp_op(start, before);
    if (has && first) before = start;
    if (whole) {
        clp_scan_own(x, before, has || !first, inclusive, CLP_WHOLE);
    } else {
        clp_scan_own(x, before, has || !first, inclusive, count);
    }
    if (!has) return all;
    return count > 0 ? clp_op(start, all) : start;
}

CLP_INLINE CLP_A clp_inclusive(CLP_A *x, uint count, local clp_local *room) {
    return clp_scan(x, x[0], false, true, count, room);
}

CLP_INLINE CLP_A clp_inclusive_from(CLP_A *x, CLP_A start, uint count, local clp_local *room) {
    return clp_scan(x, start, true, true, count, room);
}

CLP_INLINE CLP_A clp_exclusive(CLP_A *x, CLP_A start, uint count, local clp_local *room) {
    return clp_scan(x, start, true, false, count, room);
}

CLP_INLINE CLP_A clp_broadcast(CLP_A value, uint item, local clp_local *room) {
    if (get_local_id(0) == item) room->exchange[0] = value;
    barrier(CLK_LOCAL_MEM_FENCE); /* the value written above, read below */
    const CLP_A result = room->exchange[0];
    barrier(CLK_LOCAL_MEM_FENCE); /* the room, read above, with its next user */
    return result;
}

CLP_INLINE uint clp_reserve(volatile global uint *counter, uint n, local clp_local *room) {
    if (get_local_id(0) == 0) room->sums[0] = atomic_add(counter, n); /* with the other groups' */
    barrier(CLK_LOCAL_MEM_FENCE); /* the place written above, read below */
    const uint place = room->sums[0];
    barrier(CLK_LOCAL_MEM_FENCE); /* the room, read above, with its next user */
    return place;
}
