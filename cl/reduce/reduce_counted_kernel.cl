/* SPDX-License-Identifier: MIT */
/*
 * Reduce by work-groups of one team, where the number of elements stands in device memory. A launch
 * has work-groups enough for the most elements, and each that finds nothing to do costs half a
 * nanosecond; so there are fewer work-groups than blocks. Each of the first work-groups, the
 * readers, combines up to CLP_COUNTED_BLOCKS blocks of the first level, as many blocks apart as
 * there are readers: few elements are still spread over many work-groups. Behind the readers comes
 * a work-group for each block of the levels above.
 *
 * Who waits, and why that ends: as in reduce_group_kernel.cl. Groups that wait have the last
 * numbers, and readers wait for nobody. Local memory: a total of each work-item for each block.
 */
typedef struct clp_counted_shared {
    clp_value total[CLP_COUNTED_BLOCKS * CLP_BLOCK_ITEMS]; /* of each work-item, by blocks */
    uint items[CLP_COUNTED_BLOCKS]; /* work-items that have a total; 0: no block */
    ulong n; /* elements; CLP_REFUSED: a count was refused */
    clp_place place; /* a reader's first block */
    uint readers;
    uint is_empty; /* there is no block, and the group writes the result */
} clp_counted_shared;

/* ---- Blocks ---- */

/* Blocks of the levels above the first. */
CLP_INLINE uint clp_count_above(ulong n) {
    ulong blocks = clp_block_count(n, CLP_LANES);
    uint above = 0;
    while (blocks > 1) {
        blocks = clp_block_count(blocks, CLP_BLOCK_ITEMS);
        above += (uint)blocks;
    }
    return above;
}

/* The work-group's block; a reader's first block. */
CLP_INLINE clp_place clp_find_counted_place(ulong n, uint group, uint readers) {
    const clp_place first = {n, 0, 0, (uint)clp_block_count(n, CLP_LANES), group, true};
    if (group < readers) return first;
    return clp_find_place(n, first.blocks + group - readers);
}

/* A reader's blocks: sets the totals of all work-items. */
CLP_INLINE void clp_own_blocks(const clp_io *io, local clp_counted_shared *shared) {
    const uint t = clp_team_lane();
    uint b = shared->place.block;
#pragma unroll 1
    for (uint j = 0; j < CLP_COUNTED_BLOCKS && b < shared->place.blocks;
         j++, b += shared->readers) {
        const ulong first = clp_block_first(shared->place.operands, CLP_LANES, b);
        const uint count = clp_block_length(shared->place.operands, CLP_LANES, b);
        if (t == 0) shared->items[j] = clp_real_items(count);
        shared->total[j * CLP_BLOCK_ITEMS + t] = clp_own_elements(io, first, count);
    }
    CLP_ASSERT(b >= shared->place.blocks);
}

/* A block of a level above: sets the totals of all work-items. */
CLP_INLINE void clp_own_block_above(volatile global ulong *words, uint run,
                                    local clp_counted_shared *shared) {
    const clp_place place = shared->place;
    const ulong first = clp_block_first(place.operands, CLP_BLOCK_ITEMS, place.block);
    const uint count = clp_block_length(place.operands, CLP_BLOCK_ITEMS, place.block);
    const uint t = clp_team_lane();
    shared->total[t] = clp_own_sums(words + (place.below + first) * CLP_VALUE_WORDS, run, count);
    if (t == 0) shared->items[0] = min(count, (uint)CLP_BLOCK_ITEMS);
}

/* ---- The fold of all blocks: the result of block j stands at the block's first total ---- */

