/* SPDX-License-Identifier: MIT */
/* What tuning lines may name of top-k. */
#include "topk/topk_plan.h"

const clp_knob clp_topk_knobs[CLP_TOPK_KNOBS] = {
    [CLP_TOPK_GROUP] = {"GROUP", "work-items of a work-group", 256, 1, 1024, true, .chosen = true},
    [CLP_TOPK_ITEMS] = {"ITEMS", "elements that a work-item reads at once", 8, 1, 32, false,
                        .chosen = true},
    [CLP_TOPK_BITS] = {"BITS", "bits of a digit, at most", 11, 4, 12, false, .chosen = true},
    [CLP_TOPK_GROUPS] = {"GROUPS", "work-groups that count or gather, at most", 256, 1, 1 << 16,
                         false, .chosen = true},
    [CLP_TOPK_ROOM] = {"ROOM", "candidates beyond k that are sorted, at least", 1 << 16, 0, 1 << 24,
                       false, .chosen = true},
    [CLP_TOPK_FEW] = {"FEW", "all candidates, if k is at most a quarter of them; 0: as ROOM says",
                      4096, 0, 1 << 16, false, .chosen = true},
    [CLP_TOPK_SAMPLE] = {"SAMPLE", "elements of a sample; 0: none is taken", 1 << 19, 0, 1 << 24,
                         false, .chosen = true},
    [CLP_TOPK_ROWS] = {"ROWS", "segments: work-items of a work-group, at most", 512, 32, 1024, true,
                       .chosen = true},
    [CLP_TOPK_EACH] = {"EACH", "segments: elements for each work-item of a team, about", 32, 1,
                       1 << 16, false, .chosen = true},
    [CLP_TOPK_PIECE] = {"PIECE", "segments: elements of a piece of a long segment, about", 1 << 18,
                        1, 1 << 30, false, .chosen = true},
};

extern const clp_tuning_key clp_topk_keys[];
const clp_tuning_key clp_topk_keys[] = {
    {"topk", clp_topk_knobs, CLP_TOPK_KNOBS},
    {NULL, NULL, 0},
};
