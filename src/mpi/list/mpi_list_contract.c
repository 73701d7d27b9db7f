/* SPDX-License-Identifier: MIT */
/* Contraction: from one level to the next. */
#include "mpi/list/mpi_list.h"

#include <inttypes.h>

static cl_uint words_of(const clp_mpi_list_level *level) {
    return level->nodes.is_upper ? 5 : 3;
}

/* ---- Launches ---- */

/* Splitters, and an empty next level of as many nodes and room for a few more. */
static clprims_status prepare(clprims_mpi_list *list, clp_mpi_list_level *level,
                              clp_mpi_list_level *next) {
    const size_t n = level->nodes.n, bucket = (size_t)1 << level->nodes.bits;
    const size_t splitters = n / bucket + (n % bucket != 0);
    const size_t room = splitters + n / 16 + n / 64; /* when 1 in 16 walks is left */
    level->splitters = (cl_uint)splitters;
    CLP_MPI_TRY(
        clp_mpi_list_fill(list, level->records, 2 * level->nodes.records_at, 2 * n, UINT32_MAX));
    CLP_MPI_TRY(clp_mpi_list_grow(&list->head, &next->link_room, room * sizeof(cl_ulong), 0));
    CLP_MPI_TRY(clp_mpi_list_grow(&list->head, &next->cost_room, room * sizeof(cl_long), 0));
    return clp_mpi_list_fill(list, next->link_room.mem, 0, 2 * splitters, UINT32_MAX);
}

/* Starts a walk from the splitter of each of `count` buckets. */
static clprims_status start(clprims_mpi_list *list, const clp_mpi_list_level *level, uint64_t first,
                            uint64_t count) {
    const size_t bytes = (size_t)count * words_of(level) * sizeof(cl_uint);
    CLP_MPI_TRY(clp_mpi_list_grow(&list->head, &list->mail->inbox, bytes, 0));
    return CLP_MPI_LAUNCH(list->head.mpi, list->kernels[CLP_MPI_LIST_START], (size_t)count,
                          CLP_MPI_VALUE(level->nodes), CLP_MPI_INT(first), CLP_MPI_INT(count),
                          CLP_MPI_VALUE(level->records), CLP_MPI_VALUE(level->distances),
                          CLP_MPI_VALUE(list->mail->inbox.mem));
}

/* Of the walks in the inbox. begins: they are at their first nodes. */
static clprims_status walk(clprims_mpi_list *list, const clp_mpi_list_level *level,
                           const clp_mpi_list_level *next, uint64_t walks, cl_uint begins,
                           cl_uint steps) {
    const size_t ranks = (size_t)list->head.mpi->ranks, count = (size_t)walks;
    clp_mpi_list_mail *mail = list->mail;
    CLP_MPI_TRY(clp_mpi_list_grow(&list->head, &mail->targets, count * sizeof(cl_uint), 0));
    CLP_MPI_TRY(clp_mpi_list_fill(list, mail->counts, 0, 2 * ranks, 0));
    return CLP_MPI_LAUNCH(list->head.mpi, list->kernels[CLP_MPI_LIST_WALK], count,
                          CLP_MPI_VALUE(level->nodes), CLP_MPI_VALUE(level->links),
                          CLP_MPI_VALUE(level->costs), CLP_MPI_VALUE(list->starts),
                          CLP_MPI_VALUE(level->records), CLP_MPI_VALUE(level->distances),
                          CLP_MPI_VALUE(next->link_room.mem), CLP_MPI_VALUE(next->cost_room.mem),
                          CLP_MPI_VALUE(mail->inbox.mem), CLP_MPI_INT(count), CLP_MPI_VALUE(begins),
                          CLP_MPI_VALUE(steps), CLP_MPI_VALUE(mail->targets.mem),
                          CLP_MPI_VALUE(mail->counts), CLP_MPI_WORDS(ranks));
}

static clprims_status arrive(const clprims_mpi_list *list, const clp_mpi_list_level *level,
                             const clp_mpi_list_level *next, uint64_t walks) {
    return CLP_MPI_LAUNCH(list->head.mpi, list->kernels[CLP_MPI_LIST_ARRIVE], (size_t)walks,
                          CLP_MPI_VALUE(level->nodes), CLP_MPI_VALUE(level->records),
                          CLP_MPI_VALUE(level->distances), CLP_MPI_VALUE(list->mail->inbox.mem),
                          CLP_MPI_INT(walks), CLP_MPI_VALUE(next->link_room.mem),
                          CLP_MPI_VALUE(next->cost_room.mem));
}

