/* SPDX-License-Identifier: MIT */
/*
 * The same where the number of elements stands in device memory. As many groups start as the most
 * elements take, and one that finds nothing to do costs half a nanosecond; so they are fewer. Each
 * of the first ones, the readers, combines up to CLP_COUNTED_BLOCKS blocks of the first level, as
 * many groups apart as there are readers: few elements still have many groups. Behind them comes a
 * group for each block of the levels above, so that those that wait start last, as in a plain run.
 */
typedef struct clp_counted_shared {
    clp_value total[CLP_COUNTED_BLOCKS * CLP_BLOCK_ITEMS]; /* of each block, its work-items' */
    uint items[CLP_COUNTED_BLOCKS]; /* those that have one; 0: no such block */
#if CLP_BY_TICKET
    uint number;
#endif
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

/* A group's block, of a reader its first one. */
CLP_INLINE clp_place clp_find_counted_place(ulong n, uint group, uint readers) {
    const clp_place first = {n, 0, 0, (uint)clp_block_count(n, CLP_LANES), group, true};
    if (group < readers) return first;
    return clp_find_place(n, first.blocks + group - readers);
}

/* A reader's blocks: what the work-items come to. */
CLP_INLINE void clp_own_blocks(const clp_io *io, const clp_place *place, uint readers,
                               local clp_counted_shared *shared) {
    const uint t = clp_team_lane();
    ulong b = place->block;
#pragma unroll 1
    for (uint j = 0; j < CLP_COUNTED_BLOCKS; j++, b += readers) {
        const uint count = clp_block_length(place->operands, CLP_LANES, b);
        const ulong first = clp_block_first(place->operands, CLP_LANES, b);
        if (t == 0) shared->items[j] = clp_real_items(count);
        if (count > 0) {
            shared->total[j * CLP_BLOCK_ITEMS + t] = clp_own_elements(io, first, count);
        }
    }
    CLP_ASSERT(b >= place->blocks);
}

/* The same of a block of sums. */
CLP_INLINE void clp_own_block_above(volatile global ulong *words, uint run, const clp_place *place,
                                    local clp_counted_shared *shared) {
    const ulong first = clp_block_first(place->operands, CLP_BLOCK_ITEMS, place->block);
    const uint count = clp_block_length(place->operands, CLP_BLOCK_ITEMS, place->block);
    const uint t = clp_team_lane();
    shared->total[t] = clp_own_sums(words + (place->below + first) * CLP_VALUE_WORDS, run, count);
    for (uint j = t; j < CLP_COUNTED_BLOCKS; j += CLP_BLOCK_ITEMS) {
        shared->items[j] = j == 0 ? min(count, (uint)CLP_BLOCK_ITEMS) : 0;
    }
}

/* ---- The fold of all blocks: block j's total comes to stand at its begin ---- */

#if CLP_TEAM_SHUFFLES
/* Each block by 32 work-items, from block j on. All lanes come here. */
CLP_INLINE void clp_fold_blocks_from(uint j, local clp_counted_shared *shared) {
    const uint t = clp_item() % 32;
    j += clp_item() / 32;
    const uint items = j < CLP_COUNTED_BLOCKS ? shared->items[j] : 0;
    local clp_value *const place = shared->total + j * CLP_BLOCK_ITEMS + t;
    clp_value total;
    if (items > 0) total = clp_fold_far(*place, t, items, place);
    total = clp_fold_near(total, t, items);
    if (items > 0 && t == 0) *place = total;
}

CLP_INLINE void clp_fold_blocks(local clp_counted_shared *shared) {
    clp_fold_blocks_from(0, shared);
#if CLP_COUNTED_BLOCKS > CLP_BLOCK_ITEMS / 32
    clp_fold_blocks_from(CLP_BLOCK_ITEMS / 32, shared);
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* totals written above, read by the caller */
}
#else
#define CLP_BLOCKS_STEP(d)                                                                         \
    for (uint i = clp_item(); i < CLP_COUNTED_BLOCKS * d; i += CLP_BLOCK_ITEMS) {                  \
        local clp_value *const place = shared->total + i / d * CLP_BLOCK_ITEMS + i % d;            \
        if (i % d + d < shared->items[i / d]) *place = clp_combine_values(*place, place[d]);       \
    }                                                                                              \
    barrier(CLK_LOCAL_MEM_FENCE); /* totals written above, read by the next step or the caller */

CLP_INLINE void clp_fold_blocks(local clp_counted_shared *shared) {
    CLP_BLOCKS_STEP(64)
    CLP_BLOCKS_STEP(32)
    CLP_BLOCKS_STEP(16)
    CLP_BLOCKS_STEP(8)
    CLP_BLOCKS_STEP(4)
    CLP_BLOCKS_STEP(2)
    CLP_BLOCKS_STEP(1)
}
#endif

/* ---- The kernel ---- */

CLP_KERNEL(CLP_GROUP)
void clp_reduce_counted(CLP_REDUCE_PARAMETERS) {
    local clp_counted_shared shared;
    const clp_io io = {in + in_first CLP_USER_IO};
    volatile global ulong *const words = (volatile global ulong *)sums;
    const ulong n = clp_read_count(most_n, counted, counted_first, report + report_first);
    const ulong real_n = n == CLP_REFUSED ? 0 : n;
    const uint readers = (uint)get_num_groups(0) - clp_count_above(real_n);
    uint group = (uint)get_group_id(0);
#if CLP_BY_TICKET
    if (clp_item() == 0) shared.number = clp_take_number(tickets);
    barrier(CLK_LOCAL_MEM_FENCE); /* number written above by one, read below */
    group = shared.number;
#endif
    const clp_place place = clp_find_counted_place(real_n, group, readers);
    const bool has_block = place.block < place.blocks, is_empty = n == 0 && group == 0;
    CLP_END_UNLESS(has_block || is_empty)
    if (place.is_first) {
        clp_own_blocks(&io, &place, readers, &shared);
    } else {
        clp_own_block_above(words, run, &place, &shared);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* totals and items written above, read below */
    clp_fold_blocks(&shared);
    const uint j = clp_item();
    const ulong block = place.block + (ulong)j * readers;
    if (j == 0 && (is_empty || (has_block && place.blocks == 1))) {
        clp_write_result(out + out_first, report + report_first, n, start, shared.total[0]);
    } else if (j < CLP_COUNTED_BLOCKS && has_block && shared.items[j] > 0) {
#if CLP_DELAYED_BLOCKS
        clp_delay(words, (uint)block);
#endif
        clp_publish_sum(words + (place.above + block) * CLP_VALUE_WORDS, run,
                        shared.total[j * CLP_BLOCK_ITEMS]);
    }
}
