/* SPDX-License-Identifier: MIT */
/*
 * Counters of work-items of their own, for CPUs: CLP_COPIES of a bin, which consecutive elements
 * take in turn, so that equal neighbours do not wait for each other's store. Of many bins there is
 * one counter each, of 8 bits, so that more of them stay in the nearest cache; what it loses by
 * wrapping around goes to the sums at once.
 */
#define CLP_NARROW (!CLP_WEIGHTED && CLP_COPIES == 1)
#if CLP_NARROW
typedef uchar clp_counter;
#define CLP_NO_COUNT 0
#else
typedef clp_sum clp_counter;
#define CLP_NO_COUNT clp_sum_of(0, 0)
#endif

/* Elements of each work-item of `items`, and the work-items that have any. */
CLP_INLINE ulong clp_elements_of_each(ulong n, ulong items) {
    return (n + items - 1) / items;
}

CLP_INLINE ulong clp_items_with_elements(ulong n, ulong items) {
    const ulong each = clp_elements_of_each(n, items);
    return n == 0 ? 0 : (n + each - 1) / each;
}

/* The sum of a bin's counters of one work-item. */
static inline clp_sum clp_sum_of_copies(const global clp_counter *own, ulong b) {
#if CLP_NARROW
    return clp_sum_of(own[b], 0);
#else
    clp_sum total = own[b];
    for (uint copy = 1; copy < CLP_COPIES; copy++) {
        total = clp_add(total, own[copy * (ulong)CLP_BINS + b]);
    }
    return total;
#endif
}
