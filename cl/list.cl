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
#ifndef CLP_BATCH
#error "list.cl: CLP_BATCH, sublists that a work-item takes at once, is not set by the prelude"
#endif
#ifndef CLP_LEVELS
#error "list.cl: CLP_LEVELS, room for levels in the state, is not set by the prelude"
#endif

#define CLP_NONE ((CLP_INDEX)-1)
#define CLP_UNROLL _Pragma("unroll")

/* Links that end a path: the tail, and what leads nowhere. */
#define CLP_TAIL ((CLP_LINK)-1)
#define CLP_BROKEN ((CLP_LINK)-2)
#define CLP_VISITED ((CLP_LINK)-3)

/* Questions of the diagnosis, cl/list_fault.cl. */
#define CLP_QUESTIONS 9

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
} clp_list_level;

typedef struct {
    long heads[CLP_LEVELS]; /* the node that the path begins with, on each level; -1: none */
    uint sum[2]; /* of all links, low and high word */
    uint valid;
    uint found[CLP_QUESTIONS];
    uint taken[CLP_LEVELS]; /* batches of sublists given out beyond each work-item's first */
    uint passed[CLP_LEVELS]; /* CLP_STRIDEs of steps that long walks took */
} clp_list_state;

/* ---- Splitters ---- */

/* A bijection of [0, mask]: a shift by half the bits undoes itself, an odd factor an inverse. */
static inline CLP_INDEX clp_mix(CLP_INDEX x, const clp_list_level *level) {
    const CLP_INDEX mask = (CLP_INDEX)level->mask;
    const CLP_INDEX shift = (CLP_INDEX)level->shift;
    x &= mask;
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
    return x ^ x >> shift;
}

/* The node that a sublist begins with; at least count when there is no such node. */
static inline CLP_INDEX clp_first_node(CLP_INDEX id, CLP_LINK head, const clp_list_level *level) {
    const CLP_INDEX own = (CLP_INDEX)level->ids - 1;
    if (id < own) return clp_unmix(id, level);
    return clp_mix((CLP_INDEX)head, level) < own ? CLP_NONE : (CLP_INDEX)head;
}

/* ---- Shares ---- */

/* A group's share of all nodes is one piece, in which its lanes go side by side. */
static inline CLP_INDEX clp_share(CLP_INDEX count, CLP_INDEX *end) {
    const CLP_INDEX groups = (CLP_INDEX)get_num_groups(0);
    const CLP_INDEX rows = (count / groups + CLP_GROUP) / CLP_GROUP;
    const CLP_INDEX start = min((CLP_INDEX)get_group_id(0) * rows * CLP_GROUP, count);
    *end = start + min((CLP_INDEX)(rows * CLP_GROUP), (CLP_INDEX)(count - start));
    return start + (CLP_INDEX)get_local_id(0);
}

/* Sublists that a work-item took and has not begun. */
typedef struct {
    CLP_INDEX next;
    CLP_INDEX end;
} clp_batch;

static inline clp_batch clp_batch_of(CLP_INDEX number, CLP_INDEX ids) {
    const CLP_INDEX next = min((CLP_INDEX)(number * CLP_BATCH), ids);
    return (clp_batch){next, next + min((CLP_INDEX)CLP_BATCH, (CLP_INDEX)(ids - next))};
}

/* The next sublist, ids when all are taken. The counter is shared with all other work-items. */
static inline CLP_INDEX clp_take(clp_batch *batch, volatile global uint *taken, CLP_INDEX ids) {
    if (batch->next == batch->end && batch->end < ids) {
        *batch = clp_batch_of((CLP_INDEX)get_global_size(0) + atomic_inc(taken), ids);
    }
    return batch->next == batch->end ? ids : batch->next++;
}

/* ---- Head ---- */

CLP_KERNEL(1) void clp_list_begin(global clp_list_state *state, long head, ulong count) {
    state->heads[0] = head;
    state->sum[0] = 0;
    state->sum[1] = 0;
    state->valid = count == 0;
    for (uint i = 0; i < CLP_QUESTIONS; i++) state->found[i] = UINT_MAX;
    for (uint i = 0; i < CLP_LEVELS; i++) state->taken[i] = state->passed[i] = 0;
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
        const uint low = (uint)sum;
        /* Both words are shared with all other groups, and read by clp_list_find. */
        const uint before = atomic_add((volatile global uint *)&state->sum[0], low);
        const uint carry = before + low < before;
        atomic_add((volatile global uint *)&state->sum[1], (uint)(sum >> 32) + carry);
    }
}

