/* SPDX-License-Identifier: MIT */
/*
 * Reductions by offsets of few elements: what counts is how many loads follow each other. A worker
 * is a work-group, whose share, a tile of elements and ends of segments in their order (Merrill and
 * Garland's merge path), stands in local memory, loaded at once. What a share leaves open is
 * published under the run's number; the group in whose share the segment ends waits for it. Groups
 * wait for lower ones only, which never wait before they publish.
 */
#define CLP_SHARE (CLP_GROUP * CLP_SHARE_ITEMS) /* elements and ends, at most */
#define CLP_PROBES (CLP_GROUP / 2) /* places that a step of a search asks for */
#define CLP_MOST_GROUPS (2 * CLP_GROUP) /* of a run */
#define CLP_FOLDERS 32 /* work-items that combine what was published */

#if CLP_SHARE > 65535
#error "segmented_group.cl: the place of an end does not fit 16 bits"
#endif

/* What is open behind a work-item's items, or those of several. */
typedef struct clp_open {
    clp_value value; /* where has */
    uint has, ends; /* ends: whether a segment ends among them */
} clp_open;

/* What a work-group shares. */
typedef struct clp_shared {
#if CLP_INPUTS > 0
    CLP_E in[CLP_SHARE];
#endif
    ushort ends[CLP_SHARE]; /* counted from the share's first element on */
    clp_open open[2][CLP_GROUP];
    clp_value awaited[CLP_MOST_GROUPS]; /* what lower groups left open */
    ulong from[2], to[2]; /* a search for the share's begin and one for its end */
    uint before[2]; /* places asked for that are before it */
    clp_open last; /* the total of the first segment that ends in the share, in part */
    uint awaits; /* groups whose values come before it */
    uint broken; /* an offset is malformed */
    uint empty; /* the lowest segment that lacks a value; ~0: none does */
    uint finds; /* the group looks for the malformed offset and reports */
    uint lowest; /* number of that offset */
} clp_shared;

/* ---- The share ---- */

/* The same for all work-items. */
typedef struct clp_bounds {
    long low; /* the first offset */
    uint span, begin, end; /* elements; items, elements and ends, in front of the share and of the
                              next one */
    uint each; /* items of a share */
    bool broken; /* the first or the last offset is malformed */
} clp_bounds;

/* By each work-item: half of them search for the begin, half for the end. The place that the
 * work-item asks for. */
CLP_INLINE ulong clp_probe_at(const local clp_shared *shared) {
    const uint item = (uint)get_local_id(0), search = item / CLP_PROBES;
    const ulong range = shared->to[search] - shared->from[search];
    return shared->from[search] + item % CLP_PROBES * ((range + CLP_PROBES - 1) / CLP_PROBES);
}

/* The end that stands there; none: 0. */
CLP_INLINE long clp_probe(const clp_run *run, const local clp_shared *shared, ulong k) {
    const uint search = (uint)get_local_id(0) / CLP_PROBES;
    return k < shared->to[search] ? (long)run->heads[k + 1] : 0;
}

CLP_INLINE clp_bounds clp_find_bounds(const clp_run *run, uint group, bool works) {
    clp_bounds bounds = {0, 0, 0, 0, 1, false};
    if (!works) return bounds;
    const long low = run->heads[0], high = run->heads[run->counts->segments];
    bounds.broken = low < 0 || high < low || (ulong)high > run->counts->n;
    if (bounds.broken) return bounds;
    const uint workers = (uint)run->counts->workers;
    bounds.low = low;
    bounds.span = (uint)(high - low);
    const uint all = bounds.span + (uint)run->counts->segments;
    bounds.each = max((all + workers - 1) / workers, 1u);
    bounds.begin = (uint)min((ulong)group * bounds.each, (ulong)all);
    bounds.end = min(bounds.begin + bounds.each, all);
    return bounds;
}

