/* SPDX-License-Identifier: MIT */
/*
 * From the rows, where the results stand in the order of the walks, to the elements' places. When
 * the output is larger than a cache, the results go first to buckets of neighbouring elements:
 * since each element has one result, a bucket's place and size are known beforehand. A list that
 * is not valid has no results.
 */
#ifndef CLP_BUCKETS
#error "listscan_place.cl: CLP_BUCKETS, the most buckets, is not set by the prelude"
#endif
#ifndef CLP_HELD
#error "listscan_place.cl: CLP_HELD, results that a work-item holds, is not set by the prelude"
#endif

/* Where the results go: a forest has two arrays, of which one may be missing. */
typedef struct {
#if CLP_FOREST
    global CLP_LINK *ranks;
    global CLP_LINK *heads;
#else
    global CLP_OUT *out;
#endif
} clp_output;

static inline void clp_put(const clp_output *to, CLP_INDEX i, CLP_A value) {
#if CLP_FOREST
    if (to->ranks != 0) to->ranks[i] = value.x;
    if (to->heads != 0) to->heads[i] = value.y;
#else
    to->out[i] = CLP_STORED(value);
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

/* The entry's value with all that comes before its sublist. above: the nodes of level 1. */
static inline CLP_A clp_complete(clp_entry entry, global const clp_node *above) {
    if (entry.tag == CLP_FINAL) return entry.value;
    global const clp_node *node = above + (entry.tag & ~CLP_FIRST);
#if !CLP_HAS_START
    if (node->state == CLP_BARE_ROOT) {
        /* Keeps this a branch. Of a choice, compilers for CPUs make a masked load of a constant,
         * and that is slow until something else touches the constant's page. */
        mem_fence(CLK_LOCAL_MEM_FENCE);
        return entry.value;
    }
#endif
#if !CLP_INCLUSIVE
    if ((entry.tag & CLP_FIRST) != 0) return node->offset;
#endif
    return clp_op(node->offset, entry.value);
}

/* Straight to the places. Each group takes one chunk of the rows. */
CLP_KERNEL(CLP_GROUP)
void clp_listscan_place(global const clp_entry *restrict rows, global const uint *restrict fills,
                        global const clp_node *restrict nodes,
                        global const clp_list_state *restrict state, const clp_list_level level,
                        CLP_OUTPUT) {
    const clp_output to = CLP_OUTPUT_OF;
    const ulong first = (ulong)get_group_id(0) * CLP_CHUNK;
    if (!state->valid) return;
    const uint count = fills[get_group_id(0)];
    for (uint k = (uint)get_local_id(0); k < count; k += CLP_GROUP) {
        const clp_entry entry = clp_load_entry(&rows[first + k]);
        clp_put(&to, entry.at, clp_complete(entry, nodes + level.above));
    }
}

#if CLP_HELD > 0
#define CLP_TILE (CLP_GROUP * CLP_HELD)
#define CLP_TILES ((CLP_CHUNK + CLP_TILE - 1) / CLP_TILE)

/*
 * To the buckets. Each group takes one tile of a chunk, and puts it in order of the buckets in
 * local memory (each bucket's results side by side, the buckets in any order), so that lanes side
 * by side store side by side. cursors: how full each bucket is, shared by all groups.
 */
CLP_KERNEL(CLP_GROUP)
void clp_listscan_part(global const clp_entry *restrict rows, global const uint *restrict fills,
                       global const clp_node *restrict nodes, global uint *restrict cursors,
                       global const clp_list_state *restrict state, const clp_list_level level,
                       global clp_record *restrict parted, uint bucket_bits, uint buckets) {
    local uint counts[CLP_BUCKETS]; /* then where the tile's results of a bucket begin */
    local uint shifts[CLP_BUCKETS]; /* from a place in the tile to one in the bucket */
    local uint sum;
    local clp_record sorted[CLP_TILE];
    clp_entry held[CLP_HELD];
    uint place[CLP_HELD];
    const uint lane = (uint)get_local_id(0);
    const uint chunk = (uint)get_group_id(0) / CLP_TILES;
    const uint first = (uint)get_group_id(0) % CLP_TILES * CLP_TILE;
    const uint fill = state->valid ? fills[chunk] : 0;
    const uint count = fill > first ? min(fill - first, (uint)CLP_TILE) : 0;
    for (uint b = lane; b < buckets; b += CLP_GROUP) counts[b] = 0;
    if (lane == 0) sum = 0;
    CLP_UNROLL
    for (uint k = 0; k < CLP_HELD; k++) {
        if (lane + k * CLP_GROUP >= count) continue;
        held[k] = clp_load_entry(&rows[(ulong)chunk * CLP_CHUNK + first + lane + k * CLP_GROUP]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* counts and sum cleared above, counted up below by all lanes */
    CLP_UNROLL
    for (uint k = 0; k < CLP_HELD; k++) {
        if (lane + k * CLP_GROUP >= count) continue;
        place[k] = atomic_inc(&counts[held[k].at >> bucket_bits]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* counts made above by all lanes, read below by one each */
    for (uint b = lane; b < buckets; b += CLP_GROUP) {
        const uint own = counts[b];
        if (own == 0) continue;
        counts[b] = atomic_add(&sum, own);
        shifts[b] = atomic_add(&cursors[b], own) - counts[b];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* counts and shifts made above by one lane each, read by all */
    CLP_UNROLL
    for (uint k = 0; k < CLP_HELD; k++) {
        if (lane + k * CLP_GROUP >= count) continue;
        clp_record result;
        result.at = (CLP_LINK)held[k].at;
        result.value = clp_complete(held[k], nodes + level.above);
        sorted[counts[held[k].at >> bucket_bits] + place[k]] = result;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* sorted above, stored below by other lanes */
    for (uint k = lane; k < count; k += CLP_GROUP) {
        const clp_record result = sorted[k];
        const CLP_INDEX bucket = (CLP_INDEX)result.at >> bucket_bits;
        clp_store_record(&parted[((ulong)bucket << bucket_bits) + (uint)(shifts[bucket] + k)],
                         result);
    }
}

/* From the buckets to the places, one tile a group: those that run together stay close together. */
CLP_KERNEL(CLP_GROUP)
void clp_listscan_settle(global const clp_record *restrict parted,
                         global const clp_list_state *restrict state, ulong count, CLP_OUTPUT) {
    const clp_output to = CLP_OUTPUT_OF;
    clp_record held[CLP_HELD];
    const ulong first = (ulong)get_group_id(0) * CLP_TILE + get_local_id(0);
    if (!state->valid) return;
    CLP_UNROLL
    for (uint k = 0; k < CLP_HELD; k++) {
        if (first + k * CLP_GROUP >= count) continue;
        held[k] = clp_load_record(&parted[first + k * CLP_GROUP]);
    }
    CLP_UNROLL
    for (uint k = 0; k < CLP_HELD; k++) {
        if (first + k * CLP_GROUP >= count) continue;
        clp_put(&to, (CLP_INDEX)held[k].at, held[k].value);
    }
}
#endif
