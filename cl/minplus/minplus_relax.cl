/* SPDX-License-Identifier: MIT */
/*
 * Relaxes the rows of an outer block through the vertices of one of its blocks, with predecessors:
 * D := min(D, A (x) S), where S is the closed rows of the block and A the columns of the block as
 * they were. All operands of a work-group fit local memory: it needs one barrier, and searches
 * local memory for the vertex by which a length improved. No work-group waits for another.
 *
 * The vertices are folded in steps of CLP_RELAX_STEP. Which lengths a step improved is recorded as
 * a bit each; the last step that improved a length has the vertex: the lowest one that attains it.
 *
 * The columns of the next block are also copied as they are stored, for the next launch.
 */

/* A work-item has 8 * 4 lengths of a tile of 64 * 64. */
#define CLP_RELAX_HIGH 8
#define CLP_RELAX_WIDE 16
#define CLP_RELAX_GROUP (CLP_RELAX_HIGH * CLP_RELAX_WIDE)
#define CLP_RELAX_ROWS 8
#define CLP_RELAX_TILE 64
#define CLP_RELAX_STEP 8
#define CLP_RELAX_STEPS (CLP_BLOCK / CLP_RELAX_STEP)
/* Padded by four, as in minplus_cells.cl */
#define CLP_RELAX_WIDTH (CLP_RELAX_TILE + 4)

typedef struct clp_relax_lengths {
    CLP_T cell[CLP_RELAX_ROWS][4];
    uint high, wide; /* position of the work-item in the work-group */
} clp_relax_lengths;

/* A sub-group of 32 covers 4 * 8 work-items; see minplus_cells.cl. */
static inline void clp_relax_place(clp_relax_lengths *own) {
    const uint self = (uint)get_local_id(0), patch = self / 32;
    own->wide = self % 8 + patch % 2 * 8;
    own->high = self / 8 % 4 + patch / 2 * 4;
}

static inline uint clp_relax_cell_row(const clp_relax_lengths *own, uint r) {
    return 4 * (r / 4 * CLP_RELAX_HIGH + own->high) + r % 4;
}

/* Loads up to four elements; the others are no edge. */
static inline CLP_T4 clp_load_four(const global CLP_T *from, uint count) {
    if (count >= 4 && (ulong)from % sizeof(CLP_T4) == 0) return *(const global CLP_T4 *)from;
    CLP_T4 four = (CLP_T4)(CLP_NO_EDGE, CLP_NO_EDGE, CLP_NO_EDGE, CLP_NO_EDGE);
    if (count > 0) four.x = from[0];
    if (count > 1) four.y = from[1];
    if (count > 2) four.z = from[2];
    if (count > 3) four.w = from[3];
    return four;
}

static inline uint clp_count_from(uint at, uint end) {
    return at < end ? end - at : 0;
}

/* The positions of a work-item's chunks of four elements. .x and .y: of A, the row in the tile and
 * the column in the block; of S, the column in the tile and the row in the block. Two work-items
 * read 8 adjacent elements of a row of A. */
#define CLP_RELAX_CHUNKS (CLP_BLOCK / 8)
static inline uint2 clp_left_chunk(uint q) {
    const uint self = (uint)get_local_id(0);
    return (uint2)(self / 2, 4 * (self % 2 + 2 * q));
}
static inline uint2 clp_right_chunk(uint q) {
    const uint self = (uint)get_local_id(0);
    return (uint2)(4 * (self % 16), self / 16 + 8 * q);
}

/* The operands of a tile: its rows of A, `rows` of them, and its columns of S. */
typedef struct clp_relax_source {
    const global CLP_T *a, *s;
    ulong s_ld;
    uint rows, columns, block;
    bool is_whole; /* all of them exist, and chunks are aligned */
} clp_relax_source;

