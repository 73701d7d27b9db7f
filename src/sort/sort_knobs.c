/* SPDX-License-Identifier: MIT */
/* What tuning lines may name of sort. */
#include "sort/segments_plan.h"
#include "sort/sort_plan.h"
#include "sort/topk_plan.h"

#include <stdint.h>

const clp_knob clp_sort_knobs[CLP_SORT_KNOBS] = {
    [CLP_SORT_GROUP] = {"GROUP", "work-items of a work-group; 1 for serial", 256, 1, 1024, true,
                        .chosen = true},
    [CLP_SORT_ITEMS] = {"ITEMS", "keys of a work-item in a tile; odd numbers avoid bank conflicts",
                        15, 1, 63, false, .chosen = true},
    [CLP_SORT_BITS] = {"BITS", "bits of a digit, at most; up to 8 unless serial", 8, 4, 12, false,
                       .chosen = true},
    [CLP_SORT_PARTS] = {"PARTS", "work-groups that count digits; parts of the keys for serial", 256,
                        1, 1 << 16, false, .chosen = true},
    [CLP_SORT_LINE] = {"LINE", "serial: keys gathered per digit before they are written", 16, 1, 64,
                       true, .chosen = true},
    [CLP_SORT_SINGLE] = {"SINGLE",
                         "keys that one work-group sorts alone, at most; at most a tile "
                         "unless serial",
                         4096, 0, 1 << 24, false, .chosen = true},
    [CLP_SORT_STREAM] = {"STREAM", "serial: keys from which on stores bypass the caches", 0, 0,
                         SIZE_MAX, false, .chosen = true},
};

const clp_knob clp_onesweep_knobs[CLP_ONESWEEP_KNOBS] = {
    [CLP_ONESWEEP_RANKERS] = {"RANKERS", "sub-groups of a work-group that rank keys", 30, 8, 30,
                              false, .chosen = true},
    [CLP_ONESWEEP_ITEMS] = {"ITEMS", "keys of a ranking work-item in a tile; an even number", 40, 4,
                            48, false, .chosen = true},
    [CLP_ONESWEEP_SINGLE] = {"SINGLE",
                             "keys that one work-group sorts alone, or work-groups by tiles, "
                             "at most",
                             1 << 16, 0, 1 << 16, false, .chosen = true},
    [CLP_ONESWEEP_SMALL] = {"SMALL", "keys that take smaller tiles, at most; 0: all take max_n's",
                            0, 0, 1 << 30, false, .chosen = true},
    [CLP_ONESWEEP_MIDDLE] = {"MIDDLE",
                             "keys beyond one round of the largest tiles that take tiles between, "
                             "at most; 0: none",
                             0, 0, 1 << 30, false, .chosen = true},
    [CLP_ONESWEEP_COUNTED] = {"COUNTED",
                              "max_n from which on keys of two bytes alone are written by counts",
                              1 << 22, 0, SIZE_MAX, false, .chosen = true},
    [CLP_ONESWEEP_DISTINCT] = {"DISTINCT",
                               "keys of 4 bytes or more from which on distinct ones are counted; "
                               "0: never",
                               1 << 22, 0, SIZE_MAX, false, .chosen = true},
};

const clp_knob clp_segments_knobs[CLP_SEGMENTS_KNOBS] = {
    [CLP_SEGMENTS_GROUP] = {"GROUP", "work-items of a work-group for short segments; 1 for serial",
                            128, 1, 1024, true, .chosen = true},
    [CLP_SEGMENTS_TEAMS] = {"TEAMS", "work-items of a work-group that is shared by teams", 256, 8,
                            1024, true, .chosen = true},
    [CLP_SEGMENTS_ITEMS] = {"ITEMS", "elements of a work-item of a team, at most; an odd number",
                            13, 1, 63, false, .chosen = true},
    [CLP_SEGMENTS_LARGE] = {"LARGE", "work-items of a work-group that is one team", 1024, 8, 1024,
                            true, .chosen = true},
    [CLP_SEGMENTS_LARGE_ITEMS] = {"LARGE_ITEMS", "elements of each, at most; an odd number", 11, 1,
                                  63, false, .chosen = true},
    [CLP_SEGMENTS_LANES] = {"LANES",
                            "elements that a sub-group sorts in registers, at most; 1024: 4-byte "
                            "keys alone",
                            1024, 512, 1024, true, .chosen = true},
    [CLP_SEGMENTS_RADIX] = {"RADIX",
                            "elements of each work-item of a team that sorts by digits, at "
                            "most, a multiple of 4; 0: teams merge",
                            20, 0, 40, false, .chosen = true},
    [CLP_SEGMENTS_FEW] = {"FEW", "elements of a run that takes few launches, at most; 0: none does",
                          1 << 24, 0, 1 << 24, false, .chosen = true},
    [CLP_SEGMENTS_TILES] =
        {"TILES",
         "elements of a run from which on onesweep sorts long segments, if they hold most elements",
         1 << 21, 1, 1 << 30, false, .chosen = true},
    [CLP_SEGMENTS_MOST] = {"MOST", "serial: elements of a segment that one work-item sorts", 2048,
                           1, 8192, false, .chosen = true},
};

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
};

extern const clp_tuning_key clp_sort_keys[];
const clp_tuning_key clp_sort_keys[] = {
    {"sort", clp_sort_knobs, CLP_SORT_KNOBS},
    {"sort-onesweep", clp_onesweep_knobs, CLP_ONESWEEP_KNOBS},
    {"sort-onesweep-many", clp_onesweep_knobs, CLP_ONESWEEP_KNOBS},
    {"segmented-sort", clp_segments_knobs, CLP_SEGMENTS_KNOBS},
    {"topk", clp_topk_knobs, CLP_TOPK_KNOBS},
    {NULL, NULL, 0},
};
