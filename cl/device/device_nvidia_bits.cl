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
 * Adds to `sums`, 16 rows of 8, how many bits a row and a column have in common. Of their 256 bits
 * lane 4 r + c has words c and 4 + c: first and second of row r, other_first and other_second of
 * row r + 8, column_first and column_second of column r. Of the sums it has those of row r in
 * columns 2 c and 2 c + 1, then those of row r + 8.
 */
static inline void clp_add_common_bits(uint *sums, uint first, uint second, uint other_first,
                                       uint other_second, uint column_first, uint column_second) {
    uint a = sums[0], b = sums[1], c = sums[2], d = sums[3];
    __asm__ volatile("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, "
                     "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+r"(a), "+r"(b), "+r"(c), "+r"(d)
                     : "r"(first), "r"(other_first), "r"(second), "r"(other_second),
                       "r"(column_first), "r"(column_second));
    sums[0] = a;
    sums[1] = b;
    sums[2] = c;
    sums[3] = d;
}
