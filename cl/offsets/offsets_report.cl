/* SPDX-License-Identifier: MIT */
/*
 * Offsets: the report. Exactly one work-item of a launch writes it: the one that sees the mark of
 * fault appear, or without a fault the one that has the last element. No local memory; nobody
 * waits.
 */

static inline bool clp_is_interval_fault(const clp_io *io, ulong i) {
#if CLP_INPUTS == 2
    return io->with[i] < io->in[i];
#else
    return io->in[i] < 0;
#endif
}

/* Finds the first fault among `count` elements from `first` on. prefix has no fault mark. The first
 * element that adds the mark is at fault: either its interval, or the total that it reaches. */
static inline clp_report clp_find_fault(const clp_io *io, ulong first, uint count, CLP_A prefix) {
    clp_report report = {CLP_FAULT_TOTAL, (long)first, 0};
    for (uint i = 0; i < count && (prefix & CLP_FAULTY) == 0; i++) {
        report.index = (long)(first + i);
        report.total = (long)prefix;
        prefix = clp_op(prefix, clp_item_at(io, first + i));
    }
    if (clp_is_interval_fault(io, (ulong)report.index)) report.fault = CLP_FAULT_INTERVAL;
    return report;
}

/* prefix, end: the values before and behind a segment with `count` inputs from element `first` on.
 * is_last: whether it is the last segment of all. */
static inline void clp_report_segment(const clp_io *io, ulong first, uint count, bool is_last,
                                      CLP_A prefix, CLP_A end) {
    if ((prefix & CLP_FAULTY) != 0) return;
    if ((end & CLP_FAULTY) != 0) {
        *io->report = clp_find_fault(io, first, count, prefix);
    } else if (is_last) {
        const clp_report report = {CLP_FAULT_NONE, -1, (long)end};
        *io->report = report;
    }
}
