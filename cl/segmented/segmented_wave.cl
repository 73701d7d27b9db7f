/* SPDX-License-Identifier: MIT */
/*
 * By keys, few elements: a single wave of work-groups, each of which has a share of neighbouring
 * elements in local memory. A work-item scans some neighbours, the group scans what they come to
 * and publishes it under the run's number, and each group reads what all lower ones have published
 * at once. Groups wait for lower ones only, which never wait before they publish. Outputs are
 * stored side by side: of a reduction the place of each run's first element is listed before.
 */
#define CLP_SHARE (CLP_GROUP * CLP_SHARE_ITEMS) /* elements, at most */

#if CLP_SHARE > 65535
#error "segmented_wave.cl: the place of an element does not fit 16 bits"
#endif

#define CLP_GROUP_WORDS (CLP_VALUE_WORDS + 1) /* that a group publishes */

/* What neighbours come to: from the last begin of a run among them on. */
typedef struct clp_open {
    clp_value value; /* where has */
    uint begins; /* of runs among them */
    uint has; /* whether there are any */
} clp_open;

/* What a work-group shares. */
typedef struct clp_shared {
    CLP_HEAD keys[CLP_SHARE + 1]; /* the first is that before the share */
    clp_value values[CLP_SHARE]; /* once scanned, each with those before it in its run */
    clp_open open[2][CLP_GROUP];
#if CLP_REDUCES
    ushort first[CLP_SHARE]; /* elements that begin a run */
#endif
} clp_shared;

static inline clp_open clp_open_behind(clp_open a, clp_open b) {
    if (!b.has) return a;
    if (a.has && b.begins == 0) b.value = clp_combine_ordered(a.value, b.value);
    b.begins += a.begins;
    return b;
}

static inline clp_open clp_nothing_open(void) {
    clp_value_split nothing;
    for (uint w = 0; w < CLP_VALUE_WORDS; w++) nothing.words[w] = 0;
    const clp_open open = {nothing.value, 0, 0};
    return open;
}

/* ---- The share ---- */

#define CLP_LOADS (CLP_E_BYTES + CLP_HEAD_BYTES <= 8 ? 8 : 4) /* of each array, together */

CLP_INLINE void clp_load_share(const clp_run *run, const clp_share *share,
                               local clp_shared *shared) {
    const uint t = (uint)get_local_id(0), count = (uint)(share->last - share->first);
    for (uint i = t; i < count; i += CLP_LOADS * CLP_GROUP) {
        CLP_HEAD key[CLP_LOADS];
#if CLP_INPUTS > 0
        CLP_E element[CLP_LOADS];
#endif
#pragma unroll
        for (uint v = 0; v < CLP_LOADS; v++) {
            const ulong at = share->first + i + v * CLP_GROUP;
            if (i + v * CLP_GROUP >= count) continue;
            key[v] = run->heads[at];
#if CLP_INPUTS > 0
            element[v] = run->in[at];
#endif
        }
#pragma unroll
        for (uint v = 0; v < CLP_LOADS; v++) {
            const uint own = i + v * CLP_GROUP;
            if (own >= count) continue;
            shared->keys[own + 1] = key[v];
#if CLP_INPUTS > 0
            shared->values[own] = clp_value_of(run, element[v], share->first + own);
#else
            shared->values[own] = clp_value_of(run, share->first + own);
#endif
        }
    }
    if (t == 0 && share->first > 0 && count > 0) shared->keys[0] = run->heads[share->first - 1];
}

CLP_INLINE bool clp_begins_at(const clp_run *run, const clp_share *share,
                              const local clp_shared *shared, uint i) {
    if (share->first + i == 0) return true;
    return !clp_same(shared->keys[i], shared->keys[i + 1] CLP_USER(run));
}

/* A work-item's elements, and which of them begin a run, a bit each. */
typedef struct clp_own {
    uint first, last;
    uint begins;
} clp_own;

