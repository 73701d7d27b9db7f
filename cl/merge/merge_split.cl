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

/* A search for a split, which is not before low and not behind high. */
typedef struct clp_split_search {
    ulong diagonal;
    ulong low;
    ulong high;
} clp_split_search;

/* Goes on to a fourth of what is left. An ended search compares first elements in vain: no branch
 * stands between the loads of two searches. */
CLP_INLINE void clp_search_step(clp_split_search *search, const clp_io *io) {
    const ulong low = search->low, length = search->high - low;
    const bool goes_on = low < search->high;
    ulong places[3];
    uint passed = 0;
#pragma unroll
    for (uint k = 0; k < 3; k++) {
        places[k] = low + length * (k + 1) / 4;
        passed +=
            goes_on & clp_a_is_first(io->a[goes_on ? places[k] : 0],
                                     io->b[goes_on ? search->diagonal - 1 - places[k] : 0], io);
    }
#pragma unroll
    for (uint k = 0; k < 3; k++) {
        if (passed == k) search->high = places[k];
        if (passed == k + 1) search->low = places[k] + 1;
    }
}

/* The splits of a tile's two diagonals. */
CLP_INLINE void clp_find_both(const clp_io *io, const ulong *diagonals, local ulong *splits) {
    clp_split_search search[2];
#pragma unroll
    for (uint k = 0; k < 2; k++) {
        search[k].diagonal = diagonals[k];
        search[k].low = diagonals[k] > io->n_b ? diagonals[k] - io->n_b : 0;
        search[k].high = min(diagonals[k], io->n_a);
    }
    while (search[0].low < search[0].high || search[1].low < search[1].high) {
        clp_search_step(&search[0], io);
        clp_search_step(&search[1], io);
    }
    splits[0] = search[0].low;
    splits[1] = search[1].low;
}

/* The diagonals of this work-group's tile. */
CLP_INLINE void clp_take_diagonals(const clp_io *io, ulong *diagonals) {
    const ulong n = io->n_a + io->n_b, tile = get_group_id(0);
    diagonals[0] = min(tile * CLP_TILE, n);
    diagonals[1] = min((tile + 1) * CLP_TILE, n);
}

/* One work-item takes the splits of this work-group's tile to local memory. splits: of all tiles;
 * NULL: they are searched for. */
CLP_INLINE void clp_take_splits(const clp_io *io, const global ulong *splits, local ulong *ends) {
    const ulong n = io->n_a + io->n_b, tile = get_group_id(0);
    ulong diagonals[2];
    if (get_local_id(0) != 0) return;
    clp_take_diagonals(io, diagonals);
    if (splits == 0) {
        clp_find_both(io, diagonals, ends);
        return;
    }
    ends[0] = diagonals[0] < n ? splits[tile] : io->n_a;
    ends[1] = diagonals[1] < n ? splits[tile + 1] : io->n_a;
}

/* The tile of this work-group, between `ends`; it may be empty. */
CLP_INLINE void clp_take_tile(const clp_io *io, const local ulong *ends, clp_piece *piece) {
    ulong diagonals[2];
    clp_take_diagonals(io, diagonals);
    clp_set_piece(piece, diagonals[0], diagonals[1] - diagonals[0], ends[0], ends[1]);
}
