/* SPDX-License-Identifier: MIT */
/*
 * The product by work-groups of one work-item, for CPUs. A work-group computes one tile of C. Slabs
 * of B are packed into local memory one after another, and CLP_ROWS rows of the tile at a time are
 * folded with the slab, in vector registers of CLP_LANES elements. Packing makes a slab contiguous
 * and converts each element of B once instead of once for each row.
 *
 * Outside C, elements are read from the nearest row or column inside and never stored.
 *
 * Steps for rows and cells are macros, as in minplus_cells.cl: they write the caller's variables
 * with constant indices.
 *
 * Local memory: a slab and the accumulators of the tile, for the caches of a core. There is no
 * barrier, and no work-group waits for another.
 */

#define CLP_VECTORS (CLP_COLUMNS / CLP_LANES)
#define CLP_TILE_ROWS (CLP_ROWS * CLP_BLOCKS)

/* The work of a work-group; row and column: of the first cell of the tile in C. */
typedef struct clp_job {
    const global CLP_T *a;
    const global CLP_T *b;
    global CLP_T *c;
    global int *best;
    const global int *via;
    ulong a_ld, b_ld, c_ld, best_ld, via_ld;
    uint row, column, m, n, k;
    uint4 keep; /* rows x to before y and columns z to before w are not written */
} clp_job;

/* The tile's accumulators between slabs. */
typedef struct clp_tile {
    CLP_W cell[CLP_TILE_ROWS][CLP_VECTORS];
#if CLP_ARGMIN
    CLP_BEST best[CLP_TILE_ROWS][CLP_VECTORS];
#endif
} clp_tile;

static inline void clp_start(const clp_job *job, local clp_tile *tile) {
    for (uint r = 0; r < CLP_TILE_ROWS; r++) {
        local CLP_T *cells = (local CLP_T *)tile->cell[r];
        const uint row = job->row + r;
        for (uint c = 0; c < CLP_COLUMNS; c++) {
            const uint column = job->column + c;
            cells[c] = CLP_NONE;
#if CLP_ACCUMULATE
            if (row < job->m && column < job->n)
                cells[c] = clp_open(job->c[row * job->c_ld + column]);
#endif
        }
#if CLP_ARGMIN
        for (uint v = 0; v < CLP_VECTORS; v++) tile->best[r][v] = (CLP_BEST)(-1);
#endif
    }
}

/* Packs rows of B. Columns outside C repeat the first one, so that folding needs no bounds. */
static inline void clp_pack(const clp_job *job, uint from_k, uint depth, local CLP_W *slab) {
    local CLP_T *to = (local CLP_T *)slab;
    const uint columns = min(job->n - job->column, (uint)CLP_COLUMNS);
    for (uint i = 0; i < depth; i++, to += CLP_COLUMNS) {
        const global CLP_T *from = job->b + (from_k + i) * job->b_ld + job->column;
        for (uint c = 0; c < columns; c++) to[c] = clp_take(from[c]);
        for (uint c = columns; c < CLP_COLUMNS; c++) to[c] = to[0];
    }
}

/* Folds one slab into CLP_ROWS rows of the tile, from `first` on. */
static inline void clp_fold_rows(const clp_job *job, uint first, uint from_k, uint depth,
                                 const local CLP_W *slab, local clp_tile *tile) {
    CLP_W cell[CLP_ROWS][CLP_VECTORS];
    const global CLP_T *a[CLP_ROWS];
#define CLP_POINT(r) a[r] = job->a + min(job->row + first + r, job->m - 1) * job->a_ld + from_k;
    CLP_EACH_ROW(CLP_POINT)
#define CLP_GET_CELL(r, v) cell[r][v] = tile->cell[first + r][v];
    CLP_EACH_CELL(CLP_GET_CELL)
#if CLP_ARGMIN
    CLP_BEST best[CLP_ROWS][CLP_VECTORS];
#define CLP_GET_BEST(r, v) best[r][v] = tile->best[first + r][v];
    CLP_EACH_CELL(CLP_GET_BEST)
#define CLP_FOLD_CELL(r, v)                                                                        \
    {                                                                                              \
        const CLP_W sum = clp_extend(left[r], slab[v]);                                            \
        best[r][v] = CLP_IS_BETTER(sum, cell[r][v]) ? (CLP_BEST)(from_k + i) : best[r][v];         \
        cell[r][v] = CLP_IS_BETTER(sum, cell[r][v]) ? sum : cell[r][v];                            \
    }
#else
#define CLP_FOLD_CELL(r, v) cell[r][v] = clp_fold(cell[r][v], left[r], slab[v]);
#endif
    for (uint i = 0; i < depth; i++, slab += CLP_VECTORS) {
        CLP_W left[CLP_ROWS];
#define CLP_GET_LEFT(r) left[r] = (CLP_W)clp_take(a[r][i]);
        CLP_EACH_ROW(CLP_GET_LEFT)
        CLP_EACH_CELL(CLP_FOLD_CELL)
    }
#define CLP_PUT_CELL(r, v) tile->cell[first + r][v] = cell[r][v];
    CLP_EACH_CELL(CLP_PUT_CELL)
#if CLP_ARGMIN
#define CLP_PUT_BEST(r, v) tile->best[first + r][v] = best[r][v];
    CLP_EACH_CELL(CLP_PUT_BEST)
#endif
}

