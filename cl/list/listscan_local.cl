/* SPDX-License-Identifier: MIT */
/*
 * List scan of a short list or small forest by a single work-group, in local memory. Each work-item
 * walks one sublist, and some start at a head. Pointer jumping then combines the sublists: after
 * round r, a work-item has combined up to 2^r sublists before its own. Operands keep their order.
 */
#if CLP_A_BYTES > 16
#define CLP_SINGLE_AT_ONCE 1
#else
#define CLP_SINGLE_AT_ONCE 4
#endif

/* The word of an element: its link, if the next element is in the same sublist, or one of these. */
#define CLP_TO_SUBLIST 0x80000000u /* + the number of the sublist that the next element begins */
#define CLP_TO_NOTHING 0x90000000u
#define CLP_WALKED 0xa0000000u /* + the number of the sublist that the element is in */
#define CLP_WALKED_FIRST 0xc0000000u /* the same; nothing comes before it in the sublist */
#define CLP_WALKED_FROM_HEAD 0xe0000000u
#define CLP_SUBLIST 0xffffu

/* What comes before a lane's sublist, if it is not the sublist of another lane. */
#define CLP_NOWHERE (-1)
#define CLP_FROM_HEAD (-2)

typedef struct {
    local uint *links; /* per element: its word, see above */
    local CLP_A
        *values; /* per element: its value; once walked, the combination of the sublist so far */
    local CLP_A *sums; /* per lane, double-buffered: combination of sublists */
    local int *before; /* per lane, double-buffered: the lane up to which sums reaches back */
    local uint *named; /* forest, one bit per element: a link names it */
    local uint *given; /* forest, one bit per element: it is given as a head */
    local uint *sum; /* of all links: low and high word */
    local uint *digest; /* of all links */
    local uint *broken;
    local uint *reached; /* elements on paths from heads */
} clp_workspace;

