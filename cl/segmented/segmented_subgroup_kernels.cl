/* SPDX-License-Identifier: MIT */
/* The kernel of the variant "sub-group". Behind its shares the tiles' local memory is free for the
 * scan of parts (segmented_finish.cl). */
/* What comes of a share's part that each lane notes by itself: the lowest empty segment. */
CLP_INLINE void clp_put_part(const clp_run *run, ulong worker, const clp_part *noted) {
    clp_part part = *noted;
#if CLP_EMPTY
    for (uint distance = 16; distance > 0; distance /= 2) {
        const ulong other = clp_shuffle_long(part.empty, clp_lane() ^ distance);
        if (other != 0 && (part.empty == 0 || other < part.empty)) part.empty = other;
    }
#endif
    if (clp_lane() == 0) run->parts[worker] = part;
}

CLP_KERNEL(CLP_GROUP)
void clp_segmented_outputs(CLP_SEGMENTED_PARAMETERS) {
    local clp_shared shared;
    local clp_local_tile tiles[CLP_SUBGROUPS];
    local clp_counts counts;
    local clp_carry *const carries = (local clp_carry *)tiles;
    CLP_TAKE_COUNTS(report + report_first)
    const ulong worker = get_group_id(0) * CLP_SUBGROUPS + clp_subgroup_number();
    if (worker < counts.workers) {
        const clp_run run = CLP_RUN;
        const clp_part part = clp_process_share(&run, worker, &tiles[clp_subgroup_number()]);
        clp_put_part(&run, worker, &part);
    }
    CLP_FINISH_RUN
}
