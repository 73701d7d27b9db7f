/* SPDX-License-Identifier: MIT */
/* The values of all ranks. They are combined by a plan of the core: any operator, any type. */
#include "mpi/mpi_partials.h"

#include <stdlib.h>
#include <string.h>

clprims_status clp_mpi_partials_create(const clprims_mpi *mpi, const char *who,
                                       const clprims_reduce_desc *desc,
                                       clp_mpi_partials *partials) {
    const size_t ranks = (size_t)mpi->ranks;
    clprims_reduce_desc own = CLPRIMS_REDUCE_DESC_INIT;
    own.type = desc->accumulator != CLPRIMS_TYPE_DEFAULT ? desc->accumulator : desc->type;
    own.op = desc->op;
    own.init = desc->init;
    partials->has_init = desc->init != NULL;
    own.max_n = ranks;
    own.custom = desc->custom;
    partials->value_bytes = clp_mpi_value_bytes(desc->type, desc->accumulator, &desc->custom);
    CLP_MPI_TRY(clp_mpi_core(clprims_reduce_create(&partials->plan, mpi->context, &own)));
    partials->all = malloc(ranks * sizeof *partials->all);
    partials->values = malloc(ranks * CLP_MPI_LARGEST_VALUE);
    partials->owners = malloc(ranks * sizeof *partials->owners);
    if (partials->all == NULL || partials->values == NULL || partials->owners == NULL) {
        return clp_mpi_fail(CLPRIMS_ERR_HOST_MEMORY, "%s: no host memory for %zu ranks", who,
                            ranks);
    }
    return CLPRIMS_OK;
}

void clp_mpi_partials_release(clp_mpi_partials *partials) {
    clprims_reduce_destroy(partials->plan);
    free(partials->all);
    free(partials->values);
    free(partials->owners);
}

clprims_status clp_mpi_partials_gather(const clprims_mpi *mpi, clprims_status status,
                                       const clp_mpi_partial *mine, clp_mpi_partials *partials) {
    CLP_MPI_TRY(clp_mpi_agree(mpi, status));
    MPI_Allgather(mine, (int)sizeof *mine, MPI_BYTE, partials->all, (int)sizeof *mine, MPI_BYTE,
                  mpi->comm);
    return CLPRIMS_OK;
}

size_t clp_mpi_partials_collect(clp_mpi_partials *partials, int end) {
    size_t count = 0;
    for (int r = 0; r < end; r++) {
        if (partials->all[r].n == 0) continue;
        memcpy(partials->values + count * partials->value_bytes, partials->all[r].value,
               partials->value_bytes);
        partials->owners[count++] = r;
    }
    return count;
}

clprims_status clp_mpi_partials_combine(clp_mpi_partials *partials, size_t count, void *out) {
    if (count == 1 && !partials->has_init) {
        memcpy(out, partials->values, partials->value_bytes);
        return CLPRIMS_OK;
    }
    return clp_mpi_core(clprims_reduce_run(partials->plan, partials->values, out, count));
}
