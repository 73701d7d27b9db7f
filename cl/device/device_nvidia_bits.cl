/* SPDX-License-Identifier: MIT */
/* Device layer: NVIDIA GPUs, products of bit matrices, which those of compute capability 8.0 to 9.0
 * have instructions for. */

/* The bits of `low` where the mask has them, elsewhere those of `high`: one instruction. */
static inline uint clp_select_bits(uint high, uint low, uint mask) {
    uint result;
    __asm__("lop3.b32 %0, %1, %2, %3, 0xd8;" : "=r"(result) : "r"(high), "r"(low), "r"(mask));
    return result;
}

/*
 * Adds to `sums`, 16 rows of 8, how many bits a row and a column have in common. Of 256 bits lane 4
 * r + c has word c and word 4 + c: rows->x and rows->z of row r, rows->y and rows->w of row r + 8,
 * columns.x and columns.y of column r. Of the sums it has those of row r in columns 2 c and 2 c +
 * 1, then those of row r + 8.
 */
static inline void clp_add_common_bits(uint *sums, uint4 rows, uint2 columns) {
    __asm__ volatile("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, "
                     "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
                     : "r"(rows.x), "r"(rows.y), "r"(rows.z), "r"(rows.w), "r"(columns.x),
                       "r"(columns.y));
}
