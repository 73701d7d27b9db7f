/* SPDX-License-Identifier: MIT */
/*
 * Onesweep: one launch reads the keys and counts the digits of all passes. The last work-group to
 * finish turns the counts of all into `bases`, where the digits of each pass begin, and tells the
 * passes in `live` what they need to know. It knows that it is the last by a counter that each
 * work-group raises when its counts are in memory, so nobody waits. The launch also compares
 * neighbours: keys that are in order already are copied by the last pass. Keys of a byte need no
 * pass: the counts say where each value stands, and a second launch writes them.
 *
 * Local memory: CLP_COLUMNS counters of each digit and pass. Lanes count in different columns, so
 * that lanes with the same digit seldom wait for each other's atomics. With CLP_TABLE_COLUMNS also
 * the table of distinct keys (sort_onesweep_counts.cl).
 */

/* ---- Counts of all passes ---- */

/* Counts the digits of `count` equal keys. A key that shares its bits is rare, so the bits are made
 * for it alone. */
CLP_INLINE void clp_add_digits(CLP_K key, uint count, local uint *column, uint *shared) {
    CLP_K bits = clp_enter(key);
#if CLP_BITS_ARE_SHARED
    if (clp_shares_bits(key)) {
        *shared = 1;
        bits = clp_sorted_bits(bits);
    }
#endif
    CLP_UNROLL
    for (uint pass = 0; pass < CLP_PASSES; pass++) {
        const uint shift = clp_shift_of(pass), mask = (1u << clp_bits_of(shift)) - 1;
        const uint digit = (uint)(bits >> shift) & mask;
        atomic_add(&column[(pass * CLP_ROW + digit) * CLP_COLUMNS], count);
    }
}

CLP_INLINE void clp_count_digits(CLP_K key, local uint *column, uint *shared) {
    clp_add_digits(key, 1, column, shared);
}

CLP_INLINE void clp_count_quad(uint4 quad, local uint *column, uint *shared) {
    const CLP_K *keys = (const CLP_K *)&quad;
    CLP_UNROLL
    for (uint j = 0; j < CLP_QUAD_KEYS; j++) clp_count_digits(keys[j], column, shared);
}

/* In live[pass], in place of 1: some digit has more than a CLP_MOST_SHARE-th of the keys, whose
 * atomics on that digit's counter would wait for each other. */
#define CLP_LOPSIDED 2
#define CLP_MOST_SHARE 20

/* In live[pass], from bit CLP_TELLING on: bits of the digit that suffice to tell apart all digits
 * that occur in the pass. Keys that lie in a small range need few, and the ranks of a pass take a
 * ballot for each. Found by one sub-group, whose lanes have CLP_ROW_GROUPS digits each: a bit is
 * dropped if no two digits that occur differ in that bit alone, among the bits not yet dropped.
 * Then digits that differ in a dropped bit become one. used: which of the lane's digits occur. */
#define CLP_TELLING 8
CLP_INLINE uint clp_telling_bits(uint used) {
    const uint lower[3] = {0x55, 0x33, 0x0f};
    uint telling = 0;
    CLP_UNROLL
    for (uint bit = 0; bit < 8; bit++) {
        const uint own = bit < 3 ? lower[bit] : 0, by = 1u << bit;
        const uint others =
            bit < 3 ? used >> by & own : clp_shuffle_word(used, clp_lane() ^ by / CLP_ROW_GROUPS);
        if (clp_ballot((used & others) != 0) != 0)
            telling |= by;
        else
            used |= others;
    }
    return telling;
}

/* By one sub-group for each pass over n keys from `first` on: sums become the places where digits
 * begin, and are cleared for the next run. Returns the pass's word of live. */
CLP_INLINE uint clp_set_bases(uint pass, CLP_COUNT first, ulong n, volatile global CLP_COUNT *sums,
                              global CLP_COUNT *bases) {
    const uint lane = clp_lane(), at = pass * CLP_ROW + lane * CLP_ROW_GROUPS;
    CLP_COUNT counts[CLP_ROW_GROUPS];
    CLP_COUNT sum = 0;
    uint used = 0;
    bool alike = false, lopsided = false;
    CLP_UNROLL
    for (uint j = 0; j < CLP_ROW_GROUPS; j++) {
        counts[j] = sums[at + j];
        used |= (uint)(counts[j] != 0) << j;
        alike |= counts[j] == n;
        lopsided |= counts[j] > n / CLP_MOST_SHARE;
        sum += counts[j];
        sums[at + j] = 0;
    }
    CLP_COUNT before = first + clp_sum_counts_to_lane(sum) - sum;
    CLP_UNROLL
    for (uint j = 0; j < CLP_ROW_GROUPS; j++) {
        bases[at + j] = before;
        before += counts[j];
    }
    const bool any_alike = clp_ballot(alike) != 0, any_lopsided = clp_ballot(lopsided) != 0;
    const uint telling = clp_telling_bits(used);
    return any_alike ? 0 : (any_lopsided ? CLP_LOPSIDED : 1) | telling << CLP_TELLING;
}

