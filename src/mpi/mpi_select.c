/* SPDX-License-Identifier: MIT */
/* Select: each rank its block; indices become positions in the whole array. */
#include "mpi/mpi_blocks.h"
#include "mpi/mpi_program.h"

#include <inttypes.h>
#include <stdlib.h>

struct clprims_mpi_select {
    clprims_mpi *mpi;
    clprims_select *block;
    clprims_type indices;
    bool has_outputs; /* else the count is the result */
    cl_kernel add; /* to indices; NULL without them */
    cl_mem count;
    uint64_t *starts; /* of blocks, or of what they keep; ranks + 1 */
};

/* ---- Create ---- */

static clprims_status check_desc(const clprims_select_desc *desc) {
    if (desc->by == CLPRIMS_SELECT_RUNS) {
        return clp_mpi_fail(CLPRIMS_ERR_UNSUPPORTED,
                            "mpi_select: runs are not selected over ranks; use a predicate");
    }
    if (desc->partition) {
        return clp_mpi_fail(CLPRIMS_ERR_UNSUPPORTED,
                            "mpi_select: there is no partition over ranks; select twice");
    }
    return CLPRIMS_OK;
}

static clprims_status create_kernel(clprims_mpi_select *select) {
    const char *name = clprims_type_bytes(select->indices) == sizeof(cl_long) ? "clp_mpi_add_long"
                                                                              : "clp_mpi_add_int";
    const cl_ulong zero = 0;
    const clp_mpi_argument arguments[] = {CLP_MPI_ARGUMENT(select->count), CLP_MPI_ARGUMENT(zero),
                                          CLP_MPI_ARGUMENT(zero), CLP_MPI_ARGUMENT(zero)};
    CLP_MPI_TRY(clp_mpi_kernel_create(select->mpi, "mpi_select", "blocks.cl", name, &select->add));
    CLP_MPI_TRY(clp_mpi_launch(select->mpi, "mpi_select", select->add, arguments, 4, 0, true));
    return clp_mpi_finish(select->mpi, "mpi_select");
}

static clprims_status create(clprims_mpi_select **out, clprims_mpi *mpi,
                             const clprims_select_desc *desc) {
    if (out == NULL) return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_select: out is NULL");
    *out = NULL;
    CLP_MPI_TRY(CLP_MPI_CHECK_STRUCT("mpi_select", desc, "CLPRIMS_SELECT_DESC_INIT"));
    CLP_MPI_TRY(check_desc(desc));
    clprims_mpi_select *select = calloc(1, sizeof *select);
    if (select == NULL) {
        return clp_mpi_fail(CLPRIMS_ERR_HOST_MEMORY, "mpi_select: no host memory for a plan");
    }
    *out = select;
    select->mpi = mpi;
    select->indices = desc->indices;
    select->has_outputs =
        (desc->arrays > 0 && !desc->no_values) || desc->indices != CLPRIMS_TYPE_DEFAULT;
    select->starts = calloc((size_t)mpi->ranks + 1, sizeof *select->starts);
    if (select->starts == NULL) {
        return clp_mpi_fail(CLPRIMS_ERR_HOST_MEMORY, "mpi_select: no host memory for %d ranks",
                            mpi->ranks);
    }
    clprims_select_desc own = *desc;
    if (own.max_n == 0) own.max_n = 1;
    CLP_MPI_TRY(clp_mpi_core(clprims_select_create(&select->block, mpi->context, &own)));
    CLP_MPI_TRY(clp_mpi_buffer_create(mpi, "mpi_select", sizeof(cl_ulong), &select->count));
    return select->indices != CLPRIMS_TYPE_DEFAULT ? create_kernel(select) : CLPRIMS_OK;
}

clprims_status clprims_mpi_select_create(clprims_mpi_select **out, clprims_mpi *mpi,
                                         const clprims_select_desc *desc) {
    clp_mpi_clear_error();
    if (mpi == NULL) return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_select: mpi is NULL");
    clprims_status status = create(out, mpi, desc);
    status = clp_mpi_same(mpi, status, "mpi_select",
                          status == CLPRIMS_OK ? clp_mpi_digest_select(desc) : 0);
    if (status != CLPRIMS_OK && out != NULL) {
        clprims_mpi_select_destroy(*out);
        *out = NULL;
    }
    return status;
}

