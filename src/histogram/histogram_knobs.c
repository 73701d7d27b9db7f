/* SPDX-License-Identifier: MIT */
/* The knobs of histogram. */
#include "histogram/histogram_plan.h"

const clp_knob clp_histogram_knobs[CLP_HISTOGRAM_KNOBS] = {
    [CLP_HISTOGRAM_GROUP] = CLP_GROUP_KNOB(
        "GROUP", "work-items of a work-group; 1: they count by themselves", 0, 1, 1024),
    [CLP_HISTOGRAM_SLICES] = {"SLICES", "slices of the input for each compute unit, at most", 0, 1,
                              1 << 16},
    [CLP_HISTOGRAM_DEPTH] = {"DEPTH", "vectors that a work-item loads before it counts them", 0, 1,
                             16, true},
    [CLP_HISTOGRAM_COPIES] = {"COPIES", "counters of a bin in a work-group, at most", 0, 1, 32,
                              true},
    [CLP_HISTOGRAM_PARTS] = {"PARTS",
                             "parts of the bins that read each element, at most; beyond, all count "
                             "in device memory",
                             4, 0, 64, .is_fixed = true},
    [CLP_HISTOGRAM_PART_BINS] = {"PART_BINS", "bins of a part, at most", 0, 1, (size_t)1 << 31},
    [CLP_HISTOGRAM_BYTEWISE] = {"BYTEWISE",
                                "1: work-items count the values of bytes by themselves, in local "
                                "memory; 0: no",
                                0, 0, 1},
    [CLP_HISTOGRAM_FEW] = {"FEW",
                           "where BYTEWISE is 1: elements that are counted by atomics, at most",
                           1 << 24, 0, 1 << 24, .is_fixed = true},
};

extern const clp_tuning_key clp_histogram_keys[];
const clp_tuning_key clp_histogram_keys[] = {
    {"histogram", clp_histogram_knobs, CLP_HISTOGRAM_KNOBS}, {NULL, NULL, 0}};
