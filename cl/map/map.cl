/* SPDX-License-Identifier: MIT */
/*
 * Map: element i of each output is the caller's expression of x, element i of the input, and of i.
 * The host writes the types clp_in and clp_out0, clp_out1, ... and the functions clp_value0, ...
 *
 * A work-group takes one tile. A work-item on a CPU takes the tile's elements one by one. On a GPU
 * the first work-group takes what is before the first tile and behind the last one: another one
 * would end last, when the others have ended. The tile has CLP_DEPTH rows of CLP_GROUP vectors of
 * CLP_VEC elements, and adjacent work-items take adjacent vectors. A work-item loads all its
 * vectors, then computes all values, then stores them: the loads overlap, loads of parameters too,
 * and an output may be the input. Elements of 4 bytes and more form vectors of one element, so that
 * no array need be aligned beyond its elements. Shorter elements form vectors of 4 bytes, since
 * each store should fill whole sectors of the cache; the first tile begins with a line of output 0.
 * A vector that is not aligned in its own array is loaded and stored element by element. For the
 * input this costs little, since the cache holds the rest of the vector's line.
 *
 * No local memory; no work-group waits for another.
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

/* The number of elements in front of the first tile, which begins with a line of output 0, or where
 * elements do not divide a line with an aligned vector. Tiles that begin elsewhere share lines,
 * which costs a tenth of the time of 4-byte elements. */
static inline ulong clp_map_head(const clp_io *io) {
    ulong head = 0;
    if (CLP_LINE % sizeof(clp_out0) == 0) {
        return (-(ulong)io->out0 & (CLP_LINE - 1)) / sizeof(clp_out0);
    }
    while (head < CLP_VEC - 1 && !CLP_IS_ALIGNED(clp_out0, io->out0 + head)) head++;
    return head;
}

/* Steps of clp_map_vectors, which write its variables. All vectors of an array are aligned, or
 * none: only one branch stands in front of the loads. */
#define CLP_EACH_VECTOR _Pragma("unroll") for (uint d = 0; d < CLP_DEPTH; d++)
#define CLP_PLACE(array, d) ((array) + first + (d)*CLP_GROUP * CLP_VEC)
#define CLP_LOAD_BY(part)                                                                          \
    CLP_EACH_VECTOR {                                                                              \
        const global clp_in_##part *from = (const global clp_in_##part *)CLP_PLACE(io->in, d);     \
        _Pragma("unroll") for (uint p = 0; p < sizeof x[d] / sizeof *from; p++) {                  \
            x[d].part[p] = from[p];                                                                \
        }                                                                                          \
    }
#define CLP_STORE_BY(k, part)                                                                      \
    CLP_EACH_VECTOR {                                                                              \
        global clp_out##k##_##part *to = (global clp_out##k##_##part *)CLP_PLACE(io->out##k, d);   \
        _Pragma("unroll") for (uint p = 0; p < sizeof value##k[d] / sizeof *to; p++) {             \
            to[p] = value##k[d].part[p];                                                           \
        }                                                                                          \
    }
#define CLP_OUT_VALUES(k) clp_out##k##_vector value##k[CLP_DEPTH];
#define CLP_COMPUTE(k)                                                                             \
    CLP_EACH_VECTOR {                                                                              \
        _Pragma("unroll") for (uint j = 0; j < CLP_VEC; j++) {                                     \
            const ulong i = CLP_PLACE(0, d) + j;                                                   \
            value##k[d].element[j] = clp_value##k(CLP_X(x[d].element[j]) i CLP_USER(io));          \
        }                                                                                          \
    }
#define CLP_STORE_OUTPUT(k)                                                                        \
    if (CLP_IS_ALIGNED(clp_out##k, io->out##k + first)) {                                          \
        CLP_STORE_BY(k, piece)                                                                     \
    } else {                                                                                       \
        CLP_STORE_BY(k, unit)                                                                      \
    }

/* The work-item's vectors of the whole tile that begins with element `first`. */
static inline void clp_map_vectors(const clp_io *io, ulong first) {
    first += get_local_id(0) * CLP_VEC;
    CLP_EACH_OUTPUT(CLP_OUT_VALUES)
#if CLP_MAP_INPUTS
    clp_in_vector x[CLP_DEPTH];
    if (CLP_IS_ALIGNED(clp_in, io->in + first)) {
        CLP_LOAD_BY(piece)
    } else {
        CLP_LOAD_BY(unit)
    }
#endif
    CLP_EACH_OUTPUT(CLP_COMPUTE)
    CLP_EACH_OUTPUT(CLP_STORE_OUTPUT)
}
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
    if (group > 0) {
        if (group <= tiles) clp_map_vectors(&io, head + (group - 1) * CLP_MAP_TILE);
        return;
    }
    for (ulong i = get_local_id(0); i < rest; i += CLP_GROUP) {
        clp_map_element(&io, i < head ? i : i + tiles * CLP_MAP_TILE);
    }
#endif
}
