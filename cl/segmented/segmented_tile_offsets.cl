/* SPDX-License-Identifier: MIT */
/*
 * The variant "sub-group" by offsets: a share, tile by tile. Ends of segments that stand in a tile
 * are loaded 32 at a time, or 128 where the tile before had many. Each marks, in a byte of local
 * memory, that a segment begins behind it; a lane takes its elements' bytes as bits. So a tile
 * costs the same work wherever its segments begin. The total of each segment that ends in the tile
 * is then read from local memory, where the scanned values are.
 *
 * Ends that fall, or that are outside of the share, mark it broken: the worker stops, and the last
 * work-group looks for the lowest offset at fault (segmented_finish.cl).
 */
#define CLP_WIDE 4
#define CLP_MANY                                                                                   \
    24 /* ends of a tile above which the next tile's ends are loaded CLP_WIDE at once */
#define CLP_FAR 0x7fffffffu /* place of an end that is far behind a tile, or in front of it */

/* Returns the place in the tile where segment k of the share ends. */
static inline uint clp_end_in(const clp_run *run, const clp_share *share, const clp_span *span,
                              ulong k) {
    if (k >= share->last_segment) return CLP_FAR;
    return (uint)min((ulong)clp_offset(run, k + 1) - span->at, (ulong)CLP_FAR);
}

/* How far the marking of a tile's heads has come. */
typedef struct clp_marks {
    ulong closed; /* segments of the share that end up to here */
    uint before; /* place of the last end asked for */
    uint own; /* of the last ends asked for, the lane's first */
    uint next; /* where the first segment that is not closed ends, at least */
    bool broken; /* an end is malformed: before the tile, below the one before, behind the share */
} clp_marks;

/* Marks the segments that begin in the tile behind the next 32 * width ends. Returns whether the
 * tile has all of these ends, so that more may follow. */
CLP_INLINE bool clp_mark_ends(const clp_run *run, const clp_share *share,
                              local clp_local_tile *tile, const clp_span *span, ulong segment,
                              const uint width, clp_marks *marks) {
    const uint lane = clp_lane();
    const uint limit = (uint)min(share->last - span->at, (ulong)CLP_FAR);
    const ulong first = segment + marks->closed + lane;
    uint end[CLP_WIDE], count = 0;
    bool bad = false;
#pragma unroll
    for (uint e = 0; e < width; e++) end[e] = clp_end_in(run, share, span, first + e * 32);
#pragma unroll
    for (uint e = 0; e < width; e++) {
        const uint lower = clp_shuffle_word(end[e], lane > 0 ? lane - 1 : 0);
        bad |= end[e] < (lane > 0 ? lower : marks->before);
        bad |= end[e] > limit && first + e * 32 < share->last_segment;
        if (end[e] >= span->from && end[e] < span->to) tile->heads[end[e]] = 1;
        count += popcount(clp_ballot(end[e] <= span->to));
        marks->before = clp_shuffle_word(end[e], 31);
    }
    marks->broken = clp_ballot(bad) != 0;
    marks->own = end[0];
    marks->closed += count;
    marks->next = width == 1 ? clp_shuffle_word(end[0], min(count, 31u)) : 0;
    return count == 32 * width && !marks->broken;
}

/* Marks the segments that begin in the tile. is_wide: many are expected. */
CLP_INLINE clp_marks clp_mark_heads(const clp_run *run, const clp_share *share,
                                    local clp_local_tile *tile, const clp_span *span, ulong segment,
                                    bool is_wide) {
    clp_marks marks = {0, span->from, 0, 0, false};
    if (is_wide) {
        while (clp_mark_ends(run, share, tile, span, segment, CLP_WIDE, &marks)) {
        }
    } else {
        while (clp_mark_ends(run, share, tile, span, segment, 1, &marks)) {
        }
    }
    return marks;
}

/* A lane's bytes. */
typedef union clp_lane_heads {
#if CLP_VEC == 16
    uint4 all;
#elif CLP_VEC == 8
    uint2 all;
#else
    uint all;
#endif
    uint word[CLP_VEC / 4];
} clp_lane_heads;

/* Returns a bit for each of the lane's elements that begins a segment, and clears their bytes. The
 * product gathers four bytes of 0 or 1 in the word's last four bits. */
