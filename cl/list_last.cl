/* SPDX-License-Identifier: MIT */
/*
 * A list that one group ranks alone in local memory: the last level of a long list, or the whole
 * of a short one. Each lane walks one sublist; then every lane's pointer jumps twice as far in
 * each round, so that after log2(lanes) rounds it knows how much lies ahead of its sublist.
 */
#ifndef CLP_LAST
#error "list_last.cl: CLP_LAST, nodes that one group ranks alone, is not set by the prelude"
#endif
#ifndef CLP_LAST_GROUP
#error "list_last.cl: CLP_LAST_GROUP, work-items of that group, is not set by the prelude"
#endif
#ifndef CLP_EACH_LAST_ROUND
#error "list_last.cl: CLP_EACH_LAST_ROUND(step), log2 of those, is not set by the prelude"
#endif

typedef struct {
    local CLP_LINK *link; /* of each node; once it is walked, whose sublist it is in */
    local CLP_INDEX *place; /* its weight; once it is walked, its place in the sublist */
    local CLP_LINK *next; /* of each lane, twice: the lane it has jumped to, or a link's end */
    local CLP_INDEX *ahead; /* of each lane, twice: the weight up to there */
} clp_list_desk;

#define CLP_DESK(name)                                                                             \
    local CLP_LINK name##_link[CLP_LAST], name##_next[2 * CLP_LAST_GROUP];                         \
    local CLP_INDEX name##_place[CLP_LAST], name##_ahead[2 * CLP_LAST_GROUP];                      \
    const clp_list_desk name = {name##_link, name##_place, name##_next, name##_ahead}

/* Links are told apart before the walks, which then have no hash on their way: from CLP_VISITED
 * down they lead to the splitter of a lane; below those they say whose sublist the node is in. */
static inline CLP_LINK clp_sorted_out(CLP_LINK link, const clp_list_level *level) {
    if ((CLP_INDEX)link >= level->count) return link == CLP_TAIL ? CLP_TAIL : CLP_BROKEN;
    const CLP_INDEX key = clp_mix((CLP_INDEX)link, &level->hash);
    return key < level->ids - 1 ? CLP_VISITED - (CLP_LINK)key : link;
}

static inline void clp_lay_down(const clp_list_desk *desk, CLP_INDEX node, CLP_LINK link,
                                CLP_INDEX weight, const clp_list_level *level) {
    desk->link[node] = clp_sorted_out(link, level);
    desk->place[node] = weight;
}

static inline CLP_LINK clp_walked_by(uint lane) {
    return CLP_VISITED - CLP_LAST_GROUP - (CLP_LINK)lane;
}

static inline bool clp_is_walked(CLP_LINK link) {
    return link <= CLP_VISITED - CLP_LAST_GROUP;
}

static inline void clp_walk_own(const clp_list_desk *desk, CLP_LINK head,
                                const clp_list_level *level) {
    const uint lane = (uint)get_local_id(0);
    CLP_LINK to = CLP_TAIL;
    CLP_INDEX ahead = 0;
    CLP_INDEX node = lane < level->ids ? clp_first_node(lane, head, level) : CLP_NONE;
    bool on = node < level->count;
    while (on) {
        const CLP_INDEX weight = desk->place[node];
        to = desk->link[node];
        desk->link[node] = clp_walked_by(lane);
        desk->place[node] = ahead;
        ahead += weight;
        on = to >= 0;
        node = (CLP_INDEX)to;
    }
    if (clp_is_walked(to)) to = CLP_BROKEN;
    desk->next[lane] = to <= CLP_VISITED ? CLP_VISITED - to : to;
    desk->ahead[lane] = ahead;
}

/* From one half of the lanes' places to the other. */
static inline void clp_jump(const clp_list_desk *desk, uint round) {
    const uint lane = (uint)get_local_id(0);
    const uint from = (round & 1) * CLP_LAST_GROUP, to = CLP_LAST_GROUP - from;
    CLP_LINK next = desk->next[from + lane];
    CLP_INDEX ahead = desk->ahead[from + lane];
    if (next >= 0) {
        ahead += desk->ahead[from + next];
        next = desk->next[from + next];
    }
    desk->next[to + lane] = next;
    desk->ahead[to + lane] = ahead;
}

#define CLP_JUMP(round)                                                                            \
    clp_jump(&desk, round);                                                                        \
    barrier(CLK_LOCAL_MEM_FENCE); /* next and ahead, with the next round or the ranks */
#define CLP_COUNT_ROUND(round) +1
#define CLP_LAST_ROUNDS (0 CLP_EACH_LAST_ROUND(CLP_COUNT_ROUND))

/* Where the lanes' results stand after all rounds. */
#define CLP_JUMPED ((CLP_LAST_ROUNDS & 1) * CLP_LAST_GROUP)

/* The weight from head to the end of its path; CLP_NONE unless that is a tail. */
static inline CLP_INDEX clp_path_weight(const clp_list_desk *desk, CLP_LINK head,
                                        const clp_list_level *level) {
    if ((CLP_INDEX)head >= level->count) return CLP_NONE;
    const uint lane =
        (uint)min(clp_mix((CLP_INDEX)head, &level->hash), (CLP_INDEX)(level->ids - 1));
    return desk->next[CLP_JUMPED + lane] == CLP_TAIL ? desk->ahead[CLP_JUMPED + lane] : CLP_NONE;
}

/* A node's rank, when all that head reaches weighs `total`; -1: head does not reach it. */
static inline CLP_LINK clp_last_rank(const clp_list_desk *desk, CLP_INDEX node, CLP_INDEX total) {
    if (!clp_is_walked(desk->link[node]) || total == CLP_NONE) return -1;
    const uint lane = (uint)(clp_walked_by(0) - desk->link[node]);
    if (desk->next[CLP_JUMPED + lane] != CLP_TAIL) return -1;
    return (CLP_LINK)(total - desk->ahead[CLP_JUMPED + lane] + desk->place[node]);
}

/* Ranks a level above level 0 and says whether the list of `total` elements is valid. */
CLP_KERNEL(CLP_LAST_GROUP)
void clp_list_last(global const CLP_PAIR *restrict nodes, global CLP_LINK *restrict ranks,
                   global clp_list_state *state, const clp_list_level level, ulong total) {
    CLP_DESK(desk);
    const CLP_INDEX count = (CLP_INDEX)level.count;
    const CLP_LINK head = (CLP_LINK)state->heads[level.number];
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
            if (at < count) clp_lay_down(&desk, at, (CLP_LINK)node[j].x, node[j].y, &level);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* link and place written above, walked below */
    clp_walk_own(&desk, head, &level);
    barrier(CLK_LOCAL_MEM_FENCE); /* next and ahead written above, read by the first round */
    CLP_EACH_LAST_ROUND(CLP_JUMP)
    const CLP_INDEX weight = clp_path_weight(&desk, head, &level);
    if (get_local_id(0) == 0) state->valid = weight == total && !state->spoiled;
    for (CLP_INDEX i = (CLP_INDEX)get_local_id(0); i < count; i += CLP_LAST_GROUP) {
        ranks[level.at + i] = clp_last_rank(&desk, i, weight);
    }
}

#if CLP_LAST_GROUP == 1
/* All stages of the diagnosis, one after another; ends: head's path ends at a tail. */
static inline void clp_look_serially(global const CLP_LINK *links, global CLP_LINK *out,
                                     global clp_list_state *state, const clp_list_level *level,
                                     uint coarse, bool ends) {
    for (uint stage = 0; stage < 3; stage++) {
        clp_list_case c = clp_judge(links, out, state, level, coarse, stage);
        if (stage == 2 && ends && c.fault == CLP_CYCLE) {
            for (CLP_LINK i = c.head; i != CLP_TAIL; i = c.links[i]) clp_unmark(&c, (CLP_INDEX)i);
        }
        if (clp_asks(&c)) clp_ask(&c, state, coarse, stage, 0, 1);
    }
}

/* A whole run by one work-item: it walks the list, and looks closer only if that is none. */
CLP_KERNEL(1)
void clp_list_alone(global const CLP_LINK *restrict links, global CLP_LINK *out, ulong out_at,
                    global clp_list_state *state, const clp_list_level level, long head,
                    uint coarse, global long *reports, ulong report_at, uint wanted,
                    uint as_order) {
    const CLP_INDEX count = (CLP_INDEX)level.count;
    ulong sum = 0;
    clp_start(state, head, count);
    global const CLP_LINK *own = links + level.links_at;
    for (CLP_INDEX i = 0; head < 0 && i < count; i++) sum += (ulong)(long)own[i];
    const CLP_LINK first =
        (CLP_LINK)(head < 0 ? clp_head_of((uint)sum, (uint)(sum >> 32), count) : head);
    CLP_LINK node = first;
    CLP_INDEX rank = 0;
    for (; (CLP_INDEX)node < count && rank < count; rank++) {
        clp_write(out + out_at, (CLP_INDEX)node, rank, as_order);
        node = own[node];
    }
    const bool ends = node == CLP_TAIL && rank > 0;
    state->valid = ends && rank == count;
    state->heads[0] = first;
    if (!state->valid) clp_write_zeros(out + out_at, count);
    if (!wanted) return;
    if (!state->valid) clp_look_serially(links, out + out_at, state, &level, coarse, ends);
    const clp_list_case c = clp_judge(links, out + out_at, state, &level, coarse, 2);
    clp_conclude(c, state, coarse, reports + 4 * report_at, head);
}
#else
static inline void clp_look_alone(global const CLP_LINK *links, global CLP_LINK *out,
                                  global clp_list_state *state, const clp_list_level *level,
                                  uint coarse, uint stage, bool asked) {
    if (!asked) return;
    const clp_list_case c = clp_judge(links, out, state, level, coarse, stage);
    if (clp_asks(&c)) clp_ask(&c, state, coarse, stage, 0, 1);
}

/* As clp_list_unmark; weight: of head's path. */
static inline void clp_unmark_alone(global const CLP_LINK *links, global CLP_LINK *out,
                                    global const clp_list_state *state, const clp_list_level *level,
                                    uint coarse, const clp_list_desk *desk, CLP_INDEX weight) {
    if (weight == CLP_NONE) return;
    const clp_list_case c = clp_judge(links, out, state, level, coarse, 2);
    if (c.fault != CLP_CYCLE) return;
    for (CLP_INDEX i = (CLP_INDEX)get_local_id(0); i < c.count; i += CLP_LAST_GROUP) {
        if (clp_last_rank(desk, i, weight) >= 0) clp_unmark(&c, i);
    }
}

/* Lays this lane's links of level 0 down; returns their sum. */
static inline ulong clp_lay_down_links(const clp_list_desk *desk, global const CLP_LINK *links,
                                       const clp_list_level *level) {
    const CLP_INDEX count = (CLP_INDEX)level->count;
    ulong sum = 0;
    for (CLP_INDEX i = (CLP_INDEX)get_local_id(0); i < count; i += CLP_AT_ONCE * CLP_LAST_GROUP) {
        CLP_LINK link[CLP_AT_ONCE];
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++) {
            const CLP_INDEX at = i + j * CLP_LAST_GROUP;
            link[j] = links[level->links_at + min(at, (CLP_INDEX)(count - 1))];
        }
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++) {
            const CLP_INDEX at = i + j * CLP_LAST_GROUP;
            if (at >= count) continue;
            sum += (ulong)(long)link[j];
            clp_lay_down(desk, at, link[j], 1, level);
        }
    }
    return sum;
}