/* Loads the operands: left gets columns of A, right rows of S. */
static inline void clp_relax_load(const clp_relax_source *from, local CLP_T *left,
                                  local CLP_T *right) {
    CLP_T4 a[CLP_RELAX_CHUNKS], s[CLP_RELAX_CHUNKS];
    if (from->is_whole) {
#pragma unroll
        for (uint q = 0; q < CLP_RELAX_CHUNKS; q++) {
            const uint2 l = clp_left_chunk(q), r = clp_right_chunk(q);
            a[q] = *(const global CLP_T4 *)(from->a + l.x * CLP_BLOCK + l.y);
            s[q] = *(const global CLP_T4 *)(from->s + r.y * from->s_ld + r.x);
        }
    } else {
#pragma unroll
        for (uint q = 0; q < CLP_RELAX_CHUNKS; q++) {
            const uint2 l = clp_left_chunk(q), r = clp_right_chunk(q);
            a[q] = clp_load_four(from->a + l.x * from->block + l.y,
                                 l.x < from->rows ? clp_count_from(l.y, from->block) : 0);
            s[q] = clp_load_four(from->s + r.y * from->s_ld + r.x,
                                 r.y < from->block ? clp_count_from(r.x, from->columns) : 0);
        }
    }
#pragma unroll
    for (uint q = 0; q < CLP_RELAX_CHUNKS; q++) {
        const uint2 l = clp_left_chunk(q), r = clp_right_chunk(q);
        left[l.y * CLP_RELAX_WIDTH + l.x] = clp_take(a[q].x);
        left[(l.y + 1) * CLP_RELAX_WIDTH + l.x] = clp_take(a[q].y);
        left[(l.y + 2) * CLP_RELAX_WIDTH + l.x] = clp_take(a[q].z);
        left[(l.y + 3) * CLP_RELAX_WIDTH + l.x] = clp_take(a[q].w);
        *(local CLP_T4 *)(right + r.y * CLP_RELAX_TILE + r.x) =
            (CLP_T4)(clp_take(s[q].x), clp_take(s[q].y), clp_take(s[q].z), clp_take(s[q].w));
    }
}

static inline void clp_relax_four(CLP_T *cell, CLP_T a, CLP_T4 b) {
    cell[0] = clp_combine(cell[0], clp_extend(a, b.x));
    cell[1] = clp_combine(cell[1], clp_extend(a, b.y));
    cell[2] = clp_combine(cell[2], clp_extend(a, b.z));
    cell[3] = clp_combine(cell[3], clp_extend(a, b.w));
}

/* Folds one step; left and right: the work-item's first operands. Returns which lengths improved.
 */
static inline uint clp_relax_step(clp_relax_lengths *own, const local CLP_T *left,
                                  const local CLP_T *right) {
    clp_relax_lengths before = *own;
#pragma unroll
    for (uint p = 0; p < CLP_RELAX_STEP; p++) {
        const CLP_T4 b = *(const local CLP_T4 *)(right + p * CLP_RELAX_TILE);
#pragma unroll
        for (uint q = 0; q < CLP_RELAX_ROWS / 4; q++) {
            const CLP_T4 a =
                *(const local CLP_T4 *)(left + p * CLP_RELAX_WIDTH + 4 * q * CLP_RELAX_HIGH);
            clp_relax_four(own->cell[4 * q], a.x, b);
            clp_relax_four(own->cell[4 * q + 1], a.y, b);
            clp_relax_four(own->cell[4 * q + 2], a.z, b);
            clp_relax_four(own->cell[4 * q + 3], a.w, b);
        }
    }
    uint improved = 0;
#pragma unroll
    for (uint r = 0; r < CLP_RELAX_ROWS; r++)
#pragma unroll
        for (uint c = 0; c < 4; c++)
            improved |= CLP_IS_BETTER(own->cell[r][c], before.cell[r][c]) ? 1u << (4 * r + c) : 0;
    return improved;
}

/* Returns the lowest vertex of a step that attains the length; there is one. */
static inline uint clp_relax_find(const local CLP_T *left, const local CLP_T *right, uint row,
                                  uint column, uint from, CLP_T length) {
    uint found = from;
#pragma unroll
    for (uint p = CLP_RELAX_STEP; p-- > 0;) {
        const CLP_T a = left[(from + p) * CLP_RELAX_WIDTH + row];
        const CLP_T b = right[(from + p) * CLP_RELAX_TILE + column];
        if (clp_extend(a, b) == length) found = from + p;
    }
    return found;
}