/* Nodes of the next level that no walk has visited, behind the splitters. */
static clprims_status number_unvisited(clprims_mpi_list *list, const clp_mpi_list_level *level,
                                       clp_mpi_list_level *next) {
    CLP_MPI_TRY(clp_mpi_list_fill(list, list->found, 0, 1, 0));
    CLP_MPI_TRY(CLP_MPI_LAUNCH(list->head.mpi, list->kernels[CLP_MPI_LIST_NUMBER], level->nodes.n,
                               CLP_MPI_VALUE(level->nodes), CLP_MPI_VALUE(level->links),
                               CLP_MPI_VALUE(level->records), CLP_MPI_VALUE(level->distances),
                               CLP_MPI_VALUE(level->splitters), CLP_MPI_VALUE(list->found),
                               CLP_MPI_WORDS(2)));
    CLP_MPI_TRY(clp_mpi_list_read_found(list, 1));
    const size_t old = level->splitters, n = old + list->found_host[0], bytes = sizeof(cl_ulong);
    next->nodes.n = (cl_uint)n;
    CLP_MPI_TRY(clp_mpi_list_grow(&list->head, &next->link_room, n * bytes, old * bytes));
    CLP_MPI_TRY(clp_mpi_list_grow(&list->head, &next->cost_room, n * bytes, old * bytes));
    return clp_mpi_list_fill(list, next->link_room.mem, 2 * old, 2 * (n - old), UINT32_MAX);
}

static clprims_status start_unvisited(clprims_mpi_list *list, const clp_mpi_list_level *level,
                                      cl_uint unvisited) {
    const size_t bytes = (size_t)unvisited * words_of(level) * sizeof(cl_uint);
    CLP_MPI_TRY(clp_mpi_list_grow(&list->head, &list->mail->inbox, bytes, 0));
    return CLP_MPI_LAUNCH(list->head.mpi, list->kernels[CLP_MPI_LIST_START_UNVISITED],
                          level->nodes.n, CLP_MPI_VALUE(level->nodes),
                          CLP_MPI_VALUE(level->records), CLP_MPI_VALUE(level->distances),
                          CLP_MPI_VALUE(level->splitters), CLP_MPI_VALUE(list->mail->inbox.mem));
}

static clprims_status find_ends(const clprims_mpi_list *list, const clp_mpi_list_level *next) {
    CLP_MPI_TRY(clp_mpi_list_fill(list, list->found, 0, 2, 0));
    CLP_MPI_TRY(CLP_MPI_LAUNCH(list->head.mpi, list->kernels[CLP_MPI_LIST_FIND_ENDS], next->nodes.n,
                               CLP_MPI_VALUE(next->link_room.mem), CLP_MPI_VALUE(next->nodes.n),
                               CLP_MPI_VALUE(list->found)));
    return clp_mpi_list_read_found(list, 2);
}

/* ---- A level ---- */

static clp_mpi_list_limit limit_of(const clp_mpi_list_level *level) {
    return (clp_mpi_list_limit){level->nodes.n, level->least};
}

/* Whether further rounds do not pay: most walks have ended, or the next level has few nodes in any
 * case. A walk that has not ended leaves a bucket's nodes without a visit, about. */
static bool are_enough(const clp_mpi_list_level *level, uint64_t walks, uint64_t few) {
    return walks * 16 <= level->all_splitters ||
           (walks << level->nodes.bits) + level->all_splitters <= few;
}

/* The walks of a level. The second half, if there is one, has the second mail. */
typedef struct walks {
    clprims_mpi_list *list;
    const clp_mpi_list_level *level, *next;
    bool is_halved;
    uint64_t count[2]; /* the walks of this rank that wait in each half's inbox */
} walks;

static clprims_status start_walks(walks *w) {
    const uint64_t count = w->count[0];
    CLP_MPI_TRY(start(w->list, w->level, 0, count));
    if (!w->is_halved) return CLPRIMS_OK;
    w->list->mail = &w->list->mails[1];
    return start(w->list, w->level, count, w->count[1]);
}

