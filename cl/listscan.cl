/* SPDX-License-Identifier: MIT */
/*
 * The running combination of values along lists, after Helman and JaJa. Links and values are put
 * side by side (records); from each splitter, and from each head, a lane walks to the next
 * splitter and writes what it meets, in that order, to rows of its team. The splitters form
 * shorter lists, which listscan_levels.cl combines; listscan_place.cl then brings each entry of the
 * rows to its element's place. The same for one list and for many (CLP_FOREST).
 *
 * Invariants: a record's link is -1 or an element. Walks change nothing that a walk reads. A list
 * is valid exactly if the paths from its heads reach as many elements as there are: a path that
 * ends repeats none, and where no two links name one element no two paths meet.
 */
#ifndef CLP_LINK
#error "listscan.cl: CLP_LINK, a signed integer type, is not set by the prelude"
#endif
#ifndef CLP_A
#error "listscan.cl: CLP_A, the running value's type, is not set by the prelude"
#endif
#ifndef CLP_START
#error "listscan.cl: CLP_START, what comes before a head's value, is not set by the prelude"
#endif
#ifndef CLP_FOREST
#error "listscan.cl: CLP_FOREST, whether there are several lists, is not set by the prelude"
#endif
#ifndef CLP_LEVELS
#error "listscan.cl: CLP_LEVELS, room for levels in the state, is not set by the prelude"
#endif

#define CLP_NONE ((CLP_INDEX)-1)
#define CLP_TAIL ((CLP_LINK)-1)
#define CLP_UNROLL _Pragma("unroll")

/* Questions of the diagnosis, listscan_fault.cl. */
#define CLP_QUESTIONS 8

/* The lists themselves are level 0, the splitters of a level are the nodes of the next. */
typedef struct {
    ulong count; /* elements or nodes */
    ulong ids; /* splitters, and so the nodes of the level above */
    ulong at; /* where the nodes of this level begin; unused on level 0 */
    ulong above; /* where the nodes of the level above begin */
    ulong mask; /* of the hash, one below a power of two; count <= mask + 1 */
    ulong shift; /* of the hash, half its bits, rounded up */
    ulong number; /* 0 for the lists themselves */
} clp_list_level;

#define CLP_CUT_SHORT 2u

typedef struct {
    long head; /* of the one list, given or found; -1: none */
    uint sum[2]; /* of all links, low and high word */
    uint reached[2]; /* elements on paths from heads, low and high word */
    uint broken; /* nonzero: the list is not valid, whatever else is found; CLP_CUT_SHORT: nodes
                    of the levels were left as they were, with links to anywhere */
    uint valid;
    uint chunks; /* of rows, given out */
    uint taken; /* batches of sublists given out beyond each work-item's first */
    uint passed[CLP_LEVELS]; /* CLP_STRIDEs of steps that long walks took */
    uint found[CLP_QUESTIONS];
    long fault, index, other, target, tail; /* of the diagnosis */
} clp_list_state;

typedef struct {
    CLP_LINK at; /* of a record the link, of a partitioned result its element */
    CLP_A value;
} clp_record;

typedef struct {
    CLP_INDEX at; /* the element */
    uint tag; /* its sublist, perhaps with CLP_FIRST; or CLP_FINAL */
    CLP_A value;
} clp_entry;

/* 16 bytes, which most records and entries have, take one access. */
static inline clp_record clp_load_record(global const clp_record *from) {
    union {
        uint4 words;
        clp_record record;
    } whole;
    if (sizeof(clp_record) != 16) return *from;
    whole.words = *(global const uint4 *)from;
    return whole.record;
}

static inline void clp_store_record(global clp_record *to, clp_record record) {
    union {
        uint4 words;
        clp_record record;
    } whole;
    whole.record = record;
    if (sizeof(clp_record) == 16) {
        *(global uint4 *)to = whole.words;
    } else {
        *to = record;
    }
}

static inline clp_entry clp_load_entry(global const clp_entry *from) {
    union {
        uint4 words;
        clp_entry entry;
    } whole;
    if (sizeof(clp_entry) != 16) return *from;
    whole.words = *(global const uint4 *)from;
    return whole.entry;
}

static inline void clp_store_entry(global clp_entry *to, clp_entry entry) {
    union {
        uint4 words;
        clp_entry entry;
    } whole;
    whole.entry = entry;
    if (sizeof(clp_entry) == 16) {
        *(global uint4 *)to = whole.words;
    } else {
        *to = entry;
    }
}

