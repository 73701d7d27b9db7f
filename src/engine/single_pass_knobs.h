/* SPDX-License-Identifier: MIT */
/* The knobs of the single-pass engine, which scan, offsets, select and segmented share. */
#ifndef CLP_SINGLE_PASS_KNOBS_H
#define CLP_SINGLE_PASS_KNOBS_H

#include "core/knobs.h"

/* Of the variants whose work-groups take one tile each. */
enum {
    CLP_TILE_GROUP,
    CLP_TILE_ROWS,
    CLP_TILE_WAVE,
    CLP_TILE_SPINS,
    CLP_TILE_STREAM,
    CLP_TILE_SINGLE,
    CLP_TILE_KNOBS
};
extern const clp_knob clp_tile_knobs[CLP_TILE_KNOBS];

/* Of look-ahead, whose work-groups are persistent. */
enum {
    CLP_RING_SCANNERS,
    CLP_RING_REDUCERS,
    CLP_RING_ROWS,
    CLP_RING_LOADERS,
    CLP_RING_STAGES,
    CLP_RING_GROUPS,
    CLP_RING_UNITS,
    CLP_RING_BURST,
    CLP_RING_SMALL,
    CLP_RING_FEW,
    CLP_RING_KNOBS
};
extern const clp_knob clp_ring_knobs[CLP_RING_KNOBS];

#define CLP_TILE_KEY(name)                                                                         \
    { name, clp_tile_knobs, CLP_TILE_KNOBS }
#define CLP_RING_KEY(name)                                                                         \
    { name, clp_ring_knobs, CLP_RING_KNOBS }

#endif
