/* SPDX-License-Identifier: MIT */
/*
 * Slabs on their way to local memory, which holds two of them: a work-item has the next slab's
 * elements in registers while it folds the present one.
 *
 * What is the same for all slabs of a tile is settled before the loop over them: it costs as much
 * as the work. Outside of C, elements are taken from the nearest row or column inside.
 */
#ifndef CLP_EACH_LEFT_CHUNK
#error "minplus_staged.cl: CLP_EACH_LEFT_CHUNK is not set by the prelude"
#endif

/* What a group multiplies. */
typedef struct clp_source {
    const global CLP_T *left; /* A at the tile's first row */
    const global CLP_T *right; /* B at the tile's first column */
    ulong left_ld, right_ld;
    uint rows, columns; /* of C from the tile's first cell on */
    uint k;
} clp_source;

/* A's chunks: neighbours in a pair share a row, so that 32 bytes of it are read together; then
 * row after row. */
static inline uint2 clp_left_place(uint q) {
    const uint e = (uint)get_local_id(0) + q * CLP_GROUP;
    const uint pair = e / 2;
    return (uint2)(pair % CLP_TILE_ROWS, 4 * (e % 2 + 2 * (pair / CLP_TILE_ROWS)));
}

static inline uint2 clp_right_place(uint q) {
    const uint e = (uint)get_local_id(0) + q * CLP_GROUP;
    return (uint2)(e / (CLP_TILE_COLUMNS / 4), 4 * (e % (CLP_TILE_COLUMNS / 4)));
}

/* ---- From memory to registers -------------------------------------------------------------- */

typedef struct clp_slab {
    CLP_T4 left[CLP_LEFT_CHUNKS];
    CLP_T4 right[CLP_RIGHT_CHUNKS];
} clp_slab;

static inline CLP_T4 clp_fetch_words(const global CLP_T *from) {
    return (CLP_T4)(from[0], from[1], from[2], from[3]);
}

static inline CLP_T4 clp_fetch_within(const global CLP_T *row, uint at, uint last) {
    return (CLP_T4)(row[min(at, last)], row[min(at + 1, last)], row[min(at + 2, last)],
                    row[min(at + 3, last)]);
}

static inline const global CLP_T *clp_left_row(const clp_source *source, uint q) {
    return source->left + min(clp_left_place(q).x, source->rows - 1) * source->left_ld;
}

static inline const global CLP_T *clp_right_row(const clp_source *source, uint q, uint from_k) {
    return source->right + min(from_k + clp_right_place(q).x, source->k - 1) * source->right_ld;
}

/* What is the same for all slabs of a tile. */
typedef struct clp_way {
#if CLP_KEEPS_POINTERS
    const global CLP_T *left[CLP_LEFT_CHUNKS]; /* to the chunks of the next whole slab */
    const global CLP_T *right[CLP_RIGHT_CHUNKS]; /* to where rows of it begin */
    bool is_even; /* the tile is whole and its rows are aligned */
#else
    bool left_aligned, right_aligned;
#endif
} clp_way;

#if CLP_KEEPS_POINTERS
static inline void clp_find_way(const clp_source *source, clp_way *way) {
    way->is_even = clp_is_aligned(source->left, source->left_ld) &&
                   clp_is_aligned(source->right, source->right_ld) &&
                   source->rows >= CLP_TILE_ROWS && source->columns >= CLP_TILE_COLUMNS;
#define CLP_WAY_LEFT(q) way->left[q] = clp_left_row(source, q) + clp_left_place(q).y;
#define CLP_WAY_RIGHT(q) way->right[q] = source->right + clp_right_place(q).x * source->right_ld;
    CLP_EACH_LEFT_CHUNK(CLP_WAY_LEFT)
    CLP_EACH_RIGHT_CHUNK(CLP_WAY_RIGHT)
}

CLP_INLINE void clp_fetch(const clp_source *source, clp_way *way, uint from_k, clp_slab *slab) {
    if (source->k - from_k < CLP_DEPTH) {
#define CLP_FETCH_REST_LEFT(q)                                                                     \
    slab->left[q] =                                                                                \
        clp_fetch_within(clp_left_row(source, q), from_k + clp_left_place(q).y, source->k - 1);
#define CLP_FETCH_REST_RIGHT(q)                                                                    \
    slab->right[q] = clp_fetch_within(clp_right_row(source, q, from_k), clp_right_place(q).y,      \
                                      source->columns - 1);
        CLP_EACH_LEFT_CHUNK(CLP_FETCH_REST_LEFT)
        CLP_EACH_RIGHT_CHUNK(CLP_FETCH_REST_RIGHT)
        return;
    }
    if (way->is_even) {
#define CLP_FETCH_LEFT(q) slab->left[q] = *(const global CLP_T4 *)way->left[q];
#define CLP_FETCH_RIGHT(q)                                                                         \
    slab->right[q] = *(const global CLP_T4 *)(way->right[q] + clp_right_place(q).y);
        CLP_EACH_LEFT_CHUNK(CLP_FETCH_LEFT)
        CLP_EACH_RIGHT_CHUNK(CLP_FETCH_RIGHT)
    } else {
#define CLP_FETCH_LEFT_WORDS(q) slab->left[q] = clp_fetch_words(way->left[q]);
#define CLP_FETCH_RIGHT_WORDS(q)                                                                   \
    slab->right[q] = clp_fetch_within(way->right[q], clp_right_place(q).y, source->columns - 1);
        CLP_EACH_LEFT_CHUNK(CLP_FETCH_LEFT_WORDS)
        CLP_EACH_RIGHT_CHUNK(CLP_FETCH_RIGHT_WORDS)
    }
#define CLP_PASS_LEFT(q) way->left[q] += CLP_DEPTH;
#define CLP_PASS_RIGHT(q) way->right[q] += CLP_DEPTH * source->right_ld;
    CLP_EACH_LEFT_CHUNK(CLP_PASS_LEFT)
    CLP_EACH_RIGHT_CHUNK(CLP_PASS_RIGHT)
}
#else
static inline void clp_find_way(const clp_source *source, clp_way *way) {
    way->left_aligned = clp_is_aligned(source->left, source->left_ld);
    way->right_aligned = clp_is_aligned(source->right, source->right_ld);
}

