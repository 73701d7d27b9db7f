/* SPDX-License-Identifier: MIT */
/* The knobs of map. */
#include "map/map_knobs.h"

const clp_knob clp_map_knobs[CLP_MAP_KNOBS] = {
    [CLP_MAP_GROUP] = CLP_GROUP_KNOB(
        "GROUP", "work-items of a work-group; 1: they take element after element", 0, 1, 1024),
    [CLP_MAP_DEPTH] = {"DEPTH", "vectors that a work-item loads before it stores one", 0, 1, 16,
                       true},
    [CLP_MAP_VEC] = {"VEC", "elements of a vector", 0, 1, 16, true},
};

extern const clp_tuning_key clp_map_keys[];
const clp_tuning_key clp_map_keys[] = {{"map", clp_map_knobs, CLP_MAP_KNOBS}, {NULL, NULL, 0}};
