/* SPDX-License-Identifier: MIT */
/*
 * Each rank has readings with the time at which they were taken; together they are put in order of
 * time, in even blocks. Every rank has a device of its own where there are as many.
 *
 *   mpirun -np 4 sort_over_ranks [READINGS-A-RANK]
 */
#include "ranks_call.h"

#include <clprims/mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Whether the times are in order on this rank and behind those of the rank before. */
static int in_order(const clprims_mpi_info *info, const uint64_t *times, size_t n) {
    uint64_t before = 0;
    MPI_Status ignored;
    const int up = info->rank + 1 < info->ranks ? info->rank + 1 : MPI_PROC_NULL;
    const int down = info->rank > 0 ? info->rank - 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&times[n - 1], 1, MPI_UINT64_T, up, 0, &before, 1, MPI_UINT64_T, down, 0,
                 info->comm, &ignored);
    int ordered = times[0] >= before;
    for (size_t i = 1; i < n; i++) ordered = ordered && times[i - 1] <= times[i];
    MPI_Allreduce(MPI_IN_PLACE, &ordered, 1, MPI_INT, MPI_MIN, info->comm);
    return ordered;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const size_t n = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 100000;
    clprims_context *context = NULL;
    clprims_mpi *mpi = NULL;
    clprims_mpi_sort *sort = NULL;
    clprims_mpi_info info = {0};
    clprims_context_info device = {0};
    must(clprims_mpi_context_create(&context, MPI_COMM_WORLD, NULL));
    must(clprims_mpi_create(&mpi, MPI_COMM_WORLD, context));
    must(clprims_mpi_describe(mpi, &info));
    must(clprims_context_describe(context, &device));

    uint64_t *times = malloc(n * sizeof *times);
    float *readings = malloc(n * sizeof *readings);
    if (n == 0 || times == NULL || readings == NULL) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    uint64_t random = (uint64_t)info.rank + 1;
    for (size_t i = 0; i < n; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        times[i] = random >> 20;
        readings[i] = (float)(times[i] % 1000); /* so that it shows which time it belongs to */
    }

    clprims_sort_desc desc = {
        .type = CLPRIMS_U64, .payloads = 1, .payload_bytes[0] = sizeof *readings, .max_n = n};
    must(clprims_mpi_sort_create(&sort, mpi, &desc));
    clprims_sort_buffers buffers = {0};
    buffers.keys_in.mem = buffers.keys_out.mem = buffer(device.context, n * sizeof *times, times);
    buffers.payload_in[0].mem = buffers.payload_out[0].mem =
        buffer(device.context, n * sizeof *readings, readings);
    must(clprims_mpi_sort_run(sort, &buffers, n, n));

    int right = clEnqueueReadBuffer(device.queue, buffers.keys_out.mem, CL_TRUE, 0,
                                    n * sizeof *times, times, 0, NULL, NULL) == CL_SUCCESS &&
                clEnqueueReadBuffer(device.queue, buffers.payload_out[0].mem, CL_TRUE, 0,
                                    n * sizeof *readings, readings, 0, NULL, NULL) == CL_SUCCESS;
    for (size_t i = 0; i < n; i++) right = right && readings[i] == (float)(times[i] % 1000);
    right = in_order(&info, times, n) && right;
    if (info.rank == 0) {
        printf("%zu readings on %d ranks are %s\n", n * (size_t)info.ranks, info.ranks,
               right ? "in order of time" : "in no order");
    }
    clprims_mpi_sort_destroy(sort);
    clReleaseMemObject(buffers.keys_in.mem);
    clReleaseMemObject(buffers.payload_in[0].mem);
    clprims_mpi_destroy(mpi);
    clprims_context_destroy(context);
    free(times);
    free(readings);
    MPI_Finalize();
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
