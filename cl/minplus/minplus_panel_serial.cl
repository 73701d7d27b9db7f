/* SPDX-License-Identifier: MIT */
/*
 * The panel kernel by work-groups of one work-item, for CPUs: closes the rows of a block, CLP_BLOCK
 * of their columns per work-group. Every work-group also closes the pivot tile, from the copy that
 * clp_paths_copy made, since work-groups can't wait for each other.
 *
 * Local memory: the pivot tile and the tile of columns, for the cache of a core. No barrier.
 */
#if CLP_GROUP != 1
#error "minplus_panel_serial.cl: this is for work-groups of one"
#endif

/* Loads a tile. Elements beyond its rows and columns are no edge. */
static inline void clp_get_tile(const global CLP_T *d, ulong d_ld, uint rows, uint columns,
                                local CLP_T *length) {
    for (uint i = 0; i < CLP_BLOCK; i++)
        for (uint j = 0; j < CLP_BLOCK; j++)
            length[i * CLP_BLOCK + j] = i < rows && j < columns ? d[i * d_ld + j] : CLP_NO_EDGE;
}

/* Relaxes all lengths through vertex k. to_k: the lengths to vertex k, CLP_BLOCK apart. Neither
 * to_k nor row k changes, unless there is a negative cycle, and then there is no result. */
static inline void clp_relax(local CLP_T *length, uint k, const local CLP_T *to_k) {
    for (uint i = 0; i < CLP_BLOCK; i++) {
        const CLP_T way = to_k[i * CLP_BLOCK];
        if (i == k) continue;
        for (uint j = 0; j < CLP_BLOCK; j++) {
            const CLP_T sum = clp_length(way, length[k * CLP_BLOCK + j]);
            const CLP_T before = length[i * CLP_BLOCK + j];
            length[i * CLP_BLOCK + j] = sum < before ? sum : before;
        }
    }
}

/* clp_relax with predecessors: a path improved through k has the predecessor of the path from k. */
static inline void clp_relax_with_predecessors(local CLP_T *length, uint k, const local CLP_T *to_k,
                                               global int *via, ulong via_ld) {
    for (uint i = 0; i < CLP_BLOCK; i++) {
        if (i == k) continue;
        for (uint j = 0; j < CLP_BLOCK; j++) {
            const CLP_T sum = clp_length(to_k[i * CLP_BLOCK], length[k * CLP_BLOCK + j]);
            if (!(sum < length[i * CLP_BLOCK + j])) continue;
            length[i * CLP_BLOCK + j] = sum;
            via[i * via_ld + j] = via[k * via_ld + j];
        }
    }
}

static inline bool clp_is_negative(const local CLP_T *pivot, uint block) {
    bool negative = false;
    for (uint i = 0; i < block; i++) negative |= pivot[i * CLP_BLOCK + i] < 0;
    return negative;
}

/* Arguments as in minplus_panel.cl. */
CLP_KERNEL(CLP_GROUP)
void clp_paths_panel(global CLP_T *d, ulong d_first, ulong d_ld, global int *via, ulong via_first,
                     ulong via_ld, uint n, uint from, uint block, const global CLP_T *columns,
                     ulong pivot_first, global CLP_T *slow, const global uint *outside,
                     global clp_report *report, ulong report_first) {
    local CLP_T pivot[CLP_BLOCK * CLP_BLOCK], length[CLP_BLOCK * CLP_BLOCK];
    const uint column = (uint)get_group_id(0) * CLP_BLOCK;
    const uint wide = min(n - column, (uint)CLP_BLOCK);
    global CLP_T *tile = d + d_first + from * d_ld + column;
    uint seen = UINT_MAX;
    clp_get_tile(columns + pivot_first, block, block, block, pivot);
    clp_get_tile(tile, d_ld, block, wide, length);
    for (uint k = 0; k < block; k++) {
#if CLP_PREDECESSORS
        clp_relax_with_predecessors(length, k, pivot + k, via + via_first + from * via_ld + column,
                                    via_ld);
#else
        clp_relax(length, k, pivot + k);
#endif
        clp_relax(pivot, k, pivot + k);
        if (seen == UINT_MAX && clp_is_negative(pivot, block)) seen = from + k;
    }
    for (uint i = 0; i < block; i++)
        for (uint j = 0; j < wide; j++) tile[i * d_ld + j] = length[i * CLP_BLOCK + j];
    if (column == 0) clp_report_vertex(report + report_first, *outside, seen);
}
