/* SPDX-License-Identifier: MIT */
/*
 * Keys of two bytes alone, many of them: how often each occurs says all, so that they are read once
 * and written once. Local memory holds the counters of a part of the possible keys, and
 * CLP_COUNT_PARTS work-groups read the same slice at the same time, each for its part.
 */
#if CLP_COUNT_PARTS > 0
#define CLP_DISTINCT 65536
#define CLP_PART_KEYS (CLP_DISTINCT / CLP_COUNT_PARTS)
#define CLP_SCANNERS (CLP_GROUP >= 1024 ? 32 : CLP_GROUP >= 512 ? 16 : 8) /* sub-groups */
#define CLP_SCANNED (CLP_DISTINCT / CLP_SCANNERS) /* sums of a sub-group, 128 at a time */

CLP_INLINE void clp_count_key(uint key, uint first, local uint *counts) {
    const uint here = key - first;
    if (here < CLP_PART_KEYS) atomic_inc(&counts[here]);
}

CLP_INLINE void clp_count_keys(uint4 quad, uint first, local uint *counts) {
    const uint words[4] = {quad.x, quad.y, quad.z, quad.w};
    CLP_UNROLL
    for (uint j = 0; j < 4; j++) {
        clp_count_key(words[j] & 0xffff, first, counts);
        clp_count_key(words[j] >> 16, first, counts);
    }
}

/* A slice's keys of a part. */
CLP_INLINE void clp_count_slice(const global CLP_K *keys, ulong n, ulong slice, ulong slices,
                                uint first, local uint *counts) {
    const uint lane = (uint)get_local_id(0);
    const ulong head = min(n, (16 - ((ulong)keys & 15)) % 16 / CLP_K_BYTES);
    const ulong quads = (n - head) / CLP_QUAD_KEYS, tail = head + quads * CLP_QUAD_KEYS;
    const global uint4 *quad = (const global uint4 *)(keys + head);
    ulong i = slice * 4 * CLP_GROUP + lane;
    for (; i + 3 * CLP_GROUP < quads; i += slices * 4 * CLP_GROUP) {
        uint4 now[4];
        CLP_UNROLL
        for (uint j = 0; j < 4; j++) now[j] = quad[i + j * CLP_GROUP];
        CLP_UNROLL
        for (uint j = 0; j < 4; j++) clp_count_keys(now[j], first, counts);
    }
    for (; i < quads; i += CLP_GROUP) clp_count_keys(quad[i], first, counts);
    if (slice != 0) return;
    if (lane < head) clp_count_key(keys[lane], first, counts);
    if (lane < n - tail) clp_count_key(keys[tail + lane], first, counts);
}

/* Of the last lane. */
CLP_INLINE CLP_COUNT clp_count_of_last(CLP_COUNT count) {
#if CLP_WIDE
    const uint low = clp_shuffle_word((uint)count, 31);
    return (ulong)clp_shuffle_word((uint)(count >> 32), 31) << 32 | low;
#else
    return clp_shuffle_word(count, 31);
#endif
}

CLP_INLINE CLP_COUNT clp_sum_counts_to_lane(CLP_COUNT sum) {
    CLP_UNROLL
    for (uint distance = 1; distance < 32; distance *= 2) {
        const CLP_COUNT lower = clp_shuffle_up_count(sum, distance);
        if (clp_lane() >= distance) sum += lower;
    }
    return sum;
}

/* The last lane gives the sum of the sub-group's counts. */
CLP_INLINE CLP_COUNT clp_sum_scanned(const global CLP_COUNT *sums) {
    CLP_COUNT4 sum = (CLP_COUNT4)(0);
    CLP_NO_UNROLL
    for (uint at = 4 * clp_lane(); at < CLP_SCANNED; at += 512) {
        CLP_UNROLL
        for (uint j = 0; j < 4; j++) sum += clp_observe_four(sums + at + 128 * j);
    }
    return clp_sum_counts_to_lane(sum.x + sum.y + sum.z + sum.w);
}

/* Sums become the places where keys begin, and are cleared for the next run. */
CLP_INLINE void clp_scan_sums(CLP_COUNT before, global CLP_COUNT *sums, global CLP_COUNT *bases) {
    for (uint at = 4 * clp_lane(); at < CLP_SCANNED; at += 128) {
        const CLP_COUNT4 counts = clp_observe_four(sums + at);
        const CLP_COUNT own = counts.x + counts.y + counts.z + counts.w;
        const CLP_COUNT to_lane = clp_sum_counts_to_lane(own);
        CLP_COUNT4 begins;
        begins.x = before + to_lane - own;
        begins.y = begins.x + counts.x;
        begins.z = begins.y + counts.y;
        begins.w = begins.z + counts.z;
        clp_publish_four(bases + at, begins);
        clp_publish_four(sums + at, (CLP_COUNT4)(0));
        before += clp_count_of_last(to_lane);
    }
}

