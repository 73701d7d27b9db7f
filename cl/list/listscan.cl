/* SPDX-License-Identifier: MIT */
/*
 * List scan and forests (CLP_FOREST). Links and values of an array are packed into records. From
 * each splitter and each head, a lane walks to the next splitter and appends what it visits to the
 * visit log of its team, whose lanes fill a chunk together. Each log entry is then moved to the
 * place of its element. A walk changes nothing that a walk reads.
 */

typedef struct {
    CLP_INDEX at; /* the element */
    uint tag; /* its sublist, possibly with CLP_FIRST; or CLP_FINAL */
    CLP_A value;
} clp_entry;

CLP_ACCESS(clp_entry, clp_load_entry, clp_store_entry)

/* ---- Before the walk ---- */

#if CLP_FOREST
#define CLP_LINKS_AT_ONCE 4

/* Returns the elements of a word of marks that no link names. */
static inline uint clp_unnamed(uint named, CLP_INDEX word, CLP_INDEX count) {
    const CLP_INDEX left = count - word * 32;
    return left < 32 ? ~named & ((1u << (uint)left) - 1) : ~named;
}

/* Marks the element that a link names. The result of the atomic that marks is not used: no two
 * links name one element if as many elements are named by none as links are -1, which clp_list_last
 * compares. tests: whether to look first if the mark is set. Once the forest is known to be
 * malformed, nothing more is marked, because links to one element would wait for one another. */
static inline void clp_mark_named(volatile global uint *named, CLP_INDEX to, bool tests,
                                  uint *wrong) {
    const uint bit = 1u << (uint)(to % 32);
    /* Both race with themselves, since elements share a word. The walks read it. */
    if (tests) *wrong |= (atomic_or(&named[to / 32], 0) & bit) != 0;
    if (!*wrong) atomic_or(&named[to / 32], bit);
}
#else
#define CLP_LINKS_AT_ONCE 1
#endif

/* Sums up the links, or in a forest marks what they name and counts links of -1. Packs them with
 * the values if an array has them. Wrong links are found later: a walk that reaches one
 * says so, and if none does, too few elements are reached. */
CLP_KERNEL(CLP_GROUP)
void clp_listscan_pack(global const CLP_LINK *restrict links, ulong links_at,
                       global const CLP_E *restrict values, ulong values_at,
                       global clp_item *restrict records, global uint *bits,
                       global clp_list_state *state, ulong count,
                       uint wants_sum CLP_USER_PARAMETERS) {
    CLP_USER_KEPT
    local ulong sums[CLP_GROUP];
    CLP_INDEX end, before = CLP_NONE;
    ulong sum = 0;
    uint wrong = 0, batch = 0;
    const CLP_INDEX all = clp_is_done(state) ? 0 : (CLP_INDEX)count;
    for (CLP_INDEX i = clp_share(all, &end); i < end; i += CLP_LINKS_AT_ONCE * CLP_GROUP, batch++) {
        CLP_LINK to[CLP_LINKS_AT_ONCE];
        CLP_UNROLL
        for (uint j = 0; j < CLP_LINKS_AT_ONCE; j++) {
            const CLP_INDEX at = i + j * CLP_GROUP;
            to[j] = at < end ? links[links_at + at] : CLP_TAIL;
        }
        CLP_UNROLL
        for (uint j = 0; j < CLP_LINKS_AT_ONCE; j++) {
            const CLP_INDEX at = i + j * CLP_GROUP, link = (CLP_INDEX)to[j];
#if CLP_FOREST
            wrong |= link < count && link == before;
            before = link;
            sum += at < end && to[j] == CLP_TAIL;
            if (link < count)
                clp_mark_named(bits + clp_named_at(count), link, j == 0 && batch % 8 == 1, &wrong);
#else
            sum += (ulong)(long)to[j];
#endif
#if CLP_INPUTS
            const CLP_A value = clp_input(values[values_at + at], (ulong)at CLP_USER_PASSED);
            clp_store_item(&records[at], (clp_item){link, value});
#endif
        }
    }
    /* Read by clp_list_find, or of a forest by clp_list_last. */
    clp_add_up(sum, sums, state->sum, wants_sum || CLP_FOREST);
}

