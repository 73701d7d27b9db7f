/* SPDX-License-Identifier: MIT */
/*
 * What a scan reads and writes. There is no input array (values come from the index alone), one, or
 * two of equal length, of which each element is made of both; and one output array. A primitive's
 * clp_input makes the value of an element; its clp_report is what a run reports. The macros write
 * parameter and initializer lists.
 */
#if CLP_INPUTS > 2
#error "io.cl: more than two input arrays"
#endif

#if CLP_INPUTS == 2
#define CLP_WITH_PARAMETERS const global CLP_E *with, ulong with_first,
#define CLP_WITH with + with_first,
#else
#define CLP_WITH_PARAMETERS
#define CLP_WITH
#endif
#define CLP_IO_PARAMETERS                                                                          \
    const global CLP_E *in, ulong in_first, CLP_WITH_PARAMETERS global CLP_OUT *out,               \
        ulong out_first, global clp_report *report, ulong report_first
/* clang-format off */
#define CLP_IO {in + in_first, CLP_WITH out + out_first, report + report_first CLP_USER_IO}
/* clang-format on */

#ifdef CLP_STAGES
/* Chunks of an input's region of a stage. The region is a multiple of 128 bytes and holds up to 128
 * bytes more than a tile, which starts at its place within 128 bytes of device memory. */
#define CLP_REGION_CHUNKS ((CLP_TILE * CLP_E_BYTES + 255) / 128 * 8)
#define CLP_STAGE_CHUNKS (CLP_INPUTS > 0 ? CLP_INPUTS * CLP_REGION_CHUNKS : 1)
#endif

typedef struct clp_io {
    const global CLP_E *in;
#if CLP_INPUTS == 2
    const global CLP_E *with;
#endif
    global CLP_OUT *out;
    global clp_report *report;
#ifdef CLP_USER_VALUES
    clp_user user;
#endif
} clp_io;

/* ---- Elements ---- */

/* The value of element i. */
static inline CLP_A clp_item_at(const clp_io *io, ulong i) {
#if CLP_INPUTS == 2
    return clp_input(io->in[i], io->with[i], i CLP_USER(io));
#elif CLP_INPUTS == 1
    return clp_input(io->in[i], i CLP_USER(io));
#else
    return clp_input(i CLP_USER(io));
#endif
}

/* What is stored of the result r of element i. previous: the result before it, where results
 * include their own element. */
static inline CLP_OUT clp_stored_at(const clp_io *io, CLP_A r, CLP_A previous, ulong i) {
#if CLP_STORES_X
    return clp_stored(io->in[i], r, previous, i CLP_USER(io));
#else
    return clp_stored(r, previous, i CLP_USER(io));
#endif
}

/* ---- Vectors ---- */

/* A vector as chunks of 16 bytes. Shorter vectors are accessed element by element. */
#define CLP_E_CHUNKS (CLP_VEC * CLP_E_BYTES / 16)
#define CLP_OUT_CHUNKS (CLP_VEC * CLP_OUT_BYTES / 16)
#define CLP_E_IN_CHUNKS (CLP_INPUTS > 0 && CLP_VEC * CLP_E_BYTES % 16 == 0)
#define CLP_OUT_IN_CHUNKS (CLP_VEC * CLP_OUT_BYTES % 16 == 0)

/* Where a work-group is a sub-group, a work-item has some chunks side by side. They go through
 * local memory, so that neighbours access neighbouring chunks, with a gap of a chunk behind each
 * work-item's, so that lanes meet in no bank: 40 KB at most. */
#define CLP_IS_WIDE_GROUP (CLP_SUBGROUP_IS_GROUP && CLP_GROUP > 1)
#define CLP_TURNS(chunks)                                                                          \
    (CLP_IS_WIDE_GROUP && (chunks) > 1 && (chunks) <= 8 && CLP_GROUP * ((chunks) + 1) <= 2560)
#define CLP_TURNS_IN (CLP_E_IN_CHUNKS && CLP_TURNS(CLP_E_CHUNKS))
#define CLP_TURNS_OUT (CLP_OUT_IN_CHUNKS && CLP_TURNS(CLP_OUT_CHUNKS))
#define CLP_IN_TURNED (CLP_TURNS_IN * (CLP_E_CHUNKS + 1))
#define CLP_OUT_TURNED (CLP_TURNS_OUT * (CLP_OUT_CHUNKS + 1))
#define CLP_TURNED_CHUNKS                                                                          \
    (CLP_GROUP * (CLP_IN_TURNED > CLP_OUT_TURNED ? CLP_IN_TURNED : CLP_OUT_TURNED) + 1)

static inline uint clp_turned(uint chunk, const uint of_item) {
    return chunk + chunk / of_item;
}

/* What a lane reads of local memory in one access: its vector, or 16 bytes of it. */
#if CLP_VEC * CLP_E_BYTES % 16 == 0
typedef uint4 clp_piece;
#define CLP_PIECE_BYTES 16
#elif CLP_VEC * CLP_E_BYTES % 8 == 0
typedef uint2 clp_piece;
#define CLP_PIECE_BYTES 8
#elif CLP_VEC * CLP_E_BYTES % 4 == 0
typedef uint clp_piece;
#define CLP_PIECE_BYTES 4
#elif CLP_VEC * CLP_E_BYTES % 2 == 0
typedef ushort clp_piece;
#define CLP_PIECE_BYTES 2
#else
typedef uchar clp_piece;
#define CLP_PIECE_BYTES 1
#endif
#define CLP_PIECES (CLP_VEC * CLP_E_BYTES / CLP_PIECE_BYTES)

typedef union clp_in_vector {
    CLP_E element[CLP_VEC];
#if CLP_E_IN_CHUNKS
    uint4 chunk[CLP_E_CHUNKS];
#endif
#if CLP_VEC * CLP_E_BYTES % 4 == 0
    uint word[CLP_VEC * CLP_E_BYTES / 4];
#endif
    clp_piece piece[CLP_PIECES];
} clp_in_vector;

typedef union clp_out_vector {
    CLP_OUT element[CLP_VEC];
#if CLP_OUT_IN_CHUNKS
    uint4 chunk[CLP_OUT_CHUNKS];
#endif
#if CLP_PACKED
    uint word[CLP_VEC * CLP_OUT_BYTES / 4];
#endif
} clp_out_vector;

static inline bool clp_is_aligned(const global void *at) {
    return ((ulong)at & 15) == 0;
}

/* Whether all inputs are at a multiple of 16 bytes at that element. */
static inline bool clp_starts_with_chunk(const clp_io *io, ulong first) {
#if CLP_INPUTS == 2
    return clp_is_aligned(io->in + first) && clp_is_aligned(io->with + first);
#else
    return clp_is_aligned(io->in + first);
#endif
}

#if CLP_E_IN_CHUNKS
static inline clp_in_vector clp_vector_at(const global CLP_E *from) {
    clp_in_vector vector;
    for (uint c = 0; c < CLP_E_CHUNKS; c++) {
        vector.chunk[c] = clp_load_stream((const global uint4 *)from + c);
    }
    return vector;
}
#endif
