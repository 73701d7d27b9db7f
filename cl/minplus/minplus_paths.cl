/* SPDX-License-Identifier: MIT */
/*
 * All-pairs shortest paths by blocked Floyd-Warshall, except the products: the start, the copy of a
 * block's columns, the report, and what the kernels that close a block share.
 *
 * There are two levels of blocks. With predecessors, or on CPUs, a panel kernel (minplus_panel.cl
 * or minplus_panel_serial.cl) closes the rows of a block of CLP_BLOCK vertices, and a product
 * relaxes the other rows of the outer block. A second product relaxes all rows outside the outer
 * block. Below, "block" means either. Otherwise an outer block is closed by itself
 * (minplus_step.cl), and products update its rows, its columns and then the rest
 * (minplus_panel_update.cl), so that fewer launches depend on each other.
 *
 * No work-group of any of these kernels waits for another; launches follow one another. In this
 * file local memory only holds minima of a work-group.
 *
 * Why chains of predecessors end although cycles may have length 0: the rows of the block are
 * closed vertex by vertex, as Floyd and Warshall do it. Every other row i takes all its elements
 * from one product, with the elements of A as they were before the block and the lowest k that
 * attains each minimum. If j gets its predecessor v from row k, then k attains v as well. Along a
 * chain k therefore can't rise, and on a cycle it would stay the same, which row k excludes. (If
 * the block were closed by itself, one of its rows would take the columns of other vertices from
 * another k than its own, and two of them might name each other.)
 *
 * Why the reported vertex is on a negative cycle, with the algorithm of Floyd and Warshall: assume
 * that no diagonal element is negative before the relaxation through vertex k. If an element of the
 * block then becomes negative, the closed walk found passes k, and all its other vertices were
 * relaxed before: every cycle in it that misses k would have been seen before. So k is on a
 * negative cycle. If only an element outside the block becomes negative, no cycle within the
 * relaxed vertices is negative, so that the negative cycle of the walk passes the vertex of that
 * element. Both arguments hold within an outer block that is closed by itself. A vertex outside it
 * is reported only if no diagonal element of the closed block is negative.
 *
 * Why integers are exact, or a fault is found at the end (CLP_LIMITED): let given lengths lie in
 * [CLP_LEAST, CLP_MOST] and let there be no negative cycle. A sum of CLP_NO_EDGE or more is
 * dropped, and an operand below -CLP_REACH, which is CLP_LEAST, counts as that: so no computed
 * length is below the true distance. Claim: all computed lengths are within the limits if and only
 * if all true distances are, and then both are equal. Dropped sums: 2 * CLP_MOST < CLP_NO_EDGE. If
 * every true distance is below CLP_NO_EDGE, dropping does no harm: every part of a shortest path is
 * a shortest path, so that no sum in it is dropped. Otherwise take, of all shortest paths of
 * CLP_NO_EDGE or more, one with the fewest edges. Each edge adds at most CLP_MOST, so that the
 * length from its start to some vertex on it is above CLP_MOST but below CLP_NO_EDGE. The parts of
 * that piece have fewer edges, so none was dropped: its length is exact, and beyond CLP_MOST.
 * Operands below CLP_LEAST: lengths never grow, so that the element is still below CLP_LEAST at the
 * end.
 */

/* As clprims_paths_report. */
typedef struct clp_report {
    int vertex, from, to, given;
    long length;
} clp_report;
typedef char clp_report_is_as_in_c[sizeof(clp_report) == CLP_REPORT_BYTES ? 1 : -1];

/* Per row: its lowest column whose length is beyond the limits, -1: none; and whether that length
 * was given. */
typedef struct clp_beyond {
    int column, given;
    long length;
} clp_beyond;
typedef char clp_beyond_is_as_in_c[sizeof(clp_beyond) == CLP_BEYOND_BYTES ? 1 : -1];

/* Returns the sum of two lengths, both in the form of C. */
CLP_INLINE CLP_T clp_length(CLP_T a, CLP_T b) {
#if CLP_SHIFTED
    const CLP_T sum = max(a, (CLP_T)(-CLP_REACH)) + max(b, (CLP_T)(-CLP_REACH));
    return a >= CLP_NO_EDGE || b >= CLP_NO_EDGE ? CLP_NO_EDGE : sum;
#else
    return a + b;
#endif
}

/* Macros because the limits are macros that programs without limits do not have. */
#if CLP_LIMITED
#define CLP_IS_BEYOND(x) ((x) != CLP_GIVEN_NO_EDGE && ((x) < CLP_LEAST || (x) > CLP_MOST))
#define CLP_IS_EDGE(x) ((x) != CLP_GIVEN_NO_EDGE)
#else
#define CLP_IS_BEYOND(x) false
#define CLP_IS_EDGE(x) ((x) < CLP_NO_EDGE)
#endif

static inline void clp_record_beyond(global clp_beyond *beyond, uint column, bool given,
                                     const global CLP_T *row) {
    beyond->column = column == UINT_MAX ? -1 : (int)column;
    beyond->given = given;
    beyond->length = column == UINT_MAX ? 0 : (long)row[column];
}

#define CLP_STARTED 4 /* independent loads in flight per work-item */

/* One work-group per row. Writes "no edge" in one form; the diagonal becomes at most 0. beyond: one
 * entry per row, with CLP_LIMITED. */
