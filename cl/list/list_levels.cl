/* SPDX-License-Identifier: MIT */
/*
 * The levels above the lists; their nodes are the splitters of the level below. The up-sweep
 * combines each sublist of nodes into one node of the next level. A single work-group scans the
 * last level in local memory: its lanes walk a sublist each and combine them by pointer jumping
 * (Wyllie 1979). The down-sweep gives each node the combination of all that comes before.
 */

/* Independent nodes in flight per work-item */
#define CLP_NODES_AT_ONCE (CLP_A_BYTES > 16 ? 1 : CLP_A_BYTES > 4 ? 4 : 8)

/* Returns the state of a node before the down-sweep: whether it is a root. */
static inline uint clp_root_of(const clp_nodes *here, CLP_INDEX i,
                               global const clp_list_state *state, const clp_list_level *level) {
#if CLP_RANKS
    return (long)i == state->roots[level->number] ? CLP_ROOT : CLP_UNREACHED;
#else
    return here->states[i];
#endif
}

/* ---- Up-sweep ---- */

/* Walks from a node to the next splitter. id: of the sublist, or CLP_FINAL from a root. */
static inline void clp_walk_nodes(const clp_nodes *here, CLP_INDEX from, uint id, ulong *reached,
                                  const clp_walking *walking) {
    const bool is_root = id == CLP_FINAL;
    clp_pace pace = CLP_PACE;
    CLP_INDEX at = from, count = 0;
    CLP_LINK to = CLP_TAIL;
    bool fresh = !is_root || (!CLP_RANKS && here->states[from] == CLP_BARE_ROOT);
    CLP_A value = fresh ? here->parts[from].value : here->offsets[from];
    bool on = true;
    while (on) {
        const clp_part part = clp_load_part(&here->parts[at]);
        to = part.link;
        count += clp_count_of(part);
        if (at != from) {
            clp_store_lead(&here->leads[at], (clp_lead){value, id});
        } else if (!is_root) {
            here->leads[at].tag = id | CLP_FIRST;
        }
        value = fresh ? part.value : clp_op(value, part.value);
        fresh = false;
        on = clp_goes_on(&pace, to, walking);
        at = (CLP_INDEX)to;
    }
    const CLP_LINK link = clp_link_above(to, walking);
    if (!is_root) {
        clp_close(&walking->above.parts[id], link, count, value);
        return;
    }
#if CLP_RANKS
    if (link < 0) *reached += (ulong)value; /* the rank of the tail and its weight */
#else
    *reached += count;
#endif
    if (link >= 0) clp_set_root(walking, (CLP_INDEX)link, value, CLP_ROOT);
}

CLP_KERNEL(CLP_GROUP)
void clp_list_up_sweep(CLP_NODES, global clp_list_state *state, const clp_list_level level) {
    const clp_nodes here = CLP_NODES_AT(level.at), above = CLP_NODES_AT(level.above);
    const clp_walking walking = clp_walking_of(&level, state, above, here.parts[0].value, 0);
    const CLP_INDEX count = (CLP_INDEX)level.count;
    const CLP_INDEX ids = (CLP_INDEX)level.ids;
    ulong reached = 0;
    if (clp_is_done(state) || (*walking.broken & CLP_CUT_SHORT) != 0) return;
#if CLP_RANKS
    const CLP_INDEX own = get_global_id(0) == 0 ? (CLP_INDEX)state->roots[level.number] : CLP_NONE;
    const CLP_INDEX step = count;
    clp_clear_leads(&walking, ids);
#else
    const CLP_INDEX own = (CLP_INDEX)get_global_id(0), step = (CLP_INDEX)get_global_size(0);
#endif
    for (CLP_INDEX i = own; i < count; i += step) {
        const uint root = clp_root_of(&here, i, state, &level);
        if (root == CLP_UNREACHED) continue;
        const CLP_INDEX key = clp_mix(i, &level.hash);
        if (key < ids) {
            clp_set_root(&walking, key, here.offsets[i], root);
        } else {
            clp_walk_nodes(&here, i, CLP_FINAL, &reached, &walking);
        }
    }
    for (CLP_INDEX id = (CLP_INDEX)get_global_id(0); id < ids; id += get_global_size(0)) {
        const CLP_INDEX node = clp_unmix(id, &level.hash);
        if (node < count) {
            clp_walk_nodes(&here, node, (uint)id, &reached, &walking);
        } else {
            clp_close(&above.parts[id], CLP_TAIL, 0, walking.start);
        }
    }
    /* Read by clp_list_last. */
    if (reached > 0) CLP_ADD_SUM((volatile global uint *)state->reached[state->again], reached)
}

