/* SPDX-License-Identifier: MIT */
/* The object: a communicator, a context's device, queues, staging memory. */
#include "mpi/mpi_object.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Create ---- */

static clprims_status take_context(clprims_mpi *mpi, MPI_Comm comm) {
    clprims_context_info info = {0};
    int ranks;
    CLP_MPI_TRY(clp_mpi_core(clprims_context_describe(mpi->context, &info)));
    mpi->cl = info.context;
    mpi->device = info.device_id;
    mpi->context_queue = info.queue;
    CLP_MPI_TRY(clp_mpi_queue_create(mpi, &mpi->queue));
    MPI_Comm_size(comm, &ranks);
    return clp_mpi_staging_create(mpi, ranks);
}

static void take_ranks(clprims_mpi *mpi, MPI_Comm comm) {
    MPI_Comm host;
    MPI_Comm_dup(comm, &mpi->comm);
    MPI_Comm_set_errhandler(mpi->comm, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_rank(mpi->comm, &mpi->rank);
    MPI_Comm_size(mpi->comm, &mpi->ranks);
    MPI_Comm_split_type(mpi->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &mpi->host_rank);
    MPI_Comm_size(host, &mpi->host_ranks);
    clp_mpi_staging_share(mpi, host);
    MPI_Comm_free(&host);
}

static clprims_status create(clprims_mpi **out, MPI_Comm comm, clprims_context *context) {
    if (out == NULL) return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi: out is NULL");
    *out = NULL;
    if (context == NULL) return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi: context is NULL");
    clprims_mpi *mpi = calloc(1, sizeof *mpi);
    if (mpi == NULL) return clp_mpi_fail(CLPRIMS_ERR_HOST_MEMORY, "mpi: no host memory");
    *out = mpi;
    mpi->who = "mpi";
    mpi->context = context;
    mpi->comm = MPI_COMM_NULL;
    return take_context(mpi, comm);
}

/* All but the communicator. */
static void release(clprims_mpi *mpi) {
    if (mpi == NULL) return;
    clp_mpi_staging_release(mpi);
    for (size_t k = 0; k < CLP_MPI_MOST_PROGRAMS; k++) {
        if (mpi->programs[k] != NULL) clReleaseProgram(mpi->programs[k]);
    }
    if (mpi->queue != NULL) clReleaseCommandQueue(mpi->queue);
    free(mpi);
}

clprims_status clprims_mpi_create(clprims_mpi **out, MPI_Comm comm, clprims_context *context) {
    clp_mpi_clear_error();
    clprims_status status = clp_mpi_agree_on(comm, create(out, comm, context));
    if (status != CLPRIMS_OK) {
        if (out != NULL) {
            release(*out);
            *out = NULL;
        }
        return status;
    }
    take_ranks(*out, comm);
    status = clp_mpi_agree(*out, clp_mpi_staging_pin(*out));
    if (status != CLPRIMS_OK) {
        clprims_mpi_destroy(*out);
        *out = NULL;
    }
    return status;
}

void clprims_mpi_destroy(clprims_mpi *mpi) {
    if (mpi == NULL) return;
    MPI_Comm_free(&mpi->comm);
    release(mpi);
}

clprims_status clprims_mpi_describe_sized(const clprims_mpi *mpi, clprims_mpi_info *info,
                                          size_t info_bytes) {
    clp_mpi_clear_error();
    if (mpi == NULL) return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_describe: mpi is NULL");
    if (info == NULL) return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_describe: info is NULL");
    const clprims_mpi_info full = {.comm = mpi->comm,
                                   .context = mpi->context,
                                   .rank = mpi->rank,
                                   .ranks = mpi->ranks,
                                   .host_rank = mpi->host_rank,
                                   .host_ranks = mpi->host_ranks,
                                   .chunk_bytes = mpi->staging.chunk_bytes,
                                   .staging_bytes = mpi->staging.bytes};
    memset(info, 0, info_bytes);
    memcpy(info, &full, info_bytes < sizeof full ? info_bytes : sizeof full);
    return CLPRIMS_OK;
}

/* ---- What calls begin and end with ---- */

clprims_status clp_mpi_gather(const clprims_mpi *mpi, clprims_status status, uint64_t mine,
                              uint64_t *all) {
    CLP_MPI_TRY(clp_mpi_agree(mpi, status));
    MPI_Allgather(&mine, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, mpi->comm);
    return CLPRIMS_OK;
}

clprims_status clp_mpi_same(const clprims_mpi *mpi, clprims_status status, uint64_t digest) {
    uint64_t first = digest;
    CLP_MPI_TRY(clp_mpi_agree(mpi, status));
    MPI_Bcast(&first, 1, MPI_UINT64_T, 0, mpi->comm);
    if (first != digest) {
        status = clp_mpi_fail(CLPRIMS_ERR_ARGUMENT,
                              "%s: the description differs from that of rank 0 in more than max_n",
                              mpi->who);
    }
    return clp_mpi_agree(mpi, status);
}

clprims_status clp_mpi_enter(clprims_mpi *mpi, const char *who) {
    clp_mpi_clear_error();
    if (mpi == NULL) return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "%s: mpi is NULL", who);
    mpi->who = who;
    return CLPRIMS_OK;
}

