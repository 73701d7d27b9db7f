/* SPDX-License-Identifier: MIT */
/* The knobs of parents, gather and scatter. */
#include "jagged/jagged_knobs.h"

const clp_knob clp_parents_knobs[CLP_PARENTS_KNOBS] = {
    [CLP_PARENTS_GROUP] = CLP_GROUP_KNOB("GROUP", "work-items of a work-group", 0, 1, 1024),
    [CLP_PARENTS_GROUPS] = {"GROUPS", "work-groups for each compute unit, at most", 0, 1, 1 << 16},
    [CLP_PARENTS_SHARE] = {"SHARE", "elements and ends of segments that a worker has at least", 0,
                           1, 1 << 30},
};

const clp_knob clp_gather_knobs[CLP_GATHER_KNOBS] = {
    [CLP_GATHER_GROUP] = CLP_GROUP_KNOB(
        "GROUP", "work-items of a work-group; 1: they take index after index", 0, 1, 1024),
    [CLP_GATHER_GROUPS] = {"GROUPS", "work-groups for each compute unit, at most", 0, 1, 1 << 16},
    [CLP_GATHER_DEPTH] = {"DEPTH", "vectors of indices that a work-item loads at a time", 4, 1, 16,
                          true, .is_fixed = true},
};

const clp_knob clp_scatter_knobs[CLP_SCATTER_KNOBS] = {
    [CLP_SCATTER_GROUP] = CLP_GROUP_KNOB(
        "GROUP", "work-items of a work-group; 1: they take adjacent indices", 0, 1, 1024),
    [CLP_SCATTER_GROUPS] = {"GROUPS", "work-groups for each compute unit, at most", 0, 1, 1 << 16},
    [CLP_SCATTER_DEPTH] = {"DEPTH", "indices that a work-item loads at a time", 0, 1, 16, true},
};

extern const clp_tuning_key clp_jagged_keys[];
const clp_tuning_key clp_jagged_keys[] = {{"parents", clp_parents_knobs, CLP_PARENTS_KNOBS},
                                          {"gather", clp_gather_knobs, CLP_GATHER_KNOBS},
                                          {"scatter", clp_scatter_knobs, CLP_SCATTER_KNOBS},
                                          {NULL, NULL, 0}};
