/* SPDX-License-Identifier: MIT */
/* The limits of levels, how large they are, and memory that grows. */
#include "mpi/list/mpi_list_levels.h"

clp_mpi_list_limits clp_mpi_list_limits_now = {.single = CLP_MPI_LIST_SINGLE,
                                               .gathered = (size_t)1 << 16,
                                               .whole = SIZE_MAX,
                                               .few = CLP_MPI_LIST_FEW,
                                               .halved = CLP_MPI_LIST_HALVED};

clprims_status clp_mpi_list_grow(clp_mpi_plan *plan, clp_mpi_room *room, size_t bytes,
                                 size_t kept) {
    cl_mem grown;
    if (room->mem != NULL && room->bytes >= bytes) return CLPRIMS_OK;
    if (!room->is_owned) clp_mpi_plan_own(plan, &room->mem);
    room->is_owned = true;
    if (kept == 0 && room->mem != NULL) {
        clReleaseMemObject(room->mem);
        room->mem = NULL;
    }
    CLP_MPI_TRY(clp_mpi_buffer_create(plan->mpi, bytes, &grown));
    if (room->mem != NULL) {
        const clprims_status status = clp_mpi_copy(plan->mpi, room->mem, 0, grown, 0, kept);
        if (status != CLPRIMS_OK) {
            clReleaseMemObject(grown);
            return status;
        }
        clReleaseMemObject(room->mem);
    }
    room->mem = grown;
    room->bytes = bytes;
    return CLPRIMS_OK;
}

void clp_mpi_list_count_nodes(const clprims_mpi *mpi, clp_mpi_list_level *level,
                              const uint64_t *counts, size_t stride) {
    const uint64_t bucket = (uint64_t)1 << level->nodes.bits;
    level->total = level->all_splitters = 0;
    level->least = UINT64_MAX;
    for (size_t r = 0; r < (size_t)mpi->ranks; r++) {
        const uint64_t n = counts[r * stride];
        level->total += n;
        level->all_splitters += n / bucket + (n % bucket != 0);
        if (n < level->least) level->least = n;
    }
}
