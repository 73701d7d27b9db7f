/* SPDX-License-Identifier: MIT */
/*
 * What all walks share: which sublists a work-item walks, and when a walk ends. Sublists differ in
 * length, so that only a fixed number of them is given to a work-item beforehand; it takes the
 * others from a counter, a few at a time. A walk ends at the next splitter, at a link that is none,
 * or when the walks of all have passed more elements than there are, which shows a malformed list.
 */

/* ---- The walks of a work-item ---- */

typedef struct {
    const clp_list_level *level;
    global clp_list_state *state;
    clp_nodes above; /* of the level above, where sublists are closed */
    CLP_LINK head;
    CLP_A start; /* any value */
    /* Counters that the walks of a level share, and through which one walk stops all others */
    volatile global uint *taken, *passed, *broken;
} clp_walking;

/* Sublists assigned to a work-item and not yet walked, apart from what no walk changes. */
typedef struct {
    CLP_INDEX next, end, stride;
    CLP_INDEX id, node; /* the next one that has a first node, and that node; CLP_NONE: not known */
} clp_batch;

/* Statically assigned sublists are interleaved, so that neighbours are walked at the same time and
 * share cache lines. */
static inline clp_batch clp_fixed_batch(const clp_list_level *level) {
    const CLP_INDEX lanes = (CLP_INDEX)get_global_size(0);
    const CLP_INDEX end = min((CLP_INDEX)level->fixed * lanes, (CLP_INDEX)level->sublists);
    return (clp_batch){(CLP_INDEX)get_global_id(0), end, lanes, CLP_NONE, 0};
}

static inline clp_walking clp_walking_of(const clp_list_level *level, global clp_list_state *state,
                                         clp_nodes above, CLP_A start, uint attempt) {
    const uint second = level->number == 0 ? attempt : state->again;
    const uint number = level->number == 0 && attempt > 0 ? CLP_LEVELS : (uint)level->number;
    CLP_ASSERT(level->number < CLP_LEVELS);
    return (clp_walking){level,
                         state,
                         above,
                         (CLP_LINK)state->head,
                         start,
                         &state->taken[second],
                         &state->passed[number],
                         &state->broken[second]};
}

/* Takes more sublists. Returns false if none are left. */
static inline bool clp_take_batch(clp_batch *batch, const clp_walking *walking) {
    const clp_list_level *level = walking->level;
    const CLP_INDEX all = (CLP_INDEX)level->sublists, size = (CLP_INDEX)level->batch;
    const CLP_INDEX given = (CLP_INDEX)level->fixed * (CLP_INDEX)get_global_size(0);
    if (batch->end >= all) return false;
    const CLP_INDEX number = atomic_inc(walking->taken); /* with itself, and clp_give_up */
    const CLP_INDEX most = (all - given) / size + 1;
    batch->next = number < most ? min(given + number * size, all) : all;
    batch->end = min(batch->next + size, all);
    batch->stride = 1;
    return batch->next < all;
}

/* Returns the first node of a sublist; at least `count` if there is none. */
static inline CLP_INDEX clp_first_node(CLP_INDEX id, CLP_LINK head, const clp_list_level *level) {
    if (!CLP_RANKS || id < level->ids) return clp_unmix(id, &level->hash);
    return clp_is_splitter(head, level) ? CLP_NONE : (CLP_INDEX)head;
}

/* Looks for the next sublist of the batch that has a first node. Closes the ones before it, which
 * have none. A walk may do so while it waits for a link. */
static inline void clp_look_ahead(clp_batch *batch, const clp_walking *walking) {
    while (batch->id == CLP_NONE && batch->next < batch->end) {
        const CLP_INDEX id = batch->next;
        batch->next += batch->stride;
        batch->node = clp_first_node(id, walking->head, walking->level);
        if (batch->node < walking->level->count) {
            batch->id = id;
        } else {
            clp_close(&walking->above.parts[id], CLP_TAIL, 0, walking->start);
        }
    }
}

/* Returns the next sublist that has a first node, *node; CLP_NONE: all are taken. */
static inline CLP_INDEX clp_take(clp_batch *batch, const clp_walking *walking, CLP_INDEX *node) {
    clp_look_ahead(batch, walking);
    while (batch->id == CLP_NONE && clp_take_batch(batch, walking)) clp_look_ahead(batch, walking);
    const CLP_INDEX id = batch->id;
    *node = batch->node;
    batch->id = CLP_NONE;
    return id;
}

/* Makes a node of the level above a root. */
static inline void clp_set_root(const clp_walking *walking, CLP_INDEX node, CLP_A offset,
                                uint root) {
    walking->above.offsets[node] = offset;
#if CLP_RANKS
    walking->state->roots[walking->level->number + 1] = (long)node;
#else
    walking->above.states[node] = root;
#endif
}

/* ---- Teams ---- */

/* The lanes of a team take room in a visit log together. */
#if CLP_TEAM > 1
static inline bool clp_leads(void) {
    return clp_lane() == 0;
}

static inline bool clp_any(bool yes) {
    return clp_ballot(yes) != 0;
}

/* Returns how many lanes of the team pass true. before: the number of them below this lane. */
static inline uint clp_count_lanes(bool yes, uint *before) {
    const uint team = clp_ballot(yes);
    *before = popcount(team & ((1u << clp_lane()) - 1));
    return popcount(team);
}

/* Returns what the leading lane passes. */
static inline uint clp_of_leader(uint value) {
    return clp_shuffle_word(value, 0);
}
#else /* one lane: the functions above are their arguments */
#define clp_leads() true
#define clp_any(yes) (yes)
#define clp_of_leader(value) (value)

