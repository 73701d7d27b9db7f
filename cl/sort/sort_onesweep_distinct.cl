/* SPDX-License-Identifier: MIT */
/*
 * Onesweep: of keys alone that have few distinct values, how often each occurs says all, so that
 * they are read once and written once.
 *
 * While the digits of all passes are counted, each work-group has a hash table of the keys that it
 * meets and counts a key there if it can, else its digits. At its end it adds the digits of its
 * table's keys, so that the counts of digits are right whatever the table held. Where all keys of
 * all groups found a place, the last group makes one table of all, puts its keys in order, and no
 * pass has anything to do.
 */
#if CLP_TABLE_COLUMNS > 0
#define CLP_TABLE_BITS 9
#define CLP_TABLE_SLOTS (1 << CLP_TABLE_BITS)
#define CLP_PROBES 16
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
#define CLP_HASH_FACTOR 0x9e3779b1u
#endif

/* In local memory. */
typedef struct clp_table {
    volatile local CLP_K *keys; /* of each slot; clp_no_key where it is free */
    local uint *slots; /* those that are taken, in the order in which they were */
    volatile local uint *taken; /* how many */
    volatile local uint *full; /* whether some key found no slot, or too many did */
    local uint *counts; /* CLP_TABLE_COLUMNS of each slot, a lane its own */
} clp_table;

CLP_INLINE uint clp_hash(CLP_K key) {
    return (uint)((CLP_K)(key * CLP_HASH_FACTOR) >> (8 * CLP_K_BYTES - CLP_TABLE_BITS));
}

/* What no key is that is looked for in the slot: 0 is looked for in the first slots alone,
 * CLP_TOP_BIT from the middle on. */
CLP_INLINE CLP_K clp_no_key(uint slot) {
    return slot < CLP_PROBES ? CLP_TOP_BIT : 0;
}

CLP_INLINE void clp_clear_table(const clp_table *table, bool closed) {
    const uint lane = (uint)get_local_id(0);
    for (uint slot = lane; slot < CLP_TABLE_SLOTS; slot += CLP_GROUP) {
        table->keys[slot] = clp_no_key(slot);
    }
    for (uint i = lane; i < CLP_TABLE_SLOTS * CLP_TABLE_COLUMNS; i += CLP_GROUP) {
        table->counts[i] = 0;
    }
    if (lane != 0) return;
    *table->taken = 0;
    *table->full = closed;
}

/* The key's slot, which it takes if it can; CLP_TABLE_SLOTS: it has none, and the table is full. */
CLP_INLINE uint clp_slot_of(const clp_table *table, CLP_K key) {
    uint slot = clp_hash(key);
    CLP_NO_UNROLL
    for (uint probe = 0; probe < CLP_PROBES; probe++) {
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
        slot = (slot + 1) % CLP_TABLE_SLOTS;
    }
    *table->full = 1;
    return CLP_TABLE_SLOTS;
}

CLP_INLINE void clp_count_slot(const clp_table *table, uint slot) {
    const uint column = (uint)get_local_id(0) % CLP_TABLE_COLUMNS;
    atomic_inc(&table->counts[slot * CLP_TABLE_COLUMNS + column]);
}

/* Counts the key if it stands in its first slot; else gives 1. */
CLP_INLINE uint clp_misses(const clp_table *table, CLP_K key) {
    const uint slot = clp_hash(key);
    if (table->keys[slot] != key) return 1;
    clp_count_slot(table, slot);
    return 0;
}

CLP_INLINE uint clp_count_of_slot(const clp_table *table, uint slot) {
    uint sum = 0;
    CLP_NO_UNROLL
    for (uint c = 0; c < CLP_TABLE_COLUMNS; c++) {
        const uint column = (c + (uint)get_local_id(0)) % CLP_TABLE_COLUMNS;
        sum += table->counts[slot * CLP_TABLE_COLUMNS + column];
    }
    return sum;
}

/* ---- All groups' keys ---- */

/* By the last group: the keys of all lists in its table, which was cleared, and their counts. */
CLP_INLINE void clp_merge_found(const clp_table *table, const global CLP_K *found_keys,
                                const volatile global CLP_COUNT *found_counts,
                                local CLP_COUNT *totals) {
    const uint groups = (uint)get_num_groups(0);
    for (uint g = clp_subgroup_number(); g < groups; g += CLP_GROUP / 32) {
        const uint count = (uint)found_counts[g * CLP_FOUND_ROW];
        for (uint i = 1 + clp_lane(); i <= count; i += 32) {
            const uint slot = clp_slot_of(table, found_keys[g * CLP_FOUND_ROW + i]);
            if (slot < CLP_TABLE_SLOTS) {
                CLP_ADD_COUNT(&totals[slot], found_counts[g * CLP_FOUND_ROW + i]);
            }
        }
    }
}

/* The table's keys in order, and where each begins. */
CLP_INLINE void clp_order_found(const clp_table *table, const local CLP_COUNT *totals,
                                global CLP_K *keys, global CLP_COUNT *begins) {
    const uint taken = *table->taken;
    for (uint i = (uint)get_local_id(0); i < taken; i += CLP_GROUP) {
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
}

/* ---- The keys by their counts ---- */

/* The last of the places where keys begin that is not behind i. */
CLP_INLINE uint clp_distinct_at(const local CLP_COUNT *begins, ulong i) {
    uint rank = 0;
    CLP_UNROLL
    for (uint step = CLP_FOUND_ROW / 2; step > 0; step /= 2) {
        if (begins[rank + step] <= i) rank += step;
    }
    return rank;
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
    const ulong head = min(n, (16 - ((ulong)to & 15)) % 16 / CLP_K_BYTES);
    const ulong quads = (n - head) / CLP_QUAD_KEYS, tail = head + quads * CLP_QUAD_KEYS;
    for (ulong q = get_global_id(0); q < quads; q += get_global_size(0)) {
        const ulong i = head + q * CLP_QUAD_KEYS;
        uint rank = clp_distinct_at(begins, i);
        uint4 quad;
        CLP_UNROLL
        for (uint j = 0; j < CLP_QUAD_KEYS; j++) {
            while (begins[rank + 1] <= i + j) rank++;
            ((CLP_K *)&quad)[j] = keys[rank];
        }
        clp_store_stream((global uint4 *)(to + i), quad);
    }
    const ulong id = get_global_id(0);
    if (id < head) to[id] = keys[clp_distinct_at(begins, id)];
    if (id < n - tail) to[tail + id] = keys[clp_distinct_at(begins, tail + id)];
}
#endif
