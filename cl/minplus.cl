/* SPDX-License-Identifier: MIT */
/*
 * The product by work-groups of many. A group computes one tile of C: slab after slab of
 * CLP_DEPTH columns of A and rows of B passes through local memory, two of them at a time, while
 * each work-item keeps CLP_ROWS * CLP_COLUMNS cells in registers and has the next slab's elements
 * under way. Cells of a work-item lie in chunks of 4 * 4, so that it reads 16 bytes at a time.
 *
 * Cells and chunks are unrolled by the prelude's CLP_EACH_...(step): an array indexed in a loop
 * that the compiler leaves rolled is no longer in registers.
 *
 * Outside of C, elements are taken from the nearest row or column inside and never stored; pairs
 * beyond k are not folded.
 */
#ifndef CLP_EACH_CELL
#error "minplus.cl: CLP_EACH_CELL, a step for every cell, is not set by the prelude"
#endif
#ifndef CLP_DEPTH
#error "minplus.cl: CLP_DEPTH, k of a slab, is not set by the prelude"
#endif

#define CLP_TILE_ROWS (CLP_HIGH * CLP_ROWS)
#define CLP_TILE_COLUMNS (CLP_WIDE * CLP_COLUMNS)
/* Four more than needed: a chunk of A is stored down a column, and its words are in other banks. */
#define CLP_LEFT_WIDTH (CLP_TILE_ROWS + 4)

#define CLP_SPREAD(to, vector)                                                                     \
    {                                                                                              \
        const CLP_T4 spread = vector;                                                              \
        (to)[0] = spread.x;                                                                        \
        (to)[1] = spread.y;                                                                        \
        (to)[2] = spread.z;                                                                        \
        (to)[3] = spread.w;                                                                        \
    }

/* ---- From memory to registers to local memory ---------------------------------------------- */

typedef struct clp_slab {
    CLP_T4 left[CLP_LEFT_CHUNKS];
    CLP_T4 right[CLP_RIGHT_CHUNKS];
} clp_slab;

/* What a group reads. */
typedef struct clp_source {
    const global CLP_T *left; /* A at the tile's first row */
    const global CLP_T *right; /* B at the tile's first column */
    ulong left_ld, right_ld;
    uint rows, columns; /* of C from the tile's first cell on */
    uint k;
    bool left_aligned;
    bool right_aligned; /* and all of the tile's columns are there */
} clp_source;

static inline bool clp_is_aligned(const global CLP_T *at, ulong ld) {
    return ((ulong)at % sizeof(CLP_T4)) == 0 && ld % 4 == 0;
}

/* A's chunks: neighbours in a pair share a row, so that 32 bytes of it are read together; then
 * row after row. */
static inline uint2 clp_left_place(uint q) {
    const uint e = (uint)get_local_id(0) + q * CLP_GROUP;
    const uint pair = e / 2;
    return (uint2)(pair % CLP_TILE_ROWS, 4 * (e % 2 + 2 * (pair / CLP_TILE_ROWS)));
}

static inline uint2 clp_right_place(uint q) {
    const uint e = (uint)get_local_id(0) + q * CLP_GROUP;
    return (uint2)(e / (CLP_TILE_COLUMNS / 4), 4 * (e % (CLP_TILE_COLUMNS / 4)));
}

static inline CLP_T4 clp_fetch_left(const clp_source *source, uint q, uint from_k) {
    const uint2 place = clp_left_place(q);
    const global CLP_T *row = source->left + min(place.x, source->rows - 1) * source->left_ld;
    const uint at = from_k + place.y;
    if (source->left_aligned && from_k + CLP_DEPTH <= source->k) {
        return *(const global CLP_T4 *)(row + at);
    }
    const uint last = source->k - 1;
    return (CLP_T4)(row[min(at, last)], row[min(at + 1, last)], row[min(at + 2, last)],
                    row[min(at + 3, last)]);
}

