/* SPDX-License-Identifier: MIT */
/*
 * How bytes pass from device to device: through host memory, in chunks, while the next chunks are
 * read from the device and the ones before are written to it. Ranks of one host share the memory
 * that their chunks leave by: the receiver's device reads it where the sender's device has written
 * it, and messages only say that a chunk is there, or has been taken. To other hosts chunks go as
 * messages, from pinned memory into pinned memory.
 */
#ifndef CLP_MPI_STAGING_H
#define CLP_MPI_STAGING_H

#include <clprims/mpi.h>
#include <stdbool.h>

enum { CLP_MPI_SLOTS = 8 }; /* chunks that leave at a time, and that arrive */

typedef struct clp_mpi_staging {
    size_t chunk_bytes;
    size_t bytes; /* of host memory, in all */
    cl_command_queue out_queue; /* reads from the device */
    cl_command_queue in_queue; /* writes to the device */
    cl_mem pinned; /* CL_MEM_ALLOC_HOST_PTR, mapped as long as it lives; NULL: nothing needs it */
    unsigned char *host;
    int sharing; /* ranks that share memory, or would */
    unsigned char **parts; /* that of each of them, NULL: there is none */
    cl_mem *registered; /* a buffer over each rank's part of it, mapped; NULL: not taken */
    unsigned char *out; /* slots of chunks that leave: of the shared memory, else pinned */
    unsigned char *in; /* slots of chunks that arrive as messages, pinned */
    unsigned char **shared; /* a rank's `out` slots, NULL where it does not share them */
} clp_mpi_staging;

/* Bytes of a chunk of the objects to come, from which no message has more: tests make it small. */
extern size_t clp_mpi_chunk_bytes;

/* So many ranks of a host share memory in the objects to come: all, but in tests. */
extern int clp_mpi_sharing_ranks;

/* Local: the queues, and room for what the ranks share. */
clprims_status clp_mpi_staging_create(clprims_mpi *mpi, int ranks);

/* Collective over the ranks of this host: the memory that they share, if they can. */
void clp_mpi_staging_share(clprims_mpi *mpi, MPI_Comm host);

/* Local, after that: drivers are told of the shared memory, so that they may pin it; there is
 * pinned memory for what is not shared. */
clprims_status clp_mpi_staging_pin(clprims_mpi *mpi);

/* Local. */
void clp_mpi_staging_release(clprims_mpi *mpi);

/* What goes to each rank and comes from it: counts of elements, and the first one's place. */
typedef struct clp_mpi_parts {
    uint64_t *from_first, *from_count; /* in the array that is sent */
    uint64_t *to_first, *to_count; /* in the array that is received */
} clp_mpi_parts;

/*
 * Collective: every rank sends each rank a part of `from`, which arrives in that rank's `to`. What
 * one rank sends another is as many elements as that one expects. Either array is NULL where there
 * are no elements, `to` also where the elements that arrive are dropped. The commands that write
 * `from` have finished. Returns when `to` is written. A failure is this rank's: the exchange goes
 * on, so that nobody waits, and the caller lets the ranks agree.
 */
clprims_status clp_mpi_exchange(clprims_mpi *mpi, const clp_mpi_parts *parts, cl_mem from,
                                cl_mem to, size_t element_bytes);

#endif
