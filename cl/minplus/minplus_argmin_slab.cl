/* SPDX-License-Identifier: MIT */
/*
 * Argmin of a slab: cells are copied before a slab is folded; afterwards, each cell that improved
 * records the slab. minplus_argmin.cl finds the k within that slab at the end. No local memory; no
 * work-group waits for another.
 *
 * Macros because they declare and read `before` and from_k of the caller, with a size that the
 * prelude sets.
 */
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
