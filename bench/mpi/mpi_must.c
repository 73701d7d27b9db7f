/* SPDX-License-Identifier: MIT */
/* The end of clprims-bench-mpi where a call fails. */
#include "mpi_subjects.h"

#include <stdio.h>
#include <stdlib.h>

void mpi_bench_stop(const char *why) {
    fprintf(stderr, "clprims-bench-mpi: %s\n", why);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

void mpi_bench_must(clprims_status status) {
    if (status != CLPRIMS_OK) mpi_bench_stop(clprims_mpi_last_error()->message);
}

void mpi_bench_must_core(clprims_status status) {
    if (status != CLPRIMS_OK) mpi_bench_stop(clprims_last_error()->message);
}

void mpi_bench_must_cl(cl_int code) {
    if (code != CL_SUCCESS) mpi_bench_stop("an OpenCL call failed");
}
