/* SPDX-License-Identifier: MIT */
/* Level 0 of a ranking with one pair per element, its offset and its sublist; and what the other
 * ways to walk level 0 share: sublists, results. */

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
    if (get_local_id(0) == 0) clp_add_sums(sums, state->sum); /* clp_list_find reads it */
}

/* ---- Sublists ---- */

/* Returns the first node of a sublist; at least `count` if there is none. */
static inline CLP_INDEX clp_first_node(CLP_INDEX id, CLP_LINK head, const clp_list_level *level) {
    if (id < level->ids) return clp_unmix(id, &level->hash);
    return clp_is_splitter(head, level) ? CLP_NONE : (CLP_INDEX)head;
}

/* Returns the sublist that starts at a splitter or at head. */
static inline CLP_INDEX clp_id_of(CLP_INDEX node, const clp_list_level *level) {
    return min(clp_mix(node, &level->hash), (CLP_INDEX)level->ids);
}

typedef struct {
    CLP_INDEX id; /* level.sublists: no sublist is left */
    CLP_INDEX node;
    CLP_INDEX offset; /* of the node in the sublist */
    clp_pace pace;
} clp_walker;

/* Takes the next sublist that has a first node. Closes those before it, which have none. */
static inline clp_walker clp_open(clp_batch *batch, const clp_walking *walking, CLP_LINK head,
                                  const clp_list_level *level, global clp_part *above) {
    const CLP_INDEX all = (CLP_INDEX)level->sublists;
    CLP_INDEX id = clp_take(batch, walking->taken, level);
    for (; id < all; id = clp_take(batch, walking->taken, level)) {
        const CLP_INDEX node = clp_first_node(id, head, level);
        if (node < level->count) return (clp_walker){id, node, 0, CLP_PACE};
        clp_close(&above[id], CLP_TAIL, 0, 0);
    }
    return (clp_walker){all, 0, 0, CLP_PACE};
}

/* Closes the sublist whose walk ended at the node `to`. */
static inline void clp_close_at(CLP_LINK to, CLP_INDEX id, CLP_INDEX weight, global clp_part *above,
                                const clp_walking *walking, const clp_list_level *level) {
    clp_close(&above[id], clp_link_above(to, walking, level), weight, 0);
}

/* Makes the sublist that starts at head the root of level 1. One work-item calls it. */
static inline void clp_set_path(global clp_list_state *state, CLP_LINK head, global CLP_A *offsets,
                                const clp_list_level *level) {
    const CLP_INDEX root = clp_id_of((CLP_INDEX)head, level);
    state->root = head < 0 ? -1 : (long)root;
    if (head >= 0) offsets[level->above + root] = 0;
}

/* ---- Walking ---- */

/* Walks every sublist of level 0. The second attempt runs only if the first one set `again`. */
CLP_KERNEL(CLP_GROUP)
void clp_list_walk(global const CLP_LINK *restrict links, global CLP_PAIR *restrict pairs,
                   global clp_part *restrict parts, global CLP_A *restrict offsets,
                   global clp_list_state *state, const clp_list_level given, uint attempt) {
    if (attempt > 0 && !state->again) return;
    const clp_list_level level = attempt > 0 ? clp_second_level(given, state) : given;
    const CLP_INDEX all = (CLP_INDEX)level.sublists;
    const CLP_LINK head = (CLP_LINK)state->head;
    global clp_part *above = parts + level.above;
    const clp_walking walking = clp_walking_of(state, &level, attempt);
    clp_batch batch = clp_fixed_batch(&level);
    clp_walker walkers[CLP_WALKS];
    CLP_LINK to[CLP_WALKS];
    bool busy = true;

    if (get_global_id(0) == 0) clp_set_path(state, head, offsets, &level);
    for (uint j = 0; j < CLP_WALKS; j++) {
        walkers[j] = clp_open(&batch, &walking, head, &level, above);
    }
    while (busy) {
        busy = false;
        /* Issue all loads before the first one is used. */
        CLP_UNROLL
        for (uint j = 0; j < CLP_WALKS; j++) to[j] = links[level.links_at + walkers[j].node];
        CLP_UNROLL
        for (uint j = 0; j < CLP_WALKS; j++) {
            if (walkers[j].id == all) continue;
            busy = true;
            pairs[walkers[j].node] = (CLP_PAIR)(walkers[j].offset, walkers[j].id);
            walkers[j].offset++;
            if (clp_goes_on(&walkers[j].pace, to[j], &walking, &level)) {
                walkers[j].node = (CLP_INDEX)to[j];
                continue;
            }
            clp_close_at(to[j], walkers[j].id, walkers[j].offset, above, &walking, &level);
            walkers[j] = clp_open(&batch, &walking, head, &level, above);
        }
    }
}

/* ---- Results ---- */

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

/* Expands the ranks of the sublists to the ranks of the elements. */
CLP_KERNEL(CLP_GROUP)
void clp_list_expand(global const CLP_PAIR *restrict pairs, global const CLP_A *restrict offsets,
                     global CLP_LINK *restrict out, ulong out_at,
                     global const clp_list_state *restrict state, const clp_list_level level,
                     uint as_order) {
    const CLP_INDEX count = (CLP_INDEX)level.count;
    CLP_INDEX end;
    if (!state->valid) {
        clp_write_zeros(out + out_at, count);
        return;
    }
    for (CLP_INDEX i = clp_share(count, &end); i < end; i += CLP_AT_ONCE * CLP_GROUP) {
        CLP_PAIR pair[CLP_AT_ONCE];
        CLP_INDEX rank[CLP_AT_ONCE];
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++) {
            pair[j] = pairs[min((CLP_INDEX)(i + j * CLP_GROUP), (CLP_INDEX)(end - 1))];
        }
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++) {
            rank[j] = (CLP_INDEX)offsets[level.above + pair[j].y] + pair[j].x;
        }
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++) {
            const CLP_INDEX node = i + j * CLP_GROUP;
            if (node < end) clp_write(out + out_at, node, rank[j], as_order);
        }
    }
}
