/* SPDX-License-Identifier: MIT */
/*
 * Level 0 of a ranking with one note per element: its sublist and its offset in it. A note is a
 * pair in an array of its own, or in place (CLP_IN_PLACE) a word in the memory of the result. The
 * links are copied there, and each walk replaces every word that it reads. A replaced word has a
 * mark bit, so that a walk of a malformed list stops where another walk has been. Its offset has
 * CLP_OFFSET_BITS bits; a longer sublist continues as another sublist, without a splitter.
 */

#if CLP_IN_PLACE
/* Reads a link and replaces it in one memory access. The walks of a valid list do not need the
 * atomicity. */
#if CLP_LINK_BYTES == 8 && CLP_INT64_ATOMICS
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
static inline CLP_INDEX clp_exchange_word(global CLP_INDEX *word, CLP_INDEX by) {
#if CLP_LINK_BYTES == 4
    return atomic_xchg((volatile global uint *)word, by);
#elif CLP_INT64_ATOMICS
    return atom_xchg((volatile global ulong *)word, by);
#else
    const CLP_INDEX before = *word;
    *word = by;
    return before;
#endif
}

#define CLP_MARK ((CLP_INDEX)1 << (sizeof(CLP_INDEX) * 8 - 1))
#define CLP_OFFSET_MASK (((CLP_INDEX)1 << CLP_OFFSET_BITS) - 1)

/* What has this name in both halves of the file is a macro where it is an expression alone. */
#define CLP_NOTE CLP_INDEX
#define CLP_NOTES(pairs, words) (words)
#define CLP_NOTED_ID(note) (((note) & ~CLP_MARK) >> CLP_OFFSET_BITS)
#define CLP_NOTED_OFFSET(note) ((note)&CLP_OFFSET_MASK)

static inline CLP_INDEX clp_word_of_link(CLP_LINK to, CLP_INDEX count) {
    if ((CLP_INDEX)to < count) return (CLP_INDEX)to;
    return CLP_MARK - (to == CLP_TAIL ? 2 : 1);
}

/* Copies the links. The tail becomes CLP_MARK - 2, any other link out of range CLP_MARK - 1.
 * Sublists without a splitter are empty until a walk needs them. */
CLP_KERNEL(CLP_GROUP)
void clp_list_copy(global const CLP_LINK *restrict links, global CLP_INDEX *restrict out,
                   ulong out_at, global clp_part *restrict parts,
                   global const clp_list_state *state, const clp_list_level level, ulong spare,
                   uint attempt) {
    if (clp_is_done(state) || (attempt > 0 && !state->again)) return;
    const CLP_INDEX count = (CLP_INDEX)level.count;
    CLP_INDEX end;
    for (CLP_INDEX i = clp_share(count, &end); i < end; i += CLP_AT_ONCE * CLP_GROUP) {
        CLP_LINK to[CLP_AT_ONCE];
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++) {
            const CLP_INDEX at = i + j * CLP_GROUP;
            to[j] = links[level.links_at + (at < end ? at : i)];
        }
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++) {
            const CLP_INDEX at = i + j * CLP_GROUP;
            if (at < end) out[out_at + at] = clp_word_of_link(to[j], count);
        }
    }
    global clp_part *above = parts + level.above + level.sublists;
    for (CLP_INDEX i = clp_share((CLP_INDEX)spare, &end); i < end; i += CLP_GROUP) {
        clp_close(&above[i], CLP_TAIL, 0, 0);
    }
}

/* The link of a word that is no element's: a bad link, or the word of a walk. */
#define CLP_BROKEN ((CLP_LINK)-2)

/* Notes an element and returns its word. */
static inline CLP_LINK clp_visit(const clp_walker *walker, global CLP_INDEX *words,
                                 global const CLP_LINK *links) {
    const CLP_INDEX by = CLP_MARK | walker->id << CLP_OFFSET_BITS | walker->offset;
    return (CLP_LINK)clp_exchange_word(&words[walker->node], by);
}

static inline CLP_LINK clp_link_of(CLP_LINK visited) {
    const CLP_INDEX word = (CLP_INDEX)visited;
    if (word == CLP_MARK - 2) return CLP_TAIL;
    return word < CLP_MARK - 2 ? (CLP_LINK)word : CLP_BROKEN;
}

/* Continues a walk whose offset is too long for a word as a sublist without a splitter. There are
 * enough of them for any valid list. */
