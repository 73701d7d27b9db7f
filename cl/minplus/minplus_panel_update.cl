/* SPDX-License-Identifier: MIT */
/*
 * Phases 2 and 3 of blocked Floyd-Warshall, in place. Let D be the closed pivot block, A its
 * columns and S its rows (both before the update). Phase 2: rows := D (x) S, columns := A (x) D.
 * Phase 3: everything else := min(itself, A (x) (D (x) S)). One launch computes both products of
 * phase 2; the number of a work-group decides which one it computes.
 *
 * This file has the arguments of the kernel in minplus.cl and the operands of each work-group. No
 * work-group waits for another: A and S are copies, and phase 3 is a launch of its own, which reads
 * the rows that phase 2 stored.
 */

/* d: n rows and columns. block: the block's vertices are block.x to before block.y. closed: D.
 * columns, rows: A and S. ld: of D and A; S has n. tiles: columns and rows of tiles, of D (x) S or
 * of phase 3. columns_tiles: columns of tiles of A (x) D, whose tiles follow the others; 0 in phase
 * 3. */
#define CLP_PANEL_UPDATE_ARGUMENTS                                                                 \
    global CLP_T *d, ulong d_first, ulong d_ld, uint n, uint2 block, const global CLP_T *closed,   \
        const global CLP_T *columns, uint ld, const global CLP_T *rows, uint2 tiles,               \
        uint columns_tiles, int one
/* A macro because it passes the kernel's arguments on. */
#define CLP_FIND_UPDATE_TILE(target, source)                                                       \
    clp_find_update_tile(target, source, d + d_first, d_ld, n, block, closed, columns, ld, rows,   \
                         tiles, columns_tiles)

CLP_INLINE void clp_find_update_tile(clp_target *to, clp_source *from, global CLP_T *d, ulong d_ld,
                                     uint n, uint2 block, const global CLP_T *closed,
                                     const global CLP_T *columns, uint ld, const global CLP_T *rows,
                                     uint2 tiles, uint columns_tiles) {
    const uint number = (uint)get_group_id(0), own = tiles.x * tiles.y;
    clp_target target = {d, d_ld, NULL, 0, NULL, 0, 0, 0, n, n, (uint4)(block, block)};
    clp_source source = {columns, rows, ld, n, 0, 0, block.y - block.x, NULL, 0};
    if (number >= own) {
        target.row = clp_step_over((number - own) / columns_tiles, CLP_TILE_ROWS, block);
        target.column = block.x + (number - own) % columns_tiles * CLP_TILE_COLUMNS;
        target.n = block.y;
        target.keep = (uint4)(block, 0, 0);
        source.left = columns + (ulong)target.row * ld;
        source.right = closed + (target.column - block.x);
        source.right_ld = ld;
    } else if (columns_tiles > 0) {
        target.row = block.x + number / tiles.x * CLP_TILE_ROWS;
        target.column = number % tiles.x * CLP_TILE_COLUMNS;
        target.m = block.y;
        target.keep = 0;
        source.left = closed + (ulong)(target.row - block.x) * ld;
        source.right = rows + target.column;
    } else {
        target.row = clp_step_over(number / tiles.x, CLP_TILE_ROWS, block);
        target.column = clp_step_over(number % tiles.x, CLP_TILE_COLUMNS, block);
        source.left = columns + (ulong)target.row * ld;
        source.right = d + block.x * d_ld + target.column;
        source.right_ld = d_ld;
    }
    source.rows = target.m - target.row;
    source.columns = target.n - target.column;
    *to = target;
    *from = source;
}
