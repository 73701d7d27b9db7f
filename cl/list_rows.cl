/* SPDX-License-Identifier: MIT */
/*
 * Level 0 without writes to random addresses: the walks note the elements that they visit, one
 * under another, in columns of CLP_ROWS entries, 32 columns side by side, so that lanes in lockstep
 * write whole rows. When the sublists are ranked, an entry's rank follows from its column: the
 * order is written as it is read; ranks are sorted by element, into buckets at first (the elements
 * are a permutation, so each bucket's place is known beforehand) and then within local memory.
 */
#ifndef CLP_ROWS
#error "list_rows.cl: CLP_ROWS, entries of a column, a power of two, is not set by the prelude"
#endif
#ifndef CLP_SORT_GROUP
#error "list_rows.cl: CLP_SORT_GROUP, work-items of a group that reads columns, is not set"
#endif

#define CLP_NOBODY UINT_MAX
#define CLP_EXTRA 0x80000000u /* of an entry: the element begins an extra sublist */
#define CLP_SIDE 32 /* columns side by side */

/* Where a column begins; its entries are CLP_SIDE apart. */
static inline ulong clp_column_at(uint column) {
    return (ulong)(column / CLP_SIDE) * (CLP_ROWS * CLP_SIDE) + column % CLP_SIDE;
}

/* ---- Walking ---- */

#if CLP_LOCKSTEP
static inline bool clp_any(bool active) {
    return clp_ballot(active) != 0;
}

/* A column for each active lane, side by side. The counter is shared with all other lanes. */
static inline uint clp_take_column(bool active, volatile global uint *used) {
    const uint takers = clp_ballot(active);
    uint first = 0;
    if (clp_lane() == 0) first = atomic_add(used, popcount(takers));
    return clp_shuffle_word(first, 0) + popcount(takers & ((1u << clp_lane()) - 1));
}

/* Whether a lane of those in lockstep has found no sublist. */
static inline bool clp_is_short(bool active, const clp_list_walking *walking,
                                const clp_list_level *level) {
    return clp_ballot(active) != UINT_MAX;
}
#else
static inline bool clp_any(bool active) {
    return active;
}

static inline uint clp_take_column(bool active, volatile global uint *used) {
    return active ? atomic_inc(used) : 0;
}

/* Whether all sublists are taken. */
static inline bool clp_is_short(bool active, const clp_list_walking *walking,
                                const clp_list_level *level) {
    const ulong given = level->fixed * get_global_size(0);
    return given + *walking->taken * level->batch >= level->ids;
}
#endif

/* Where walks write. starts: of each column, the sublist that it begins in and the place there. */
typedef struct {
    global const CLP_LINK *links;
    global uint *rows;
    global uint2 *starts;
    uint most; /* columns */
    volatile global uint *used; /* columns, by all walks */
    global CLP_PAIR *above;
    volatile global uint *marks; /* a bit for each key: a walk has passed its node */
    global const uint *names; /* of each fine splitter, which extra sublist it begins */
} clp_list_room;

/* Where a walk finds its sublists. The rest of the walk begins what the first one has taken and not
 * begun, then extra sublists, whose first nodes are listed. */
typedef struct {
    clp_batch batch;
    CLP_LINK head;
    clp_batch extra_batch;
    clp_list_level extras;
    global const uint *firsts;
} clp_list_source;

static inline clp_list_walker clp_next_walk(clp_list_source *source,
                                            const clp_list_walking *walking,
                                            const clp_list_room *room, const clp_list_level *level,
                                            const bool rest) {
    const CLP_INDEX ids = (CLP_INDEX)level->ids;
    clp_list_walker walker = {CLP_NONE, 0, 0, 0, 1, CLP_TAIL};
    if (!rest) {
        walker = clp_open(&source->batch, walking, source->head, level, room->above);
        if (walker.id == ids) walker.id = CLP_NONE;
        return walker;
    }
    clp_batch *batch = &source->batch;
    for (; batch->next < batch->end; batch->next += batch->stride) {
        const CLP_INDEX node = clp_first_node(batch->next, source->head, level);
        if (node < level->count) {
            walker.id = batch->next;
            walker.node = node;
            batch->next += batch->stride;
            return walker;
        }
        clp_close(room->above, batch->next, CLP_TAIL, 0);
    }
    const CLP_INDEX number = clp_take(&source->extra_batch, walking->taken, &source->extras);
    if (number >= source->extras.ids) return walker;
    walker.id = ids + number;
    walker.node = (CLP_INDEX)source->firsts[number];
    return walker;
}

/* Whether a walk passes `to`. It ends at a splitter; the rest of the walk ends at fine splitters as
 * well, if they begin a sublist. The marks' words are shared with all other walks. */
