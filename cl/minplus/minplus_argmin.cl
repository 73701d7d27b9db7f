/* SPDX-License-Identifier: MIT */
/*
 * Finds the lowest k that attains each cell. While slabs are folded, only the last slab that
 * improved the cell is recorded, which saves half of the instructions per pair. This pass searches
 * the slab at the end. An earlier slab can't attain the cell's value, since the last improvement
 * was strict.
 *
 * The search reads A and B from global memory, since local memory holds other slabs by then. No
 * work-group waits for another.
 */

/* row, column: of the cell in the tile. value: the accumulator. from_k: the first k of the slab,
 * or -1. Four elements are compared at a time, the last one first, so that their loads overlap and
 * the lowest k remains. */
static inline int clp_find_best(const clp_source *source, uint row, uint column, CLP_T value,
                                int from_k) {
    if (from_k < 0 || row >= source->rows || column >= source->columns) return from_k;
    const uint count = min(source->k - (uint)from_k, (uint)CLP_DEPTH);
    const global CLP_T *left = source->left + row * source->left_ld + from_k;
    const global CLP_T *right = source->right + column + from_k * source->right_ld;
    int best = from_k;
#pragma unroll 1
    for (uint i = 0; i < count; i += 4) {
        uint found = UINT_MAX;
#pragma unroll
        for (uint p = 4; p-- > 0;) {
            const uint at = min(i + p, count - 1);
            const CLP_T a = clp_take(left[at]), b = clp_take(right[at * source->right_ld]);
            if (clp_extend(a, b) == value) found = at;
        }
        if (found != UINT_MAX) {
            best = from_k + (int)found;
            break;
        }
    }
    return best;
}

static inline void clp_find_bests(const clp_source *source, clp_cells *cells) {
/* A macro, as in minplus_cells.cl. */
#define CLP_FIND_BEST(r, c)                                                                        \
    cells->best[r][c] = clp_find_best(source, clp_chunk_row(cells, (r) / 4) + (r) % 4,             \
                                      clp_chunk_column(cells, (c) / 4) + (c) % 4,                  \
                                      cells->cell[r][c], cells->best[r][c]);
    CLP_EACH_CELL(CLP_FIND_BEST)
}