/* Returns the link of an element and its value. */
static inline clp_item clp_record_of(global const CLP_LINK *links, global const clp_item *records,
                                     CLP_INDEX i CLP_USER_TAKEN) {
#if CLP_INPUTS
    return clp_load_item(&records[i]);
#else
    return (clp_item){(CLP_INDEX)links[i], clp_input((ulong)i CLP_USER_PASSED)};
#endif
}

/* ---- Before the second walk ---- */

/* Clears what a first walk left that was given up, and computes the seed of the second one. It
 * depends on the links, so that no list can be built against it, but is the same in every run, so
 * that results have the same bits. */
CLP_KERNEL(CLP_GROUP)
void clp_listscan_again(global const CLP_LINK *links, ulong links_at, global clp_list_state *state,
                        global clp_lead *leads, global uint *states, ulong nodes,
                        global uint *fills, ulong num_fills, ulong count) {
    local ulong sums[CLP_GROUP];
    const bool again = state->again != 0;
    CLP_INDEX end;
    ulong sum = 0;
    if (again) clp_clear_nodes(leads, states, nodes, fills, num_fills);
    for (CLP_INDEX i = clp_share((CLP_INDEX)count, &end); again && i < end; i += CLP_GROUP) {
        ulong x = ((ulong)links[links_at + i] + 1) * 0x9e3779b97f4a7c15ul ^ (ulong)i;
        x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9ul;
        sum += (x ^ x >> 32) * 0x94d049bb133111ebul;
    }
    clp_add_up(sum, sums, state->digest, again); /* of the second walk */
}

/* ---- Heads, one after another ---- */

/* The heads that a work-item has still to walk from. */
typedef struct {
    global const uint *named; /* in a forest, a bit per element */
    CLP_INDEX word; /* of the bits, the next one to load */
    uint left; /* of the last word; of a single list: whether its head is left */
    ulong taken; /* of a forest: all so far */
} clp_heads;

#if CLP_FOREST
/* Loads another word of heads, if none is left of the last one. A walk does so while it waits for a
 * link. */
static inline void clp_load_heads(clp_heads *heads, const clp_walking *walking) {
    const CLP_INDEX count = (CLP_INDEX)walking->level->count;
    if (heads->left != 0 || heads->word >= (count + 31) / 32) return;
    heads->left = clp_unnamed(heads->named[heads->word], heads->word, count);
    heads->taken += popcount(heads->left);
    heads->word += (CLP_INDEX)get_global_size(0);
}

static inline CLP_INDEX clp_next_head(clp_heads *heads, const clp_walking *walking) {
    const CLP_INDEX words = ((CLP_INDEX)walking->level->count + 31) / 32;
    while (heads->left == 0 && heads->word < words) clp_load_heads(heads, walking);
    if (heads->left == 0) return CLP_NONE;
    const uint lowest = 31 - clz(heads->left & -heads->left);
    heads->left &= heads->left - 1;
    return (heads->word - (CLP_INDEX)get_global_size(0)) * 32 + lowest;
}
#else
static inline void clp_load_heads(clp_heads *heads, const clp_walking *walking) {}

static inline CLP_INDEX clp_next_head(clp_heads *heads, const clp_walking *walking) {
    const bool has_head = heads->left != 0;
    heads->left = 0;
    return has_head ? (CLP_INDEX)walking->head : CLP_NONE;
}
#endif

/* ---- The visit log ---- */

/* The chunk of the visit log that a team fills. */
typedef struct {
    ulong next;
    ulong end;
    uint chunk; /* CLP_FINAL: no chunk yet */
} clp_visit_chunk;