/* The links of a valid list name all elements but head, and -1. */
CLP_KERNEL(1) void clp_list_find(global clp_list_state *state, ulong count) {
    const ulong sum = (ulong)state->sum[1] << 32 | state->sum[0];
    const ulong all = (count & 1) != 0 ? count * ((count - 1) / 2) : count / 2 * (count - 1);
    const ulong head = all - 1 - sum;
    state->heads[0] = head < count ? (long)head : -1;
}

/* ---- Ranking ---- */

#define CLP_STRIDE 512

/*
 * Whether a walk may go on after this number of steps, a power of two. All walks of a level take
 * as many steps as there are nodes; on a broken list they could run into one another and take far
 * more. The counter is shared with all other work-items; a lost race delays the end only.
 */
static inline bool clp_within(CLP_INDEX steps, volatile global uint *passed, CLP_INDEX count) {
    if (steps < 2 * CLP_STRIDE) return true;
    const uint strides = (uint)(steps / (2 * CLP_STRIDE));
    return atomic_add(passed, strides) <= count / CLP_STRIDE;
}

/* The link of the level above for a sublist that ended at `to`. */
static inline CLP_LINK clp_link_above(CLP_LINK to, const clp_list_level *level) {
    if (to == CLP_TAIL) return CLP_TAIL;
    const CLP_INDEX key = clp_mix((CLP_INDEX)to, level);
    const bool splitter = (CLP_INDEX)to < level->count && key < level->ids - 1;
    return splitter ? (CLP_LINK)key : CLP_BROKEN;
}

/* The level above as the walks of a level write it. */
typedef struct {
    global CLP_LINK *links;
    global CLP_LINK *weights;
    global CLP_PAIR *pairs;
} clp_list_above;

static inline void clp_close(const clp_list_above *above, CLP_INDEX id, CLP_LINK link,
                             CLP_INDEX weight) {
    above->links[id] = link;
    above->weights[id] = (CLP_LINK)weight;
    above->pairs[id] = (CLP_PAIR)(0, CLP_NONE);
}

/* Takes the next sublist that has a first node, and closes those taken that have none. */
static inline CLP_INDEX clp_open(clp_batch *batch, volatile global uint *taken, CLP_LINK head,
                                 const clp_list_level *level, const clp_list_above *above,
                                 CLP_INDEX *node) {
    const CLP_INDEX ids = (CLP_INDEX)level->ids;
    CLP_INDEX id = clp_take(batch, taken, ids);
    for (; id < ids; id = clp_take(batch, taken, ids)) {
        *node = clp_first_node(id, head, level);
        if (*node < level->count) return id;
        clp_close(above, id, CLP_TAIL, 0);
    }
    *node = 0;
    return id;
}

/*
 * Walks every sublist of a level. pairs: each node's place in its sublist and the sublist's id.
 * Writes the level above: link, weight and an empty pair for each id.
 * A cycle without a splitter is found as Brent does it: the walk remembers the node that it met
 * after 1, 2, 4, ... steps.
 */
