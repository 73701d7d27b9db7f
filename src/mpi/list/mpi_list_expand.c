/* SPDX-License-Identifier: MIT */
/* Positions: of the last level on the host, of the others from those of the next one. */
#include "mpi/list/mpi_list.h"

#include <stdlib.h>

/* ---- The last level ---- */

/* All nodes of a level, those of rank r from first[r] on. */
typedef struct gathered_list {
    size_t n;
    int *first, *count; /* ranks + 1 and ranks, as MPI wants them */
    cl_ulong *links, *own_links;
    cl_long *costs, *own_costs, *positions;
    unsigned char *named;
} gathered_list;

static void release(gathered_list *g) {
    free(g->first);
    free(g->links);
    free(g->costs);
    free(g->named);
}

static clprims_status allocate(const clprims_mpi_list *list, const clp_mpi_list_level *level,
                               gathered_list *g) {
    const size_t ranks = (size_t)list->mpi->ranks, n = (size_t)level->total, own = level->nodes.n;
    g->n = n;
    g->first = calloc(2 * ranks + 1, sizeof *g->first);
    g->links = calloc(n + own + 1, sizeof *g->links);
    g->costs = calloc(2 * n + own + 1, sizeof *g->costs);
    g->named = calloc(n + 1, 1);
    if (g->first == NULL || g->links == NULL || g->costs == NULL || g->named == NULL) {
        return clp_mpi_fail(CLPRIMS_ERR_HOST_MEMORY, "mpi_list: no host memory for %zu nodes", n);
    }
    g->count = g->first + ranks + 1;
    g->own_links = g->links + n;
    g->own_costs = g->costs + n;
    g->positions = g->own_costs + own;
    if (own == 0) return CLPRIMS_OK;
    CLP_MPI_TRY(
        clp_mpi_read(list->mpi, "mpi_list", level->links, 0, own * sizeof *g->links, g->own_links));
    return clp_mpi_read(list->mpi, "mpi_list", level->cost_room.mem, 0, own * sizeof *g->costs,
                        g->own_costs);
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
    const clprims_mpi *mpi = list->mpi;
    const int own = (int)level->nodes.n;
    MPI_Allgather(&own, 1, MPI_INT, g->count, 1, MPI_INT, mpi->comm);
    for (int r = 0; r < mpi->ranks; r++) g->first[r + 1] = g->first[r] + g->count[r];
    MPI_Allgatherv(g->own_links, own, MPI_UINT64_T, g->links, g->count, g->first, MPI_UINT64_T,
                   mpi->comm);
    MPI_Allgatherv(g->own_costs, own, MPI_INT64_T, g->costs, g->count, g->first, MPI_INT64_T,
                   mpi->comm);
}

clprims_status clp_mpi_list_rank_last(clprims_mpi_list *list, int depth) {
    clprims_mpi *mpi = list->mpi;
    const clp_mpi_list_level *level = &list->levels[depth];
    gathered_list g = {.n = 0};
    clprims_status status = clp_mpi_agree(mpi, allocate(list, level, &g));
    if (status == CLPRIMS_OK) {
        gather(list, level, &g);
        rank_gathered(&g, clp_mpi_list_is_backward(depth));
        if (level->nodes.n > 0) {
            status = clp_mpi_write(mpi, "mpi_list", level->distance_room.mem, 0,
                                   level->nodes.n * sizeof *g.positions,
                                   g.positions + g.first[mpi->rank]);
        }
        status = clp_mpi_agree(mpi, status);
    }
    release(&g);
    return status;
}

/* ---- The others ---- */

/* Positions of the other ranks' splitters of a level; table_at. */
static clprims_status gather_table(clprims_mpi_list *list, int depth) {
    clprims_mpi *mpi = list->mpi;
    const clp_mpi_list_level *level = &list->levels[depth];
    const size_t ranks = (size_t)mpi->ranks;
    uint64_t entries = 0;
    CLP_MPI_TRY(clp_mpi_gather(mpi, CLPRIMS_OK, level->splitters, list->gathered));
    for (size_t r = 0; r < ranks; r++) {
        const bool is_other = r != (size_t)mpi->rank;
        list->from_first[r] = 0;
        list->from_count[r] = is_other ? level->splitters : 0;
        list->to_first[r] = entries;
        list->to_count[r] = is_other ? list->gathered[r] : 0;
        entries += list->to_count[r];
    }
    clprims_status status =
        clp_mpi_list_grow(list->mpi, &list->table, (size_t)entries * sizeof(cl_long), 0);
    if (status == CLPRIMS_OK) {
        status = clp_mpi_write(mpi, "mpi_list", list->table_at, 0, ranks * sizeof(cl_ulong),
                               list->to_first);
    }
    CLP_MPI_TRY(clp_mpi_agree(mpi, status));
    const clp_mpi_side from = {level[1].distance_room.mem, list->from_first, list->from_count};
    const clp_mpi_side to = {list->table.mem, list->to_first, list->to_count};
    return clp_mpi_agree(mpi, clp_mpi_exchange(mpi, "mpi_list", &from, &to, sizeof(cl_long)));
}

static clprims_status expand(clprims_mpi_list *list, int depth, cl_long origin) {
    const clp_mpi_list_level *level = &list->levels[depth];
    const cl_mem own = level[1].distance_room.mem;
    const cl_mem distances = depth > 0 ? level->distance_room.mem : level->records;
    const cl_mem table = list->whole.depth == depth + 1 ? list->whole.positions : list->table.mem;
    const cl_uint backward = clp_mpi_list_is_backward(depth);
    CLP_MPI_TRY(clp_mpi_list_fill(list, list->found, 0, 2, UINT32_MAX));
    const clp_mpi_argument arguments[] = {
        CLP_MPI_ARGUMENT(level->nodes), CLP_MPI_ARGUMENT(level->records),
        CLP_MPI_ARGUMENT(distances),    CLP_MPI_ARGUMENT(own),
        CLP_MPI_ARGUMENT(table),        CLP_MPI_ARGUMENT(list->table_at),
        CLP_MPI_ARGUMENT(backward),     CLP_MPI_ARGUMENT(origin),
        CLP_MPI_ARGUMENT(list->found)};
    CLP_MPI_TRY(clp_mpi_list_launch(list, CLP_MPI_LIST_EXPAND, arguments, 9, level->nodes.n));
    return clp_mpi_list_read_found(list, 2);
}

clprims_status clp_mpi_list_expand(clprims_mpi_list *list, int depth, int64_t origin) {
    /* table_at is still that of the whole level. */
    if (list->whole.depth != depth + 1) CLP_MPI_TRY(gather_table(list, depth));
    return clp_mpi_agree(list->mpi, expand(list, depth, origin));
}

clprims_status clp_mpi_list_warm_up_expand(clprims_mpi_list *list) {
    return expand(list, 0, 0);
}
