/* SPDX-License-Identifier: MIT */
/*
 * Selection with one tile a work-group: how the tile is read, staged and stored. The kernels are in
 * select_lookback.cl (look-back or levels) and select_single_wave.cl.
 *
 * Local memory (clp_shared): the kept elements side by side, and their positions in the tile if
 * indices or lengths are written; a count for each segment; the prefix and the number of the tile.
 *
 * Except by levels, the tile is in registers before its aggregate is published. A later tile stores
 * only when it has that aggregate, so the output may overwrite the input. This file waits for no
 * other work-group.
 *
 * Steps for each array are macros (select_chunks.cl), which write the caller's variables.
 */

/* ---- Reading ---- */

/* Returns the bits of the chunk that begins at element i; its first `real` elements exist. */
CLP_INLINE uint clp_bits_at(const clp_io *io, ulong i, uint real) {
    uint bits = 0;
    for (uint j = 0; j < CLP_VEC; j++) {
        if (j < real) bits |= (uint)clp_keeps(io, i + j) << j;
    }
    return bits;
}

#define CLP_CHUNK_AT(k)                                                                            \
    static inline clp_chunk##k clp_chunk_at##k(const global clp_t##k *from, uint real) {           \
        clp_chunk##k chunk;                                                                        \
        if (CLP_IS_QUADS(k) && real == CLP_VEC && ((ulong)from & 15) == 0) {                       \
            for (uint q = 0; q < CLP_VEC * sizeof(clp_t##k) / 16; q++) {                           \
                chunk.quad[q] = clp_load_stream((const global uint4 *)from + q);                   \
            }                                                                                      \
            return chunk;                                                                          \
        }                                                                                          \
        for (uint j = 0; j < CLP_VEC; j++) {                                                       \
            if (j < real) chunk.element[j] = from[j];                                              \
        }                                                                                          \
        return chunk;                                                                              \
    }
CLP_EACH_ARRAY(CLP_CHUNK_AT)

/* Reads a whole chunk, which is aligned if it consists of quads: a load without conditions. */
#define CLP_WHOLE_CHUNK_AT(k)                                                                      \
    static inline clp_chunk##k clp_whole_chunk_at##k(const global clp_t##k *from) {                \
        clp_chunk##k chunk;                                                                        \
        if (CLP_IS_QUADS(k)) {                                                                     \
            for (uint q = 0; q < CLP_VEC * sizeof(clp_t##k) / 16; q++) {                           \
                chunk.quad[q] = clp_load_stream((const global uint4 *)from + q);                   \
            }                                                                                      \
        } else {                                                                                   \
            for (uint j = 0; j < CLP_VEC; j++) chunk.element[j] = from[j];                         \
        }                                                                                          \
        return chunk;                                                                              \
    }
CLP_EACH_ARRAY(CLP_WHOLE_CHUNK_AT)

/* Whether the tile is full and every array's part of it is aligned to 16 bytes. */
static inline bool clp_is_plain(const clp_io *io, ulong first, uint count) {
    ulong places = CLP_BY_FLAGS && CLP_VEC % 4 == 0 ? 4 * (ulong)(io->flags + first) : 0;
#define CLP_ADD_PLACE(k)                                                                           \
    if (CLP_IS_QUADS(k)) places |= (ulong)(io->in##k + first);
    CLP_EACH_ARRAY(CLP_ADD_PLACE)
    return count == CLP_TILE && (places & 15) == 0;
}

#if CLP_BY_VALUE || CLP_BY_RUNS
typedef clp_chunk0 clp_chunk_deciding;
#else
typedef uint clp_chunk_deciding; /* none */
#endif

/* Returns the bits of a chunk of a plain tile. x: the chunk of array 0, if its values decide. */
static inline uint clp_plain_bits(const clp_io *io, const clp_chunk_deciding *x, ulong i) {
    uint bits = 0;
#if CLP_BY_FLAGS && CLP_VEC % 4 == 0
    const global uint *words = (const global uint *)(io->flags + i);
    for (uint j = 0; j < CLP_VEC; j += 4) bits |= clp_bits_of_bytes(words[j / 4]) << j;
#elif CLP_BY_VALUE
    bits = clp_bits_of_values(io, x->element, i, CLP_VEC);
#elif CLP_BY_RUNS
    const clp_t0 before = io->in0[i > 0 ? i - 1 : 0];
    bits = i == 0 || !clp_same(before, x->element[0] CLP_USER(io)) ? 1 : 0;
    for (uint j = 1; j < CLP_VEC; j++) {
        bits |= (uint)!clp_same(x->element[j - 1], x->element[j] CLP_USER(io)) << j;
    }
#else
    bits = clp_bits_at(io, i, CLP_VEC);
#endif
    return bits;
}

/* The aggregate of a full tile, by the work-items that look back; for the fallback of lookback.cl.
 */
static inline CLP_A clp_tile_reduce_single(const clp_io *io, ulong number, ulong n,
                                           local CLP_A *exchange) {
    const uint lanes = CLP_WINDOW == 1 ? 1 : CLP_SUBGROUP;
    CLP_A total = clp_padding();
    for (uint k = CLP_WINDOW == 1 ? 0 : clp_lane(); k < CLP_TILE; k += lanes) {
        const ulong i = number * CLP_TILE + k;
        if (clp_keeps(io, i)) total = clp_op(total, clp_kept(1, i + 1));
    }
#if CLP_WINDOW > 1
    total = clp_shuffle(clp_subgroup_scan(total, true, exchange), CLP_SUBGROUP - 1, exchange);
#endif
    return total;
}

/* ---- The tile ---- */

#define CLP_ROWS_MEMBER(k) clp_chunk##k chunk##k[CLP_ROWS];
#define CLP_STAGED_MEMBER(k) clp_t##k array##k[CLP_TILE];

/* A lane's chunks, one of each row. */
typedef struct clp_rows {
    uint bits[CLP_ROWS];
    uint at[CLP_ROWS]; /* the number of kept elements of the segment before the chunk */
#if CLP_VALUES
    CLP_EACH_ARRAY(CLP_ROWS_MEMBER)
#endif
} clp_rows;

typedef struct clp_shared {
#if CLP_VALUES
    CLP_EACH_ARRAY(CLP_STAGED_MEMBER) /* kept elements, then the rejected ones of a partition */
#endif
#if CLP_PLACES
    ushort place[CLP_TILE]; /* positions in the tile of the kept elements */
#endif
    CLP_A exchange[CLP_EXCHANGE];
    uint kept[CLP_SUBGROUPS]; /* the number of kept elements of each segment */
    CLP_A prefix; /* of the tile */
    uint number;
} clp_shared;

static inline uint clp_chunk_start(uint row) {
    return clp_subgroup_number() * CLP_SEGMENT + row * CLP_ROW + clp_lane() * CLP_VEC;
}

/* Whether array k's values decide what is kept. */
#define CLP_DECIDES(k) (k == 0 && (CLP_BY_VALUE || CLP_BY_RUNS))

/* Reads a plain tile, without the values that do not decide unless it is stored: all loads are
 * issued before one is used. Rows that each test whether they are whole make the loads serial: 8.6
 * us instead of 7.9 for 2^20 on an H200. */
static inline void clp_read_plain_rows(const clp_io *io, ulong first, bool stores, clp_rows *rows) {
    clp_chunk_deciding deciding[CLP_ROWS];
#define CLP_PLAIN_CHUNK(k)                                                                         \
    if (stores || CLP_DECIDES(k)) rows->chunk##k[r] = clp_whole_chunk_at##k(io->in##k + at);
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        const ulong at = first + clp_chunk_start(r);
#if CLP_VALUES
        CLP_EACH_ARRAY(CLP_PLAIN_CHUNK)
#endif
#if (CLP_BY_VALUE || CLP_BY_RUNS) && CLP_VALUES
        deciding[r] = rows->chunk0[r];
#elif CLP_BY_VALUE || CLP_BY_RUNS
        deciding[r] = clp_whole_chunk_at0(io->in0 + at);
#endif
    }
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        rows->bits[r] = clp_plain_bits(io, &deciding[r], first + clp_chunk_start(r));
    }
}

