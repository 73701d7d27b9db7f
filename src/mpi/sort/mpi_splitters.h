/* SPDX-License-Identifier: MIT */
/* Where blocks of wanted sizes end in a distributed array whose blocks are sorted. */
#ifndef CLP_MPI_SPLITTERS_H
#define CLP_MPI_SPLITTERS_H

#include "mpi/mpi_plan.h"

typedef struct clp_mpi_splitters {
    cl_kernel count;
    cl_uint key_bytes, order, descending, begin, width; /* as the kernel takes them */
    cl_uint digit; /* bits that one round of histograms finds */
    size_t most_probes;
    cl_mem probes, counts; /* on the device */
    uint64_t *values; /* of each boundary: the greatest key so far with no more keys below it */
    uint64_t *asked, *found; /* probes, and how many keys of all ranks are not above them */
    uint64_t *below, *alike; /* of each boundary: this rank's keys below its value, and like it */
    uint64_t *all_below, *before; /* of all ranks; of the ranks before this one, the equal ones */
} clp_mpi_splitters;

/* The description was accepted by clprims_sort_create. plan: which owns everything. */
clprims_status clp_mpi_splitters_create(clp_mpi_plan *plan, const clprims_sort_desc *desc,
                                        clp_mpi_splitters *splitters);

/*
 * Collective: cuts[r] of the ranks + 1 is how many of this rank's n sorted keys come before the
 * wanted block of rank r, which begins at position ends[r]; ends[ranks] is the total. Keys alike
 * are in the order of the ranks, and on one rank in the order of the block.
 */
clprims_status clp_mpi_splitters_find(const clprims_mpi *mpi, clp_mpi_splitters *splitters,
                                      cl_mem keys, uint64_t n, const uint64_t *ends,
                                      uint64_t *cuts);

#endif
