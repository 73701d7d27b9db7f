/* SPDX-License-Identifier: MIT */
/*
 * Double buffering of slabs in local memory. A work-item loads its elements of the next slab into
 * registers, folds the current slab meanwhile, and then stores the registers to the other buffer.
 * Hence one barrier a slab: it separates the stores of the next slab from their reads, and the
 * reads of the current slab from the stores that overwrite it. No work-group waits for another.
 *
 * Addresses that all slabs of a tile share are computed before the loop over slabs; this costs as
 * much as one slab. Outside C, elements are read from the nearest row or column inside, because
 * their cells are never stored.
 */

/* The operands of a work-group. */
typedef struct clp_source {
    const global CLP_T *left; /* A at the tile's first row */
    const global CLP_T *right; /* B at the tile's first column */
    ulong left_ld, right_ld;
    uint rows, columns; /* of C from the tile's first cell on */
    uint k;
    const global CLP_T *transposed; /* NULL, or B transposed, at the tile's first column */
    ulong transposed_ld;
} clp_source;

/*
 * Positions in a slab: row and column of its part of A or of B. The two work-items of a pair read
 * adjacent chunks of a row of A, 32 bytes together; consecutive pairs read consecutive rows. The
 * distance from chunk 0 to chunk q is the same for all work-items.
 */
static inline uint2 clp_left_place(void) {
    const uint pair = (uint)get_local_id(0) / 2;
    return (uint2)(pair % CLP_TILE_ROWS,
                   4 * ((uint)get_local_id(0) % 2 + 2 * (pair / CLP_TILE_ROWS)));
}

static inline uint2 clp_left_step(uint q) {
    const uint pairs = q * CLP_GROUP / 2;
    return (uint2)(pairs % CLP_TILE_ROWS, pairs / CLP_TILE_ROWS * 8);
}

static inline uint2 clp_right_place(void) {
    const uint self = (uint)get_local_id(0);
    return (uint2)(self / (CLP_TILE_COLUMNS / 4), 4 * (self % (CLP_TILE_COLUMNS / 4)));
}

static inline uint2 clp_right_step(uint q) {
    const uint chunks = q * CLP_GROUP;
    return (uint2)(chunks / (CLP_TILE_COLUMNS / 4), chunks % (CLP_TILE_COLUMNS / 4) * 4);
}

/* ---- From memory to registers -------------------------------------------------------------- */

typedef struct clp_slab {
    CLP_T4 left[CLP_LEFT_CHUNKS];
    CLP_T4 right[CLP_RIGHT_CHUNKS];
} clp_slab;

/* Addresses that are kept from slab to slab, and how they are read. */
typedef struct clp_way {
    const global CLP_T *left[CLP_LEFT_CHUNKS]; /* the chunks of the next slab */
    const global CLP_T *right[CLP_RIGHT_CHUNKS];
    bool is_even;
} clp_way;

/* Whether a loop of its own folds even tiles: all their columns exist, and their chunks are
 * aligned. Where a slab is long one loop is as fast, in which such tiles have a branch; of bytes
 * Clang 14 makes one that spills half as much again. */
#define CLP_EVEN_LOOP                                                                              \
    (!CLP_ONE_LOOP && (CLP_ROWS * CLP_COLUMNS * CLP_SHARE < 1024 || sizeof(CLP_T) < 4))

static inline bool clp_is_even_source(const clp_source *source) {
    return source->columns >= CLP_TILE_COLUMNS && clp_is_aligned(source->left, source->left_ld) &&
           clp_is_aligned(source->right, source->right_ld);
}

