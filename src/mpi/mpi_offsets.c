/* SPDX-License-Identifier: MIT */
/* Offsets: each rank finds its block's, from 0 on, then adds the total of the ranks before it. */
#include "mpi/mpi_blocks.h"

struct clprims_mpi_offsets {
    clp_mpi_plan head;
    clprims_offsets *block;
    cl_kernel placer;
    cl_mem report;
    uint64_t *starts; /* ranks + 1 */
};

/* ---- The plan ---- */

static clprims_status fill(clp_mpi_plan *head, const void *description) {
    clprims_mpi_offsets *plan = (clprims_mpi_offsets *)head;
    const clprims_offsets_desc *desc = description;
    const clprims_mpi *mpi = head->mpi;
    clprims_offsets_desc own = *desc;
    if (own.max_n == 0) own.max_n = 1;
    CLP_MPI_TRY(clp_mpi_plan_numbers(head, (size_t)mpi->ranks + 1, &plan->starts));
    CLP_MPI_TRY(CLP_MPI_CORE(head, offsets, &plan->block, &own));
    CLP_MPI_TRY(clp_mpi_plan_buffer(head, sizeof(clprims_offsets_report), &plan->report));
    head->digest = clp_mpi_digest_offsets(desc);
    return clp_mpi_placer_create(head, CLPRIMS_I64, &plan->placer);
}

CLP_MPI_PLAN_CREATE(offsets, fill, NULL)

/* ---- Run ---- */

static clprims_status run_block(const clprims_mpi_offsets *plan, clprims_buffer starts,
                                clprims_buffer stops, clprims_buffer offsets, size_t n,
                                clprims_offsets_report *report) {
    const clprims_buffer at = {plan->report, 0};
    const clprims_mpi *mpi = plan->head.mpi;
    CLP_MPI_TRY(clp_mpi_begin(mpi));
    CLP_MPI_TRY(
        CLP_MPI_ENQUEUE(offsets, mpi, plan->block, n,
                        &(clprims_offsets_buffers){
                            .starts = starts, .stops = stops, .offsets = offsets, .report = at}));
    CLP_MPI_TRY(clp_mpi_read(mpi, plan->report, 0, sizeof *report, report));
    return clp_mpi_core(clprims_offsets_check(report));
}

/* All ranks see a total that is too large, and its first rank reports it. */
static clprims_status find_starts(const clprims_mpi_offsets *plan, int64_t total) {
    const clprims_mpi *mpi = plan->head.mpi;
    clprims_status status = CLPRIMS_OK;
    if (clp_mpi_add_up(mpi, (uint64_t)total, plan->starts) == mpi->rank) {
        status = clp_mpi_fail(CLPRIMS_ERR_DATA, "mpi_offsets: the total exceeds 2^63 - 1 "
                                                "in the block of this rank");
    }
    return clp_mpi_agree(mpi, status);
}

clprims_status clprims_mpi_offsets_run(clprims_mpi_offsets *plan, clprims_buffer starts,
                                       clprims_buffer stops, clprims_buffer offsets, size_t n,
                                       clprims_mpi_block *items) {
    CLP_MPI_TRY(clp_mpi_plan_enter(plan, "mpi_offsets", "plan"));
    const clprims_mpi *mpi = plan->head.mpi;
    clprims_offsets_report report = {0, -1, 0};
    CLP_MPI_TRY(clp_mpi_agree(mpi, run_block(plan, starts, stops, offsets, n, &report)));
    CLP_MPI_TRY(find_starts(plan, report.total));
    const clprims_mpi_block block = clp_mpi_block_of(mpi, plan->starts);
    if (items != NULL) *items = block;
    clprims_status status = clp_mpi_place(mpi, plan->placer, offsets, (uint64_t)n + 1, block.start);
    clp_mpi_keep(&status, clp_mpi_finish(mpi));
    return clp_mpi_agree(mpi, status);
}