static inline bool clp_continues(clp_walker *walker, volatile global uint *used,
                                 const clp_walking *walking, CLP_INDEX spare) {
    const CLP_INDEX all = (CLP_INDEX)walking->level->sublists;
    if (walker->offset <= CLP_OFFSET_MASK) return true;
    const CLP_INDEX number = atomic_inc(used); /* races with itself, in all other walks */
    if (number >= spare) {
        clp_give_up(walking, walking->broken, CLP_ASTRAY);
        return false;
    }
    clp_close(&walking->above.parts[walker->id], (CLP_LINK)(all + number), walker->offset, 0);
    walker->id = all + number;
    CLP_ASSERT(walker->id < CLP_MARK >> CLP_OFFSET_BITS);
    walker->offset = 0;
    return true;
}
#else
#define CLP_NOTE CLP_PAIR
#define CLP_NOTES(pairs, words) (pairs)
#define CLP_NOTED_ID(note) ((note).y)
#define CLP_NOTED_OFFSET(note) ((note).x)
#define clp_link_of(visited) (visited)
#define clp_continues(walker, used, walking, spare) true

static inline CLP_LINK clp_visit(const clp_walker *walker, global CLP_PAIR *pairs,
                                 global const CLP_LINK *links) {
    pairs[walker->node] = (CLP_PAIR)(walker->offset, walker->id);
    return links[walker->node];
}
#endif

/* Walks every sublist of level 0. The second attempt runs only if the first one set `again`. spare:
 * sublists without a splitter. */
CLP_KERNEL(CLP_GROUP)
void clp_list_walk(global const CLP_LINK *restrict links, global CLP_PAIR *restrict pairs,
                   global CLP_INDEX *out, ulong out_at, global clp_part *restrict parts,
                   global clp_lead *restrict leads, global CLP_A *restrict offsets,
                   global clp_list_state *state, const clp_list_level given_level, ulong spare,
                   uint attempt) {
    if (clp_is_done(state) || (attempt > 0 && !state->again)) return;
    const clp_list_level level = attempt > 0 ? clp_second_level(given_level, state) : given_level;
    const clp_nodes above = {parts + level.above, leads + level.above, offsets + level.above, 0};
    global CLP_NOTE *notes = CLP_NOTES(pairs, out + out_at);
    clp_batch batch = clp_fixed_batch(&level);
    const clp_walking walking = clp_walking_of(&level, state, above, 0, attempt);
    clp_walker walkers[CLP_WALKS];
    CLP_LINK to[CLP_WALKS];
    bool busy = true;

    clp_begin_walks(&walking, spare);
    for (uint j = 0; j < CLP_WALKS; j++) walkers[j] = clp_open(&batch, &walking);
    while (busy) {
        busy = false;
        /* Issue all loads before the first one is used. */
        CLP_UNROLL
        for (uint j = 0; j < CLP_WALKS; j++) {
            if (walkers[j].id != CLP_NONE)
                to[j] = clp_visit(&walkers[j], notes, links + level.links_at);
        }
        if (CLP_IN_PLACE) clp_look_ahead(&batch, &walking);
        CLP_UNROLL
        for (uint j = 0; j < CLP_WALKS; j++) {
            clp_walker *own = &walkers[j];
            if (own->id == CLP_NONE) continue;
            const CLP_LINK next = clp_link_of(to[j]);
            busy = true;
            own->offset++;
            own->node = (CLP_INDEX)next;
            if (clp_goes_on(&own->pace, next, &walking) &&
                clp_continues(own, &state->used[attempt], &walking, spare))
                continue;
            clp_close_at(next, own->id, own->offset, &walking);
            *own = clp_open(&batch, &walking);
        }
    }
}

/* Expands the ranks of the sublists to the ranks of the elements. */
CLP_KERNEL(CLP_GROUP)
void clp_list_expand(global const CLP_PAIR *restrict pairs, global const CLP_A *restrict offsets,
                     global CLP_LINK *out, ulong out_at,
                     global const clp_list_state *restrict state, const clp_list_level level,
                     uint as_order) {
    const CLP_INDEX count = (CLP_INDEX)level.count;
    global const CLP_NOTE *notes = CLP_NOTES(pairs, (global const CLP_INDEX *)(out + out_at));
    CLP_INDEX end;
    if (clp_is_done(state)) return;
    if (!state->valid) {
        clp_write_zeros(out + out_at, count);
        return;
    }
    for (CLP_INDEX i = clp_share(count, &end); i < end; i += CLP_AT_ONCE * CLP_GROUP) {
        CLP_NOTE note[CLP_AT_ONCE];
        CLP_INDEX rank[CLP_AT_ONCE];
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++) {
            /* Lanes past the end read their own note: others may already be overwritten. */
            const CLP_INDEX at = i + j * CLP_GROUP;
            note[j] = notes[at < end ? at : i];
        }
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++) {
            rank[j] =
                (CLP_INDEX)offsets[level.above + CLP_NOTED_ID(note[j])] + CLP_NOTED_OFFSET(note[j]);
        }
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++) {
            const CLP_INDEX node = i + j * CLP_GROUP;
            if (node < end) clp_write(out + out_at, node, rank[j], as_order);
        }
    }
}
