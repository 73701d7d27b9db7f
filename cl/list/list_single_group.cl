/* SPDX-License-Identifier: MIT */
/*
 * Ranks a short list in one launch of a single work-group or work-item. As in list_levels.cl, each
 * lane walks one sublist and then jumps, here towards the tail. Local memory bandwidth dominates
 * the run time, so that all state of a node, or of a lane, is packed into one 32-bit word.
 */

#define CLP_SINGLE_PARAMETERS                                                                      \
    global const CLP_LINK *restrict links, global CLP_LINK *out, ulong out_at,                     \
        global clp_list_state *state, const clp_list_level level, long head, uint coarse,          \
        global long *reports, ulong report_at, uint wants_report, uint only_near, uint as_order

/* Clears the ranks of a malformed list, which are marks in its diagnosis, and the state. */
static inline void clp_clear_ranks(const clp_diagnosis *c, bool valid, global CLP_LINK *ranks,
                                   long head) {
    if (valid) return;
    for (CLP_INDEX i = get_local_id(0); i < c->count; i += CLP_LAST_GROUP) ranks[i] = 0;
    clp_start(c->state, head, c->count, 0);
}

/* Ends a run. first: the head. */
#define CLP_FINISH_RANKING(first, is_valid, mark_reached)                                          \
    const clp_given own_heads = CLP_GIVEN_OF;                                                      \
    clp_diagnosis c = clp_diagnosis_of(links + level.links_at, (global uint *)(out + out_at),      \
                                       state, count, coarse, own_heads);                           \
    CLP_FINISH(c, is_valid, first, clp_clear_ranks(&c, is_valid, out + out_at, first), ,           \
               mark_reached)

#if CLP_LAST_GROUP == 1
/* Ranks a list as plain C does. Returns whether it is valid. */
static inline bool clp_rank_serially(global const CLP_LINK *restrict links, CLP_LINK first,
                                     CLP_INDEX count, global CLP_LINK *restrict out,
                                     uint as_order) {
    CLP_LINK node = first;
    CLP_INDEX rank = 0;
    for (; (CLP_INDEX)node < count && rank < count; rank++) {
        clp_write(out, (CLP_INDEX)node, rank, as_order);
        node = links[node];
    }
    return node == CLP_TAIL && rank == count;
}

/* A whole run by one work-item: walks the list, and diagnoses it only if it is malformed. */
CLP_KERNEL(1) void clp_list_single_group(CLP_SINGLE_PARAMETERS) {
    const CLP_INDEX count = (CLP_INDEX)level.count;
    global const CLP_LINK *own = links + level.links_at;
    if (only_near && !clp_is_near(own, count)) return;
    const CLP_LINK first = clp_first_of_links(own, count, head);
    const bool valid = clp_rank_serially(own, first, count, out + out_at, as_order);
    if (only_near) {
        clp_set_done(state, first, valid);
        return;
    }
    CLP_FINISH_RANKING(first, valid, clp_mark_all_reached(&c, &level, 0, 0, 0, 1))
}
#else
#if CLP_LAST > 0xffff
#error "list_single_group.cl: CLP_LAST, nodes whose places need more than 16 bits"
#endif

/* The word of a node: its link; or, if the link leaves the sublist, CLP_LEAVES and the lane that it
 * leads to or one of the ends below; once walked, CLP_PACKED, its lane from bit 16 on, and its
 * offset in the sublist. */
#define CLP_LEAVES 0x40000000u
#define CLP_PACKED 0x80000000u
/* The word of a lane: the lane that it has jumped to or one of the ends below, from bit 16 on, and
 * the number of nodes up to there. */
#define CLP_END_TAIL 0xffffu
#define CLP_END_BROKEN 0xfffeu

typedef struct {
    local uint *nodes; /* NULL: one node per lane, which is its own sublist */
    local uint *lanes; /* double-buffered */
    local uint *sum; /* of all links */
} clp_list_packed_nodes;

static inline uint clp_packed_link(CLP_LINK link, const clp_list_level *level) {
    if ((CLP_INDEX)link >= level->count) {
        return CLP_LEAVES | (link == CLP_TAIL ? CLP_END_TAIL : CLP_END_BROKEN);
    }
    const CLP_INDEX key = clp_mix((CLP_INDEX)link, &level->hash);
    return key < level->ids ? CLP_LEAVES | (uint)key : (uint)link;
}

