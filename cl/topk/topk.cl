/* SPDX-License-Identifier: MIT */
/*
 * Top-k by radix select (Alabi, Blanchard, Gordon, Steinbach, "Fast k-selection algorithms for
 * graphics processing units", 2012). Elements are compared by their ordered keys, the lower key
 * first, and equal keys by their indices. Each pass, from the most significant digit down, counts
 * the digits of the elements that may still be the k-th one. The k-th one's digit narrows the
 * threshold, until no more elements are up to the threshold than there is room for. These
 * candidates are gathered in any order (topk_gather.cl), and sorted by index and then by key.
 *
 * A sample gives a first threshold without a pass. If at least k elements and no more than there is
 * room for are up to it, the passes have nothing to do; else they start from nothing.
 *
 * The host never waits: all passes are launched, and `state` says what is left to do. What must
 * follow all work-groups of a launch does the last one to finish, which a counter tells, so that no
 * work-group waits for another. Local memory holds a pass's counters of each digit and their scan.
 */

/* Words of state. KEY and INDEX together are the threshold. */
#define CLP_STATE_KEY 0 /* elements with lower keys are candidates */
#define CLP_STATE_INDEX 1 /* elements with this key are, if their indices are at most this one */
#define CLP_STATE_LEFT 2 /* the k-th one's rank among the elements with the digits found so far */
#define CLP_STATE_PHASE 3
#define CLP_STATE_GUESS 4 /* whether a sample gave the threshold */
#define CLP_STATE_N 5 /* the number of elements; 0 if it exceeds the call's n */
#define CLP_STATE_K 6 /* the number of wanted elements, at most n */

#define CLP_PHASE_COUNTS 0 /* digits are to be counted */
#define CLP_PHASE_GATHERS 1 /* the threshold is known */
#define CLP_PHASE_SORTS 2 /* the candidates are known */

#define CLP_BINS (1u << CLP_BITS)
#define CLP_LANE_BINS (CLP_BINS / CLP_GROUP)
typedef char clp_lanes_share_the_bins[CLP_BINS % CLP_GROUP == 0 ? 1 : -1];

#if CLP_GROUP == 1
#define CLP_TOPK_BARRIER ((void)0)
#define CLP_TOPK_BARRIER_GLOBAL ((void)0)
#else
#define CLP_TOPK_BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define CLP_TOPK_BARRIER_GLOBAL barrier(CLK_GLOBAL_MEM_FENCE)
#endif

#define CLP_TICKETS 1 /* word of `found`: the number of work-groups that have ended */

/* ---- Counts ---- */

/* What a pass counts: digits of `bits` bits from bit `shift` on. of_index 0: of the keys whose
 * higher bits are the threshold's. Otherwise of the indices of the elements with the
 * threshold's key: 1: of all of them, 2: of those whose index has the threshold's higher bits. */
#define CLP_PASS_PARAMETERS uint shift, uint bits, uint of_index

/* A run of equal digits in a work-item is one atomic: sorted or equal elements would otherwise all
 * add to one counter. */
typedef struct clp_digit_run {
    uint digit, count;
} clp_digit_run;

CLP_INLINE void clp_topk_add(local uint *bins, clp_digit_run *run, uint digit) {
    if (digit == run->digit) {
        run->count++;
    } else {
        if (run->count > 0) atomic_add(&bins[run->digit], run->count);
        run->digit = digit;
        run->count = 1;
    }
}

CLP_INLINE void clp_topk_count_key(local uint *bins, clp_digit_run *run, CLP_K raw, ulong i,
                                   CLP_K known, ulong index, CLP_PASS_PARAMETERS) {
    const CLP_K key = clp_ordered(raw);
    const uint above = shift + bits, mask = (1u << bits) - 1;
    if (of_index != 0) {
        const bool is_of_pass = of_index == 1 || i >> above == index >> above;
        if (key == known && is_of_pass) clp_topk_add(bins, run, (uint)(i >> shift) & mask);
    } else if (above >= 8 * CLP_K_BYTES || key >> above == known >> above) {
        clp_topk_add(bins, run, (uint)(key >> shift) & mask);
    }
}

/* All work-items together count the elements below `end`. CLP_ITEMS loads of a work-item overlap.
 */
