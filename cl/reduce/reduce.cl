/* SPDX-License-Identifier: MIT */
/*
 * Reduce: the results of blocks, their combination, and what all kernels have in common.
 * include/clprims/reduce.h states the order of the operands (the tree), which depends on n alone.
 * A level of the tree is an array whose blocks are combined into the array of the level above.
 */
#if CLP_ARG
/* The best value so far and its index. */
typedef struct clp_value {
    ulong index;
    CLP_A key;
} clp_value;
#define CLP_RESULT long
#else
typedef CLP_A clp_value;
#define CLP_RESULT CLP_OUT
#endif

typedef char clp_value_has_the_stated_size[sizeof(clp_value) == CLP_VALUE_BYTES ? 1 : -1];

#define CLP_REDUCE_PARAMETERS                                                                      \
    const global CLP_E *in, ulong in_first, global CLP_RESULT *out, ulong out_first,               \
        global clp_report *report, ulong report_first, ulong most_n, CLP_RESULT start,             \
        global clp_value *sums, volatile global uint *tickets,                                     \
        uint run CLP_COUNT_PARAMETERS CLP_USER_PARAMETERS

/* ---- Combining ---- */

#if CLP_ARG
/* Whether a comes before b. */
static inline bool clp_is_better(CLP_A a, CLP_A b) {
    return CLP_BETTER;
}

static inline clp_value clp_combine_values(clp_value a, clp_value b) {
    const bool is_second =
        clp_is_better(b.key, a.key) || (!clp_is_better(a.key, b.key) && b.index < a.index);
    if (is_second) a = b;
    return a;
}
#else
static inline clp_value clp_combine_values(clp_value a, clp_value b) {
    return CLP_COMBINED;
}
#endif

/* ---- The tree ---- */

/* Rows of a block of n elements, as a power of two. */
static inline uint clp_row_bits(ulong n) {
    return n <= 1ul << 20 ? 3 : n <= 1ul << 25 ? 5 : 6;
}

/* Operands of a block of n, in rows of `lanes`, as a power of two. */
static inline uint clp_block_bits(ulong n, uint lanes) {
    return popcount(lanes - 1) + clp_row_bits(n);
}

static inline ulong clp_block_count(ulong n, uint lanes) {
    const uint bits = clp_block_bits(n, lanes);
    return (n + (1ul << bits) - 1) >> bits;
}

/* Where block b of n operands begins, and how many it has: none, if there is no such block. */
static inline ulong clp_block_first(ulong n, uint lanes, ulong b) {
    return min(b << clp_block_bits(n, lanes), n);
}

static inline uint clp_block_length(ulong n, uint lanes, ulong b) {
    return (uint)(clp_block_first(n, lanes, b + 1) - clp_block_first(n, lanes, b));
}

/* What is read. */
typedef struct clp_io {
    const global CLP_E *in;
#ifdef CLP_USER_VALUES
    clp_user user;
#endif
} clp_io;

/* The value of element i. */
static inline CLP_A clp_element(const clp_io *io, ulong i) {
#if CLP_INPUTS == 0
    return clp_input(i CLP_USER(io));
#else
    return clp_input(io->in[i], i CLP_USER(io));
#endif
}

/* ---- The end ---- */

/* The initial value in front, and the type of the output. */
static inline CLP_RESULT clp_result(clp_value total, CLP_RESULT start) {
#if CLP_ARG
    return (long)total.index;
#else
#if CLP_HAS_START
    const clp_value before = start;
    total = clp_combine_values(before, total);
#endif
#ifdef CLP_NAN
    if (total != total) total = CLP_NAN;
#endif
    return CLP_STORED(total);
#endif
}

/* What one work-item writes: total is that of n elements, if there are any. */
static inline void clp_write_result(global CLP_RESULT *out, global clp_report *report, ulong n,
                                    CLP_RESULT start, clp_value total) {
    const clp_report found = {CLP_EMPTY && n == 0 ? CLP_FAULT_EMPTY : 0, (long)n};
    *report = found;
    if (n > 0) {
        *out = clp_result(total, start);
    } else if (!CLP_EMPTY) {
        *out = start;
    }
}