clprims_status clp_mpi_begin(const clprims_mpi *mpi) {
    const cl_int code = clFinish(mpi->context_queue);
    if (code != CL_SUCCESS) return clp_mpi_fail_cl(code, "%s: what came before failed", mpi->who);
    return CLPRIMS_OK;
}

/* ---- Device memory ---- */

clprims_status clp_mpi_finish(const clprims_mpi *mpi) {
    return clp_mpi_finish_queue(mpi, mpi->queue);
}

clprims_status clp_mpi_finish_queue(const clprims_mpi *mpi, cl_command_queue queue) {
    const cl_int code = clFinish(queue);
    if (code != CL_SUCCESS) return clp_mpi_fail_cl(code, "%s: a kernel failed", mpi->who);
    return CLPRIMS_OK;
}

clprims_status clp_mpi_queue_create(const clprims_mpi *mpi, cl_command_queue *out) {
    cl_int code;
    *out = clCreateCommandQueue(mpi->cl, mpi->device, 0, &code);
    if (code == CL_SUCCESS) return CLPRIMS_OK;
    *out = NULL;
    return clp_mpi_fail_cl(code, "%s: no queue", mpi->who);
}

clprims_status clp_mpi_buffer_create(const clprims_mpi *mpi, size_t bytes, cl_mem *out) {
    cl_int code;
    *out = clCreateBuffer(mpi->cl, CL_MEM_READ_WRITE, bytes > 0 ? bytes : 1, NULL, &code);
    if (code == CL_SUCCESS) return CLPRIMS_OK;
    *out = NULL;
    return clp_mpi_fail_cl(code, "%s: no %zu bytes of device memory", mpi->who, bytes);
}

/* Of a copy, which has a number of bytes. */
static clprims_status copied(const clprims_mpi *mpi, cl_int code, const char *how, size_t bytes) {
    if (code == CL_SUCCESS) return CLPRIMS_OK;
    return clp_mpi_fail_cl(code, "%s: %s %zu bytes failed", mpi->who, how, bytes);
}

clprims_status clp_mpi_read(const clprims_mpi *mpi, cl_mem mem, size_t offset, size_t bytes,
                            void *out) {
    const cl_int code =
        clEnqueueReadBuffer(mpi->queue, mem, CL_TRUE, offset, bytes, out, 0, NULL, NULL);
    return copied(mpi, code, "reading", bytes);
}

clprims_status clp_mpi_write(const clprims_mpi *mpi, cl_mem mem, size_t offset, size_t bytes,
                             const void *in) {
    const cl_int code =
        clEnqueueWriteBuffer(mpi->queue, mem, CL_TRUE, offset, bytes, in, 0, NULL, NULL);
    return copied(mpi, code, "writing", bytes);
}

clprims_status clp_mpi_copy(const clprims_mpi *mpi, cl_mem from, size_t from_offset, cl_mem to,
                            size_t to_offset, size_t bytes) {
    if (bytes == 0) return CLPRIMS_OK;
    const cl_int code =
        clEnqueueCopyBuffer(mpi->queue, from, to, from_offset, to_offset, bytes, 0, NULL, NULL);
    return copied(mpi, code, "copying", bytes);
}