/* Submits a step of a half. begins: the first one. */
static clprims_status submit(const walks *w, size_t half, bool begins) {
    clprims_mpi_list *list = w->list;
    const uint64_t count = w->count[half];
    list->mail = &list->mails[half];
    clprims_status status = walk(list, w->level, w->next, count, begins, CLP_MPI_LIST_STEPS);
    if (status == CLPRIMS_OK) {
        status = clp_mpi_list_group(list, words_of(w->level), (cl_uint)count);
    }
    clFlush(list->head.mpi->queue);
    return status;
}

/* Collective: the step of a half that was submitted ends, and its messages move. Where the other
 * half walks meanwhile, its step is submitted first. */
static clprims_status deliver(walks *w, size_t half, clprims_status status, bool other_walks,
                              bool begins, clp_mpi_list_arrival *arrival) {
    clprims_mpi_list *list = w->list;
    list->mail = &list->mails[half];
    if (status == CLPRIMS_OK) status = clp_mpi_list_collect(list);
    if (status == CLPRIMS_OK && other_walks) status = submit(w, 1 - half, begins);
    list->mail = &list->mails[half];
    status = clp_mpi_list_deliver(list, status, words_of(w->level), limit_of(w->level), arrival);
    w->count[half] = arrival->count;
    return status;
}

/* The second half's messages, behind the first one's. */
static clprims_status join(walks *w) {
    clprims_mpi_list *list = w->list;
    clp_mpi_list_mail *mails = list->mails;
    const size_t bytes = words_of(w->level) * sizeof(cl_uint);
    const size_t first = (size_t)w->count[0] * bytes, second = (size_t)w->count[1] * bytes;
    w->is_halved = false;
    w->count[0] += w->count[1];
    CLP_MPI_TRY(clp_mpi_list_grow(&list->head, &mails[0].inbox, first + second, first));
    return clp_mpi_copy(list->head.mpi, mails[1].inbox.mem, 0, mails[0].inbox.mem, first, second);
}

/* Collective: until most walks have ended. Walks that have not are in the inbox. own: this rank's
 * status, before and after. */
static clprims_status walk_all(walks *w, uint64_t few, clprims_status *own,
                               clp_mpi_list_arrival *arrival) {
    clprims_status status = *own;
    bool is_enough = false;
    if (status == CLPRIMS_OK) status = start_walks(w);
    if (status == CLPRIMS_OK) status = submit(w, 0, true);
    for (int round = 0; !is_enough; round++) {
        const bool was_halved = w->is_halved;
        CLP_MPI_TRY(deliver(w, 0, status, was_halved, round == 0, arrival));
        if (arrival->is_refused) break;
        /* Both halves have about as many. */
        const uint64_t all = was_halved ? 2 * arrival->all : arrival->all;
        is_enough = are_enough(w->level, all, few) || round == CLP_MPI_LIST_ROUNDS - 1;
        const bool joins = is_enough || all < clp_mpi_list_limits_now.halved;
        status = CLPRIMS_OK;
        if (was_halved) {
            CLP_MPI_TRY(deliver(w, 1, status, !joins, false, arrival));
            if (arrival->is_refused) break;
            if (joins) status = join(w);
        }
        if (!w->is_halved && !is_enough && status == CLPRIMS_OK) status = submit(w, 0, false);
    }
    w->list->mail = &w->list->mails[0];
    arrival->count = w->count[0];
    *own = status;
    return CLPRIMS_OK;
}

/* The last walks end where they are; each unvisited node's walk goes to the node behind it. */
static clprims_status walk_unvisited(clprims_mpi_list *list, clprims_status status,
                                     const clp_mpi_list_level *level, clp_mpi_list_level *next,
                                     clp_mpi_list_arrival *arrival) {
    if (status == CLPRIMS_OK) status = number_unvisited(list, level, next);
    const cl_uint unvisited = status == CLPRIMS_OK ? next->nodes.n - level->splitters : 0;
    if (status == CLPRIMS_OK) status = arrive(list, level, next, arrival->count);
    if (status == CLPRIMS_OK) status = start_unvisited(list, level, unvisited);
    if (status == CLPRIMS_OK) status = walk(list, level, next, unvisited, 1, 1);
    return clp_mpi_list_send(list, status, words_of(level), unvisited, limit_of(level), arrival);
}

