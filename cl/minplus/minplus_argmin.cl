/* SPDX-License-Identifier: MIT */
/*
 * Finds the lowest k that attains each cell. While slabs are folded, only the last slab that
 * improved the cell is recorded, which saves half of the instructions per pair. An earlier slab
 * can't attain the cell's value, since the last improvement was strict. Before this pass the cells
 * are stored, and the first k of a slab is in the place of each index; this pass searches the slab
 * in global memory, since local memory holds other slabs by then, and overwrites the index.
 *
 * Products that replace k by an element of another matrix (CLP_FOLLOWS) have B transposed as well:
 * the k of a cell are then adjacent in A and in the transposed B, and are searched by vectors.
 *
 * A work-item goes from one of its improved cells to the next. The work-items of a sub-group then
 * search different cells at the same time, and a work-item with few improved cells wastes no turns.
 *
 * No local memory; no work-group waits for another.
 */

#define CLP_CELL_WORDS ((CLP_ROWS * CLP_COLUMNS + 31) / 32)
#define CLP_SEARCHED (CLP_DEPTH < 16 ? CLP_DEPTH : 16) /* independent loads of A, and of B */

#if CLP_FOLLOWS
/* Compares four pairs, the last one first, so that the lowest k remains. */
static inline uint clp_match_four(uint found, uint at, CLP_T4 a, CLP_T4 b, CLP_T value) {
    if (clp_extend(clp_take(a.w), clp_take(b.w)) == value) found = at + 3;
    if (clp_extend(clp_take(a.z), clp_take(b.z)) == value) found = at + 2;
    if (clp_extend(clp_take(a.y), clp_take(b.y)) == value) found = at + 1;
    if (clp_extend(clp_take(a.x), clp_take(b.x)) == value) found = at;
    return found;
}

/* Searches a whole slab in four elements at a time of A and of the transposed B. */
static inline uint clp_find_in_transposed(const global CLP_T *left, const global CLP_T *transposed,
                                          CLP_T value) {
    uint found = 0;
#pragma unroll 1
    for (uint i = CLP_DEPTH; i > 0; i -= CLP_SEARCHED) {
        CLP_T4 a[CLP_SEARCHED / 4], b[CLP_SEARCHED / 4];
#pragma unroll
        for (uint q = 0; q < CLP_SEARCHED / 4; q++) {
            a[q] = *(const global CLP_T4 *)(left + i - CLP_SEARCHED + 4 * q);
            b[q] = *(const global CLP_T4 *)(transposed + i - CLP_SEARCHED + 4 * q);
        }
#pragma unroll
        for (uint q = CLP_SEARCHED / 4; q-- > 0;)
            found = clp_match_four(found, i - CLP_SEARCHED + 4 * q, a[q], b[q], value);
    }
    return found;
}
#endif

/* row, column: of the cell in the tile. value: the accumulator. Four elements are compared at a
 * time, the last one first, so that their loads overlap and the lowest k remains. */
static inline uint clp_find_best(const clp_source *source, uint row, uint column, CLP_T value,
                                 uint from_k) {
    const uint count = min(source->k - from_k, (uint)CLP_DEPTH);
    const global CLP_T *left = source->left + row * source->left_ld + from_k;
    const global CLP_T *right = source->right + column + from_k * source->right_ld;
#if CLP_FOLLOWS
    if (count == CLP_DEPTH && clp_is_aligned(source->left, source->left_ld)) {
        const global CLP_T *transposed =
            source->transposed + column * source->transposed_ld + from_k;
        return from_k + clp_find_in_transposed(left, transposed, value);
    }
#endif
    uint found = UINT_MAX;
#pragma unroll 1
    for (uint i = 0; i < count && found == UINT_MAX; i += 4) {
#pragma unroll
        for (uint p = 4; p-- > 0;) {
            const uint at = min(i + p, count - 1);
            const CLP_T a = clp_take(left[at]), b = clp_take(right[at * source->right_ld]);
            if (clp_extend(a, b) == value) found = at;
        }
    }
    return from_k + min(found, count - 1);
}

static inline void clp_find_bests(const clp_source *source, const clp_cells *cells,
                                  const clp_target *target) {
    uint improved[CLP_CELL_WORDS];
#pragma unroll
    for (uint w = 0; w < CLP_CELL_WORDS; w++) improved[w] = 0;
/* A macro, as in minplus_cells.cl. */
#define CLP_NOTE_IMPROVED(r, c)                                                                    \
    if (cells->best[r][c] >= 0) {                                                                  \
        improved[((r)*CLP_COLUMNS + (c)) / 32] |= 1u << ((r)*CLP_COLUMNS + (c)) % 32;              \
    }
    CLP_EACH_CELL(CLP_NOTE_IMPROVED)
#pragma unroll
    for (uint w = 0; w < CLP_CELL_WORDS; w++) {
#pragma unroll 1
        for (uint left = improved[w]; left != 0; left &= left - 1) {
            const uint cell = 32 * w + 31 - clz(left & -left);
            const uint r = cell / CLP_COLUMNS, c = cell % CLP_COLUMNS;
            const uint row = clp_chunk_row(cells, r / 4) + r % 4;
            const uint column = clp_chunk_column(cells, c / 4) + c % 4;
            if (!clp_is_wanted(target, target->row + row, target->column + column)) continue;
            global int *best = target->best + (target->row + row) * target->best_ld;
            const CLP_T value =
                clp_open(target->to[(target->row + row) * target->ld + target->column + column]);
            best += target->column + column;
            const uint k = clp_find_best(source, row, column, value, (uint)*best);
#if CLP_FOLLOWS
            *best = target->via[k * target->via_ld + target->column + column];
#else
            *best = (int)k;
#endif
        }
    }
}
