/* SPDX-License-Identifier: MIT */
/*
 * All-pairs shortest paths, what is not a product: the start, the rows of a block, the copy of its
 * columns, and the search for a negative cycle.
 *
 * Why chains of predecessors end although cycles may have length 0: the block's rows are closed
 * vertex after vertex, as Floyd and Warshall do it, and every other row i takes all its elements
 * from one product, A's elements being as they were before the block and k the lowest that
 * attains. If j gets its predecessor v from row k, then k attains v as well; so along a chain k
 * can't rise, and around a cycle it would be the same, which row k does not have.
 *
 * Why the vertex that is reported is on a negative cycle, by the algorithm of Floyd and Warshall:
 * let no diagonal element be negative before vertex k is allowed on the way. If then one of the
 * block becomes negative, the closed walk found passes k, and all its other vertices are allowed
 * already: every cycle that it consists of and that misses k would have been seen before. So k is
 * on a negative one. If only an element outside the block becomes negative, all cycles within the
 * allowed vertices are not, so the walk's negative cycle passes that element's vertex.
 */
#ifndef CLP_BLOCK
#error "minplus_paths.cl: CLP_BLOCK, vertices of a block, is not set by the prelude"
#endif

/* The sum of two lengths as C has them. */
static inline CLP_T clp_length(CLP_T a, CLP_T b) {
#if CLP_SHIFTED
    const CLP_T sum = max(a, (CLP_T)(-CLP_REACH)) + max(b, (CLP_T)(-CLP_REACH));
    return a >= CLP_NO_EDGE || b >= CLP_NO_EDGE ? CLP_NO_EDGE : sum;
#else
    return a + b;
#endif
}

/* A group a row. No edge gets one form; the diagonal is at most 0. */
CLP_KERNEL(CLP_GROUP)
void clp_paths_start(global CLP_T *d, ulong d_first, ulong d_ld, global int *via, ulong via_first,
                     ulong via_ld, uint n, global int *report, ulong report_first) {
    const uint i = (uint)get_group_id(0);
    if (i == 0 && get_local_id(0) == 0) report[report_first] = -1;
    if (i >= n) return;
    global CLP_T *row = d + d_first + i * d_ld;
    for (uint j = (uint)get_local_id(0); j < n; j += CLP_GROUP) {
        const CLP_T given = row[j];
        const bool is_edge = given < CLP_NO_EDGE;
        const CLP_T length = is_edge ? given : CLP_NO_EDGE;
        row[j] = i == j && !(length < 0) ? 0 : length;
#if CLP_PREDECESSORS
        via[via_first + i * via_ld + j] = is_edge && i != j ? (int)i : -1;
#endif
    }
}

/* A group a row of the block's columns. */
CLP_KERNEL(CLP_GROUP)
void clp_paths_copy(const global CLP_T *d, ulong d_first, ulong d_ld, uint from, uint block,
                    global CLP_T *columns) {
    const ulong i = get_group_id(0);
    for (uint t = (uint)get_local_id(0); t < block; t += CLP_GROUP) {
        columns[i * block + t] = d[d_first + i * d_ld + from + t];
    }
}

/* ---- The rows of a block ----------------------------------------------------------------------
 */

/* Work-items of a group side by side; the others stand below. Loops have a fixed end, so that
 * compilers unroll them. */
#define CLP_ACROSS (CLP_GROUP < CLP_BLOCK ? CLP_GROUP : CLP_BLOCK)
#define CLP_EACH_LENGTH(i, j)                                                                      \
    for (uint i = (uint)get_local_id(0) / CLP_ACROSS; i < CLP_BLOCK; i += CLP_GROUP / CLP_ACROSS)  \
        for (uint j = (uint)get_local_id(0) % CLP_ACROSS; j < CLP_BLOCK; j += CLP_ACROSS)

/* A tile of matrix rows into local memory; beyond `rows` and `columns` there is no edge. */
static inline void clp_get_tile(const global CLP_T *d, ulong d_ld, uint rows, uint columns,
                                local CLP_T *length) {
    CLP_EACH_LENGTH(i, j) {
        length[i * CLP_BLOCK + j] = i < rows && j < columns ? d[i * d_ld + j] : CLP_NO_EDGE;
    }
}

static inline void clp_put_tile(global CLP_T *d, ulong d_ld, uint rows, uint columns,
                                const local CLP_T *length) {
    CLP_EACH_LENGTH(i, j) {
        if (i < rows && j < columns) d[i * d_ld + j] = length[i * CLP_BLOCK + j];
    }
}

/* Lets vertex k of the block on the way. to_k: the lengths to it, CLP_BLOCK apart. These and row k
 * do not change by this: of the block itself (is_block) column k stays too. */
