/* SPDX-License-Identifier: MIT */
/* Programs of cl/mpi, their kernels and launches. */
#include "mpi/mpi_program.h"

#include <string.h>

static clprims_status build(const clprims_mpi *mpi, const char *definitions,
                            const clp_mpi_source *source, cl_program *out) {
    enum { LOG_BYTES = 4096 };
    char log[LOG_BYTES] = "";
    const size_t lengths[2] = {strlen(definitions), source->length};
    cl_int code;
    const cl_program program = clCreateProgramWithSource(
        mpi->cl, 2, (const char *[]){definitions, source->text}, lengths, &code);
    if (code != CL_SUCCESS) return clp_mpi_fail_cl(code, "%s: no program", mpi->who);
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
                           mpi->who, source->name, log);
}

/* One size for all launches: PoCL compiles a kernel for each. */
enum { GROUP = 64 };

/* Of the file with that name, which is there. */
static size_t number_of(const char *file) {
    size_t number = 0;
    while (strcmp(clp_mpi_sources[number].name, file) != 0) number++;
    return number;
}

/* Kernels look where the elements end. */
static size_t whole_groups(size_t elements) {
    return (elements + GROUP - 1) / GROUP * GROUP;
}

/* ---- Launches ---- */

clprims_status clp_mpi_launch(const clprims_mpi *mpi, cl_kernel kernel, size_t elements,
                              const clp_mpi_argument *arguments, size_t count) {
    return clp_mpi_launch_cells(mpi, mpi->queue, kernel, 1, elements, arguments, count);
}

clprims_status clp_mpi_launch_cells(const clprims_mpi *mpi, cl_command_queue queue,
                                    cl_kernel kernel, size_t rows, size_t columns,
                                    const clp_mpi_argument *arguments, size_t count) {
    enum { MOST_ROWS = 16384 }; /* the second dimension has fewer groups than the first */
    const size_t group[2] = {GROUP, 1};
    const size_t items[2] = {whole_groups(columns), rows < MOST_ROWS ? rows : MOST_ROWS};
    cl_int code = CL_SUCCESS;
    for (cl_uint k = 0; k < count && code == CL_SUCCESS; k++) {
        code = clSetKernelArg(kernel, k, arguments[k].bytes, arguments[k].value);
    }
    if (code == CL_SUCCESS && rows > 0 && columns > 0) {
        code = clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, group, 0, NULL, NULL);
    }
    if (code != CL_SUCCESS) return clp_mpi_fail_cl(code, "%s: no launch", mpi->who);
    return CLPRIMS_OK;
}

clprims_status clp_mpi_fill(const clprims_mpi *mpi, cl_command_queue queue, cl_mem mem,
                            size_t first, size_t words, cl_uint value) {
    if (words == 0) return CLPRIMS_OK;
    const cl_int code = clEnqueueFillBuffer(queue, mem, &value, sizeof value, first * sizeof value,
                                            words * sizeof value, 0, NULL, NULL);
    if (code == CL_SUCCESS) return CLPRIMS_OK;
    return clp_mpi_fail_cl(code, "%s: filling %zu words failed", mpi->who, words);
}

/* ---- Kernels ---- */

/* Every buffer is NULL, every number 0. */
static clprims_status warm_up(const clprims_mpi *mpi, cl_kernel kernel, const char *letters) {
    enum { MOST = 16, BYTES = 64 };
    static const unsigned char zeros[BYTES];
    static const size_t bytes[] = {['b'] = sizeof(cl_mem),
                                   ['i'] = sizeof(cl_uint),
                                   ['l'] = sizeof(cl_ulong),
                                   ['n'] = CLP_MPI_NODES_BYTES,
                                   ['w'] = 2 * sizeof(cl_uint)};
    clp_mpi_argument arguments[MOST];
    const size_t count = strlen(letters);
    for (size_t k = 0; k < count; k++) {
        const unsigned char letter = (unsigned char)letters[k];
        arguments[k] = (clp_mpi_argument){bytes[letter], letter == 'w' ? NULL : zeros};
    }
    return clp_mpi_launch(mpi, kernel, 1, arguments, count);
}

static clprims_status create(const clprims_mpi *mpi, cl_program program,
                             const clp_mpi_kernel *kernels, size_t count, cl_kernel *out) {
    for (size_t k = 0; k < count; k++) {
        cl_int code;
        if (kernels[k].name == NULL) continue;
        out[k] = clCreateKernel(program, kernels[k].name, &code);
        if (code != CL_SUCCESS) {
            out[k] = NULL;
            return clp_mpi_fail_cl(code, "%s: no kernel %s", mpi->who, kernels[k].name);
        }
        CLP_MPI_TRY(warm_up(mpi, out[k], kernels[k].arguments));
    }
    return clp_mpi_finish(mpi);
}

clprims_status clp_mpi_kernels_create(clprims_mpi *mpi, const char *definitions, const char *file,
                                      const clp_mpi_kernel *kernels, size_t count, cl_kernel *out) {
    const size_t number = number_of(file);
    cl_program *shared = &mpi->programs[number], own = NULL;
    if (definitions == NULL) {
        if (*shared == NULL) CLP_MPI_TRY(build(mpi, "\n", &clp_mpi_sources[number], shared));
        return create(mpi, *shared, kernels, count, out);
    }
    CLP_MPI_TRY(build(mpi, definitions, &clp_mpi_sources[number], &own));
    const clprims_status status = create(mpi, own, kernels, count, out);
    clReleaseProgram(own); /* the kernels keep it */
    return status;
}
