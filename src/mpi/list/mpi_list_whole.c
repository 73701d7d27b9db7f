/* SPDX-License-Identifier: MIT */
/* A level that every rank takes whole: its costs along the list are summed by the core. */
#include "mpi/list/mpi_list.h"

bool clp_mpi_list_fits_whole(const clprims_mpi_list *list, int depth) {
    const uint64_t total = list->levels[depth].total;
    return clp_mpi_list_may_be_whole(depth) && total <= list->whole.most &&
           total <= clp_mpi_list_limits_now.whole;
}

/* This rank's nodes, to their places in the whole. */
static clprims_status pack(const clprims_mpi_list *list, int depth) {
    const clprims_mpi *mpi = list->head.mpi;
    const clp_mpi_list_level *level = &list->levels[depth];
    const clp_mpi_list_whole *whole = &list->whole;
    CLP_MPI_TRY(clp_mpi_write(mpi, list->table_at, 0, (size_t)mpi->ranks * sizeof(cl_ulong),
                              list->parts.to_first));
    CLP_MPI_TRY(CLP_MPI_LAUNCH(list->head.mpi, list->kernels[CLP_MPI_LIST_PACK], level->nodes.n,
                               CLP_MPI_VALUE(level->links), CLP_MPI_VALUE(level->costs),
                               CLP_MPI_VALUE(level->nodes.n), CLP_MPI_VALUE(level->nodes.rank),
                               CLP_MPI_VALUE(list->table_at),
                               CLP_MPI_INT(clp_mpi_list_is_backward(depth)),
                               CLP_MPI_VALUE(whole->links), CLP_MPI_VALUE(whole->costs)));
    return clp_mpi_finish(mpi);
}

/* ---- Create ---- */

/* As many nodes as a list in random order has on level 1, but no more than the largest block has
 * elements; the nodes of a short list always. */
static uint64_t most_nodes(const clprims_mpi *mpi, const uint64_t *sizes) {
    uint64_t largest = 1, sum = 0;
    for (int r = 0; r < mpi->ranks; r++) {
        if (sizes[r] > largest) largest = sizes[r];
        sum += sizes[r];
    }
    const uint64_t random = sum / 64 * 9, few = CLP_MPI_LIST_FEW;
    uint64_t most = random < largest ? random : largest;
    if (most < few) most = sum < few ? sum : few;
    return most < INT32_MAX ? most : INT32_MAX;
}

clprims_status clp_mpi_list_whole_create(clprims_mpi_list *list, const uint64_t *sizes) {
    const clprims_mpi *mpi = list->head.mpi;
    clp_mpi_list_whole *whole = &list->whole;
    whole->most = most_nodes(mpi, sizes);
    clprims_listscan_desc desc = {0};
    const size_t most = (size_t)whole->most;
    desc.type = CLPRIMS_I32;
    desc.accumulator = CLPRIMS_I64;
    desc.max_n = most > 0 ? most : 1;
    CLP_MPI_TRY(CLP_MPI_CORE(&list->head, listscan, &whole->scan, &desc));
    CLP_MPI_TRY(clp_mpi_plan_buffer(&list->head, most * sizeof(cl_int), &whole->links));
    CLP_MPI_TRY(clp_mpi_plan_buffer(&list->head, most * sizeof(cl_int), &whole->costs));
    CLP_MPI_TRY(clp_mpi_plan_buffer(&list->head, most * sizeof(cl_long), &whole->positions));
    return clp_mpi_plan_buffer(&list->head, sizeof(clprims_list_report), &whole->report);
}

/* ---- Run ---- */

/* Every rank gets the other ranks' nodes. */
static clprims_status exchange(const clprims_mpi_list *list) {
    const cl_mem mems[] = {list->whole.links, list->whole.costs};
    clprims_status status = CLPRIMS_OK;
    for (size_t k = 0; k < 2; k++) {
        clp_mpi_keep(&status, clp_mpi_exchange(list->head.mpi, &list->parts, mems[k], mems[k],
                                               sizeof(cl_int)));
    }
    return status;
}

/* Positions up to a constant. */
static clprims_status scan(const clprims_mpi_list *list, int depth, bool *is_path) {
    const clprims_mpi *mpi = list->head.mpi;
    const clp_mpi_list_level *level = &list->levels[depth];
    const clp_mpi_list_whole *whole = &list->whole;
    const size_t bytes = sizeof(cl_long), own = (size_t)list->parts.to_first[mpi->rank];
    clprims_list_report report;
    const clprims_listscan_buffers buffers = {.next = {whole->links, 0},
                                              .values = {whole->costs, 0},
                                              .out = {whole->positions, 0},
                                              .report = {whole->report, 0}};
    CLP_MPI_TRY(CLP_MPI_ENQUEUE(listscan, mpi, whole->scan, (size_t)level->total, &buffers));
    CLP_MPI_TRY(clp_mpi_read(mpi, whole->report, 0, sizeof report, &report));
    *is_path = report.fault == CLPRIMS_LIST_VALID;
    if (!*is_path) return CLPRIMS_OK;
    return clp_mpi_copy(mpi, whole->positions, own * bytes, level->distances, 0,
                        level->nodes.n * bytes);
}

clprims_status clp_mpi_list_rank_whole(clprims_mpi_list *list, int depth, bool *is_ranked) {
    const clprims_mpi *mpi = list->head.mpi;
    bool is_path = false;
    clp_mpi_list_to_all(list, list->gathered, CLP_MPI_LIST_TOLD, true);
    clprims_status status = pack(list, depth);
    clp_mpi_keep(&status, exchange(list));
    if (status == CLPRIMS_OK) status = scan(list, depth, &is_path);
    CLP_MPI_TRY(clp_mpi_agree(mpi, status));
    int all = is_path;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, mpi->comm);
    *is_ranked = all != 0;
    if (*is_ranked) list->whole.depth = depth;
    return CLPRIMS_OK;
}
