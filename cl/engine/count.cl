/* SPDX-License-Identifier: MIT */
/*
 * The number of elements of a run, and the tickets by which its tiles are numbered.
 *
 * The number is what the host said, or it stands in device memory when the work starts. Then the
 * host said the most it may be and launched enough work-groups for that; work-groups without a tile
 * end at once. A number that is too large is refused: no work-group has a tile.
 *
 * The room's files, by the programs that have them (src/engine/single_pass.h leads here):
 *   count.cl              every program
 *   count_report.cl       what runs of map, scan and sort report
 *   lookback.cl           published values, and decoupled look-back over them
 *   levels.cl             reduce-then-scan, with the functions of lookback.cl
 *   level_sums.cl         its second launch, which scans the tiles' aggregates
 *   group_scan.cl         one tile a work-group: its reduction and its scan
 *   lookback_kernel.cl    the kernel on lookback.cl or levels.cl, one tile a work-group
 *   lookback_serial.cl    the same for CPUs, one work-item a tile
 *   single_wave_tile.cl   few tiles, all work-groups resident: what both kernels share
 *   single_wave.cl        the kernel of scan and offsets
 *   single_wave_small.cl  the kernel of scan for the shortest arrays
 *   lookahead.cl          persistent work-groups: the ring, and what their roles share
 *   lookahead_sums.cl     look-back over tiles whose aggregates are 32-bit sums
 *   lookahead_kernel.cl   the kernel of scan and offsets: how stages are filled, read and scanned
 *   last_group.cl         which work-group of a launch ends last
 *
 * The primitive's part comes first in a program. It defines clp_report, what a run reports.
 */
#define CLP_COUNT_PARAMETERS , const global ulong *counted, ulong counted_first

#define CLP_REFUSED (~0ul)

/* The primitive's: what one work-item does with a number that it read. */
static inline void clp_report_count(global clp_report *report, ulong n, bool refused);

/* The number of outputs, or CLP_REFUSED. most: what the host said. One work-item of the launch
 * reports a number that was read; report: where, or NULL. */
static inline ulong clp_read_count(ulong most, const global ulong *counted, ulong counted_first,
                                   global clp_report *report) {
    if (counted == 0) return most;
    const ulong n = counted[counted_first];
    const bool refused = n > most - CLP_EXTRA;
    if (get_global_id(0) == 0 && report != 0) clp_report_count(report, n, refused);
    return refused ? CLP_REFUSED : n + CLP_EXTRA;
}

/* Whether the work-group has no tile of the n outputs. Work-group 0 has one even of an empty run: a
 * primitive may write something there. */
static inline bool clp_is_idle(ulong n, uint tile) {
    const ulong group = get_group_id(0);
    return n == CLP_REFUSED || (group > 0 && group * tile >= n);
}

/* Ends a work-group that does not work. A macro, as it returns from the caller. Where barriers must
 * not stand behind a return (PoCL 3.1 without optimization), the work-group goes on instead, and
 * must have nothing to do. */
#if CLP_LOCKSTEP
#define CLP_END_UNLESS(works)                                                                      \
    if (!(works)) return;
#else
#define CLP_END_UNLESS(works)
#endif

/* A barrier of a work-group that has several work-items. A macro, as barriers stay at a kernel's
 * top level. */
#if CLP_GROUP > 1
#define CLP_GROUP_BARRIER(memory) barrier(memory);
#else
#define CLP_GROUP_BARRIER(memory)
#endif

/* The number of the work-group's tile. Tiles are numbered in the order in which work-groups start,
 * whatever their own numbers are: a work-group that waits for a lower tile waits for one that has
 * started. The last one to ask resets the counter for the next run. One work-item of each
 * work-group that is not idle asks; the barrier behind it is the caller's. */
static inline uint clp_take_ticket(volatile global uint *counter, ulong n, uint tile) {
    const uint number = atomic_inc(counter); /* with the other groups' */
    if ((number + 1ul) * tile >= n) atomic_xchg(counter, 0u);
    return number;
}
