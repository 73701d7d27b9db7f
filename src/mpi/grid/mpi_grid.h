/* SPDX-License-Identifier: MIT */
/*
 * Matrices over a grid of ranks. Each row of the grid holds a strip of the matrix' rows, each
 * column a strip of its columns. Panels, of a few rows or columns, go to the ranks of a column or
 * row.
 */
#ifndef CLP_MPI_GRID_H
#define CLP_MPI_GRID_H

#include "mpi/mpi_program.h"

/*
 * Collective: starts[s] is the first row (or column) of strip s, starts[strips] their number in
 * all. mine: how many this rank's block has; the ranks of one strip have as many. strips: one of
 * each row of the grid, or of each column. starts: room for strips + 1. name: "rows of d". status:
 * as of clp_mpi_agree. Fails on all ranks alike.
 */
clprims_status clp_mpi_strips(const clprims_mpi *mpi, const char *who, clprims_status status,
                              const char *name, bool by_row, uint64_t mine, uint64_t *starts);

/* The strip that holds a row or column, which is there. */
int clp_mpi_strip_of(const uint64_t *starts, uint64_t position);

/* What the plans to come use at most: tests make it small. */
typedef struct clp_mpi_limits {
    size_t width; /* of panels; 0: as suits the type */
    size_t chosen; /* elements of scratch for what products choose */
} clp_mpi_limits;
extern clp_mpi_limits clp_mpi_limits_now;

/* Bytes of a panel of columns' row, from which products are as fast as with any depth. */
enum { CLP_MPI_PANEL_BYTES = 2048 };

/* That scratch for a rank's block: one row at least, all of it if there is room. */
size_t clp_mpi_chosen_elements(size_t rows, size_t columns);

/* This rank's part of a matrix. */
typedef struct clp_mpi_operand {
    const char *name; /* "d" */
    clprims_matrix at;
    size_t rows, columns, element_bytes;
} clp_mpi_operand;

/* Its buffer has room for it, or it has no elements. */
clprims_status clp_mpi_check_operand(const clprims_mpi *mpi, const char *who,
                                     const clp_mpi_operand *operand);

/* Two operands have no element in common: columns of their own of one matrix have none. */
clprims_status clp_mpi_check_disjoint(const char *who, const clp_mpi_operand *a,
                                      const clp_mpi_operand *b);

/* Copies parts of matrices on the object's queue. */
typedef struct clp_mpi_copier {
    clprims_mpi *mpi;
    cl_kernel kernel;
    size_t units; /* what the kernel copies at a time, in an element */
} clp_mpi_copier;

clprims_status clp_mpi_copier_create(clprims_mpi *mpi, const char *who, size_t element_bytes,
                                     clp_mpi_copier *copier);
void clp_mpi_copier_release(clp_mpi_copier *copier);

/* Submits the copy of the first rows and columns of a matrix to those of another. */
clprims_status clp_mpi_copy_part(const clp_mpi_copier *copier, const char *who, clprims_matrix from,
                                 clprims_matrix to, size_t rows, size_t columns, bool warms_up);

/* The matrix that begins at an element of a matrix. */
clprims_matrix clp_mpi_part(clprims_matrix matrix, size_t row, size_t column);

/* What goes to and comes from each rank in one exchange within one buffer. */
typedef struct clp_mpi_routes {
    clprims_mpi_grid grid;
    uint64_t *from_first, *from_count, *to_first, *to_count; /* of each rank, one allocation */
} clp_mpi_routes;

clprims_status clp_mpi_routes_create(const clprims_mpi *mpi, const char *who,
                                     clp_mpi_routes *routes);
void clp_mpi_routes_release(clp_mpi_routes *routes);

/* No elements for any rank. */
void clp_mpi_routes_clear(const clp_mpi_routes *routes);

/* Elements [first, first + count) go from the ranks of that row of the grid to those of the same
 * column, or from the ranks of that column to those of the same row. */
void clp_mpi_route_down(const clp_mpi_routes *routes, int row, uint64_t first, uint64_t count);
void clp_mpi_route_across(const clp_mpi_routes *routes, int column, uint64_t first, uint64_t count);

/* Collective: clp_mpi_exchange by these routes. */
clprims_status clp_mpi_route(clprims_mpi *mpi, const char *who, const clp_mpi_routes *routes,
                             cl_mem mem, size_t element_bytes);

#endif