static inline CLP_T4 clp_fetch_right(const clp_source *source, uint q, uint from_k) {
    const uint2 place = clp_right_place(q);
    const global CLP_T *row =
        source->right + min(from_k + place.x, source->k - 1) * source->right_ld;
    const uint at = place.y;
    if (source->right_aligned) return *(const global CLP_T4 *)(row + at);
    const uint last = source->columns - 1;
    return (CLP_T4)(row[min(at, last)], row[min(at + 1, last)], row[min(at + 2, last)],
                    row[min(at + 3, last)]);
}

static inline clp_slab clp_fetch(const clp_source *source, uint from_k) {
    clp_slab slab;
#define CLP_FETCH_LEFT(q) slab.left[q] = clp_fetch_left(source, q, from_k);
#define CLP_FETCH_RIGHT(q) slab.right[q] = clp_fetch_right(source, q, from_k);
    CLP_EACH_LEFT_CHUNK(CLP_FETCH_LEFT)
    CLP_EACH_RIGHT_CHUNK(CLP_FETCH_RIGHT)
    return slab;
}

/* A is turned around: left holds columns of it, right rows of B. */
static inline void clp_put_left(CLP_T4 chunk, uint q, local CLP_T *left) {
    const uint2 place = clp_left_place(q);
    local CLP_T *to = left + place.y * CLP_LEFT_WIDTH + place.x;
    to[0] = clp_take(chunk.x);
    to[CLP_LEFT_WIDTH] = clp_take(chunk.y);
    to[2 * CLP_LEFT_WIDTH] = clp_take(chunk.z);
    to[3 * CLP_LEFT_WIDTH] = clp_take(chunk.w);
}

static inline void clp_put_right(CLP_T4 chunk, uint q, local CLP_T *right) {
    const uint2 place = clp_right_place(q);
    *(local CLP_T4 *)(right + place.x * CLP_TILE_COLUMNS + place.y) =
        (CLP_T4)(clp_take(chunk.x), clp_take(chunk.y), clp_take(chunk.z), clp_take(chunk.w));
}

static inline void clp_put(const clp_slab *slab, local CLP_T *left, local CLP_T *right) {
#define CLP_PUT_LEFT(q) clp_put_left(slab->left[q], q, left);
#define CLP_PUT_RIGHT(q) clp_put_right(slab->right[q], q, right);
    CLP_EACH_LEFT_CHUNK(CLP_PUT_LEFT)
    CLP_EACH_RIGHT_CHUNK(CLP_PUT_RIGHT)
}

/* ---- Cells ------------------------------------------------------------------------------------
 */

typedef struct clp_cells {
    clp_accumulator cell[CLP_ROWS][CLP_COLUMNS];
#if CLP_ARGMIN
    int best[CLP_ROWS][CLP_COLUMNS];
#endif
    uint high, wide; /* the work-item's place in the group */
} clp_cells;

/* A sub-group of 32 is a patch of 4 * 8 work-items, so that its reads of local memory touch few
 * different words. */
static inline void clp_take_place(clp_cells *cells) {
    const uint self = (uint)get_local_id(0);
#if CLP_HIGH >= 4 && CLP_WIDE >= 8
    const uint patch = self / 32;
    cells->wide = self % 8 + patch % (CLP_WIDE / 8) * 8;
    cells->high = self / 8 % 4 + patch / (CLP_WIDE / 8) * 4;
#else
    cells->wide = self % CLP_WIDE;
    cells->high = self / CLP_WIDE;
#endif
}

/* The tile's row or column of the first cell of chunk q. */
static inline uint clp_chunk_row(const clp_cells *cells, uint q) {
    return 4 * (q * CLP_HIGH + cells->high);
}

static inline uint clp_chunk_column(const clp_cells *cells, uint q) {
    return 4 * (q * CLP_WIDE + cells->wide);
}

