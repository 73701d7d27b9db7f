/* SPDX-License-Identifier: MIT */
/*
 * One step of the closure of an outer block: relaxes all lengths between its vertices through the
 * vertices of one inner block, from one matrix to another, so that no work-group waits for another.
 * A work-group computes a tile of CLP_BLOCK rows and CLP_LANES_ACROSS columns. It closes the
 * block's rows in its columns (minplus_pivot.cl), then multiplies with them.
 *
 * The block's own rows need no special case: before the step, the length of each of its vertices to
 * itself is at most 0, so the product includes the closed row itself.
 *
 * Local memory: the vertices of minplus_pivot.cl, the lengths of the tile's rows to the block
 * (entrances) and the closed rows.
 */

#define CLP_ENTRANCES                                                                              \
    (CLP_BLOCK * CLP_BLOCK / 4 / CLP_GROUP) /* loads of lengths to the block, per work-item */

/* Returns the lowest vertex of the outer block whose diagonal element is already negative, of
 * vertices that this work-item checks. */
static inline uint clp_look_at_diagonal(const global CLP_T *from, uint ld) {
    uint lowest = UINT_MAX;
#pragma unroll 1
    for (uint v = (uint)get_local_id(0); v < ld; v += CLP_GROUP) {
        if (from[v * ld + v] < 0) lowest = min(lowest, v);
    }
    return lowest;
}

/* Relaxes the tile: multiplies its lengths to the block with the closed rows. */
CLP_INLINE void clp_relax_tile(const clp_panel *panel, const local CLP_T4 *to,
                               const local CLP_T *rows, CLP_T *cell) {
#pragma unroll 1
    for (uint k = 0; k < CLP_BLOCK; k += 4) {
        CLP_T row[4];
#pragma unroll
        for (uint p = 0; p < 4; p++) row[p] = rows[(k + p) * CLP_LANES_ACROSS + panel->lane];
#pragma unroll
        for (uint i = 0; i < CLP_EACH; i++) {
            const CLP_T4 four = to[((panel->band * CLP_EACH + i) * CLP_BLOCK + k) / 4];
            cell[i] = clp_combine(cell[i], clp_length(four.x, row[0]));
            cell[i] = clp_combine(cell[i], clp_length(four.y, row[1]));
            cell[i] = clp_combine(cell[i], clp_length(four.z, row[2]));
            cell[i] = clp_combine(cell[i], clp_length(four.w, row[3]));
        }
    }
}

/* Rows of which a work-group copies the block's columns, and elements that a work-item copies of
 * one of the block's rows */
#define CLP_GATHERED 4

/* Copies the columns and the rows of the outer block, and records the lowest vertex whose diagonal
 * element is negative: in `closed`, which is the last outer block after its closure, or else in d,
 * then with the highest bit set. Work-groups copy columns first, then rows. Columns are `ld` apart,
 * a multiple of CLP_BLOCK, up to row `end`: n, or one beyond the block. Elements beyond d are no
 * edge. */
CLP_KERNEL(CLP_GROUP)
void clp_paths_gather(const global CLP_T *d, ulong d_first, ulong d_ld, uint n, uint begin,
                      uint size, uint ld, uint end, global CLP_T *columns, global CLP_T *rows,
                      const global CLP_T *closed, uint closed_begin, uint closed_size,
                      uint closed_ld, volatile global uint *outside) {
    const uint self = (uint)get_local_id(0), number = (uint)get_group_id(0);
    const uint across = CLP_GROUP / CLP_GATHERED, copiers = (end + CLP_GATHERED - 1) / CLP_GATHERED;
    d += d_first;
    if (number >= copiers) {
        const uint chunk = CLP_GROUP * CLP_GATHERED, chunks = (n + chunk - 1) / chunk;
        const uint row = (number - copiers) / chunks;
        const uint column = (number - copiers) % chunks * chunk + self;
        const global CLP_T *from = d + (begin + row) * d_ld;
        global CLP_T *to = rows + (ulong)row * n;
        CLP_T held[CLP_GATHERED];
#pragma unroll
        for (uint e = 0; e < CLP_GATHERED; e++) held[e] = from[min(column + e * CLP_GROUP, n - 1)];
#pragma unroll
        for (uint e = 0; e < CLP_GATHERED; e++) {
            if (column + e * CLP_GROUP < n) to[column + e * CLP_GROUP] = held[e];
        }
        return;
    }
    if (number == 0) {
        for (uint v = self; v < closed_size; v += CLP_GROUP) {
            if (closed[(ulong)v * closed_ld + v] < 0) atomic_min(outside, closed_begin + v);
        }
    }
    const uint i = number * CLP_GATHERED + self / across;
    if (i >= end) return;
    const global CLP_T *from = d + min(i, n - 1) * d_ld + begin;
    for (uint first = self % across; first < ld; first += CLP_GATHERED * across) {
        CLP_T held[CLP_GATHERED];
#pragma unroll
        for (uint e = 0; e < CLP_GATHERED; e++) held[e] = from[min(first + e * across, size - 1)];
#pragma unroll
        for (uint e = 0; e < CLP_GATHERED; e++) {
            const uint t = first + e * across;
            if (t < ld) columns[(ulong)i * ld + t] = i < n && t < size ? held[e] : CLP_NO_EDGE;
        }
    }
    if (self % across == 0 && i < n && d[i * d_ld + i] < 0) {
        atomic_min(outside,
                   i | CLP_NOT_CLOSED); /* races with all work-groups; the next step reads it */
    }
}

