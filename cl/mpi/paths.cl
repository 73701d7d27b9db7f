/* SPDX-License-Identifier: MIT */
/*
 * All-pairs shortest paths over ranks, by blocked Floyd-Warshall: what a rank does with its block
 * of the matrix, and with panels, besides products. minplus_paths.cl proves the method; the lengths
 * are as there: "no edge" has one form, CLP_NO_EDGE, and with CLP_LIMITED an operand below
 * CLP_LEAST counts as CLP_LEAST.
 *
 * A work-item takes elements of one column, of every get_global_size(1)-th row. No local memory; no
 * work-group waits for another, and launches follow one another.
 */

/* Macros because the limits are macros that programs without limits do not have. */
#if CLP_LIMITED
#define CLP_IS_BEYOND(x) ((x) != CLP_GIVEN_NO_EDGE && ((x) < CLP_LEAST || (x) > CLP_MOST))
#define CLP_IS_EDGE(x) ((x) != CLP_GIVEN_NO_EDGE)
#else
#define CLP_IS_BEYOND(x) false
#define CLP_IS_EDGE(x) ((x) < CLP_NO_EDGE)
#endif

/* Writes "no edge" in one form; the diagonal becomes at most 0. row, column: the place of the
 * block's first element in the whole matrix. beyond: lowered to each row's lowest column whose
 * length is beyond the limits; UINT_MAX before. via: only used with predecessors. */
kernel void clp_mpi_paths_start(global CLP_T *d, ulong d_first, ulong d_ld, global int *via,
                                ulong via_first, ulong via_ld, uint predecessors, uint row,
                                uint column, uint rows, uint columns, global uint *beyond) {
    const uint j = (uint)get_global_id(0);
    if (j >= columns) return;
    for (uint i = (uint)get_global_id(1); i < rows; i += (uint)get_global_size(1)) {
        global CLP_T *at = d + d_first + i * d_ld + j;
        const CLP_T given = *at;
        const bool on_diagonal = row + i == column + j;
        const bool is_edge = CLP_IS_EDGE(given), is_beyond = CLP_IS_BEYOND(given);
        const CLP_T length = is_edge ? given : CLP_NO_EDGE;
        *at = on_diagonal && !(length < 0) && !is_beyond ? 0 : length;
        if (is_beyond) atomic_min(&beyond[i], j);
        if (predecessors != 0) {
            via[via_first + i * via_ld + j] = is_edge && !on_diagonal ? (int)(row + i) : -1;
        }
    }
}

#if CLP_LIMITED
/* Writes "no edge" in the caller's form. beyond: as in clp_mpi_paths_start, of computed lengths. */
kernel void clp_mpi_paths_finish(global CLP_T *d, ulong d_first, ulong d_ld, uint rows,
                                 uint columns, global uint *beyond) {
    const uint j = (uint)get_global_id(0);
    if (j >= columns) return;
    for (uint i = (uint)get_global_id(1); i < rows; i += (uint)get_global_size(1)) {
        global CLP_T *at = d + d_first + i * d_ld + j;
        const CLP_T length = *at;
        if (length == CLP_NO_EDGE) {
            *at = CLP_GIVEN_NO_EDGE;
        } else if (length < CLP_LEAST || length > CLP_MOST) {
            atomic_min(&beyond[i], j);
        }
    }
}
#endif

/* Lowers *lowest to the first negative one of n elements of a diagonal; it is UINT_MAX before. */
kernel void clp_mpi_paths_diagonal(const global CLP_T *d, ulong d_first, ulong d_ld, uint n,
                                   global uint *lowest) {
    const uint i = (uint)get_global_id(0);
    if (i < n && d[d_first + i * d_ld + i] < 0) atomic_min(lowest, i);
}

/* Returns the sum of two lengths. */
static inline CLP_T clp_mpi_length(CLP_T a, CLP_T b) {
#if CLP_LIMITED
    const CLP_T sum = max(a, CLP_LEAST) + max(b, CLP_LEAST);
    return a >= CLP_NO_EDGE || b >= CLP_NO_EDGE ? CLP_NO_EDGE : sum;
#else
    return a + b;
#endif
}

/*
 * Relaxes the rows of a panel through its row k, with predecessors. One launch for each k, so that
 * a step reads the rows that the step before wrote. factors(i, k), of `size` by `size`, is the
 * length from row i's vertex to row k's before step k. notes: the panel is the diagonal block
 * itself. The step then stores column k among the factors, for the other panels, and leaves row and
 * column k as they are.
 */
kernel void clp_mpi_paths_step(global CLP_T *panel, ulong panel_first, global int *via, uint size,
                               uint columns, global CLP_T *factors, uint k, uint notes) {
    panel += panel_first;
    const uint j = (uint)get_global_id(0);
    if (j >= columns) return;
    for (uint i = (uint)get_global_id(1); i < size; i += (uint)get_global_size(1)) {
        const CLP_T factor = notes != 0 ? panel[(ulong)i * columns + k] : factors[i * size + k];
        const CLP_T length = clp_mpi_length(factor, panel[(ulong)k * columns + j]);
        if (notes != 0 && j == k) factors[i * size + k] = factor;
        if (i == k || (notes != 0 && j == k)) continue;
        if (length < panel[(ulong)i * columns + j]) {
            panel[(ulong)i * columns + j] = length;
            if (notes == 0) via[(ulong)i * columns + j] = via[(ulong)k * columns + j];
        }
    }
}

/* Takes predecessors from a panel. chosen: the row of the panel through which a product improved
 * the path, or -1. The improved path ends as the path of that row does, so it has its predecessor.
 */
kernel void clp_mpi_paths_follow(const global int *chosen, const global int *panel_via,
                                 ulong panel_first, ulong panel_ld, global int *via,
                                 ulong via_first, ulong via_ld, uint rows, uint columns) {
    const uint j = (uint)get_global_id(0);
    if (j >= columns) return;
    for (uint i = (uint)get_global_id(1); i < rows; i += (uint)get_global_size(1)) {
        const int k = chosen[(ulong)i * columns + j];
        if (k < 0) continue;
        via[via_first + i * via_ld + j] = panel_via[panel_first + (ulong)k * panel_ld + j];
    }
}
