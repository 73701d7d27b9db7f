/* SPDX-License-Identifier: MIT */
/* The subjects of clprims-bench-mpi: uint32 in blocks of one size. */
#include "mpi_subjects.h"

#include "mpi/mpi_staging.h"

#include <stdlib.h>

static cl_mem buffer(const mpi_job *job) {
    cl_int code;
    cl_mem mem = clCreateBuffer(job->info.context, 0, (job->n + 1) * sizeof(uint32_t), NULL, &code);
    mpi_bench_must_cl(code);
    return mem;
}

static void read_back(const mpi_job *job, cl_mem mem) {
    mpi_bench_must_cl(clEnqueueReadBuffer(job->info.queue, mem, CL_TRUE, 0,
                                          job->n * sizeof *job->host, job->host, 0, NULL, NULL));
}

static uint64_t sum_of_all(const mpi_job *job) {
    uint64_t sum = 0;
    for (size_t i = 0; i < job->n; i++) sum += job->host[i];
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

static bool all_of_them(bool right) {
    int all = right;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all != 0;
}

void mpi_job_open(mpi_job *job, const char *device, size_t total) {
    clprims_context_options options = {0};
    options.device = device;
    MPI_Comm_rank(MPI_COMM_WORLD, &job->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &job->ranks);
    job->info = (clprims_context_info){0};
    mpi_bench_must(clprims_mpi_context_create(&job->context, MPI_COMM_WORLD, &options));
    mpi_bench_must(clprims_mpi_create(&job->mpi, MPI_COMM_WORLD, job->context));
    mpi_bench_must_core(clprims_context_describe(job->context, &job->info));
    if (total > 0) job->n = (size_t)clprims_mpi_even(job->mpi, total).n;
    mpi_bench_must(clprims_mpi_locate(job->mpi, job->n, &job->block));
}

void mpi_job_close(mpi_job *job) {
    if (job->in != NULL) clReleaseMemObject(job->in);
    if (job->out != NULL) clReleaseMemObject(job->out);
    if (job->payload != NULL) clReleaseMemObject(job->payload);
    clprims_mpi_destroy(job->mpi);
    clprims_context_destroy(job->context);
    free(job->host);
}

/* The arrays of keys, made once. */
static void take_keys(mpi_job *job) {
    if (job->host != NULL) return;
    job->host = malloc((job->n + 1) * sizeof *job->host);
    if (job->host == NULL) mpi_bench_stop("no host memory");
    uint64_t random = (uint64_t)job->rank + 1;
    for (size_t i = 0; i < job->n; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        job->host[i] = (uint32_t)(random >> 32);
    }
    job->in = buffer(job);
    job->out = buffer(job);
    job->payload = buffer(job);
    mpi_bench_must_cl(clEnqueueWriteBuffer(job->info.queue, job->in, CL_TRUE, 0,
                                           job->n * sizeof *job->host, job->host, 0, NULL, NULL));
    job->sum = sum_of_all(job);
}

static double a_few_bytes(const mpi_job *job) {
    (void)job;
    return sizeof(uint32_t);
}

/* ---- Reduce ---- */

static void create_reduce(mpi_job *job) {
    clprims_reduce_desc desc = {0};
    take_keys(job);
    desc.type = CLPRIMS_U32;
    desc.max_n = job->n;
    mpi_bench_must(clprims_mpi_reduce_create(&job->reduce, job->mpi, &desc));
    mpi_bench_must_core(clprims_reduce_create(&job->own_reduce, job->context, &desc));
}

static void reduce_alone(const mpi_job *job) {
    const clprims_buffer in = {job->in, 0}, out = {job->out, 0};
    mpi_bench_must_core(clprims_reduce_enqueue(job->own_reduce, job->info.queue,
                                               &(clprims_reduce_buffers){.in = in, .out = out},
                                               job->n, 0, NULL, NULL));
    mpi_bench_must_cl(clFinish(job->info.queue));
}

static void reduce_together(const mpi_job *job) {
    mpi_bench_must(clprims_mpi_reduce_run(job->reduce, (clprims_buffer){job->in, 0}, job->n,
                                          (uint32_t *)&job->host[job->n]));
}

static bool reduce_is_right(mpi_job *job) {
    return all_of_them(job->host[job->n] == (uint32_t)job->sum);
}

static void destroy_reduce(mpi_job *job) {
    clprims_mpi_reduce_destroy(job->reduce);
    clprims_reduce_destroy(job->own_reduce);
}

/* ---- Scan ---- */

static void create_scan(mpi_job *job) {
    clprims_scan_desc desc = {0};
    create_reduce(job);
    desc.type = CLPRIMS_U32;
    desc.inclusive = 1;
    desc.max_n = job->n;
    mpi_bench_must(clprims_mpi_scan_create(&job->scan, job->mpi, &desc));
    mpi_bench_must_core(clprims_scan_create(&job->own_scan, job->context, &desc));
}

/* Both passes, as over ranks. */
static void scan_alone(const mpi_job *job) {
    const clprims_buffer in = {job->in, 0}, out = {job->out, 0};
    reduce_alone(job);
    mpi_bench_must_core(clprims_scan_enqueue(job->own_scan, job->info.queue,
                                             &(clprims_scan_buffers){.in = in, .out = out}, job->n,
                                             0, NULL, NULL));
    mpi_bench_must_cl(clFinish(job->info.queue));
}

static void scan_together(const mpi_job *job) {
    const clprims_buffer in = {job->in, 0}, out = {job->out, 0};
    mpi_bench_must(clprims_mpi_scan_run(job->scan, in, out, job->n));
}

/* Its differences have the input's sum, and the last element is that sum. */
static bool scan_is_right(mpi_job *job) {
    read_back(job, job->out);
    const bool is_last = job->rank == job->ranks - 1;
    const uint32_t last = job->n > 0 ? job->host[job->n - 1] : (uint32_t)job->sum;
    uint64_t sum = 0;
    for (size_t i = 1; i < job->n; i++) sum += (uint32_t)(job->host[i] - job->host[i - 1]);
    const bool right = job->ranks > 1 || sum + job->host[0] == job->sum;
    return all_of_them(right && (!is_last || last == (uint32_t)job->sum));
}

static void destroy_scan(mpi_job *job) {
    destroy_reduce(job);
    clprims_mpi_scan_destroy(job->scan);
    clprims_scan_destroy(job->own_scan);
}

/* ---- Sort ---- */

static void create_sort_of(mpi_job *job, size_t payloads) {
    clprims_sort_desc desc = {0};
    take_keys(job);
    desc.type = CLPRIMS_U32;
    desc.payloads = payloads;
    desc.payload_bytes[0] = sizeof(uint32_t);
    desc.max_n = job->n;
    mpi_bench_must(clprims_mpi_sort_create(&job->sort, job->mpi, &desc));
    mpi_bench_must_core(clprims_sort_create(&job->own_sort, job->context, &desc));
}

static void create_sort(mpi_job *job) {
    create_sort_of(job, 0);
}

static void create_pairs(mpi_job *job) {
    create_sort_of(job, 1);
}

static clprims_sort_buffers sort_buffers(const mpi_job *job, bool pairs) {
    clprims_sort_buffers buffers = {0};
    buffers.keys_in.mem = job->in;
    buffers.keys_out.mem = job->out;
    if (pairs) buffers.payload_in[0].mem = buffers.payload_out[0].mem = job->payload;
    return buffers;
}

static void sort_alone_of(const mpi_job *job, bool pairs) {
    const clprims_sort_buffers buffers = sort_buffers(job, pairs);
    mpi_bench_must_core(
        clprims_sort_enqueue(job->own_sort, job->info.queue, &buffers, job->n, 0, NULL, NULL));
    mpi_bench_must_cl(clFinish(job->info.queue));
}

static void sort_alone(const mpi_job *job) {
    sort_alone_of(job, false);
}

static void pairs_alone(const mpi_job *job) {
    sort_alone_of(job, true);
}

static void sort_together(const mpi_job *job) {
    const clprims_sort_buffers buffers = sort_buffers(job, false);
    mpi_bench_must(clprims_mpi_sort_run(job->sort, &buffers, job->n, job->n));
}

static void pairs_together(const mpi_job *job) {
    const clprims_sort_buffers buffers = sort_buffers(job, true);
    mpi_bench_must(clprims_mpi_sort_run(job->sort, &buffers, job->n, job->n));
}

/* The payload of a key is the key. */
static void fill_payload(const mpi_job *job) {
    mpi_bench_must_cl(clEnqueueCopyBuffer(job->info.queue, job->in, job->payload, 0, 0,
                                          job->n * sizeof(uint32_t), 0, NULL, NULL));
    mpi_bench_must_cl(clFinish(job->info.queue));
}

/* The same keys as before, in order on each rank and from rank to rank. */
static bool is_sorted(mpi_job *job, cl_mem mem) {
    uint32_t least, before = 0;
    MPI_Status ignored;
    read_back(job, mem);
    const uint32_t greatest = job->n > 0 ? job->host[job->n - 1] : 0;
    least = job->n > 0 ? job->host[0] : UINT32_MAX;
    MPI_Sendrecv(&greatest, 1, MPI_UINT32_T, (job->rank + 1) % job->ranks, 0, &before, 1,
                 MPI_UINT32_T, (job->rank + job->ranks - 1) % job->ranks, 0, MPI_COMM_WORLD,
                 &ignored);
    bool right = job->rank == 0 || before <= least;
    for (size_t i = 1; i < job->n; i++) right = right && job->host[i - 1] <= job->host[i];
    return all_of_them(right) && sum_of_all(job) == job->sum;
}

static bool keys_are_right(mpi_job *job) {
    return is_sorted(job, job->out);
}

static bool pairs_are_right(mpi_job *job) {
    return is_sorted(job, job->out) && is_sorted(job, job->payload);
}

/* Random keys: all but one share of a block leaves it. */
static double keys_crossing(const mpi_job *job) {
    return (double)job->n * sizeof(uint32_t) * (job->ranks - 1) / job->ranks;
}

static double pairs_crossing(const mpi_job *job) {
    return 2.0 * keys_crossing(job);
}

static void destroy_sort(mpi_job *job) {
    clprims_mpi_sort_destroy(job->sort);
    clprims_sort_destroy(job->own_sort);
}

/* ---- Staging: each rank's block moves to the next rank, all at once; weak scaling alone ---- */

static void create_staging(mpi_job *job) {
    take_keys(job);
    if (job->block.total != job->n * (size_t)job->ranks) {
        mpi_bench_stop("staging moves blocks of one size; give a --total of equal blocks");
    }
}

static void copy_alone(const mpi_job *job) {
    mpi_bench_must_cl(clEnqueueCopyBuffer(job->info.queue, job->in, job->out, 0, 0,
                                          job->n * sizeof(uint32_t), 0, NULL, NULL));
    mpi_bench_must_cl(clFinish(job->info.queue));
}

/* To the next rank, from the one before: with two ranks both ways between one pair. */
static void move_together(const mpi_job *job) {
    const size_t ranks = (size_t)job->ranks;
    uint64_t *numbers = calloc(3 * ranks, sizeof *numbers);
    if (numbers == NULL) mpi_bench_stop("no host memory");
    uint64_t *first = numbers, *out_count = numbers + ranks, *in_count = numbers + 2 * ranks;
    out_count[(job->rank + 1) % job->ranks] = job->n;
    in_count[(job->rank + job->ranks - 1) % job->ranks] = job->n;
    const clp_mpi_parts parts = {first, out_count, first, in_count};
    const clprims_status status =
        clp_mpi_exchange(job->mpi, &parts, job->in, job->out, sizeof(uint32_t));
    free(numbers);
    if (status != CLPRIMS_OK) mpi_bench_stop("an exchange failed");
}

static bool block_is_moved(mpi_job *job) {
    read_back(job, job->out);
    return all_of_them(sum_of_all(job) == job->sum);
}

static void destroy_nothing(mpi_job *job) {
    (void)job;
}

static double whole_crossing(const mpi_job *job) {
    return job->ranks > 1 ? (double)job->n * sizeof(uint32_t) : 0.0;
}

const mpi_subject mpi_subjects[] = {{"reduce", create_reduce, NULL, reduce_alone, reduce_together,
                                     reduce_is_right, a_few_bytes, destroy_reduce},
                                    {"scan", create_scan, NULL, scan_alone, scan_together,
                                     scan_is_right, a_few_bytes, destroy_scan},
                                    {"sort", create_sort, NULL, sort_alone, sort_together,
                                     keys_are_right, keys_crossing, destroy_sort},
                                    {"pairs", create_pairs, fill_payload, pairs_alone,
                                     pairs_together, pairs_are_right, pairs_crossing, destroy_sort},
                                    {"staging", create_staging, NULL, copy_alone, move_together,
                                     block_is_moved, whole_crossing, destroy_nothing},
                                    {"paths", mpi_paths_create, NULL, mpi_paths_alone,
                                     mpi_paths_together, mpi_paths_are_right, mpi_paths_bytes,
                                     mpi_paths_destroy},
                                    {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL}};
