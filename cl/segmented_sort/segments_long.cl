/* SPDX-License-Identifier: MIT */
/*
 * Segmented sort: payloads that were sorted in place, and segments that have no room in local
 * memory, of runs of many elements.
 */
#if CLP_PAYLOADS > 0
/* Payloads in place were written to scratch, from where they come now. */
#define CLP_VALUE_BACK(k) out##k[out_first##k + i] = in##k[in_first##k + i];
CLP_KERNEL(CLP_GROUP)
void clp_segments_copy(CLP_SEGMENT_PARAMETERS, const global uint *found) {
    CLP_SIZES
    const bool is_valid = found[CLP_FAULT] == 0;
    const ulong begin = is_valid ? (ulong)clp_offset(CLP_OFFSETS, n, 0) : 0;
    const ulong end = is_valid ? (ulong)clp_offset(CLP_OFFSETS, n, segments) : 0;
    for (ulong i = begin + get_global_id(0); i < end; i += get_global_size(0)) {
        CLP_EACH_PAYLOAD(CLP_VALUE_BACK)
    }
}
#endif

/* ---- Long segments of many elements ---- */

/* Segments that have no room in local memory, in the order of their list. */

/* How many tiles the segment has; elements, where a tile is one. */
CLP_INLINE CLP_COUNT clp_long_tiles(clp_offsets offsets, ulong n, ulong s, ulong tile) {
    return (CLP_COUNT)((clp_segments_take(offsets, n, s).length + tile - 1) / tile);
}

/* starts: the number of each segment's first tile, and behind them that of all tiles, as in total.
 * By one work-group. */
CLP_KERNEL(CLP_GROUP)
void clp_segments_starts(const global CLP_OFFSET *offsets, ulong offsets_first, CLP_SIZE_PARAMETERS,
                         const global uint *found, const global ulong *lists,
                         const global ulong *table, ulong tile, global CLP_COUNT *starts,
                         global ulong *total) {
    local CLP_COUNT sums[2 * CLP_GROUP];
    CLP_SIZES
    const uint lane = (uint)get_local_id(0);
    const global ulong *list = lists + table[2 * CLP_LONG];
    const ulong count = found[CLP_FAULT] != 0 ? 0 : clp_segments_noted(found, table, CLP_LONG);
    const ulong share = (count + CLP_GROUP - 1) / CLP_GROUP;
    const ulong first = min(count, lane * share), end = min(count, first + share);
    CLP_COUNT sum = 0;
    for (ulong r = first; r < end; r++) {
        sum += clp_long_tiles(CLP_OFFSETS, n, list[r], tile);
    }
    sums[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE); /* sums, with the first round */
    CLP_EACH_ROUND(CLP_ADD_LOWER)
    CLP_COUNT at = clp_sum_before(sums);
    for (ulong r = first; r < end; r++) {
        starts[r] = at;
        at += clp_long_tiles(CLP_OFFSETS, n, list[r], tile);
    }
    if (lane == CLP_GROUP - 1) {
        starts[count] = at;
        total[0] = at;
    }
}

