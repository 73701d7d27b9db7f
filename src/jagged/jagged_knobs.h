/* SPDX-License-Identifier: MIT */
/*
 * The knobs of parents, gather and scatter. From the call to the launch, and the kernels:
 *   parents.c  parents.cl, with the kernel in parents_team.cl or, on CPUs, parents_serial.cl;
 *              parents_report.cl: what a run reports
 *   indexed.c  what gather and scatter share: indexed.cl, with the kernel in indexed_kernel.cl;
 *              indexed_report.cl: what a run reports; indexed_serial.cl: index after index
 *   gather.c   gather.cl on gather_vectors.cl or, on CPUs, indexed_serial.cl
 *   scatter.c  scatter.cl on scatter_batches.cl or, on CPUs, indexed_serial.cl or scatter_last.cl
 *   jagged.cl  how the lowest place of a fault is found
 */
#ifndef CLP_JAGGED_KNOBS_H
#define CLP_JAGGED_KNOBS_H

#include "core/knobs.h"

enum { CLP_PARENTS_GROUP, CLP_PARENTS_GROUPS, CLP_PARENTS_SHARE, CLP_PARENTS_KNOBS };
extern const clp_knob clp_parents_knobs[CLP_PARENTS_KNOBS];

enum { CLP_GATHER_GROUP, CLP_GATHER_GROUPS, CLP_GATHER_DEPTH, CLP_GATHER_KNOBS };
extern const clp_knob clp_gather_knobs[CLP_GATHER_KNOBS];

enum { CLP_SCATTER_GROUP, CLP_SCATTER_GROUPS, CLP_SCATTER_DEPTH, CLP_SCATTER_KNOBS };
extern const clp_knob clp_scatter_knobs[CLP_SCATTER_KNOBS];

#endif
