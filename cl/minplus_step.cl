/* SPDX-License-Identifier: MIT */
/*
 * A step of a larger block's closure: lets the vertices of one block within it on the way between
 * all vertices of the larger block, from one matrix to another, so that no group waits for another.
 * A group computes a tile of CLP_BLOCK rows and CLP_LANES_ACROSS columns: it closes the block's
 * rows in its columns (minplus_corner.cl), then multiplies with them.
 *
 * The block's rows need no way of their own: their lengths to the block's vertices, as they were,
 * are 0 at most to themselves.
 */

#define CLP_ENTRANCES (CLP_BLOCK * CLP_BLOCK / CLP_GROUP) /* of the lengths to the block */

/* The lowest vertex of the larger block whose diagonal element is negative already. */
static inline void clp_look_at_diagonal(const global CLP_T *from, ulong ld, uint size,
                                        volatile local uint *lowest) {
    for (uint v = (uint)get_local_id(0); v < size; v += CLP_GROUP) {
        if (from[v * ld + v] < 0) atomic_min(lowest, v); /* read behind the next barrier */
    }
}

/* Multiplies the tile's lengths to the block with the closed rows. */
static inline void clp_pass_panel(const clp_panel *panel, const local CLP_T4 *to,
                                  const local CLP_T *rows, CLP_T *cell) {
#pragma unroll 4
    for (uint k = 0; k < CLP_BLOCK; k += 4) {
        CLP_T row[4];
#pragma unroll
        for (uint p = 0; p < 4; p++) row[p] = rows[(k + p) * CLP_LANES_ACROSS + panel->lane];
#pragma unroll
        for (uint i = 0; i < CLP_EACH; i++) {
            const CLP_T4 four = to[((panel->crew * CLP_EACH + i) * CLP_BLOCK + k) / 4];
            cell[i] = clp_combine(cell[i], clp_length(four.x, row[0]));
            cell[i] = clp_combine(cell[i], clp_length(four.y, row[1]));
            cell[i] = clp_combine(cell[i], clp_length(four.z, row[2]));
            cell[i] = clp_combine(cell[i], clp_length(four.w, row[3]));
        }
    }
}

#define CLP_GATHERED                                                                               \
    4 /* rows of which a group copies the block's columns; elements of a work-item of              \
       * one of the block's rows */

/* Copies the columns and the rows of the larger block, and tells the lowest vertex whose diagonal
 * element is negative: in `closed`, the last larger block when it was closed, or else in d, then
 * with its highest bit set. Groups copy columns first, then rows. */
CLP_KERNEL(CLP_GROUP)
void clp_paths_gather(const global CLP_T *d, ulong d_first, ulong d_ld, uint n, uint begin,
                      uint size, global CLP_T *columns, global CLP_T *rows,
                      const global CLP_T *closed, uint closed_begin, uint closed_size,
                      volatile global uint *outside) {
    const uint self = (uint)get_local_id(0), number = (uint)get_group_id(0);
    const uint across = CLP_GROUP / CLP_GATHERED, copiers = (n + CLP_GATHERED - 1) / CLP_GATHERED;
    d += d_first;
    if (number >= copiers) {
        const uint chunk = CLP_GROUP * CLP_GATHERED, chunks = (n + chunk - 1) / chunk;
        const uint row = (number - copiers) / chunks;
        const uint column = (number - copiers) % chunks * chunk + self;
#pragma unroll
        for (uint e = 0; e < CLP_GATHERED; e++) {
            const uint at = column + e * CLP_GROUP;
            if (at < n) rows[(ulong)row * n + at] = d[(begin + row) * d_ld + at];
        }
        return;
    }
    if (number == 0) {
        for (uint v = self; v < closed_size; v += CLP_GROUP) {
            if (closed[(ulong)v * closed_size + v] < 0) atomic_min(outside, closed_begin + v);
        }
    }
    const uint i = number * CLP_GATHERED + self / across;
    if (i >= n) return;
    for (uint t = self % across; t < size; t += across) {
        columns[(ulong)i * size + t] = d[i * d_ld + begin + t];
    }
    if (self % across == 0 && d[i * d_ld + i] < 0) {
        atomic_min(outside, i | CLP_NOT_CLOSED); /* lowered by all here, read by the next step */
    }
}

