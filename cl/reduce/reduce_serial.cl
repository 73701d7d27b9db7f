/* SPDX-License-Identifier: MIT */
/*
 * Blocks that a work-item combines by itself. On CPUs these are all blocks: compilers vectorize the
 * loops over lanes. Elsewhere these are the blocks above the first level, and all blocks of an
 * operator that need not commute where lanes cannot exchange values in a loop. Nobody waits.
 */
/* ---- Rows ---- */

#if CLP_COMMUTATIVE
/* The combination of the first `real` lanes, from half the lanes down to 1 apart. */
static inline clp_value clp_fold_lanes(clp_value *lane, uint real) {
    for (uint d = CLP_SERIAL_LANES / 2; d > 0; d /= 2) {
        for (uint l = 0; l < d && l + d < real; l++)
            lane[l] = clp_combine_values(lane[l], lane[l + d]);
    }
    return lane[0];
}
#else
/* The combination of the first `real` lanes in their order: neighbours first. */
static inline clp_value clp_fold_lanes(clp_value *lane, uint real) {
    for (uint d = 1; d < CLP_SERIAL_LANES; d *= 2) {
        for (uint l = 0; l + d < real; l += 2 * d)
            lane[l] = clp_combine_values(lane[l], lane[l + d]);
    }
    return lane[0];
}
#endif

/* The number of rows of a block of `count` operands, and the length of a row. */
static inline uint clp_rows_of(uint count) {
    return (count + CLP_SERIAL_LANES - 1) / CLP_SERIAL_LANES;
}

static inline uint clp_row_length(uint count, uint row) {
    return min(count - row * CLP_SERIAL_LANES, (uint)CLP_SERIAL_LANES);
}

/* ---- A block of the first level ---- */

#if CLP_ARG
/* Each lane keeps the best key and the row where it stands: the index is made at the end, outside
 * of the loop over rows. */
static inline clp_value clp_elements_serial(const clp_io *io, ulong first, uint count) {
    CLP_A key[CLP_SERIAL_LANES];
    clp_row row[CLP_SERIAL_LANES];
    clp_value lane[CLP_SERIAL_LANES];
    const uint real = clp_row_length(count, 0), full = count / CLP_SERIAL_LANES;
#if CLP_SIMD > 1
    clp_take_all_wide(io, first, full, key, row);
#else
    for (uint r = 0; r < full; r++) {
        for (uint l = 0; l < CLP_SERIAL_LANES; l++) {
            const CLP_A next = clp_element(io, first + r * CLP_SERIAL_LANES + l);
            const bool better = r == 0 || clp_is_better(next, key[l]);
            key[l] = better ? next : key[l];
            row[l] = better ? (clp_row)r : row[l];
        }
    }
#endif
    for (uint l = 0; full == 0 && l < real; l++) {
        key[l] = clp_element(io, first + l);
        row[l] = 0;
    }
    for (uint i = max(full, 1u) * CLP_SERIAL_LANES; i < count; i++) {
        const uint l = i % CLP_SERIAL_LANES;
        const CLP_A next = clp_element(io, first + i);
        if (!clp_is_better(next, key[l])) continue;
        key[l] = next;
        row[l] = full;
    }
    for (uint l = 0; l < real; l++) {
        lane[l].key = key[l];
        lane[l].index = first + (ulong)row[l] * CLP_SERIAL_LANES + l;
    }
    return clp_fold_lanes(lane, real);
}
#elif CLP_COMMUTATIVE
static inline clp_value clp_elements_serial(const clp_io *io, ulong first, uint count) {
    clp_value lane[CLP_SERIAL_LANES];
    const uint real = clp_row_length(count, 0), full = count / CLP_SERIAL_LANES;
    uint r = max(full, 1u);
    for (uint l = 0; (full == 0 || CLP_SIMD == 1) && l < real; l++) {
        lane[l] = clp_element(io, first + l);
    }
#if CLP_SIMD > 1
    clp_take_all_wide(io, first, full, lane, 0);
#else
    for (r = 1; r + CLP_SERIAL_ROWS <= full; r += CLP_SERIAL_ROWS) {
        const ulong at = first + r * CLP_SERIAL_LANES;
        for (uint l = 0; l < CLP_SERIAL_LANES; l++) {
            clp_value value = lane[l];
#pragma unroll
            for (uint u = 0; u < CLP_SERIAL_ROWS; u++) {
                value = clp_combine_values(value, clp_element(io, at + u * CLP_SERIAL_LANES + l));
            }
            lane[l] = value;
        }
    }
#endif
    for (uint i = r * CLP_SERIAL_LANES; i < count; i++) {
        const uint l = i % CLP_SERIAL_LANES;
        lane[l] = clp_combine_values(lane[l], clp_element(io, first + i));
    }
    return clp_fold_lanes(lane, real);
}
#else
static inline clp_value clp_elements_serial(const clp_io *io, ulong first, uint count) {
    clp_value total;
    for (uint r = 0; r < clp_rows_of(count); r++) {
        clp_value lane[CLP_SERIAL_LANES];
        const uint real = clp_row_length(count, r);
        for (uint l = 0; l < real; l++) {
            lane[l] = clp_element(io, first + r * CLP_SERIAL_LANES + l);
        }
        const clp_value next = clp_fold_lanes(lane, real);
        total = r == 0 ? next : clp_combine_values(total, next);
    }
    return total;
}
#endif

