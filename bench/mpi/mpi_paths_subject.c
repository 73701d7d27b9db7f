/* SPDX-License-Identifier: MIT */
/*
 * All-pairs shortest paths of n vertices, float32: one device has the whole matrix, then the ranks
 * have blocks of it. The time does not depend on whether a matrix is closed already.
 */
#include "mpi_subjects.h"

#include <stdlib.h>

enum { CHUNK = 1 << 22 }; /* elements that pass through host memory at a time */

/* The largest n whose square is at most the total. */
static size_t root_of(uint64_t total) {
    size_t root = 0;
    for (size_t bit = (size_t)1 << 30; bit > 0; bit /= 2) {
        if ((root + bit) * (root + bit) <= total) root += bit;
    }
    return root;
}

/* 1 to 1000, so that sums are exact. */
static float length_of(uint64_t i, uint64_t j) {
    const uint64_t hash = (i * 0x9e3779b97f4a7c15u ^ j * 0xc2b2ae3d27d4eb4fu) * 0xd6e8feb86659fd93u;
    return (float)((hash >> 40) % 1000 + 1);
}

static float *chunk_of(size_t columns, size_t *rows) {
    *rows = columns < CHUNK ? CHUNK / columns : 1;
    float *values = malloc(*rows * columns * sizeof *values);
    if (values == NULL) mpi_bench_stop("no host memory");
    return values;
}

static cl_mem fill(const mpi_job *job, clprims_mpi_block rows, clprims_mpi_block columns) {
    const size_t n = (size_t)columns.n, cells = (size_t)rows.n * n, bytes = sizeof(float);
    cl_int code;
    cl_mem mem = clCreateBuffer(job->info.context, 0, (cells + 1) * bytes, NULL, &code);
    mpi_bench_must_cl(code);
    if (cells == 0) return mem;
    size_t most;
    float *values = chunk_of(n, &most);
    for (size_t row = 0; row < rows.n; row += most) {
        const size_t down = rows.n - row < most ? (size_t)rows.n - row : most;
        for (size_t c = 0; c < down * n; c++) {
            values[c] = length_of(rows.start + row + c / n, columns.start + c % n);
        }
        mpi_bench_must_cl(clEnqueueWriteBuffer(job->info.queue, mem, CL_TRUE, row * n * bytes,
                                               down * n * bytes, values, 0, NULL, NULL));
    }
    free(values);
    return mem;
}

/* Of all elements, each with its place. */
static uint64_t sum_of(const mpi_job *job, cl_mem mem, clprims_mpi_block rows,
                       clprims_mpi_block columns) {
    const size_t n = (size_t)columns.n, bytes = sizeof(float);
    uint64_t sum = 0;
    if (rows.n == 0 || n == 0) return sum;
    size_t most;
    float *values = chunk_of(n, &most);
    for (size_t row = 0; row < rows.n; row += most) {
        const size_t down = rows.n - row < most ? (size_t)rows.n - row : most;
        mpi_bench_must_cl(clEnqueueReadBuffer(job->info.queue, mem, CL_TRUE, row * n * bytes,
                                              down * n * bytes, values, 0, NULL, NULL));
        for (size_t c = 0; c < down * n; c++) {
            const uint64_t i = rows.start + row + c / n, j = columns.start + c % n;
            sum += (uint64_t)values[c] * (i * job->vertices + j + 1);
        }
    }
    free(values);
    return sum;
}

void mpi_paths_create(mpi_job *job) {
    clprims_paths_desc desc = {0};
    if (job->vertices == 0) job->vertices = root_of(job->block.total);
    job->shown = job->vertices;
    job->rows = clprims_mpi_even_rows(job->mpi, job->vertices);
    job->columns = clprims_mpi_even_columns(job->mpi, job->vertices);
    job->whole = (clprims_mpi_block){job->vertices, 0, job->vertices};
    desc.max_n = (size_t)(job->rows.n > job->columns.n ? job->rows.n : job->columns.n);
    mpi_bench_must(clprims_mpi_paths_create(&job->paths, job->mpi, &desc));
    job->lengths = fill(job, job->rows, job->columns);
    if (job->rank > 0) return;
    desc.max_n = job->vertices;
    mpi_bench_must_core(clprims_paths_create(&job->own_paths, job->context, &desc));
    job->own_lengths = fill(job, job->whole, job->whole);
}

void mpi_paths_alone(const mpi_job *job) {
    const clprims_paths_buffers buffers = {.d = {job->own_lengths, 0, job->vertices, 0}};
    mpi_bench_must_core(clprims_paths_enqueue(job->own_paths, job->info.queue, &buffers,
                                              job->vertices, 0, NULL, NULL));
    mpi_bench_must_cl(clFinish(job->info.queue));
}

void mpi_paths_together(const mpi_job *job) {
    const clprims_matrix d = {job->lengths, 0, (size_t)job->columns.n, 0};
    const clprims_matrix none = {NULL, 0, 0, 0};
    mpi_bench_must(
        clprims_mpi_paths_run(job->paths, d, none, (size_t)job->rows.n, (size_t)job->columns.n));
}

bool mpi_paths_are_right(mpi_job *job) {
    uint64_t sum = sum_of(job, job->lengths, job->rows, job->columns);
    int right = 1;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (job->rank == 0) right = sum == sum_of(job, job->own_lengths, job->whole, job->whole);
    MPI_Bcast(&right, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return right != 0;
}

/* What a rank sends of its own strips to one rank each of its row and its column, on average. */
double mpi_paths_bytes(const mpi_job *job) {
    const clprims_mpi_grid grid = clprims_mpi_grid_of(job->mpi);
    const double down = (double)(grid.rows - 1) / grid.rows;
    const double across = (double)(grid.columns - 1) / grid.columns;
    const double lengths = (double)job->columns.n * down + (double)job->rows.n * across;
    return (double)job->vertices * lengths * (double)sizeof(float);
}

void mpi_paths_destroy(mpi_job *job) {
    clprims_mpi_paths_destroy(job->paths);
    clprims_paths_destroy(job->own_paths);
    clReleaseMemObject(job->lengths);
    if (job->own_lengths != NULL) clReleaseMemObject(job->own_lengths);
}
