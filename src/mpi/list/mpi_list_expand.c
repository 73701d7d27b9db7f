/* SPDX-License-Identifier: MIT */
/* Positions: of the last level on the host, of each other level from the next one's. */
#include "mpi/list/mpi_list.h"

/* ---- The last level ---- */

/* All nodes of a level; the nodes of rank r begin at first[r]. */
typedef struct gathered_list {
    size_t n;
    int *first, *count; /* ranks + 1 and ranks, as MPI wants them */
    cl_ulong *links, *own_links;
    cl_long *costs, *own_costs, *positions;
    unsigned char *named;
} gathered_list;

/* own: the call's memory. */
static clprims_status allocate(clp_mpi_plan *own, const clp_mpi_list_level *level,
                               gathered_list *g) {
    const size_t ranks = (size_t)own->mpi->ranks, n = (size_t)level->total;
    const size_t own_n = level->nodes.n, bytes = sizeof(cl_ulong);
    g->n = n;
    CLP_MPI_TRY(clp_mpi_plan_host(own, ranks + 1, sizeof *g->first, &g->first));
    CLP_MPI_TRY(clp_mpi_plan_host(own, ranks, sizeof *g->count, &g->count));
    CLP_MPI_TRY(clp_mpi_plan_host(own, n, bytes, &g->links));
    CLP_MPI_TRY(clp_mpi_plan_host(own, own_n, bytes, &g->own_links));
    CLP_MPI_TRY(clp_mpi_plan_host(own, n, bytes, &g->costs));
    CLP_MPI_TRY(clp_mpi_plan_host(own, own_n, bytes, &g->own_costs));
    CLP_MPI_TRY(clp_mpi_plan_host(own, n, bytes, &g->positions));
    CLP_MPI_TRY(clp_mpi_plan_host(own, n, 1, &g->named));
    if (own_n == 0) return CLPRIMS_OK;
    CLP_MPI_TRY(clp_mpi_read(own->mpi, level->links, 0, own_n * bytes, g->own_links));
    return clp_mpi_read(own->mpi, level->costs, 0, own_n * bytes, g->own_costs);
}

static size_t index_of(const gathered_list *g, cl_ulong place) {
    return (size_t)g->first[place >> 32] + (size_t)(place & UINT32_MAX);
}

/* From the one node that no link names; up to a constant. */
static void rank_gathered(gathered_list *g, bool backward) {
    size_t i = 0;
    for (size_t k = 0; k < g->n; k++) {
        g->positions[k] = INT64_MIN;
        if (g->links[k] != UINT64_MAX) g->named[index_of(g, g->links[k])] = 1;
    }
    while (i < g->n && g->named[i] != 0) i++;
    int64_t position = 0;
    for (size_t k = 0; k < g->n && i < g->n; k++) {
        g->positions[i] = position;
        position += backward ? -g->costs[i] : g->costs[i];
        if (g->links[i] == UINT64_MAX) break;
        i = index_of(g, g->links[i]);
    }
}

static void gather(const clprims_mpi_list *list, const clp_mpi_list_level *level,
                   gathered_list *g) {
    const clprims_mpi *mpi = list->head.mpi;
    const int own = (int)level->nodes.n;
    MPI_Allgather(&own, 1, MPI_INT, g->count, 1, MPI_INT, mpi->comm);
    for (int r = 0; r < mpi->ranks; r++) g->first[r + 1] = g->first[r] + g->count[r];
    MPI_Allgatherv(g->own_links, own, MPI_UINT64_T, g->links, g->count, g->first, MPI_UINT64_T,
                   mpi->comm);
    MPI_Allgatherv(g->own_costs, own, MPI_INT64_T, g->costs, g->count, g->first, MPI_INT64_T,
                   mpi->comm);
}

static clprims_status write_positions(const clprims_mpi_list *list, const clp_mpi_list_level *level,
                                      const gathered_list *g) {
    const clprims_mpi *mpi = list->head.mpi;
    if (level->nodes.n == 0) return CLPRIMS_OK;
    return clp_mpi_write(mpi, level->distances, 0, level->nodes.n * sizeof *g->positions,
                         g->positions + g->first[mpi->rank]);
}

clprims_status clp_mpi_list_rank_last(clprims_mpi_list *list, int depth) {
    clprims_mpi *mpi = list->head.mpi;
    const clp_mpi_list_level *level = &list->levels[depth];
    clp_mpi_plan own = {.mpi = mpi};
    gathered_list g = {.n = 0};
    clprims_status status = clp_mpi_agree(mpi, allocate(&own, level, &g));
    if (status == CLPRIMS_OK) {
        gather(list, level, &g);
        rank_gathered(&g, clp_mpi_list_is_backward(depth));
        status = clp_mpi_agree(mpi, write_positions(list, level, &g));
    }
    clp_mpi_plan_release(&own);
    return status;
}

/* ---- The others ---- */

/* Positions of the other ranks' splitters of a level; table_at. */
static clprims_status gather_table(clprims_mpi_list *list, int depth) {
    clprims_mpi *mpi = list->head.mpi;
    const clp_mpi_list_level *level = &list->levels[depth];
    const size_t ranks = (size_t)mpi->ranks;
    CLP_MPI_TRY(clp_mpi_gather(mpi, CLPRIMS_OK, level->splitters, list->gathered));
    const uint64_t entries = clp_mpi_list_to_all(list, list->gathered, 1, false);
    clprims_status status =
        clp_mpi_list_grow(&list->head, &list->table, (size_t)entries * sizeof(cl_long), 0);
    if (status == CLPRIMS_OK) {
        status =
            clp_mpi_write(mpi, list->table_at, 0, ranks * sizeof(cl_ulong), list->parts.to_first);
    }
    CLP_MPI_TRY(clp_mpi_agree(mpi, status));
    return clp_mpi_agree(mpi, clp_mpi_exchange(mpi, &list->parts, level[1].distances,
                                               list->table.mem, sizeof(cl_long)));
}

static clprims_status expand(clprims_mpi_list *list, int depth, cl_long origin) {
    const clp_mpi_list_level *level = &list->levels[depth];
    const cl_mem table = list->whole.depth == depth + 1 ? list->whole.positions : list->table.mem;
    CLP_MPI_TRY(clp_mpi_list_fill(list, list->found, 0, 2, UINT32_MAX));
    CLP_MPI_TRY(CLP_MPI_LAUNCH(list->head.mpi, list->kernels[CLP_MPI_LIST_EXPAND], level->nodes.n,
                               CLP_MPI_VALUE(level->nodes), CLP_MPI_VALUE(level->records),
                               CLP_MPI_VALUE(level->distances), CLP_MPI_VALUE(level[1].distances),
                               CLP_MPI_VALUE(table), CLP_MPI_VALUE(list->table_at),
                               CLP_MPI_INT(clp_mpi_list_is_backward(depth)), CLP_MPI_VALUE(origin),
                               CLP_MPI_VALUE(list->found)));
    return clp_mpi_list_read_found(list, 2);
}

clprims_status clp_mpi_list_expand(clprims_mpi_list *list, int depth, int64_t origin) {
    /* table_at is still that of the whole level. */
    if (list->whole.depth != depth + 1) CLP_MPI_TRY(gather_table(list, depth));
    return clp_mpi_agree(list->head.mpi, expand(list, depth, origin));
}
