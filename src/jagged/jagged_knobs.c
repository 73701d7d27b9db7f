/* SPDX-License-Identifier: MIT */
/* The knobs of parents, gather and scatter. */
#include "jagged/jagged_knobs.h"

const clp_knob clp_parents_knobs[CLP_PARENTS_KNOBS] = {
    [CLP_PARENTS_GROUP] = CLP_GROUP_KNOB("GROUP", "work-items of a work-group", 0, 1, 1024),
    [CLP_PARENTS_GROUPS] = {"GROUPS", "work-groups for each compute unit, at most", 0, 1, 1 << 16},
    [CLP_PARENTS_SHARE] = {"SHARE", "elements and ends of segments that a worker has at least", 0,
                           1, 1 << 30},
};

const clp_knob clp_indexed_knobs[CLP_INDEXED_KNOBS] = {
    [CLP_INDEXED_GROUP] = CLP_GROUP_KNOB(
        "GROUP", "work-items of a work-group; 1: they take adjacent indices", 0, 1, 1024),
    [CLP_INDEXED_GROUPS] = {"GROUPS", "work-groups for each compute unit, at most", 0, 1, 1 << 16},
    [CLP_INDEXED_DEPTH] = {"DEPTH", "indices that a work-item loads at a time", 0, 1, 16, true},
};

extern const clp_tuning_key clp_jagged_keys[];
const clp_tuning_key clp_jagged_keys[] = {{"parents", clp_parents_knobs, CLP_PARENTS_KNOBS},
                                          {"gather", clp_indexed_knobs, CLP_INDEXED_KNOBS},
                                          {"scatter", clp_indexed_knobs, CLP_INDEXED_KNOBS},
                                          {NULL, NULL, 0}};
