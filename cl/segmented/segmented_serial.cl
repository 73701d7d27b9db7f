/* SPDX-License-Identifier: MIT */
/*
 * The variant "serial": a work-item goes through a share by itself. It takes CPUs, where a
 * work-item is a thread of its own, and every device whose lanes cannot exchange values in loops.
 * Nothing stands in local memory but the group's numbers.
 *
 * Two launches, but for a reduction by offsets. The first finds what each share leaves open behind
 * its end or, of a reduction by keys, the number of its heads; its last work-group turns these into
 * what is in front of each share (segmented_finish.cl). The second goes through the shares and
 * writes the outputs. A reduction by offsets knows from the offsets which segments end in a share,
 * so that it needs no first launch; its last work-group stores the results of segments that several
 * shares have.
 *
 * Loops are written for the vectors of CPUs: folds by lanes, and eight segments of one length
 * tested at once. Functions give structures by pointer where they must be inlined: Oclgrind can't
 * inline functions that return structures.
 */
/* ---- Folds: the combination of elements [from, to), which are at least one ---- */

CLP_INLINE void clp_fold_few(const clp_run *run, ulong from, ulong to, clp_value *total) {
    clp_value so_far = clp_element(run, from);
    for (ulong i = from + 1; i < to; i++) so_far = clp_combine_ordered(so_far, clp_element(run, i));
    *total = so_far;
}

#if CLP_COMMUTATIVE && !CLP_ARG
#define CLP_FOLD_LANES 16
#define CLP_FOLD_FEW 8

/* A fold by lanes, of which compilers make vectors. lanes: a power of two, at most the number of
 * elements. */
CLP_INLINE void clp_fold_wide(const clp_run *run, ulong from, ulong to, const uint lanes,
                              clp_value *total) {
    clp_value lane[CLP_FOLD_LANES];
    const ulong rest = from + (to - from) / lanes * lanes;
#pragma unroll
    for (uint l = 0; l < lanes; l++) lane[l] = clp_element(run, from + l);
    for (ulong i = from + lanes; i < rest; i += lanes) {
#pragma unroll
        for (uint l = 0; l < lanes; l++) {
            lane[l] = clp_combine_ordered(lane[l], clp_element(run, i + l));
        }
    }
#pragma unroll
    for (uint d = lanes / 2; d > 0; d /= 2) {
#pragma unroll
        for (uint l = 0; l < d; l++) lane[l] = clp_combine_ordered(lane[l], lane[l + d]);
    }
    clp_value so_far = lane[0];
    for (ulong i = rest; i < to; i++) so_far = clp_combine_ordered(so_far, clp_element(run, i));
    *total = so_far;
}

/* A few elements without a rest are one to three vectors; with a rest a loop costs less. */
CLP_INLINE void clp_fold(const clp_run *run, ulong from, ulong to, clp_value *total) {
    const ulong count = to - from;
    if (count >= 2 * CLP_FOLD_LANES) {
        clp_fold_wide(run, from, to, CLP_FOLD_LANES, total);
    } else if (count % CLP_FOLD_FEW == 0) {
        clp_fold_wide(run, from, to, CLP_FOLD_FEW, total);
    } else {
        clp_fold_few(run, from, to, total);
    }
}
#else
#define clp_fold clp_fold_few
#endif

/* Notes the elements [from, to) as what goes on behind the share. */
static inline void clp_note_tail(const clp_run *run, ulong worker, ulong from, ulong to,
                                 clp_part *part) {
    clp_value total;
    part->has_tail = from < to;
    if (from >= to) return;
    clp_fold(run, from, to, &total);
    run->tails[worker] = total;
}

/* Whether element i, behind a share's first element, belongs to the segment of element i - 1. */
CLP_INLINE bool clp_goes_on(const clp_run *run, ulong i, ulong last) {
#if CLP_BY_OFFSETS
    return i < last;
#else
    return i < last && !clp_begins(run, i);
#endif
}

/* ---- The first of two launches: what a share leaves open at its end ---- */

