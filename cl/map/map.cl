/* SPDX-License-Identifier: MIT */
/*
 * Map: element i of each output is the caller's expression of x, element i of the input, and of i.
 * The host writes the types clp_in and clp_out0, clp_out1, ... and the functions clp_value0, ...
 *
 * A work-group takes one tile. A work-item on a CPU takes the tile's elements one by one. On a GPU
 * the tile has CLP_DEPTH rows of CLP_GROUP vectors of CLP_VEC elements, and adjacent work-items
 * take adjacent vectors. A work-item loads all its vectors, then computes all values, then stores
 * them: the loads overlap, loads of parameters too, and an output may be the input. Elements of 4
 * bytes and more form vectors of one element, so that no array need be aligned beyond its elements.
 * Shorter elements form vectors of 8 or 16 bytes, since each store should fill whole sectors of the
 * cache; the first tile begins with a line of output 0. A vector of an input that is not aligned as
 * output 0 is shifted out of the pieces that hold it; one of a further output is stored by
 * elements. The first CLP_MAP_ENDS work-groups take what is before the first tile and behind the
 * last one, an element each work-item: as the last work-groups they would end when the others have
 * ended.
 *
 * An array whose elements have several units (structures of 12 bytes: three words) is staged in
 * local memory. Without that adjacent work-items would access units that are not adjacent, and each
 * sector of the cache once for each unit. The group moves whole chunks of 16 bytes between the
 * stage and the array, and each work-item its elements between the stage and its registers; an
 * output whose tiles do not begin with a chunk is stored without a stage. On an H200 2^27
 * structures of 12, 20 and 32 bytes take 782, 1270 and 2016 us, and without a stage 840, 2675 and
 * 2382 us; a copy takes 759, 1250 and 2016 us. Driver 580.159.04, 2026-11-28.
 *
 * No work-group waits for another.
 */
#if CLP_MAP_INPUTS
#define CLP_MAP_IN_PARAMETER , const global clp_in *in, ulong in_first
#define CLP_MAP_IN , in + in_first
#define CLP_X(x) x,
#else
#define CLP_MAP_IN_PARAMETER
#define CLP_MAP_IN
#define CLP_X(x)
#endif

/* A step for each output: members, parameters and initializers, and hence macros. */
#define CLP_OUT_MEMBER(k) global clp_out##k *out##k;
#define CLP_OUT_PARAMETER(k) , global clp_out##k *out##k, ulong out##k##_first
#define CLP_OUT_PLACE(k) , out##k + out##k##_first

/* A run's arrays and parameters. */
typedef struct clp_io {
    global clp_report *report;
#if CLP_MAP_INPUTS
    const global clp_in *in;
#endif
    CLP_EACH_OUTPUT(CLP_OUT_MEMBER)
#ifdef CLP_USER_VALUES
    clp_user user;
#endif
} clp_io;

#define CLP_STORE_ELEMENT(k) io->out##k[i] = clp_value##k(CLP_X(x) i CLP_USER(io));

static inline void clp_map_element(const clp_io *io, ulong i) {
#if CLP_MAP_INPUTS
    const clp_in x = io->in[i];
#endif
    CLP_EACH_OUTPUT(CLP_STORE_ELEMENT)
}

#if CLP_GROUP > 1
#define CLP_MAP_ENDS (CLP_DEPTH * CLP_VEC) /* an element each work-item: at least a tile */
#define CLP_LINE 128 /* bytes that the device's cache fetches and writes together */

/* A vector in registers. Its parts: the largest pieces that divide a vector, up to 16 bytes, and
 * the largest units that divide an element, at which every element is aligned. */
#define CLP_VECTOR(name)                                                                           \
    typedef union name##_vector {                                                                  \
        name element[CLP_VEC];                                                                     \
        name##_piece piece[CLP_VEC * sizeof(name) / sizeof(name##_piece)];                         \
        name##_unit unit[CLP_VEC * sizeof(name) / sizeof(name##_unit)];                            \
    } name##_vector;