void clprims_mpi_select_destroy(clprims_mpi_select *select) {
    if (select == NULL) return;
    clprims_select_destroy(select->block);
    if (select->add != NULL) clReleaseKernel(select->add);
    if (select->count != NULL) clReleaseMemObject(select->count);
    free(select->starts);
    free(select);
}

clprims_status clprims_mpi_select_set_parameter(clprims_mpi_select *select, size_t k, size_t bytes,
                                                const void *value) {
    clp_mpi_clear_error();
    if (select == NULL) return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_select: select is NULL");
    return clp_mpi_core(clprims_select_set_parameter(select->block, k, bytes, value));
}

/* ---- Run ---- */

static clprims_status run_block(const clprims_mpi_select *select,
                                const clprims_select_buffers *buffers, size_t n, size_t capacity,
                                cl_ulong *count) {
    CLP_MPI_TRY(CLP_MPI_CHECK_STRUCT("mpi_select", buffers, "CLPRIMS_SELECT_BUFFERS_INIT"));
    if (buffers->count.mem != NULL) {
        return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT,
                            "mpi_select: buffers.count.mem is not NULL; `kept` has the count");
    }
    clprims_select_buffers own = *buffers;
    own.count = (clprims_buffer){select->count, 0};
    CLP_MPI_TRY(clp_mpi_begin(select->mpi, "mpi_select"));
    CLP_MPI_TRY(clp_mpi_core(clprims_select_enqueue(select->block, select->mpi->queue, &own, n,
                                                    capacity, 0, NULL, NULL)));
    return clp_mpi_read(select->mpi, "mpi_select", select->count, 0, sizeof *count, count);
}

/* The plan's outputs have room for what is kept. */
static clprims_status add_start(const clprims_mpi_select *select,
                                const clprims_select_buffers *buffers, cl_ulong count,
                                cl_long start) {
    const cl_ulong first = buffers->indices.first;
    const clp_mpi_argument arguments[] = {CLP_MPI_ARGUMENT(buffers->indices.mem),
                                          CLP_MPI_ARGUMENT(first), CLP_MPI_ARGUMENT(count),
                                          CLP_MPI_ARGUMENT(start)};
    if (count == 0 || start == 0) return CLPRIMS_OK;
    CLP_MPI_TRY(
        clp_mpi_launch(select->mpi, "mpi_select", select->add, arguments, 4, (size_t)count, false));
    return clp_mpi_finish(select->mpi, "mpi_select");
}

static clprims_status finish(const clprims_mpi_select *select,
                             const clprims_select_buffers *buffers, cl_ulong count, size_t capacity,
                             const clprims_mpi_block *block) {
    if (count > capacity && select->has_outputs) {
        return clp_mpi_fail(CLPRIMS_ERR_TOO_LARGE,
                            "mpi_select: %" PRIu64 " elements are kept, and capacity = %zu",
                            (uint64_t)count, capacity);
    }
    if (select->indices == CLPRIMS_TYPE_DEFAULT) return CLPRIMS_OK;
    CLP_MPI_TRY(clp_mpi_check_positions("mpi_select", select->indices, block->total));
    return add_start(select, buffers, count, (cl_long)block->start);
}

clprims_status clprims_mpi_select_run(clprims_mpi_select *select,
                                      const clprims_select_buffers *buffers, size_t n,
                                      size_t capacity, clprims_mpi_block *kept) {
    clp_mpi_clear_error();
    if (select == NULL) return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_select: select is NULL");
    const clprims_mpi *mpi = select->mpi;
    cl_ulong count = 0;
    clprims_status status = run_block(select, buffers, n, capacity, &count);
    if (status == CLPRIMS_OK && kept == NULL) {
        status = clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_select: kept is NULL");
    }
    CLP_MPI_TRY(clp_mpi_starts(mpi, "mpi_select", status, n, select->starts));
    const clprims_mpi_block block = clp_mpi_block_of(mpi, select->starts);
    CLP_MPI_TRY(clp_mpi_starts(mpi, "mpi_select", CLPRIMS_OK, count, select->starts));
    *kept = clp_mpi_block_of(mpi, select->starts);
    return clp_mpi_agree(mpi, finish(select, buffers, count, capacity, &block));
}