/* Adds the counts of this work-group to the totals. */
CLP_INLINE void clp_add_columns(const local uint *counts, global CLP_COUNT *sums) {
    const uint lane = (uint)get_local_id(0);
    for (uint d = lane; d < CLP_PASSES * CLP_ROW; d += CLP_GROUP) {
        const uint shift = clp_shift_of(d / CLP_ROW), bits = clp_bits_of(shift);
        uint sum = 0;
        for (uint c = 0; c < CLP_COLUMNS; c++) {
            sum += counts[d * CLP_COLUMNS + ((c + lane) & (CLP_COLUMNS - 1))];
        }
        if (sum > 0) CLP_ADD_COUNT(&sums[d ^ clp_flip_of(shift, bits)], sum);
    }
}

#if !CLP_PASS_ONLY
/* clp_set_bases for all keys; sets the pass's word of live, to 0 where keys are in order already.
 */
CLP_INLINE void clp_set_bases_of_all(uint pass, ulong n, volatile global CLP_COUNT *sums,
                                     global CLP_COUNT *bases, volatile global uint *live) {
    const uint found = clp_set_bases(pass, 0, n, sums, bases);
    if (clp_lane() == 0) live[pass] = live[CLP_FALL_SEEN] != 0 ? found : 0;
}

/* Whether one of `count` neighbours, the first of which is at `at`, is less than the key before it.
 * all: where the array begins. */
CLP_INLINE bool clp_falls_in(const CLP_K *keys, uint count, const global CLP_K *at,
                             const global CLP_K *all) {
    bool falls = at != all && clp_compared(keys[0]) < clp_compared(at[-1]);
    CLP_UNROLL
    for (uint j = 1; j < CLP_QUAD_KEYS; j++) {
        if (j < count) falls |= clp_compared(keys[j]) < clp_compared(keys[j - 1]);
    }
    return falls;
}

/* What a work-group counts in local memory. */
typedef struct clp_tally {
    local uint *column; /* the work-item's counter of each digit */
#if CLP_TABLE_COLUMNS > 0
    clp_table table;
#endif
} clp_tally;

#if CLP_TABLE_COLUMNS > 0
/* Counts a key in the table, or its digits. */
CLP_INLINE void clp_tally_key(const clp_tally *tally, CLP_K key, uint *shared) {
    const clp_table *table = &tally->table;
    const uint slot = *table->full == 0 ? clp_slot_of(table, key) : CLP_TABLE_SLOTS;
    if (slot < CLP_TABLE_SLOTS)
        clp_count_slot(table, slot);
    else
        clp_count_digits(key, tally->column, shared);
}

/* Counts the keys of four quads, the first of which is at `at`. The few keys that have no slot yet
 * are read again, which takes fewer registers than to keep them. */
CLP_INLINE void clp_tally_quads(const clp_tally *tally, const uint4 *quads, const global uint4 *at,
                                uint *shared) {
    uint missed = 0;
    if (*tally->table.full != 0) {
        CLP_UNROLL
        for (uint j = 0; j < 4; j++) clp_count_quad(quads[j], tally->column, shared);
        return;
    }
    CLP_UNROLL
    for (uint j = 0; j < 4 * CLP_QUAD_KEYS; j++) {
        missed |= clp_misses(&tally->table, ((const CLP_K *)quads)[j]) << j;
    }
    while (missed != 0) {
        const uint j = 31 - clz(missed);
        const global CLP_K *quad = (const global CLP_K *)(at + j / CLP_QUAD_KEYS * CLP_GROUP);
        clp_tally_key(tally, quad[j % CLP_QUAD_KEYS], shared);
        missed ^= 1u << j;
    }
}

/* Adds the digits of the table's keys, and lists the keys unless the table was full. */
CLP_INLINE void clp_add_table(const clp_tally *tally, uint *shared, global CLP_K *found_keys,
                              global CLP_COUNT *found_counts, global uint *live) {
    const clp_table *table = &tally->table;
    const uint lane = (uint)get_local_id(0), taken = *table->taken;
    const bool lists = *table->full == 0;
    const size_t row = get_group_id(0) * CLP_FOUND_ROW;
    for (uint i = lane; i < taken; i += CLP_GROUP) {
        const uint slot = table->slots[i], count = clp_count_of_slot(table, slot);
        const CLP_K key = table->keys[slot];
        clp_add_digits(key, count, tally->column, shared);
        if (!lists) continue;
        found_keys[row + 1 + i] = key;
        found_counts[row + 1 + i] = count;
    }
    if (lane == 0 && lists) found_counts[row] = taken;
    if (lane == 0 && !lists) live[CLP_MANY_SEEN] = 1;
}
#else
CLP_INLINE void clp_tally_key(const clp_tally *tally, CLP_K key, uint *shared) {
    clp_count_digits(key, tally->column, shared);
}

