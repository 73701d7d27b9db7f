/* SPDX-License-Identifier: MIT */
/*
 * The variant "sub-group-ring": a step by the merge path (Merrill and Garland), whatever lengths
 * the next segments have. A tile is the next CLP_TILE items, elements and ends of segments in their
 * order, an end before the element behind it; a lane has CLP_EACH neighbours of them.
 *
 * Merge-based kernels search the path for each lane's first item. Here nothing is searched: end k
 * is item number end[k] + k, so that lanes mark the tile's ends as bytes in local memory, take
 * their items' bytes as bits, and count the ends before their own: the rest of the items before it
 * are elements. A lane combines its items one by one; what it leaves open goes to the next lanes by
 * exchanges, and to the next tile. So the grouping of operands depends on the share alone.
 */
/* A tile's items: `ends` of its `items` are ends. */
typedef struct clp_merged {
    uint ends, items;
    bool broken; /* an end is malformed: before the tile, below the one before, behind the share */
} clp_merged;

/* ---- Ends ---- */

/* Returns the place of an item's byte: CLP_ITEMS bytes a lane, CLP_EACH of which are used. */
static inline uint clp_byte_of(uint item) {
    return item + (item * ((1u << 20) / CLP_EACH + 1) >> 20); /* item / CLP_EACH */
}

/* Marks where the tile's ends stand among its items. */
CLP_INLINE clp_merged clp_mark_tile(local clp_local_tile *tile, clp_place *place) {
    const uint lane = clp_lane(), most = min(place->ends_left, (uint)CLP_MOST_ENDS);
    clp_merged merged = {0, 0, false};
    uint at = place->ends.at + lane * CLP_HEAD_BYTES, before = 0, count = 32, item = 0;
    bool bad = false;
    clp_await(&place->ends, tile->ends_full, place->ends.at + most * CLP_HEAD_BYTES, CLP_END_RING);
    while (count == 32 && merged.ends < most) {
        const bool is_real = merged.ends + lane < most;
        const uint end = is_real ? clp_end_at(tile, place, at) : CLP_FAR;
        const uint below = clp_shuffle_word(end, (lane + 31) % 32);
        const uint lower = lane > 0 ? below : before;
        item = end + merged.ends + lane;
        if (item < CLP_TILE) tile->rows[clp_byte_of(item)] = 1;
        tile->some[merged.ends / 32] = clp_ballot(end > lower);
        bad = bad || end < lower || (is_real && end > place->left);
        count = popcount(clp_ballot(item < CLP_TILE));
        before = below;
        merged.ends += count;
        at += 32 * CLP_HEAD_BYTES;
    }
    merged.broken = clp_ballot(bad) != 0;
    merged.items = min((uint)CLP_TILE, place->left + merged.ends);
    /* Empty segments: more ends than a tile takes may stand in front of the next element. */
    if (merged.ends == CLP_MOST_ENDS) merged.items = clp_shuffle_word(item, 31) + 1;
    return merged;
}

/* Returns a bit for each of the lane's items that is an end, and clears their bytes. The product
 * gathers four bytes of 0 or 1 in the word's last four bits. */
CLP_INLINE uint clp_take_row(local clp_local_tile *tile) {
    local uint4 *row = (local uint4 *)(tile->rows + clp_lane() * CLP_ITEMS);
    uint bits = 0;
#pragma unroll
    for (uint c = 0; c < CLP_ITEMS / 16; c++) {
        const uint4 bytes = row[c];
        const uint4 none = {0, 0, 0, 0};
        row[c] = none;
        bits |= (bytes.x * 0x10204080u >> 28 | bytes.y * 0x10204080u >> 28 << 4 |
                 bytes.z * 0x10204080u >> 28 << 8 | bytes.w * 0x10204080u >> 28 << 12)
                << 16 * c;
    }
    return bits;
}

/* ---- Items ---- */

/* Combines the lane's items one by one, of which `real` count; a bit for each that is an end.
 * Leaves the totals of segments that end there, but for what came before the lane's items, and
 * returns what is open behind them. i: the number of the element that is the first of `from`. */
CLP_INLINE clp_value clp_merge_lane(const clp_run *run, const local CLP_E *from, ulong i, uint bits,
                                    uint real, local clp_value *totals) {
    clp_value total = clp_nothing_open().value;
    uint x = 0;
#pragma unroll
    for (uint j = 0; j < CLP_EACH; j++) {
        if (j >= real) continue;
        const bool is_fresh = j == 0 || (bits >> (j - (j > 0)) & 1) != 0;
        if ((bits >> j & 1) != 0) {
            *totals = total;
            totals++;
        } else {
            const clp_value value = clp_value_of(run, from[x], i + x);
            total = is_fresh ? value : clp_combine_ordered(total, value);
            x++;
        }
    }
    return total;
}

/* Combines what the lanes from number `start` on have left open. These write the caller's `value`,
 * and read its `lane` and `start`: as a function they get other code of the compiler. */
