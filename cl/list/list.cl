/* SPDX-License-Identifier: MIT */
/*
 * List ranking after Helman and JaJa: a bijective hash of the index chooses splitters, each lane
 * walks from one splitter to the next, the splitters form a shorter list with weights, and the
 * same kernels rank that list. An element is ranked by its place in its sublist and the rank of
 * its sublist's splitter.
 *
 * Invariants: every link is compared with the number of nodes before it is followed. The list is
 * valid exactly if the path from head ends at -1 after as many nodes as there are: a path that
 * ends repeats no node.
 */
#ifndef CLP_PAIR
#error "list.cl: CLP_PAIR, the vector of two CLP_INDEX, is not set by the prelude"
#endif
#ifndef CLP_GROUP
#error "list.cl: CLP_GROUP, work-items of a group, is not set by the prelude"
#endif
#ifndef CLP_STATE_BYTES
#error "list.cl: CLP_STATE_BYTES, what the host allocates for the state, is not set by the prelude"
#endif
#ifndef CLP_LEVEL_BYTES
#error "list.cl: CLP_LEVEL_BYTES, of the host's clp_list_level, is not set by the prelude"
#endif
#ifndef CLP_LEVELS
#error "list.cl: CLP_LEVELS, room for levels in the state, is not set by the prelude"
#endif

#define CLP_UNROLL _Pragma("unroll")
#define CLP_UNROLL_SOME _Pragma("unroll 8")

/* Elements whose loads are under way together. */
#define CLP_AT_ONCE 8

/* Links that end a path besides the tail, since they lead nowhere. */
#define CLP_BROKEN ((CLP_LINK)-2)
#define CLP_VISITED ((CLP_LINK)-3)

/* Questions of the diagnosis, cl/list/list_fault.cl. */
#define CLP_CHECKS 9
#define CLP_STAGES 4

/* Walks that have counters of their own: one for each level, and level 0's second one. */
#define CLP_WALKINGS (CLP_LEVELS + 1)

/* One level: the list itself is level 0, the splitters of a level are the nodes of the next. */
typedef struct {
    ulong count; /* nodes */
    ulong ids; /* nodes of the level above: one for each sublist, the last for head's own */
    ulong links_at; /* where the links begin in their buffer */
    ulong at; /* where pairs, and on upper levels weights, begin */
    ulong above; /* where links, weights and pairs of the level above begin */
    ulong number; /* 0 for the list itself */
    clp_hash hash; /* count <= its mask + 1; its seed is, on level 0, that of the first walk */
    ulong second_seed; /* of level 0's second walk */
    ulong stride; /* steps of a long walk that are counted as one */
    ulong retry_steps; /* steps after which a sublist shows that the list defeats the hash */
    ulong fixed; /* sublists that each work-item is given before it asks for more */
    ulong batch; /* sublists that it then takes at once */
} clp_list_level;

typedef struct {
    long heads[CLP_LEVELS]; /* the node that the path begins with, on each level; -1: none */
    uint sum[2]; /* of all links, low and high word */
    uint valid;
    uint again; /* level 0 was walked a second time, with the second seed */
    uint overflow; /* walks took more steps or room than any list needs */
    uint found[CLP_CHECKS];
    uint tickets; /* groups of the diagnosis that have begun */
    uint done[CLP_STAGES]; /* and those that have ended, by stage */
    uint taken[CLP_WALKINGS]; /* batches of sublists given out beyond the fixed ones */
    uint passed[CLP_WALKINGS]; /* strides that long walks took */
    uint used[2]; /* columns, or sublists without a splitter, of level 0's first and second walk */
} clp_list_state;

typedef char clp_level_is_the_hosts[sizeof(clp_list_level) == CLP_LEVEL_BYTES ? 1 : -1];
typedef char clp_state_fits_its_buffer[sizeof(clp_list_state) <= CLP_STATE_BYTES ? 1 : -1];

/* ---- Splitters ---- */

/* The level with the seed that its sublists were walked with. */
static inline clp_list_level clp_as_walked(clp_list_level level,
                                           global const clp_list_state *state) {
    if (level.number == 0 && state->again) level.hash.seed = level.second_seed;
    return level;
}

