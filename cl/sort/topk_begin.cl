/* SPDX-License-Identifier: MIT */
/*
 * The beginning of a run of top-k, and its guess. A sample has an element at a random place of each
 * stride. It is cut into cells, of each of which the lowest element is found. Such a one, with its
 * index, is the threshold: as many cells are below it as the sample has elements among the k first,
 * with a margin. What is gathered shows whether it was right.
 */
#define CLP_NONE (~(CLP_COUNT)0)

/* rank: which one of the cells is the threshold, counted from 1; 0: there is no sample. */
typedef struct clp_sample {
    ulong stride;
    uint rank;
} clp_sample;

/* As clp_topk_sampled in src/sort/topk_shape.c. */
static inline clp_sample clp_sample_of(ulong n, ulong k, ulong room) {
    const ulong stride = n / max(CLP_SAMPLE, 1u);
    const clp_sample none = {1, 0};
    if (CLP_SAMPLE == 0 || stride < CLP_LEAST_STRIDE || n <= room) return none;
    const ulong share = k / stride + 1;
    ulong root = 1;
    while (root * root < share && root < CLP_CELLS) root++;
    const ulong rank = share + 4 * root + 2;
    const clp_sample sample = {stride, (uint)rank};
    return 2 * rank <= CLP_CELLS && 2 * rank * stride <= room ? sample : none;
}

/* Where sample s stands. */
CLP_INLINE ulong clp_sample_place(clp_sample sample, ulong s) {
    const uint mixed = ((uint)s ^ (uint)s >> 15) * 0x9e3779b9u;
    const uint random = (mixed ^ mixed >> 13) * 0x85ebca6bu;
    return s * sample.stride + (random * sample.stride >> 32);
}

/* An element in order. */
typedef struct clp_ordered_element {
    CLP_K key;
    CLP_COUNT index;
} clp_ordered_element;

CLP_INLINE bool clp_precedes(CLP_K key, CLP_COUNT index, CLP_K other, CLP_COUNT other_index) {
    return key < other || (key == other && index < other_index);
}

/* The lowest element of what this work-item reads of a cell; it may read one twice. */
static inline clp_ordered_element clp_lowest_of(const global CLP_K *from, clp_sample sample,
                                                uint cell) {
    const uint each = CLP_SAMPLE / CLP_CELLS;
    clp_ordered_element lowest = {~(CLP_K)0, CLP_NONE};
    for (uint first = (uint)get_local_id(0); first < each; first += CLP_ITEMS * CLP_GROUP) {
        CLP_K keys[CLP_ITEMS];
        ulong places[CLP_ITEMS];
        CLP_UNROLL for (uint j = 0; j < CLP_ITEMS; j++) {
            const uint s = min(first + j * CLP_GROUP, each - 1);
            places[j] = clp_sample_place(sample, (ulong)s * CLP_CELLS + cell);
            keys[j] = from[places[j]];
        }
        CLP_UNROLL for (uint j = 0; j < CLP_ITEMS; j++) {
            const CLP_K key = clp_ordered(keys[j]);
            if (clp_precedes(key, (CLP_COUNT)places[j], lowest.key, lowest.index)) {
                lowest.key = key;
                lowest.index = (CLP_COUNT)places[j];
            }
        }
    }
    return lowest;
}

/* What a work-group shares: elements of work-items, then of cells. */
#define CLP_BEGIN_ELEMENTS (CLP_GROUP > CLP_CELLS ? CLP_GROUP : CLP_CELLS)
typedef struct clp_begin {
    CLP_K keys[CLP_BEGIN_ELEMENTS];
    CLP_COUNT indices[CLP_BEGIN_ELEMENTS];
    uint is_last; /* of the launch's groups */
} clp_begin;

CLP_INLINE void clp_keep_lower(local clp_begin *shared, uint round) {
    const uint lane = (uint)get_local_id(0), distance = 1u << round;
    if (lane % (2 * distance) != 0 || lane + distance >= CLP_GROUP) return;
    if (clp_precedes(shared->keys[lane + distance], shared->indices[lane + distance],
                     shared->keys[lane], shared->indices[lane])) {
        shared->keys[lane] = shared->keys[lane + distance];
        shared->indices[lane] = shared->indices[lane + distance];
    }
}
#define CLP_KEEP_LOWER(round)                                                                      \
    clp_keep_lower(&shared, round);                                                                \
    barrier(                                                                                       \
        CLK_LOCAL_MEM_FENCE); /* keys and indices, with the next round, or what is read behind */