/* ---- Down-sweep ---- */

/* Computes the offsets of the nodes of a level from the level above. */
#if CLP_RANKS
CLP_KERNEL(CLP_GROUP)
void clp_list_down_sweep(CLP_NODES, global const clp_list_state *state,
                         const clp_list_level level) {
    const clp_nodes here = CLP_NODES_AT(level.at), above = CLP_NODES_AT(level.above);
    const CLP_INDEX root = (CLP_INDEX)state->roots[level.number];
    CLP_INDEX end;
    if (clp_is_done(state)) return;
    for (CLP_INDEX i = clp_share((CLP_INDEX)level.count, &end); i < end;
         i += CLP_AT_ONCE * CLP_GROUP) {
        clp_lead lead[CLP_AT_ONCE];
        CLP_A before[CLP_AT_ONCE];
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++)
            lead[j] = clp_load_lead(&here.leads[min((CLP_INDEX)(i + j * CLP_GROUP), end - 1)]);
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++) {
            const uint id = lead[j].tag & ~CLP_FIRST;
            before[j] = id == CLP_FINAL ? 0 : -1;
            if (id < level.ids) before[j] = above.offsets[id];
        }
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++) {
            const CLP_INDEX at = i + j * CLP_GROUP;
            const CLP_A own = (lead[j].tag & CLP_FIRST) != 0 ? 0 : lead[j].offset;
            if (at < end && at != root) here.offsets[at] = before[j] < 0 ? -1 : before[j] + own;
        }
    }
}
#else
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
#endif

/* ---- One work-group in local memory ---- */

/* What follows scans a short list: the last level here, whole lists in listscan_single_group.cl.
 * Each work-item walks one sublist, and some start at a head. Pointer jumping then combines the
 * sublists: after round r, a work-item has combined up to 2^r sublists before its own. Operands
 * keep their order. */

/* The word of a node: its link, if the next node is in the same sublist, or one of these. */
#define CLP_TO_SUBLIST 0x80000000u /* + the number of the sublist that the next node begins */
#define CLP_TO_NOTHING 0x90000000u
#define CLP_WALKED 0xa0000000u /* + the number of the sublist that the node is in */
#define CLP_WALKED_FIRST 0xc0000000u /* the same; nothing comes before it in the sublist */
#define CLP_WALKED_FROM_HEAD 0xe0000000u
#define CLP_SUBLIST 0xffffu

/* What comes before a lane's sublist, if it is not the sublist of another lane. */
#define CLP_NOWHERE (-1)
#define CLP_FROM_HEAD (-2)

typedef struct {
    local uint *links; /* per node: its word, see above */
    local CLP_A
        *values; /* per node: its value; once walked, the combination of the sublist so far */
    local CLP_A *sums; /* per lane, double-buffered: combination of sublists */
    local int *before; /* per lane, double-buffered: the lane up to which sums reaches back */
    local uint *heads; /* one bit per node: a path begins here */
    local uint *broken;
    local uint *reached; /* elements on paths from heads: low and high word */
} clp_workspace;

