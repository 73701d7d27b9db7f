/* SPDX-License-Identifier: MIT */
/*
 * Splitters of a list that no order of the list can foresee: a bijective hash of the index chooses
 * them, so that the test is arithmetic and the number of a splitter is its hash. And how groups
 * and lanes share elements and sublists.
 */
#ifndef CLP_INDEX
#error "splitters.cl: CLP_INDEX, an unsigned integer type, is not set by the prelude"
#endif
#ifndef CLP_GROUP
#error "splitters.cl: CLP_GROUP, work-items of a group, is not set by the prelude"
#endif
#ifndef CLP_BATCH
#error "splitters.cl: CLP_BATCH, sublists that a work-item takes at once, is not set by the prelude"
#endif

/* ---- The hash ---- */

/* A bijection of [0, mask]: a shift by half the bits undoes itself, an odd factor an inverse. */
static inline CLP_INDEX clp_mix(CLP_INDEX x, CLP_INDEX mask, CLP_INDEX shift) {
    x &= mask;
    x ^= x >> shift;
    x = x * (CLP_INDEX)0x9e3779b97f4a7c15ul & mask;
    x ^= x >> shift;
    x = x * (CLP_INDEX)0xbf58476d1ce4e5b9ul & mask;
    return x ^ x >> shift;
}

static inline CLP_INDEX clp_unmix(CLP_INDEX x, CLP_INDEX mask, CLP_INDEX shift) {
    x ^= x >> shift;
    x = x * (CLP_INDEX)0x96de1b173f119089ul & mask;
    x ^= x >> shift;
    x = x * (CLP_INDEX)0xf1de83e19937733dul & mask;
    return x ^ x >> shift;
}

/* ---- Shares ---- */

/* A group's share of all elements is one piece, in which its lanes go side by side. */
static inline CLP_INDEX clp_share(CLP_INDEX count, CLP_INDEX *end) {
    const CLP_INDEX groups = (CLP_INDEX)get_num_groups(0);
    const CLP_INDEX rows = (count / groups + CLP_GROUP) / CLP_GROUP;
    const CLP_INDEX start = min((CLP_INDEX)get_group_id(0) * rows * CLP_GROUP, count);
    *end = start + min((CLP_INDEX)(rows * CLP_GROUP), (CLP_INDEX)(count - start));
    return start + (CLP_INDEX)get_local_id(0);
}

/* Sublists that a work-item took and has not begun. */
typedef struct {
    CLP_INDEX next;
    CLP_INDEX end;
} clp_batch;

static inline clp_batch clp_batch_of(CLP_INDEX number, CLP_INDEX ids) {
    const CLP_INDEX next = min((CLP_INDEX)(number * CLP_BATCH), ids);
    return (clp_batch){next, next + min((CLP_INDEX)CLP_BATCH, (CLP_INDEX)(ids - next))};
}

/* The next sublist, ids when all are taken. The counter is shared with all other work-items. */
static inline CLP_INDEX clp_take(clp_batch *batch, volatile global uint *taken, CLP_INDEX ids) {
    if (batch->next == batch->end && batch->end < ids) {
        *batch = clp_batch_of((CLP_INDEX)get_global_size(0) + atomic_inc(taken), ids);
    }
    return batch->next == batch->end ? ids : batch->next++;
}
