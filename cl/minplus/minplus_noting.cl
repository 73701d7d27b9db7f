/* SPDX-License-Identifier: MIT */
/*
 * Argmin by slabs: cells are copied before a slab is folded, and behind it those that it made
 * better take note of it. minplus_argmin.cl looks for k in it at the end.
 */

#if CLP_NOTES_SLABS
#define CLP_COPY_CELL(r, c) before[r][c] = cells->cell[r][c];
#define CLP_NOTE_CELL(r, c)                                                                        \
    if (CLP_IS_BETTER(cells->cell[r][c], before[r][c])) cells->best[r][c] = (int)from_k;
#define CLP_COPY_CELLS                                                                             \
    CLP_T before[CLP_ROWS][CLP_COLUMNS];                                                           \
    CLP_EACH_CELL(CLP_COPY_CELL)
#define CLP_NOTE_CELLS CLP_EACH_CELL(CLP_NOTE_CELL)
#else
#define CLP_COPY_CELLS
#define CLP_NOTE_CELLS
#endif
