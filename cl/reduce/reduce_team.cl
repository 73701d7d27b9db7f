/* SPDX-License-Identifier: MIT */
/*
 * Blocks that a team of 32 work-items combines. Work-item t has the lanes (32 c + t) CLP_LANE_VEC +
 * j for c below CLP_CHUNKS and j below CLP_LANE_VEC, so that it loads vectors, and the team loads
 * consecutive ones. Lanes exchange values by shuffles where a sub-group holds whole teams, else
 * through local memory.
 */
#define CLP_TEAM 32u
#define CLP_TEAMS (CLP_GROUP / 32)
#define CLP_OWN (CLP_CHUNKS * CLP_LANE_VEC) /* lanes of a work-item */
#define CLP_STRIDE (32 * CLP_LANE_VEC) /* lanes from a chunk to the next */

#if CLP_OWN * 32 != CLP_LANES
#error "reduce_team.cl: CLP_LANES is not what a team has"
#endif

/* ---- Exchange ---- */

#define CLP_TEAM_SHUFFLES (!CLP_SUBGROUP_IS_GROUP && CLP_SUBGROUP % 32 == 0)

#if CLP_TEAM_SHUFFLES
#define CLP_TEAM_EXCHANGE 1
#define CLP_VALUE_WORDS ((CLP_VALUE_BYTES + 3) / 4)

typedef union clp_value_split {
    clp_value value;
    uint words[CLP_VALUE_WORDS];
} clp_value_split;

static inline uint clp_team_lane(void) {
    return clp_lane() % CLP_TEAM;
}

static inline uint clp_team_number(void) {
    return clp_subgroup_number() * (CLP_SUBGROUP / CLP_TEAM) + clp_lane() / CLP_TEAM;
}

/* The value of the work-item that many above; the team's last ones get some value. All lanes come
 * here. */
static inline clp_value clp_from_above(clp_value value, uint distance) {
    const uint lane = clp_lane();
    const uint from = lane % CLP_TEAM + distance < CLP_TEAM ? lane + distance : lane;
    clp_value_split split;
    split.words[CLP_VALUE_WORDS - 1] = 0;
    split.value = value;
    for (uint w = 0; w < CLP_VALUE_WORDS; w++) {
        split.words[w] = clp_shuffle_word(split.words[w], from);
    }
    return split.value;
}
#else
static inline uint clp_team_lane(void) {
    return (uint)get_local_id(0) % CLP_TEAM;
}

static inline uint clp_team_number(void) {
    return (uint)get_local_id(0) / CLP_TEAM;
}
#endif

/* ---- The fold of a work-item's lanes and its team's ---- */

#if !CLP_TEAM_SHUFFLES
#if !CLP_COMMUTATIVE
#error "reduce_team.cl: an operator that need not commute takes shuffles"
#endif

/* Lanes that a team's work-items put side by side in local memory. */
#if CLP_EXACT
#define CLP_FOLDED 32u
#else
#define CLP_FOLDED CLP_LANES
#endif
#define CLP_TEAM_EXCHANGE (CLP_TEAMS * CLP_FOLDED)

#define CLP_FOLD_STEP(d)                                                                           \
    for (uint l = t; l < d && l + d < real; l += CLP_TEAM) {                                       \
        lane[l] = clp_combine_values(lane[l], lane[l + d]);                                        \
    }                                                                                              \
    barrier(CLK_LOCAL_MEM_FENCE); /* lanes written above, read by the next step */

/* Distances from half the lanes down to 1; lanes from `real` on have no value. */
static inline clp_value clp_fold_shared(local clp_value *lane, uint real) {
    const uint t = clp_team_lane();
    barrier(CLK_LOCAL_MEM_FENCE); /* lanes written before, read below */
#if !CLP_EXACT
    CLP_FOLD_STEP(64)
    CLP_FOLD_STEP(32)
#endif
    CLP_FOLD_STEP(16)
    CLP_FOLD_STEP(8)
    CLP_FOLD_STEP(4)
    CLP_FOLD_STEP(2)
    CLP_FOLD_STEP(1)
    return lane[0];
}
#endif