/* Scans the work-item's elements, each run by itself. */
static inline clp_own clp_scan_own(const clp_run *run, const clp_share *share,
                                   local clp_shared *shared) {
    const uint t = (uint)get_local_id(0), count = (uint)(share->last - share->first);
    const uint each = ((count + CLP_GROUP - 1) / CLP_GROUP) | 1; /* odd: lanes meet in no bank */
    clp_own own = {min(t * each, count), min((t + 1) * each, count), 0};
    clp_open open = clp_nothing_open();
    for (uint i = own.first; i < own.last; i++) {
        const clp_value value = shared->values[i];
        const bool begins = clp_begins_at(run, share, shared, i);
        own.begins |= (uint)begins << (i - own.first);
        open.value = open.has && !begins ? clp_combine_ordered(open.value, value) : value;
        open.has = 1;
        shared->values[i] = open.value;
    }
    open.begins = popcount(own.begins);
    shared->open[0][t] = open;
    return own;
}

/* ---- From work-item to work-item ---- */

#if CLP_GROUP != 64 && CLP_GROUP != 128 && CLP_GROUP != 256 && CLP_GROUP != 512
#error "segmented_wave.cl: a work-group has 64 to 512 work-items"
#endif

#if CLP_LOCKSTEP
#define CLP_SUBGROUPS (CLP_GROUP / 32)

/* That of the lane so many below; the lowest lanes get nothing. All lanes come here. */
static inline clp_open clp_open_below(clp_open open, uint distance) {
    const uint lane = clp_lane(), from = lane >= distance ? lane - distance : lane;
    const uint both = clp_shuffle_word(open.begins << 1 | open.has, from);
    clp_open below = {clp_value_of_lane(open.value, from), both >> 1, both & 1};
    if (lane < distance) below.begins = below.has = 0;
    return below;
}

/* Scans what the lanes have. */
static inline clp_open clp_scan_lanes(clp_open open) {
    open = clp_open_behind(clp_open_below(open, 1), open);
    open = clp_open_behind(clp_open_below(open, 2), open);
    open = clp_open_behind(clp_open_below(open, 4), open);
    open = clp_open_behind(clp_open_below(open, 8), open);
    return clp_open_behind(clp_open_below(open, 16), open);
}

/* What the first `count` sub-groups come to. */
static inline clp_open clp_fold_open(const local clp_open *open, uint count) {
    clp_open total = clp_nothing_open();
#pragma unroll
    for (uint s = 0; s < CLP_SUBGROUPS; s++) {
        if (s < count) total = clp_open_behind(total, open[s]);
    }
    return total;
}

/* From what each work-item leaves in shared.open[0] to what is in front of its elements, and what
 * all come to; the second time the latter alone. */
#define CLP_SCAN_ITEMS                                                                             \
    const clp_open scanned = clp_scan_lanes(shared.open[0][t]);                                    \
    const clp_open of_lanes = clp_open_below(scanned, 1);                                          \
    if (t % 32 == 31) shared.open[1][t / 32] = scanned;                                            \
    barrier(CLK_LOCAL_MEM_FENCE); /* values written above, read below by all */                    \
    const clp_open in_front = clp_open_behind(clp_fold_open(shared.open[1], t / 32), of_lanes);    \
    const clp_open all = clp_fold_open(shared.open[1], CLP_SUBGROUPS);

#define CLP_SUM_LOWER                                                                              \
    const clp_open of_lower = clp_scan_lanes(shared.open[0][t]);                                   \
    if (t % 32 == 31) shared.open[1][t / 32] = of_lower;                                           \
    barrier(CLK_LOCAL_MEM_FENCE); /* values written above, read below by all */                    \
    const clp_open before = clp_fold_open(shared.open[1], CLP_SUBGROUPS);
#else
#define CLP_OPEN_STEP(from, to, distance)                                                          \
    {                                                                                              \
        const uint t = (uint)get_local_id(0);                                                      \
        clp_open own = shared.open[from][t];                                                       \
        if (t >= distance) own = clp_open_behind(shared.open[from][t - distance], own);            \
        shared.open[to][t] = own;                                                                  \
    }                                                                                              \
    barrier(CLK_LOCAL_MEM_FENCE); /* values written above, read by the next step or below */

