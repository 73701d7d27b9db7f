/* SPDX-License-Identifier: MIT */
/* What a rank gets from the others in a sort: runs, each of them sorted, side by side. */
#ifndef CLP_MPI_RUNS_H
#define CLP_MPI_RUNS_H

#include "mpi/mpi_plan.h"

#include <clprims/merge.h>
#include <stdbool.h>

typedef struct clp_mpi_runs {
    const clprims_mpi *mpi;
    clprims_merge *plan; /* NULL: the core does not merge in that order */
    size_t payload_bytes; /* 0: there is none */
    cl_mem keys, payload; /* as large as a rank's block */
} clp_mpi_runs;

/* Keys, or pairs, of the orders that the core's merge has. desc: what is sorted, with all arrays
 * that move with the keys as payloads. plan: which owns all but the core's plan. */
clprims_status clp_mpi_runs_create(clp_mpi_plan *plan, const clprims_sort_desc *desc,
                                   clp_mpi_runs *runs);

/* Whether `count` runs must start in the plan's memory, so that the last merge writes the caller's.
 */
bool clp_mpi_runs_begin_inside(size_t count);

/* Merges two neighbours at a time until there is one. bounds: where the runs begin, and the end; it
 * is overwritten. */
clprims_status clp_mpi_runs_merge(const clp_mpi_runs *runs, clprims_buffer keys,
                                  clprims_buffer payload, size_t count, uint64_t *bounds);

#endif
