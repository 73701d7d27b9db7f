/* SPDX-License-Identifier: MIT */
/*
 * Top-k of one array by a guess. Elements are compared by their ordered keys, the lower key first,
 * and equal keys by their indices, so that no two are alike. A work-group goes through these parts:
 *   cells    sampled elements, one at a random place of each stride, or all of few elements, are
 *            dealt out to cells by a hash of their rows; the first one of each cell is published
 *   guess    the first cells' elements, about the sample's share of k and a margin, end at the
 *            guess; where all are sampled, k elements are up to it
 *   gather   elements up to the guess are candidates, in any order
 *   finish   by the last work-group: the first k of the candidates, sorted, where k is small. If
 *            there are fewer than k candidates, or more than there is room for, it reads all
 *            elements. Places are hashed, so that only arrays that are adversarial to the hash
 *            need it
 * Greater k: sorts of the candidates follow, and a kernel that writes the first k of them.
 *
 * Few elements are finished by one work-group alone; where there is room for all, and k is great,
 * all are candidates, in order.
 *
 * Who waits: in one launch of all parts, each work-group for all cells. A work-group that has
 * waited for long makes all cells itself, as the others would; so it waits for nobody in the end.
 * Else the cells have a launch of their own.
 */
#define CLP_STEP_CELLS 1
#define CLP_STEP_REST 2

/* Words of state. */
#define CLP_STATE_N 0
#define CLP_STATE_K 1 /* the number of wanted elements, at most n */
#define CLP_STATE_TOTAL 2 /* candidates */

/* Words of `found`. */
#define CLP_CANDIDATES 0
#define CLP_DONE 1 /* work-groups that have gathered */

/* What a work-group knows of the run. */
typedef struct clp_topk {
    const global CLP_K *in;
    volatile global ulong *cells;
    volatile global uint *found;
    global CLP_WORD *keys; /* of the candidates */
    global CLP_COUNT *indices;
    ulong n, k, room;
} clp_topk;

CLP_INLINE void clp_topk_put(const clp_topk *run, ulong at, CLP_K raw, ulong index) {
#if CLP_PACKED
    run->keys[at] = (ulong)clp_ordered(raw) << 32 | index;
#elif CLP_SORTED > 0
    run->keys[at] = index;
#else
    run->keys[at] = raw;
    run->indices[at] = (CLP_COUNT)index;
#endif
}

/* ---- Cells ---- */

#define CLP_SAMPLED_TOGETHER 8
#define CLP_FRACTION 18 /* bits, of the distance between sampled elements */
#define CLP_NO_CELL 0 /* not published yet: words of cells have all bits flipped */
#define CLP_POLLS 512

/* A sample of cells * each elements, or of all n. cells, parts and own are powers of two. */
typedef struct clp_sample {
    ulong each; /* elements of a cell */
    ulong step; /* from one sampled element to the next, times 2^CLP_FRACTION */
    ulong rank, more; /* of the guess among the cells, from 1 on; and as clp_topk_limit takes it */
    uint cells, parts, own; /* parts: one for each of the first work-groups; own: cells of a part */
} clp_sample;

/* The share of k is an eighth of the cells at most: few cells have two of the first elements. The
 * margin is five standard deviations. */
CLP_INLINE void clp_sample_set(clp_sample *sample, ulong n, ulong k) {
    sample->step = 1ul << CLP_FRACTION;
    sample->rank = k;
    sample->more = k / 8 + 8;
    sample->cells = CLP_CELLS;
    sample->parts = 1;
    if (n <= CLP_SAMPLE_ALL && k <= CLP_CELLS / 4 && n >= CLP_CELLS) {
        sample->each = (n - 1) / CLP_CELLS + 1;
    } else {
        const ulong of_k = n * max(CLP_CELLS / 8, 1u) / k;
        const ulong most = max(min(min((ulong)CLP_SAMPLE, n / 4), of_k), 1ul);
        while (sample->cells > most) sample->cells /= 2;
        sample->each = most / sample->cells;
        const ulong share = k * sample->cells * sample->each / n + 1;
        ulong root = 1;
        while (root * root < share) root++;
        sample->rank = min(share + 5 * root + 3, (ulong)sample->cells);
        sample->more = 0;
        sample->step = (n << CLP_FRACTION) / (sample->cells * sample->each);
    }
    while (2 * sample->parts <= min((uint)get_num_groups(0), sample->cells)) sample->parts *= 2;
    sample->own = sample->cells / sample->parts;
}

