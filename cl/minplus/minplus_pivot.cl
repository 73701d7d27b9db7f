/* SPDX-License-Identifier: MIT */
/*
 * The registers of a work-group that closes the rows of a block: CLP_LANES_ACROSS columns of the
 * rows, and the pivot tile. Every work-group closes the pivot tile for itself, since work-groups
 * can't wait for each other. The rows of two vertices and the lengths to them pass through local
 * memory.
 *
 * The kernels that use this have barriers in loops; see minplus.cl.
 */
#if !CLP_BARRIERS_IN_LOOPS
#error "minplus_pivot.cl: barriers in loops are not for this device"
#endif

#define CLP_LANES_ACROSS 32
#define CLP_ROW_BANDS (CLP_GROUP / CLP_LANES_ACROSS)
/* Consecutive rows of a work-item, and its columns of the pivot tile */
#define CLP_EACH (CLP_BLOCK / CLP_ROW_BANDS)
#define CLP_PIVOT_COLUMNS (CLP_BLOCK / CLP_LANES_ACROSS)
#if CLP_PIVOT_COLUMNS > 2
#error "minplus_pivot.cl: CLP_BLOCK is more than two columns a lane"
#endif

typedef struct clp_panel {
    CLP_T pivot[CLP_PIVOT_COLUMNS][CLP_EACH]; /* of columns CLP_PIVOT_COLUMNS * lane and on */
    CLP_T length[CLP_EACH];
    int via[CLP_EACH];
    uint lane, band;
} clp_panel;

/* What all work-items read of vertices k and k + 1, before these are relaxed. */
typedef struct clp_vertices {
    CLP_T4 to[2][CLP_BLOCK / 4]; /* lengths to the two vertices */
    CLP_T pivot_row[2][CLP_BLOCK]; /* lengths from the two vertices */
    CLP_T row[2][CLP_LANES_ACROSS];
#if CLP_PREDECESSORS
    int via[2][CLP_LANES_ACROSS];
#endif
} clp_vertices;

/* Macros because they take an address space, or columns of the pivot tile by constant index. */
#if CLP_PIVOT_COLUMNS == 2
#define CLP_LOAD_PIVOT(space, to, at)                                                              \
    {                                                                                              \
        const CLP_T2 both = *(const space CLP_T2 *)(at);                                           \
        (to)[0] = both.x;                                                                          \
        (to)[1] = both.y;                                                                          \
    }
#define CLP_STORE_PIVOT(at, panel, r)                                                              \
    *(local CLP_T2 *)(at) = (CLP_T2)((panel)->pivot[0][r], (panel)->pivot[1][r]);
#else
#define CLP_LOAD_PIVOT(space, to, at) (to)[0] = *(const space CLP_T *)(at);
#define CLP_STORE_PIVOT(at, panel, r) *(local CLP_T *)(at) = (panel)->pivot[0][r];
#endif

CLP_INLINE void clp_take_lane(clp_panel *panel) {
    panel->lane = (uint)get_local_id(0) % CLP_LANES_ACROSS;
    panel->band = (uint)get_local_id(0) / CLP_LANES_ACROSS;
}

/* Publishes vertices k and k + 1, which are rows r and r + 1 of their row band; r is a constant. */
CLP_INLINE void clp_publish_vertices(const clp_panel *panel, uint k, uint r,
                                     local clp_vertices *vertices) {
    if (panel->band * CLP_EACH + r == k) {
#pragma unroll
        for (uint p = 0; p < 2; p++) {
            CLP_STORE_PIVOT(vertices->pivot_row[p] + CLP_PIVOT_COLUMNS * panel->lane, panel, r + p)
            vertices->row[p][panel->lane] = panel->length[r + p];
#if CLP_PREDECESSORS
            vertices->via[p][panel->lane] = panel->via[r + p];
#endif
        }
    }
#pragma unroll
    for (uint p = 0; p < 2; p++) {
        if (CLP_PIVOT_COLUMNS * panel->lane + p % CLP_PIVOT_COLUMNS != k + p) continue;
#pragma unroll
        for (uint q = 0; q < CLP_EACH / 4; q++) {
            const CLP_T *four = &panel->pivot[p % CLP_PIVOT_COLUMNS][4 * q];
            vertices->to[p][panel->band * (CLP_EACH / 4) + q] =
                (CLP_T4)(four[0], four[1], four[2], four[3]);
        }
    }
}

CLP_INLINE void clp_shorten(CLP_T *length, int *via, CLP_T sum, int other_via) {
#if CLP_PREDECESSORS
    *via = sum < *length ? other_via : *via;
#endif
    *length = clp_combine(*length, sum);
}

/* Lengths of vertices k and k + 1 in a work-item: from both in its columns, relaxed through both;
 * to both in its rows, not yet relaxed. */
typedef struct clp_pair {
    CLP_T pivot_row[2][CLP_PIVOT_COLUMNS], row[2], to[2][CLP_EACH];
    int via[2];
} clp_pair;