/* Loads this lane's links and packs them. Returns the low bits of their sum. */
static inline uint clp_load_packed(const clp_list_packed_nodes *work, global const CLP_LINK *links,
                                   const clp_list_level *level) {
    const uint count = (uint)level->count;
    uint sum = 0;
    for (uint i = (uint)get_local_id(0); i < count; i += CLP_AT_ONCE * CLP_LAST_GROUP) {
        CLP_LINK link[CLP_AT_ONCE];
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++) {
            const uint at = i + j * CLP_LAST_GROUP;
            if (at < count) link[j] = links[level->links_at + at];
        }
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++) {
            const uint at = i + j * CLP_LAST_GROUP;
            if (at >= count) continue;
            sum += (uint)link[j];
            work->nodes[at] = clp_packed_link(link[j], level);
        }
    }
    return sum;
}

static inline void clp_add_link_sum(const clp_list_packed_nodes *work, uint own) {
#if CLP_LOCKSTEP && CLP_LAST_GROUP % 32 == 0
    own = clp_add_lanes(own);
    if (clp_lane() != 0) return;
#endif
    atomic_add(work->sum, own); /* races with the other lanes of the group */
}

/* Returns head from the low 32 bits of the sum. They suffice: the result is only used if all links
 * but the tail are in range. */
static inline CLP_LINK clp_head_of_sum(uint sum, uint count) {
    const uint head = count * (count - 1) / 2 - 1 - sum;
    return head < count ? (CLP_LINK)head : -1;
}

/* Walks this lane's sublist. Returns the word of the lane before the first jump. */
static inline uint clp_walk_packed(const clp_list_packed_nodes *work, CLP_LINK head,
                                   const clp_list_level *level) {
    const uint lane = (uint)get_local_id(0);
    const CLP_INDEX start = lane <= level->ids ? clp_first_node(lane, head, level) : CLP_NONE;
    uint node = (uint)start, ahead = 0, word = CLP_LEAVES | CLP_END_TAIL;
    bool on = start < level->count;
    while (on) {
        word = work->nodes[node];
        work->nodes[node] = CLP_PACKED | lane << 16 | ahead;
        ahead++;
        node = word;
        on = word < CLP_LEAVES;
    }
    return ((word & CLP_PACKED) != 0 ? CLP_END_BROKEN : word & 0xffffu) << 16 | ahead;
}

/* Returns the number of rounds after which jumps have passed that many lanes. */
static inline uint clp_rounds_of(uint lanes) {
    return 32 - clz(lanes - 1);
}

/* One jump, from one half of the double buffer to the other. On a cycle the count of nodes
 * overflows, but never into the bits of the lane. */
static inline void clp_jump_packed(const clp_list_packed_nodes *work, uint *word, uint round) {
    const uint lane = (uint)get_local_id(0);
    const uint from = (round & 1) * CLP_LAST_GROUP, to = CLP_LAST_GROUP - from;
    if (*word >> 16 < CLP_LAST_GROUP) {
        const uint other = work->lanes[from + (*word >> 16)];
        *word = (other & 0xffff0000u) | ((*word + other) & 0xffffu);
    }
    work->lanes[to + lane] = *word;
}

#define CLP_JUMP_PACKED(round)                                                                     \
    if (round < rounds) clp_jump_packed(work, &word, round);                                       \
    barrier(CLK_LOCAL_MEM_FENCE); /* lanes, with the next round or the ranks */

/* The result of all jumps. */
typedef struct {
    const local uint *nodes; /* or NULL */
    const local uint *lanes;
    bool ends; /* the path from head ends at a tail */
    bool valid;
} clp_list_ranked;

/* lane: the lane of head's sublist, if head is a node. */
static inline clp_list_ranked clp_ranked_of(const clp_list_packed_nodes *work, uint rounds,
                                            CLP_LINK first, uint lane, uint count) {
    const local uint *lanes = work->lanes + (rounds & 1) * CLP_LAST_GROUP;
    const uint own = lanes[lane];
    const bool ends = (CLP_INDEX)first < count && own >> 16 == CLP_END_TAIL;
    const bool valid = ends && (own & 0xffffu) == count;
    const clp_list_ranked ranked = {work->nodes, lanes, ends, valid};
    return ranked;
}

/* Returns whether the path from a node ends at a tail; head need not reach the node. */
static inline bool clp_reaches_tail(const clp_list_ranked *ranked, uint i) {
    if (ranked->nodes == 0) return ranked->lanes[i] >> 16 == CLP_END_TAIL;
    const uint node = ranked->nodes[i];
    return (node & CLP_PACKED) != 0 && ranked->lanes[node >> 16 & 0x7fffu] >> 16 == CLP_END_TAIL;
}

