/* SPDX-License-Identifier: MIT */
/*
 * The splits of all tiles. A launch of its own searches for them, one work-item a tile, so that
 * many searches overlap their loads. For few tiles each work-group searches for itself instead,
 * which saves the launch. No local memory; no work-group waits for another.
 */

/* One work-item a tile finds the number of elements of a before the tile. */
CLP_KERNEL(CLP_GROUP)
void clp_merge_split(CLP_IO_PARAMETERS, global ulong *splits CLP_USER_PARAMETERS) {
    clp_io io = CLP_IO;
    clp_take_counts(&io, CLP_COUNTS);
    const ulong tile = get_global_id(0), diagonal = tile * CLP_TILE;
    if (diagonal < io.n_a + io.n_b) splits[tile] = clp_find_split(&io, diagonal);
}

/* The diagonals of this work-group's tile. */
CLP_INLINE void clp_take_diagonals(const clp_io *io, ulong *diagonals) {
    const ulong n = io->n_a + io->n_b, tile = get_group_id(0);
    diagonals[0] = min(tile * CLP_TILE, n);
    diagonals[1] = min((tile + 1) * CLP_TILE, n);
}

/* Returns the splits of two diagonals. Even lanes search for the first and odd lanes for the
 * second, since two searches one after the other take longer. All work-items of the group must call
 * this. */
CLP_INLINE void clp_find_both(const clp_io *io, const ulong *diagonals, ulong *splits) {
#if !CLP_SUBGROUP_IS_GROUP && CLP_SUBGROUP % 2 == 0
    const ulong diagonal = clp_lane() % 2 == 0 ? diagonals[0] : diagonals[1];
    const ulong split = clp_find_split(io, diagonal);
    splits[0] = clp_shuffle_long(split, 0);
    splits[1] = clp_shuffle_long(split, 1);
#else
    splits[0] = clp_find_split(io, diagonals[0]);
    splits[1] = clp_find_split(io, diagonals[1]);
#endif
}

/* Sets `ends` to the splits of this work-group's tile. splits: of all tiles; if NULL, the
 * work-group searches. */
CLP_INLINE void clp_take_splits(const clp_io *io, const global ulong *splits, ulong *ends) {
    const ulong n = io->n_a + io->n_b, tile = get_group_id(0);
    ulong diagonals[2];
    clp_take_diagonals(io, diagonals);
    if (splits == 0) {
        clp_find_both(io, diagonals, ends);
        return;
    }
    ends[0] = diagonals[0] < n ? splits[tile] : io->n_a;
    ends[1] = diagonals[1] < n ? splits[tile + 1] : io->n_a;
}

/* The tile of this work-group, between `ends`; it may be empty. */
CLP_INLINE void clp_take_tile(const clp_io *io, const ulong *ends, clp_piece *piece) {
    ulong diagonals[2];
    clp_take_diagonals(io, diagonals);
    clp_set_piece(piece, diagonals[0], diagonals[1] - diagonals[0], ends[0], ends[1]);
}
