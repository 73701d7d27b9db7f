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
#ifndef CLP_LINK
#error "list.cl: CLP_LINK, a signed integer type, is not set by the prelude"
#endif
#ifndef CLP_INDEX
#error "list.cl: CLP_INDEX, CLP_LINK's unsigned twin, is not set by the prelude"
#endif
#ifndef CLP_PAIR
#error "list.cl: CLP_PAIR, the vector of two CLP_INDEX, is not set by the prelude"
#endif
#ifndef CLP_GROUP
#error "list.cl: CLP_GROUP, work-items of a group, is not set by the prelude"
#endif
#ifndef CLP_WALKS
#error "list.cl: CLP_WALKS, sublists that a work-item walks at once, is not set by the prelude"
#endif
#ifndef CLP_LEVELS
#error "list.cl: CLP_LEVELS, room for levels in the state, is not set by the prelude"
#endif

#define CLP_NONE ((CLP_INDEX)-1)
#define CLP_UNROLL _Pragma("unroll")
#define CLP_UNROLL_SOME _Pragma("unroll 8")

/* Elements whose loads are under way together. */
#define CLP_AT_ONCE 8

/* Links that end a path: the tail, and what leads nowhere. */
#define CLP_TAIL ((CLP_LINK)-1)
#define CLP_BROKEN ((CLP_LINK)-2)
#define CLP_VISITED ((CLP_LINK)-3)

/* Questions of the diagnosis, cl/list_fault.cl. */
#define CLP_QUESTIONS 9
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
    ulong mask; /* of the hash, one below a power of two; count <= mask + 1 */
    ulong shift; /* of the hash, half its bits, rounded up */
    ulong number; /* 0 for the list itself */
    ulong seed; /* of the hash; on level 0, of the first walk */
    ulong second_seed; /* of level 0's second walk */
    ulong stride; /* steps of a long walk that are counted as one */
    ulong patience; /* steps after which a sublist shows that the list defeats the hash */
    ulong fixed; /* sublists that each work-item is given before it asks for more */
    ulong batch; /* sublists that it then takes at once */
} clp_list_level;

typedef struct {
    long heads[CLP_LEVELS]; /* the node that the path begins with, on each level; -1: none */
    uint sum[2]; /* of all links, low and high word */
    uint valid;
    uint again; /* level 0 was walked a second time, with the second seed */
    uint spoiled; /* walks took more steps or room than any list needs */
    uint found[CLP_QUESTIONS];
    uint tickets; /* groups of the diagnosis that have begun */
    uint done[CLP_STAGES]; /* and those that have ended, by stage */
    uint taken[CLP_WALKINGS]; /* batches of sublists given out beyond the fixed ones */
    uint passed[CLP_WALKINGS]; /* strides that long walks took */
    uint used[2]; /* columns, or sublists without a splitter, of level 0's first and second walk */
} clp_list_state;

/* ---- Splitters ---- */

/* A bijection of [0, mask]: a shift by half the bits undoes itself, an odd factor an inverse. */
static inline CLP_INDEX clp_mix(CLP_INDEX x, const clp_list_level *level) {
    const CLP_INDEX mask = (CLP_INDEX)level->mask;
    const CLP_INDEX shift = (CLP_INDEX)level->shift;
    x = (x ^ (CLP_INDEX)level->seed) & mask;
    x ^= x >> shift;
    x = x * (CLP_INDEX)0x9e3779b97f4a7c15ul & mask;
    x ^= x >> shift;
    x = x * (CLP_INDEX)0xbf58476d1ce4e5b9ul & mask;
    return x ^ x >> shift;
}

static inline CLP_INDEX clp_unmix(CLP_INDEX x, const clp_list_level *level) {
    const CLP_INDEX mask = (CLP_INDEX)level->mask;
    const CLP_INDEX shift = (CLP_INDEX)level->shift;
    x ^= x >> shift;
    x = x * (CLP_INDEX)0x96de1b173f119089ul & mask;
    x ^= x >> shift;
    x = x * (CLP_INDEX)0xf1de83e19937733dul & mask;
    return (x ^ x >> shift ^ (CLP_INDEX)level->seed) & mask;
}

/* The level with the seed that its sublists were walked with. */
static inline clp_list_level clp_as_walked(clp_list_level level,
                                           global const clp_list_state *state) {
    if (level.number == 0 && state->again) level.seed = level.second_seed;
    return level;
}

