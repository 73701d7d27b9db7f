/* SPDX-License-Identifier: MIT */
/* Programs of cl/mpi, their kernels and launches. */
#include "mpi/mpi_program.h"

#include <string.h>

static clprims_status build(const clprims_mpi *mpi, const char *who, const clp_mpi_source *source,
                            cl_program *out) {
    enum { LOG_BYTES = 4096 };
    char log[LOG_BYTES] = "";
    cl_int code;
    const cl_program program = clCreateProgramWithSource(mpi->cl, 1, (const char *[]){source->text},
                                                         &source->length, &code);
    if (code != CL_SUCCESS) return clp_mpi_fail_cl(code, "%s: no program", who);
    code = clBuildProgram(program, 1, &mpi->device, "-w", NULL, NULL);
    if (code == CL_SUCCESS) {
        *out = program;
        return CLPRIMS_OK;
    }
    clGetProgramBuildInfo(program, mpi->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    clReleaseProgram(program);
    return clp_mpi_fail_cl(code, "%s: %s does not build: %s", who, source->name, log);
}

/* One size for all launches: PoCL compiles a kernel for each. */
enum { GROUP = 64 };

/* Of the file with that name, which is there. */
static size_t number_of(const char *file) {
    size_t number = 0;
    while (strcmp(clp_mpi_sources[number].name, file) != 0) number++;
    return number;
}

clprims_status clp_mpi_kernel_create(clprims_mpi *mpi, const char *who, const char *file,
                                     const char *name, cl_kernel *out) {
    const size_t number = number_of(file);
    cl_int code;
    if (mpi->programs[number] == NULL) {
        CLP_MPI_TRY(build(mpi, who, &clp_mpi_sources[number], &mpi->programs[number]));
    }
    *out = clCreateKernel(mpi->programs[number], name, &code);
    if (code == CL_SUCCESS) return CLPRIMS_OK;
    *out = NULL;
    return clp_mpi_fail_cl(code, "%s: no kernel %s", who, name);
}

clprims_status clp_mpi_launch(const clprims_mpi *mpi, const char *who, cl_kernel kernel,
                              const clp_mpi_argument *arguments, cl_uint count, size_t elements,
                              bool warms_up) {
    /* Whole groups; kernels look where the elements end. */
    const size_t group = GROUP;
    const size_t items = warms_up ? GROUP : (elements + GROUP - 1) / GROUP * GROUP;
    cl_int code = CL_SUCCESS;
    for (cl_uint k = 0; k < count && code == CL_SUCCESS; k++) {
        code = clSetKernelArg(kernel, k, arguments[k].bytes, arguments[k].value);
    }
    if (code == CL_SUCCESS && items > 0) {
        code = clEnqueueNDRangeKernel(mpi->queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL);
    }
    if (code != CL_SUCCESS) return clp_mpi_fail_cl(code, "%s: no launch", who);
    return CLPRIMS_OK;
}
