/* SPDX-License-Identifier: MIT */
/*
 * Top-k of one array by a guess. Elements are compared by their ordered keys, the lower key first,
 * and equal keys by their indices, so that no two are alike. In order of the launches:
 *   sample   one element at a random place of each stride; the first one of each cell of them
 *   guess    the cell's element whose rank is about the sample's share of k, and a margin
 *   gather   elements up to the guess are candidates, in any order: the only reading of all; if
 *            there is room for all elements, all are, in order
 *   select   if there are fewer than k candidates, or more than there is room for: the k-th
 *            element, digit by digit, and gather again. Places are hashed, so that only arrays
 *            that are adversarial to the hash need it
 *   write    the first k of the candidates, which were sorted
 * No work-group waits for another one.
 */

/* Words of state. */
#define CLP_STATE_N 0 /* the number of elements; 0 if it exceeds the call's n */
#define CLP_STATE_K 1 /* the number of wanted elements, at most n */
#define CLP_STATE_CELLS 2 /* 0: all elements are candidates */
#define CLP_STATE_RANK 3 /* of the guess among the cells, counted from 1 */
#define CLP_STATE_INDEX 4 /* the last candidate's */
#define CLP_STATE_TURN 5 /* which gather has work */
#define CLP_STATE_TOTAL 6 /* candidates */

#if CLP_GROUP == 1
#define CLP_TOPK_BARRIER ((void)0)
#else
#define CLP_TOPK_BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#endif

/* What all kernels take. keys, indices: of the cells, then of the candidates. room: for these. */
#define CLP_TOPK_PARAMETERS                                                                        \
    const global CLP_K *in, ulong in_first, global ulong *state, volatile global uint *found,      \
        global CLP_WORD *keys, global CLP_COUNT *indices, ulong room

/* ---- Elements, as they are sorted ---- */

#if CLP_PACKED
/* The ordered key above the index. */
CLP_INLINE void clp_topk_put(global CLP_WORD *keys, global CLP_COUNT *indices, ulong at, CLP_K raw,
                             ulong index) {
    keys[at] = (ulong)clp_ordered(raw) << 32 | index;
}

CLP_INLINE CLP_K clp_topk_key(const global CLP_WORD *keys, ulong at) {
    return (CLP_K)(keys[at] >> 32);
}

CLP_INLINE ulong clp_topk_index(const global CLP_WORD *keys, const global CLP_COUNT *indices,
                                ulong at) {
    return (uint)keys[at];
}
#else
CLP_INLINE void clp_topk_put(global CLP_WORD *keys, global CLP_COUNT *indices, ulong at, CLP_K raw,
                             ulong index) {
    keys[at] = raw;
    indices[at] = (CLP_COUNT)index;
}

CLP_INLINE CLP_K clp_topk_key(const global CLP_WORD *keys, ulong at) {
    return clp_ordered(keys[at]);
}

CLP_INLINE ulong clp_topk_index(const global CLP_WORD *keys, const global CLP_COUNT *indices,
                                ulong at) {
    return indices[at];
}
#endif

/* ---- The guess ---- */

#define CLP_SAMPLED_TOGETHER 16
#define CLP_FRACTION 18 /* bits, of the distance between sampled elements */

/* A sample of cells * each elements. */
typedef struct clp_sample {
    ulong cells, each, rank, step;
} clp_sample;

/* The share of k is an eighth of the cells at most: few cells have two of the first elements. The
 * margin is five standard deviations. */
CLP_INLINE clp_sample clp_sample_of(ulong n, ulong k, ulong room) {
    clp_sample sample = {0, 0, 0, 0};
    if (n <= room) return sample;
    const ulong of_k = n * max(CLP_CELLS / 8, 1u) / k;
    const ulong most = max(min(min((ulong)CLP_SAMPLE, n / 4), of_k), 1ul);
    sample.cells = min((ulong)CLP_CELLS, most);
    sample.each = most / sample.cells;
    const ulong share = k * sample.cells * sample.each / n + 1;
    ulong root = 1;
    while (root * root < share) root++;
    sample.rank = min(share + 5 * root + 3, sample.cells);
    sample.step = (n << CLP_FRACTION) / (sample.cells * sample.each);
    return sample;
}

