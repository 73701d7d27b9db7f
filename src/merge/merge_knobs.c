/* SPDX-License-Identifier: MIT */
/* The knobs of merge and search. */
#include "merge/merge_plan.h"

const clp_knob clp_merge_knobs[CLP_MERGE_KNOBS] = {
    [CLP_MERGE_GROUP] = CLP_GROUP_KNOB(
        "GROUP", "work-items of a work-group; 1: each works by itself", 256, 1, 1024),
    [CLP_MERGE_ITEMS] = {"ITEMS",
                         "elements of a work-item in a tile; odd numbers avoid bank conflicts", 15,
                         1, 63},
    [CLP_MERGE_GROUPS] = {"GROUPS", "where GROUP is 1: work-items for each compute unit, at most",
                          4, 1, 1 << 16, .is_fixed = true},
    [CLP_MERGE_SEARCHES] = {"SEARCHES",
                            "work-groups for each compute unit that search for their tiles' splits",
                            8, 0, 1 << 16},
};

const clp_knob clp_search_knobs[CLP_SEARCH_KNOBS] = {
    [CLP_SEARCH_GROUP] = CLP_GROUP_KNOB("GROUP", "work-items of a work-group", 512, 1, 1024),
    [CLP_SEARCH_ITEMS] = {"ITEMS", "needles that a work-item searches for at once", 1, 1, 63},
    [CLP_SEARCH_GROUPS] = {"GROUPS", "work-groups for each compute unit, at most", 32, 1, 1 << 16},
    [CLP_SEARCH_PIVOTS] = {"PIVOTS", "elements that are kept in local memory", 8192, 0, 65536},
    [CLP_SEARCH_BLOCK] = {"BLOCK", "log2 of the elements of a block of a level; 0: no levels", 5, 0,
                          8},
    [CLP_SEARCH_LEAST] = {"LEAST", "elements of the sorted array from which on it has levels",
                          1 << 19, 0, 1 << 30},
};

extern const clp_tuning_key clp_merge_keys[];
const clp_tuning_key clp_merge_keys[] = {{"merge", clp_merge_knobs, CLP_MERGE_KNOBS},
                                         {"merge-many", clp_merge_knobs, CLP_MERGE_KNOBS},
                                         {"search", clp_search_knobs, CLP_SEARCH_KNOBS},
                                         {"search-sorted", clp_merge_knobs, CLP_MERGE_KNOBS},
                                         {NULL, NULL, 0}};