/* Loads a lane's lengths, of its columns of the pivot tile and of its own column; rows are `ld`
 * apart. */
static inline void clp_take_lengths(clp_panel *panel, const global CLP_T *own,
                                    const global CLP_T *pivot, uint ld) {
#pragma unroll
    for (uint i = 0; i < CLP_EACH; i++) {
        CLP_T pair[CLP_PIVOT_COLUMNS];
        CLP_LOAD_PIVOT(global, pair, pivot + i * ld)
#pragma unroll
        for (uint h = 0; h < CLP_PIVOT_COLUMNS; h++) panel->pivot[h][i] = pair[h];
        panel->length[i] = own[i * ld];
    }
}

/* The lowest vertices seen with a negative length to themselves, UINT_MAX: none; and whether the
 * step has made one negative. */
typedef struct clp_seen {
    uint outside, here, negative;
} clp_seen;

/* Reports what the step has seen, unless something is reported already. */
static inline void clp_report_step(const clp_seen *it, const global CLP_T *from, uint ld,
                                   uint begin, uint at, global CLP_T *slow,
                                   global clp_report *report) {
    const bool seen_outside = it->outside != UINT_MAX, seen_here = it->here != UINT_MAX;
    if (!(seen_outside || seen_here || it->negative) || report->vertex >= 0) return;
    uint seen = begin + it->here;
    if (!seen_outside && !seen_here)
        seen = begin + at + clp_find_vertex(from + at * ld + at, ld, CLP_BLOCK, slow);
    clp_report_vertex(report, it->outside, seen);
}

/* The operands of a step; shared with minplus_paths_update.c. */
typedef struct clp_step_place {
    ulong from_first, to_first, to_ld, report_first;
    uint ld; /* of `from`, which has ld rows and columns; a multiple of CLP_BLOCK */
    uint limit; /* rows and columns of `to` that are written */
    uint begin; /* first vertex of the outer block */
    uint at; /* first vertex of the inner block, within the outer one */
} clp_step_place;
typedef char clp_step_place_is_as_in_c[sizeof(clp_step_place) == CLP_STEP_PLACE_BYTES ? 1 : -1];

/* from, to: the lengths of the outer block before and after the step. slow: memory for the pivot
 * tile. outside: as in clp_paths_gather. */
CLP_KERNEL(CLP_GROUP)
void clp_paths_step(const global CLP_T *from, global CLP_T *to, global CLP_T *slow,
                    const global uint *outside, global clp_report *report,
                    const clp_step_place place) {
    local clp_vertices vertices[2];
    local CLP_T4 entrances[CLP_BLOCK * CLP_BLOCK / 4];
    local CLP_T rows[CLP_BLOCK * CLP_LANES_ACROSS];
    local uint negative, lowest;
    const uint self = (uint)get_local_id(0), ld = place.ld, at = place.at;
    const uint strips = ld / CLP_LANES_ACROSS;
    const uint first_row = (uint)get_group_id(0) / strips * CLP_BLOCK;
    const uint first_column = (uint)get_group_id(0) % strips * CLP_LANES_ACROSS;
    clp_panel panel;
    CLP_T cell[CLP_EACH];
    clp_take_lane(&panel);
    const uint row = first_row + panel.band * CLP_EACH, column = first_column + panel.lane;
    from += place.from_first;
    const global CLP_T *block_row = from + (at + panel.band * CLP_EACH) * ld;
    const global CLP_T *pivot = block_row + at + CLP_PIVOT_COLUMNS * panel.lane;
    const global CLP_T4 *entrance =
        (const global CLP_T4 *)(from + (first_row + self / (CLP_BLOCK / 4)) * ld + at) +
        self % (CLP_BLOCK / 4);
    const global CLP_T *tile = from + row * ld + column;
    clp_take_lengths(&panel, block_row + column, pivot, ld);
#pragma unroll
    for (uint i = 0; i < CLP_EACH; i++) cell[i] = tile[i * ld];
#pragma unroll
    for (uint e = 0; e < CLP_ENTRANCES; e++) {
        entrances[e * CLP_GROUP + self] = entrance[e * (CLP_GROUP / CLP_BLOCK) * ld];
    }
    /* One work-group checks the diagonal. It loads what it may report now, so that the loads are
     * over when the step is. */
    const uint seen_before = get_group_id(0) == 0 ? clp_look_at_diagonal(from, ld) : UINT_MAX;
    const uint outside_before = get_group_id(0) == 0 ? *outside : UINT_MAX;
    if (self == 0) {
        negative = 0; /* set below, after the barriers of clp_close_panel */
        lowest = UINT_MAX;
    }
    clp_close_panel(&panel, vertices);
    if (clp_sees_negative(&panel)) atomic_or(&negative, 1u); /* read below, after the barrier */
    if (seen_before != UINT_MAX) atomic_min(&lowest, seen_before); /* likewise */
#pragma unroll
    for (uint i = 0; i < CLP_EACH; i++) {
        rows[(panel.band * CLP_EACH + i) * CLP_LANES_ACROSS + panel.lane] = panel.length[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* rows, negative and lowest written above, read below */
    clp_relax_tile(&panel, entrances, rows, cell);
    to += place.to_first + row * place.to_ld + column;
#pragma unroll
    for (uint i = 0; i < CLP_EACH; i++) {
        if (row + i < place.limit && column < place.limit) to[i * place.to_ld] = cell[i];
    }
    if (get_global_id(0) == 0) {
        const clp_seen seen = {outside_before, lowest, negative};
        clp_report_step(&seen, from, ld, place.begin, at, slow, report + place.report_first);
    }
}
