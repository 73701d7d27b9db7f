/* SPDX-License-Identifier: MIT */
/* The walk of a level's sublists, in a form for every level: what a node needs to know is noted at
 * the node, as a pair; and the way back down, from the ranks of sublists to those of nodes. */
#ifndef CLP_WALKS
#error "list_walk.cl: CLP_WALKS, sublists that a work-item walks at once, is not set by the prelude"
#endif

/* What the walks of a level share, and how they stop one another. */
typedef struct {
    global clp_list_state *state;
    volatile global uint *taken;
    volatile global uint *passed;
} clp_list_walking;

static inline clp_list_walking clp_walking(global clp_list_state *state,
                                           const clp_list_level *level, uint attempt) {
    const uint number = attempt == 0 ? (uint)level->number : CLP_LEVELS;
    CLP_ASSERT(level->number + 1 < CLP_LEVELS && (level->count == 0 || level->ids > 0));
    return (clp_list_walking){state, &state->taken[number], &state->passed[number]};
}

/* Sets a flag of the state and stops all walks of the level: nobody takes another sublist. */
static inline void clp_give_up(const clp_list_walking *walking, global uint *flag) {
    atomic_or((volatile global uint *)flag, 1u); /* with itself; read by later kernels */
    atomic_max(walking->taken, 0x40000000u); /* with clp_take */
}

/*
 * Whether a walk may go on after this number of steps, a power of two. All walks of a level take
 * as many steps as there are nodes; on a broken list they could run into one another and take far
 * more. A lost race delays the end only. A good hash leaves no sublist as long as the level's
 * retry_steps: the list is walked again.
 */
static inline bool clp_within(CLP_INDEX steps, const clp_list_walking *walking,
                              const clp_list_level *level) {
    if (steps < 2 * level->stride) return true;
    const uint strides = (uint)(steps / (2 * level->stride));
    global clp_list_state *state = walking->state;
    if (steps >= level->retry_steps) {
        clp_give_up(walking, &state->again);
        return false;
    }
    /* With itself, in all other walks of the level. */
    const bool within = atomic_add(walking->passed, strides) <= level->count / level->stride;
    if (!within) clp_give_up(walking, &state->overflow);
    return within;
}

/* A walk of one sublist. A cycle without a splitter is found as Brent does it: the walk remembers
 * the node that it met after 1, 2, 4, ... steps. */
typedef struct {
    CLP_INDEX id; /* ids: none is left */
    CLP_INDEX node;
    CLP_INDEX offset; /* of the node in the sublist */
    CLP_INDEX steps;
    CLP_INDEX due; /* when to remember the next node */
    CLP_LINK met;
} clp_list_walker;

/* Whether the walk goes on to the node `to`, a step further. */
static inline bool clp_goes_on(clp_list_walker *walker, CLP_LINK to,
                               const clp_list_walking *walking, const clp_list_level *level) {
    walker->steps++;
    if ((CLP_INDEX)to >= level->count || to == walker->met) return false;
    if (clp_mix((CLP_INDEX)to, &level->hash) < level->ids - 1) return false;
    if (walker->steps != walker->due) return true;
    walker->met = to;
    walker->due *= 2;
    return clp_within(walker->steps, walking, level);
}

/* The link of the level above for a sublist that ended at `to`. */
static inline CLP_LINK clp_link_above(CLP_LINK to, const clp_list_level *level) {
    if (to == CLP_TAIL) return CLP_TAIL;
    const CLP_INDEX key = clp_mix((CLP_INDEX)to, &level->hash);
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
static inline void clp_set_head_above(global clp_list_state *state, CLP_LINK head,
                                      const clp_list_level *level) {
    const CLP_INDEX key = head < 0 ? CLP_NONE : clp_mix((CLP_INDEX)head, &level->hash);
    state->heads[level->number + 1] = head < 0 ? -1 : (long)min(key, (CLP_INDEX)(level->ids - 1));
}

/*
 * Walks every sublist of a level. links: of level 0; nodes: links with weights of other levels.
 * pairs: each node's offset in its sublist and the sublist's id. Writes the level above.
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

    if (get_global_id(0) == 0) clp_set_head_above(state, head, &level);
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
            pairs[level.at + walkers[j].node] = (CLP_PAIR)(walkers[j].offset, walkers[j].id);
            walkers[j].offset += to[j].y;
            if (clp_goes_on(&walkers[j], (CLP_LINK)to[j].x, &walking, &level)) {
                walkers[j].node = to[j].x;
                continue;
            }
            clp_close(above, walkers[j].id, clp_link_above((CLP_LINK)to[j].x, &level),
                      walkers[j].offset);
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
void clp_list_expand(global const CLP_PAIR *restrict pairs,
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
