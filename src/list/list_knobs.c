/* SPDX-License-Identifier: MIT */
/* The knobs of list ranking, and the knobs of list scan and forests. */
#include "list/list_engine.h"

/* A list of LEAST elements or more is ranked by visit logs (cl/list/list_visit_log.cl), without
 * scattered writes. */
const clp_knob clp_list_knobs[CLP_LIST_KNOBS] = {
    [CLP_LIST_SUBLIST] = {"SUBLIST", "mean length of level 0's sublists, at most", 64, 2, 1 << 20},
    [CLP_LIST_SHORT] = {"SHORT", "mean length of level 0's sublists, at least", 8, 2, 1 << 20},
    [CLP_LIST_UPPER] = {"UPPER", "mean length of sublists above level 0", 8, 2, 1 << 20},
    [CLP_LIST_SPLITTERS] = {"SPLITTERS", "splitters of a level, at most", 1 << 30, 1, 1 << 30},
    [CLP_LIST_LAST] = {"LAST", "nodes that a single work-group ranks, at most", 1 << 14, 1,
                       (1 << 16) - 1},
    [CLP_LIST_LAST_GROUP] =
        CLP_GROUP_KNOB("LAST_GROUP", "work-items of that work-group", 1024, 1, 1024),
    [CLP_LIST_GROUP] =
        CLP_GROUP_KNOB("GROUP", "work-items of every other work-group", 128, 1, 1024),
    [CLP_LIST_LANES] = {"LANES", "work-items that walk a long level 0", 1 << 17, 1, 1 << 20},
    [CLP_LIST_WIDE] = {"WIDE", "work-items of every other kernel", 1 << 18, 1, 1 << 20},
    [CLP_LIST_WALKS] = {"WALKS", "sublists that a work-item walks at once", 1, 1, 32},
    [CLP_LIST_BATCH] = {"BATCH", "sublists that a work-item takes at once", 4, 1, 256},
    [CLP_LIST_FIXED] = {"FIXED", "percentage of the sublists that is assigned statically", 30, 0,
                        100},
    [CLP_LIST_FEW] = {"FEW", "sublists per work-item below which all are assigned statically", 8, 0,
                      1 << 20, .is_fixed = true},
    [CLP_LIST_SEED] = {"SEED", "seed of level 0's splitters", 0, 0, 1 << 30, .is_fixed = true},
    [CLP_LIST_RETRY] = {"RETRY", "retry threshold of a sublist, in mean lengths; 0: never retry",
                        64, 0, 1 << 20, .is_fixed = true},
    [CLP_LIST_COARSE] = {"COARSE", "log2 of the elements that the diagnosis counts as one", 0, 0,
                         16},
    [CLP_LIST_LEAST] = {"LEAST", "elements from which on a visit log is used", 1 << 22, 1, 1 << 30,
                        .is_fixed = true},
    [CLP_LIST_ROWS] = {"ROWS", "entries of a column of the visit log", 16, 4, 32, true},
    [CLP_LIST_SORT_GROUP] = CLP_GROUP_KNOB(
        "SORT_GROUP", "work-items of a work-group that sorts the log", 1024, 1, 1024),
    [CLP_LIST_BUCKETS] = {"BUCKETS", "buckets that the log is sorted into, at most", 4096, 2,
                          1 << 13, true},
    [CLP_LIST_WINDOW] = {"WINDOW", "elements of a window scattered in local memory", 56 * 1024, 1,
                         1 << 16},
    [CLP_LIST_WINDOW_GROUP] = CLP_GROUP_KNOB(
        "WINDOW_GROUP", "work-items of a work-group that scatters a window", 1024, 1, 1024),
};

const clp_knob clp_listscan_knobs[CLP_LISTSCAN_KNOBS] = {
    [CLP_LIST_SUBLIST] = {"SUBLIST", "mean length of level 0's sublists", 64, 2, 1 << 20,
                          .is_fixed = true},
    [CLP_LIST_LEAST] = {"LEAST", "sublists that a short list is cut into", 1 << 20, 1, 1 << 30},
    [CLP_LIST_UPPER] = {"UPPER", "mean length of sublists above level 0", 8, 2, 1 << 20},
    [CLP_LIST_SPLITTERS] = {"SPLITTERS", "splitters of level 0, at most", 1 << 30, 1, 1 << 30},
    [CLP_LIST_LAST] = {"LAST", "nodes that a single work-group combines, at most", 1 << 14, 1,
                       1 << 16},
    [CLP_LIST_GROUP] = CLP_GROUP_KNOB("GROUP", "work-items of a work-group", 256, 1, 256),
    [CLP_LIST_LANES] = {"LANES", "work-items of a kernel", 1 << 17, 1, 1 << 20},
    [CLP_LIST_WALKS] = {"WALKS", "sublists that a work-item walks at once", 1, 1, 32},
    [CLP_LIST_BATCH] = {"BATCH", "sublists that a work-item takes at once", 4, 1, 256},
    [CLP_LISTSCAN_CHUNK] = {"CHUNK", "entries of the visit log that a sub-group takes at once",
                            2048, 1, 1 << 20},
    [CLP_LISTSCAN_BUCKET] = {"BUCKET",
                             "half of the bytes of an output that caches hold: no sorting", 1 << 23,
                             1, 1 << 30, true},
    [CLP_LIST_WINDOW] = {"WINDOW", "bytes of the output in local memory, at most", 1 << 16, 1,
                         1 << 17, true},
    [CLP_LIST_RETRY] = {"RETRY", "retry threshold of a sublist, in mean lengths; 0: never retry",
                        64, 0, 1 << 20, .is_fixed = true},
    [CLP_LIST_COARSE] = {"COARSE", "log2 of the elements that the diagnosis counts as one", 0, 0,
                         16},
    [CLP_LISTSCAN_SINGLE] = {"SINGLE", "elements that a single work-group combines, at most",
                             1 << 14, 0, 1 << 20},
    [CLP_LIST_LAST_GROUP] =
        CLP_GROUP_KNOB("SINGLE_GROUP", "work-items of that work-group", 1024, 1, 1024),
    [CLP_LISTSCAN_SINGLE_SUBLIST] = {"SINGLE_SUBLIST", "mean length of its sublists, at least", 2,
                                     1, 1 << 20, .is_fixed = true},
};

extern const clp_tuning_key clp_list_keys[];
const clp_tuning_key clp_list_keys[] = {{"list", clp_list_knobs, CLP_LIST_KNOBS},
                                        {"listscan", clp_listscan_knobs, CLP_LISTSCAN_KNOBS},
                                        {"forest", clp_listscan_knobs, CLP_LISTSCAN_KNOBS},
                                        {NULL, NULL, 0}};