/* Tags. First: the value is nothing, since nothing comes before. Final: it lacks no offset. */
#define CLP_FIRST 0x80000000u
#define CLP_FINAL 0x7fffffffu
#define CLP_UNTAGGED 0x7ffffffeu

/* States of a node. The first node that a path from a head meets is a root; a bare one has
 * nothing before it. */
enum { CLP_UNREACHED, CLP_BARE_ROOT, CLP_ROOT, CLP_REACHED };

typedef struct {
    CLP_A value; /* of its sublist's elements together */
    CLP_A offset; /* of what comes before; on the way, of what its level's sublist has before */
    CLP_LINK link;
    CLP_INDEX count; /* elements */
    uint state;
    uint tag; /* as an entry's */
} clp_node;

static inline bool clp_is_splitter(CLP_LINK node, const clp_list_level *level) {
    return clp_mix((CLP_INDEX)node, (CLP_INDEX)level->mask, (CLP_INDEX)level->shift) < level->ids;
}

/* ---- Before the walk ---- */

/* bits: two for each element, somebody's link names it, and so do several; in a forest a third,
 * in words of their own behind these: it is given as a head. */
CLP_KERNEL(CLP_GROUP)
void clp_listscan_clear(global clp_list_state *state, global clp_node *nodes, ulong all_nodes,
                        global uint *fills, ulong chunks, global uint *cursors, ulong buckets,
                        global uint *bits, ulong words, long head, ulong count) {
    const size_t lanes = get_global_size(0);
    const size_t lane = get_global_id(0);
    for (ulong i = lane; i < all_nodes; i += lanes) nodes[i].state = CLP_UNREACHED;
    for (ulong i = lane; i < chunks; i += lanes) fills[i] = 0;
    for (ulong i = lane; i < buckets; i += lanes) cursors[i] = 0;
    for (ulong i = lane; i < words; i += lanes) bits[i] = 0;
    if (lane > 0) return;
    state->head = head;
    for (uint i = 0; i < 2; i++) state->sum[i] = state->reached[i] = 0;
    state->broken = state->chunks = state->taken = 0;
    state->valid = count == 0;
    for (uint i = 0; i < CLP_LEVELS; i++) state->passed[i] = 0;
    for (uint i = 0; i < CLP_QUESTIONS; i++) state->found[i] = UINT_MAX;
    state->fault = 0;
    state->index = state->other = state->target = state->tail = -1;
}

/* Adds to two words that are shared with all other work-items. */
static inline void clp_add_wide(volatile global uint *words, ulong value) {
    const uint low = (uint)value;
    const uint before = atomic_add(&words[0], low);
    atomic_add(&words[1], (uint)(value >> 32) + (before + low < before));
}

/* Whether several links are known to name the element: atomics of all links at one word would take
 * many times as long as anything else. */
static inline bool clp_is_shared(volatile global const uint *bits, CLP_INDEX to) {
    return (bits[to / 16] >> (uint)(to % 16) * 2 & 2) != 0;
}

/* Notes that somebody's link names the element, in a word that several work-items share; true if
 * another's does as well. */
static inline bool clp_note(volatile global uint *bits, CLP_INDEX to) {
    const uint named = 1u << (uint)(to % 16) * 2;
    if ((atomic_or(&bits[to / 16], named) & named) == 0) return false;
    atomic_or(&bits[to / 16], 2 * named);
    return true;
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
        if (inside && !(wrong && clp_is_shared(bits, (CLP_INDEX)link)))
            wrong |= clp_note(bits, (CLP_INDEX)link);
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
    /* Both are shared with all other groups; read by clp_listscan_find and clp_listscan_last. */
    if (wants_sum) clp_add_wide(state->sum, sum);
    if (wrong) atomic_or((volatile global uint *)&state->broken, 1u);
}

/* The links of a valid list name all elements but head, and -1. */
CLP_KERNEL(1) void clp_listscan_find(global clp_list_state *state, ulong count) {
    const ulong sum = (ulong)state->sum[1] << 32 | state->sum[0];
    const ulong all = (count & 1) != 0 ? count * ((count - 1) / 2) : count / 2 * (count - 1);
    const ulong head = all - 1 - sum;
    state->head = head < count ? (long)head : -1;
}
