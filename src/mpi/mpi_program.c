/* SPDX-License-Identifier: MIT */
/* Programs of cl/mpi, their kernels and launches. */
#include "mpi/mpi_program.h"

#include <string.h>

static clprims_status build(const clprims_mpi *mpi, const char *who, const char *definitions,
                            const clp_mpi_source *source, cl_program *out) {
    enum { LOG_BYTES = 4096 };
    char log[LOG_BYTES] = "";
    const size_t lengths[2] = {strlen(definitions), source->length};
    cl_int code;
    const cl_program program = clCreateProgramWithSource(
        mpi->cl, 2, (const char *[]){definitions, source->text}, lengths, &code);
    if (code != CL_SUCCESS) return clp_mpi_fail_cl(code, "%s: no program", who);
    code = clBuildProgram(program, 1, &mpi->device, "-w", NULL, NULL);
    if (code == CL_SUCCESS) {
        *out = program;
        return CLPRIMS_OK;
    }
    clGetProgramBuildInfo(program, mpi->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    clReleaseProgram(program);
    return clp_mpi_fail_cl(code,
                           "%s: the OpenCL driver failed to build %s, a text of this library; "
                           "where its log names no error, see that it can write its cache (PoCL's "
                           "is POCL_CACHE_DIR, or in HOME) and that the disk has room; \"%.600s\"",
                           who, source->name, log);
}

/* One size for all launches: PoCL compiles a kernel for each. */
enum { GROUP = 64 };

/* Of the file with that name, which is there. */
static size_t number_of(const char *file) {
    size_t number = 0;
    while (strcmp(clp_mpi_sources[number].name, file) != 0) number++;
    return number;
}

clprims_status clp_mpi_program_create(const clprims_mpi *mpi, const char *who,
                                      const char *definitions, const char *file, cl_program *out) {
    return build(mpi, who, definitions, &clp_mpi_sources[number_of(file)], out);
}

clprims_status clp_mpi_kernel_create(clprims_mpi *mpi, const char *who, const char *file,
                                     const char *name, cl_kernel *out) {
    const size_t number = number_of(file);
    cl_int code;
    if (mpi->programs[number] == NULL) {
        CLP_MPI_TRY(build(mpi, who, "\n", &clp_mpi_sources[number], &mpi->programs[number]));
    }
    *out = clCreateKernel(mpi->programs[number], name, &code);
    if (code == CL_SUCCESS) return CLPRIMS_OK;
    *out = NULL;
    return clp_mpi_fail_cl(code, "%s: no kernel %s", who, name);
}

/* Kernels look where the elements end. */
static size_t whole_groups(size_t elements) {
    return (elements + GROUP - 1) / GROUP * GROUP;
}

static clprims_status launch(const char *who, cl_command_queue queue, cl_kernel kernel,
                             const clp_mpi_argument *arguments, cl_uint count, cl_uint dimensions,
                             const size_t *items) {
    const size_t group[2] = {GROUP, 1};
    cl_int code = CL_SUCCESS;
    for (cl_uint k = 0; k < count && code == CL_SUCCESS; k++) {
        code = clSetKernelArg(kernel, k, arguments[k].bytes, arguments[k].value);
    }
    if (code == CL_SUCCESS && items[0] > 0) {
        code = clEnqueueNDRangeKernel(queue, kernel, dimensions, NULL, items, group, 0, NULL, NULL);
    }
    if (code != CL_SUCCESS) return clp_mpi_fail_cl(code, "%s: no launch", who);
    return CLPRIMS_OK;
}

clprims_status clp_mpi_launch(const clprims_mpi *mpi, const char *who, cl_kernel kernel,
                              const clp_mpi_argument *arguments, cl_uint count, size_t elements,
                              bool warms_up) {
    const size_t items = whole_groups(warms_up ? 1 : elements);
    return launch(who, mpi->queue, kernel, arguments, count, 1, &items);
}

clprims_status clp_mpi_launch_cells(const char *who, cl_command_queue queue, cl_kernel kernel,
                                    const clp_mpi_argument *arguments, cl_uint count, size_t rows,
                                    size_t columns, bool warms_up) {
    enum { MOST_ROWS = 16384 }; /* the second dimension has fewer groups than the first */
    const size_t down = warms_up ? 1 : rows < MOST_ROWS ? rows : MOST_ROWS;
    const size_t items[2] = {down == 0 ? 0 : whole_groups(warms_up ? 1 : columns), down};
    return launch(who, queue, kernel, arguments, count, 2, items);
}
