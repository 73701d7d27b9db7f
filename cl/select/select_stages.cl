/* SPDX-License-Identifier: MIT */
/* The ring of a selection: a region of each stage for each array, and one for the flags. */
#if CLP_VEC > 16
#error "select_stages.cl: more elements in a chunk than a note has bits for"
#endif

/* Runs need the element before the tile too: 16 bytes more in front, in a line of their own. */
#define CLP_LEAD (CLP_BY_RUNS ? 1 : 0)

/* A region's chunks of 16 bytes: whole lines of 128 bytes, one more than a tile has, as its
 * elements stand where they come from within a line. A copy between other places is cut up. */
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

/* Where a lane's chunk of row r stands in the segment: a lane has its rows side by side. An odd
 * number of rows spares conflicts of banks. */
#define CLP_CHUNK_PLACE(r) ((lane * CLP_ROWS + (r)) * CLP_VEC)

/* What is noted of a chunk: the bits of its kept elements, and above them how many kept elements of
 * the segment come before it. */
#if CLP_VEC <= 4 && CLP_SEGMENT << CLP_VEC <= 65536
typedef ushort clp_note;
#define CLP_NOTE_SHIFT CLP_VEC
#else
typedef uint clp_note;
#define CLP_NOTE_SHIFT 16
#endif

/* permute: for each set of kept elements among those of 8 bytes, the bytes of theirs, 4 bits each.
 * place: where a scanner's kept elements stood in the segment. */
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

/* Bytes of the chunks of 16 that [from, end) touches. */
static inline uint clp_span(ulong from, ulong end) {
    return (uint)(clp_floor_16(end + 15) - clp_floor_16(from));
}
