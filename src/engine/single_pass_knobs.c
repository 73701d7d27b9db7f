/* SPDX-License-Identifier: MIT */
/* The knobs of the single-pass engine. A default of 0 is chosen by single_pass_shape.c, from the
 * plan and the device. */
#include "engine/single_pass_knobs.h"

#include <stdint.h>

const clp_knob clp_tile_knobs[CLP_TILE_KNOBS] = {
    [CLP_TILE_GROUP] = CLP_GROUP_KNOB("GROUP", "work-items of a work-group", 0, 1, 1024),
    [CLP_TILE_ROWS] = {"ROWS", "vectors of a work-item in a tile; up to 64 unless GROUP=1", 0, 1,
                       65536},
    [CLP_TILE_WAVE] = {"WAVE",
                       "1: a single wave, each group reads all predecessors at once (nvidia layer)",
                       0, 0, 1},
    [CLP_TILE_SPINS] = {"SPINS", "polls of a predecessor before the fallback reduces it", 256, 1,
                        UINT32_MAX, .is_fixed = true},
    [CLP_TILE_STREAM] = {"STREAM", "GROUP=1: elements from which on stores bypass the caches", 0, 1,
                         SIZE_MAX},
    [CLP_TILE_SINGLE] = {"SINGLE", "GROUP=1: elements that one work-item takes alone, at most", 0,
                         0, 1 << 30},
};

const clp_knob clp_ring_knobs[CLP_RING_KNOBS] = {
    [CLP_RING_SCANNERS] = {"SCANNERS", "sub-groups that scan", 0, 1, 31},
    [CLP_RING_REDUCERS] = {"REDUCERS", "sub-groups that reduce", 0, 1, 30},
    [CLP_RING_ROWS] = {"ROWS", "vectors of a scanning work-item in a tile", 0, 1, 64},
    [CLP_RING_LOADERS] = {"LOADERS",
                          "sub-groups that copy tiles; one from compute capability 9.0 on", 0, 1,
                          8},
    [CLP_RING_STAGES] = {"STAGES", "tiles that the ring in local memory holds", 0, 2, 64},
    [CLP_RING_GROUPS] = {"GROUPS", "work-groups on each multiprocessor", 0, 1, 32},
    [CLP_RING_UNITS] = {"UNITS", "tile aggregates of a work-item in a batch of look-back", 0, 1,
                        16},
    [CLP_RING_BURST] = {"BURST",
                        "KB that tiles brought into the cache together read and write; 0: none", 0,
                        0, 1 << 20},
    [CLP_RING_SMALL] = {"SMALL", "elements up to which the key with -small is used", 1 << 19, 0,
                        SIZE_MAX, .is_fixed = true},
    [CLP_RING_FEW] = {"FEW", "elements up to which the key with -few is used", 0, 0, SIZE_MAX,
                      .is_fixed = true},
};
