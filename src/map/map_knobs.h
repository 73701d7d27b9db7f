/* SPDX-License-Identifier: MIT */
/* The knobs of map. map.c has all else, from the call to the launch; cl/map/map.cl is the kernel,
 * and cl/engine/count_report.cl what a run reports. */
#ifndef CLP_MAP_KNOBS_H
#define CLP_MAP_KNOBS_H

#include "core/knobs.h"

enum { CLP_MAP_GROUP, CLP_MAP_DEPTH, CLP_MAP_VEC, CLP_MAP_KNOBS };
extern const clp_knob clp_map_knobs[CLP_MAP_KNOBS];

#endif