/* Reads the operands of one k: CLP_READ(name, k) fills name_a and name_b. */
#define CLP_READ_ROWS(q)                                                                           \
    CLP_SPREAD(a + 4 * q, *(const local CLP_T4 *)(left + clp_chunk_row(cells, q)))
#define CLP_READ_COLUMNS(q)                                                                        \
    CLP_SPREAD(b + 4 * q, *(const local CLP_T4 *)(right + clp_chunk_column(cells, q)))

static inline void clp_read(const clp_cells *cells, const local CLP_T *left,
                            const local CLP_T *right, CLP_T *a, CLP_T *b) {
    CLP_EACH_ROW_CHUNK(CLP_READ_ROWS)
    CLP_EACH_COLUMN_CHUNK(CLP_READ_COLUMNS)
}

/* Folds one pair into every cell; k: its index, for argmin. */
static inline void clp_fold_one(clp_cells *cells, const local CLP_T *left, const local CLP_T *right,
                                uint k) {
    CLP_T a[CLP_ROWS], b[CLP_COLUMNS];
    clp_read(cells, left, right, a, b);
#if CLP_ARGMIN
#define CLP_FOLD_CELL(r, c)                                                                        \
    {                                                                                              \
        const CLP_T sum = clp_extend(a[r], b[c]);                                                  \
        const bool better = CLP_IS_BETTER(sum, cells->cell[r][c]);                                 \
        cells->cell[r][c] = better ? sum : cells->cell[r][c];                                      \
        cells->best[r][c] = better ? (int)k : cells->best[r][c];                                   \
    }
#else
#define CLP_FOLD_CELL(r, c) cells->cell[r][c] = clp_fold(cells->cell[r][c], a[r], b[c]);
#endif
    CLP_EACH_CELL(CLP_FOLD_CELL)
}

#if CLP_PAIRS > 1
/* Folds two pairs into every cell; compilers find minima of three in this. */
static inline void clp_fold_two(clp_cells *cells, const local CLP_T *left,
                                const local CLP_T *right) {
    CLP_T a0[CLP_ROWS], b0[CLP_COLUMNS], a1[CLP_ROWS], b1[CLP_COLUMNS];
    clp_read(cells, left, right, a0, b0);
    clp_read(cells, left + CLP_LEFT_WIDTH, right + CLP_TILE_COLUMNS, a1, b1);
#if CLP_PAIRS == 2
#define CLP_FOLD_TWO(r, c)                                                                         \
    cells->cell[r][c] = clp_fold(clp_fold(cells->cell[r][c], a0[r], b0[c]), a1[r], b1[c]);
#else
#define CLP_FOLD_TWO(r, c)                                                                         \
    cells->cell[r][c] = clp_merge(cells->cell[r][c], clp_join(a0[r], b0[c], a1[r], b1[c]));
#endif
    CLP_EACH_CELL(CLP_FOLD_TWO)
}
#endif

static inline void clp_fold_slab(clp_cells *cells, const local CLP_T *left,
                                 const local CLP_T *right, uint from_k, uint k) {
    if (from_k + CLP_DEPTH <= k) {
#if CLP_PAIRS > 1
        CLP_UNROLL_TWOS
        for (uint i = 0; i < CLP_DEPTH; i += 2) {
            clp_fold_two(cells, left + i * CLP_LEFT_WIDTH, right + i * CLP_TILE_COLUMNS);
        }
#else
        CLP_UNROLL_ONES
        for (uint i = 0; i < CLP_DEPTH; i++) {
            clp_fold_one(cells, left + i * CLP_LEFT_WIDTH, right + i * CLP_TILE_COLUMNS,
                         from_k + i);
        }
#endif
        return;
    }
#pragma unroll 1
    for (uint i = 0; i < k - from_k; i++) {
        clp_fold_one(cells, left + i * CLP_LEFT_WIDTH, right + i * CLP_TILE_COLUMNS, from_k + i);
    }
}