CLP_INLINE uint clp_sample_hash(uint s) {
    const uint mixed = (s ^ s >> 15) * 0x9e3779b9u;
    return (mixed ^ mixed >> 13) * 0x85ebca6bu;
}

/* The index of the j-th element of a cell. A row of elements has one for each cell of a part. A
 * hash chooses the rows of a part, a row's cells, and an element within its stride, so that no
 * regular input makes the sample unlike the whole, or has its first elements in few cells. */
CLP_INLINE ulong clp_sample_place(const clp_sample *sample, uint part, uint cell, uint j) {
    const uint row = j * sample->parts + ((part + clp_sample_hash(j)) & (sample->parts - 1));
    const ulong s =
        (ulong)row * sample->own + ((cell + (clp_sample_hash(row) >> 8)) & (sample->own - 1));
    return (s * sample->step >> CLP_FRACTION) +
           ((ulong)clp_sample_hash((uint)s) * (sample->step >> CLP_FRACTION) >> 32) *
               (sample->step > 1ul << CLP_FRACTION);
}

/* The first one of a cell's elements from the `slice`-th one on, each `slices`-th. */
CLP_INLINE clp_item clp_sample_cell(const clp_topk *run, const clp_sample *sample, uint part,
                                    uint cell, uint slice, uint slices) {
    clp_item least = clp_item_of(~(CLP_K)0, CLP_LAST_INDEX);
    for (uint first = slice; first < sample->each; first += CLP_SAMPLED_TOGETHER * slices) {
        CLP_K keys[CLP_SAMPLED_TOGETHER];
        ulong places[CLP_SAMPLED_TOGETHER];
        CLP_UNROLL for (uint i = 0; i < CLP_SAMPLED_TOGETHER; i++) {
            const uint j = min(first + i * slices, (uint)sample->each - 1);
            places[i] = clp_sample_place(sample, part, cell, j);
            keys[i] = run->in[min(places[i], run->n - 1)];
        }
        CLP_UNROLL for (uint i = 0; i < CLP_SAMPLED_TOGETHER; i++) {
            const clp_item item = clp_item_of(clp_ordered(keys[i]), places[i]);
            if (places[i] < run->n && clp_item_precedes(item, least)) least = item;
        }
    }
    return least;
}

CLP_INLINE void clp_topk_publish(const clp_topk *run, ulong cell, clp_item item) {
    const ulong word = ~clp_topk_compared(item, true);
#if CLP_WAITS
    clp_publish(&run->cells[cell], word);
#else
    run->cells[cell] = word;
#endif
}

CLP_INLINE void clp_topk_make_cells(local clp_topk_shared *shared, const clp_topk *run,
                                    const clp_sample *sample, uint part) {
    const uint lane = (uint)get_local_id(0), own = sample->own;
    const uint slices = own < CLP_GROUP ? CLP_GROUP / own : 1;
    local clp_item *items = shared->space.items;
    for (uint t = lane; t < max(own, (uint)CLP_GROUP); t += CLP_GROUP) {
        const clp_item item = clp_sample_cell(run, sample, part, t % own, t / own, slices);
        if (slices == 1) clp_topk_publish(run, (ulong)part * own + t, item);
        items[lane] = item;
    }
    CLP_TOPK_BARRIER; /* items, written above, read below */
    for (uint apart = CLP_GROUP / 2; apart >= own; apart /= 2) {
        if (lane < apart && clp_item_precedes(items[lane + apart], items[lane])) {
            items[lane] = items[lane + apart];
        }
        CLP_TOPK_BARRIER; /* items, written above, read by the next round or below */
    }
    if (slices > 1 && lane < own) clp_topk_publish(run, (ulong)part * own + lane, items[lane]);
    CLP_TOPK_BARRIER; /* items, read above, written behind */
}

