/* SPDX-License-Identifier: MIT */
/*
 * A block of the first level, as a team loads and combines it. A work-item loads CLP_DEPTH rows of
 * its lanes before it combines the first: the loads overlap, and one latency of memory is paid for
 * all.
 */

/* ---- Vectors and lanes ---- */

/* The piece that a work-item loads in one access. */
#if CLP_LANE_VEC == 1
#define CLP_LOADS_VECTORS 0
#elif CLP_LANE_VEC * CLP_E_BYTES == 16
#define CLP_LOADS_VECTORS 1
typedef uint4 clp_lane_piece;
#elif CLP_LANE_VEC * CLP_E_BYTES == 8
#define CLP_LOADS_VECTORS 1
typedef uint2 clp_lane_piece;
#elif CLP_LANE_VEC * CLP_E_BYTES == 4
#define CLP_LOADS_VECTORS 1
typedef uint clp_lane_piece;
#else
#define CLP_LOADS_VECTORS 0
#endif

typedef union clp_lane_vector {
    CLP_E element[CLP_LANE_VEC];
#if CLP_LOADS_VECTORS
    clp_lane_piece piece;
#endif
} clp_lane_vector;

/* A work-item's lanes: the value of each so far, and for ARG the row of the best. */
typedef struct clp_own_lanes {
    CLP_A value[CLP_OWN];
#if CLP_ARG
    uint row[CLP_OWN];
#endif
} clp_own_lanes;

/* Combines the next value into lane k. is_first: the lane has no value yet. */
CLP_INLINE void clp_lane_take(clp_own_lanes *own, uint k, CLP_A next, uint row, bool is_first) {
#if CLP_ARG
    const bool better = is_first || clp_is_better(next, own->value[k]);
    own->value[k] = better ? next : own->value[k];
    own->row[k] = better ? row : own->row[k];
#else
    own->value[k] = is_first ? next : clp_combine_values(own->value[k], next);
#endif
}

/* The value of element j of a vector that starts at element i of the input. */
CLP_INLINE CLP_A clp_vector_element(const clp_io *io, const clp_lane_vector *vector, uint j,
                                    ulong i) {
#if CLP_INPUTS == 0
    return clp_input(i + j CLP_USER(io));
#else
    return clp_input(vector->element[j], i + j CLP_USER(io));
#endif
}

/* Loads the work-item's vector of a full row. */
CLP_INLINE void clp_lane_load(clp_lane_vector *vector, const global CLP_E *in, ulong i,
                              bool aligned) {
#if CLP_INPUTS > 0
#if CLP_LOADS_VECTORS
    if (aligned) {
        const global clp_lane_piece *from = (const global clp_lane_piece *)(in + i);
#if CLP_LANE_VEC * CLP_E_BYTES == 16
        vector->piece = clp_load_stream(from);
#else
        vector->piece = *from;
#endif
        return;
    }
#endif
    for (uint j = 0; j < CLP_LANE_VEC; j++) vector->element[j] = in[i + j];
#endif
}

static inline bool clp_lanes_are_aligned(const global CLP_E *in) {
    return !CLP_LOADS_VECTORS || (ulong)in % (CLP_LANE_VEC * CLP_E_BYTES) == 0;
}

/* ---- A block of the first level ---- */

#if CLP_NARROW_SUMS
/* Bytes or halves, summed within words: a block's sum fits 32 bits. Signed elements get an offset
 * that makes them unsigned; the sum of all offsets is subtracted at the end. */
#if CLP_E_BYTES == 1
#define CLP_OFFSETS_OF_WORD 0x80808080u
#define CLP_OFFSET 0x80
#else
#define CLP_OFFSETS_OF_WORD 0x80008000u
#define CLP_OFFSET 0x8000
#endif
#define CLP_PIECE_WORDS (CLP_LANE_VEC * CLP_E_BYTES / 4)

typedef union clp_piece_words {
    clp_lane_piece piece;
    uint word[CLP_PIECE_WORDS];
} clp_piece_words;

