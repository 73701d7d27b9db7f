/* SPDX-License-Identifier: MIT */
/*
 * Top-k by radix select (Alabi, Blanchard, Gordon, Steinbach 2012). Elements are compared by their
 * keys in order, the lower one first, and by their indices where these are equal. Pass by pass the
 * digits of those that may be the k-th one are counted, from the top, until no more come before the
 * end of its digit than there is room for; these candidates are gathered in any order, and sorted
 * by index and then by key. As a sample says it before, the first candidates may be right at once.
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
#else
#define CLP_TOPK_BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#endif

/* By one work-group. found: candidates. all: whether all elements are. A run that failed half-way
 * leaves anything in the bins. */
CLP_KERNEL(CLP_GROUP)
void clp_topk_begin(global ulong *state, global uint *found, global uint *low, global uint *high,
                    ulong most CLP_COUNT_PARAMETERS, global clp_report *report, ulong report_first,
                    ulong wanted, uint all) {
    for (uint b = (uint)get_local_id(0); b < CLP_BINS; b += CLP_GROUP) low[b] = high[b] = 0;
    if (get_local_id(0) > 0) return;
    const ulong read =
        clp_read_count(most, counted, counted_first, report != 0 ? report + report_first : report);
    const ulong n = read == CLP_REFUSED ? 0 : read, k = min(wanted, n);
    state[CLP_STATE_N] = n;
    state[CLP_STATE_K] = k;
    state[CLP_STATE_KEY] = all != 0 ? ~0ul : 0;
    state[CLP_STATE_INDEX] = ~0ul;
    state[CLP_STATE_LEFT] = k;
    state[CLP_STATE_PHASE] = all != 0 ? CLP_PHASE_GATHERS : CLP_PHASE_COUNTS;
    state[CLP_STATE_GUESS] = 0;
    found[0] = 0;
}

/* ---- Counts ---- */

/* What a pass counts: `bits` bits from `shift` on, of the keys whose bits above are known;
 * of_index: of the indices of those that have the known key. */
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
                                   CLP_K known, CLP_PASS_PARAMETERS) {
    const CLP_K key = clp_ordered(raw);
    const uint above = shift + bits, mask = (1u << bits) - 1;
    if (of_index != 0) {
        if (key == known) clp_topk_add(bins, run, (uint)(i >> shift));
    } else if (above >= 8 * CLP_K_BYTES || key >> above == known >> above) {
        clp_topk_add(bins, run, (uint)(key >> shift) & mask);
    }
}

/* Elements 0, stride, 2 * stride ... below n. low, high: 64-bit sums of the bins, zeros before. */
CLP_KERNEL(CLP_GROUP)
void clp_topk_count(const global CLP_K *in, ulong in_first, ulong stride, const global ulong *state,
                    global uint *low, global uint *high, CLP_PASS_PARAMETERS) {
    local uint bins[CLP_BINS];
    const ulong n = state[CLP_STATE_N];
    const uint lane = (uint)get_local_id(0);
    const ulong size = get_global_size(0), count = (n + stride - 1) / stride;
    const ulong end = state[CLP_STATE_PHASE] == CLP_PHASE_COUNTS ? count : 0;
    const CLP_K known = (CLP_K)state[CLP_STATE_KEY];
    const global CLP_K *from = in + in_first;
    clp_digit_run run = {0, 0};
    for (uint b = lane; b < CLP_BINS; b += CLP_GROUP) bins[b] = 0;
    CLP_TOPK_BARRIER; /* bins, cleared above, counted below */
    ulong i = get_global_id(0);
    for (; i + (CLP_ITEMS - 1) * size < end; i += CLP_ITEMS * size) {
        CLP_K keys[CLP_ITEMS];
        CLP_UNROLL
        for (uint j = 0; j < CLP_ITEMS; j++) keys[j] = from[(i + j * size) * stride];
        CLP_UNROLL
        for (uint j = 0; j < CLP_ITEMS; j++) {
            clp_topk_count_key(bins, &run, keys[j], i + j * size, known, shift, bits, of_index);
        }
    }
    for (; i < end; i += size) {
        clp_topk_count_key(bins, &run, from[i * stride], i, known, shift, bits, of_index);
    }
    if (run.count > 0) atomic_add(&bins[run.digit], run.count);
    CLP_TOPK_BARRIER; /* bins, counted above, read below */
    for (uint b = lane; b < CLP_BINS; b += CLP_GROUP) {
        const uint found = bins[b];
        if (found == 0) continue;
        const uint before = atomic_add(&low[b], found); /* with the other groups' */
        if (before + found < before) atomic_inc(&high[b]);
    }
}

/* ---- The k-th element's digit ---- */

/* One work-group. Sets the digit in the state, and clears the bins. sampled: which one of a sample
 * to take for the k-th, or 0; stride: elements for each one of the sample. room: for candidates. */
