/* SPDX-License-Identifier: MIT */
/*
 * Links of lists, whatever is done along them: what can be wrong with them, the head, which none
 * of them names, and notes of which elements they do name.
 */
#ifndef CLP_LINK
#error "links.cl: CLP_LINK, a signed integer type, is not set by the prelude"
#endif
#ifndef CLP_INDEX
#error "links.cl: CLP_INDEX, CLP_LINK's unsigned twin, is not set by the prelude"
#endif

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

/* Adds to a sum of two words, global or local ones, which other work-items add to as well. */
#define CLP_ADD_SUM(words, sum)                                                                    \
    {                                                                                              \
        const uint low = (uint)(sum);                                                              \
        const uint before = atomic_add(&(words)[0], low);                                          \
        atomic_add(&(words)[1], (uint)((sum) >> 32) + (before + low < before));                    \
    }

/* The links of a valid list name all elements but head, and -1; of others, perhaps none is left. */
static inline long clp_head_of(uint low, uint high, ulong count) {
    const ulong sum = (ulong)high << 32 | low;
    const ulong all = (count & 1) != 0 ? count * ((count - 1) / 2) : count / 2 * (count - 1);
    const ulong head = all - 1 - sum;
    return head < count ? (long)head : -1;
}

/* ---- Notes ---- */

/* An element's two bits, of which words hold sixteen: a link names it; so do several. */
static inline uint clp_bits(volatile global const uint *bits, CLP_INDEX i) {
    return bits[i / 16] >> (uint)(i % 16) * 2 & 3;
}

/* Notes that a link names the element; true if another one does as well. */
static inline bool clp_mark_named(volatile global uint *bits, CLP_INDEX to) {
    const uint named = 1u << (uint)(to % 16) * 2;
    /* Both with themselves, since elements share a word; read when questions are asked. */
    if ((atomic_or(&bits[to / 16], named) & named) == 0) return false;
    atomic_or(&bits[to / 16], 2 * named);
    return true;
}

/* Notes all that a link says. What is known is not noted again: atomics of all links at one word
 * would take many times as long as anything else. */
static inline void clp_mark_link(volatile global uint *bits, CLP_LINK link, CLP_INDEX count) {
    const CLP_INDEX to = (CLP_INDEX)link;
    if (to < count && (clp_bits(bits, to) & 2) == 0) clp_mark_named(bits, to);
}
