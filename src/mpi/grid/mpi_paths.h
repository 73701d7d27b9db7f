/* SPDX-License-Identifier: MIT */
/* Shared by the files of all-pairs shortest paths over ranks: the plan, and a run. */
#ifndef CLP_MPI_PATHS_H
#define CLP_MPI_PATHS_H

#include "minplus/minplus_limits.h"
#include "mpi/grid/mpi_grid.h"

/* The panels of a round side by side in one buffer: that of columns, and that of rows behind it. */
typedef struct clp_mpi_panels {
    cl_mem lengths;
    cl_mem via; /* of the panel of rows; NULL without predecessors */
} clp_mpi_panels;

/* Kernels of cl/mpi/paths.cl. */
enum {
    CLP_MPI_PATHS_START,
    CLP_MPI_PATHS_FINISH,
    CLP_MPI_PATHS_DIAGONAL,
    CLP_MPI_PATHS_STEP,
    CLP_MPI_PATHS_FOLLOW,
    CLP_MPI_PATHS_KERNELS
};

/* Buffers of a plan besides its panels. */
enum {
    CLP_MPI_GIVEN, /* squares: a round's diagonal block as it was, closed, and one more */
    CLP_MPI_CLOSED,
    CLP_MPI_OTHER,
    CLP_MPI_SQUARES,
    CLP_MPI_CHOSEN = CLP_MPI_SQUARES, /* what a product chose */
    CLP_MPI_BEYOND, /* of each row, a column with a length beyond the limits */
    CLP_MPI_LOWEST, /* a vertex of a diagonal */
    CLP_MPI_REPORT, /* of one rank's plan */
    CLP_MPI_PATHS_BUFFERS
};

struct clprims_mpi_paths {
    clprims_mpi *mpi;
    clprims_paths *single; /* of one rank, and nothing but its report and the routes */
    size_t element; /* bytes of a length */
    bool limited; /* integers: lengths have limits */
    bool is_long, is_double;
    bool predecessors;
    clp_minplus_limits limits;
    size_t max_n;
    size_t width; /* vertices of a round, at most */
    size_t chosen_elements;
    clprims_minplus *product; /* accumulates; with predecessors it chooses, too */
    cl_program program;
    cl_kernel kernels[CLP_MPI_PATHS_KERNELS];
    clp_mpi_copier lengths, vertices; /* copy elements of d, and of via */
    cl_command_queue behind; /* of the products that run while the next panels are made */
    clp_mpi_panels panels[2]; /* of a round and of the next */
    cl_mem buffers[CLP_MPI_PATHS_BUFFERS];
    clp_mpi_routes routes;
    uint64_t *row_starts, *column_starts; /* of the strips, one allocation */
    cl_uint *found; /* beyond, read back */
};

/* The vertices of a round lie in one strip of rows and one of columns. */
typedef struct clp_mpi_round {
    uint64_t begin;
    size_t size; /* 0: all rounds are done */
    int row, column; /* those strips */
} clp_mpi_round;

/* A run on this rank, which goes on after a failure, without the device, until the ranks agree. */
typedef struct clp_mpi_paths_run {
    clprims_mpi_paths *paths;
    clprims_matrix d, via;
    size_t rows, columns; /* of this rank's block */
    uint64_t row, column; /* where it begins in the whole matrix */
    uint64_t n; /* vertices of the graph */
    size_t width; /* vertices of a round, at most */
    clprims_status status;
    uint64_t cycle; /* the lowest vertex on a negative cycle that this rank found; INT64_MAX */
} clp_mpi_paths_run;

/* mpi_paths_rounds.c: closes the graph. Collective; failures are in r->status. */
void clp_mpi_paths_close(clp_mpi_paths_run *r);

/* mpi_paths_faults.c: collective: lengths of edges, which stops at the first fault of all ranks. */
clprims_status clp_mpi_paths_begin(clp_mpi_paths_run *r);

/* mpi_paths_faults.c: looks at a diagonal block, as it was and closed, for negative cycles. */
void clp_mpi_paths_look_for_cycle(clp_mpi_paths_run *r, const clp_mpi_round *round, cl_mem closed);

/* mpi_paths_faults.c: collective: DATA for the fault of all ranks to name, if there is one. */
clprims_status clp_mpi_paths_end(clp_mpi_paths_run *r);

/* mpi_paths_rounds.c: launches each kernel once, without elements. */
clprims_status clp_mpi_paths_warm_up(clprims_mpi_paths *paths);

/* mpi_paths_faults.c: the same for its own. */
clprims_status clp_mpi_paths_warm_up_faults(const clp_mpi_paths_run *blank);

#endif