static inline bool clp_new_chunk(clp_visit_chunk *own, global uint *fills,
                                 volatile global uint *used, uint chunks) {
    uint chunk = 0;
    if (clp_leads()) {
        if (own->chunk < chunks) fills[own->chunk] = CLP_CHUNK - (uint)(own->end - own->next);
        chunk = atomic_inc(used); /* races with itself, in all other teams */
    }
    own->chunk = clp_of_leader(chunk);
    own->next = (ulong)own->chunk * CLP_CHUNK;
    own->end = own->next + CLP_CHUNK;
    return own->chunk < chunks;
}

/* Reserves one entry of the visit log for each lane of the team that wants one; all lanes call it.
 * Returns false when the log is full, which no valid list causes. */
static inline bool clp_reserve_visit(bool wants, clp_visit_chunk *own, global uint *fills,
                                     volatile global uint *used, uint chunks, ulong *at) {
    uint before;
    const uint count = clp_count_lanes(wants, &before);
    if (own->end - own->next < count && !clp_new_chunk(own, fills, used, chunks)) return false;
    *at = own->next + before;
    own->next += count;
    return true;
}

/* ---- The walk of level 0 ---- */

/* A walk in progress. */
typedef struct {
    CLP_A value; /* combination of the sublist so far, unless fresh */
    CLP_INDEX at; /* CLP_NONE: no walk is left */
    clp_pace pace;
    uint id; /* its sublist, or CLP_FINAL if it starts at a head */
    bool fresh;
} clp_walk;

/* Starts a walk at the next head that is no splitter, or else at the next splitter that is an
 * element; at a splitter that is known rather than look for more heads. */
static inline void clp_open(clp_walk *walk, clp_heads *heads, clp_batch *batch,
                            const clp_walking *walking) {
    const CLP_A start = walking->start;
    walk->pace = (clp_pace)CLP_PACE;
    while (heads->left != 0 || batch->id == CLP_NONE) {
        walk->at = clp_next_head(heads, walking);
        if (walk->at == CLP_NONE) break;
        const CLP_INDEX key = clp_mix(walk->at, &walking->level->hash);
        walk->value = CLP_START(walk->at);
        walk->id = CLP_FINAL;
        walk->fresh = !CLP_HAS_START;
        if (key >= walking->level->ids) return;
        clp_set_root(walking, key, walk->value, CLP_HAS_START ? CLP_ROOT : CLP_BARE_ROOT);
    }
    const CLP_INDEX id = clp_take(batch, walking, &walk->at);
    if (id == CLP_NONE) walk->at = CLP_NONE;
    walk->id = (uint)id;
    walk->value = start;
    walk->fresh = true;
}

/* One step: fills the log entry of the element and advances. Returns true at the end of the
 * sublist. */
static inline bool clp_step(clp_walk *walk, const clp_item *record, clp_entry *entry,
                            const clp_walking *walking) {
    entry->at = walk->at;
    entry->tag = walk->fresh && !CLP_INCLUSIVE ? walk->id | CLP_FIRST : walk->id;
    entry->value = walk->value;
    walk->value = walk->fresh ? record->value : clp_op(walk->value, record->value);
    walk->fresh = false;
#if CLP_INCLUSIVE
    entry->value = walk->value;
#endif
    walk->at = record->at;
    return !clp_goes_on(&walk->pace, (CLP_LINK)record->at, walking);
}

/* Writes the result of a walk to the sublist's node, or to the root that the head leads to. */
static inline void clp_finish(const clp_walk *walk, ulong *reached, const clp_walking *walking) {
    const CLP_LINK link = clp_link_above((CLP_LINK)walk->at, walking);
    if (walk->id != CLP_FINAL) {
        clp_close(&walking->above.parts[walk->id], link, walk->pace.steps, walk->value);
        return;
    }
    *reached += walk->pace.steps;
    if (link >= 0) clp_set_root(walking, (CLP_INDEX)link, walk->value, CLP_ROOT);
}

#if CLP_WALKS == 1
/* Declares j, the number of a walk of this work-item, for the statement behind it. In a loop,
 * NVIDIA's compiler would not keep the walk in registers. */
