/* SPDX-License-Identifier: MIT */
/* Teams and offsets: ends of segments are taken 32 at a time, several times at once. */
#define CLP_ENDS 4 /* of a lane at once */

/* Sets the bytes of the segments that begin in the tile behind those that end there. *closed: how
 * many segments of the share from number `segment` on end up to the tile's end. Returns whether an
 * end is malformed: before the tile, below the one before, or behind the share. */
CLP_INLINE bool clp_mark_heads(const clp_run *run, const clp_share *share,
                               local clp_team_tile *tile, const clp_span *span, ulong segment,
                               ulong *closed) {
    const uint lane = clp_lane();
    const ulong last = span->at + span->to;
    local uchar *heads = (local uchar *)tile->heads;
    ulong before = span->at + span->from, end[CLP_ENDS];
    uint count = 32 * CLP_ENDS;
    *closed = 0;
    while (count == 32 * CLP_ENDS) {
        bool bad = false;
        count = 0;
#pragma unroll
        for (uint e = 0; e < CLP_ENDS; e++) {
            const ulong k = segment + *closed + e * 32 + lane;
            end[e] = k < share->last_segment ? (ulong)(long)run->heads[k + 1] : CLP_NONE;
        }
#pragma unroll
        for (uint e = 0; e < CLP_ENDS; e++) {
            const ulong lower = clp_long_of_lane(end[e], lane > 0 ? lane - 1 : 0);
            const bool is_own = segment + *closed + e * 32 + lane < share->last_segment;
            bad |= is_own && (end[e] < (lane > 0 ? lower : before) || end[e] > share->last);
            if (end[e] < last && end[e] >= span->at) heads[end[e] - span->at] = 1;
            count += popcount(clp_ballot(end[e] <= last));
            before = clp_long_of_lane(end[e], 31);
        }
        if (clp_ballot(bad) != 0) return true;
        *closed += count;
    }
    return false;
}

/* Brings the offsets behind `segment` into the device's cache, twice as many as the last tile
 * took. */
CLP_INLINE void clp_fetch_offsets(const clp_run *run, const clp_share *share, ulong segment,
                                  ulong closed) {
    const uint each = 128 / sizeof(CLP_HEAD), k = clp_lane() * each;
    if (k < 2 * closed + each && segment + k < share->last_segment) {
        clp_fetch_line(run->heads + segment + k);
    }
}

/* The tile's heads, CLP_VEC bits a row; their bytes are cleared. */
CLP_INLINE uint clp_take_heads(local clp_team_tile *tile) {
    uint heads = 0;
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        const uint bytes = tile->heads[clp_start_of(r) / 4];
        heads |= bytes * 0x10204080u >> 28 << r * CLP_VEC;
        tile->heads[clp_start_of(r) / 4] = 0;
    }
    return heads;
}

CLP_INLINE void clp_clear_heads(local clp_team_tile *tile) {
    for (uint r = 0; r < CLP_ROWS; r++) tile->heads[clp_start_of(r) / 4] = 0;
    clp_subgroup_barrier(); /* bytes cleared above, set below by other lanes */
}

/* ---- Sums of segments, or scans ---- */

#if CLP_REDUCES
struct clp_sink {
    local clp_team_tile *tile;
};

/* Leaves the row to clp_close_segments. */
CLP_INLINE void clp_row_out(const clp_run *run, const clp_span *span, uint r, const clp_row *row,
                            clp_sink *sink) {
    union {
        clp_value value[CLP_VEC];
        uint4 chunk[(CLP_VALUE_BYTES * CLP_VEC + 15) / 16];
    } quad;
    local clp_value *to = sink->tile->value + clp_start_of(r);
#pragma unroll
    for (uint j = 0; j < CLP_VEC; j++) quad.value[j] = row->value[j];
    if (CLP_VALUE_BYTES % 4 == 0) {
        for (uint c = 0; c < CLP_VALUE_BYTES * CLP_VEC / 16; c++) {
            ((local uint4 *)to)[c] = quad.chunk[c];
        }
    } else {
        for (uint j = 0; j < CLP_VEC; j++) to[j] = quad.value[j];
    }
}

/* The results of `closed` segments from number `segment` on, which end in the tile. */
CLP_INLINE void clp_close_segments(const clp_run *run, const clp_share *share,
                                   const local clp_team_tile *tile, ulong at, ulong segment,
                                   ulong closed, ulong worker, clp_part *part) {
    const uint lane = clp_lane();
#pragma unroll 4
    for (ulong from = 0; from < closed; from += 32) {
        const ulong k = segment + from + lane;
        uint has_first = 0;
        if (from + lane < closed) {
            const ulong end = (ulong)(long)run->heads[k + 1];
            const ulong begin = k == share->segment ? share->first : (ulong)(long)run->heads[k];
            const bool has = begin < end;
            clp_value total;
            if (has) total = tile->value[(uint)(end - at) - 1];
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
#else
CLP_INLINE clp_part clp_look_through(const clp_run *run, ulong worker, local clp_team_tile *tile) {
    const clp_share share = clp_team_share_of(run, worker);
    clp_part part = {0, CLP_NONE, 0, 0, 0, 0, 0};
    ulong from = share.first;
    part.ends = share.last_segment > share.segment;
    if (part.ends) {
        const long end = run->heads[share.last_segment];
        if (end >= 0 && (ulong)end > from) from = (ulong)end;
    }
    clp_note_fold(run, worker, min(from, share.last), share.last, &part);
    return part;
}
#endif

CLP_INLINE clp_part clp_go_through(const clp_run *run, ulong worker, local clp_team_tile *tile) {
    const clp_share share = clp_team_share_of(run, worker);
    clp_part part = {0, CLP_NONE, 0, 0, 0, 0, share.broken};
    ulong first = share.first, segment = share.segment, closed;
    clp_open open = clp_nothing_open();
#if CLP_REDUCES
    clp_sink sink = {tile};
    part.segment = share.segment;
    part.ends = share.last_segment > share.segment;
#else
    clp_sink sink = {0};
    open.has = run->parts[worker].has_tail;
    if (open.has) open.value = run->tails[worker];
    clp_subgroup_barrier(); /* part read above, written by the kernel behind the share */
#endif
    clp_clear_heads(tile);
    while (first < share.last || segment < share.last_segment) {
#if CLP_REDUCES
        const bool closes = segment < share.last_segment;
        const ulong end = closes ? (ulong)(long)run->heads[segment + 1] : CLP_NONE;
        first = clp_fold_tiles(run, first, share.last, end, &open);
#endif
        const clp_span span = clp_span_of(first, share.last);
        clp_elements elements;
        clp_start_tile(run, &span, share.last, &elements);
        if (clp_mark_heads(run, &share, tile, &span, segment, &closed)) {
            part.broken = 1;
            return part;
        }
        clp_subgroup_barrier(); /* bytes set above, read below by other lanes */
        const uint heads = clp_take_heads(tile);
        clp_fetch_offsets(run, &share, segment + closed, closed);
        if (span.from < span.to) clp_take_tile(run, &span, &elements, heads, &open, &sink);
        clp_subgroup_barrier(); /* bytes cleared and values left above, used below */
#if CLP_REDUCES
        clp_close_segments(run, &share, tile, span.at, segment, closed, worker, &part);
        clp_subgroup_barrier(); /* values read above, overwritten below */
#endif
        first = span.at + span.to;
        segment += closed;
        if (closed > 0 && (ulong)(long)run->heads[segment] == first) open.has = false;
    }
#if CLP_REDUCES
    clp_note_open(run, worker, &open, &part);
#endif
    return part;
}
