/* SPDX-License-Identifier: MIT */
/* What tuning lines may name of top-k. */
#include "topk/topk_plan.h"

const clp_knob clp_topk_knobs[CLP_TOPK_KNOBS] = {
    [CLP_TOPK_GROUP] = CLP_GROUP_KNOB("GROUP", "work-items of a work-group", 1024, 1, 1024),
    [CLP_TOPK_ITEMS] = {"ITEMS", "elements that a work-item reads at once", 8, 1, 32},
    [CLP_TOPK_GROUPS] = {"GROUPS", "work-groups of one array, at most", 256, 1, 1 << 16},
    [CLP_TOPK_ROOM] = {"ROOM", "candidates beyond k for which there is room; 0: as a sample needs",
                       0, 0, 1 << 24},
    [CLP_TOPK_SAMPLE] = {"SAMPLE", "elements of a sample, at most", 1 << 19, 1, 1 << 24},
    [CLP_TOPK_ROWS] = {"ROWS", "segments: work-items of a team, at most, or as many as k", 256, 32,
                       1024, true},
    [CLP_TOPK_EACH] = {"EACH", "segments: elements for each work-item of a team, at most", 256, 1,
                       1 << 16},
    [CLP_TOPK_PIECE] = {"PIECE", "segments: elements of a piece of a long segment, about", 1 << 21,
                        1, 1 << 30},
    [CLP_TOPK_ONE] = {"ONE", "k, at most, for which no sorts follow in one array", 1024, 0,
                      1 << 20},
    [CLP_TOPK_SINGLE] = {"SINGLE",
                         "elements of one array, at most, that one work-group takes alone", 16384,
                         1, 1 << 20},
};

extern const clp_tuning_key clp_topk_keys[];
const clp_tuning_key clp_topk_keys[] = {
    {"topk", clp_topk_knobs, CLP_TOPK_KNOBS},
    {NULL, NULL, 0},
};
