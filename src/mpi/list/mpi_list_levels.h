/* SPDX-License-Identifier: MIT */
/* The levels of a list over ranks, the limits of what is done with them, and their memory. */
#ifndef CLP_MPI_LIST_LEVELS_H
#define CLP_MPI_LIST_LEVELS_H

#include "mpi/mpi_plan.h"

enum {
    CLP_MPI_LIST_BITS = 4, /* one splitter in 16 nodes */
    CLP_MPI_LIST_STEPS = 64, /* of a walk between two exchanges, at most */
    CLP_MPI_LIST_ROUNDS = 512, /* exchanges of a level; distances of level 0 fit 16 bits */
    CLP_MPI_LIST_LEVELS = 64,
    CLP_MPI_LIST_SINGLE =
        1 << 23, /* elements of a list that one device ranks sooner than several */
    CLP_MPI_LIST_FEW = 1 << 18, /* nodes that a device ranks sooner than one more exchange lasts */
    CLP_MPI_LIST_HALVED = 1 << 22, /* walks, half of which take longer than that */
    CLP_MPI_LIST_RANKS = 4096 /* the most: kernels count their messages in local memory */
};

/* What tests make small. */
typedef struct clp_mpi_list_limits {
    size_t single; /* elements of a list that goes to one rank */
    size_t gathered; /* nodes of all ranks of a level that each rank takes to its host */
    size_t whole; /* of one that each rank takes to its device, whatever room there is */
    size_t few; /* of the next level, which no further round makes smaller */
    size_t halved; /* walks of all ranks from which one half moves while the other one walks */
} clp_mpi_list_limits;

extern clp_mpi_list_limits clp_mpi_list_limits_now;

/* Device memory that grows when a list needs more. */
typedef struct clp_mpi_room {
    cl_mem mem;
    size_t bytes;
    bool is_owned; /* the plan knows it */
} clp_mpi_room;

/* As in cl/mpi/list_over_ranks.cl. */
typedef struct clp_mpi_list_nodes {
    cl_ulong links_at, records_at;
    cl_ulong start;
    cl_uint n;
    cl_uint rank, ranks;
    cl_uint bits;
    cl_uint seed;
    cl_uint is_upper;
} clp_mpi_list_nodes;

_Static_assert(sizeof(clp_mpi_list_nodes) == CLP_MPI_NODES_BYTES, "as kernels are warmed up");

typedef struct clp_mpi_list_level {
    clp_mpi_list_nodes nodes;
    uint64_t total; /* nodes of all ranks */
    uint64_t least; /* of the rank that has the fewest */
    uint64_t all_splitters;
    cl_uint splitters; /* of this rank: the first nodes of the next level */
    /* Above level 0 the rooms' memory. On level 0 the caller's arrays; it has neither costs nor
     * distances: both are the links, which no kernel reads in their place. */
    cl_mem links, costs, records, distances; /* distances become positions */
    clp_mpi_room link_room, cost_room, record_room, distance_room; /* of upper levels */
} clp_mpi_list_level;

/* Makes a room at least so large. A new one has what `kept` bytes of the old one were. */
clprims_status clp_mpi_list_grow(clp_mpi_plan *plan, clp_mpi_room *room, size_t bytes, size_t kept);

/* Sets total, least and all_splitters of a level; nodes of rank r: counts[r * stride]. */
void clp_mpi_list_count_nodes(const clprims_mpi *mpi, clp_mpi_list_level *level,
                              const uint64_t *counts, size_t stride);

/* Whether a level of that depth may be ranked whole. Costs of levels 1 and 2 are below 2^31: a walk
 * takes CLP_MPI_LIST_ROUNDS * CLP_MPI_LIST_STEPS steps, and one more, at most. */
static inline bool clp_mpi_list_may_be_whole(int depth) {
    return depth <= 2;
}

/* Where walks go against the direction of the list, positions fall. */
static inline bool clp_mpi_list_is_backward(int depth) {
    return depth % 2 != 0;
}

#endif
