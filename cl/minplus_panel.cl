/* SPDX-License-Identifier: MIT */
/*
 * The panel kernel: closes the rows of a block, CLP_LANES_ACROSS of their columns a group. Each
 * group closes the block's corner beside them, from the copy that clp_paths_copy made, since no
 * group can wait for another. All is in registers; the rows of two vertices and the lengths to them
 * go through local memory.
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

/* What all work-items read of two vertices, k and k + 1, as they are when k is allowed. */
typedef struct clp_vertices {
    CLP_T corner_row[2][CLP_BLOCK]; /* lengths from them */
    CLP_T row[2][CLP_LANES_ACROSS];
    int via[2][CLP_LANES_ACROSS];
    CLP_T4 to[2][CLP_BLOCK / 4]; /* lengths to them */
} clp_vertices;

/* k is row r of its crew; r is a constant, and even. */
static inline void clp_publish_vertices(const clp_panel *panel, uint k, uint r,
                                        local clp_vertices *vertices) {
    const uint place = panel->lane - k % CLP_LANES_ACROSS;
    if (panel->crew == k / CLP_EACH) {
#pragma unroll
        for (uint p = 0; p < 2; p++) {
#pragma unroll
            for (uint h = 0; h < CLP_CORNERS; h++) {
                vertices->corner_row[p][h * CLP_LANES_ACROSS + panel->lane] =
                    panel->corner[h][r + p];
            }
            vertices->row[p][panel->lane] = panel->length[r + p];
            vertices->via[p][panel->lane] = panel->via[r + p];
        }
    }
    if (place < 2) {
#pragma unroll
        for (uint h = 0; h < CLP_CORNERS; h++) {
            if (k / CLP_LANES_ACROSS != h) continue;
#pragma unroll
            for (uint q = 0; q < CLP_EACH / 4; q++) {
                const CLP_T *four = &panel->corner[h][4 * q];
                vertices->to[place][panel->crew * (CLP_EACH / 4) + q] =
                    (CLP_T4)(four[0], four[1], four[2], four[3]);
            }
        }
    }
}

/* The work-item's lengths to vertex k + p. */
static inline void clp_get_to(const clp_panel *panel, const local clp_vertices *vertices, uint p,
                              CLP_T *to) {
#pragma unroll
    for (uint q = 0; q < CLP_EACH / 4; q++) {
        const CLP_T4 four = vertices->to[p][panel->crew * (CLP_EACH / 4) + q];
        to[4 * q] = four.x;
        to[4 * q + 1] = four.y;
        to[4 * q + 2] = four.z;
        to[4 * q + 3] = four.w;
    }
}

static inline void clp_shorten(CLP_T *length, int *via, CLP_T sum, int other_via) {
#if CLP_PREDECESSORS
    *via = sum < *length ? other_via : *via;
#endif
    *length = clp_combine(*length, sum);
}

/* Allows vertex k on the way, then k + 1, whose own lengths each work-item finds for itself: so
 * there is one barrier for two vertices. */
static inline void clp_allow_two(clp_panel *panel, const local clp_vertices *vertices, uint k) {
    const CLP_T there = vertices->corner_row[0][k + 1]; /* from k to k + 1 */
    const CLP_T back = ((const local CLP_T *)vertices->to[0])[k + 1];
    CLP_T row[2], corner_row[2][CLP_CORNERS], to[2][CLP_EACH];
    int via[2];
#pragma unroll
    for (uint p = 0; p < 2; p++) {
        clp_get_to(panel, vertices, p, to[p]);
        row[p] = vertices->row[p][panel->lane];
        via[p] = vertices->via[p][panel->lane];
#pragma unroll
        for (uint h = 0; h < CLP_CORNERS; h++) {
            corner_row[p][h] = vertices->corner_row[p][h * CLP_LANES_ACROSS + panel->lane];
        }
    }
    clp_shorten(&row[1], &via[1], clp_length(back, row[0]), via[0]);
#pragma unroll
    for (uint h = 0; h < CLP_CORNERS; h++) {
        corner_row[1][h] = clp_combine(corner_row[1][h], clp_length(back, corner_row[0][h]));
    }
#pragma unroll
    for (uint i = 0; i < CLP_EACH; i++) {
        to[1][i] = clp_combine(to[1][i], clp_length(to[0][i], there));
#pragma unroll
        for (uint p = 0; p < 2; p++) {
            clp_shorten(&panel->length[i], &panel->via[i], clp_length(to[p][i], row[p]), via[p]);
#pragma unroll
            for (uint h = 0; h < CLP_CORNERS; h++) {
                panel->corner[h][i] =
                    clp_combine(panel->corner[h][i], clp_length(to[p][i], corner_row[p][h]));
            }
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
    local clp_vertices vertices[2];
    local uint negative;
    const uint column =
        (uint)get_group_id(0) * CLP_LANES_ACROSS + (uint)get_local_id(0) % CLP_LANES_ACROSS;
    global CLP_T *tile = d + d_first + from * d_ld + column;
    global int *tile_via = via + via_first + from * via_ld + column;
    clp_panel panel;
    clp_get_panel(&panel, columns + corner_first, block, tile, d_ld, tile_via, via_ld, column < n);
    if (get_local_id(0) == 0) negative = 0;
    clp_publish_vertices(&panel, 0, 0, &vertices[0]);
    barrier(CLK_LOCAL_MEM_FENCE); /* vertices 0 and 1 and negative written above, used below */
#pragma unroll 1
    for (uint first = 0; first < CLP_BLOCK; first += CLP_EACH) {
#pragma unroll
        for (uint r = 0; r < CLP_EACH; r += 2) {
            clp_allow_two(&panel, &vertices[r / 2 % 2], first + r);
            clp_publish_vertices(&panel, first + r + 2, (r + 2) % CLP_EACH,
                                 &vertices[(r / 2 + 1) % 2]);
            /* The next vertices written above, read in the next turn; these two read above,
             * overwritten in the next. All work-items take all turns. */
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    if (clp_sees_negative(&panel)) atomic_or(&negative, 1u); /* read after the barrier */
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
