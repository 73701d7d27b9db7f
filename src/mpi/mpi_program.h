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

/* The size of the structure that kernels of lists take. */
enum { CLP_MPI_NODES_BYTES = 48 };

/* A kernel of a file of cl/mpi. arguments: a letter for each: a `b`uffer, a 32-bit `i`nteger, a
 * 64-bit `l`ong one, `w`ords of local memory, the `n`odes of a list. */
typedef struct clp_mpi_kernel {
    const char *name; /* NULL: the plan does without it */
    const char *arguments;
} clp_mpi_kernel;

/* One argument of a launch; what is passed by value is of the type that the kernel declares. */
typedef struct clp_mpi_argument {
    size_t bytes;
    const void *value;
} clp_mpi_argument;

/* clang-format off */
#define CLP_MPI_VALUE(variable) { sizeof(variable), &(variable) }
#define CLP_MPI_INT(value) { sizeof(cl_uint), &(cl_uint){(cl_uint)(value)} }
#define CLP_MPI_LONG(value) { sizeof(cl_ulong), &(cl_ulong){(cl_ulong)(value)} }
#define CLP_MPI_WORDS(count) { (count) * sizeof(cl_uint), NULL }
/* clang-format on */

/* A buffer and its first element; a matrix, whose rows lie ld elements apart. */
#define CLP_MPI_BUFFER(buffer) CLP_MPI_VALUE((buffer).mem), CLP_MPI_LONG((buffer).first)
#define CLP_MPI_MATRIX(matrix)                                                                     \
    CLP_MPI_VALUE((matrix).mem), CLP_MPI_LONG((matrix).first), CLP_MPI_LONG((matrix).ld)

/* Arguments of a launch and their number. */
#define CLP_MPI_ARGUMENTS(...)                                                                     \
    (const clp_mpi_argument[]){__VA_ARGS__},                                                       \
        sizeof((const clp_mpi_argument[]){__VA_ARGS__}) / sizeof(clp_mpi_argument)

/*
 * Creates kernels of a file, all but the ones without a name, and launches each once without
 * elements: drivers may compile at the first launch. The object keeps the file's program, so that
 * it is built once. definitions: NULL, or text in front of the file, which makes a program of its
 * own.
 */
clprims_status clp_mpi_kernels_create(clprims_mpi *mpi, const char *definitions, const char *file,
                                      const clp_mpi_kernel *kernels, size_t count, cl_kernel *out);

/* Submits one work-item an element, and some that find none; nothing for no elements. */
clprims_status clp_mpi_launch(const clprims_mpi *mpi, cl_kernel kernel, size_t elements,
                              const clp_mpi_argument *arguments, size_t count);

/* Submits a kernel of a matrix to any queue of the device: work-items of a column, which take every
 * row or every few rows; get_global_id(0) is the column, get_global_id(1) the first row. */
clprims_status clp_mpi_launch_cells(const clprims_mpi *mpi, cl_command_queue queue,
                                    cl_kernel kernel, size_t rows, size_t columns,
                                    const clp_mpi_argument *arguments, size_t count);

/* Call these functions with the arguments listed in the call. */
#define CLP_MPI_LAUNCH(mpi, kernel, elements, ...)                                                 \
    clp_mpi_launch(mpi, kernel, elements, CLP_MPI_ARGUMENTS(__VA_ARGS__))
#define CLP_MPI_LAUNCH_CELLS(mpi, queue, kernel, rows, columns, ...)                               \
    clp_mpi_launch_cells(mpi, queue, kernel, rows, columns, CLP_MPI_ARGUMENTS(__VA_ARGS__))

/* Submits the filling of 32-bit words to any queue of the device. */
clprims_status clp_mpi_fill(const clprims_mpi *mpi, cl_command_queue queue, cl_mem mem,
                            size_t first, size_t words, cl_uint value);

#endif
