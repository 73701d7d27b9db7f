/* SPDX-License-Identifier: MIT */
/*
 * Search of sorted needles for CPUs: a work-item takes a range of needles. Each needle's search
 * begins where the search before it ended. It gallops: steps double until one goes too far, then a
 * binary search finds the place within the last step. Its cost grows with the logarithm of the
 * distance between two needles' places. No local memory; no work-item waits for another.
 */
CLP_INLINE bool clp_is_before(CLP_E x, CLP_E needle, const clp_io *io) {
    return !clp_a_is_first(needle, x, io);
}

CLP_KERNEL(1)
void clp_search_serial(CLP_IO_PARAMETERS, global CLP_OUT *out, ulong out_first,
                       global clp_report *report, ulong report_first CLP_USER_PARAMETERS) {
    clp_io io = CLP_IO;
    clp_report_counts(n_a, n_b, CLP_COUNTS, report != 0 ? report + report_first : 0);
    clp_take_counts(&io, CLP_COUNTS);
    const ulong groups = get_num_groups(0), n = io.n_b;
    const ulong share = io.n_a / groups + (io.n_a % groups > 0);
    const ulong end = min((get_group_id(0) + 1) * share, io.n_a);
    ulong place = 0;
    for (ulong i = get_group_id(0) * share; i < end; i++) {
        const CLP_E needle = io.a[i];
        ulong step = 1;
        while (place + step <= n && clp_is_before(io.b[place + step - 1], needle, &io)) {
            place += step;
            step *= 2;
        }
        for (ulong rest = min(step - 1, n - place); rest > 0;) {
            const ulong half_rest = max(rest / 2, 1ul);
            if (clp_is_before(io.b[place + half_rest - 1], needle, &io)) place += half_rest;
            rest -= half_rest;
        }
        out[out_first + i] = (CLP_OUT)place;
    }
}
