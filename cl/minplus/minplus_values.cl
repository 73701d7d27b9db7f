/* SPDX-License-Identifier: MIT */
/*
 * Values of the product: conversions from an element to an operand, from two operands to an
 * accumulator, and from an accumulator back to an element. No local memory; nobody waits.
 *
 * Integers of a semiring with + are shifted (CLP_REACH not 0), so that a sum with "no edge" differs
 * from the sum of any two edges, and no sum wraps. Let N be the element from which on there is no
 * edge and R the largest step in the other direction, all shifted by R. Edges are in [-2R, N - R)
 * and no edge is N. Sums of edges below N are therefore below N - 2R, and a sum with "no edge" is
 * never below it. The type holds -4R and 2N. (MAX_PLUS mirrors all of this; R is negative.)
 */

/* The initial accumulator; every edge is better */
#define CLP_NONE (CLP_NO_EDGE - 2 * CLP_REACH)

static inline bool clp_is_no_edge(CLP_T x, CLP_T edge) {
    return CLP_MIRRORED ? x <= edge : x >= edge;
}

static inline CLP_T clp_limit(CLP_T x, CLP_T far) {
    return CLP_MIRRORED ? min(x, far) : max(x, far);
}

/* Converts an element to an operand. */
static inline CLP_T clp_take(CLP_T x) {
#if CLP_SHIFTED
    const CLP_T shifted = clp_limit(x, -CLP_REACH) - CLP_REACH;
    return clp_is_no_edge(x, CLP_NO_EDGE) ? CLP_NO_EDGE : shifted;
#else
    return x;
#endif
}

/* Converts an element of C to an initial accumulator; a NaN, which would persist, to no edge. */
static inline CLP_T clp_open(CLP_T x) {
#if CLP_SHIFTED
    const CLP_T shifted = clp_limit(x, -2 * CLP_REACH) - 2 * CLP_REACH;
    return clp_is_no_edge(x, CLP_NO_EDGE) ? CLP_NONE : shifted;
#elif CLP_HAS_NO_EDGE
    return CLP_BETTER_OF(x, (CLP_T)CLP_NO_EDGE);
#else
    return x;
#endif
}

/* Converts an accumulator to an element of C. */
static inline CLP_T clp_close(CLP_T x) {
#if CLP_SHIFTED
    return clp_is_no_edge(x, CLP_NONE) ? CLP_NO_EDGE : x + 2 * CLP_REACH;
#else
    return x;
#endif
}

static inline CLP_W clp_fold(CLP_W all, CLP_W a, CLP_W b) {
    return clp_combine(all, clp_extend(a, b));
}

/* Returns the first row or column of a tile in a range of tiles of `length` that skips the tiles
 * entirely within the kept range, from kept.x to before kept.y. */
static inline uint clp_step_over(uint tile, uint length, uint2 kept) {
    const uint first = (kept.x + length - 1) / length, end = kept.y / length;
    return (tile >= first && end > first ? tile + end - first : tile) * length;
}
