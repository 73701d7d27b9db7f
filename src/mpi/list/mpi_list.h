/* SPDX-License-Identifier: MIT */
/*
 * List ranking over ranks. A short list goes to one rank, whose device ranks it. Of others:
 *
 * Every bucket of neighbouring nodes has a splitter. A walk from each splitter follows the links to
 * the next splitter and goes from rank to rank as a message; it leaves a record, its splitter and
 * the distance from there, at each node. Nodes that no walk has visited when most walks have ended
 * walk one link. The splitters and the unvisited nodes are the next level: a list in the other
 * direction, since each learns which node's walk has arrived, and how long that was. Once a level
 * has no more nodes than a rank's block has elements, every rank takes all of it and scans its
 * costs by the core; where it is no single path, or costs are long, levels go on until the hosts
 * walk the last one. Positions then go down through the levels.
 *
 * From clprims_mpi_list_run to the kernels of cl/mpi/list_over_ranks.cl and back:
 *   mpi_list.c           checks; level 0; how far levels go down; the order from the ranks
 *   mpi_list_single.c    a short list: to one rank, to that rank's core, back
 *   mpi_list_faults.c    faults of single links, before; whether all is one path, after
 *   mpi_list_contract.c  one level down: splitters, walks and their exchanges, the next level
 *   mpi_list_whole.c     a level that each rank takes whole and gives to its core's list scan
 *   mpi_list_expand.c    the last level on the host; one level up
 *   mpi_list_messages.c  launches; messages to the ranks that they are for
 *   mpi_list_levels.h    limits, sizes of levels, memory that grows
 */
#ifndef CLP_MPI_LIST_H
#define CLP_MPI_LIST_H

#include "mpi/list/mpi_list_levels.h"
#include "mpi/mpi_blocks.h"

#include <clprims/listscan.h>

enum { CLP_MPI_LIST_FIND_HEAD = -1 };

enum {
    CLP_MPI_LIST_GROUP,
    CLP_MPI_LIST_START,
    CLP_MPI_LIST_WALK,
    CLP_MPI_LIST_NUMBER,
    CLP_MPI_LIST_START_UNVISITED,
    CLP_MPI_LIST_ARRIVE,
    CLP_MPI_LIST_FIND_ENDS,
    CLP_MPI_LIST_EXPAND,
    CLP_MPI_LIST_CHECK,
    CLP_MPI_LIST_FIND_LINK,
    CLP_MPI_LIST_ADDRESS,
    CLP_MPI_LIST_COUNT_LINKS,
    CLP_MPI_LIST_FIND_SHARED,
    CLP_MPI_LIST_STORE,
    CLP_MPI_LIST_PACK,
    CLP_MPI_LIST_KERNELS
};

/* Messages of this rank. */
typedef struct clp_mpi_list_mail {
    clp_mpi_room inbox, outbox; /* of messages; walks change the inbox */
    clp_mpi_room targets; /* the rank to which each message goes */
    cl_mem counts; /* how many go to each rank, then a cursor of each */
} clp_mpi_list_mail;

/* A level that every rank has whole, its nodes in the order of the ranks. */
typedef struct clp_mpi_list_whole {
    uint64_t most; /* nodes that there is room for */
    int depth; /* 0: no level of this run */
    clprims_listscan *scan; /* int32 links and costs to int64 positions */
    cl_mem links, costs, positions, report;
} clp_mpi_list_whole;

/* What one rank ranks by the core: the lists of a single rank, and short ones of several. */
typedef struct clp_mpi_list_single {
    int rank;
    uint64_t most; /* elements that there is room for */
    clprims_list *plan; /* NULL on the other ranks, as is what follows */
    cl_mem report;
    cl_mem links, out; /* of all ranks, if there are several */
} clp_mpi_list_single;

struct clprims_mpi_list {
    clp_mpi_plan head;
    clprims_list_result result;
    size_t max_n;
    cl_kernel kernels[CLP_MPI_LIST_KERNELS];
    clp_mpi_list_mail mails[2]; /* the second one is that of the other half of the walks */
    clp_mpi_list_mail *mail; /* of what goes on: the first one, but for steps of that half */
    clp_mpi_room ranks_room; /* of the elements, where the result is an order */
    clp_mpi_room table; /* positions of the other ranks' splitters */
    cl_mem starts; /* ranks + 1 positions of the run's blocks */
    cl_mem table_at;
    cl_mem found; /* what kernels find */
    clp_mpi_list_single single;
    clp_mpi_list_whole whole;
    clp_mpi_list_level levels[CLP_MPI_LIST_LEVELS];
    uint64_t *blocks, *out_blocks; /* where blocks begin: ranks + 1 */
    clp_mpi_parts parts;
    uint64_t *gathered; /* numbers of each rank, CLP_MPI_LIST_TOLD at most */
    uint64_t *told, *heard; /* numbers to each rank, and from each: CLP_MPI_LIST_TOLD */
    cl_uint *found_host; /* CLP_MPI_LIST_FOUND, or one a rank */
};

enum { CLP_MPI_LIST_FOUND = 4, CLP_MPI_LIST_TOLD = 3 };

/* What became of an exchange of messages: of the plan's parts. */
typedef struct clp_mpi_list_arrival {
    uint64_t count; /* messages in the inbox */
    uint64_t all; /* in the inboxes of all ranks */
    bool is_refused; /* a rank would have got more than its limit: nothing was sent */
} clp_mpi_list_arrival;