/* The operands of a relaxation; shared with minplus_paths_submit.c. */
typedef struct clp_relax_operands {
    ulong d_first, d_ld, via_first, via_ld, columns_first;
    uint n;
    uint begin, end; /* rows of the outer block */
    uint from, block; /* vertices of the block */
    uint next, next_block; /* vertices of the next block, whose columns are copied */
    uint unused;
} clp_relax_operands;
typedef char clp_relax_operands_are_as_in_c[sizeof(clp_relax_operands) == CLP_RELAX_BYTES ? 1 : -1];

/* Where the tile is in d. */
typedef struct clp_relax_tile {
    uint row, column; /* its first row and column */
    uint own_column, wanted; /* the work-item's first column; the number of its four that exist */
} clp_relax_tile;

static inline void clp_relax_get(clp_relax_lengths *own, const clp_relax_tile *at,
                                 const clp_relax_operands *it, const global CLP_T *d,
                                 bool is_whole) {
    CLP_T4 four[CLP_RELAX_ROWS];
    if (is_whole) {
#pragma unroll
        for (uint r = 0; r < CLP_RELAX_ROWS; r++) {
            const uint row = at->row + clp_relax_cell_row(own, r);
            four[r] = *(const global CLP_T4 *)(d + row * it->d_ld + at->own_column);
        }
    } else {
#pragma unroll
        for (uint r = 0; r < CLP_RELAX_ROWS; r++) {
            const uint row = at->row + clp_relax_cell_row(own, r);
            four[r] =
                clp_load_four(d + row * it->d_ld + at->own_column, row < it->end ? at->wanted : 0);
        }
    }
#pragma unroll
    for (uint r = 0; r < CLP_RELAX_ROWS; r++) {
        own->cell[r][0] = clp_open(four[r].x);
        own->cell[r][1] = clp_open(four[r].y);
        own->cell[r][2] = clp_open(four[r].z);
        own->cell[r][3] = clp_open(four[r].w);
    }
}

/* Copies lengths to vertices of the next block, and records a negative one of a vertex to itself.
 */
static inline void clp_relax_note(const clp_relax_tile *at, const clp_relax_operands *it, uint row,
                                  const CLP_T *four, global CLP_T *next_columns,
                                  volatile global uint *outside) {
    const bool is_next =
        at->column < it->next + it->next_block && at->column + CLP_RELAX_TILE > it->next;
    const bool has_diagonal =
        at->row < at->column + CLP_RELAX_TILE && at->row + CLP_RELAX_TILE > at->column;
    if (!is_next && !has_diagonal) return;
#pragma unroll
    for (uint c = 0; c < 4; c++) {
        const uint column = at->own_column + c;
        if (column >= it->next && column < it->next + it->next_block) {
            next_columns[(row - it->begin) * it->next_block + column - it->next] = four[c];
        }
        /* races with all work-groups; the next panel kernel reads it */
        if (column == row && four[c] < 0) atomic_min(outside, row);
    }
}

/* Stores the lengths, except in the block's own rows. Returns a bit for each length not stored. */
static inline uint clp_relax_put(const clp_relax_lengths *own, const clp_relax_tile *at,
                                 const clp_relax_operands *it, global CLP_T *d,
                                 global CLP_T *next_columns, volatile global uint *outside) {
    uint kept = 0;
#pragma unroll
    for (uint r = 0; r < CLP_RELAX_ROWS; r++) {
        const uint row = at->row + clp_relax_cell_row(own, r);
        global CLP_T *to = d + row * it->d_ld + at->own_column;
        const CLP_T four[4] = {clp_close(own->cell[r][0]), clp_close(own->cell[r][1]),
                               clp_close(own->cell[r][2]), clp_close(own->cell[r][3])};
        if (row >= it->end || (row >= it->from && row < it->from + it->block)) {
            kept |= 15u << 4 * r;
            continue;
        }
        if (at->wanted >= 4 && (ulong)to % sizeof(CLP_T4) == 0) {
            *(global CLP_T4 *)to = (CLP_T4)(four[0], four[1], four[2], four[3]);
        } else {
#pragma unroll
            for (uint c = 0; c < 4; c++) {
                if (c < at->wanted) to[c] = four[c];
            }
        }
        clp_relax_note(at, it, row, four, next_columns, outside);
    }
    return kept;
}

/* What a work-group has in local memory: A, S and the lengths that each step improved. */
typedef struct clp_relax_room {
    const local CLP_T *left, *right;
    const local uint *improved;
} clp_relax_room;

