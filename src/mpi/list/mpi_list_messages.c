/* SPDX-License-Identifier: MIT */
/* Launches, memory that grows, and messages from rank to rank. */
#include "mpi/list/mpi_list.h"

#include <inttypes.h>

clprims_status clp_mpi_list_grow(const clprims_mpi_list *list, clp_mpi_room *room, size_t bytes,
                                 size_t kept) {
    clp_mpi_room grown = {NULL, bytes};
    if (room->mem != NULL && room->bytes >= bytes) return CLPRIMS_OK;
    if (kept == 0 && room->mem != NULL) {
        clReleaseMemObject(room->mem);
        *room = (clp_mpi_room){NULL, 0};
    }
    CLP_MPI_TRY(clp_mpi_buffer_create(list->mpi, "mpi_list", bytes, &grown.mem));
    if (kept > 0 && room->mem != NULL) {
        const cl_int code =
            clEnqueueCopyBuffer(list->mpi->queue, room->mem, grown.mem, 0, 0, kept, 0, NULL, NULL);
        if (code != CL_SUCCESS) {
            clReleaseMemObject(grown.mem);
            return clp_mpi_fail_cl(code, "mpi_list: copying %zu bytes failed", kept);
        }
        clReleaseMemObject(room->mem);
    }
    *room = grown;
    return CLPRIMS_OK;
}

clprims_status clp_mpi_list_launch(const clprims_mpi_list *list, int kernel,
                                   const clp_mpi_argument *arguments, cl_uint count,
                                   size_t elements) {
    return clp_mpi_launch(list->mpi, "mpi_list", list->kernels[kernel], arguments, count, elements,
                          list->warms_up);
}

clprims_status clp_mpi_list_fill(const clprims_mpi_list *list, cl_mem mem, size_t first,
                                 size_t words, cl_uint value) {
    if (words == 0) return CLPRIMS_OK;
    const cl_int code =
        clEnqueueFillBuffer(list->mpi->queue, mem, &value, sizeof value, first * sizeof value,
                            words * sizeof value, 0, NULL, NULL);
    if (code != CL_SUCCESS) {
        return clp_mpi_fail_cl(code, "mpi_list: filling %zu words failed", words);
    }
    return CLPRIMS_OK;
}

clprims_status clp_mpi_list_read_found(const clprims_mpi_list *list, size_t words) {
    return clp_mpi_read(list->mpi, "mpi_list", list->found, 0, words * sizeof(cl_uint),
                        list->found_host);
}

/* ---- Messages ---- */

/* From the inbox to the outbox, in the order of their ranks; from_first and from_count. */
static clprims_status group(clprims_mpi_list *list, cl_uint words, cl_uint count) {
    const clprims_mpi *mpi = list->mpi;
    const size_t ranks = (size_t)mpi->ranks;
    const cl_uint rank_count = (cl_uint)ranks;
    cl_mem cursors = list->found;
    CLP_MPI_TRY(clp_mpi_list_grow(list, &list->outbox, (size_t)count * words * sizeof(cl_uint), 0));
    CLP_MPI_TRY(clp_mpi_list_fill(list, cursors, 0, ranks, 0));
    const clp_mpi_argument arguments[] = {
        CLP_MPI_ARGUMENT(list->inbox.mem), CLP_MPI_ARGUMENT(list->targets.mem),
        CLP_MPI_ARGUMENT(count),           CLP_MPI_ARGUMENT(rank_count),
        CLP_MPI_ARGUMENT(words),           CLP_MPI_ARGUMENT(list->counts),
        CLP_MPI_ARGUMENT(cursors),         CLP_MPI_ARGUMENT(list->outbox.mem),
        {ranks * sizeof(cl_uint), NULL},   {ranks * sizeof(cl_uint), NULL}};
    CLP_MPI_TRY(clp_mpi_list_launch(list, CLP_MPI_LIST_GROUP, arguments, 10, count));
    CLP_MPI_TRY(
        clp_mpi_read(mpi, "mpi_list", list->counts, 0, ranks * sizeof(cl_uint), list->found_host));
    uint64_t first = 0;
    for (size_t r = 0; r < ranks; r++) {
        list->from_first[r] = first;
        list->from_count[r] = list->found_host[r];
        first += list->found_host[r];
    }
    return CLPRIMS_OK;
}