static inline bool clp_passes(CLP_LINK to, const clp_list_room *room, const clp_list_level *level,
                              const bool rest) {
    const CLP_INDEX key = clp_mix((CLP_INDEX)to, level);
    const CLP_INDEX own = (CLP_INDEX)level->ids - 1;
    if (key >= level->fine) return true;
    if (key < own) return false;
    if (rest) return room->names[key - own] == CLP_NOBODY;
    atomic_or(&room->marks[key / 32], 1u << (uint)(key % 32));
    return true;
}

/* The link of the level above for a sublist that ended at `to`. Extra sublists follow the others.
 */
static inline CLP_LINK clp_link_of_rest(CLP_LINK to, const clp_list_room *room,
                                        const clp_list_level *level) {
    const CLP_LINK link = clp_link_above(to, level);
    if (link != CLP_BROKEN || (CLP_INDEX)to >= level->count) return link;
    const CLP_INDEX key = clp_mix((CLP_INDEX)to, level);
    if (key >= level->fine) return link;
    const uint name = room->names[key - (CLP_INDEX)(level->ids - 1)];
    return name == CLP_NOBODY ? link : (CLP_LINK)(level->ids + name);
}

/*
 * Walks sublists, each lane one after another, until there are no more; the first walk, where it
 * has a rest, only until a lane of a team finds none. A lane needs another column only when its
 * last one is full. CLP_NONE as a walker's id says that it has no sublist.
 */
static inline clp_list_walker clp_walk_columns(clp_list_walker walker, clp_list_source *source,
                                               const clp_list_walking *walking,
                                               const clp_list_room *room,
                                               const clp_list_level *level, const bool rest) {
    const CLP_INDEX ids = (CLP_INDEX)level->ids;
    const bool pauses = !rest && level->fine >= ids;
    while (clp_any(walker.id != CLP_NONE)) {
        if (pauses && clp_is_short(walker.id != CLP_NONE, walking, level)) break;
        const uint column = clp_take_column(walker.id != CLP_NONE, room->used);
        const bool owner = walker.id != CLP_NONE && column < room->most;
        if (walker.id != CLP_NONE && !owner) {
            clp_give_up(walking, &walking->state->spoiled);
            walker.id = CLP_NONE;
        }
        if (owner) room->starts[column] = (uint2)((uint)walker.id, (uint)walker.place);
        global uint *entry = room->rows + clp_column_at(owner ? column : 0);
        for (uint row = 0; row < CLP_ROWS; row++, entry += CLP_SIDE) {
            const CLP_LINK to = room->links[level->links_at + walker.node];
            const bool on = walker.id != CLP_NONE;
            const uint flag = rest && walker.id >= ids && walker.place == 0 ? CLP_EXTRA : 0;
            if (owner) *entry = on ? (uint)walker.node | flag : CLP_NOBODY;
            if (!on) continue;
            walker.place++;
            if (clp_leads_on(&walker, to, level) && clp_passes(to, room, level, rest) &&
                clp_remember(&walker, to, walking, level)) {
                walker.node = (CLP_INDEX)to;
            } else {
                const CLP_LINK link =
                    rest ? clp_link_of_rest(to, room, level) : clp_link_above(to, level);
                clp_close(room->above, walker.id, link, walker.place);
                walker = clp_next_walk(source, walking, room, level, rest);
            }
        }
    }
    return walker;
}

/* The first walk of level 0, or the second attempt at it. waiting: what each work-item leaves to
 * the rest of the walk: its sublist (CLP_NOBODY: none), the next node, its place; and its batch.
 * spare: extra sublists that there may be, which are empty until one is begun. */