#if CLP_WAITS
CLP_INLINE void clp_topk_await_cells(local clp_topk_shared *shared, const clp_topk *run,
                                     const clp_sample *sample) {
    const uint lane = (uint)get_local_id(0);
    for (bool lacks = true; lacks;) {
        if (lane == 0) shared->word = 0;
        CLP_TOPK_BARRIER; /* word, cleared above, written below */
        for (uint c = lane; c < sample->cells; c += CLP_GROUP) {
            uint polls = 0;
            while (clp_observe(&run->cells[c]) == CLP_NO_CELL && polls < CLP_POLLS) polls++;
            if (polls == CLP_POLLS) shared->word = 1;
        }
        clp_device_fence();
        CLP_TOPK_BARRIER; /* word, written above, read below */
        lacks = shared->word != 0;
        CLP_TOPK_BARRIER; /* word, read above, written by the next round or behind */
        for (uint part = 0; part < sample->parts && lacks; part++) {
            clp_topk_make_cells(shared, run, sample, part);
        }
    }
}
#endif

/* ---- Candidates ---- */

#define CLP_TILE (CLP_GROUP * CLP_ITEMS)

/* A bit for each of a work-item's elements of a tile, from `first` on, that is up to the limit. */
CLP_INLINE uint clp_topk_mask(const clp_topk *run, ulong first, clp_item limit) {
    const CLP_K key = clp_item_key(limit);
    bool any = first + (CLP_ITEMS - 1) * CLP_GROUP >= run->n;
    uint mask = 0;
    if (!any) {
        CLP_K own[CLP_ITEMS];
        CLP_UNROLL for (uint j = 0; j < CLP_ITEMS; j++) own[j] = run->in[first + j * CLP_GROUP];
        CLP_UNROLL for (uint j = 0; j < CLP_ITEMS; j++) any |= clp_ordered(own[j]) <= key;
    }
    for (uint j = 0; j < CLP_ITEMS && any; j++) {
        const ulong i = first + j * CLP_GROUP;
        if (i >= run->n) break;
        if (clp_item_precedes(limit, clp_item_of(clp_ordered(run->in[i]), i))) continue;
        mask |= 1u << j;
    }
    return mask;
}

/* Where a work-item puts `count` candidates. Once the number of candidates exceeds the room, no
 * work-group adds to it, so that it can't wrap around. Of many, a work-group takes the places by
 * one atomic. */
CLP_INLINE ulong clp_topk_take_places(local clp_topk_shared *shared, const clp_topk *run,
                                      uint count) {
    volatile global uint *candidates = &run->found[CLP_CANDIDATES];
#if CLP_SORTED > 0
    if (count == 0) return 0;
    return *candidates > run->room ? run->room : atomic_add(candidates, count);
#else
    uint place = 0;
    if (get_local_id(0) == 0) shared->word = 0;
    CLP_TOPK_BARRIER; /* word, cleared above, added to below */
    if (count > 0) place = atomic_add(&shared->word, count); /* with the group's */
    CLP_TOPK_BARRIER; /* word, added to above, read below */
    if (get_local_id(0) == 0 && shared->word > 0) {
        shared->bin =
            *candidates > run->room ? (uint)run->room : atomic_add(candidates, shared->word);
    }
    CLP_TOPK_BARRIER; /* bin, written above, read below; word, which the next tile clears */
    return (ulong)shared->bin + place;
#endif
}