#if CLP_BY_OFFSETS
static inline clp_part clp_summarize_share(const clp_run *run, ulong worker) {
    const clp_share share = clp_share_of(run, worker);
    clp_part part = {0, CLP_NONE, 0, 0, 0, 0, 0};
    ulong from = share.first;
    part.ends = share.last_segment > share.segment;
    if (part.ends) {
        const long end = clp_offset(run, share.last_segment);
        if (end >= 0 && (ulong)end > from) from = (ulong)end;
    }
    clp_note_tail(run, worker, from, share.last, &part);
    return part;
}
#elif CLP_REDUCES
static inline clp_part clp_summarize_share(const clp_run *run, ulong worker) {
    const clp_share share = clp_share_of(run, worker);
    clp_part part = {0, CLP_NONE, 0, 0, 0, 0, 0};
    ulong heads = share.first == 0 && share.last > 0;
    for (ulong i = max(share.first, 1ul); i < share.last; i++) heads += clp_begins(run, i);
    part.heads = heads;
    return part;
}
#else
static inline clp_part clp_summarize_share(const clp_run *run, ulong worker) {
    const clp_share share = clp_share_of(run, worker);
    clp_part part = {0, CLP_NONE, 0, 0, 0, 0, 0};
    ulong from = share.last;
    while (from > share.first && !part.ends) part.ends = clp_is_head(run, --from);
    clp_note_tail(run, worker, from, share.last, &part);
    return part;
}
#endif

/* ---- The launch that writes the outputs ---- */

#if CLP_REDUCES && CLP_BY_OFFSETS
#define CLP_ALIKE 8 /* segments of the same length that are tested at once */
#define CLP_EIGHT 8

/* Whether the CLP_ALIKE segments from number s on have `length` elements each. */
CLP_INLINE bool clp_are_alike(const clp_run *run, ulong s, ulong from, ulong length) {
    bool are = true;
#pragma unroll
    for (uint k = 0; k < CLP_ALIKE; k++) {
        are &= (ulong)clp_offset(run, s + k + 1) == from + (k + 1) * length;
    }
    return are;
}

/* Their results, from segment s on, where each has one element. */
CLP_INLINE void clp_copy_ones(const clp_run *run, ulong s, ulong from) {
    clp_value one[CLP_ALIKE];
#pragma unroll
    for (uint k = 0; k < CLP_ALIKE; k++) one[k] = clp_element(run, from + k);
#pragma unroll
    for (uint k = 0; k < CLP_ALIKE; k++) run->out[s + k] = clp_result(run, s + k, one[k]);
}

/* Their results where each segment has CLP_EIGHT elements: a vector. */
CLP_INLINE void clp_fold_eights(const clp_run *run, ulong s, ulong from) {
#pragma unroll 1
    for (uint k = 0; k < CLP_ALIKE; k++) {
        const ulong first = from + k * CLP_EIGHT;
        clp_value total;
        clp_fold(run, first, first + CLP_EIGHT, &total);
        run->out[s + k] = clp_result(run, s + k, total);
    }
}

/* Writes the results of a share's segments from s on, the first of which begins at element `from`.
 * Returns where the last one ends, or CLP_NONE where offsets are malformed. */
CLP_INLINE ulong clp_fold_segments(const clp_run *run, const clp_share *share, ulong s, ulong from,
                                   clp_part *part) {
    const ulong last = share->last, last_segment = share->last_segment;
    ulong length = 0;
    uint alike = 0; /* segments of that length side by side */
    while (s < last_segment) {
        if (alike >= CLP_ALIKE && (length == 1 || length == CLP_EIGHT) &&
            s + CLP_ALIKE <= last_segment && from + CLP_ALIKE * length <= last &&
            clp_are_alike(run, s, from, length)) {
            if (length == 1) {
                clp_copy_ones(run, s, from);
            } else {
                clp_fold_eights(run, s, from);
            }
            s += CLP_ALIKE;
            from += CLP_ALIKE * length;
            continue;
        }
        const ulong end = (ulong)clp_offset(run, s + 1);
        if (end < from || end > last) return CLP_NONE;
        if (from < end) {
            clp_value total;
            clp_fold(run, from, end, &total);
            run->out[s] = clp_result(run, s, total);
        } else if (!CLP_EMPTY) {
            run->out[s] = clp_result_of_none(run, s);
        } else if (part->empty == 0) {
            part->empty = s + 1;
        }
        alike = end - from == length ? alike + 1 : 1;
        length = end - from;
        from = end;
        s++;
    }
    return from;
}

