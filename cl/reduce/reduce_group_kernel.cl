/* SPDX-License-Identifier: MIT */
/*
 * Reduce by work-groups of one team of 128: a work-group for each block of each level, the first
 * level's first. A work-group of a level above polls the sums that it combines, which the
 * work-groups below publish; so all levels take one launch.
 *
 * Who waits: a work-group of a level above, for work-groups with lower numbers. Why that ends: they
 * start before it, and groups of the first level wait for nobody. Hardware starts work-groups in
 * the order of their numbers or nearly so. Where groups that wait could fill the device before the
 * others have started, work-groups take their numbers by ticket (CLP_BY_TICKET), in the order in
 * which they start. The host takes this kernel only where resident work-groups proceed.
 *
 * Local memory: a value for each work-item, to exchange.
 */
/* What a work-group shares. */
typedef struct clp_shared {
    clp_value exchange[CLP_TEAM_EXCHANGE];
#if CLP_BY_TICKET
    uint number;
#endif
} clp_shared;

/* ---- Blocks ---- */

/* A work-group's block. All sums stand in one array, level after level. */
typedef struct clp_place {
    ulong operands; /* of the block's level: elements, or the sums of the level below */
    uint below; /* the first of these sums in the array */
    uint above; /* where the sum of the level's first block goes */
    uint blocks; /* of the level */
    uint block; /* the work-group's; `blocks` or more: it has none */
    bool is_first; /* level */
} clp_place;

CLP_INLINE clp_place clp_find_place(ulong n, uint group) {
    clp_place place = {n, 0, 0, (uint)clp_block_count(n, CLP_LANES), group, true};
    while (place.block >= place.blocks && place.blocks > 1) {
        place.block -= place.blocks;
        place.below = place.above;
        place.above += place.blocks;
        place.operands = place.blocks;
        place.blocks = (uint)clp_block_count(place.operands, CLP_BLOCK_ITEMS);
        place.is_first = false;
    }
    return place;
}

#if CLP_BY_TICKET
/* The next number; the launch's last group sets the counter back for the next run. */
static inline uint clp_take_number(volatile global uint *tickets) {
    const uint number = atomic_inc(tickets); /* with the other groups' */
    if (number == get_num_groups(0) - 1) atomic_xchg(tickets, 0u);
    return number;
}
#endif

/* ---- Published sums ---- */

/* Rows whose sums are loaded before they are combined. It divides 8, the fewest rows of a full
 * block. */
#if CLP_VALUE_WORDS <= 2
#define CLP_SUM_DEPTH 8
#elif CLP_VALUE_WORDS <= 4
#define CLP_SUM_DEPTH 4
#else
#define CLP_SUM_DEPTH 1
#endif

#if CLP_DELAYED_BLOCKS
/* For tests: delays a publication for far longer than a block takes. */
static inline void clp_delay(volatile global ulong *words, uint block) {
    for (uint i = 0; block % CLP_DELAYED_BLOCKS == 0 && i < 20000; i++) clp_observe(words);
}
#endif

/* Publishes a sum in 64-bit words, each with 32 bits of the sum under the run's number: a reader
 * takes no word of another run, and words need no order. Partner: clp_await_sums of the work-group
 * above. */
static inline void clp_publish_sum(volatile global ulong *words, uint run, clp_value sum) {
    const clp_value_split split = clp_split_sum(sum);
    for (uint w = 0; w < CLP_VALUE_WORDS; w++) {
        clp_publish(words + w, (ulong)run << 32 | split.words[w]);
    }
}

/* Waits for the sums of the work-item's lane in CLP_SUM_DEPTH rows from row r on. In place of rows
 * behind the last one it waits for the block's last sum, so that no row takes a branch. */
CLP_INLINE void clp_await_sums(volatile global ulong *words, uint run, uint r, uint count,
                               clp_value_split *next) {
    bool arrived;
    do {
        arrived = true;
#pragma unroll
        for (uint v = 0; v < CLP_SUM_DEPTH; v++) {
            const uint i = min((r + v) * CLP_BLOCK_ITEMS + clp_team_lane(), count - 1);
#pragma unroll
            for (uint w = 0; w < CLP_VALUE_WORDS; w++) {
                const ulong word = clp_observe(words + (ulong)i * CLP_VALUE_WORDS + w);
                next[v].words[w] = (uint)word;
                arrived = arrived && (uint)(word >> 32) == run;
            }
        }
    } while (!arrived);
}

/* The combination of the work-item's lane of `count` sums. */
CLP_INLINE clp_value clp_own_sums(volatile global ulong *words, uint run, uint count) {
    clp_value_split next[CLP_SUM_DEPTH];
    clp_value total;
    for (uint r = 0; r * CLP_BLOCK_ITEMS < count; r += CLP_SUM_DEPTH) {
        clp_await_sums(words, run, r, count, next);
#pragma unroll
        for (uint v = 0; v < CLP_SUM_DEPTH; v++) {
            if ((r + v) * CLP_BLOCK_ITEMS + clp_team_lane() >= count) continue;
            total = r + v > 0 ? clp_combine_values(total, next[v].value) : next[v].value;
        }
    }
    return total;
}

/* ---- The kernel: the host said the number of elements ---- */

CLP_KERNEL(CLP_GROUP)
void clp_reduce_group(CLP_REDUCE_PARAMETERS) {
    local clp_shared shared;
    const clp_io io = {in + in_first CLP_USER_IO};
    volatile global ulong *const words = (volatile global ulong *)sums;
    const ulong n = most_n;
    uint group = (uint)get_group_id(0);
#if CLP_BY_TICKET
    if (clp_item() == 0) shared.number = clp_take_number(tickets);
    barrier(CLK_LOCAL_MEM_FENCE); /* number written above by one, read below */
    group = shared.number;
#endif
    const clp_place place = clp_find_place(n, group);
    const bool has_block = place.block < place.blocks, is_empty = n == 0 && group == 0;
    CLP_END_UNLESS(has_block || is_empty)
    const uint lanes = place.is_first ? CLP_LANES : CLP_BLOCK_ITEMS;
    const ulong first = clp_block_first(place.operands, lanes, place.block);
    const uint count = has_block ? clp_block_length(place.operands, lanes, place.block) : 0;
    clp_value total;
    if (place.is_first) {
        total = clp_own_elements(&io, first, count);
    } else {
        total = clp_own_sums(words + (place.below + first) * CLP_VALUE_WORDS, run, count);
    }
#if CLP_DELAYED_BLOCKS
    clp_delay(words, place.block);
#endif
    const uint items = place.is_first ? clp_real_items(count) : min(count, (uint)CLP_BLOCK_ITEMS);
    total = clp_fold_totals(total, items, shared.exchange);
    if (clp_item() == 0 && (is_empty || (has_block && place.blocks == 1))) {
        clp_write_result(&io, out + out_first, report + report_first, n, start, total);
    } else if (clp_item() == 0 && has_block) {
        clp_publish_sum(words + (ulong)(place.above + place.block) * CLP_VALUE_WORDS, run, total);
    }
}