#define CLP_EACH_WALK(j) const uint j = 0;
#elif CLP_TEAM == 1
#define CLP_EACH_WALK(j) for (uint j = 0; j < CLP_WALKS; j++)
#else
#error "listscan.cl: lanes of a team walk one sublist each"
#endif

/* The sums are read by clp_list_last. */
static inline void clp_count_reached(global clp_list_state *state, uint attempt, ulong reached,
                                     ulong heads) {
    if (reached > 0) CLP_ADD_SUM((volatile global uint *)state->reached[attempt], reached)
    if (heads > 0) CLP_ADD_SUM((volatile global uint *)state->heads[attempt], heads)
}

/* Walks every sublist of level 0, and from every head. The second attempt runs only if the first
 * one set `again`. */
CLP_KERNEL(CLP_GROUP)
void clp_listscan_walk(global const CLP_LINK *restrict links,
                       global const clp_item *restrict records, global clp_entry *restrict visits,
                       global uint *restrict fills, CLP_NODES, global const uint *restrict bits,
                       global clp_list_state *state, const clp_list_level given_level, uint chunks,
                       const CLP_A start, uint attempt CLP_USER_PARAMETERS) {
    CLP_USER_KEPT
    if (clp_is_done(state) || (attempt > 0 && !state->again)) return;
    const clp_list_level level = attempt > 0 ? clp_second_level(given_level, state) : given_level;
    const clp_nodes above = CLP_NODES_AT(level.above);
    clp_batch batch = clp_fixed_batch(&level);
    const clp_walking walking = clp_walking_of(&level, state, above, start, attempt);
    const bool has_head = get_global_id(0) == 0 && walking.head >= 0; /* none in a forest */
    clp_heads heads = {bits + clp_named_at(level.count), (CLP_INDEX)get_global_id(0), has_head, 0};
    clp_visit_chunk filled = {0, 0, CLP_FINAL};
    clp_walk walks[CLP_WALKS];
    clp_item seen[CLP_WALKS];
    ulong reached = 0;
    bool busy = false;

    clp_look_ahead(&batch, &walking);
    CLP_EACH_WALK(i) {
        clp_open(&walks[i], &heads, &batch, &walking);
        busy |= walks[i].at != CLP_NONE;
    }
    while (clp_any(busy)) {
        busy = false;
        /* Issue all loads before the first one is used. */
        CLP_EACH_WALK(j) {
            if (walks[j].at != CLP_NONE)
                seen[j] =
                    clp_record_of(links + level.links_at, records, walks[j].at CLP_USER_PASSED);
        }
        clp_look_ahead(&batch, &walking);
        clp_load_heads(&heads, &walking);
        CLP_EACH_WALK(k) {
            ulong at;
            const bool is_open = walks[k].at != CLP_NONE;
            if (!clp_reserve_visit(is_open, &filled, fills, &state->used[attempt], chunks, &at)) {
                /* More entries than elements: walks have met. */
                clp_set_flag(walking.broken, CLP_CUT_SHORT);
                return;
            }
            if (is_open) {
                clp_entry entry;
                const bool ends = clp_step(&walks[k], &seen[k], &entry, &walking);
                clp_store_entry(&visits[at], entry);
                if (ends) {
                    clp_finish(&walks[k], &reached, &walking);
                    clp_open(&walks[k], &heads, &batch, &walking);
                }
            }
            busy |= walks[k].at != CLP_NONE;
        }
    }
    if (clp_leads() && filled.chunk < chunks) {
        fills[filled.chunk] = CLP_CHUNK - (uint)(filled.end - filled.next);
    }
    clp_count_reached(state, attempt, reached, heads.taken);
}

/* ---- Results ---- */

/* From the visit log, where results are in the order of the walks, to the places of the elements:
 * at once, or if the output is larger than a cache, through buckets (list_place.cl). A malformed
 * list has no results. */

