/* SPDX-License-Identifier: MIT */
/*
 * The lanes of a block, for one work-item: CLP_SERIAL_LANES to a row. For built-in operators on
 * CPUs (CLP_SIMD above 1) adjacent lanes form vectors, which go down the rows.
 */
#define CLP_SERIAL_LANES 128
#define CLP_SERIAL_ROWS 4 /* rows that one pass over the lanes combines */

/* The number of a row, as wide as a value: vectors of both have the same number of lanes. */
#if CLP_A_BYTES == 8
typedef ulong clp_row;
#else
typedef uint clp_row;
#endif

#if CLP_SIMD > 1
#define CLP_SIDE 8 /* vectors that go down the rows side by side */

/* Vectors at any element. */
#if CLP_INPUT_WIDE
typedef struct __attribute__((packed)) clp_loose_in {
    CLP_E_WIDE vector;
} clp_loose_in;
#endif

typedef union clp_wide_lanes {
    CLP_A item[CLP_SIMD];
    CLP_A_WIDE vector;
} clp_wide_lanes;

static inline CLP_A_WIDE clp_wide_elements(const clp_io *io, ulong i) {
#if CLP_INPUT_WIDE
    return CLP_WIDENED(((const global clp_loose_in *)(io->in + i))->vector);
#else
    clp_wide_lanes lanes;
    for (uint l = 0; l < CLP_SIMD; l++) lanes.item[l] = clp_element(io, i + l);
    return lanes.vector;
#endif
}

#if CLP_ARG
typedef union clp_wide_rows {
    clp_row item[CLP_SIMD];
    CLP_ROW_WIDE vector;
} clp_wide_rows;
#endif

/* Combines the full rows of a block, at least one, for CLP_SIDE vectors of lanes from lane l on. */
static inline void clp_take_wide(const clp_io *io, ulong first, uint full, uint l, CLP_A *lane,
                                 clp_row *row) {
    clp_wide_lanes total[CLP_SIDE];
#pragma unroll
    for (uint v = 0; v < CLP_SIDE; v++) {
        total[v].vector = clp_wide_elements(io, first + l + v * CLP_SIMD);
    }
#if CLP_ARG
    clp_wide_rows best[CLP_SIDE];
#pragma unroll
    for (uint v = 0; v < CLP_SIDE; v++) best[v].vector = (CLP_ROW_WIDE)(0);
#endif
    for (uint r = 1; r < full; r++) {
        const ulong at = first + r * CLP_SERIAL_LANES + l;
#pragma unroll
        for (uint v = 0; v < CLP_SIDE; v++) {
            const CLP_A_WIDE a = clp_wide_elements(io, at + v * CLP_SIMD), b = total[v].vector;
#if CLP_ARG
            total[v].vector = select(b, a, CLP_BETTER_WIDE);
            best[v].vector = select(best[v].vector, (CLP_ROW_WIDE)((clp_row)r), CLP_BETTER_WIDE);
#else
            total[v].vector = clp_combine_wide(b, a);
#endif
        }
    }
#pragma unroll
    for (uint v = 0; v < CLP_SIDE; v++) {
        for (uint k = 0; k < CLP_SIMD; k++) {
            lane[l + v * CLP_SIMD + k] = total[v].item[k];
#if CLP_ARG
            row[l + v * CLP_SIMD + k] = best[v].item[k];
#endif
        }
    }
}

/* Combines the full rows of a block for all lanes. */
static inline void clp_take_all_wide(const clp_io *io, ulong first, uint full, CLP_A *lane,
                                     clp_row *row) {
    for (uint l = 0; full > 0 && l < CLP_SERIAL_LANES; l += CLP_SIDE * CLP_SIMD) {
        clp_take_wide(io, first, full, l, lane, row);
    }
}
#endif
