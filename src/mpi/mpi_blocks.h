/* SPDX-License-Identifier: MIT */
/* Blocks of a distributed array. */
#ifndef CLP_MPI_BLOCKS_H
#define CLP_MPI_BLOCKS_H

#include "mpi/mpi_plan.h"

/* Collective: starts[r] is where rank r's block begins, starts[ranks] the total. starts: room for
 * ranks + 1. Returns the number of ranks, or the first one with whose block the total is 2^63 or
 * more. */
int clp_mpi_add_up(const clprims_mpi *mpi, uint64_t mine, uint64_t *starts);

/* Collective: the same; TOO_LARGE for that rank. status: as of clp_mpi_agree. Fails on all ranks
 * alike. */
clprims_status clp_mpi_starts(const clprims_mpi *mpi, clprims_status status, uint64_t n,
                              uint64_t *starts);

/* This rank's. */
clprims_mpi_block clp_mpi_block_of(const clprims_mpi *mpi, const uint64_t *starts);

/* ARGUMENT where the blocks of an output hold another number of elements than the input's blocks.
 */
clprims_status clp_mpi_check_totals(const clprims_mpi *mpi, const uint64_t *starts,
                                    const uint64_t *out_starts);

/* A part of even ones. */
clprims_mpi_block clp_mpi_even_part(uint64_t total, int parts, int part);

/* The kernel that makes positions in a block positions in the whole array. */
clprims_status clp_mpi_placer_create(clp_mpi_plan *plan, clprims_type indices, cl_kernel *out);

/* Submits it for n positions of the block that begins at `start`. */
clprims_status clp_mpi_place(const clprims_mpi *mpi, cl_kernel placer, clprims_buffer indices,
                             uint64_t n, uint64_t start);

/* Positions below total are within the type of indices. */
clprims_status clp_mpi_check_positions(const clprims_mpi *mpi, clprims_type indices,
                                       uint64_t total);

#endif