CLP_INLINE void clp_tally_quads(const clp_tally *tally, const uint4 *quads, const global uint4 *at,
                                uint *shared) {
    CLP_UNROLL
    for (uint j = 0; j < 4; j++) clp_count_quad(quads[j], tally->column, shared);
}
#endif

/* The work-group's share of the keys. Returns whether the work-item has found a key that is less
 * than the key before it. Once it has, it compares no more, so that only keys in order take longer.
 */
CLP_INLINE bool clp_count_share(const clp_tally *tally, const global CLP_K *keys, ulong n,
                                uint *shared) {
    const ulong id = get_global_id(0), size = get_global_size(0);
    const ulong head = clp_head_of(keys, n), quads = (n - head) / CLP_QUAD_KEYS;
    const ulong tail = head + quads * CLP_QUAD_KEYS;
    const global uint4 *quad = (const global uint4 *)(keys + head);
    ulong i = get_group_id(0) * 4 * CLP_GROUP + get_local_id(0);
    bool falls = false;
    for (; i + 3 * CLP_GROUP < quads; i += 4 * size) {
        uint4 now[4];
        CLP_UNROLL
        for (uint j = 0; j < 4; j++) now[j] = clp_load_stream(quad + i + j * CLP_GROUP);
        CLP_UNROLL
        for (uint j = 0; j < 4; j++) {
            const global CLP_K *at = (const global CLP_K *)(quad + i + j * CLP_GROUP);
            if (!falls) falls = clp_falls_in((const CLP_K *)&now[j], CLP_QUAD_KEYS, at, keys);
        }
        clp_tally_quads(tally, now, quad + i, shared);
    }
    for (; i < quads; i += CLP_GROUP) {
        const uint4 now = quad[i];
        const CLP_K *few = (const CLP_K *)&now;
        falls |= clp_falls_in(few, CLP_QUAD_KEYS, (const global CLP_K *)(quad + i), keys);
        CLP_UNROLL
        for (uint j = 0; j < CLP_QUAD_KEYS; j++) clp_tally_key(tally, few[j], shared);
    }
    if (id < head) {
        const CLP_K key = keys[id];
        falls |= clp_falls_in(&key, 1, keys + id, keys);
        clp_tally_key(tally, key, shared);
    }
    if (id < n - tail) {
        const CLP_K key = keys[tail + id];
        falls |= clp_falls_in(&key, 1, keys + tail + id, keys);
        clp_tally_key(tally, key, shared);
    }
    return falls;
}

/* What a work-item has seen, for the last group; races with others that store the same. */
CLP_INLINE void clp_tell(global uint *live, uint shared, bool falls) {
    if (CLP_BITS_ARE_SHARED && shared != 0) live[CLP_SHARED_SEEN] = 1;
    if (falls) live[CLP_FALL_SEEN] = 1;
}

/* By the last group: what the passes find, and the next run. */
CLP_INLINE void clp_end_counting(volatile global uint *live) {
    const uint lane = (uint)get_local_id(0);
    if (lane < CLP_PASSES) live[CLP_TICKETS + lane] = 0;
    if (lane != 0) return;
    live[CLP_COUNTED] = 0;
    live[CLP_SHARED] = live[CLP_SHARED_SEEN];
    live[CLP_SHARED_SEEN] = live[CLP_FALL_SEEN] = 0;
}

/* sums: 0 between runs. state: words of the first pass, which are cleared. distinct: whether keys
 * are counted in tables; found_keys, found_counts: a row of CLP_FOUND_ROW for each work-group. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_onesweep_digits(const global CLP_K *keys_in, ulong keys_first,
                              CLP_N_REPORT_PARAMETERS, global CLP_COUNT *sums,
                              global CLP_COUNT *bases, global uint *live, global uint4 *state,
                              ulong state_quads, uint distinct, global CLP_K *found_keys,
                              global CLP_COUNT *found_counts) {
    const ulong n = CLP_N_REPORTED;
    local uint counts[CLP_PASSES * CLP_ROW * CLP_COLUMNS] __attribute__((aligned(1024)));
    local uint done[1];
    const uint lane = (uint)get_local_id(0), pass = clp_subgroup_number();
    const global CLP_K *keys = keys_in + keys_first;
    const volatile global uint *seen = live;
    uint shared = 0;
#if CLP_TABLE_COLUMNS > 0
    volatile local CLP_K table_keys[CLP_TABLE_SLOTS];
    volatile local uint table_notes[2];
    local uint table_slots[CLP_TABLE_SLOTS];
    local uint table_counts[CLP_TABLE_SLOTS * CLP_TABLE_COLUMNS] __attribute__((aligned(16)));
    local CLP_COUNT totals[CLP_TABLE_SLOTS];
    const clp_table table = {table_keys, table_slots, table_notes, table_notes + 1, table_counts};
    const clp_tally tally = {counts + lane % CLP_COLUMNS, table};
    clp_clear_table(&tally.table, distinct == 0);
#else
    const clp_tally tally = {counts + lane % CLP_COLUMNS};
#endif
    clp_clear_quads((local uint4 *)counts, CLP_PASSES * CLP_ROW * CLP_COLUMNS / 4);
    for (ulong i = get_global_id(0); i < state_quads; i += get_global_size(0)) {
        state[i] = (uint4)(0);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* counts, cleared above, counted below */
