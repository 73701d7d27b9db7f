/* SPDX-License-Identifier: MIT */
/*
 * The levels above the lists; their nodes are the splitters of the level below. The up-sweep
 * combines each sublist of nodes into one node of the next level. One work-item scans the last
 * level. The down-sweep gives each node the combination of what comes before its sublist.
 */

/* ---- Up-sweep ---- */

/* Walks from a node to the next splitter. id: of the sublist, or CLP_FINAL from a root. */
static inline void clp_walk_nodes(const clp_nodes *here, const clp_nodes *above, CLP_INDEX from,
                                  uint id, ulong *reached, global clp_list_state *state,
                                  const clp_list_level *level) {
    const bool is_root = id == CLP_FINAL;
    CLP_INDEX at = from, count = 0, steps = 0, due = 1;
    CLP_LINK to, met = CLP_TAIL;
    bool fresh = !is_root || here->states[from] == CLP_BARE_ROOT;
    CLP_A value = fresh ? here->parts[from].value : here->leads[from].offset;
    bool on = true;
    while (on) {
        const clp_part part = clp_load_part(&here->parts[at]);
        const CLP_A own = part.value;
        to = part.link;
        count += part.count;
        if (at != from) {
            clp_store_lead(&here->leads[at], (clp_lead){value, id});
        } else if (!is_root) {
            here->leads[at].tag = id | CLP_FIRST;
        }
        value = fresh ? own : clp_op(value, own);
        fresh = false;
        steps++;
        on = to >= 0 && to != met && !clp_is_splitter(to, level);
        if (on && steps == due) {
            met = to;
            due *= 2;
            on = clp_within(steps, &state->passed[level->number], (CLP_INDEX)level->count);
        }
        at = (CLP_INDEX)to;
    }
    const CLP_INDEX key = clp_mix(at, &level->hash);
    const bool leads = to >= 0 && key < level->ids;
    /* Races with itself; clp_listscan_last reads it. */
    if (to >= 0 && !leads) atomic_or((volatile global uint *)&state->broken, CLP_ASTRAY);
    if (!is_root) {
        clp_close(&above->parts[id], leads ? (CLP_LINK)key : CLP_TAIL, count, value);
        return;
    }
    *reached += count;
    if (leads) {
        above->leads[key].offset = value;
        above->states[key] = CLP_ROOT;
    }
}

CLP_KERNEL(CLP_GROUP)
void clp_listscan_up_sweep(global clp_part *parts, global clp_lead *leads, global uint *states,
                           global clp_list_state *state, const clp_list_level level) {
    const clp_nodes here = {parts + level.at, leads + level.at, states + level.at};
    const clp_nodes above = {parts + level.above, leads + level.above, states + level.above};
    const CLP_INDEX count = (CLP_INDEX)level.count;
    const CLP_INDEX ids = (CLP_INDEX)level.ids;
    ulong reached = 0;
    CLP_ASSERT(level.number < CLP_LEVELS);
    if ((state->broken & CLP_CUT_SHORT) != 0) return;
    for (CLP_INDEX i = (CLP_INDEX)get_global_id(0); i < count; i += get_global_size(0)) {
        const uint root = here.states[i];
        if (root != CLP_BARE_ROOT && root != CLP_ROOT) continue;
        const CLP_INDEX key = clp_mix(i, &level.hash);
        if (key < ids) {
            if (root == CLP_ROOT) above.leads[key].offset = here.leads[i].offset;
            above.states[key] = root;
        } else {
            clp_walk_nodes(&here, &above, i, CLP_FINAL, &reached, state, &level);
        }
    }
    for (CLP_INDEX id = (CLP_INDEX)get_global_id(0); id < ids; id += get_global_size(0)) {
        const CLP_INDEX node = clp_unmix(id, &level.hash);
        if (node < count) {
            clp_walk_nodes(&here, &above, node, (uint)id, &reached, state, &level);
        } else {
            clp_close(&above.parts[id], CLP_TAIL, 0, here.parts[0].value);
        }
    }
    if (reached > 0) CLP_ADD_SUM(state->reached, reached) /* clp_listscan_last reads it */
}

/* ---- The last level, and validity ---- */