CLP_KERNEL(CLP_GROUP)
void clp_list_walk_rows(global const CLP_LINK *restrict links, global uint *restrict rows,
                        global uint2 *restrict starts, uint most,
                        global CLP_PAIR *restrict nodes_above,
                        global CLP_PAIR *restrict pairs_above, global uint *restrict cursors,
                        uint buckets, global uint *restrict marks, global uint4 *restrict waiting,
                        global clp_list_state *state, const clp_list_level level, uint spare,
                        uint attempt) {
    if (attempt > 0 && !state->again) return;
    const CLP_INDEX ids = (CLP_INDEX)level.ids;
    const CLP_LINK head = (CLP_LINK)state->heads[0];
    const clp_list_room room = {
        links, rows, starts, most, &state->used[attempt], nodes_above + level.above, marks, 0};
    const clp_list_walking walking = clp_walking(state, &level, attempt);
    clp_list_source source = {clp_fixed_batch(&level), head, {0, 0, 0}, level, 0};
    for (size_t i = get_global_id(0); i < buckets; i += get_global_size(0)) cursors[i] = 0;
    for (size_t i = get_global_id(0); i < spare; i += get_global_size(0)) {
        clp_close(room.above, (CLP_INDEX)(ids + i), CLP_TAIL, 0);
    }
    clp_empty_pairs(pairs_above, &level, ids + spare);
    if (get_global_id(0) == 0) clp_lead_on(state, head, &level);
    clp_list_walker walker = clp_next_walk(&source, &walking, &room, &level, false);
    walker = clp_walk_columns(walker, &source, &walking, &room, &level, false);
    if (level.fine < ids) return;
    waiting += 2 * get_global_id(0);
    waiting[0] = (uint4)((uint)walker.id, (uint)walker.node, (uint)walker.place, 0);
    waiting[1] =
        (uint4)((uint)source.batch.next, (uint)source.batch.end, (uint)source.batch.stride, 0);
}

/* ---- The rest of the walk ---- */

/*
 * When no sublist is left to begin, those under way would be walked to their ends by ever fewer
 * lanes. Instead they are cut: fine splitters that no walk has passed begin sublists of their own,
 * and all end at the next of these. Lists them, by keys, and takes all marks away.
 */
CLP_KERNEL(CLP_GROUP)
void clp_list_gather(global uint *restrict marks, global uint *restrict names,
                     global uint *restrict firsts, global clp_list_state *state,
                     const clp_list_level level, uint spare) {
    local uint number, base;
    const CLP_INDEX own = (CLP_INDEX)level.ids - 1;
    const CLP_INDEX head = (CLP_INDEX)state->heads[0];
    const CLP_INDEX first = (CLP_INDEX)get_global_id(0) * 32;
    const bool wanted = first < level.fine && !state->again && !state->spoiled;
    uint word = first < level.fine ? marks[get_global_id(0)] : 0;
    uint begins = 0;
    for (uint left = wanted ? ~word : 0; left != 0; left &= left - 1) {
        const uint bit = 31 - clz(left & -left);
        const CLP_INDEX key = first + bit;
        const CLP_INDEX node = clp_unmix(key, &level);
        if (key >= own && key < level.fine && node < level.count && node != head)
            begins |= 1u << bit;
    }
    if (word != 0) marks[get_global_id(0)] = 0;
    if (get_local_id(0) == 0) number = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* number cleared above, counted up below by all lanes */
    const uint before = begins != 0 ? atomic_add(&number, (uint)popcount(begins)) : 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* number counted above by all lanes, read below by the first */
    /* Shared with all other groups, and read by clp_list_walk_rest. */
    if (get_local_id(0) == 0) base = number > 0 ? atomic_add(&state->extras, number) : 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* base written above by the first lane, read below by all */
    uint name = base + before;
    for (uint bit = 0; bit < 32 && first + bit < level.fine; bit++) {
        const CLP_INDEX key = first + bit;
        const bool begun = (begins >> bit & 1) != 0 && name < spare;
        if (key < own) continue;
        names[key - own] = begun ? name : CLP_NOBODY;
        if (begun) firsts[name++] = (uint)clp_unmix(key, &level);
    }
}

CLP_KERNEL(CLP_GROUP)
void clp_list_walk_rest(global const CLP_LINK *restrict links, global uint *restrict rows,
                        global uint2 *restrict starts, uint most,
                        global CLP_PAIR *restrict nodes_above, global const uint *restrict names,
                        global const uint *restrict firsts, global const uint4 *restrict waiting,
                        global clp_list_state *state, const clp_list_level level, uint spare) {
    if (state->again) return;
    const clp_list_room room = {
        links, rows, starts, most, &state->used[0], nodes_above + level.above, 0, names};
    const clp_list_walking walking = clp_walking_of(state, CLP_REST_WALK);
    waiting += 2 * get_global_id(0);
    const uint4 own = waiting[0], batch = waiting[1];
    clp_list_source source = {
        {batch.x, batch.y, batch.z}, (CLP_LINK)state->heads[0], {0, 0, 0}, level, firsts};
    source.extras.ids = min(state->extras, spare);
    source.extras.fixed = source.extras.ids / (2 * get_global_size(0));
    source.extras.batch = 2;
    source.extra_batch = clp_fixed_batch(&source.extras);
    clp_list_walker walker = {own.x, own.y, own.z, 0, 1, CLP_TAIL};
    if (own.x == CLP_NOBODY) walker = clp_next_walk(&source, &walking, &room, &level, true);
    clp_walk_columns(walker, &source, &walking, &room, &level, true);
}