/* Own lanes first, where their order is free: fewer values are exchanged. */
CLP_INLINE clp_value clp_fold_own(const clp_value *value, uint real) {
    const uint t = clp_team_lane();
    clp_value total = value[0];
#pragma unroll
    for (uint k = 1; k < CLP_OWN; k++) {
        const uint lane = k / CLP_LANE_VEC * CLP_STRIDE + t * CLP_LANE_VEC + k % CLP_LANE_VEC;
        if (lane < real) total = clp_combine_values(total, value[k]);
    }
    return total;
}

#if !CLP_TEAM_SHUFFLES && CLP_EXACT
/* Of what the lanes of each work-item come to. */
CLP_INLINE clp_value clp_fold_totals(clp_value total, uint real, local clp_value *exchange) {
    local clp_value *const lane = exchange + clp_team_number() * CLP_FOLDED;
    lane[clp_team_lane()] = total;
    return clp_fold_shared(lane, (real + CLP_LANE_VEC - 1) / CLP_LANE_VEC);
}
#elif !CLP_TEAM_SHUFFLES
CLP_INLINE clp_value clp_team_fold(clp_value *value, uint real, local clp_value *exchange) {
    local clp_value *const lane = exchange + clp_team_number() * CLP_FOLDED;
#pragma unroll
    for (uint k = 0; k < CLP_OWN; k++) {
        lane[k / CLP_LANE_VEC * CLP_STRIDE + clp_team_lane() * CLP_LANE_VEC + k % CLP_LANE_VEC] =
            value[k];
    }
    return clp_fold_shared(lane, real);
}
#elif CLP_EXACT && CLP_COMMUTATIVE
CLP_INLINE clp_value clp_fold_totals(clp_value total, uint real, local clp_value *exchange) {
    const uint t = clp_team_lane();
#define CLP_EXACT_STEP(d)                                                                          \
    {                                                                                              \
        const clp_value above = clp_from_above(total, d);                                          \
        if (t < d && (t + d) * CLP_LANE_VEC < real) total = clp_combine_values(total, above);      \
    }
    CLP_EXACT_STEP(16)
    CLP_EXACT_STEP(8)
    CLP_EXACT_STEP(4)
    CLP_EXACT_STEP(2)
    CLP_EXACT_STEP(1)
    return total;
}
#elif CLP_COMMUTATIVE
/* Distances from half the lanes down to 1; lanes from `real` on have no value. */
CLP_INLINE clp_value clp_team_fold(clp_value *value, uint real, local clp_value *exchange) {
    const uint t = clp_team_lane();
#pragma unroll
    for (uint h = CLP_CHUNKS / 2; h > 0; h /= 2) {
#pragma unroll
        for (uint k = 0; k < h * CLP_LANE_VEC; k++) {
            const uint lane = k / CLP_LANE_VEC * CLP_STRIDE + t * CLP_LANE_VEC + k % CLP_LANE_VEC;
            if (lane + h * CLP_STRIDE < real) {
                value[k] = clp_combine_values(value[k], value[k + h * CLP_LANE_VEC]);
            }
        }
    }
#define CLP_LANES_STEP(d)                                                                          \
    for (uint j = 0; j < CLP_LANE_VEC; j++) {                                                      \
        const clp_value above = clp_from_above(value[j], d);                                       \
        if (t < d && (t + d) * CLP_LANE_VEC + j < real)                                            \
            value[j] = clp_combine_values(value[j], above);                                        \
    }
    CLP_LANES_STEP(16)
    CLP_LANES_STEP(8)
    CLP_LANES_STEP(4)
    CLP_LANES_STEP(2)
    CLP_LANES_STEP(1)
#pragma unroll
    for (uint h = CLP_LANE_VEC / 2; h > 0; h /= 2) {
#pragma unroll
        for (uint j = 0; j < h; j++) {
            if (t * CLP_LANE_VEC + j + h < real)
                value[j] = clp_combine_values(value[j], value[j + h]);
        }
    }
    return value[0];
}
#else
/* Neighbours first, then distances up to half the lanes. */
CLP_INLINE clp_value clp_team_fold(clp_value *value, uint real, local clp_value *exchange) {
    const uint t = clp_team_lane();
#pragma unroll
    for (uint c = 0; c < CLP_CHUNKS; c++) {
        const uint first = c * CLP_STRIDE + t * CLP_LANE_VEC;
        clp_value *const own = value + c * CLP_LANE_VEC;
#pragma unroll
        for (uint h = 1; h < CLP_LANE_VEC; h *= 2) {
#pragma unroll
            for (uint j = 0; j + h < CLP_LANE_VEC; j += 2 * h) {
                if (first + j + h < real) own[j] = clp_combine_values(own[j], own[j + h]);
            }
        }
#pragma unroll
        for (uint d = 1; d < CLP_TEAM; d *= 2) {
            const clp_value above = clp_from_above(own[0], d);
            if (t % (2 * d) == 0 && first + d * CLP_LANE_VEC < real) {
                own[0] = clp_combine_values(own[0], above);
            }
        }
    }
#pragma unroll
    for (uint h = 1; h < CLP_CHUNKS; h *= 2) {
#pragma unroll
        for (uint c = 0; c + h < CLP_CHUNKS; c += 2 * h) {
            if ((c + h) * CLP_STRIDE < real) {
                value[c * CLP_LANE_VEC] =
                    clp_combine_values(value[c * CLP_LANE_VEC], value[(c + h) * CLP_LANE_VEC]);
            }
        }
    }
    return value[0];
}
#endif