static inline clp_part clp_process_share(const clp_run *whole, ulong worker) {
    const clp_run run = *whole; /* a copy whose address no call takes stays in registers */
    const clp_share share = clp_share_of(whole, worker);
    clp_part part = {0, share.segment, 0, share.last_segment > share.segment, 0, 0, share.broken};
    ulong from = share.first;
    if (part.ends) {
        const ulong end = (ulong)clp_offset(&run, share.segment + 1);
        part.broken = end < from || end > share.last;
        if (part.broken) return part;
        part.has_first = from < end;
        if (from < end) {
            clp_value first;
            clp_fold(&run, from, end, &first);
            run.firsts[worker] = first;
        }
        from = clp_fold_segments(&run, &share, share.segment + 1, end, &part);
        part.broken = from == CLP_NONE;
        if (part.broken) return part;
    }
    clp_note_tail(whole, worker, from, share.last, &part);
    return part;
}
#elif CLP_REDUCES
/* Combines the elements from *i up to the next head, or to `last`, and moves *i there. */
CLP_INLINE void clp_fold_to_head(const clp_run *run, ulong *i, ulong last, clp_value *total) {
    clp_value so_far = clp_element(run, *i);
    ulong k = *i + 1;
    for (; clp_goes_on(run, k, last); k++) {
        so_far = clp_combine_ordered(so_far, clp_element(run, k));
    }
    *i = k;
    *total = so_far;
}

static inline clp_part clp_process_share(const clp_run *whole, ulong worker) {
    const clp_run run = *whole; /* a copy whose address no call takes stays in registers */
    const clp_share share = clp_share_of(whole, worker);
    clp_part part = {0, CLP_NONE, 0, 0, 0, 0, 0};
    const ulong before = run.parts[worker].heads; /* segments that have begun */
    ulong number = before, i = share.first;
    clp_value total;
    if (i < share.last && !clp_is_head(&run, i)) {
        part.has_tail = 1;
        clp_fold_to_head(&run, &i, share.last, &total);
    }
    while (i < share.last) {
        if (part.ends) {
            clp_store_segment(&run, number - 1, true, total, &part);
        } else {
            part.ends = 1;
            part.segment = number > 0 ? number - 1 : CLP_NONE;
            part.has_first = part.has_tail;
            if (part.has_first) run.firsts[worker] = total;
        }
        if (CLP_UNIQUE && number < run.counts->segments) run.keys[number] = run.heads[i];
        number++;
        part.has_tail = 1;
        clp_fold_to_head(&run, &i, share.last, &total);
    }
    part.heads = number - before;
    if (part.has_tail) run.tails[worker] = total;
    return part;
}
#else
/* Scans from element i to the end of its segment, or to `last`, and returns the place of this end.
 * has: whether *before is the combination of the segment's elements in front of element i. */
CLP_INLINE ulong clp_scan_segment(const clp_run *run, ulong i, ulong last, bool has,
                                  clp_value *before) {
    clp_value total = clp_store_scanned(run, i, has, *before);
    for (i++; clp_goes_on(run, i, last); i++) total = clp_store_scanned(run, i, true, total);
    *before = total;
    return i;
}

static inline clp_part clp_process_share(const clp_run *whole, ulong worker) {
    const clp_run run = *whole; /* a copy whose address no call takes stays in registers */
    const clp_share share = clp_share_of(whole, worker);
    clp_part part = {0, CLP_NONE, 0, 0, 0, 0, share.broken};
    bool has = run.parts[worker].has_tail;
    clp_value before;
    if (has) before = run.tails[worker];
    ulong i = share.first;
#if CLP_BY_OFFSETS
    for (ulong s = share.segment; s < share.last_segment; s++) {
        const ulong end = (ulong)clp_offset(&run, s + 1);
        if (end < i || end > share.last) {
            part.broken = 1;
            return part;
        }
        if (i < end) i = clp_scan_segment(&run, i, end, has, &before);
        has = false;
    }
#else
    if (i < share.last && clp_is_head(&run, i)) has = false;
#endif
    for (; i < share.last; has = false) {
        i = clp_scan_segment(&run, i, share.last, has, &before);
    }
    return part;
}
#endif

/* ---- Kernels ---- */

CLP_KERNEL(CLP_GROUP)
void clp_segmented_prefixes(CLP_SEGMENTED_PARAMETERS) {
    local clp_shared shared;
    local clp_counts counts;
    CLP_TAKE_COUNTS(0)
    const ulong worker = get_global_id(0);
    if (worker < counts.workers) {
        const clp_run run = CLP_RUN;
        const clp_part part = clp_summarize_share(&run, worker);
        parts[worker] = part;
    }
    CLP_FINISH_PREFIXES
}

CLP_KERNEL(CLP_GROUP)
void clp_segmented_outputs(CLP_SEGMENTED_PARAMETERS) {
    local clp_shared shared;
    local clp_counts counts;
    CLP_TAKE_COUNTS(report + report_first)
    const ulong worker = get_global_id(0);
    if (worker < counts.workers) {
        const clp_run run = CLP_RUN;
        const clp_part part = clp_process_share(&run, worker);
        parts[worker] = part;
    }
    CLP_FINISH_RUN
}