/* from, to: the larger block's lengths before and after, `size` rows and columns; it begins with
 * vertex `begin`, the block within it with vertex begin + at. slow: room for the corner. outside:
 * as in clp_paths_gather. */
CLP_KERNEL(CLP_GROUP)
void clp_paths_step(const global CLP_T *from, ulong from_first, ulong from_ld, global CLP_T *to,
                    ulong to_first, ulong to_ld, uint begin, uint size, uint at, uint block,
                    global CLP_T *slow, const global uint *outside, global int *report,
                    ulong report_first) {
    local clp_vertices vertices[2];
    local CLP_T4 entrances[CLP_BLOCK * CLP_BLOCK / 4];
    local CLP_T rows[CLP_BLOCK * CLP_LANES_ACROSS];
    local uint negative, lowest;
    const uint self = (uint)get_local_id(0);
    const uint strips = max((size + CLP_LANES_ACROSS - 1) / CLP_LANES_ACROSS, 1u);
    const uint column = (uint)get_group_id(0) % strips * CLP_LANES_ACROSS + self % CLP_LANES_ACROSS;
    const uint first_row = (uint)get_group_id(0) / strips * CLP_BLOCK;
    const global CLP_T *source = from + from_first;
    const global CLP_T *own_rows = source + at * from_ld;
    clp_panel panel;
    CLP_T cell[CLP_EACH];
    clp_get_panel(&panel, own_rows + at, from_ld, block, own_rows + column, from_ld, NULL, 0,
                  column < size);
#pragma unroll
    for (uint e = 0; e < CLP_ENTRANCES; e++) {
        const uint place = e * CLP_GROUP + self;
        const uint row = first_row + place / CLP_BLOCK, k = place % CLP_BLOCK;
        ((local CLP_T *)entrances)[place] =
            row < size && k < block ? source[row * from_ld + at + k] : CLP_NO_EDGE;
    }
#pragma unroll
    for (uint i = 0; i < CLP_EACH; i++) {
        const uint row = first_row + panel.crew * CLP_EACH + i;
        cell[i] = row < size && column < size ? source[row * from_ld + column] : CLP_NO_EDGE;
    }
    if (self == 0) {
        negative = 0; /* added to behind the barriers that come now */
        lowest = UINT_MAX;
    }
    clp_close_panel(&panel, vertices);
    if (clp_sees_negative(&panel)) atomic_or(&negative, 1u); /* read behind the barrier */
    if (get_group_id(0) == 0) clp_look_at_diagonal(source, from_ld, size, &lowest);
#pragma unroll
    for (uint r = 0; r < CLP_EACH; r++) {
        rows[(panel.crew * CLP_EACH + r) * CLP_LANES_ACROSS + panel.lane] = panel.length[r];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* rows, negative and lowest written above, read below */
    clp_pass_panel(&panel, entrances, rows, cell);
#pragma unroll
    for (uint i = 0; i < CLP_EACH; i++) {
        const uint row = first_row + panel.crew * CLP_EACH + i;
        if (row < size && column < size) to[to_first + row * to_ld + column] = cell[i];
    }
    if (get_global_id(0) == 0 && report[report_first] < 0) {
        uint seen = lowest != UINT_MAX ? begin + lowest : UINT_MAX;
        if (seen == UINT_MAX && negative) {
            seen = begin + at + clp_find_vertex(own_rows + at, from_ld, block, slow);
        }
        clp_tell(report + report_first, *outside, seen);
    }
}