#if CLP_EXACT && CLP_COMMUTATIVE
CLP_INLINE clp_value clp_team_fold(clp_value *value, uint real, local clp_value *exchange) {
    return clp_fold_totals(clp_fold_own(value, real), real, exchange);
}
#endif

/* ---- Rows of elements ---- */

/* What a work-item loads at once. */
#if CLP_LANE_VEC * CLP_E_BYTES == 16
#define CLP_LOADS_VECTORS 1
typedef uint4 clp_lane_piece;
#define CLP_LOAD_PIECE(from) clp_load_stream(from)
#elif CLP_LANE_VEC * CLP_E_BYTES == 8
#define CLP_LOADS_VECTORS 1
typedef uint2 clp_lane_piece;
#define CLP_LOAD_PIECE(from) (*(from))
#elif CLP_LANE_VEC * CLP_E_BYTES == 4
#define CLP_LOADS_VECTORS 1
typedef uint clp_lane_piece;
#define CLP_LOAD_PIECE(from) (*(from))
#else
#define CLP_LOADS_VECTORS 0
#endif

typedef union clp_lane_vector {
    CLP_E element[CLP_LANE_VEC];
#if CLP_LOADS_VECTORS
    clp_lane_piece piece;
#endif
} clp_lane_vector;

/* A work-item's lanes: what they come to, and of which row the best is. */
typedef struct clp_own_lanes {
    CLP_A value[CLP_OWN];
#if CLP_ARG
    uint row[CLP_OWN];
#endif
} clp_own_lanes;

/* Takes the next value of lane k; is_first: there is none before. */
CLP_INLINE void clp_lane_take(clp_own_lanes *own, uint k, CLP_A next, uint row, bool is_first) {
#if CLP_ARG
    const bool better = is_first || clp_is_better(next, own->value[k]);
    own->value[k] = better ? next : own->value[k];
    own->row[k] = better ? row : own->row[k];
#else
    own->value[k] = is_first ? next : clp_combine_values(own->value[k], next);
#endif
}

/* The value of the element of lane k that is j-th of the vector, from element i of the input on. */
CLP_INLINE CLP_A clp_vector_element(const clp_io *io, const clp_lane_vector *vector, uint j,
                                    ulong i) {
#if CLP_INPUTS == 0
    return clp_input(i + j CLP_USER(io));
#else
    return clp_input(vector->element[j], i + j CLP_USER(io));
#endif
}

