/* SPDX-License-Identifier: MIT */
/*
 * The running combination of values along lists, after Helman and JaJa. Links and values are put
 * side by side (records); from each splitter, and from each head, a lane walks to the next
 * splitter and writes what it meets, in that order, to rows of its team. The splitters form
 * shorter lists, which listscan_levels.cl combines; listscan_scatter.cl then brings each entry of
 * the rows to its element's place. The same for one list and for many (CLP_FOREST).
 *
 * Invariants: a record's link is -1 or an element. Walks change nothing that a walk reads. A list
 * is valid exactly if the paths from its heads reach as many elements as there are: a path that
 * ends repeats none, and where no two links name one element no two paths meet.
 */
#ifndef CLP_A
#error "listscan.cl: CLP_A, the running value's type, is not set by the prelude"
#endif
#ifndef CLP_START
#error "listscan.cl: CLP_START, what comes before a head's value, is not set by the prelude"
#endif
#ifndef CLP_FOREST
#error "listscan.cl: CLP_FOREST, whether there are several lists, is not set by the prelude"
#endif
#ifndef CLP_STATE_BYTES
#error "listscan.cl: CLP_STATE_BYTES, which the host allocates for the state, is not set"
#endif
#ifndef CLP_LEVEL_BYTES
#error "listscan.cl: CLP_LEVEL_BYTES, of the host's clp_listscan_level, is not set by the prelude"
#endif
#ifndef CLP_LEVELS
#error "listscan.cl: CLP_LEVELS, room for levels in the state, is not set by the prelude"
#endif

#define CLP_UNROLL _Pragma("unroll")

/* Questions of the diagnosis, listscan_fault.cl. */
#define CLP_CHECKS 8

/* The lists themselves are level 0, the splitters of a level are the nodes of the next. */
typedef struct {
    ulong count; /* elements or nodes */
    ulong ids; /* splitters, and so the nodes of the level above */
    ulong at; /* where the nodes of this level begin; unused on level 0 */
    ulong above; /* where the nodes of the level above begin */
    ulong number; /* 0 for the lists themselves */
    clp_hash hash; /* count <= its mask + 1 */
    ulong retry_steps; /* steps after which a sublist shows that the lists defeat the hash */
} clp_list_level;

/* Why lists are broken. Cut short: a walk found no room, and nodes of the levels were left as they
 * were, with links to anywhere. A second walk can take back all but what the links show. */
#define CLP_ASTRAY 1u
#define CLP_CUT_SHORT 2u
#define CLP_BAD_LINKS 4u

typedef struct {
    long head; /* of the one list, given or found; -1: none */
    uint sum[2]; /* of all links, low and high word */
    uint reached[2]; /* elements on paths from heads, low and high word */
    uint broken; /* nonzero: the list is not valid, whatever else is found */
    uint valid;
    uint again; /* level 0 was walked a second time, with another seed */
    uint digest[2]; /* that seed, low and high word: no list can be made against it, and yet each
                       list always has the same, so that results are the same bits */
    uint chunks; /* of rows, given out */
    uint taken; /* batches of sublists given out beyond each work-item's first */
    uint passed[CLP_LEVELS]; /* CLP_STRIDEs of steps that long walks took */
    uint found[CLP_CHECKS];
    long fault, index, other, target, tail; /* of the diagnosis */
} clp_list_state;

typedef char clp_level_is_the_hosts[sizeof(clp_list_level) == CLP_LEVEL_BYTES ? 1 : -1];
typedef char clp_state_fits_its_buffer[sizeof(clp_list_state) <= CLP_STATE_BYTES ? 1 : -1];

typedef struct {
    CLP_LINK at; /* of a record the link, of a partitioned result its element */
    CLP_A value;
} clp_record;

typedef struct {
    CLP_INDEX at; /* the element */
    uint tag; /* its sublist, perhaps with CLP_FIRST; or CLP_FINAL */
    CLP_A value;
} clp_entry;