/* The index of sample s: a hash chooses it within the s-th stride, so that no regular input makes
 * the sample unlike the whole. */
CLP_INLINE ulong clp_sample_place(clp_sample sample, ulong s) {
    const uint mixed = ((uint)s ^ (uint)s >> 15) * 0x9e3779b9u;
    const uint random = (mixed ^ mixed >> 13) * 0x85ebca6bu;
    return (s * sample.step >> CLP_FRACTION) + (random * (sample.step >> CLP_FRACTION) >> 32);
}

/* The index of the first one of a cell's elements. The last one may be read several times. */
CLP_INLINE ulong clp_sample_cell(const global CLP_K *from, clp_sample sample, ulong cell) {
    ulong first = ~0ul;
    CLP_K least = ~(CLP_K)0;
    for (ulong begin = 0; begin < sample.each; begin += CLP_SAMPLED_TOGETHER) {
        CLP_K keys[CLP_SAMPLED_TOGETHER];
        ulong places[CLP_SAMPLED_TOGETHER];
        CLP_UNROLL for (uint j = 0; j < CLP_SAMPLED_TOGETHER; j++) {
            const ulong s = min(begin + j, sample.each - 1) * sample.cells + cell;
            places[j] = clp_sample_place(sample, s);
            keys[j] = from[places[j]];
        }
        CLP_UNROLL for (uint j = 0; j < CLP_SAMPLED_TOGETHER; j++) {
            const CLP_K key = clp_ordered(keys[j]);
            if (!clp_precedes(key, places[j], least, first)) continue;
            least = key;
            first = places[j];
        }
    }
    return first;
}

/* A sub-group's work-items have cells of a work-group each: their reads are far apart anyway. */
CLP_KERNEL(CLP_GROUP)
void clp_topk_sample(CLP_TOPK_PARAMETERS, ulong wanted, ulong most CLP_COUNT_PARAMETERS,
                     global clp_report *report, ulong report_first) {
    const ulong read =
        clp_read_count(most, counted, counted_first, report != 0 ? report + report_first : report);
    const ulong n = read == CLP_REFUSED ? 0 : read, k = min(wanted, n);
    const clp_sample sample = clp_sample_of(n, k, room);
    const ulong groups = get_num_groups(0);
    for (ulong cell = get_local_id(0) * groups + get_group_id(0); cell < sample.cells;
         cell += CLP_GROUP * groups) {
        const ulong first = clp_sample_cell(in + in_first, sample, cell);
        clp_topk_put(keys, indices, cell, in[in_first + first], first);
    }
    if (get_global_id(0) > 0) return;
    state[CLP_STATE_N] = n;
    state[CLP_STATE_K] = k;
    state[CLP_STATE_CELLS] = sample.cells;
    state[CLP_STATE_RANK] = sample.rank;
    state[CLP_STATE_TURN] = 0;
    state[CLP_STATE_TOTAL] = min(n, room);
    found[0] = 0;
}

/* A work-group counts the cells before its own one. */
CLP_KERNEL(CLP_GROUP)
void clp_topk_guess(CLP_TOPK_PARAMETERS) {
    local uint before[1];
    const uint lane = (uint)get_local_id(0);
    const ulong cells = state[CLP_STATE_CELLS], rank = state[CLP_STATE_RANK];
    for (ulong cell = get_group_id(0); cell < cells; cell += get_num_groups(0)) {
        const CLP_K key = clp_topk_key(keys, cell);
        const ulong index = clp_topk_index(keys, indices, cell);
        uint count = 0;
        if (lane == 0) before[0] = 0;
        CLP_TOPK_BARRIER; /* before, cleared above, added to below */
        for (ulong c = lane; c < cells; c += CLP_GROUP) {
            count +=
                clp_precedes(clp_topk_key(keys, c), clp_topk_index(keys, indices, c), key, index);
        }
        atomic_add(before, count); /* with the group's others */
        CLP_TOPK_BARRIER; /* before, added to above, read below by the one that clears it */
        if (lane == 0 && before[0] == rank - 1) state[CLP_STATE_INDEX] = index;
    }
}