/* ---- Checks ---- */

clprims_status clp_mpi_take(const char *who, const char *name, const void *given,
                            size_t given_bytes, void *full, size_t bytes) {
    enum { MOST_UNKNOWN = 4096 };
    const unsigned char *from = given;
    if (given == NULL) return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "%s: %s is NULL", who, name);
    CLP_MPI_FAIL_IF(given_bytes == 0 || given_bytes > bytes + MOST_UNKNOWN, CLPRIMS_ERR_ARGUMENT,
                    "%s: %s_bytes = %zu; give the sizeof of *%s, which has %zu bytes", who, name,
                    given_bytes, name, bytes);
    for (size_t i = bytes; i < given_bytes; i++) {
        if (from[i] == 0) continue;
        return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT,
                            "%s: %s has %zu bytes, of which byte %zu is not 0; this library knows "
                            "%zu",
                            who, name, given_bytes, i, bytes);
    }
    memset(full, 0, bytes);
    memcpy(full, given, given_bytes < bytes ? given_bytes : bytes);
    return CLPRIMS_OK;
}

clprims_status clp_mpi_check_mem(const clprims_mpi *mpi, const char *name, cl_mem mem,
                                 size_t *bytes) {
    cl_context owner = NULL;
    cl_mem_object_type type = 0;
    CLP_MPI_FAIL_IF(
        clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof *bytes, bytes, NULL) != CL_SUCCESS ||
            clGetMemObjectInfo(mem, CL_MEM_CONTEXT, sizeof owner, &owner, NULL) != CL_SUCCESS ||
            clGetMemObjectInfo(mem, CL_MEM_TYPE, sizeof type, &type, NULL) != CL_SUCCESS,
        CLPRIMS_ERR_ARGUMENT, "%s: %s.mem is no memory object", mpi->who, name);
    CLP_MPI_FAIL_IF(owner != mpi->cl, CLPRIMS_ERR_ARGUMENT,
                    "%s: %s.mem is of another context than the plan", mpi->who, name);
    if (type == CL_MEM_OBJECT_BUFFER) return CLPRIMS_OK;
    return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: %s.mem is an image or a pipe, of CL_MEM_TYPE 0x%x; give a buffer",
                        mpi->who, name, (unsigned)type);
}

clprims_status clp_mpi_check_most(const clprims_mpi *mpi, const char *name, size_t number,
                                  const char *of_most, size_t most) {
    if (number <= most) return CLPRIMS_OK;
    return clp_mpi_fail(CLPRIMS_ERR_TOO_LARGE, "%s: %s = %zu exceeds %s = %zu", mpi->who, name,
                        number, of_most, most);
}

clprims_status clp_mpi_check_room(const clprims_mpi *mpi, const char *name, clprims_buffer buffer,
                                  uint64_t n, size_t element_bytes) {
    size_t bytes = 0;
    if (n == 0) return CLPRIMS_OK;
    CLP_MPI_FAIL_IF(buffer.mem == NULL, CLPRIMS_ERR_ARGUMENT,
                    "%s: %s.mem is NULL, with %" PRIu64 " elements", mpi->who, name, n);
    CLP_MPI_TRY(clp_mpi_check_mem(mpi, name, buffer.mem, &bytes));
    const uint64_t room = bytes / element_bytes;
    if (buffer.first <= room && n <= room - buffer.first) return CLPRIMS_OK;
    return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: %s has room for %" PRIu64 " elements of %zu bytes; %" PRIu64
                        " from %zu on are wanted",
                        mpi->who, name, room, element_bytes, n, buffer.first);
}

clprims_status clp_mpi_check_apart(const clprims_mpi *mpi, const char *names, clprims_buffer a,
                                   uint64_t a_n, clprims_buffer b, uint64_t b_n) {
    const bool overlap =
        a.mem == b.mem && a_n > 0 && b_n > 0 && a.first < b.first + b_n && b.first < a.first + a_n;
    if (!overlap) return CLPRIMS_OK;
    return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "%s: %s overlap", mpi->who, names);
}