CLP_INLINE uint clp_take_heads(local clp_local_tile *tile) {
    local clp_lane_heads *own = (local clp_lane_heads *)(tile->heads + clp_start());
    clp_lane_heads bytes;
    uint heads = 0;
    bytes.all = own->all;
    own->all = 0;
#pragma unroll
    for (uint w = 0; w < CLP_VEC / 4; w++) heads |= bytes.word[w] * 0x10204080u >> 28 << 4 * w;
    return heads;
}

CLP_INLINE void clp_clear_heads(local clp_local_tile *tile) {
    clp_take_heads(tile);
    clp_subgroup_barrier(); /* bytes cleared above, set below by other lanes */
}

/* ---- Sums of segments ---- */

/* The results of the segments from number `segment` on that end in the tile. Where these are fewer
 * than 32, lanes have their ends from the marking. */
CLP_INLINE void clp_close_segments(const clp_run *run, const clp_share *share,
                                   const local clp_local_tile *tile, const clp_span *span,
                                   ulong segment, const clp_marks *marks, ulong worker,
                                   clp_part *part) {
    const uint lane = clp_lane();
    const ulong closed = marks->closed;
    uint before = span->from;
#pragma unroll 4
    for (ulong from = 0; from < closed; from += 32) {
        const ulong k = segment + from + lane;
        const uint end = closed < 32 ? marks->own : clp_end_in(run, share, span, k);
        const uint lower = clp_shuffle_word(end, lane > 0 ? lane - 1 : 0);
        const bool has = end > (lane > 0 ? lower : before);
        if (from + lane < closed) {
            clp_value total;
            if (has) total = clp_value_in(tile, end - 1);
            if (k != share->segment) {
                clp_store_segment(run, k, has, total, part);
            } else if (has) {
                run->firsts[worker] = total;
            }
        }
        if (segment + from == share->segment) part->has_first = clp_shuffle_word(has, 0);
        before = clp_shuffle_word(end, 31);
    }
}

/* Brings what the next tiles read to the device's cache while the lanes wait for this tile. closed:
 * the segments that ended in the tile before, about as many as end in this one. */
CLP_INLINE void clp_fetch_next(const clp_run *run, const clp_share *share, const clp_span *span,
                               ulong segment, ulong closed) {
#if CLP_INPUTS > 0
    const ulong next = span->at + CLP_TILE + clp_start();
    if (next < share->last) clp_fetch_line(run->in + next);
#endif
#if !CLP_BY_LENGTH
    const ulong line = clp_lane() * (128 / sizeof(CLP_HEAD)), end = segment + closed + 32 + line;
    if (line < closed + 16 && end < share->last_segment) clp_fetch_line(run->heads + end);
#endif
}

CLP_INLINE clp_part clp_process_share(const clp_run *run, ulong worker,
                                      local clp_local_tile *tile) {
    const clp_share share = clp_subgroup_share_of(run, worker);
    clp_part part = {0, share.segment, 0, share.last_segment > share.segment, 0, 0, share.broken};
    ulong first = share.first, segment = share.segment, closed = 0;
    ulong end = first; /* of the next segment, at least */
    clp_open open = clp_nothing_open();
    clp_clear_heads(tile);
    while (first < share.last || segment < share.last_segment) {
        first = clp_fold_tiles(run, first, share.last, end, &open);
        const clp_span span = clp_tile_span(first, share.last);
        clp_elements elements;
        clp_start_tile(run, &span, &elements);
        clp_fetch_next(run, &share, &span, segment, closed);
        const clp_marks marks =
            clp_mark_heads(run, &share, tile, &span, segment, closed > CLP_MANY);
        if (marks.broken) {
            part.broken = 1;
            return part;
        }
        closed = marks.closed;
        clp_subgroup_barrier(); /* bytes set above, read below by other lanes */
        const uint heads = clp_take_heads(tile);
        if (span.from < span.to) clp_take_tile(run, tile, &span, &elements, heads, &open);
        clp_subgroup_barrier(); /* bytes cleared and values left above, used below */
        clp_close_segments(run, &share, tile, &span, segment, &marks, worker, &part);
        clp_subgroup_barrier(); /* values read above, overwritten below */
        end = span.at + marks.next;
        first = span.at + span.to;
        segment += closed;
        if (closed > 0 && (ulong)clp_offset(run, segment) == first) open.has = false;
    }
    part.has_tail = open.has;
    if (open.has && clp_lane() == 0) run->tails[worker] = open.value;
    return part;
}
