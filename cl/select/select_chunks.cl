/* SPDX-License-Identifier: MIT */
/*
 * Selection by sub-groups: chunks of CLP_VEC elements in registers, a bit for each kept element,
 * and the scan of the chunks' counts. A segment is CLP_ROWS rows of one chunk a lane, as in
 * tile.cl.
 *
 * One scan across lanes serves several rows: their counts are packed into the fields of a word.
 * Counts of chunks instead of elements divide the scan's work by CLP_VEC.
 *
 * Local memory only for shuffles on devices that have none; no work-group waits for another.
 */
#ifdef CLP_SCANNERS
#define CLP_SUBGROUPS CLP_SCANNERS
#else
#define CLP_SUBGROUPS (CLP_GROUP / CLP_SUBGROUP)
#endif
#define CLP_ROW (CLP_SUBGROUP * CLP_VEC)
#define CLP_SEGMENT (CLP_ROWS * CLP_ROW)
#define CLP_TILE (CLP_SUBGROUPS * CLP_SEGMENT)

#if CLP_VEC > 32
#error "select_chunks.cl: more elements in a chunk than a word has bits"
#endif
#if CLP_SUBGROUPS > CLP_SUBGROUP
#error "select_chunks.cl: more sub-groups than a sub-group has lanes"
#endif

/* ---- Chunks and their bits ---- */

/* A chunk as elements and as vectors of 16 bytes, to load and store it by. What takes an array's
 * number k is a macro, here and in the room's other files: k is a part of the names of the array's
 * type and members. */
#define CLP_CHUNK_TYPE(k)                                                                          \
    typedef union clp_chunk##k {                                                                   \
        clp_t##k element[CLP_VEC];                                                                 \
        uint4 quad[(CLP_VEC * sizeof(clp_t##k) + 15) / 16];                                        \
    } clp_chunk##k;
CLP_EACH_ARRAY(CLP_CHUNK_TYPE)

#define CLP_IS_QUADS(k) (CLP_VEC * sizeof(clp_t##k) % 16 == 0)

/* Returns 4 bits, one for each byte: whether it is not 0. The sum carries into a byte's highest bit
 * if its lower bits are not all 0. The product moves the four highest bits to the top of the word,
 * next to each other. */
static inline uint clp_bits_of_bytes(uint bytes) {
    const uint high = ((bytes & 0x7f7f7f7fu) + 0x7f7f7f7fu) | bytes;
    return (high >> 7 & 0x01010101u) * 0x01020408u >> 24 & 15u;
}

#if CLP_BY_VALUE
/* Calls the predicate for the first `real` elements only: the caller never gave the others. */
static inline uint clp_bits_of_values(const clp_io *io, const clp_t0 *x, ulong i, uint real) {
    uint bits = 0;
    for (uint j = 0; j < CLP_VEC; j++) {
        if (j < real) bits |= (uint)(clp_keep(x[j], i + j CLP_USER(io)) != 0) << j;
    }
    return bits;
}
#endif

/* ---- The scan of a segment's chunks ---- */

#if CLP_SUBGROUP_IS_GROUP
/* A word that has a field for each of several rows, of at most all elements of the row. */
typedef ulong clp_fields;
#define CLP_FIELD_BITS 16

/* By the exchange of whole values, at barriers, which every work-item of the group reaches. */
static inline clp_fields clp_sum_lanes(clp_fields sum, local CLP_A *exchange) {
    return clp_count_of(clp_subgroup_scan(clp_kept(sum, 0), true, exchange));
}

static inline clp_fields clp_shuffle_count(clp_fields count, uint lane, local CLP_A *exchange) {
    return clp_count_of(clp_shuffle(clp_kept(count, 0), lane, exchange));
}
#else
typedef uint clp_fields;
#define CLP_FIELD_BITS (CLP_ROW <= 128 ? 8 : 16)

static inline clp_fields clp_sum_lanes(clp_fields sum, local CLP_A *exchange) {
    return clp_scan_words(sum);
}

static inline clp_fields clp_shuffle_count(clp_fields count, uint lane, local CLP_A *exchange) {
    return clp_shuffle_word(count, lane);
}
#endif
#define CLP_FIELDS (8 * sizeof(clp_fields) / CLP_FIELD_BITS)

/* Where row's field begins in its word. */
static inline uint clp_field_shift(uint row) {
    return row % CLP_FIELDS * CLP_FIELD_BITS;
}

static inline uint clp_field(const clp_fields *words, uint row) {
    return (uint)(words[row / CLP_FIELDS] >> clp_field_shift(row)) & ((1u << CLP_FIELD_BITS) - 1);
}

/* bits[r]: the bits of the lane's chunk in row r. at[r]: set to the number of kept elements of the
 * segment before that chunk. Returns the number of kept elements of the segment. */
static inline uint clp_scan_chunks(const uint bits[CLP_ROWS], uint at[CLP_ROWS],
                                   local CLP_A *exchange) {
    enum { WORDS = (CLP_ROWS + CLP_FIELDS - 1) / CLP_FIELDS };
    clp_fields own[WORDS], before[WORDS], all[WORDS];
    uint kept = 0;
#pragma unroll
    for (uint w = 0; w < WORDS; w++) own[w] = 0;
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        own[r / CLP_FIELDS] |= (clp_fields)popcount(bits[r]) << clp_field_shift(r);
    }
#pragma unroll
    for (uint w = 0; w < WORDS; w++) {
        const clp_fields sum = clp_sum_lanes(own[w], exchange);
        before[w] = sum - own[w];
        all[w] = clp_shuffle_count(sum, CLP_SUBGROUP - 1, exchange);
    }
#pragma unroll
    for (uint r = 0; r < CLP_ROWS; r++) {
        at[r] = kept + clp_field(before, r);
        kept += clp_field(all, r);
    }
    return kept;
}
