/* SPDX-License-Identifier: MIT */
/*
 * The cells of C that a work-item keeps in registers: how they start, how a slab is folded into
 * them, how they are stored. Cells are in chunks of 4 * 4, so that a work-item reads four elements
 * at a time from local memory and uses each of them in four cells or more.
 *
 * Loops over cells are unrolled by the prelude's CLP_EACH_CELL(step) and
 * CLP_EACH_ROW_AND_CHUNK(step): an array that a rolled loop indexes would leave the registers. From
 * loops that the compiler unrolls, Clang 14 makes code with more registers alive: a product of
 * bytes spills 2220 bytes instead of 1980 for an H200. The steps are macros because they write the
 * caller's variables with constant indices.
 *
 * Local memory is minplus_staged.cl's; no barrier is in this file, and no work-group waits for
 * another.
 */

#define CLP_TILE_ROWS (CLP_HIGH * CLP_ROWS)
#define CLP_TILE_COLUMNS (CLP_WIDE * CLP_COLUMNS)
/* Padded by four: a chunk of A is stored down a column, and the padding puts its words into
 * different banks. */
#define CLP_LEFT_WIDTH (CLP_TILE_ROWS + 4)
/* Elements of a slab in local memory: columns of A and rows of B */
#define CLP_LEFT_SLAB (CLP_DEPTH * CLP_LEFT_WIDTH)
#define CLP_RIGHT_SLAB (CLP_DEPTH * CLP_TILE_COLUMNS)

CLP_INLINE void clp_unpack(CLP_T *to, CLP_T4 four) {
    to[0] = four.x;
    to[1] = four.y;
    to[2] = four.z;
    to[3] = four.w;
}

/* Returns whether all rows can be accessed four elements at a time. */
static inline bool clp_is_aligned(const global CLP_T *at, ulong ld) {
    return ((ulong)at % sizeof(CLP_T4)) == 0 && ld % 4 == 0;
}

/* ---- Cells ------------------------------------------------------------------------------------
 */

typedef struct clp_cells {
    CLP_T cell[CLP_ROWS][CLP_COLUMNS];
#if CLP_ARGMIN
    int best[CLP_ROWS]
            [CLP_COLUMNS]; /* k, or with CLP_ARGMIN_BY_SLAB the first k of its slab; -1: none */
#endif
    uint high, wide; /* position of the work-item in the work-group */
    uint one; /* of PAIRS=4: 1, as a value that the compiler does not know */
} clp_cells;

/* A sub-group of 32 covers a patch of 4 * 8 work-items, so that its reads of local memory hit few
 * different words. */
static inline void clp_take_place(clp_cells *cells) {
    const uint self = CLP_ITEM_IN_SLICE;
#if CLP_HIGH >= 4 && CLP_WIDE >= 8
    const uint patch = self / 32;
    cells->wide = self % 8 + patch % (CLP_WIDE / 8) * 8;
    cells->high = self / 8 % 4 + patch / (CLP_WIDE / 8) * 4;
#else
    cells->wide = self % CLP_WIDE;
    cells->high = self / CLP_WIDE;
#endif
}

/* Returns the row or column in the tile of the first cell of chunk q. */
static inline uint clp_chunk_row(const clp_cells *cells, uint q) {
    return 4 * (q * CLP_HIGH + cells->high);
}

static inline uint clp_chunk_column(const clp_cells *cells, uint q) {
    return 4 * (q * CLP_WIDE + cells->wide);
}

/* Reads the operands of one k. left and right: the work-item's first operands. */
CLP_INLINE void clp_read(const local CLP_T *left, const local CLP_T *right, CLP_T *a, CLP_T *b) {
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r += 4) {
        clp_unpack(a + r, *(const local CLP_T4 *)(left + r * CLP_HIGH));
    }
#pragma unroll
    for (uint c = 0; c < CLP_COLUMNS; c += 4) {
        clp_unpack(b + c, *(const local CLP_T4 *)(right + c * CLP_WIDE));
    }
}

/*
 * Knowledge of signs; a constant in the functions below, unless CLP_ONE_LOOP.
 *
 * CLP_SIGNLESS_SO_FAR: no operand and no cell has had a sign. Floats then compare as their bits do,
 * and integers have a minimum of three in one instruction. Integers stay in the form of memory: no
 * sum of two exceeds 32 bits, and no sum with "no edge" is less than that.
 *
 * CLP_ALL_NEGATIVE: all cells are below 0, whatever the operands are; floats only. The least value
 * then has the greatest bits as unsigned: a value without a sign (NaN too) is less than any cell,
 * and of two with a sign the one farther from 0 is greater. Cells never grow, so that this state is
 * final.
 */
#define CLP_SIGNS_ANYWHERE 0
#define CLP_SIGNLESS_SO_FAR 1
#define CLP_ALL_NEGATIVE 2

