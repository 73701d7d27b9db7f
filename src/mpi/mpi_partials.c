/* SPDX-License-Identifier: MIT */
/* The values of all ranks. They are combined by a plan of the core: any operator, any type. */
#include "mpi/mpi_partials.h"

#include <string.h>

clprims_status clp_mpi_check_result(const char *who, const char *result, clprims_type type) {
    if (result == NULL && type == CLPRIMS_TYPE_DEFAULT) return CLPRIMS_OK;
    return clp_mpi_fail(CLPRIMS_ERR_UNSUPPORTED,
                        "mpi_%s: desc.result = \"%s\", result_type = %d; over ranks, r is stored",
                        who, result == NULL ? "" : result, (int)type);
}

clprims_status clp_mpi_partials_create(clp_mpi_plan *plan, const clprims_reduce_desc *desc,
                                       clp_mpi_partials *partials) {
    const size_t ranks = (size_t)plan->mpi->ranks;
    clprims_reduce_desc own = {0};
    own.type = desc->accumulator != CLPRIMS_TYPE_DEFAULT ? desc->accumulator : desc->type;
    own.op = desc->op;
    own.init = desc->init;
    partials->has_init = desc->init != NULL;
    own.max_n = ranks;
    own.custom = desc->custom;
    partials->value_bytes = clp_mpi_value_bytes(desc->type, desc->accumulator, &desc->custom);
    CLP_MPI_TRY(CLP_MPI_CORE(plan, reduce, &partials->plan, &own));
    CLP_MPI_TRY(clp_mpi_plan_host(plan, ranks, sizeof *partials->all, &partials->all));
    CLP_MPI_TRY(clp_mpi_plan_host(plan, ranks, CLP_MPI_LARGEST_VALUE, &partials->values));
    return clp_mpi_plan_host(plan, ranks, sizeof *partials->owners, &partials->owners);
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
    return clp_mpi_core(clprims_reduce_run(
        partials->plan, &(clprims_reduce_arrays){.in = partials->values, .out = out}, count));
}
