/* SPDX-License-Identifier: MIT */
/* Which fault a malformed list has, and the lowest element that shows it. */
#include "mpi/list/mpi_list.h"

/* ---- What ranks have found ---- */

/* No element's position. MPI_MIN of MPICH 4.0 takes unsigned numbers as signed ones. */
#define NO_POSITION ((uint64_t)INT64_MAX)

static uint64_t position_of(const clprims_mpi_list *list, cl_uint i) {
    return i == UINT32_MAX ? NO_POSITION : list->blocks[list->head.mpi->rank] + i;
}

/* Whether this rank has the element. */
static bool is_own(const clprims_mpi_list *list, uint64_t position) {
    return position >= list->blocks[list->head.mpi->rank] &&
           position < list->blocks[list->head.mpi->rank + 1];
}

static uint64_t lowest_of_all(const clprims_mpi_list *list, uint64_t position) {
    MPI_Allreduce(MPI_IN_PLACE, &position, 1, MPI_INT64_T, MPI_MIN, list->head.mpi->comm);
    return position;
}

/* Collective: the link of an element, which its rank reads. */
static clprims_status read_link(const clprims_mpi_list *list, uint64_t position, int64_t *link) {
    const clp_mpi_list_level *level = &list->levels[0];
    clprims_status status = CLPRIMS_OK;
    *link = 0;
    if (is_own(list, position)) {
        const uint64_t at = level->nodes.links_at + position - level->nodes.start;
        status = clp_mpi_read(list->head.mpi, level->links, (size_t)at * sizeof *link, sizeof *link,
                              link);
    }
    CLP_MPI_TRY(clp_mpi_agree(list->head.mpi, status));
    MPI_Allreduce(MPI_IN_PLACE, link, 1, MPI_INT64_T, MPI_SUM, list->head.mpi->comm);
    return CLPRIMS_OK;
}

static clprims_status find_own_link(const clprims_mpi_list *list, cl_ulong link, cl_uint but) {
    const clp_mpi_list_level *level = &list->levels[0];
    CLP_MPI_TRY(clp_mpi_list_fill(list, list->found, 0, 1, UINT32_MAX));
    CLP_MPI_TRY(CLP_MPI_LAUNCH(list->head.mpi, list->kernels[CLP_MPI_LIST_FIND_LINK],
                               level->nodes.n, CLP_MPI_VALUE(level->links),
                               CLP_MPI_VALUE(level->nodes.links_at), CLP_MPI_VALUE(level->nodes.n),
                               CLP_MPI_VALUE(link), CLP_MPI_VALUE(but),
                               CLP_MPI_VALUE(list->found)));
    return clp_mpi_list_read_found(list, 1);
}

/* Collective: the lowest element but for one whose link is `link`. */
static clprims_status find_link(const clprims_mpi_list *list, uint64_t link, uint64_t but,
                                int64_t *element) {
    const uint64_t start = list->levels[0].nodes.start;
    const cl_uint own_but = is_own(list, but) ? (cl_uint)(but - start) : UINT32_MAX;
    CLP_MPI_TRY(clp_mpi_agree(list->head.mpi, find_own_link(list, link, own_but)));
    *element = (int64_t)lowest_of_all(list, position_of(list, list->found_host[0]));
    return CLPRIMS_OK;
}

/* ---- Single links ---- */

static clprims_status check_own_links(const clprims_mpi_list *list) {
    const clp_mpi_list_level *level = &list->levels[0];
    CLP_MPI_TRY(clp_mpi_list_fill(list, list->found, 0, 2, UINT32_MAX));
    CLP_MPI_TRY(clp_mpi_list_fill(list, list->found, 2, 1, 0));
    CLP_MPI_TRY(CLP_MPI_LAUNCH(list->head.mpi, list->kernels[CLP_MPI_LIST_CHECK], level->nodes.n,
                               CLP_MPI_VALUE(level->links), CLP_MPI_VALUE(level->nodes.links_at),
                               CLP_MPI_VALUE(level->nodes.n), CLP_MPI_LONG(level->total),
                               CLP_MPI_VALUE(list->found)));
    return clp_mpi_list_read_found(list, 3);
}

clprims_status clp_mpi_list_check_links(clprims_mpi_list *list, clprims_list_report *report) {
    CLP_MPI_TRY(clp_mpi_agree(list->head.mpi, check_own_links(list)));
    const uint64_t bad = lowest_of_all(list, position_of(list, list->found_host[0]));
    const uint64_t tail = lowest_of_all(list, position_of(list, list->found_host[1]));
    uint64_t tails = list->found_host[2];
    MPI_Allreduce(MPI_IN_PLACE, &tails, 1, MPI_UINT64_T, MPI_SUM, list->head.mpi->comm);
    if (bad != NO_POSITION) {
        report->fault = CLPRIMS_LIST_LINK_RANGE;
        report->index = (int64_t)bad;
        return read_link(list, bad, &report->other);
    } else if (tails == 0) {
        report->fault = CLPRIMS_LIST_NO_TAIL;
    } else if (tails > 1) {
        report->fault = CLPRIMS_LIST_TWO_TAILS;
        report->index = (int64_t)tail;
        return find_link(list, UINT64_MAX, tail, &report->other);
    }
    return CLPRIMS_OK;
}

/* ---- Two links to one element ---- */

