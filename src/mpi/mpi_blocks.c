/* SPDX-License-Identifier: MIT */
/* Blocks of a distributed array: where they stand, and moving elements into others. */
#include "mpi/mpi_blocks.h"

#include <inttypes.h>

int clp_mpi_add_up(const clprims_mpi *mpi, uint64_t mine, uint64_t *starts) {
    MPI_Allgather(&mine, 1, MPI_UINT64_T, starts + 1, 1, MPI_UINT64_T, mpi->comm);
    starts[0] = 0;
    for (int r = 1; r <= mpi->ranks; r++) {
        if (starts[r] > INT64_MAX - starts[r - 1]) return r - 1;
        starts[r] += starts[r - 1];
    }
    return mpi->ranks;
}

clprims_status clp_mpi_starts(const clprims_mpi *mpi, clprims_status status, uint64_t n,
                              uint64_t *starts) {
    CLP_MPI_TRY(clp_mpi_agree(mpi, status));
    const int beyond = clp_mpi_add_up(mpi, n, starts);
    if (beyond == mpi->ranks) return CLPRIMS_OK;
    return clp_mpi_agree(mpi,
                         clp_mpi_fail(CLPRIMS_ERR_TOO_LARGE,
                                      "%s: the blocks of ranks 0 to %d hold 2^63 elements or more",
                                      mpi->who, beyond));
}

clprims_status clp_mpi_check_positions(const clprims_mpi *mpi, clprims_type indices,
                                       uint64_t total) {
    const uint64_t reach = indices == CLPRIMS_I32   ? (uint64_t)INT32_MAX + 1
                           : indices == CLPRIMS_U32 ? (uint64_t)UINT32_MAX + 1
                                                    : INT64_MAX;
    if (total <= reach) return CLPRIMS_OK;
    return clp_mpi_fail(CLPRIMS_ERR_TOO_LARGE,
                        "%s: positions among %" PRIu64 " elements are beyond indices of type %s; "
                        "use int64",
                        mpi->who, total, clprims_type_name(indices));
}

clprims_mpi_block clp_mpi_block_of(const clprims_mpi *mpi, const uint64_t *starts) {
    return (clprims_mpi_block){.n = starts[mpi->rank + 1] - starts[mpi->rank],
                               .start = starts[mpi->rank],
                               .total = starts[mpi->ranks]};
}

clprims_status clp_mpi_check_totals(const clprims_mpi *mpi, const uint64_t *starts,
                                    const uint64_t *out_starts) {
    const uint64_t total = starts[mpi->ranks], out_total = out_starts[mpi->ranks];
    if (total == out_total) return CLPRIMS_OK;
    return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT,
                        "%s: %" PRIu64 " elements in all, and blocks wanted for %" PRIu64, mpi->who,
                        total, out_total);
}

clprims_status clprims_mpi_locate(clprims_mpi *mpi, uint64_t n, clprims_mpi_block *block) {
    CLP_MPI_TRY(clp_mpi_enter(mpi, "mpi_locate"));
    clp_mpi_plan own = {.mpi = mpi};
    uint64_t *starts;
    clprims_status status = clp_mpi_plan_numbers(&own, (size_t)mpi->ranks + 1, &starts);
    if (block == NULL) status = clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_locate: block is NULL");
    status = clp_mpi_starts(mpi, status, n, starts);
    if (status == CLPRIMS_OK) *block = clp_mpi_block_of(mpi, starts);
    clp_mpi_plan_release(&own);
    return status;
}

static uint64_t even_start(uint64_t total, uint64_t parts, uint64_t p) {
    const uint64_t left = total % parts;
    return total / parts * p + (p < left ? p : left);
}

clprims_mpi_block clp_mpi_even_part(uint64_t total, int parts, int part) {
    const uint64_t count = (uint64_t)parts, p = (uint64_t)part;
    const uint64_t start = even_start(total, count, p);
    return (clprims_mpi_block){
        .n = even_start(total, count, p + 1) - start, .start = start, .total = total};
}

clprims_mpi_block clprims_mpi_even(const clprims_mpi *mpi, uint64_t total) {
    return clp_mpi_even_part(total, mpi->ranks, mpi->rank);
}

/* ---- Positions ---- */

