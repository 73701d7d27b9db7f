/* SPDX-License-Identifier: MIT */
/* Blocks of a distributed array: where they stand, and moving elements into others. */
#include "mpi/mpi_blocks.h"

#include <inttypes.h>
#include <stdlib.h>

clprims_status clp_mpi_starts(const clprims_mpi *mpi, const char *who, clprims_status status,
                              uint64_t n, uint64_t *starts) {
    CLP_MPI_TRY(clp_mpi_gather(mpi, status, n, starts + 1));
    starts[0] = 0;
    for (int r = 1; r <= mpi->ranks; r++) {
        if (starts[r] > INT64_MAX - starts[r - 1]) {
            return clp_mpi_agree(mpi, clp_mpi_fail(CLPRIMS_ERR_TOO_LARGE,
                                                   "%s: the blocks of ranks 0 to %d hold 2^63 "
                                                   "elements or more",
                                                   who, r - 1));
        }
        starts[r] += starts[r - 1];
    }
    return CLPRIMS_OK;
}

clprims_status clp_mpi_check_positions(const char *who, clprims_type indices, uint64_t total) {
    const uint64_t reach = indices == CLPRIMS_I32   ? (uint64_t)INT32_MAX + 1
                           : indices == CLPRIMS_U32 ? (uint64_t)UINT32_MAX + 1
                                                    : INT64_MAX;
    if (total <= reach) return CLPRIMS_OK;
    return clp_mpi_fail(CLPRIMS_ERR_TOO_LARGE,
                        "%s: positions among %" PRIu64 " elements are beyond indices of type %s; "
                        "use int64",
                        who, total, clprims_type_name(indices));
}

clprims_mpi_block clp_mpi_block_of(const clprims_mpi *mpi, const uint64_t *starts) {
    return (clprims_mpi_block){.n = starts[mpi->rank + 1] - starts[mpi->rank],
                               .start = starts[mpi->rank],
                               .total = starts[mpi->ranks]};
}

/* ranks + 1 numbers, or NULL with the record filled. */
static uint64_t *starts_create(const clprims_mpi *mpi, const char *who, clprims_status *status) {
    uint64_t *starts = calloc((size_t)mpi->ranks + 1, sizeof *starts);
    if (starts == NULL) {
        *status = clp_mpi_fail(CLPRIMS_ERR_HOST_MEMORY, "%s: no host memory for %d blocks", who,
                               mpi->ranks);
    }
    return starts;
}

clprims_status clprims_mpi_locate(clprims_mpi *mpi, uint64_t n, clprims_mpi_block *block) {
    clp_mpi_clear_error();
    if (mpi == NULL) return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_locate: mpi is NULL");
    clprims_status status = CLPRIMS_OK;
    if (block == NULL) status = clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_locate: block is NULL");
    uint64_t *starts = starts_create(mpi, "mpi_locate", &status);
    status = clp_mpi_agree(mpi, status);
    if (status == CLPRIMS_OK) status = clp_mpi_starts(mpi, "mpi_locate", CLPRIMS_OK, n, starts);
    if (status == CLPRIMS_OK) *block = clp_mpi_block_of(mpi, starts);
    free(starts);
    return status;
}

static uint64_t even_start(uint64_t total, uint64_t ranks, uint64_t r) {
    const uint64_t left = total % ranks;
    return total / ranks * r + (r < left ? r : left);
}

clprims_mpi_block clprims_mpi_even(const clprims_mpi *mpi, uint64_t total) {
    const uint64_t ranks = (uint64_t)mpi->ranks, r = (uint64_t)mpi->rank;
    const uint64_t start = even_start(total, ranks, r);
    return (clprims_mpi_block){
        .n = even_start(total, ranks, r + 1) - start, .start = start, .total = total};
}

/* ---- Rebalance ---- */

void clp_mpi_overlaps(int ranks, uint64_t first, uint64_t start, uint64_t end,
                      const uint64_t *others, uint64_t *part_first, uint64_t *part_count) {
    for (int r = 0; r < ranks; r++) {
        const uint64_t low = others[r] > start ? others[r] : start;
        const uint64_t high = others[r + 1] < end ? others[r + 1] : end;
        part_count[r] = high > low ? high - low : 0;
        part_first[r] = part_count[r] > 0 ? first + low - start : first;
    }
}

