/* SPDX-License-Identifier: MIT */
/*
 * Level 0 in the memory of the result. The links are copied there. Each walk replaces every word
 * that it reads by its sublist and the offset in the sublist. A replaced word has a mark bit, so
 * that a walk of a malformed list stops where another walk has been. The offset has CLP_OFFSET_BITS
 * bits; a longer sublist continues as another sublist, without a splitter.
 */

/* Reads a link and replaces it in one memory access. The walks of a valid list do not need the
 * atomicity. */
#if CLP_LINK_BYTES == 4
#define CLP_EXCHANGE_WORD(word, by) atomic_xchg((volatile global uint *)(word), by)
#elif CLP_INT64_ATOMICS
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define CLP_EXCHANGE_WORD(word, by) atom_xchg((volatile global ulong *)(word), by)
#else
static inline CLP_INDEX clp_exchange_word(global CLP_INDEX *word, CLP_INDEX by) {
    const CLP_INDEX before = *word;
    *word = by;
    return before;
}
#define CLP_EXCHANGE_WORD(word, by) clp_exchange_word(word, by)
#endif

#define CLP_MARK ((CLP_INDEX)1 << (sizeof(CLP_INDEX) * 8 - 1))
#define CLP_OFFSET_MASK (((CLP_INDEX)1 << CLP_OFFSET_BITS) - 1)

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
    if (attempt > 0 && !state->again) return;
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

static inline CLP_LINK clp_link_of_word(CLP_INDEX word) {
    if (word == CLP_MARK - 2) return CLP_TAIL;
    return word < CLP_MARK - 2 ? (CLP_LINK)word : CLP_BROKEN;
}

/* Continues a walk as a sublist without a splitter. There are enough of them for any valid list. */
static inline bool clp_split(clp_walker *walker, CLP_INDEX *id, global clp_part *above,
                             volatile global uint *used, const clp_walking *walking,
                             const clp_list_level *level, CLP_INDEX spare) {
    const CLP_INDEX number = atomic_inc(used); /* races with itself, in all other walks */
    if (number >= spare) {
        clp_give_up(walking, walking->broken, CLP_ASTRAY);
        return false;
    }
    clp_close(&above[*id], (CLP_LINK)(level->sublists + number), walker->offset, 0);
    *id = (CLP_INDEX)level->sublists + number;
    CLP_ASSERT(*id < CLP_MARK >> CLP_OFFSET_BITS);
    walker->offset = 0;
    return true;
}

CLP_KERNEL(CLP_GROUP)
void clp_list_walk_in_place(global CLP_INDEX *out, ulong out_at, global clp_part *restrict parts,
                            global clp_lead *restrict leads, global CLP_A *restrict offsets,
                            global clp_list_state *state, const clp_list_level given_level,
                            ulong spare, uint attempt) {
    if (attempt > 0 && !state->again) return;
    const clp_list_level level = attempt > 0 ? clp_second_level(given_level, state) : given_level;
    const CLP_LINK head = (CLP_LINK)state->head;
    global clp_part *above = parts + level.above;
    const clp_walking walking = clp_walking_of(state, &level, attempt);
    clp_batch batch = clp_fixed_batch(&level);
    global CLP_INDEX *words = out + out_at;
    CLP_ASSERT(level.sublists + spare <= CLP_MARK >> CLP_OFFSET_BITS);
    if (get_global_id(0) == 0) clp_set_path(state, head, offsets, &level);
    clp_clear_leads(leads, &level, level.sublists + spare);
    clp_walker walker = clp_open(&batch, &walking, head, &level, above);
    CLP_INDEX id = walker.id;
    while (walker.id < level.sublists) {
        const CLP_INDEX word = CLP_EXCHANGE_WORD(&words[walker.node],
                                                 CLP_MARK | id << CLP_OFFSET_BITS | walker.offset);
        walker.offset++;
        const CLP_LINK to = clp_link_of_word(word);
        bool on = clp_goes_on(&walker.pace, to, &walking, &level);
        if (on && walker.offset > CLP_OFFSET_MASK) {
            on = clp_split(&walker, &id, above, &state->used[attempt], &walking, &level,
                           (CLP_INDEX)spare);
        }
        if (on) {
            walker.node = (CLP_INDEX)to;
            continue;
        }
        clp_close_at(to, id, walker.offset, above, &walking, &level);
        walker = clp_open(&batch, &walking, head, &level, above);
        id = walker.id;
    }
}

CLP_KERNEL(CLP_GROUP)
void clp_list_expand_in_place(global CLP_INDEX *out, ulong out_at,
                              global const CLP_A *restrict offsets,
                              global const clp_list_state *restrict state,
                              const clp_list_level level) {
    CLP_INDEX end;
    global CLP_INDEX *words = out + out_at;
    if (!state->valid) {
        clp_write_zeros((global CLP_LINK *)words, (CLP_INDEX)level.count);
        return;
    }
    for (CLP_INDEX i = clp_share((CLP_INDEX)level.count, &end); i < end;
         i += CLP_AT_ONCE * CLP_GROUP) {
        /* Lanes past the end read their own word: others may already be overwritten. */
        CLP_INDEX word[CLP_AT_ONCE], base[CLP_AT_ONCE];
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++) {
            const CLP_INDEX at = i + j * CLP_GROUP;
            word[j] = words[at < end ? at : i] & ~CLP_MARK;
        }
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++) {
            base[j] = (CLP_INDEX)offsets[level.above + (word[j] >> CLP_OFFSET_BITS)];
        }
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++) {
            const CLP_INDEX at = i + j * CLP_GROUP;
            if (at < end) words[at] = base[j] + (word[j] & CLP_OFFSET_MASK);
        }
    }
}
