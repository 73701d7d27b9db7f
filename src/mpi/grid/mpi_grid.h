/* SPDX-License-Identifier: MIT */
/*
 * Matrices over a grid of ranks. Each row of the grid holds a strip of the matrix' rows, each
 * column a strip of its columns. Rounds go through what a product sums over: a few columns of one
 * matrix and as many rows of another, the round's panels, go to the ranks that lack them, while the
 * device multiplies the panels of the round before.
 */
#ifndef CLP_MPI_GRID_H
#define CLP_MPI_GRID_H

#include "mpi/mpi_plan.h"

/* Copies parts of matrices on the object's queue. */
typedef struct clp_mpi_copier {
    const clprims_mpi *mpi;
    cl_kernel kernel;
    size_t units; /* what the kernel copies at a time, in an element */
} clp_mpi_copier;

/* The first member of the plans over a grid: what they share. */
typedef struct clp_mpi_grid_plan {
    clp_mpi_plan head;
    clprims_mpi_grid grid;
    clp_mpi_parts parts;
    uint64_t *gathered; /* a number of each rank */
    uint64_t *row_starts, *column_starts; /* of the strips that rounds go through */
    size_t element; /* bytes */
    size_t max_rows, max_columns; /* of this rank's block */
    size_t width; /* of a panel, at most */
    bool chooses; /* products note where each element came from */
    size_t chosen_elements;
    cl_mem chosen;
    cl_mem panels[2]; /* of a round and of the next: that of columns, and that of rows behind it */
    clp_mpi_copier copier; /* of elements */
} clp_mpi_grid_plan;

/* Rows and columns of the panels lie in one strip each. */
typedef struct clp_mpi_round {
    uint64_t begin;
    size_t size; /* 0: all rounds are done */
    int row, column; /* the numbers of these strips */
} clp_mpi_round;

/* What the plans to come use at most: tests make it small. */
typedef struct clp_mpi_limits {
    size_t width; /* of panels; 0: as suits the type */
    size_t chosen; /* elements of scratch for what products choose */
} clp_mpi_limits;
extern clp_mpi_limits clp_mpi_limits_now;

/* Strips and routes: all that a run of a single rank needs. */
clprims_status clp_mpi_grid_fill(clp_mpi_grid_plan *plan);

/* The rest, once the sizes are set. width: of panels, at most; 0: from which products are as fast
 * as with any depth. */
void clp_mpi_grid_choose_width(clp_mpi_grid_plan *plan, size_t width);
clprims_status clp_mpi_grid_allocate(clp_mpi_grid_plan *plan);

/* ---- Strips and rounds ---- */

/*
 * Collective: starts[s] is the first row (or column) of strip s, starts[strips] their number in
 * all. mine: how many this rank's block has; the ranks of one strip have as many. strips: one of
 * each row of the grid, or of each column. starts: room for strips + 1. name: "rows of d". status:
 * as of clp_mpi_agree. Fails on all ranks alike.
 */
clprims_status clp_mpi_strips(const clp_mpi_grid_plan *plan, clprims_status status,
                              const char *name, bool by_row, uint64_t mine, uint64_t *starts);

/* The round that begins somewhere, of n in all. width: of its panels, at most. */
clp_mpi_round clp_mpi_round_at(const clp_mpi_grid_plan *plan, uint64_t begin, uint64_t n,
                               size_t width);

/* A round's panels, the second of which has a block's number of columns. */
static inline clprims_matrix clp_mpi_columns_panel(const clp_mpi_round *round, cl_mem panels) {
    return (clprims_matrix){panels, 0, round->size, 0};
}

static inline clprims_matrix clp_mpi_rows_panel(const clp_mpi_grid_plan *plan, cl_mem panels,
                                                size_t columns) {
    return (clprims_matrix){panels, plan->width * plan->max_rows, columns, 0};
}

/* Collective: a round's panels go to the ranks that lack them. rows, columns: of the block. */
clprims_status clp_mpi_send_panels(const clp_mpi_grid_plan *plan, const clp_mpi_round *round,
                                   cl_mem panels, size_t rows, size_t columns);

/* ---- Products ---- */

/* How many rows of a product the scratch has room for. */
size_t clp_mpi_rows_at_a_time(const clp_mpi_grid_plan *plan, size_t rows, size_t columns);

/* c = a (x) b, or combined with c, as the core's plan does it. chosen: where each of c's elements
 * came from, {NULL}: nobody asks. The plan's own scratch has -1 where c stays as it was. */
typedef struct clp_mpi_product {
    clprims_matrix a, b, c, chosen;
    size_t m, n, k;
} clp_mpi_product;

clprims_status clp_mpi_multiply(const clp_mpi_grid_plan *plan, cl_command_queue queue,
                                clprims_minplus *core, const clp_mpi_product *product);

/* ---- Parts of matrices ---- */

/* This rank's part of a matrix. */
typedef struct clp_mpi_operand {
    const char *name; /* "d" */
    clprims_matrix at;
    size_t rows, columns, element_bytes;
} clp_mpi_operand;

/* Its buffer has room for it, or it has no elements. */
clprims_status clp_mpi_check_operand(const clprims_mpi *mpi, const clp_mpi_operand *operand);

/* Two operands have no element in common: columns of their own of one matrix have none. */
clprims_status clp_mpi_check_disjoint(const clprims_mpi *mpi, const clp_mpi_operand *a,
                                      const clp_mpi_operand *b);

clprims_status clp_mpi_copier_create(clp_mpi_plan *plan, size_t element_bytes,
                                     clp_mpi_copier *copier);

/* Submits the copy of `from`'s first rows and columns to the first rows and columns of `to`. */
clprims_status clp_mpi_copy_part(const clp_mpi_copier *copier, clprims_matrix from,
                                 clprims_matrix to, size_t rows, size_t columns);

/* The matrix that begins at an element of a matrix. */
static inline clprims_matrix clp_mpi_part(clprims_matrix matrix, size_t row, size_t column) {
    matrix.first += row * matrix.ld + column;
    return matrix;
}

/* ---- Routes ---- */

/* Elements [first, first + count) of a buffer go from the ranks of a row of the grid down and up
 * its columns, or from the ranks of a column of the grid across its rows. */
typedef struct clp_mpi_route {
    int from; /* that row or column; of no elements it may be any */
    uint64_t first, count;
} clp_mpi_route;

/* Collective: clp_mpi_exchange within one buffer. */
clprims_status clp_mpi_send(const clp_mpi_grid_plan *plan, cl_mem mem, size_t element_bytes,
                            clp_mpi_route down, clp_mpi_route across);

#endif