/* Declares a workspace in local memory: a macro, as a kernel alone may do so. */
#define CLP_HEAD_WORDS(nodes) (((nodes) + 31) / 32)
#define CLP_WORKSPACE(name, nodes)                                                                 \
    local uint name##_links[nodes], name##_heads[CLP_HEAD_WORDS(nodes)];                           \
    local CLP_A name##_values[nodes], name##_sums[2 * CLP_LAST_GROUP];                             \
    local int name##_before[2 * CLP_LAST_GROUP];                                                   \
    local uint name##_broken, name##_reached[2];                                                   \
    const clp_workspace name = {name##_links, name##_values,  name##_sums,   name##_before,        \
                                name##_heads, &name##_broken, name##_reached}

/* are_heads: all nodes are, until clp_unmark_head. */
static inline void clp_clear_workspace(const clp_workspace *work, CLP_INDEX count, bool are_heads) {
    const uint lane = (uint)get_local_id(0);
    work->before[lane] = CLP_NOWHERE;
    for (CLP_INDEX i = lane; i * 32 < count; i += CLP_LAST_GROUP) {
        const CLP_INDEX left = count - i * 32;
        const uint all = left < 32 ? (1u << (uint)left) - 1 : 0xffffffffu;
        work->heads[i] = are_heads ? all : 0;
    }
    if (lane == 0) *work->broken = work->reached[0] = work->reached[1] = 0;
}

static inline void clp_set_broken(const clp_workspace *work) {
    atomic_or(work->broken, 1u); /* races with itself; read after the walks */
}

static inline bool clp_is_head(const clp_workspace *work, CLP_INDEX i) {
    return (work->heads[i / 32] >> (uint)(i % 32) & 1) != 0;
}

static inline void clp_mark_head(const clp_workspace *work, CLP_INDEX i) {
    /* Races with itself, since nodes share a word; read after a barrier. */
    atomic_or(&work->heads[i / 32], 1u << (uint)(i % 32));
}

/* Resolves a link to a splitter before the walks, so that no hash is on the critical path of one.
 */
static inline uint clp_resolved(uint link, const clp_list_level *level) {
    const CLP_INDEX key = clp_mix((CLP_INDEX)link, &level->hash);
    return key < level->ids ? CLP_TO_SUBLIST + (uint)key : link;
}

/* ---- Walks ---- */

/* Walks a sublist, or from a head. Marks what it visits with `mark`, but the first node with
 * `first_mark`. A node that was walked before breaks the lists. If two walks meet and neither sees
 * the other's mark, both end at the same sublist, which clp_set_predecessor detects; or the marks
 * of named elements in a forest, or the number of elements that head reaches, show the fault. */
static inline uint clp_walk_marking(const clp_workspace *work, CLP_INDEX from, uint first_mark,
                                    uint mark, bool fresh, bool inclusive, CLP_A *value,
                                    uint *steps) {
    CLP_A before = *value;
    uint to = (uint)from;
    uint own_mark = first_mark;
    uint count = 0;
    while (to < CLP_TO_SUBLIST) {
        const uint at = to;
        const CLP_A own = work->values[at]; /* in flight together with the link */
        to = work->links[at];
        if (to >= CLP_WALKED) break;
        work->links[at] = own_mark;
        own_mark = mark;
        if (!inclusive) work->values[at] = before;
        before = fresh ? own : clp_op(before, own);
        if (inclusive) work->values[at] = before;
        fresh = false;
        count++;
    }
    *value = before;
    *steps += count;
    if (to >= CLP_WALKED) clp_set_broken(work);
    return to;
}

/* Sets what comes before a lane's sublist. Returns true if no other lane has set it. */
static inline bool clp_set_predecessor(const clp_workspace *work, uint lane, int who) {
    /* Races with itself; read after the walks. */
    if (atomic_xchg(&work->before[lane], who) == CLP_NOWHERE) return true;
    clp_set_broken(work);
    return false;
}

/* Walks this lane's sublist, which is empty if its splitter is a head. Returns its number of nodes.
 * end: where it ends, as the word of a node. */
static inline uint clp_walk_sublist(const clp_workspace *work, const clp_list_level *level,
                                    bool inclusive, CLP_A *value, uint *end) {
    const uint lane = (uint)get_local_id(0);
    uint steps = 0;
    *end = CLP_TO_SUBLIST;
    if (lane >= level->ids) return 0;
    const CLP_INDEX first = clp_unmix((CLP_INDEX)lane, &level->hash);
    if (first >= level->count) return 0;
    if (clp_is_head(work, first)) {
        clp_set_predecessor(work, lane, CLP_FROM_HEAD);
        return 0;
    }
    *end = clp_walk_marking(work, first, CLP_WALKED_FIRST + lane, CLP_WALKED + lane, true,
                            inclusive, value, &steps);
    if (*end >= CLP_TO_SUBLIST && *end < CLP_TO_NOTHING)
        clp_set_predecessor(work, *end - CLP_TO_SUBLIST, (int)lane);
    return steps;
}

/* Walks from this lane's heads. roots: the nodes of a level; NULL: elements. Returns the number of
 * nodes that they reach; in a ranking, the number of elements, if the path ends. */
static inline ulong clp_walk_heads(const clp_workspace *work, const clp_nodes *roots,
                                   CLP_INDEX count, bool inclusive, const CLP_A start) {
    uint steps = 0;
    ulong ranked = 0;
    for (CLP_INDEX word = (CLP_INDEX)get_local_id(0); word * 32 < count; word += CLP_LAST_GROUP) {
        for (uint left = work->heads[word]; left != 0; left &= left - 1) {
            const CLP_INDEX head = word * 32 + 31 - clz(left & -left);
            CLP_A value = CLP_START(head);
            bool fresh = !CLP_HAS_START;
            if (roots != 0) {
                value = roots->offsets[head];
                fresh = fresh && roots->states[head] == CLP_BARE_ROOT;
            }
            const uint to = clp_walk_marking(work, head, CLP_WALKED_FROM_HEAD, CLP_WALKED_FROM_HEAD,
                                             fresh, inclusive, &value, &steps);
#if CLP_RANKS
            if (to == CLP_TO_NOTHING) ranked = (ulong)value;
#endif
            if (to < CLP_TO_SUBLIST || to >= CLP_TO_NOTHING) continue;
            const uint lane = to - CLP_TO_SUBLIST;
            if (clp_set_predecessor(work, lane, CLP_FROM_HEAD))
                work->sums[CLP_LAST_GROUP + lane] = value;
        }
    }
    return CLP_RANKS ? ranked : steps;
}

/* ---- Jumps ---- */

/* One jump, from one half of the double buffer to the other. */
static inline void clp_jump(const clp_workspace *work, uint round, CLP_A *sum, int *before) {
    const uint lane = (uint)get_local_id(0);
    const uint from = (round & 1) * CLP_LAST_GROUP, to = CLP_LAST_GROUP - from;
    if (*before >= 0) {
        *sum = clp_op(work->sums[from + *before], *sum);
        *before = work->before[from + *before];
    }
    work->sums[to + lane] = *sum;
    work->before[to + lane] = *before;
}

/* A round of jumps by all lanes, of the caller's work, sum and before. A macro because barriers
 * stay at a kernel's top level. */
#define CLP_JUMP(round)                                                                            \
    clp_jump(work, round, sum, &before);                                                           \
    barrier(CLK_LOCAL_MEM_FENCE); /* sums and before, with the next round or what follows */
#define CLP_COUNT_ROUND(round) +1

/* The halves of the double buffer after all rounds: the results, and the one that is free */
#define CLP_JUMPED (((0 CLP_EACH_LAST_ROUND(CLP_COUNT_ROUND)) & 1) * CLP_LAST_GROUP)
#define CLP_FREE (CLP_LAST_GROUP - CLP_JUMPED)

/* Combines this lane's sublist of `own` nodes with all sublists before it. Returns whether a head
 * reaches the sublist. All lanes call it after their walks. */
CLP_INLINE bool clp_combine_sublists(const clp_workspace *work, CLP_A *sum, uint own) {
    const uint lane = (uint)get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE); /* words, before and sums' second half: the walks with below */
    const int origin = work->before[lane];
    int before = origin;
    const CLP_A first_offset = work->sums[CLP_LAST_GROUP + lane];
    if (origin == CLP_FROM_HEAD && own > 0) *sum = clp_op(first_offset, *sum);
    work->sums[lane] = *sum;
    barrier(CLK_LOCAL_MEM_FENCE); /* sums written above, read by the first round */
    CLP_EACH_LAST_ROUND(CLP_JUMP)
    work->sums[CLP_FREE + lane] = origin >= 0 ? work->sums[CLP_JUMPED + origin] : first_offset;
    return before == CLP_FROM_HEAD;
}

