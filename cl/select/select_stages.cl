/* SPDX-License-Identifier: MIT */
/*
 * Selection by look-ahead: the layout of the ring's stages in local memory. A stage has a region
 * for each array and one for the flags. The ring further holds a note for each chunk, the permute
 * table and the positions of kept elements. lookahead.cl says who waits for whom.
 */
#if CLP_VEC > 16
#error "select_stages.cl: more elements in a chunk than a note has bits for"
#endif

/* Runs compare the tile's first element with the one before it. A copy moves 16 bytes at least, so
 * 16 bytes more are copied in front, into a line of their own. */
#define CLP_LEAD (CLP_BY_RUNS ? 1 : 0)

/* A region's chunks of 16 bytes. Regions are whole lines of 128 bytes, one more than a tile fills,
 * because an element keeps the position within a line that it has in global memory. The device
 * would cut up a copy between different positions. Macros because the ring's size is a constant. */
#define CLP_LINE_CHUNKS(chunks) (((chunks) + 7) / 8 * 8 + 8)
#define CLP_CHUNKS_OF(bytes) ((bytes) > 0 ? CLP_LINE_CHUNKS((CLP_TILE * (bytes) + 15) / 16) : 0)
#define CLP_REGION_0 (8 * CLP_LEAD)
#define CLP_REGION_1 (CLP_REGION_0 + CLP_CHUNKS_OF(CLP_T0_BYTES))
#define CLP_REGION_2 (CLP_REGION_1 + CLP_CHUNKS_OF(CLP_T1_BYTES))
#define CLP_REGION_3 (CLP_REGION_2 + CLP_CHUNKS_OF(CLP_T2_BYTES))
#define CLP_REGION_FLAGS (CLP_REGION_3 + CLP_CHUNKS_OF(CLP_T3_BYTES))
#define CLP_FLAG_CHUNKS                                                                            \
    (CLP_BY_FLAGS  ? CLP_LINE_CHUNKS((CLP_TILE + 15) / 16)                                         \
     : CLP_BY_BITS ? CLP_LINE_CHUNKS(CLP_TILE / 128 + 1)                                           \
                   : 0)
#define CLP_STAGE_CHUNKS (CLP_REGION_FLAGS + CLP_FLAG_CHUNKS)

/* The chunk of a region where a copy from there begins. */
static inline uint clp_region_chunk(ulong from) {
    return (uint)from % 128 / 16;
}

/* The position in the segment of a lane's chunk of row r. A lane's rows are adjacent, so the lane
 * packs them in order. The number of rows must be odd: with an even one, lanes hit the same banks
 * of local memory, and an H200 reaches at most 0.52 of a copy instead of 0.93. */
static inline uint clp_chunk_place(uint row) {
    return (clp_lane() * CLP_ROWS + row) * CLP_VEC;
}

/* What reducers tell scanners about a chunk: a bit for each kept element, and above the bits the
 * number of kept elements of the segment before the chunk. Scanners so need neither the predicate
 * nor a scan. */
#if CLP_VEC <= 4 && CLP_SEGMENT << CLP_VEC <= 65536
typedef ushort clp_note;
#define CLP_NOTE_SHIFT CLP_VEC
#else
typedef uint clp_note;
#define CLP_NOTE_SHIFT 16
#endif

/* permute: for each set of kept elements among 8 bytes, the numbers of their bytes, 4 bits each
 * (select_packing.cl). place: the positions in the segment of a scanner's kept elements. */
#define CLP_HAS_PERMUTES (CLP_VEC > 4)
#define CLP_PERMUTE_ELEMENTS (CLP_VEC / 2)
#if CLP_HAS_PERMUTES
#define CLP_PERMUTE_MEMBER uint permute[1 << CLP_PERMUTE_ELEMENTS];
#else
#define CLP_PERMUTE_MEMBER
#endif
#if CLP_PLACES
#define CLP_PLACE_MEMBER ushort place[CLP_SCANNERS][CLP_SEGMENT];
#else
#define CLP_PLACE_MEMBER
#endif
#define CLP_RING_MEMBERS                                                                           \
    clp_note note[CLP_STAGES][CLP_TILE / CLP_VEC];                                                 \
    CLP_PERMUTE_MEMBER CLP_PLACE_MEMBER

static inline ulong clp_floor_16(ulong at) {
    return at & ~15ul;
}

/* The number of bytes in the aligned chunks of 16 bytes that [from, end) touches. */
static inline uint clp_span(ulong from, ulong end) {
    return (uint)(clp_floor_16(end + 15) - clp_floor_16(from));
}
