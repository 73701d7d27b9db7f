/* SPDX-License-Identifier: MIT */
/*
 * Functions in plain OpenCL C, for the layers that have no instructions of their own for them.
 */

/* A condition that holds nearly always. */
#define CLP_LIKELY(condition) (condition)

#if CLP_INT64_ATOMICS
/* A word that other work-groups observe. Atomics store and load it whole; atomics of OpenCL 1.2 act
 * at device scope. */
static inline void clp_publish(volatile global ulong *word, ulong value) {
    atom_xchg(word, value);
}

static inline ulong clp_observe(volatile global ulong *word) {
    return atom_add(word, 0ul);
}
#endif

/* A hint, which has no instruction here. */
static inline void clp_fetch_line(const global void *at) {}

/* Accesses to 16 bytes that are not needed again. */
static inline uint4 clp_load_stream(const global uint4 *from) {
    return *from;
}

static inline void clp_store_stream(global uint4 *to, uint4 value) {
    *to = value;
}

/* A sum that is rounded by itself: it must not be fused with the product that an operand is. */
static inline float __attribute__((overloadable)) clp_add_rounded(float a, float b) {
    return a + b;
}
#ifdef cl_khr_fp64
static inline double __attribute__((overloadable)) clp_add_rounded(double a, double b) {
    return a + b;
}
#endif

/* Puts four bytes together. Each hexadecimal digit of the selector chooses one: 0 to 3 a byte of a,
 * 4 to 7 a byte of b. The lowest digit chooses the lowest byte. */
static inline uint clp_choose_bytes(uint a, uint b, uint selector) {
    const ulong both = (ulong)b << 32 | a;
    return (uint)(both >> (selector & 7) * 8 & 0xff) |
           (uint)(both >> (selector >> 4 & 7) * 8 & 0xff) << 8 |
           (uint)(both >> (selector >> 8 & 7) * 8 & 0xff) << 16 |
           (uint)(both >> (selector >> 12 & 7) * 8 & 0xff) << 24;
}

/* Adds the word's two halves, or its four bytes, to the sum. */
static inline uint clp_add_halves(uint sum, uint word) {
    return sum + (word & 0xffff) + (word >> 16);
}

static inline uint clp_add_bytes(uint sum, uint word) {
    return clp_add_halves(sum, (word & 0x00ff00ff) + (word >> 8 & 0x00ff00ff));
}