#define CLP_OUT_VECTOR(k) CLP_VECTOR(clp_out##k)
#define CLP_IS_ALIGNED(name, at) (CLP_VEC == 1 || (ulong)(at) % sizeof(name##_piece) == 0)

#if CLP_MAP_INPUTS
CLP_VECTOR(clp_in)
#endif
CLP_EACH_OUTPUT(CLP_OUT_VECTOR)

#define CLP_IS_STAGED(name) (name##_stage >= 0)

/* The number of elements in front of the first tile, which begins with a line of output 0, or where
 * elements do not divide a line with an aligned vector. Tiles that begin elsewhere share lines,
 * which costs a tenth of the time of 4-byte elements. */
static inline ulong clp_map_head(const clp_io *io) {
    const uint most = CLP_IS_STAGED(clp_out0) ? CLP_LINE / 4 : CLP_VEC - 1;
    const uint line = CLP_IS_STAGED(clp_out0) ? CLP_LINE : sizeof(clp_out0_piece);
    ulong head = 0;
    if (CLP_LINE % sizeof(clp_out0) == 0) {
        return (-(ulong)io->out0 & (CLP_LINE - 1)) / sizeof(clp_out0);
    }
    while (head < most && (ulong)(io->out0 + head) % line > 0) head++;
    return head;
}

/* Where a stage has a unit, and where an array has it. Chunks of elements of a multiple of 32 bytes
 * change places within 128 bytes, so that adjacent elements begin in different banks of local
 * memory: 2^24 structures of 64 bytes take 528 us from 567 us, a copy 507 us, on the same H200. */
#define CLP_STAGED(name, unit) (sizeof(name) % 32 > 0 ? (unit) : (unit) ^ (unit) / 8 % 8)
#define CLP_IN_ORDER(name, unit) (unit)

/* Moves a tile in chunks. */
#define CLP_CHUNKS(name) (CLP_MAP_TILE * sizeof(name) / sizeof(uint4))
#define CLP_MOVE(name, to, to_place, from, from_place)                                             \
    _Pragma("unroll") for (uint c = 0; c < CLP_CHUNKS(name); c += CLP_GROUP) {                     \
        const uint chunk = c + (uint)get_local_id(0);                                              \
        if (chunk < CLP_CHUNKS(name))                                                              \
            (to)[to_place(name, chunk)] = (from)[from_place(name, chunk)];                         \
    }

#if CLP_MAP_INPUTS
/* The bytes between the chunk that holds the tile's first byte and that byte. */
#define CLP_BEHIND(io, first) ((uint)(ulong)((io)->in + (first)) % 16)

/* Fetches the chunks that hold the tile, each of which has a byte of it. */
static inline void clp_map_fetch(const clp_io *io, local uchar *stage, ulong first) {
    const uint behind = CLP_BEHIND(io, first), last = CLP_CHUNKS(clp_in);
    const global uchar *tile = (const global uchar *)(io->in + first);
    const global uint4 *from = (const global uint4 *)(tile - behind);
    local uint4 *to = (local uint4 *)(stage + clp_in_stage);
    if (!CLP_IS_STAGED(clp_in)) return;
    CLP_MOVE(clp_in, to, CLP_STAGED, from, CLP_IN_ORDER)
    if (behind > 0 && get_local_id(0) == 0) to[last] = from[last];
}

/* A vector of whole words that begins anywhere, out of the aligned pieces that hold it, each of
 * which has a byte of the vector. Words move down by 2, by 1, and then by single bytes. */