/* sums: 0 between runs. live: only the word that counts work-groups is used. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_onesweep_counts(const global CLP_K *keys_in, ulong keys_first,
                              CLP_N_REPORT_PARAMETERS, global CLP_COUNT *sums,
                              global CLP_COUNT *bases, global uint *live) {
    const ulong n = CLP_N_REPORTED;
    local uint counts[CLP_PART_KEYS] __attribute__((aligned(16)));
    local CLP_COUNT totals[CLP_SCANNERS];
    local uint done[1];
    const uint lane = (uint)get_local_id(0), scanner = clp_subgroup_number();
    const uint group = (uint)get_group_id(0), groups = (uint)get_num_groups(0);
    const uint first = group % CLP_COUNT_PARTS * CLP_PART_KEYS, slice = group / CLP_COUNT_PARTS;
    for (uint i = lane; i < CLP_PART_KEYS / 4; i += CLP_GROUP) {
        ((local uint4 *)counts)[i] = (uint4)(0);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* counts, cleared above, counted below */
    clp_count_slice(keys_in + keys_first, n, slice, groups / CLP_COUNT_PARTS, first, counts);
    barrier(CLK_LOCAL_MEM_FENCE); /* counts, counted above, added below */
    for (uint i = lane; i < CLP_PART_KEYS; i += CLP_GROUP) {
        const uint key = (i + slice * CLP_GROUP) % CLP_PART_KEYS; /* groups add to other places */
        if (counts[key] > 0) CLP_ADD_COUNT(&sums[(first + key) ^ clp_flip_of(0, 16)], counts[key]);
    }
    clp_device_fence(); /* sums, before the last group reads them */
    barrier(CLK_GLOBAL_MEM_FENCE); /* sums of this group, added above, before it is counted */
    if (lane == 0) done[0] = atomic_inc(&live[CLP_COUNTED]); /* with the other groups' */
    barrier(CLK_LOCAL_MEM_FENCE); /* done, written above, read below */
    if (done[0] != groups - 1) return;
    clp_device_fence(); /* sums of all groups, which were added before they were counted */
    const bool scans = scanner < CLP_SCANNERS;
    const CLP_COUNT to_lane = scans ? clp_sum_scanned(sums + scanner * CLP_SCANNED) : 0;
    if (scans && clp_lane() == 31) totals[scanner] = to_lane;
    barrier(CLK_LOCAL_MEM_FENCE); /* totals, written above, read below */
    if (lane == 0) live[CLP_COUNTED] = 0;
    CLP_COUNT before = 0;
    for (uint s = 0; s < scanner && scans; s++) before += totals[s];
    if (scans) {
        clp_scan_sums(before, sums + scanner * CLP_SCANNED, bases + scanner * CLP_SCANNED);
    }
}

/* ---- The keys by their counts ---- */

/* The key at a place, from `low` on and up to `high`. */
CLP_INLINE uint clp_key_of_place(const global CLP_COUNT *bases, uint low, uint high, ulong place) {
    while (low < high) {
        const uint middle = (low + high + 1) / 2;
        if (bases[middle] <= place)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

CLP_INLINE ulong clp_end_of_key(const global CLP_COUNT *bases, uint key, ulong n) {
    return key + 1 < CLP_DISTINCT ? bases[key + 1] : n;
}

/* Writes 8 keys from place i on, of which the first is `key`. */
CLP_INLINE void clp_write_run(const global CLP_COUNT *bases, uint key, uint high, ulong n, ulong i,
                              global CLP_K *to) {
    const uint flip = clp_flip_of(0, 16);
    ulong end = clp_end_of_key(bases, key, n);
    uint4 quad = (uint4)((key ^ flip) * 0x00010001u);
    if (end < i + CLP_QUAD_KEYS) {
        uint words[4] = {0, 0, 0, 0};
        CLP_UNROLL
        for (uint j = 0; j < CLP_QUAD_KEYS; j++) {
            if (end <= i + j) {
                key = clp_key_of_place(bases, key + 1, high, i + j);
                end = clp_end_of_key(bases, key, n);
            }
            words[j / 2] |= (key ^ flip) << 16 * (j % 2);
        }
        quad = (uint4)(words[0], words[1], words[2], words[3]);
    }
    clp_store_stream((global uint4 *)(to + i), quad);
}

/* A work-group writes keys side by side, so that its work-items look among few. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_onesweep_counted(global CLP_K *keys_out, ulong keys_first, CLP_N_PARAMETERS,
                               const global CLP_COUNT *bases) {
    const ulong n = CLP_N, groups = get_num_groups(0), id = get_global_id(0);
    const uint flip = clp_flip_of(0, 16), last = CLP_DISTINCT - 1;
    global CLP_K *to = keys_out + keys_first;
    const ulong head = min(n, (16 - ((ulong)to & 15)) % 16 / CLP_K_BYTES);
    const ulong quads = (n - head) / CLP_QUAD_KEYS, tail = head + quads * CLP_QUAD_KEYS;
    const ulong each = (quads + groups - 1) / groups, begin = min(quads, get_group_id(0) * each);
    const ulong end = min(quads, begin + each);
    uint low = 0, high = 0;
    CLP_UNROLL
    for (uint step = CLP_DISTINCT / 2; step > 0; step /= 2) {
        if (bases[low + step] <= head + begin * CLP_QUAD_KEYS) low += step;
        if (bases[high + step] < head + end * CLP_QUAD_KEYS) high += step;
    }
    for (ulong q = begin + get_local_id(0); q < end; q += CLP_GROUP) {
        const ulong i = head + q * CLP_QUAD_KEYS;
        low = clp_key_of_place(bases, low, high, i);
        clp_write_run(bases, low, high, n, i, to);
    }
    if (id < head) to[id] = (CLP_K)(clp_key_of_place(bases, 0, last, id) ^ flip);
    if (id < n - tail) {
        to[tail + id] = (CLP_K)(clp_key_of_place(bases, 0, last, tail + id) ^ flip);
    }
}
#endif