clprims_status clp_mpi_placer_create(clp_mpi_plan *plan, clprims_type indices, cl_kernel *out) {
    const bool is_long = clprims_type_bytes(indices) == sizeof(cl_long);
    return clp_mpi_plan_kernel(plan, "blocks.cl", is_long ? "clp_mpi_add_long" : "clp_mpi_add_int",
                               "blll", out);
}

clprims_status clp_mpi_place(const clprims_mpi *mpi, cl_kernel placer, clprims_buffer indices,
                             uint64_t n, uint64_t start) {
    if (start == 0) return CLPRIMS_OK;
    return CLP_MPI_LAUNCH(mpi, placer, (size_t)n, CLP_MPI_BUFFER(indices), CLP_MPI_LONG(n),
                          CLP_MPI_LONG(start));
}

/* ---- Rebalance ---- */

/* Which elements of this rank's block of `starts`, the first of which is element `first` of a
 * buffer, lie in the blocks of another distribution: part_first and part_count of each rank. */
static void find_overlaps(const clprims_mpi *mpi, uint64_t first, const uint64_t *starts,
                          const uint64_t *others, uint64_t *part_first, uint64_t *part_count) {
    const uint64_t start = starts[mpi->rank], end = starts[mpi->rank + 1];
    for (int r = 0; r < mpi->ranks; r++) {
        const uint64_t low = others[r] > start ? others[r] : start;
        const uint64_t high = others[r + 1] < end ? others[r + 1] : end;
        part_count[r] = high > low ? high - low : 0;
        part_first[r] = part_count[r] > 0 ? first + low - start : first;
    }
}

static clprims_status check_rebalance(const clprims_mpi *mpi, clprims_buffer in, size_t n,
                                      clprims_buffer out, size_t out_n, size_t element_bytes) {
    CLP_MPI_FAIL_IF(element_bytes == 0 || element_bytes > 256, CLPRIMS_ERR_ARGUMENT,
                    "mpi_rebalance: element_bytes = %zu; it must be from 1 to 256", element_bytes);
    CLP_MPI_TRY(clp_mpi_check_room(mpi, "in", in, n, element_bytes));
    CLP_MPI_TRY(clp_mpi_check_room(mpi, "out", out, out_n, element_bytes));
    CLP_MPI_TRY(clp_mpi_check_apart(mpi, "in and out", in, n, out, out_n));
    return clp_mpi_begin(mpi);
}

/* Collective. own: the call's memory. */
static clprims_status rebalance(clp_mpi_plan *own, clprims_status status, clprims_buffer in,
                                size_t n, clprims_buffer out, size_t out_n, size_t element_bytes) {
    clprims_mpi *mpi = own->mpi;
    const size_t numbers = (size_t)mpi->ranks + 1;
    uint64_t *starts, *out_starts;
    clp_mpi_parts parts;
    clp_mpi_keep(&status, clp_mpi_plan_numbers(own, numbers, &starts));
    clp_mpi_keep(&status, clp_mpi_plan_numbers(own, numbers, &out_starts));
    clp_mpi_keep(&status, clp_mpi_plan_parts(own, &parts));
    CLP_MPI_TRY(clp_mpi_same(mpi, status, element_bytes));
    CLP_MPI_TRY(clp_mpi_starts(mpi, CLPRIMS_OK, n, starts));
    CLP_MPI_TRY(clp_mpi_starts(mpi, CLPRIMS_OK, out_n, out_starts));
    CLP_MPI_TRY(clp_mpi_agree(mpi, clp_mpi_check_totals(mpi, starts, out_starts)));
    find_overlaps(mpi, in.first, starts, out_starts, parts.from_first, parts.from_count);
    find_overlaps(mpi, out.first, out_starts, starts, parts.to_first, parts.to_count);
    return clp_mpi_agree(mpi, clp_mpi_exchange(mpi, &parts, in.mem, out.mem, element_bytes));
}

clprims_status clprims_mpi_rebalance(clprims_mpi *mpi, clprims_buffer in, size_t n,
                                     clprims_buffer out, size_t out_n, size_t element_bytes) {
    CLP_MPI_TRY(clp_mpi_enter(mpi, "mpi_rebalance"));
    clp_mpi_plan own = {.mpi = mpi};
    clprims_status status = check_rebalance(mpi, in, n, out, out_n, element_bytes);
    status = rebalance(&own, status, in, n, out, out_n, element_bytes);
    clp_mpi_plan_release(&own);
    return status;
}
