/* SPDX-License-Identifier: MIT */
/* The tiles' splits, so that all searches for them run at once. */

/* A work-item a tile: how many elements before the tile are a's. */
CLP_KERNEL(CLP_GROUP)
void clp_merge_split(CLP_IO_PARAMETERS, global ulong *splits CLP_USER_PARAMETERS) {
    clp_io io = CLP_IO;
    clp_take_counts(&io, CLP_COUNTS);
    const ulong tile = get_global_id(0), diagonal = tile * CLP_TILE;
    if (diagonal < io.n_a + io.n_b) splits[tile] = clp_find_split(&io, diagonal);
}

/* The tile of this work-group; it may be empty. A single tile has no splits. */
CLP_INLINE void clp_take_tile(const clp_io *io, const global ulong *splits, clp_piece *piece) {
    const ulong n = io->n_a + io->n_b, tile = get_group_id(0);
    const ulong diagonal = min(tile * CLP_TILE, n), end = min(diagonal + CLP_TILE, n);
    const ulong first = diagonal == n ? io->n_a : tile == 0 ? 0 : splits[tile];
    const ulong last = end == n ? io->n_a : splits[tile + 1];
    clp_set_piece(piece, diagonal, end - diagonal, first, last);
}
