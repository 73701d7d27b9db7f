/* SPDX-License-Identifier: MIT */
/* Launches, memory that grows, and messages from rank to rank. */
#include "mpi/list/mpi_list.h"

#include <inttypes.h>

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

clprims_status clp_mpi_list_clear_counts(const clprims_mpi_list *list) {
    return clp_mpi_list_fill(list, list->mail.counts, 0, 2 * (size_t)list->mpi->ranks, 0);
}

clprims_status clp_mpi_list_group(clprims_mpi_list *list, cl_uint words, cl_uint count) {
    const clprims_mpi *mpi = list->mpi;
    const size_t ranks = (size_t)mpi->ranks;
    const cl_uint rank_count = (cl_uint)ranks;
    CLP_MPI_TRY(clp_mpi_list_grow(list->mpi, &list->mail.outbox,
                                  (size_t)count * words * sizeof(cl_uint), 0));
    const clp_mpi_argument arguments[] = {CLP_MPI_ARGUMENT(list->mail.inbox.mem),
                                          CLP_MPI_ARGUMENT(list->mail.targets.mem),
                                          CLP_MPI_ARGUMENT(count),
                                          CLP_MPI_ARGUMENT(rank_count),
                                          CLP_MPI_ARGUMENT(words),
                                          CLP_MPI_ARGUMENT(list->mail.counts),
                                          CLP_MPI_ARGUMENT(list->mail.outbox.mem),
                                          {ranks * sizeof(cl_uint), NULL},
                                          {ranks * sizeof(cl_uint), NULL}};
    return clp_mpi_list_launch(list, CLP_MPI_LIST_GROUP, arguments, 9, count);
}

clprims_status clp_mpi_list_collect(clprims_mpi_list *list) {
    const clprims_mpi *mpi = list->mpi;
    const size_t ranks = (size_t)mpi->ranks;
    uint64_t first = 0;
    CLP_MPI_TRY(clp_mpi_read(mpi, "mpi_list", list->mail.counts, 0, ranks * sizeof(cl_uint),
                             list->found_host));
    for (size_t r = 0; r < ranks; r++) {
        list->from_first[r] = first;
        list->from_count[r] = list->found_host[r];
        first += list->found_host[r];
    }
    return CLPRIMS_OK;
}

/* Collective: how many messages come from each rank, and how many there are. */
static clprims_status tell(clprims_mpi_list *list, clprims_status status,
                           clp_mpi_list_arrival *arrival) {
    const clprims_mpi *mpi = list->mpi;
    const size_t ranks = (size_t)mpi->ranks;
    uint64_t sent = 0, failures = 0;
    for (size_t r = 0; r < ranks && status == CLPRIMS_OK; r++) sent += list->from_count[r];
    for (size_t r = 0; r < ranks; r++) {
        uint64_t *told = list->told + r * CLP_MPI_LIST_TOLD;
        told[0] = status == CLPRIMS_OK ? list->from_count[r] : 0;
        told[1] = sent;
        told[2] = status != CLPRIMS_OK;
    }
    MPI_Alltoall(list->told, CLP_MPI_LIST_TOLD, MPI_UINT64_T, list->heard, CLP_MPI_LIST_TOLD,
                 MPI_UINT64_T, mpi->comm);
    *arrival = (clp_mpi_list_arrival){0, 0, false};
    for (size_t r = 0; r < ranks; r++) {
        const uint64_t *heard = list->heard + r * CLP_MPI_LIST_TOLD;
        list->to_first[r] = arrival->count;
        list->to_count[r] = heard[0];
        arrival->count += heard[0];
        arrival->all += heard[1];
        failures += heard[2];
    }
    return failures > 0 ? clp_mpi_agree(mpi, status) : CLPRIMS_OK;
}

