/* SPDX-License-Identifier: MIT */
/* Launches, memory that grows, and messages from rank to rank. */
#include "mpi/list/mpi_list.h"

#include <inttypes.h>

clprims_status clp_mpi_list_fill(const clprims_mpi_list *list, cl_mem mem, size_t first,
                                 size_t words, cl_uint value) {
    const clprims_mpi *mpi = list->head.mpi;
    return clp_mpi_fill(mpi, mpi->queue, mem, first, words, value);
}

clprims_status clp_mpi_list_read_found(const clprims_mpi_list *list, size_t words) {
    return clp_mpi_read(list->head.mpi, list->found, 0, words * sizeof(cl_uint), list->found_host);
}

/* ---- Messages ---- */

clprims_status clp_mpi_list_group(clprims_mpi_list *list, cl_uint words, cl_uint count) {
    const size_t ranks = (size_t)list->head.mpi->ranks;
    const size_t bytes = (size_t)count * words * sizeof(cl_uint);
    const clp_mpi_list_mail *mail = list->mail;
    CLP_MPI_TRY(clp_mpi_list_grow(&list->head, &list->mail->outbox, bytes, 0));
    return CLP_MPI_LAUNCH(list->head.mpi, list->kernels[CLP_MPI_LIST_GROUP], count,
                          CLP_MPI_VALUE(mail->inbox.mem), CLP_MPI_VALUE(mail->targets.mem),
                          CLP_MPI_VALUE(count), CLP_MPI_INT(ranks), CLP_MPI_VALUE(words),
                          CLP_MPI_VALUE(mail->counts), CLP_MPI_VALUE(mail->outbox.mem),
                          CLP_MPI_WORDS(ranks), CLP_MPI_WORDS(ranks));
}

clprims_status clp_mpi_list_collect(clprims_mpi_list *list) {
    const clprims_mpi *mpi = list->head.mpi;
    const size_t ranks = (size_t)mpi->ranks;
    uint64_t first = 0;
    CLP_MPI_TRY(
        clp_mpi_read(mpi, list->mail->counts, 0, ranks * sizeof(cl_uint), list->found_host));
    for (size_t r = 0; r < ranks; r++) {
        list->parts.from_first[r] = first;
        list->parts.from_count[r] = list->found_host[r];
        first += list->found_host[r];
    }
    return CLPRIMS_OK;
}

/* Collective: how many messages come from each rank, and how many there are. */
static clprims_status tell(clprims_mpi_list *list, clprims_status status,
                           clp_mpi_list_arrival *arrival) {
    const clprims_mpi *mpi = list->head.mpi;
    const size_t ranks = (size_t)mpi->ranks;
    uint64_t sent = 0, failures = 0;
    for (size_t r = 0; r < ranks && status == CLPRIMS_OK; r++) sent += list->parts.from_count[r];
    for (size_t r = 0; r < ranks; r++) {
        uint64_t *told = list->told + r * CLP_MPI_LIST_TOLD;
        told[0] = status == CLPRIMS_OK ? list->parts.from_count[r] : 0;
        told[1] = sent;
        told[2] = status != CLPRIMS_OK;
    }
    MPI_Alltoall(list->told, CLP_MPI_LIST_TOLD, MPI_UINT64_T, list->heard, CLP_MPI_LIST_TOLD,
                 MPI_UINT64_T, mpi->comm);
    *arrival = (clp_mpi_list_arrival){0, 0, false};
    for (size_t r = 0; r < ranks; r++) {
        const uint64_t *heard = list->heard + r * CLP_MPI_LIST_TOLD;
        list->parts.to_first[r] = arrival->count;
        list->parts.to_count[r] = heard[0];
        arrival->count += heard[0];
        arrival->all += heard[1];
        failures += heard[2];
    }
    return failures > 0 ? clp_mpi_agree(mpi, status) : CLPRIMS_OK;
}

clprims_status clp_mpi_list_deliver(clprims_mpi_list *list, clprims_status status, cl_uint words,
                                    clp_mpi_list_limit limit, clp_mpi_list_arrival *arrival) {
    clprims_mpi *mpi = list->head.mpi;
    const size_t bytes = words * sizeof(cl_uint);
    CLP_MPI_TRY(tell(list, status, arrival));
    if (arrival->all > limit.least) {
        int is_refused = arrival->count > limit.own;
        MPI_Allreduce(MPI_IN_PLACE, &is_refused, 1, MPI_INT, MPI_MAX, mpi->comm);
        arrival->is_refused = is_refused != 0;
    }
    if (arrival->is_refused || arrival->all == 0) return CLPRIMS_OK;
    /* Without an inbox what arrives is dropped: the others do not wait. */
    status = clp_mpi_list_grow(&list->head, &list->mail->inbox, (size_t)arrival->count * bytes, 0);
    clp_mpi_keep(&status, clp_mpi_exchange(mpi, &list->parts, list->mail->outbox.mem,
                                           list->mail->inbox.mem, bytes));
    return clp_mpi_agree(mpi, status);
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
    const size_t ranks = (size_t)list->head.mpi->ranks, words = (size_t)count * sizeof(cl_uint);
    clp_mpi_list_mail *mail = list->mail;
    CLP_MPI_TRY(clp_mpi_list_grow(&list->head, &mail->inbox, 2 * words, 0));
    CLP_MPI_TRY(clp_mpi_list_grow(&list->head, &mail->targets, words, 0));
    CLP_MPI_TRY(clp_mpi_list_fill(list, mail->counts, 0, 2 * ranks, 0));
    return CLP_MPI_LAUNCH(list->head.mpi, list->kernels[CLP_MPI_LIST_ADDRESS], count,
                          CLP_MPI_VALUE(positions), CLP_MPI_VALUE(at), CLP_MPI_VALUE(first),
                          CLP_MPI_VALUE(count), CLP_MPI_VALUE(list->starts), CLP_MPI_INT(ranks),
                          CLP_MPI_VALUE(mail->inbox.mem), CLP_MPI_VALUE(mail->targets.mem),
                          CLP_MPI_VALUE(mail->counts), CLP_MPI_WORDS(ranks));
}

clprims_status clp_mpi_list_send_pairs(clprims_mpi_list *list, cl_mem positions, uint64_t at,
                                       uint64_t first, uint64_t count, clp_mpi_list_limit limit,
                                       clp_mpi_list_arrival *arrival) {
    const clprims_status status = address(list, positions, at, (cl_uint)first, (cl_uint)count);
    return clp_mpi_list_send(list, status, 2, count, limit, arrival);
}

/* ---- From each rank to all others ---- */

uint64_t clp_mpi_list_to_all(const clprims_mpi_list *list, const uint64_t *counts, size_t stride,
                             bool keeps) {
    const size_t ranks = (size_t)list->head.mpi->ranks, me = (size_t)list->head.mpi->rank;
    const clp_mpi_parts *parts = &list->parts;
    uint64_t total = 0;
    for (size_t r = 0; r < ranks; r++) {
        parts->to_first[r] = total;
        parts->to_count[r] = r != me ? counts[r * stride] : 0;
        total += r != me || keeps ? counts[r * stride] : 0;
    }
    for (size_t r = 0; r < ranks; r++) {
        parts->from_first[r] = keeps ? parts->to_first[me] : 0;
        parts->from_count[r] = r != me ? counts[me * stride] : 0;
    }
    return total;
}
