/* SPDX-License-Identifier: MIT */
/*
 * Keys that are written by how often each occurs, so that they are read once and written once: all
 * keys of two bytes, if no values move with them, and wider keys with few distinct values.
 */

/* ---- Keys of two bytes ---- */

/*
 * Local memory holds the counters of a part of the 65536 possible keys. CLP_COUNT_PARTS work-groups
 * read the same slice of the input at the same time, each for its part, so that all but the first
 * find the slice in the cache. The last work-group to finish scans the counts; a second launch
 * writes the keys. 2^28 keys take 0.54 ms, two passes take 1.80 (H200, driver 580.159.04).
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
    const ulong head = clp_head_of(keys, n);
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
        before += clp_shuffle_count(to_lane, 31);
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
    const ulong head = clp_head_of(to, n);
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

/* ---- Few distinct keys ---- */

/*
 * While the digits of all passes are counted (sort_onesweep_digits.cl), each work-group has a hash
 * table, in local memory, of the keys that it meets. It counts a key there if the key has a slot,
 * else it counts the key's digits. At its end it adds the digits of its table's keys, so that the
 * counts of digits are right whatever the table held. If all keys of all work-groups found a slot,
 * the last work-group makes one table of all, puts its keys in order and clears live[] of all
 * passes, which then do nothing, and clp_sort_onesweep_distinct writes the keys. Nobody waits for
 * anybody: a table that is full only sends keys to the digits. 2^28 uint32 keys of few distinct
 * values take 0.55 ms, four passes take 4.59 (H200, driver 580.159.04).
 */
#if CLP_TABLE_COLUMNS > 0
#define CLP_TABLE_BITS 9
#define CLP_TABLE_SLOTS (1 << CLP_TABLE_BITS)
/* Distinct keys, at most, with which tables are half full; the words of a list of them, of which
 * the first says how many. */
#define CLP_MOST_DISTINCT 255
#define CLP_FOUND_ROW (CLP_MOST_DISTINCT + 1)

#if CLP_K_BYTES == 8
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define CLP_EXCHANGE_KEY atom_cmpxchg
#define CLP_HASH_FACTOR 0x9e3779b97f4a7c15ul
#else
#define CLP_EXCHANGE_KEY atomic_cmpxchg
#define CLP_HASH_FACTOR 0xdeb561a5u /* drawn until 64 neighbours, in each byte, stay apart */
#endif

/* In local memory. */
typedef struct clp_table {
    volatile local CLP_K *keys; /* of each slot; clp_no_key where it is free */
    local uint *slots; /* slots that are taken, in the order in which they were */
    volatile local uint *taken; /* how many */
    volatile local uint *full; /* whether some key found no slot, or too many did */
    local uint *counts; /* CLP_TABLE_COLUMNS of each slot, a lane its own */
} clp_table;

CLP_INLINE uint clp_hash(CLP_K key) {
    return (uint)((CLP_K)(key * CLP_HASH_FACTOR) >> (8 * CLP_K_BYTES - CLP_TABLE_BITS));
}

/* What no key is that has the slot: 0 has the first one, CLP_TOP_BIT the middle one. */
CLP_INLINE CLP_K clp_no_key(uint slot) {
    return slot == 0 ? CLP_TOP_BIT : 0;
}

CLP_INLINE void clp_clear_table(const clp_table *table, bool closed) {
    const uint lane = (uint)get_local_id(0);
    for (uint slot = lane; slot < CLP_TABLE_SLOTS; slot += CLP_GROUP) {
        table->keys[slot] = clp_no_key(slot);
    }
    clp_clear_quads((local uint4 *)table->counts, CLP_TABLE_SLOTS * CLP_TABLE_COLUMNS / 4);
    if (lane != 0) return;
    *table->taken = 0;
    *table->full = closed;
}

/* The key's slot, which it takes if the slot is free. CLP_TABLE_SLOTS if another key has it, which
 * also makes the table full: measured, to probe further slots took longer than passes do. */
CLP_INLINE uint clp_slot_of(const clp_table *table, CLP_K key) {
    const uint slot = clp_hash(key);
    const CLP_K none = clp_no_key(slot);
    CLP_K there = table->keys[slot];
    if (there == none && *table->full == 0) {
        there = CLP_EXCHANGE_KEY(&table->keys[slot], none, key);
        if (there == none) {
            const uint place = atomic_inc(table->taken);
            table->slots[place] = slot;
            if (place >= CLP_MOST_DISTINCT) *table->full = 1;
            return slot;
        }
    }
    if (there == key) return slot;
    *table->full = 1;
    return CLP_TABLE_SLOTS;
}

/* One key of each work-item looks for a slot. If keys have many distinct values, the table is full
 * after this, before the work-group has spent time on it for all its keys. */
CLP_INLINE void clp_try_table(const clp_table *table, const global CLP_K *keys, ulong n) {
    const ulong i = (get_group_id(0) * 4 * CLP_GROUP + get_local_id(0)) * CLP_QUAD_KEYS;
    if (*table->full == 0 && i < n) (void)clp_slot_of(table, keys[i]);
}