/* Every work-item computes this for itself, which saves a barrier: one barrier per two vertices. */
CLP_INLINE void clp_get_pair(const clp_panel *panel, const local clp_vertices *vertices, uint k,
                             clp_pair *pair) {
    const CLP_T there = vertices->pivot_row[0][k + 1]; /* length from k to k + 1 */
    const CLP_T back = vertices->pivot_row[1][k];
#pragma unroll
    for (uint p = 0; p < 2; p++) {
        CLP_LOAD_PIVOT(local, pair->pivot_row[p],
                       vertices->pivot_row[p] + CLP_PIVOT_COLUMNS * panel->lane)
        pair->row[p] = vertices->row[p][panel->lane];
#if CLP_PREDECESSORS
        pair->via[p] = vertices->via[p][panel->lane];
#endif
#pragma unroll
        for (uint q = 0; q < CLP_EACH / 4; q++) {
            const CLP_T4 four = vertices->to[p][panel->band * (CLP_EACH / 4) + q];
            pair->to[p][4 * q] = four.x;
            pair->to[p][4 * q + 1] = four.y;
            pair->to[p][4 * q + 2] = four.z;
            pair->to[p][4 * q + 3] = four.w;
        }
    }
#pragma unroll
    for (uint h = 0; h < CLP_PIVOT_COLUMNS; h++) {
        CLP_T *from = pair->pivot_row[0] + h, *from_next = pair->pivot_row[1] + h;
        *from_next = clp_combine(*from_next, clp_length(back, *from));
        *from = clp_combine(*from, clp_length(there, *from_next));
    }
    clp_shorten(&pair->row[1], &pair->via[1], clp_length(back, pair->row[0]), pair->via[0]);
    clp_shorten(&pair->row[0], &pair->via[0], clp_length(there, pair->row[1]), pair->via[1]);
}

/* Relaxes the work-item's part of the pivot tile through both vertices. The rows of a pair are
 * already relaxed through each other, so the lengths do not depend on the order of the two. */
CLP_INLINE void clp_relax_pivot(clp_panel *panel, const clp_pair *pair) {
#pragma unroll
    for (uint i = 0; i < CLP_EACH; i++) {
#pragma unroll
        for (uint h = 0; h < CLP_PIVOT_COLUMNS; h++) {
#pragma unroll
            for (uint p = 0; p < 2; p++) {
                panel->pivot[h][i] = clp_combine(panel->pivot[h][i],
                                                 clp_length(pair->to[p][i], pair->pivot_row[p][h]));
            }
        }
    }
}

CLP_INLINE void clp_relax_row(clp_panel *panel, const clp_pair *pair, uint i) {
#pragma unroll
    for (uint p = 0; p < 2; p++) {
        clp_shorten(&panel->length[i], &panel->via[i], clp_length(pair->to[p][i], pair->row[p]),
                    pair->via[p]);
    }
}

/* Relaxes the panel through all vertices of the block, two at a time. vertices: memory for two
 * pairs. */
CLP_INLINE void clp_close_panel(clp_panel *panel, local clp_vertices *vertices) {
    clp_publish_vertices(panel, 0, 0, &vertices[0]);
    barrier(CLK_LOCAL_MEM_FENCE); /* vertices 0 and 1 written above, read in the first iteration */
#pragma unroll 1
    for (uint first = 0; first < CLP_BLOCK; first += CLP_EACH) {
#pragma unroll
        for (uint r = 0; r < CLP_EACH; r += 2) {
            const uint next = (r + 2) % CLP_EACH;
            clp_pair pair;
            clp_get_pair(panel, &vertices[r / 2 % 2], first + r, &pair);
            clp_relax_pivot(panel, &pair);
            clp_relax_row(panel, &pair, next);
            clp_relax_row(panel, &pair, next + 1);
            clp_publish_vertices(panel, first + r + 2, next, &vertices[(r / 2 + 1) % 2]);
            /* The other rows come last: the next vertices do not depend on them. */
#pragma unroll
            for (uint i = 0; i < CLP_EACH; i++) {
                if (i / 2 != next / 2) clp_relax_row(panel, &pair, i);
            }
            /* The next vertices were written above and are read in the next iteration; these two
             * were read above and are overwritten in the next. All work-items take all iterations.
             */
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
}

/* ---- Negative cycles: slow, and at most once a run --------------------------------------------
 */

CLP_INLINE bool clp_sees_negative(const clp_panel *panel) {
    bool negative = false;
#pragma unroll
    for (uint i = 0; i < CLP_EACH; i++)
#pragma unroll
        for (uint h = 0; h < CLP_PIVOT_COLUMNS; h++)
            negative |= CLP_PIVOT_COLUMNS * panel->lane + h == panel->band * CLP_EACH + i &&
                        panel->pivot[h][i] < 0;
    return negative;
}

/* Returns the vertex of the block whose relaxation makes a diagonal element negative. */
CLP_INLINE uint clp_find_vertex(const global CLP_T *from, ulong ld, uint block,
                                global CLP_T *pivot) {
    for (uint i = 0; i < block; i++)
        for (uint j = 0; j < block; j++) pivot[i * block + j] = from[i * ld + j];
    for (uint k = 0; k < block; k++) {
        for (uint i = 0; i < block; i++) {
            const CLP_T to = pivot[i * block + k];
            for (uint j = 0; j < block; j++) {
                const CLP_T sum = clp_length(to, pivot[k * block + j]);
                if (sum < pivot[i * block + j]) pivot[i * block + j] = sum;
            }
        }
        for (uint i = 0; i < block; i++) {
            if (pivot[i * block + i] < 0) return k;
        }
    }
    return block;
}
