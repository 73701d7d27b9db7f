/* SPDX-License-Identifier: MIT */
/* Level 0 of a ranking with one pair per element: its offset and its sublist. */

/* Walks every sublist of level 0. The second attempt runs only if the first one set `again`. */
CLP_KERNEL(CLP_GROUP)
void clp_list_walk(global const CLP_LINK *restrict links, global CLP_PAIR *restrict pairs,
                   global clp_part *restrict parts, global clp_lead *restrict leads,
                   global CLP_A *restrict offsets, global clp_list_state *state,
                   const clp_list_level given_level, uint attempt) {
    if (attempt > 0 && !state->again) return;
    const clp_list_level level = attempt > 0 ? clp_second_level(given_level, state) : given_level;
    const CLP_INDEX all = (CLP_INDEX)level.sublists;
    const CLP_LINK head = (CLP_LINK)state->head;
    global clp_part *above = parts + level.above;
    const clp_walking walking = clp_walking_of(state, &level, attempt);
    clp_batch batch = clp_fixed_batch(&level);
    clp_walker walkers[CLP_WALKS];
    CLP_LINK to[CLP_WALKS];
    bool busy = true;

    if (get_global_id(0) == 0) clp_set_path(state, head, offsets, &level);
    clp_clear_leads(leads, &level, level.sublists);
    for (uint j = 0; j < CLP_WALKS; j++) {
        walkers[j] = clp_open(&batch, &walking, head, &level, above);
    }
    while (busy) {
        busy = false;
        /* Issue all loads before the first one is used. */
        CLP_UNROLL
        for (uint j = 0; j < CLP_WALKS; j++) to[j] = links[level.links_at + walkers[j].node];
        CLP_UNROLL
        for (uint j = 0; j < CLP_WALKS; j++) {
            if (walkers[j].id == all) continue;
            busy = true;
            pairs[walkers[j].node] = (CLP_PAIR)(walkers[j].offset, walkers[j].id);
            walkers[j].offset++;
            if (clp_goes_on(&walkers[j].pace, to[j], &walking, &level)) {
                walkers[j].node = (CLP_INDEX)to[j];
                continue;
            }
            clp_close_at(to[j], walkers[j].id, walkers[j].offset, above, &walking, &level);
            walkers[j] = clp_open(&batch, &walking, head, &level, above);
        }
    }
}

/* Expands the ranks of the sublists to the ranks of the elements. */
CLP_KERNEL(CLP_GROUP)
void clp_list_expand(global const CLP_PAIR *restrict pairs, global const CLP_A *restrict offsets,
                     global CLP_LINK *restrict out, ulong out_at,
                     global const clp_list_state *restrict state, const clp_list_level level,
                     uint as_order) {
    const CLP_INDEX count = (CLP_INDEX)level.count;
    CLP_INDEX end;
    if (!state->valid) {
        clp_write_zeros(out + out_at, count);
        return;
    }
    for (CLP_INDEX i = clp_share(count, &end); i < end; i += CLP_AT_ONCE * CLP_GROUP) {
        CLP_PAIR pair[CLP_AT_ONCE];
        CLP_INDEX rank[CLP_AT_ONCE];
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++) {
            pair[j] = pairs[min((CLP_INDEX)(i + j * CLP_GROUP), (CLP_INDEX)(end - 1))];
        }
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++) {
            rank[j] = (CLP_INDEX)offsets[level.above + pair[j].y] + pair[j].x;
        }
        CLP_UNROLL
        for (uint j = 0; j < CLP_AT_ONCE; j++) {
            const CLP_INDEX node = i + j * CLP_GROUP;
            if (node < end) clp_write(out + out_at, node, rank[j], as_order);
        }
    }
}