/* The segment that tile or gathered element i is of. */
CLP_INLINE ulong clp_long_find(const global CLP_COUNT *starts, ulong count, ulong i) {
    ulong low = 0, high = count - 1;
    while (low < high) {
        const ulong middle = (low + high + 1) / 2;
        if (starts[middle] <= i)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

#if CLP_LONG_BY_TILES
/* ---- Long segments by tiles ---- */

/* Makes the tiles that onesweep takes (CLP_TILE_PARAMETERS), a work-item each. */
CLP_KERNEL(CLP_GROUP)
void clp_segments_tiles(const global CLP_OFFSET *offsets, ulong offsets_first, CLP_SIZE_PARAMETERS,
                        const global uint *found, const global ulong *lists,
                        const global ulong *table, uint tile, const global CLP_COUNT *starts,
                        const global ulong *total, global uint4 *tiles) {
    CLP_SIZES
    const ulong count = clp_segments_noted(found, table, CLP_LONG);
    const global ulong *list = lists + table[2 * CLP_LONG];
    for (ulong t = get_global_id(0); t < total[0]; t += get_global_size(0)) {
        const ulong r = clp_long_find(starts, count, t), before = (t - starts[r]) * tile;
        const clp_segment segment = clp_segments_take(CLP_OFFSETS, n, list[r]);
        const ulong begin = segment.begin + before;
        uint4 made;
        made.x = (uint)begin;
        made.y = (uint)(begin >> 32);
        made.z = (uint)min((ulong)tile, segment.length - before);
        if (before == 0) made.z |= CLP_FIRST_TILE;
        made.w = (uint)r;
        tiles[t] = made;
    }
}

#if CLP_VALUES > 0
/* Moves the values behind their sorted keys. places: of each, where its element was. */
CLP_KERNEL(CLP_GROUP)
void clp_segments_scatter(CLP_SEGMENT_PARAMETERS, const global CLP_COUNT *starts,
                          const global ulong *total, const global uint4 *tiles,
                          const global CLP_COUNT *places) {
    for (ulong t = get_group_id(0); t < total[0]; t += get_num_groups(0)) {
        const uint4 tile = tiles[t];
        const ulong begin = clp_tile_begin(tiles[starts[tile.w]]), first = clp_tile_begin(tile);
        for (uint i = (uint)get_local_id(0); i < clp_tile_keys(tile); i += CLP_GROUP) {
            const ulong to = first + i, item = places[to] - begin;
            CLP_EACH_VALUE(CLP_VALUE_TO)
        }
    }
}
#endif
#else
/* ---- Long segments by two sorts ---- */

/*
 * Their elements are gathered, one segment behind another, with the number of the segment in its
 * list. Two sorts put them in order by their keys and then by these numbers; so each segment stays
 * where it was, and is in order.
 */
#define CLP_CHUNK (16 * CLP_GROUP) /* elements that a work-group takes at a time */

/* Takes the step for each gathered element i of this work-item. A macro because the step is a
 * statement of the kernel. Declares for it r, the number of
 * the element's segment in the list, and `from`, its place in the arrays. */
#define CLP_EACH_GATHERED(step)                                                                    \
    const ulong count = clp_segments_noted(found, table, CLP_LONG), gathered = total[0];           \
    const global ulong *list = lists + table[2 * CLP_LONG];                                        \
    for (ulong chunk = get_group_id(0); chunk * CLP_CHUNK < gathered;                              \
         chunk += get_num_groups(0)) {                                                             \
        const ulong end = min(gathered, (chunk + 1) * CLP_CHUNK);                                  \
        ulong i = chunk * CLP_CHUNK + get_local_id(0);                                             \
        ulong r = i < end ? clp_long_find(starts, count, i) : 0;                                   \
        for (; i < end; i += CLP_GROUP) {                                                          \
            while (starts[r + 1] <= i) r++;                                                        \
            const ulong begin = (ulong)clp_offset(CLP_OFFSETS, ~0ul, list[r]);                     \
            const ulong place = begin + (i - starts[r]);                                           \
            step                                                                                   \
        }                                                                                          \
    }

#if CLP_VALUES > 0
#define CLP_KEEP_PLACE places[i] = (CLP_COUNT)place;
#else
#define CLP_KEEP_PLACE
#endif
#define CLP_GATHER                                                                                 \
    keys[i] = keys_in[keys_in_first + place];                                                      \
    numbers[i] = (uint)r;                                                                          \
    CLP_KEEP_PLACE

CLP_KERNEL(CLP_GROUP)
void clp_segments_gather(const global CLP_OFFSET *offsets, ulong offsets_first,
                         const global CLP_K *keys_in, ulong keys_in_first, const global uint *found,
                         const global ulong *lists, const global ulong *table,
                         const global CLP_COUNT *starts, const global ulong *total,
                         global CLP_K *keys, global uint *numbers,
                         global CLP_COUNT *places){CLP_EACH_GATHERED(CLP_GATHER)}

#if CLP_VALUES > 0
#define CLP_SCATTER_VALUES                                                                         \
    const ulong item = places[i] - begin;                                                          \
    CLP_EACH_VALUE(CLP_VALUE_TO)
#else
#define CLP_SCATTER_VALUES
#endif
#define CLP_SCATTER                                                                                \
    const ulong to = place;                                                                        \
    if (!CLP_NO_KEYS) keys_out[keys_out_first + to] = keys[i];                                     \
    CLP_SCATTER_VALUES

CLP_KERNEL(CLP_GROUP) void clp_segments_scatter(CLP_SEGMENT_PARAMETERS, const global uint *found,
                                                const global ulong *lists,
                                                const global ulong *table,
                                                const global CLP_COUNT *starts,
                                                const global ulong *total, const global CLP_K *keys,
                                                const global CLP_COUNT *places) {
    CLP_EACH_GATHERED(CLP_SCATTER)
}
#endif
