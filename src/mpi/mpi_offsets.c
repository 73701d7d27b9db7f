/* SPDX-License-Identifier: MIT */
/* Offsets: each rank those of its block, from 0 on; then what the ranks before it hold is added. */
#include "mpi/mpi_blocks.h"
#include "mpi/mpi_program.h"

#include <stdlib.h>

struct clprims_mpi_offsets {
    clprims_mpi *mpi;
    clprims_offsets *block;
    cl_kernel add;
    cl_mem report;
    uint64_t *starts; /* ranks + 1 */
};

/* ---- Create ---- */

static clprims_status create_parts(clprims_mpi_offsets *plan, const clprims_offsets_desc *desc) {
    const cl_ulong zero = 0;
    clprims_mpi *mpi = plan->mpi;
    clprims_offsets_desc own = *desc;
    if (own.max_n == 0) own.max_n = 1;
    plan->starts = calloc((size_t)mpi->ranks + 1, sizeof *plan->starts);
    if (plan->starts == NULL) {
        return clp_mpi_fail(CLPRIMS_ERR_HOST_MEMORY, "mpi_offsets: no host memory for %d ranks",
                            mpi->ranks);
    }
    CLP_MPI_TRY(clp_mpi_core(clprims_offsets_create(&plan->block, mpi->context, &own)));
    CLP_MPI_TRY(
        clp_mpi_buffer_create(mpi, "mpi_offsets", sizeof(clprims_offsets_report), &plan->report));
    CLP_MPI_TRY(
        clp_mpi_kernel_create(mpi, "mpi_offsets", "blocks.cl", "clp_mpi_add_long", &plan->add));
    const clp_mpi_argument arguments[] = {CLP_MPI_ARGUMENT(plan->report), CLP_MPI_ARGUMENT(zero),
                                          CLP_MPI_ARGUMENT(zero), CLP_MPI_ARGUMENT(zero)};
    CLP_MPI_TRY(clp_mpi_launch(mpi, "mpi_offsets", plan->add, arguments, 4, 0, true));
    return clp_mpi_finish(mpi, "mpi_offsets");
}

static clprims_status create(clprims_mpi_offsets **out, clprims_mpi *mpi,
                             const clprims_offsets_desc *desc) {
    if (out == NULL) return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_offsets: out is NULL");
    *out = NULL;
    CLP_MPI_TRY(CLP_MPI_CHECK_STRUCT("mpi_offsets", desc, "CLPRIMS_OFFSETS_DESC_INIT"));
    clprims_mpi_offsets *plan = calloc(1, sizeof *plan);
    if (plan == NULL) {
        return clp_mpi_fail(CLPRIMS_ERR_HOST_MEMORY, "mpi_offsets: no host memory for a plan");
    }
    *out = plan;
    plan->mpi = mpi;
    return create_parts(plan, desc);
}

clprims_status clprims_mpi_offsets_create(clprims_mpi_offsets **out, clprims_mpi *mpi,
                                          const clprims_offsets_desc *desc) {
    clp_mpi_clear_error();
    if (mpi == NULL) return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_offsets: mpi is NULL");
    clprims_status status = create(out, mpi, desc);
    status = clp_mpi_same(mpi, status, "mpi_offsets",
                          status == CLPRIMS_OK ? clp_mpi_digest_offsets(desc) : 0);
    if (status != CLPRIMS_OK && out != NULL) {
        clprims_mpi_offsets_destroy(*out);
        *out = NULL;
    }
    return status;
}

void clprims_mpi_offsets_destroy(clprims_mpi_offsets *plan) {
    if (plan == NULL) return;
    clprims_offsets_destroy(plan->block);
    if (plan->add != NULL) clReleaseKernel(plan->add);
    if (plan->report != NULL) clReleaseMemObject(plan->report);
    free(plan->starts);
    free(plan);
}

/* ---- Run ---- */

static clprims_status run_block(const clprims_mpi_offsets *plan, clprims_buffer starts,
                                clprims_buffer stops, clprims_buffer offsets, size_t n,
                                clprims_offsets_report *report) {
    const clprims_buffer at = {plan->report, 0};
    CLP_MPI_TRY(clp_mpi_begin(plan->mpi, "mpi_offsets"));
    CLP_MPI_TRY(clp_mpi_core(clprims_offsets_enqueue(plan->block, plan->mpi->queue, starts, stops,
                                                     offsets, n, at, 0, NULL, NULL)));
    CLP_MPI_TRY(clp_mpi_read(plan->mpi, "mpi_offsets", plan->report, 0, sizeof *report, report));
    return clp_mpi_core(clprims_offsets_check(report));
}

/* All ranks see a total that is too large, and its first rank reports it. */
static clprims_status find_starts(const clprims_mpi_offsets *plan, int64_t total) {
    const clprims_mpi *mpi = plan->mpi;
    clprims_status status = CLPRIMS_OK;
    uint64_t *starts = plan->starts;
    starts[0] = 0;
    MPI_Allgather(&total, 1, MPI_UINT64_T, starts + 1, 1, MPI_UINT64_T, mpi->comm);
    for (int r = 1; r <= mpi->ranks && status == CLPRIMS_OK; r++) {
        if (starts[r] > INT64_MAX - starts[r - 1]) {
            if (mpi->rank == r - 1) {
                status = clp_mpi_fail(CLPRIMS_ERR_DATA, "mpi_offsets: the total exceeds 2^63 - 1 "
                                                        "in the block of this rank");
            }
            break;
        }
        starts[r] += starts[r - 1];
    }
    return clp_mpi_agree(mpi, status);
}

static clprims_status add_start(const clprims_mpi_offsets *plan, clprims_buffer offsets, size_t n,
                                cl_long start) {
    const cl_ulong first = offsets.first, count = n + 1;
    const clp_mpi_argument arguments[] = {CLP_MPI_ARGUMENT(offsets.mem), CLP_MPI_ARGUMENT(first),
                                          CLP_MPI_ARGUMENT(count), CLP_MPI_ARGUMENT(start)};
    if (start == 0) return CLPRIMS_OK;
    CLP_MPI_TRY(
        clp_mpi_launch(plan->mpi, "mpi_offsets", plan->add, arguments, 4, (size_t)count, false));
    return clp_mpi_finish(plan->mpi, "mpi_offsets");
}

clprims_status clprims_mpi_offsets_run(clprims_mpi_offsets *plan, clprims_buffer starts,
                                       clprims_buffer stops, clprims_buffer offsets, size_t n,
                                       clprims_mpi_block *items) {
    clp_mpi_clear_error();
    if (plan == NULL) return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_offsets: plan is NULL");
    clprims_offsets_report report = {0, -1, 0};
    CLP_MPI_TRY(clp_mpi_agree(plan->mpi, run_block(plan, starts, stops, offsets, n, &report)));
    CLP_MPI_TRY(find_starts(plan, report.total));
    const clprims_mpi_block block = clp_mpi_block_of(plan->mpi, plan->starts);
    if (items != NULL) *items = block;
    return clp_mpi_agree(plan->mpi, add_start(plan, offsets, n, (cl_long)block.start));
}