#define CLP_SCAN_ITEMS                                                                             \
    barrier(CLK_LOCAL_MEM_FENCE); /* what is open written above, read below */                     \
    CLP_SCAN_OPEN                                                                                  \
    const clp_open in_front = t > 0 ? shared.open[CLP_SCANNED][t - (t > 0)] : clp_nothing_open();  \
    const clp_open all = shared.open[CLP_SCANNED][CLP_GROUP - 1];

#define CLP_SUM_LOWER                                                                              \
    barrier(CLK_LOCAL_MEM_FENCE); /* what is open written above, read below */                     \
    CLP_SCAN_OPEN                                                                                  \
    const clp_open before = shared.open[CLP_SCANNED][CLP_GROUP - 1];
#endif

/* ---- From group to group ---- */

/* Words of 64 bits under the run's number. Partner: clp_await_open of a group above. */
CLP_INLINE void clp_publish_open(volatile global ulong *words, uint group, uint number,
                                 clp_open open) {
    volatile global ulong *const own = words + (ulong)group * CLP_GROUP_WORDS;
    clp_value_split split;
    split.words[CLP_VALUE_WORDS - 1] = 0;
    split.value = open.value;
#if CLP_DELAYED_SHARES
    /* For tests: far longer than a share takes. */
    for (uint i = 0; group % CLP_DELAYED_SHARES == 0 && i < 20000; i++) clp_observe(words);
#endif
    for (uint w = 0; w < CLP_VALUE_WORDS; w++) {
        clp_publish(own + w, (ulong)number << 32 | split.words[w]);
    }
    clp_publish(own + CLP_VALUE_WORDS, (ulong)number << 32 | open.begins);
}

static inline clp_open clp_await_open(volatile global ulong *words, uint group, uint number) {
    volatile global ulong *const own = words + (ulong)group * CLP_GROUP_WORDS;
    clp_value_split split;
    clp_open open;
    bool arrived;
    do {
        const ulong begins = clp_observe(own + CLP_VALUE_WORDS);
        arrived = (uint)(begins >> 32) == number;
        open.begins = (uint)begins;
        for (uint w = 0; w < CLP_VALUE_WORDS; w++) {
            const ulong word = clp_observe(own + w);
            split.words[w] = (uint)word;
            arrived = arrived && (uint)(word >> 32) == number;
        }
    } while (!arrived);
    open.value = split.value;
    open.has = 1;
    return open;
}

/* Leaves what some neighbours of the lower groups come to. */
CLP_INLINE void clp_take_lower(volatile global ulong *words, uint group, uint number,
                               local clp_shared *shared) {
    const uint t = (uint)get_local_id(0), each = (group + CLP_GROUP - 1) / CLP_GROUP;
    clp_open open = clp_nothing_open();
    for (uint k = min(t * each, group); k < min((t + 1) * each, group); k++) {
        open = clp_open_behind(open, clp_await_open(words, k, number));
    }
    shared->open[0][t] = open;
}

/* ---- Outputs ---- */

/* Takes what is open in front of the work-item's elements into them. */
CLP_INLINE void clp_take_open(const clp_own *own, clp_open before, local clp_shared *shared) {
    if (!before.has) return;
    for (uint i = own->first; i < own->last && (own->begins >> (i - own->first) & 1) == 0; i++) {
        shared->values[i] = clp_combine_ordered(before.value, shared->values[i]);
    }
}

#if CLP_REDUCES
/* Lists the runs that begin among the work-item's elements, of which `number` is the first one's
 * number in the share. */
CLP_INLINE void clp_list_runs(const clp_own *own, uint number, local clp_shared *shared) {
    for (uint bits = own->begins; bits != 0; bits &= bits - 1) {
        shared->first[number] = (ushort)(own->first + 31 - clz(bits & -bits));
        number++;
    }
}

/* Stores keys of the share's `count` runs, and totals of those that end where they begin. before:
 * what is open in front of the share. */
