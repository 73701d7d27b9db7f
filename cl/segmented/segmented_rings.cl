/* SPDX-License-Identifier: MIT */
/*
 * The variant "sub-group-ring": a share, step by step, and the steps that are faster than the merge
 * path. Of the next 32 ends, as many count as are within half a ring. Where these are all 32, and
 * their segments about equally long, each lane combines one; where they are fewer, 2 to 32 lanes
 * combine one, some neighbours each. Where all have one element, a step takes 256 of them. Where no
 * segment ends soon, all lanes combine what is open. All other steps are tiles of the merge path
 * (segmented_merge.cl). The choice depends on the share alone, so that floats have the same bits in
 * every run.
 */

/* ---- Segments of about one length ---- */

/* The next segments, the first `count` of which end within reach: lane e has the begin and end of
 * segment e, counted from the next element on. */
typedef struct clp_next {
    uint begin, end, count;
} clp_next;

CLP_INLINE clp_next clp_find_next(local clp_local_tile *tile, clp_place *place) {
    const uint lane = clp_lane(), most = min(place->ends_left, 32u);
    clp_next next;
    clp_await(&place->ends, tile->ends_full, place->ends.at + most * CLP_HEAD_BYTES, CLP_END_RING);
    const uint end = clp_end_at(tile, place, place->ends.at + lane * CLP_HEAD_BYTES);
    next.end = lane < most ? end : CLP_FAR;
    const uint below = clp_shuffle_up_word(next.end, 1);
    next.begin = lane > 0 ? below : 0;
    const bool ends = next.end >= next.begin && next.end <= min(place->left, (uint)CLP_REACH);
    const uint others = ~clp_ballot(ends);
    next.count = others == 0 ? 32 : popcount((others & -others) - 1);
    return next;
}

#define CLP_TOGETHER 8 /* elements of a lane whose loads overlap */

/* Combines `own` elements of the lane, from the `first` of the next elements on. All lanes call it.
 */
CLP_INLINE clp_value clp_combine_own(const clp_run *run, const local clp_local_tile *tile,
                                     const clp_place *place, uint first, uint own) {
    const local CLP_E *from = clp_in_ring(tile, place, first);
    ulong i = place->first + first;
    clp_value value = clp_nothing_open().value;
    if (own > 0) value = clp_value_of(run, from[0], i);
    while (clp_ballot(own > 1) != 0) {
#pragma unroll
        for (uint k = 1; k <= CLP_TOGETHER; k++) {
            if (own > k) value = clp_combine_ordered(value, clp_value_of(run, from[k], i + k));
        }
        own = max(own, CLP_TOGETHER + 0u) - CLP_TOGETHER;
        from += CLP_TOGETHER;
        i += CLP_TOGETHER;
    }
    return value;
}

/* Puts what is open in front of the next segment's total, which the first lane has. */
CLP_INLINE void clp_put_open(clp_place *place, bool *has, clp_value *total) {
    if (!place->open.has) return;
    if (clp_lane() == 0) {
        *total = *has ? clp_combine_ordered(place->open.value, *total) : place->open.value;
        *has = true;
    }
    place->open.has = false;
}

/* Whether a lane's part is so long that other lanes would wait for it. */
CLP_INLINE bool clp_are_alike(uint elements, uint own) {
    return clp_ballot(own > min(elements / 2 + 48, (uint)CLP_MOST_OWN)) == 0;
}

#define CLP_ONES 8 /* rows of 32 segments of one element each that a step takes */

/* Takes the next segments, where each has one element and nothing is open. Returns false elsewhere.
 * None of them may be the first that ends in the share. */
CLP_INLINE bool clp_take_ones(const clp_run *run, local clp_local_tile *tile, clp_place *place,
                              clp_part *part) {
    const clp_step step = {32 * CLP_ONES, 32 * CLP_ONES};
    bool are_ones = true;
    if (min(place->left, place->ends_left) < 32 * CLP_ONES || place->open.has) return false;
    clp_await(&place->ends, tile->ends_full, place->ends.at + step.ends * CLP_HEAD_BYTES,
              CLP_END_RING);
#pragma unroll
    for (uint r = 0; r < CLP_ONES; r++) {
        const uint e = r * 32 + clp_lane();
        const uint end = clp_end_at(tile, place, place->ends.at + e * CLP_HEAD_BYTES);
        are_ones = are_ones && end == e + 1;
    }
    if (clp_ballot(!are_ones) != 0) return false;
    clp_await(&place->in, tile->in_full, place->in.at + step.elements * CLP_E_BYTES, CLP_IN_RING);
#pragma unroll
    for (uint r = 0; r < CLP_ONES; r++) {
        const uint e = r * 32 + clp_lane();
        const CLP_E x = *clp_in_ring(tile, place, e);
        clp_store_segment(run, place->segment + e, true, clp_value_of(run, x, place->first + e),
                          part);
    }
    clp_go_on(tile, place, step);
    return true;
}

/* Takes 32 segments, one a lane. Returns false where one of them is much longer than the others. */
CLP_INLINE bool clp_take_32(const clp_run *run, local clp_local_tile *tile, clp_place *place,
                            const clp_next *next, clp_part *part) {
    const clp_step step = {clp_shuffle_word(next->end, 31), 32};
    const uint own = next->end - next->begin;
    if (step.elements == 32 && clp_ballot(own != 1) == 0 && clp_take_ones(run, tile, place, part)) {
        return true;
    }
    if (!clp_are_alike(step.elements, own)) return false;
    clp_await(&place->in, tile->in_full, place->in.at + step.elements * CLP_E_BYTES, CLP_IN_RING);
    clp_value total = clp_combine_own(run, tile, place, next->begin, own);
    bool has = own > 0;
    clp_put_open(place, &has, &total);
    clp_store_segment(run, place->segment + clp_lane(), has, total, part);
    clp_go_on(tile, place, step);
    return true;
}

