/* SPDX-License-Identifier: MIT */
/*
 * Merge by merge path (merge_path.cl), as CUB's AgentMerge: a work-group takes a tile of the
 * output.
 *   1. The tile's elements of a, and behind them b's, are loaded into local memory.
 *   2. Each work-item finds the split of its own CLP_ITEMS outputs there by binary search, and
 *      merges them in registers.
 *   3. The merged elements go through local memory, so that adjacent lanes store adjacent elements.
 * With a payload, a work-item notes for each output the position of its element in the tile; the
 * payload is then copied from there. A payload thus needs 2 bytes of local memory an element,
 * whatever its type.
 *
 * Local memory: one tile of elements, and the positions. No work-group waits for another: each
 * finds its splits itself, or an earlier launch did (merge_split.cl).
 */
/* Returns the number of elements of a among the first `diagonal` outputs of the tile: the merge
 * path's intersection with that diagonal. The steps have no branches, so that lanes stay together.
 */
CLP_INLINE uint clp_split_tile(const local CLP_E *staged, uint n_a, uint n_b, uint diagonal,
                               const clp_io *io) {
    uint low = diagonal > n_b ? diagonal - n_b : 0, high = min(diagonal, n_a);
    while (low < high) {
        const uint middle = (low + high) / 2;
        const bool is_first =
            clp_a_is_first(staged[middle], staged[n_a + diagonal - 1 - middle], io);
        low = is_first ? middle + 1 : low;
        high = is_first ? high : middle;
    }
    return low;
}

/* Loads a tile's n elements into local memory, b's behind a's. The rest of the tile
 * is filled with the last element, so that later reads need no bounds. All loads precede the first
 * store, so that they overlap. */
CLP_INLINE void clp_stage_tile(local CLP_E *staged, const global CLP_E *a, const global CLP_E *b,
                               uint n_a, uint n) {
    CLP_E element[CLP_ITEMS];
    if (n == 0) return;
#pragma unroll
    for (uint k = 0; k < CLP_ITEMS; k++) {
        const uint i = min(k * CLP_GROUP + (uint)get_local_id(0), n - 1);
        element[k] = (i < n_a ? a : b - n_a)[i];
    }
#pragma unroll
    for (uint k = 0; k < CLP_ITEMS; k++) staged[k * CLP_GROUP + get_local_id(0)] = element[k];
}

/* Merges the work-item's outputs of a tile of n. x and y are the heads of both sequences in
 * registers; each step reads one element, to replace the head that was taken. */
CLP_INLINE void clp_merge_items(const local CLP_E *staged, local ushort *places, CLP_E *merged,
                                uint n_a, uint n, const clp_io *io) {
    const uint first = (uint)get_local_id(0) * CLP_ITEMS, rank = min(first, n);
    uint at_a = clp_split_tile(staged, n_a, n - n_a, rank, io), at_b = n_a + rank - at_a;
    CLP_E x = staged[min(at_a, CLP_TILE - 1u)], y = staged[min(at_b, CLP_TILE - 1u)];
#pragma unroll
    for (uint k = 0; k < CLP_ITEMS; k++) {
        const bool is_a = (at_b >= n) | ((at_a < n_a) & clp_a_is_first(x, y, io));
        merged[k] = is_a ? x : y;
#if CLP_PAYLOAD
        places[first + k] = (ushort)(is_a ? at_a : at_b);
#endif
        at_a += is_a;
        at_b += !is_a;
        const CLP_E next = staged[min(is_a ? at_a : at_b, CLP_TILE - 1u)];
        x = is_a ? next : x;
        y = is_a ? y : next;
    }
}

#if CLP_PAYLOAD
#define CLP_LARGEST_HELD 16 /* bytes of a payload's element, of which registers hold CLP_ITEMS */

/* Stores the payload of a tile's n elements. */
CLP_INLINE void clp_write_payload(global CLP_VALUE *out, const global CLP_VALUE *a,
                                  const global CLP_VALUE *b, const local ushort *places, uint n_a,
                                  uint n) {
    CLP_VALUE value[CLP_ITEMS];
    if (n == 0) return;
    if (sizeof(CLP_VALUE) > CLP_LARGEST_HELD) {
        for (uint i = (uint)get_local_id(0); i < n; i += CLP_GROUP) {
            out[i] = (places[i] < n_a ? a : b - n_a)[places[i]];
        }
        return;
    }
#pragma unroll
    for (uint k = 0; k < CLP_ITEMS; k++) {
        const uint place = places[min(k * CLP_GROUP + (uint)get_local_id(0), n - 1)];
        value[k] = (place < n_a ? a : b - n_a)[place];
    }
#pragma unroll
    for (uint k = 0; k < CLP_ITEMS; k++) {
        const uint i = k * CLP_GROUP + (uint)get_local_id(0);
        if (i < n) out[i] = value[k];
    }
}
#endif

CLP_KERNEL(CLP_GROUP)
void clp_merge_tile(CLP_IO_PARAMETERS, const global ulong *splits, global CLP_E *out,
                    ulong out_first CLP_PAYLOAD_PARAMETERS, global clp_report *report,
                    ulong report_first CLP_USER_PARAMETERS) {
    local CLP_E staged[CLP_TILE];
    local ushort places[CLP_PAYLOAD ? CLP_TILE : 1];
    CLP_E merged[CLP_ITEMS];
    clp_io io = CLP_IO;
    clp_piece piece;
    ulong ends[2];
    clp_report_counts(n_a, n_b, CLP_COUNTS, report != 0 ? report + report_first : 0);
    clp_take_counts(&io, CLP_COUNTS);
    clp_take_splits(&io, splits, ends);
    clp_take_tile(&io, ends, &piece);
    const uint self = (uint)get_local_id(0), of_a = (uint)piece.n_a;
    const uint n = of_a + (uint)piece.n_b;
    clp_stage_tile(staged, io.a + piece.a, io.b + piece.b, of_a, n);
    barrier(CLK_LOCAL_MEM_FENCE); /* staged written above, read by clp_merge_items */
    if (n > 0) clp_merge_items(staged, places, merged, of_a, n, &io);
    barrier(CLK_LOCAL_MEM_FENCE); /* staged read above, overwritten below */
#pragma unroll
    for (uint k = 0; k < CLP_ITEMS; k++) staged[self * CLP_ITEMS + k] = merged[k];
    barrier(CLK_LOCAL_MEM_FENCE); /* staged and places written above, read below */
    global CLP_E *to = out + out_first + piece.a + piece.b;
#pragma unroll
    for (uint k = 0; k < CLP_ITEMS; k++) {
        const uint i = k * CLP_GROUP + self;
        if (i < n) to[i] = staged[i];
    }
#if CLP_PAYLOAD
    clp_write_payload(payload_out + payload_out_first + piece.a + piece.b,
                      payload_a + payload_a_first + piece.a, payload_b + payload_b_first + piece.b,
                      places, of_a, n);
#endif
}
