/* SPDX-License-Identifier: MIT */
/*
 * Counts for CPUs: a work-item counts adjacent elements in its own counters (histogram_counters.cl)
 * without atomics, and adds them to the sums at the end. No work-group waits for another. There is
 * neither local memory nor a barrier.
 */

/* Whether equal neighbours are counted together. With several counters of a bin they are fast
 * anyway. The bin of an expression may depend on the index, so expressions are excluded. */
#define CLP_RUNS (CLP_NARROW && (CLP_BY_EDGES || CLP_BY_DOUBLES || CLP_BY_PRODUCT))
/* The number of elements that are compared at a time. */
#define CLP_RUN 16

/* The state of one work-item. */
typedef struct clp_counting {
    global clp_counter *own; /* CLP_COPIES * CLP_BINS */
    volatile global uint *sums;
    uint outside, block;
} clp_counting;

/* Counts element i `times` times: it and the equal elements behind it. */
CLP_INLINE void clp_take_element(const clp_io *io, ulong i, uint times, uint largest, int top_bit,
                                 uint copy, clp_counting *c) {
    const uint bin = clp_bin(io, io->in[i], i);
    if (bin == CLP_NO_BIN) {
        c->outside += times;
        c->block = min(c->block, clp_block(i));
    } else {
        CLP_ASSERT(bin < CLP_BINS);
        global clp_counter *counter = c->own + copy * (ulong)CLP_BINS + bin;
#if CLP_NARROW
        const uint count = *counter + times;
        *counter = (uchar)count;
        if (count >= 256) {
            clp_add_to_global(c->sums + bin * (ulong)CLP_WORDS, 1, clp_sum_of(count & ~255u, 0));
        }
#else
        *counter = clp_add(*counter, clp_weight(io, i, largest, top_bit));
#endif
    }
}

#if CLP_RUNS
CLP_INLINE bool clp_all_are(const global CLP_E *in, CLP_E x) {
    uint differ = 0;
#pragma unroll
    for (uint k = 0; k < CLP_RUN; k++) differ |= in[k] != x;
    return differ == 0;
}

/* Counts elements from `begin` on, CLP_RUN at a time, and returns the first that is left. */
CLP_INLINE ulong clp_take_runs(const clp_io *io, ulong begin, ulong end, clp_counting *c) {
    ulong i = begin;
    while (i + CLP_RUN <= end) {
        const ulong first = i;
        const CLP_E x = io->in[i];
        while (i + CLP_RUN <= end && clp_all_are(io->in + i, x)) i += CLP_RUN;
        if (i > first) {
            clp_take_element(io, first, (uint)(i - first), 0, 0, 0, c);
        } else {
#pragma unroll
            for (uint k = 0; k < CLP_RUN; k++) clp_take_element(io, i + k, 1, 0, 0, 0, c);
            i += CLP_RUN;
        }
    }
    return i;
}
#endif

/* Counts the elements [begin, end) of n. */
CLP_INLINE void clp_count_serial(const clp_io *io, ulong begin, ulong end, ulong n, clp_counting *c,
                                 volatile global uint *found) {
    CLP_WEIGHT_SCALE
    for (ulong b = 0; b < CLP_COPIES * (ulong)CLP_BINS; b++) c->own[b] = CLP_NO_COUNT;
    ulong i = begin;
#if CLP_RUNS
    i = clp_take_runs(io, begin, end, c);
#else
    for (; i + CLP_COPIES <= end; i += CLP_COPIES) {
#pragma unroll
        for (uint copy = 0; copy < CLP_COPIES; copy++) {
            clp_take_element(io, i + copy, 1, largest, top_bit, copy, c);
        }
    }
#endif
    for (; i < end; i++) clp_take_element(io, i, 1, largest, top_bit, 0, c);
#if !CLP_LEAVES_COUNTERS
    for (ulong b = 0; b < CLP_BINS; b++) {
        clp_add_to_global(c->sums + b * CLP_WORDS, 1, clp_sum_of_copies(c->own, b));
    }
#endif
    if (c->outside > 0) clp_tell_outside(found, c->outside, c->block);
}

/* counters: CLP_COPIES * CLP_BINS for each work-item. */
CLP_KERNEL(CLP_GROUP)
void clp_histogram_serial(CLP_IO_PARAMETERS, CLP_OWN_END_PARAMETERS volatile global uint *sums,
                          volatile global uint *found,
                          global clp_counter *counters CLP_USER_PARAMETERS) {
    const clp_io io = CLP_IO;
    const ulong n = CLP_N;
    const ulong items = get_num_groups(0), item = get_group_id(0);
    const ulong each = clp_elements_of_each(n, items), begin = min(item * each, n);
    const ulong behind = min(begin + each, n);
    if (begin < behind) {
        clp_counting c = {counters + item * CLP_COPIES * (ulong)CLP_BINS, sums, 0, CLP_NO_BLOCK};
        clp_count_serial(&io, begin, behind, n, &c, found);
    }
    bool is_last = false;
    CLP_FINISH_IF_LAST(is_last)
}
