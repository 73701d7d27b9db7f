/* SPDX-License-Identifier: MIT */
/*
 * The cells of all crews joined: the first crew takes what the others leave in local memory, where
 * the slabs were. All crews began with the same cells, so that a minimum of their minima is the
 * whole one; for argmin the lowest k counts where values are equal.
 */

#define CLP_JOINED_PLACE(crew, r, q)                                                               \
    ((((crew)-1) * CLP_ROWS * (CLP_COLUMNS / 4) + (r) * (CLP_COLUMNS / 4) + (q)) * CLP_CREW +      \
     CLP_SELF_IN_CREW)

/* Cells are as they will be in memory. */
static inline void clp_leave_cells(const clp_cells *cells, local CLP_T4 *values,
                                   local int4 *bests) {
#define CLP_LEAVE_FOUR(r, q)                                                                       \
    values[CLP_JOINED_PLACE(CLP_OWN_CREW, r, q)] =                                                 \
        (CLP_T4)(cells->cell[r][4 * (q)], cells->cell[r][4 * (q) + 1],                             \
                 cells->cell[r][4 * (q) + 2], cells->cell[r][4 * (q) + 3]);
    CLP_EACH_ROW_AND_CHUNK(CLP_LEAVE_FOUR)
#if CLP_ARGMIN
#define CLP_LEAVE_BESTS(r, q)                                                                      \
    bests[CLP_JOINED_PLACE(CLP_OWN_CREW, r, q)] =                                                  \
        (int4)(cells->best[r][4 * (q)], cells->best[r][4 * (q) + 1], cells->best[r][4 * (q) + 2],  \
               cells->best[r][4 * (q) + 3]);
    CLP_EACH_ROW_AND_CHUNK(CLP_LEAVE_BESTS)
#endif
}

#if CLP_ARGMIN
static inline void clp_join_cell(CLP_T *cell, int *best, CLP_T other, int its_best) {
    if (CLP_IS_BETTER(other, *cell) || (other == *cell && its_best < *best)) {
        *cell = other;
        *best = its_best;
    }
}
#endif

static inline void clp_join_cells(clp_cells *cells, const local CLP_T4 *values,
                                  const local int4 *bests) {
    for (uint crew = 1; crew < CLP_SPLIT; crew++) {
#if CLP_ARGMIN
#define CLP_JOIN_FOUR(r, q)                                                                        \
    {                                                                                              \
        const CLP_T4 other = values[CLP_JOINED_PLACE(crew, r, q)];                                 \
        const int4 its = bests[CLP_JOINED_PLACE(crew, r, q)];                                      \
        CLP_T *cell = cells->cell[r] + 4 * (q);                                                    \
        int *best = cells->best[r] + 4 * (q);                                                      \
        clp_join_cell(cell, best, other.x, its.x);                                                 \
        clp_join_cell(cell + 1, best + 1, other.y, its.y);                                         \
        clp_join_cell(cell + 2, best + 2, other.z, its.z);                                         \
        clp_join_cell(cell + 3, best + 3, other.w, its.w);                                         \
    }
#else
#define CLP_JOIN_FOUR(r, q)                                                                        \
    {                                                                                              \
        const CLP_T4 other = values[CLP_JOINED_PLACE(crew, r, q)];                                 \
        CLP_T *cell = cells->cell[r] + 4 * (q);                                                    \
        cell[0] = clp_combine(cell[0], other.x);                                                   \
        cell[1] = clp_combine(cell[1], other.y);                                                   \
        cell[2] = clp_combine(cell[2], other.z);                                                   \
        cell[3] = clp_combine(cell[3], other.w);                                                   \
    }
#endif
        CLP_EACH_ROW_AND_CHUNK(CLP_JOIN_FOUR)
    }
}

/* right, left: where the slabs were, of which all are read. */
CLP_INLINE void clp_store_joined(clp_cells *cells, const clp_target *target, local CLP_T *right,
                                 local CLP_T *left) {
    local CLP_T4 *values = (local CLP_T4 *)right;
    local int4 *bests = (local int4 *)left;
    if (CLP_OWN_CREW > 0) clp_leave_cells(cells, values, bests);
    /* Cells left above, joined below; and C, from which all crews began, is written below. */
    barrier(CLK_LOCAL_MEM_FENCE | (CLP_ACCUMULATE ? CLK_GLOBAL_MEM_FENCE : 0));
    if (CLP_OWN_CREW == 0) {
        clp_join_cells(cells, values, bests);
        clp_store(cells, target);
    }
}
