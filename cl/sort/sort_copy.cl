/* SPDX-License-Identifier: MIT */
/* Sort: what is left to copy behind all passes, by work-groups of many work-items. in_place is 2
 * where networks have merged tiles to the spare copies, as a single pass would. */
CLP_KERNEL(CLP_GROUP)
void clp_sort_copy(CLP_ARRAY_PARAMETERS, CLP_N_PARAMETERS, uint in_place, const global uint *live) {
    const ulong n = CLP_N;
    const clp_role role = clp_copy_role(in_place == 2 ? 1 : clp_live_passes(live), in_place);
    if (!role.runs) return;
    CLP_MOVES
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) {
        if (keeps && to != from) to[i] = from[i];
        CLP_EACH_VALUE(CLP_VALUE_COPY)
    }
}