/* The node that a sublist begins with; at least count when there is no such node. */
static inline CLP_INDEX clp_first_node(CLP_INDEX id, CLP_LINK head, const clp_list_level *level) {
    const CLP_INDEX own = (CLP_INDEX)level->ids - 1;
    if (id < own) return clp_unmix(id, &level->hash);
    return clp_mix((CLP_INDEX)head, &level->hash) < own ? CLP_NONE : (CLP_INDEX)head;
}

/* ---- Shares ---- */

/* Sublists that a work-item took and has not begun. Those given beforehand lie as far apart as
 * there are work-items, so that at any time neighbours are walked, whose results share cache lines.
 */
typedef struct {
    CLP_INDEX next;
    CLP_INDEX end;
    CLP_INDEX stride;
} clp_batch;

/* The sublists that this work-item is given beforehand. */
static inline clp_batch clp_fixed_batch(const clp_list_level *level) {
    const CLP_INDEX lanes = (CLP_INDEX)get_global_size(0);
    const CLP_INDEX end = min((CLP_INDEX)level->fixed * lanes, (CLP_INDEX)level->ids);
    return (clp_batch){(CLP_INDEX)get_global_id(0), end, lanes};
}

/* The next sublist, ids when all are taken. */
static inline CLP_INDEX clp_take(clp_batch *batch, volatile global uint *taken,
                                 const clp_list_level *level) {
    const CLP_INDEX ids = (CLP_INDEX)level->ids;
    if (batch->next >= batch->end && batch->end < ids) {
        const CLP_INDEX size = (CLP_INDEX)level->batch;
        const CLP_INDEX given = (CLP_INDEX)level->fixed * (CLP_INDEX)get_global_size(0);
        const CLP_INDEX number = atomic_inc(taken); /* with itself, and clp_give_up */
        const CLP_INDEX most = (ids - given) / size + 1;
        batch->next = number < most ? min(given + number * size, ids) : ids;
        batch->end = min(batch->next + size, ids);
        batch->stride = 1;
    }
    const CLP_INDEX id = batch->next;
    batch->next += batch->stride;
    return id < batch->end ? id : ids;
}

/* ---- Head ---- */

/* The state before a run, written by one group. */
static inline void clp_start(global clp_list_state *state, long head, ulong count) {
    const uint lane = (uint)get_local_id(0), lanes = (uint)get_local_size(0);
    if (lane == 0) {
        state->heads[0] = head;
        state->sum[0] = state->sum[1] = 0;
        state->valid = count == 0;
        state->again = state->overflow = 0;
        state->used[0] = state->used[1] = state->tickets = 0;
    }
    for (uint i = lane; i < CLP_STAGES; i += lanes) state->done[i] = 0;
    for (uint i = lane; i < CLP_CHECKS; i += lanes) state->found[i] = UINT_MAX;
    for (uint i = lane; i < CLP_WALKINGS; i += lanes) state->taken[i] = state->passed[i] = 0;
}

CLP_KERNEL(CLP_GROUP) void clp_list_begin(global clp_list_state *state, long head, ulong count) {
    clp_start(state, head, count);
}

CLP_KERNEL(CLP_GROUP)
void clp_list_sum(global const CLP_LINK *restrict links, global clp_list_state *state,
                  const clp_list_level level) {
    local ulong sums[CLP_GROUP];
    CLP_INDEX end;
    ulong sum = 0;
    for (CLP_INDEX i = clp_share((CLP_INDEX)level.count, &end); i < end; i += CLP_GROUP) {
        sum += (ulong)(long)links[level.links_at + i];
    }
    sums[get_local_id(0)] = sum;
    barrier(CLK_LOCAL_MEM_FENCE); /* sums written above, read below by work-item 0 */
    if (get_local_id(0) == 0) {
        for (uint i = 1; i < CLP_GROUP; i++) sum += sums[i];
        /* Shared with all other groups, and read by clp_list_find. */
        CLP_ADD_SUM(state->sum, sum)
    }
}

CLP_KERNEL(1) void clp_list_find(global clp_list_state *state, ulong count) {
    state->heads[0] = clp_head_of(state->sum[0], state->sum[1], count);
}