CLP_INLINE void clp_topk_count_keys(local uint *bins, const global CLP_K *from, ulong end,
                                    CLP_K known, ulong index, CLP_PASS_PARAMETERS) {
    const ulong size = get_global_size(0);
    clp_digit_run run = {0, 0};
    ulong i = get_global_id(0);
    for (; i + (CLP_ITEMS - 1) * size < end; i += CLP_ITEMS * size) {
        CLP_K keys[CLP_ITEMS];
        CLP_UNROLL
        for (uint j = 0; j < CLP_ITEMS; j++) keys[j] = from[i + j * size];
        CLP_UNROLL
        for (uint j = 0; j < CLP_ITEMS; j++) {
            clp_topk_count_key(bins, &run, keys[j], i + j * size, known, index, shift, bits,
                               of_index);
        }
    }
    for (; i < end; i += size) {
        clp_topk_count_key(bins, &run, from[i], i, known, index, shift, bits, of_index);
    }
    if (run.count > 0) atomic_add(&bins[run.digit], run.count);
}

/* ---- The k-th element's digit ---- */

/* Returns the number of elements in this work-item's bins, of all work-groups together. */
CLP_INLINE CLP_COUNT clp_topk_sum(const volatile global uint *low,
                                  const volatile global uint *high) {
    const uint first = (uint)get_local_id(0) * CLP_LANE_BINS;
    CLP_COUNT sum = 0;
    for (uint b = first; b < first + CLP_LANE_BINS; b++) {
        sum += (CLP_COUNT)((ulong)high[b] << 32 | low[b]);
    }
    return sum;
}

/* The digit of the k-th element. before, count: the numbers of elements with lower digits and with
 * this digit. */
typedef struct clp_choice {
    ulong before, count;
    uint digit;
} clp_choice;

/* The one work-item whose bins hold the k-th element finds its digit; all clear their bins. before:
 * the number of elements in the bins before this work-item's. */
CLP_INLINE void clp_topk_choose(const volatile global ulong *state, volatile global uint *low,
                                volatile global uint *high, ulong before,
                                local clp_choice *choice) {
    const uint first = (uint)get_local_id(0) * CLP_LANE_BINS;
    const ulong left = state[CLP_STATE_LEFT];
    for (uint b = first; b < first + CLP_LANE_BINS; b++) {
        const ulong count = (ulong)high[b] << 32 | low[b];
        low[b] = high[b] = 0;
        if (before < left && left <= before + count) {
            choice->digit = b;
            choice->before = before;
            choice->count = count;
        }
        before += count;
    }
}

/* One work-item puts the digit into the threshold. room: the greatest number of candidates. If all
 * elements up to the digit fit, the passes end: the lower bits are set, so that all of them are
 * candidates. */
CLP_INLINE void clp_topk_set_digit(volatile global ulong *state, const local clp_choice *choice,
                                   ulong room, CLP_PASS_PARAMETERS) {
    const ulong above = shift + bits, left = state[CLP_STATE_LEFT] - choice->before;
    const ulong digit = (ulong)choice->digit << shift, rest = (1ul << shift) - 1;
    const bool fits = state[CLP_STATE_K] - left + choice->count <= room;
    if (of_index != 0) {
        const ulong known = of_index == 2 ? state[CLP_STATE_INDEX] >> above << above : 0;
        state[CLP_STATE_INDEX] = known | digit | rest;
    } else {
        state[CLP_STATE_KEY] |= digit | (fits ? rest : 0);
    }
    state[CLP_STATE_LEFT] = left;
    if (fits) state[CLP_STATE_PHASE] = CLP_PHASE_GATHERS;
    CLP_ASSERT(of_index == 0 || shift > 0 || fits);
}

/* ---- A pass ---- */

/* low, high: the halves of 64-bit sums of the bins, zero before and after. The last work-group to
 * end chooses the digit. */
