/* SPDX-License-Identifier: MIT */
/*
 * Reduce by teams of 32 work-items, where work-groups must not wait for each other. Each team
 * combines a block of the first level. The work-group that ends last combines the sums: its
 * work-items take a lane of the second level each, and one work-item the levels above.
 *
 * An operator that need not commute takes exchanges in loops, which devices with barriers in
 * exchanges lack. There are as many work-groups as the device holds; their teams take block after
 * block, and the teams of the last work-group combine the sums.
 */
/* What a work-group shares. */
typedef struct clp_shared {
    clp_value exchange[CLP_TEAM_EXCHANGE];
    uint is_last; /* of the run's groups */
} clp_shared;

#if CLP_COMMUTATIVE
/* ---- The second level, by the work-items of one work-group: of m sums ---- */

/* The first row of each block gets the combinations of the block's lanes. */
CLP_INLINE void clp_second_rows(global clp_value *sums, ulong m) {
    const ulong lanes = clp_block_count(m, CLP_SERIAL_LANES) * CLP_SERIAL_LANES;
    for (ulong at = get_local_id(0); at < lanes; at += CLP_GROUP) {
        const ulong b = at / CLP_SERIAL_LANES;
        global clp_value *const row = sums + clp_block_first(m, CLP_SERIAL_LANES, b);
        const uint count = clp_block_length(m, CLP_SERIAL_LANES, b);
        const uint lane = (uint)at % CLP_SERIAL_LANES;
        if (lane >= count) continue;
        clp_value total = row[lane];
        for (uint i = lane + CLP_SERIAL_LANES; i < count; i += CLP_SERIAL_LANES) {
            total = clp_combine_values(total, row[i]);
        }
        row[lane] = total;
    }
}

/* Combines lanes of these rows that stand d apart. The last step leaves the results behind the m
 * sums. */
CLP_INLINE void clp_second_fold(global clp_value *sums, ulong m, uint d) {
    const ulong blocks = clp_block_count(m, CLP_SERIAL_LANES);
    for (ulong at = get_local_id(0); m > 1 && at < blocks * d; at += CLP_GROUP) {
        const uint lane = (uint)at % d;
        global clp_value *const row = sums + clp_block_first(m, CLP_SERIAL_LANES, at / d);
        if (lane + d < clp_block_length(m, CLP_SERIAL_LANES, at / d)) {
            row[lane] = clp_combine_values(row[lane], row[lane + d]);
        }
        if (d == 1) sums[m + at] = row[0];
    }
}
/* A macro because barriers stay at a kernel's top level. */
#define CLP_SECOND_STEP(d)                                                                         \
    barrier(CLK_GLOBAL_MEM_FENCE); /* rows written above, read below by other work-items */        \
    if (shared.is_last) clp_second_fold(sums, blocks, d);
#else
/* ---- Blocks of the levels above the first: of `count` sums, right for work-item 0 ---- */

/* Rows whose sums are loaded before they are combined: as many as registers hold. */
#if CLP_OWN * CLP_VALUE_BYTES <= 16
#define CLP_SUM_DEPTH 4
#elif CLP_OWN * CLP_VALUE_BYTES <= 32
#define CLP_SUM_DEPTH 2
#else
#define CLP_SUM_DEPTH 1
#endif

/* The number of the work-item's lane k in the row. */
CLP_INLINE uint clp_lane_number(uint k) {
    return k / CLP_LANE_VEC * CLP_STRIDE + clp_team_lane() * CLP_LANE_VEC + k % CLP_LANE_VEC;
}

/* Loads the work-item's lanes of CLP_SUM_DEPTH rows from row r on, as far as there are sums. */
CLP_INLINE void clp_load_sums(const global clp_value *sums, uint r, uint count,
                              clp_value next[CLP_SUM_DEPTH][CLP_OWN]) {
#pragma unroll
    for (uint v = 0; v < CLP_SUM_DEPTH; v++) {
#pragma unroll
        for (uint k = 0; k < CLP_OWN; k++) {
            const uint i = (r + v) * CLP_LANES + clp_lane_number(k);
            if (i < count) next[v][k] = sums[i];
        }
    }
}

CLP_INLINE clp_value clp_sums_team(const global clp_value *sums, uint count,
                                   local clp_value *exchange) {
    clp_value next[CLP_SUM_DEPTH][CLP_OWN], total;
    for (uint r = 0; r * CLP_LANES < count; r += CLP_SUM_DEPTH) {
        clp_load_sums(sums, r, count, next);
#pragma unroll
        for (uint v = 0; v < CLP_SUM_DEPTH; v++) {
            const uint begin = (r + v) * CLP_LANES;
            const uint real = begin < count ? min(count - begin, (uint)CLP_LANES) : 0;
            const clp_value row = clp_team_fold(next[v], real, exchange);
            if (clp_team_lane() == 0 && real > 0) {
                total = r + v > 0 ? clp_combine_values(total, row) : row;
            }
        }
    }
    return total;
}

