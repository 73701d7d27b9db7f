/* SPDX-License-Identifier: MIT */
/* Checks the heads that the caller gives for a forest: they must be exactly the elements that no
 * link names. */
#if !CLP_FOREST
#error "forest.cl: one list has one head; CLP_FOREST is 0"
#endif

/* Marks the k-th given head. */
static inline void clp_give(global const CLP_LINK *heads, CLP_INDEX k, volatile global uint *bits,
                            global clp_list_state *state, ulong count, uint coarse) {
    volatile global uint *given = bits + clp_given_at(count);
    const CLP_INDEX head = (CLP_INDEX)heads[k];
    /* Both race with themselves. clp_forest_compare and the diagnosis read them. */
    if (head < count) {
        atomic_or(&given[head / 32], 1u << (uint)(head % 32));
    } else {
        atomic_min((volatile global uint *)&state->found[CLP_CHECK_NO_ELEMENT],
                   (uint)(k >> coarse));
        clp_set_flag(&state->wrong_heads, 1);
    }
}

CLP_KERNEL(CLP_GROUP)
void clp_forest_give(global const CLP_LINK *given, ulong given_at, ulong num_given,
                     global uint *bits, global clp_list_state *state, ulong count, uint coarse) {
    CLP_INDEX end;
    if (clp_is_done(state)) return;
    for (CLP_INDEX k = clp_share((CLP_INDEX)num_given, &end); k < end; k += CLP_GROUP) {
        clp_give(given + given_at, k, bits, state, count, coarse);
    }
}

CLP_KERNEL(CLP_GROUP)
void clp_forest_compare(global const uint *bits, global clp_list_state *state, ulong count) {
    const CLP_INDEX words = (CLP_INDEX)((count + 31) / 32);
    global const uint *given = bits + clp_given_at(count), *named = bits + clp_named_at(count);
    bool wrong = false;
    CLP_INDEX end;
    if (clp_is_done(state)) return;
    for (CLP_INDEX i = clp_share(words, &end); i < end; i += CLP_GROUP) {
        wrong |= given[i] != clp_unnamed(named[i], i, (CLP_INDEX)count);
    }
    if (wrong) clp_set_flag(&state->wrong_heads, 1);
}