/* Takes 1, 2, 4, 8 or 16 segments by 32, 16, 8, 4 or 2 lanes each. Returns false where one of them
 * is much longer than the others. */
CLP_INLINE bool clp_take_few(const clp_run *run, local clp_local_tile *tile, clp_place *place,
                             const clp_next *next, clp_part *part) {
    const uint shift = clz(next->count) - 26, lanes = 1u << shift;
    const uint segment = clp_lane() >> shift, lane = clp_lane() & (lanes - 1);
    const clp_step step = {clp_shuffle_word(next->end, (32u >> shift) - 1), 32u >> shift};
    const uint begin = clp_shuffle_word(next->begin, segment);
    const uint length = clp_shuffle_word(next->end, segment) - begin;
    const uint each = (length + lanes - 1) >> shift, at = lane * each;
    if (!clp_are_alike(step.elements, each)) return false;
    clp_await(&place->in, tile->in_full, place->in.at + step.elements * CLP_E_BYTES, CLP_IN_RING);
    const uint own = at < length ? min(each, length - at) : 0;
    clp_value total = clp_combine_own(run, tile, place, begin + at, own);
    for (uint distance = 1; distance < lanes; distance *= 2) {
        const clp_value other = clp_value_of_lane(total, (clp_lane() + distance) % 32);
        if (lane % (2 * distance) == 0 && at + distance * each < length) {
            total = clp_combine_ordered(total, other);
        }
    }
    bool has = length > 0;
    clp_put_open(place, &has, &total);
    if (lane == 0) clp_store_segment(run, place->segment + segment, has, total, part);
    clp_go_on(tile, place, step);
    return true;
}

/* ---- No end of a segment ---- */

#define CLP_FOLDED                                                                                 \
    (CLP_REACH < 1024 ? CLP_REACH / 32 - 1 : 31) /* a lane's elements: odd, so that no banks meet  \
                                                  */

/* Takes elements into what is open. */
CLP_INLINE void clp_fold(const clp_run *run, local clp_local_tile *tile, clp_place *place) {
    const uint lane = clp_lane(), start = 0;
    const clp_step step = {32 * CLP_FOLDED, 0};
    const ulong i = place->first + lane * CLP_FOLDED;
    clp_await(&place->in, tile->in_full, place->in.at + step.elements * CLP_E_BYTES, CLP_IN_RING);
    const local CLP_E *from = clp_in_ring(tile, place, lane * CLP_FOLDED);
    clp_value value = clp_value_of(run, from[0], i);
#pragma unroll
    for (uint j = 1; j < CLP_FOLDED; j++) {
        value = clp_combine_ordered(value, clp_value_of(run, from[j], i + j));
    }
    CLP_LANE_STEPS
    value = clp_value_of_lane(value, 31);
    if (place->open.has) value = clp_combine_ordered(place->open.value, value);
    place->open.value = value;
    place->open.has = true;
    clp_go_on(tile, place, step);
}

/* ---- The share ---- */

CLP_INLINE clp_place clp_place_of(const clp_run *run, const clp_share *share) {
    const clp_place place = {
        share->first,
        share->segment,
        (uint)(share->last - share->first),
        (uint)(share->last_segment - share->segment),
        clp_nothing_open(),
        clp_stream_of((ulong)(run->in + share->first), (ulong)(run->in + share->last), CLP_IN_RING),
        clp_stream_of((ulong)(run->heads + share->segment + 1),
                      (ulong)(run->heads + share->last_segment + 1), CLP_END_RING)};
    return place;
}

/* The next step. Returns false where an end is malformed. (Other steps than tiles take it for an
 * end that is far ahead, until a tile finds it behind the share.) */
CLP_INLINE bool clp_take_step(const clp_run *run, local clp_local_tile *tile, clp_place *place,
                              bool is_first, ulong worker, clp_part *part) {
    const clp_next next = clp_find_next(tile, place);
    if (next.count == 32 && !is_first) {
        if (clp_take_32(run, tile, place, &next, part)) return true;
    } else if (next.count > 0 && !is_first) {
        if (clp_take_few(run, tile, place, &next, part)) return true;
    } else if (next.count == 0 && place->left >= 32 * CLP_FOLDED) {
        clp_fold(run, tile, place);
        return true;
    }
    return clp_take_tile(run, tile, place, is_first, worker, part);
}

CLP_INLINE clp_part clp_process_share(const clp_run *run, ulong worker,
                                      local clp_local_tile *tile) {
    const clp_share share = clp_subgroup_share_of(run, worker);
    clp_part part = {0, share.segment, 0, share.last_segment > share.segment, 0, 0, share.broken};
    clp_place place = clp_place_of(run, &share);
    if (clp_lane() == 0) {
        clp_begin_stream(&place.in, tile->in_full);
        clp_begin_stream(&place.ends, tile->ends_full);
        clp_mbarriers_are_set();
    }
    clp_take_row(tile);
    clp_subgroup_barrier(); /* mbarriers set and bytes cleared above, used below */
    const clp_step none = {0, 0};
    clp_go_on(tile, &place, none);
    while (place.left + place.ends_left > 0 && !part.broken) {
        const bool is_first = place.segment == share.segment;
        part.broken = !clp_take_step(run, tile, &place, is_first, worker, &part);
    }
    clp_await_asked(&place.in, tile->in_full, CLP_IN_RING);
    clp_await_asked(&place.ends, tile->ends_full, CLP_END_RING);
    part.has_tail = place.open.has && !part.broken;
    if (part.has_tail && clp_lane() == 0) run->tails[worker] = place.open.value;
    return part;
}
