/* SPDX-License-Identifier: MIT */
/*
 * List scan and forests (CLP_FOREST). Links and values are packed into records, whose links are -1
 * or an element. From each splitter and each head, a lane walks to the next splitter and appends
 * what it visits to the visit log of its team; listscan_scatter.cl then moves each log entry to the
 * place of its element. A walk changes nothing that a walk reads.
 */

typedef struct {
    CLP_INDEX at; /* the element */
    uint tag; /* its sublist, possibly with CLP_FIRST; or CLP_FINAL */
    CLP_A value;
} clp_entry;

CLP_ACCESS(clp_entry, clp_load_entry, clp_store_entry)

/* ---- Before the walk ---- */

CLP_KERNEL(CLP_GROUP)
void clp_listscan_pack(global const CLP_LINK *links, ulong links_at, global const CLP_E *values,
                       ulong values_at, global clp_item *records, global uint *bits,
                       global clp_list_state *state, ulong count, uint wants_sum) {
    local ulong sums[CLP_GROUP];
    local uint broken[CLP_GROUP];
    CLP_INDEX end;
    ulong sum = 0;
    uint wrong = 0;
    for (CLP_INDEX i = clp_share((CLP_INDEX)count, &end); i < end; i += CLP_GROUP) {
        const CLP_LINK link = links[links_at + i];
        const bool inside = (CLP_INDEX)link < count;
        clp_item record; /* its link and its value */
        record.at = (CLP_INDEX)(inside ? link : CLP_TAIL);
#if CLP_INPUTS
        record.value = clp_input(values[values_at + i], (ulong)i);
#else
        record.value = clp_input((ulong)i);
#endif
        clp_store_item(&records[i], record);
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
    for (uint i = 1; i < CLP_GROUP; i++) wrong |= broken[i];
    if (wants_sum) clp_add_sums(sums, state->sum); /* clp_list_find reads it */
    if (wrong) clp_set_flag(&state->bad_links, 1);
}

/* ---- Before the second walk ---- */

/* Clears what a first walk left that was given up, and computes the seed of the second one. It
 * depends on the links, so that no list can be built against it, but is the same in every run, so
 * that results have the same bits. */
CLP_KERNEL(CLP_GROUP)
void clp_listscan_again(global const CLP_LINK *links, ulong links_at, global clp_list_state *state,
                        global clp_lead *leads, global uint *states, ulong nodes,
                        global uint *fills, ulong chunks, ulong count) {
    local ulong sums[CLP_GROUP];
    const bool again = state->again != 0;
    const size_t lanes = get_global_size(0);
    const size_t lane = get_global_id(0);
    CLP_INDEX end;
    ulong sum = 0;
    for (ulong i = lane; again && i < nodes; i += lanes) {
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
    if (again && get_local_id(0) == 0) clp_add_sums(sums, state->digest); /* of the second walk */
}
