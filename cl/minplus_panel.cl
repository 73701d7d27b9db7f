/* SPDX-License-Identifier: MIT */
/*
 * The panel kernel: closes the rows of a block, CLP_LANES_ACROSS of their columns a group. Each
 * group closes the block's corner beside them, from the copy that clp_paths_copy made, since no
 * group can wait for another. All is in registers; row k and the lengths to k, as they are when
 * vertex k is allowed on the way, go through local memory, and so there is one barrier a vertex.
 *
 * These barriers are in loops; see minplus.cl.
 */
#ifndef CLP_BLOCK
#error "minplus_panel.cl: CLP_BLOCK, vertices of a block, is not set by the prelude"
#endif
#if !CLP_BARRIERS_IN_LOOPS
#error "minplus_panel.cl: barriers in loops are not for this device; minplus_panel_serial.cl is"
#endif

#define CLP_LANES_ACROSS 32
#define CLP_CREWS (CLP_GROUP / CLP_LANES_ACROSS)
/* Rows of a work-item, side by side, and its columns of the corner. */
#define CLP_EACH (CLP_BLOCK / CLP_CREWS)
#define CLP_CORNERS (CLP_BLOCK / CLP_LANES_ACROSS)

typedef struct clp_panel {
    CLP_T corner[CLP_CORNERS][CLP_EACH];
    CLP_T length[CLP_EACH];
    int via[CLP_EACH];
    uint lane, crew;
} clp_panel;

/* What all work-items read of one vertex k. */
typedef struct clp_vertex {
    CLP_T corner_row[CLP_BLOCK]; /* lengths from k */
    CLP_T row[CLP_LANES_ACROSS];
    int via[CLP_LANES_ACROSS];
    CLP_T4 to[CLP_BLOCK / 4]; /* lengths to k */
} clp_vertex;

/* k is row r of its crew; r is a constant. */
static inline void clp_publish_vertex(const clp_panel *panel, uint k, uint r,
                                      local clp_vertex *vertex) {
    if (panel->crew == k / CLP_EACH) {
#pragma unroll
        for (uint h = 0; h < CLP_CORNERS; h++) {
            vertex->corner_row[h * CLP_LANES_ACROSS + panel->lane] = panel->corner[h][r];
        }
        vertex->row[panel->lane] = panel->length[r];
        vertex->via[panel->lane] = panel->via[r];
    }
    if (panel->lane == k % CLP_LANES_ACROSS) {
#pragma unroll
        for (uint h = 0; h < CLP_CORNERS; h++) {
            if (k / CLP_LANES_ACROSS != h) continue;
#pragma unroll
            for (uint q = 0; q < CLP_EACH / 4; q++) {
                const CLP_T *four = &panel->corner[h][4 * q];
                vertex->to[panel->crew * (CLP_EACH / 4) + q] =
                    (CLP_T4)(four[0], four[1], four[2], four[3]);
            }
        }
    }
}

static inline void clp_allow(clp_panel *panel, const local clp_vertex *vertex) {
    const CLP_T row = vertex->row[panel->lane];
    const int via = vertex->via[panel->lane];
    CLP_T corner_row[CLP_CORNERS], to_k[CLP_EACH];
#pragma unroll
    for (uint q = 0; q < CLP_EACH / 4; q++) {
        const CLP_T4 four = vertex->to[panel->crew * (CLP_EACH / 4) + q];
        to_k[4 * q] = four.x;
        to_k[4 * q + 1] = four.y;
        to_k[4 * q + 2] = four.z;
        to_k[4 * q + 3] = four.w;
    }
#pragma unroll
    for (uint h = 0; h < CLP_CORNERS; h++) {
        corner_row[h] = vertex->corner_row[h * CLP_LANES_ACROSS + panel->lane];
    }
#pragma unroll
    for (uint i = 0; i < CLP_EACH; i++) {
        const CLP_T to = to_k[i];
        const CLP_T sum = clp_length(to, row);
#if CLP_PREDECESSORS
        panel->via[i] = sum < panel->length[i] ? via : panel->via[i];
#endif
        panel->length[i] = clp_combine(panel->length[i], sum);
#pragma unroll
        for (uint h = 0; h < CLP_CORNERS; h++) {
            panel->corner[h][i] = clp_combine(panel->corner[h][i], clp_length(to, corner_row[h]));
        }
    }
}

/* ---- Negative cycles: slow, and at most once a run --------------------------------------------
 */