CLP_KERNEL(CLP_GROUP)
void clp_paths_start(global CLP_T *d, ulong d_first, ulong d_ld, global int *via, ulong via_first,
                     ulong via_ld, uint n, global clp_report *report, ulong report_first,
                     global uint *outside, global clp_beyond *beyond) {
    const uint i = (uint)get_group_id(0);
    const uint columns = i < n ? n : 0;
    global CLP_T *row = d + d_first + i * d_ld;
#if CLP_LIMITED
    local uint lowest;
    if (get_local_id(0) == 0) lowest = UINT_MAX;
    barrier(CLK_LOCAL_MEM_FENCE); /* lowest set above, lowered below */
#endif
    if (i == 0 && get_local_id(0) == 0) {
        const clp_report nothing = {-1, -1, -1, 0, 0};
        report[report_first] = nothing;
        *outside = UINT_MAX;
    }
    for (uint first = (uint)get_local_id(0); first < columns; first += CLP_STARTED * CLP_GROUP) {
        CLP_T given[CLP_STARTED];
#pragma unroll
        for (uint e = 0; e < CLP_STARTED; e++) {
            given[e] = first + e * CLP_GROUP < n ? row[first + e * CLP_GROUP] : 0;
        }
#pragma unroll
        for (uint e = 0; e < CLP_STARTED; e++) {
            const uint j = first + e * CLP_GROUP;
            const bool is_edge = CLP_IS_EDGE(given[e]), is_beyond = CLP_IS_BEYOND(given[e]);
            const CLP_T length = is_edge ? given[e] : CLP_NO_EDGE;
            const CLP_T started = i == j && !(length < 0) && !is_beyond ? 0 : length;
            if (j < n && (i == j || started != given[e])) row[j] = started;
#if CLP_LIMITED
            if (j < n && is_beyond) atomic_min(&lowest, j); /* read behind the barrier */
#endif
#if CLP_PREDECESSORS
            if (j < n) via[via_first + i * via_ld + j] = is_edge && i != j ? (int)i : -1;
#endif
        }
    }
#if CLP_LIMITED
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* lowest lowered above, read below */
    if (get_local_id(0) == 0 && i < n) clp_record_beyond(beyond + i, lowest, true, row);
#endif
}

#if CLP_LIMITED
/* One work-group per row: records lengths beyond the limits that were not given, and writes "no
 * edge" in the form of the caller. */
CLP_KERNEL(CLP_GROUP)
void clp_paths_finish(global CLP_T *d, ulong d_first, ulong d_ld, uint n,
                      global clp_beyond *beyond) {
    const uint i = (uint)get_group_id(0);
    global CLP_T *row = d + d_first + i * d_ld;
    local uint lowest;
    if (get_local_id(0) == 0) lowest = UINT_MAX;
    barrier(CLK_LOCAL_MEM_FENCE); /* lowest set above, lowered below */
    for (uint j = (uint)get_local_id(0); j < n; j += CLP_GROUP) {
        const CLP_T length = row[j];
        if (length == CLP_NO_EDGE) {
            if (CLP_GIVEN_NO_EDGE != CLP_NO_EDGE) row[j] = CLP_GIVEN_NO_EDGE;
        } else if (length < CLP_LEAST || length > CLP_MOST) {
            atomic_min(&lowest, j); /* read behind the barrier */
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* lowest lowered above, read below */
    if (get_local_id(0) == 0 && lowest != UINT_MAX && beyond[i].column < 0) {
        clp_record_beyond(beyond + i, lowest, false, row);
    }
}
#endif

/* Work-items of a work-group per row; the others take the rows below. */
#define CLP_ACROSS (CLP_GROUP < CLP_BLOCK ? CLP_GROUP : CLP_BLOCK)

/* A few rows per work-group, from row to before rows: copies columns from `from` on, and records
 * the lowest vertex whose diagonal element is negative. */
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
        atomic_min(outside, i); /* races with all work-groups; the next panel kernel reads it */
    }
}

/* Flags a vertex seen outside the block, over which a vertex seen elsewhere takes precedence. */
#define CLP_NOT_CLOSED 0x80000000u

/* Reports a vertex on a negative cycle, once. seen: a vertex of the block, if none was seen outside
 * before. */
static inline void clp_report_vertex(global clp_report *report, uint outside, uint seen) {
    if (report->vertex >= 0) return;
    const uint vertex = outside != UINT_MAX ? outside & ~CLP_NOT_CLOSED : seen;
    report->vertex = vertex == UINT_MAX ? -1 : (int)vertex;
}

/* One work-group, at the end: reports the lowest vertex that was seen, or else the lowest length
 * beyond the limits. A given length takes precedence. */
CLP_KERNEL(CLP_GROUP)
void clp_paths_write_report(const global uint *outside, const global clp_beyond *beyond, uint n,
                            global clp_report *report, ulong report_first) {
    report += report_first;
#if CLP_LIMITED
    local uint rows[2]; /* the lowest rows with a length beyond the limits: computed, and given */
    if (get_local_id(0) == 0) rows[0] = rows[1] = UINT_MAX;
    barrier(CLK_LOCAL_MEM_FENCE); /* rows set above, lowered below */
    for (uint i = (uint)get_local_id(0); i < n; i += CLP_GROUP) {
        if (beyond[i].column >= 0) atomic_min(&rows[beyond[i].given != 0], i); /* read below */
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* rows lowered above, read below */
#endif
    if (get_local_id(0) != 0) return;
    clp_report_vertex(report, *outside, UINT_MAX);
#if CLP_LIMITED
    const uint row = rows[1] != UINT_MAX ? rows[1] : report->vertex < 0 ? rows[0] : UINT_MAX;
    if (row != UINT_MAX) {
        const clp_report found = {-1, (int)row, beyond[row].column, beyond[row].given,
                                  beyond[row].length};
        *report = found;
    }
#endif
}