/* Returns whether a head reaches a node. */
static inline bool clp_is_reached(const clp_workspace *work, CLP_INDEX i) {
    const uint mark = work->links[i];
    if (mark >= CLP_WALKED_FROM_HEAD) return true;
    return mark >= CLP_WALKED && work->before[CLP_JUMPED + (mark & CLP_SUBLIST)] == CLP_FROM_HEAD;
}

/* Returns the result of a node that a head reaches, from the offsets of the sublists. */
static inline CLP_A clp_result_of(const clp_workspace *work, CLP_INDEX i, bool inclusive) {
    const uint mark = work->links[i];
    const CLP_A value = work->values[i];
    if (mark >= CLP_WALKED_FROM_HEAD) return value;
    const CLP_A offset = work->sums[CLP_FREE + (mark & CLP_SUBLIST)];
    if (!inclusive && mark >= CLP_WALKED_FIRST) return offset;
    return clp_op(offset, value);
}

/* ---- The last level, and validity ---- */

static inline void clp_load_nodes(const clp_workspace *work, const clp_nodes *here,
                                  global const clp_list_state *state, const clp_list_level *level) {
    const CLP_INDEX count = (CLP_INDEX)level->count, step = CLP_LAST_GROUP;
    for (CLP_INDEX i = (CLP_INDEX)get_local_id(0); i < count; i += CLP_NODES_AT_ONCE * step) {
        clp_part part[CLP_NODES_AT_ONCE];
        uint own[CLP_NODES_AT_ONCE];
        CLP_UNROLL
        for (uint j = 0; j < CLP_NODES_AT_ONCE; j++) {
            const CLP_INDEX at = min((CLP_INDEX)(i + j * step), (CLP_INDEX)(count - 1));
            part[j] = clp_load_part(&here->parts[at]);
            own[j] = clp_root_of(here, at, state, level);
        }
        CLP_UNROLL
        for (uint j = 0; j < CLP_NODES_AT_ONCE; j++) {
            const CLP_INDEX at = i + j * step, to = (CLP_INDEX)part[j].link;
            if (at >= count) continue;
            work->links[at] = to < count ? clp_resolved((uint)to, level) : CLP_TO_NOTHING;
            work->values[at] = part[j].value;
            if (own[j] != CLP_UNREACHED) clp_mark_head(work, at);
        }
    }
}

