/* SPDX-License-Identifier: MIT */
/*
 * Few keys, by one work-group in one launch: all passes in local memory. The keys move; where each
 * one came from moves with it, and tells at the end where its values are. Ranks are found and
 * checked as in a pass over many keys.
 */
#define CLP_FEW_ITEMS (CLP_FEW / CLP_GROUP)
#define CLP_FEW_RANKERS (CLP_GROUP / 32)

#if CLP_FEW > 0
typedef struct clp_few {
    local uint *counters; /* a row for each sub-group */
    local uint *sums; /* of 32 digits each */
    local CLP_K *ordered;
    local uint *words; /* the digit times 4 above the key's number in the order before */
    local ushort *origins; /* the key's number in the input */
    uint rows; /* of a sub-group's keys */
    uint below, above; /* lanes */
} clp_few;

CLP_INLINE uint clp_few_item(const clp_few *few, uint row) {
    return (clp_subgroup_number() * few->rows + row) * 32 + clp_lane();
}

CLP_INLINE uint clp_few_counters(const clp_few *few) {
    return clp_local_address(few->counters + clp_subgroup_number() * CLP_ROW);
}

CLP_INLINE void clp_few_count(const clp_few *few, const CLP_K *keys, clp_cut cut) {
    clp_clear_counters(few->counters);
    const uint at = clp_few_counters(few) ^ cut.flip;
    CLP_UNROLL
    for (uint i = 0; i < CLP_FEW_ITEMS; i++) {
        if (i < few->rows) clp_count_at(clp_digit_at(keys[i], cut, at, false));
    }
}

/* By the first work-items, one a digit: the digit's count; sums of 32 digits. */
CLP_INLINE uint clp_few_sum(const clp_few *few) {
    const uint digit = (uint)get_local_id(0);
    uint sum = 0;
    CLP_UNROLL
    for (uint w = 0; w < CLP_FEW_RANKERS; w++) sum += few->counters[w * CLP_ROW + digit];
    const uint before = clp_sum_to_lane(sum);
    if (clp_lane() == 31) few->sums[digit / 32] = before;
    return before - sum;
}

/* Counts become slots. before: keys of lower digits within the 32. */
CLP_INLINE void clp_few_set(const clp_few *few, uint before) {
    const uint digit = (uint)get_local_id(0);
    uint slot = before;
    CLP_UNROLL
    for (uint g = 0; g < CLP_ROW_GROUPS - 1; g++) {
        if (g < digit / 32) slot += few->sums[g];
    }
    CLP_UNROLL
    for (uint w = 0; w < CLP_FEW_RANKERS; w++) {
        const uint count = few->counters[w * CLP_ROW + digit];
        few->counters[w * CLP_ROW + digit] = slot;
        slot += count;
    }
}

CLP_INLINE void clp_few_rank(const clp_few *few, const CLP_K *keys, const ushort *origins,
                             clp_cut cut) {
    const uint at = clp_few_counters(few) ^ cut.flip;
    CLP_UNROLL
    for (uint i = 0; i < CLP_FEW_ITEMS; i++) {
        if (i < few->rows) {
            const uint counter = clp_digit_at(keys[i], cut, at, false);
            const uint slot = clp_add_at(counter, 1);
            few->ordered[slot] = keys[i];
            few->words[slot] = (counter & 4 * (CLP_ROW - 1)) << 16 | clp_few_item(few, i);
            if (CLP_VALUES > 0) few->origins[slot] = origins[i];
        }
    }
}

CLP_INLINE void clp_few_exchange(const clp_few *few, uint slot) {
    const CLP_K key = few->ordered[slot];
    const uint word = few->words[slot];
    few->ordered[slot] = few->ordered[slot + 1];
    few->words[slot] = few->words[slot + 1];
    few->ordered[slot + 1] = key;
    few->words[slot + 1] = word;
    if (CLP_VALUES > 0) {
        const ushort origin = few->origins[slot];
        few->origins[slot] = few->origins[slot + 1];
        few->origins[slot + 1] = origin;
    }
}

/* Puts keys with the same digit in the order that they had, where atomics were not served so. */
CLP_INLINE void clp_few_repair(const clp_few *few) {
    const uint lane = (uint)get_local_id(0), count = few->rows * CLP_GROUP;
    bool bad = false;
    CLP_UNROLL
    for (uint i = 0; i < CLP_FEW_ITEMS; i++) {
        const uint slot = i * CLP_GROUP + lane;
        if (i < few->rows && slot + 1 < count) bad |= few->words[slot] > few->words[slot + 1];
    }
    while (clp_any_of(0, CLP_FEW_RANKERS, bad)) {
        bad = false;
        for (uint odd = 0; odd < 2; odd++) {
            for (uint slot = 2 * lane + odd; slot + 1 < count; slot += 2 * CLP_GROUP) {
                if (few->words[slot] > few->words[slot + 1]) {
                    clp_few_exchange(few, slot);
                    bad = true;
                }
            }
            CLP_ROLE_BARRIER(0, CLP_FEW_RANKERS); /* the other neighbours */
        }
    }
}