/* Counts the places that are before what is searched for. */
CLP_INLINE void clp_compare_probe(const clp_bounds *bounds, local clp_shared *shared, ulong k,
                                  long end) {
    const uint search = (uint)get_local_id(0) / CLP_PROBES;
    const ulong d = search == 0 ? bounds->begin : bounds->end;
    if (k < shared->to[search] && (ulong)end - (ulong)bounds->low + k < d) {
        atomic_inc(&shared->before[search]); /* with the other work-items of the search */
    }
}

/* By one work-item of each search. */
CLP_INLINE void clp_narrow(local clp_shared *shared, uint search) {
    const ulong from = shared->from[search], to = shared->to[search];
    const ulong stride = (to - from + CLP_PROBES - 1) / CLP_PROBES, before = shared->before[search];
    shared->to[search] = before == 0 ? from : min(from + before * stride, to);
    if (before > 0) shared->from[search] = from + (before - 1) * stride + 1;
    shared->before[search] = 0;
}

#define CLP_NARROW_SEARCHES                                                                        \
    barrier(CLK_LOCAL_MEM_FENCE); /* places counted above by all, read below by two */             \
    if (get_local_id(0) < 2) clp_narrow(&shared, (uint)get_local_id(0));                           \
    barrier(CLK_LOCAL_MEM_FENCE); /* ranges written above by two, read below by all */

#define CLP_SEARCH_ON                                                                              \
    {                                                                                              \
        const ulong k = clp_probe_at(&shared);                                                     \
        clp_compare_probe(&bounds, &shared, k, clp_probe(&run, &shared, k));                       \
    }                                                                                              \
    CLP_NARROW_SEARCHES

/* Ends of segments among the first d items, as the search says or, with malformed offsets, as far
 * as there are such. */
CLP_INLINE ulong clp_split_at(const clp_run *run, const clp_bounds *bounds, ulong found, uint d) {
    const ulong least = d > bounds->span ? d - bounds->span : 0;
    return clamp(found, least, min((ulong)d, run->counts->segments));
}

CLP_INLINE clp_share clp_share_found(const clp_run *run, const clp_bounds *bounds,
                                     const local clp_shared *shared) {
    clp_share share = {0, 0, 0, 0, bounds->broken};
    if (bounds->end == 0) return share;
    share.segment = clp_split_at(run, bounds, shared->from[0], bounds->begin);
    share.last_segment = clp_split_at(run, bounds, shared->from[1], bounds->end);
    share.first = (ulong)bounds->low + bounds->begin - share.segment;
    share.last = (ulong)bounds->low + bounds->end - share.last_segment;
    if (share.last_segment < share.segment || share.last < share.first) {
        const clp_share none = {0, 0, 0, 0, true};
        return none;
    }
    return share;
}

/* ---- Loads ---- */

/* Loads of a work-item that wait together. */
#define CLP_ELEMENTS_AT_ONCE (CLP_E_BYTES <= 4 ? 16 : CLP_E_BYTES <= 8 ? 8 : 2)
#define CLP_ENDS_AT_ONCE 8

#if CLP_INPUTS > 0
CLP_INLINE void clp_load_elements(const clp_run *run, const clp_share *share,
                                  local clp_shared *shared) {
    const uint count = (uint)(share->last - share->first);
    for (uint i = (uint)get_local_id(0); i < count; i += CLP_ELEMENTS_AT_ONCE * CLP_GROUP) {
        CLP_E next[CLP_ELEMENTS_AT_ONCE];
#pragma unroll
        for (uint v = 0; v < CLP_ELEMENTS_AT_ONCE; v++) {
            if (i + v * CLP_GROUP < count) next[v] = run->in[share->first + i + v * CLP_GROUP];
        }
#pragma unroll
        for (uint v = 0; v < CLP_ELEMENTS_AT_ONCE; v++) {
            if (i + v * CLP_GROUP < count) shared->in[i + v * CLP_GROUP] = next[v];
        }
    }
}
#endif