#if CLP_TEAM_SHUFFLES
/* Folds blocks from j on, each by 32 work-items. All lanes come here. */
CLP_INLINE void clp_fold_blocks_from(uint j, local clp_counted_shared *shared) {
    const uint t = clp_item() % 32;
    j += clp_item() / 32;
    const uint items = j < CLP_COUNTED_BLOCKS ? shared->items[j] : 0;
    local clp_value *const place = shared->total + j * CLP_BLOCK_ITEMS + t;
    clp_value_split split;
    for (uint w = 0; w < CLP_VALUE_WORDS; w++) split.words[w] = 0;
    if (items > 0) split.value = clp_fold_far(*place, t, items, place);
    split.value = clp_fold_near(split.value, t, items);
    if (items > 0 && t == 0) *place = split.value;
}

CLP_INLINE void clp_fold_blocks(local clp_counted_shared *shared) {
    clp_fold_blocks_from(0, shared);
#if CLP_COUNTED_BLOCKS > CLP_BLOCK_ITEMS / 32
    clp_fold_blocks_from(CLP_BLOCK_ITEMS / 32, shared);
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* totals written above, read by the caller */
}
#else
CLP_INLINE void clp_blocks_step(local clp_counted_shared *shared, uint d) {
    for (uint i = clp_item(); i < CLP_COUNTED_BLOCKS * d; i += CLP_BLOCK_ITEMS) {
        local clp_value *const place = shared->total + i / d * CLP_BLOCK_ITEMS + i % d;
        if (i % d + d < shared->items[i / d]) *place = clp_combine_values(*place, place[d]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* totals written above, read by the next step or the caller */
}

CLP_INLINE void clp_fold_blocks(local clp_counted_shared *shared) {
    clp_blocks_step(shared, 64);
    clp_blocks_step(shared, 32);
    clp_blocks_step(shared, 16);
    clp_blocks_step(shared, 8);
    clp_blocks_step(shared, 4);
    clp_blocks_step(shared, 2);
    clp_blocks_step(shared, 1);
}
#endif

/* ---- The kernel ---- */

/* Sets the place of the work-group of that number; by one work-item. */
CLP_INLINE void clp_take_place(ulong n, uint number, local clp_counted_shared *shared) {
    const ulong real_n = n == CLP_REFUSED ? 0 : n;
    shared->n = n;
    shared->readers = (uint)get_num_groups(0) - clp_count_above(real_n);
    shared->place = clp_find_counted_place(real_n, number, shared->readers);
    shared->is_empty = n == 0 && number == 0;
    for (uint j = 0; j < CLP_COUNTED_BLOCKS; j++) shared->items[j] = 0;
}

CLP_KERNEL(CLP_GROUP)
void clp_reduce_counted(CLP_REDUCE_PARAMETERS) {
    local clp_counted_shared shared;
    const clp_io io = {in + in_first CLP_USER_IO};
    volatile global ulong *const words = (volatile global ulong *)sums;
    if (get_local_id(0) == 0) {
#if CLP_BY_TICKET
        const uint number = clp_take_number(tickets);
#else
        const uint number = (uint)get_group_id(0);
#endif
        clp_take_place(clp_read_count(most_n, counted, counted_first, report + report_first),
                       number, &shared);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* place written above by one, read below by all */
    const bool has_block = shared.place.block < shared.place.blocks;
    CLP_END_UNLESS(has_block || shared.is_empty)
    if (shared.place.is_first) {
        clp_own_blocks(&io, &shared);
    } else {
        clp_own_block_above(words, run, &shared);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* totals and items written above, read below */
    clp_fold_blocks(&shared);
    const uint j = clp_item();
    const ulong block = shared.place.block + (ulong)j * shared.readers;
    if (j == 0 && (shared.is_empty || (has_block && shared.place.blocks == 1))) {
        clp_write_result(&io, out + out_first, report + report_first, shared.n, start,
                         shared.total[0]);
    } else if (j < CLP_COUNTED_BLOCKS && has_block && shared.items[j] > 0) {
#if CLP_DELAYED_BLOCKS
        clp_delay(words, (uint)block);
#endif
        clp_publish_sum(words + (shared.place.above + block) * CLP_VALUE_WORDS, run,
                        shared.total[j * CLP_BLOCK_ITEMS]);
    }
}
