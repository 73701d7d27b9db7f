/* SPDX-License-Identifier: MIT */
/*
 * Lists after Helman and JaJa ("Designing practical efficient algorithms for symmetric
 * multiprocessors", 1999): ranking, list scan and forests. A bijective hash of the index chooses
 * splitters; its seed comes from the list or the plan, so that no list can be built whose sublists
 * are long. Each walk starts at a splitter or a head and ends at the next splitter. The splitters
 * form a shorter list, the next level, each node of which holds the combination of a sublist;
 * list_levels.cl scans that list. The result of an element is the offset of its sublist, combined
 * with what comes before the element in the sublist. A ranking is a scan of ones.
 *
 * No walk waits for another one. Within a launch walks share counters alone: of sublists taken, and
 * of elements passed, by which a walk that goes in circles is stopped. What one launch writes, the
 * next one reads.
 *
 * Invariants: every link is compared with the number of nodes before it is followed. A list is
 * valid if and only if the paths from its heads end at -1 and reach as many elements as there are:
 * a path that ends visits no element twice, and if no two links name one element, no two paths
 * meet. No two links of a forest do if as many elements are named by no link as links are -1.
 */

#define CLP_NONE ((CLP_INDEX)-1)
#define CLP_TAIL ((CLP_LINK)-1)

/* Values of clprims_list_fault. */
enum {
    CLP_VALID,
    CLP_LINK_RANGE,
    CLP_TWO_TAILS,
    CLP_NO_TAIL,
    CLP_SAME_SUCCESSOR,
    CLP_CYCLE,
    CLP_HEAD,
    CLP_INVALID
};

#define CLP_UNROLL _Pragma("unroll")
#if CLP_GROUP > 1
#define CLP_UNROLL_SOME _Pragma("unroll 8")
#else
#define CLP_UNROLL_SOME /* PoCL 3.1 fails at unrolled loops of groups of one before barriers */
#endif

/* Independent loads in flight per work-item */
#define CLP_AT_ONCE 8

/* The diagnosis, list_fault.cl: checks and stages */
#define CLP_CHECKS 9
#define CLP_STAGES 4

/* ---- The hash ---- */

/* Splitters are chosen by a bijective hash of the index, so that they are spread evenly over a list
 * in any order. The test for a splitter is arithmetic, and the number of a splitter is its hash. */

/* A bijection of [0, mask]. */
typedef struct {
    ulong mask; /* one below a power of two */
    ulong shift; /* half its bits, rounded up */
    ulong seed;
} clp_hash;

/* The xor-shift by half the bits is its own inverse; the odd factor has an inverse modulo 2^bits.
 */
static inline CLP_INDEX clp_mix(CLP_INDEX x, const clp_hash *hash) {
    const CLP_INDEX mask = (CLP_INDEX)hash->mask;
    const CLP_INDEX shift = (CLP_INDEX)hash->shift;
    x = (x ^ (CLP_INDEX)hash->seed) & mask;
    x ^= x >> shift;
    x = x * (CLP_INDEX)0x9e3779b97f4a7c15ul & mask;
    x ^= x >> shift;
    x = x * (CLP_INDEX)0xbf58476d1ce4e5b9ul & mask;
    return x ^ x >> shift;
}

static inline CLP_INDEX clp_unmix(CLP_INDEX x, const clp_hash *hash) {
    const CLP_INDEX mask = (CLP_INDEX)hash->mask;
    const CLP_INDEX shift = (CLP_INDEX)hash->shift;
    x ^= x >> shift;
    x = x * (CLP_INDEX)0x96de1b173f119089ul & mask;
    x ^= x >> shift;
    x = x * (CLP_INDEX)0xf1de83e19937733dul & mask;
    return (x ^ x >> shift ^ (CLP_INDEX)hash->seed) & mask;
}

/* ---- Work distribution ---- */

/* Returns this work-item's first element of piece `piece` of `pieces`, and the end of the piece.
 * The work-items of a group take consecutive elements. */
