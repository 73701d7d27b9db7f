/* SPDX-License-Identifier: MIT */
/*
 * List ranking after Helman and JaJa. A bijective hash of the index chooses splitters. Each walk
 * starts at one splitter and ends at the next. The splitters form a shorter list with weights, and
 * the same kernels rank that list. The rank of an element is the rank of its sublist's splitter
 * plus its offset in the sublist.
 *
 * Invariants: every link is compared with the number of nodes before it is followed. The list is
 * valid if and only if the path from head ends at -1 after as many nodes as there are: a path that
 * ends visits no node twice.
 */

#define CLP_UNROLL _Pragma("unroll")
#define CLP_UNROLL_SOME _Pragma("unroll 8")

/* Independent loads in flight per work-item */
#define CLP_AT_ONCE 8

/* Links other than the tail that end a path */
#define CLP_BROKEN ((CLP_LINK)-2)
#define CLP_VISITED ((CLP_LINK)-3)

/* The diagnosis, cl/list/list_fault.cl: checks and stages */
#define CLP_CHECKS 9
#define CLP_STAGES 4

/* Walks with their own counters: one per level, and the second walk of level 0 */
#define CLP_WALKINGS (CLP_LEVELS + 1)

/* One level. Level 0 is the list itself; the splitters of a level are the nodes of the next. */
typedef struct {
    ulong count; /* nodes */
    ulong ids; /* nodes of the level above: one per sublist; the last starts at head */
    ulong links_at; /* first link in its buffer */
    ulong at; /* first pair and, above level 0, first weight */
    ulong above; /* first link, weight and pair of the level above */
    ulong number; /* 0 for the list itself */
    clp_hash hash; /* count <= mask + 1; on level 0 the seed of the first walk */
    ulong second_seed; /* of the second walk of level 0 */
    ulong stride; /* steps of a long walk that count as one */
    ulong retry_steps; /* retry threshold: a sublist of this length restarts the walk with the
                          second seed */
    ulong fixed; /* sublists per work-item that are assigned statically */
    ulong batch; /* sublists per dynamic batch */
} clp_list_level;

typedef struct {
    long heads[CLP_LEVELS]; /* first node of the path on each level; -1: none */
    uint sum[2]; /* of all links: low and high word */
    uint valid;
    uint again; /* nonzero: level 0 is walked again, with the second seed */
    uint overflow; /* walk overflow: walks took more steps or log columns than any valid list needs
                    */
    uint found[CLP_CHECKS];
    uint tickets; /* work-groups of the diagnosis that have started */
    uint done[CLP_STAGES]; /* and those that have finished, per stage */
    uint taken[CLP_WALKINGS]; /* dynamic batches taken, per walk */
    uint passed[CLP_WALKINGS]; /* strides of long walks, per walk */
    uint used[2]; /* columns, or sublists without a splitter, of the two walks of level 0 */
} clp_list_state;

typedef char clp_level_is_the_hosts[sizeof(clp_list_level) == CLP_LEVEL_BYTES ? 1 : -1];
typedef char clp_state_fits_its_buffer[sizeof(clp_list_state) <= CLP_STATE_BYTES ? 1 : -1];

/* ---- Splitters ---- */

/* The level with the seed of the walk that succeeded. */
static inline clp_list_level clp_as_walked(clp_list_level level,
                                           global const clp_list_state *state) {
    if (level.number == 0 && state->again) level.hash.seed = level.second_seed;
    return level;
}

/* Returns the first node of a sublist; at least `count` if there is none. */
static inline CLP_INDEX clp_first_node(CLP_INDEX id, CLP_LINK head, const clp_list_level *level) {
    const CLP_INDEX own = (CLP_INDEX)level->ids - 1;
    if (id < own) return clp_unmix(id, &level->hash);
    return clp_mix((CLP_INDEX)head, &level->hash) < own ? CLP_NONE : (CLP_INDEX)head;
}

/* ---- Work distribution ---- */

/* Sublists assigned to a work-item and not yet walked. Statically assigned sublists are
 * interleaved, so that neighbours are walked at the same time and share cache lines. */
typedef struct {
    CLP_INDEX next;
    CLP_INDEX end;
    CLP_INDEX stride;
} clp_batch;

/* The sublists that are statically assigned to this work-item. */
static inline clp_batch clp_fixed_batch(const clp_list_level *level) {
    const CLP_INDEX lanes = (CLP_INDEX)get_global_size(0);
    const CLP_INDEX end = min((CLP_INDEX)level->fixed * lanes, (CLP_INDEX)level->ids);
    return (clp_batch){(CLP_INDEX)get_global_id(0), end, lanes};
}

/* Returns the next sublist; `ids` when all are taken. */
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

/* Initializes the state of a run. One work-group calls it. */
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