CLP_KERNEL(CLP_GROUP)
void clp_list_walk(global const CLP_LINK *restrict links, global const CLP_LINK *restrict weights,
                   global CLP_PAIR *restrict pairs, global CLP_LINK *restrict links_above,
                   global CLP_LINK *restrict weights_above, global CLP_PAIR *restrict pairs_above,
                   global clp_list_state *state, const clp_list_level level) {
    const CLP_INDEX count = (CLP_INDEX)level.count;
    const CLP_INDEX ids = (CLP_INDEX)level.ids;
    const CLP_LINK head = (CLP_LINK)state->heads[level.number];
    const clp_list_above above = {links_above + level.above, weights_above + level.above,
                                  pairs_above + level.above};
    volatile global uint *taken = &state->taken[level.number];
    volatile global uint *passed = &state->passed[level.number];
    clp_batch batch = clp_batch_of((CLP_INDEX)get_global_id(0), ids);
    CLP_INDEX id[CLP_WALKS], node[CLP_WALKS], place[CLP_WALKS], steps[CLP_WALKS], due[CLP_WALKS];
    CLP_LINK met[CLP_WALKS], to[CLP_WALKS];
    bool busy = true;

    if (get_global_id(0) == 0) {
        const CLP_INDEX key = head < 0 ? CLP_NONE : clp_mix((CLP_INDEX)head, &level);
        state->heads[level.number + 1] = head < 0 ? -1 : (long)min(key, (CLP_INDEX)(ids - 1));
    }
    for (uint j = 0; j < CLP_WALKS; j++) {
        id[j] = clp_open(&batch, taken, head, &level, &above, &node[j]);
        place[j] = steps[j] = 0;
        due[j] = 1;
        met[j] = CLP_TAIL;
    }
    while (busy) {
        busy = false;
        /* All loads are under way before the first is needed. */
        CLP_UNROLL
        for (uint j = 0; j < CLP_WALKS; j++) to[j] = links[level.links_at + node[j]];
        CLP_UNROLL
        for (uint j = 0; j < CLP_WALKS; j++) {
            if (id[j] == ids) continue;
            busy = true;
            pairs[level.at + node[j]] = (CLP_PAIR)(place[j], id[j]);
            place[j] += level.number == 0 ? 1 : (CLP_INDEX)weights[level.at + node[j]];
            steps[j]++;
            bool on = (CLP_INDEX)to[j] < count && to[j] != met[j] &&
                      clp_mix((CLP_INDEX)to[j], &level) >= ids - 1;
            if (on && steps[j] == due[j]) {
                met[j] = to[j];
                due[j] *= 2;
                on = clp_within(steps[j], passed, count);
            }
            if (on) {
                node[j] = (CLP_INDEX)to[j];
                continue;
            }
            clp_close(&above, id[j], clp_link_above(to[j], &level), place[j]);
            id[j] = clp_open(&batch, taken, head, &level, &above, &node[j]);
            place[j] = steps[j] = 0;
            due[j] = 1;
            met[j] = CLP_TAIL;
        }
    }
}

/*
 * Ranks the last level: one group copies it to local memory, where one work-item walks it.
 * ranks: of level 0 the result, or zeros, which the diagnosis needs; above, weights: -1 for nodes
 * that head does not reach. total: nodes of the list itself.
 */
CLP_KERNEL(CLP_GROUP)
void clp_list_last(global const CLP_LINK *links, global const CLP_LINK *weights,
                   global CLP_LINK *ranks, ulong ranks_at, global clp_list_state *state,
                   const clp_list_level level, ulong total, local CLP_LINK *link,
                   local CLP_LINK *weight) {
    local uint valid;
    const CLP_INDEX count = (CLP_INDEX)level.count;
    const CLP_INDEX lane = (CLP_INDEX)get_local_id(0);
    for (CLP_INDEX i = lane; i < count; i += CLP_GROUP) {
        link[i] = links[level.links_at + i];
        weight[i] = level.number == 0 ? 1 : weights[level.at + i];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* link and weight written above, read below by work-item 0 */
    if (lane == 0) {
        CLP_LINK node = (CLP_LINK)state->heads[level.number];
        CLP_INDEX place = 0;
        while ((CLP_INDEX)node < count && link[node] != CLP_VISITED) {
            const CLP_LINK to = link[node];
            const CLP_INDEX next_place = place + (CLP_INDEX)weight[node];
            weight[node] = (CLP_LINK)place;
            link[node] = CLP_VISITED;
            place = next_place;
            node = to;
        }
        valid = node == CLP_TAIL && place == total;
        state->valid = valid;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* link, weight and valid written by work-item 0, read below */
    for (CLP_INDEX i = lane; i < count; i += CLP_GROUP) {
        const CLP_LINK rank = link[i] == CLP_VISITED ? weight[i] : CLP_TAIL;
        ranks[ranks_at + i] = level.number > 0 || valid ? rank : 0;
    }
}

/* Ranks the nodes of a level from the ranks of the level above, which stand in weights_above. */
CLP_KERNEL(CLP_GROUP)
void clp_list_spread(global const CLP_PAIR *restrict pairs,
                     global const CLP_LINK *restrict weights_above, global CLP_LINK *restrict ranks,
                     ulong ranks_at, global const clp_list_state *restrict state,
                     const clp_list_level level) {
    const bool wanted = level.number > 0 || state->valid;
    CLP_INDEX end;
    for (CLP_INDEX i = clp_share((CLP_INDEX)level.count, &end); i < end; i += CLP_GROUP) {
        CLP_LINK rank = 0;
        if (wanted) {
            const CLP_PAIR pair = pairs[level.at + i];
            rank = pair.y < level.ids ? weights_above[level.above + pair.y] : -1;
            rank = rank < 0 ? rank : rank + (CLP_LINK)pair.x;
        }
        ranks[ranks_at + i] = rank;
    }
}
