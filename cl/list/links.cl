/* SPDX-License-Identifier: MIT */
/*
 * Links of linked lists, for ranking and scan: faults, the head (the element that no link names),
 * and marks for the elements that links name.
 */

#define CLP_NONE ((CLP_INDEX)-1)
#define CLP_TAIL ((CLP_LINK)-1)

/* Values of clprims_list_fault. */
enum {
    CLP_VALID,
    CLP_LINK_RANGE,
    CLP_TWO_TAILS,
    CLP_NO_TAIL,
    CLP_SAME_SUCCESSOR,
    CLP_CYCLE,
    CLP_HEAD,
    CLP_INVALID
};

/* ---- The head ---- */

/* Adds to a 64-bit sum in two words of global or local memory. Other work-items add to it at the
 * same time. */
#define CLP_ADD_SUM(words, sum)                                                                    \
    {                                                                                              \
        const uint low = (uint)(sum);                                                              \
        const uint before = atomic_add(&(words)[0], low);                                          \
        atomic_add(&(words)[1], (uint)((sum) >> 32) + (before + low < before));                    \
    }

/* Finds head from the sum of all links: the links of a valid list name every element but head, and
 * -1. Returns -1 if the sum names no element. */
static inline long clp_head_of(uint low, uint high, ulong count) {
    const ulong sum = (ulong)high << 32 | low;
    const ulong all = (count & 1) != 0 ? count * ((count - 1) / 2) : count / 2 * (count - 1);
    const ulong head = all - 1 - sum;
    return head < count ? (long)head : -1;
}

/* ---- Marks ---- */

/* Returns an element's two mark bits; a word holds those of 16 elements. Bit 0: a link names the
 * element. Bit 1: at least two links do. */
static inline uint clp_bits(volatile global const uint *bits, CLP_INDEX i) {
    return bits[i / 16] >> (uint)(i % 16) * 2 & 3;
}

/* Marks the element as named by a link. Returns true if another link names it too. */
static inline bool clp_mark_named(volatile global uint *bits, CLP_INDEX to) {
    const uint named = 1u << (uint)(to % 16) * 2;
    /* Both race with themselves, since elements share a word. The checks read the bits later. */
    if ((atomic_or(&bits[to / 16], named) & named) == 0) return false;
    atomic_or(&bits[to / 16], 2 * named);
    return true;
}

/* Marks a link's target unless it is already marked twice. The test avoids contention: if all links
 * name one element, atomics on its word would dominate the run time. */
static inline void clp_mark_link(volatile global uint *bits, CLP_LINK link, CLP_INDEX count) {
    const CLP_INDEX to = (CLP_INDEX)link;
    if (to < count && (clp_bits(bits, to) & 2) == 0) clp_mark_named(bits, to);
}