CLP_KERNEL(CLP_GROUP)
void clp_topk_choose(global ulong *state, global uint *low, global uint *high, ulong room,
                     ulong sampled, ulong stride, CLP_PASS_PARAMETERS) {
    local CLP_COUNT sums[2 * CLP_GROUP];
    const uint lane = (uint)get_local_id(0), first = lane * CLP_LANE_BINS;
    const bool is_open = state[CLP_STATE_PHASE] == CLP_PHASE_COUNTS;
    const ulong left = sampled > 0 ? sampled : state[CLP_STATE_LEFT];
    const ulong key = state[CLP_STATE_KEY], k = state[CLP_STATE_K];
    CLP_COUNT sum = 0;
    for (uint b = first; b < first + CLP_LANE_BINS; b++) {
        sum += (CLP_COUNT)((ulong)high[b] << 32 | low[b]);
    }
    sums[lane] = sum;
    CLP_TOPK_BARRIER; /* sums, with the first round */
    CLP_EACH_ROUND(CLP_ADD_LOWER) ulong before = clp_sum_before(sums);
    for (uint b = first; b < first + CLP_LANE_BINS; b++) {
        const ulong count = (ulong)high[b] << 32 | low[b];
        low[b] = high[b] = 0;
        if (is_open && before < left && left <= before + count) {
            const ulong digit = (ulong)b << shift, rest = (1ul << shift) - 1;
            const ulong candidates =
                sampled > 0 ? (before + count) * stride : k - (left - before) + count;
            const bool fits = candidates <= room;
            if (of_index != 0) {
                state[CLP_STATE_INDEX] = digit | rest;
            } else if (sampled == 0 || fits) {
                state[CLP_STATE_KEY] = key | digit | (fits ? rest : 0);
            }
            if (sampled == 0) state[CLP_STATE_LEFT] = left - before;
            if (fits) state[CLP_STATE_PHASE] = CLP_PHASE_GATHERS;
            state[CLP_STATE_GUESS] = sampled > 0 && fits;
            CLP_ASSERT(of_index == 0 || fits);
        }
        before += count;
    }
}

/* ---- Candidates ---- */

CLP_INLINE bool clp_topk_is_candidate(CLP_K raw, ulong i, CLP_K key, ulong index) {
    const CLP_K own = clp_ordered(raw);
    return own < key || (own == key && i <= index);
}

#if CLP_STAYS
#define CLP_EACH_TILE                                                                              \
    for (ulong tile = get_group_id(0); tile * CLP_TILE < end; tile += get_num_groups(0))
#else
#define CLP_EACH_TILE const ulong tile = get_group_id(0);
#endif
#define CLP_TILE (CLP_GROUP * CLP_ITEMS)

/* found: how many there are, also where they have no room. Once they are too many, none is added.
 */
CLP_KERNEL(CLP_GROUP)
void clp_topk_gather(const global CLP_K *in, ulong in_first, const global ulong *state,
                     volatile global uint *found, global CLP_K *keys, global CLP_COUNT *indices,
                     ulong room) {
    local uint count[1], base[1];
    const uint lane = (uint)get_local_id(0);
    const ulong end = state[CLP_STATE_PHASE] == CLP_PHASE_GATHERS ? state[CLP_STATE_N] : 0;
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
}

/* One work-item: whether the candidates are right, and then how many the sorts take. */
CLP_KERNEL(1)
void clp_topk_classify(global ulong *state, global uint *found, global ulong *total, ulong room) {
    const bool is_open = state[CLP_STATE_PHASE] != CLP_PHASE_SORTS;
    const ulong k = state[CLP_STATE_K];
    const bool is_right = found[0] >= k && found[0] <= room;
    if (is_open && is_right) {
        total[0] = found[0];
        state[CLP_STATE_PHASE] = CLP_PHASE_SORTS;
    } else if (is_open) {
        CLP_ASSERT(state[CLP_STATE_PHASE] == CLP_PHASE_COUNTS || state[CLP_STATE_GUESS] != 0);
        state[CLP_STATE_KEY] = 0;
        state[CLP_STATE_PHASE] = CLP_PHASE_COUNTS;
        found[0] = 0;
    }
}

/* ---- The result ---- */

#if CLP_NO_KEYS
#define CLP_VALUE_OUT
#else
#define CLP_VALUE_OUT values[values_first + i] = keys[i];
#endif
#if CLP_HAS_INDICES
#define CLP_INDEX_OUT out[out_first + i] = (CLP_INDEX)indices[i];
#else
#define CLP_INDEX_OUT
#endif

CLP_KERNEL(CLP_GROUP)
void clp_topk_write(const global CLP_K *keys, const global CLP_COUNT *indices,
                    const global ulong *state, global CLP_K *values, ulong values_first,
                    global CLP_INDEX *out, ulong out_first) {
    const ulong k = state[CLP_STATE_K];
    for (ulong i = get_global_id(0); i < k; i += get_global_size(0)) {
        CLP_VALUE_OUT
        CLP_INDEX_OUT
    }
}
