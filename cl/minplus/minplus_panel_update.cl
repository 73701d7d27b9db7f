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
#define CLP_PANEL_UPDATE_MEMBERS                                                                   \
    { d + d_first, d_ld, n, block, closed, columns, rows, ld, tiles, columns_tiles }

/* What the work-groups of a launch have in common; the members are the kernel's arguments. */
typedef struct clp_panel_update {
    global CLP_T *d;
    ulong d_ld;
    uint n;
    uint2 block;
    const global CLP_T *closed, *columns, *rows;
    uint ld;
    uint2 tiles;
    uint columns_tiles;
} clp_panel_update;

CLP_INLINE void clp_find_update_tile(clp_target *to, clp_source *from, const clp_panel_update *it) {
    const uint number = (uint)get_group_id(0), own = it->tiles.x * it->tiles.y;
    const uint2 block = it->block;
    clp_target target = {
        it->d, it->d_ld, NULL, 0, NULL, 0, 0, 0, it->n, it->n, (uint4)(block, block)};
    clp_source source = {it->columns, it->rows, it->ld, it->n, 0, 0, block.y - block.x, NULL, 0};
    if (number >= own) {
        target.row = clp_step_over((number - own) / it->columns_tiles, CLP_TILE_ROWS, block);
        target.column = block.x + (number - own) % it->columns_tiles * CLP_TILE_COLUMNS;
        target.n = block.y;
        target.keep = (uint4)(block, 0, 0);
        source.left = it->columns + (ulong)target.row * it->ld;
        source.right = it->closed + (target.column - block.x);
        source.right_ld = it->ld;
    } else if (it->columns_tiles > 0) {
        target.row = block.x + number / it->tiles.x * CLP_TILE_ROWS;
        target.column = number % it->tiles.x * CLP_TILE_COLUMNS;
        target.m = block.y;
        target.keep = 0;
        source.left = it->closed + (ulong)(target.row - block.x) * it->ld;
        source.right = it->rows + target.column;
    } else {
        target.row = clp_step_over(number / it->tiles.x, CLP_TILE_ROWS, block);
        target.column = clp_step_over(number % it->tiles.x, CLP_TILE_COLUMNS, block);
        source.left = it->columns + (ulong)target.row * it->ld;
        source.right = it->d + block.x * it->d_ld + target.column;
        source.right_ld = it->d_ld;
    }
    source.rows = target.m - target.row;
    source.columns = target.n - target.column;
    *to = target;
    *from = source;
}
