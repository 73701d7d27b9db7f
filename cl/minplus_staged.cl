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
#ifndef CLP_SIGNLESS
#error "minplus_staged.cl: CLP_SIGNLESS is not set by the prelude"
#endif

/* What a group multiplies. */
typedef struct clp_source {
    const global CLP_T *left; /* A at the tile's first row */
    const global CLP_T *right; /* B at the tile's first column */
    ulong left_ld, right_ld;
    uint rows, columns; /* of C from the tile's first cell on */
    uint k;
} clp_source;

/*
 * A's chunks: neighbours in a pair share a row, so that 32 bytes of it are read together; then row
 * after row. Places are of a slab: row and column of A's part or of B's. That of chunk q is as far
 * from the first one's for all work-items.
 */
static inline uint2 clp_left_place(void) {
    const uint pair = (uint)get_local_id(0) / 2;
    return (uint2)(pair % CLP_TILE_ROWS,
                   4 * ((uint)get_local_id(0) % 2 + 2 * (pair / CLP_TILE_ROWS)));
}
#define CLP_LEFT_STEP_ROWS(q) ((q)*CLP_GROUP / 2 % CLP_TILE_ROWS)
#define CLP_LEFT_STEP_COLUMNS(q) ((q)*CLP_GROUP / 2 / CLP_TILE_ROWS * 8)

static inline uint2 clp_right_place(void) {
    const uint self = (uint)get_local_id(0);
    return (uint2)(self / (CLP_TILE_COLUMNS / 4), 4 * (self % (CLP_TILE_COLUMNS / 4)));
}
#define CLP_RIGHT_STEP_ROWS(q) ((q)*CLP_GROUP / (CLP_TILE_COLUMNS / 4))
#define CLP_RIGHT_STEP_COLUMNS(q) ((q)*CLP_GROUP % (CLP_TILE_COLUMNS / 4) * 4)

/* ---- From memory to registers -------------------------------------------------------------- */

typedef struct clp_slab {
    CLP_T4 left[CLP_LEFT_CHUNKS];
    CLP_T4 right[CLP_RIGHT_CHUNKS];
} clp_slab;

/* What is the same for all slabs of a tile. */
typedef struct clp_way {
    const global CLP_T *left[CLP_LEFT_CHUNKS]; /* to the chunks of the next whole slab */
    const global CLP_T *right[CLP_RIGHT_CHUNKS];
    uint4
        right_step[CLP_RIGHT_CHUNKS]; /* from a chunk's first element to each, no farther than C */
} clp_way;

static inline CLP_T4 clp_fetch_words(const global CLP_T *from, uint4 step) {
    return (CLP_T4)(from[step.x], from[step.y], from[step.z], from[step.w]);
}

static inline CLP_T4 clp_fetch_within(const global CLP_T *row, uint at, uint last) {
    return (CLP_T4)(row[min(at, last)], row[min(at + 1, last)], row[min(at + 2, last)],
                    row[min(at + 3, last)]);
}

static inline const global CLP_T *clp_left_row(const clp_source *source, uint q) {
    const uint row = clp_left_place().x + CLP_LEFT_STEP_ROWS(q);
    return source->left + min(row, source->rows - 1) * source->left_ld;
}

static inline const global CLP_T *clp_right_row(const clp_source *source, uint q, uint from_k) {
    const uint row = from_k + clp_right_place().x + CLP_RIGHT_STEP_ROWS(q);
    return source->right + min(row, source->k - 1) * source->right_ld;
}

static inline uint4 clp_right_step(const clp_source *source, uint column) {
    const uint last = source->columns - 1;
    return min((uint4)(column, column + 1, column + 2, column + 3), (uint4)last) -
           min(column, last);
}

static inline void clp_find_way(const clp_source *source, uint from_k, clp_way *way) {
    const uint2 left = clp_left_place(), right = clp_right_place();
#define CLP_WAY_LEFT(q)                                                                            \
    way->left[q] = clp_left_row(source, q) + from_k + left.y + CLP_LEFT_STEP_COLUMNS(q);
#define CLP_WAY_RIGHT(q)                                                                           \
    {                                                                                              \
        const uint column = right.y + CLP_RIGHT_STEP_COLUMNS(q);                                   \
        way->right[q] = source->right +                                                            \
                        (from_k + right.x + CLP_RIGHT_STEP_ROWS(q)) * source->right_ld +           \
                        min(column, source->columns - 1);                                          \
        way->right_step[q] = clp_right_step(source, column);                                       \
    }
    CLP_EACH_LEFT_CHUNK(CLP_WAY_LEFT)
    CLP_EACH_RIGHT_CHUNK(CLP_WAY_RIGHT)
}

