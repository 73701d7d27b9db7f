/* SPDX-License-Identifier: MIT */
/* A level that every rank takes whole: its costs along the list are summed by the core. */
#include "mpi/list/mpi_list.h"

bool clp_mpi_list_fits_whole(const clprims_mpi_list *list, int depth) {
    const uint64_t total = list->levels[depth].total;
    return clp_mpi_list_may_be_whole(depth) && total <= list->whole.most &&
           total <= clp_mpi_list_limits_now.whole;
}

/* Which part of the level each rank has. */
static void find_parts(clprims_mpi_list *list) {
    const size_t ranks = (size_t)list->mpi->ranks, me = (size_t)list->mpi->rank;
    uint64_t first = 0;
    for (size_t r = 0; r < ranks; r++) {
        list->to_first[r] = first;
        list->to_count[r] = r != me ? list->gathered[r * CLP_MPI_LIST_TOLD] : 0;
        first += list->gathered[r * CLP_MPI_LIST_TOLD];
    }
    for (size_t r = 0; r < ranks; r++) {
        list->from_first[r] = list->to_first[me];
        list->from_count[r] = r != me ? list->gathered[me * CLP_MPI_LIST_TOLD] : 0;
    }
}

/* This rank's nodes, to their places in the whole. */
static clprims_status pack(const clprims_mpi_list *list, int depth) {
    const clprims_mpi *mpi = list->mpi;
    const clp_mpi_list_level *level = &list->levels[depth];
    const clp_mpi_list_whole *whole = &list->whole;
    const cl_uint backward = clp_mpi_list_is_backward(depth);
    CLP_MPI_TRY(clp_mpi_write(mpi, "mpi_list", list->table_at, 0,
                              (size_t)mpi->ranks * sizeof(cl_ulong), list->to_first));
    const clp_mpi_argument arguments[] = {
        CLP_MPI_ARGUMENT(level->links),   CLP_MPI_ARGUMENT(level->cost_room.mem),
        CLP_MPI_ARGUMENT(level->nodes.n), CLP_MPI_ARGUMENT(level->nodes.rank),
        CLP_MPI_ARGUMENT(list->table_at), CLP_MPI_ARGUMENT(backward),
        CLP_MPI_ARGUMENT(whole->links),   CLP_MPI_ARGUMENT(whole->costs)};
    CLP_MPI_TRY(clp_mpi_list_launch(list, CLP_MPI_LIST_PACK, arguments, 8, level->nodes.n));
    return clp_mpi_finish(mpi, "mpi_list");
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
    const clprims_mpi *mpi = list->mpi;
    clp_mpi_list_whole *whole = &list->whole;
    whole->most = most_nodes(mpi, sizes);
    clprims_listscan_desc desc = CLPRIMS_LISTSCAN_DESC_INIT;
    const size_t most = (size_t)whole->most;
    desc.type = CLPRIMS_I32;
    desc.accumulator = CLPRIMS_I64;
    desc.max_n = most > 0 ? most : 1;
    CLP_MPI_TRY(clp_mpi_core(clprims_listscan_create(&whole->scan, mpi->context, &desc)));
    CLP_MPI_TRY(clp_mpi_buffer_create(mpi, "mpi_list", most * sizeof(cl_int), &whole->links));
    CLP_MPI_TRY(clp_mpi_buffer_create(mpi, "mpi_list", most * sizeof(cl_int), &whole->costs));
    CLP_MPI_TRY(clp_mpi_buffer_create(mpi, "mpi_list", most * sizeof(cl_long), &whole->positions));
    CLP_MPI_TRY(
        clp_mpi_buffer_create(mpi, "mpi_list", sizeof(clprims_list_report), &whole->report));
    list->warms_up = true;
    list->levels[1].links = list->levels[1].link_room.mem;
    CLP_MPI_TRY(pack(list, 1));
    list->warms_up = false;
    return CLPRIMS_OK;
}

void clp_mpi_list_whole_release(clp_mpi_list_whole *whole) {
    const cl_mem mems[] = {whole->links, whole->costs, whole->positions, whole->report};
    for (size_t k = 0; k < sizeof mems / sizeof mems[0]; k++) {
        if (mems[k] != NULL) clReleaseMemObject(mems[k]);
    }
    clprims_listscan_destroy(whole->scan);
}

/* ---- Run ---- */

/* Every rank gets the other ranks' nodes. */
static clprims_status exchange(const clprims_mpi_list *list) {
    const clp_mpi_list_whole *whole = &list->whole;
    const cl_mem mems[] = {whole->links, whole->costs};
    clprims_status status = CLPRIMS_OK;
    for (size_t k = 0; k < 2; k++) {
        const clp_mpi_side from = {mems[k], list->from_first, list->from_count};
        const clp_mpi_side to = {mems[k], list->to_first, list->to_count};
        const clprims_status moved =
            clp_mpi_exchange(list->mpi, "mpi_list", &from, &to, sizeof(cl_int));
        if (status == CLPRIMS_OK) status = moved;
    }
    return status;
}

/* Positions up to a constant. */
static clprims_status scan(const clprims_mpi_list *list, int depth, bool *is_path) {
    const clprims_mpi *mpi = list->mpi;
    const clp_mpi_list_level *level = &list->levels[depth];
    const clp_mpi_list_whole *whole = &list->whole;
    const size_t bytes = sizeof(cl_long), own = (size_t)list->to_first[mpi->rank];
    clprims_list_report report;
    CLP_MPI_TRY(clp_mpi_core(clprims_listscan_enqueue(
        whole->scan, mpi->queue, (clprims_buffer){whole->links, 0},
        (clprims_buffer){whole->costs, 0}, (clprims_buffer){whole->positions, 0},
        CLPRIMS_LIST_FIND_HEAD, (size_t)level->total, (clprims_buffer){whole->report, 0}, 0, NULL,
        NULL)));
    CLP_MPI_TRY(clp_mpi_read(mpi, "mpi_list", whole->report, 0, sizeof report, &report));
    *is_path = report.fault == CLPRIMS_LIST_VALID;
    if (!*is_path || level->nodes.n == 0) return CLPRIMS_OK;
    const cl_int code = clEnqueueCopyBuffer(mpi->queue, whole->positions, level->distance_room.mem,
                                            own * bytes, 0, level->nodes.n * bytes, 0, NULL, NULL);
    if (code != CL_SUCCESS) return clp_mpi_fail_cl(code, "mpi_list: no copy of positions");
    return CLPRIMS_OK;
}

clprims_status clp_mpi_list_rank_whole(clprims_mpi_list *list, int depth, bool *is_ranked) {
    const clprims_mpi *mpi = list->mpi;
    bool is_path = false;
    find_parts(list);
    clprims_status status = pack(list, depth);
    const clprims_status moved = exchange(list);
    if (status == CLPRIMS_OK) status = moved;
    if (status == CLPRIMS_OK) status = scan(list, depth, &is_path);
    CLP_MPI_TRY(clp_mpi_agree(mpi, status));
    int all = is_path;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, mpi->comm);
    *is_ranked = all != 0;
    if (*is_ranked) list->whole.depth = depth;
    return CLPRIMS_OK;
}