static inline CLP_INDEX clp_share_of(CLP_INDEX count, uint piece, uint pieces, CLP_INDEX *end) {
    const CLP_INDEX group = (CLP_INDEX)get_local_size(0);
    const CLP_INDEX rows = (count / pieces + group) / group;
    const CLP_INDEX start = min((CLP_INDEX)piece * rows * group, count);
    *end = start + min((CLP_INDEX)(rows * group), (CLP_INDEX)(count - start));
    return start + (CLP_INDEX)get_local_id(0);
}

static inline CLP_INDEX clp_share(CLP_INDEX count, CLP_INDEX *end) {
    return clp_share_of(count, (uint)get_group_id(0), (uint)get_num_groups(0), end);
}

/* ---- Levels and state ---- */

/* One level. Level 0 is the lists themselves; the splitters of a level are nodes of the next. */
typedef struct {
    ulong count; /* elements or nodes */
    ulong ids; /* splitters */
    ulong sublists; /* of level 0: a ranking has one more than splitters, which starts at head */
    ulong links_at; /* level 0: first link in its buffer */
    ulong at; /* first node of this level; unused on level 0 */
    ulong above; /* first node of the level above */
    ulong number; /* 0 for the lists themselves */
    clp_hash hash; /* count <= mask + 1; on level 0 the seed of the first walk */
    ulong stride; /* steps of a long walk that count as one */
    ulong retry_steps; /* retry threshold: a sublist of this length restarts the walk with the
                          second seed */
    ulong fixed; /* sublists per work-item that are assigned statically */
    ulong batch; /* sublists per dynamic batch */
} clp_list_level;

/* Arrays of two are per walk of level 0; the levels above use the array of the walk that
 * succeeded. */
typedef struct {
    long head; /* of the list, given or found; -1: none */
    uint sum[2]; /* of all links: low and high word; of a forest: links of -1 */
    uint digest[2]; /* seed of the second walk: low and high word */
    uint valid;
    uint again; /* nonzero: level 0 is walked again, with the second seed */
    uint done_near; /* nonzero: a single work-item has written the result of a near list */
    uint wrong_heads; /* nonzero: the given heads of a forest are not its heads */
    uint broken[2]; /* a set of CLP_ASTRAY and CLP_CUT_SHORT */
    uint reached[2][2]; /* elements on paths from heads: low and high word */
    uint heads[2][2]; /* of a forest: elements that no link names */
    uint found[CLP_CHECKS];
    uint tickets; /* work-groups of the diagnosis that have started */
    uint done[CLP_STAGES]; /* and the pieces that have finished, per stage */
    uint taken[2]; /* dynamic batches of sublists */
    uint used[2]; /* chunks or columns of the visit log, or sublists without a splitter */
    uint passed[CLP_LEVELS + 1]; /* strides of long walks: per level, and of the second walk */
    long roots[CLP_LEVELS]; /* of a ranking: each level's only root; -1: it has none */
} clp_list_state;

typedef char clp_level_is_the_hosts[sizeof(clp_list_level) == CLP_LEVEL_BYTES ? 1 : -1];
typedef char clp_state_fits_its_buffer[sizeof(clp_list_state) <= CLP_STATE_BYTES ? 1 : -1];

/* Whether nothing is left to do for the other kernels of a run: a single work-item has done it. */
static inline bool clp_is_done(global const clp_list_state *state) {
    return CLP_LAST_GROUP == 1 && state->done_near != 0;
}

/* ASTRAY: a path ends at neither a tail nor a splitter, or walks took more steps than any valid
 * list needs. CUT_SHORT: walks found no space, and nodes of the level above keep old links and
 * values. */
#define CLP_ASTRAY 1u
#define CLP_CUT_SHORT 2u

/* Sets bits of a flag. */
static inline void clp_set_flag(volatile global uint *flag, uint bits) {
    atomic_or(flag, bits); /* races with itself; later kernels read it */
}

/* ---- Nodes ---- */

/* Loads and stores a structure; one of 8 or 16 bytes, the usual sizes, in one access. Compilers for
 * CPUs do so by themselves, and Mesa 25.0 loses what a union in a loop holds. A macro because it
 * defines functions for each structure. */
