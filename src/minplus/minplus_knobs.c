/* SPDX-License-Identifier: MIT */
/* The knobs of products and closures. The kinds of products have tuning lines of their own, and so
 * have the ranks of tiles by their size. */
#include "minplus/minplus_plan.h"

const clp_knob clp_minplus_knobs[CLP_MINPLUS_KNOBS] = {
    [CLP_MINPLUS_HIGH] = {"HIGH", "work-items of a work-group from top to bottom of a tile", 1, 1,
                          64, true},
    [CLP_MINPLUS_WIDTH] = {"WIDE", "work-items of a work-group from left to right of a tile", 1, 1,
                           64, true},
    [CLP_MINPLUS_ROWS] = {"ROWS", "rows of a work-item's cells", 8, 1, 64},
    [CLP_MINPLUS_COLUMNS] = {"COLUMNS", "columns of a work-item's cells", 4, 1, 256},
    [CLP_MINPLUS_DEPTH] = {"DEPTH", "k of a slab in local memory", 128, 8, 1024, true},
    [CLP_MINPLUS_BLOCKS] = {"BLOCKS", "HIGH=WIDE=1: times ROWS in a tile", 1, 1, 256},
    [CLP_MINPLUS_PAIRS] =
        {"PAIRS",
         "two pairs fold 1: one by one, 2: in turn, 3: as a pair first, 4: either, by products", 1,
         1, 4, .is_fixed = true},
    [CLP_MINPLUS_UNROLL] = {"UNROLL", "k of a slab that are unrolled", 16, 2, 64, true,
                            .is_fixed = true},
    [CLP_MINPLUS_SIGNLESS] =
        {"SIGNLESS",
         "1: a loop for operands without a sign; 2: and one for negative cells; 0: neither", 1, 0,
         2, .is_fixed = true},
    [CLP_MINPLUS_BARRIERS] = {"BARRIERS",
                              "1: barriers in loops, which compilers for CPUs get wrong", 0, 0, 1},
    [CLP_MINPLUS_SPLIT] = {"SPLIT", "split-k slices of HIGH * WIDE work-items that share a slab", 1,
                           1, 32, true},
};

#define KEYS(kind)                                                                                 \
    {kind, clp_minplus_knobs, CLP_MINPLUS_KNOBS},                                                  \
        {kind "-narrow", clp_minplus_knobs, CLP_MINPLUS_KNOBS},                                    \
        {kind "-small", clp_minplus_knobs, CLP_MINPLUS_KNOBS}, {                                   \
        kind "-tiny", clp_minplus_knobs, CLP_MINPLUS_KNOBS                                         \
    }

extern const clp_tuning_key clp_minplus_keys[];
const clp_tuning_key clp_minplus_keys[] = {KEYS("minplus"),
                                           KEYS("minplus-float"),
                                           KEYS("minplus-nonnegative"),
                                           KEYS("minplus-argmin"),
                                           {NULL, NULL, 0}};
