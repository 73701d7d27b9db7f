/* SPDX-License-Identifier: MIT */
/* Onesweep: the digits of all passes are counted in one reading. Keys of a byte need no more than
 * that: counts say where each value stands. */

/* ---- Counts of all passes ---- */

#define CLP_QUAD_KEYS (16 / CLP_K_BYTES)

/* A key that shares its bits is rare: it is found before its bits are made. */
CLP_INLINE void clp_count_digits(CLP_K key, local uint *column, uint *shared) {
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
        atomic_inc(&column[(pass * CLP_ROW + digit) * CLP_COLUMNS]);
    }
}

CLP_INLINE void clp_count_quad(uint4 quad, local uint *column, uint *shared) {
    const CLP_K *keys = (const CLP_K *)&quad;
    CLP_UNROLL
    for (uint j = 0; j < CLP_QUAD_KEYS; j++) clp_count_digits(keys[j], column, shared);
}

CLP_INLINE CLP_COUNT clp_shuffle_up_count(CLP_COUNT count, uint distance) {
#if CLP_WIDE
    const uint low = clp_shuffle_up_word((uint)count, distance);
    return (ulong)clp_shuffle_up_word((uint)(count >> 32), distance) << 32 | low;
#else
    return clp_shuffle_up_word(count, distance);
#endif
}

/* In live: a digit has so large a share of the keys that atomics on its counter would wait in line.
 */
#define CLP_LOPSIDED 2
#define CLP_MOST_SHARE 20

/* Bits of a digit, above the two of live, that tell the digits apart that some key has: by one
 * sub-group, whose lanes have CLP_ROW_GROUPS digits each. A bit is left out where no two of them
 * differ in that bit alone, of those that are left. */
#define CLP_TELLING 8
CLP_INLINE uint clp_telling_bits(uint used) {
    const uint lower[3] = {0x55, 0x33, 0x0f};
    uint telling = 0;
    CLP_UNROLL
    for (uint bit = 0; bit < 8; bit++) {
        const uint own = bit < 3 ? lower[bit] : 0, by = 1u << bit;
        const uint others = bit < 3 ? (used >> by & own) | (used & own) << by
                                    : clp_shuffle_word(used, clp_lane() ^ by / CLP_ROW_GROUPS);
        if (clp_ballot((used & others) != 0) != 0)
            telling |= by;
        else
            used |= others;
    }
    return telling;
}

/* One sub-group a pass: sums become the places where digits begin, and are cleared for the next
 * run. */
CLP_INLINE void clp_set_bases(uint pass, ulong n, volatile global CLP_COUNT *sums,
                              global CLP_COUNT *bases, global uint *live) {
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
    CLP_COUNT before = sum;
    CLP_UNROLL
    for (uint distance = 1; distance < 32; distance *= 2) {
        const CLP_COUNT lower = clp_shuffle_up_count(before, distance);
        if (lane >= distance) before += lower;
    }
    before -= sum;
    CLP_UNROLL
    for (uint j = 0; j < CLP_ROW_GROUPS; j++) {
        bases[at + j] = before;
        before += counts[j];
    }
    const bool any_alike = clp_ballot(alike) != 0, any_lopsided = clp_ballot(lopsided) != 0;
    const uint telling = clp_telling_bits(used);
    if (lane != 0) return;
    live[pass] = any_alike ? 0 : (any_lopsided ? CLP_LOPSIDED : 1) | telling << CLP_TELLING;
}

/* Words of live, behind those that say which passes have something to do: the tickets of each pass;
 * how many work-groups have counted; whether clp_shares_bits is true of a key, and the same
 * while they are looked for. */
#define CLP_TICKETS CLP_PASSES
#define CLP_COUNTED (2 * CLP_PASSES)
#define CLP_SHARED (2 * CLP_PASSES + 1)
#define CLP_SHARED_SEEN (2 * CLP_PASSES + 2)

