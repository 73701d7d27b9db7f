/* SPDX-License-Identifier: MIT */
/*
 * Memory that processes of one host share. Not MPI's own windows: Open MPI 4.1 waits for ever where
 * there is too little room for one (a container's /dev/shm often has 64 MB).
 */
#ifndef CLP_MPI_SHARED_H
#define CLP_MPI_SHARED_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* Collective over ranks of one host: `bytes` of each, which all of them see. parts: room for one of
 * each rank. False, and no memory, on all of them where one can't have it. */
bool clp_mpi_shared_create(MPI_Comm comm, size_t bytes, unsigned char **parts);

/* Local; the memory lives as long as a rank has it. parts: NULL where there is none. */
void clp_mpi_shared_release(unsigned char **parts, int ranks, size_t bytes);

#endif