/* The node that a sublist begins with; at least count when there is no such node. */
static inline CLP_INDEX clp_first_node(CLP_INDEX id, CLP_LINK head, const clp_list_level *level) {
    const CLP_INDEX own = (CLP_INDEX)level->ids - 1;
    if (id < own) return clp_unmix(id, level);
    return clp_mix((CLP_INDEX)head, level) < own ? CLP_NONE : (CLP_INDEX)head;
}

/* ---- Shares ---- */

/* A group's share of all nodes is one of as many pieces, in which its lanes go side by side. */
static inline CLP_INDEX clp_share_of(CLP_INDEX count, uint piece, uint pieces, CLP_INDEX *end) {
    const CLP_INDEX group = (CLP_INDEX)get_local_size(0);
    const CLP_INDEX rows = (count / pieces + group) / group;
    const CLP_INDEX start = min((CLP_INDEX)piece * rows * group, count);
    *end = start + min((CLP_INDEX)(rows * group), (CLP_INDEX)(count - start));
    return start + (CLP_INDEX)get_local_id(0);
}

static inline CLP_INDEX clp_share(CLP_INDEX count, CLP_INDEX *end) {
    return clp_share_of(count, (uint)get_group_id(0), (uint)get_num_groups(0), end);
}

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

/* The next sublist, ids when all are taken. The counter is shared with all other work-items. */
static inline CLP_INDEX clp_take(clp_batch *batch, volatile global uint *taken,
                                 const clp_list_level *level) {
    const CLP_INDEX ids = (CLP_INDEX)level->ids;
    if (batch->next >= batch->end && batch->end < ids) {
        const CLP_INDEX size = (CLP_INDEX)level->batch;
        const CLP_INDEX given = (CLP_INDEX)level->fixed * (CLP_INDEX)get_global_size(0);
        const CLP_INDEX number = atomic_inc(taken);
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
        state->again = state->spoiled = 0;
        state->used[0] = state->used[1] = state->tickets = 0;
    }
    for (uint i = lane; i < CLP_STAGES; i += lanes) state->done[i] = 0;
    for (uint i = lane; i < CLP_QUESTIONS; i += lanes) state->found[i] = UINT_MAX;
    for (uint i = lane; i < CLP_WALKINGS; i += lanes) state->taken[i] = state->passed[i] = 0;
}

CLP_KERNEL(CLP_GROUP) void clp_list_begin(global clp_list_state *state, long head, ulong count) {
    clp_start(state, head, count);
}

/* Adds to a sum of two words, global or local ones, which other work-items add to as well. */
#define CLP_ADD_SUM(words, sum)                                                                    \
    {                                                                                              \
        const uint low = (uint)(sum);                                                              \
        const uint before = atomic_add(&(words)[0], low);                                          \
        atomic_add(&(words)[1], (uint)((sum) >> 32) + (before + low < before));                    \
    }

