/* SPDX-License-Identifier: MIT */
/*
 * Split-k reduction: the first slice combines its cells with the partial cells that the other
 * slices store in local memory, in place of the slabs. All slices start from the cells of C, so the
 * minimum of their minima is the result. For argmin the lowest k wins among equal values.
 *
 * Steps for cells are macros, as in minplus_cells.cl.
 *
 * The first slice waits for the others at one barrier; no work-group waits for another.
 */

/* Adjacent work-items have adjacent vectors, so that the accesses of a sub-group are contiguous. */
static inline uint clp_partial_at(uint slice, uint r, uint q) {
    const uint vector = ((slice - 1) * CLP_ROWS + r) * (CLP_COLUMNS / 4) + q;
    return vector * CLP_SLICE_GROUP + CLP_ITEM_IN_SLICE;
}

/* Stores the cells of this slice in local memory, in the form of C. */
static inline void clp_store_partials(const clp_cells *cells, local CLP_T4 *values,
                                      local int4 *bests) {
#define CLP_STORE_PARTIAL(r, q)                                                                    \
    values[clp_partial_at(CLP_OWN_SLICE, r, q)] =                                                  \
        (CLP_T4)(cells->cell[r][4 * (q)], cells->cell[r][4 * (q) + 1],                             \
                 cells->cell[r][4 * (q) + 2], cells->cell[r][4 * (q) + 3]);
    CLP_EACH_ROW_AND_CHUNK(CLP_STORE_PARTIAL)
#if CLP_ARGMIN
#define CLP_STORE_PARTIAL_BESTS(r, q)                                                              \
    bests[clp_partial_at(CLP_OWN_SLICE, r, q)] =                                                   \
        (int4)(cells->best[r][4 * (q)], cells->best[r][4 * (q) + 1], cells->best[r][4 * (q) + 2],  \
               cells->best[r][4 * (q) + 3]);
    CLP_EACH_ROW_AND_CHUNK(CLP_STORE_PARTIAL_BESTS)
#endif
}

static inline void clp_reduce_cell(clp_cells *cells, uint r, uint c, CLP_T other, int its_best) {
    CLP_T *cell = &cells->cell[r][c];
#if CLP_ARGMIN
    int *best = &cells->best[r][c];
    if (CLP_IS_BETTER(other, *cell) || (other == *cell && its_best < *best)) {
        *cell = other;
        *best = its_best;
    }
#else
    *cell = clp_combine(*cell, other);
#endif
}

static inline void clp_reduce_slices(clp_cells *cells, const local CLP_T4 *values,
                                     const local int4 *bests) {
    for (uint slice = 1; slice < CLP_SPLIT; slice++) {
#define CLP_REDUCE_FOUR(r, q)                                                                      \
    {                                                                                              \
        const CLP_T4 other = values[clp_partial_at(slice, r, q)];                                  \
        const int4 its = CLP_ARGMIN ? bests[clp_partial_at(slice, r, q)] : (int4)(-1);             \
        clp_reduce_cell(cells, r, 4 * (q), other.x, its.x);                                        \
        clp_reduce_cell(cells, r, 4 * (q) + 1, other.y, its.y);                                    \
        clp_reduce_cell(cells, r, 4 * (q) + 2, other.z, its.z);                                    \
        clp_reduce_cell(cells, r, 4 * (q) + 3, other.w, its.w);                                    \
    }
        CLP_EACH_ROW_AND_CHUNK(CLP_REDUCE_FOUR)
    }
}

/* right, left: the memory of the slabs, which are no longer needed. */
CLP_INLINE void clp_store_reduced(clp_cells *cells, const clp_target *target, local CLP_T *right,
                                  local CLP_T *left) {
    local CLP_T4 *values = (local CLP_T4 *)right;
    local int4 *bests = (local int4 *)left;
    if (CLP_OWN_SLICE > 0) clp_store_partials(cells, values, bests);
    /* Partial cells stored above, reduced below; and C, which all slices read at the start, is
     * written below. */
    barrier(CLK_LOCAL_MEM_FENCE | (CLP_ACCUMULATE ? CLK_GLOBAL_MEM_FENCE : 0));
    if (CLP_OWN_SLICE == 0) {
        clp_reduce_slices(cells, values, bests);
        clp_store(cells, target);
    }
}