/* What is there of the last slab. */
static inline void clp_fetch_last(const clp_source *source, uint from_k, clp_slab *slab) {
    const uint left = from_k + clp_left_place().y, right = clp_right_place().y;
#define CLP_FETCH_LEFT_LAST(q)                                                                     \
    slab->left[q] =                                                                                \
        clp_fetch_within(clp_left_row(source, q), left + CLP_LEFT_STEP_COLUMNS(q), source->k - 1);
#define CLP_FETCH_RIGHT_LAST(q)                                                                    \
    slab->right[q] = clp_fetch_within(clp_right_row(source, q, from_k),                            \
                                      right + CLP_RIGHT_STEP_COLUMNS(q), source->columns - 1);
    CLP_EACH_LEFT_CHUNK(CLP_FETCH_LEFT_LAST)
    CLP_EACH_RIGHT_CHUNK(CLP_FETCH_RIGHT_LAST)
}

/* A whole slab. even, here and below a constant: the tile's columns are all there, and its chunks
 * aligned. */
CLP_INLINE void clp_fetch(const clp_source *source, clp_way *way, clp_slab *slab, bool even) {
    if (even) {
#define CLP_FETCH_LEFT(q) slab->left[q] = *(const global CLP_T4 *)way->left[q];
#define CLP_FETCH_RIGHT(q) slab->right[q] = *(const global CLP_T4 *)way->right[q];
        CLP_EACH_LEFT_CHUNK(CLP_FETCH_LEFT)
        CLP_EACH_RIGHT_CHUNK(CLP_FETCH_RIGHT)
    } else {
#define CLP_FETCH_LEFT_WORDS(q) slab->left[q] = clp_fetch_words(way->left[q], (uint4)(0, 1, 2, 3));
#define CLP_FETCH_RIGHT_WORDS(q)                                                                   \
    slab->right[q] = clp_fetch_words(way->right[q], way->right_step[q]);
        CLP_EACH_LEFT_CHUNK(CLP_FETCH_LEFT_WORDS)
        CLP_EACH_RIGHT_CHUNK(CLP_FETCH_RIGHT_WORDS)
    }
#define CLP_PASS_LEFT(q) way->left[q] += CLP_DEPTH;
#define CLP_PASS_RIGHT(q) way->right[q] += CLP_DEPTH * source->right_ld;
    CLP_EACH_LEFT_CHUNK(CLP_PASS_LEFT)
    CLP_EACH_RIGHT_CHUNK(CLP_PASS_RIGHT)
}

/* ---- From registers to local memory -------------------------------------------------------- */

/* The work-item's places in the slab that is folded and in that which is written, `turn` elements
 * apart. Kept from slab to slab, lest compilers compute them anew for each. */
typedef struct clp_stages {
    const local CLP_T *left, *right; /* its first operands */
    local CLP_T *left_to, *right_to; /* its first chunks */
    int left_turn, right_turn;
    uint written; /* which of both */
    uint signs; /* what is known of them */
    volatile local uint *found; /* of each slab, by clp_put; with CLP_SIGNLESS == 1 only */
    bool looks; /* all of the group look for signs */
    bool stays; /* CLP_ALL_NEGATIVE is not for this tile: sums may be NaN, with a sign */
} clp_stages;

static inline clp_stages clp_find_stages(const clp_cells *cells, local CLP_T *left,
                                         local CLP_T *right, volatile local uint *found) {
    const uint2 left_place = clp_left_place(), right_place = clp_right_place();
    const clp_stages stages = {left + CLP_LEFT_SLAB + clp_chunk_row(cells, 0),
                               right + CLP_RIGHT_SLAB + clp_chunk_column(cells, 0),
                               left + left_place.y * CLP_LEFT_WIDTH + left_place.x,
                               right + right_place.x * CLP_TILE_COLUMNS + right_place.y,
                               CLP_LEFT_SLAB,
                               CLP_RIGHT_SLAB,
                               0,
                               CLP_SIGNLESS == 0 ? CLP_SIGNS_ANYWHERE : CLP_SIGNLESS_SO_FAR,
                               found,
                               CLP_SIGNLESS == 1,
                               false};
    return stages;
}

