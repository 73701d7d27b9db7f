/* SPDX-License-Identifier: MIT */
/*
 * List scan of a short list or small forest in one launch of a single work-group, as in
 * list_levels.cl. list_serial.cl has that of a single work-item, for which this file has the
 * parameters.
 */
/* Macros because `values` is a parameter of the callers with input alone. */
#if CLP_INPUTS
#define CLP_VALUE_OF(i) clp_input(values[values_at + (i)], (ulong)(i)CLP_USER_PASSED)
#else
#define CLP_VALUE_OF(i) clp_input((ulong)(i)CLP_USER_PASSED)
#endif

#define CLP_SINGLE_GROUP clp_listscan_single_group
#define CLP_SINGLE_PARAMETERS                                                                      \
    global const CLP_LINK *links, global const CLP_E *values, ulong values_at,                     \
        global CLP_A *results, global uchar *named, global uint *bits,                             \
        global clp_list_state *state, const clp_list_level level, long head, const CLP_A start,    \
        global long *reports, ulong report_at, uint wants_report, uint only_near,                  \
        CLP_OUTPUT CLP_GIVEN CLP_USER_PARAMETERS
#define CLP_SINGLE_DIAGNOSIS(given)                                                                \
    clp_diagnosis_of(links + level.links_at, bits, state, (CLP_INDEX)level.count, 0, given)

/* Marks what is given as a head; the walks of many work-items know that too, but in local memory.
 */
static inline void clp_mark_given(const clp_diagnosis *c) {
#if CLP_FOREST
    for (CLP_INDEX k = get_local_id(0); k < c->given.count; k += CLP_LAST_GROUP)
        clp_give(c->given.heads, k, c->bits, c->state, c->count, 0);
#endif
}

#if CLP_LAST_GROUP > 1
#define CLP_SINGLE_AT_ONCE (CLP_A_BYTES > 16 ? 1 : 4)

/* What is known of the links before the walks. */
typedef struct {
    local uint *given; /* forest, one bit per element: it is given as a head */
    local uint *sum; /* of all links: low and high word */
    local uint *digest; /* of all links */
} clp_loaded;

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
    if ((atomic_and(&work->heads[link / 32], ~bit) & bit) == 0) clp_set_broken(work);
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
static inline ulong clp_load_list(const clp_workspace *work, const clp_loaded *loaded,
                                  global const CLP_LINK *links, global const CLP_E *values,
                                  ulong values_at, CLP_INDEX count CLP_USER_TAKEN) {
    const CLP_INDEX step = CLP_LAST_GROUP;
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
    atomic_add(loaded->digest, digest); /* races with itself; read as the seed */
    return sum;
}

static inline void clp_resolve_splitters(const clp_workspace *work, const clp_list_level *level) {
    for (CLP_INDEX i = (CLP_INDEX)get_local_id(0); i < level->count; i += CLP_LAST_GROUP) {
        if (work->links[i] >= CLP_TO_SUBLIST) continue;
        work->links[i] = clp_resolved(work->links[i], level);
    }
}

#if CLP_FOREST
static inline void clp_store_given_heads(const clp_workspace *work, const clp_loaded *loaded,
                                         const clp_given *given, CLP_INDEX count) {
    for (ulong k = get_local_id(0); k < given->count; k += CLP_LAST_GROUP) {
        const CLP_INDEX head = (CLP_INDEX)given->heads[k];
        if (head < count) {
            /* Races with itself, since elements share a word; clp_first_of reads it. */
            atomic_or(&loaded->given[head / 32], 1u << (uint)(head % 32));
        } else {
            clp_set_broken(work);
        }
    }
}
#endif

/* Returns the head of a single list, which it marks. Checks the given heads of a forest, which has
 * no single head. */
