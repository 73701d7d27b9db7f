/* SPDX-License-Identifier: MIT */
/*
 * The scan of fewest elements: a wave as in single_wave.cl, but of groups so small that they take
 * hardly longer than their launch. So the tile is scanned at once, not reduced before, and loops
 * that few groups make often are left as loops. For operators that commute and whose identity is
 * known. The order in which values are combined follows from the tile's number alone.
 */
#if CLP_GUARD || !CLP_COMMUTATIVE
#error "single_wave_small.cl: an operator that does not commute, or has no identity"
#endif

/* The combination of all segments' aggregates. */
static inline CLP_A clp_fold_all(const local CLP_A *values) {
    CLP_A value[CLP_SUBGROUPS];
#pragma unroll
    for (uint i = 0; i < CLP_SUBGROUPS; i++) value[i] = values[i];
    return clp_fold_tree(value);
}

/* That of the first `count`; the first one if there is none. */
static inline CLP_A clp_fold_some(const local CLP_A *values, uint count) {
    CLP_A value = values[0];
#pragma unroll 1
    for (uint i = 1; i < count; i++) value = clp_op(value, values[i]);
    return value;
}

/* One pass. tickets: zero before and after each run. */
CLP_KERNEL(CLP_GROUP)
void clp_scan_single_wave_small(CLP_IO_PARAMETERS, ulong n, CLP_A start,
                                volatile global ulong *state, volatile global uint *tickets,
                                uint run) {
    local clp_shared shared;
    local CLP_A parts[CLP_SUBGROUPS]; /* of the tiles before, as the sub-groups folded them */
    if (get_local_id(0) == 0) shared.number = clp_take_ticket(tickets);
    barrier(CLK_LOCAL_MEM_FENCE); /* number written above, read below */
    const uint number = shared.number;
    const uint subgroup = clp_subgroup_number();
    const clp_io io = CLP_IO;
    const clp_look look = {state, run, start, &io, n};
    clp_tile tile = clp_tile_load(&io, number, n);
    clp_tile_reduce(&tile, shared.exchange);
    if (clp_lane() == 0) shared.aggregate[subgroup] = tile.total;
    barrier(CLK_LOCAL_MEM_FENCE); /* aggregates written above, read below */
    const CLP_A aggregate = clp_fold_all(shared.aggregate);
    if (get_local_id(0) == 0 && number + 1 < get_num_groups(0)) {
        clp_publish_value(&look, number, CLP_AGGREGATE, aggregate);
    }
    const uint batches = (number + CLP_BATCH - 1) / CLP_BATCH;
    const uint each = max((batches + CLP_SUBGROUPS - 1) / CLP_SUBGROUPS, 1u);
    const uint first = subgroup * each, behind = min(first + each, batches);
    const clp_seen seen = clp_see(&look, first * CLP_BATCH, number);
    const CLP_A before = clp_fold_some(shared.aggregate, subgroup);
    if (first < behind) {
        const CLP_A part = clp_fold_batches(&look, seen, first, behind, number, shared.exchange);
        if (clp_lane() == 0) parts[subgroup] = part;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* parts written above, read below */
    CLP_A prefix = start;
    if (number > 0) {
        const CLP_A earlier = clp_fold_some(parts, (batches + each - 1) / each);
        prefix = CLP_HAS_START ? clp_op(start, earlier) : earlier;
    }
    clp_group_store(&tile, prefix, CLP_HAS_START || number > 0, before, &io);
}
