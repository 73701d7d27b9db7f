/* SPDX-License-Identifier: MIT */
/* Tiles of elements in registers: loads, stores, exchanges, compaction, histograms. */

/* A work-item's elements as chunks of 16 bytes. */
#define CLP_CHUNKS (CLP_ITEMS * CLP_A_BYTES / 16)
#define CLP_IN_CHUNKS (CLP_ITEMS * CLP_A_BYTES % 16 == 0)
#if CLP_IN_CHUNKS
typedef union clp_vector {
    CLP_A element[CLP_ITEMS];
    uint4 chunk[CLP_CHUNKS];
} clp_vector;

CLP_INLINE bool clp_is_whole_at(const global CLP_A *at, uint count) {
    return clp_is_among(clp_blocked(CLP_ITEMS - 1), count) && ((ulong)at & 15) == 0;
}
#endif

CLP_INLINE void clp_load(CLP_A *x, const global CLP_A *from, uint count) {
#if CLP_IN_CHUNKS
    if (clp_is_whole_at(from, count)) {
        const global uint4 *chunks = (const global uint4 *)(from + clp_blocked(0));
        clp_vector vector;
#pragma unroll
        for (uint c = 0; c < CLP_CHUNKS; c++) vector.chunk[c] = chunks[c];
#pragma unroll
        for (uint j = 0; j < CLP_ITEMS; j++) x[j] = vector.element[j];
        return;
    }
#endif
#pragma unroll
    for (uint j = 0; j < CLP_ITEMS; j++) {
        if (clp_is_among(clp_blocked(j), count)) x[j] = from[clp_blocked(j)];
    }
}

CLP_INLINE void clp_store(const CLP_A *x, global CLP_A *to, uint count) {
#if CLP_IN_CHUNKS
    if (clp_is_whole_at(to, count)) {
        global uint4 *chunks = (global uint4 *)(to + clp_blocked(0));
        clp_vector vector;
#pragma unroll
        for (uint j = 0; j < CLP_ITEMS; j++) vector.element[j] = x[j];
#pragma unroll
        for (uint c = 0; c < CLP_CHUNKS; c++) chunks[c] = vector.chunk[c];
        return;
    }
#endif
#pragma unroll
    for (uint j = 0; j < CLP_ITEMS; j++) {
        if (clp_is_among(clp_blocked(j), count)) to[clp_blocked(j)] = x[j];
    }
}

CLP_INLINE void clp_load_striped(CLP_A *x, const global CLP_A *from, uint count) {
#pragma unroll
    for (uint j = 0; j < CLP_ITEMS; j++) {
        if (clp_is_among(clp_striped(j), count)) x[j] = from[clp_striped(j)];
    }
}

CLP_INLINE void clp_store_striped(const CLP_A *x, global CLP_A *to, uint count) {
#pragma unroll
    for (uint j = 0; j < CLP_ITEMS; j++) {
        if (clp_is_among(clp_striped(j), count)) to[clp_striped(j)] = x[j];
    }
}

#if CLP_HAS_TILES
CLP_INLINE void clp_to_blocked(CLP_A *x, local clp_local *room) {
    CLP_MOVE(x, room->tile, clp_striped(j), clp_blocked(j))
    barrier(CLK_LOCAL_MEM_FENCE); /* the room, read above, with its next user */
}

CLP_INLINE void clp_to_striped(CLP_A *x, local clp_local *room) {
    CLP_MOVE(x, room->tile, clp_blocked(j), clp_striped(j))
    barrier(CLK_LOCAL_MEM_FENCE); /* the room, read above, with its next user */
}

CLP_INLINE void clp_take(CLP_A *x, const uint *from, local clp_local *room) {
    for (uint j = 0; j < CLP_ITEMS; j++) CLP_ASSERT(from[j] < CLP_TILE);
    CLP_MOVE(x, room->tile, clp_blocked(j), from[j])
    barrier(CLK_LOCAL_MEM_FENCE); /* the room, read above, with its next user */
}

CLP_INLINE uint clp_compact(CLP_A *x, uint keeps, local clp_local *room) {
    uint all;
    uint place = clp_sum_lower(popcount(keeps), &all, room->sums);
#pragma unroll
    for (uint j = 0; j < CLP_ITEMS; j++) {
        if ((keeps >> j & 1) != 0) room->tile[CLP_PADDED(place)] = x[j];
        place += keeps >> j & 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the tile written above, read below */
#pragma unroll
    for (uint j = 0; j < CLP_ITEMS; j++) {
        if (clp_striped(j) < all) x[j] = room->tile[CLP_PADDED(clp_striped(j))];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the room, read above, with its next user */
    return all;
}
#endif

#if CLP_BINS > 0
CLP_INLINE const local uint *clp_histogram(const uint *bin, uint count, local clp_local *room) {
    for (uint b = (uint)get_local_id(0); b < CLP_BINS; b += CLP_GROUP) room->bins[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* bins cleared above, counted below */
#pragma unroll
    for (uint j = 0; j < CLP_ITEMS; j++) {
        const bool counts = clp_is_among(clp_blocked(j), count) && bin[j] < CLP_BINS;
        if (counts) atomic_inc(&room->bins[bin[j]]); /* with other work-items */
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* bins counted above, read by the caller */
    return room->bins;
}
#endif
