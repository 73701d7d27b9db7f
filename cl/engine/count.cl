/* SPDX-License-Identifier: MIT */
/*
 * How many elements a run has: what the host said, or what stands in device memory when the work
 * starts. Then the host said the most it may be, and launched as many groups as that takes; groups
 * without a tile end at once. A count that is too large is refused: no group has a tile.
 *
 * The primitive's part, which comes before this one, has the type clp_report of what a run reports.
 */
#define CLP_COUNT_PARAMETERS , const global ulong *counted, ulong counted_first

#define CLP_REFUSED (~0ul)

/* What one work-item does with a count that it read; the primitive's. */
static inline void clp_report_count(global clp_report *report, ulong n, bool refused);

/* Outputs of the run, or CLP_REFUSED. most: as the host said. One work-item of all reports the
 * count, if there is one; report: where, or NULL. */
static inline ulong clp_read_count(ulong most, const global ulong *counted, ulong counted_first,
                                   global clp_report *report) {
    if (counted == 0) return most;
    const ulong n = counted[counted_first];
    const bool refused = n > most - CLP_EXTRA;
    if (get_global_id(0) == 0 && report != 0) clp_report_count(report, n, refused);
    return refused ? CLP_REFUSED : n + CLP_EXTRA;
}

/* Whether the work-group has no tile of the n outputs. An empty run has one, of group 0. */
static inline bool clp_is_idle(ulong n, uint tile) {
    const ulong group = get_group_id(0);
    return n == CLP_REFUSED || (group > 0 && group * tile >= n);
}

/* Ends a work-group that does not work. Where barriers must not stand behind a return (PoCL 3.1
 * without optimization), it goes on instead, and must have nothing to do. */
#if CLP_LOCKSTEP
#define CLP_END_UNLESS(works)                                                                      \
    if (!(works)) return;
#else
#define CLP_END_UNLESS(works)
#endif

/* The next tile in the order of starting; the last one to ask sets the counter back for the next
 * run. One work-item of each group that is not idle asks; the barrier behind it is the caller's. */
static inline uint clp_take_ticket(volatile global uint *counter, ulong n, uint tile) {
    const uint number = atomic_inc(counter); /* with the other groups' */
    if ((number + 1ul) * tile >= n) atomic_xchg(counter, 0u);
    return number;
}
