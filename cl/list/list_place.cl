/* SPDX-License-Identifier: MIT */
/*
 * From the visit log, where results are in the order of the walks, to the places of the elements
 * without scattered writes. Items (an element and its result) are sorted by element into buckets of
 * windows, in one or two passes. Each element has one item, so that the place and size of each
 * bucket are known, and one cursor per bucket suffices. Each batch is sorted in local memory and
 * then written out. The last pass scatters each bucket, then a window of the output, in local
 * memory. A malformed list has no items.
 */

/* Pads the index of a bucket, so that lanes that handle several buckets each hit different banks of
 * local memory. A macro because sizes of arrays are padded, too. */
#define CLP_PADDED(bucket) ((bucket) + ((bucket) >> 5))
#define CLP_BATCH_ITEMS (CLP_SORT_GROUP * CLP_ROWS)
#define CLP_LANE_BUCKETS (CLP_BUCKETS / CLP_SORT_GROUP)
#if CLP_LANE_BUCKETS <= 16
#define CLP_UNROLL_BUCKETS CLP_UNROLL
#else
#define CLP_UNROLL_BUCKETS
#endif

/* The items of a lane. */
typedef struct {
    CLP_ELEMENT element[CLP_ROWS]; /* CLP_NO_ELEMENT: none */
    CLP_RESULT result[CLP_ROWS];
} clp_column;

typedef struct {
    local clp_item *items; /* sorted by bucket */
    local uint *counts; /* items per bucket; then the start of each bucket in items */
    local uint *moves; /* from a position in items to the position in the bucket */
    local uint *sums; /* of each lane's buckets; double-buffered */
} clp_sorter;