#if CLP_SUBGROUP_IS_GROUP
#define CLP_ACCESS(type, load, store)                                                              \
    static inline type load(global const type *from) {                                             \
        return *from;                                                                              \
    }                                                                                              \
    static inline void store(global type *to, type value) {                                        \
        *to = value;                                                                               \
    }
#else
#define CLP_ACCESS(type, load, store)                                                              \
    typedef union {                                                                                \
        uint2 two;                                                                                 \
        uint4 four;                                                                                \
        type value;                                                                                \
    } type##_words;                                                                                \
    static inline type load(global const type *from) {                                             \
        type##_words whole;                                                                        \
        if (sizeof(type) != 8 && sizeof(type) != 16) return *from;                                 \
        if (sizeof(type) == 8) whole.two = *(global const uint2 *)from;                            \
        if (sizeof(type) == 16) whole.four = *(global const uint4 *)from;                          \
        return whole.value;                                                                        \
    }                                                                                              \
    static inline void store(global type *to, type value) {                                        \
        type##_words whole;                                                                        \
        whole.value = value;                                                                       \
        if (sizeof(type) == 8) {                                                                   \
            *(global uint2 *)to = whole.two;                                                       \
        } else if (sizeof(type) == 16) {                                                           \
            *(global uint4 *)to = whole.four;                                                      \
        } else {                                                                                   \
            *to = value;                                                                           \
        }                                                                                          \
    }
#endif

/* A node in parts: what goes up to its level, what its level finds, and what comes down to it. They
 * are in several arrays, because a store next to data just loaded from a random address takes
 * several times as long as a store elsewhere. */
typedef struct {
    CLP_A value; /* combination of the elements of its sublist */
    CLP_LINK link;
#if !CLP_RANKS
    CLP_INDEX count; /* elements; in a ranking, the value */
#endif
} clp_part;

typedef struct {
    CLP_A offset; /* combination of what comes before in its sublist of this level */
    uint tag; /* that sublist, possibly with CLP_FIRST; or CLP_FINAL */
} clp_lead;

CLP_ACCESS(clp_part, clp_load_part, clp_store_part)
CLP_ACCESS(clp_lead, clp_load_lead, clp_store_lead)

/* The elements of the part's sublist. */
static inline CLP_INDEX clp_count_of(clp_part part) {
#if CLP_RANKS
    return (CLP_INDEX)part.value;
#else
    return part.count;
#endif
}

/* Tags. FIRST: nothing comes before in the sublist. FINAL: the offset is that of the whole list. */
#define CLP_FIRST 0x80000000u
#define CLP_FINAL 0x7fffffffu
#define CLP_UNTAGGED 0x7ffffffeu

/* States of a node. A root is the first node that a path from a head meets. A bare root has nothing
 * before it. A ranking has no states: it knows its roots, and an offset of -1 says that head does
 * not reach the node. */
enum { CLP_UNREACHED, CLP_BARE_ROOT, CLP_ROOT, CLP_REACHED };

typedef struct {
    global clp_part *parts;
    global clp_lead *leads;
    global CLP_A *offsets; /* combination of all that comes before: of roots and reached nodes */
    global uint *states;
} clp_nodes;

#define CLP_NODES                                                                                  \
    global clp_part *parts, global clp_lead *leads, global CLP_A *offsets, global uint *states
/* An initializer, and hence a macro. */
#define CLP_NODES_AT(at)                                                                           \
    { parts + (at), leads + (at), offsets + (at), states + (at) }

static inline void clp_close(global clp_part *node, CLP_LINK link, CLP_INDEX count, CLP_A value) {
#if CLP_RANKS
    clp_store_part(node, (clp_part){(CLP_A)count, link});
#else
    clp_store_part(node, (clp_part){value, link, count});
#endif
}

static inline bool clp_reaches_node(global const CLP_A *offsets, global const uint *states,
                                    ulong i) {
#if CLP_RANKS
    return offsets[i] >= 0;
#else
    return states[i] != CLP_UNREACHED;
#endif
}

/* ---- Items ---- */

/* A result and its element on the way to its place. A visit log of a ranking has 32-bit elements.
 */
