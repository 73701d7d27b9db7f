/* SPDX-License-Identifier: MIT */
/*
 * What blocks of a distributed array need besides the primitives. One work-item for each element;
 * no local memory, and nobody waits.
 */

/* Turn positions in a block into positions in the whole array, in which the block begins at
 * `start`. */
kernel void clp_mpi_add_long(global long *values, ulong first, ulong n, long start) {
    const ulong i = get_global_id(0);
    if (i < n) values[first + i] += start;
}

kernel void clp_mpi_add_int(global int *values, ulong first, ulong n, long start) {
    const ulong i = get_global_id(0);
    if (i < n) values[first + i] += (int)start;
}
