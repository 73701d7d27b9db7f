/* SPDX-License-Identifier: MIT */
/*
 * Parts of matrices: copies, choices and limits. A work-item takes elements of one column, of every
 * get_global_size(1)-th row; adjacent work-items access adjacent elements. No local memory; nobody
 * waits. A kernel for each type is a macro, since OpenCL C has no templates.
 */

#define CLP_MPI_COPY(T)                                                                            \
    kernel void clp_mpi_copy_##T(const global T *from, ulong from_first, ulong from_ld,            \
                                 global T *to, ulong to_first, ulong to_ld, ulong rows,            \
                                 ulong columns) {                                                  \
        const ulong j = get_global_id(0);                                                          \
        if (j >= columns) return;                                                                  \
        for (ulong i = get_global_id(1); i < rows; i += get_global_size(1)) {                      \
            to[to_first + i * to_ld + j] = from[from_first + i * from_ld + j];                     \
        }                                                                                          \
    }
CLP_MPI_COPY(uchar)
CLP_MPI_COPY(uint)
CLP_MPI_COPY(ulong)

/* A product with a panel chose row k of the panel, or none (-1). Stores the row's number in the
 * whole matrix, in which the panel begins at row `start`; elements without a choice stay. */
kernel void clp_mpi_choose(const global int *chosen, int start, global int *best, ulong best_first,
                           ulong best_ld, ulong rows, ulong columns) {
    const ulong j = get_global_id(0);
    if (j >= columns) return;
    for (ulong i = get_global_id(1); i < rows; i += get_global_size(1)) {
        const int k = chosen[i * columns + j];
        if (k >= 0) best[best_first + i * best_ld + j] = start + k;
    }
}

/* Lowers lowest[k] to the first row of the matrix with an element that is neither within the limits
 * nor no_edge; it is UINT_MAX before. */
#define CLP_MPI_BEYOND(T)                                                                          \
    kernel void clp_mpi_beyond_##T(const global T *from, ulong first, ulong ld, ulong rows,        \
                                   ulong columns, long least, long most, long no_edge,             \
                                   global uint *lowest, uint k) {                                  \
        const ulong j = get_global_id(0);                                                          \
        if (j >= columns) return;                                                                  \
        for (ulong i = get_global_id(1); i < rows; i += get_global_size(1)) {                      \
            const long value = from[first + i * ld + j];                                           \
            if ((value < least || value > most) && value != no_edge)                               \
                atomic_min(&lowest[k], (uint)i);                                                   \
        }                                                                                          \
    }
CLP_MPI_BEYOND(int)
CLP_MPI_BEYOND(long)