CLP_INLINE void clp_add_batch(const clp_io *io, ulong from, bool aligned, uint *sum) {
    clp_lane_vector vector[CLP_DEPTH];
#pragma unroll
    for (uint v = 0; v < CLP_DEPTH; v++) {
        clp_lane_load(&vector[v], io->in, from + v * CLP_STRIDE, aligned);
    }
#pragma unroll
    for (uint v = 0; v < CLP_DEPTH; v++) {
        clp_piece_words words;
        words.piece = vector[v].piece;
#pragma unroll
        for (uint w = 0; w < CLP_PIECE_WORDS; w++) {
            const uint word = words.word[w] ^ (CLP_SIGNED ? CLP_OFFSETS_OF_WORD : 0);
#if CLP_E_BYTES == 1
            sum[w] = clp_add_bytes(sum[w], word);
#else
            sum[w] = clp_add_halves(sum[w], word);
#endif
        }
    }
}

/* The combination of all the work-item's lanes of the block, whose first element is number
 * `first`. */
CLP_INLINE clp_value clp_own_elements(const clp_io *io, ulong first, uint count) {
    uint sum[CLP_PIECE_WORDS];
    const uint t = clp_team_lane(), full = count / CLP_LANES;
    const uint batches = full / CLP_DEPTH;
    const ulong at = first + t * CLP_LANE_VEC;
    const bool aligned = clp_lanes_are_aligned(io->in);
    const long taken = CLP_SIGNED ? (long)(batches * CLP_DEPTH * CLP_LANE_VEC) * CLP_OFFSET : 0;
    long words = -taken;
    for (uint w = 0; w < CLP_PIECE_WORDS; w++) sum[w] = 0;
    for (uint b = 0; b < batches; b++) {
        clp_add_batch(io, at + b * (CLP_DEPTH * CLP_LANES), aligned, sum);
    }
    for (uint w = 0; w < CLP_PIECE_WORDS; w++) words += sum[w];
    CLP_A total = (CLP_A)words;
    for (uint r = batches * CLP_DEPTH; r * CLP_LANES < count; r++) {
        for (uint k = 0; k < CLP_OWN; k++) {
            const ulong i = at + r * CLP_LANES + k;
            if (i - first < count) total = clp_combine_values(total, clp_element(io, i));
        }
    }
    return total;
}
#elif CLP_COMMUTATIVE
/* Takes CLP_DEPTH rows from row r on; all loads come first. */
CLP_INLINE void clp_take_batch(const clp_io *io, ulong at, uint r, bool aligned, bool is_first,
                               clp_own_lanes *own) {
    clp_lane_vector vector[CLP_DEPTH * CLP_CHUNKS];
    const ulong from = at + r * CLP_LANES;
#pragma unroll
    for (uint v = 0; v < CLP_DEPTH * CLP_CHUNKS; v++) {
        clp_lane_load(&vector[v], io->in, from + v * CLP_STRIDE, aligned);
    }
#pragma unroll
    for (uint v = 0; v < CLP_DEPTH * CLP_CHUNKS; v++) {
        const uint row = v / CLP_CHUNKS, chunk = v % CLP_CHUNKS;
#pragma unroll
        for (uint j = 0; j < CLP_LANE_VEC; j++) {
            const CLP_A next = clp_vector_element(io, &vector[v], j, from + v * CLP_STRIDE);
            clp_lane_take(own, chunk * CLP_LANE_VEC + j, next, r + row, is_first && row == 0);
        }
    }
}

CLP_INLINE void clp_take_rows(const clp_io *io, ulong at, uint full, bool aligned,
                              clp_own_lanes *own) {
    if (full >= CLP_DEPTH) clp_take_batch(io, at, 0, aligned, true, own);
    for (uint r = CLP_DEPTH; r + CLP_DEPTH <= full; r += CLP_DEPTH) {
        clp_take_batch(io, at, r, aligned, false, own);
    }
}

