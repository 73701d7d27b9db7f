/* SPDX-License-Identifier: MIT */
/*
 * Ranks a short list in one launch of a single work-group, in local memory. Each lane walks one
 * sublist, whose splitter the hash chose (list.cl). Pointer jumping (Wyllie 1979) then adds up the
 * sublists towards the tail: after round r the word of a lane counts the nodes of up to 2^r
 * sublists and names the lane behind them. The bandwidth of local memory bounds the run time, so
 * all state of a node, or of a lane, is packed into one 32-bit word. Lanes meet at barriers; none
 * waits for another otherwise. list_serial.cl has the run of a single work-item, for which this
 * file has the parameters.
 */

#define CLP_SINGLE_PARAMETERS                                                                      \
    global const CLP_LINK *links, global CLP_LINK *out, ulong out_at,                              \
        global clp_list_state *state, const clp_list_level level, long head, uint coarse,          \
        global long *reports, ulong report_at, uint wants_report, uint only_near, uint as_order

#define CLP_SINGLE_GROUP clp_list_single_group
#define CLP_SINGLE_DIAGNOSIS(given)                                                                \
    clp_diagnosis_of(links + level.links_at, (global uint *)(out + out_at), state,                 \
                     (CLP_INDEX)level.count, coarse, given)
static inline void clp_mark_given(const clp_diagnosis *c) {} /* of forests */

#if CLP_LAST_GROUP > 1
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

static inline uint clp_packed_link(CLP_LINK link, const clp_list_level *level) {
    if ((CLP_INDEX)link >= level->count) {
        return CLP_LEAVES | (link == CLP_TAIL ? CLP_END_TAIL : CLP_END_BROKEN);
    }
    const CLP_INDEX key = clp_mix((CLP_INDEX)link, &level->hash);
    return key < level->ids ? CLP_LEAVES | (uint)key : (uint)link;
}

/* Loads this lane's links and packs them. Returns the low bits of their sum. */
static inline uint clp_load_packed(local uint *nodes, global const CLP_LINK *links,
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
            nodes[at] = clp_packed_link(link[j], level);
        }
    }
    return sum;
}

/* Loads this lane's link of a list of one node per work-item. Returns the low bits of the link.
 * word: of the lane before the first jump. */
static inline uint clp_load_lane(global const CLP_LINK *links, const clp_list_level *level,
                                 uint *word) {
    const uint lane = (uint)get_local_id(0);
    const CLP_LINK link = lane < level->count ? links[level->links_at + lane] : CLP_TAIL;
    const uint end = link == CLP_TAIL ? CLP_END_TAIL : CLP_END_BROKEN;
    *word = ((CLP_INDEX)link < level->count ? (uint)link : end) << 16 | 1;
    return lane < level->count ? (uint)link : 0;
}

static inline void clp_add_link_sum(local uint *sum, uint own) {
#if CLP_LOCKSTEP && CLP_LAST_GROUP % 32 == 0
    own = clp_add_lanes(own);
    if (clp_lane() != 0) return;
#endif
    atomic_add(sum, own); /* races with the other lanes of the group */
}

/* Returns the given head, or that from the low 32 bits of the sum. They suffice: the result is only
 * used if all links but the tail are in range. */
static inline CLP_LINK clp_first_of(long head, uint sum, uint count) {
    const uint found = count * (count - 1) / 2 - 1 - sum;
    if (head >= 0) return (CLP_LINK)head;
    return found < count ? (CLP_LINK)found : -1;
}

