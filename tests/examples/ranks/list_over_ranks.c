/* SPDX-License-Identifier: MIT */
/*
 * The messages of a conversation are kept on many machines as they came in; each names the one that
 * answers it, wherever that is kept. Together they are put in the order of the conversation.
 *
 *   mpirun -np 4 list_over_ranks [MESSAGES-A-RANK]
 */
#include "ranks_call.h"

#include <clprims/mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Where the k-th message of the conversation is kept: `step` has no divisor in common with the
 * total, so that every position is taken once. */
static int64_t kept_at(int64_t k, int64_t step, int64_t total) {
    return (int64_t)((uint64_t)k * (uint64_t)step % (uint64_t)total);
}

static int64_t common_divisor(int64_t a, int64_t b) {
    return b == 0 ? a : common_divisor(b, a % b);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const size_t n = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 100000;
    clprims_context *context = NULL;
    clprims_mpi *mpi = NULL;
    clprims_mpi_list *list = NULL;
    clprims_mpi_block block;
    clprims_mpi_info info = {0};
    clprims_context_info device = {0};
    must(clprims_mpi_context_create(&context, MPI_COMM_WORLD, NULL));
    must(clprims_mpi_create(&mpi, MPI_COMM_WORLD, context));
    must(clprims_mpi_describe(mpi, &info));
    must(clprims_mpi_locate(mpi, n, &block));
    must(clprims_context_describe(context, &device));

    int64_t *next = malloc(n * sizeof *next), *order = malloc(n * sizeof *order);
    if (n == 0 || next == NULL || order == NULL) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    const int64_t total = (int64_t)block.total, start = (int64_t)block.start;
    int64_t step = total / 3 + 1;
    while (common_divisor(total, step) != 1) step++;
    const int64_t last = kept_at(total - 1, step, total);
    for (size_t i = 0; i < n; i++) {
        const int64_t own = start + (int64_t)i;
        next[i] = own == last ? -1 : (own + step) % total;
    }

    clprims_list_desc desc = {.link = CLPRIMS_I64, .result = CLPRIMS_LIST_ORDER, .max_n = n};
    must(clprims_mpi_list_create(&list, mpi, &desc));
    cl_mem links = buffer(device.context, n * sizeof *next, next);
    cl_mem out = buffer(device.context, n * sizeof *order, NULL);
    clprims_list_report report;
    must(clprims_mpi_list_run(list, (clprims_buffer){links, 0}, (clprims_buffer){out, 0}, -1, n, n,
                              &report));

    int right = clEnqueueReadBuffer(device.queue, out, CL_TRUE, 0, n * sizeof *order, order, 0,
                                    NULL, NULL) == CL_SUCCESS;
    for (size_t i = 0; i < n; i++) {
        right = right && order[i] == kept_at(start + (int64_t)i, step, total);
    }
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, info.comm);
    if (info.rank == 0) {
        printf("%lld messages on %d ranks, the first one at %lld, are %s\n", (long long)total,
               info.ranks, (long long)report.head, right ? "in their order" : "in no order");
    }
    clprims_mpi_list_destroy(list);
    clReleaseMemObject(links);
    clReleaseMemObject(out);
    clprims_mpi_destroy(mpi);
    clprims_context_destroy(context);
    free(next);
    free(order);
    MPI_Finalize();
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
