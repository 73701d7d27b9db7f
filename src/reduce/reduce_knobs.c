/* SPDX-License-Identifier: MIT */
/* The knobs of reduce. */
#include "reduce/reduce_plan.h"

const clp_knob clp_reduce_knobs[CLP_REDUCE_KNOBS] = {
    [CLP_REDUCE_GROUP] = CLP_GROUP_KNOB(
        "GROUP", "work-items of a work-group: 1; 32 and more; 128: one block each", 0, 1, 1024),
    [CLP_REDUCE_GROUPS] = {"GROUPS", "work-groups for each compute unit, at most", 0, 1, 1 << 20},
    [CLP_REDUCE_DEPTH] = {"DEPTH", "rows that are loaded before they are combined", 8, 1, 64, true,
                          .is_fixed = true},
    [CLP_REDUCE_WAITERS] = {"WAITERS",
                            "GROUP=128: groups that may wait without a ticket; default: one for "
                            "each compute unit",
                            0, 0, UINT32_MAX},
    [CLP_REDUCE_BLOCKS] = {"BLOCKS",
                           "GROUP=128, counted runs: blocks of a group, at most; fewer where their "
                           "values are large",
                           4, 1, 8, .is_fixed = true},
    [CLP_REDUCE_READERS] = {"READERS",
                            "GROUP=128, counted runs: work-groups for each compute unit, at least, "
                            "as far as there are blocks",
                            32, 1, 1 << 20, .is_fixed = true},
};

extern const clp_tuning_key clp_reduce_keys[];
const clp_tuning_key clp_reduce_keys[] = {{"reduce", clp_reduce_knobs, CLP_REDUCE_KNOBS},
                                          {NULL, NULL, 0}};
