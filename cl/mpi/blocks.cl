/* SPDX-License-Identifier: MIT */
/* What blocks of a distributed array need beside the primitives. One work-item an element. */

/* Positions in a block become positions in the whole array. */
kernel void clp_mpi_add_long(global long *values, ulong first, ulong n, long start) {
    const ulong i = get_global_id(0);
    if (i < n) values[first + i] += start;
}

kernel void clp_mpi_add_int(global int *values, ulong first, ulong n, long start) {
    const ulong i = get_global_id(0);
    if (i < n) values[first + i] += (int)start;
}