CLP_KERNEL(CLP_GROUP)
void clp_topk_count(const global CLP_K *in, ulong in_first, global ulong *state,
                    volatile global uint *found, volatile global uint *low,
                    volatile global uint *high, ulong room, CLP_PASS_PARAMETERS) {
    local uint counts[CLP_BINS];
    local CLP_COUNT sums[2 * CLP_GROUP];
    local clp_choice choice[1];
    local uint last[1]; /* whether this work-group is the last to end, and the launch has work */
    const uint lane = (uint)get_local_id(0);
    const bool works = state[CLP_STATE_PHASE] == CLP_PHASE_COUNTS;
    CLP_END_UNLESS(works)
    const ulong end = works ? state[CLP_STATE_N] : 0;
    for (uint b = lane; b < CLP_BINS; b += CLP_GROUP) counts[b] = 0;
    CLP_TOPK_BARRIER; /* counts, cleared above, added to below */
    clp_topk_count_keys(counts, in + in_first, end, (CLP_K)state[CLP_STATE_KEY],
                        state[CLP_STATE_INDEX], shift, bits, of_index);
    CLP_TOPK_BARRIER; /* counts, added to above, read below */
    for (uint b = lane; b < CLP_BINS; b += CLP_GROUP) {
        const uint count = counts[b];
        if (count == 0) continue;
        const uint before = atomic_add(&low[b], count); /* with the other groups' */
        if (before + count < before) atomic_inc(&high[b]);
    }
    clp_device_fence(); /* sums above, ticket below; with the last group's */
    CLP_TOPK_BARRIER_GLOBAL; /* sums above, added to by all; ticket below, by one */
    if (lane == 0) {
        last[0] = works && clp_is_last_group(found + CLP_TICKETS, get_num_groups(0));
    }
    CLP_TOPK_BARRIER; /* last, written above, read below */
    clp_device_fence(); /* ticket above, sums below; with the other groups' */
    sums[lane] = last[0] != 0 ? clp_topk_sum(low, high) : 0;
    CLP_TOPK_BARRIER; /* sums, with the first round */
    CLP_EACH_ROUND(CLP_ADD_LOWER)
    if (last[0] != 0) {
        clp_topk_choose(state, low, high, clp_sum_before(sums), choice);
    }
    CLP_TOPK_BARRIER; /* choice, written above by one, read below; the state, read above by all */
    if (last[0] != 0 && lane == 0) {
        clp_topk_set_digit(state, choice, room, shift, bits, of_index);
    }
}

/* ---- The beginning of a run ---- */

/*
 * A guess at the threshold. The sample has one element at a random position of each stride. Its
 * elements are dealt to cells, and the lowest element of each cell is found. The guess is the
 * lowest element of one cell. Its rank among the cells is about the number of sampled elements that
 * belong to the first k, plus a margin. The number of gathered candidates shows whether the guess
 * was right; if not, the passes start from nothing.
 */
#define CLP_NONE (~(CLP_COUNT)0)

/* rank: the rank of the threshold among the cells, counted from 1; 0: there is no sample. */
typedef struct clp_sample {
    ulong stride;
    uint rank;
} clp_sample;

/* As clp_topk_sampled in src/topk/topk_shape.c. */
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

/* The index of sample s: a hash chooses it within the s-th stride, so that no regular input makes
 * the sample unlike the whole. */
CLP_INLINE ulong clp_sample_place(clp_sample sample, ulong s) {
    const uint mixed = ((uint)s ^ (uint)s >> 15) * 0x9e3779b9u;
    const uint random = (mixed ^ mixed >> 13) * 0x85ebca6bu;
    return s * sample.stride + (random * sample.stride >> 32);
}

/* An element as clp_precedes compares it. */
typedef struct clp_ordered_element {
    CLP_K key;
    CLP_COUNT index;
} clp_ordered_element;

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

/* Local memory of clp_topk_begin: an element for each work-item, later for each cell. */
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
/* A round. A macro because barriers stay at a kernel's top level. */
#define CLP_KEEP_LOWER(round)                                                                      \
    clp_keep_lower(&shared, round);                                                                \
    barrier(                                                                                       \
        CLK_LOCAL_MEM_FENCE); /* keys and indices, with the next round, or what is read behind */

/* Makes the element of the cell with the given rank the threshold. All work-items call it. shared:
 * the lowest elements of the cells. */
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

/* One work-item sets the state with which a run begins. It leaves a sample's threshold alone. */
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

/* One work-group for each cell, or any number of serial work-groups; one work-group without a
 * sample. The bins are cleared because a run that failed half-way may leave anything there. found:
 * the number of candidates. keys, indices: of the candidates; the cells' elements use them first.
 */
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