static inline void clp_find_way(const clp_source *source, uint from_k, clp_way *way) {
    const uint2 left = clp_left_place(), right = clp_right_place();
    const uint last_row = source->rows - 1, last_k = source->k - 1;
/* Macros because they write *way at constant indices: with loops in their place, Clang 14 makes a
 * product of floats that spills 144 bytes instead of 120 for an H200. */
#define CLP_WAY_LEFT(q)                                                                            \
    way->left[q] = source->left + min(left.x + clp_left_step(q).x, last_row) * source->left_ld +   \
                   from_k + left.y + clp_left_step(q).y;
#define CLP_WAY_RIGHT(q)                                                                           \
    way->right[q] = source->right +                                                                \
                    min(from_k + right.x + clp_right_step(q).x, last_k) * source->right_ld +       \
                    right.y + clp_right_step(q).y;
    CLP_EACH_LEFT_CHUNK(CLP_WAY_LEFT)
    CLP_EACH_RIGHT_CHUNK(CLP_WAY_RIGHT)
}

/* The elements from `from` on, of which none is behind the one at `last`. */
CLP_INLINE CLP_T4 clp_fetch_within(const global CLP_T *from, int last) {
    return (CLP_T4)(from[min(0, last)], from[min(1, last)], from[min(2, last)], from[min(3, last)]);
}

/* Fetches a slab of `count` k, the constant CLP_DEPTH or less. */
CLP_INLINE void clp_fetch(const clp_source *source, clp_way *way, uint count, clp_slab *slab) {
    if (way->is_even) {
#pragma unroll
        for (uint q = 0; q < CLP_LEFT_CHUNKS; q++)
            slab->left[q] = *(const global CLP_T4 *)way->left[q];
#pragma unroll
        for (uint q = 0; q < CLP_RIGHT_CHUNKS; q++)
            slab->right[q] = *(const global CLP_T4 *)way->right[q];
    } else {
#pragma unroll
        for (uint q = 0; q < CLP_LEFT_CHUNKS; q++) {
            const int last = (int)(count - 1 - clp_left_place().y - clp_left_step(q).y);
            slab->left[q] = clp_fetch_within(way->left[q], count == CLP_DEPTH ? 3 : last);
        }
#pragma unroll
        for (uint q = 0; q < CLP_RIGHT_CHUNKS; q++) {
            const int last = (int)(source->columns - 1 - clp_right_place().y - clp_right_step(q).y);
            slab->right[q] = clp_fetch_within(way->right[q], last);
        }
    }
#pragma unroll
    for (uint q = 0; q < CLP_LEFT_CHUNKS; q++) way->left[q] += CLP_DEPTH;
#pragma unroll
    for (uint q = 0; q < CLP_RIGHT_CHUNKS; q++) way->right[q] += CLP_DEPTH * source->right_ld;
}

/* ---- From registers to local memory -------------------------------------------------------- */

/* The work-item's positions in the slab that is folded and in the slab that is written, `turn`
 * elements apart. They are kept from slab to slab; otherwise compilers recompute them. */
typedef struct clp_stages {
    const local CLP_T *left, *right; /* its first operands */
    local CLP_T *left_to, *right_to; /* its first chunks */
    int left_turn, right_turn;
    /* With CLP_SIGNLESS == 1 only: whether each of the two slabs has a sign, and the k up to which
     * some cell was not negative when the cells were last checked. */
    volatile local uint *found;
    uint written; /* which of the two slabs */
} clp_stages;

static inline clp_stages clp_find_stages(const clp_cells *cells, local CLP_T *left,
                                         local CLP_T *right, volatile local uint *found) {
    const uint2 left_place = clp_left_place(), right_place = clp_right_place();
    const clp_stages stages = {
        left + CLP_LEFT_SLAB + CLP_FIRST_SHARED * CLP_LEFT_WIDTH + clp_chunk_row(cells, 0),
        right + CLP_RIGHT_SLAB + CLP_FIRST_SHARED * CLP_TILE_COLUMNS + clp_chunk_column(cells, 0),
        left + left_place.y * CLP_LEFT_WIDTH + left_place.x,
        right + right_place.x * CLP_TILE_COLUMNS + right_place.y,
        CLP_LEFT_SLAB,
        CLP_RIGHT_SLAB,
        found,
        0};
    return stages;
}

#define CLP_FOUND_POSITIVE 2
#define CLP_FOUND 3