CLP_INLINE CLP_T clp_sum(uint signs, CLP_T a, CLP_T b) {
#if CLP_SIGNLESS
    if (signs == CLP_SIGNLESS_SO_FAR) return clp_signless_sum(a, b);
#endif
#if CLP_TURNS_NEGATIVE && !CLP_NAN_SUMS_HAVE_NO_SIGN
    if (signs == CLP_ALL_NEGATIVE) {
        const CLP_T sum = clp_extend(a, b);
        return sum == sum ? sum : CLP_NO_EDGE;
    }
#endif
    return clp_extend(a, b);
}

CLP_INLINE CLP_T clp_merge(uint signs, CLP_T all, CLP_T more) {
#if CLP_SIGNLESS
    if (signs == CLP_SIGNLESS_SO_FAR) return clp_signless_least(all, more);
#endif
#if CLP_TURNS_NEGATIVE
    if (signs == CLP_ALL_NEGATIVE) return clp_negative_least(all, more);
#endif
    return clp_combine(all, more);
}

/* Folds one pair into every cell; k: its index, for argmin. */
CLP_INLINE void clp_fold_one(clp_cells *cells, const local CLP_T *left, const local CLP_T *right,
                             uint k, uint signs) {
    CLP_T a[CLP_ROWS], b[CLP_COLUMNS];
    clp_read(left, right, a, b);
#if CLP_ARGMIN && !CLP_ARGMIN_BY_SLAB
#define CLP_FOLD_CELL(r, c)                                                                        \
    {                                                                                              \
        const CLP_T sum = clp_extend(a[r], b[c]);                                                  \
        const bool better = CLP_IS_BETTER(sum, cells->cell[r][c]);                                 \
        cells->cell[r][c] = better ? sum : cells->cell[r][c];                                      \
        cells->best[r][c] = better ? (int)k : cells->best[r][c];                                   \
    }
#else
#define CLP_FOLD_CELL(r, c)                                                                        \
    cells->cell[r][c] = clp_merge(signs, cells->cell[r][c], clp_sum(signs, a[r], b[c]));
#endif
    CLP_EACH_CELL(CLP_FOLD_CELL)
}

#if CLP_PAIRS > 1
#define CLP_FOLD_IN_TURN(r, c)                                                                     \
    cells->cell[r][c] =                                                                            \
        clp_merge(signs, clp_merge(signs, cells->cell[r][c], clp_sum(signs, a0[r], b0[c])),        \
                  clp_sum(signs, a1[r], b1[c]));
#define CLP_FOLD_PAIR_FIRST(r, c, sum)                                                             \
    cells->cell[r][c] = clp_merge(signs, cells->cell[r][c],                                        \
                                  clp_merge(signs, sum(a0[r], b0[c]), sum(a1[r], b1[c])));

/* Folds two pairs into every cell; compilers turn this into minima of three. */
CLP_INLINE void clp_fold_two(clp_cells *cells, const local CLP_T *left, const local CLP_T *right,
                             uint signs) {
    CLP_T a0[CLP_ROWS], b0[CLP_COLUMNS], a1[CLP_ROWS], b1[CLP_COLUMNS];
    clp_read(left, right, a0, b0);
    clp_read(left + CLP_LEFT_WIDTH, right + CLP_TILE_COLUMNS, a1, b1);
#if CLP_PAIRS == 4
/* Sums computed by multiplying with 1 use another pipe than minima. Two rows of three use them,
 * with the minimum of three. */
#define CLP_SUM_BY_PRODUCT(a, b) as_int(as_uint(a) * cells->one + as_uint(b))
#define CLP_FOLD_TWO(r, c)                                                                         \
    if ((r) % 3 == 0) {                                                                            \
        CLP_FOLD_IN_TURN(r, c)                                                                     \
    } else {                                                                                       \
        CLP_FOLD_PAIR_FIRST(r, c, CLP_SUM_BY_PRODUCT)                                              \
    }
#elif CLP_PAIRS == 2
#define CLP_FOLD_TWO(r, c) CLP_FOLD_IN_TURN(r, c)
#else
#define CLP_SUM(a, b) clp_sum(signs, a, b)
#define CLP_FOLD_TWO(r, c) CLP_FOLD_PAIR_FIRST(r, c, CLP_SUM)
#endif
    CLP_EACH_CELL(CLP_FOLD_TWO)
}
#endif

/* Argmin by slab: cells are copied before a slab is folded; afterwards, each cell that improved
 * records the slab. minplus_argmin.cl finds the k within that slab at the end. Macros because they
 * declare and read `before` and from_k of the caller. */
