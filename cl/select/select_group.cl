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
 * Steps for each array or row are macros because they write the caller's variables, and arrays of
 * registers must be indexed by constants.
 */

/* ---- Reading ---- */

/* Returns the bits of the chunk that begins at element i; its first `real` elements exist. */
static inline uint clp_bits_at(const clp_io *io, ulong i, uint real) {
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

static inline void clp_read_rows(const clp_io *io, ulong first, uint count, clp_rows *rows) {
#define CLP_READ_CHUNK(k) rows->chunk##k[row] = clp_chunk_at##k(io->in##k + first + start, real);
#if CLP_VALUES
#define CLP_READ_CHUNKS CLP_EACH_ARRAY(CLP_READ_CHUNK)
#else
#define CLP_READ_CHUNKS
#endif
/* Where values decide and are written too, the predicate takes the values in registers. */
#if CLP_BY_VALUE && CLP_VALUES
#define CLP_CHUNK_BITS clp_bits_of_values(io, rows->chunk0[row].element, first + start, real)
#else
#define CLP_CHUNK_BITS clp_bits_at(io, first + start, real)
#endif
#define CLP_READ_ROW(r)                                                                            \
    {                                                                                              \
        const uint row = r, start = clp_chunk_start(row);                                          \
        const uint real = clamp(count, start, start + CLP_VEC) - start;                            \
        CLP_READ_CHUNKS                                                                            \
        rows->bits[row] = CLP_CHUNK_BITS;                                                          \
    }
/* A plain tile has a path of its own, which issues all loads before it uses one. Rows that each
 * test whether they are whole make the loads serial: 8.6 us instead of 7.9 for 2^20 on an H200. */
#define CLP_PLAIN_CHUNK(k) rows->chunk##k[row] = clp_whole_chunk_at##k(io->in##k + first + start);
#if CLP_VALUES
#define CLP_PLAIN_CHUNKS CLP_EACH_ARRAY(CLP_PLAIN_CHUNK)
#else
#define CLP_PLAIN_CHUNKS
#endif
#if (CLP_BY_VALUE || CLP_BY_RUNS) && CLP_VALUES
#define CLP_PLAIN_DECIDING deciding[row] = rows->chunk0[row];
#elif CLP_BY_VALUE || CLP_BY_RUNS
#define CLP_PLAIN_DECIDING deciding[row] = clp_whole_chunk_at0(io->in0 + first + start);
#else
#define CLP_PLAIN_DECIDING
#endif
#define CLP_LOAD_PLAIN_ROW(r)                                                                      \
    {                                                                                              \
        const uint row = r, start = clp_chunk_start(row);                                          \
        CLP_PLAIN_CHUNKS                                                                           \
        CLP_PLAIN_DECIDING                                                                         \
    }
#define CLP_PLAIN_ROW_BITS(r)                                                                      \
    rows->bits[r] = clp_plain_bits(io, &deciding[r], first + clp_chunk_start(r));
    if (CLP_LIKELY(clp_is_plain(io, first, count))) {
        clp_chunk_deciding deciding[CLP_ROWS];
        CLP_EACH_ROW(CLP_LOAD_PLAIN_ROW)
        CLP_EACH_ROW(CLP_PLAIN_ROW_BITS)
        return;
    }
    CLP_EACH_ROW(CLP_READ_ROW)
}

/* Puts the kept elements side by side in local memory. A partition's rejected elements follow them,
 * in order. kept: the number of the tile's kept elements. before: that of earlier segments. */
static inline void clp_stage_rows(const clp_rows *rows, uint count, uint kept, uint before,
                                  local clp_shared *shared) {
#define CLP_STAGE_ELEMENT(k) shared->array##k[to] = rows->chunk##k[row].element[j];
#if CLP_VALUES
#define CLP_STAGE_ELEMENTS CLP_EACH_ARRAY(CLP_STAGE_ELEMENT)
#else
#define CLP_STAGE_ELEMENTS
#endif
#if CLP_PLACES
#define CLP_STAGE_PLACE                                                                            \
    if (keeps) shared->place[to] = (ushort)(start + j);
#else
#define CLP_STAGE_PLACE
#endif
#define CLP_STAGE_ROW(r)                                                                           \
    {                                                                                              \
        const uint row = r, start = clp_chunk_start(row);                                          \
        uint next = before + rows->at[row];                                                        \
        for (uint j = 0; j < CLP_VEC; j++) {                                                       \
            const bool keeps = (rows->bits[row] >> j & 1) != 0;                                    \
            const uint to = keeps ? next : kept + (start + j - next);                              \
            if (keeps || (CLP_PARTITION && start + j < count)) {                                   \
                CLP_ASSERT(to < CLP_TILE);                                                         \
                CLP_STAGE_ELEMENTS                                                                 \
                CLP_STAGE_PLACE                                                                    \
            }                                                                                      \
            next += keeps;                                                                         \
        }                                                                                          \
    }
    CLP_EACH_ROW(CLP_STAGE_ROW)
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