/* A level that is not much smaller has short sublists, so that each further one is. */
static void describe_next(const clprims_mpi_list *list, const clp_mpi_list_level *level,
                          clp_mpi_list_level *next) {
    next->links = next->link_room.mem;
    next->costs = next->cost_room.mem;
    next->records = next->record_room.mem;
    next->distances = next->distance_room.mem;
    next->nodes.links_at = next->nodes.records_at = next->nodes.start = 0;
    next->nodes.rank = level->nodes.rank;
    next->nodes.ranks = level->nodes.ranks;
    next->nodes.bits = CLP_MPI_LIST_BITS;
    next->nodes.seed = level->nodes.seed + 0x9e3779b9u;
    next->nodes.is_upper = 1;
    clp_mpi_list_count_nodes(list->head.mpi, next, list->gathered, CLP_MPI_LIST_TOLD);
    if (next->total <= level->total / 2) return;
    next->nodes.bits = 1;
    clp_mpi_list_count_nodes(list->head.mpi, next, list->gathered, CLP_MPI_LIST_TOLD);
}

/* What is known of the next level when all walks have ended. */
static clprims_status finish(clprims_mpi_list *list, const clp_mpi_list_level *level,
                             clp_mpi_list_level *next, const clp_mpi_list_arrival *arrival) {
    const size_t n = next->nodes.n;
    CLP_MPI_TRY(arrive(list, level, next, arrival->count));
    CLP_MPI_TRY(clp_mpi_list_grow(&list->head, &next->record_room, n * sizeof(cl_ulong), 0));
    CLP_MPI_TRY(clp_mpi_list_grow(&list->head, &next->distance_room, n * sizeof(cl_long), 0));
    return find_ends(list, next);
}

/* Collective: nodes of the next level on each rank, and the last ones of lists. */
static clprims_status gather_counts(clprims_mpi_list *list, clprims_status status,
                                    const clp_mpi_list_level *next, uint64_t *ends) {
    const bool is_ok = status == CLPRIMS_OK;
    const uint64_t own[CLP_MPI_LIST_TOLD] = {next->nodes.n, is_ok ? list->found_host[0] : 0,
                                             !is_ok};
    uint64_t failures = 0;
    MPI_Allgather(own, CLP_MPI_LIST_TOLD, MPI_UINT64_T, list->gathered, CLP_MPI_LIST_TOLD,
                  MPI_UINT64_T, list->head.mpi->comm);
    *ends = 0;
    for (size_t r = 0; r < (size_t)list->head.mpi->ranks; r++) {
        *ends += list->gathered[r * CLP_MPI_LIST_TOLD + 1];
        failures += list->gathered[r * CLP_MPI_LIST_TOLD + 2];
    }
    return failures > 0 ? clp_mpi_agree(list->head.mpi, status) : CLPRIMS_OK;
}

static clprims_status contract(clprims_mpi_list *list, int depth, uint64_t few, bool *is_shared,
                               cl_uint *last_node) {
    clp_mpi_list_level *level = &list->levels[depth], *next = level + 1;
    clp_mpi_list_arrival arrival;
    uint64_t ends;
    clprims_status status = prepare(list, level, next);
    walks w = {list, level, next, level->all_splitters >= clp_mpi_list_limits_now.halved, {0, 0}};
    w.count[1] = w.is_halved ? level->splitters / 2 : 0;
    w.count[0] = level->splitters - w.count[1];
    CLP_MPI_TRY(walk_all(&w, few, &status, &arrival));
    if (arrival.is_refused) return CLPRIMS_OK;
    CLP_MPI_TRY(walk_unvisited(list, status, level, next, &arrival));
    if (arrival.is_refused) return CLPRIMS_OK;
    CLP_MPI_TRY(gather_counts(list, finish(list, level, next, &arrival), next, &ends));
    if (list->found_host[0] > 0) *last_node = list->found_host[1];
    describe_next(list, level, next);
    /* Of n elements with one tail, n - 1 are named, if each is once: all but the first. */
    *is_shared = ends != 1;
    return CLPRIMS_OK;
}

clprims_status clp_mpi_list_contract(clprims_mpi_list *list, int depth, uint64_t few,
                                     bool *is_shared, cl_uint *last_node) {
    *is_shared = true;
    *last_node = UINT32_MAX;
    const clprims_status status = contract(list, depth, few, is_shared, last_node);
    /* After a failure a half may still walk in the caller's arrays. */
    if (status != CLPRIMS_OK) clFinish(list->head.mpi->queue);
    list->mail = &list->mails[0];
    return status;
}