/* Combines the value of an entry with all that comes before its sublist. above: offsets of the
 * nodes of level 1. */
static inline CLP_A clp_complete(clp_entry entry, global const CLP_A *above,
                                 global const uint *states_above) {
    if (entry.tag == CLP_FINAL) return entry.value;
    const CLP_A offset = above[entry.tag & ~CLP_FIRST];
#if !CLP_HAS_START
    if (states_above[entry.tag & ~CLP_FIRST] == CLP_BARE_ROOT) {
        /* Keeps this a branch. From a select, compilers for CPUs generate a masked load of a
         * constant, which is slow until something else touches the constant's page. */
        mem_fence(CLK_LOCAL_MEM_FENCE);
        return entry.value;
    }
#endif
#if !CLP_INCLUSIVE
    if ((entry.tag & CLP_FIRST) != 0) return offset;
#endif
    return clp_op(offset, entry.value);
}

/* Scatters the results directly. Each work-group takes one chunk of the visit log. */
CLP_KERNEL(CLP_GROUP)
void clp_listscan_scatter(global const clp_entry *restrict visits,
                          global const uint *restrict fills, global const CLP_A *restrict offsets,
                          global const uint *restrict states,
                          global const clp_list_state *restrict state, const clp_list_level level,
                          CLP_OUTPUT) {
    const clp_output to = CLP_OUTPUT_OF;
    const ulong first = (ulong)get_group_id(0) * CLP_CHUNK;
    if (!state->valid) return;
    const uint count = fills[get_group_id(0)];
    CLP_ASSERT(count <= CLP_CHUNK);
    for (uint k = (uint)get_local_id(0); k < count; k += CLP_GROUP) {
        const clp_entry entry = clp_load_entry(&visits[first + k]);
        clp_put(&to, entry.at,
                CLP_PLACED_OF(clp_complete(entry, offsets + level.above, states + level.above)));
    }
}

#if CLP_SORTS
#define CLP_TILES ((CLP_CHUNK + CLP_BATCH_ITEMS - 1) / CLP_BATCH_ITEMS)

/* Sorts the entries of the visit log into buckets of 1 << bits windows. Each work-group takes one
 * batch of a chunk. */
CLP_KERNEL(CLP_SORT_GROUP)
void clp_listscan_sort(global const clp_entry *restrict visits, global const uint *restrict fills,
                       global const CLP_A *restrict offsets, global const uint *restrict states,
                       global uint *restrict cursors, global clp_item *restrict items,
                       uint bucket_bits, global const clp_list_state *restrict state,
                       const clp_list_level level) {
    CLP_SORTER(sorter);
    const clp_buckets buckets = {0, bucket_bits, level.count};
    const uint chunk = (uint)get_group_id(0) / CLP_TILES;
    const uint first = (uint)get_group_id(0) % CLP_TILES * CLP_BATCH_ITEMS + (uint)get_local_id(0);
    const uint fill = state->valid ? fills[chunk] : 0;
    uint tags[CLP_ROWS];
    clp_column c;
    clp_sorting own;
    clp_empty_column(&c);
    CLP_UNROLL
    for (uint row = 0; row < CLP_ROWS; row++) {
        const uint k = first + row * CLP_SORT_GROUP;
        if (k >= fill) continue;
        const clp_entry entry = clp_load_entry(&visits[(ulong)chunk * CLP_CHUNK + k]);
        c.element[row] = entry.at;
        c.result[row] = entry.value;
        tags[row] = entry.tag;
    }
    clp_find_places(&sorter, &c, &buckets, cursors, &own);
    CLP_UNROLL
    for (uint row = 0; row < CLP_ROWS; row++) {
        if (c.element[row] == CLP_NO_ELEMENT) continue;
        const clp_entry entry = {c.element[row], tags[row], c.result[row]};
        c.result[row] = clp_complete(entry, offsets + level.above, states + level.above);
    }
    clp_move_items(&sorter, &c, &buckets, items, &own);
}
#endif