#if CLP_ARGMIN_BY_SLAB
#define CLP_COPY_CELL(r, c) before[r][c] = cells->cell[r][c];
#define CLP_RECORD_CELL_SLAB(r, c)                                                                 \
    if (CLP_IS_BETTER(cells->cell[r][c], before[r][c])) cells->best[r][c] = (int)from_k;
#define CLP_COPY_CELLS                                                                             \
    CLP_T before[CLP_ROWS][CLP_COLUMNS];                                                           \
    CLP_EACH_CELL(CLP_COPY_CELL)
#define CLP_RECORD_SLAB CLP_EACH_CELL(CLP_RECORD_CELL_SLAB)
#else
#define CLP_COPY_CELLS
#define CLP_RECORD_SLAB
#endif

#define CLP_FOLD_EACH_TWO                                                                          \
    for (uint i = 0; i < CLP_SHARE; i += 2) {                                                      \
        clp_fold_two(cells, left + i * CLP_LEFT_WIDTH, right + i * CLP_TILE_COLUMNS, signs);       \
    }
#define CLP_FOLD_EACH_ONE                                                                          \
    for (uint i = 0; i < CLP_SHARE; i++) {                                                         \
        clp_fold_one(cells, left + i * CLP_LEFT_WIDTH, right + i * CLP_TILE_COLUMNS,               \
                     from_k + CLP_FIRST_SHARED + i, signs);                                        \
    }

/* unrolls: a constant; whether as many k are unrolled as the prelude says. Floats of any signs are
 * as fast by four. */
CLP_INLINE void clp_fold_slab(clp_cells *cells, const local CLP_T *left, const local CLP_T *right,
                              uint from_k, uint signs, bool unrolls) {
    CLP_COPY_CELLS
#if CLP_PAIRS == 1
    if (unrolls) {
        CLP_UNROLL_ONES
        CLP_FOLD_EACH_ONE
    }
#else
    const bool by_twos = signs != CLP_SIGNS_ANYWHERE || CLP_PAIRS_ARE_SIGNLESS == 0;
    if (by_twos && unrolls) {
        CLP_UNROLL_TWOS
        CLP_FOLD_EACH_TWO
    }
    if (by_twos && !unrolls) {
#pragma unroll 2
        CLP_FOLD_EACH_TWO
    }
#endif
#if CLP_PAIRS == 1 || CLP_PAIRS_ARE_SIGNLESS
    if (CLP_PAIRS == 1 ? !unrolls : signs == CLP_SIGNS_ANYWHERE) {
#pragma unroll 4
        CLP_FOLD_EACH_ONE
    }
#endif
    CLP_RECORD_SLAB
}

#if CLP_TURNS_NEGATIVE
static inline bool clp_are_negative(const clp_cells *cells) {
    int all = -1;
#define CLP_AND_CELL(r, c) all &= as_int(cells->cell[r][c]);
    CLP_EACH_CELL(CLP_AND_CELL)
    return all < 0;
}
#endif

#if CLP_SIGNLESS == 1
static inline bool clp_have_no_sign(const clp_cells *cells) {
    int all = 0;
#define CLP_OR_CELL(r, c) all |= as_int(cells->cell[r][c]);
    CLP_EACH_CELL(CLP_OR_CELL)
    return all >= 0;
}
#endif

/* ---- C ----------------------------------------------------------------------------------------
 */

/* The tile of a work-group; row and column: of its first cell in C. */
typedef struct clp_target {
    global CLP_T *to;
    ulong ld;
    global int *best;
    ulong best_ld;
    const global int *via; /* NULL, or a matrix whose row k replaces the index k */
    ulong via_ld;
    uint row, column, m, n;
    uint4 keep; /* rows x to before y and columns z to before w are not written */
} clp_target;

static inline bool clp_is_wanted(const clp_target *target, uint row, uint column) {
    const uint4 keep = target->keep;
    const bool kept = (row >= keep.x && row < keep.y) || (column >= keep.z && column < keep.w);
    return row < target->m && column < target->n && !(CLP_KEEPS && kept);
}

/* Returns whether the whole tile is in C and can be accessed four elements at a time. Code that
 * runs once per tile must be short: it is not in the instruction cache when its turn comes. */
static inline bool clp_is_even(const clp_target *target) {
    return target->row + CLP_TILE_ROWS <= target->m &&
           target->column + CLP_TILE_COLUMNS <= target->n && clp_is_aligned(target->to, target->ld);
}

static inline bool clp_keeps_some(const clp_target *target) {
    const uint4 keep = target->keep;
    return CLP_KEEPS &&
           ((target->row < keep.y && target->row + CLP_TILE_ROWS > keep.x && keep.x < keep.y) ||
            (target->column < keep.w && target->column + CLP_TILE_COLUMNS > keep.z &&
             keep.z < keep.w));
}

