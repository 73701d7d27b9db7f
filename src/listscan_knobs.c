/* SPDX-License-Identifier: MIT */
/* The knobs of list scan, which forests have as well. */
#include "listscan_engine.h"

const clp_knob clp_listscan_knobs[CLP_LISTSCAN_KNOBS] = {
    [CLP_LISTSCAN_SUBLIST] = {"SUBLIST", "mean length of level 0's sublists", 64, 2, 1 << 20,
                              false},
    [CLP_LISTSCAN_LEAST] = {"LEAST", "sublists that a short list is cut into", 1 << 20, 1, 1 << 30,
                            false},
    [CLP_LISTSCAN_UPPER] = {"UPPER", "mean length of sublists above level 0", 8, 2, 1 << 20, false},
    [CLP_LISTSCAN_SPLITTERS] = {"SPLITTERS", "splitters of level 0, at most", 1 << 30, 1, 1 << 30,
                                false},
    [CLP_LISTSCAN_LAST] = {"LAST", "nodes of the last level, which one work-item combines", 256, 1,
                           1 << 16, false},
    [CLP_LISTSCAN_GROUP] = {"GROUP", "work-items of a work-group", 256, 1, 256, true},
    [CLP_LISTSCAN_LANES] = {"LANES", "work-items of a kernel", 1 << 17, 1, 1 << 20, false},
    [CLP_LISTSCAN_WALKS] = {"WALKS", "sublists that a work-item walks at once", 1, 1, 32, false},
    [CLP_LISTSCAN_BATCH] = {"BATCH", "sublists that a work-item takes at once", 4, 1, 256, false},
    [CLP_LISTSCAN_CHUNK] = {"CHUNK", "entries of the rows that a sub-group takes at once", 2048, 1,
                            1 << 20, false},
    [CLP_LISTSCAN_BUCKET] = {"BUCKET", "bytes of the output in a bucket of a first pass", 1 << 23,
                             1, 1 << 30, true},
    [CLP_LISTSCAN_WINDOW] = {"WINDOW", "bytes of the output in local memory, at most", 1 << 16, 1,
                             1 << 17, true},
    [CLP_LISTSCAN_PATIENCE] = {"PATIENCE",
                               "mean lengths that a sublist may have before another seed; 0: any",
                               64, 0, 1 << 20, false},
    [CLP_LISTSCAN_COARSE] = {"COARSE", "log2 of the elements that the diagnosis counts as one", 0,
                             0, 16, false},
    [CLP_LISTSCAN_ALONE] = {"ALONE", "elements that one work-group combines alone, at most",
                            1 << 14, 0, 1 << 20, false},
    [CLP_LISTSCAN_ALONE_GROUP] = {"ALONE_GROUP", "work-items of that work-group", 1024, 1, 1024,
                                  true},
    [CLP_LISTSCAN_ALONE_SUBLIST] = {"ALONE_SUBLIST", "mean length of its sublists, at least", 2, 1,
                                    1 << 20, false},
};

extern const clp_tuning_key clp_listscan_keys[];
const clp_tuning_key clp_listscan_keys[] = {{"listscan", clp_listscan_knobs, CLP_LISTSCAN_KNOBS},
                                            {NULL, NULL, 0}};
