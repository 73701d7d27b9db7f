/* SPDX-License-Identifier: MIT */
/*
 * From the visit log, where results are in the order of the walks, to the places of the elements.
 * If the output is larger than a cache, stores are not scattered over it: results are partitioned
 * into buckets of neighbouring elements, in one or two passes, until a bucket is a window of the
 * output that fits local memory. Each element has one result, so that the place and size of every
 * bucket are known. A malformed list has no results.
 */

/* The output. A forest has two arrays, of which one may be missing. */
typedef struct {
#if CLP_FOREST
    global CLP_LINK *ranks;
    global CLP_LINK *heads;
#else
    global CLP_OUT *out;
#endif
} clp_output;

#if CLP_FOREST
#define CLP_PLACED CLP_A
#define CLP_PLACED_OF(value) (value)
#else
#define CLP_PLACED CLP_OUT
#define CLP_PLACED_OF(value) CLP_STORED(value)
#endif

static inline void clp_put(const clp_output *to, CLP_INDEX i, CLP_PLACED value) {
#if CLP_FOREST
    if (to->ranks != 0) to->ranks[i] = value.x;
    if (to->heads != 0) to->heads[i] = value.y;
#else
    to->out[i] = value;
#endif
}

#if CLP_FOREST
#define CLP_OUTPUT                                                                                 \
    global CLP_LINK *ranks, ulong ranks_at, uint has_ranks, global CLP_LINK *heads,                \
        ulong heads_at, uint has_heads
#define CLP_OUTPUT_OF                                                                              \
    { has_ranks ? ranks + ranks_at : 0, has_heads ? heads + heads_at : 0 }
#else
#define CLP_OUTPUT global CLP_OUT *out, ulong out_at
#define CLP_OUTPUT_OF                                                                              \
    { out + out_at }
#endif

/* Combines the value of an entry with all that comes before its sublist. above: offsets of the
 * nodes of level 1. */
static inline CLP_A clp_complete(clp_entry entry, global const CLP_A *above,
                                 global const uint *states_above) {
    if (entry.tag == CLP_FINAL) return entry.value;
    const CLP_A offset = above[entry.tag & ~CLP_FIRST];
#if !CLP_HAS_START
    if (states_above[entry.tag & ~CLP_FIRST] == CLP_BARE_ROOT) {
        /* Keeps this a branch. From a select, compilers for CPUs generate a masked load of a
         * constant, which is slow until something else touches the constant's page. */
        mem_fence(CLK_LOCAL_MEM_FENCE);
        return entry.value;
    }
#endif
#if !CLP_INCLUSIVE
    if ((entry.tag & CLP_FIRST) != 0) return offset;
#endif
    return clp_op(offset, entry.value);
}

/* Scatters the results directly. Each work-group takes one chunk of the visit log. */
CLP_KERNEL(CLP_GROUP)
void clp_listscan_scatter(global const clp_entry *restrict visits,
                          global const uint *restrict fills, global const CLP_A *restrict offsets,
                          global const uint *restrict states,
                          global const clp_list_state *restrict state, const clp_list_level level,
                          CLP_OUTPUT) {
    const clp_output to = CLP_OUTPUT_OF;
    const ulong first = (ulong)get_group_id(0) * CLP_CHUNK;
    if (!state->valid) return;
    const uint count = fills[get_group_id(0)];
    CLP_ASSERT(count <= CLP_CHUNK);
    for (uint k = (uint)get_local_id(0); k < count; k += CLP_GROUP) {
        const clp_entry entry = clp_load_entry(&visits[first + k]);
        clp_put(&to, entry.at,
                CLP_PLACED_OF(clp_complete(entry, offsets + level.above, states + level.above)));
    }
}

#if CLP_HELD > 0
#define CLP_TILE (CLP_GROUP * CLP_HELD)
#define CLP_TILES ((CLP_CHUNK + CLP_TILE - 1) / CLP_TILE)
#define CLP_OUT_WINDOW (1u << CLP_WINDOW_BITS)

/* A tile of results on its way to buckets of 1 << bits elements. The first bucket starts with
 * element `first` << bits. */
typedef struct {
    local clp_record *sorted; /* grouped by bucket, buckets in any order */
    local uint *counts; /* results per bucket; then the start of each bucket in sorted */
    local uint *shifts; /* from a position in sorted to one in the bucket */
    local uint *sum;
    uint count;
    uint bits;
    uint buckets;
    CLP_INDEX first;
} clp_tile;

