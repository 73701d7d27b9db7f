/* SPDX-License-Identifier: MIT */
/*
 * The kernel of gather and of scatter, and its report. Local memory: clp_shared of jagged.cl. The
 * last work-group to end is found by a counter (last_group.cl), so that no work-group waits for
 * another.
 */

/* One work-item of each work-group stores the group's lowest fault; that of the last group writes
 * the report. It reads the groups' faults only if there is one. */
static inline void clp_finish_run(const clp_run *run, ulong own, global clp_report *report,
                                  volatile global uint *counters, global ulong *lowest) {
    clp_report found = {0, -1, 0, (long)run->n};
    lowest[get_group_id(0)] = own;
    if (own != CLP_NOWHERE) atomic_or(counters + CLP_FAULTY, 1u);
    clp_device_fence(); /* position above, counter below; with the last group's */
    if (!clp_is_last_group(counters + CLP_ENDED, get_num_groups(0))) return;
    clp_device_fence(); /* counter above, positions below; with the other groups' */
    clp_end_run(run);
    if (atomic_xchg(counters + CLP_FAULTY, 0u) != 0) {
        ulong least = CLP_NOWHERE;
        for (ulong g = 0; g < get_num_groups(0); g++) least = min(least, lowest[g]);
        found.fault = CLP_FAULT_INDEX;
        found.position = (long)least;
        found.index = (long)run->index[least];
    }
    *report = found;
}

/* A refused run goes on, with no indices, instead of returning: behind a return, PoCL 3.1 takes
 * conditions after barriers for uniform. */
CLP_KERNEL(CLP_GROUP)
void CLP_INDEXED(CLP_INDEXED_PARAMETERS) {
    local clp_shared shared;
    const ulong n = clp_read_count(most_n, counted, counted_first, report + report_first);
    const ulong length = n == CLP_REFUSED
                             ? CLP_REFUSED
                             : clp_read_length(most_length, counted_length, counted_length_first,
                                               report + report_first);
    if (get_local_id(0) == 0) shared.high = shared.low = ~0u;
    {
        const clp_run run = CLP_RUN(length == CLP_REFUSED ? 0 : n, length);
        shared.place[get_local_id(0)] = clp_take_tiles(&run);
    }
    CLP_FIND_LOWEST
    if (get_local_id(0) == 0 && length != CLP_REFUSED) {
        const clp_run run = CLP_RUN(n, length);
        clp_finish_run(&run, clp_lowest_place(&shared), report + report_first, counters, lowest);
    }
}
