/* SPDX-License-Identifier: MIT */
/*
 * Parents for CPUs: each work-item expands its share by itself, segment after segment. Local memory
 * only serves the search for a fault; no work-item waits for another.
 */

/* Returns the number of ends among the first d of all ends and elements (merge path). An end comes
 * before the element behind it. */
static inline ulong clp_ends_among(const clp_run *run, const clp_work *work, ulong d) {
    ulong from = d > work->span ? d - work->span : 0, to = min(d, run->segments);
    while (from < to) {
        const ulong middle = from + (to - from) / 2;
        const ulong end = (ulong)(long)run->offsets[middle + 1] - (ulong)work->low;
        if (end + middle < d) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

/* Writes the outputs of elements [from, to) of segment s, which begins at `begin`. */
static inline void clp_fill(const clp_run *run, ulong s, ulong begin, ulong from, ulong to) {
#if CLP_GIVES_PARENTS
    for (ulong i = from; i < to; i++) run->parents[i] = (CLP_OUT)s;
#endif
#if CLP_GIVES_INDICES
    for (ulong i = from; i < to; i++) run->indices[i] = (CLP_OUT)(i - begin);
#endif
}

/* Writes a worker's outputs; returns whether its offsets are malformed. */
static inline bool clp_expand_share(const clp_run *run, ulong worker, ulong workers) {
    const clp_work work = clp_work_of(run, worker, workers);
    if (work.broken || work.begin == work.end) return work.broken;
    const clp_share share = clp_share_between(&work, clp_ends_among(run, &work, work.begin),
                                              clp_ends_among(run, &work, work.end));
    if (share.broken) return true;
    ulong from = share.first, begin = (ulong)(long)run->offsets[share.segment];
    for (ulong s = share.segment; s < share.last_segment; s++) {
        const ulong end = (ulong)(long)run->offsets[s + 1];
        if (end < from || end > share.last) return true;
        clp_fill(run, s, begin, from, end);
        from = begin = end;
    }
    clp_fill(run, share.last_segment, begin, from, share.last);
    return false;
}

CLP_KERNEL(CLP_GROUP)
void clp_parents_serial(CLP_PARENTS_PARAMETERS) {
    local clp_shared shared;
    const ulong segments =
        clp_read_count(most_segments, counted, counted_first, report + report_first);
    bool broken = false;
    if (segments != CLP_REFUSED) {
        const clp_run run = CLP_RUN(segments);
        broken = clp_expand_share(&run, get_global_id(0), get_global_size(0));
    }
    CLP_FINISH_PARENTS(broken)
}