/* What was written is to be folded. */
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

/* A is turned around: left holds columns of it, right rows of B. */
CLP_INLINE void clp_put_left(CLP_T4 chunk, local CLP_T *to) {
    to[0] = chunk.x;
    to[CLP_LEFT_WIDTH] = chunk.y;
    to[2 * CLP_LEFT_WIDTH] = chunk.z;
    to[3 * CLP_LEFT_WIDTH] = chunk.w;
}

#if CLP_SIGNLESS == 1
#define CLP_FOUND_SIGN 1u
#define CLP_FOUND_NAN 2u /* or what may make one, and one with a sign */

CLP_INLINE uint clp_look(const clp_slab *slab) {
    uint found = 0;
    int4 signs = 0;
#define CLP_LOOK_LEFT(q) signs |= as_int4(slab->left[q]);
#define CLP_LOOK_RIGHT(q) signs |= as_int4(slab->right[q]);
    CLP_EACH_LEFT_CHUNK(CLP_LOOK_LEFT)
    CLP_EACH_RIGHT_CHUNK(CLP_LOOK_RIGHT)
    if ((signs.x | signs.y | signs.z | signs.w) < 0) found |= CLP_FOUND_SIGN;
#if CLP_FOLLOWS_SIGNS && !CLP_NAN_SUMS_HAVE_NO_SIGN
    int4 above = -1;
#define CLP_LOOK_LEFT_FOR_NAN(q) above &= slab->left[q] > -INFINITY;
#define CLP_LOOK_RIGHT_FOR_NAN(q) above &= slab->right[q] > -INFINITY;
    CLP_EACH_LEFT_CHUNK(CLP_LOOK_LEFT_FOR_NAN)
    CLP_EACH_RIGHT_CHUNK(CLP_LOOK_RIGHT_FOR_NAN)
    if (!all(above)) found |= CLP_FOUND_NAN;
#endif
    return found;
}
#endif

CLP_INLINE void clp_put(const clp_slab *slab, const clp_stages *stages) {
#define CLP_PUT_LEFT(q)                                                                            \
    clp_put_left(clp_take_four(slab->left[q], stages->signs),                                      \
                 stages->left_to + CLP_LEFT_STEP_COLUMNS(q) * CLP_LEFT_WIDTH +                     \
                     CLP_LEFT_STEP_ROWS(q));
#define CLP_PUT_RIGHT(q)                                                                           \
    *(local CLP_T4 *)(stages->right_to + CLP_RIGHT_STEP_ROWS(q) * CLP_TILE_COLUMNS +               \
                      CLP_RIGHT_STEP_COLUMNS(q)) = clp_take_four(slab->right[q], stages->signs);
    CLP_EACH_LEFT_CHUNK(CLP_PUT_LEFT)
    CLP_EACH_RIGHT_CHUNK(CLP_PUT_RIGHT)
#if CLP_SIGNLESS == 1
    if (stages->looks) {
        const uint found = clp_look(slab);
        /* Read by clp_fold_slabs' loop. */
        if (found != 0) atomic_or(&stages->found[stages->written], found);
    }
#endif
}

/* ---- Slab after slab ----------------------------------------------------------------------- */

#if CLP_FOLLOWS_SIGNS
/* Takes note of what was found in the slab that is folded next. */
CLP_INLINE void clp_follow_signs(clp_stages *stages) {
    const uint found = stages->looks ? stages->found[stages->written ^ 1] : 0;
    if (found == 0) return;
    if (stages->signs == CLP_SIGNLESS_SO_FAR) stages->signs = CLP_SIGNS_ANYWHERE;
#if CLP_NAN_SUMS_HAVE_NO_SIGN
    stages->looks = false;
#else
    if (found & CLP_FOUND_NAN) {
        stages->signs = CLP_SIGNS_ANYWHERE;
        stages->looks = false;
        stages->stays = true;
    }
#endif
}
#endif

/* Folds all whole slabs from from_k on, of which there is at least one; integers without a sign so
 * far until one has a sign. Returns the k at which it ended. */
