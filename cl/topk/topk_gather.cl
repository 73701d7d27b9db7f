/* SPDX-License-Identifier: MIT */
/*
 * Top-k's candidates: the elements up to the threshold, gathered in any order; sorts follow.
 *
 * No work-group waits for another. The last one to end decides whether the candidates are right.
 * Local memory: a tile's count and its first position.
 */

/* One work-item, after all work-groups: are the candidates right? If so, their number goes to the
 * sorts. If not, the threshold was a guess, and the passes start from nothing. */
CLP_INLINE void clp_topk_classify(volatile global ulong *state, volatile global uint *found,
                                  global ulong *total, ulong room) {
    const uint candidates = found[0];
    if (candidates >= state[CLP_STATE_K] && candidates <= room) {
        total[0] = candidates;
        state[CLP_STATE_PHASE] = CLP_PHASE_SORTS;
    } else {
        CLP_ASSERT(state[CLP_STATE_GUESS] != 0);
        state[CLP_STATE_KEY] = 0;
        state[CLP_STATE_INDEX] = ~0ul;
        state[CLP_STATE_PHASE] = CLP_PHASE_COUNTS;
        state[CLP_STATE_GUESS] = 0;
        found[0] = 0;
    }
}

/* The end of each work-group: the last one to get here classifies the candidates. All work-groups
 * of a launch have the same `works`. A macro because it takes the kernel's parameters, and its
 * barrier stays at the kernel's top level. */
#define CLP_CLASSIFY_IF_LAST                                                                       \
    clp_device_fence(); /* candidates above, ticket below; with the last group's */                \
    CLP_TOPK_BARRIER_GLOBAL; /* candidates above, added by all; ticket below, by one */            \
    if (works && lane == 0 && clp_is_last_group(found + CLP_TICKETS, get_num_groups(0))) {         \
        clp_device_fence(); /* ticket above, candidates below; with the other groups' */           \
        clp_topk_classify(state, found, total, room);                                              \
    }

CLP_INLINE bool clp_topk_is_candidate(CLP_K raw, ulong i, CLP_K key, ulong index) {
    const CLP_K own = clp_ordered(raw);
    return own < key || (own == key && i <= index);
}

/* ---- A work-group takes the positions of a tile by one atomic ---- */

#if CLP_STAYS
#define CLP_EACH_TILE                                                                              \
    for (ulong tile = get_group_id(0); tile * CLP_TILE < end; tile += get_num_groups(0))
#else
#define CLP_EACH_TILE const ulong tile = get_group_id(0);
#endif
#define CLP_TILE (CLP_GROUP * CLP_ITEMS)

/* found: the number of candidates, including candidates without room. Once it exceeds the room, no
 * work-group adds to it, so that it can't wrap around. */
CLP_KERNEL(CLP_GROUP)
void clp_topk_gather(const global CLP_K *in, ulong in_first, global ulong *state,
                     volatile global uint *found, global CLP_K *keys, global CLP_COUNT *indices,
                     global ulong *total, ulong room) {
    local uint count[1], base[1];
    const uint lane = (uint)get_local_id(0);
    const bool works = state[CLP_STATE_PHASE] == CLP_PHASE_GATHERS;
    const ulong end = works ? state[CLP_STATE_N] : 0;
    const CLP_K key = (CLP_K)state[CLP_STATE_KEY];
    const ulong index = state[CLP_STATE_INDEX];
    const global CLP_K *from = in + in_first;
    CLP_EACH_TILE {
        const ulong first = tile * CLP_TILE + lane;
        uint mask = 0;
        if (lane == 0) count[0] = 0;
        CLP_TOPK_BARRIER; /* count, cleared above, added to below */
        CLP_UNROLL for (uint j = 0; j < CLP_ITEMS; j++) {
            const ulong i = first + j * CLP_GROUP;
            if (i < end && clp_topk_is_candidate(from[i], i, key, index)) mask |= 1u << j;
        }
        uint place = 0;
        if (mask != 0) place = atomic_add(count, (uint)popcount(mask));
        CLP_TOPK_BARRIER; /* count, added to above, read below */
        if (lane == 0 && count[0] > 0) {
            base[0] = atomic_or(found, 0u) > room ? (uint)room : atomic_add(found, count[0]);
        }
        CLP_TOPK_BARRIER; /* base, written above, read below; count, which the next tile clears */
        for (uint j = 0; j < CLP_ITEMS && mask != 0; j++) {
            const ulong i = first + j * CLP_GROUP, to = (ulong)base[0] + place;
            if ((mask >> j & 1) == 0) continue;
            if (to < room) {
                keys[to] = from[i];
                indices[to] = (CLP_COUNT)i;
            }
            place++;
        }
    }
    CLP_CLASSIFY_IF_LAST
}

/* ---- The result, from the sorted candidates ---- */

CLP_KERNEL(CLP_GROUP)
void clp_topk_write(const global CLP_K *keys, const global CLP_COUNT *indices,
                    const global ulong *state, global CLP_K *values, ulong values_first,
                    global CLP_INDEX *out, ulong out_first) {
    const ulong k = state[CLP_STATE_K];
    for (ulong i = get_global_id(0); i < k; i += get_global_size(0)) {
        if (!CLP_NO_KEYS) values[values_first + i] = keys[i];
        if (CLP_HAS_INDICES) out[out_first + i] = (CLP_INDEX)indices[i];
    }
}
