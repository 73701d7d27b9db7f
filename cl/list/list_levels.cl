/* SPDX-License-Identifier: MIT */
/*
 * The levels above the lists; their nodes are the splitters of the level below. The up-sweep
 * combines each sublist of nodes into one node of the next level. A single work-group scans the
 * last level (list_local.cl). The down-sweep gives each node the combination of all that comes
 * before.
 */

/* Independent nodes in flight per work-item */
#define CLP_NODES_AT_ONCE (CLP_A_BYTES > 16 ? 1 : CLP_A_BYTES > 4 ? 4 : 8)

/* Returns the node of a ranking's level that begins at head, if no state of a node says it yet. */
static inline CLP_INDEX clp_root_of(global const clp_list_state *state,
                                    const clp_list_level *level) {
    return level->number == 1 ? (CLP_INDEX)state->root : CLP_NONE;
}

static inline bool clp_is_root(uint state) {
    return state == CLP_BARE_ROOT || state == CLP_ROOT;
}

/* ---- Up-sweep ---- */

/* Walks from a node to the next splitter. id: of the sublist, or CLP_FINAL from a root. */
static inline void clp_walk_nodes(const clp_nodes *here, const clp_nodes *above, CLP_INDEX from,
                                  uint id, ulong *reached, const clp_walking *walking,
                                  const clp_list_level *level) {
    const bool is_root = id == CLP_FINAL;
    clp_pace pace = CLP_PACE;
    CLP_INDEX at = from, count = 0;
    CLP_LINK to = CLP_TAIL;
    bool fresh = !is_root || here->states[from] == CLP_BARE_ROOT;
    CLP_A value = fresh ? here->parts[from].value : here->offsets[from];
    bool on = true;
    while (on) {
        const clp_part part = clp_load_part(&here->parts[at]);
        to = part.link;
        count += CLP_COUNT_OF(part);
        if (at != from) {
            clp_store_lead(&here->leads[at], (clp_lead){value, id});
        } else if (!is_root) {
            here->leads[at].tag = id | CLP_FIRST;
        }
        value = fresh ? part.value : clp_op(value, part.value);
        fresh = false;
        on = clp_goes_on(&pace, to, walking, level);
        at = (CLP_INDEX)to;
    }
    const CLP_LINK link = clp_link_above(to, walking, level);
    if (!is_root) {
        clp_close(&above->parts[id], link, count, value);
        return;
    }
#if CLP_RANKS
    if (link < 0) *reached += (ulong)value; /* the rank of the tail and its weight */
#else
    *reached += count;
#endif
    if (link >= 0) clp_set_root(above, (CLP_INDEX)link, value, CLP_ROOT);
}

CLP_KERNEL(CLP_GROUP)
void clp_list_up_sweep(CLP_NODES, global clp_list_state *state, const clp_list_level level) {
    const clp_nodes here = CLP_NODES_AT(level.at), above = CLP_NODES_AT(level.above);
    const clp_walking walking = clp_walking_of(state, &level, 0);
    const CLP_INDEX count = (CLP_INDEX)level.count;
    const CLP_INDEX ids = (CLP_INDEX)level.ids, first = clp_root_of(state, &level);
    ulong reached = 0;
    if ((*walking.broken & CLP_CUT_SHORT) != 0) return;
    for (CLP_INDEX i = (CLP_INDEX)get_global_id(0); i < count; i += get_global_size(0)) {
        const uint root = i == first ? CLP_ROOT : here.states[i];
        if (!clp_is_root(root)) continue;
        here.states[i] = root;
        const CLP_INDEX key = clp_mix(i, &level.hash);
        if (key < ids) {
            clp_set_root(&above, key, here.offsets[i], root);
        } else {
            clp_walk_nodes(&here, &above, i, CLP_FINAL, &reached, &walking, &level);
        }
    }
    for (CLP_INDEX id = (CLP_INDEX)get_global_id(0); id < ids; id += get_global_size(0)) {
        const CLP_INDEX node = clp_unmix(id, &level.hash);
        if (node < count) {
            clp_walk_nodes(&here, &above, node, (uint)id, &reached, &walking, &level);
        } else {
            clp_close(&above.parts[id], CLP_TAIL, 0, here.parts[0].value);
        }
    }
    /* Read by clp_list_last. */
    if (reached > 0) CLP_ADD_SUM((volatile global uint *)state->reached[state->again], reached)
}

/* ---- Down-sweep ---- */

/* Computes the offsets of the nodes of a level from the level above. */
CLP_KERNEL(CLP_GROUP)
void clp_list_down_sweep(CLP_NODES, global const clp_list_state *state,
                         const clp_list_level level) {
    const clp_nodes here = CLP_NODES_AT(level.at), above = CLP_NODES_AT(level.above);
    CLP_INDEX end;
    if ((state->broken[state->again] & CLP_CUT_SHORT) != 0) return;
    for (CLP_INDEX i = clp_share((CLP_INDEX)level.count, &end); i < end;
         i += CLP_NODES_AT_ONCE * CLP_GROUP) {
        clp_lead lead[CLP_NODES_AT_ONCE];
        CLP_A before[CLP_NODES_AT_ONCE];
        uint from[CLP_NODES_AT_ONCE];
        CLP_UNROLL
        for (uint j = 0; j < CLP_NODES_AT_ONCE; j++) {
            const CLP_INDEX at = i + j * CLP_GROUP;
            const bool open = at < end && here.states[at] == CLP_UNREACHED;
            if (open) lead[j] = clp_load_lead(&here.leads[at]);
            if (!open) lead[j].tag = CLP_UNTAGGED;
        }
        CLP_UNROLL
        for (uint j = 0; j < CLP_NODES_AT_ONCE; j++) {
            const uint id = lead[j].tag & ~CLP_FIRST;
            from[j] = id == CLP_FINAL ? CLP_BARE_ROOT : CLP_UNREACHED;
            if (id >= level.ids) continue;
            from[j] = above.states[id];
            before[j] = above.offsets[id];
        }
        CLP_UNROLL
        for (uint j = 0; j < CLP_NODES_AT_ONCE; j++) {
            const CLP_INDEX at = i + j * CLP_GROUP;
            if (from[j] == CLP_UNREACHED) continue;
            if ((lead[j].tag & CLP_FIRST) != 0) {
                here.offsets[at] = before[j];
            } else if (from[j] != CLP_BARE_ROOT) {
                here.offsets[at] = clp_op(before[j], lead[j].offset);
            } else {
                here.offsets[at] = lead[j].offset;
            }
            here.states[at] = CLP_REACHED;
        }
    }
}