CLP_INLINE void clp_few_take(const clp_few *few, CLP_K *keys, ushort *origins) {
    CLP_UNROLL
    for (uint i = 0; i < CLP_FEW_ITEMS; i++) {
        if (i < few->rows) {
            const uint item = clp_few_item(few, i);
            keys[i] = few->ordered[item];
            if (CLP_VALUES > 0) origins[i] = few->origins[item];
        }
    }
}

#define CLP_FEW_PASS(pass)                                                                         \
    clp_few_count(&few, keys, clp_cut_of(pass));                                                   \
    barrier(CLK_LOCAL_MEM_FENCE); /* counters: clp_few_count with clp_few_sum */                   \
    if (lane < CLP_ROW) before = clp_few_sum(&few);                                                \
    barrier(CLK_LOCAL_MEM_FENCE); /* sums: clp_few_sum with clp_few_set */                         \
    if (lane < CLP_ROW) clp_few_set(&few, before);                                                 \
    barrier(CLK_LOCAL_MEM_FENCE); /* counters: clp_few_set with clp_few_rank */                    \
    clp_few_rank(&few, keys, origins, clp_cut_of(pass));                                           \
    barrier(CLK_LOCAL_MEM_FENCE); /* slots: clp_few_rank with clp_few_repair */                    \
    clp_few_repair(&few);                                                                          \
    clp_few_take(&few, keys, origins);                                                             \
    barrier(CLK_LOCAL_MEM_FENCE); /* slots: clp_few_take with the next clp_few_rank */

#define CLP_FEW_VALUES(k)                                                                          \
    CLP_UNROLL                                                                                     \
    for (uint i = 0; i < CLP_FEW_ITEMS; i++) {                                                     \
        const uint item = clp_few_item(&few, i);                                                   \
        if (i < few.rows && item < n) to##k[item] = CLP_VALUE##k##_AT(from##k, true, origins[i]);  \
    }
#define CLP_FEW_COPY(k)                                                                            \
    for (uint i = lane; i < n; i += CLP_GROUP) to##k[i] = from##k[i];

/* In place the spare copies take the values first, as all must be read before one is written. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_onesweep_single(CLP_ARRAY_PARAMETERS, CLP_N_REPORT_PARAMETERS, uint in_place) {
    const ulong n = CLP_N_REPORTED;
    local uint counters[CLP_FEW_RANKERS * CLP_ROW] __attribute__((aligned(1024)));
    local CLP_K ordered[CLP_FEW];
    local uint words[CLP_FEW];
    local ushort all_origins[CLP_VALUES > 0 ? CLP_FEW : 1];
    local uint sums[CLP_ROW_GROUPS];
    const uint lane = (uint)get_local_id(0);
    clp_few few = {counters, sums, ordered, words, all_origins, 0, 0, 0};
    few.rows = ((uint)n + CLP_GROUP - 1) / CLP_GROUP;
    CLP_K keys[CLP_FEW_ITEMS];
    ushort origins[CLP_FEW_ITEMS];
    uint before = 0;
    const global CLP_K *in = keys_in + keys_in_first;
    CLP_UNROLL
    for (uint i = 0; i < CLP_FEW_ITEMS; i++) {
        const uint item = clp_few_item(&few, i);
        keys[i] = i < few.rows && item < n ? clp_enter(in[item]) : CLP_FILL;
        origins[i] = (ushort)item;
    }
    CLP_EACH_PASS(CLP_FEW_PASS)
    const bool by_spare = in_place != 0 && CLP_VALUES > 0;
    clp_role role;
    role.is_last = true;
    role.from = CLP_IN;
    role.to = by_spare ? CLP_SPARE : CLP_OUT;
    CLP_MOVES
    CLP_UNROLL
    for (uint i = 0; i < CLP_FEW_ITEMS; i++) {
        const uint item = clp_few_item(&few, i);
        if (keeps && i < few.rows && item < n) to[item] = clp_leave(keys[i]);
    }
    CLP_EACH_VALUE(CLP_FEW_VALUES)
    if (!by_spare) return;
    barrier(CLK_GLOBAL_MEM_FENCE); /* spare copies, written above, read below */
    role.from = CLP_SPARE;
    role.to = CLP_OUT;
    {
        CLP_MOVES
        for (uint i = lane; keeps && i < n; i += CLP_GROUP) to[i] = from[i];
        CLP_EACH_VALUE(CLP_FEW_COPY)
    }
}
#endif
