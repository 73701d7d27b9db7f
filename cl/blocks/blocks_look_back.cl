/* SPDX-License-Identifier: MIT */
/*
 * Prefixes over the work-groups of a launch, by the look-back of the library's own scans
 * (lookback.cl, which says who waits for whom, and why that ends). The scratch begins with the
 * number of tickets that were taken, and above it that of the runs before; the state follows.
 */
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

#define CLP_RUNS ((1u << 30) - 1)
#define CLP_SCRATCH_HEAD 2 /* words of 64 bits; the state is at a multiple of 16 bytes */

typedef struct clp_turn {
    volatile global ulong *state;
    uint number; /* of the work-group's tile */
    uint run;
} clp_turn;

CLP_INLINE clp_turn clp_begin(volatile global ulong *scratch, local clp_local *room) {
    clp_turn turn;
    if (get_local_id(0) == 0) {
        /* With the other groups; the one that takes the last ticket begins the next run. */
        const ulong ticket = atom_add(scratch, 1ul);
        const uint number = (uint)ticket, run = (uint)(ticket >> 32);
        if (number == get_num_groups(0) - 1)
            atom_xchg(scratch, (ulong)((run + 1) % CLP_RUNS) << 32);
        room->sums[0] = number;
        room->sums[1] = run + 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* number and run written above, read below */
    turn.state = scratch + CLP_SCRATCH_HEAD;
    turn.number = room->sums[0];
    turn.run = room->sums[1];
    barrier(CLK_LOCAL_MEM_FENCE); /* the room, read above, with its next user */
    return turn;
}

CLP_INLINE CLP_A clp_prefix(clp_turn turn, CLP_A total, CLP_A start, local clp_local *room) {
    clp_look look = {.state = turn.state, .run = turn.run, .start = start};
#if CLP_LOOKS_TOGETHER
    clp_look_together(&look, true, turn.number, total, &room->seen);
#endif
    CLP_A before = start;
    if (CLP_WINDOW == 1 ? get_local_id(0) == 0 : clp_subgroup_number() == 0) {
        before = clp_look_back(&look, turn.number, total, room->exchange);
    }
#if CLP_LOOKS_TOGETHER
    barrier(CLK_LOCAL_MEM_FENCE); /* seen, read above, with the prefix below */
#endif
    if (get_local_id(0) == 0) room->exchange[0] = before;
    barrier(CLK_LOCAL_MEM_FENCE); /* the prefix written above, read below */
    before = room->exchange[0];
    barrier(CLK_LOCAL_MEM_FENCE); /* the room, read above, with its next user */
    return turn.number > 0 ? clp_op(start, before) : start;
}
