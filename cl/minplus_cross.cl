/* SPDX-License-Identifier: MIT */
/*
 * The products by which a closed block's vertices are let on the way between all others, in place:
 * first into the block's own rows and columns, then into all others. With D the closed block, A the
 * block's columns and S its rows, A and S as they were: rows D (x) S, columns A (x) D, and the
 * others A (x) (D (x) S). Both products of the first launch are told apart by the number of a
 * group.
 *
 * The barriers are in functions that minplus_staged.cl has; see minplus.cl.
 */
#if !CLP_BARRIERS_IN_LOOPS
#error "minplus_cross.cl: barriers in loops are not for this device"
#endif

/* d: n rows and columns; the block's vertices are from block.x to before block.y. closed: D.
 * columns, rows: A and S; D and A have rows ld apart, S n. tiles: across and down, of D (x) S or of
 * all others. columns_tiles: of A (x) D, behind the others; 0 for the second launch. */
#if CLP_STATES_GROUP
CLP_KERNEL(CLP_GROUP)
#else
kernel
#endif
void clp_paths_cross(global CLP_T *d, ulong d_first, ulong d_ld, uint n, uint2 block,
                     const global CLP_T *closed, const global CLP_T *columns, uint ld,
                     const global CLP_T *rows, uint2 tiles, uint columns_tiles, int one) {
    local CLP_T left[2 * CLP_LEFT_SLAB] __attribute__((aligned(32)));
    local CLP_T right[2 * CLP_RIGHT_SLAB] __attribute__((aligned(32)));
    const uint number = (uint)get_group_id(0), size = block.y - block.x;
    clp_target target = {d + d_first, d_ld, NULL, 0, NULL, 0, 0, 0, n, n, (uint4)(block, block)};
    clp_source source = {columns, rows, ld, n, 0, 0, size};
    if (number >= tiles.x * tiles.y) {
        const uint across = columns_tiles, tile = number - tiles.x * tiles.y;
        target.row = clp_step_over(tile / across, CLP_TILE_ROWS, block);
        target.column = block.x + tile % across * CLP_TILE_COLUMNS;
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
        source.right = d + d_first + block.x * d_ld + target.column;
        source.right_ld = d_ld;
    }
    source.rows = target.m - target.row;
    source.columns = target.n - target.column;
    clp_cells cells;
    uint from_k = 0;
    clp_start(&cells, &target);
#if CLP_PAIRS == 4
    cells.one = (uint)one;
#endif
#if CLP_SIGNLESS == 1
    local uint has_sign[2];
    clp_stages stages = clp_find_stages(&cells, left, right, has_sign);
    from_k = clp_multiply_signless(&source, &cells, &stages);
    const bool done = from_k >= size;
    if (done) clp_close_signless(&cells);
#else
    clp_stages stages = clp_find_stages(&cells, left, right, NULL);
    const bool done = false;
#endif
    if (!done) clp_open_cells(&cells);
    if (from_k < size) clp_multiply(&source, &cells, &stages, from_k, CLP_SIGNLESS == 2);
    if (!done) clp_close_cells(&cells);
    clp_store(&cells, &target);
}
