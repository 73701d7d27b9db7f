/* SPDX-License-Identifier: MIT */
/*
 * Reduce-then-scan, in place of lookback.cl and with its functions. A run is three launches, which
 * need neither progress of other work-groups nor 64-bit atomics:
 *   1. the kernel with run = CLP_REDUCES: each tile stores its aggregate
 *   2. level_sums.cl: one work-group scans the aggregates
 *   3. the kernel again: each tile reads its prefix, and is scanned onto it
 * The input is read twice. Nobody waits for another work-group; launches follow one another.
 *
 * Each launch numbers its tiles by tickets of its own. The aggregate under a number is that of the
 * tile with the number, whichever work-group takes it.
 */
#define CLP_REDUCES 1u
#define CLP_LOOK_TOGETHER(works, number, aggregate)

typedef struct clp_look {
    volatile global ulong *state; /* one CLP_A a tile: aggregates, then their inclusive scan */
    uint run; /* CLP_REDUCES, or another number in launch 3 */
    CLP_A start;
    const clp_io *io;
    ulong n;
} clp_look;

/* As in lookback.cl. In launch 1 the result is not used. */
static inline CLP_A clp_look_back(const clp_look *look, uint number, CLP_A aggregate,
                                  local CLP_A *exchange) {
    global CLP_A *sums = (global CLP_A *)look->state;
    (void)exchange;
    if (look->run == CLP_REDUCES) {
        /* Nobody reads the last tile's aggregate. Partner: clp_level_sums. */
        if (clp_lane() == 0 && number < get_num_groups(0) - 1) sums[number] = aggregate;
        return look->start;
    }
    if (number == 0) return look->start;
    const CLP_A before = sums[number - 1]; /* written by clp_level_sums, an earlier launch */
    return CLP_HAS_START ? clp_op(look->start, before) : before;
}
