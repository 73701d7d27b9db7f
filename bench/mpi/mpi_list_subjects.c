/* SPDX-License-Identifier: MIT */
/* Lists over ranks, of int64 links. The order of elements is a Feistel permutation of positions, so
 * that each rank makes its links, and checks its ranks, without the others'. */
#include "mpi_subjects.h"

#include <stdlib.h>

/* ---- Random lists ---- */

enum { ROUNDS = 4 };

/* Half of the bits that positions below `total` have. */
static unsigned half_of(uint64_t total) {
    unsigned half = 1;
    while (half < 32 && (uint64_t)1 << 2 * half < total) half++;
    return half;
}

static uint64_t mix(uint64_t value, unsigned round, unsigned half) {
    value = (value + round + 1) * 0x9e3779b97f4a7c15u;
    value = (value ^ value >> 29) * 0xbf58476d1ce4e5b9u;
    return (value ^ value >> 32) & (((uint64_t)1 << half) - 1);
}

/* A position's image, and back; what falls outside is permuted again. */
static uint64_t permute(uint64_t position, uint64_t total, unsigned half) {
    do {
        uint64_t high = position >> half, low = position & (((uint64_t)1 << half) - 1);
        for (unsigned round = 0; round < ROUNDS; round++) {
            const uint64_t kept = low;
            low = high ^ mix(low, round, half);
            high = kept;
        }
        position = high << half | low;
    } while (position >= total);
    return position;
}

static uint64_t permute_back(uint64_t position, uint64_t total, unsigned half) {
    do {
        uint64_t high = position >> half, low = position & (((uint64_t)1 << half) - 1);
        for (unsigned round = ROUNDS; round-- > 0;) {
            const uint64_t kept = high;
            high = low ^ mix(high, round, half);
            low = kept;
        }
        position = high << half | low;
    } while (position >= total);
    return position;
}

/* The links of n elements from `start` on of a list of `total`. */
static void make_links(int64_t *links, uint64_t start, size_t n, uint64_t total) {
    const unsigned half = half_of(total);
    for (size_t i = 0; i < n; i++) {
        const uint64_t rank = permute_back(start + i, total, half);
        links[i] = rank + 1 < total ? (int64_t)permute(rank + 1, total, half) : -1;
    }
}

/* ---- The subjects ---- */

static cl_mem links_of(const mpi_job *job, uint64_t start, uint64_t total) {
    cl_int code;
    int64_t *links = malloc((job->n + 1) * sizeof *links);
    if (links == NULL) mpi_bench_stop("no host memory");
    make_links(links, start, job->n, total);
    const cl_mem mem = clCreateBuffer(job->info.context, CL_MEM_COPY_HOST_PTR,
                                      (job->n + 1) * sizeof *links, links, &code);
    mpi_bench_must_cl(code);
    free(links);
    return mem;
}

static void create_list_of(mpi_job *job, clprims_list_result result) {
    clprims_list_desc desc = CLPRIMS_LIST_DESC_INIT;
    cl_int code;
    desc.link = CLPRIMS_I64;
    desc.result = result;
    desc.max_n = job->n;
    mpi_bench_must(clprims_mpi_list_create(&job->list, job->mpi, &desc));
    job->links = links_of(job, job->block.start, job->block.total);
    job->ranks_out =
        clCreateBuffer(job->info.context, 0, (job->n + 1) * sizeof(int64_t), NULL, &code);
    mpi_bench_must_cl(code);
    job->own_links = NULL;
    if (job->rank != 0) return; /* which alone has a list of its own */
    mpi_bench_must_core(clprims_list_create(&job->own_list, job->context, &desc));
    job->own_links = links_of(job, 0, job->n);
}

static void create_list(mpi_job *job) {
    create_list_of(job, CLPRIMS_LIST_RANKS);
}

static void create_order(mpi_job *job) {
    create_list_of(job, CLPRIMS_LIST_ORDER);
}

static void list_alone(const mpi_job *job) {
    mpi_bench_must_core(
        clprims_list_enqueue(job->own_list, job->info.queue, (clprims_buffer){job->own_links, 0},
                             (clprims_buffer){job->ranks_out, 0}, CLPRIMS_LIST_FIND_HEAD, job->n,
                             (clprims_buffer){NULL, 0}, 0, NULL, NULL));
    mpi_bench_must_cl(clFinish(job->info.queue));
}

static void list_together(const mpi_job *job) {
    mpi_bench_must(clprims_mpi_list_run(job->list, (clprims_buffer){job->links, 0},
                                        (clprims_buffer){job->ranks_out, 0}, CLPRIMS_LIST_FIND_HEAD,
                                        job->n, job->n, NULL));
}

static bool result_is_right(mpi_job *job, bool is_order) {
    const uint64_t total = job->block.total;
    const unsigned half = half_of(total);
    int64_t *result = malloc((job->n + 1) * sizeof *result);
    if (result == NULL) mpi_bench_stop("no host memory");
    mpi_bench_must_cl(clEnqueueReadBuffer(job->info.queue, job->ranks_out, CL_TRUE, 0,
                                          job->n * sizeof *result, result, 0, NULL, NULL));
    int right = 1;
    for (size_t i = 0; i < job->n; i++) {
        const uint64_t at = job->block.start + i;
        const uint64_t expected =
            is_order ? permute(at, total, half) : permute_back(at, total, half);
        right = right && (uint64_t)result[i] == expected;
    }
    free(result);
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return right != 0;
}

static bool ranks_are_right(mpi_job *job) {
    return result_is_right(job, false);
}

static bool order_is_right(mpi_job *job) {
    return result_is_right(job, true);
}

/* Of each link that leaves its rank, the element that it names, the sublist and the place in it. */
static double ranks_crossing(const mpi_job *job) {
    return 12.0 * (double)job->n * (job->ranks - 1) / job->ranks;
}

/* And of each element of the order its position. */
static double order_crossing(const mpi_job *job) {
    return 20.0 * (double)job->n * (job->ranks - 1) / job->ranks;
}

static void destroy_list(mpi_job *job) {
    clprims_mpi_list_destroy(job->list);
    clprims_list_destroy(job->own_list);
    job->own_list = NULL;
    clReleaseMemObject(job->links);
    clReleaseMemObject(job->ranks_out);
    if (job->own_links != NULL) clReleaseMemObject(job->own_links);
}

const mpi_subject mpi_list_subjects[] = {{"list", create_list, NULL, list_alone, list_together,
                                          ranks_are_right, ranks_crossing, destroy_list},
                                         {"order", create_order, NULL, list_alone, list_together,
                                          order_is_right, order_crossing, destroy_list},
                                         {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL}};
