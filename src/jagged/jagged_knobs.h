/* SPDX-License-Identifier: MIT */
/* The knobs of parents and gather. */
#ifndef CLP_JAGGED_KNOBS_H
#define CLP_JAGGED_KNOBS_H

#include "core/knobs.h"

enum { CLP_PARENTS_GROUP, CLP_PARENTS_GROUPS, CLP_PARENTS_SHARE, CLP_PARENTS_KNOBS };
extern const clp_knob clp_parents_knobs[CLP_PARENTS_KNOBS];

enum { CLP_GATHER_GROUP, CLP_GATHER_GROUPS, CLP_GATHER_DEPTH, CLP_GATHER_KNOBS };
extern const clp_knob clp_gather_knobs[CLP_GATHER_KNOBS];

#endif
