/* SPDX-License-Identifier: MIT */
/*
 * Reduce-then-scan in place of lookback.cl, with the same functions: a run is three launches, which
 * need neither progress of other work-groups nor 64-bit atomics. The kernel first runs as
 * CLP_REDUCES, when each tile leaves its aggregate in the state. Then one work-group scans the
 * aggregates (level_sums.cl). At last the kernel runs again and each tile reads its prefix.
 *
 * Tiles are numbered by ticket, in each launch by itself: what stands under a number is of that
 * tile.
 */
#define CLP_REDUCES 1u

typedef struct clp_look {
    volatile global ulong *state; /* one CLP_A a tile: its aggregate, then their inclusive scan */
    uint run; /* CLP_REDUCES, or another number where prefixes are read */
    CLP_A start;
    const clp_io *io;
    ulong n;
} clp_look;

/* As in lookback.cl, but that a launch that reduces returns nothing of use. */
static inline CLP_A clp_look_back(const clp_look *look, uint number, CLP_A aggregate,
                                  local CLP_A *exchange) {
    global CLP_A *sums = (global CLP_A *)look->state;
    (void)exchange;
    if (look->run == CLP_REDUCES) {
        /* Nobody reads the last tile's. Partner: clp_level_sums. */
        if (clp_lane() == 0 && number < get_num_groups(0) - 1) sums[number] = aggregate;
        return look->start;
    }
    if (number == 0) return look->start;
    const CLP_A before = sums[number - 1]; /* of an earlier launch */
    return CLP_HAS_START ? clp_op(look->start, before) : before;
}