#if CLP_TABLE_COLUMNS > 0
    clp_try_table(&tally.table, keys, n);
    barrier(CLK_LOCAL_MEM_FENCE); /* the table, tried above, asked below whether it is full */
#endif
    const bool falls = clp_count_share(&tally, keys, n, &shared);
#if CLP_TABLE_COLUMNS > 0
    barrier(CLK_LOCAL_MEM_FENCE); /* the table's counts, counted above, summed below */
    clp_add_table(&tally, &shared, found_keys, found_counts, live);
#endif
    clp_tell(live, shared, falls);
    barrier(CLK_LOCAL_MEM_FENCE); /* counts, counted above, summed below */
    clp_add_columns(counts, sums);
    clp_device_fence(); /* sums, before the last group reads them */
    barrier(CLK_GLOBAL_MEM_FENCE); /* sums of this group, added above, before it is counted */
    if (lane == 0) done[0] = atomic_inc(&live[CLP_COUNTED]); /* with the other groups' */
    barrier(CLK_LOCAL_MEM_FENCE); /* done, written above, read below */
    if (done[0] != get_num_groups(0) - 1) return;
    clp_device_fence(); /* sums of all groups, which were added before they were counted */
    if (pass < CLP_PASSES) clp_set_bases_of_all(pass, n, sums, bases, live);
#if CLP_TABLE_COLUMNS > 0
    clp_clear_table(&tally.table, seen[CLP_MANY_SEEN] != 0 || seen[CLP_SHARED_SEEN] != 0);
    for (uint slot = lane; slot < CLP_TABLE_SLOTS; slot += CLP_GROUP) totals[slot] = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* table, totals; live, with the end */
    clp_merge_found(&tally.table, found_keys, found_counts, totals);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* the table; lists, before the order */
    clp_order_found(&tally.table, totals, found_keys, found_counts, live);
#endif
    barrier(CLK_GLOBAL_MEM_FENCE); /* live, read above for the passes, cleared below */
    clp_end_counting(live);
}

/* ---- Keys of a byte ---- */

#if CLP_K_BYTES == 1
/* The keys by their counts. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_onesweep_runs(global CLP_K *keys_out, ulong keys_first, CLP_N_PARAMETERS,
                            const global CLP_COUNT *bases) {
    const ulong n = CLP_N;
    local CLP_COUNT begins[CLP_ROW + 1];
    const uint lane = (uint)get_local_id(0);
    const uint flip = clp_flip_of(0, CLP_BITS);
    global CLP_K *to = keys_out + keys_first;
    if (lane < CLP_ROW) begins[lane] = bases[lane];
    if (lane == CLP_ROW) begins[lane] = (CLP_COUNT)n;
    barrier(CLK_LOCAL_MEM_FENCE); /* begins, written above, read below */
    const ulong head = clp_head_of(to, n), quads = (n - head) / 16;
    for (ulong q = get_global_id(0); q < quads; q += get_global_size(0)) {
        const ulong i = head + 16 * q;
        uint digit = clp_run_of(begins, CLP_ROW, i);
        uint4 quad = (uint4)((digit ^ flip) * 0x01010101u);
        if (begins[digit + 1] < i + 16) {
            uint words[4] = {0, 0, 0, 0};
            CLP_UNROLL
            for (uint j = 0; j < 16; j++) {
                while (begins[digit + 1] <= i + j) digit++;
                words[j / 4] |= (digit ^ flip) << 8 * (j % 4);
            }
            quad = (uint4)(words[0], words[1], words[2], words[3]);
        }
        clp_store_stream((global uint4 *)(to + i), quad);
    }
    const ulong id = get_global_id(0), tail = head + 16 * quads;
    if (id < head) to[id] = (CLP_K)(clp_run_of(begins, CLP_ROW, id) ^ flip);
    if (id < n - tail) to[tail + id] = (CLP_K)(clp_run_of(begins, CLP_ROW, tail + id) ^ flip);
}
#endif
#endif
