/* SPDX-License-Identifier: MIT */
/* Shares that a work-item goes through by itself. */

/* The combination of elements [from, to), of which there is one at least. */
static inline clp_value clp_fold_few(const clp_run *run, ulong from, ulong to) {
    clp_value total = clp_element(run, from);
    for (ulong i = from + 1; i < to; i++) total = clp_combine_ordered(total, clp_element(run, i));
    return total;
}

#if CLP_COMMUTATIVE && !CLP_ARG
#define CLP_FOLD_LANES 16

/* The same; of many elements by lanes, of which compilers make a vector. */
static inline clp_value clp_fold(const clp_run *run, ulong from, ulong to) {
    if (to - from < 2 * CLP_FOLD_LANES) return clp_fold_few(run, from, to);
    clp_value lane[CLP_FOLD_LANES];
    const ulong rest = from + (to - from) / CLP_FOLD_LANES * CLP_FOLD_LANES;
    for (uint l = 0; l < CLP_FOLD_LANES; l++) lane[l] = clp_element(run, from + l);
    for (ulong i = from + CLP_FOLD_LANES; i < rest; i += CLP_FOLD_LANES) {
        for (uint l = 0; l < CLP_FOLD_LANES; l++) {
            lane[l] = clp_combine_ordered(lane[l], clp_element(run, i + l));
        }
    }
    for (ulong i = rest; i < to; i++) {
        lane[i - rest] = clp_combine_ordered(lane[i - rest], clp_element(run, i));
    }
    for (uint d = CLP_FOLD_LANES / 2; d > 0; d /= 2) {
        for (uint l = 0; l < d; l++) lane[l] = clp_combine_ordered(lane[l], lane[l + d]);
    }
    return lane[0];
}
#else
static inline clp_value clp_fold(const clp_run *run, ulong from, ulong to) {
    return clp_fold_few(run, from, to);
}
#endif

/* Notes the elements [from, to) as what goes on behind the share. */
CLP_INLINE void clp_note_tail(const clp_run *run, ulong worker, ulong from, ulong to,
                              clp_part *part) {
    part->has_tail = from < to;
    if (from < to) run->tails[worker] = clp_fold(run, from, to);
}

/* ---- The first of two launches: what a share leaves open at its end ---- */

#if CLP_BY_OFFSETS
static inline clp_part clp_look_through(const clp_run *run, ulong worker) {
    const clp_share share = clp_share_of(run, worker);
    clp_part part = {0, CLP_NONE, 0, 0, 0, 0, 0};
    ulong from = share.first;
    part.ends = share.last_segment > share.segment;
    if (part.ends) {
        const long end = run->heads[share.last_segment];
        if (end >= 0 && (ulong)end > from) from = (ulong)end;
    }
    clp_note_tail(run, worker, from, share.last, &part);
    return part;
}
#elif CLP_REDUCES
static inline clp_part clp_look_through(const clp_run *run, ulong worker) {
    const clp_share share = clp_share_of(run, worker);
    clp_part part = {0, CLP_NONE, 0, 0, 0, 0, 0};
    for (ulong i = share.first; i < share.last; i++) part.heads += clp_is_head(run, i);
    return part;
}
#else
static inline clp_part clp_look_through(const clp_run *run, ulong worker) {
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
static inline clp_part clp_go_through(const clp_run *run, ulong worker) {
    const clp_share share = clp_share_of(run, worker);
    clp_part part = {0, share.segment, 0, share.last_segment > share.segment, 0, 0, share.broken};
    const global CLP_HEAD *const heads = run->heads + 1;
    ulong from = share.first;
    for (ulong s = share.segment; s < share.last_segment; s++) {
        const ulong end = (ulong)(long)heads[s];
        if (end < from || end > share.last) {
            part.broken = 1;
            return part;
        }
        if (s == share.segment) {
            part.has_first = from < end;
            if (from < end) run->firsts[worker] = clp_fold(run, from, end);
        } else if (from < end) {
            run->out[s] = clp_result(run, clp_fold(run, from, end));
        } else if (!CLP_EMPTY) {
            run->out[s] = run->empty;
        } else if (part.empty == 0) {
            part.empty = s + 1;
        }
        from = end;
    }
    clp_note_tail(run, worker, from, share.last, &part);
    return part;
}
#elif CLP_REDUCES
static inline clp_part clp_go_through(const clp_run *run, ulong worker) {
    const clp_share share = clp_share_of(run, worker);
    clp_part part = {0, CLP_NONE, 0, 0, 0, 0, 0};
    ulong number = run->parts[worker].heads; /* of segments that have begun */
    clp_value total;
    for (ulong i = share.first; i < share.last; i++) {
        const clp_value own = clp_element(run, i);
        if (!clp_is_head(run, i)) {
            total = part.has_tail ? clp_combine_ordered(total, own) : own;
            part.has_tail = 1;
            continue;
        }
        if (part.ends) {
            clp_store_segment(run, number - 1, true, total, &part);
        } else {
            part.ends = 1;
            part.segment = number > 0 ? number - 1 : CLP_NONE;
            part.has_first = part.has_tail;
            if (part.has_first) run->firsts[worker] = total;
        }
        if (CLP_UNIQUE && number < run->counts->segments) run->keys[number] = run->heads[i];
        number++;
        part.heads++;
        part.has_tail = 1;
        total = own;
    }
    if (part.has_tail) run->tails[worker] = total;
    return part;
}
#else
static inline clp_part clp_go_through(const clp_run *run, ulong worker) {
    const clp_share share = clp_share_of(run, worker);
    clp_part part = {0, CLP_NONE, 0, 0, 0, 0, share.broken};
    bool has = run->parts[worker].has_tail;
    clp_value before;
    if (has) before = run->tails[worker];
    ulong i = share.first;
#if CLP_BY_OFFSETS
    for (ulong s = share.segment; s < share.last_segment; s++) {
        const ulong end = (ulong)(long)run->heads[s + 1];
        if (end < i || end > share.last) {
            part.broken = 1;
            return part;
        }
        for (; i < end; i++, has = true) before = clp_store_scanned(run, i, has, before);
        has = false;
    }
#endif
    for (; i < share.last; i++, has = true) {
#if !CLP_BY_OFFSETS
        if (clp_is_head(run, i)) has = false;
#endif
        before = clp_store_scanned(run, i, has, before);
    }
    return part;
}
#endif

/* ---- Kernels ---- */

CLP_KERNEL(CLP_GROUP)
void clp_segmented_look(CLP_SEGMENTED_PARAMETERS) {
    local clp_shared shared;
    CLP_TAKE_COUNTS(0)
    const ulong worker = get_global_id(0);
    if (worker < counts.workers) {
        const clp_run run = CLP_RUN;
        const clp_part part = clp_look_through(&run, worker);
        parts[worker] = part;
    }
    CLP_FINISH_PREFIXES
}

CLP_KERNEL(CLP_GROUP)
void clp_segmented_go(CLP_SEGMENTED_PARAMETERS) {
    local clp_shared shared;
    CLP_TAKE_COUNTS(report + report_first)
    const ulong worker = get_global_id(0);
    if (worker < counts.workers) {
        const clp_run run = CLP_RUN;
        const clp_part part = clp_go_through(&run, worker);
        parts[worker] = part;
    }
    CLP_FINISH_RUN
}
