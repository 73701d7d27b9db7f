/* SPDX-License-Identifier: MIT */
/* What tuning lines may name of segmented sort. */
#include "segmented_sort/segments_plan.h"

const clp_knob clp_segments_knobs[CLP_SEGMENTS_KNOBS] = {
    [CLP_SEGMENTS_GROUP] = CLP_GROUP_KNOB(
        "GROUP", "work-items of a work-group for short segments; 1 for serial", 128, 1, 1024),
    [CLP_SEGMENTS_TEAMS] =
        CLP_GROUP_KNOB("TEAMS", "work-items of a work-group that is shared by teams", 256, 8, 1024),
    [CLP_SEGMENTS_ITEMS] = {"ITEMS", "elements of a work-item of a team, at most; an odd number",
                            13, 1, 63},
    [CLP_SEGMENTS_LARGE] =
        CLP_GROUP_KNOB("LARGE", "work-items of a work-group that is one team", 1024, 8, 1024),
    [CLP_SEGMENTS_LARGE_ITEMS] = {"LARGE_ITEMS", "elements of each, at most; an odd number", 11, 1,
                                  63},
    [CLP_SEGMENTS_LANES] = {"LANES",
                            "elements that a sub-group sorts in registers, at most; 1024: 4-byte "
                            "keys alone",
                            1024, 512, 1024, true},
    [CLP_SEGMENTS_RADIX] = {"RADIX",
                            "elements of each work-item of a team that sorts by digits, at "
                            "most, a multiple of 4; 0: teams merge",
                            20, 0, 40},
    [CLP_SEGMENTS_FEW] = {"FEW", "elements of a run that takes few launches, at most; 0: none does",
                          1 << 24, 0, 1 << 24},
    [CLP_SEGMENTS_TILES] =
        {"TILES",
         "elements of a run from which on onesweep sorts long segments, if they hold most elements",
         1 << 21, 1, 1 << 30},
    [CLP_SEGMENTS_MOST] = {"MOST", "serial: elements of a segment that one work-item sorts", 2048,
                           1, 8192},
};

extern const clp_tuning_key clp_segmented_sort_keys[];
const clp_tuning_key clp_segmented_sort_keys[] = {
    {"segmented-sort", clp_segments_knobs, CLP_SEGMENTS_KNOBS},
    {NULL, NULL, 0},
};
