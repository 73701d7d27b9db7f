/* SPDX-License-Identifier: MIT */
/*
 * A short list, or a forest of few elements, that the work-items of one group combine in local
 * memory: each lane walks one sublist, and some walk from heads; then every lane takes in, round by
 * round, twice as many sublists before its own. Operands keep their order.
 */

#if CLP_A_BYTES > 16
#define CLP_ALONE_AT_ONCE 1
#else
#define CLP_ALONE_AT_ONCE 4
#endif

/* What stands in an element's place of links, unless that is the next element. */
#define CLP_TO_SUBLIST 0x80000000u /* + the number of the sublist that the next element begins */
#define CLP_TO_NOTHING 0x90000000u
#define CLP_WALKED 0xa0000000u /* + the number of the sublist that the element is in */
#define CLP_WALKED_FIRST 0xc0000000u /* the same; nothing comes before it in the sublist */
#define CLP_WALKED_FROM_HEAD 0xe0000000u
#define CLP_SUBLIST 0xffffu

/* What comes before a lane's sublist, unless that is the sublist of another lane. */
#define CLP_NOWHERE (-1)
#define CLP_FROM_HEAD (-2)

typedef struct {
    local uint *links; /* of each element; once it is walked, by whom */
    local CLP_A *values; /* of each element; once it is walked, of the sublist so far */
    local CLP_A *sums; /* of each lane, twice */
    local int *before; /* of each lane, twice: the lane up to which sums goes back */
    local uint *named; /* a bit of each element, in a forest: a link names it */
    local uint *given; /* the same: it is given as a head */
    local uint *sum; /* of all links, low and high word */
    local uint *digest; /* of all links */
    local uint *broken;
    local uint *reached; /* elements on paths from heads */
} clp_desk;

