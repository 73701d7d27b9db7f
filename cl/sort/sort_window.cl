/* SPDX-License-Identifier: MIT */
/* What decides the order: the window of the key's ordered bits. */
CLP_INLINE CLP_K clp_compared(CLP_K key) {
#if CLP_BEGIN_BIT == CLP_END_BIT
    return 0;
#else
    const uint above = 8 * CLP_K_BYTES - CLP_END_BIT;
    return (CLP_K)((CLP_K)(clp_ordered(key) << above) >> (above + CLP_BEGIN_BIT));
#endif
}