static inline bool clp_is_kept(uint at, uint2 kept) {
    return CLP_KEEPS && at >= kept.x && at < kept.y;
}

static inline void clp_store_row(const clp_job *job, uint r, const local clp_tile *tile) {
    const local CLP_T *cells = (const local CLP_T *)tile->cell[r];
    const ulong row = job->row + r;
    const uint columns = min(job->n - job->column, (uint)CLP_COLUMNS);
    for (uint c = 0; c < columns; c++) {
        if (clp_is_kept(job->column + c, job->keep.zw)) continue;
        job->c[row * job->c_ld + job->column + c] = clp_close(cells[c]);
    }
#if CLP_ARGMIN
    const local CLP_BEST_LANE *bests = (const local CLP_BEST_LANE *)tile->best[r];
    for (uint c = 0; c < columns; c++) {
        int best = (int)bests[c];
        if (clp_is_kept(job->column + c, job->keep.zw) || (CLP_ACCUMULATE && best < 0)) continue;
        if (CLP_FOLLOWS) best = job->via[(ulong)best * job->via_ld + job->column + c];
        job->best[row * job->best_ld + job->column + c] = best;
    }
#endif
}

/* Arguments as in minplus.cl. */
CLP_KERNEL(1)
void clp_minplus_product(const global CLP_T *a, ulong a_first, ulong a_ld, ulong a_stride,
                         const global CLP_T *b, ulong b_first, ulong b_ld, ulong b_stride,
                         global CLP_T *c, ulong c_first, ulong c_ld, ulong c_stride,
                         global int *best, ulong best_first, ulong best_ld, ulong best_stride,
                         const global int *via, ulong via_first, ulong via_ld, uint4 keep, uint m,
                         uint n, uint k, uint2 tiles, int one) {
    local CLP_W slab[CLP_DEPTH * CLP_VECTORS];
    local clp_tile tile;
    const ulong group = get_group_id(0);
    const uint number = (uint)(group % ((ulong)tiles.x * tiles.y));
    const ulong matrix = group / ((ulong)tiles.x * tiles.y);
    const uint2 kept = CLP_KEEPS ? keep.xy : (uint2)0;
    const clp_job job = {a + a_first + matrix * a_stride,
                         b + b_first + matrix * b_stride,
                         c + c_first + matrix * c_stride,
                         best + best_first + matrix * best_stride,
                         via + via_first,
                         a_ld,
                         b_ld,
                         c_ld,
                         best_ld,
                         via_ld,
                         clp_step_over(number / tiles.x, CLP_TILE_ROWS, kept),
                         number % tiles.x * CLP_COLUMNS,
                         m,
                         n,
                         k,
                         keep};
    const uint rows = min(m - job.row, (uint)CLP_TILE_ROWS);
    clp_start(&job, &tile);
    for (uint from_k = 0; from_k < k; from_k += CLP_DEPTH) {
        const uint depth = min(k - from_k, (uint)CLP_DEPTH);
        clp_pack(&job, from_k, depth, slab);
        for (uint r = 0; r < rows; r += CLP_ROWS) {
            clp_fold_rows(&job, r, from_k, depth, slab, &tile);
        }
    }
    for (uint r = 0; r < rows; r++) {
        if (!clp_is_kept(job.row + r, job.keep.xy)) clp_store_row(&job, r, &tile);
    }
}
