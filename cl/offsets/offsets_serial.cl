/* SPDX-License-Identifier: MIT */
/*
 * Offsets for CPUs: tiles are scanned by additions without the operator's OR. A sum that is too
 * large gets the fault mark by itself, and offsets behind the first fault need not be right. No
 * local memory; nobody waits here.
 */
#ifdef CLP_E_WIDE
static inline CLP_A_WIDE clp_op_unchecked_wide(CLP_A_WIDE a, CLP_A_WIDE b) {
    return a + b;
}

/* Returns the fault mark if a lane has it, otherwise 0. */
static inline CLP_A clp_fault_among(CLP_A_WIDE values) {
    const ulong4 fours = values.lo | values.hi;
    const ulong2 twos = fours.lo | fours.hi;
    return (twos.s0 | twos.s1) & CLP_FAULTY;
}
#endif