static inline void clp_allow(local CLP_T *length, uint k, bool is_block, const local CLP_T *to_k,
                             global int *via, ulong via_ld) {
    CLP_EACH_LENGTH(i, j) {
        const CLP_T sum = clp_length(to_k[i * CLP_BLOCK], length[k * CLP_BLOCK + j]);
        const CLP_T before = length[i * CLP_BLOCK + j];
        const bool better = sum < before && i != k && !(is_block && j == k);
#if CLP_PREDECESSORS
        if (better) {
            length[i * CLP_BLOCK + j] = sum;
            via[i * via_ld + j] = via[k * via_ld + j];
        }
#else
        if (i != k && !(is_block && j == k)) length[i * CLP_BLOCK + j] = better ? sum : before;
#endif
    }
}

/* The lowest vertex whose diagonal element is negative, into *lowest. */
static inline void clp_look_at_diagonal(const global CLP_T *d, ulong d_ld, uint n,
                                        volatile local uint *lowest) {
    for (uint v = (uint)get_local_id(0); v < n; v += CLP_GROUP) {
        if (d[v * d_ld + v] < 0) atomic_min(lowest, v);
    }
}

/* Saves the lengths to vertex k and looks for a negative walk through the one before. */
static inline void clp_save_column(const local CLP_T *length, uint k, uint block, uint from,
                                   global CLP_T *steps, volatile local uint *seen) {
    for (uint i = (uint)get_local_id(0); i < block; i += CLP_GROUP) {
        if (k < block) steps[i * CLP_BLOCK + k] = length[i * CLP_BLOCK + k];
        if (k > 0 && length[i * CLP_BLOCK + i] < 0) atomic_min(seen, from + k - 1);
    }
}

/*
 * One group: looks at the whole diagonal, then closes the block from vertex `from` on. steps:
 * column k gets the lengths to the block's vertex k when that is allowed on the way.
 */
CLP_KERNEL(CLP_GROUP)
void clp_paths_block(global CLP_T *d, ulong d_first, ulong d_ld, global int *via, ulong via_first,
                     ulong via_ld, uint n, uint from, uint block, global CLP_T *steps,
                     global int *report, ulong report_first) {
    local CLP_T length[CLP_BLOCK * CLP_BLOCK];
    local uint outside, seen;
    global CLP_T *corner = d + d_first + from * d_ld + from;
    if (get_local_id(0) == 0) outside = seen = UINT_MAX;
    clp_get_tile(corner, d_ld, block, block, length);
    barrier(CLK_LOCAL_MEM_FENCE); /* length, outside and seen written above, used below */
    clp_look_at_diagonal(d + d_first, d_ld, n, &outside);
    for (uint k = 0; k < block; k++) {
        clp_save_column(length, k, block, from, steps, &seen);
        clp_allow(length, k, true, length + k, via + via_first + from * via_ld + from, via_ld);
        /* Lengths and predecessors written above, read in the next turn and below. The block is
         * the same for all work-items. */
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    clp_save_column(length, block, block, from, steps, &seen);
    barrier(CLK_LOCAL_MEM_FENCE); /* outside and seen written above, read below */
    clp_put_tile(corner, d_ld, block, block, length);
    if (get_local_id(0) == 0 && report[report_first] < 0) {
        const uint vertex = outside != UINT_MAX ? outside : seen;
        report[report_first] = vertex == UINT_MAX ? -1 : (int)vertex;
    }
}

/* A group CLP_BLOCK columns of the block's rows, but not those of the block itself. */
CLP_KERNEL(CLP_GROUP)
void clp_paths_rows(global CLP_T *d, ulong d_first, ulong d_ld, global int *via, ulong via_first,
                    ulong via_ld, uint n, uint from, uint block, const global CLP_T *steps) {
    local CLP_T length[CLP_BLOCK * CLP_BLOCK], to_k[CLP_BLOCK * CLP_BLOCK];
    const uint number = (uint)get_group_id(0);
    const uint column = CLP_BLOCK * (number < from / CLP_BLOCK ? number : number + 1);
    const uint columns = min(n - column, (uint)CLP_BLOCK);
    global CLP_T *tile = d + d_first + from * d_ld + column;
    clp_get_tile(tile, d_ld, block, columns, length);
    clp_get_tile(steps, CLP_BLOCK, block, block, to_k);
    barrier(CLK_LOCAL_MEM_FENCE); /* length and to_k written above, read below */
    for (uint k = 0; k < block; k++) {
        clp_allow(length, k, false, to_k + k, via + via_first + from * via_ld + column, via_ld);
        /* Lengths and predecessors written above, read in the next turn and below. The block is
         * the same for all work-items. */
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    clp_put_tile(tile, d_ld, block, columns, length);
}