clprims_status clp_mpi_list_deliver(clprims_mpi_list *list, clprims_status status, cl_uint words,
                                    clp_mpi_list_limit limit, clp_mpi_list_arrival *arrival) {
    clprims_mpi *mpi = list->mpi;
    const size_t bytes = words * sizeof(cl_uint);
    CLP_MPI_TRY(tell(list, status, arrival));
    if (arrival->all > limit.least) {
        int is_refused = arrival->count > limit.own;
        MPI_Allreduce(MPI_IN_PLACE, &is_refused, 1, MPI_INT, MPI_MAX, mpi->comm);
        arrival->is_refused = is_refused != 0;
    }
    if (arrival->is_refused || arrival->all == 0) return CLPRIMS_OK;
    /* Without an inbox what arrives is dropped: the others do not wait. */
    status = clp_mpi_list_grow(list->mpi, &list->mail.inbox, (size_t)arrival->count * bytes, 0);
    const clp_mpi_side from = {list->mail.outbox.mem, list->from_first, list->from_count};
    const clp_mpi_side to = {list->mail.inbox.mem, list->to_first, list->to_count};
    const clprims_status moved = clp_mpi_exchange(mpi, "mpi_list", &from, &to, bytes);
    return clp_mpi_agree(mpi, status != CLPRIMS_OK ? status : moved);
}

clprims_status clp_mpi_list_send(clprims_mpi_list *list, clprims_status status, cl_uint words,
                                 uint64_t count, clp_mpi_list_limit limit,
                                 clp_mpi_list_arrival *arrival) {
    if (status == CLPRIMS_OK) status = clp_mpi_list_group(list, words, (cl_uint)count);
    if (status == CLPRIMS_OK) status = clp_mpi_list_collect(list);
    return clp_mpi_list_deliver(list, status, words, limit, arrival);
}

/* ---- Pairs ---- */

static clprims_status address(clprims_mpi_list *list, cl_mem positions, cl_ulong at, cl_uint first,
                              cl_uint count) {
    const size_t ranks = (size_t)list->mpi->ranks;
    const cl_uint rank_count = (cl_uint)ranks;
    CLP_MPI_TRY(
        clp_mpi_list_grow(list->mpi, &list->mail.inbox, (size_t)count * 2 * sizeof(cl_uint), 0));
    CLP_MPI_TRY(
        clp_mpi_list_grow(list->mpi, &list->mail.targets, (size_t)count * sizeof(cl_uint), 0));
    CLP_MPI_TRY(clp_mpi_list_clear_counts(list));
    const clp_mpi_argument arguments[] = {CLP_MPI_ARGUMENT(positions),
                                          CLP_MPI_ARGUMENT(at),
                                          CLP_MPI_ARGUMENT(first),
                                          CLP_MPI_ARGUMENT(count),
                                          CLP_MPI_ARGUMENT(list->starts),
                                          CLP_MPI_ARGUMENT(rank_count),
                                          CLP_MPI_ARGUMENT(list->mail.inbox.mem),
                                          CLP_MPI_ARGUMENT(list->mail.targets.mem),
                                          CLP_MPI_ARGUMENT(list->mail.counts),
                                          {ranks * sizeof(cl_uint), NULL}};
    return clp_mpi_list_launch(list, CLP_MPI_LIST_ADDRESS, arguments, 10, count);
}

clprims_status clp_mpi_list_send_pairs(clprims_mpi_list *list, cl_mem positions, uint64_t at,
                                       uint64_t first, uint64_t count, clp_mpi_list_limit limit,
                                       clp_mpi_list_arrival *arrival) {
    const clprims_status status = address(list, positions, at, (cl_uint)first, (cl_uint)count);
    return clp_mpi_list_send(list, status, 2, count, limit, arrival);
}

clprims_status clp_mpi_list_warm_up_messages(clprims_mpi_list *list) {
    CLP_MPI_TRY(address(list, list->starts, 0, 0, 0));
    CLP_MPI_TRY(clp_mpi_list_group(list, 2, 0));
    return clp_mpi_list_collect(list);
}
