/* SPDX-License-Identifier: MIT */
/* The knobs of list ranking. Rows are visit logs: a list of LEAST elements or more is ranked
 * without scattered writes; see cl/list_rows.cl. */
#include "list_plan.h"

const clp_knob clp_list_knobs[CLP_LIST_KNOBS] = {
    [CLP_LIST_SUBLIST] = {"SUBLIST", "mean length of level 0's sublists, at most", 64, 2, 1 << 20,
                          false},
    [CLP_LIST_SHORT] = {"SHORT", "mean length of level 0's sublists, at least", 8, 2, 1 << 20,
                        false},
    [CLP_LIST_UPPER] = {"UPPER", "mean length of sublists above level 0", 8, 2, 1 << 20, false},
    [CLP_LIST_SPLITTERS] = {"SPLITTERS", "splitters of a level, at most", 1 << 30, 1, 1 << 30,
                            false},
    [CLP_LIST_LAST] = {"LAST", "nodes that one work-group ranks alone, at most", 1 << 14, 1,
                       (1 << 16) - 1, false},
    [CLP_LIST_LAST_GROUP] = {"LAST_GROUP", "work-items of that work-group", 1024, 1, 1024, true},
    [CLP_LIST_GROUP] = {"GROUP", "work-items of every other work-group", 128, 1, 1024, true},
    [CLP_LIST_LANES] = {"LANES", "work-items that walk a long level 0", 1 << 17, 1, 1 << 20, false},
    [CLP_LIST_WIDE] = {"WIDE", "work-items of every other kernel", 1 << 18, 1, 1 << 20, false},
    [CLP_LIST_WALKS] = {"WALKS", "sublists that a work-item walks at once", 1, 1, 32, false},
    [CLP_LIST_BATCH] = {"BATCH", "sublists that a work-item takes at once", 4, 1, 256, false},
    [CLP_LIST_FIXED] = {"FIXED", "percentage of the sublists that is dealt out beforehand", 30, 0,
                        100, false},
    [CLP_LIST_FEW] = {"FEW", "sublists of a work-item below which all are dealt out beforehand", 8,
                      0, 1 << 20, false},
    [CLP_LIST_SEED] = {"SEED", "seed of level 0's splitters", 0, 0, 1 << 30, false},
    [CLP_LIST_PATIENCE] = {"PATIENCE",
                           "mean lengths that a sublist may have before a second seed; 0: any", 64,
                           0, 1 << 20, false},
    [CLP_LIST_COARSE] = {"COARSE", "log2 of the elements that the diagnosis counts as one", 0, 0,
                         16, false},
    [CLP_LIST_LEAST] = {"LEAST", "elements from which on rows are used", 1 << 22, 1, 1 << 30,
                        false},
    [CLP_LIST_ROWS] = {"ROWS", "entries of a column", 16, 4, 32, true},
    [CLP_LIST_SORT_GROUP] = {"SORT_GROUP", "work-items of a work-group that sorts rows", 1024, 1,
                             1024, true},
    [CLP_LIST_BUCKETS] = {"BUCKETS", "buckets that rows are sorted into, at most", 4096, 2, 1 << 13,
                          true},
    [CLP_LIST_WINDOW] = {"WINDOW", "elements of a window that is put in place in local memory",
                         56 * 1024, 1, 1 << 16, false},
    [CLP_LIST_PLACE_GROUP] = {"PLACE_GROUP", "work-items of a work-group that fills a window", 1024,
                              1, 1024, true},
    [CLP_LIST_NEAR] = {"NEAR", "elements up to which the caches hold the result: no sorting", 0, 0,
                       1 << 30, false},
};

extern const clp_tuning_key clp_list_keys[];
const clp_tuning_key clp_list_keys[] = {{"list", clp_list_knobs, CLP_LIST_KNOBS}, {NULL, NULL, 0}};