CLP_INLINE void clp_count_slot(const clp_table *table, uint slot) {
    const uint column = (uint)get_local_id(0) % CLP_TABLE_COLUMNS;
    atomic_inc(&table->counts[slot * CLP_TABLE_COLUMNS + column]);
}

/* Counts the key if it has a slot; else gives 1. */
CLP_INLINE uint clp_misses(const clp_table *table, CLP_K key) {
    const uint slot = clp_hash(key);
    if (table->keys[slot] != key) return 1;
    clp_count_slot(table, slot);
    return 0;
}

#define CLP_UNROLL_FOUR _Pragma("unroll 4") /* or the places take registers */
CLP_INLINE uint clp_count_of_slot(const clp_table *table, uint slot) {
    uint sum = 0;
    CLP_UNROLL_FOUR
    for (uint c = 0; c < CLP_TABLE_COLUMNS; c++) {
        const uint column = (c + (uint)get_local_id(0)) % CLP_TABLE_COLUMNS;
        sum += table->counts[slot * CLP_TABLE_COLUMNS + column];
    }
    return sum;
}

/* By the last group: the keys of all lists in its table, which was cleared, and their counts; none
 * if the table is full from the beginning. */
CLP_INLINE void clp_merge_found(const clp_table *table, const global CLP_K *found_keys,
                                const volatile global CLP_COUNT *found_counts,
                                local CLP_COUNT *totals) {
    const uint groups = (uint)get_num_groups(0);
    for (uint g = clp_subgroup_number(); g < groups && *table->full == 0; g += CLP_GROUP / 32) {
        const uint count = (uint)found_counts[g * CLP_FOUND_ROW];
        for (uint i = 1 + clp_lane(); i <= count; i += 32) {
            const uint slot = clp_slot_of(table, found_keys[g * CLP_FOUND_ROW + i]);
            if (slot < CLP_TABLE_SLOTS) {
                CLP_ADD_COUNT(&totals[slot], found_counts[g * CLP_FOUND_ROW + i]);
            }
        }
    }
}

/* The table's keys in order, and where each begins: then no pass has anything to do. Nothing of a
 * full table. */
CLP_INLINE void clp_order_found(const clp_table *table, const local CLP_COUNT *totals,
                                global CLP_K *keys, global CLP_COUNT *begins, global uint *live) {
    const uint lane = (uint)get_local_id(0), taken = *table->full == 0 ? *table->taken : 0;
    for (uint i = lane; i < taken; i += CLP_GROUP) {
        const CLP_K key = table->keys[table->slots[i]];
        uint rank = 0;
        CLP_COUNT before = 0;
        for (uint j = 0; j < taken; j++) {
            const uint slot = table->slots[j];
            if (clp_ordered(table->keys[slot]) < clp_ordered(key)) {
                rank++;
                before += totals[slot];
            }
        }
        keys[rank] = key;
        begins[rank] = before;
    }
    if (taken > 0 && lane < CLP_PASSES) live[lane] = 0;
    if (lane == 0) live[CLP_DISTINCT_FOUND] = taken;
    if (lane == 0) live[CLP_MANY_SEEN] = 0;
}

/* found: as clp_order_found leaves it. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_onesweep_distinct(global CLP_K *keys_out, ulong keys_first, CLP_N_PARAMETERS,
                                const global CLP_K *found_keys,
                                const global CLP_COUNT *found_counts, const global uint *live) {
    const ulong n = CLP_N;
    local CLP_K keys[CLP_FOUND_ROW];
    local CLP_COUNT begins[CLP_FOUND_ROW + 1];
    const uint distinct = live[CLP_DISTINCT_FOUND];
    for (uint i = (uint)get_local_id(0); i <= CLP_FOUND_ROW; i += CLP_GROUP) {
        begins[i] = i < distinct ? found_counts[i] : (CLP_COUNT)n;
        if (i < distinct) keys[i] = found_keys[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* keys and begins, written above, read below */
    if (distinct == 0) return;
    global CLP_K *to = keys_out + keys_first;
    const ulong head = clp_head_of(to, n);
    const ulong quads = (n - head) / CLP_QUAD_KEYS, tail = head + quads * CLP_QUAD_KEYS;
    for (ulong q = get_global_id(0); q < quads; q += get_global_size(0)) {
        const ulong i = head + q * CLP_QUAD_KEYS;
        uint rank = clp_run_of(begins, CLP_FOUND_ROW, i);
        uint4 quad;
        CLP_UNROLL
        for (uint j = 0; j < CLP_QUAD_KEYS; j++) {
            if (begins[rank + 1] <= i + j) rank++;
            ((CLP_K *)&quad)[j] = keys[rank];
        }
        clp_store_stream((global uint4 *)(to + i), quad);
    }
    const ulong id = get_global_id(0);
    if (id < head) to[id] = keys[clp_run_of(begins, CLP_FOUND_ROW, id)];
    if (id < n - tail) to[tail + id] = keys[clp_run_of(begins, CLP_FOUND_ROW, tail + id)];
}
#endif
