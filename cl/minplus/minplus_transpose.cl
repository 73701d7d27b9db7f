/* SPDX-License-Identifier: MIT */
/*
 * Transposes the closed rows of an outer block: the elements among which a product searches for a
 * vertex become adjacent (minplus_argmin.cl).
 *
 * Local memory: one tile, through which both reads and writes are coalesced. Its rows have one
 * element more than the tile has columns, so that a column's elements are in different banks. No
 * work-group waits for another.
 */

#define CLP_TRANSPOSED_TILE 32 /* rows and columns of a tile */

/* rows: of the block, from vertex `from` on. Row j of `transposed` gets column j. A work-group
 * takes one tile; `down` tiles are below each other. */
CLP_KERNEL(CLP_GROUP)
void clp_paths_transpose(const global CLP_T *d, ulong d_first, ulong d_ld, uint n, uint from,
                         uint rows, uint down, global CLP_T *transposed, ulong transposed_ld) {
    local CLP_T tile[CLP_TRANSPOSED_TILE][CLP_TRANSPOSED_TILE + 1];
    const uint self = (uint)get_local_id(0), number = (uint)get_group_id(0);
    const uint row = number % down * CLP_TRANSPOSED_TILE,
               column = number / down * CLP_TRANSPOSED_TILE;
    const uint i = self / CLP_TRANSPOSED_TILE, j = self % CLP_TRANSPOSED_TILE;
    d += d_first;
#pragma unroll
    for (uint r = i; r < CLP_TRANSPOSED_TILE; r += CLP_GROUP / CLP_TRANSPOSED_TILE) {
        if (row + r < rows && column + j < n) tile[r][j] = d[(from + row + r) * d_ld + column + j];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* tile written above, read below */
#pragma unroll
    for (uint r = i; r < CLP_TRANSPOSED_TILE; r += CLP_GROUP / CLP_TRANSPOSED_TILE) {
        if (row + j < rows && column + r < n)
            transposed[(column + r) * transposed_ld + row + j] = tile[j][r];
    }
}
