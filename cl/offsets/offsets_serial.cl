/* SPDX-License-Identifier: MIT */
/* Offsets on a CPU: tiles are scanned by additions alone, as a sum that is too large bears the mark
 * of a fault by itself, and offsets behind the first fault need not be right. */
#ifdef CLP_E_WIDE
static inline CLP_A_WIDE clp_op_unchecked_wide(CLP_A_WIDE a, CLP_A_WIDE b) {
    return a + b;
}

/* The mark, if one of the lanes bears it. */
static inline CLP_A clp_fault_among(CLP_A_WIDE values) {
    const ulong4 fours = values.lo | values.hi;
    const ulong2 twos = fours.lo | fours.hi;
    return (twos.s0 | twos.s1) & CLP_FAULTY;
}
#endif
