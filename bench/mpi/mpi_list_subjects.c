/* SPDX-License-Identifier: MIT */
/* Lists over ranks, of int64 links. The order of elements is a Feistel permutation of positions, so
 * that each rank's device makes its links, and checks its ranks, without the others'. */
#include "mpi_subjects.h"

#include "mpi/list/mpi_list.h"

/* ---- Random lists ---- */

/* bits: half of those that positions have. What falls outside is permuted again. wrong: how many
 * elements of the result are. */
static const char source[] =
    "ulong scramble(ulong value, uint round, uint bits) {\n"
    "    value = (value + round + 1) * 0x9e3779b97f4a7c15ul;\n"
    "    value = (value ^ value >> 29) * 0xbf58476d1ce4e5b9ul;\n"
    "    return (value ^ value >> 32) & ((1ul << bits) - 1);\n"
    "}\n"
    "ulong permute(ulong position, ulong total, uint bits) {\n"
    "    do {\n"
    "        ulong high = position >> bits, low = position & ((1ul << bits) - 1);\n"
    "        for (uint round = 0; round < 4; round++) {\n"
    "            const ulong kept = low;\n"
    "            low = high ^ scramble(low, round, bits);\n"
    "            high = kept;\n"
    "        }\n"
    "        position = high << bits | low;\n"
    "    } while (position >= total);\n"
    "    return position;\n"
    "}\n"
    "ulong permute_back(ulong position, ulong total, uint bits) {\n"
    "    do {\n"
    "        ulong high = position >> bits, low = position & ((1ul << bits) - 1);\n"
    "        for (uint round = 4; round-- > 0;) {\n"
    "            const ulong kept = high;\n"
    "            high = low ^ scramble(high, round, bits);\n"
    "            low = kept;\n"
    "        }\n"
    "        position = high << bits | low;\n"
    "    } while (position >= total);\n"
    "    return position;\n"
    "}\n"
    "kernel void make_links(ulong start, ulong n, ulong total, uint bits, global long *links) {\n"
    "    const ulong i = get_global_id(0);\n"
    "    if (i >= n) return;\n"
    "    const ulong rank = permute_back(start + i, total, bits);\n"
    "    links[i] = rank + 1 < total ? (long)permute(rank + 1, total, bits) : -1;\n"
    "}\n"
    "kernel void check(ulong start, ulong n, ulong total, uint bits, const global ulong *result,\n"
    "                  uint is_order, global uint *wrong) {\n"
    "    const ulong i = get_global_id(0);\n"
    "    if (i >= n) return;\n"
    "    const ulong at = start + i;\n"
    "    if (result[i] != (is_order ? permute(at, total, bits) : permute_back(at, total, bits)))\n"
    "        atomic_inc(wrong);\n"
    "}\n";

static cl_uint half_of(uint64_t total) {
    cl_uint half = 1;
    while (half < 32 && (uint64_t)1 << 2 * half < total) half++;
    return half;
}

/* Runs a kernel of the source for each of n elements from `start` on of a list of `total`. */
static void run_kernel(const mpi_job *job, const char *name, uint64_t start, uint64_t total,
                       cl_mem array, const cl_uint *is_order, const cl_mem *wrong) {
    const char *text = source;
    const cl_ulong n = job->n;
    const cl_uint half = half_of(total);
    const size_t items = (job->n + 63) / 64 * 64;
    cl_int code;
    if (n == 0) return;
    const cl_program program = clCreateProgramWithSource(job->info.context, 1, &text, NULL, &code);
    mpi_bench_must_cl(code);
    mpi_bench_must_cl(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    const cl_kernel kernel = clCreateKernel(program, name, &code);
    mpi_bench_must_cl(code);
    mpi_bench_must_cl(clSetKernelArg(kernel, 0, sizeof start, &start));
    mpi_bench_must_cl(clSetKernelArg(kernel, 1, sizeof n, &n));
    mpi_bench_must_cl(clSetKernelArg(kernel, 2, sizeof total, &total));
    mpi_bench_must_cl(clSetKernelArg(kernel, 3, sizeof half, &half));
    mpi_bench_must_cl(clSetKernelArg(kernel, 4, sizeof array, &array));
    if (is_order != NULL) mpi_bench_must_cl(clSetKernelArg(kernel, 5, sizeof *is_order, is_order));
    if (wrong != NULL) mpi_bench_must_cl(clSetKernelArg(kernel, 6, sizeof *wrong, wrong));
    mpi_bench_must_cl(
        clEnqueueNDRangeKernel(job->info.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    mpi_bench_must_cl(clFinish(job->info.queue));
    clReleaseKernel(kernel);
    clReleaseProgram(program);
}

/* ---- The subjects ---- */

static cl_mem links_of(const mpi_job *job, uint64_t start, uint64_t total) {
    cl_int code;
    const cl_mem mem = clCreateBuffer(job->info.context, CL_MEM_READ_WRITE,
                                      (job->n + 1) * sizeof(int64_t), NULL, &code);
    mpi_bench_must_cl(code);
    run_kernel(job, "make_links", start, total, mem, NULL, NULL);
    return mem;
}

static void create_list_of(mpi_job *job, clprims_list_result result) {
    clprims_list_desc desc = {0};
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
    mpi_bench_must_core(clprims_list_enqueue(
        job->own_list, job->info.queue,
        &(clprims_list_buffers){.next = {job->own_links, 0}, .out = {job->ranks_out, 0}}, job->n, 0,
        NULL, NULL));
    mpi_bench_must_cl(clFinish(job->info.queue));
}

static void list_together(const mpi_job *job) {
    mpi_bench_must(clprims_mpi_list_run(job->list, (clprims_buffer){job->links, 0},
                                        (clprims_buffer){job->ranks_out, 0}, -1, job->n, job->n,
                                        NULL));
}

static bool result_is_right(mpi_job *job, bool is_order) {
    const cl_uint order = is_order;
    cl_uint wrong = 0;
    cl_int code;
    const cl_mem count =
        clCreateBuffer(job->info.context, CL_MEM_COPY_HOST_PTR, sizeof wrong, &wrong, &code);
    mpi_bench_must_cl(code);
    run_kernel(job, "check", job->block.start, job->block.total, job->ranks_out, &order, &count);
    mpi_bench_must_cl(clEnqueueReadBuffer(job->info.queue, count, CL_TRUE, 0, sizeof wrong, &wrong,
                                          0, NULL, NULL));
    clReleaseMemObject(count);
    int right = wrong == 0;
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return right != 0;
}

static bool ranks_are_right(mpi_job *job) {
    return result_is_right(job, false);
}

static bool order_is_right(mpi_job *job) {
    return result_is_right(job, true);
}

/* Of each link that leaves its rank, the element that it names, the sublist and the place in it;
 * then an eighth of the elements are nodes of the next level, of 8 bytes, which all ranks get. A
 * short list goes to one rank, and its ranks go back. */
static double ranks_crossing(const mpi_job *job) {
    const double n = (double)job->n, others = job->ranks - 1;
    if (job->block.total <= CLP_MPI_LIST_SINGLE) return 16.0 * n * others / job->ranks;
    return 12.0 * n * others / job->ranks + 8.0 * n / 8.0 * others;
}

/* And of each element of the order its position. */
static double order_crossing(const mpi_job *job) {
    const double own = job->block.total <= CLP_MPI_LIST_SINGLE ? 0.0 : 8.0;
    return ranks_crossing(job) + own * (double)job->n * (job->ranks - 1) / job->ranks;
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