/* ---- C ----------------------------------------------------------------------------------------
 */

/* Where a group's cells are; row and column: of the tile's first one in C. */
typedef struct clp_target {
    global CLP_T *to;
    ulong ld;
    global int *best;
    ulong best_ld;
    const global int *via; /* row k of it holds what is written in place of k, unless NULL */
    ulong via_ld;
    uint row, column, m, n;
    uint4 keep; /* rows x to before y and columns z to before w stay as they are */
} clp_target;

static inline bool clp_is_wanted(const clp_target *target, uint row, uint column) {
    const uint4 keep = target->keep;
    const bool kept = (row >= keep.x && row < keep.y) || (column >= keep.z && column < keep.w);
    return row < target->m && column < target->n && !(CLP_KEEPS && kept);
}

static inline void clp_start_cell(clp_accumulator *cell, const clp_target *target, uint row,
                                  uint column) {
#if CLP_ACCUMULATE
    if (row < target->m && column < target->n) {
        *cell = CLP_TO_ACCUMULATOR(clp_open(target->to[row * target->ld + column]));
        return;
    }
#endif
    *cell = CLP_TO_ACCUMULATOR((CLP_T)CLP_NONE);
}

static inline void clp_start(clp_cells *cells, const clp_target *target) {
    clp_take_place(cells);
#define CLP_START_CELL(r, c)                                                                       \
    clp_start_cell(&cells->cell[r][c], target,                                                     \
                   target->row + clp_chunk_row(cells, (r) / 4) + (r) % 4,                          \
                   target->column + clp_chunk_column(cells, (c) / 4) + (c) % 4);
    CLP_EACH_CELL(CLP_START_CELL)
#if CLP_ARGMIN
#define CLP_START_BEST(r, c) cells->best[r][c] = -1;
    CLP_EACH_CELL(CLP_START_BEST)
#endif
}

#if CLP_ARGMIN
static inline void clp_store_best(const clp_target *target, uint row, uint column, int best) {
    if (CLP_ACCUMULATE && best < 0) return;
    if (CLP_FOLLOWS) best = target->via[(ulong)best * target->via_ld + column];
    target->best[row * target->best_ld + column] = best;
}
#endif

static inline void clp_store(const clp_cells *cells, const clp_target *target) {
    const bool aligned = clp_is_aligned(target->to, target->ld);
#define CLP_CLOSED(r, c) clp_close(CLP_FROM_ACCUMULATOR(cells->cell[r][c]))
#define CLP_STORE_ONE(r, c, row, column)                                                           \
    if (clp_is_wanted(target, row, column))                                                        \
        target->to[(row)*target->ld + (column)] = CLP_CLOSED(r, c);
#define CLP_STORE_FOUR(r, q)                                                                       \
    {                                                                                              \
        const uint row = target->row + clp_chunk_row(cells, (r) / 4) + (r) % 4;                    \
        const uint column = target->column + clp_chunk_column(cells, q);                           \
        if (aligned && clp_is_wanted(target, row, column) &&                                       \
            clp_is_wanted(target, row, column + 3)) {                                              \
            *(global CLP_T4 *)(target->to + row * target->ld + column) =                           \
                (CLP_T4)(CLP_CLOSED(r, 4 * q), CLP_CLOSED(r, 4 * q + 1), CLP_CLOSED(r, 4 * q + 2), \
                         CLP_CLOSED(r, 4 * q + 3));                                                \
        } else {                                                                                   \
            CLP_STORE_ONE(r, 4 * q, row, column)                                                   \
            CLP_STORE_ONE(r, 4 * q + 1, row, column + 1)                                           \
            CLP_STORE_ONE(r, 4 * q + 2, row, column + 2)                                           \
            CLP_STORE_ONE(r, 4 * q + 3, row, column + 3)                                           \
        }                                                                                          \
    }
    CLP_EACH_ROW_AND_CHUNK(CLP_STORE_FOUR)
#if CLP_ARGMIN
#define CLP_STORE_BEST(r, c)                                                                       \
    {                                                                                              \
        const uint row = target->row + clp_chunk_row(cells, (r) / 4) + (r) % 4;                    \
        const uint column = target->column + clp_chunk_column(cells, (c) / 4) + (c) % 4;           \
        if (clp_is_wanted(target, row, column))                                                    \
            clp_store_best(target, row, column, cells->best[r][c]);                                \
    }
    CLP_EACH_CELL(CLP_STORE_BEST)
#endif
}

