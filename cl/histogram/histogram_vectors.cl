/* SPDX-License-Identifier: MIT */
/*
 * Elements by vectors of 16 bytes. CLP_EACH_ELEMENT(slice, slices, take) calls take(x, i) for every
 * element of a slice. A slice takes every `slices`-th tile; a work-item loads its CLP_DEPTH vectors
 * of a tile before it uses one, so that the loads overlap. Elements behind the last whole tile are
 * taken one by one by all slices, bytes before the first whole vector by slice 0.
 *
 * No local memory; nobody waits.
 */
#if CLP_VEC > 1
typedef union clp_vector {
    CLP_E element[CLP_VEC];
    uint4 chunk;
} clp_vector;

/* Elements before the first one at a multiple of 16 bytes. */
CLP_INLINE ulong clp_head(const global CLP_E *in, ulong n) {
    const ulong bytes = (ulong)in & 15;
    return min(bytes == 0 ? 0ul : (16 - bytes) / CLP_E_BYTES, n);
}

static inline void clp_load(clp_vector *vector, const global CLP_E *at) {
    vector->chunk = clp_load_stream((const global uint4 *)at);
}
#else
typedef struct clp_vector {
    CLP_E element[1];
} clp_vector;

CLP_INLINE ulong clp_head(const global CLP_E *in, ulong n) {
    return 0;
}

static inline void clp_load(clp_vector *vector, const global CLP_E *at) {
    vector->element[0] = *at;
}
#endif

#define CLP_TILE_VECTORS (CLP_GROUP * CLP_DEPTH)

/* A macro because `take` writes the kernel's variables. */
#define CLP_EACH_ELEMENT(slice, slices, take)                                                      \
    const ulong head = clp_head(io.in, n), vectors = (n - head) / CLP_VEC;                         \
    const ulong whole = vectors / CLP_TILE_VECTORS;                                                \
    for (ulong t = slice; t < whole; t += slices) {                                                \
        const ulong first = t * CLP_TILE_VECTORS + get_local_id(0);                                \
        clp_vector vector[CLP_DEPTH];                                                              \
        _Pragma("unroll") for (uint d = 0; d < CLP_DEPTH; d++) {                                   \
            clp_load(&vector[d], io.in + head + (first + d * CLP_GROUP) * CLP_VEC);                \
        }                                                                                          \
        _Pragma("unroll") for (uint d = 0; d < CLP_DEPTH; d++) {                                   \
            const ulong i = head + (first + d * CLP_GROUP) * CLP_VEC;                              \
            _Pragma("unroll") for (uint j = 0; j < CLP_VEC; j++) {                                 \
                take(vector[d].element[j], i + j);                                                 \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    for (ulong i =                                                                                 \
             head + whole * CLP_TILE_VECTORS * CLP_VEC + slice * CLP_GROUP + get_local_id(0);      \
         i < n; i += slices * CLP_GROUP) {                                                         \
        take(io.in[i], i);                                                                         \
    }                                                                                              \
    for (ulong i = get_local_id(0); slice == 0 && i < head; i += CLP_GROUP) {                      \
        take(io.in[i], i);                                                                         \
    }