/* Returns the work-item's first cell in C. */
static inline global CLP_T *clp_first_cell(const clp_cells *cells, const clp_target *target) {
    return target->to + (target->row + clp_chunk_row(cells, 0)) * target->ld + target->column +
           clp_chunk_column(cells, 0);
}

/* Returns the number of rows from the first chunk to row r of the cells. */
static inline uint clp_cell_rows(uint r) {
    return r / 4 * 4 * CLP_HIGH + r % 4;
}

static inline CLP_T clp_first_value(const clp_target *target, uint row, uint column) {
    if (row < target->m && column < target->n) return target->to[row * target->ld + column];
    return CLP_NO_EDGE;
}

/* Loads the cells in the form of memory; see clp_open_cells. */
static inline void clp_start(clp_cells *cells, const clp_target *target) {
    clp_take_place(cells);
#if CLP_ARGMIN
#define CLP_START_BEST(r, c) cells->best[r][c] = -1;
    CLP_EACH_CELL(CLP_START_BEST)
#endif
#if CLP_ACCUMULATE
    if (clp_is_even(target)) {
        const global CLP_T *from = clp_first_cell(cells, target);
#define CLP_START_EVEN(r, q)                                                                       \
    clp_unpack(cells->cell[r] + 4 * (q),                                                           \
               *(const global CLP_T4 *)(from + clp_cell_rows(r) * target->ld + 4 * (q)*CLP_WIDE));
        CLP_EACH_ROW_AND_CHUNK(CLP_START_EVEN)
        return;
    }
#define CLP_START_CELL(r, c)                                                                       \
    cells->cell[r][c] =                                                                            \
        clp_first_value(target, target->row + clp_chunk_row(cells, (r) / 4) + (r) % 4,             \
                        target->column + clp_chunk_column(cells, (c) / 4) + (c) % 4);
#else
#define CLP_START_CELL(r, c) cells->cell[r][c] = CLP_NO_EDGE;
#endif
    CLP_EACH_CELL(CLP_START_CELL)
}

/* Converts cells from the form of memory, which signless folding keeps, to accumulators. */
static inline void clp_open_cells(clp_cells *cells) {
#define CLP_OPEN_CELL(r, c) cells->cell[r][c] = clp_open(cells->cell[r][c]);
    CLP_EACH_CELL(CLP_OPEN_CELL)
}

/* Converts accumulators to the form of memory. */
static inline void clp_close_cells(clp_cells *cells) {
#define CLP_CLOSE_CELL(r, c) cells->cell[r][c] = clp_close(cells->cell[r][c]);
    CLP_EACH_CELL(CLP_CLOSE_CELL)
}

#if CLP_SIGNLESS == 1
/* clp_close_cells if all folding was signless: sums beyond "no edge" become "no edge". */
static inline void clp_close_signless(clp_cells *cells) {
#define CLP_CLOSE_SIGNLESS(r, c)                                                                   \
    cells->cell[r][c] = clp_signless_least(cells->cell[r][c], (CLP_T)CLP_NO_EDGE);
    CLP_EACH_CELL(CLP_CLOSE_SIGNLESS)
}
#endif

#if CLP_ARGMIN
static inline void clp_store_best(const clp_target *target, uint row, uint column, int best) {
    if (CLP_ACCUMULATE && best < 0) return;
    if (CLP_FOLLOWS && !CLP_ARGMIN_BY_SLAB)
        best = target->via[(ulong)best * target->via_ld + column];
    target->best[row * target->best_ld + column] = best;
}
#endif

static inline void clp_store_one(const clp_target *target, uint row, uint column, CLP_T cell) {
    if (clp_is_wanted(target, row, column)) target->to[row * target->ld + column] = cell;
}

static inline void clp_store_values(const clp_cells *cells, const clp_target *target) {
    if (clp_is_even(target) && !clp_keeps_some(target)) {
        global CLP_T *to = clp_first_cell(cells, target);
#define CLP_STORE_EVEN(r, q)                                                                       \
    *(global CLP_T4 *)(to + clp_cell_rows(r) * target->ld + 4 * (q)*CLP_WIDE) =                    \
        (CLP_T4)(cells->cell[r][4 * (q)], cells->cell[r][4 * (q) + 1],                             \
                 cells->cell[r][4 * (q) + 2], cells->cell[r][4 * (q) + 3]);
        CLP_EACH_ROW_AND_CHUNK(CLP_STORE_EVEN)
        return;
    }
#define CLP_STORE_CELL(r, c)                                                                       \
    clp_store_one(target, target->row + clp_chunk_row(cells, (r) / 4) + (r) % 4,                   \
                  target->column + clp_chunk_column(cells, (c) / 4) + (c) % 4, cells->cell[r][c]);
    CLP_EACH_CELL(CLP_STORE_CELL)
}

static inline void clp_store(const clp_cells *cells, const clp_target *target) {
    clp_store_values(cells, target);
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
