/* SPDX-License-Identifier: MIT */
/*
 * Top-k by radix select (Alabi, Blanchard, Gordon, Steinbach 2012). Elements are compared by their
 * keys in order, the lower one first, and by their indices where these are equal. Pass by pass the
 * digits of those that may be the k-th one are counted, from the top, until no more come before the
 * end of its digit than there is room for; these candidates are gathered in any order, and sorted
 * by index and then by key. As a sample says it before, the first candidates may be right at once.
 * Files: topk_begin.cl, with the sample; this one; topk_gather.cl, with the result.
 */

/* Words of state. */
#define CLP_STATE_KEY 0 /* keys up to it are candidates */
#define CLP_STATE_INDEX 1 /* those that are equal to it, if their indices are up to this one */
#define CLP_STATE_LEFT 2 /* which one of those with the digits so far is the k-th */
#define CLP_STATE_PHASE 3
#define CLP_STATE_GUESS 4 /* whether a sample gave the threshold */
#define CLP_STATE_N 5 /* elements; none where there are more than the plan takes */
#define CLP_STATE_K 6 /* how many are wanted, up to that number */

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

#define CLP_TICKETS 1 /* behind the number of candidates: work-groups that have ended */

/* ---- Counts ---- */

/* What a pass counts: `bits` bits from `shift` on, of the keys whose bits above are known;
 * of_index: of the indices of those that have the known key; 1: of all of these, 2: where the
 * index's bits above are known, too. */
#define CLP_PASS_PARAMETERS uint shift, uint bits, uint of_index

/* Runs of one digit are counted before they are added. */
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

/* By all work-items, the elements below end. */
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

/* The sums of all groups, of this work-item's bins. */
CLP_INLINE CLP_COUNT clp_topk_sum(const volatile global uint *low,
                                  const volatile global uint *high) {
    const uint first = (uint)get_local_id(0) * CLP_LANE_BINS;
    CLP_COUNT sum = 0;
    for (uint b = first; b < first + CLP_LANE_BINS; b++) {
        sum += (CLP_COUNT)((ulong)high[b] << 32 | low[b]);
    }
    return sum;
}

/* The digit of the k-th element: how many elements have lower ones, how many have it. */
typedef struct clp_choice {
    ulong before, count;
    uint digit;
} clp_choice;

/* One work-item finds the digit; all clear their bins. before: elements in the bins before this
 * work-item's. */
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

/* One work-item sets the digit in the state. room: for candidates. */
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

/* low, high: 64-bit sums of the bins, zeros before and behind. The last group chooses. */
CLP_KERNEL(CLP_GROUP)
void clp_topk_count(const global CLP_K *in, ulong in_first, global ulong *state,
                    volatile global uint *found, volatile global uint *low,
                    volatile global uint *high, ulong room, CLP_PASS_PARAMETERS) {
    local uint counts[CLP_BINS];
    local CLP_COUNT sums[2 * CLP_GROUP];
    local clp_choice choice[1];
    local uint last[1]; /* whether this group is the last one of those that work */
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