/* ---- The levels ---- */

/* Combines a level of m sums by `teams` teams, of which this is number `team`. */
CLP_INLINE void clp_level(global clp_value *sums, ulong m, uint team, uint teams,
                          local clp_value *exchange) {
    const ulong blocks = clp_block_count(m, CLP_LANES);
    for (ulong b = team; m > 1 && b < blocks; b += teams) {
        const clp_value value = clp_sums_team(sums + clp_block_first(m, CLP_LANES, b),
                                              clp_block_length(m, CLP_LANES, b), exchange);
        if (clp_team_lane() == 0) sums[m + b] = value;
    }
}

/* The levels above the second one, by one team; returns where the result stands. */
CLP_INLINE const global clp_value *clp_team_levels(global clp_value *sums, ulong m,
                                                   local clp_value *exchange) {
    while (m > 1) {
        sums += m;
        m = clp_block_count(m, CLP_LANES);
        clp_level(sums, m, 0, 1, exchange);
        clp_device_fence();
        clp_subgroup_barrier(); /* sums written above by work-item 0, read by the team's next level
                                 */
    }
    return sums;
}
#endif

/* The number of work-groups that have a block, at least one. */
static inline uint clp_groups_at_work(ulong blocks) {
    const ulong groups = max((blocks + CLP_TEAMS - 1) / CLP_TEAMS, 1ul);
    return (uint)min(groups, (ulong)get_num_groups(0));
}

CLP_KERNEL(CLP_GROUP)
void clp_reduce_team(CLP_REDUCE_PARAMETERS) {
    local clp_shared shared;
    local clp_value *const exchange = shared.exchange;
    const clp_io io = {in + in_first CLP_USER_IO};
    const ulong n = clp_read_count(most_n, counted, counted_first, report + report_first);
    if (n == CLP_REFUSED) return;
    const ulong blocks = clp_block_count(n, CLP_LANES);
    if (clp_is_idle(blocks, CLP_TEAMS)) return;
    const uint team = clp_team_number();
    const ulong first_block = get_group_id(0) * CLP_TEAMS + team;
#if CLP_COMMUTATIVE
    CLP_ASSERT(get_num_groups(0) * CLP_TEAMS >= blocks);
    const clp_value value =
        clp_elements_team(&io, clp_block_first(n, CLP_LANES, first_block),
                          clp_block_length(n, CLP_LANES, first_block), exchange);
    if (clp_team_lane() == 0 && first_block < blocks) sums[first_block] = value;
#else
    for (ulong b = first_block; b < blocks; b += get_num_groups(0) * CLP_TEAMS) {
        const clp_value value = clp_elements_team(&io, clp_block_first(n, CLP_LANES, b),
                                                  clp_block_length(n, CLP_LANES, b), exchange);
        if (clp_team_lane() == 0) sums[b] = value;
    }
#endif
    clp_device_fence(); /* sums above, ticket below; with the last group's */
    barrier(CLK_GLOBAL_MEM_FENCE); /* sums written above by all, ticket taken below by one */
    if (get_local_id(0) == 0)
        shared.is_last = clp_is_last_group(tickets, clp_groups_at_work(blocks));
    barrier(CLK_LOCAL_MEM_FENCE); /* is_last written above, read below */
    clp_device_fence(); /* ticket above, sums below; with the other groups' */
#if CLP_COMMUTATIVE
    if (shared.is_last) clp_second_rows(sums, blocks);
    CLP_SECOND_STEP(64)
    CLP_SECOND_STEP(32)
    CLP_SECOND_STEP(16)
    CLP_SECOND_STEP(8)
    CLP_SECOND_STEP(4)
    CLP_SECOND_STEP(2)
    CLP_SECOND_STEP(1)
    barrier(CLK_GLOBAL_MEM_FENCE); /* second level written above by all, read below by one */
    if (shared.is_last && get_local_id(0) == 0) {
        clp_write_result(&io, out + out_first, report + report_first, n, start,
                         *clp_last_levels(sums, blocks));
    }
#else
    if (shared.is_last) clp_level(sums, blocks, team, CLP_TEAMS, exchange);
    clp_device_fence(); /* second level above, read below by other work-items */
    barrier(CLK_GLOBAL_MEM_FENCE); /* second level written above by all, read below by one team */
    if (shared.is_last && team == 0) {
        const global clp_value *total = clp_team_levels(sums, blocks, exchange);
        if (clp_team_lane() == 0) {
            clp_write_result(&io, out + out_first, report + report_first, n, start, *total);
        }
    }
#endif
}