/* Each work-item takes one of its improved lengths after the other, the last step's first. kept: a
 * bit for each length that was not stored. */
static inline void clp_relax_predecessors(const clp_relax_lengths *own, const clp_relax_tile *at,
                                          const clp_relax_operands *it, const clp_relax_room *room,
                                          uint kept, const global CLP_T *d, global int *via) {
    uint step = (it->block + CLP_RELAX_STEP - 1) / CLP_RELAX_STEP, cells = 0, done = kept;
#pragma unroll 1
    for (;;) {
        while (cells == 0 && step > 0) {
            step--;
            cells = room->improved[step * CLP_RELAX_GROUP + (uint)get_local_id(0)] & ~done;
            done |= cells;
        }
        if (cells == 0) break;
        const uint cell = 31 - clz(cells & -cells), row = clp_relax_cell_row(own, cell / 4);
        const ulong column = at->own_column + cell % 4;
        const CLP_T length = clp_open(d[(at->row + row) * it->d_ld + column]);
        const uint k = clp_relax_find(room->left, room->right, row, 4 * own->wide + cell % 4,
                                      step * CLP_RELAX_STEP, length);
        via[(at->row + row) * it->via_ld + column] = via[(it->from + k) * it->via_ld + column];
        cells &= cells - 1;
    }
}

/* columns: A, of all rows of the outer block. outside: the lowest vertex whose diagonal element is
 * negative. */
CLP_KERNEL(CLP_RELAX_GROUP)
void clp_paths_relax(global CLP_T *d, global int *via, const global CLP_T *columns,
                     global CLP_T *next_columns, volatile global uint *outside,
                     const clp_relax_operands it) {
    local CLP_T left[CLP_BLOCK * CLP_RELAX_WIDTH] __attribute__((aligned(32)));
    local CLP_T right[CLP_BLOCK * CLP_RELAX_TILE] __attribute__((aligned(32)));
    local uint improved[CLP_RELAX_STEPS * CLP_RELAX_GROUP];
    const uint self = (uint)get_local_id(0);
    const uint strips = max((it.n + CLP_RELAX_TILE - 1) / CLP_RELAX_TILE, 1u);
    const uint number = (uint)get_group_id(0);
    const uint2 kept = (uint2)(it.from - it.begin, it.from - it.begin + it.block);
    clp_relax_lengths own;
    clp_relax_tile at;
    clp_relax_place(&own);
    at.row = it.begin + clp_step_over(number / strips, CLP_RELAX_TILE, kept);
    at.column = number % strips * CLP_RELAX_TILE;
    at.own_column = at.column + 4 * own.wide;
    at.wanted = clp_count_from(at.own_column, it.n);
    d += it.d_first;
    via += it.via_first;
    clp_relax_source from = {columns + it.columns_first + (at.row - it.begin) * it.block,
                             d + it.from * it.d_ld + at.column,
                             it.d_ld,
                             clp_count_from(at.row, it.end),
                             clp_count_from(at.column, it.n),
                             it.block,
                             false};
    from.is_whole = from.rows >= CLP_RELAX_TILE && from.columns >= CLP_RELAX_TILE &&
                    it.block == CLP_BLOCK && it.d_ld % 4 == 0 &&
                    (ulong)from.s % sizeof(CLP_T4) == 0 && (ulong)from.a % sizeof(CLP_T4) == 0;
    clp_relax_load(&from, left, right);
    clp_relax_get(&own, &at, &it, d, from.is_whole);
    barrier(CLK_LOCAL_MEM_FENCE); /* left and right written above, read below */
#pragma unroll 1
    for (uint step = 0; step * CLP_RELAX_STEP < it.block; step++) {
        improved[step * CLP_RELAX_GROUP + self] = clp_relax_step(
            &own, left + step * CLP_RELAX_STEP * CLP_RELAX_WIDTH + clp_relax_cell_row(&own, 0),
            right + step * CLP_RELAX_STEP * CLP_RELAX_TILE + 4 * own.wide);
    }
    const uint not_stored = clp_relax_put(&own, &at, &it, d, next_columns, outside);
    const clp_relax_room room = {left, right, improved};
    clp_relax_predecessors(&own, &at, &it, &room, not_stored, d, via);
}
