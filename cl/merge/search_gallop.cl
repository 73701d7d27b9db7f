/* SPDX-License-Identifier: MIT */
/*
 * What all searches share: the test of an element, and galloping from a place on. Steps double
 * until one goes too far, then a binary search finds the bound within the last step, so that the
 * cost grows with the logarithm of the distance. A plan of both bounds finds the upper one so, from
 * the lower one on. No local memory; no work-item waits for another.
 */
#if CLP_BOTH
#define CLP_BOTH_PARAMETERS , global CLP_OUT *out_upper, ulong out_upper_first
#else
#define CLP_BOTH_PARAMETERS
#endif

/* Whether x of b is in front of the needle's bound. */
CLP_INLINE bool clp_is_before(CLP_E x, CLP_E needle, bool upper, const clp_io *io) {
    return upper ? !clp_less(needle, x CLP_USER(io)) : clp_less(x, needle CLP_USER(io));
}

/* Returns the needle's bound, which is not below `place`. */
CLP_INLINE ulong clp_gallop(CLP_E needle, ulong place, bool upper, const clp_io *io) {
    const ulong n = io->n_b;
    ulong step = 1;
    while (place + step <= n && clp_is_before(io->b[place + step - 1], needle, upper, io)) {
        place += step;
        step *= 2;
    }
    for (ulong rest = min(step - 1, n - place); rest > 0;) {
        const ulong half_rest = max(rest / 2, 1ul);
        if (clp_is_before(io->b[place + half_rest - 1], needle, upper, io)) place += half_rest;
        rest -= half_rest;
    }
    return place;
}