static inline clp_in_vector clp_map_shifted(const global clp_in *at) {
    enum { PIECES = sizeof(clp_in_vector) / sizeof(clp_in_piece) };
    enum { WORDS = (sizeof(clp_in_vector) + 3) / 4, ALL = WORDS + (sizeof(clp_in_piece) + 3) / 4 };
    const uint behind = (uint)(ulong)at % sizeof(clp_in_piece);
    const global clp_in_piece *from =
        (const global clp_in_piece *)((const global uchar *)at - behind);
    union {
        clp_in_vector vector;
        clp_in_piece piece[PIECES + 1];
        uint word[ALL];
    } found;
    _Pragma("unroll") for (uint p = 0; p < PIECES; p++) found.piece[p] = from[p];
    if (behind > 0) found.piece[PIECES] = from[PIECES];
    _Pragma("unroll") for (uint down = sizeof(clp_in_piece) / 8; down > 0; down /= 2) {
        _Pragma("unroll") for (uint w = 0; w + down < ALL; w++) {
            found.word[w] = behind & 4 * down ? found.word[w + down] : found.word[w];
        }
    }
    _Pragma("unroll") for (uint w = 0; w < WORDS; w++) {
        const ulong two = (ulong)found.word[w + 1] << 32 | found.word[w];
        found.word[w] = (uint)(two >> behind % 4 * 8);
    }
    return found.vector;
}
#endif

/* Steps of clp_map_vectors, which write its variables. All vectors of an array are aligned, or
 * none: only one branch stands in front of the loads. */
#define CLP_EACH_VECTOR _Pragma("unroll") for (uint d = 0; d < CLP_DEPTH; d++)
#define CLP_PLACE(array, d) ((array) + item + (d)*CLP_GROUP * CLP_VEC)
#define CLP_LOAD_BY(part, space, array, place)                                                     \
    CLP_EACH_VECTOR {                                                                              \
        const space clp_in_##part *from = (const space clp_in_##part *)(array);                    \
        const ulong unit = CLP_PLACE(0ul, d) * sizeof(clp_in) / sizeof *from;                      \
        _Pragma("unroll") for (uint p = 0; p < sizeof x[d] / sizeof *from; p++) {                  \
            x[d].part[p] = from[place(clp_in, unit + p)];                                          \
        }                                                                                          \
    }
