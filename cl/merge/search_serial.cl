/* SPDX-License-Identifier: MIT */
/*
 * Search of sorted needles for CPUs: a work-item takes a range of needles. Each needle's search
 * gallops from where the search before it ended. No local memory; no work-item waits for another.
 */

CLP_KERNEL(1)
void clp_search_serial(CLP_IO_PARAMETERS, global CLP_OUT *out, ulong out_first CLP_BOTH_PARAMETERS,
                       global clp_report *report, ulong report_first CLP_USER_PARAMETERS) {
    clp_io io = CLP_IO;
    clp_report_counts(n_a, n_b, CLP_COUNTS, report != 0 ? report + report_first : 0);
    clp_take_counts(&io, CLP_COUNTS);
    const ulong groups = get_num_groups(0);
    const ulong share = io.n_a / groups + (io.n_a % groups > 0);
    const ulong end = min((get_group_id(0) + 1) * share, io.n_a);
    ulong place = 0;
#if CLP_BOTH
    ulong upper = 0;
#endif
    for (ulong i = get_group_id(0) * share; i < end; i++) {
        const CLP_E needle = io.a[i];
        place = clp_gallop(needle, place, CLP_UPPER, &io);
        out[out_first + i] = (CLP_OUT)place;
#if CLP_BOTH
        upper = clp_gallop(needle, max(place, upper), true, &io);
        out_upper[out_upper_first + i] = (CLP_OUT)upper;
#endif
    }
}