/* The cell of that rank is the threshold. All work-items; shared: what the cells have. */
CLP_INLINE void clp_choose_cell(const local clp_begin *shared, uint rank, global ulong *state) {
    for (uint cell = (uint)get_local_id(0); cell < CLP_CELLS; cell += CLP_GROUP) {
        const CLP_K key = shared->keys[cell];
        const CLP_COUNT index = shared->indices[cell];
        uint lower = 0;
        for (uint c = 0; c < CLP_CELLS; c++) {
            lower += clp_precedes(shared->keys[c], shared->indices[c], key, index);
        }
        if (lower != rank - 1) continue;
        state[CLP_STATE_KEY] = key;
        state[CLP_STATE_INDEX] = index;
    }
}

/* One work-item: what a run begins with; the threshold of a sample is not among it. */
CLP_INLINE void clp_topk_set(global ulong *state, volatile global uint *found, ulong n, ulong k,
                             bool all, bool guess) {
    state[CLP_STATE_N] = n;
    state[CLP_STATE_K] = k;
    state[CLP_STATE_LEFT] = k;
    state[CLP_STATE_PHASE] = all || guess ? CLP_PHASE_GATHERS : CLP_PHASE_COUNTS;
    state[CLP_STATE_GUESS] = guess;
    found[0] = 0;
    if (guess) return;
    state[CLP_STATE_KEY] = all ? ~0ul : 0;
    state[CLP_STATE_INDEX] = ~0ul;
}

/* A work-group for each cell, or any number of serial ones; one without a sample. A run that failed
 * half-way leaves anything in the bins. found: candidates. keys, indices: of the candidates; those
 * of the cells go there first. */
CLP_KERNEL(CLP_GROUP)
void clp_topk_begin(const global CLP_K *in, ulong in_first, global ulong *state,
                    volatile global uint *found, global uint *low, global uint *high,
                    volatile global CLP_K *keys, volatile global CLP_COUNT *indices,
                    ulong most CLP_COUNT_PARAMETERS, global clp_report *report, ulong report_first,
                    ulong wanted, ulong room, uint samples) {
    local clp_begin shared;
    const uint lane = (uint)get_local_id(0);
    const ulong read =
        clp_read_count(most, counted, counted_first, report != 0 ? report + report_first : report);
    const ulong n = read == CLP_REFUSED ? 0 : read, k = min(wanted, n);
    const clp_sample sample = clp_sample_of(n, k, room);
    const uint rank = samples > 0 ? sample.rank : 0;
#if CLP_GROUP == 1
    for (uint cell = get_group_id(0); rank > 0 && cell < CLP_CELLS; cell += get_num_groups(0)) {
        const clp_ordered_element lowest = clp_lowest_of(in + in_first, sample, cell);
        keys[cell] = lowest.key;
        indices[cell] = lowest.index;
    }
#else
    if (rank > 0) {
        const clp_ordered_element lowest =
            clp_lowest_of(in + in_first, sample, (uint)get_group_id(0));
        shared.keys[lane] = lowest.key;
        shared.indices[lane] = lowest.index;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* keys and indices, with the first round */
    CLP_EACH_ROUND(CLP_KEEP_LOWER)
    if (lane == 0 && rank > 0) {
        keys[get_group_id(0)] = shared.keys[0];
        indices[get_group_id(0)] = shared.indices[0];
    }
#endif
    clp_device_fence(); /* cells above, ticket below; with the last group's */
    if (lane == 0) shared.is_last = clp_is_last_group(found + CLP_TICKETS, get_num_groups(0));
    CLP_TOPK_BARRIER; /* is_last, written above, read below; keys and indices, written again */
    clp_device_fence(); /* ticket above, cells below; with the other groups' */
    const bool is_last = shared.is_last != 0;
    for (uint cell = lane; is_last && rank > 0 && cell < CLP_CELLS; cell += CLP_GROUP) {
        shared.keys[cell] = keys[cell];
        shared.indices[cell] = indices[cell];
    }
    CLP_TOPK_BARRIER; /* keys and indices of the cells, written above, read below */
    if (is_last && rank > 0) clp_choose_cell(&shared, rank, state);
    for (uint b = lane; is_last && b < CLP_BINS; b += CLP_GROUP) low[b] = high[b] = 0;
    if (is_last && lane == 0) clp_topk_set(state, found, n, k, n <= room, rank > 0);
}
