/* SPDX-License-Identifier: MIT */
/*
 * The knobs of parents, gather and scatter. From the call to the launch, and the kernels:
 *   parents.c  parents.cl, with the kernel in parents_team.cl or, on CPUs, parents_serial.cl;
 *              parents_report.cl: what a run reports
 *   indexed.c  what gather and scatter share: indexed.cl, with the kernel in indexed_kernel.cl;
 *              indexed_report.cl: what a run reports; indexed_batches.cl: some indices at a time;
 *              indexed_serial.cl, on CPUs: index after index
 *   gather.c   gather.cl
 *   scatter.c  scatter.cl, on CPUs also scatter_last.cl in place of indexed_serial.cl
 *   jagged.cl  how the lowest place of a fault is found
 */
#ifndef CLP_JAGGED_KNOBS_H
#define CLP_JAGGED_KNOBS_H

#include "core/knobs.h"

enum { CLP_PARENTS_GROUP, CLP_PARENTS_GROUPS, CLP_PARENTS_SHARE, CLP_PARENTS_KNOBS };
extern const clp_knob clp_parents_knobs[CLP_PARENTS_KNOBS];

/* Of gather and scatter. */
enum { CLP_INDEXED_GROUP, CLP_INDEXED_GROUPS, CLP_INDEXED_DEPTH, CLP_INDEXED_KNOBS };
extern const clp_knob clp_indexed_knobs[CLP_INDEXED_KNOBS];

#endif
