/* SPDX-License-Identifier: MIT */
/*
 * How bytes pass from device to device: through pinned host memory, in chunks, while the next chunk
 * is read from the device and the one before is written to it.
 */
#ifndef CLP_MPI_STAGING_H
#define CLP_MPI_STAGING_H

#include <clprims/mpi.h>

/* Two chunks leave while two arrive. */
enum { CLP_MPI_SLOTS = 2 };

typedef struct clp_mpi_staging {
    size_t chunk_bytes;
    cl_command_queue out_queue; /* reads from the device */
    cl_command_queue in_queue; /* writes to the device */
    cl_mem pinned; /* CL_MEM_ALLOC_HOST_PTR, mapped as long as it lives */
    unsigned char *host;
    unsigned char *out[CLP_MPI_SLOTS];
    unsigned char *in[CLP_MPI_SLOTS];
} clp_mpi_staging;

/* Bytes of a chunk of the objects to come, from which no message has more: tests make it small. */
extern size_t clp_mpi_chunk_bytes;

clprims_status clp_mpi_staging_create(clp_mpi_staging *staging, cl_context context,
                                      cl_device_id device);
void clp_mpi_staging_release(clp_mpi_staging *staging);

/* One side of an exchange: what rank r is given, or gives, is count[r] elements of mem from element
 * first[r] on. */
typedef struct clp_mpi_side {
    cl_mem mem; /* NULL where there are no elements */
    const uint64_t *first;
    const uint64_t *count;
} clp_mpi_side;

/*
 * Collective: every rank sends each rank a part of `from`, which arrives in that rank's `to`. What
 * one rank sends another is as many elements as that one expects. The commands that write `from`
 * have finished. Returns when `to` is written. A failure is this rank's: the exchange goes on, so
 * that nobody waits, and the caller lets the ranks agree.
 */
clprims_status clp_mpi_exchange(clprims_mpi *mpi, const char *who, const clp_mpi_side *from,
                                const clp_mpi_side *to, size_t element_bytes);

#endif