CLP_INLINE uint clp_fold_slabs(const clp_source *source, clp_cells *cells, clp_stages *stages,
                               uint from_k, bool even) {
    const uint k = source->k - source->k % CLP_DEPTH;
    clp_way way;
    clp_slab next;
    clp_find_way(source, from_k, &way);
    clp_fetch(source, &way, &next, even);
    clp_put(&next, stages);
    clp_turn(stages);
    barrier(CLK_LOCAL_MEM_FENCE); /* the first slab written above, read in the loop's first turn */
    for (; from_k < k; from_k += CLP_DEPTH) {
#if CLP_FOLLOWS_SIGNS
        clp_follow_signs(stages);
#elif CLP_SIGNLESS == 1
        if (stages->looks && stages->found[stages->written ^ 1] != 0) break;
#endif
        const bool more = k - from_k > CLP_DEPTH;
        if (more) clp_fetch(source, &way, &next, even);
#if CLP_FOLLOWS_SIGNS
        if (stages->signs == CLP_SIGNLESS_SO_FAR)
            clp_fold_slab(cells, stages->left, stages->right, from_k, CLP_SIGNLESS_SO_FAR);
        else if (stages->signs == CLP_ALL_NEGATIVE)
            clp_fold_slab(cells, stages->left, stages->right, from_k, CLP_ALL_NEGATIVE);
        else {
            clp_fold_slab(cells, stages->left, stages->right, from_k, CLP_SIGNS_ANYWHERE);
            if (from_k % (4 * CLP_DEPTH) == 0 && !stages->stays &&
                clp_agrees(clp_are_negative(cells)))
                stages->signs = CLP_ALL_NEGATIVE;
        }
#else
        clp_fold_slab(cells, stages->left, stages->right, from_k, stages->signs);
#endif
        if (more) clp_put(&next, stages);
        clp_turn(stages);
        /* The next slab written above, read in the next turn; this one read above, overwritten in
         * the next. k and what was found are the same for all work-items. */
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return from_k;
}

/* Folds whole slabs from from_k on, as clp_fold_slabs. A loop of their own for even slabs spares
 * the others' addresses; compilers for CPUs take hours over so many barriers in conditions. */
CLP_INLINE uint clp_multiply(const clp_source *source, clp_cells *cells, clp_stages *stages,
                             uint from_k) {
    if (source->k - from_k < CLP_DEPTH) return from_k;
#if CLP_HAS_EVEN_LOOP
    const bool even = source->columns >= CLP_TILE_COLUMNS &&
                      clp_is_aligned(source->left + from_k, source->left_ld) &&
                      clp_is_aligned(source->right, source->right_ld);
    if (even) return clp_fold_slabs(source, cells, stages, from_k, true);
#endif
    return clp_fold_slabs(source, cells, stages, from_k, false);
}

/* Folds what is left of k when no whole slab is. */
CLP_INLINE void clp_multiply_last(const clp_source *source, clp_cells *cells, clp_stages *stages,
                                  uint from_k) {
    clp_slab slab;
    stages->signs = CLP_SIGNS_ANYWHERE;
    stages->looks = false;
    clp_fetch_last(source, from_k, &slab);
    clp_put(&slab, stages);
    clp_turn(stages);
    barrier(CLK_LOCAL_MEM_FENCE); /* the slab written above, read below */
    clp_fold_part(cells, stages->left, stages->right, from_k, source->k - from_k);
}

#if CLP_SIGNLESS == 1
/* Tells what is known of signs before the first slab. */
CLP_INLINE void clp_look_at_cells(const clp_cells *cells, clp_stages *stages) {
    if (get_local_id(0) < 2) stages->found[get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* found cleared above, set below and in clp_put */
#if CLP_FOLLOWS_SIGNS && CLP_ACCUMULATE
    if (clp_agrees(clp_are_negative(cells)))
        stages->signs = CLP_ALL_NEGATIVE;
    else if (!clp_agrees(clp_have_no_sign(cells)))
        stages->signs = CLP_SIGNS_ANYWHERE;
#elif CLP_ACCUMULATE
    /* Read by clp_fold_slabs' loop. */
    if (!clp_have_no_sign(cells)) atomic_or(&stages->found[0], CLP_FOUND_SIGN);
#endif
}
#endif