/* How many links name each element is counted where its rank would be. */
static clprims_status count_links(const clprims_mpi_list *list, uint64_t count) {
    const clp_mpi_list_level *level = &list->levels[0];
    return CLP_MPI_LAUNCH(list->head.mpi, list->kernels[CLP_MPI_LIST_COUNT_LINKS], (size_t)count,
                          CLP_MPI_VALUE(list->mail->inbox.mem), CLP_MPI_INT(count),
                          CLP_MPI_VALUE(level->records), CLP_MPI_LONG(2 * level->nodes.records_at));
}

/* gathered[0]: the lowest element of any rank with a link that is another one's, too. */
static clprims_status find_own_shared(const clprims_mpi_list *list) {
    const clp_mpi_list_level *level = &list->levels[0];
    for (int r = 0; r < list->head.mpi->ranks; r++) {
        const uint64_t first = list->parts.to_first[r], count = list->parts.to_count[r];
        if (count == 0) continue;
        CLP_MPI_TRY(clp_mpi_list_fill(list, list->found, 0, 1, UINT32_MAX));
        CLP_MPI_TRY(
            CLP_MPI_LAUNCH(list->head.mpi, list->kernels[CLP_MPI_LIST_FIND_SHARED], (size_t)count,
                           CLP_MPI_VALUE(list->mail->inbox.mem), CLP_MPI_INT(first),
                           CLP_MPI_INT(count), CLP_MPI_VALUE(level->records),
                           CLP_MPI_LONG(2 * level->nodes.records_at), CLP_MPI_VALUE(list->found)));
        CLP_MPI_TRY(clp_mpi_list_read_found(list, 1));
        const cl_uint lowest = list->found_host[0];
        const uint64_t position = lowest == UINT32_MAX ? NO_POSITION : list->blocks[r] + lowest;
        if (position < list->gathered[0]) list->gathered[0] = position;
    }
    return CLPRIMS_OK;
}

/* Each link goes to the rank of its element, in pieces: a rank may be named by all. */
static clprims_status visit_links(clprims_mpi_list *list, bool counts) {
    const clprims_mpi *mpi = list->head.mpi;
    const clp_mpi_list_level *level = &list->levels[0];
    const uint64_t n = level->nodes.n, ranks = (uint64_t)mpi->ranks;
    const clp_mpi_list_limit limit = {n > ranks ? n : ranks, 0};
    uint64_t piece = 0;
    for (uint64_t r = 0; r < ranks; r++) {
        const uint64_t size = list->blocks[r + 1] - list->blocks[r];
        if (size > piece) piece = size;
    }
    const uint64_t largest = piece;
    for (uint64_t done = 0; done < largest;) {
        const uint64_t left = n > done ? n - done : 0, count = left < piece ? left : piece;
        clp_mpi_list_arrival arrival;
        CLP_MPI_TRY(clp_mpi_list_send_pairs(list, level->links, level->nodes.links_at, done, count,
                                            limit, &arrival));
        if (arrival.is_refused) { /* a piece of one is never */
            piece = (piece + 1) / 2;
            continue;
        }
        CLP_MPI_TRY(
            clp_mpi_agree(mpi, counts ? count_links(list, arrival.count) : find_own_shared(list)));
        done += piece;
    }
    return CLPRIMS_OK;
}

clprims_status clp_mpi_list_find_shared(clprims_mpi_list *list, clprims_list_report *report) {
    const clp_mpi_list_level *level = &list->levels[0];
    int64_t link;
    CLP_MPI_TRY(clp_mpi_agree(
        list->head.mpi,
        clp_mpi_list_fill(list, level->records, 2 * level->nodes.records_at, level->nodes.n, 0)));
    CLP_MPI_TRY(visit_links(list, true));
    list->gathered[0] = NO_POSITION;
    CLP_MPI_TRY(visit_links(list, false));
    const uint64_t index = lowest_of_all(list, list->gathered[0]);
    report->fault = CLPRIMS_LIST_INVALID;
    if (index == NO_POSITION) return CLPRIMS_OK;
    report->fault = CLPRIMS_LIST_SAME_SUCCESSOR;
    report->index = (int64_t)index;
    CLP_MPI_TRY(read_link(list, index, &link));
    return find_link(list, (uint64_t)link, index, &report->other);
}

/* ---- The path ---- */

clprims_status clp_mpi_list_check_path(clprims_mpi_list *list, int64_t head,
                                       clprims_list_report *report) {
    const uint64_t first = lowest_of_all(list, position_of(list, list->found_host[0]));
    const uint64_t stray = lowest_of_all(list, position_of(list, list->found_host[1]));
    if (head == CLP_MPI_LIST_FIND_HEAD) report->head = (int64_t)first;
    if (report->head != (int64_t)first) {
        report->fault = CLPRIMS_LIST_HEAD;
        report->index = head;
        return find_link(list, (uint64_t)head, UINT64_MAX, &report->other);
    }
    if (stray != NO_POSITION) {
        report->fault = CLPRIMS_LIST_CYCLE;
        report->index = (int64_t)stray;
    }
    return CLPRIMS_OK;
}

clprims_status clp_mpi_list_status(clprims_mpi_list *list, const clprims_list_report *report) {
    const bool is_mine =
        report->index >= 0 ? is_own(list, (uint64_t)report->index) : list->head.mpi->rank == 0;
    return clp_mpi_agree(list->head.mpi,
                         is_mine ? clp_mpi_core(clprims_list_check(report)) : CLPRIMS_OK);
}
