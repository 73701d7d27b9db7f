/* SPDX-License-Identifier: MIT */
/*
 * Reduce by work-items, each of which combines consecutive blocks of the first level. The
 * work-group that ends last combines the levels above: nobody waits for another work-group.
 */

/* What a work-group shares. */
typedef struct clp_shared {
    uint is_last; /* of the run's groups */
} clp_shared;

CLP_KERNEL(CLP_GROUP)
void clp_reduce_serial(CLP_REDUCE_PARAMETERS) {
    local clp_shared shared;
    const clp_io io = {in + in_first CLP_USER_IO};
    const ulong n = clp_read_count(most_n, counted, counted_first, report + report_first);
    if (n == CLP_REFUSED) return;
    const ulong blocks = clp_block_count(n, CLP_LANES);
    const ulong items = get_num_groups(0) * CLP_GROUP;
    const ulong item = get_group_id(0) * CLP_GROUP + get_local_id(0);
    const ulong each = (blocks + items - 1) / items;
    const ulong end = min((item + 1) * each, blocks);
    for (ulong b = item * each; b < end; b++) {
        const ulong first = clp_block_first(n, CLP_LANES, b);
        CLP_ASSERT(first < n);
        sums[b] = clp_elements_serial(&io, first, clp_block_length(n, CLP_LANES, b));
    }
    clp_device_fence(); /* sums above, ticket below; with the last group's */
#if CLP_GROUP > 1
    barrier(CLK_GLOBAL_MEM_FENCE); /* sums written above by all, ticket taken below by one */
#endif
    if (get_local_id(0) == 0) shared.is_last = clp_is_last_group(tickets, (uint)get_num_groups(0));
#if CLP_GROUP > 1
    barrier(CLK_LOCAL_MEM_FENCE); /* is_last written above, read below */
#endif
    clp_device_fence(); /* ticket above, sums below; with the other groups' */
    if (shared.is_last) clp_second_level(sums, blocks);
#if CLP_GROUP > 1
    barrier(CLK_GLOBAL_MEM_FENCE); /* second level written above by all, read below by one */
#endif
    if (shared.is_last && get_local_id(0) == 0) {
        clp_write_result(&io, out + out_first, report + report_first, n, start,
                         *clp_last_levels(sums, blocks));
    }
}
