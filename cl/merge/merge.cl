/* SPDX-License-Identifier: MIT */
/*
 * Merge: a work-group a tile of the output. The tile's elements of a and b are brought to local
 * memory side by side. Each work-item finds the split of its own CLP_ITEMS elements there, merges
 * them one by one, and notes for each place of the output where its element stands. From these
 * notes the output and the payload are written in order.
 */
#if CLP_PAYLOAD
#define CLP_PAYLOAD_PARAMETERS                                                                     \
    , const global CLP_VALUE *payload_a, ulong payload_a_first, const global CLP_VALUE *payload_b, \
        ulong payload_b_first, global CLP_VALUE *payload_out, ulong payload_out_first
#else
#define CLP_PAYLOAD_PARAMETERS
#endif

/* How many of the first `diagonal` elements of the tile are a's. */
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

/* The work-item's elements. */
CLP_INLINE void clp_merge_items(const local CLP_E *staged, local ushort *places, uint n_a, uint n_b,
                                const clp_io *io) {
    const uint n = n_a + n_b, rank = (uint)get_local_id(0) * CLP_ITEMS;
    if (rank >= n) return;
    uint at_a = clp_split_tile(staged, n_a, n_b, rank, io), at_b = n_a + rank - at_a;
    CLP_E x = staged[at_a], y = staged[min(at_b, n - 1)];
    for (uint k = 0; k < CLP_ITEMS; k++) {
        const bool is_a = at_b >= n || (at_a < n_a && clp_a_is_first(x, y, io));
        const uint place = is_a ? at_a : at_b;
        if (rank + k < n) places[rank + k] = (ushort)place;
        const CLP_E next = staged[min(place + 1, n - 1)];
        at_a += is_a;
        at_b += !is_a;
        if (is_a) {
            x = next;
        } else {
            y = next;
        }
    }
}

CLP_KERNEL(CLP_GROUP)
void clp_merge_tile(CLP_IO_PARAMETERS, const global ulong *splits, global CLP_E *out,
                    ulong out_first CLP_PAYLOAD_PARAMETERS, global clp_report *report,
                    ulong report_first CLP_USER_PARAMETERS) {
    local CLP_E staged[CLP_TILE];
    local ushort places[CLP_TILE];
    clp_io io = CLP_IO;
    clp_piece piece;
    clp_report_counts(n_a, n_b, CLP_COUNTS, report != 0 ? report + report_first : 0);
    clp_take_counts(&io, CLP_COUNTS);
    clp_take_tile(&io, splits, &piece);
    const uint self = (uint)get_local_id(0), of_a = (uint)piece.n_a;
    const uint n = of_a + (uint)piece.n_b;
    for (uint k = 0; k < CLP_ITEMS; k++) {
        const uint i = k * CLP_GROUP + self;
        if (i < n) staged[i] = i < of_a ? io.a[piece.a + i] : io.b[piece.b + (i - of_a)];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* staged written above, read by clp_merge_items */
    clp_merge_items(staged, places, of_a, (uint)piece.n_b, &io);
    barrier(CLK_LOCAL_MEM_FENCE); /* places written above, read below */
    global CLP_E *to = out + out_first + piece.a + piece.b;
    for (uint k = 0; k < CLP_ITEMS; k++) {
        const uint i = k * CLP_GROUP + self;
        if (i < n) to[i] = staged[places[i]];
    }
#if CLP_PAYLOAD
    const global CLP_VALUE *from_a = payload_a + payload_a_first + piece.a;
    const global CLP_VALUE *from_b = payload_b + payload_b_first + piece.b;
    global CLP_VALUE *values = payload_out + payload_out_first + piece.a + piece.b;
    for (uint k = 0; k < CLP_ITEMS; k++) {
        const uint i = k * CLP_GROUP + self;
        if (i >= n) continue;
        const uint place = places[i];
        values[i] = place < of_a ? from_a[place] : from_b[place - of_a];
    }
#endif
}
