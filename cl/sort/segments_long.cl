/* SPDX-License-Identifier: MIT */
/*
 * Segmented sort: segments that have no room in local memory. Their elements are gathered, one
 * segment behind another, with the number of the segment in its list. Two sorts put them in order
 * by their keys and then by these numbers; so each segment stays where it was, and is in order.
 */
#define CLP_CHUNK (16 * CLP_GROUP) /* elements that a work-group takes at a time */

/* starts: where each segment begins among the gathered elements, and where the last one ends.
 * total: how many there are, for the sorts. By one work-group. */
CLP_KERNEL(CLP_GROUP)
void clp_segments_starts(const global CLP_OFFSET *offsets, ulong offsets_first, CLP_SIZE_PARAMETERS,
                         const global uint *found, const global ulong *lists,
                         const global ulong *table, global CLP_COUNT *starts, global ulong *total) {
    local CLP_COUNT sums[2 * CLP_GROUP];
    CLP_SIZES
    const uint lane = (uint)get_local_id(0);
    const global ulong *list = lists + table[2 * CLP_LONG];
    const ulong count = found[CLP_FAULT] != 0 ? 0 : clp_segments_noted(found, table, CLP_LONG);
    const ulong share = (count + CLP_GROUP - 1) / CLP_GROUP;
    const ulong first = min(count, lane * share), end = min(count, first + share);
    CLP_COUNT sum = 0;
    for (ulong r = first; r < end; r++) {
        sum += (CLP_COUNT)clp_segments_take(offsets + offsets_first, n, list[r]).length;
    }
    sums[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE); /* sums, with the first round */
    CLP_EACH_ROUND(CLP_ADD_LOWER)
    CLP_COUNT at = clp_sum_before(sums);
    for (ulong r = first; r < end; r++) {
        starts[r] = at;
        at += (CLP_COUNT)clp_segments_take(offsets + offsets_first, n, list[r]).length;
    }
    if (lane == CLP_GROUP - 1) {
        starts[count] = at;
        total[0] = at;
    }
}

/* The segment that gathered element i is of. */
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

/* For each gathered element i of this work-item: r, the number of its segment in the list, and
 * `from`, its place in the arrays. */
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
            const ulong begin = (ulong)offsets[offsets_first + list[r]];                           \
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