/* ---- Candidates ---- */

#define CLP_TILE (CLP_GROUP * CLP_ITEMS)

/* A work-group takes the places of a tile's candidates by one atomic. found: the number of
 * candidates, including those without room. Once it exceeds the room, no work-group adds to it, so
 * that it can't wrap around. */
CLP_KERNEL(CLP_GROUP)
void clp_topk_gather(CLP_TOPK_PARAMETERS, uint turn) {
    local uint count[1], base[1];
    const uint lane = (uint)get_local_id(0);
    const bool works = state[CLP_STATE_TURN] == turn;
    const ulong end = works ? state[CLP_STATE_N] : 0;
    const bool takes_all = end == 0 || state[CLP_STATE_CELLS] == 0;
    const global CLP_K *from = in + in_first;
    if (takes_all) { /* in order */
        for (ulong i = get_global_id(0); i < end; i += get_global_size(0)) {
            clp_topk_put(keys, indices, i, from[i], i);
        }
        if (works && get_global_id(0) == 0) found[0] = (uint)end;
        return;
    }
    const ulong last = state[CLP_STATE_INDEX];
    const CLP_K key = clp_ordered(from[last]);
    for (ulong tile = get_group_id(0); tile * CLP_TILE < end; tile += get_num_groups(0)) {
        const ulong first = tile * CLP_TILE + lane;
        bool any = first + (CLP_ITEMS - 1) * CLP_GROUP >= end;
        uint mask = 0;
        if (lane == 0) count[0] = 0;
        CLP_TOPK_BARRIER; /* count, cleared above, added to below */
        if (!any) {
            CLP_UNROLL for (uint j = 0; j < CLP_ITEMS; j++) {
                any |= clp_ordered(from[first + j * CLP_GROUP]) <= key;
            }
        }
        for (uint j = 0; j < CLP_ITEMS && any; j++) {
            const ulong i = first + j * CLP_GROUP;
            if (i < end && !clp_precedes(key, last, clp_ordered(from[i]), i)) mask |= 1u << j;
        }
        uint place = 0;
        if (mask != 0) place = atomic_add(count, (uint)popcount(mask)); /* with the group's */
        CLP_TOPK_BARRIER; /* count, added to above, read below */
        if (lane == 0 && count[0] > 0) {
            base[0] = atomic_or(found, 0u) > room ? (uint)room : atomic_add(found, count[0]);
        }
        CLP_TOPK_BARRIER; /* base, written above, read below; count, which the next tile clears */
        for (uint j = 0; j < CLP_ITEMS && mask != 0; j++) {
            const ulong i = first + j * CLP_GROUP, to = (ulong)base[0] + place;
            if ((mask >> j & 1) == 0) continue;
            if (to < room) clp_topk_put(keys, indices, to, from[i], i);
            place++;
        }
    }
}

/* ---- The k-th element, where the guess was wrong ---- */

#define CLP_DIGITS 256

/* The k-th element, as far as its digits are known; how often each next digit occurs, the halves of
 * a sum; the k-th one's rank among the elements with the known digits. */
typedef struct clp_selection {
    uint low[CLP_DIGITS], high[CLP_DIGITS];
    ulong key, index, left;
} clp_selection;

