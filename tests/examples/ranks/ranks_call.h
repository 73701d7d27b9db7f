/* SPDX-License-Identifier: MIT */
/* What the programs over ranks do where a call fails: they say what is wrong, and end on all ranks.
 */
#ifndef RANKS_CALL_H
#define RANKS_CALL_H

#include <clprims/mpi.h>
#include <stdio.h>
#include <stdlib.h>

static inline void must(clprims_status status) {
    if (status == CLPRIMS_OK) return;
    fprintf(stderr, "%s\n", clprims_mpi_last_error()->message);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

static inline cl_mem buffer(cl_context context, size_t bytes, void *from) {
    cl_int code;
    cl_mem mem =
        clCreateBuffer(context, from != NULL ? CL_MEM_COPY_HOST_PTR : 0, bytes, from, &code);
    if (code == CL_SUCCESS) return mem;
    fprintf(stderr, "no buffer of %zu bytes: OpenCL code %d\n", bytes, (int)code);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    return NULL;
}

#endif
