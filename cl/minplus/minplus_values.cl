/* SPDX-License-Identifier: MIT */
/*
 * Values of the product: how an element becomes an operand, an operand pair an accumulator, and
 * an accumulator an element again.
 *
 * Integers of a semiring with + are shifted (CLP_REACH not 0), so that the sum of any element and
 * "no edge" can be told from the sum of any two edges, and none of them wraps. With N the element
 * from which on there is no edge and R the largest step the other way, all shifted by R: edges
 * are in [-2R, N - R), no edge is N, so sums of edges below N are below N - 2R, which no sum with
 * "no edge" is. -4R and 2N have room in the type. (MAX_PLUS: all of that mirrored, R negative.)
 */

/* The accumulator's start; every edge is better. */
#define CLP_NONE (CLP_NO_EDGE - 2 * CLP_REACH)

#if CLP_MIRRORED
#define CLP_IS_NO_EDGE(x, edge) ((x) <= (edge))
#define CLP_LIMIT(x, far) min(x, (CLP_T)(far))
#else
#define CLP_IS_NO_EDGE(x, edge) ((x) >= (edge))
#define CLP_LIMIT(x, far) max(x, (CLP_T)(far))
#endif

/* An operand from an element. */
static inline CLP_T clp_take(CLP_T x) {
#if CLP_SHIFTED
    const CLP_T shifted = CLP_LIMIT(x, -CLP_REACH) - CLP_REACH;
    return CLP_IS_NO_EDGE(x, CLP_NO_EDGE) ? CLP_NO_EDGE : shifted;
#else
    return x;
#endif
}

/* The accumulator's start from C's element. A NaN would stay on devices without fmin. */
static inline CLP_T clp_open(CLP_T x) {
#if CLP_SHIFTED
    const CLP_T shifted = CLP_LIMIT(x, -2 * CLP_REACH) - 2 * CLP_REACH;
    return CLP_IS_NO_EDGE(x, CLP_NO_EDGE) ? CLP_NONE : shifted;
#elif CLP_HAS_NO_EDGE
    return x == x && !CLP_IS_NO_EDGE(x, CLP_NO_EDGE) ? x : CLP_NO_EDGE;
#else
    return x;
#endif
}

/* C's element from an accumulator. */
static inline CLP_T clp_close(CLP_T x) {
#if CLP_SHIFTED
    return CLP_IS_NO_EDGE(x, CLP_NONE) ? CLP_NO_EDGE : x + 2 * CLP_REACH;
#else
    return x;
#endif
}

static inline CLP_W clp_fold(CLP_W all, CLP_W a, CLP_W b) {
    return clp_combine(all, clp_extend(a, b));
}

/* The first row or column of a tile, in a range of tiles `length` apart that leaves out those that
 * are within what stays as it is, from kept.x to before kept.y. */
static inline uint clp_step_over(uint tile, uint length, uint2 kept) {
    const uint first = (kept.x + length - 1) / length, end = kept.y / length;
    return (tile >= first && end > first ? tile + end - first : tile) * length;
}