/* Walks this lane's sublist. Returns the word of the lane before the first jump. */
static inline uint clp_walk_packed(local uint *nodes, CLP_LINK head, const clp_list_level *level) {
    const uint lane = (uint)get_local_id(0);
    const CLP_INDEX start = lane <= level->ids ? clp_first_node(lane, head, level) : CLP_NONE;
    uint node = (uint)start, ahead = 0, word = CLP_LEAVES | CLP_END_TAIL;
    bool on = start < level->count;
    while (on) {
        word = nodes[node];
        nodes[node] = CLP_PACKED | lane << 16 | ahead;
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
static inline void clp_jump_packed(local uint *lanes, uint *word, uint round) {
    const uint lane = (uint)get_local_id(0);
    const uint from = (round & 1) * CLP_LAST_GROUP, to = CLP_LAST_GROUP - from;
    if (*word >> 16 < CLP_LAST_GROUP) {
        const uint other = lanes[from + (*word >> 16)];
        *word = (other & 0xffff0000u) | ((*word + other) & 0xffffu);
    }
    lanes[to + lane] = *word;
}

/* A macro because barriers stay at a kernel's top level. */
#define CLP_JUMP_PACKED(round)                                                                     \
    if (round < rounds) clp_jump_packed(lanes, &word, round);                                      \
    barrier(CLK_LOCAL_MEM_FENCE); /* lanes, with the next round or the ranks */

/* As clp_mark_all_reached, from the words of the lanes: marks the nodes whose path ends at a tail,
 * which head need not reach. */
static inline void clp_mark_ranked(const clp_diagnosis *c, local const uint *nodes,
                                   local const uint *lanes) {
    for (uint i = (uint)get_local_id(0); i < c->count; i += CLP_LAST_GROUP) {
        const uint node = nodes == 0 ? CLP_PACKED | i << 16 : nodes[i];
        const bool walked = (node & CLP_PACKED) != 0;
        if (walked && lanes[node >> 16 & 0x7fffu] >> 16 == CLP_END_TAIL) clp_mark_reached(c, i);
    }
}

/* The lanes of the work-group, each with the sublist that it has walked. */
typedef struct {
    local const uint *nodes; /* the words of the nodes; NULL if each node is a lane's own sublist */
    local uint *lanes; /* the words of the lanes, double-buffered */
    uint count; /* nodes */
    uint rounds; /* after which jumps have passed all lanes */
    CLP_LINK first; /* the head */
    uint of_head; /* the lane of head's sublist, if head is a node */
} clp_ranking;

/* Jumps and writes the ranks. word: of this lane. Returns whether the list is valid; sets *ends:
 * whether the path from its head ends at a tail. Then r->lanes is the half that was written last.
 */
CLP_INLINE bool clp_rank_lanes(clp_ranking *r, uint word, global CLP_LINK *out, uint as_order,
                               bool *ends) {
    const uint count = r->count, lane = (uint)get_local_id(0), rounds = r->rounds;
    local uint *lanes = r->lanes;
    CLP_EACH_LAST_ROUND(CLP_JUMP_PACKED)
    lanes += (rounds & 1) * CLP_LAST_GROUP;
    r->lanes = lanes;
    *ends = (CLP_INDEX)r->first < count && lanes[r->of_head] >> 16 == CLP_END_TAIL;
    const bool valid = *ends && (lanes[r->of_head] & 0xffffu) == count;
    if (r->nodes == 0 && valid && lane < count)
        clp_write(out, lane, (CLP_INDEX)(count - (word & 0xffffu)), as_order);
    for (uint i = lane; r->nodes != 0 && valid && i < count; i += CLP_LAST_GROUP) {
        const uint node = r->nodes[i], ahead = lanes[node >> 16 & 0x7fffu] & 0xffffu;
        clp_write(out, i, (CLP_INDEX)(count - ahead + (node & 0xffffu)), as_order);
    }
    return valid;
}

/* A list of at most one node per work-item needs no walks: each node is a lane's sublist. */
CLP_KERNEL(CLP_LAST_GROUP) void CLP_SINGLE_GROUP(CLP_SINGLE_PARAMETERS) {
    local uint nodes[CLP_LAST], lanes[2 * CLP_LAST_GROUP], link_sum[1];
    const uint count = (uint)level.count, lane = (uint)get_local_id(0);
    const bool walks = count > CLP_LAST_GROUP;
    CLP_ASSERT(level.count <= CLP_LAST && level.ids < CLP_LAST_GROUP);
    if (lane == 0) link_sum[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* sum written above, added to below */
    uint word = 0, sum;
    if (walks)
        sum = clp_load_packed(nodes, links, &level);
    else
        sum = clp_load_lane(links, &level, &word);
    if (head < 0) clp_add_link_sum(link_sum, sum);
    barrier(CLK_LOCAL_MEM_FENCE); /* nodes and sum written above, read below */
    const CLP_LINK first = clp_first_of(head, link_sum[0], count);
    if (walks) word = clp_walk_packed(nodes, first, &level);
    lanes[lane] = word;
    barrier(CLK_LOCAL_MEM_FENCE); /* lanes written above, read by the first round */
    const uint of_head =
        walks ? (uint)clp_id_of((CLP_INDEX)first, &level) : min((uint)first, CLP_LAST_GROUP - 1u);
    clp_ranking ranking = {walks ? nodes : 0,
                           lanes,
                           count,
                           clp_rounds_of(walks ? (uint)level.ids + 1 : count),
                           first,
                           of_head};
    bool ends;
    const bool valid = clp_rank_lanes(&ranking, word, out + out_at, as_order, &ends);
    const clp_given own_heads = CLP_GIVEN_OF;
    clp_diagnosis c = CLP_SINGLE_DIAGNOSIS(own_heads);
    CLP_FINISH(first, valid,
               if (c.fault == CLP_CYCLE && ends) clp_mark_ranked(&c, ranking.nodes, ranking.lanes))
}
#endif