typedef struct rebalancing {
    uint64_t *starts, *out_starts; /* ranks + 1 each */
    uint64_t *from_first, *from_count, *to_first, *to_count; /* ranks each */
} rebalancing;

static clprims_status move(clprims_mpi *mpi, const rebalancing *r, clprims_buffer in,
                           clprims_buffer out, size_t element_bytes) {
    const int me = mpi->rank, ranks = mpi->ranks;
    if (r->starts[ranks] != r->out_starts[ranks]) {
        return clp_mpi_agree(mpi, clp_mpi_fail(CLPRIMS_ERR_ARGUMENT,
                                               "mpi_rebalance: %" PRIu64
                                               " elements in all, and room for %" PRIu64,
                                               r->starts[ranks], r->out_starts[ranks]));
    }
    clp_mpi_overlaps(ranks, in.first, r->starts[me], r->starts[me + 1], r->out_starts,
                     r->from_first, r->from_count);
    clp_mpi_overlaps(ranks, out.first, r->out_starts[me], r->out_starts[me + 1], r->starts,
                     r->to_first, r->to_count);
    const clp_mpi_side from = {in.mem, r->from_first, r->from_count};
    const clp_mpi_side to = {out.mem, r->to_first, r->to_count};
    return clp_mpi_agree(mpi, clp_mpi_exchange(mpi, "mpi_rebalance", &from, &to, element_bytes));
}

static clprims_status check_rebalance(const clprims_mpi *mpi, clprims_buffer in, size_t n,
                                      clprims_buffer out, size_t out_n, size_t element_bytes) {
    if (element_bytes == 0 || element_bytes > 256) {
        return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT,
                            "mpi_rebalance: element_bytes = %zu; it must be from 1 to 256",
                            element_bytes);
    }
    CLP_MPI_TRY(clp_mpi_check_room(mpi, "mpi_rebalance", "in", in, n, element_bytes));
    CLP_MPI_TRY(clp_mpi_check_room(mpi, "mpi_rebalance", "out", out, out_n, element_bytes));
    if (in.mem == out.mem && n > 0 && out_n > 0 && in.first < out.first + out_n &&
        out.first < in.first + n) {
        return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_rebalance: in and out overlap");
    }
    return clp_mpi_begin(mpi, "mpi_rebalance");
}

clprims_status clprims_mpi_rebalance(clprims_mpi *mpi, clprims_buffer in, size_t n,
                                     clprims_buffer out, size_t out_n, size_t element_bytes) {
    clp_mpi_clear_error();
    if (mpi == NULL) return clp_mpi_fail(CLPRIMS_ERR_ARGUMENT, "mpi_rebalance: mpi is NULL");
    const size_t ranks = (size_t)mpi->ranks;
    clprims_status status = check_rebalance(mpi, in, n, out, out_n, element_bytes);
    uint64_t *numbers = calloc(6 * ranks + 2, sizeof *numbers);
    if (numbers == NULL) {
        status = clp_mpi_fail(CLPRIMS_ERR_HOST_MEMORY, "mpi_rebalance: no host memory");
    }
    status = clp_mpi_same(mpi, status, "mpi_rebalance", element_bytes);
    if (status == CLPRIMS_OK) {
        const rebalancing r = {.starts = numbers,
                               .out_starts = numbers + ranks + 1,
                               .from_first = numbers + 2 * ranks + 2,
                               .from_count = numbers + 3 * ranks + 2,
                               .to_first = numbers + 4 * ranks + 2,
                               .to_count = numbers + 5 * ranks + 2};
        status = clp_mpi_starts(mpi, "mpi_rebalance", CLPRIMS_OK, n, r.starts);
        if (status == CLPRIMS_OK) {
            status = clp_mpi_starts(mpi, "mpi_rebalance", CLPRIMS_OK, out_n, r.out_starts);
        }
        if (status == CLPRIMS_OK) status = move(mpi, &r, in, out, element_bytes);
    }
    free(numbers);
    return status;
}
