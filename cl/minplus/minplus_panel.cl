/* SPDX-License-Identifier: MIT */
/*
 * The panel kernel of blocked Floyd-Warshall: relaxes the rows of a block through the block's own
 * vertices, which closes them. A work-group takes CLP_LANES_ACROSS columns of these rows and keeps
 * them in registers (minplus_pivot.cl).
 *
 * Local memory: the rows and columns of two pairs of vertices. Every work-group closes the pivot
 * tile for itself, from the copy that clp_paths_copy made, so no work-group waits for another.
 */
/* Loads the panel. Elements beyond the block, and columns that do not exist, are "no edge", so that
 * they improve nothing and all blocks have one size. */
CLP_INLINE void clp_get_panel(clp_panel *panel, const global CLP_T *pivot, uint block,
                              const global CLP_T *d, ulong d_ld, const global int *via,
                              ulong via_ld, bool is_there) {
    clp_take_lane(panel);
#pragma unroll
    for (uint r = 0; r < CLP_EACH; r++) {
        const uint i = panel->band * CLP_EACH + r;
        const bool here = i < block && is_there;
        panel->length[r] = here ? d[i * d_ld] : CLP_NO_EDGE;
        panel->via[r] = CLP_PREDECESSORS && here ? via[i * via_ld] : -1;
#pragma unroll
        for (uint h = 0; h < CLP_PIVOT_COLUMNS; h++) {
            const uint j = CLP_PIVOT_COLUMNS * panel->lane + h;
            panel->pivot[h][r] = i < block && j < block ? pivot[i * block + j] : CLP_NO_EDGE;
        }
    }
}

/* Closes the rows from vertex `from` on. pivot_first: the block's own rows in `columns`. slow:
 * memory for the pivot tile. outside: the lowest vertex whose diagonal element was negative before.
 * next_columns: gets the rows' columns from `next` to before next + next_block. */
CLP_KERNEL(CLP_GROUP)
void clp_paths_panel(global CLP_T *d, ulong d_first, ulong d_ld, global int *via, ulong via_first,
                     ulong via_ld, uint n, uint from, uint block, const global CLP_T *columns,
                     ulong pivot_first, global CLP_T *slow, const global uint *outside,
                     global clp_report *report, ulong report_first, global CLP_T *next_columns,
                     ulong next_first, uint next, uint next_block) {
    local clp_vertices vertices[2];
    local uint negative;
    const uint column =
        (uint)get_group_id(0) * CLP_LANES_ACROSS + (uint)get_local_id(0) % CLP_LANES_ACROSS;
    global CLP_T *tile = d + d_first + from * d_ld + column;
    global int *tile_via = via + via_first + from * via_ld + column;
    clp_panel panel;
    clp_get_panel(&panel, columns + pivot_first, block, tile, d_ld, tile_via, via_ld, column < n);
    if (get_local_id(0) == 0) negative = 0; /* set below, after the barriers of clp_close_panel */
    clp_close_panel(&panel, vertices);
    if (clp_sees_negative(&panel)) atomic_or(&negative, 1u); /* read below, after the barrier */
    barrier(CLK_LOCAL_MEM_FENCE); /* negative written above, read below by the first work-item */
#pragma unroll
    for (uint r = 0; r < CLP_EACH; r++) {
        const uint i = panel.band * CLP_EACH + r;
        if (i >= block || column >= n) continue;
        tile[i * d_ld] = panel.length[r];
        if (column >= next && column < next + next_block) {
            next_columns[next_first + i * next_block + column - next] = panel.length[r];
        }
#if CLP_PREDECESSORS
        tile_via[i * via_ld] = panel.via[r];
#endif
    }
    if (get_global_id(0) == 0 && report[report_first].vertex < 0) {
        uint seen = UINT_MAX;
        if (negative) seen = from + clp_find_vertex(columns + pivot_first, block, block, slow);
        clp_report_vertex(report + report_first, *outside, seen);
    }
}