/* Sets value[k] to the combination of the work-item's lane k of the block. */
CLP_INLINE void clp_own_lanes_of(const clp_io *io, ulong first, uint count, clp_value *value) {
    clp_own_lanes own;
    const uint t = clp_team_lane(), full = count / CLP_LANES;
    const ulong at = first + t * CLP_LANE_VEC;
    if (clp_lanes_are_aligned(io->in)) {
        clp_take_rows(io, at, full, true, &own);
    } else {
        clp_take_rows(io, at, full, false, &own);
    }
    /* The remaining rows, one by one; the last one may be short. */
    for (uint r = full / CLP_DEPTH * CLP_DEPTH; r * CLP_LANES < count; r++) {
#pragma unroll
        for (uint k = 0; k < CLP_OWN; k++) {
            const uint lane = k / CLP_LANE_VEC * CLP_STRIDE + k % CLP_LANE_VEC;
            const ulong i = at + r * CLP_LANES + lane;
            if (i - first < count) clp_lane_take(&own, k, clp_element(io, i), r, r == 0);
        }
    }
#pragma unroll
    for (uint k = 0; k < CLP_OWN; k++) {
#if CLP_ARG
        const uint lane = k / CLP_LANE_VEC * CLP_STRIDE + k % CLP_LANE_VEC;
        value[k].key = own.value[k];
        value[k].index = at + (ulong)own.row[k] * CLP_LANES + lane;
#else
        value[k] = own.value[k];
#endif
    }
}

#if CLP_OWN_FIRST
/* The combination of all the work-item's lanes of the block, whose first element is number
 * `first`. */
CLP_INLINE clp_value clp_own_elements(const clp_io *io, ulong first, uint count) {
    clp_value value[CLP_OWN];
    clp_own_lanes_of(io, first, count, value);
    return clp_fold_own(value, min(count, (uint)CLP_LANES));
}
#endif
#endif

/* The block's result, right for the team's work-item 0. */
#if CLP_OWN_FIRST
CLP_INLINE clp_value clp_elements_team(const clp_io *io, ulong first, uint count,
                                       local clp_value *exchange) {
    return clp_fold_totals(clp_own_elements(io, first, count), clp_real_items(count), exchange);
}
#elif CLP_COMMUTATIVE
CLP_INLINE clp_value clp_elements_team(const clp_io *io, ulong first, uint count,
                                       local clp_value *exchange) {
    clp_value value[CLP_OWN];
    clp_own_lanes_of(io, first, count, value);
    return clp_team_fold(value, min(count, (uint)CLP_LANES), exchange);
}
#else
/* Keeps the order of operands: each row is folded over the lanes before the next. The folds
 * exchange values in a loop, so the host takes this only where shuffles need no barrier. */
CLP_INLINE clp_value clp_elements_team(const clp_io *io, ulong first, uint count,
                                       local clp_value *exchange) {
    clp_value total;
    const uint t = clp_team_lane();
    const ulong at = first + t * CLP_LANE_VEC;
    const bool aligned = clp_lanes_are_aligned(io->in);
    for (uint r = 0; r * CLP_LANES < count; r++) {
        const uint real = min(count - r * CLP_LANES, (uint)CLP_LANES);
        clp_value value[CLP_OWN];
#pragma unroll
        for (uint c = 0; c < CLP_CHUNKS; c++) {
            const ulong i = at + r * CLP_LANES + c * CLP_STRIDE;
            if (real == CLP_LANES) {
                clp_lane_vector vector;
                clp_lane_load(&vector, io->in, i, aligned);
#pragma unroll
                for (uint j = 0; j < CLP_LANE_VEC; j++) {
                    value[c * CLP_LANE_VEC + j] = clp_vector_element(io, &vector, j, i);
                }
            } else {
#pragma unroll
                for (uint j = 0; j < CLP_LANE_VEC; j++) {
                    if (i + j - first < count) {
                        value[c * CLP_LANE_VEC + j] = clp_element(io, i + j);
                    }
                }
            }
        }
        const clp_value next = clp_team_fold(value, real, exchange);
        if (t == 0) {
            if (r > 0) total = clp_combine_values(total, next);
            if (r == 0) total = next;
        }
    }
    return total;
}
#endif