#define CLP_TILE_OF(name)                                                                          \
    local clp_record name##_sorted[CLP_TILE];                                                      \
    local uint name##_counts[CLP_BUCKETS], name##_shifts[CLP_BUCKETS], name##_sum;                 \
    clp_tile name = {name##_sorted, name##_counts, name##_shifts, &name##_sum, 0, 0, 0, 0}

static inline uint clp_bucket_of(const clp_tile *tile, CLP_LINK at) {
    return (uint)(((CLP_INDEX)at >> tile->bits) - tile->first);
}

static inline void clp_clear_tile(const clp_tile *tile) {
    const uint lane = (uint)get_local_id(0);
    CLP_ASSERT(tile->buckets <= CLP_BUCKETS && tile->count <= CLP_TILE);
    for (uint b = lane; b < tile->buckets; b += CLP_GROUP) tile->counts[b] = 0;
    if (lane == 0) *tile->sum = 0;
}

/* turns: the index of each result of this lane in its bucket. */
static inline void clp_count_tile(const clp_tile *tile, const clp_record *held, uint *turns) {
    const uint lane = (uint)get_local_id(0);
    CLP_UNROLL
    for (uint k = 0; k < CLP_HELD; k++) {
        if (lane + k * CLP_GROUP >= tile->count) continue;
        CLP_ASSERT(clp_bucket_of(tile, held[k].at) < tile->buckets);
        /* Races with the other lanes of the group; clp_reserve_tile reads it after a barrier. */
        turns[k] = atomic_inc(&tile->counts[clp_bucket_of(tile, held[k].at)]);
    }
}

/* cursors: the number of results in each bucket. */
static inline void clp_reserve_tile(const clp_tile *tile, volatile global uint *cursors) {
    for (uint b = (uint)get_local_id(0); b < tile->buckets; b += CLP_GROUP) {
        const uint own = tile->counts[b];
        if (own == 0) continue;
        const uint begin = atomic_add(tile->sum, own); /* races with the other lanes of the group */
        tile->counts[b] = begin;
        /* Races with clp_reserve_tile of all other groups. */
        tile->shifts[b] = atomic_add(&cursors[tile->first + b], own) - begin;
    }
}

static inline void clp_sort_tile(const clp_tile *tile, const clp_record *held, const uint *turns) {
    const uint lane = (uint)get_local_id(0);
    CLP_UNROLL
    for (uint k = 0; k < CLP_HELD; k++) {
        if (lane + k * CLP_GROUP >= tile->count) continue;
        tile->sorted[tile->counts[clp_bucket_of(tile, held[k].at)] + turns[k]] = held[k];
    }
}

/* Writes the tile out. Neighbouring lanes store neighbouring results. */
static inline void clp_send_tile(const clp_tile *tile, global clp_record *to) {
    for (uint k = (uint)get_local_id(0); k < tile->count; k += CLP_GROUP) {
        const clp_record result = tile->sorted[k];
        const uint bucket = clp_bucket_of(tile, result.at);
        const ulong begin = ((ulong)tile->first + bucket) << tile->bits;
        clp_store_record(&to[begin + (uint)(tile->shifts[bucket] + k)], result);
    }
}

/* Partitions one tile. `complete` runs while the atomics on the cursors are in flight. */
#define CLP_PARTITION(tile, held, complete, cursors, to)                                           \
    uint turns[CLP_HELD];                                                                          \
    clp_clear_tile(&tile);                                                                         \
    barrier(CLK_LOCAL_MEM_FENCE); /* counts: clp_clear_tile with clp_count_tile */                 \
    clp_count_tile(&tile, held, turns);                                                            \
    barrier(CLK_LOCAL_MEM_FENCE); /* counts: clp_count_tile with clp_reserve_tile */               \
    clp_reserve_tile(&tile, cursors);                                                              \
    barrier(CLK_LOCAL_MEM_FENCE); /* counts, shifts: clp_reserve_tile with clp_sort_tile */        \
    complete;                                                                                      \
    clp_sort_tile(&tile, held, turns);                                                             \
    barrier(CLK_LOCAL_MEM_FENCE); /* sorted: clp_sort_tile with clp_send_tile */                   \
    clp_send_tile(&tile, to);

/* Combines the results of a tile with all that comes before their sublists. */
static inline void clp_complete_tile(uint count, clp_record *held, const uint *tags,
                                     global const CLP_A *above,
                                     global const uint *states_above) {
    CLP_UNROLL
    for (uint k = 0; k < CLP_HELD; k++) {
        if ((uint)get_local_id(0) + k * CLP_GROUP >= count) continue;
        const clp_entry entry = {(CLP_INDEX)held[k].at, tags[k], held[k].value};
        held[k].value = clp_complete(entry, above, states_above);
    }
}

/* First partition pass: from the visit log to buckets. Each work-group takes one tile of a chunk.
 */
CLP_KERNEL(CLP_GROUP)
void clp_listscan_partition(global const clp_entry *restrict visits,
                            global const uint *restrict fills,
                            global const CLP_A *restrict offsets,
                            global const uint *restrict states, global uint *restrict cursors,
                            global const clp_list_state *restrict state, const clp_list_level level,
                            global clp_record *restrict partitioned, uint bits, uint buckets) {
    CLP_TILE_OF(tile);
    clp_record held[CLP_HELD];
    uint tags[CLP_HELD];
    const uint lane = (uint)get_local_id(0);
    const uint chunk = (uint)get_group_id(0) / CLP_TILES;
    const uint first = (uint)get_group_id(0) % CLP_TILES * CLP_TILE;
    const uint fill = state->valid ? fills[chunk] : 0;
    tile.count = fill > first ? min(fill - first, (uint)CLP_TILE) : 0;
    tile.bits = bits;
    tile.buckets = buckets;
    CLP_UNROLL
    for (uint k = 0; k < CLP_HELD; k++) {
        if (lane + k * CLP_GROUP >= tile.count) continue;
        const clp_entry entry =
            clp_load_entry(&visits[(ulong)chunk * CLP_CHUNK + first + lane + k * CLP_GROUP]);
        held[k].at = (CLP_LINK)entry.at;
        held[k].value = entry.value;
        tags[k] = entry.tag;
    }
    CLP_PARTITION(
        tile, held,
        clp_complete_tile(tile.count, held, tags, offsets + level.above, states + level.above),
        cursors, partitioned)
}

/* Second partition pass: from buckets to windows. Each work-group takes one tile of a bucket, which
 * has whole tiles. cursors: of the windows. */
CLP_KERNEL(CLP_GROUP)
void clp_listscan_partition_finer(global const clp_record *restrict partitioned,
                                  global uint *restrict cursors,
                                  global const clp_list_state *restrict state, ulong count,
                                  global clp_record *restrict finer, ulong cursors_at, uint bits) {
    CLP_TILE_OF(tile);
    clp_record held[CLP_HELD];
    const uint lane = (uint)get_local_id(0);
    const ulong start = (ulong)get_group_id(0) * CLP_TILE;
    tile.count = state->valid ? (uint)min(count - start, (ulong)CLP_TILE) : 0;
    tile.bits = CLP_WINDOW_BITS;
    tile.buckets = 1u << (bits - CLP_WINDOW_BITS);
    tile.first = (CLP_INDEX)(start >> bits) * tile.buckets;
    CLP_UNROLL
    for (uint k = 0; k < CLP_HELD; k++) {
        if (lane + k * CLP_GROUP >= tile.count) continue;
        held[k] = clp_load_record(&partitioned[start + lane + k * CLP_GROUP]);
    }
    CLP_PARTITION(tile, held, , cursors + cursors_at, finer)
}

/* Scatters the results of each window in local memory and writes the window out, coalesced. */
CLP_KERNEL(CLP_GROUP)
void clp_listscan_scatter_window(global const clp_record *restrict partitioned,
                                 global const clp_list_state *restrict state, ulong count,
                                 CLP_OUTPUT) {
    local CLP_PLACED window[CLP_OUT_WINDOW];
    const clp_output to = CLP_OUTPUT_OF;
    const ulong start = (ulong)get_group_id(0) * CLP_OUT_WINDOW;
    const uint size = state->valid ? (uint)min(count - start, (ulong)CLP_OUT_WINDOW) : 0;
    for (uint i = (uint)get_local_id(0); i < size; i += CLP_TILE) {
        clp_record held[CLP_HELD];
        CLP_UNROLL
        for (uint k = 0; k < CLP_HELD; k++) {
            if (i + k * CLP_GROUP < size)
                held[k] = clp_load_record(&partitioned[start + i + k * CLP_GROUP]);
        }
        CLP_UNROLL
        for (uint k = 0; k < CLP_HELD; k++) {
            const CLP_INDEX at = (CLP_INDEX)held[k].at - (CLP_INDEX)start;
            CLP_ASSERT(i + k * CLP_GROUP >= size || at < CLP_OUT_WINDOW);
            if (i + k * CLP_GROUP < size) window[at] = CLP_PLACED_OF(held[k].value);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* window written above, read below by other lanes */
    for (uint i = (uint)get_local_id(0); i < size; i += CLP_GROUP) {
        clp_put(&to, (CLP_INDEX)(start + i), window[i]);
    }
}
#endif