/* The vector of a full row. */
CLP_INLINE void clp_lane_load(clp_lane_vector *vector, const global CLP_E *in, ulong i,
                              bool aligned) {
#if CLP_INPUTS > 0
#if CLP_LOADS_VECTORS
    if (aligned) {
        vector->piece = CLP_LOAD_PIECE((const global clp_lane_piece *)(in + i));
        return;
    }
#endif
    for (uint j = 0; j < CLP_LANE_VEC; j++) vector->element[j] = in[i + j];
#endif
}

static inline bool clp_lanes_are_aligned(const global CLP_E *in) {
    return (ulong)in % (CLP_LANE_VEC * CLP_E_BYTES) == 0;
}

/* ---- A block of the first level ---- */

/* The team's block, of which element 0 is number `first` of the input. Right for work-item 0. */
#if CLP_NARROW_SUMS
/* Bytes or halves, summed within words: a block's sum fits 32 bits. Signed ones get an offset that
 * makes them unsigned. */
#if CLP_E_BYTES == 1
#define CLP_OFFSETS_OF_WORD 0x80808080u
#define CLP_OFFSET 0x80
#define CLP_ADD_WORD(sum, word) clp_add_bytes(sum, word)
#else
#define CLP_OFFSETS_OF_WORD 0x80008000u
#define CLP_OFFSET 0x8000
#define CLP_ADD_WORD(sum, word) clp_add_halves(sum, word)
#endif

typedef union clp_piece_words {
    clp_lane_piece piece;
    uint word[4];
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
        for (uint w = 0; w < 4; w++) {
            sum[w] = CLP_ADD_WORD(sum[w], words.word[w] ^ (CLP_SIGNED ? CLP_OFFSETS_OF_WORD : 0));
        }
    }
}

CLP_INLINE clp_value clp_elements_team(const clp_io *io, ulong first, uint count,
                                       local clp_value *exchange) {
    uint sum[4] = {0, 0, 0, 0};
    const uint t = clp_team_lane(), full = count / CLP_LANES;
    const uint batches = full / CLP_DEPTH;
    const ulong at = first + t * CLP_LANE_VEC;
    const bool aligned = clp_lanes_are_aligned(io->in);
    for (uint b = 0; b < batches; b++) {
        clp_add_batch(io, at + b * (CLP_DEPTH * CLP_LANES), aligned, sum);
    }
    const long taken = CLP_SIGNED ? (long)(batches * CLP_DEPTH * CLP_LANE_VEC) * CLP_OFFSET : 0;
    CLP_A total = (CLP_A)((long)(sum[0] + sum[1] + sum[2] + sum[3]) - taken);
    for (uint r = batches * CLP_DEPTH; r * CLP_LANES < count; r++) {
        for (uint k = 0; k < CLP_OWN; k++) {
            const ulong i = at + r * CLP_LANES + k;
            if (i - first < count) total = clp_combine_values(total, clp_element(io, i));
        }
    }
    return clp_fold_totals(total, min(count, (uint)CLP_LANES), exchange);
}
#elif CLP_COMMUTATIVE
/* CLP_DEPTH rows from row r on, of which all loads come first. */
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

CLP_INLINE clp_value clp_elements_team(const clp_io *io, ulong first, uint count,
                                       local clp_value *exchange) {
    clp_own_lanes own;
    clp_value value[CLP_OWN];
    const uint t = clp_team_lane(), full = count / CLP_LANES;
    const ulong at = first + t * CLP_LANE_VEC;
    if (clp_lanes_are_aligned(io->in)) {
        clp_take_rows(io, at, full, true, &own);
    } else {
        clp_take_rows(io, at, full, false, &own);
    }
    /* The rows that are left, one by one; the last one may be short. */
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
    return clp_team_fold(value, min(count, (uint)CLP_LANES), exchange);
}
#else
/* Rows are folded one by one, in a loop: only where exchanges may stand in one. */
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
