/* SPDX-License-Identifier: MIT */
/* Heads of a forest that the caller gives: they must be the elements that no link names. */
#if !CLP_FOREST
#error "forest.cl: one list has one head; CLP_FOREST is 0"
#endif

/* Notes the k-th head that is given. */
static inline void clp_give(global const CLP_LINK *heads, CLP_INDEX k, global uint *bits,
                            global clp_list_state *state, ulong count, uint coarse) {
    volatile global uint *given = bits + (count + 15) / 16;
    const CLP_INDEX head = (CLP_INDEX)heads[k];
    /* All three with themselves; read by clp_forest_compare, clp_classify_heads and
     * clp_listscan_last. */
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
    /* With itself; read by clp_listscan_last. */
    if (wrong) atomic_or((volatile global uint *)&state->broken, CLP_BAD_LINKS);
}

/* A head that is no element goes before heads that are the wrong ones. */
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
