/* SPDX-License-Identifier: MIT */
/* Host memory through which device data pass: shared by the ranks of a host, and pinned. */
#include "mpi/mpi_staging.h"
#include "mpi/mpi_object.h"
#include "mpi/mpi_shared.h"

#include <limits.h>
#include <stdlib.h>

size_t clp_mpi_chunk_bytes = (size_t)2 << 20;
int clp_mpi_sharing_ranks = INT_MAX;

/* ---- Shared memory ---- */

/* parts: of the ranks of `sharing`. */
static void take_parts(clprims_mpi *mpi, MPI_Comm sharing, unsigned char *const *parts) {
    clp_mpi_staging *staging = &mpi->staging;
    MPI_Group of_parts, of_all;
    MPI_Comm_group(sharing, &of_parts);
    MPI_Comm_group(mpi->comm, &of_all);
    for (int r = 0; r < staging->sharing; r++) {
        int rank;
        MPI_Group_translate_ranks(of_parts, 1, &r, of_all, &rank);
        staging->shared[rank] = parts[r];
    }
    MPI_Group_free(&of_parts);
    MPI_Group_free(&of_all);
    staging->out = staging->shared[mpi->rank];
}

void clp_mpi_staging_share(clprims_mpi *mpi, MPI_Comm host) {
    clp_mpi_staging *staging = &mpi->staging;
    const size_t bytes = CLP_MPI_SLOTS * staging->chunk_bytes;
    MPI_Comm sharing;
    MPI_Comm_split(host, mpi->host_rank / clp_mpi_sharing_ranks, mpi->host_rank, &sharing);
    MPI_Comm_size(sharing, &staging->sharing);
    if (staging->sharing > 1 && clp_mpi_shared_create(sharing, bytes, staging->parts)) {
        take_parts(mpi, sharing, staging->parts);
        staging->bytes = bytes;
    }
    MPI_Comm_free(&sharing);
}

/* ---- Queues and pinned memory ---- */

clprims_status clp_mpi_staging_create(clprims_mpi *mpi, int ranks) {
    clp_mpi_staging *staging = &mpi->staging;
    staging->chunk_bytes = clp_mpi_chunk_bytes;
    staging->shared = calloc((size_t)ranks, sizeof *staging->shared);
    staging->parts = calloc((size_t)ranks, sizeof *staging->parts);
    staging->registered = calloc((size_t)ranks, sizeof *staging->registered);
    CLP_MPI_FAIL_IF(staging->shared == NULL || staging->parts == NULL ||
                        staging->registered == NULL,
                    CLPRIMS_ERR_HOST_MEMORY, "mpi: no host memory for %d ranks", ranks);
    CLP_MPI_TRY(clp_mpi_queue_create(mpi, &staging->out_queue));
    return clp_mpi_queue_create(mpi, &staging->in_queue);
}

/*
 * NVIDIA's driver pins the memory that a buffer uses: what is shared moves at 55 GB/s a way in
 * place of 12 (H200, driver 580.159). No command uses the buffers. A driver that refuses one moves
 * the data all the same.
 */
static void register_shared(clprims_mpi *mpi) {
    clp_mpi_staging *staging = &mpi->staging;
    const size_t bytes = CLP_MPI_SLOTS * staging->chunk_bytes;
    for (int r = 0; r < mpi->ranks; r++) {
        cl_int code;
        if (staging->shared[r] == NULL) continue;
        const cl_mem mem = clCreateBuffer(mpi->cl, CL_MEM_USE_HOST_PTR | CL_MEM_READ_WRITE, bytes,
                                          staging->shared[r], &code);
        if (code != CL_SUCCESS) continue;
        clEnqueueMapBuffer(staging->out_queue, mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes,
                           0, NULL, NULL, &code);
        if (code == CL_SUCCESS) {
            staging->registered[r] = mem;
        } else {
            clReleaseMemObject(mem);
        }
    }
}

clprims_status clp_mpi_staging_pin(clprims_mpi *mpi) {
    clp_mpi_staging *staging = &mpi->staging;
    const bool is_shared = staging->out != NULL;
    const size_t slots = CLP_MPI_SLOTS * staging->chunk_bytes,
                 bytes = is_shared ? slots : 2 * slots;
    cl_int code;
    if (is_shared) register_shared(mpi);
    if (mpi->ranks == 1 || (is_shared && staging->sharing == mpi->ranks)) return CLPRIMS_OK;
    staging->pinned =
        clCreateBuffer(mpi->cl, CL_MEM_ALLOC_HOST_PTR | CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (code == CL_SUCCESS) {
        staging->host =
            clEnqueueMapBuffer(staging->out_queue, staging->pinned, CL_TRUE,
                               CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &code);
    }
    if (code != CL_SUCCESS) {
        return clp_mpi_fail_cl(code, "mpi: no %zu bytes of pinned host memory", bytes);
    }
    staging->in = staging->host;
    if (!is_shared) staging->out = staging->host + slots;
    staging->bytes += bytes;
    return CLPRIMS_OK;
}

static void unregister_shared(const clp_mpi_staging *staging, int ranks) {
    for (int r = 0; r < ranks; r++) {
        if (staging->registered[r] == NULL) continue;
        clEnqueueUnmapMemObject(staging->out_queue, staging->registered[r], staging->shared[r], 0,
                                NULL, NULL);
        clFinish(staging->out_queue);
        clReleaseMemObject(staging->registered[r]);
    }
}

void clp_mpi_staging_release(clprims_mpi *mpi) {
    clp_mpi_staging *staging = &mpi->staging;
    if (staging->registered != NULL) unregister_shared(staging, mpi->ranks);
    if (staging->parts != NULL) {
        clp_mpi_shared_release(staging->parts, staging->sharing,
                               CLP_MPI_SLOTS * staging->chunk_bytes);
    }
    if (staging->host != NULL) {
        clEnqueueUnmapMemObject(staging->out_queue, staging->pinned, staging->host, 0, NULL, NULL);
        clFinish(staging->out_queue);
    }
    if (staging->pinned != NULL) clReleaseMemObject(staging->pinned);
    if (staging->in_queue != NULL) clReleaseCommandQueue(staging->in_queue);
    if (staging->out_queue != NULL) clReleaseCommandQueue(staging->out_queue);
    free(staging->shared);
    free(staging->parts);
    free(staging->registered);
}
