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
    if (node->state == CLP_BARE_ROOT) return entry.value;
#endif
    if ((entry.tag & CLP_FIRST) != 0) return node->offset;
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

/* Results that a work-item holds at once. */
#if CLP_A_BYTES > 16
#define CLP_HELD 1
#else
#define CLP_HELD 8
#endif
#define CLP_TILE (CLP_GROUP * CLP_HELD)
#define CLP_TILES ((CLP_CHUNK + CLP_TILE - 1) / CLP_TILE)

/* To the buckets. Each group takes one tile of a chunk. cursors: how full each bucket is, shared by
 * all groups. */
CLP_KERNEL(CLP_GROUP)
void clp_listscan_part(global const clp_entry *restrict rows, global const uint *restrict fills,
                       global const clp_node *restrict nodes, global uint *restrict cursors,
                       global const clp_list_state *restrict state, const clp_list_level level,
                       global clp_record *restrict parted, uint bucket_bits, uint buckets) {
    local uint places[CLP_BUCKETS];
    clp_entry held[CLP_HELD];
    uint place[CLP_HELD];
    const uint chunk = (uint)get_group_id(0) / CLP_TILES;
    const uint first = (uint)get_group_id(0) % CLP_TILES * CLP_TILE + (uint)get_local_id(0);
    const uint count = state->valid ? fills[chunk] : 0;
    for (uint b = (uint)get_local_id(0); b < buckets; b += CLP_GROUP) places[b] = 0;
    CLP_UNROLL
    for (uint k = 0; k < CLP_HELD; k++) {
        if (first + k * CLP_GROUP >= count) continue;
        held[k] = clp_load_entry(&rows[(ulong)chunk * CLP_CHUNK + first + k * CLP_GROUP]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* places cleared above, counted up below by all lanes */
    CLP_UNROLL
    for (uint k = 0; k < CLP_HELD; k++) {
        if (first + k * CLP_GROUP >= count) continue;
        place[k] = atomic_inc(&places[held[k].at >> bucket_bits]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* places counted above by all lanes, read below by one each */
    for (uint b = (uint)get_local_id(0); b < buckets; b += CLP_GROUP) {
        if (places[b] > 0) places[b] = atomic_add(&cursors[b], places[b]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* places begun above by one lane each, read below by all */
    CLP_UNROLL
    for (uint k = 0; k < CLP_HELD; k++) {
        if (first + k * CLP_GROUP >= count) continue;
        const CLP_INDEX bucket = held[k].at >> bucket_bits;
        clp_record result;
        result.at = (CLP_LINK)held[k].at;
        result.value = clp_complete(held[k], nodes + level.above);
        clp_store_record(&parted[((ulong)bucket << bucket_bits) + places[bucket] + place[k]],
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
