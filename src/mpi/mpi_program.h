/* SPDX-License-Identifier: MIT */
/* The library's own kernels: cl/mpi, as byte arrays, and what is built of them. */
#ifndef CLP_MPI_PROGRAM_H
#define CLP_MPI_PROGRAM_H

#include "mpi/mpi_object.h"

#include <stdbool.h>

/* cl/embed.cmake writes the table. */
typedef struct clp_mpi_source {
    const char *name; /* "blocks.cl" */
    const char *text;
    size_t length;
} clp_mpi_source;

extern const clp_mpi_source clp_mpi_sources[]; /* ends with a NULL name */

/* A kernel of a file of cl/mpi. The object keeps the file's program, so that it is built once. */
clprims_status clp_mpi_kernel_create(clprims_mpi *mpi, const char *who, const char *file,
                                     const char *name, cl_kernel *out);

/* A program of the caller's own: definitions and a file of cl/mpi. */
clprims_status clp_mpi_program_create(const clprims_mpi *mpi, const char *who,
                                      const char *definitions, const char *file, cl_program *out);

/* One argument of a kernel; what is passed by value is of the type that the kernel declares. */
typedef struct clp_mpi_argument {
    size_t bytes;
    const void *value;
} clp_mpi_argument;

#define CLP_MPI_ARGUMENT(variable)                                                                 \
    { sizeof(variable), &(variable) }

/* Submits one work-item an element, and some that find none; nothing for no elements, unless it
 * warms up: drivers may compile at the first launch. */
clprims_status clp_mpi_launch(const clprims_mpi *mpi, const char *who, cl_kernel kernel,
                              const clp_mpi_argument *arguments, cl_uint count, size_t elements,
                              bool warms_up);

/* Submits a kernel of a matrix to any queue of the device: work-items of a column, which take every
 * row or every few rows; get_global_id(0) is the column, get_global_id(1) the first row. */
clprims_status clp_mpi_launch_cells(const char *who, cl_command_queue queue, cl_kernel kernel,
                                    const clp_mpi_argument *arguments, cl_uint count, size_t rows,
                                    size_t columns, bool warms_up);

#endif
