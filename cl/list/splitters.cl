/* SPDX-License-Identifier: MIT */
/*
 * Splitters are chosen by a bijective hash of the index, so that they are spread evenly over a list
 * in any order. The test for a splitter is arithmetic, and the number of a splitter is its hash.
 * Also: how work-groups and work-items share elements.
 */

/* ---- The hash ---- */

/* A bijection of [0, mask]. */
typedef struct {
    ulong mask; /* one below a power of two */
    ulong shift; /* half its bits, rounded up */
    ulong seed;
} clp_hash;

/* The xor-shift by half the bits is its own inverse; the odd factor has an inverse modulo 2^bits.
 */
static inline CLP_INDEX clp_mix(CLP_INDEX x, const clp_hash *hash) {
    const CLP_INDEX mask = (CLP_INDEX)hash->mask;
    const CLP_INDEX shift = (CLP_INDEX)hash->shift;
    x = (x ^ (CLP_INDEX)hash->seed) & mask;
    x ^= x >> shift;
    x = x * (CLP_INDEX)0x9e3779b97f4a7c15ul & mask;
    x ^= x >> shift;
    x = x * (CLP_INDEX)0xbf58476d1ce4e5b9ul & mask;
    return x ^ x >> shift;
}

static inline CLP_INDEX clp_unmix(CLP_INDEX x, const clp_hash *hash) {
    const CLP_INDEX mask = (CLP_INDEX)hash->mask;
    const CLP_INDEX shift = (CLP_INDEX)hash->shift;
    x ^= x >> shift;
    x = x * (CLP_INDEX)0x96de1b173f119089ul & mask;
    x ^= x >> shift;
    x = x * (CLP_INDEX)0xf1de83e19937733dul & mask;
    return (x ^ x >> shift ^ (CLP_INDEX)hash->seed) & mask;
}

/* ---- Work distribution ---- */

/* Returns this work-item's first element of piece `piece` of `pieces`, and the end of the piece.
 * The work-items of a group take consecutive elements. */
static inline CLP_INDEX clp_share_of(CLP_INDEX count, uint piece, uint pieces, CLP_INDEX *end) {
    const CLP_INDEX group = (CLP_INDEX)get_local_size(0);
    const CLP_INDEX rows = (count / pieces + group) / group;
    const CLP_INDEX start = min((CLP_INDEX)piece * rows * group, count);
    *end = start + min((CLP_INDEX)(rows * group), (CLP_INDEX)(count - start));
    return start + (CLP_INDEX)get_local_id(0);
}

static inline CLP_INDEX clp_share(CLP_INDEX count, CLP_INDEX *end) {
    return clp_share_of(count, (uint)get_group_id(0), (uint)get_num_groups(0), end);
}
