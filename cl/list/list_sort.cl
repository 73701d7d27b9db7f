/* SPDX-License-Identifier: MIT */
/*
 * From the visit log (list_visit_log.cl) to ranks without scattered writes. Items (an element and
 * its rank) are sorted by element into buckets. The elements are a permutation, so that the place
 * and size of each bucket are known, and one cursor per bucket suffices. Each batch is sorted in
 * local memory and then written out. The last pass scatters each bucket within a window of the
 * result in local memory.
 */

/* Pads the index of a bucket, so that lanes that handle several buckets each hit different banks of
 * local memory. */
#define CLP_PADDED(bucket) ((bucket) + ((bucket) >> 5))
#define CLP_BATCH_ITEMS (CLP_SORT_GROUP * CLP_ROWS)

typedef struct {
    local uint2 *items; /* element and rank, sorted by bucket */
    local uint *counts; /* items per bucket; then the start of each bucket in items */
    local uint *moves; /* from a position in items to the position in memory, per bucket */
    local uint *sums; /* of each lane's buckets; double-buffered */
} clp_list_sorter;

#define CLP_SORTER(name)                                                                           \
    local uint2 name##_items[CLP_BATCH_ITEMS];                                                     \
    local uint name##_counts[CLP_PADDED(CLP_BUCKETS) + 1];                                         \
    local uint name##_moves[CLP_PADDED(CLP_BUCKETS)];                                              \
    local uint name##_sums[2 * CLP_SORT_GROUP];                                                    \
    const clp_list_sorter name = {name##_items, name##_counts, name##_moves, name##_sums}

/* The buckets of a pass, each of 1 << bits windows. Bucket 0 starts with window `first` << bits.
 * count: all elements. */
typedef struct {
    uint first;
    uint bits;
    ulong count;
} clp_list_buckets;

static inline void clp_clear_counts(const clp_list_sorter *sorter) {
    for (uint b = (uint)get_local_id(0); b < CLP_PADDED(CLP_BUCKETS); b += CLP_SORT_GROUP) {
        sorter->counts[b] = 0;
    }
}

static inline uint clp_bucket_of(uint element, const clp_list_buckets *buckets) {
    return (element / CLP_RESULT_WINDOW >> buckets->bits) - buckets->first;
}

/* Returns the first element of a bucket. */
static inline uint clp_bucket_start(uint bucket, const clp_list_buckets *buckets) {
    return ((bucket + buckets->first) << buckets->bits) * CLP_RESULT_WINDOW;
}

/* Counts this lane's elements per bucket. turns: the index of each element in its bucket. */
static inline void clp_count(const clp_list_sorter *sorter, const clp_list_column *c,
                             const clp_list_buckets *buckets, uint *turns) {
    CLP_UNROLL
    for (uint row = 0; row < CLP_ROWS; row++) {
        if (c->element[row] != CLP_NO_ELEMENT) {
            const uint bucket = clp_bucket_of(c->element[row], buckets);
            CLP_ASSERT(bucket < CLP_BUCKETS && c->element[row] < buckets->count);
            /* Races with the other lanes of the group; clp_sum_buckets reads it after a barrier. */
            turns[row] = atomic_inc(&sorter->counts[CLP_PADDED(bucket)]);
        }
    }
}

#define CLP_LANE_BUCKETS (CLP_BUCKETS / CLP_SORT_GROUP)

static inline void clp_sum_buckets(const clp_list_sorter *sorter, uint *counts) {
    const uint lane = (uint)get_local_id(0);
    uint sum = 0;
    CLP_UNROLL
    for (uint j = 0; j < CLP_LANE_BUCKETS; j++) {
        counts[j] = sorter->counts[CLP_PADDED(lane * CLP_LANE_BUCKETS + j)];
        sum += counts[j];
    }
    sorter->sums[lane] = sum;
}

static inline void clp_add_lower(const clp_list_sorter *sorter, uint round) {
    const uint lane = (uint)get_local_id(0), distance = 1u << round;
    const uint from = (round & 1) * CLP_SORT_GROUP, to = CLP_SORT_GROUP - from;
    const uint lower = lane >= distance ? sorter->sums[from + lane - distance] : 0;
    sorter->sums[to + lane] = sorter->sums[from + lane] + lower;
}

#define CLP_ADD_LOWER(round)                                                                       \
    clp_add_lower(&sorter, round);                                                                 \
    barrier(CLK_LOCAL_MEM_FENCE); /* sums, with the next round or clp_set_offsets */
#define CLP_COUNT_SORT_ROUND(round) +1
#define CLP_SORT_ROUNDS (0 CLP_EACH_SORT_ROUND(CLP_COUNT_SORT_ROUND))
#define CLP_SORT_SUMS ((CLP_SORT_ROUNDS & 1) * CLP_SORT_GROUP)

/* Computes the start of each bucket in items; the last entry is the end. */
static inline void clp_set_offsets(const clp_list_sorter *sorter, const uint *counts) {
    const uint lane = (uint)get_local_id(0);
    uint at = lane == 0 ? 0 : sorter->sums[CLP_SORT_SUMS + lane - 1];
    CLP_UNROLL
    for (uint j = 0; j < CLP_LANE_BUCKETS; j++) {
        sorter->counts[CLP_PADDED(lane * CLP_LANE_BUCKETS + j)] = at;
        at += counts[j];
    }
    if (lane == CLP_SORT_GROUP - 1) sorter->counts[CLP_PADDED(CLP_BUCKETS)] = at;
}

/* Reserves space in each bucket. Neighbouring lanes handle neighbouring buckets. */
static inline void clp_reserve(const clp_list_sorter *sorter, const clp_list_buckets *buckets,
                               volatile global uint *cursors, uint *reserved) {
    CLP_UNROLL
    for (uint j = 0; j < CLP_LANE_BUCKETS; j++) {
        const uint b = (uint)get_local_id(0) + j * CLP_SORT_GROUP;
        const uint count = sorter->counts[CLP_PADDED(b + 1)] - sorter->counts[CLP_PADDED(b)];
        /* Races with clp_reserve of all other groups. */
        reserved[j] = count > 0 ? atomic_add(&cursors[buckets->first + b], count) : 0;
    }
}

static inline void clp_set_moves(const clp_list_sorter *sorter, const clp_list_buckets *buckets,
                                 const uint *reserved) {
    CLP_UNROLL
    for (uint j = 0; j < CLP_LANE_BUCKETS; j++) {
        const uint b = (uint)get_local_id(0) + j * CLP_SORT_GROUP;
        sorter->moves[CLP_PADDED(b)] =
            clp_bucket_start(b, buckets) + reserved[j] - sorter->counts[CLP_PADDED(b)];
    }
}

static inline void clp_stage(const clp_list_sorter *sorter, const clp_list_column *c,
                             const clp_list_buckets *buckets, const uint *turns) {
    CLP_UNROLL
    for (uint row = 0; row < CLP_ROWS; row++) {
        if (c->element[row] != CLP_NO_ELEMENT) {
            const uint bucket = clp_bucket_of(c->element[row], buckets);
            sorter->items[sorter->counts[CLP_PADDED(bucket)] + turns[row]] =
                (uint2)(c->element[row], c->rank[row]);
        }
    }
}

/* Writes the items out. Neighbouring lanes write neighbouring items of a bucket; nothing is written
 * outside the bucket. */
static inline void clp_send(const clp_list_sorter *sorter, const clp_list_buckets *buckets,
                            global uint2 *items) {
    const uint staged = sorter->sums[CLP_SORT_SUMS + CLP_SORT_GROUP - 1];
    CLP_UNROLL_SOME
    for (uint i = (uint)get_local_id(0); i < staged; i += CLP_SORT_GROUP) {
        const uint2 item = sorter->items[i];
        const uint bucket = clp_bucket_of(item.x, buckets);
        const uint to = i + sorter->moves[CLP_PADDED(bucket)];
        const uint offset = to - clp_bucket_start(bucket, buckets);
        if (offset < (uint)CLP_RESULT_WINDOW << buckets->bits && to < buckets->count)
            items[to] = item;
    }
}

/* Sorts one batch. The atomics on the cursors are in flight while items are staged. */
#define CLP_SORT(column, buckets, cursors, out)                                                    \
    uint turns[CLP_ROWS], counts[CLP_LANE_BUCKETS];                                                \
    clp_clear_counts(&sorter);                                                                     \
    barrier(CLK_LOCAL_MEM_FENCE); /* counts: clp_clear_counts with clp_count */                    \
    clp_count(&sorter, column, buckets, turns);                                                    \
    barrier(CLK_LOCAL_MEM_FENCE); /* counts: clp_count with clp_sum_buckets */                     \
    clp_sum_buckets(&sorter, counts);                                                              \
    barrier(CLK_LOCAL_MEM_FENCE); /* sums: clp_sum_buckets with clp_add_lower */                   \
    CLP_EACH_SORT_ROUND(CLP_ADD_LOWER)                                                             \
    clp_set_offsets(&sorter, counts);                                                              \
    barrier(CLK_LOCAL_MEM_FENCE); /* offsets: clp_set_offsets with clp_reserve and clp_stage */    \
    clp_reserve(&sorter, buckets, cursors, counts);                                                \
    clp_stage(&sorter, column, buckets, turns);                                                    \
    clp_set_moves(&sorter, buckets, counts);                                                       \
    barrier(CLK_LOCAL_MEM_FENCE); /* items and moves: clp_stage, clp_set_moves with clp_send */    \
    clp_send(&sorter, buckets, out);

/* Sorts the entries of the visit log into buckets of 1 << bits windows. */
CLP_KERNEL(CLP_SORT_GROUP)
void clp_list_sort(global const uint *restrict visits, global const uint2 *restrict starts,
                   uint most, global const CLP_A *restrict offsets,
                   global uint *restrict cursors, global uint2 *restrict items, uint bits,
                   global const clp_list_state *restrict state, const clp_list_level given) {
    CLP_SORTER(sorter);
    const clp_list_level level = clp_as_walked(given, state);
    const clp_list_buckets buckets = {0, bits, level.count};
    const uint column = (uint)get_global_id(0);
    clp_list_column c;
    clp_empty_column(&c);
    if (column < clp_columns(state, most)) {
        clp_read_column(&c, column, visits, starts, offsets, (CLP_INDEX)state->head,
                        &level);
    }
    CLP_SORT(&c, &buckets, cursors, items)
}

#if CLP_SORTS_FINER
/* Sorts each bucket of 1 << bits windows into windows. A batch belongs to one bucket. */
CLP_KERNEL(CLP_SORT_GROUP)
void clp_list_sort_finer(global const uint2 *restrict items, global uint *restrict cursors,
                         uint cursors_at, global uint2 *restrict finer, uint bits,
                         global const clp_list_state *restrict state, const clp_list_level level) {
    CLP_SORTER(sorter);
    const uint start = (uint)get_group_id(0) * CLP_BATCH_ITEMS;
    const clp_list_buckets buckets = {start / CLP_RESULT_WINDOW >> bits << bits, 0, level.count};
    clp_list_column c;
    CLP_UNROLL
    for (uint row = 0; row < CLP_ROWS; row++) {
        const ulong i = (ulong)start + row * CLP_SORT_GROUP + get_local_id(0);
        const bool real = state->valid && i < level.count;
        const uint2 item = real ? items[i] : (uint2)(CLP_NO_ELEMENT, 0);
        c.element[row] = item.x;
        c.rank[row] = item.y;
    }
    CLP_SORT(&c, &buckets, cursors + cursors_at, finer)
}
#endif

/* Scatters the ranks of each window in local memory and writes the window out, coalesced. */
CLP_KERNEL(CLP_WINDOW_GROUP)
void clp_list_scatter_window(global const uint2 *restrict items, global CLP_LINK *restrict out,
                             ulong out_at, global const clp_list_state *restrict state,
                             ulong count) {
    local uint window[CLP_RESULT_WINDOW];
    const ulong start = (ulong)get_group_id(0) * CLP_RESULT_WINDOW;
    const uint size = (uint)min((ulong)CLP_RESULT_WINDOW, count - start);
    const uint lane = (uint)get_local_id(0);
    const bool valid = state->valid;
    CLP_UNROLL_SOME
    for (uint i = lane; i < (valid ? size : 0); i += CLP_WINDOW_GROUP) {
        const uint2 item = items[start + i];
        const uint at = item.x - (uint)start;
        if (at < CLP_RESULT_WINDOW) window[at] = item.y;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* ranks written above, read below */
    CLP_UNROLL_SOME
    for (uint i = lane; i < size; i += CLP_WINDOW_GROUP) {
        out[out_at + start + i] = valid ? (CLP_LINK)window[i] : 0;
    }
}
