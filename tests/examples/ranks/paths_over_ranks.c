/* SPDX-License-Identifier: MIT */
/*
 * Travel times between all places of a city whose streets are a grid, over MPI ranks: each rank has
 * a block of the matrix, so that it need not fit one device. Rank 0 then asks for one way, which it
 * follows from place to place.
 *
 *   mpirun -np 4 paths_over_ranks [PLACES-A-SIDE]
 */
#include "ranks_call.h"

#include <clprims/mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void *room_for(size_t elements, size_t bytes) {
    void *memory = malloc(elements * bytes + 1);
    if (memory == NULL) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    return memory;
}

/* The minutes from a place to a neighbour; every seventh street is a fast one. */
static float minutes(uint64_t from, uint64_t to, uint64_t side) {
    const uint64_t x = from % side, y = from / side, u = to % side, v = to / side;
    const uint64_t apart = (x > u ? x - u : u - x) + (y > v ? y - v : v - y);
    if (apart != 1) return INFINITY;
    return (y == v ? y : x) % 7 == 3 ? 1.0F : 3.0F;
}

/* One element of a distributed matrix, on all ranks. */
static float ask(const clprims_mpi_info *info, const void *block, int is_vertex,
                 clprims_mpi_block rows, clprims_mpi_block columns, uint64_t i, uint64_t j) {
    float value = -INFINITY;
    if (i >= rows.start && i - rows.start < rows.n && j >= columns.start &&
        j - columns.start < columns.n) {
        const size_t at = (size_t)((i - rows.start) * columns.n + (j - columns.start));
        value = is_vertex ? (float)((const int32_t *)block)[at] : ((const float *)block)[at];
    }
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_FLOAT, MPI_MAX, info->comm);
    return value;
}

/* This rank's block before the run. */
static void fill(float *times, int32_t *before, clprims_mpi_block rows, clprims_mpi_block columns,
                 uint64_t side) {
    for (size_t c = 0; c < rows.n * columns.n; c++) {
        times[c] = minutes(rows.start + c / columns.n, columns.start + c % columns.n, side);
        before[c] = -1;
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const uint64_t side = argc > 1 ? strtoull(argv[1], NULL, 10) : 12, n = side * side;
    clprims_context *context = NULL;
    clprims_mpi *mpi = NULL;
    clprims_mpi_paths *paths = NULL;
    clprims_mpi_info info = {0};
    clprims_context_info device = {0};
    must(clprims_mpi_context_create(&context, MPI_COMM_WORLD, NULL));
    must(clprims_mpi_create(&mpi, MPI_COMM_WORLD, context));
    must(clprims_mpi_describe(mpi, &info));
    must(clprims_context_describe(context, &device));
    if (n == 0) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);

    const clprims_mpi_block rows = clprims_mpi_even_rows(mpi, n);
    const clprims_mpi_block columns = clprims_mpi_even_columns(mpi, n);
    const size_t cells = (size_t)(rows.n * columns.n), room = cells > 0 ? cells : 1;
    float *times = room_for(room, sizeof *times);
    int32_t *before = room_for(room, sizeof *before);
    fill(times, before, rows, columns, side);

    clprims_paths_desc desc = {.max_n = (size_t)(rows.n > columns.n ? rows.n : columns.n),
                               .predecessors = 1};
    must(clprims_mpi_paths_create(&paths, mpi, &desc));
    const clprims_matrix d = {buffer(device.context, room * sizeof *times, times), 0,
                              (size_t)columns.n, 0};
    const clprims_matrix via = {buffer(device.context, room * sizeof *before, before), 0,
                                (size_t)columns.n, 0};
    must(clprims_mpi_paths_run(paths, d, via, (size_t)rows.n, (size_t)columns.n));
    int right = clEnqueueReadBuffer(device.queue, d.mem, CL_TRUE, 0, cells * sizeof *times, times,
                                    0, NULL, NULL) == CL_SUCCESS &&
                clEnqueueReadBuffer(device.queue, via.mem, CL_TRUE, 0, cells * sizeof *before,
                                    before, 0, NULL, NULL) == CL_SUCCESS;

    const float time = ask(&info, times, 0, rows, columns, 0, n - 1);
    float walked = 0;
    uint64_t at = n - 1, steps = 0;
    while (at != 0 && steps++ < n) {
        const uint64_t last = (uint64_t)ask(&info, before, 1, rows, columns, 0, at);
        walked += minutes(last, at, side);
        at = last;
    }
    right = right && at == 0 && walked == time;
    if (info.rank == 0) {
        printf("%.0f minutes by way of %llu streets on %d ranks: %s\n", (double)time,
               (unsigned long long)steps, info.ranks, right ? "they add up" : "they do not add up");
    }
    clprims_mpi_paths_destroy(paths);
    clReleaseMemObject(d.mem);
    clReleaseMemObject(via.mem);
    clprims_mpi_destroy(mpi);
    clprims_context_destroy(context);
    free(times);
    free(before);
    MPI_Finalize();
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
