/* SPDX-License-Identifier: MIT */
/*
 * The end of a run of counts in which no element can be outside. The upper bits of a bin's sum
 * count the slices that have been added to it. The work-item that adds the last slice gets the sum
 * of all others from the same atomic, and writes the output. So a work-group needs neither a fence
 * behind its sums nor a ticket: one trip to the second-level cache instead of three.
 *
 * No work-group waits for another. Local memory is the kernel's.
 */
#if CLP_ARRIVALS == 1
typedef uint clp_arrivals;
#define CLP_ADD_ARRIVAL atomic_add
#else
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
typedef ulong clp_arrivals;
#define CLP_ADD_ARRIVAL atom_add
#endif
#define CLP_ARRIVAL ((clp_arrivals)1 << CLP_SUM_BITS)

/* The number of a work-item's atomics that are in flight together. */
#define CLP_ARRIVING 2

/* Adds count_of(b) of each of the work-group's bins, which begin with first_bin. The last to add to
 * a bin writes its output and zeroes its sum for the next run. A macro because it takes count_of
 * and the kernel's parameters. */
#define CLP_ARRIVE(group, own_bins, first_bin, slices, count_of)                                   \
    const clp_end end = CLP_END;                                                                   \
    const ulong read = clp_read_count(most, counted, counted_first, 0);                            \
    volatile global clp_arrivals *const arrivals =                                                 \
        (volatile global clp_arrivals *)sums + (first_bin);                                        \
    const uint arriving = read == CLP_REFUSED || end.bins == 0 ? 0 : (own_bins);                   \
    for (uint b = get_local_id(0); b < arriving; b += CLP_ARRIVING * (group)) {                    \
        clp_arrivals before[CLP_ARRIVING];                                                         \
        uint counts[CLP_ARRIVING];                                                                 \
        _Pragma("unroll") for (uint k = 0; k < CLP_ARRIVING; k++) {                                \
            const uint at = b + k * (group);                                                       \
            if (at >= arriving) continue;                                                          \
            counts[k] = count_of(at);                                                              \
            before[k] = CLP_ADD_ARRIVAL(arrivals + at, CLP_ARRIVAL + counts[k]);                   \
        }                                                                                          \
        _Pragma("unroll") for (uint k = 0; k < CLP_ARRIVING; k++) {                                \
            const uint at = b + k * (group);                                                       \
            if (at >= arriving || before[k] >> CLP_SUM_BITS < (slices)-1) continue;                \
            arrivals[at] = 0;                                                                      \
            end.out[(first_bin) + at] = (CLP_OUT)((before[k] & (CLP_ARRIVAL - 1)) + counts[k]);    \
        }                                                                                          \
    }                                                                                              \
    if (get_global_id(0) == 0) clp_report_arrivals(read, counted + counted_first, end.report);

CLP_INLINE void clp_report_arrivals(ulong read, const global ulong *counted,
                                    global clp_report *report) {
    if (read == CLP_REFUSED) {
        clp_report_count(report, *counted, true);
    } else {
        const clp_report none = {0, 0, -1};
        *report = none;
    }
}