/* Swaps the slabs: the one that was written is folded next. */
CLP_INLINE void clp_turn(clp_stages *stages) {
    stages->left -= stages->left_turn;
    stages->right -= stages->right_turn;
    stages->left_to += stages->left_turn;
    stages->right_to += stages->right_turn;
    stages->left_turn = -stages->left_turn;
    stages->right_turn = -stages->right_turn;
    stages->written ^= 1;
}

CLP_INLINE CLP_T4 clp_take_four(CLP_T4 chunk, uint signs) {
    if (signs == CLP_SIGNLESS_SO_FAR) return chunk;
    return (CLP_T4)(clp_take(chunk.x), clp_take(chunk.y), clp_take(chunk.z), clp_take(chunk.w));
}

/* Transposes A: left holds columns of A, right rows of B. */
CLP_INLINE void clp_put_left(CLP_T4 chunk, local CLP_T *to) {
    to[0] = chunk.x;
    to[CLP_LEFT_WIDTH] = chunk.y;
    to[2 * CLP_LEFT_WIDTH] = chunk.z;
    to[3 * CLP_LEFT_WIDTH] = chunk.w;
}

CLP_INLINE void clp_put(const clp_slab *slab, const clp_stages *stages, uint signs) {
#pragma unroll
    for (uint q = 0; q < CLP_LEFT_CHUNKS; q++) {
        const uint2 step = clp_left_step(q);
        clp_put_left(clp_take_four(slab->left[q], signs),
                     stages->left_to + step.y * CLP_LEFT_WIDTH + step.x);
    }
#pragma unroll
    for (uint q = 0; q < CLP_RIGHT_CHUNKS; q++) {
        const uint2 step = clp_right_step(q);
        *(local CLP_T4 *)(stages->right_to + step.x * CLP_TILE_COLUMNS + step.y) =
            clp_take_four(slab->right[q], signs);
    }
#if CLP_SIGNLESS == 1
    if (signs == CLP_SIGNLESS_SO_FAR) {
        int4 all = 0;
#pragma unroll
        for (uint q = 0; q < CLP_LEFT_CHUNKS; q++) all |= as_int4(slab->left[q]);
#pragma unroll
        for (uint q = 0; q < CLP_RIGHT_CHUNKS; q++) all |= as_int4(slab->right[q]);
        if ((all.x | all.y | all.z | all.w) < 0) {
            atomic_or(&stages->found[stages->written], 1u); /* clp_must_change reads it */
        }
    }
#endif
}

/* ---- Slab after slab ----------------------------------------------------------------------- */

/* Whether the cells' signs are looked at behind the slab from from_k on. */
static inline bool clp_looks_at_cells(uint from_k) {
    return from_k % (4 * CLP_DEPTH) == 0;
}

/* Returns whether the knowledge of signs has changed since the loop over slabs started. All
 * work-items get one answer: they read words that were written before a barrier. */
CLP_INLINE bool clp_must_change(const clp_stages *stages, uint start, uint from_k, uint signs) {
#if CLP_SIGNLESS == 1
    if (signs == CLP_SIGNLESS_SO_FAR) return stages->found[stages->written ^ 1] != 0;
#endif
#if CLP_TURNS_NEGATIVE
    if (signs == CLP_SIGNS_ANYWHERE && from_k > start && clp_looks_at_cells(from_k - CLP_DEPTH)) {
        return stages->found[CLP_FOUND_POSITIVE] < from_k;
    }
#endif
    return false;
}

/* Folds the whole slabs from from_k on, of which there is one at least, until the knowledge of
 * signs changes (CLP_ONE_LOOP: to the end, for floats). Returns the k at which it stopped. even: a
 * constant. Programs compile in a time that goes with their unrolled slabs; so the loop of other
 * tiles unrolls few. */
