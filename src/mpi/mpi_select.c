/* SPDX-License-Identifier: MIT */
/* Select: each rank its block; indices become positions in the whole array. */
#include "mpi/mpi_blocks.h"
#include "mpi/mpi_partials.h"

#include <inttypes.h>

struct clprims_mpi_select {
    clp_mpi_plan head;
    clprims_select *block;
    clprims_type indices;
    bool has_outputs; /* else the count is the result */
    cl_kernel placer; /* NULL without indices */
    cl_mem count;
    uint64_t *starts; /* of blocks, or of what they keep; ranks + 1 */
};

/* ---- The plan ---- */

static clprims_status check_desc(const clprims_select_desc *desc) {
    CLP_MPI_FAIL_IF(desc->by == CLPRIMS_SELECT_RUNS, CLPRIMS_ERR_UNSUPPORTED,
                    "mpi_select: runs are not selected over ranks; use a predicate");
    CLP_MPI_FAIL_IF(desc->partition, CLPRIMS_ERR_UNSUPPORTED,
                    "mpi_select: there is no partition over ranks; select twice");
    return CLPRIMS_OK;
}

static clprims_status fill(clp_mpi_plan *head, const void *description) {
    clprims_mpi_select *select = (clprims_mpi_select *)head;
    const clprims_select_desc *desc = description;
    const clprims_mpi *mpi = head->mpi;
    clprims_select_desc own = *desc;
    CLP_MPI_TRY(check_desc(desc));
    if (own.max_n == 0) own.max_n = 1;
    CLP_MPI_TRY(clp_mpi_check_result("select", desc->result, desc->result_type));
    select->indices = desc->indices;
    select->has_outputs =
        (desc->arrays > 0 && !desc->no_values) || desc->indices != CLPRIMS_TYPE_DEFAULT;
    CLP_MPI_TRY(clp_mpi_plan_numbers(head, (size_t)mpi->ranks + 1, &select->starts));
    CLP_MPI_TRY(CLP_MPI_CORE(head, select, &select->block, &own));
    CLP_MPI_TRY(clp_mpi_plan_buffer(head, sizeof(cl_ulong), &select->count));
    head->digest = clp_mpi_digest_select(desc);
    if (select->indices == CLPRIMS_TYPE_DEFAULT) return CLPRIMS_OK;
    return clp_mpi_placer_create(head, select->indices, &select->placer);
}

CLP_MPI_PLAN_CREATE(select, fill, NULL)

clprims_status clprims_mpi_select_set_parameter(clprims_mpi_select *select, size_t k, size_t bytes,
                                                const void *value) {
    CLP_MPI_TRY(clp_mpi_plan_check(select, "mpi_select", "select"));
    return clp_mpi_core(clprims_select_set_parameter(select->block, k, bytes, value));
}

/* ---- Run ---- */

static clprims_status run_block(const clprims_mpi_select *select, clprims_select_buffers own,
                                size_t n, cl_ulong *count) {
    CLP_MPI_FAIL_IF(own.n.mem != NULL, CLPRIMS_ERR_ARGUMENT,
                    "mpi_select: buffers.n.mem is not NULL; n is the host's");
    CLP_MPI_FAIL_IF(own.count.mem != NULL, CLPRIMS_ERR_ARGUMENT,
                    "mpi_select: buffers.count.mem is not NULL; `kept` has the count");
    own.count = (clprims_buffer){select->count, 0};
    const clprims_mpi *mpi = select->head.mpi;
    CLP_MPI_TRY(clp_mpi_begin(mpi));
    CLP_MPI_TRY(CLP_MPI_ENQUEUE(select, mpi, select->block, n, &own));
    return clp_mpi_read(mpi, select->count, 0, sizeof *count, count);
}

/* The outputs have room for what is kept. */
static clprims_status finish(const clprims_mpi_select *select,
                             const clprims_select_buffers *buffers, cl_ulong count, size_t n,
                             const clprims_mpi_block *block) {
    const size_t capacity = buffers->sizes.capacity > 0 ? buffers->sizes.capacity : n;
    CLP_MPI_FAIL_IF(count > capacity && select->has_outputs, CLPRIMS_ERR_TOO_LARGE,
                    "mpi_select: %" PRIu64 " elements are kept, and capacity = %zu",
                    (uint64_t)count, capacity);
    if (select->indices == CLPRIMS_TYPE_DEFAULT) return CLPRIMS_OK;
    CLP_MPI_TRY(clp_mpi_check_positions(select->head.mpi, select->indices, block->total));
    CLP_MPI_TRY(
        clp_mpi_place(select->head.mpi, select->placer, buffers->indices, count, block->start));
    return clp_mpi_finish(select->head.mpi);
}

clprims_status clprims_mpi_select_run_sized(clprims_mpi_select *select,
                                            const clprims_select_buffers *buffers,
                                            size_t buffers_bytes, size_t n,
                                            clprims_mpi_block *kept) {
    CLP_MPI_TRY(clp_mpi_plan_enter(select, "mpi_select", "select"));
    const clprims_mpi *mpi = select->head.mpi;
    clprims_select_buffers own;
    cl_ulong count = 0;
    clprims_status status =
        clp_mpi_take("mpi_select", "buffers", buffers, buffers_bytes, &own, sizeof own);
    if (status == CLPRIMS_OK) status = run_block(select, own, n, &count);
    if (status == CLPRIMS_OK && kept == NULL) {
        status = clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_select: kept is NULL");
    }
    CLP_MPI_TRY(clp_mpi_starts(mpi, status, n, select->starts));
    const clprims_mpi_block block = clp_mpi_block_of(mpi, select->starts);
    CLP_MPI_TRY(clp_mpi_starts(mpi, CLPRIMS_OK, count, select->starts));
    *kept = clp_mpi_block_of(mpi, select->starts);
    return clp_mpi_agree(mpi, finish(select, &own, count, n, &block));
}
