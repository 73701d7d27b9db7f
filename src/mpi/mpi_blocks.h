/* SPDX-License-Identifier: MIT */
/* Blocks of a distributed array, and which parts of two distributions meet. */
#ifndef CLP_MPI_BLOCKS_H
#define CLP_MPI_BLOCKS_H

#include "mpi/mpi_object.h"

/* Collective: starts[r] is where rank r's block begins, starts[ranks] the total. starts: room for
 * ranks + 1. status: as of clp_mpi_agree. Fails on all ranks alike. */
clprims_status clp_mpi_starts(const clprims_mpi *mpi, const char *who, clprims_status status,
                              uint64_t n, uint64_t *starts);

/* Positions below total are within the type of indices. */
clprims_status clp_mpi_check_positions(const char *who, clprims_type indices, uint64_t total);

/* This rank's. */
clprims_mpi_block clp_mpi_block_of(const clprims_mpi *mpi, const uint64_t *starts);

/* Which elements of the positions [start, end), the first of which is element `first` of a buffer,
 * lie in the blocks of another distribution: part_first and part_count of each rank. */
void clp_mpi_overlaps(int ranks, uint64_t first, uint64_t start, uint64_t end,
                      const uint64_t *others, uint64_t *part_first, uint64_t *part_count);

#endif
