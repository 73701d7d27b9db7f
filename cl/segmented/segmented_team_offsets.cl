/* SPDX-License-Identifier: MIT */
/* Teams and offsets: ends of segments are taken 32 at a time. */

/* Sets the bits of the segments that begin in [first, last) of the tile, behind those that end
 * there. *closed: how many segments of the share from number `segment` on end up to `last`. Returns
 * whether an end is malformed: before the tile, below the one before, or behind the share. */
CLP_INLINE bool clp_mark_heads(const clp_run *run, const clp_share *share,
                               local clp_team_tile *tile, ulong first, ulong last, ulong segment,
                               ulong *closed) {
    const uint lane = clp_lane();
    ulong before = first;
    uint count = 32;
    *closed = 0;
    while (count == 32) {
        const ulong k = segment + *closed + lane;
        const bool is_own = k < share->last_segment;
        const ulong end = is_own ? (ulong)(long)run->heads[k + 1] : CLP_NONE;
        const ulong lower = clp_long_of_lane(end, lane > 0 ? lane - 1 : 0);
        const bool bad = is_own && (end < (lane > 0 ? lower : before) || end > share->last);
        if (clp_ballot(bad) != 0) return true;
        if (end < last) atomic_or(&tile->heads[(end - first) / 32], 1u << (end - first) % 32);
        count = popcount(clp_ballot(end <= last));
        *closed += count;
        before = clp_long_of_lane(end, 31);
    }
    return false;
}

#if CLP_REDUCES
/* The results of `closed` segments from number `segment` on, which end in the tile. */
CLP_INLINE void clp_close_segments(const clp_run *run, const clp_share *share,
                                   const local clp_team_tile *tile, ulong first, ulong segment,
                                   ulong closed, ulong worker, clp_part *part) {
    const uint lane = clp_lane();
    for (ulong from = 0; from < closed; from += 32) {
        const ulong k = segment + from + lane;
        uint has_first = 0;
        if (from + lane < closed) {
            const ulong end = (ulong)(long)run->heads[k + 1];
            const ulong begin = k == share->segment ? share->first : (ulong)(long)run->heads[k];
            const bool has = begin < end;
            clp_value total;
            if (has) total = tile->value[clp_place((uint)(end - first) - 1)];
            if (k != share->segment) {
                clp_store_segment(run, k, has, total, part);
            } else {
                has_first = has;
                if (has) run->firsts[worker] = total;
            }
        }
        if (segment + from == share->segment) part->has_first = clp_shuffle_word(has_first, 0);
    }
}

CLP_INLINE clp_part clp_go_through(const clp_run *run, ulong worker, local clp_team_tile *tile) {
    const clp_share share = clp_team_share_of(run, worker);
    clp_part part = {0, share.segment, 0, share.last_segment > share.segment, 0, 0, share.broken};
    ulong first = share.first, segment = share.segment, closed;
    clp_open open;
    open.has = false;
    while (first < share.last || segment < share.last_segment) {
        const bool closes = segment < share.last_segment;
        const ulong end = closes ? (ulong)(long)run->heads[segment + 1] : CLP_NONE;
        first = clp_take_tiles(run, first, share.last, end, &open);
        const ulong last = min(first + CLP_TILE, share.last);
        clp_load_tile(run, tile, first, (uint)(last - first));
        clp_clear_heads(tile);
        clp_subgroup_barrier(); /* bits cleared above, set below */
        if (clp_mark_heads(run, &share, tile, first, last, segment, &closed)) {
            part.broken = 1;
            return part;
        }
        clp_subgroup_barrier(); /* tile loaded and bits set above, scanned below */
        clp_scan_tile(tile, (uint)(last - first), &open);
        clp_close_segments(run, &share, tile, first, segment, closed, worker, &part);
        segment += closed;
        if (closed > 0 && (ulong)(long)run->heads[segment] == last) open.has = false;
        first = last;
        clp_subgroup_barrier(); /* tile read above, overwritten below */
    }
    clp_note_open(run, worker, &open, &part);
    return part;
}
#else
CLP_INLINE clp_part clp_look_through(const clp_run *run, ulong worker, local clp_team_tile *tile) {
    const clp_share share = clp_team_share_of(run, worker);
    clp_part part = {0, CLP_NONE, 0, 0, 0, 0, 0};
    ulong from = share.first;
    clp_open open;
    open.has = false;
    part.ends = share.last_segment > share.segment;
    if (part.ends) {
        const long end = run->heads[share.last_segment];
        if (end >= 0 && (ulong)end > from) from = (ulong)end;
    }
    from = min(from, share.last);
    from = clp_take_tiles(run, from, share.last, CLP_NONE, &open);
    clp_fold_team(run, tile, from, share.last, &open);
    clp_note_open(run, worker, &open, &part);
    return part;
}

CLP_INLINE clp_part clp_go_through(const clp_run *run, ulong worker, local clp_team_tile *tile) {
    const clp_share share = clp_team_share_of(run, worker);
    clp_part part = {0, CLP_NONE, 0, 0, 0, 0, share.broken};
    ulong first = share.first, segment = share.segment, closed;
    clp_open open;
    open.has = run->parts[worker].has_tail;
    if (open.has) open.value = run->tails[worker];
    clp_subgroup_barrier(); /* part read above, written by the kernel behind the share */
    while (first < share.last || segment < share.last_segment) {
        const ulong last = min(first + CLP_TILE, share.last);
        clp_load_tile(run, tile, first, (uint)(last - first));
        clp_clear_heads(tile);
        clp_subgroup_barrier(); /* bits cleared above, set below */
        if (clp_mark_heads(run, &share, tile, first, last, segment, &closed)) {
            part.broken = 1;
            return part;
        }
        clp_subgroup_barrier(); /* tile loaded and bits set above, scanned below */
        clp_store_tile(run, tile, first, (uint)(last - first), &open);
        segment += closed;
        if (closed > 0 && (ulong)(long)run->heads[segment] == last) open.has = false;
        first = last;
        clp_subgroup_barrier(); /* tile read above, overwritten below */
    }
    return part;
}
#endif