/* As clp_mark_all_reached, from the words of the lanes. */
static inline void clp_mark_ranked(const clp_diagnosis *c, const clp_list_ranked *ranked) {
    if (c->fault != CLP_CYCLE || !ranked->ends) return;
    for (CLP_INDEX i = get_local_id(0); i < c->count; i += CLP_LAST_GROUP) {
        if (clp_reaches_tail(ranked, (uint)i)) clp_mark_reached(c, i);
    }
}

static inline CLP_LINK clp_first_of(long head, const clp_list_packed_nodes *work, uint count) {
    return head < 0 ? clp_head_of_sum(work->sum[0], count) : (CLP_LINK)head;
}

/* A whole run by a single work-group: ranks the list, and diagnoses it if a report is wanted. */
CLP_KERNEL(CLP_LAST_GROUP) void clp_list_single_group(CLP_SINGLE_PARAMETERS) {
    local uint nodes[CLP_LAST], lanes[2 * CLP_LAST_GROUP], shared_sum[1];
    const clp_list_packed_nodes packed = {nodes, lanes, shared_sum}, *work = &packed;
    const uint count = (uint)level.count, lane = (uint)get_local_id(0);
    CLP_ASSERT(level.count <= CLP_LAST && level.ids < CLP_LAST_GROUP);
    if (lane == 0) shared_sum[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* sum written above, added to below */
    const uint sum = clp_load_packed(work, links, &level);
    if (head < 0) clp_add_link_sum(work, sum);
    barrier(CLK_LOCAL_MEM_FENCE); /* nodes and sum written above, read below */
    const CLP_LINK first = clp_first_of(head, work, count);
    const uint rounds = clp_rounds_of((uint)level.ids + 1);
    uint word = clp_walk_packed(work, first, &level);
    lanes[lane] = word;
    barrier(CLK_LOCAL_MEM_FENCE); /* lanes written above, read by the first round */
    CLP_EACH_LAST_ROUND(CLP_JUMP_PACKED)
    const uint own = (uint)clp_id_of((CLP_INDEX)first, &level);
    const clp_list_ranked ranked = clp_ranked_of(work, rounds, first, own, count);
    for (uint i = lane; ranked.valid && i < count; i += CLP_LAST_GROUP) {
        const uint node = nodes[i], ahead = ranked.lanes[node >> 16 & 0x7fffu] & 0xffffu;
        clp_write(out + out_at, i, (CLP_INDEX)(count - ahead + (node & 0xffffu)), as_order);
    }
    CLP_FINISH_RANKING(first, ranked.valid, clp_mark_ranked(&c, &ranked))
}

/* The same for at most one node per work-item. */
CLP_KERNEL(CLP_LAST_GROUP) void clp_list_one_per_item(CLP_SINGLE_PARAMETERS) {
    local uint lanes[2 * CLP_LAST_GROUP], shared_sum[1];
    const clp_list_packed_nodes packed = {0, lanes, shared_sum}, *work = &packed;
    const uint count = (uint)level.count, lane = (uint)get_local_id(0);
    CLP_LINK link = CLP_TAIL;
    CLP_ASSERT(level.count <= CLP_LAST_GROUP);
    if (lane < count) link = links[level.links_at + lane];
    if (lane == 0) shared_sum[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* sum written above, added to below */
    if (head < 0) clp_add_link_sum(work, lane < count ? (uint)link : 0);
    const bool inside = (CLP_INDEX)link < count;
    const uint end = link == CLP_TAIL ? CLP_END_TAIL : CLP_END_BROKEN;
    uint word = (inside ? (uint)link : end) << 16 | 1;
    lanes[lane] = word;
    barrier(CLK_LOCAL_MEM_FENCE); /* lanes and sum written above, read below */
    const CLP_LINK first = clp_first_of(head, work, count);
    const uint rounds = clp_rounds_of(count);
    CLP_EACH_LAST_ROUND(CLP_JUMP_PACKED)
    const uint own = min((uint)first, CLP_LAST_GROUP - 1u);
    const clp_list_ranked ranked = clp_ranked_of(work, rounds, first, own, count);
    if (ranked.valid && lane < count) {
        clp_write(out + out_at, lane, (CLP_INDEX)(count - (word & 0xffffu)), as_order);
    }
    CLP_FINISH_RANKING(first, ranked.valid, clp_mark_ranked(&c, &ranked))
}
#endif