#define CLP_LANE_STEP(distance)                                                                    \
    {                                                                                              \
        const clp_value lower = clp_value_below(value, distance);                                  \
        if (lane >= start + distance) value = clp_combine_ordered(lower, value);                   \
    }
#define CLP_LANE_STEPS                                                                             \
    CLP_LANE_STEP(1)                                                                               \
    CLP_LANE_STEP(2)                                                                               \
    CLP_LANE_STEP(4)                                                                               \
    CLP_LANE_STEP(8)                                                                               \
    CLP_LANE_STEP(16)

/* Combines the tile's items. The totals of its ends are then in local memory. */
CLP_INLINE void clp_merge_tile(const clp_run *run, local clp_local_tile *tile,
                               const clp_merged *merged, clp_place *place) {
    const uint lane = clp_lane(), bits = clp_take_row(tile), own_ends = popcount(bits);
    const uint first_end = clp_scan_words(own_ends) - own_ends;
    const uint first = lane * CLP_EACH - first_end; /* element of the tile */
    const local CLP_E *from = clp_in_ring(tile, place, first);
    const uint last = (max(merged->items, 1u) - 1) / CLP_EACH; /* lane with the last item */
    const uint real =
        clamp(merged->items, lane * CLP_EACH, (lane + 1) * CLP_EACH) - lane * CLP_EACH;
    local clp_value *own_totals = tile->totals + first_end;
    clp_value value;
    if (merged->items == CLP_TILE) {
        value = clp_merge_lane(run, from, place->first + first, bits, CLP_EACH, own_totals);
    } else {
        value = clp_merge_lane(run, from, place->first + first, bits, real, own_totals);
    }
    const bool is_open = real > 0 && (bits >> (real - 1) & 1) == 0; /* the last is an element */
    const uint with_ends = clp_ballot(own_ends > 0), with_open = clp_ballot(is_open);
    const uint up_to = with_ends & ((2u << lane) - 1), below = with_ends & ((1u << lane) - 1);
    /* The lane where what is open behind this one begins: above it, where nothing is, and of lanes
     * without items. */
    uint start = 0;
    if (up_to != 0) {
        start = 31 - clz(up_to);
        start += 1 - (with_open >> start & 1);
    }
    if (real == 0) start = 32;
    CLP_LANE_STEPS
    const uint opens = clp_ballot(start <= lane); /* lanes behind which something is open */
    clp_value before = clp_value_below(value, 1);
    bool has_before = lane > 0 && (opens >> (lane - (lane > 0)) & 1) != 0;
    clp_open *open = &place->open;
    if (below == 0 && open->has) {
        before = has_before ? clp_combine_ordered(open->value, before) : open->value;
        has_before = true;
    }
    if (own_ends > 0 && has_before) {
        const clp_value own = *own_totals;
        *own_totals = (bits & 1) != 0 ? before : clp_combine_ordered(before, own);
    }
    value = clp_value_of_lane(value, last);
    if (with_ends != 0) {
        open->value = value;
        open->has = (opens >> last & 1) != 0;
    } else {
        open->value = open->has ? clp_combine_ordered(open->value, value) : value;
        open->has = true;
    }
}

/* Stores the results of the segments that end in the tile. is_first: of the share's; had: whether
 * something was open in front of the tile. */
CLP_INLINE void clp_store_totals(const clp_run *run, const local clp_local_tile *tile,
                                 const clp_place *place, uint ends, bool is_first, bool had,
                                 ulong worker, clp_part *part) {
    for (uint e = clp_lane(); e < ends; e += 32) {
        const bool has = (tile->some[e / 32] >> e % 32 & 1) != 0 || (e == 0 && had);
        clp_store_total(run, place, e, is_first, has, tile->totals[e], worker, part);
    }
    if (is_first && ends > 0) part->has_first = (tile->some[0] & 1) != 0 || had;
}

/* Takes the next tile. Returns false where an end is malformed. */
CLP_INLINE bool clp_take_tile(const clp_run *run, local clp_local_tile *tile, clp_place *place,
                              bool is_first, ulong worker, clp_part *part) {
    const clp_merged merged = clp_mark_tile(tile, place);
    const clp_step step = {merged.items - merged.ends, merged.ends};
    const bool had = place->open.has;
    if (merged.broken) return false;
    clp_await(&place->in, tile->in_full, place->in.at + step.elements * CLP_E_BYTES, CLP_IN_RING);
    clp_subgroup_barrier(); /* bytes set above, read below by other lanes */
    clp_merge_tile(run, tile, &merged, place);
    clp_subgroup_barrier(); /* totals left above, read below */
    clp_store_totals(run, tile, place, merged.ends, is_first, had, worker, part);
    clp_subgroup_barrier(); /* totals read above, overwritten below */
    clp_go_on(tile, place, step);
    return true;
}