static inline CLP_LINK clp_first_of(const clp_workspace *work, const clp_loaded *loaded,
                                    const clp_given *given, long head, CLP_INDEX count) {
#if CLP_FOREST
    for (CLP_INDEX i = (CLP_INDEX)get_local_id(0); i * 32 < count; i += CLP_LAST_GROUP) {
        if (given->are_given && work->heads[i] != loaded->given[i]) clp_set_broken(work);
    }
    return CLP_TAIL;
#else
    const CLP_LINK first =
        (CLP_LINK)(head < 0 ? clp_head_of(loaded->sum[0], loaded->sum[1], count) : head);
    if (get_local_id(0) == 0 && (CLP_INDEX)first < count) clp_mark_head(work, (CLP_INDEX)first);
    return first;
#endif
}

/* As clp_mark_all_reached, from the words of the elements. */
static inline void clp_mark_walked(const clp_diagnosis *c, const clp_workspace *work) {
    if (c->fault != CLP_CYCLE) return;
    for (CLP_INDEX i = get_local_id(0); i < c->count; i += CLP_LAST_GROUP) {
        if (clp_is_reached(work, i)) clp_mark_reached(c, i);
    }
}

CLP_KERNEL(CLP_LAST_GROUP) void CLP_SINGLE_GROUP(CLP_SINGLE_PARAMETERS) {
    CLP_USER_KEPT
    CLP_WORKSPACE(work, CLP_SINGLE);
    local uint given_bits[CLP_HEAD_WORDS(CLP_FOREST ? CLP_SINGLE : 1)], link_sum[2], digest;
    const clp_loaded loaded = {given_bits, link_sum, &digest};
    const clp_output to = CLP_OUTPUT_OF;
    const CLP_INDEX count = (CLP_INDEX)level.count;
    const uint lane = (uint)get_local_id(0);
    CLP_ASSERT(level.count <= CLP_SINGLE && level.ids <= CLP_LAST_GROUP);
    const clp_given own_heads = CLP_GIVEN_OF;
    clp_diagnosis c = CLP_SINGLE_DIAGNOSIS(own_heads);
    clp_clear_workspace(&work, count, CLP_FOREST);
    for (CLP_INDEX i = lane; CLP_FOREST && i * 32 < count; i += CLP_LAST_GROUP) given_bits[i] = 0;
    if (lane == 0) link_sum[0] = link_sum[1] = digest = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* workspace cleared above, added to below */
    const ulong own_links =
        clp_load_list(&work, &loaded, c.links, values, values_at, count CLP_USER_PASSED);
#if CLP_FOREST
    clp_store_given_heads(&work, &loaded, &c.given, count);
#else
    if (head < 0) CLP_ADD_SUM(link_sum, own_links) /* races with the other lanes of the group */
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* values, heads, given, sum and digest written, read below */
    /* Seeds the hash from the links, so that no list can be built against it, and so that sums of
     * floats have the same bits in every run. */
    clp_list_level seeded = level;
    seeded.hash.seed = digest;
    const CLP_LINK first = clp_first_of(&work, &loaded, &c.given, head, count);
    clp_resolve_splitters(&work, &seeded);
    barrier(CLK_LOCAL_MEM_FENCE); /* words and heads written above, walked below */
    CLP_A sum = start;
    uint end;
    const uint own = clp_walk_sublist(&work, &seeded, CLP_INCLUSIVE, &sum, &end);
    uint reached = (uint)clp_walk_heads(&work, 0, count, CLP_INCLUSIVE, start);
    if (clp_combine_sublists(&work, &sum, own)) reached += own;
    if (reached > 0) atomic_add(work.reached, reached); /* races with itself; read below */
    barrier(CLK_LOCAL_MEM_FENCE); /* reached, broken and the offsets written above, read below */
    const bool valid = *work.reached == count && *work.broken == 0;
    for (CLP_INDEX i = lane; valid && i < count; i += CLP_LAST_GROUP)
        clp_put(&to, i, CLP_PLACED_OF(clp_result_of(&work, i, CLP_INCLUSIVE)));
    CLP_FINISH(first, valid, clp_mark_walked(&c, &work))
}
#endif