/* ---- mpi_list_messages.c ---- */

/* Fills 32-bit words. */
clprims_status clp_mpi_list_fill(const clprims_mpi_list *list, cl_mem mem, size_t first,
                                 size_t words, cl_uint value);

/* found[0] to found[words - 1] of the device, blocking. */
clprims_status clp_mpi_list_read_found(const clprims_mpi_list *list, size_t words);

/* How many messages this rank takes, and the rank that takes the fewest. */
typedef struct clp_mpi_list_limit {
    uint64_t own, least;
} clp_mpi_list_limit;

/* The messages of the inbox, whose targets and counts a kernel has written, to the outbox, in the
 * order of their ranks: submits it. words: 32-bit words of a message. */
clprims_status clp_mpi_list_group(clprims_mpi_list *list, cl_uint words, cl_uint count);

/* Waits for that and reads how many go to each rank. */
clprims_status clp_mpi_list_collect(clprims_mpi_list *list);

/* Collective: the messages of the outbox go to their ranks' inboxes. */
clprims_status clp_mpi_list_deliver(clprims_mpi_list *list, clprims_status status, cl_uint words,
                                    clp_mpi_list_limit limit, clp_mpi_list_arrival *arrival);

/*
 * Collective: all three of them. The messages of the inbox, whose targets and counts a kernel has
 * written, go to their ranks' inboxes. words: 32-bit words of a message.
 */
clprims_status clp_mpi_list_send(clprims_mpi_list *list, clprims_status status, cl_uint words,
                                 uint64_t count, clp_mpi_list_limit limit,
                                 clp_mpi_list_arrival *arrival);

/*
 * Collective: sends elements [first, first + count) of this rank to the ranks whose blocks have the
 * position that `positions` has for them, as pairs.
 */
clprims_status clp_mpi_list_send_pairs(clprims_mpi_list *list, cl_mem positions, uint64_t at,
                                       uint64_t first, uint64_t count, clp_mpi_list_limit limit,
                                       clp_mpi_list_arrival *arrival);

/* The parts by which every rank's elements go to all others, side by side in the order of the
 * ranks. counts[r * stride]: of rank r. keeps: this rank's own have their place among them, too,
 * where they are sent from; else they are sent from the array's beginning. Returns how many there
 * are. */
uint64_t clp_mpi_list_to_all(const clprims_mpi_list *list, const uint64_t *counts, size_t stride,
                             bool keeps);

/* ---- mpi_list_contract.c ---- */

/* Collective: makes levels[depth + 1]; gathered[r * CLP_MPI_LIST_TOLD] is how many nodes of it rank
 * r has. few: as of the limits. is_shared: two links name the same element. */
clprims_status clp_mpi_list_contract(clprims_mpi_list *list, int depth, uint64_t few,
                                     bool *is_shared, cl_uint *last_node);

/* ---- mpi_list_single.c ---- */

/* Collective: what depends on the sizes of all ranks' blocks, once they all have a plan. */
clprims_status clp_mpi_list_take_sizes(clp_mpi_plan *head);

/* Local: what this rank needs to rank lists of up to `most` elements. */
clprims_status clp_mpi_list_single_create(clprims_mpi_list *list, uint64_t most);

/* Whether one rank ranks the list of this run. */
bool clp_mpi_list_is_single(const clprims_mpi_list *list);

/* Collective: the whole run, once blocks and out_blocks are known. */
clprims_status clp_mpi_list_run_single(clprims_mpi_list *list, clprims_buffer next,
                                       clprims_buffer out, int64_t head,
                                       clprims_list_report *report);

/* ---- mpi_list_whole.c ---- */

/* Local: room for a level. sizes: the largest blocks of all ranks. */
clprims_status clp_mpi_list_whole_create(clprims_mpi_list *list, const uint64_t *sizes);

/* Whether a level of that depth is ranked whole, for which there is room. */
bool clp_mpi_list_fits_whole(const clprims_mpi_list *list, int depth);

/* Collective: positions of a level that was just made, on each rank of all nodes. is_ranked: the
 * level is a single path. */
clprims_status clp_mpi_list_rank_whole(clprims_mpi_list *list, int depth, bool *is_ranked);

/* ---- mpi_list_expand.c ---- */

/* Collective: positions of the nodes of the last level, walked on the host. */
clprims_status clp_mpi_list_rank_last(clprims_mpi_list *list, int depth);

/* Collective: positions of a level from the positions of the next one. */
clprims_status clp_mpi_list_expand(clprims_mpi_list *list, int depth, int64_t origin);

/* ---- mpi_list_faults.c ---- */

/* Collective: the first faults of list.h, which are faults of single links. */
clprims_status clp_mpi_list_check_links(clprims_mpi_list *list, clprims_list_report *report);

/* Collective: where two links name the same element. */
clprims_status clp_mpi_list_find_shared(clprims_mpi_list *list, clprims_list_report *report);

/* Collective: after the expansion, whether `head` is the first element and reaches the others. */
clprims_status clp_mpi_list_check_path(clprims_mpi_list *list, int64_t head,
                                       clprims_list_report *report);

/* Collective: the report's status, with the rank that has its element. */
clprims_status clp_mpi_list_status(clprims_mpi_list *list, const clprims_list_report *report);

#endif
