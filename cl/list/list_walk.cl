/* SPDX-License-Identifier: MIT */
/* Walks the sublists of a level with one pair per node (its offset and its sublist), which works
 * for every level. Then expands the ranks of the sublists to the ranks of the nodes. */

/* Counters that the walks of a level share, and through which one walk stops all others. */
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

/* Sets a flag of the state and stops all walks of the level: no work-item takes another sublist. */
static inline void clp_give_up(const clp_list_walking *walking, global uint *flag) {
    atomic_or((volatile global uint *)flag, 1u); /* races with itself; later kernels read it */
    atomic_max(walking->taken, 0x40000000u); /* races with clp_take */
}

/*
 * Returns whether a walk may continue after this number of steps, a power of two. On a valid list
 * all walks of a level together take as many steps as there are nodes. On a malformed list, walks
 * can run into each other and take far more; the count of strides bounds them. A lost race only
 * delays the end. A sublist that reaches the retry threshold means that the list defeats the hash:
 * level 0 is walked again with the second seed.
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
    /* Races with itself, in all other walks of the level. */
    const bool within = atomic_add(walking->passed, strides) <= level->count / level->stride;
    if (!within) clp_give_up(walking, &state->overflow);
    return within;
}

/* A walk of one sublist. Brent's algorithm finds a cycle without a splitter: the walk remembers the
 * node that it met after 1, 2, 4, ... steps. */
typedef struct {
    CLP_INDEX id; /* ids: no sublist is left */
    CLP_INDEX node;
    CLP_INDEX offset; /* of the node in the sublist */
    CLP_INDEX steps;
    CLP_INDEX due; /* step at which it remembers the next node */
    CLP_LINK met;
} clp_list_walker;

/* Counts a step and returns whether the walk continues at the node `to`. */
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

/* Returns the link of the level above for a sublist that ended at `to`. */
static inline CLP_LINK clp_link_above(CLP_LINK to, const clp_list_level *level) {
    if (to == CLP_TAIL) return CLP_TAIL;
    const CLP_INDEX key = clp_mix((CLP_INDEX)to, &level->hash);
    const bool splitter = (CLP_INDEX)to < level->count && key < level->ids - 1;
    return splitter ? (CLP_LINK)key : CLP_BROKEN;
}

/* Writes a sublist as a node of the level above, with its link and weight. */
static inline void clp_close(global CLP_PAIR *above, CLP_INDEX id, CLP_LINK link,
                             CLP_INDEX weight) {
    above[id] = (CLP_PAIR)((CLP_INDEX)link, weight);
}

/* Clears the pairs of the level above: nodes that no walk reaches keep an empty pair. */
static inline void clp_empty_pairs(global CLP_PAIR *pairs_above, const clp_list_level *level,
                                   ulong count) {
    pairs_above += level->above;
    for (ulong i = get_global_id(0); i < count; i += get_global_size(0)) {
        pairs_above[i] = (CLP_PAIR)(0, CLP_NONE);
    }
}

/* Takes the next sublist that has a first node. Closes those before it, which have none. */
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

/* Sets the first node of the path on the level above. One work-item calls it. */
static inline void clp_set_head_above(global clp_list_state *state, CLP_LINK head,
                                      const clp_list_level *level) {
    const CLP_INDEX key = head < 0 ? CLP_NONE : clp_mix((CLP_INDEX)head, &level->hash);
    state->heads[level->number + 1] = head < 0 ? -1 : (long)min(key, (CLP_INDEX)(level->ids - 1));
}

/*
 * Walks every sublist of a level and writes the level above. links: of level 0. nodes: links and
 * weights of the other levels. pairs: the offset of each node and its sublist. The second attempt
 * at level 0 runs only if the first one set `again`.
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
        /* Issue all loads before the first one is used. */
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

/* ---- Expanding ---- */

/* Writes a result: rank by element, or element by rank. */
static inline void clp_write(global CLP_LINK *out, CLP_INDEX element, CLP_INDEX rank,
                             uint as_order) {
    out[as_order ? rank : element] = (CLP_LINK)(as_order ? element : rank);
}

/* Clears the result. The diagnosis of a malformed list uses it for marks. */
static inline void clp_write_zeros(global CLP_LINK *out, CLP_INDEX count) {
    CLP_INDEX end;
    const CLP_INDEX group = (CLP_INDEX)get_local_size(0);
    for (CLP_INDEX i = clp_share(count, &end); i < end; i += group) out[i] = 0;
}

/* Expands the ranks of the level above to the nodes of this level; -1 for nodes that head does not
 * reach. out: the result, on level 0. */
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