#define CLP_ALONE_WORDS (CLP_FOREST ? (CLP_ALONE + 31) / 32 : 1)
#define CLP_DESK(name)                                                                             \
    local uint name##_links[CLP_ALONE], name##_named[CLP_ALONE_WORDS];                             \
    local CLP_A name##_values[CLP_ALONE], name##_sums[2 * CLP_ALONE_GROUP];                        \
    local int name##_before[2 * CLP_ALONE_GROUP];                                                  \
    local uint name##_given[CLP_ALONE_WORDS], name##_sum[2], name##_digest, name##_broken;         \
    local uint name##_reached;                                                                     \
    const clp_desk name = {name##_links,   name##_values,  name##_sums, name##_before,             \
                           name##_named,   name##_given,   name##_sum,  &name##_digest,            \
                           &name##_broken, &name##_reached}

static inline void clp_clear_desk(const clp_desk *desk) {
    const uint lane = (uint)get_local_id(0);
    desk->before[lane] = CLP_NOWHERE;
    for (uint i = lane; i < CLP_ALONE_WORDS; i += CLP_ALONE_GROUP)
        desk->named[i] = desk->given[i] = 0;
    if (lane > 0) return;
    desk->sum[0] = desk->sum[1] = *desk->digest = *desk->broken = *desk->reached = 0;
}

static inline void clp_break(const clp_desk *desk) {
    atomic_or(desk->broken, 1u); /* with itself; read once all have walked */
}

static inline void clp_lay_link_down(const clp_desk *desk, CLP_INDEX i, CLP_LINK link,
                                     CLP_INDEX count) {
    if ((CLP_INDEX)link >= count) {
        desk->links[i] = CLP_TO_NOTHING;
        if (link != CLP_TAIL) clp_break(desk);
        return;
    }
    desk->links[i] = (uint)link;
#if CLP_FOREST
    const uint bit = 1u << (uint)(link % 32);
    /* With itself, since elements share a word; read by clp_is_head. */
    if ((atomic_or(&desk->named[link / 32], bit) & bit) != 0) clp_break(desk);
#endif
}

/* A summand of the digest of all links. */
static inline uint clp_digest_of(CLP_INDEX i, CLP_LINK link) {
    uint x = ((uint)link + 1) * 0x9e3779b9u ^ (uint)i;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

/* Lays this lane's links and values down; returns the sum of its links. */
static inline ulong clp_lay_down(const clp_desk *desk, global const CLP_LINK *links,
                                 global const CLP_E *values, ulong values_at, CLP_INDEX count) {
    const CLP_INDEX step = CLP_ALONE_GROUP;
    uint digest = 0;
    ulong sum = 0;
    for (CLP_INDEX i = (CLP_INDEX)get_local_id(0); i < count; i += CLP_ALONE_AT_ONCE * step) {
        CLP_LINK link[CLP_ALONE_AT_ONCE];
        CLP_A value[CLP_ALONE_AT_ONCE];
        CLP_UNROLL
        for (uint j = 0; j < CLP_ALONE_AT_ONCE; j++) {
            const CLP_INDEX at = min((CLP_INDEX)(i + j * step), (CLP_INDEX)(count - 1));
            link[j] = links[at];
            value[j] = CLP_VALUE_OF(at);
        }
        CLP_UNROLL
        for (uint j = 0; j < CLP_ALONE_AT_ONCE; j++) {
            const CLP_INDEX at = i + j * step;
            if (at >= count) continue;
            desk->values[at] = value[j];
            clp_lay_link_down(desk, at, link[j], count);
            sum += (ulong)(long)link[j];
            digest += clp_digest_of(at, link[j]);
        }
    }
    atomic_add(desk->digest, digest); /* with itself; read by clp_seeded */
    return sum;
}

/* The lists choose the seed, so that none can be made against the hash, and yet each always has the
 * same, as sums of floats want it. */
static inline clp_list_level clp_seeded(const clp_desk *desk, clp_list_level level) {
    level.hash.seed = *desk->digest;
    return level;
}

/* This lane's links are told apart before the walks, which then have no hash on their way. */
static inline void clp_tell_apart(const clp_desk *desk, const clp_list_level *level) {
    for (CLP_INDEX i = (CLP_INDEX)get_local_id(0); i < level->count; i += CLP_ALONE_GROUP) {
        if (desk->links[i] >= CLP_TO_SUBLIST) continue;
        const CLP_INDEX key = clp_mix((CLP_INDEX)desk->links[i], &level->hash);
        if (key < level->ids) desk->links[i] = CLP_TO_SUBLIST + (uint)key;
    }
}

#if CLP_FOREST
static inline void clp_take_heads(const clp_desk *desk, const clp_given *given, CLP_INDEX count) {
    for (ulong k = get_local_id(0); k < given->count; k += CLP_ALONE_GROUP) {
        const CLP_INDEX head = (CLP_INDEX)given->heads[k];
        if (head < count) {
            /* With itself, since elements share a word; read by clp_heads_agree. */
            atomic_or(&desk->given[head / 32], 1u << (uint)(head % 32));
        } else {
            clp_break(desk);
        }
    }
}

static inline void clp_heads_agree(const clp_desk *desk, CLP_INDEX count) {
    for (CLP_INDEX i = (CLP_INDEX)get_local_id(0); i * 32 < count; i += CLP_ALONE_GROUP) {
        const CLP_INDEX left = count - i * 32;
        const uint all = left < 32 ? (1u << (uint)left) - 1 : 0xffffffffu;
        if ((desk->named[i] ^ desk->given[i]) != all) clp_break(desk);
    }
}
#endif

/* The one list's head; of a forest, whose heads are checked here if they are given, none. */
static inline CLP_LINK clp_first_of(const clp_desk *desk, const clp_given *given, long head,
                                    CLP_INDEX count) {
#if CLP_FOREST
    if (given->are_given) clp_heads_agree(desk, count);
    return CLP_TAIL;
#else
    return (CLP_LINK)(head < 0 ? clp_head_of(desk->sum[0], desk->sum[1], count) : head);
#endif
}

static inline bool clp_is_head(const clp_desk *desk, CLP_INDEX i, CLP_LINK head) {
#if CLP_FOREST
    return (desk->named[i / 32] >> (uint)(i % 32) & 1) == 0;
#else
    return (CLP_LINK)i == head;
#endif
}

/* Walks a sublist, or from a head, and marks what it meets with `mark`, but the first element with
 * `first_mark`. What has been walked before breaks the lists. Where two walks meet and
 * neither sees the other's mark they end alike, which clp_come_before tells, a forest's names, or
 * the number of what the head reaches. */
static inline uint clp_walk_marking(const clp_desk *desk, CLP_INDEX from, uint first_mark,
                                    uint mark, bool fresh, CLP_A *value, uint *steps) {
    CLP_A before = *value;
    uint to = (uint)from;
    uint own_mark = first_mark;
    uint count = 0;
    while (to < CLP_TO_SUBLIST) {
        const uint at = to;
        const CLP_A own = desk->values[at]; /* on its way together with the link */
        to = desk->links[at];
        if (to >= CLP_WALKED) break;
        desk->links[at] = own_mark;
        own_mark = mark;
#if CLP_INCLUSIVE
        before = fresh ? own : clp_op(before, own);
        desk->values[at] = before;
#else
        desk->values[at] = before;
        before = fresh ? own : clp_op(before, own);
#endif
        fresh = false;
        count++;
    }
    *value = before;
    *steps += count;
    if (to >= CLP_WALKED) clp_break(desk);
    return to;
}

/* Tells the lane of a sublist what comes before it; true if nobody else has done so. */
static inline bool clp_come_before(const clp_desk *desk, uint lane, int who) {
    /* With itself; read by clp_begin_rounds. */
    if (atomic_xchg(&desk->before[lane], who) == CLP_NOWHERE) return true;
    clp_break(desk);
    return false;
}

static inline void clp_walk_head(const clp_desk *desk, CLP_INDEX head, const CLP_A start,
                                 uint *steps) {
    CLP_A value = CLP_START(head);
    const uint to = clp_walk_marking(desk, head, CLP_WALKED_FROM_HEAD, CLP_WALKED_FROM_HEAD,
                                     !CLP_HAS_START, &value, steps);
    if (to < CLP_TO_SUBLIST || to >= CLP_TO_NOTHING) return;
    const uint lane = to - CLP_TO_SUBLIST;
    if (clp_come_before(desk, lane, CLP_FROM_HEAD)) desk->sums[CLP_ALONE_GROUP + lane] = value;
}

/* Heads that are splitters leave their sublists empty. Returns the elements of this lane's. */
static inline uint clp_walk_sublist(const clp_desk *desk, CLP_LINK head,
                                    const clp_list_level *level, CLP_A *value) {
    const uint lane = (uint)get_local_id(0);
    uint steps = 0;
    if (lane >= level->ids) return 0;
    const CLP_INDEX first = clp_unmix((CLP_INDEX)lane, &level->hash);
    if (first >= level->count) return 0;
    if (clp_is_head(desk, first, head)) {
        clp_come_before(desk, lane, CLP_FROM_HEAD);
        return 0;
    }
    const uint to = clp_walk_marking(desk, first, CLP_WALKED_FIRST + lane, CLP_WALKED + lane, true,
                                     value, &steps);
    if (to >= CLP_TO_SUBLIST && to < CLP_TO_NOTHING)
        clp_come_before(desk, to - CLP_TO_SUBLIST, (int)lane);
    return steps;
}

/* Returns the elements that this lane's heads reach. */
static inline uint clp_walk_heads(const clp_desk *desk, CLP_LINK head, CLP_INDEX count,
                                  const CLP_A start) {
    const CLP_INDEX lane = (CLP_INDEX)get_local_id(0);
    uint steps = 0;
#if CLP_FOREST
    for (CLP_INDEX i = lane; i < count; i += CLP_ALONE_GROUP) {
        if (clp_is_head(desk, i, head)) clp_walk_head(desk, i, start, &steps);
    }
#else
    if (lane == CLP_ALONE_GROUP - 1 && (CLP_INDEX)head < count) {
        clp_walk_head(desk, (CLP_INDEX)head, start, &steps);
    }
#endif
    return steps;
}

/* From one half of the lanes' places to the other. */
static inline void clp_take_in(const clp_desk *desk, uint round, CLP_A *sum, int *before) {
    const uint lane = (uint)get_local_id(0);
    const uint from = (round & 1) * CLP_ALONE_GROUP, to = CLP_ALONE_GROUP - from;
    if (*before >= 0) {
        *sum = clp_op(desk->sums[from + *before], *sum);
        *before = desk->before[from + *before];
    }
    desk->sums[to + lane] = *sum;
    desk->before[to + lane] = *before;
}

#define CLP_TAKE_IN(round)                                                                         \
    clp_take_in(&desk, round, &sum, &before);                                                      \
    barrier(CLK_LOCAL_MEM_FENCE); /* sums and before, with the next round or what follows */
#define CLP_COUNT_ROUND(round) +1

/* Where the lanes' results stand after all rounds, and where nothing stands any longer. */
#define CLP_TAKEN_IN (((0 CLP_EACH_ALONE_ROUND(CLP_COUNT_ROUND)) & 1) * CLP_ALONE_GROUP)
#define CLP_FREE (CLP_ALONE_GROUP - CLP_TAKEN_IN)

/* The element's result, by the offsets of the sublists. */
static inline CLP_A clp_result_of(const clp_desk *desk, CLP_INDEX i) {
    const uint mark = desk->links[i];
    const CLP_A value = desk->values[i];
    if (mark >= CLP_WALKED_FROM_HEAD) return value;
    const CLP_A offset = desk->sums[CLP_FREE + (mark & CLP_SUBLIST)];
#if !CLP_INCLUSIVE
    if (mark >= CLP_WALKED_FIRST) return offset;
#endif
    return clp_op(offset, value);
}

static inline void clp_note_all_reached(const clp_patient *p, const clp_desk *desk) {
    if (p->state->fault != CLP_CYCLE) return;
    for (CLP_INDEX i = p->lane; i < p->count; i += p->lanes) {
        const uint mark = desk->links[i];
        if (mark >= CLP_WALKED_FROM_HEAD ||
            (mark >= CLP_WALKED &&
             desk->before[CLP_TAKEN_IN + (mark & CLP_SUBLIST)] == CLP_FROM_HEAD))
            clp_note_reached(p, i);
    }
}

CLP_KERNEL(CLP_ALONE_GROUP)
void clp_listscan_alone(global const CLP_LINK *links, ulong links_at, global const CLP_E *values,
                        ulong values_at, global CLP_A *results, global uchar *named,
                        global uint *bits, global clp_list_state *state,
                        const clp_list_level unseeded, long head, const CLP_A start,
                        global long *reports, ulong report_at, uint wanted, CLP_OUTPUT CLP_GIVEN) {
    CLP_DESK(desk);
    const clp_output to = CLP_OUTPUT_OF;
    const CLP_INDEX count = (CLP_INDEX)unseeded.count;
    const uint lane = (uint)get_local_id(0);
    CLP_ASSERT(unseeded.count <= CLP_ALONE && unseeded.ids < CLP_ALONE_GROUP);
    const clp_patient p = {links + links_at, bits,        state, count, lane,
                           CLP_ALONE_GROUP,  CLP_GIVEN_OF};
    clp_clear_desk(&desk);
    barrier(CLK_LOCAL_MEM_FENCE); /* all cleared above, added to below */
    const ulong own_links = clp_lay_down(&desk, p.links, values, values_at, count);
#if CLP_FOREST
    clp_take_heads(&desk, &p.given, count);
#else
    if (head < 0) CLP_ADD_SUM(desk.sum, own_links) /* shared with the group's other lanes */
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* values, named, given, sum and digest written, read below */
    const clp_list_level level = clp_seeded(&desk, unseeded);
    const CLP_LINK first = clp_first_of(&desk, &p.given, head, count);
    clp_tell_apart(&desk, &level);
    barrier(CLK_LOCAL_MEM_FENCE); /* links written above, walked below */
    CLP_A sum = start;
    uint own = clp_walk_sublist(&desk, first, &level, &sum);
    uint reached = clp_walk_heads(&desk, first, count, start);
    barrier(CLK_LOCAL_MEM_FENCE); /* before, and sums' second half, written above, read below */
    const int origin = desk.before[lane];
    int before = origin;
    const CLP_A first_offset = desk.sums[CLP_ALONE_GROUP + lane];
    if (origin == CLP_FROM_HEAD && own > 0) sum = clp_op(first_offset, sum);
    desk.sums[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE); /* sums written above, read by the first round */
    CLP_EACH_ALONE_ROUND(CLP_TAKE_IN)
    if (before == CLP_FROM_HEAD) reached += own;
    if (reached > 0) atomic_add(desk.reached, reached); /* with itself; read below */
    desk.sums[CLP_FREE + lane] = origin >= 0 ? desk.sums[CLP_TAKEN_IN + origin] : first_offset;
    barrier(CLK_LOCAL_MEM_FENCE); /* reached, broken and the offsets written above, read below */
    const bool valid = *desk.reached == count && *desk.broken == 0;
    const bool asked = wanted && !valid;
    for (CLP_INDEX i = lane; valid && i < count; i += CLP_ALONE_GROUP) {
        clp_put(&to, i, CLP_PLACED_OF(clp_result_of(&desk, i)));
    }
    if (asked) clp_admit(&p, first);
    barrier(CLK_GLOBAL_MEM_FENCE); /* bits and state cleared above, written below */
    if (asked) clp_note_all(&p);
    barrier(CLK_GLOBAL_MEM_FENCE); /* bits noted above, asked for below */
    if (asked) clp_ask_alone(&p, 0, CLP_ASK_SECOND_TAIL);
    barrier(CLK_GLOBAL_MEM_FENCE); /* found above, judged below */
    if (asked) clp_judge_alone(&p);
    barrier(CLK_GLOBAL_MEM_FENCE); /* judged by work-item 0 above, read below */
    if (asked) clp_note_all_reached(&p, &desk);
    barrier(CLK_GLOBAL_MEM_FENCE); /* bits noted above, asked for below */
    if (asked) clp_ask_alone(&p, CLP_ASK_SECOND_TAIL, CLP_ASK_NO_ELEMENT);
    barrier(CLK_GLOBAL_MEM_FENCE); /* found above, concluded from below by work-item 0 */
    if (wanted && lane == 0) clp_report_alone(&p, valid, first, head, reports + 4 * report_at);
}