/* Declares a sorter in local memory: a macro, as a kernel alone may do so. */
#define CLP_SORTER(name)                                                                           \
    local clp_item name##_items[CLP_BATCH_ITEMS];                                                  \
    local uint name##_counts[CLP_PADDED(CLP_BUCKETS) + 1];                                         \
    local uint name##_moves[CLP_PADDED(CLP_BUCKETS)];                                              \
    local uint name##_sums[2 * CLP_SORT_GROUP];                                                    \
    const clp_sorter name = {name##_items, name##_counts, name##_moves, name##_sums}

/* The buckets of a pass, each of 1 << bits windows. Bucket 0 starts with window `first` << bits.
 * count: all elements. */
typedef struct {
    uint first;
    uint bits;
    ulong count;
} clp_buckets;

static inline uint clp_bucket_of(CLP_ELEMENT element, const clp_buckets *buckets) {
    return (uint)(element / CLP_RESULT_WINDOW >> buckets->bits) - buckets->first;
}

/* Returns the first element of a bucket. */
static inline CLP_ELEMENT clp_bucket_start(uint bucket, const clp_buckets *buckets) {
    return ((CLP_ELEMENT)(bucket + buckets->first) << buckets->bits) * CLP_RESULT_WINDOW;
}

static inline void clp_empty_column(clp_column *c) {
    CLP_UNROLL
    for (uint row = 0; row < CLP_ROWS; row++) c->element[row] = CLP_NO_ELEMENT;
}

/* Counts this lane's elements per bucket. turns: the index of each element in its bucket. */
static inline void clp_count(const clp_sorter *sorter, const clp_column *c,
                             const clp_buckets *buckets, uint *turns) {
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

static inline void clp_sum_buckets(const clp_sorter *sorter, uint *counts) {
    const uint lane = (uint)get_local_id(0);
    uint sum = 0;
    CLP_UNROLL_BUCKETS
    for (uint j = 0; j < CLP_LANE_BUCKETS; j++) {
        counts[j] = sorter->counts[CLP_PADDED(lane * CLP_LANE_BUCKETS + j)];
        sum += counts[j];
    }
    sorter->sums[lane] = sum;
}

static inline void clp_add_lower(const clp_sorter *sorter, uint round) {
    const uint lane = (uint)get_local_id(0), distance = 1u << round;
    const uint from = (round & 1) * CLP_SORT_GROUP, to = CLP_SORT_GROUP - from;
    const uint lower = lane >= distance ? sorter->sums[from + lane - distance] : 0;
    sorter->sums[to + lane] = sorter->sums[from + lane] + lower;
}

/* A macro because barriers stay at a kernel's top level. */
#define CLP_ADD_LOWER(round)                                                                       \
    clp_add_lower(sorter, round);                                                                  \
    barrier(CLK_LOCAL_MEM_FENCE); /* sums, with the next round or clp_set_offsets */
#define CLP_COUNT_SORT_ROUND(round) +1
#define CLP_SORT_ROUNDS (0 CLP_EACH_SORT_ROUND(CLP_COUNT_SORT_ROUND))
#define CLP_SORT_SUMS ((CLP_SORT_ROUNDS & 1) * CLP_SORT_GROUP)

/* Computes the start of each bucket in items; the last entry is the end. */
static inline void clp_set_offsets(const clp_sorter *sorter, const uint *counts) {
    const uint lane = (uint)get_local_id(0);
    uint at = lane == 0 ? 0 : sorter->sums[CLP_SORT_SUMS + lane - 1];
    CLP_UNROLL_BUCKETS
    for (uint j = 0; j < CLP_LANE_BUCKETS; j++) {
        sorter->counts[CLP_PADDED(lane * CLP_LANE_BUCKETS + j)] = at;
        at += counts[j];
    }
    if (lane == CLP_SORT_GROUP - 1) sorter->counts[CLP_PADDED(CLP_BUCKETS)] = at;
}

/* Reserves space in each bucket. Neighbouring lanes handle neighbouring buckets. */
static inline void clp_reserve(const clp_sorter *sorter, const clp_buckets *buckets,
                               volatile global uint *cursors, uint *reserved) {
    CLP_UNROLL_BUCKETS
    for (uint j = 0; j < CLP_LANE_BUCKETS; j++) {
        const uint b = (uint)get_local_id(0) + j * CLP_SORT_GROUP;
        const uint count = sorter->counts[CLP_PADDED(b + 1)] - sorter->counts[CLP_PADDED(b)];
        /* Races with clp_reserve of all other groups. */
        reserved[j] = count > 0 ? atomic_add(&cursors[buckets->first + b], count) : 0;
    }
}

static inline void clp_set_moves(const clp_sorter *sorter, const uint *reserved) {
    CLP_UNROLL_BUCKETS
    for (uint j = 0; j < CLP_LANE_BUCKETS; j++) {
        const uint b = (uint)get_local_id(0) + j * CLP_SORT_GROUP;
        sorter->moves[CLP_PADDED(b)] = reserved[j] - sorter->counts[CLP_PADDED(b)];
    }
}

static inline void clp_stage(const clp_sorter *sorter, const clp_column *c,
                             const clp_buckets *buckets, const uint *turns) {
    CLP_UNROLL
    for (uint row = 0; row < CLP_ROWS; row++) {
        if (c->element[row] != CLP_NO_ELEMENT) {
            const uint bucket = clp_bucket_of(c->element[row], buckets);
            const clp_item item = {c->element[row], c->result[row]};
            sorter->items[sorter->counts[CLP_PADDED(bucket)] + turns[row]] = item;
        }
    }
}

/* Writes the items out. Neighbouring lanes write neighbouring items of a bucket; nothing is written
 * outside the bucket. */
static inline void clp_send(const clp_sorter *sorter, const clp_buckets *buckets,
                            global clp_item *items) {
    const uint staged = sorter->sums[CLP_SORT_SUMS + CLP_SORT_GROUP - 1];
    CLP_UNROLL_SOME
    for (uint i = (uint)get_local_id(0); i < staged; i += CLP_SORT_GROUP) {
        const clp_item item = sorter->items[i];
        const uint bucket = clp_bucket_of((CLP_ELEMENT)item.at, buckets);
        const uint offset = i + sorter->moves[CLP_PADDED(bucket)];
        const CLP_ELEMENT to = clp_bucket_start(bucket, buckets) + offset;
        if (offset < (CLP_ELEMENT)CLP_RESULT_WINDOW << buckets->bits && to < buckets->count)
            clp_store_item(&items[to], item);
    }
}

/* What a lane knows of its items and its buckets between the two halves of a pass. */
typedef struct {
    uint turns[CLP_ROWS];
    uint counts[CLP_LANE_BUCKETS];
} clp_sorting;

/* Sorts one batch: finds the place of each item. The atomics on the cursors are in flight when it
 * returns. */
CLP_INLINE void clp_find_places(const clp_sorter *sorter, const clp_column *c,
                                const clp_buckets *buckets, volatile global uint *cursors,
                                clp_sorting *own) {
    for (uint b = (uint)get_local_id(0); b < CLP_PADDED(CLP_BUCKETS); b += CLP_SORT_GROUP)
        sorter->counts[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* counts: cleared above, with clp_count */
    clp_count(sorter, c, buckets, own->turns);
    barrier(CLK_LOCAL_MEM_FENCE); /* counts: clp_count with clp_sum_buckets */
    clp_sum_buckets(sorter, own->counts);
    barrier(CLK_LOCAL_MEM_FENCE); /* sums: clp_sum_buckets with clp_add_lower */
    CLP_EACH_SORT_ROUND(CLP_ADD_LOWER)
    clp_set_offsets(sorter, own->counts);
    barrier(CLK_LOCAL_MEM_FENCE); /* offsets: clp_set_offsets with clp_reserve and clp_stage */
    clp_reserve(sorter, buckets, cursors, own->counts);
}

/* Moves the items to their places. */
CLP_INLINE void clp_move_items(const clp_sorter *sorter, const clp_column *c,
                               const clp_buckets *buckets, global clp_item *items,
                               const clp_sorting *own) {
    clp_stage(sorter, c, buckets, own->turns);
    clp_set_moves(sorter, own->counts);
    barrier(CLK_LOCAL_MEM_FENCE); /* items and moves: clp_stage, clp_set_moves with clp_send */
    clp_send(sorter, buckets, items);
}

#if CLP_SORTS_FINER
/* Sorts each bucket of 1 << bits windows into windows. A batch belongs to one bucket. */
CLP_KERNEL(CLP_SORT_GROUP)
void clp_list_sort_finer(global const clp_item *restrict items, global uint *restrict cursors,
                         uint cursors_at, global clp_item *restrict finer, uint bucket_bits,
                         global const clp_list_state *restrict state, const clp_list_level level) {
    CLP_SORTER(sorter);
    const ulong start = (ulong)get_group_id(0) * CLP_BATCH_ITEMS;
    const uint window = (uint)((CLP_ELEMENT)start / CLP_RESULT_WINDOW);
    const clp_buckets buckets = {window >> bucket_bits << bucket_bits, 0, level.count};
    clp_column c;
    clp_sorting own;
    clp_empty_column(&c);
    CLP_UNROLL
    for (uint row = 0; row < CLP_ROWS; row++) {
        const ulong i = start + row * CLP_SORT_GROUP + get_local_id(0);
        if (!state->valid || i >= level.count) continue;
        const clp_item item = clp_load_item(&items[i]);
        c.element[row] = (CLP_ELEMENT)item.at;
        c.result[row] = item.value;
    }
    clp_find_places(&sorter, &c, &buckets, cursors + cursors_at, &own);
    clp_move_items(&sorter, &c, &buckets, finer, &own);
}
#endif

/* Scatters the results of each window in local memory and writes the window out, coalesced. The
 * ranks of a malformed list are 0. */
CLP_KERNEL(CLP_WINDOW_GROUP)
void clp_list_scatter_window(global const clp_item *restrict sorted,
                             global const clp_list_state *restrict state, ulong count, CLP_OUTPUT) {
    local CLP_PLACED window[CLP_RESULT_WINDOW];
    const clp_output to = CLP_OUTPUT_OF;
    const ulong start = (ulong)get_group_id(0) * CLP_RESULT_WINDOW;
    const uint size = (uint)min((ulong)CLP_RESULT_WINDOW, count - start);
    const uint lane = (uint)get_local_id(0), filled = state->valid ? size : 0;
#if CLP_RANKS
    if (!state->valid) clp_write_zeros(out + out_at, (CLP_INDEX)count);
#endif
    CLP_UNROLL_SOME
    for (uint i = lane; i < filled; i += CLP_WINDOW_GROUP) {
        const clp_item item = clp_load_item(&sorted[start + i]);
        const CLP_ELEMENT at = (CLP_ELEMENT)item.at - (CLP_ELEMENT)start;
        if (at < CLP_RESULT_WINDOW) window[at] = CLP_PLACED_OF(item.value);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* results written above, read below */
    CLP_UNROLL_SOME
    for (uint i = lane; i < filled; i += CLP_WINDOW_GROUP)
        clp_put(&to, (CLP_INDEX)(start + i), window[i]);
}