#if !CLP_PASS_ONLY
/* sums: 0 between runs. state: words of the first pass, which are cleared. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_onesweep_digits(const global CLP_K *keys_in, ulong keys_first,
                              CLP_N_REPORT_PARAMETERS, global CLP_COUNT *sums,
                              global CLP_COUNT *bases, global uint *live, global uint4 *state,
                              ulong state_quads) {
    const ulong n = CLP_N_REPORTED;
    local uint counts[CLP_PASSES * CLP_ROW * CLP_COLUMNS] __attribute__((aligned(1024)));
    local uint done[1];
    const uint lane = (uint)get_local_id(0);
    const ulong id = get_global_id(0), size = get_global_size(0);
    const global CLP_K *keys = keys_in + keys_first;
    local uint *column = counts + (lane & (CLP_COLUMNS - 1));
    uint shared = 0;
    for (uint i = lane; i < CLP_PASSES * CLP_ROW * CLP_COLUMNS / 4; i += CLP_GROUP) {
        ((local uint4 *)counts)[i] = (uint4)(0);
    }
    for (ulong i = id; i < state_quads; i += size) state[i] = (uint4)(0);
    barrier(CLK_LOCAL_MEM_FENCE); /* counts, cleared above, counted below */
    const ulong skip = (16 - ((ulong)keys & 15)) % 16 / CLP_K_BYTES;
    const ulong head = min(n, skip), quads = (n - head) / CLP_QUAD_KEYS;
    const ulong tail = head + quads * CLP_QUAD_KEYS;
    const global uint4 *quad = (const global uint4 *)(keys + head);
    ulong i = get_group_id(0) * 4 * CLP_GROUP + lane;
    for (; i + 3 * CLP_GROUP < quads; i += 4 * size) {
        uint4 now[4];
        CLP_UNROLL
        for (uint j = 0; j < 4; j++) now[j] = clp_load_stream(quad + i + j * CLP_GROUP);
        CLP_UNROLL
        for (uint j = 0; j < 4; j++) clp_count_quad(now[j], column, &shared);
    }
    for (; i < quads; i += CLP_GROUP) clp_count_quad(quad[i], column, &shared);
    if (id < head) clp_count_digits(keys[id], column, &shared);
    if (id < n - tail) clp_count_digits(keys[tail + id], column, &shared);
    if (CLP_BITS_ARE_SHARED && shared != 0) live[CLP_SHARED_SEEN] = 1;
    barrier(CLK_LOCAL_MEM_FENCE); /* counts, counted above, summed below */
    for (uint d = lane; d < CLP_PASSES * CLP_ROW; d += CLP_GROUP) {
        const uint shift = clp_shift_of(d / CLP_ROW), bits = clp_bits_of(shift);
        uint sum = 0;
        for (uint c = 0; c < CLP_COLUMNS; c++) {
            sum += counts[d * CLP_COLUMNS + ((c + lane) & (CLP_COLUMNS - 1))];
        }
        if (sum > 0) CLP_ADD_COUNT(&sums[d ^ clp_flip_of(shift, bits)], sum);
    }
    clp_device_fence(); /* sums, before the last group reads them */
    barrier(CLK_GLOBAL_MEM_FENCE); /* sums of this group, added above, before it is counted */
    if (lane == 0) done[0] = atomic_inc(&live[CLP_COUNTED]); /* with the other groups' */
    barrier(CLK_LOCAL_MEM_FENCE); /* done, written above, read below */
    if (done[0] != get_num_groups(0) - 1) return;
    clp_device_fence(); /* sums of all groups, which were added before they were counted */
    const uint pass = clp_subgroup_number();
    if (pass < CLP_PASSES) clp_set_bases(pass, n, sums, bases, live);
    if (lane < CLP_PASSES) live[CLP_TICKETS + lane] = 0;
    if (lane == 0) {
        live[CLP_COUNTED] = 0;
        live[CLP_SHARED] = ((volatile global uint *)live)[CLP_SHARED_SEEN];
        live[CLP_SHARED_SEEN] = 0;
    }
}

/* ---- Keys of a byte ---- */

#if CLP_K_BYTES == 1
/* The digit at place i. */
CLP_INLINE uint clp_digit_of_place(const local CLP_COUNT *begins, ulong i) {
    uint digit = 0;
    CLP_UNROLL
    for (uint step = CLP_ROW / 2; step > 0; step /= 2) {
        if (begins[digit + step] <= i) digit += step;
    }
    return digit;
}

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
    const ulong head = min(n, (16 - ((ulong)to & 15)) % 16), quads = (n - head) / 16;
    for (ulong q = get_global_id(0); q < quads; q += get_global_size(0)) {
        const ulong i = head + 16 * q;
        uint digit = clp_digit_of_place(begins, i);
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
    if (id < head) to[id] = (CLP_K)(clp_digit_of_place(begins, id) ^ flip);
    if (id < n - tail) to[tail + id] = (CLP_K)(clp_digit_of_place(begins, tail + id) ^ flip);
}
#endif
#endif
