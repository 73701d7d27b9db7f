/* SPDX-License-Identifier: MIT */
/*
 * What a clprims_mpi holds, and what every call over ranks begins and ends with. Each rank runs the
 * core's plans on its own block. A sum, from clprims_mpi_reduce_run to the core and back:
 *   mpi_reduce.c    checks; the core's sum of this rank's block
 *   mpi_partials.c  the values of all ranks, gathered and combined in the order of the ranks
 *   mpi_status.c    the ranks agree on one status; errors that all of them report
 * A scan (mpi_scan.c) goes the same way. What mpi_select.c and mpi_offsets.c write is numbered from
 * where each rank's block begins (mpi_blocks.c). Others have folders:
 *   sort/mpi_sort.c    checks, the exchange; mpi_splitters.c: where blocks end; mpi_runs.c: merges
 *   list/mpi_list.h    has a map of its own
 *   grid/mpi_grid.c    strips, rounds, panels, and products of matrices, for both of these:
 *   grid/mpi_minplus.c products; grid/mpi_paths.c with mpi_paths_rounds.c and mpi_paths_faults.c
 * Below them:
 *   mpi_plan.c      how plans come and go, and what they own
 *   mpi.c           the object; copies to and from the device; checks of buffers
 *   mpi_device.c    which device a rank takes
 *   mpi_digest.c    whether the ranks' descriptions are alike
 *   mpi_exchange.c  elements from each rank to each, by the memory of mpi_staging.c, mpi_shared.c
 *   mpi_program.c   the kernels of cl/mpi, built when they are needed, and their launches
 */
#ifndef CLP_MPI_OBJECT_H
#define CLP_MPI_OBJECT_H

#include "mpi/mpi_digest.h"
#include "mpi/mpi_staging.h"
#include "mpi/mpi_status.h"

enum { CLP_MPI_MOST_PROGRAMS = 16 };

struct clprims_mpi {
    const char *who; /* the collective call that goes on, for messages: "mpi_scan" */
    MPI_Comm comm;
    int rank;
    int ranks;
    int host_rank;
    int host_ranks;
    clprims_context *context;
    cl_context cl; /* of the context, as are the device and its queue */
    cl_device_id device;
    cl_command_queue context_queue;
    cl_command_queue queue; /* in order; what the core's plans are submitted to */
    clp_mpi_staging staging;
    cl_program programs[CLP_MPI_MOST_PROGRAMS]; /* of the files of cl/mpi, built when needed */
};

/* clp_mpi_agree_on among the object's ranks. */
static inline clprims_status clp_mpi_agree(const clprims_mpi *mpi, clprims_status status) {
    return clp_mpi_agree_on(mpi->comm, status);
}

/*
 * Collective: the same number from every rank, in the order of the ranks, unless one failed.
 * all: room for one of each rank.
 */
clprims_status clp_mpi_gather(const clprims_mpi *mpi, clprims_status status, uint64_t mine,
                              uint64_t *all);

/* Collective: every rank gives the digest of its description; ARGUMENT where they differ. */
clprims_status clp_mpi_same(const clprims_mpi *mpi, clprims_status status, uint64_t digest);

/* Begins a collective call, whose name messages have. */
clprims_status clp_mpi_enter(clprims_mpi *mpi, const char *who);

/* Waits for what the caller submitted to the context's queue. */
clprims_status clp_mpi_begin(const clprims_mpi *mpi);

/* Waits for what the plans submitted. */
clprims_status clp_mpi_finish(const clprims_mpi *mpi);
clprims_status clp_mpi_finish_queue(const clprims_mpi *mpi, cl_command_queue queue);

/* A queue of the device besides the object's. */
clprims_status clp_mpi_queue_create(const clprims_mpi *mpi, cl_command_queue *out);

/* A buffer of `bytes`, of one byte at least. */
clprims_status clp_mpi_buffer_create(const clprims_mpi *mpi, size_t bytes, cl_mem *out);

/* Blocking copies between device and host. */
clprims_status clp_mpi_read(const clprims_mpi *mpi, cl_mem mem, size_t offset, size_t bytes,
                            void *out);
clprims_status clp_mpi_write(const clprims_mpi *mpi, cl_mem mem, size_t offset, size_t bytes,
                             const void *in);

/* Submits the copy of bytes from buffer to buffer. */
clprims_status clp_mpi_copy(const clprims_mpi *mpi, cl_mem from, size_t from_offset, cl_mem to,
                            size_t to_offset, size_t bytes);

/* Copies the caller's structure into *full, as the core's clp_take does. name: "desc". */
clprims_status clp_mpi_take(const char *who, const char *name, const void *given,
                            size_t given_bytes, void *full, size_t bytes);

/* A memory object, not NULL, is a buffer of the context. bytes: its size. */
clprims_status clp_mpi_check_mem(const clprims_mpi *mpi, const char *name, cl_mem mem,
                                 size_t *bytes);

/* TOO_LARGE for a number above the plan's. name: "n"; of_most: "max_n". */
clprims_status clp_mpi_check_most(const clprims_mpi *mpi, const char *name, size_t number,
                                  const char *of_most, size_t most);

/* Whether a buffer has room for n elements from its first on. name: "in". */
clprims_status clp_mpi_check_room(const clprims_mpi *mpi, const char *name, clprims_buffer buffer,
                                  uint64_t n, size_t element_bytes);

/* Two parts of arrays of the same elements have none in common. */
clprims_status clp_mpi_check_apart(const clprims_mpi *mpi, const char *names, clprims_buffer a,
                                   uint64_t a_n, clprims_buffer b, uint64_t b_n);

/* Submits a run of one of the core's plans to the object's queue. (A macro, as each primitive has a
 * call of its own. ...: the address of the buffers.) */
#define CLP_MPI_ENQUEUE(x, mpi, plan, n, ...)                                                      \
    clp_mpi_core(clprims_##x##_enqueue(plan, (mpi)->queue, __VA_ARGS__, n, 0, NULL, NULL))

#endif
