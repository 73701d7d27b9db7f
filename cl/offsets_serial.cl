/* SPDX-License-Identifier: MIT */
/* Offsets on a CPU: a tile without a fault is scanned by additions alone, as a sum that is too
 * large bears the mark of a fault by itself; only one with a fault needs the whole operator. */

static inline bool clp_is_clean(CLP_A value) {
    return (value & CLP_FAULTY) == 0;
}

#ifdef CLP_E_WIDE
static inline CLP_A_WIDE clp_op_clean_wide(CLP_A_WIDE a, CLP_A_WIDE b) {
    return a + b;
}

/* The mark, if one of the lanes bears it. */
static inline CLP_A clp_fault_among(CLP_A_WIDE values) {
    const ulong4 fours = values.lo | values.hi;
    const ulong2 twos = fours.lo | fours.hi;
    return (twos.s0 | twos.s1) & CLP_FAULTY;
}
#endif
