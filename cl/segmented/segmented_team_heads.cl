/* SPDX-License-Identifier: MIT */
/* Teams and keys or flags: 32 neighbours say by a ballot which of them begin a segment. */

/* Sets the bits of the tile. */
CLP_INLINE void clp_ask_heads(const clp_run *run, local clp_team_tile *tile, ulong first,
                              uint count) {
    const uint lane = clp_lane();
#pragma unroll
    for (uint r = 0; r < CLP_ITEMS; r++) {
        const uint i = r * 32 + lane;
        bool begins = false;
        if (i < count) begins = clp_is_head(run, first + i);
        const uint heads = clp_ballot(begins);
        if (lane == 0) tile->heads[r] = heads;
    }
}

#if CLP_REDUCES
CLP_INLINE clp_part clp_look_through(const clp_run *run, ulong worker, local clp_team_tile *tile) {
    const clp_share share = clp_team_share_of(run, worker);
    clp_part part = {0, CLP_NONE, 0, 0, 0, 0, 0};
    uint count = 0;
    for (ulong first = share.first; first < share.last; first += CLP_TILE) {
#pragma unroll
        for (uint r = 0; r < CLP_ITEMS; r++) {
            const ulong i = first + r * 32 + clp_lane();
            if (i < share.last) count += clp_is_head(run, i);
        }
        part.heads += clp_add_lanes(count);
        count = 0;
    }
    return part;
}

/* The results of the segments in front of the tile's heads. number: of segments that have begun. */
CLP_INLINE void clp_close_runs(const clp_run *run, const local clp_team_tile *tile, ulong first,
                               uint count, ulong worker, const clp_open *before, ulong *number,
                               clp_part *part) {
    const uint lane = clp_lane();
    for (uint r = 0; r * 32 < count; r++) {
        const uint heads = tile->heads[r], i = r * 32 + lane;
        const ulong own = *number + popcount(heads & ((1u << lane) - 1));
        const bool is_first = !part->ends && (heads & ((1u << lane) - 1)) == 0;
        if (heads >> lane & 1) {
            const bool has = i > 0 || before->has;
            clp_value total;
            if (i > 0) {
                total = tile->value[clp_place(i - 1)];
            } else if (has) {
                total = before->value;
            }
            if (!is_first) {
                clp_store_segment(run, own - 1, has, total, part);
            } else if (has) {
                run->firsts[worker] = total;
            }
            if (CLP_UNIQUE && own < run->segments) run->keys[own] = run->heads[first + i];
        }
        if (!part->ends && heads != 0) {
            part->segment = *number > 0 ? *number - 1 : CLP_NONE;
            part->has_first = r > 0 || (heads & 1) == 0 || before->has;
            part->ends = 1;
        }
        *number += popcount(heads);
    }
}

CLP_INLINE clp_part clp_go_through(const clp_run *run, ulong worker, local clp_team_tile *tile) {
    const clp_share share = clp_team_share_of(run, worker);
    clp_part part = {0, CLP_NONE, 0, 0, 0, 0, 0};
    const ulong begun = run->parts[worker].heads;
    ulong number = begun;
    clp_open open;
    open.has = false;
    clp_subgroup_barrier(); /* part read above, written by the kernel behind the share */
    for (ulong first = share.first; first < share.last; first += CLP_TILE) {
        const uint count = (uint)min(share.last - first, (ulong)CLP_TILE);
        clp_load_tile(run, tile, first, count);
        clp_ask_heads(run, tile, first, count);
        clp_subgroup_barrier(); /* tile loaded and bits set above, scanned below */
        const clp_open before = open;
        clp_scan_tile(tile, count, &open);
        clp_close_runs(run, tile, first, count, worker, &before, &number, &part);
        clp_subgroup_barrier(); /* tile read above, overwritten below */
    }
    part.heads = number - begun;
    clp_note_open(run, worker, &open, &part);
    return part;
}
#else
/* Goes back from the share's end to the last head. */
CLP_INLINE clp_part clp_look_through(const clp_run *run, ulong worker, local clp_team_tile *tile) {
    const clp_share share = clp_team_share_of(run, worker);
    clp_part part = {0, CLP_NONE, 0, 0, 0, 0, 0};
    ulong from = share.last;
    clp_open open;
    open.has = false;
    while (from > share.first && !part.ends) {
        const uint count = (uint)min(from - share.first, (ulong)CLP_TILE);
        uint behind = count; /* elements from the last head on */
#pragma unroll
        for (uint r = 0; r < CLP_ITEMS; r++) {
            const uint i = r * 32 + clp_lane();
            bool begins = false;
            if (i < count) begins = clp_is_head(run, from - count + i);
            const uint heads = clp_ballot(begins);
            if (heads == 0) continue;
            behind = count - (r * 32 + 31 - clz(heads));
            part.ends = 1;
        }
        from -= behind;
    }
    from = clp_take_tiles(run, from, share.last, CLP_NONE, &open);
    clp_fold_team(run, tile, from, share.last, &open);
    clp_note_open(run, worker, &open, &part);
    return part;
}

CLP_INLINE clp_part clp_go_through(const clp_run *run, ulong worker, local clp_team_tile *tile) {
    const clp_share share = clp_team_share_of(run, worker);
    const clp_part part = {0, CLP_NONE, 0, 0, 0, 0, 0};
    clp_open open;
    open.has = run->parts[worker].has_tail;
    if (open.has) open.value = run->tails[worker];
    clp_subgroup_barrier(); /* part read above, written by the kernel behind the share */
    for (ulong first = share.first; first < share.last; first += CLP_TILE) {
        const uint count = (uint)min(share.last - first, (ulong)CLP_TILE);
        clp_load_tile(run, tile, first, count);
        clp_ask_heads(run, tile, first, count);
        clp_subgroup_barrier(); /* tile loaded and bits set above, scanned below */
        clp_store_tile(run, tile, first, count, &open);
        clp_subgroup_barrier(); /* tile read above, overwritten below */
    }
    return part;
}
#endif
