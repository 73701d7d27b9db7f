/* SPDX-License-Identifier: MIT */
/*
 * The local memory of a block, CLPRIMS_LOCAL(name) of the caller: counts, and what no two functions
 * use at once. The host computes its bytes (blocks_text.c).
 */
#define CLP_TILE (CLP_GROUP * CLP_ITEMS)

/* Where element i of a tile stands in local memory: a gap behind each 32 elements, so that lanes
 * that have several elements side by side meet in fewer banks. */
#define CLP_PADDED(i) ((i) + (i) / 32)

/* A work-item's elements as chunks of 16 bytes, and where chunk c stands there: the same gap. */
#define CLP_CHUNKS ((CLP_ITEMS * CLP_A_BYTES + 15) / 16)
#define CLP_GAPPED(c) ((c) + (c) / 8)
typedef union clp_vector {
    CLP_A element[CLP_ITEMS];
    uint4 chunk[CLP_CHUNKS];
} clp_vector;

/* Each work-item's counters of digits: digits d and d + CLP_ROWS share a word where no count has
 * more than 16 bits. Each work-item scans CLP_SCANNED of these words, an odd number: so lanes
 * access different banks. */
#define CLP_DIGITS (1u << CLP_RADIX_BITS)
#define CLP_ROWS (CLP_TILE < 65536 ? CLP_DIGITS / 2 : CLP_DIGITS)
#define CLP_SCANNED (CLP_ROWS + 1)

typedef struct clp_local {
    uint sums[CLP_SUMS];
    union __attribute__((aligned(CLP_ROOM_ALIGNMENT))) {
        uchar bytes[CLP_ROOM_BYTES];
        struct {
            CLP_A exchange[CLP_EXCHANGE];
            CLP_A aggregate[CLP_SUBGROUPS];
        };
        uchar flags[CLP_GROUP];
#if CLP_HAS_TILES
        CLP_A tile[CLP_PADDED(CLP_TILE) + 1];
        uint4 chunks[CLP_GAPPED(CLP_CHUNKS * CLP_GROUP) + 1];
#endif
#if CLP_HAS_SORT
        struct {
            uint counters[CLP_SCANNED * CLP_GROUP];
            union {
                CLP_K keys[CLP_PADDED(CLP_TILE) + 1];
                uint words[CLP_PADDED(CLP_TILE) + 1];
            };
        };
#endif
#if CLP_BINS > 0
        uint bins[CLP_BINS];
#endif
#if CLP_HAS_LOOK_BACK && CLP_LOOKS_TOGETHER
        clp_seen seen;
#endif
    };
} clp_local;

typedef char
    clp_room_has_the_stated_size[sizeof(clp_local) == CLP_ROOM_HEAD + CLP_ROOM_BYTES ? 1 : -1];

/* Whether element i of the tile is real. */
CLP_INLINE bool clp_is_among(uint i, uint count) {
    return count == CLP_WHOLE || i < count;
}

/* The number of the work-item's element j. */
CLP_INLINE uint clp_blocked(uint j) {
    return (uint)get_local_id(0) * CLP_ITEMS + j;
}

CLP_INLINE uint clp_striped(uint j) {
    return j * CLP_GROUP + (uint)get_local_id(0);
}

/* Moves the elements of an array of work-items through local memory, from the places `to` to the
 * places `from`, which are expressions of j. The last reads wait for no barrier. */
#define CLP_MOVE(x, memory, to, from)                                                              \
    _Pragma("unroll") for (uint j = 0; j < CLP_ITEMS; j++) memory[CLP_PADDED(to)] = x[j];          \
    barrier(CLK_LOCAL_MEM_FENCE); /* written above, read below */                                  \
    _Pragma("unroll") for (uint j = 0; j < CLP_ITEMS; j++) x[j] = memory[CLP_PADDED(from)];

/* The sum of what lower work-items have, and of all. sums: free when all come here; read until the
 * caller's next barrier. */
CLP_INLINE uint clp_sum_lower(uint own, uint *all, local uint *sums) {
#if CLP_SUBGROUP_IS_GROUP
    sums[get_local_id(0)] = own;
    barrier(CLK_LOCAL_MEM_FENCE); /* sums, with the first round or below */
    CLP_EACH_ROUND(CLP_ADD_LOWER)
    *all = sums[CLP_SUMS_AT + CLP_GROUP - 1];
    return clp_sum_before(sums);
#else
    const uint lane = clp_lane(), subgroup = clp_subgroup_number();
    const uint scanned = clp_scan_words(own);
    if (lane == CLP_SUBGROUP - 1) sums[subgroup] = scanned;
    barrier(CLK_LOCAL_MEM_FENCE); /* sums written above, read below */
    const uint sum = lane < CLP_SUBGROUPS ? sums[lane] : 0;
    *all = clp_add_lanes(sum);
    return clp_add_lanes(lane < subgroup ? sum : 0) + scanned - own;
#endif
}
