/* SPDX-License-Identifier: MIT */
/* Shared by the files of all-pairs shortest paths over ranks: the plan, and a run. */
#ifndef CLP_MPI_PATHS_H
#define CLP_MPI_PATHS_H

#include "minplus/minplus_limits.h"
#include "mpi/grid/mpi_grid.h"

/* Kernels of cl/mpi/paths.cl. */
enum {
    CLP_MPI_PATHS_START,
    CLP_MPI_PATHS_FINISH,
    CLP_MPI_PATHS_DIAGONAL,
    CLP_MPI_PATHS_STEP,
    CLP_MPI_PATHS_FOLLOW,
    CLP_MPI_PATHS_KERNELS
};

/* Squares: a round's diagonal block as it was, closed, and one more. */
enum { CLP_MPI_GIVEN, CLP_MPI_CLOSED, CLP_MPI_OTHER, CLP_MPI_SQUARES };

struct clprims_mpi_paths {
    clp_mpi_grid_plan grid; /* rounds go through the vertices; with predecessors products choose */
    clprims_paths *single; /* of one rank, and nothing but its report and the strips */
    cl_mem report; /* of that plan */
    bool limited; /* integers: lengths have limits */
    clp_minplus_limits limits;
    clprims_minplus *product; /* accumulates; with predecessors it chooses, too */
    cl_kernel kernels[CLP_MPI_PATHS_KERNELS];
    clp_mpi_copier vertices; /* copies elements of via */
    cl_mem via_panels[2]; /* of the panels of rows; NULL without predecessors */
    cl_mem squares[CLP_MPI_SQUARES];
    cl_mem beyond; /* of each row, a column with a length beyond the limits */
    cl_mem lowest; /* a vertex of a diagonal */
    cl_uint *found; /* beyond, read back */
};

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

#endif