/* A whole run on one group: ranks the list, and says what is wrong with it if a report is wanted.
 */
CLP_KERNEL(CLP_LAST_GROUP)
void clp_list_alone(global const CLP_LINK *restrict links, global CLP_LINK *out, ulong out_at,
                    global clp_list_state *state, const clp_list_level level, long head,
                    uint coarse, global long *reports, ulong report_at, uint wanted,
                    uint as_order) {
    CLP_DESK(desk);
    local uint sum[2];
    local uint valid;
    const CLP_INDEX count = (CLP_INDEX)level.count;
    const CLP_INDEX lane = (CLP_INDEX)get_local_id(0);
    if (lane == 0) sum[0] = sum[1] = 0;
    clp_start(state, head, count);
    barrier(CLK_LOCAL_MEM_FENCE); /* sum and state written above, added to and read below */
    const ulong own_sum = clp_lay_down_links(&desk, links, &level);
    if (head < 0) CLP_ADD_SUM(sum, own_sum) /* shared with the group's other lanes */
    barrier(CLK_LOCAL_MEM_FENCE); /* link, place and sum written above, read below */
    const CLP_LINK first = (CLP_LINK)(head < 0 ? clp_head_of(sum[0], sum[1], count) : head);
    clp_walk_own(&desk, first, &level);
    barrier(CLK_LOCAL_MEM_FENCE); /* next and ahead written above, read by the first round */
    CLP_EACH_LAST_ROUND(CLP_JUMP)
    const CLP_INDEX weight = clp_path_weight(&desk, first, &level);
    if (lane == 0) {
        valid = weight == count;
        state->valid = valid;
        state->heads[0] = first;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* valid and state written, read below */
    for (CLP_INDEX i = lane; i < count; i += CLP_LAST_GROUP) {
        if (valid)
            clp_write(out + out_at, i, (CLP_INDEX)clp_last_rank(&desk, i, weight), as_order);
        else
            out[out_at + i] = 0;
    }
    const bool asked = wanted && !valid;
    barrier(CLK_GLOBAL_MEM_FENCE); /* zeros written above, marked by the first stage */
    clp_look_alone(links, out + out_at, state, &level, coarse, 0, asked);
    barrier(CLK_GLOBAL_MEM_FENCE); /* found by stage 0 above, judged by stage 1 below */
    clp_look_alone(links, out + out_at, state, &level, coarse, 1, asked);
    barrier(CLK_GLOBAL_MEM_FENCE); /* found by stage 1 above, judged by clp_unmark_alone below */
    clp_unmark_alone(links, out + out_at, state, &level, coarse, &desk, asked ? weight : CLP_NONE);
    barrier(CLK_GLOBAL_MEM_FENCE); /* marks taken off above, asked for by stage 2 below */
    clp_look_alone(links, out + out_at, state, &level, coarse, 2, asked);
    barrier(CLK_GLOBAL_MEM_FENCE); /* found by stage 2 above, concluded from below by work-item 0 */
    if (wanted && lane == 0) {
        const clp_list_case c = clp_judge(links, out + out_at, state, &level, coarse, 2);
        clp_conclude(c, state, coarse, reports + 4 * report_at, head);
    }
}
#endif
