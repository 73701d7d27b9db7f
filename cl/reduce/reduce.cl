/* SPDX-License-Identifier: MIT */
/*
 * Reduce: the values that blocks reduce to, their combination, the tree, and the end of a run.
 *
 * The order of the operands is a tree that depends on n and the operator alone, so results have the
 * same bits on every device; include/clprims/reduce.h states it. A level of the tree is an array:
 * the elements, then the results ("sums") of the level below. A level is cut into blocks of rows.
 * The lanes of a block are combined down the rows, then the lanes with one another; each block
 * gives one sum of the level above.
 *
 * The room's files (src/reduce/reduce_plan.h leads here):
 *   reduce_report.cl          what a run reports
 *   reduce.cl                 values, the tree, the end
 *   reduce_lanes.cl           lanes of a block, and on CPUs their vectors
 *   reduce_serial.cl          a block, and the levels above the first, by one work-item
 *   reduce_serial_kernel.cl   the kernel of CPUs: consecutive blocks for each work-item
 *   reduce_team.cl            how a team of work-items combines what it has of a row
 *   reduce_rows.cl            a block of the first level, by a team
 *   reduce_team_kernel.cl     the kernel where work-groups must not wait for each other
 *   reduce_group_kernel.cl    the kernel where they may: a work-group for each block of each level
 *   reduce_counted_kernel.cl  the same, where the number of elements stands in device memory
 */
#if CLP_ARG
/* The best value so far and its index. */
typedef struct clp_value {
    ulong index;
    CLP_A key;
} clp_value;
#else
typedef CLP_A clp_value;
#endif

typedef char clp_value_has_the_stated_size[sizeof(clp_value) == CLP_VALUE_BYTES ? 1 : -1];

#define CLP_REDUCE_PARAMETERS                                                                      \
    const global CLP_E *in, ulong in_first, global CLP_OUT *out, ulong out_first,                  \
        global clp_report *report, ulong report_first, ulong most_n, CLP_R start,                  \
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

/* log2 of the rows of a block of n operands. Rows grow with n, so that the upper levels stay
 * small. */
static inline uint clp_row_bits(ulong n) {
    return n <= 1ul << 20 ? 3 : n <= 1ul << 25 ? 5 : 6;
}

/* log2 of the operands of a block of n, in rows of `lanes`, a power of two. */
static inline uint clp_block_bits(ulong n, uint lanes) {
    return popcount(lanes - 1) + clp_row_bits(n);
}

static inline ulong clp_block_count(ulong n, uint lanes) {
    const uint bits = clp_block_bits(n, lanes);
    return (n + (1ul << bits) - 1) >> bits;
}

/* The first operand of block b, and the number of its operands: 0 if there is no block b. */
static inline ulong clp_block_first(ulong n, uint lanes, ulong b) {
    return min(b << clp_block_bits(n, lanes), n);
}

static inline uint clp_block_length(ulong n, uint lanes, ulong b) {
    return (uint)(clp_block_first(n, lanes, b + 1) - clp_block_first(n, lanes, b));
}

/* The input, and parameters of its expression. */
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

/* The result: the total behind the initial value. One NaN stands for all, whose bits differ between
 * devices. */
static inline CLP_R clp_result(clp_value total, CLP_R start) {
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
    return total;
#endif
}

/* Ends the run, by one work-item. total: of n elements; not used if n is 0. */
static inline void clp_write_result(const clp_io *io, global CLP_OUT *out,
                                    global clp_report *report, ulong n, CLP_R start,
                                    clp_value total) {
    const clp_report found = {CLP_EMPTY && n == 0 ? CLP_FAULT_EMPTY : 0, (long)n};
    *report = found;
    if (n > 0 || !CLP_EMPTY) {
        *out = clp_stored(n > 0 ? clp_result(total, start) : start, n CLP_USER(io));
    }
}
