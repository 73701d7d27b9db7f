/* SPDX-License-Identifier: MIT */
/* The knobs of segmented. */
#include "engine/single_pass_knobs.h"
#include "segmented/segmented_plan.h"

const clp_knob clp_segmented_knobs[CLP_SEGMENTED_KNOBS] = {
    [CLP_SEGMENTED_GROUP] = CLP_GROUP_KNOB("GROUP", "work-items of a work-group", 0, 1, 1024),
    [CLP_SEGMENTED_GROUPS] = {"GROUPS", "work-groups for each compute unit, at most", 0, 1,
                              1 << 16},
    [CLP_SEGMENTED_ITEMS] = {"ITEMS", "1 more than the elements of a work-item in a tile", 0, 4, 32,
                             true},
    [CLP_SEGMENTED_SHARE] = {"SHARE", "elements and ends of segments of a share, at least", 0, 1,
                             1 << 30},
    [CLP_SEGMENTED_SINGLE] = {"SINGLE", "1: by keys, flags or bits in one launch (nvidia layer)", 0,
                              0, 1},
    [CLP_SEGMENTED_TEAM] = {"TEAM",
                            "work-items of a segment: 1, 2, 4 to 32, or a group; 0: shares (reduce "
                            "by offsets)",
                            0, 0, 1024},
    [CLP_SEGMENTED_BLOCK] = {"BLOCK",
                             "TEAM: elements of a block, of which long segments are combined", 0, 1,
                             1 << 24, true},
};

extern const clp_tuning_key clp_segmented_keys[];
const clp_tuning_key clp_segmented_keys[] = {
    {"segmented", clp_segmented_knobs, CLP_SEGMENTED_KNOBS},
    CLP_RING_KEY("segmented-lookahead"),
    {NULL, NULL, 0}};