clprims_status clp_mpi_list_send(clprims_mpi_list *list, clprims_status status, cl_uint words,
                                 uint64_t count, uint64_t limit, clp_mpi_list_arrival *arrival) {
    clprims_mpi *mpi = list->mpi;
    const size_t ranks = (size_t)mpi->ranks, bytes = words * sizeof(cl_uint);
    if (status == CLPRIMS_OK) status = group(list, words, (cl_uint)count);
    CLP_MPI_TRY(clp_mpi_agree(mpi, status));
    MPI_Alltoall(list->from_count, 1, MPI_UINT64_T, list->to_count, 1, MPI_UINT64_T, mpi->comm);
    uint64_t sums[3] = {0, 0, 0}; /* messages, ranks that refuse, ranks without memory */
    for (size_t r = 0; r < ranks; r++) {
        list->to_first[r] = sums[0];
        sums[0] += list->to_count[r];
    }
    arrival->count = sums[0];
    sums[1] = sums[0] > limit;
    if (sums[1] == 0) status = clp_mpi_list_grow(list, &list->inbox, (size_t)sums[0] * bytes, 0);
    sums[2] = status != CLPRIMS_OK;
    MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_UINT64_T, MPI_SUM, mpi->comm);
    if (sums[2] > 0) return clp_mpi_agree(mpi, status);
    arrival->all = sums[0];
    arrival->is_refused = sums[1] > 0;
    if (arrival->is_refused || arrival->all == 0) return CLPRIMS_OK;
    const clp_mpi_side from = {list->outbox.mem, list->from_first, list->from_count};
    const clp_mpi_side to = {list->inbox.mem, list->to_first, list->to_count};
    return clp_mpi_agree(mpi, clp_mpi_exchange(mpi, "mpi_list", &from, &to, bytes));
}

/* ---- Pairs ---- */

static clprims_status address(clprims_mpi_list *list, cl_mem positions, cl_ulong at, cl_uint first,
                              cl_uint count) {
    const size_t ranks = (size_t)list->mpi->ranks;
    const cl_uint rank_count = (cl_uint)ranks;
    CLP_MPI_TRY(clp_mpi_list_grow(list, &list->inbox, (size_t)count * 2 * sizeof(cl_uint), 0));
    CLP_MPI_TRY(clp_mpi_list_grow(list, &list->targets, (size_t)count * sizeof(cl_uint), 0));
    CLP_MPI_TRY(clp_mpi_list_fill(list, list->counts, 0, ranks, 0));
    const clp_mpi_argument arguments[] = {
        CLP_MPI_ARGUMENT(positions),       CLP_MPI_ARGUMENT(at),
        CLP_MPI_ARGUMENT(first),           CLP_MPI_ARGUMENT(count),
        CLP_MPI_ARGUMENT(list->starts),    CLP_MPI_ARGUMENT(rank_count),
        CLP_MPI_ARGUMENT(list->inbox.mem), CLP_MPI_ARGUMENT(list->targets.mem),
        CLP_MPI_ARGUMENT(list->counts),    {ranks * sizeof(cl_uint), NULL}};
    return clp_mpi_list_launch(list, CLP_MPI_LIST_ADDRESS, arguments, 10, count);
}

clprims_status clp_mpi_list_send_pairs(clprims_mpi_list *list, cl_mem positions, uint64_t at,
                                       uint64_t first, uint64_t count, uint64_t limit,
                                       clp_mpi_list_arrival *arrival) {
    const clprims_status status = address(list, positions, at, (cl_uint)first, (cl_uint)count);
    return clp_mpi_list_send(list, status, 2, count, limit, arrival);
}

clprims_status clp_mpi_list_warm_up_messages(clprims_mpi_list *list) {
    CLP_MPI_TRY(address(list, list->starts, 0, 0, 0));
    return group(list, 2, 0);
}