CLP_INLINE void clp_topk_count(local clp_selection *s, CLP_K raw, ulong i, bool of_index,
                               uint shift) {
    const ulong key = clp_ordered(raw), digits = of_index ? i : key;
    const ulong known = of_index ? s->index : s->key;
    if ((of_index && key != s->key) || (digits ^ known) >> shift >> 8 != 0) return;
    const uint digit = (uint)(digits >> shift) & (CLP_DIGITS - 1);
    if (atomic_inc(&s->low[digit]) == ~0u) atomic_inc(&s->high[digit]); /* with the group's */
}

CLP_INLINE void clp_topk_choose(local clp_selection *s, bool of_index, uint shift) {
    ulong digit = 0;
    for (; digit < CLP_DIGITS - 1; digit++) {
        const ulong count = (ulong)s->high[digit] << 32 | s->low[digit];
        if (s->left <= count) break;
        s->left -= count;
    }
    if (of_index) {
        s->index |= digit << shift;
    } else {
        s->key |= digit << shift;
    }
}

/* One work-group. */
CLP_KERNEL(CLP_GROUP)
void clp_topk_select(CLP_TOPK_PARAMETERS) {
    local clp_selection selection;
    const uint lane = (uint)get_local_id(0), candidates = found[0];
    const ulong n = state[CLP_STATE_N], k = state[CLP_STATE_K];
    const bool is_right = candidates >= k && candidates <= room;
    const uint passes = is_right ? 0 : CLP_K_BYTES + (uint)sizeof(CLP_COUNT);
    if (lane == 0) {
        selection.key = selection.index = 0;
        selection.left = k;
    }
    for (uint pass = 0; pass < passes; pass++) {
        const bool of_index = pass >= CLP_K_BYTES;
        const uint shift = 8 * ((of_index ? passes : CLP_K_BYTES) - 1 - pass);
        for (uint b = lane; b < CLP_DIGITS; b += CLP_GROUP)
            selection.low[b] = selection.high[b] = 0;
        CLP_TOPK_BARRIER; /* counts, cleared above, added to below; what is known, read below */
        for (ulong first = lane; first < n; first += CLP_TILE) {
            CLP_K raw[CLP_ITEMS];
            CLP_UNROLL for (uint j = 0; j < CLP_ITEMS; j++) {
                raw[j] = in[in_first + min(first + j * CLP_GROUP, n - 1)];
            }
            CLP_UNROLL for (uint j = 0; j < CLP_ITEMS; j++) {
                const ulong i = first + j * CLP_GROUP;
                if (i < n) clp_topk_count(&selection, raw[j], i, of_index, shift);
            }
        }
        CLP_TOPK_BARRIER; /* counts, added to above, read below */
        if (lane == 0) clp_topk_choose(&selection, of_index, shift);
        CLP_TOPK_BARRIER; /* counts, read above, cleared by the next pass */
    }
    if (lane > 0) return;
    state[CLP_STATE_TOTAL] = is_right ? candidates : k;
    if (is_right) return;
    state[CLP_STATE_INDEX] = selection.index;
    state[CLP_STATE_TURN] = 1;
    found[0] = 0;
}

/* ---- The result, from the sorted candidates ---- */

CLP_KERNEL(CLP_GROUP)
void clp_topk_write(CLP_TOPK_PARAMETERS, const global clp_topk_element *elements,
                    ulong elements_first, global clp_topk_element *values, ulong values_first,
                    global CLP_INDEX *out, ulong out_first) {
    const ulong k = state[CLP_STATE_K];
    for (ulong i = get_global_id(0); i < k; i += get_global_size(0)) {
        const ulong index = clp_topk_index(keys, indices, i);
        if (CLP_KEYS_ARE_ELEMENTS) {
            ((global CLP_WORD *)values)[values_first + i] = keys[i];
        } else if (!CLP_NO_VALUES) {
            values[values_first + i] = elements[elements_first + index];
        }
        if (CLP_HAS_INDICES) out[out_first + i] = (CLP_INDEX)index;
    }
}