/* The links of a valid list name all elements but head, and -1; of others, perhaps none is left. */
static inline long clp_head_of(uint low, uint high, ulong count) {
    const ulong sum = (ulong)high << 32 | low;
    const ulong all = (count & 1) != 0 ? count * ((count - 1) / 2) : count / 2 * (count - 1);
    const ulong head = all - 1 - sum;
    return head < count ? (long)head : -1;
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

/* ---- Walking ---- */

/* What the walks of a level share, and how they stop one another. */
typedef struct {
    global clp_list_state *state;
    volatile global uint *taken;
    volatile global uint *passed;
} clp_list_walking;

static inline clp_list_walking clp_walking(global clp_list_state *state,
                                           const clp_list_level *level, uint attempt) {
    const uint number = attempt == 0 ? (uint)level->number : CLP_LEVELS;
    return (clp_list_walking){state, &state->taken[number], &state->passed[number]};
}

/* Sets a flag of the state, which other work-items set as well, and stops all walks of the level:
 * nobody takes another sublist. */
static inline void clp_give_up(const clp_list_walking *walking, global uint *flag) {
    atomic_or((volatile global uint *)flag, 1u);
    atomic_max(walking->taken, 0x40000000u);
}

/*
 * Whether a walk may go on after this number of steps, a power of two. All walks of a level take
 * as many steps as there are nodes; on a broken list they could run into one another and take far
 * more. The counter is shared with all other work-items; a lost race delays the end only.
 * A good hash leaves no sublist as long as the level's patience: the list is walked again.
 */
static inline bool clp_within(CLP_INDEX steps, const clp_list_walking *walking,
                              const clp_list_level *level) {
    if (steps < 2 * level->stride) return true;
    const uint strides = (uint)(steps / (2 * level->stride));
    if (steps >= level->patience) {
        clp_give_up(walking, &walking->state->again);
    } else if (atomic_add(walking->passed, strides) > level->count / level->stride) {
        clp_give_up(walking, &walking->state->spoiled);
    } else {
        return true;
    }
    return false;
}

/* A walk of one sublist. A cycle without a splitter is found as Brent does it: the walk remembers
 * the node that it met after 1, 2, 4, ... steps. */
typedef struct {
    CLP_INDEX id; /* ids: none is left */
    CLP_INDEX node;
    CLP_INDEX place; /* of the node in the sublist */
    CLP_INDEX steps;
    CLP_INDEX due; /* when to remember the next node */
    CLP_LINK met;
} clp_list_walker;

/* Whether the walk goes on to the node `to`, a step further. */
static inline bool clp_goes_on(clp_list_walker *walker, CLP_LINK to,
                               const clp_list_walking *walking, const clp_list_level *level) {
    walker->steps++;
    if ((CLP_INDEX)to >= level->count || to == walker->met) return false;
    if (clp_mix((CLP_INDEX)to, level) < level->ids - 1) return false;
    if (walker->steps != walker->due) return true;
    walker->met = to;
    walker->due *= 2;
    return clp_within(walker->steps, walking, level);
}

/* The link of the level above for a sublist that ended at `to`. */
static inline CLP_LINK clp_link_above(CLP_LINK to, const clp_list_level *level) {
    if (to == CLP_TAIL) return CLP_TAIL;
    const CLP_INDEX key = clp_mix((CLP_INDEX)to, level);
    const bool splitter = (CLP_INDEX)to < level->count && key < level->ids - 1;
    return splitter ? (CLP_LINK)key : CLP_BROKEN;
}

/* A sublist is a node of the level above, with a link and a weight. */
static inline void clp_close(global CLP_PAIR *above, CLP_INDEX id, CLP_LINK link,
                             CLP_INDEX weight) {
    above[id] = (CLP_PAIR)((CLP_INDEX)link, weight);
}

/* Whatever nodes of the level above no walk there reaches have empty pairs. */
static inline void clp_empty_pairs(global CLP_PAIR *pairs_above, const clp_list_level *level,
                                   ulong count) {
    pairs_above += level->above;
    for (ulong i = get_global_id(0); i < count; i += get_global_size(0)) {
        pairs_above[i] = (CLP_PAIR)(0, CLP_NONE);
    }
}

/* Takes the next sublist that has a first node, and closes those taken that have none. */
static inline clp_list_walker clp_open(clp_batch *batch, const clp_list_walking *walking,
                                       CLP_LINK head, const clp_list_level *level,
                                       global CLP_PAIR *above) {
    const CLP_INDEX ids = (CLP_INDEX)level->ids;
    CLP_INDEX id = clp_take(batch, walking->taken, level);
    for (; id < ids; id = clp_take(batch, walking->taken, level)) {
        const CLP_INDEX node = clp_first_node(id, head, level);
        if (node < level->count) return (clp_list_walker){id, node, 0, 0, 1, CLP_TAIL};
        clp_close(above, id, CLP_TAIL, 0);
    }
    return (clp_list_walker){ids, 0, 0, 0, 1, CLP_TAIL};
}

/* Tells the level above with which of its nodes the path begins; one work-item does it. */
static inline void clp_lead_on(global clp_list_state *state, CLP_LINK head,
                               const clp_list_level *level) {
    const CLP_INDEX key = head < 0 ? CLP_NONE : clp_mix((CLP_INDEX)head, level);
    state->heads[level->number + 1] = head < 0 ? -1 : (long)min(key, (CLP_INDEX)(level->ids - 1));
}

/*
 * Walks every sublist of a level. links: of level 0; nodes: links with weights of other levels.
 * pairs: each node's place in its sublist and the sublist's id. Writes the level above.
 * The second attempt at level 0 is for lists that the first has given up.
 */
CLP_KERNEL(CLP_GROUP)
void clp_list_walk(global const CLP_LINK *restrict links, global const CLP_PAIR *restrict nodes,
                   global CLP_PAIR *restrict pairs, global CLP_PAIR *restrict nodes_above,
                   global CLP_PAIR *restrict pairs_above, global clp_list_state *state,
                   const clp_list_level level, uint attempt) {
    if (attempt > 0 && !state->again) return;
    const CLP_INDEX ids = (CLP_INDEX)level.ids;
    const CLP_LINK head = (CLP_LINK)state->heads[level.number];
    global CLP_PAIR *above = nodes_above + level.above;
    const clp_list_walking walking = clp_walking(state, &level, attempt);
    clp_batch batch = clp_fixed_batch(&level);
    clp_list_walker walkers[CLP_WALKS];
    CLP_PAIR to[CLP_WALKS];
    bool busy = true;

    if (get_global_id(0) == 0) clp_lead_on(state, head, &level);
    clp_empty_pairs(pairs_above, &level, ids);
    for (uint j = 0; j < CLP_WALKS; j++) {
        walkers[j] = clp_open(&batch, &walking, head, &level, above);
    }
    while (busy) {
        busy = false;
        /* All loads are under way before the first is needed. */
        CLP_UNROLL
        for (uint j = 0; j < CLP_WALKS; j++) {
            const CLP_INDEX i = (CLP_INDEX)level.links_at + walkers[j].node;
            to[j] = level.number == 0 ? (CLP_PAIR)((CLP_INDEX)links[i], 1) : nodes[i];
        }
        CLP_UNROLL
        for (uint j = 0; j < CLP_WALKS; j++) {
            if (walkers[j].id == ids) continue;
            busy = true;
            pairs[level.at + walkers[j].node] = (CLP_PAIR)(walkers[j].place, walkers[j].id);
            walkers[j].place += to[j].y;
            if (clp_goes_on(&walkers[j], (CLP_LINK)to[j].x, &walking, &level)) {
                walkers[j].node = to[j].x;
                continue;
            }
            clp_close(above, walkers[j].id, clp_link_above((CLP_LINK)to[j].x, &level),
                      walkers[j].place);
            walkers[j] = clp_open(&batch, &walking, head, &level, above);
        }
    }
}

/* ---- Spreading ---- */

/* Writes a result: an element's rank, or the element of a rank. */
static inline void clp_write(global CLP_LINK *out, CLP_INDEX element, CLP_INDEX rank,
                             uint as_order) {
    out[as_order ? rank : element] = (CLP_LINK)(as_order ? element : rank);
}

/* The diagnosis of a list that is none begins with zeros. */
static inline void clp_write_zeros(global CLP_LINK *out, CLP_INDEX count) {
    CLP_INDEX end;
    const CLP_INDEX group = (CLP_INDEX)get_local_size(0);
    for (CLP_INDEX i = clp_share(count, &end); i < end; i += group) out[i] = 0;
}

/* Ranks the nodes of a level from the ranks of the level above; unreached ones get -1. out: of
 * level 0 the result. */
CLP_KERNEL(CLP_GROUP)
void clp_list_spread(global const CLP_PAIR *restrict pairs,
                     global const CLP_LINK *restrict ranks_above, global CLP_LINK *restrict out,
                     ulong out_at, global const clp_list_state *restrict state,
                     const clp_list_level level, uint as_order) {
    const CLP_INDEX count = (CLP_INDEX)level.count;
    CLP_INDEX end;
    if (level.number == 0 && !state->valid) {
        clp_write_zeros(out + out_at, count);
        return;
    }
    for (CLP_INDEX i = clp_share(count, &end); i < end; i += CLP_AT_ONCE * CLP_GROUP) {
        CLP_PAIR pair[CLP_AT_ONCE];
        CLP_LINK rank[CLP_AT_ONCE];
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++) {
            pair[j] = pairs[level.at + min((CLP_INDEX)(i + j * CLP_GROUP), (CLP_INDEX)(end - 1))];
        }
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++) {
            rank[j] = pair[j].y < level.ids ? ranks_above[level.above + pair[j].y] : -1;
        }
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++) {
            const CLP_LINK own = rank[j] < 0 ? rank[j] : rank[j] + (CLP_LINK)pair[j].x;
            const CLP_INDEX node = i + j * CLP_GROUP;
            if (node < end) clp_write(out + out_at, node, (CLP_INDEX)own, as_order);
        }
    }
}
