/* SPDX-License-Identifier: MIT */
/*
 * Counts by work-items of their own, for CPUs. Consecutive elements go to CLP_COPIES counters of a
 * bin in turn, so that equal neighbours do not wait for each other's store. Of many bins there is
 * one counter each, of 16 bits, so that more of them stay in the nearest cache; what it loses by
 * wrapping around goes to the sums at once.
 */
#define CLP_HALVES (!CLP_WEIGHTED && CLP_COPIES == 1)
#if CLP_HALVES
typedef ushort clp_counter;
#define CLP_NO_COUNT 0
#else
typedef clp_sum clp_counter;
#define CLP_NO_COUNT clp_sum_of(0, 0)
#endif

/* What one work-item counts with. */
typedef struct clp_counting {
    global clp_counter *own; /* CLP_COPIES * CLP_BINS */
    volatile global uint *sums;
    uint outside, block;
} clp_counting;

CLP_INLINE void clp_take_element(const clp_io *io, ulong i, uint largest, int top_bit, uint copy,
                                 clp_counting *c) {
    const uint bin = clp_bin(io, io->in[i], i);
    if (bin == CLP_NO_BIN) {
        c->outside += 1;
        c->block = min(c->block, clp_block(i));
    } else {
        CLP_ASSERT(bin < CLP_BINS);
        global clp_counter *counter = c->own + copy * (ulong)CLP_BINS + bin;
#if CLP_HALVES
        const ushort count = *counter + 1;
        *counter = count;
        if (count == 0) {
            clp_add_to_global(c->sums + bin * (ulong)CLP_WORDS, 1, clp_sum_of(1u << 16, 0));
        }
#else
        *counter = clp_add(*counter, clp_weight(io, i, largest, top_bit));
#endif
    }
}

/* The sum of a bin's counters. */
static inline clp_sum clp_sum_of_copies(const global clp_counter *own, ulong b) {
#if CLP_HALVES
    return clp_sum_of(own[b], 0);
#else
    clp_sum total = own[b];
    for (uint copy = 1; copy < CLP_COPIES; copy++) {
        total = clp_add(total, own[copy * (ulong)CLP_BINS + b]);
    }
    return total;
#endif
}

/* Elements begin to end of n. */
CLP_INLINE void clp_count_serial(const clp_io *io, ulong begin, ulong end, ulong n, clp_counting *c,
                                 volatile global uint *found) {
    CLP_WEIGHT_SCALE
    for (ulong b = 0; b < CLP_COPIES * (ulong)CLP_BINS; b++) c->own[b] = CLP_NO_COUNT;
    ulong i = begin;
    for (; i + CLP_COPIES <= end; i += CLP_COPIES) {
#pragma unroll
        for (uint copy = 0; copy < CLP_COPIES; copy++) {
            clp_take_element(io, i + copy, largest, top_bit, copy, c);
        }
    }
    for (; i < end; i++) clp_take_element(io, i, largest, top_bit, 0, c);
    for (ulong b = 0; b < CLP_BINS; b++) {
        clp_add_to_global(c->sums + b * CLP_WORDS, 1, clp_sum_of_copies(c->own, b));
    }
    if (c->outside > 0) clp_tell_outside(found, c->outside, c->block);
}

/* counters: CLP_COPIES * CLP_BINS for each work-item. */
CLP_KERNEL(CLP_GROUP)
void clp_histogram_serial(CLP_IO_PARAMETERS, CLP_OWN_END_PARAMETERS volatile global uint *sums,
                          volatile global uint *both, uint run,
                          global clp_counter *counters CLP_USER_PARAMETERS) {
    const clp_io io = CLP_IO;
    const ulong n = CLP_N;
    const ulong items = get_num_groups(0), item = get_group_id(0);
    const ulong each = (n + items - 1) / items, begin = min(item * each, n);
    const ulong behind = min(begin + each, n);
    if (begin < behind) {
        clp_counting c = {counters + item * CLP_COPIES * (ulong)CLP_BINS, sums, 0, CLP_NO_BLOCK};
        clp_count_serial(&io, begin, behind, n, &c, both + run % 2 * CLP_FOUND_WORDS);
    }
    bool is_last = false;
    CLP_FINISH_IF_LAST(is_last)
}