/* Scans the last level and decides whether the lists of `count` elements are valid. */
CLP_KERNEL(CLP_LAST_GROUP)
void clp_list_last(CLP_NODES, global clp_list_state *state, const clp_list_level level, ulong count,
                   const CLP_A start) {
    CLP_WORKSPACE(work, CLP_LAST);
    const clp_nodes here = CLP_NODES_AT(level.at);
    const CLP_INDEX nodes = (CLP_INDEX)level.count;
    const uint lane = (uint)get_local_id(0);
    CLP_ASSERT(nodes <= CLP_LAST && level.ids <= CLP_LAST_GROUP);
    CLP_DONE_IF(clp_is_done(state))
    clp_clear_workspace(&work, nodes, false);
    barrier(CLK_LOCAL_MEM_FENCE); /* workspace cleared above, written below */
    clp_load_nodes(&work, &here, state, &level);
    barrier(CLK_LOCAL_MEM_FENCE); /* words, values and heads written above, walked below */
    CLP_A sum = start;
    uint end;
    const uint own = clp_walk_sublist(&work, &level, false, &sum, &end);
    ulong reached = clp_walk_heads(&work, &here, nodes, false, start);
    const bool from_head = clp_combine_sublists(&work, &sum, own);
    barrier(CLK_LOCAL_MEM_FENCE); /* offsets of sublists written above, read below */
#if CLP_RANKS
    if (from_head && end == CLP_TO_NOTHING) reached = (ulong)sum;
#else
    reached = 0;
#endif
    for (CLP_INDEX i = lane; i < nodes; i += CLP_LAST_GROUP) {
#if CLP_RANKS
        if (clp_is_head(&work, i)) continue;
        here.offsets[i] = clp_is_reached(&work, i) ? clp_result_of(&work, i, false) : -1;
#else
        if (!clp_is_reached(&work, i)) continue;
        reached += here.parts[i].count;
        if (clp_is_head(&work, i)) continue;
        here.offsets[i] = clp_result_of(&work, i, false);
        here.states[i] = CLP_REACHED;
#endif
    }
    if (reached > 0) CLP_ADD_SUM(work.reached, reached) /* races with itself; read below */
    barrier(CLK_LOCAL_MEM_FENCE); /* reached written above, read below by work-item 0 */
    if (lane > 0) return;
    const uint again = state->again;
    reached = ((ulong)work.reached[1] << 32 | work.reached[0]) +
              ((ulong)state->reached[again][1] << 32 | state->reached[again][0]);
    /* In a forest, each list has a head and a tail, unless two links name one element. */
    const bool ends = !CLP_FOREST || (state->heads[again][0] == state->sum[0] &&
                                      state->heads[again][1] == state->sum[1]);
    state->valid = reached == count && ends && *work.broken == 0 && state->broken[again] == 0 &&
                   !state->wrong_heads;
}