#if CLP_RANKS
#define CLP_ELEMENT uint
#define CLP_RESULT uint
typedef struct __attribute__((aligned(8))) {
#else
#define CLP_ELEMENT CLP_INDEX
#define CLP_RESULT CLP_A
typedef struct {
#endif
    CLP_ELEMENT at;
    CLP_RESULT value;
} clp_item;

#define CLP_NO_ELEMENT ((CLP_ELEMENT)-1)

CLP_ACCESS(clp_item, clp_load_item, clp_store_item)

/* ---- Output ---- */

/* A forest has two arrays, of which one may be missing. */
typedef struct {
#if CLP_FOREST
    global CLP_LINK *ranks;
    global CLP_LINK *heads;
#else
    global CLP_OUT *out;
#endif
} clp_output;

#if CLP_FOREST || CLP_RANKS
#define CLP_PLACED CLP_RESULT
#define CLP_PLACED_OF(value) (value)
#else
#define CLP_PLACED CLP_OUT
#define CLP_PLACED_OF(value) clp_stored(value)
#endif

static inline void clp_put(const clp_output *to, CLP_INDEX i, CLP_PLACED value) {
#if CLP_FOREST
    if (to->ranks != 0) to->ranks[i] = value.x;
    if (to->heads != 0) to->heads[i] = value.y;
#else
    to->out[i] = value;
#endif
}

#if CLP_FOREST
#define CLP_OUTPUT                                                                                 \
    global CLP_LINK *out, ulong out_at, uint has_out, global CLP_LINK *heads, ulong heads_at,      \
        uint has_heads
#define CLP_OUTPUT_OF                                                                              \
    { has_out ? out + out_at : 0, has_heads ? heads + heads_at : 0 }
#else
#define CLP_OUTPUT global CLP_OUT *out, ulong out_at
#define CLP_OUTPUT_OF                                                                              \
    { out + out_at }
#endif

/* ---- Splitters ---- */

static inline bool clp_is_splitter(CLP_LINK node, const clp_list_level *level) {
    return clp_mix((CLP_INDEX)node, &level->hash) < level->ids;
}

static inline clp_list_level clp_second_level(clp_list_level level,
                                              global const clp_list_state *state) {
    level.hash.seed = (ulong)state->digest[1] << 32 | state->digest[0];
    level.retry_steps = ULONG_MAX;
    return level;
}

/* Level 0 with the seed of the walk that succeeded. */
static inline clp_list_level clp_as_walked(clp_list_level level,
                                           global const clp_list_state *state) {
    return state->again ? clp_second_level(level, state) : level;
}

/* ---- The head ---- */

/* Adds to a 64-bit sum in two words, to which other work-items add at the same time. A macro, as
 * the words are in global or in local memory. */
#define CLP_ADD_SUM(words, sum)                                                                    \
    {                                                                                              \
        const uint low = (uint)(sum);                                                              \
        const uint before = atomic_add(&(words)[0], low);                                          \
        atomic_add(&(words)[1], (uint)((sum) >> 32) + (before + low < before));                    \
    }

/* Finds head from the sum of all links: the links of a valid list name every element but head, and
 * -1. Returns -1 if the sum names no element. */
static inline long clp_head_of(uint low, uint high, ulong count) {
    const ulong sum = (ulong)high << 32 | low;
    const ulong all = (count & 1) != 0 ? count * ((count - 1) / 2) : count / 2 * (count - 1);
    const ulong head = all - 1 - sum;
    return head < count ? (long)head : -1;
}

/* ---- Marks ---- */

/* Returns the two mark bits of the diagnosis; a word holds the bits of 16 elements. Bit 0: a link
 * names the element. Bit 1: at least two links do. */
static inline uint clp_bits(volatile global const uint *bits, CLP_INDEX i) {
    return bits[i / 16] >> (uint)(i % 16) * 2 & 3;
}

/* In a forest, these words are followed by one bit per element that is given as a head, and those
 * by one bit per element that a link names. */
static inline CLP_INDEX clp_given_at(CLP_INDEX count) {
    return (count + 15) / 16;
}

static inline CLP_INDEX clp_named_at(CLP_INDEX count) {
    return clp_given_at(count) + (count + 31) / 32;
}

/* ---- Begin ---- */

/* Initializes the state of a run. One work-group calls it. */
static inline void clp_start(global clp_list_state *state, long head, ulong count, ulong seed) {
    const uint lane = (uint)get_local_id(0), lanes = (uint)get_local_size(0);
    for (uint i = lane; i < CLP_LEVELS + 1; i += lanes) state->passed[i] = 0;
    for (uint i = lane; i < CLP_LEVELS; i += lanes) state->roots[i] = -1;
    for (uint i = lane; i < CLP_CHECKS; i += lanes) state->found[i] = UINT_MAX;
    if (lane > 0) return;
    state->head = head;
    state->digest[0] = (uint)seed;
    state->digest[1] = (uint)(seed >> 32);
    state->valid = count == 0;
    state->again = state->done_near = state->wrong_heads = state->tickets = 0;
    for (uint i = 0; i < CLP_STAGES; i++) state->done[i] = 0;
    for (uint i = 0; i < 2; i++) {
        state->sum[i] = state->broken[i] = state->taken[i] = state->used[i] = 0;
        state->reached[i][0] = state->reached[i][1] = 0;
        state->heads[i][0] = state->heads[i][1] = 0;
    }
}

static inline void clp_clear_nodes(global clp_lead *leads, global uint *states, ulong nodes,
                                   global uint *fills, ulong num_fills) {
    for (ulong i = get_global_id(0); i < nodes; i += get_global_size(0)) {
        states[i] = CLP_UNREACHED;
        leads[i].tag = CLP_UNTAGGED;
    }
    for (ulong i = get_global_id(0); i < num_fills; i += get_global_size(0)) fills[i] = 0;
}

/* bits: all marks of elements. fills: of the chunks of a visit log. salt: the seed of the second
 * walk, unless clp_listscan_again computes it. */
CLP_KERNEL(CLP_GROUP)
void clp_list_begin(global clp_list_state *state, long head, ulong count, ulong salt,
                    global clp_lead *leads, global uint *states, ulong nodes, global uint *fills,
                    ulong num_fills, global uint *cursors, ulong num_cursors, global uint *bits,
                    ulong words) {
    const size_t lanes = get_global_size(0);
    const size_t lane = get_global_id(0);
    clp_clear_nodes(leads, states, nodes, fills, num_fills);
    for (ulong i = lane; i < num_cursors; i += lanes) cursors[i] = 0;
    for (ulong i = lane; i < words; i += lanes) bits[i] = 0;
    if (get_group_id(0) == 0) clp_start(state, head, count, salt);
}

/* Adds what the work-items of a group have to two words of the state, if that is wanted. All of
 * them call it. */
CLP_INLINE void clp_add_up(ulong own, local ulong *sums, volatile global uint *words,
                           bool is_wanted) {
    ulong sum = 0;
    sums[get_local_id(0)] = own;
    barrier(CLK_LOCAL_MEM_FENCE); /* sums written above, read below by work-item 0 */
    if (get_local_id(0) > 0 || !is_wanted) return;
    for (uint i = 0; i < CLP_GROUP; i++) sum += sums[i];
    CLP_ADD_SUM(words, sum)
}

#if CLP_RANKS
CLP_KERNEL(CLP_GROUP)
void clp_list_sum(global const CLP_LINK *restrict links, global clp_list_state *state,
                  const clp_list_level level) {
    local ulong sums[CLP_GROUP];
    CLP_INDEX end;
    ulong sum = 0;
    const CLP_INDEX all = clp_is_done(state) ? 0 : (CLP_INDEX)level.count;
    for (CLP_INDEX i = clp_share(all, &end); i < end; i += CLP_GROUP) {
        sum += (ulong)(long)links[level.links_at + i];
    }
    clp_add_up(sum, sums, state->sum, true); /* clp_list_find reads it */
}
#endif

CLP_KERNEL(1) void clp_list_find(global clp_list_state *state, ulong count) {
    if (clp_is_done(state)) return;
    state->head = clp_head_of(state->sum[0], state->sum[1], count);
}
