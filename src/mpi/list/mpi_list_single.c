/* SPDX-License-Identifier: MIT */
/* What one rank ranks by the core. */
#include "mpi/list/mpi_list.h"

/* ---- Create ---- */

clprims_status clp_mpi_list_single_create(clprims_mpi_list *list, uint64_t most) {
    clp_mpi_list_single *single = &list->single;
    clprims_list_desc desc = {0};
    single->rank = list->head.mpi->rank;
    single->most = most;
    desc.link = CLPRIMS_I64;
    desc.result = list->result;
    desc.max_n = most > 0 ? (size_t)most : 1;
    CLP_MPI_TRY(CLP_MPI_CORE(&list->head, list, &single->plan, &desc));
    return clp_mpi_plan_buffer(&list->head, sizeof(clprims_list_report), &single->report);
}

/* The plan and arrays of the rank that ranks short lists. */
static clprims_status create_of_several(clprims_mpi_list *list) {
    clp_mpi_list_single *single = &list->single;
    const size_t bytes = (size_t)single->most * sizeof(int64_t);
    CLP_MPI_TRY(clp_mpi_list_single_create(list, single->most));
    CLP_MPI_TRY(clp_mpi_plan_buffer(&list->head, bytes, &single->links));
    return clp_mpi_plan_buffer(&list->head, bytes, &single->out);
}

/* Room for half of the walks of a long list in random order. */
static clprims_status create_other(clprims_mpi_list *list, uint64_t sum) {
    const size_t some = list->max_n / 32 + list->max_n / 64, bytes = sizeof(cl_uint);
    if (sum >> CLP_MPI_LIST_BITS < CLP_MPI_LIST_HALVED) return CLPRIMS_OK;
    clp_mpi_list_mail *other = &list->mails[1];
    CLP_MPI_TRY(clp_mpi_list_grow(&list->head, &other->inbox, some * 3 * bytes, 0));
    CLP_MPI_TRY(clp_mpi_list_grow(&list->head, &other->outbox, some * 3 * bytes, 0));
    return clp_mpi_list_grow(&list->head, &other->targets, some * bytes, 0);
}

clprims_status clp_mpi_list_take_sizes(clp_mpi_plan *head) {
    clprims_mpi_list *list = (clprims_mpi_list *)head;
    const clprims_mpi *mpi = head->mpi;
    clp_mpi_list_single *single = &list->single;
    uint64_t *sizes = list->gathered, sum = 0;
    if (mpi->ranks == 1) return CLPRIMS_OK;
    CLP_MPI_TRY(clp_mpi_gather(mpi, CLPRIMS_OK, list->max_n, sizes));
    for (int r = 0; r < mpi->ranks; r++) {
        if (sizes[r] > sizes[single->rank]) single->rank = r;
        sum += sizes[r];
    }
    single->most = sum < CLP_MPI_LIST_SINGLE ? sum : CLP_MPI_LIST_SINGLE;
    clprims_status status = clp_mpi_list_whole_create(list, sizes);
    if (status == CLPRIMS_OK) status = create_other(list, sum);
    if (status == CLPRIMS_OK && mpi->rank == single->rank) status = create_of_several(list);
    return clp_mpi_agree(mpi, status);
}

/* ---- Run ---- */

bool clp_mpi_list_is_single(const clprims_mpi_list *list) {
    const uint64_t total = list->blocks[list->head.mpi->ranks];
    return list->head.mpi->ranks == 1 ||
           (total <= list->single.most && total <= clp_mpi_list_limits_now.single);
}

static clprims_status rank(const clprims_mpi_list *list, clprims_buffer next, clprims_buffer out,
                           int64_t head, clprims_list_report *report) {
    const clprims_mpi *mpi = list->head.mpi;
    const clp_mpi_list_single *single = &list->single;
    const clprims_list_buffers buffers = {.next = next,
                                          .out = out,
                                          .report = {single->report, 0},
                                          .head = head == CLP_MPI_LIST_FIND_HEAD ? NULL : &head};
    CLP_MPI_TRY(
        CLP_MPI_ENQUEUE(list, mpi, single->plan, (size_t)list->blocks[mpi->ranks], &buffers));
    return clp_mpi_read(mpi, single->report, 0, sizeof *report, report);
}

/* Between each rank's block, at `own`, and the one rank's array. blocks: the array's. */
static clprims_status move(const clprims_mpi_list *list, clprims_buffer own, cl_mem all,
                           const uint64_t *blocks, bool goes_out) {
    clprims_mpi *mpi = list->head.mpi;
    const int one = list->single.rank;
    const clp_mpi_parts *parts = &list->parts;
    uint64_t *own_first = goes_out ? parts->to_first : parts->from_first;
    uint64_t *own_count = goes_out ? parts->to_count : parts->from_count;
    uint64_t *all_first = goes_out ? parts->from_first : parts->to_first;
    uint64_t *all_count = goes_out ? parts->from_count : parts->to_count;
    for (int r = 0; r < mpi->ranks; r++) {
        own_first[r] = own.first;
        own_count[r] = r == one ? blocks[mpi->rank + 1] - blocks[mpi->rank] : 0;
        all_first[r] = blocks[r];
        all_count[r] = mpi->rank == one ? blocks[r + 1] - blocks[r] : 0;
    }
    return clp_mpi_exchange(mpi, parts, goes_out ? all : own.mem, goes_out ? own.mem : all,
                            sizeof(int64_t));
}

clprims_status clp_mpi_list_run_single(clprims_mpi_list *list, clprims_buffer next,
                                       clprims_buffer out, int64_t head,
                                       clprims_list_report *report) {
    const clprims_mpi *mpi = list->head.mpi;
    const clp_mpi_list_single *single = &list->single;
    if (mpi->ranks == 1) {
        CLP_MPI_TRY(clp_mpi_agree(mpi, rank(list, next, out, head, report)));
        return clp_mpi_list_status(list, report);
    }
    const clprims_buffer links = {single->links, 0}, results = {single->out, 0};
    clprims_status status = move(list, next, single->links, list->blocks, false);
    if (status == CLPRIMS_OK && mpi->rank == single->rank) {
        status = rank(list, links, results, head, report);
    }
    CLP_MPI_TRY(clp_mpi_agree(mpi, status));
    MPI_Bcast(report, (int)sizeof *report, MPI_BYTE, single->rank, mpi->comm);
    CLP_MPI_TRY(clp_mpi_list_status(list, report));
    return clp_mpi_agree(mpi, move(list, out, single->out, list->out_blocks, true));
}