#define CLP_SINGLE_WORDS (CLP_FOREST ? (CLP_SINGLE + 31) / 32 : 1)
#define CLP_WORKSPACE(name)                                                                        \
    local uint name##_links[CLP_SINGLE], name##_named[CLP_SINGLE_WORDS];                           \
    local CLP_A name##_values[CLP_SINGLE], name##_sums[2 * CLP_SINGLE_GROUP];                      \
    local int name##_before[2 * CLP_SINGLE_GROUP];                                                 \
    local uint name##_given[CLP_SINGLE_WORDS], name##_sum[2], name##_digest, name##_broken;        \
    local uint name##_reached;                                                                     \
    const clp_workspace name = {name##_links,   name##_values,  name##_sums, name##_before,        \
                                name##_named,   name##_given,   name##_sum,  &name##_digest,       \
                                &name##_broken, &name##_reached}

static inline void clp_clear_workspace(const clp_workspace *work) {
    const uint lane = (uint)get_local_id(0);
    work->before[lane] = CLP_NOWHERE;
    for (uint i = lane; i < CLP_SINGLE_WORDS; i += CLP_SINGLE_GROUP)
        work->named[i] = work->given[i] = 0;
    if (lane > 0) return;
    work->sum[0] = work->sum[1] = *work->digest = *work->broken = *work->reached = 0;
}

static inline void clp_set_broken(const clp_workspace *work) {
    atomic_or(work->broken, 1u); /* races with itself; read after the walks */
}

static inline void clp_store_link(const clp_workspace *work, CLP_INDEX i, CLP_LINK link,
                                  CLP_INDEX count) {
    if ((CLP_INDEX)link >= count) {
        work->links[i] = CLP_TO_NOTHING;
        if (link != CLP_TAIL) clp_set_broken(work);
        return;
    }
    work->links[i] = (uint)link;
#if CLP_FOREST
    const uint bit = 1u << (uint)(link % 32);
    /* Races with itself, since elements share a word; clp_is_head reads it. */
    if ((atomic_or(&work->named[link / 32], bit) & bit) != 0) clp_set_broken(work);
#endif
}

/* One link's contribution to the digest of all links. */
static inline uint clp_digest_of(CLP_INDEX i, CLP_LINK link) {
    uint x = ((uint)link + 1) * 0x9e3779b9u ^ (uint)i;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

/* Loads this lane's links and values. Returns the sum of its links. */
static inline ulong clp_load_list(const clp_workspace *work, global const CLP_LINK *links,
                                  global const CLP_E *values, ulong values_at, CLP_INDEX count) {
    const CLP_INDEX step = CLP_SINGLE_GROUP;
    uint digest = 0;
    ulong sum = 0;
    for (CLP_INDEX i = (CLP_INDEX)get_local_id(0); i < count; i += CLP_SINGLE_AT_ONCE * step) {
        CLP_LINK link[CLP_SINGLE_AT_ONCE];
        CLP_A value[CLP_SINGLE_AT_ONCE];
        CLP_UNROLL
        for (uint j = 0; j < CLP_SINGLE_AT_ONCE; j++) {
            const CLP_INDEX at = min((CLP_INDEX)(i + j * step), (CLP_INDEX)(count - 1));
            link[j] = links[at];
            value[j] = CLP_VALUE_OF(at);
        }
        CLP_UNROLL
        for (uint j = 0; j < CLP_SINGLE_AT_ONCE; j++) {
            const CLP_INDEX at = i + j * step;
            if (at >= count) continue;
            work->values[at] = value[j];
            clp_store_link(work, at, link[j], count);
            sum += (ulong)(long)link[j];
            digest += clp_digest_of(at, link[j]);
        }
    }
    atomic_add(work->digest, digest); /* races with itself; clp_seeded reads it */
    return sum;
}

/* Seeds the hash from the links, so that no list can be built against it, and so that sums of
 * floats have the same bits in every run. */
static inline clp_list_level clp_seeded(const clp_workspace *work, clp_list_level level) {
    level.hash.seed = *work->digest;
    return level;
}

/* Resolves links to splitters before the walks, so that no hash is on the critical path of a walk.
 */
static inline void clp_resolve_splitters(const clp_workspace *work, const clp_list_level *level) {
    for (CLP_INDEX i = (CLP_INDEX)get_local_id(0); i < level->count; i += CLP_SINGLE_GROUP) {
        if (work->links[i] >= CLP_TO_SUBLIST) continue;
        const CLP_INDEX key = clp_mix((CLP_INDEX)work->links[i], &level->hash);
        if (key < level->ids) work->links[i] = CLP_TO_SUBLIST + (uint)key;
    }
}

#if CLP_FOREST
static inline void clp_store_given_heads(const clp_workspace *work, const clp_given *given,
                                         CLP_INDEX count) {
    for (ulong k = get_local_id(0); k < given->count; k += CLP_SINGLE_GROUP) {
        const CLP_INDEX head = (CLP_INDEX)given->heads[k];
        if (head < count) {
            /* Races with itself, since elements share a word; clp_check_given_heads reads it. */
            atomic_or(&work->given[head / 32], 1u << (uint)(head % 32));
        } else {
            clp_set_broken(work);
        }
    }
}

static inline void clp_check_given_heads(const clp_workspace *work, CLP_INDEX count) {
    for (CLP_INDEX i = (CLP_INDEX)get_local_id(0); i * 32 < count; i += CLP_SINGLE_GROUP) {
        const CLP_INDEX left = count - i * 32;
        const uint all = left < 32 ? (1u << (uint)left) - 1 : 0xffffffffu;
        if ((work->named[i] ^ work->given[i]) != all) clp_set_broken(work);
    }
}
#endif

/* Returns the head of a single list. Checks the given heads of a forest, which has no single head.
 */
static inline CLP_LINK clp_first_of(const clp_workspace *work, const clp_given *given, long head,
                                    CLP_INDEX count) {
#if CLP_FOREST
    if (given->are_given) clp_check_given_heads(work, count);
    return CLP_TAIL;
#else
    return (CLP_LINK)(head < 0 ? clp_head_of(work->sum[0], work->sum[1], count) : head);
#endif
}

static inline bool clp_is_head(const clp_workspace *work, CLP_INDEX i, CLP_LINK head) {
#if CLP_FOREST
    return (work->named[i / 32] >> (uint)(i % 32) & 1) == 0;
#else
    return (CLP_LINK)i == head;
#endif
}

/* Walks a sublist, or from a head. Marks what it visits with `mark`, but the first element with
 * `first_mark`. An element that was walked before breaks the lists. If two walks meet and neither
 * sees the other's mark, both end at the same sublist, which clp_set_predecessor detects; or the
 * marks of named elements in a forest, or the number of elements that head reaches, show the fault.
 */
static inline uint clp_walk_marking(const clp_workspace *work, CLP_INDEX from, uint first_mark,
                                    uint mark, bool fresh, CLP_A *value, uint *steps) {
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
#if CLP_INCLUSIVE
        before = fresh ? own : clp_op(before, own);
        work->values[at] = before;
#else
        work->values[at] = before;
        before = fresh ? own : clp_op(before, own);
#endif
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

static inline void clp_walk_head(const clp_workspace *work, CLP_INDEX head, const CLP_A start,
                                 uint *steps) {
    CLP_A value = CLP_START(head);
    const uint to = clp_walk_marking(work, head, CLP_WALKED_FROM_HEAD, CLP_WALKED_FROM_HEAD,
                                     !CLP_HAS_START, &value, steps);
    if (to < CLP_TO_SUBLIST || to >= CLP_TO_NOTHING) return;
    const uint lane = to - CLP_TO_SUBLIST;
    if (clp_set_predecessor(work, lane, CLP_FROM_HEAD)) work->sums[CLP_SINGLE_GROUP + lane] = value;
}

/* Walks this lane's sublist, which is empty if its splitter is a head. Returns its number of
 * elements. */
static inline uint clp_walk_sublist(const clp_workspace *work, CLP_LINK head,
                                    const clp_list_level *level, CLP_A *value) {
    const uint lane = (uint)get_local_id(0);
    uint steps = 0;
    if (lane >= level->ids) return 0;
    const CLP_INDEX first = clp_unmix((CLP_INDEX)lane, &level->hash);
    if (first >= level->count) return 0;
    if (clp_is_head(work, first, head)) {
        clp_set_predecessor(work, lane, CLP_FROM_HEAD);
        return 0;
    }
    const uint to = clp_walk_marking(work, first, CLP_WALKED_FIRST + lane, CLP_WALKED + lane, true,
                                     value, &steps);
    if (to >= CLP_TO_SUBLIST && to < CLP_TO_NOTHING)
        clp_set_predecessor(work, to - CLP_TO_SUBLIST, (int)lane);
    return steps;
}

/* Walks from this lane's heads. Returns the number of elements that they reach. */
static inline uint clp_walk_heads(const clp_workspace *work, CLP_LINK head, CLP_INDEX count,
                                  const CLP_A start) {
    const CLP_INDEX lane = (CLP_INDEX)get_local_id(0);
    uint steps = 0;
#if CLP_FOREST
    for (CLP_INDEX i = lane; i < count; i += CLP_SINGLE_GROUP) {
        if (clp_is_head(work, i, head)) clp_walk_head(work, i, start, &steps);
    }
#else
    if (lane == CLP_SINGLE_GROUP - 1 && (CLP_INDEX)head < count) {
        clp_walk_head(work, (CLP_INDEX)head, start, &steps);
    }
#endif
    return steps;
}

/* One jump, from one half of the double buffer to the other. */
static inline void clp_jump_sums(const clp_workspace *work, uint round, CLP_A *sum, int *before) {
    const uint lane = (uint)get_local_id(0);
    const uint from = (round & 1) * CLP_SINGLE_GROUP, to = CLP_SINGLE_GROUP - from;
    if (*before >= 0) {
        *sum = clp_op(work->sums[from + *before], *sum);
        *before = work->before[from + *before];
    }
    work->sums[to + lane] = *sum;
    work->before[to + lane] = *before;
}

#define CLP_JUMP_SUMS(round)                                                                       \
    clp_jump_sums(&work, round, &sum, &before);                                                    \
    barrier(CLK_LOCAL_MEM_FENCE); /* sums and before, with the next round or what follows */
#define CLP_COUNT_ROUND(round) +1

/* The halves of the double buffer after all rounds: the results, and the one that is free */
#define CLP_JUMPED_SUMS (((0 CLP_EACH_SINGLE_ROUND(CLP_COUNT_ROUND)) & 1) * CLP_SINGLE_GROUP)
#define CLP_FREE (CLP_SINGLE_GROUP - CLP_JUMPED_SUMS)

/* Returns the result of an element, from the offsets of the sublists. */
static inline CLP_A clp_result_of(const clp_workspace *work, CLP_INDEX i) {
    const uint mark = work->links[i];
    const CLP_A value = work->values[i];
    if (mark >= CLP_WALKED_FROM_HEAD) return value;
    const CLP_A offset = work->sums[CLP_FREE + (mark & CLP_SUBLIST)];
#if !CLP_INCLUSIVE
    if (mark >= CLP_WALKED_FIRST) return offset;
#endif
    return clp_op(offset, value);
}

static inline void clp_mark_all_reached(const clp_diagnosis *p, const clp_workspace *work) {
    if (p->state->fault != CLP_CYCLE) return;
    for (CLP_INDEX i = p->lane; i < p->count; i += p->lanes) {
        const uint mark = work->links[i];
        if (mark >= CLP_WALKED_FROM_HEAD ||
            (mark >= CLP_WALKED &&
             work->before[CLP_JUMPED_SUMS + (mark & CLP_SUBLIST)] == CLP_FROM_HEAD))
            clp_mark_reached(p, i);
    }
}

CLP_KERNEL(CLP_SINGLE_GROUP)
void clp_listscan_single_group(global const CLP_LINK *links, ulong links_at,
                               global const CLP_E *values, ulong values_at, global CLP_A *results,
                               global uchar *named, global uint *bits, global clp_list_state *state,
                               const clp_list_level unseeded, long head, const CLP_A start,
                               global long *reports, ulong report_at, uint wanted,
                               CLP_OUTPUT CLP_GIVEN) {
    CLP_WORKSPACE(work);
    const clp_output to = CLP_OUTPUT_OF;
    const CLP_INDEX count = (CLP_INDEX)unseeded.count;
    const uint lane = (uint)get_local_id(0);
    CLP_ASSERT(unseeded.count <= CLP_SINGLE && unseeded.ids < CLP_SINGLE_GROUP);
    const clp_diagnosis p = {links + links_at, bits,        state, count, lane,
                             CLP_SINGLE_GROUP, CLP_GIVEN_OF};
    clp_clear_workspace(&work);
    barrier(CLK_LOCAL_MEM_FENCE); /* workspace cleared above, added to below */
    const ulong own_links = clp_load_list(&work, p.links, values, values_at, count);
#if CLP_FOREST
    clp_store_given_heads(&work, &p.given, count);
#else
    if (head < 0) CLP_ADD_SUM(work.sum, own_links) /* races with the other lanes of the group */
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* values, named, given, sum and digest written, read below */
    const clp_list_level level = clp_seeded(&work, unseeded);
    const CLP_LINK first = clp_first_of(&work, &p.given, head, count);
    clp_resolve_splitters(&work, &level);
    barrier(CLK_LOCAL_MEM_FENCE); /* links written above, walked below */
    CLP_A sum = start;
    uint own = clp_walk_sublist(&work, first, &level, &sum);
    uint reached = clp_walk_heads(&work, first, count, start);
    barrier(CLK_LOCAL_MEM_FENCE); /* before, and sums' second half, written above, read below */
    const int origin = work.before[lane];
    int before = origin;
    const CLP_A first_offset = work.sums[CLP_SINGLE_GROUP + lane];
    if (origin == CLP_FROM_HEAD && own > 0) sum = clp_op(first_offset, sum);
    work.sums[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE); /* sums written above, read by the first round */
    CLP_EACH_SINGLE_ROUND(CLP_JUMP_SUMS)
    if (before == CLP_FROM_HEAD) reached += own;
    if (reached > 0) atomic_add(work.reached, reached); /* races with itself; read below */
    work.sums[CLP_FREE + lane] = origin >= 0 ? work.sums[CLP_JUMPED_SUMS + origin] : first_offset;
    barrier(CLK_LOCAL_MEM_FENCE); /* reached, broken and the offsets written above, read below */
    const bool valid = *work.reached == count && *work.broken == 0;
    const bool diagnoses = wanted && !valid;
    for (CLP_INDEX i = lane; valid && i < count; i += CLP_SINGLE_GROUP)
        clp_put(&to, i, CLP_PLACED_OF(clp_result_of(&work, i)));
    if (diagnoses) clp_start_diagnosis(&p, first);
    barrier(CLK_GLOBAL_MEM_FENCE); /* marks and state cleared above, written below */
    if (diagnoses) clp_mark_links(&p);
    barrier(CLK_GLOBAL_MEM_FENCE); /* marks set above, checked below */
    if (diagnoses) clp_find_faults_single(&p, 0, CLP_CHECK_SECOND_TAIL);
    barrier(CLK_GLOBAL_MEM_FENCE); /* found above, classified below */
    if (diagnoses) clp_classify_single(&p);
    barrier(CLK_GLOBAL_MEM_FENCE); /* classified by work-item 0 above, read below */
    if (diagnoses) clp_mark_all_reached(&p, &work);
    barrier(CLK_GLOBAL_MEM_FENCE); /* marks set above, checked below */
    if (diagnoses) clp_find_faults_single(&p, CLP_CHECK_SECOND_TAIL, CLP_CHECK_NO_ELEMENT);
    barrier(CLK_GLOBAL_MEM_FENCE); /* found above, reported below by work-item 0 */
    if (wanted && lane == 0) clp_report_single(&p, valid, first, head, reports + 4 * report_at);
}
