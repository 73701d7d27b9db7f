/* SPDX-License-Identifier: MIT */
/*
 * Gather by vectors of CLP_VEC indices: one load brings a vector's indices, one store writes its
 * elements. A work-item loads CLP_DEPTH vectors, then all their elements, and then stores: the
 * loads at random addresses are the slow ones, and all of them overlap. Indices before the first
 * aligned vector, and behind the last whole tile, are taken one by one.
 *
 * No local memory; no work-group waits for another.
 */
#define CLP_TILE_VECTORS (CLP_GROUP * CLP_DEPTH)
#define CLP_INDEX_VECTOR_BYTES (CLP_VEC * CLP_INDEX_BYTES)
#define CLP_E_VECTOR_BYTES (CLP_VEC * CLP_E_BYTES)

/* Streams are of 16 bytes; a macro because the types of pieces differ. */
#if CLP_INDEX_VECTOR_BYTES == 16
typedef uint4 clp_index_piece;
#define CLP_LOAD_PIECE(at) clp_load_stream(at)
#elif CLP_INDEX_VECTOR_BYTES == 8
typedef uint2 clp_index_piece;
#define CLP_LOAD_PIECE(at) (*(at))
#else
typedef uint clp_index_piece;
#define CLP_LOAD_PIECE(at) (*(at))
#endif

#if CLP_E_VECTOR_BYTES == 2
typedef ushort clp_piece;
#elif CLP_E_VECTOR_BYTES == 4
typedef uint clp_piece;
#elif CLP_E_VECTOR_BYTES == 8
typedef uint2 clp_piece;
#elif CLP_E_VECTOR_BYTES == 16
typedef uint4 clp_piece;
#else
typedef clp_moved clp_piece;
#endif

typedef union clp_index_vector {
    CLP_INDEX element[CLP_VEC];
    clp_index_piece piece;
} clp_index_vector;

typedef union clp_vector {
    clp_moved element[CLP_VEC];
    clp_piece piece;
} clp_vector;

typedef char clp_vector_is_one_piece[sizeof(clp_vector) == CLP_E_VECTOR_BYTES ? 1 : -1];

/* Gathers the work-item's vectors of the tile that begins with index number `first`. whole: whether
 * the output is aligned to vectors. Returns the lowest position of an index outside. */
CLP_INLINE ulong clp_gather_vectors(const clp_run *run, ulong first, bool whole) {
    clp_index_vector index[CLP_DEPTH];
    clp_vector vector[CLP_DEPTH];
    uint right[CLP_DEPTH]; /* a bit an index: whether it is inside */
    ulong lowest = CLP_NOWHERE;
    first += get_local_id(0) * CLP_VEC;
#pragma unroll
    for (uint d = 0; d < CLP_DEPTH; d++) {
        const ulong i = first + d * CLP_GROUP * CLP_VEC;
        index[d].piece = CLP_LOAD_PIECE((const global clp_index_piece *)(run->index + i));
    }
#pragma unroll
    for (uint d = 0; d < CLP_DEPTH; d++) {
        right[d] = 0;
#pragma unroll
        for (uint j = 0; j < CLP_VEC; j++) {
            const ulong at = (ulong)(long)index[d].element[j];
            if (at >= run->length) continue;
            vector[d].element[j] = run->in[at];
            right[d] |= 1u << j;
        }
    }
#pragma unroll
    for (uint d = 0; d < CLP_DEPTH; d++) {
        const ulong i = first + d * CLP_GROUP * CLP_VEC;
        if (whole && right[d] == (1u << CLP_VEC) - 1) {
            *(global clp_piece *)(run->out + i) = vector[d].piece;
            continue;
        }
#pragma unroll
        for (uint j = 0; j < CLP_VEC; j++) {
            if (right[d] >> j & 1) {
                run->out[i + j] = vector[d].element[j];
            } else {
                lowest = min(lowest, i + j);
            }
        }
    }
    return lowest;
}

static inline ulong clp_take_tiles(const clp_run *run) {
    const ulong groups = get_num_groups(0);
    const ulong over = (ulong)run->index % CLP_INDEX_VECTOR_BYTES;
    const ulong wanted = over == 0 ? 0 : (CLP_INDEX_VECTOR_BYTES - over) / CLP_INDEX_BYTES;
    const ulong head = min(wanted, run->n);
    const ulong tiles = (run->n - head) / CLP_VEC / CLP_TILE_VECTORS;
    const ulong tail = head + tiles * CLP_TILE_VECTORS * CLP_VEC;
    const bool whole = (ulong)(run->out + head) % sizeof(clp_piece) == 0;
    ulong lowest = CLP_NOWHERE;
    for (ulong t = get_group_id(0); t < tiles; t += groups) {
        const ulong first = head + t * CLP_TILE_VECTORS * CLP_VEC;
        lowest = min(lowest, clp_gather_vectors(run, first, whole));
    }
    for (ulong i = tail + get_global_id(0); i < run->n; i += get_global_size(0)) {
        lowest = min(lowest, clp_take_index(run, i));
    }
    if (get_global_id(0) < head) lowest = min(lowest, clp_take_index(run, get_global_id(0)));
    return lowest;
}
