/* SPDX-License-Identifier: MIT */
/*
 * Counts by work-items of their own, for CPUs. Consecutive elements go to CLP_COPIES counters of a
 * bin in turn, so that equal neighbours do not wait for each other's store.
 */
CLP_INLINE void clp_take_element(const clp_io *io, ulong i, uint largest, int top_bit,
                                 global clp_sum *counters, uint copy, uint *outside, uint *block) {
    const uint bin = clp_bin(io, io->in[i], i);
    if (bin == CLP_NO_BIN) {
        *outside += 1;
        *block = min(*block, clp_block(i));
    } else {
        CLP_ASSERT(bin < CLP_BINS);
        global clp_sum *counter = counters + copy * (ulong)CLP_BINS + bin;
        *counter = clp_add(*counter, clp_weight(io, i, largest, top_bit));
    }
}

/* Elements begin to end of n. own: CLP_COPIES * CLP_BINS counters. */
CLP_INLINE void clp_count_serial(const clp_io *io, ulong begin, ulong end, ulong n,
                                 global clp_sum *own, volatile global uint *sums,
                                 volatile global uint *found) {
    CLP_WEIGHT_SCALE
    uint outside = 0, block = CLP_NO_BLOCK;
    const clp_sum zero = clp_sum_of(0, 0);
    for (ulong c = 0; c < CLP_COPIES * (ulong)CLP_BINS; c++) own[c] = zero;
    ulong i = begin;
    for (; i + CLP_COPIES <= end; i += CLP_COPIES) {
#pragma unroll
        for (uint copy = 0; copy < CLP_COPIES; copy++) {
            clp_take_element(io, i + copy, largest, top_bit, own, copy, &outside, &block);
        }
    }
    for (; i < end; i++) clp_take_element(io, i, largest, top_bit, own, 0, &outside, &block);
    for (ulong b = 0; b < CLP_BINS; b++) {
        clp_sum total = own[b];
        for (uint copy = 1; copy < CLP_COPIES; copy++) {
            total = clp_add(total, own[copy * (ulong)CLP_BINS + b]);
        }
        clp_add_to_global(sums + b * CLP_WORDS, 1, total);
    }
    if (outside > 0) clp_tell_outside(found, outside, block);
}

/* counters: CLP_COPIES * CLP_BINS for each work-item. */
CLP_KERNEL(CLP_GROUP)
void clp_histogram_serial(CLP_IO_PARAMETERS, CLP_OWN_END_PARAMETERS volatile global uint *sums,
                          volatile global uint *both, uint run,
                          global clp_sum *counters CLP_USER_PARAMETERS) {
    const clp_io io = CLP_IO;
    const ulong n = CLP_N;
    const ulong items = get_num_groups(0), item = get_group_id(0);
    const ulong each = (n + items - 1) / items, begin = min(item * each, n);
    const ulong behind = min(begin + each, n);
    if (begin < behind) {
        clp_count_serial(&io, begin, behind, n, counters + item * CLP_COPIES * (ulong)CLP_BINS,
                         sums, both + run % 2 * CLP_FOUND_WORDS);
    }
    bool is_last = false;
    CLP_FINISH_IF_LAST(is_last)
}
