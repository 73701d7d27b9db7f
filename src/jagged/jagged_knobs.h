/* SPDX-License-Identifier: MIT */
/*
 * The knobs of parents and gather. Each primitive has one file, from the call to the launch, and
 * its kernels:
 *   parents.c  parents.cl, with the kernel in parents_team.cl or, on CPUs, parents_serial.cl;
 *              parents_report.cl: what a run reports
 *   gather.c   gather.cl; gather_kernel.cl on gather_vectors.cl or, on CPUs, gather_serial.cl;
 *              gather_report.cl: what a run reports
 *   jagged.cl  how the lowest place of a fault is found
 */
#ifndef CLP_JAGGED_KNOBS_H
#define CLP_JAGGED_KNOBS_H

#include "core/knobs.h"

enum { CLP_PARENTS_GROUP, CLP_PARENTS_GROUPS, CLP_PARENTS_SHARE, CLP_PARENTS_KNOBS };
extern const clp_knob clp_parents_knobs[CLP_PARENTS_KNOBS];

enum { CLP_GATHER_GROUP, CLP_GATHER_GROUPS, CLP_GATHER_DEPTH, CLP_GATHER_KNOBS };
extern const clp_knob clp_gather_knobs[CLP_GATHER_KNOBS];

#endif
