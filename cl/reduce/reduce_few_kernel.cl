/* SPDX-License-Identifier: MIT */
/*
 * Reduce of up to CLP_FEW_TEAMS blocks by one work-group, with a team for each block. Nothing is
 * published, and no group waits. The tree is the same.
 */
#if CLP_FEW_TEAMS > 0
#if CLP_FEW_TEAMS > 32
#error "reduce_few_kernel.cl: 32 work-items combine the sums of all blocks"
#endif

/* What the work-items come to, of a team side by side; once folded, its first place has the sum. */
typedef struct clp_few_shared {
    clp_value total[CLP_FEW_TEAMS * CLP_BLOCK_ITEMS];
} clp_few_shared;

#if CLP_TEAM_SHUFFLES
/* Each block by 32 work-items. All lanes come here. */
CLP_INLINE void clp_fold_few(ulong n, local clp_few_shared *shared) {
    const uint t = clp_item() % 32, block = clp_item() / 32;
    const uint count = block < CLP_FEW_TEAMS ? clp_block_length(n, CLP_LANES, block) : 0;
    const uint items = clp_real_items(count);
    local clp_value *const place = shared->total + block * CLP_BLOCK_ITEMS + t;
    clp_value_split split;
    for (uint w = 0; w < CLP_VALUE_WORDS; w++) split.words[w] = 0;
    if (items > 0) split.value = clp_fold_far(*place, t, items, place);
    split.value = clp_fold_near(split.value, t, items);
    if (items > 0 && t == 0) *place = split.value;
}

/* The level above, by the first 32 work-items. All lanes come here. */
CLP_INLINE clp_value clp_fold_few_sums(uint blocks, const local clp_few_shared *shared) {
    const uint t = clp_item() % 32;
    const local clp_value *const sum = shared->total + min(t, blocks - 1) * CLP_BLOCK_ITEMS;
    return clp_fold_near(*sum, t, blocks);
}
#else
#define CLP_FEW_STEP(d)                                                                            \
    if (t < d && t + d < items) *place = clp_combine_values(*place, place[d]);                     \
    barrier(CLK_LOCAL_MEM_FENCE); /* totals written above, read by the next step */

CLP_INLINE void clp_fold_few(ulong n, local clp_few_shared *shared) {
    const uint t = clp_team_lane();
    const uint items = clp_real_items(clp_block_length(n, CLP_LANES, clp_team_number()));
    local clp_value *const place = shared->total + clp_item();
    CLP_FEW_STEP(64)
    CLP_FEW_STEP(32)
    CLP_FEW_STEP(16)
    CLP_FEW_STEP(8)
    CLP_FEW_STEP(4)
    CLP_FEW_STEP(2)
    CLP_FEW_STEP(1)
}

/* The level above, by one work-item. */
CLP_INLINE clp_value clp_fold_few_sums(uint blocks, local clp_few_shared *shared) {
    if (clp_item() > 0) return shared->total[clp_item()]; /* not used */
    for (uint d = 16; d > 0; d /= 2) {
        for (uint b = 0; b < d && b + d < blocks; b++) {
            local clp_value *const sum = shared->total + b * CLP_BLOCK_ITEMS;
            *sum = clp_combine_values(*sum, sum[d * CLP_BLOCK_ITEMS]);
        }
    }
    return shared->total[0];
}
#endif

CLP_KERNEL(CLP_FEW_TEAMS *CLP_BLOCK_ITEMS)
void clp_reduce_few(CLP_REDUCE_PARAMETERS) {
    local clp_few_shared shared;
    const clp_io io = {in + in_first CLP_USER_IO};
    const ulong n = most_n, first = clp_block_first(n, CLP_LANES, clp_team_number());
    const uint count = clp_block_length(n, CLP_LANES, clp_team_number());
    const uint blocks = max((uint)clp_block_count(n, CLP_LANES), 1u);
    CLP_ASSERT(blocks <= CLP_FEW_TEAMS);
    shared.total[clp_item()] = clp_own_elements(&io, first, count);
    barrier(CLK_LOCAL_MEM_FENCE); /* totals written above, read below */
    clp_fold_few(n, &shared);
    barrier(CLK_LOCAL_MEM_FENCE); /* sums written above, read below */
    if (clp_item() >= 32) return;
    const clp_value total = clp_fold_few_sums(blocks, &shared);
    if (clp_item() == 0) {
        clp_write_result(out + out_first, report + report_first, n, start, total);
    }
}
#endif