/* ---- A block of a level above ---- */

#if CLP_COMMUTATIVE
static inline clp_value clp_sums_serial(const global clp_value *sums, uint count) {
    clp_value lane[CLP_SERIAL_LANES];
    const uint real = clp_row_length(count, 0);
    for (uint l = 0; l < real; l++) lane[l] = sums[l];
    for (uint i = real; i < count; i++) {
        const uint l = i % CLP_SERIAL_LANES;
        lane[l] = clp_combine_values(lane[l], sums[i]);
    }
    return clp_fold_lanes(lane, real);
}
#else
static inline clp_value clp_sums_serial(const global clp_value *sums, uint count) {
    clp_value total;
    for (uint r = 0; r < clp_rows_of(count); r++) {
        clp_value lane[CLP_SERIAL_LANES];
        const uint real = clp_row_length(count, r);
        for (uint l = 0; l < real; l++) lane[l] = sums[r * CLP_SERIAL_LANES + l];
        const clp_value next = clp_fold_lanes(lane, real);
        total = r == 0 ? next : clp_combine_values(total, next);
    }
    return total;
}
#endif

/* ---- The levels above the first ---- */

/* Block b of the level of m sums. */
static inline clp_value clp_sums_block(const global clp_value *sums, ulong m, ulong b) {
    return clp_sums_serial(sums + clp_block_first(m, CLP_SERIAL_LANES, b),
                           clp_block_length(m, CLP_SERIAL_LANES, b));
}

/* The second level, by the work-items of one work-group. Its results stand behind its m sums. */
static inline void clp_second_level(global clp_value *sums, ulong m) {
    const ulong blocks = clp_block_count(m, CLP_SERIAL_LANES);
    for (ulong b = get_local_id(0); m > 1 && b < blocks; b += CLP_GROUP) {
        sums[m + b] = clp_sums_block(sums, m, b);
    }
}

/* The levels above the second one, by one work-item; returns where the result stands. */
static inline const global clp_value *clp_last_levels(global clp_value *sums, ulong m) {
    while (m > 1) {
        sums += m;
        m = clp_block_count(m, CLP_SERIAL_LANES);
        const ulong blocks = clp_block_count(m, CLP_SERIAL_LANES);
        for (ulong b = 0; m > 1 && b < blocks; b++) sums[m + b] = clp_sums_block(sums, m, b);
    }
    return sums;
}
