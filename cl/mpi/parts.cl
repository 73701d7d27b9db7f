/* SPDX-License-Identifier: MIT */
/* Copies parts of matrices. A work-item copies a column's elements of some rows. */

kernel void clp_mpi_copy_uchar(const global uchar *from, ulong from_first, ulong from_ld,
                               global uchar *to, ulong to_first, ulong to_ld, ulong rows,
                               ulong columns) {
    const ulong j = get_global_id(0);
    if (j >= columns) return;
    for (ulong i = get_global_id(1); i < rows; i += get_global_size(1)) {
        to[to_first + i * to_ld + j] = from[from_first + i * from_ld + j];
    }
}

kernel void clp_mpi_copy_uint(const global uint *from, ulong from_first, ulong from_ld,
                              global uint *to, ulong to_first, ulong to_ld, ulong rows,
                              ulong columns) {
    const ulong j = get_global_id(0);
    if (j >= columns) return;
    for (ulong i = get_global_id(1); i < rows; i += get_global_size(1)) {
        to[to_first + i * to_ld + j] = from[from_first + i * from_ld + j];
    }
}

kernel void clp_mpi_copy_ulong(const global ulong *from, ulong from_first, ulong from_ld,
                               global ulong *to, ulong to_first, ulong to_ld, ulong rows,
                               ulong columns) {
    const ulong j = get_global_id(0);
    if (j >= columns) return;
    for (ulong i = get_global_id(1); i < rows; i += get_global_size(1)) {
        to[to_first + i * to_ld + j] = from[from_first + i * from_ld + j];
    }
}
