/* SPDX-License-Identifier: MIT */
/* Segmented sort on CPUs: a work-item sorts one segment after another in its own memory, runs of
 * CLP_RUN elements by insertion and then by merges, and lists the segments that have no room there.
 */
#define CLP_RUN 16 /* elements that are sorted by insertion */

/* Two copies of a segment: its keys, and their numbers in it. */
typedef struct clp_workspace {
    CLP_K keys[2][CLP_MOST];
    ushort items[2][CLP_VALUES > 0 ? CLP_MOST : 1];
} clp_workspace;

CLP_INLINE void clp_serial_insert(clp_workspace *space, uint first, uint end) {
    CLP_K *keys = space->keys[0];
    for (uint i = first + 1; i < end; i++) {
        const CLP_K key = keys[i], ordered = clp_compared(key);
        uint at = i;
        for (; at > first && clp_compared(keys[at - 1]) > ordered; at--) {
            keys[at] = keys[at - 1];
            if (CLP_VALUES > 0) space->items[0][at] = space->items[0][at - 1];
        }
        keys[at] = key;
        if (CLP_VALUES > 0) space->items[0][at] = (ushort)i;
    }
}

/* Merges the runs [a, middle) and [middle, end) of one copy into the other. */
CLP_INLINE void clp_serial_merge(clp_workspace *space, uint from, uint a, uint middle, uint end) {
    const CLP_K *keys = space->keys[from];
    uint b = middle;
    for (uint to = a, left = a; to < end; to++) {
        const bool right =
            left == middle || (b < end && clp_compared(keys[b]) < clp_compared(keys[left]));
        const uint item = right ? b++ : left++;
        space->keys[1 - from][to] = keys[item];
        if (CLP_VALUES > 0) space->items[1 - from][to] = space->items[from][item];
    }
}

/* Which copy has the segment in order. */
CLP_INLINE uint clp_serial_sort(clp_workspace *space, const global CLP_K *in, uint length) {
    uint from = 0;
    for (uint i = 0; i < length; i++) {
        space->keys[0][i] = in[i];
        if (CLP_VALUES > 0) space->items[0][i] = (ushort)i;
    }
    for (uint first = 0; first < length; first += CLP_RUN) {
        clp_serial_insert(space, first, min(length, first + CLP_RUN));
    }
    for (uint run = CLP_RUN; run < length; run *= 2) {
        for (uint first = 0; first < length; first += 2 * run) {
            clp_serial_merge(space, from, first, min(length, first + run),
                             min(length, first + 2 * run));
        }
        from = 1 - from;
    }
    return from;
}

/* Work-items share blocks of offsets. */
CLP_KERNEL(1)
void clp_segments_serial(CLP_SEGMENT_PARAMETERS, CLP_LIST_PARAMETERS) {
    CLP_SIZES
    clp_workspace space;
    const ulong blocks = segments / CLP_BLOCK + 1, parts = get_global_size(0);
    const ulong share = (blocks + parts - 1) / parts, part = get_global_id(0);
    const ulong first = min(segments + 1, part * share * CLP_BLOCK);
    const ulong last = min(segments + 1, first + share * CLP_BLOCK);
    for (ulong s = first; s < last; s++) {
        if (clp_segments_is_fault(CLP_OFFSETS, n, s)) {
            atomic_max(&found[CLP_FAULT], ~(uint)(s / CLP_BLOCK)); /* with the other work-items' */
        }
        if (s == segments) break;
        const clp_segment segment = clp_segments_take(CLP_OFFSETS, n, s);
        if (segment.length > CLP_MOST) {
            const uint place = atomic_inc(&found[CLP_LONG]); /* with the other work-items' */
            clp_segments_note(lists, table, CLP_LONG, place, s);
            continue;
        }
        const ulong begin = segment.begin;
        const uint from =
            clp_serial_sort(&space, keys_in + keys_in_first + begin, (uint)segment.length);
        for (uint i = 0; i < segment.length; i++) {
            const ulong to = begin + i;
            if (!CLP_NO_KEYS) keys_out[keys_out_first + to] = space.keys[from][i];
#if CLP_VALUES > 0
            const uint item = space.items[from][i];
            CLP_EACH_VALUE(CLP_VALUE_TO)
#endif
        }
    }
}
