/* SPDX-License-Identifier: MIT */
/*
 * List scan after Helman and JaJa. Links and values are packed into records. From each splitter and
 * each head, a lane walks to the next splitter and appends what it visits to the visit log of its
 * team. The splitters form shorter lists, which listscan_levels.cl scans; listscan_scatter.cl then
 * moves each log entry to the place of its element. The kernels work on one list or on a forest
 * (CLP_FOREST).
 *
 * Invariants: the link of a record is -1 or an element. A walk changes nothing that a walk reads. A
 * list is valid if and only if the paths from its heads reach as many elements as there are: a path
 * that ends visits no element twice, and if no two links name one element, no two paths meet.
 */

#define CLP_UNROLL _Pragma("unroll")

/* Checks of the diagnosis, listscan_fault.cl */
#define CLP_CHECKS 8

/* One level. Level 0 is the lists themselves; the splitters of a level are the nodes of the next.
 */
typedef struct {
    ulong count; /* elements or nodes */
    ulong ids; /* splitters, which are the nodes of the level above */
    ulong at; /* first node of this level; unused on level 0 */
    ulong above; /* first node of the level above */
    ulong number; /* 0 for the lists themselves */
    clp_hash hash; /* count <= its mask + 1 */
    ulong retry_steps; /* retry threshold: a sublist of this length restarts the walk with another
                          seed */
} clp_list_level;

/* Reasons why lists are broken. CUT_SHORT: a walk found no space in the visit log, and nodes of the
 * levels keep links to anywhere. The second walk clears all reasons but BAD_LINKS, which the links
 * themselves show. */
#define CLP_ASTRAY 1u
#define CLP_CUT_SHORT 2u
#define CLP_BAD_LINKS 4u

typedef struct {
    long head; /* of the list, given or found; -1: none */
    uint sum[2]; /* of all links, low and high word */
    uint reached[2]; /* elements on paths from heads: low and high word */
    uint broken; /* nonzero: the list is malformed */
    uint valid;
    uint again; /* nonzero: level 0 is walked again, with another seed */
    uint digest[2]; /* that seed: low and high word. It depends on the links, so that no list can be
                       built against it, but is the same in every run, so that results have the same
                       bits. */
    uint chunks; /* of the visit log, allocated */
    uint taken; /* dynamic batches of sublists taken */
    uint passed[CLP_LEVELS]; /* strides of CLP_STRIDE steps that long walks took */
    uint found[CLP_CHECKS];
    long fault, index, other, target, tail; /* results of the diagnosis */
} clp_list_state;

typedef char clp_level_is_the_hosts[sizeof(clp_list_level) == CLP_LEVEL_BYTES ? 1 : -1];
typedef char clp_state_fits_its_buffer[sizeof(clp_list_state) <= CLP_STATE_BYTES ? 1 : -1];

typedef struct {
    CLP_LINK at; /* record: the link; partitioned result: its element */
    CLP_A value;
} clp_record;

typedef struct {
    CLP_INDEX at; /* the element */
    uint tag; /* its sublist, possibly with CLP_FIRST; or CLP_FINAL */
    CLP_A value;
} clp_entry;

/* Loads and stores a structure; one of 16 bytes, the usual size, in one access. */
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

/* Tags. FIRST: the value is empty, since nothing comes before. FINAL: the value needs no offset. */
#define CLP_FIRST 0x80000000u
#define CLP_FINAL 0x7fffffffu
#define CLP_UNTAGGED 0x7ffffffeu

/* States of a node. A root is the first node that a path from a head meets. A bare root has nothing
 * before it. */
enum { CLP_UNREACHED, CLP_BARE_ROOT, CLP_ROOT, CLP_REACHED };

/* A node in two halves of 16 bytes for most values: what goes up to its level, and what comes down
 * to it. They are in two arrays, because a store next to data just loaded from a random address
 * takes several times as long as a store elsewhere. */
typedef struct {
    CLP_A value; /* combination of the elements of its sublist */
    CLP_LINK link;
    CLP_INDEX count; /* elements */
} clp_part;

typedef struct {
    CLP_A offset; /* combination of all that comes before; until the down-sweep, within the sublist
                     of its level */
    uint tag; /* as the tag of an entry */
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

/* Level 0 with the seed of its second walk. */
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

/* bits: marks for the elements that links name; in a forest, followed by one bit per element that
 * is given as a head. */
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
        /* Nothing more to mark once the forest is known to be malformed. */
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
    if (wants_sum) CLP_ADD_SUM(state->sum, sum) /* clp_listscan_find reads it */
    /* Races with itself, in all other groups; clp_listscan_last reads it. */
    if (wrong) atomic_or((volatile global uint *)&state->broken, CLP_BAD_LINKS);
}

CLP_KERNEL(1) void clp_listscan_find(global clp_list_state *state, ulong count) {
    state->head = clp_head_of(state->sum[0], state->sum[1], count);
}

/* ---- Before the second walk ---- */

/* Clears what a first walk left that was given up, and computes the seed of the second one. */
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
    CLP_ADD_SUM(state->digest, sum) /* the second walk reads it */
    if (lane > 0) return;
    state->reached[0] = state->reached[1] = 0;
    state->chunks = state->taken = state->passed[0] = 0;
    state->broken &= CLP_BAD_LINKS;
}