CLP_INLINE void clp_topk_gather(local clp_topk_shared *shared, const clp_topk *run, clp_item limit,
                                uint group, uint groups) {
    for (ulong tile = group; tile * CLP_TILE < run->n; tile += groups) {
        const ulong first = tile * CLP_TILE + get_local_id(0);
        const uint mask = clp_topk_mask(run, first, limit);
        ulong to = clp_topk_take_places(shared, run, popcount(mask));
        for (uint j = 0; j < CLP_ITEMS && mask >> j != 0; j++) {
            const ulong i = first + j * CLP_GROUP;
            if ((mask >> j & 1) == 0) continue;
            if (to < run->room) clp_topk_put(run, to, run->in[i], i);
            to++;
        }
    }
}

/* Ends the gathering, by one work-group, for the next run. Sets the source to the candidates, where
 * the guess was right. */
CLP_INLINE void clp_topk_end(const clp_topk *run, clp_source *source) {
    const uint candidates = run->found[CLP_CANDIDATES];
    CLP_TOPK_BARRIER; /* the number of candidates, read above, cleared below */
    const bool is_right = candidates >= run->k && candidates <= run->room;
    if (is_right) source->words = (const global ulong *)run->keys;
    if (is_right) source->count = candidates;
    for (uint c = (uint)get_local_id(0); c < CLP_CELLS; c += CLP_GROUP) run->cells[c] = CLP_NO_CELL;
    if (get_local_id(0) == 0) run->found[CLP_CANDIDATES] = run->found[CLP_DONE] = 0;
}

#if CLP_SORTED > 0
/* Whether all work-groups have gathered, of which this one is the last. */
CLP_INLINE bool clp_topk_is_last(local clp_topk_shared *shared, const clp_topk *run) {
    clp_device_fence();
    CLP_TOPK_BARRIER; /* the group's candidates, put above; word, read before, written below */
    if (get_local_id(0) == 0) {
        shared->word = atomic_inc(&run->found[CLP_DONE]) == get_num_groups(0) - 1;
        clp_device_fence();
    }
    CLP_TOPK_BARRIER; /* word, written above, read below */
    return shared->word != 0;
}
#endif

/* ---- The kernels ---- */

#define CLP_RESULT_PARAMETERS                                                                      \
    const global clp_topk_element *elements, ulong elements_first,                                 \
        global clp_topk_element *values, ulong values_first, global CLP_INDEX *out,                \
        ulong out_first

/* Writes result i: element `index`. */
#define CLP_TOPK_WRITE(i, index)                                                                   \
    do {                                                                                           \
        if (!CLP_NO_VALUES) values[values_first + (i)] = elements[elements_first + (index)];       \
        if (CLP_HAS_INDICES) out[out_first + (i)] = (CLP_INDEX)(index);                            \
    } while (0)

