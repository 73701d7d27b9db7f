/* SPDX-License-Identifier: MIT */
/*
 * The counters of a work-item, for CPUs. A bin has CLP_COPIES counters, which consecutive elements
 * take in turn, so that equal neighbours do not wait for each other's store. With many bins each
 * has one counter of 8 bits, so that more counters stay in the nearest cache; when it wraps around,
 * the multiple of 256 is added to the sum at once.
 *
 * Counters are in device memory, apart for each work-item; nobody waits.
 */
#define CLP_NARROW (!CLP_WEIGHTED && CLP_COPIES == 1)
#if CLP_NARROW
typedef uchar clp_counter;
#define CLP_NO_COUNT 0
#else
typedef clp_sum clp_counter;
#define CLP_NO_COUNT clp_sum_of(0, 0)
#endif

/* The number of elements of each of `items` work-items, and the number of work-items that have any.
 */
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
