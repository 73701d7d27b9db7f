/* SPDX-License-Identifier: MIT */
/* The values of all ranks, one of each that has elements, and their combination in rank order. */
#ifndef CLP_MPI_PARTIALS_H
#define CLP_MPI_PARTIALS_H

#include "mpi/mpi_plan.h"

#include <stdbool.h>

enum { CLP_MPI_LARGEST_VALUE = 256 };

/* What one rank tells the others. */
typedef struct clp_mpi_partial {
    uint64_t n; /* elements of its block; without any it has no value */
    int64_t index; /* of ARGMIN and ARGMAX, in its block */
    unsigned char value[CLP_MPI_LARGEST_VALUE];
} clp_mpi_partial;

typedef struct clp_mpi_partials {
    clprims_reduce *plan; /* of as many values as there are ranks */
    size_t value_bytes;
    bool has_init;
    clp_mpi_partial *all; /* in rank order */
    unsigned char *values; /* values of ranks that have one, side by side */
    int *owners; /* whose they are */
} clp_mpi_partials;

/* Refuses a result that is not stored as it is: the ranks' values are of the accumulator's type. */
clprims_status clp_mpi_check_result(const char *who, const char *result, clprims_type type);

/* desc: operator, accumulator, custom and init of the primitive. plan: which owns all but the
 * core's plan. */
clprims_status clp_mpi_partials_create(clp_mpi_plan *plan, const clprims_reduce_desc *desc,
                                       clp_mpi_partials *partials);

/* Collective: fills `all`, unless a rank failed. */
clprims_status clp_mpi_partials_gather(const clprims_mpi *mpi, clprims_status status,
                                       const clp_mpi_partial *mine, clp_mpi_partials *partials);

/* Puts the values of ranks 0 to end - 1 side by side and returns how many there are. */
size_t clp_mpi_partials_collect(clp_mpi_partials *partials, int end);

/* init op the values; DATA where there are neither values nor an init. out: one value; of ARGMIN
 * and ARGMAX, of which there are two values at least or none, an int64, the place among them. */
clprims_status clp_mpi_partials_combine(clp_mpi_partials *partials, size_t count, void *out);

#endif