#define CLP_STORE_BY(k, part, space, array, place)                                                 \
    CLP_EACH_VECTOR {                                                                              \
        space clp_out##k##_##part *to = (space clp_out##k##_##part *)(array);                      \
        const ulong unit = CLP_PLACE(0ul, d) * sizeof(clp_out##k) / sizeof *to;                    \
        _Pragma("unroll") for (uint p = 0; p < sizeof value##k[d] / sizeof *to; p++) {             \
            to[place(clp_out##k, unit + p)] = value##k[d].part[p];                                 \
        }                                                                                          \
    }
#define CLP_OUT_VALUES(k) clp_out##k##_vector value##k[CLP_DEPTH];
#define CLP_COMPUTE(k)                                                                             \
    CLP_EACH_VECTOR {                                                                              \
        _Pragma("unroll") for (uint j = 0; j < CLP_VEC; j++) {                                     \
            const ulong i = CLP_PLACE(first, d) + j;                                               \
            value##k[d].element[j] = clp_value##k(CLP_X(x[d].element[j]) i CLP_USER(io));          \
        }                                                                                          \
    }
#define CLP_STORES_STAGE(k)                                                                        \
    (CLP_IS_STAGED(clp_out##k) && (ulong)(io->out##k + first) % sizeof(uint4) == 0)
#define CLP_STORE_OUTPUT(k)                                                                        \
    if (CLP_STORES_STAGE(k)) {                                                                     \
        CLP_STORE_BY(k, unit, local, stage + clp_out##k##_stage, CLP_STAGED)                       \
    } else if (CLP_IS_ALIGNED(clp_out##k, io->out##k + first + item)) {                            \
        CLP_STORE_BY(k, piece, global, io->out##k + first, CLP_IN_ORDER)                           \
    } else {                                                                                       \
        CLP_STORE_BY(k, unit, global, io->out##k + first, CLP_IN_ORDER)                            \
    }
#define CLP_STORE_STAGE(k)                                                                         \
    if (CLP_STORES_STAGE(k)) {                                                                     \
        const local uchar *from = stage + clp_out##k##_stage;                                      \
        CLP_MOVE(clp_out##k, (global uint4 *)(io->out##k + first), CLP_IN_ORDER,                   \
                 (const local uint4 *)from, CLP_STAGED)                                            \
    }

/* The work-item's vectors of the whole tile that begins with element `first`. */
static inline void clp_map_vectors(const clp_io *io, local uchar *stage, ulong first) {
    const uint item = (uint)get_local_id(0) * CLP_VEC;
    CLP_EACH_OUTPUT(CLP_OUT_VALUES)
#if CLP_MAP_INPUTS
    clp_in_vector x[CLP_DEPTH];
    if (CLP_IS_STAGED(clp_in)) {
        const local uchar *tile = stage + clp_in_stage + CLP_BEHIND(io, first);
        CLP_LOAD_BY(unit, local, tile, CLP_STAGED)
    } else if (CLP_IS_ALIGNED(clp_in, io->in + first + item)) {
        CLP_LOAD_BY(piece, global, io->in + first, CLP_IN_ORDER)
    } else {
        CLP_EACH_VECTOR x[d] = clp_map_shifted(CLP_PLACE(io->in + first, d));
    }
#endif
    CLP_EACH_OUTPUT(CLP_COMPUTE)
    CLP_EACH_OUTPUT(CLP_STORE_OUTPUT)
}

#if CLP_MAP_STAGE_BYTES > 0
static inline void clp_map_store_stages(const clp_io *io, const local uchar *stage, ulong first) {
    CLP_EACH_OUTPUT(CLP_STORE_STAGE);
}
#endif
#endif

CLP_KERNEL(CLP_GROUP)
void clp_map(global clp_report *report, ulong report_first,
             ulong most CLP_COUNT_PARAMETERS CLP_MAP_IN_PARAMETER CLP_EACH_OUTPUT(CLP_OUT_PARAMETER)
                 CLP_USER_PARAMETERS) {
    const clp_io io = {report + report_first CLP_MAP_IN CLP_EACH_OUTPUT(CLP_OUT_PLACE) CLP_USER_IO};
    const ulong found = clp_read_count(most, counted, counted_first, io.report);
    const ulong n = found == CLP_REFUSED ? 0 : found;
    if (counted == 0 && get_global_id(0) == 0) clp_report_count(io.report, n, false);
#if CLP_GROUP == 1
    const ulong first = get_group_id(0) * CLP_MAP_TILE, last = min(first + CLP_MAP_TILE, n);
    for (ulong i = first; i < last; i++) clp_map_element(&io, i);
#else
    const ulong head = min(clp_map_head(&io), n), tiles = (n - head) / CLP_MAP_TILE;
    const ulong group = get_group_id(0), rest = n - tiles * CLP_MAP_TILE;
    const ulong first = head + (group - CLP_MAP_ENDS) * CLP_MAP_TILE;
    const bool has_tile = group >= CLP_MAP_ENDS && group - CLP_MAP_ENDS < tiles;
#if CLP_MAP_STAGE_BYTES > 0
    local uint4 chunks[CLP_MAP_STAGE_BYTES / 16];
    local uchar *const stage = (local uchar *)chunks;
#if CLP_MAP_INPUTS
    if (has_tile) clp_map_fetch(&io, stage, first);
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* the input's stage, written above, read below */
    if (has_tile) clp_map_vectors(&io, stage, first);
    barrier(CLK_LOCAL_MEM_FENCE); /* stages of outputs, written above, read below */
    if (has_tile) clp_map_store_stages(&io, stage, first);
#else
    if (has_tile) clp_map_vectors(&io, 0, first);
#endif
    if (group >= CLP_MAP_ENDS) return;
    for (ulong i = get_global_id(0); i < rest; i += CLP_MAP_ENDS * CLP_GROUP) {
        clp_map_element(&io, i < head ? i : i + tiles * CLP_MAP_TILE);
    }
#endif
}