/* alone: elements, at most, that one work-group takes alone. */
CLP_KERNEL(CLP_GROUP)
void clp_topk_find(const global CLP_K *in, ulong in_first, CLP_RESULT_PARAMETERS,
                   global ulong *state, volatile global uint *found, volatile global ulong *cells,
                   global CLP_WORD *keys, global CLP_COUNT *indices, ulong room, ulong alone,
                   uint steps, ulong wanted, ulong most CLP_COUNT_PARAMETERS,
                   global clp_report *report, ulong report_first) {
    local clp_topk_shared shared[1];
    const uint group = (uint)get_group_id(0), groups = (uint)get_num_groups(0);
    const ulong read =
        clp_read_count(most, counted, counted_first, report != 0 ? report + report_first : report);
    const ulong n = read == CLP_REFUSED ? 0 : read;
    const clp_topk run = {in + in_first, cells, found, keys, indices, n, min(wanted, n), room};
    const bool by_one = CLP_SORTED > 0 && n <= alone, takes_all = CLP_SORTED == 0 && n <= room;
    const bool is_rest = (steps & CLP_STEP_REST) != 0;
    clp_source source = {run.in, 0, n, n, 0};
    bool finishes = by_one && group == 0 && is_rest;
    if (get_global_id(0) == 0) {
        state[CLP_STATE_N] = state[CLP_STATE_TOTAL] = n;
        state[CLP_STATE_K] = run.k;
        if (!CLP_WAITS && (steps & CLP_STEP_CELLS) != 0) {
            found[CLP_CANDIDATES] = found[CLP_DONE] = 0;
        }
        if (takes_all && most > room) found[CLP_CANDIDATES] = (uint)n;
    }
    if (takes_all) {
        for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) {
            clp_topk_put(&run, i, run.in[i], i);
        }
    } else if (!by_one) {
        clp_sample sample;
        clp_sample_set(&sample, n, run.k);
        if ((steps & CLP_STEP_CELLS) != 0 && group < sample.parts) {
            clp_topk_make_cells(shared, &run, &sample, group);
        }
        if (is_rest) {
#if CLP_WAITS
            clp_topk_await_cells(shared, &run, &sample);
#endif
            const clp_source of_cells = {run.in, (const global ulong *)cells, n, sample.cells,
                                         ~0ul};
            const clp_item limit = clp_topk_limit(shared, &of_cells, sample.rank, sample.more);
            clp_topk_gather(shared, &run, limit, group, groups);
#if CLP_SORTED > 0
            finishes = clp_topk_is_last(shared, &run);
#endif
        }
    }
#if CLP_SORTED > 0
    if (finishes) {
        if (!by_one) clp_topk_end(&run, &source);
        const local clp_item *first = clp_topk_first(shared, &source, (uint)run.k);
        for (uint i = (uint)get_local_id(0); i < run.k; i += CLP_GROUP) {
            const ulong index = clp_item_index(first[i]);
            CLP_TOPK_WRITE(i, index);
        }
    }
#endif
}

#if CLP_SORTED == 0
/* One work-group. Where the guess was wrong it finds the k-th element, and gathers again. */
CLP_KERNEL(CLP_GROUP)
void clp_topk_check(const global CLP_K *in, ulong in_first, global ulong *state,
                    volatile global uint *found, volatile global ulong *cells,
                    global CLP_WORD *keys, global CLP_COUNT *indices, ulong room) {
    local clp_topk_shared shared[1];
    clp_topk run = {in + in_first,      cells, found, keys, indices, state[CLP_STATE_N],
                    state[CLP_STATE_K], room};
    clp_source source = {run.in, 0, run.n, run.n, 0};
    clp_topk_end(&run, &source);
    const bool is_right = source.words != 0;
    const ulong candidates = source.count;
    if (is_right) source.count = run.n = 0;
    const clp_item limit = clp_topk_limit(shared, &source, run.k, 0);
    clp_topk_gather(shared, &run, limit, 0, 1);
    CLP_TOPK_BARRIER; /* the number of candidates, added to above, cleared below */
    if (get_local_id(0) > 0) return;
    state[CLP_STATE_TOTAL] = is_right ? candidates : run.k;
    found[CLP_CANDIDATES] = 0;
}

/* The first k of the candidates, which were sorted. */
CLP_KERNEL(CLP_GROUP)
void clp_topk_write(const global ulong *state, const global CLP_WORD *keys,
                    const global CLP_COUNT *indices, CLP_RESULT_PARAMETERS) {
    const ulong k = state[CLP_STATE_K];
    for (ulong i = get_global_id(0); i < k; i += get_global_size(0)) {
        const ulong index = CLP_PACKED ? (uint)keys[i] : indices[i];
        if (CLP_KEYS_ARE_ELEMENTS) {
            ((global CLP_WORD *)values)[values_first + i] = keys[i];
            if (CLP_HAS_INDICES) out[out_first + i] = (CLP_INDEX)index;
        } else {
            CLP_TOPK_WRITE(i, index);
        }
    }
}
#endif