static inline bool clp_sees_negative(const clp_panel *panel) {
    bool negative = false;
#pragma unroll
    for (uint i = 0; i < CLP_EACH; i++)
#pragma unroll
        for (uint h = 0; h < CLP_CORNERS; h++)
            negative |= h * CLP_LANES_ACROSS + panel->lane == panel->crew * CLP_EACH + i &&
                        panel->corner[h][i] < 0;
    return negative;
}

/* The vertex of the block that, allowed on the way, makes a diagonal element negative. */
static inline uint clp_find_vertex(const global CLP_T *columns, uint block, global CLP_T *corner) {
    for (uint i = 0; i < block * block; i++) corner[i] = columns[i];
    for (uint k = 0; k < block; k++) {
        for (uint i = 0; i < block; i++) {
            const CLP_T to = corner[i * block + k];
            for (uint j = 0; j < block; j++) {
                const CLP_T sum = clp_length(to, corner[k * block + j]);
                if (sum < corner[i * block + j]) corner[i * block + j] = sum;
            }
        }
        for (uint i = 0; i < block; i++) {
            if (corner[i * block + i] < 0) return k;
        }
    }
    return block;
}

/* ---- The kernel ---------------------------------------------------------------------------- */

static inline void clp_get_panel(clp_panel *panel, const global CLP_T *corner, uint block,
                                 const global CLP_T *d, ulong d_ld, const global int *via,
                                 ulong via_ld, bool is_there) {
    panel->lane = (uint)get_local_id(0) % CLP_LANES_ACROSS;
    panel->crew = (uint)get_local_id(0) / CLP_LANES_ACROSS;
#pragma unroll
    for (uint r = 0; r < CLP_EACH; r++) {
        const uint i = panel->crew * CLP_EACH + r;
        const bool here = i < block && is_there;
        panel->length[r] = here ? d[i * d_ld] : CLP_NO_EDGE;
        panel->via[r] = CLP_PREDECESSORS && here ? via[i * via_ld] : -1;
#pragma unroll
        for (uint h = 0; h < CLP_CORNERS; h++) {
            const uint j = h * CLP_LANES_ACROSS + panel->lane;
            panel->corner[h][r] = i < block && j < block ? corner[i * block + j] : CLP_NO_EDGE;
        }
    }
}

/* Closes the rows from vertex `from` on. corner_first: where in columns the block's own rows are.
 * slow: room for the corner. outside: the lowest vertex whose diagonal element was negative before.
 */
CLP_KERNEL(CLP_GROUP)
void clp_paths_panel(global CLP_T *d, ulong d_first, ulong d_ld, global int *via, ulong via_first,
                     ulong via_ld, uint n, uint from, uint block, const global CLP_T *columns,
                     ulong corner_first, global CLP_T *slow, const global uint *outside,
                     global int *report, ulong report_first) {
    local clp_vertex vertices[2];
    local uint negative;
    const uint column =
        (uint)get_group_id(0) * CLP_LANES_ACROSS + (uint)get_local_id(0) % CLP_LANES_ACROSS;
    global CLP_T *tile = d + d_first + from * d_ld + column;
    global int *tile_via = via + via_first + from * via_ld + column;
    clp_panel panel;
    clp_get_panel(&panel, columns + corner_first, block, tile, d_ld, tile_via, via_ld, column < n);
    if (get_local_id(0) == 0) negative = 0;
    clp_publish_vertex(&panel, 0, 0, &vertices[0]);
    barrier(CLK_LOCAL_MEM_FENCE); /* vertex 0 and negative written above, used below */
#pragma unroll 1
    for (uint first = 0; first < CLP_BLOCK; first += CLP_EACH) {
#pragma unroll
        for (uint r = 0; r < CLP_EACH; r++) {
            clp_allow(&panel, &vertices[r % 2]);
            clp_publish_vertex(&panel, first + r + 1, (r + 1) % CLP_EACH, &vertices[(r + 1) % 2]);
            /* The next vertex written above, read in the next turn; this one read above,
             * overwritten in the next. All work-items take all turns. */
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    if (clp_sees_negative(&panel)) atomic_or(&negative, 1u);
    barrier(CLK_LOCAL_MEM_FENCE); /* negative written above, read below by the first work-item */
#pragma unroll
    for (uint r = 0; r < CLP_EACH; r++) {
        const uint i = panel.crew * CLP_EACH + r;
        if (i >= block || column >= n) continue;
        tile[i * d_ld] = panel.length[r];
#if CLP_PREDECESSORS
        tile_via[i * via_ld] = panel.via[r];
#endif
    }
    if (get_global_id(0) == 0 && report[report_first] < 0) {
        uint seen = UINT_MAX;
        if (negative) seen = from + clp_find_vertex(columns + corner_first, block, slow);
        clp_tell(report + report_first, *outside, seen);
    }
}
