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

#if CLP_ARGMIN
static inline void clp_reduce_cell(CLP_T *cell, int *best, CLP_T other, int its_best) {
    if (CLP_IS_BETTER(other, *cell) || (other == *cell && its_best < *best)) {
        *cell = other;
        *best = its_best;
    }
}
#endif

static inline void clp_reduce_slices(clp_cells *cells, const local CLP_T4 *values,
                                     const local int4 *bests) {
    for (uint slice = 1; slice < CLP_SPLIT; slice++) {
#if CLP_ARGMIN
#define CLP_REDUCE_FOUR(r, q)                                                                      \
    {                                                                                              \
        const CLP_T4 other = values[clp_partial_at(slice, r, q)];                                  \
        const int4 its = bests[clp_partial_at(slice, r, q)];                                       \
        CLP_T *cell = cells->cell[r] + 4 * (q);                                                    \
        int *best = cells->best[r] + 4 * (q);                                                      \
        clp_reduce_cell(cell, best, other.x, its.x);                                               \
        clp_reduce_cell(cell + 1, best + 1, other.y, its.y);                                       \
        clp_reduce_cell(cell + 2, best + 2, other.z, its.z);                                       \
        clp_reduce_cell(cell + 3, best + 3, other.w, its.w);                                       \
    }
#else
#define CLP_REDUCE_FOUR(r, q)                                                                      \
    {                                                                                              \
        const CLP_T4 other = values[clp_partial_at(slice, r, q)];                                  \
        CLP_T *cell = cells->cell[r] + 4 * (q);                                                    \
        cell[0] = clp_combine(cell[0], other.x);                                                   \
        cell[1] = clp_combine(cell[1], other.y);                                                   \
        cell[2] = clp_combine(cell[2], other.z);                                                   \
        cell[3] = clp_combine(cell[3], other.w);                                                   \
    }
#endif
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
