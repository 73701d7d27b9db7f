/* SPDX-License-Identifier: MIT */
/*
 * All-pairs shortest paths, what is not a product: the start, the copy of a block's columns, and
 * what the kernels that close a block share.
 *
 * A block is closed in two levels: blocks of CLP_BLOCK vertices by a panel kernel (minplus_panel.cl
 * and, for CPUs, minplus_panel_serial.cl), which closes their rows, and by a product into the other
 * rows of the larger block around them; then the larger block by a product into all other rows.
 * Below, "block" is either. By groups of many and without predecessors, a larger block is closed by
 * itself (minplus_step.cl), and products make its rows, its columns and then the others
 * (minplus_cross.cl), so that less comes one after another.
 *
 * Why chains of predecessors end although cycles may have length 0: the block's rows are closed
 * vertex after vertex, as Floyd and Warshall do it, and every other row i takes all its elements
 * from one product, A's elements being as they were before the block and k the lowest that
 * attains. If j gets its predecessor v from row k, then k attains v as well; so along a chain k
 * can't rise, and around a cycle it would be the same, which row k does not have. (Were the block
 * closed by itself, a row of it would take the columns of other vertices from another k than its
 * own ones, and two of them might name each other.)
 *
 * Why the vertex that is reported is on a negative cycle, by the algorithm of Floyd and Warshall:
 * let no diagonal element be negative before vertex k is allowed on the way. If then one of the
 * block becomes negative, the closed walk found passes k, and all its other vertices are allowed
 * already: every cycle that it consists of and that misses k would have been seen before. So k is
 * on a negative one. If only an element outside the block becomes negative, all cycles within the
 * allowed vertices are not, so the walk's negative cycle passes that element's vertex. Both hold
 * within a larger block that is closed by itself. What then lies outside of it is told only if no
 * diagonal element of the closed block is negative.
 */
#ifndef CLP_BLOCK
#error "minplus_paths.cl: CLP_BLOCK, vertices of a block, is not set by the prelude"
#endif

/* The sum of two lengths as C has them. */
static inline __attribute__((always_inline)) CLP_T clp_length(CLP_T a, CLP_T b) {
#if CLP_SHIFTED
    const CLP_T sum = max(a, (CLP_T)(-CLP_REACH)) + max(b, (CLP_T)(-CLP_REACH));
    return a >= CLP_NO_EDGE || b >= CLP_NO_EDGE ? CLP_NO_EDGE : sum;
#else
    return a + b;
#endif
}

#define CLP_STARTED 4 /* elements of a work-item that are on their way together */

/* A group a row. No edge gets one form; the diagonal is at most 0. */
CLP_KERNEL(CLP_GROUP)
void clp_paths_start(global CLP_T *d, ulong d_first, ulong d_ld, global int *via, ulong via_first,
                     ulong via_ld, uint n, global int *report, ulong report_first,
                     global uint *outside) {
    const uint i = (uint)get_group_id(0);
    if (i == 0 && get_local_id(0) == 0) {
        report[report_first] = -1;
        *outside = UINT_MAX;
    }
    if (i >= n) return;
    global CLP_T *row = d + d_first + i * d_ld;
    for (uint first = (uint)get_local_id(0); first < n; first += CLP_STARTED * CLP_GROUP) {
        CLP_T given[CLP_STARTED];
#pragma unroll
        for (uint e = 0; e < CLP_STARTED; e++) {
            given[e] = first + e * CLP_GROUP < n ? row[first + e * CLP_GROUP] : 0;
        }
#pragma unroll
        for (uint e = 0; e < CLP_STARTED; e++) {
            const uint j = first + e * CLP_GROUP;
            const bool is_edge = given[e] < CLP_NO_EDGE;
            const CLP_T length = is_edge ? given[e] : CLP_NO_EDGE;
            const CLP_T started = i == j && !(length < 0) ? 0 : length;
            if (j < n && (i == j || started != given[e])) row[j] = started;
#if CLP_PREDECESSORS
            if (j < n) via[via_first + i * via_ld + j] = is_edge && i != j ? (int)i : -1;
#endif
        }
    }
}

/* Work-items of a group side by side; the others stand below. */
#define CLP_ACROSS (CLP_GROUP < CLP_BLOCK ? CLP_GROUP : CLP_BLOCK)

/* A few rows a group, from row to before rows: copies columns from `from` on, and tells the lowest
 * vertex whose diagonal element is negative. */
CLP_KERNEL(CLP_GROUP)
void clp_paths_copy(const global CLP_T *d, ulong d_first, ulong d_ld, uint row, uint rows,
                    uint from, uint block, global CLP_T *columns, volatile global uint *outside) {
    const uint self = (uint)get_local_id(0);
    const uint below = (uint)get_group_id(0) * (CLP_GROUP / CLP_ACROSS) + self / CLP_ACROSS;
    const uint i = row + below;
    if (i >= rows) return;
    const global CLP_T *here = d + d_first + i * d_ld;
    for (uint t = self % CLP_ACROSS; t < block; t += CLP_ACROSS) {
        columns[(ulong)below * block + t] = here[from + t];
    }
    if (self % CLP_ACROSS == 0 && here[i] < 0) {
        atomic_min(outside, i); /* lowered by all groups here, read by the next panel kernel */
    }
}

/* Of a vertex that was seen outside, if one seen elsewhere is to be told before it. */
#define CLP_NOT_CLOSED 0x80000000u

/* Names a vertex on a negative cycle, once. seen: of the block, if none was seen outside before. */
static inline void clp_tell(global int *report, uint outside, uint seen) {
    if (*report >= 0) return;
    const uint vertex = outside != UINT_MAX ? outside & ~CLP_NOT_CLOSED : seen;
    *report = vertex == UINT_MAX ? -1 : (int)vertex;
}
