/* SPDX-License-Identifier: MIT */
/* The thread's record, and how ranks agree on one. */
#include "mpi/mpi_status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_BYTES = 1200, BUILD_LOG_BYTES = 16384 };

/* What is sent to the other ranks as it stands. */
typedef struct shared_record {
    int status;
    int rank;
    cl_int cl_code;
    char message[MESSAGE_BYTES];
    char build_log[BUILD_LOG_BYTES];
} shared_record;

static _Thread_local shared_record record = {.rank = -1};
static _Thread_local clprims_mpi_error error;

void clp_mpi_clear_error(void) {
    record.status = CLPRIMS_OK;
    record.rank = -1;
    record.cl_code = CL_SUCCESS;
    record.message[0] = record.build_log[0] = '\0';
}

const clprims_mpi_error *clprims_mpi_last_error(void) {
    error = (clprims_mpi_error){.status = (clprims_status)record.status,
                                .rank = record.rank,
                                .cl_code = record.cl_code,
                                .message = record.message,
                                .build_log = record.build_log};
    return &error;
}

static void fill(clprims_status status, cl_int code, const char *format, va_list arguments) {
    record.status = (int)status;
    record.cl_code = code;
    vsnprintf(record.message, sizeof record.message, format, arguments);
}

clprims_status clp_mpi_fail(clprims_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(status, CL_SUCCESS, format, arguments);
    va_end(arguments);
    return status;
}

static clprims_status status_of_code(cl_int code) {
    switch (code) {
    case CL_OUT_OF_HOST_MEMORY:
        return CLPRIMS_ERR_HOST_MEMORY;
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_RESOURCES:
        return CLPRIMS_ERR_DEVICE_MEMORY;
    default:
        return CLPRIMS_ERR_OPENCL;
    }
}

clprims_status clp_mpi_fail_cl(cl_int code, const char *format, ...) {
    const clprims_status status = status_of_code(code);
    va_list arguments;
    va_start(arguments, format);
    fill(status, code, format, arguments);
    va_end(arguments);
    const size_t used = strlen(record.message);
    snprintf(record.message + used, sizeof record.message - used, ": OpenCL code %d", (int)code);
    return status;
}

clprims_status clp_mpi_core(clprims_status status) {
    if (status == CLPRIMS_OK) return CLPRIMS_OK;
    const clprims_error *core = clprims_last_error();
    record.status = (int)status;
    record.cl_code = core->cl_code;
    snprintf(record.message, sizeof record.message, "%s", core->message);
    snprintf(record.build_log, sizeof record.build_log, "%s", core->build_log);
    return status;
}

/* "scan: ..." becomes "rank 2: scan: ...". */
static void name_rank(int rank) {
    char message[MESSAGE_BYTES];
    memcpy(message, record.message, sizeof message);
    record.rank = rank;
    const int length = snprintf(record.message, sizeof record.message, "rank %d: ", rank);
    memcpy(record.message + length, message, sizeof message - (size_t)length);
    record.message[sizeof record.message - 1] = '\0';
}

clprims_status clp_mpi_agree_on(MPI_Comm comm, clprims_status status) {
    int rank, ranks, first;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const int mine = status == CLPRIMS_OK ? ranks : rank;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm);
    if (first == ranks) return CLPRIMS_OK;
    if (first == rank) name_rank(rank);
    MPI_Bcast(&record, (int)sizeof record, MPI_BYTE, first, comm);
    return (clprims_status)record.status;
}