static inline CLP_T4 clp_fetch_four(const global CLP_T *from, bool aligned) {
    if (aligned) return *(const global CLP_T4 *)from;
    return clp_fetch_words(from);
}

static inline CLP_T4 clp_fetch_left(const clp_source *source, const clp_way *way, uint q,
                                    uint from_k) {
    const global CLP_T *row = clp_left_row(source, q);
    const uint at = from_k + clp_left_place(q).y;
    if (from_k + CLP_DEPTH <= source->k) return clp_fetch_four(row + at, way->left_aligned);
    return clp_fetch_within(row, at, source->k - 1);
}

static inline CLP_T4 clp_fetch_right(const clp_source *source, const clp_way *way, uint q,
                                     uint from_k) {
    const global CLP_T *row = clp_right_row(source, q, from_k);
    const uint at = clp_right_place(q).y;
    if (source->columns >= CLP_TILE_COLUMNS) return clp_fetch_four(row + at, way->right_aligned);
    return clp_fetch_within(row, at, source->columns - 1);
}

CLP_INLINE void clp_fetch(const clp_source *source, clp_way *way, uint from_k, clp_slab *slab) {
#define CLP_FETCH_LEFT(q) slab->left[q] = clp_fetch_left(source, way, q, from_k);
#define CLP_FETCH_RIGHT(q) slab->right[q] = clp_fetch_right(source, way, q, from_k);
    CLP_EACH_LEFT_CHUNK(CLP_FETCH_LEFT)
    CLP_EACH_RIGHT_CHUNK(CLP_FETCH_RIGHT)
}
#endif

/* ---- From registers to local memory -------------------------------------------------------- */

/* A is turned around: left holds columns of it, right rows of B. */
CLP_INLINE void clp_put_left(CLP_T4 chunk, uint q, local CLP_T *left) {
    const uint2 place = clp_left_place(q);
    local CLP_T *to = left + place.y * CLP_LEFT_WIDTH + place.x;
    to[0] = clp_take(chunk.x);
    to[CLP_LEFT_WIDTH] = clp_take(chunk.y);
    to[2 * CLP_LEFT_WIDTH] = clp_take(chunk.z);
    to[3 * CLP_LEFT_WIDTH] = clp_take(chunk.w);
}

CLP_INLINE void clp_put_right(CLP_T4 chunk, uint q, local CLP_T *right) {
    const uint2 place = clp_right_place(q);
    *(local CLP_T4 *)(right + place.x * CLP_TILE_COLUMNS + place.y) =
        (CLP_T4)(clp_take(chunk.x), clp_take(chunk.y), clp_take(chunk.z), clp_take(chunk.w));
}

CLP_INLINE void clp_put(const clp_slab *slab, uint stage, local CLP_T *left, local CLP_T *right) {
#define CLP_PUT_LEFT(q) clp_put_left(slab->left[q], q, left + stage * CLP_LEFT_SLAB);
#define CLP_PUT_RIGHT(q) clp_put_right(slab->right[q], q, right + stage * CLP_RIGHT_SLAB);
    CLP_EACH_LEFT_CHUNK(CLP_PUT_LEFT)
    CLP_EACH_RIGHT_CHUNK(CLP_PUT_RIGHT)
}

/* ---- Slab after slab ----------------------------------------------------------------------- */

/* Folds all slabs; k is not 0. */
CLP_INLINE void clp_multiply(const clp_source *source, clp_cells *cells, local CLP_T *left,
                             local CLP_T *right) {
    const uint k = source->k;
    clp_way way;
    clp_slab next;
    clp_find_way(source, &way);
    clp_fetch(source, &way, 0, &next);
    clp_put(&next, 0, left, right);
    barrier(CLK_LOCAL_MEM_FENCE); /* slab 0 written above, read in the loop's first turn */
    uint stage = 0;
    for (uint from_k = 0; from_k < k; from_k += CLP_DEPTH) {
        if (k - from_k > CLP_DEPTH) clp_fetch(source, &way, from_k + CLP_DEPTH, &next);
        clp_fold_part(cells, left + stage * CLP_LEFT_SLAB, right + stage * CLP_RIGHT_SLAB, from_k,
                      k);
        stage ^= 1;
        if (k - from_k > CLP_DEPTH) clp_put(&next, stage, left, right);
        /* The next slab written above, read in the next turn; this one read above, overwritten in
         * the next. k is the same for all work-items. */
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
