/* SPDX-License-Identifier: MIT */
/*
 * Selection by look-ahead: how the loader fills a stage with a tile, and how reducers find the bits
 * of the kept elements there. select_stages.cl has the layout in local memory; lookahead.cl says
 * who waits for whom.
 *
 * Functions for each array are macros because their types, and address spaces with them, differ by
 * array.
 */

/* ---- Filling a stage ---- */

/* Starts the copies of a tile into a stage. They copy whole aligned chunks of 16 bytes, so the
 * first and the last one may hold elements of neighbouring tiles. The mbarrier must know the number
 * of bytes before the copies start. ahead: only prefetches the chunks into the cache. */
static inline void clp_fetch_tile(const clp_io *io, uint number, ulong n, bool ahead,
                                  local ulong *mbarrier, local uint4 *stage) {
    const ulong first = (ulong)number * CLP_TILE;
    const uint count = (uint)min((ulong)CLP_TILE, n - first);
    const uint lead = number > 0 ? CLP_LEAD : 0; /* chunks before array 0 */
    const ulong flags = (ulong)io->flags + (CLP_BY_BITS ? first / 8 : first);
    const ulong flags_end = flags + (CLP_BY_BITS ? (io->shift + count + 7) / 8 : count);
    uint bytes = 0;
#define CLP_FROM(k) (clp_floor_16((ulong)(io->in##k + first)) - (k == 0 ? 16 * lead : 0))
#define CLP_SPAN_OF(k) clp_span(CLP_FROM(k), (ulong)(io->in##k + first + count))
#define CLP_EXPECT_ARRAY(k) bytes += CLP_SPAN_OF(k);
#define CLP_CHUNK_OF(k)                                                                            \
    (CLP_REGION_##k + clp_region_chunk((ulong)(io->in##k + first)) - (k == 0 ? lead : 0))
#define CLP_FETCH_ARRAY(k)                                                                         \
    clp_fetch(ahead, mbarrier, stage + CLP_CHUNK_OF(k), (const global void *)CLP_FROM(k),          \
              CLP_SPAN_OF(k));
    CLP_EACH_ARRAY(CLP_EXPECT_ARRAY)
    if (CLP_FLAG_CHUNKS > 0) bytes += clp_span(flags, flags_end);
    if (count == 0) bytes = 0;
    if (!ahead) clp_copies_expect(mbarrier, bytes);
    if (bytes > 0) {
        CLP_EACH_ARRAY(CLP_FETCH_ARRAY)
    }
    if (CLP_FLAG_CHUNKS > 0 && bytes > 0) {
        clp_fetch(ahead, mbarrier, stage + CLP_REGION_FLAGS + clp_region_chunk(flags),
                  (const global void *)clp_floor_16(flags), clp_span(flags, flags_end));
    }
    if (!ahead) clp_copies_end(mbarrier);
}

/* ---- Reading a stage ---- */

/* A tile in a stage. */
typedef struct clp_view {
    const clp_io *io;
    local uint4 *stage;
    ulong first;
    uint count;
    bool aligned; /* every tile of every array begins at a multiple of 16 bytes */
    bool whole; /* aligned, and the tile is full */
} clp_view;

static inline clp_view clp_view_of(const clp_job *job, local clp_ring *ring, uint stage) {
    const clp_io *io = job->io;
    const uint number = ring->number[stage];
    clp_view view = {io, ring->data[clp_data_of(stage)], (ulong)number * CLP_TILE, 0, false, false};
    ulong places = CLP_BY_FLAGS ? (ulong)io->flags : 0;
    view.count = clp_count_in(job, number);
#define CLP_ADD_PLACE(k) places |= (ulong)io->in##k;
    CLP_EACH_ARRAY(CLP_ADD_PLACE)
    view.aligned = (places & 15) == 0;
    view.whole = view.aligned && view.count == CLP_TILE;
    return view;
}

#define CLP_REGION_POINTER(k)                                                                      \
    static inline local clp_t##k *clp_region##k(const clp_view *view) {                            \
        return (local clp_t##k *)((local uchar *)(view->stage + CLP_REGION_##k) +                  \
                                  ((ulong)(view->io->in##k + view->first) & 127));                 \
    }
CLP_EACH_ARRAY(CLP_REGION_POINTER)

static inline const local uchar *clp_flag_region(const clp_view *view) {
    const ulong flags = (ulong)view->io->flags + (CLP_BY_BITS ? view->first / 8 : view->first);
    return (const local uchar *)(view->stage + CLP_REGION_FLAGS) + (flags & 127);
}

/* Reads a chunk at any address. Narrow elements are read as words: bytes would take a register
 * each. */
#define CLP_LOOSE_CHUNK(k)                                                                         \
    static inline clp_chunk##k clp_loose_chunk##k(const local clp_t##k *from) {                    \
        clp_chunk##k chunk;                                                                        \
        if (CLP_HAS_PERMUTES && CLP_IS_QUADS(k)) {                                                 \
            const uint bits = (clp_local_address(from) & 3) * 8;                                   \
            const local uint *words = (const local uint *)((const local uchar *)from - bits / 8);  \
            chunk.quad[0].x = clp_word_at(words, 0, bits);                                         \
            chunk.quad[0].y = clp_word_at(words, 1, bits);                                         \
            chunk.quad[0].z = clp_word_at(words, 2, bits);                                         \
            chunk.quad[0].w = clp_word_at(words, 3, bits);                                         \
            return chunk;                                                                          \
        }                                                                                          \
        for (uint j = 0; j < CLP_VEC; j++) chunk.element[j] = from[j];                             \
        return chunk;                                                                              \
    }
CLP_EACH_ARRAY(CLP_LOOSE_CHUNK)

/* Sets bit j if `yes`. For many bits, NVIDIA's compiler makes shorter code from shifted bits than
 * from predicates. */
static inline uint clp_with_bit(uint bits, uint j, bool yes) {
#if CLP_VEC > 4
    return bits | (uint)yes << j;
#else
    return clp_with_bit_if(bits, j, yes);
#endif
}

#if CLP_BY_VALUE
/* The bits of a chunk's first `real` elements; it begins at element `start` of the tile. */
static inline uint clp_chunk_bits(const clp_view *view, const clp_chunk0 *chunk, uint start,
                                  uint real) {
#if CLP_TESTS_WORDS
    return clp_test_chunk(chunk->quad[0]) & ((1u << real) - 1);
#else
    const ulong i = view->first + start;
    uint bits = 0;
#if CLP_VEC > 4
    /* 1, since no output has room for 2^63 elements; the compiler can't know it. Two sums, of bits
     * in turn, halve the chain of dependent additions. */
    const uint one = (uint)(view->io->room >> 63) + 1;
    uint odd = 0;
#pragma unroll
    for (uint j = 0; j < CLP_VEC; j++) {
        if (j < real) {
            const bool keeps = clp_keep(chunk->element[j], i + j CLP_USER(view->io));
            if ((j & 4) == 0) bits = clp_add_if(bits, one, 1u << j, keeps);
            if ((j & 4) != 0) odd = clp_add_if(odd, one, 1u << j, keeps);
        }
    }
    return bits + odd;
#else
#pragma unroll
    for (uint j = 0; j < CLP_VEC; j++) {
        if (j < real)
            bits = clp_with_bit_if(bits, j, clp_keep(chunk->element[j], i + j CLP_USER(view->io)));
    }
    return bits;
#endif
#endif
}
#endif

/* The element before a lane's next chunk: the last one of the chunk before, since a lane's chunks
 * are adjacent. It saves a read of local memory for each chunk. */
typedef struct clp_run {
#if CLP_BY_RUNS
    clp_t0 previous;
#endif
    bool has_previous;
} clp_run;

static inline clp_run clp_run_at(const clp_view *view, uint start) {
    clp_run run;
    run.has_previous = view->first + start > 0;
#if CLP_BY_RUNS
    run.previous = clp_region0(view)[(int)start - 1]; /* for element 0 of the array: not used */
#endif
    return run;
}

/* Returns the bits of the first `real` elements of the chunk that begins at element `start` of the
 * tile. aligned: the chunk of array 0, or of the flags, may be read as words. */
static inline uint clp_staged_bits(const clp_view *view, uint start, uint real, bool aligned,
                                   clp_run *run) {
    uint bits = 0;
#if CLP_BY_FLAGS
    const local uchar *flags = clp_flag_region(view) + start;
    if (aligned && CLP_VEC % 4 == 0) {
        for (uint j = 0; j < CLP_VEC; j += 4) {
            bits |= clp_bits_of_bytes(*(const local uint *)(flags + j)) << j;
        }
        return bits;
    }
    for (uint j = 0; j < CLP_VEC; j++) {
        if (j < real) bits |= (uint)(flags[j] != 0) << j;
    }
#elif CLP_BY_BITS
    const uint at = view->io->shift + start;
    const local uchar *flags = clp_flag_region(view) + at / 8;
    bits = (flags[0] | flags[1] << 8 | flags[2] << 16) >> at % 8 & ((1u << real) - 1);
#else
    const local clp_t0 *x = clp_region0(view) + start;
    clp_chunk0 chunk;
    if (aligned && CLP_TESTS_WORDS) {
        chunk.quad[0] = clp_load_quad((const local uint4 *)x);
    } else if (aligned && CLP_IS_QUADS(0)) {
        for (uint q = 0; q < CLP_VEC * sizeof(clp_t0) / 16; q++) {
            chunk.quad[q] = clp_load_quad((const local uint4 *)x + q);
        }
    } else {
        chunk = clp_loose_chunk0(x);
    }
#if CLP_BY_RUNS
    bits = !run->has_previous && real > 0 ? 1 : 0;
    if (run->has_previous && real > 0) {
        bits = clp_with_bit(bits, 0, !clp_same(run->previous, chunk.element[0] CLP_USER(view->io)));
    }
#pragma unroll
    for (uint j = 1; j < CLP_VEC; j++) {
        if (j < real)
            bits = clp_with_bit(
                bits, j, !clp_same(chunk.element[j - 1], chunk.element[j] CLP_USER(view->io)));
    }
    run->previous = chunk.element[CLP_VEC - 1];
    run->has_previous = true;
#else
    bits = clp_chunk_bits(view, &chunk, start, real);
#endif
#endif
    return bits;
}