CLP_INLINE void clp_store_runs(const clp_run *run, uint count, clp_open before,
                               const local clp_shared *shared) {
    clp_part part = {0, 0, 0, 0, 0, 0, 0};
    for (uint k = (uint)get_local_id(0); k < count; k += CLP_GROUP) {
        const uint i = shared->first[k];
        const ulong at = (ulong)before.begins + k;
#if CLP_UNIQUE
        if (at < run->counts->segments) run->keys[at] = shared->keys[i + 1];
#endif
        if (i > 0) {
            clp_store_segment(run, at - 1, true, shared->values[i - 1], &part);
        } else if (before.has) {
            clp_store_segment(run, at - 1, true, before.value, &part);
        }
    }
}

/* The last run's total, and how many there are; by one work-item. whole: of all elements. */
CLP_INLINE void clp_write_end(const clp_run *run, clp_open whole, global ulong *count,
                              global clp_report *report) {
    clp_part part = {0, 0, 0, 0, 0, 0, 0};
    const clp_report found = {0, -1, (long)whole.begins};
    if (whole.has) clp_store_segment(run, whole.begins - 1ul, true, whole.value, &part);
    *count = whole.begins;
    *report = found;
}
#else
CLP_INLINE void clp_store_outputs(const clp_run *run, const clp_share *share, clp_open before,
                                  const local clp_shared *shared) {
    const uint count = (uint)(share->last - share->first);
    for (uint i = (uint)get_local_id(0); i < count; i += CLP_GROUP) {
#if CLP_INCLUSIVE
        const clp_value total = shared->values[i];
        const CLP_RESULT output = CLP_STORED(CLP_HAS_START ? clp_op(run->start, total) : total);
#else
        const bool begins = clp_begins_at(run, share, shared, i);
        CLP_RESULT output = CLP_STORED(run->start);
        if (!begins) {
            output =
                CLP_STORED(clp_op(run->start, i > 0 ? shared->values[i - (i > 0)] : before.value));
        }
#endif
        run->out[share->first + i] = output;
    }
}

CLP_INLINE void clp_write_end(const clp_run *run, clp_open whole, global ulong *count,
                              global clp_report *report) {
    const clp_report found = {0, -1, -1};
    *report = found;
}
#endif

/* ---- The kernel ---- */

CLP_KERNEL(CLP_GROUP)
void clp_segmented_go(CLP_SEGMENTED_PARAMETERS) {
    local clp_shared shared;
    local clp_counts counts;
    const uint t = (uint)get_local_id(0), group = (uint)get_group_id(0);
    volatile global ulong *const words = (volatile global ulong *)tails;
    CLP_TAKE_COUNTS(report + report_first)
    const clp_run run = CLP_RUN;
    const bool works = group < counts.workers;
    if (CLP_REDUCES && counts.workers == 0 && get_global_id(0) == 0) {
        count[count_first] = CLP_REFUSED;
    }
    CLP_END_UNLESS(works)
    clp_share elements = {0, 0, 0, 0, false};
    if (works) elements = clp_share_of(&run, group);
    clp_load_share(&run, &elements, &shared);
    barrier(CLK_LOCAL_MEM_FENCE); /* share written above, read below */
    const clp_own own = clp_scan_own(&run, &elements, &shared);
    CLP_SCAN_ITEMS
    if (works && t == 0) clp_publish_open(words, group, number, all);
#if CLP_REDUCES
    clp_list_runs(&own, in_front.begins, &shared);
#endif
    barrier(CLK_LOCAL_MEM_FENCE); /* what is open read above, overwritten below */
    clp_take_lower(words, works ? group : 0, number, &shared);
    CLP_SUM_LOWER
    clp_take_open(&own, clp_open_behind(before, in_front), &shared);
    barrier(CLK_LOCAL_MEM_FENCE); /* values written above, read below */
#if CLP_REDUCES
    clp_store_runs(&run, all.begins, before, &shared);
#else
    clp_store_outputs(&run, &elements, before, &shared);
#endif
    if (works && t == 0 && group + 1 == counts.workers) {
        clp_write_end(&run, clp_open_behind(before, all), count + count_first,
                      report + report_first);
    }
}