/* Scans one path of the last level, starting at a root; values become offsets. Returns false if the
 * path returns to a node that was reached before. */
static inline bool clp_follow(CLP_INDEX root, bool fresh, CLP_A value, CLP_INDEX count,
                              local CLP_LINK *links, local CLP_A *values, local uint *states) {
    CLP_LINK at = (CLP_LINK)root;
    bool first = true;
    while ((CLP_INDEX)at < count && (first || states[at] == CLP_UNREACHED)) {
        const CLP_A own = values[at];
        if (!first) {
            values[at] = value;
            states[at] = CLP_REACHED;
        }
        value = fresh ? own : clp_op(value, own);
        fresh = false;
        first = false;
        at = links[at];
    }
    return at < 0;
}

CLP_KERNEL(CLP_GROUP)
void clp_listscan_last(global clp_part *parts, global clp_lead *leads, global uint *states,
                       global clp_list_state *state, const clp_list_level level, ulong total,
                       local CLP_LINK *links, local CLP_A *values, local uint *own_states) {
    local ulong counts[CLP_GROUP];
    const clp_nodes here = {parts + level.at, leads + level.at, states + level.at};
    const CLP_INDEX count = (CLP_INDEX)level.count;
    const CLP_INDEX lane = (CLP_INDEX)get_local_id(0);
    ulong reached = 0;
    for (CLP_INDEX i = lane; i < count; i += CLP_GROUP) {
        links[i] = here.parts[i].link;
        values[i] = here.parts[i].value;
        own_states[i] = here.states[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all three written above, read below by work-item 0 */
    if (lane == 0) {
        bool ends = true;
        for (CLP_INDEX i = 0; i < count; i++) {
            if (own_states[i] == CLP_BARE_ROOT || own_states[i] == CLP_ROOT) {
                ends &= clp_follow(i, own_states[i] == CLP_BARE_ROOT, here.leads[i].offset, count,
                                   links, values, own_states);
            }
        }
        if (!ends) state->broken = CLP_ASTRAY;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* values and own_states written by work-item 0, read below */
    for (CLP_INDEX i = lane; i < count; i += CLP_GROUP) {
        if (own_states[i] == CLP_UNREACHED) continue;
        reached += here.parts[i].count;
        if (own_states[i] == CLP_REACHED) {
            here.leads[i].offset = values[i];
            here.states[i] = CLP_REACHED;
        }
    }
    counts[lane] = reached;
    barrier(CLK_LOCAL_MEM_FENCE); /* counts written above, read below by work-item 0 */
    if (lane > 0) return;
    for (uint i = 1; i < CLP_GROUP; i++) reached += counts[i];
    reached += (ulong)state->reached[1] << 32 | state->reached[0];
    state->valid = !state->broken && reached == total;
}

/* ---- Down-sweep ---- */

/* Computes the offsets of the nodes of a level from the level above. */
CLP_KERNEL(CLP_GROUP)
void clp_listscan_down_sweep(global clp_lead *leads, global uint *states,
                             global const clp_list_state *state, const clp_list_level level) {
    global clp_lead *here = leads + level.at;
    global const clp_lead *above = leads + level.above;
    global uint *own_states = states + level.at;
    global const uint *states_above = states + level.above;
    CLP_INDEX end;
    if ((state->broken & CLP_CUT_SHORT) != 0) return;
    for (CLP_INDEX i = clp_share((CLP_INDEX)level.count, &end); i < end; i += CLP_GROUP) {
        const uint tag = here[i].tag;
        if (own_states[i] != CLP_UNREACHED || tag == CLP_UNTAGGED) continue;
        if (tag == CLP_FINAL) {
            own_states[i] = CLP_REACHED;
            continue;
        }
        const uint id = tag & ~CLP_FIRST;
        const uint before = states_above[id];
        if (before == CLP_UNREACHED) continue;
        if ((tag & CLP_FIRST) != 0) {
            here[i].offset = above[id].offset;
        } else if (before != CLP_BARE_ROOT) {
            here[i].offset = clp_op(above[id].offset, here[i].offset);
        }
        own_states[i] = CLP_REACHED;
    }
}
