/* SPDX-License-Identifier: MIT */
/* Checks the heads that the caller gives for a forest: they must be exactly the elements that no
 * link names. */
#if !CLP_FOREST
#error "forest.cl: one list has one head; CLP_FOREST is 0"
#endif

/* Marks the k-th given head. */
static inline void clp_give(global const CLP_LINK *heads, CLP_INDEX k, global uint *bits,
                            global clp_list_state *state, ulong count, uint coarse) {
    volatile global uint *given = bits + (count + 15) / 16;
    const CLP_INDEX head = (CLP_INDEX)heads[k];
    /* All three race with themselves. clp_forest_compare, clp_classify_heads and clp_listscan_last
     * read them. */
    if (head < count) {
        atomic_or(&given[head / 32], 1u << (uint)(head % 32));
    } else {
        atomic_min((volatile global uint *)&state->found[CLP_CHECK_NO_ELEMENT],
                   (uint)(k >> coarse));
        atomic_or((volatile global uint *)&state->broken, CLP_BAD_LINKS);
    }
}

CLP_KERNEL(CLP_GROUP)
void clp_forest_give(global const CLP_LINK *heads, ulong heads_at, ulong num_heads,
                     global uint *bits, global clp_list_state *state, ulong count, uint coarse) {
    CLP_INDEX end;
    for (CLP_INDEX k = clp_share((CLP_INDEX)num_heads, &end); k < end; k += CLP_GROUP) {
        clp_give(heads + heads_at, k, bits, state, count, coarse);
    }
}

CLP_KERNEL(CLP_GROUP)
void clp_forest_compare(global const uint *bits, global clp_list_state *state, ulong count) {
    bool wrong = false;
    CLP_INDEX end;
    for (CLP_INDEX i = clp_share((CLP_INDEX)count, &end); i < end; i += CLP_GROUP) {
        wrong |= clp_is_given(bits, i, (CLP_INDEX)count) == ((clp_bits(bits, i) & 1) != 0);
    }
    /* Races with itself; clp_listscan_last reads it. */
    if (wrong) atomic_or((volatile global uint *)&state->broken, CLP_BAD_LINKS);
}

/* A given head that is no element is reported before other wrong heads. */
static inline void clp_classify_heads(global const CLP_LINK *heads, ulong num_heads,
                                      global clp_list_state *state, ulong count, uint coarse) {
    const uint found = state->found[CLP_CHECK_NO_ELEMENT];
    if (state->valid || found == UINT_MAX) return;
    if (state->fault != CLP_HEAD && state->fault != CLP_CYCLE) return;
    ulong k = (ulong)found << coarse;
    while (k + 1 < num_heads && (CLP_INDEX)heads[k] < count) k++;
    state->fault = CLP_HEAD;
    state->index = state->target = -1;
    state->other = heads[k];
}

CLP_KERNEL(1)
void clp_forest_classify_heads(global const CLP_LINK *heads, ulong heads_at, ulong num_heads,
                               global clp_list_state *state, ulong count, uint coarse) {
    clp_classify_heads(heads + heads_at, num_heads, state, count, coarse);
}