/* Loads and stores of a structure. 16 bytes, which most of them have, take one access. */
#define CLP_ACCESS(type, load, store)                                                              \
    static inline type load(global const type *from) {                                             \
        union {                                                                                    \
            uint4 words;                                                                           \
            type value;                                                                            \
        } whole;                                                                                   \
        if (sizeof(type) != 16) return *from;                                                      \
        whole.words = *(global const uint4 *)from;                                                 \
        return whole.value;                                                                        \
    }                                                                                              \
    static inline void store(global type *to, type value) {                                        \
        union {                                                                                    \
            uint4 words;                                                                           \
            type value;                                                                            \
        } whole;                                                                                   \
        whole.value = value;                                                                       \
        if (sizeof(type) == 16) {                                                                  \
            *(global uint4 *)to = whole.words;                                                     \
        } else {                                                                                   \
            *to = value;                                                                           \
        }                                                                                          \
    }

CLP_ACCESS(clp_record, clp_load_record, clp_store_record)
CLP_ACCESS(clp_entry, clp_load_entry, clp_store_entry)

/* Tags. First: the value is nothing, since nothing comes before. Final: it lacks no offset. */
#define CLP_FIRST 0x80000000u
#define CLP_FINAL 0x7fffffffu
#define CLP_UNTAGGED 0x7ffffffeu

/* States of a node. The first node that a path from a head meets is a root; a bare one has
 * nothing before it. */
enum { CLP_UNREACHED, CLP_BARE_ROOT, CLP_ROOT, CLP_REACHED };

/* A node in two halves, each of which is 16 bytes for most values: what goes up to its level, and
 * what comes down to it. They stand in two arrays: to store beside what has just been loaded from a
 * random place takes several times what storing elsewhere does. */
typedef struct {
    CLP_A value; /* of its sublist's elements together */
    CLP_LINK link;
    CLP_INDEX count; /* elements */
} clp_part;

typedef struct {
    CLP_A offset; /* of what comes before; on the way, of what its level's sublist has before */
    uint tag; /* as an entry's */
} clp_lead;

typedef struct {
    global clp_part *parts;
    global clp_lead *leads;
    global uint *states;
} clp_nodes;

CLP_ACCESS(clp_part, clp_load_part, clp_store_part)
CLP_ACCESS(clp_lead, clp_load_lead, clp_store_lead)

static inline bool clp_is_splitter(CLP_LINK node, const clp_list_level *level) {
    return clp_mix((CLP_INDEX)node, &level->hash) < level->ids;
}

/* Level 0 as its second walk sees it. */
static inline clp_list_level clp_second_level(clp_list_level level,
                                              global const clp_list_state *state) {
    level.hash.seed = (ulong)state->digest[1] << 32 | state->digest[0];
    level.retry_steps = ULONG_MAX;
    return level;
}

/* ---- Before the walk ---- */

static inline void clp_start_state(global clp_list_state *state, long head, ulong count) {
    state->head = head;
    for (uint i = 0; i < 2; i++) state->sum[i] = state->reached[i] = 0;
    state->broken = state->chunks = state->taken = state->again = 0;
    state->digest[0] = state->digest[1] = 0;
    state->valid = count == 0;
    for (uint i = 0; i < CLP_LEVELS; i++) state->passed[i] = 0;
    for (uint i = 0; i < CLP_CHECKS; i++) state->found[i] = UINT_MAX;
    state->fault = 0;
    state->index = state->other = state->target = state->tail = -1;
}

/* bits: notes of what links name; in a forest behind these one more for each element: it is given
 * as a head. */
CLP_KERNEL(CLP_GROUP)
void clp_listscan_clear(global clp_list_state *state, global clp_lead *leads, global uint *states,
                        ulong all_nodes, global uint *fills, ulong chunks, global uint *cursors,
                        ulong buckets, global uint *bits, ulong words, long head, ulong count) {
    const size_t lanes = get_global_size(0);
    const size_t lane = get_global_id(0);
    for (ulong i = lane; i < all_nodes; i += lanes) {
        states[i] = CLP_UNREACHED;
        leads[i].tag = CLP_UNTAGGED;
    }
    for (ulong i = lane; i < chunks; i += lanes) fills[i] = 0;
    for (ulong i = lane; i < buckets; i += lanes) cursors[i] = 0;
    for (ulong i = lane; i < words; i += lanes) bits[i] = 0;
    if (lane == 0) clp_start_state(state, head, count);
}

