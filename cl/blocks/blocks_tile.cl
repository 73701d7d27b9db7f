/* SPDX-License-Identifier: MIT */
/* Tiles of elements in registers: loads, stores, exchanges, compaction, histograms. */

/* Whether elements up to `last` are real, and may be accessed as chunks. */
CLP_INLINE bool clp_is_in_chunks(const global CLP_A *at, uint last, uint count) {
    return CLP_ITEMS * CLP_A_BYTES % 16 == 0 && clp_is_among(last, count) && ((ulong)at & 15) == 0;
}

CLP_INLINE void clp_load(CLP_A *x, const global CLP_A *from, uint count) {
    if (clp_is_in_chunks(from, clp_blocked(CLP_ITEMS - 1), count)) {
        const global uint4 *chunks = (const global uint4 *)(from + clp_blocked(0));
        clp_vector vector;
#pragma unroll
        for (uint c = 0; c < CLP_CHUNKS; c++) vector.chunk[c] = chunks[c];
#pragma unroll
        for (uint j = 0; j < CLP_ITEMS; j++) x[j] = vector.element[j];
        return;
    }
#pragma unroll
    for (uint j = 0; j < CLP_ITEMS; j++) {
        if (clp_is_among(clp_blocked(j), count)) x[j] = from[clp_blocked(j)];
    }
}

CLP_INLINE void clp_store(const CLP_A *x, global CLP_A *to, uint count) {
    if (clp_is_in_chunks(to, clp_blocked(CLP_ITEMS - 1), count)) {
        global uint4 *chunks = (global uint4 *)(to + clp_blocked(0));
        clp_vector vector;
#pragma unroll
        for (uint j = 0; j < CLP_ITEMS; j++) vector.element[j] = x[j];
#pragma unroll
        for (uint c = 0; c < CLP_CHUNKS; c++) chunks[c] = vector.chunk[c];
        return;
    }
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

/* By lines of 128 bytes. */
CLP_INLINE void clp_prefetch(const global CLP_A *from, uint count) {
    const uint bytes = min(count, (uint)CLP_TILE) * CLP_A_BYTES;
    for (uint at = (uint)get_local_id(0) * 128; at < bytes; at += CLP_GROUP * 128) {
        clp_fetch_line((const global uchar *)from + at);
    }
}

#if CLP_HAS_TILES
/* Neighbours load neighbouring chunks, which go through local memory; elements of a last tile, or
 * of one that is not aligned, go there one by one. */
CLP_INLINE void clp_load_transposed(CLP_A *x, const global CLP_A *from, uint count,
                                    local clp_local *room) {
    const uint item = (uint)get_local_id(0);
    const bool chunked = clp_is_in_chunks(from, CLP_TILE - 1, count);
    if (chunked) {
        const global uint4 *chunks = (const global uint4 *)from;
        uint4 chunk[CLP_CHUNKS]; /* all loads are on their way before one is waited for */
#pragma unroll
        for (uint c = 0; c < CLP_CHUNKS; c++) chunk[c] = chunks[c * CLP_GROUP + item];
#pragma unroll
        for (uint c = 0; c < CLP_CHUNKS; c++) {
            room->chunks[CLP_GAPPED(c * CLP_GROUP + item)] = chunk[c];
        }
    } else {
        for (uint i = item; i < min(count, (uint)CLP_TILE); i += CLP_GROUP) room->tile[i] = from[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* chunks or tile, written above, read below */
    if (chunked) {
        clp_vector vector;
#pragma unroll
        for (uint c = 0; c < CLP_CHUNKS; c++) {
            vector.chunk[c] = room->chunks[CLP_GAPPED(item * CLP_CHUNKS + c)];
        }
#pragma unroll
        for (uint j = 0; j < CLP_ITEMS; j++) x[j] = vector.element[j];
    } else {
#pragma unroll
        for (uint j = 0; j < CLP_ITEMS; j++) x[j] = room->tile[clp_blocked(j)];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the room, read above, with its next user */
}

CLP_INLINE void clp_store_transposed(const CLP_A *x, global CLP_A *to, uint count,
                                     local clp_local *room) {
    const uint item = (uint)get_local_id(0);
    const bool chunked = clp_is_in_chunks(to, CLP_TILE - 1, count);
    if (chunked) {
        clp_vector vector;
#pragma unroll
        for (uint j = 0; j < CLP_ITEMS; j++) vector.element[j] = x[j];
#pragma unroll
        for (uint c = 0; c < CLP_CHUNKS; c++) {
            room->chunks[CLP_GAPPED(item * CLP_CHUNKS + c)] = vector.chunk[c];
        }
    } else {
#pragma unroll
        for (uint j = 0; j < CLP_ITEMS; j++) room->tile[clp_blocked(j)] = x[j];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* chunks or tile, written above, read below */
    if (chunked) {
        global uint4 *chunks = (global uint4 *)to;
#pragma unroll
        for (uint c = 0; c < CLP_CHUNKS; c++) {
            const uint at = c * CLP_GROUP + item;
            chunks[at] = room->chunks[CLP_GAPPED(at)];
        }
    } else {
        for (uint i = item; i < min(count, (uint)CLP_TILE); i += CLP_GROUP) to[i] = room->tile[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the room, read above, with its next user */
}

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