CLP_INLINE uint clp_fold_slabs(const clp_source *source, clp_cells *cells, clp_stages *stages,
                               uint from_k, uint signs, bool even) {
    const uint k = source->k - source->k % CLP_DEPTH;
    uint start = from_k; /* first k with the current knowledge of signs */
    clp_way way;
    clp_slab next;
    way.is_even = CLP_EVEN_LOOP ? even : clp_is_even_source(source);
    clp_find_way(source, from_k, &way);
    clp_fetch(source, &way, CLP_DEPTH, &next);
    clp_put(&next, stages, signs);
    clp_turn(stages);
    barrier(CLK_LOCAL_MEM_FENCE); /* the first slab written above, read in the first iteration */
    for (; from_k < k; from_k += CLP_DEPTH) {
        if (clp_must_change(stages, start, from_k, signs)) {
            if (CLP_SHIFTED || !CLP_ONE_LOOP) break;
            signs = signs == CLP_SIGNLESS_SO_FAR ? CLP_SIGNS_ANYWHERE : CLP_ALL_NEGATIVE;
            start = from_k;
        }
        const bool more = k - from_k > CLP_DEPTH;
        if (more) clp_fetch(source, &way, CLP_DEPTH, &next);
        clp_fold_slab(cells, stages->left, stages->right, from_k, signs, even);
#if CLP_TURNS_NEGATIVE
        if (signs == CLP_SIGNS_ANYWHERE && clp_looks_at_cells(from_k) && !clp_are_negative(cells)) {
            /* clp_must_change reads it in the next iteration. */
            atomic_max(&stages->found[CLP_FOUND_POSITIVE], from_k + CLP_DEPTH);
        }
#endif
        if (more) clp_put(&next, stages, signs);
        clp_turn(stages);
        /* The next slab was written above and is read in the next iteration; this one was read
         * above and is overwritten in the next. All work-items have the same k and found, so they
         * take the same iterations. */
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return from_k;
}

CLP_INLINE uint clp_multiply(const clp_source *source, clp_cells *cells, clp_stages *stages,
                             uint from_k, uint signs) {
    if (!CLP_EVEN_LOOP || clp_is_even_source(source))
        return clp_fold_slabs(source, cells, stages, from_k, signs, true);
    return clp_fold_slabs(source, cells, stages, from_k, signs, false);
}

/* Folds the last k, less than CLP_DEPTH of them, into cells that are open. */
CLP_INLINE void clp_multiply_rest(const clp_source *source, clp_cells *cells, clp_stages *stages,
                                  uint from_k) {
    clp_slab rest;
    clp_way way;
    way.is_even = false;
    clp_find_way(source, from_k, &way);
    clp_fetch(source, &way, source->k - from_k, &rest);
    clp_put(&rest, stages, CLP_SIGNS_ANYWHERE);
    clp_turn(stages);
    barrier(CLK_LOCAL_MEM_FENCE); /* the slab written above, read below */
    CLP_COPY_CELLS
#pragma unroll 1
    for (uint i = 0; i < clp_share_of(source->k - from_k); i++) {
        clp_fold_one(cells, stages->left + i * CLP_LEFT_WIDTH, stages->right + i * CLP_TILE_COLUMNS,
                     from_k + CLP_FIRST_SHARED + i, CLP_SIGNS_ANYWHERE);
    }
    CLP_RECORD_SLAB
    barrier(CLK_LOCAL_MEM_FENCE); /* the slab read above; slices write partial cells in its place */
}

#if CLP_SIGNLESS == 1
/* Folds slabs until an operand or a cell has a sign. */
CLP_INLINE uint clp_multiply_signless(const clp_source *source, clp_cells *cells,
                                      clp_stages *stages) {
    const uint self = (uint)get_local_id(0);
    const bool have_no_sign = clp_have_no_sign(cells);
    if (self < CLP_FOUND) stages->found[self] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* found cleared above, set below, in clp_put and in the loops */
    if (!have_no_sign) atomic_or(&stages->found[0], 1u); /* clp_must_change reads it */
    return clp_multiply(source, cells, stages, 0, CLP_SIGNLESS_SO_FAR);
}
#endif