CLP_KERNEL(CLP_GROUP)
void clp_listscan_pack(global const CLP_LINK *links, ulong links_at, global const CLP_E *values,
                       ulong values_at, global clp_record *records, global uint *bits,
                       global clp_list_state *state, ulong count, uint wants_sum) {
    local ulong sums[CLP_GROUP];
    local uint broken[CLP_GROUP];
    CLP_INDEX end;
    ulong sum = 0;
    uint wrong = 0;
    for (CLP_INDEX i = clp_share((CLP_INDEX)count, &end); i < end; i += CLP_GROUP) {
        const CLP_LINK link = links[links_at + i];
        const bool inside = (CLP_INDEX)link < count;
        clp_record record;
        record.at = inside ? link : CLP_TAIL;
#if CLP_INPUTS
        record.value = clp_input(values[values_at + i], (ulong)i);
#else
        record.value = clp_input((ulong)i);
#endif
        clp_store_record(&records[i], record);
        sum += (ulong)(long)link;
        wrong |= !inside && link != CLP_TAIL;
#if CLP_FOREST
        /* A forest that has shown no fault yet is not asked for one. */
        if (inside && !(wrong && (clp_bits(bits, (CLP_INDEX)link) & 2) != 0))
            wrong |= clp_mark_named(bits, (CLP_INDEX)link);
#endif
    }
    sums[get_local_id(0)] = sum;
    broken[get_local_id(0)] = wrong;
    barrier(CLK_LOCAL_MEM_FENCE); /* sums and broken written above, read below by work-item 0 */
    if (get_local_id(0) > 0) return;
    for (uint i = 1; i < CLP_GROUP; i++) {
        sum += sums[i];
        wrong |= broken[i];
    }
    if (wants_sum) CLP_ADD_SUM(state->sum, sum) /* for clp_listscan_find */
    /* With itself, in all other groups; read by clp_listscan_last. */
    if (wrong) atomic_or((volatile global uint *)&state->broken, CLP_BAD_LINKS);
}

CLP_KERNEL(1) void clp_listscan_find(global clp_list_state *state, ulong count) {
    state->head = clp_head_of(state->sum[0], state->sum[1], count);
}

/* ---- Before the second walk ---- */

/* Takes back what a first walk that was given up has left, and makes the second one's seed. */
CLP_KERNEL(CLP_GROUP)
void clp_listscan_again(global const CLP_LINK *links, ulong links_at, global clp_list_state *state,
                        global clp_lead *leads, global uint *states, ulong all_nodes,
                        global uint *fills, ulong chunks, ulong count) {
    local ulong sums[CLP_GROUP];
    const bool again = state->again != 0;
    const size_t lanes = get_global_size(0);
    const size_t lane = get_global_id(0);
    CLP_INDEX end;
    ulong sum = 0;
    for (ulong i = lane; again && i < all_nodes; i += lanes) {
        states[i] = CLP_UNREACHED;
        leads[i].tag = CLP_UNTAGGED;
    }
    for (ulong i = lane; again && i < chunks; i += lanes) fills[i] = 0;
    for (CLP_INDEX i = clp_share((CLP_INDEX)count, &end); again && i < end; i += CLP_GROUP) {
        ulong x = ((ulong)links[links_at + i] + 1) * 0x9e3779b97f4a7c15ul ^ (ulong)i;
        x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9ul;
        sum += (x ^ x >> 32) * 0x94d049bb133111ebul;
    }
    sums[get_local_id(0)] = sum;
    barrier(CLK_LOCAL_MEM_FENCE); /* sums written above, read below by work-item 0 */
    if (!again || get_local_id(0) > 0) return;
    for (uint i = 1; i < CLP_GROUP; i++) sum += sums[i];
    CLP_ADD_SUM(state->digest, sum) /* for the second walk */
    if (lane > 0) return;
    state->reached[0] = state->reached[1] = 0;
    state->chunks = state->taken = state->passed[0] = 0;
    state->broken &= CLP_BAD_LINKS;
}
