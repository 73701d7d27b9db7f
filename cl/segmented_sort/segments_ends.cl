/* SPDX-License-Identifier: MIT */
/* The first kernel of a run on segments, and the one that reports. */

/* One work-item, before all others; a run that failed half-way leaves anything in found. n_at,
 * segments_at: where the numbers stand, or NULL. sizes: of a counted run, else NULL. length: of
 * each segment, or 0. */
CLP_KERNEL(1)
void clp_segments_begin(global uint *found, global ulong *sizes, ulong most, ulong most_segments,
                        const global ulong *n_at, ulong n_first, const global ulong *segments_at,
                        ulong segments_first, ulong length) {
    for (uint c = 0; c < CLP_FOUND; c++) found[c] = 0;
    if (sizes == 0) return;
    const ulong n = n_at != 0 ? n_at[n_first] : most;
    const ulong segments = segments_at != 0 ? segments_at[segments_first]
                           : length != 0    ? n / length + (n % length > 0)
                                            : most_segments;
    const uint fault = n > most                   ? CLP_FAULT_COUNT
                       : segments > most_segments ? CLP_FAULT_SEGMENTS
                                                  : 0;
    sizes[CLP_SIZE_N] = fault != 0 ? 0 : n;
    sizes[CLP_SIZE_SEGMENTS] = fault != 0 ? 0 : segments;
    sizes[CLP_SIZE_FAULT] = fault;
    sizes[CLP_SIZE_READ] = n > most ? n : segments;
}

CLP_KERNEL(1)
void clp_segments_finish(const global CLP_OFFSET *offsets, ulong offsets_first, CLP_SIZE_PARAMETERS,
                         const global uint *found, global clp_report *report, ulong report_first) {
    CLP_SIZES
    if (report == 0) return;
    clp_segments_tell(CLP_OFFSETS, n, segments, sizes, found[CLP_FAULT], report + report_first);
}