static inline void clp_read_rows(const clp_io *io, ulong first, uint count, bool stores,
                                 clp_rows *rows) {
    if (CLP_LIKELY(clp_is_plain(io, first, count))) {
        clp_read_plain_rows(io, first, stores, rows);
        return;
    }
#define CLP_READ_CHUNK(k) rows->chunk##k[r] = clp_chunk_at##k(io->in##k + first + start, real);
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        const uint start = clp_chunk_start(r);
        const uint real = clamp(count, start, start + CLP_VEC) - start;
#if CLP_VALUES
        CLP_EACH_ARRAY(CLP_READ_CHUNK)
#endif
#if CLP_BY_VALUE && CLP_VALUES /* the predicate takes the values in registers */
        rows->bits[r] = clp_bits_of_values(io, rows->chunk0[r].element, first + start, real);
#else
        rows->bits[r] = clp_bits_at(io, first + start, real);
#endif
    }
}

/* Puts the kept elements side by side in local memory. A partition's rejected elements follow them,
 * in order. kept: the number of the tile's kept elements. before: that of earlier segments. */
static inline void clp_stage_rows(const clp_rows *rows, uint count, uint kept, uint before,
                                  local clp_shared *shared) {
#define CLP_STAGE_ELEMENT(k) shared->array##k[to] = rows->chunk##k[r].element[j];
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        const uint start = clp_chunk_start(r);
        uint next = before + rows->at[r];
        for (uint j = 0; j < CLP_VEC; j++) {
            const bool keeps = (rows->bits[r] >> j & 1) != 0;
            const uint to = keeps ? next : kept + (start + j - next);
            if (keeps || (CLP_PARTITION && start + j < count)) {
                CLP_ASSERT(to < CLP_TILE);
#if CLP_VALUES
                CLP_EACH_ARRAY(CLP_STAGE_ELEMENT)
#endif
#if CLP_PLACES
                if (keeps) shared->place[to] = (ushort)(start + j);
#endif
            }
            next += keeps;
        }
    }
}

/* Stores the staged elements. Rejected element j of the tile goes behind all kept elements and
 * behind the rejected ones of earlier tiles, of which there are first - at. */
static inline void clp_copy_out(const clp_io *io, ulong first, uint count, uint kept, CLP_A before,
                                const local clp_shared *shared) {
    const uint item = (uint)get_local_id(0);
    const ulong at = clp_count_of(before);
#define CLP_COPY_KEPT(k)                                                                           \
    for (uint q = item; q < fitting; q += CLP_GROUP) io->out##k[at + q] = shared->array##k[q];
#define CLP_COPY_REJECTED(k)                                                                       \
    for (uint q = kept + item; q < count; q += CLP_GROUP) {                                        \
        io->out##k[io->total + first - at + (q - kept)] = shared->array##k[q];                     \
    }
#if CLP_VALUES
    const uint fitting = clp_fitting(io, at, kept);
    CLP_EACH_ARRAY(CLP_COPY_KEPT)
#endif
#if CLP_PARTITION
    CLP_EACH_ARRAY(CLP_COPY_REJECTED)
#endif
#if CLP_PLACES
    for (uint q = item; q < kept; q += CLP_GROUP) {
        clp_place_out(io, first, shared->place, q, at + q, before);
    }
#endif
}
