/* SPDX-License-Identifier: MIT */
/*
 * Parents (the segment of each element, from offsets): what all kernels share. Elements and ends of
 * segments together are cut into equal shares, one for each worker, along the merge path (Merrill
 * and Garland 2016): neither one long segment nor many empty ones make a share longer than another.
 *
 * Every end is compared with the end before it, or with the share's bounds. If one is wrong, the
 * last work-group to end searches all offsets for the lowest fault; valid offsets cost no search.
 * No work-group waits for another.
 */
#define CLP_PARENTS_PARAMETERS                                                                     \
    const global CLP_OFFSET *offsets, ulong offsets_first, global CLP_OUT *parents,                \
        ulong parents_first, global CLP_OUT *indices, ulong indices_first,                         \
        global clp_report *report, ulong report_first, ulong n, ulong most_segments,               \
        volatile global uint *counters CLP_COUNT_PARAMETERS

/* A run's arrays and numbers. */
typedef struct clp_run {
    const global CLP_OFFSET *offsets;
    global CLP_OUT *parents;
    global CLP_OUT *indices;
    ulong n;
    ulong segments;
} clp_run;

/* An initializer, and hence a macro. */
#define CLP_RUN(segments)                                                                          \
    { offsets + offsets_first, parents + parents_first, indices + indices_first, n, segments }

/* Elements [first, last), and the segments [segment, last_segment) that end there. */
typedef struct clp_share {
    ulong first, last;
    ulong segment, last_segment;
    bool broken; /* offsets are malformed; the share is empty then */
} clp_share;

/* All work, and a worker's part of it: positions in the merged sequence of elements and ends. */
typedef struct clp_work {
    long low;
    ulong span; /* the number of elements */
    ulong begin, end; /* of a worker's share */
    bool broken;
} clp_work;

static inline clp_work clp_work_of(const clp_run *run, ulong worker, ulong workers) {
    const long low = run->offsets[0], high = run->offsets[run->segments];
    clp_work work = {low, 0, 0, 0, low < 0 || high < low || (ulong)high > run->n};
    if (work.broken) return work;
    work.span = (ulong)(high - low);
    const ulong all = work.span + run->segments;
    const ulong each = max((all + workers - 1) / workers, (ulong)CLP_SHARE);
    work.begin = min(worker * each, all);
    work.end = min(work.begin + each, all);
    return work;
}

/* begins, ends: the numbers of ends of segments before the share, and up to its end.
 * With malformed offsets they may contradict each other. */
static inline clp_share clp_share_between(const clp_work *work, ulong begins, ulong ends) {
    clp_share share = {0, 0, 0, 0, true};
    const ulong first = (ulong)work->low + work->begin - begins,
                last = (ulong)work->low + work->end - ends;
    if (ends < begins || last < first) return share;
    share.first = first;
    share.last = last;
    share.segment = begins;
    share.last_segment = ends;
    share.broken = false;
    return share;
}

/* Returns the lowest faulty offset among every CLP_GROUP-th one, which are this work-item's. */
static inline ulong clp_find_fault(const clp_run *run) {
    for (ulong k = get_local_id(0); k <= run->segments; k += CLP_GROUP) {
        const long offset = run->offsets[k], before = k == 0 ? 0 : (long)run->offsets[k - 1];
        if (offset < before || offset < 0 || (ulong)offset > run->n) return k;
    }
    return CLP_NOWHERE;
}

/* The report, by one work-item. */
static inline clp_report clp_found(ulong segments, const local clp_shared *shared) {
    clp_report found = {0, -1, (long)segments};
    if (shared->searches) {
        found.fault = CLP_FAULT_OFFSETS;
        found.index = (long)clp_lowest_place(shared);
    }
    return found;
}

/* The end of each kernel. A refused run comes here too, instead of returning: behind a return, PoCL
 * 3.1 takes conditions after barriers for uniform. broken: whether the work-item found malformed
 * offsets in its share. A macro because it takes the kernel's parameters, and its barriers stay at
 * the kernel's top level. */
#define CLP_FINISH_PARENTS(broken)                                                                 \
    if (broken) atomic_or(counters + CLP_FAULTY, 1u);                                              \
    clp_device_fence(); /* fault above, counter below; with the last group's */                    \
    CLP_GROUP_BARRIER(CLK_GLOBAL_MEM_FENCE) /* faults noted above by all, counted below by one */  \
    if (get_local_id(0) == 0) {                                                                    \
        shared.is_last = clp_is_last_group(counters + CLP_ENDED, get_num_groups(0));               \
        shared.searches = shared.is_last && atomic_xchg(counters + CLP_FAULTY, 0u) != 0;           \
        shared.high = shared.low = ~0u;                                                            \
    }                                                                                              \
    CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* searches written above, read below */                \
    if (shared.searches) {                                                                         \
        const clp_run run = CLP_RUN(segments);                                                     \
        shared.place[get_local_id(0)] = clp_find_fault(&run);                                      \
    } else {                                                                                       \
        shared.place[get_local_id(0)] = CLP_NOWHERE;                                               \
    }                                                                                              \
    CLP_FIND_LOWEST                                                                                \
    if (shared.is_last && get_local_id(0) == 0 && segments != CLP_REFUSED) {                       \
        const clp_report found = clp_found(segments, &shared);                                     \
        report[report_first] = found;                                                              \
    }