CLP_INLINE void clp_load_ends(const clp_run *run, const clp_share *share,
                              local clp_shared *shared) {
    const uint count = (uint)(share->last_segment - share->segment);
    const ulong elements = share->last - share->first;
    bool broken = share->broken;
    for (uint i = (uint)get_local_id(0); i < count; i += CLP_ENDS_AT_ONCE * CLP_GROUP) {
        ulong next[CLP_ENDS_AT_ONCE];
#pragma unroll
        for (uint v = 0; v < CLP_ENDS_AT_ONCE; v++) {
            const ulong k = share->segment + i + v * CLP_GROUP;
            next[v] = 0;
            if (k < share->last_segment) next[v] = (ulong)(long)run->heads[k + 1] - share->first;
        }
#pragma unroll
        for (uint v = 0; v < CLP_ENDS_AT_ONCE; v++) {
            broken = broken || next[v] > elements;
            if (i + v * CLP_GROUP < count) {
                shared->ends[i + v * CLP_GROUP] = (ushort)min(next[v], elements);
            }
        }
    }
    if (broken) shared->broken = 1;
}

/* ---- A work-item's items ---- */

/* How many of the share's ends are among its first d items. */
CLP_INLINE uint clp_ends_among(const local clp_shared *shared, uint elements, uint ends, uint d) {
    uint from = d > elements ? d - elements : 0, to = min(d, ends);
    while (from < to) {
        const uint middle = (from + to) / 2;
        if (shared->ends[middle] + middle < d) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

/* A bit for each of a work-item's `count` items from `begin` on that is an end, of which the first
 * one is number k or behind them. */
CLP_INLINE uint clp_own_ends(const local clp_shared *shared, uint k, uint ends, uint begin,
                             uint count) {
    uint bits = 0;
    for (; k < ends; k++) {
        const uint item = shared->ends[k] + k - begin;
        if (item >= count) break;
        bits |= 1u << item;
    }
    return bits;
}

CLP_INLINE clp_value clp_element_of(const clp_run *run, const clp_share *share,
                                    const local clp_shared *shared, uint x) {
#if CLP_INPUTS == 0
    return clp_value_of(run, share->first + x);
#else
    return clp_value_of(run, shared->in[x], share->first + x);
#endif
}

#define CLP_ITEMS_AT_ONCE 4 /* of a work-item, whose loads wait together */

/* The first segment that ends among a work-item's items. */
typedef struct clp_first_end {
    uint end; /* its number among those of the share; ~0: there is none */
    clp_value total; /* of its elements there, where has */
    bool has;
} clp_first_end;

/* Combines the work-item's items. Stores the totals of the segments that end there but for the
 * first one. */
CLP_INLINE clp_first_end clp_take_items(const clp_run *run, const clp_share *share,
                                        local clp_shared *shared, clp_part *part) {
    const uint t = (uint)get_local_id(0);
    const uint elements = (uint)(share->last - share->first);
    const uint ends = (uint)(share->last_segment - share->segment), all = elements + ends;
    const uint each = ((all + CLP_GROUP - 1) / CLP_GROUP) | 1; /* odd: lanes meet in no bank */
    const uint begin = min(t * each, all), count = min(each, all - begin);
    uint k = clp_ends_among(shared, elements, ends, begin), x = begin - k;
    clp_first_end first;
    clp_open open;
    for (uint e = t + 1; e < ends; e += CLP_GROUP) {
        if (shared->ends[e] < shared->ends[e - 1]) shared->broken = 1;
    }
    first.end = ~0u;
    first.has = false;
    open.has = open.ends = 0;
    const uint are_ends = clp_own_ends(shared, k, ends, begin, count);
    for (uint from = 0; from < count; from += CLP_ITEMS_AT_ONCE) {
        clp_value next[CLP_ITEMS_AT_ONCE];
#pragma unroll
        for (uint v = 0; v < CLP_ITEMS_AT_ONCE; v++) {
            const uint at = x + v - popcount(are_ends >> from & ((1u << v) - 1));
            if (at < elements) next[v] = clp_element_of(run, share, shared, at);
        }
#pragma unroll
        for (uint v = 0; v < CLP_ITEMS_AT_ONCE; v++) {
            if (from + v >= count) continue;
            if ((are_ends >> (from + v) & 1) == 0) {
                if (x < elements) {
                    open.value = open.has ? clp_combine_ordered(open.value, next[v]) : next[v];
                    open.has = 1;
                    x++;
                }
                continue;
            }
            if (open.ends) {
                clp_store_segment(run, share->segment + k, open.has, open.value, part);
            } else {
                first.end = k;
                first.has = open.has;
                if (open.has) first.total = open.value;
            }
            open.has = 0;
            open.ends = 1;
            k++;
        }
    }
    shared->open[0][t] = open;
    return first;
}

/* ---- What is open from work-item to work-item ---- */

#define CLP_OPEN_STEP(from, to, distance)                                                          \
    {                                                                                              \
        const uint t = (uint)get_local_id(0);                                                      \
        clp_open own = shared.open[from][t];                                                       \
        if (t >= distance && !own.ends) {                                                          \
            const clp_open lower = shared.open[from][t - distance];                                \
            if (lower.has) {                                                                       \
                own.value = own.has ? clp_combine_ordered(lower.value, own.value) : lower.value;   \
            }                                                                                      \
            own.has |= lower.has;                                                                  \
            own.ends = lower.ends;                                                                 \
        }                                                                                          \
        shared.open[to][t] = own;                                                                  \
    }                                                                                              \
    barrier(CLK_LOCAL_MEM_FENCE); /* values written above, read by the next step or below */

/* ---- What is open from group to group ---- */

/* A value stands in words of 64 bits, each with 32 bits of it under the run's number. Partner:
 * clp_await_open of a group above. */
CLP_INLINE void clp_publish_open(volatile global ulong *words, uint group, uint number,
                                 const local clp_open *open) {
    clp_value_split split;
    for (uint w = 0; w < CLP_VALUE_WORDS; w++) split.words[w] = 0;
    if (open->has) split.value = open->value;
#if CLP_DELAYED_SHARES
    /* For tests: far longer than a share takes. */
    for (uint i = 0; group % CLP_DELAYED_SHARES == 0 && i < 20000; i++) clp_observe(words);
#endif
    for (uint w = 0; w < CLP_VALUE_WORDS; w++) {
        clp_publish(words + (ulong)group * CLP_VALUE_WORDS + w,
                    (ulong)number << 32 | split.words[w]);
    }
}

CLP_INLINE clp_value clp_await_open(volatile global ulong *words, uint group, uint number) {
    clp_value_split split;
    bool arrived;
    do {
        arrived = true;
        for (uint w = 0; w < CLP_VALUE_WORDS; w++) {
            const ulong word = clp_observe(words + (ulong)group * CLP_VALUE_WORDS + w);
            split.words[w] = (uint)word;
            arrived = arrived && (uint)(word >> 32) == number;
        }
    } while (!arrived);
    return split.value;
}

/* Groups whose values come in front of the first segment that ends in the share: from the one where
 * it begins on. */
CLP_INLINE uint clp_awaited(const clp_run *run, const clp_bounds *bounds, const clp_share *share,
                            uint group) {
    if (share->last_segment == share->segment) return 0;
    const ulong from = (ulong)(long)run->heads[share->segment];
    if (from >= share->first) return 0;
    const ulong item = from - (ulong)bounds->low + share->segment;
    return item < bounds->begin ? group - (uint)item / bounds->each : 0;
}

/* Ends the first segment of each work-item, but for one that waits for lower groups. */
CLP_INLINE void clp_end_first(const clp_run *run, const clp_share *share,
                              const clp_first_end *first, local clp_shared *shared,
                              clp_part *part) {
    const uint t = (uint)get_local_id(0);
    if (first->end == ~0u) return;
    clp_open open;
    open.has = first->has;
    if (first->has) open.value = first->total;
    open.ends = 0;
    if (t > 0) {
        const clp_open before = shared->open[CLP_SCANNED][t - 1];
        if (before.has) {
            open.value = open.has ? clp_combine_ordered(before.value, open.value) : before.value;
        }
        open.has |= before.has;
        open.ends = before.ends;
    }
    if (!open.ends && shared->awaits > 0) {
        shared->last = open;
    } else {
        clp_store_segment(run, share->segment + first->end, open.has, open.value, part);
    }
}

/* Combines what lower groups left open: first some neighbours each. */
CLP_INLINE void clp_fold_awaited(local clp_shared *shared) {
    const uint t = (uint)get_local_id(0), count = shared->awaits;
    const uint each = (count + CLP_FOLDERS - 1) / CLP_FOLDERS;
    const uint first = t * each, last = min(first + each, count);
    if (t >= CLP_FOLDERS || first >= last) return;
    clp_value total = shared->awaited[first];
    for (uint i = first + 1; i < last; i++) {
        total = clp_combine_ordered(total, shared->awaited[i]);
    }
    shared->awaited[first] = total;
}

/* By one work-item: the rest, and the segment's result. */
CLP_INLINE void clp_end_awaited(const clp_run *run, const clp_share *share,
                                const local clp_shared *shared, clp_part *part) {
    const uint count = shared->awaits, each = (count + CLP_FOLDERS - 1) / CLP_FOLDERS;
    if (count == 0) return;
    clp_value total = shared->awaited[0];
    for (uint i = each; i < count; i += each) {
        total = clp_combine_ordered(total, shared->awaited[i]);
    }
    if (shared->last.has) total = clp_combine_ordered(total, shared->last.value);
    clp_store_segment(run, share->segment, true, total, part);
}

/* ---- The report ---- */

/* Takes what a work-item has noted. */
CLP_INLINE void clp_note_empty(local clp_shared *shared, clp_part *part) {
#if CLP_EMPTY
    if (part->empty != 0) atomic_min(&shared->empty, (uint)(part->empty - 1)); /* with others' */
    part->empty = 0;
#endif
}

/* By one work-item of each group that works: the last one reports; with malformed offsets its
 * group looks for them first. tickets: groups that have come here and, above 16 bits, those with
 * malformed offsets; then the complement of the lowest empty segment. */
CLP_INLINE void clp_count_group(const clp_run *run, local clp_shared *shared,
                                volatile global uint *tickets, global clp_report *report) {
    const uint workers = (uint)run->counts->workers, own = shared->broken ? 1u << 16 | 1 : 1;
#if CLP_EMPTY
    if (shared->empty != ~0u) atomic_max(tickets + 1, ~shared->empty); /* with the other groups' */
    clp_device_fence(); /* lowest empty segment above, ticket below; with the last group's */
#endif
    const uint before = atomic_add(tickets, own); /* with the other groups' */
    if ((before & 0xffff) != workers - 1) return;
    atomic_xchg(tickets, 0u); /* for the next run's groups */
    clp_report found = {0, -1, (long)run->counts->segments};
#if CLP_EMPTY
    clp_device_fence(); /* ticket above, lowest empty segment below; with the other groups' */
    const uint empty = ~atomic_xchg(tickets + 1, 0u); /* for the next run's groups */
    if (empty != ~0u) {
        found.fault = CLP_FAULT_EMPTY;
        found.index = (long)empty;
    }
#endif
    if ((before + own) >> 16 != 0) {
        shared->finds = 1;
    } else {
        *report = found;
    }
}

/* The lowest of a work-item's offsets that is malformed. */
CLP_INLINE void clp_find_malformed(const clp_run *run, local clp_shared *shared) {
    for (ulong k = get_local_id(0); k <= run->counts->segments; k += CLP_GROUP) {
        const long offset = run->heads[k], before = k == 0 ? 0 : (long)run->heads[k - 1];
        if (offset < before || offset < 0 || (ulong)offset > run->counts->n) {
            atomic_min(&shared->lowest, (uint)k); /* with the other work-items' */
            break;
        }
    }
}

/* ---- The kernel ---- */

CLP_INLINE void clp_begin_group(local clp_shared *shared, ulong segments) {
    const uint t = (uint)get_local_id(0);
    if (t < 2) {
        shared->from[t] = 0;
        shared->to[t] = segments;
        shared->before[t] = 0;
    }
    if (t == 0) {
        shared->broken = shared->finds = shared->awaits = 0;
        shared->empty = shared->lowest = ~0u;
    }
}

CLP_KERNEL(CLP_GROUP)
void clp_segmented_go(CLP_SEGMENTED_PARAMETERS) {
    local clp_shared shared;
    local clp_counts counts;
    CLP_TAKE_COUNTS(report + report_first)
    const clp_run run = CLP_RUN;
    volatile global ulong *const words = (volatile global ulong *)tails;
    const uint group = (uint)get_group_id(0);
    const bool works = group < counts.workers;
    clp_part part = {0, 0, 0, 0, 0, 0, 0};
    CLP_END_UNLESS(works)
    clp_begin_group(&shared, works ? counts.segments : 0);
    barrier(CLK_LOCAL_MEM_FENCE); /* ranges written above by two, read below by all */
    const ulong k = clp_probe_at(&shared);
    const long end = clp_probe(&run, &shared, k);
    const clp_bounds bounds = clp_find_bounds(&run, group, works);
    clp_compare_probe(&bounds, &shared, k, end);
    CLP_NARROW_SEARCHES
    CLP_SEARCH_ON
    CLP_SEARCH_ON
    const clp_share own = clp_share_found(&run, &bounds, &shared);
#if CLP_INPUTS > 0
    clp_load_elements(&run, &own, &shared);
#endif
    clp_load_ends(&run, &own, &shared);
    if (get_local_id(0) == 0) shared.awaits = clp_awaited(&run, &bounds, &own, group);
    barrier(CLK_LOCAL_MEM_FENCE); /* share written above, read below */
    const clp_first_end first = clp_take_items(&run, &own, &shared, &part);
    barrier(CLK_LOCAL_MEM_FENCE); /* what is open written above, read below */
    CLP_SCAN_OPEN
    if (works && get_local_id(0) == CLP_GROUP - 1) {
        clp_publish_open(words, group, number, &shared.open[CLP_SCANNED][CLP_GROUP - 1]);
    }
    clp_note_empty(&shared, &part);
    clp_end_first(&run, &own, &first, &shared, &part);
    clp_note_empty(&shared, &part);
    barrier(CLK_LOCAL_MEM_FENCE); /* faults and the first segment's total above, read below */
    for (uint i = (uint)get_local_id(0); i < shared.awaits; i += CLP_GROUP) {
        shared.awaited[i] = clp_await_open(words, group - shared.awaits + i, number);
    }
    if (works && get_local_id(0) == 0) {
        clp_count_group(&run, &shared, tickets, report + report_first);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* values written above, combined below */
    clp_fold_awaited(&shared);
    if (shared.finds) clp_find_malformed(&run, &shared);
    barrier(CLK_LOCAL_MEM_FENCE); /* values and faults written above, read below by one */
    if (get_local_id(0) == 0) clp_end_awaited(&run, &own, &shared, &part);
    if (get_local_id(0) == 0 && shared.finds) {
        const clp_report found = {CLP_FAULT_OFFSETS, (long)shared.lowest, (long)counts.segments};
        report[report_first] = found;
    }
}
