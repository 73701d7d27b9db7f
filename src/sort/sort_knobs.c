/* SPDX-License-Identifier: MIT */
/* What tuning lines may name of sort. */
#include "sort/sort_plan.h"

#include <stdint.h>

const clp_knob clp_sort_knobs[CLP_SORT_KNOBS] = {
    [CLP_SORT_GROUP] =
        CLP_GROUP_KNOB("GROUP", "work-items of a work-group; 1 for serial", 256, 1, 1024),
    [CLP_SORT_ITEMS] = {"ITEMS", "keys of a work-item in a tile; odd numbers avoid bank conflicts",
                        15, 1, 63},
    [CLP_SORT_BITS] = {"BITS", "bits of a digit, at most; up to 8 unless serial", 8, 4, 12},
    [CLP_SORT_PARTS] = {"PARTS", "work-groups that count digits; parts of the keys for serial", 256,
                        1, 1 << 16},
    [CLP_SORT_LINE] = {"LINE", "serial: keys gathered per digit before they are written", 16, 1, 64,
                       true},
    [CLP_SORT_SINGLE] = {"SINGLE",
                         "keys that one work-group sorts alone, at most; at most a tile "
                         "unless serial",
                         4096, 0, 1 << 24},
    [CLP_SORT_STREAM] = {"STREAM", "serial: keys from which on stores bypass the caches", 0, 0,
                         SIZE_MAX},
};

const clp_knob clp_onesweep_knobs[CLP_ONESWEEP_KNOBS] = {
    [CLP_ONESWEEP_RANKERS] = {"RANKERS", "sub-groups of a work-group that rank keys", 30, 8, 30},
    [CLP_ONESWEEP_ITEMS] = {"ITEMS", "keys of a ranking work-item in a tile; an even number", 40, 4,
                            48},
    [CLP_ONESWEEP_SINGLE] = {"SINGLE", "keys that networks sort, at most", 1 << 15, 0, 1 << 15},
    [CLP_ONESWEEP_SMALL] = {"SMALL", "keys that take smaller tiles, at most; 0: all take max_n's",
                            0, 0, 1 << 30},
    [CLP_ONESWEEP_COUNTED] = {"COUNTED",
                              "max_n from which on keys of two bytes alone are written by counts",
                              1 << 22, 0, SIZE_MAX},
    [CLP_ONESWEEP_DISTINCT] = {"DISTINCT",
                               "keys of 4 bytes or more from which on distinct ones are counted; "
                               "0: never",
                               1 << 22, 0, SIZE_MAX},
};

extern const clp_tuning_key clp_sort_keys[];
const clp_tuning_key clp_sort_keys[] = {
    {"sort", clp_sort_knobs, CLP_SORT_KNOBS},
    {"sort-onesweep", clp_onesweep_knobs, CLP_ONESWEEP_KNOBS},
    {"sort-onesweep-many", clp_onesweep_knobs, CLP_ONESWEEP_KNOBS},
    {NULL, NULL, 0},
};