static inline uint clp_count_lanes(bool yes, uint *before) {
    *before = 0;
    return yes;
}
#endif

/* ---- The end of a walk ---- */

/* Sets bits of a flag and stops all walks of level 0: no work-item takes another sublist. */
static inline void clp_give_up(const clp_walking *walking, volatile global uint *flag, uint bits) {
    clp_set_flag(flag, bits);
    atomic_max(walking->taken, 0x40000000u); /* races with clp_take */
}

/*
 * Returns whether a walk may continue after this number of steps, a power of two. On a valid list
 * all walks of a level together take as many steps as there are nodes. On a malformed list, walks
 * can run into each other and take far more; the count of strides bounds them. A lost race only
 * delays the end. A sublist that reaches the retry threshold means that the list defeats the hash:
 * level 0 is walked again with the second seed.
 */
static inline bool clp_within(CLP_INDEX steps, const clp_walking *walking) {
    const clp_list_level *level = walking->level;
    if (steps >= level->retry_steps) {
        clp_give_up(walking, &walking->state->again, 1);
        return false;
    }
    if (steps < 2 * level->stride) return true;
    const uint strides = (uint)(steps / (2 * level->stride));
    /* Races with itself, in all other walks of the level. */
    const bool within = atomic_add(walking->passed, strides) <= level->count / level->stride;
    if (!within) clp_give_up(walking, walking->broken, CLP_ASTRAY);
    return within;
}

/* Brent's algorithm finds a cycle without a splitter: the walk remembers the node that it met after
 * 1, 2, 4, ... steps. */
typedef struct {
    CLP_INDEX steps;
    CLP_INDEX due; /* step at which it remembers the next node */
    CLP_LINK met;
} clp_pace;

#define CLP_PACE                                                                                   \
    { 0, 1, CLP_TAIL }

/* Counts a step and returns whether the walk continues at the node `to`. */
static inline bool clp_goes_on(clp_pace *pace, CLP_LINK to, const clp_walking *walking) {
    const bool is_node = (CLP_INDEX)to < walking->level->count;
    pace->steps++;
    /* Without ||, since a sub-group nearly always computes the hash, and would branch twice. */
    if (!is_node | (to == pace->met) | clp_is_splitter(to, walking->level)) return false;
    if (pace->steps != pace->due) return true;
    pace->met = to;
    pace->due *= 2;
    return clp_within(pace->steps, walking);
}

/* Returns the node of the level above that a walk ended at; CLP_TAIL if there is none. */
static inline CLP_LINK clp_link_above(CLP_LINK to, const clp_walking *walking) {
    const clp_list_level *level = walking->level;
    const CLP_INDEX key = clp_mix((CLP_INDEX)to, &level->hash);
    if ((CLP_INDEX)to < level->count && key < level->ids) return (CLP_LINK)key;
    if (to != CLP_TAIL) clp_set_flag(walking->broken, CLP_ASTRAY);
    return CLP_TAIL;
}

#if CLP_RANKS
/* ---- Sublists and results of a ranking ---- */

/* Returns the sublist that starts at a splitter or at head. */
static inline CLP_INDEX clp_id_of(CLP_INDEX node, const clp_list_level *level) {
    return min(clp_mix(node, &level->hash), (CLP_INDEX)level->ids);
}

typedef struct {
    CLP_INDEX id; /* CLP_NONE: no sublist is left */
    CLP_INDEX node;
    CLP_INDEX offset; /* of the node in the sublist */
    clp_pace pace;
} clp_walker;

static inline clp_walker clp_open(clp_batch *batch, const clp_walking *walking) {
    CLP_INDEX node;
    const CLP_INDEX id = clp_take(batch, walking, &node);
    return (clp_walker){id, id == CLP_NONE ? 0 : node, 0, CLP_PACE};
}

/* Closes the sublist whose walk ended at the node `to`. */
static inline void clp_close_at(CLP_LINK to, CLP_INDEX id, CLP_INDEX weight,
                                const clp_walking *walking) {
    clp_close(&walking->above.parts[id], clp_link_above(to, walking), weight, 0);
}

/* Clears the tags of the first `count` nodes of the level above, which no walk may reach there. */
static inline void clp_clear_leads(const clp_walking *walking, ulong count) {
    for (ulong i = get_global_id(0); i < count; i += get_global_size(0))
        walking->above.leads[i].tag = CLP_UNTAGGED;
}

/* Before the walks of level 0: makes the sublist that starts at head the root of level 1. */
static inline void clp_begin_walks(const clp_walking *walking, ulong spare) {
    const CLP_LINK head = walking->head;
    const CLP_INDEX root = clp_id_of((CLP_INDEX)head, walking->level);
    if (get_global_id(0) == 0) {
        walking->state->roots[1] = head < 0 ? -1 : (long)root;
        if (head >= 0) walking->above.offsets[root] = 0;
    }
    clp_clear_leads(walking, walking->level->sublists + spare);
}

/* Writes a result: rank by element, or element by rank. */
static inline void clp_write(global CLP_LINK *out, CLP_INDEX element, CLP_INDEX rank,
                             uint as_order) {
    out[as_order ? rank : element] = (CLP_LINK)(as_order ? element : rank);
}

/* Clears the result. The diagnosis of a malformed list uses it for marks. */
static inline void clp_write_zeros(global CLP_LINK *out, CLP_INDEX count) {
    CLP_INDEX end;
    const CLP_INDEX group = (CLP_INDEX)get_local_size(0);
    for (CLP_INDEX i = clp_share(count, &end); i < end; i += group) out[i] = 0;
}
#endif
