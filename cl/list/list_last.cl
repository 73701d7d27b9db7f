/* SPDX-License-Identifier: MIT */
/*
 * The last level of a long list, ranked by a single work-group in local memory. Each lane walks one
 * sublist. Then pointer jumping doubles the distance of every lane's pointer per round: after
 * log2(lanes) rounds, a lane knows the weight from its sublist to the end of the path.
 */

typedef struct {
    local CLP_LINK *link; /* per node: its link; once walked, its sublist */
    local CLP_INDEX *offset; /* per node: its weight; once walked, its offset in the sublist */
    local CLP_LINK
        *next; /* per lane, double-buffered: the lane that it has jumped to, or a terminal link */
    local CLP_INDEX *ahead; /* per lane, double-buffered: the weight up to there */
} clp_list_workspace;

#define CLP_WORKSPACE(name)                                                                        \
    local CLP_LINK name##_link[CLP_LAST], name##_next[2 * CLP_LAST_GROUP];                         \
    local CLP_INDEX name##_place[CLP_LAST], name##_ahead[2 * CLP_LAST_GROUP];                      \
    const clp_list_workspace name = {name##_link, name##_place, name##_next, name##_ahead}

/* Classifies links before the walks, so that no hash is on the critical path of a walk. Links from
 * CLP_VISITED down lead to the splitter of a lane. Below those, they hold the sublist of a walked
 * node. */
static inline CLP_LINK clp_classified_link(CLP_LINK link, const clp_list_level *level) {
    if ((CLP_INDEX)link >= level->count) return link == CLP_TAIL ? CLP_TAIL : CLP_BROKEN;
    const CLP_INDEX key = clp_mix((CLP_INDEX)link, &level->hash);
    return key < level->ids - 1 ? CLP_VISITED - (CLP_LINK)key : link;
}

static inline void clp_store_node(const clp_list_workspace *work, CLP_INDEX node, CLP_LINK link,
                                  CLP_INDEX weight, const clp_list_level *level) {
    work->link[node] = clp_classified_link(link, level);
    work->offset[node] = weight;
}

static inline CLP_LINK clp_walked_by(uint lane) {
    return CLP_VISITED - CLP_LAST_GROUP - (CLP_LINK)lane;
}

static inline bool clp_is_walked(CLP_LINK link) {
    return link <= CLP_VISITED - CLP_LAST_GROUP;
}

static inline void clp_walk_own(const clp_list_workspace *work, CLP_LINK head,
                                const clp_list_level *level) {
    const uint lane = (uint)get_local_id(0);
    CLP_LINK to = CLP_TAIL;
    CLP_INDEX ahead = 0;
    CLP_INDEX node = lane < level->ids ? clp_first_node(lane, head, level) : CLP_NONE;
    bool on = node < level->count;
    while (on) {
        const CLP_INDEX weight = work->offset[node];
        to = work->link[node];
        work->link[node] = clp_walked_by(lane);
        work->offset[node] = ahead;
        ahead += weight;
        on = to >= 0;
        node = (CLP_INDEX)to;
    }
    if (clp_is_walked(to)) to = CLP_BROKEN;
    work->next[lane] = to <= CLP_VISITED ? CLP_VISITED - to : to;
    work->ahead[lane] = ahead;
}

/* One jump, from one half of the double buffer to the other. */
static inline void clp_jump(const clp_list_workspace *work, uint round) {
    const uint lane = (uint)get_local_id(0);
    const uint from = (round & 1) * CLP_LAST_GROUP, to = CLP_LAST_GROUP - from;
    CLP_LINK next = work->next[from + lane];
    CLP_INDEX ahead = work->ahead[from + lane];
    if (next >= 0) {
        ahead += work->ahead[from + next];
        next = work->next[from + next];
    }
    work->next[to + lane] = next;
    work->ahead[to + lane] = ahead;
}

#define CLP_JUMP(round)                                                                            \
    clp_jump(&work, round);                                                                        \
    barrier(CLK_LOCAL_MEM_FENCE); /* next and ahead, with the next round or the ranks */
#define CLP_COUNT_ROUND(round) +1
#define CLP_LAST_ROUNDS (0 CLP_EACH_LAST_ROUND(CLP_COUNT_ROUND))

/* The half of the double buffer that holds the results after all rounds */
#define CLP_JUMPED ((CLP_LAST_ROUNDS & 1) * CLP_LAST_GROUP)

/* Returns the weight from head to the end of its path; CLP_NONE unless the path ends at a tail. */
static inline CLP_INDEX clp_path_weight(const clp_list_workspace *work, CLP_LINK head,
                                        const clp_list_level *level) {
    if ((CLP_INDEX)head >= level->count) return CLP_NONE;
    const uint lane =
        (uint)min(clp_mix((CLP_INDEX)head, &level->hash), (CLP_INDEX)(level->ids - 1));
    return work->next[CLP_JUMPED + lane] == CLP_TAIL ? work->ahead[CLP_JUMPED + lane] : CLP_NONE;
}

/* Returns the rank of a node; -1 if head does not reach it. total: the weight of all that head
 * reaches. */
static inline CLP_LINK clp_last_rank(const clp_list_workspace *work, CLP_INDEX node,
                                     CLP_INDEX total) {
    if (!clp_is_walked(work->link[node]) || total == CLP_NONE) return -1;
    const uint lane = (uint)(clp_walked_by(0) - work->link[node]);
    if (work->next[CLP_JUMPED + lane] != CLP_TAIL) return -1;
    return (CLP_LINK)(total - work->ahead[CLP_JUMPED + lane] + work->offset[node]);
}

/* Ranks the last level and decides whether the list of `total` elements is valid. */
CLP_KERNEL(CLP_LAST_GROUP)
void clp_list_last(global const CLP_PAIR *restrict nodes, global CLP_LINK *restrict ranks,
                   global clp_list_state *state, const clp_list_level level, ulong total) {
    CLP_WORKSPACE(work);
    const CLP_INDEX count = (CLP_INDEX)level.count;
    const CLP_LINK head = (CLP_LINK)state->heads[level.number];
    CLP_ASSERT(count <= CLP_LAST && level.ids <= CLP_LAST_GROUP);
    for (CLP_INDEX i = (CLP_INDEX)get_local_id(0); i < count; i += CLP_AT_ONCE * CLP_LAST_GROUP) {
        CLP_PAIR node[CLP_AT_ONCE];
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++) {
            const CLP_INDEX at = i + j * CLP_LAST_GROUP;
            node[j] = nodes[level.links_at + min(at, (CLP_INDEX)(count - 1))];
        }
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++) {
            const CLP_INDEX at = i + j * CLP_LAST_GROUP;
            if (at < count) clp_store_node(&work, at, (CLP_LINK)node[j].x, node[j].y, &level);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* link and offset written above, walked below */
    clp_walk_own(&work, head, &level);
    barrier(CLK_LOCAL_MEM_FENCE); /* next and ahead written above, read by the first round */
    CLP_EACH_LAST_ROUND(CLP_JUMP)
    const CLP_INDEX weight = clp_path_weight(&work, head, &level);
    if (get_local_id(0) == 0) state->valid = weight == total && !state->overflow;
    for (CLP_INDEX i = (CLP_INDEX)get_local_id(0); i < count; i += CLP_LAST_GROUP) {
        ranks[level.at + i] = clp_last_rank(&work, i, weight);
    }
}