/* ---- The kernel -------------------------------------------------------------------------------
 */

static inline clp_source clp_source_of(const global CLP_T *a, ulong a_ld, const global CLP_T *b,
                                       ulong b_ld, const clp_target *target, uint k) {
    clp_source source;
    source.left = a + target->row * a_ld;
    source.right = b + target->column;
    source.left_ld = a_ld;
    source.right_ld = b_ld;
    source.rows = target->m - target->row;
    source.columns = target->n - target->column;
    source.k = k;
    source.left_aligned = clp_is_aligned(source.left, a_ld);
    source.right_aligned = clp_is_aligned(source.right, b_ld) && source.columns >= CLP_TILE_COLUMNS;
    return source;
}

/* tiles: across and down of one matrix; the groups of one matrix of the batch stand together. */
#if CLP_STATES_GROUP
CLP_KERNEL(CLP_GROUP)
#else
/* A compiler that is told the group's size takes no limit of registers. */
kernel
#endif
void clp_minplus_product(const global CLP_T *a, ulong a_first, ulong a_ld, ulong a_stride,
                         const global CLP_T *b, ulong b_first, ulong b_ld, ulong b_stride,
                         global CLP_T *c, ulong c_first, ulong c_ld, ulong c_stride,
                         global int *best, ulong best_first, ulong best_ld, ulong best_stride,
                         const global int *via, ulong via_first, ulong via_ld, uint4 keep, uint m,
                         uint n, uint k, uint2 tiles) {
    local CLP_T left[2][CLP_DEPTH * CLP_LEFT_WIDTH] __attribute__((aligned(32)));
    local CLP_T right[2][CLP_DEPTH * CLP_TILE_COLUMNS] __attribute__((aligned(32)));
    const ulong number = get_group_id(0);
    const uint tile = (uint)(number % ((ulong)tiles.x * tiles.y));
    const ulong matrix = number / ((ulong)tiles.x * tiles.y);
    const clp_target target = {c + c_first + matrix * c_stride,
                               c_ld,
                               best + best_first + matrix * best_stride,
                               best_ld,
                               via + via_first,
                               via_ld,
                               tile / tiles.x * CLP_TILE_ROWS,
                               tile % tiles.x * CLP_TILE_COLUMNS,
                               m,
                               n,
                               keep};
    const clp_source source = clp_source_of(a + a_first + matrix * a_stride, a_ld,
                                            b + b_first + matrix * b_stride, b_ld, &target, k);
    clp_cells cells;
    clp_start(&cells, &target);
    if (k > 0) {
        const clp_slab first = clp_fetch(&source, 0);
        clp_put(&first, left[0], right[0]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* slab 0 written above, read in the loop's first turn */
    uint turn = 0;
    for (uint from_k = 0; from_k < k; from_k += CLP_DEPTH) {
        const bool more = k - from_k > CLP_DEPTH;
        clp_slab next;
        if (more) next = clp_fetch(&source, from_k + CLP_DEPTH);
        clp_fold_slab(&cells, left[turn], right[turn], from_k, k);
        turn ^= 1;
        if (more) clp_put(&next, left[turn], right[turn]);
        /* The next slab written above, read in the next turn; this one read above, overwritten in
         * the next. k is the same for all work-items. */
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    clp_store(&cells, &target);
}
