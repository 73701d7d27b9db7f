/* SPDX-License-Identifier: MIT */
/*
 * The end of a launch of shares: the last work-group to end combines the parts of all shares, in
 * their order. Which one is the last, a ticket says; it has seen what the others wrote, as they
 * took their tickets behind a fence. So no work-group waits for another one.
 *
 * Each work-item of the last group sums consecutive parts to an entry; a scan over the entries
 * follows, by one work-item or a sub-group; then each work-item goes through its parts again, from
 * what is in front of them. Entries stand behind the workers' parts and tails in the same arrays;
 * the one behind them is the sum of all.
 *
 * What is summed is a segmented value: `value` of the segment that goes on, and `ends`, whether a
 * segment begins or ends in the part, so that nothing in front of it goes through. It is
 * associative whatever the operator, so that operands keep their order.
 */
/* Whether this work-group is the last one to end among the groups that have workers. One work-item
 * of each group calls it. */
static inline bool clp_is_last_at_work(volatile global uint *tickets, ulong workers) {
    const uint each = CLP_GROUP / CLP_SHARE_LANES;
    const ulong groups = (workers + each - 1) / each;
    return get_group_id(0) < groups && clp_is_last_group(tickets, groups);
}

/* ---- The sum of parts ---- */

/* What another work-group noted. A fence of OpenCL 1.2 is of one work-group: it may leave stale
 * lines in a cache, which a volatile access passes. (Two cases of "serial" failed on an H200.) */
#if CLP_LOCKSTEP
#define CLP_NOTED_PART(run, entry) ((run)->parts[entry])
#define CLP_NOTED_VALUE(values, entry) ((values)[entry])
#else
#define CLP_NOTED_PART(run, entry) clp_noted_part((run)->parts + (entry))
#define CLP_NOTED_VALUE(values, entry) (*((const volatile global clp_value *)(values) + (entry)))

static inline clp_part clp_noted_part(const volatile global clp_part *at) {
    const clp_part part = {at->heads,     at->segment,  at->empty, at->ends,
                           at->has_first, at->has_tail, at->broken};
    return part;
}
#endif

typedef struct clp_carry {
    clp_value value; /* of the segment that goes on, where has */
    ulong heads;
    ulong empty;
    uint has, ends, broken;
} clp_carry;

/* What a work-group shares. */
typedef struct clp_shared {
    uint is_last; /* of the run's groups */
} clp_shared;

/* Parts [first, last) of a work-item of the last group. */
typedef struct clp_parts {
    ulong first, last;
} clp_parts;

static inline clp_parts clp_parts_of(const clp_run *run, uint item) {
    const ulong each = (run->counts->workers + CLP_GROUP - 1) / CLP_GROUP;
    const ulong first = min(item * each, run->counts->workers);
    const clp_parts parts = {first, min(first + each, run->counts->workers)};
    return parts;
}

static inline void clp_carry_none(clp_carry *carry) {
    carry->heads = carry->empty = 0;
    carry->has = carry->ends = carry->broken = 0;
}

/* The carry behind an entry from that before it. */
static inline void clp_carry_over(clp_carry *carry, const clp_part *part, const clp_value *tail) {
    carry->heads += part->heads;
    carry->broken |= part->broken;
    if (carry->empty == 0) carry->empty = part->empty;
    if (part->ends) {
        carry->ends = 1;
        carry->has = part->has_tail;
        if (part->has_tail) carry->value = *tail;
    } else if (part->has_tail) {
        carry->value = carry->has ? clp_combine_ordered(carry->value, *tail) : *tail;
        carry->has = 1;
    }
}

#if CLP_SHARE_LANES > 1
/* Appends the sum of the parts behind `carry`. */
static inline void clp_carry_append(clp_carry *carry, const clp_carry *next) {
    const clp_part part = {next->heads, CLP_NONE,  next->empty, next->ends,
                           0,           next->has, next->broken};
    clp_carry_over(carry, &part, &next->value);
}
#endif

static inline void clp_carry_put(const clp_run *run, ulong entry, const clp_carry *carry) {
    const clp_part part = {carry->heads, CLP_NONE,     carry->empty, carry->ends, 0,
                           carry->has,   carry->broken};
    run->parts[entry] = part;
    if (carry->has) run->tails[entry] = carry->value;
}

static inline void clp_carry_get(const clp_run *run, ulong entry, clp_carry *carry) {
    const clp_part part = CLP_NOTED_PART(run, entry);
    carry->heads = part.heads;
    carry->empty = part.empty;
    carry->ends = part.ends;
    carry->has = part.has_tail;
    carry->broken = part.broken;
    if (part.has_tail) carry->value = CLP_NOTED_VALUE(run->tails, entry);
}

/* Appends an entry. */
static inline void clp_carry_take(const clp_run *run, ulong entry, clp_carry *carry) {
    const clp_part part = CLP_NOTED_PART(run, entry);
    const clp_value tail = CLP_NOTED_VALUE(run->tails, entry); /* not used unless it has one */
    clp_carry_over(carry, &part, &tail);
}

/* ---- The steps of the last group, with a barrier between each two ---- */

/* Returns the sum of the work-item's parts. */
static inline clp_carry clp_sum_parts(const clp_run *run, uint item) {
    const clp_parts own = clp_parts_of(run, item);
    clp_carry carry;
    clp_carry_none(&carry);
#pragma unroll 4
    for (ulong w = own.first; w < own.last; w++) clp_carry_take(run, w, &carry);
    return carry;
}

#if CLP_SHARE_LANES > 1
/* Each work-item's entry becomes what is before its parts. carries: the sums up to each one. */
static inline void clp_put_entries(const clp_run *run, const local clp_carry *carries, uint item) {
    const ulong entry = run->counts->workers + item;
    clp_carry carry;
    clp_carry_none(&carry);
    if (item > 0) carry = carries[item - 1];
    clp_carry_put(run, entry, &carry);
    if (item < CLP_GROUP - 1) return;
    carry = carries[item];
    clp_carry_put(run, entry + 1, &carry);
}
#else
/* By one work-item: each work-item's entry becomes what is before its parts. */
static inline void clp_scan_parts(const clp_run *run) {
    clp_carry carry;
    clp_carry_none(&carry);
    for (ulong entry = run->counts->workers; entry < run->counts->workers + CLP_GROUP; entry++) {
        clp_carry next = carry;
        clp_carry_take(run, entry, &next);
        clp_carry_put(run, entry, &carry);
        carry = next;
    }
    clp_carry_put(run, run->counts->workers + CLP_GROUP, &carry);
}
#endif

/* Each part becomes what is before it: heads, and the open segment's value. */
static inline void clp_set_prefixes(const clp_run *run, uint item) {
    const clp_parts own = clp_parts_of(run, item);
    clp_carry carry;
    clp_carry_get(run, run->counts->workers + item, &carry);
    for (ulong w = own.first; w < own.last; w++) {
        clp_carry next = carry;
        clp_carry_take(run, w, &next);
        clp_carry_put(run, w, &carry);
        carry = next;
    }
}

#if CLP_REDUCES
/* The first segment that ends in a share; carry: in front of it; first: its elements there. */
static inline void clp_end_segment(const clp_run *run, const clp_part *part, const clp_carry *carry,
                                   clp_value first, clp_part *noted) {
    if (!part->ends || part->segment == CLP_NONE) return;
    clp_value total = first;
    if (carry->has) {
        total = part->has_first ? clp_combine_ordered(carry->value, first) : carry->value;
    }
    clp_store_segment(run, part->segment, carry->has || part->has_first, total, noted);
}

#if CLP_SHARE_LANES > 1
#define CLP_PARTS_READ 4 /* at once, so that their loads overlap */
#endif

/* The first segment that ends in each share, which began before it; by keys and flags the last one
 * of all, too. */
static inline void clp_end_segments(const clp_run *run, uint item) {
    const clp_parts own = clp_parts_of(run, item);
    clp_part noted = {0, 0, 0, 0, 0, 0, 0};
    clp_carry carry;
    clp_carry_get(run, run->counts->workers + item, &carry);
#ifdef CLP_PARTS_READ
    for (ulong from = own.first; from < own.last; from += CLP_PARTS_READ) {
        clp_part part[CLP_PARTS_READ];
        clp_value first[CLP_PARTS_READ], tail[CLP_PARTS_READ]; /* not used unless it has one */
#pragma unroll
        for (uint p = 0; p < CLP_PARTS_READ; p++) {
            const ulong w = min(from + p, own.last - 1);
            part[p] = CLP_NOTED_PART(run, w);
            first[p] = CLP_NOTED_VALUE(run->firsts, w);
            tail[p] = CLP_NOTED_VALUE(run->tails, w);
        }
#pragma unroll
        for (uint p = 0; p < CLP_PARTS_READ; p++) {
            if (from + p >= own.last) continue;
            clp_end_segment(run, &part[p], &carry, first[p], &noted);
            clp_carry_over(&carry, &part[p], &tail[p]);
        }
    }
#else
    for (ulong w = own.first; w < own.last; w++) {
        const clp_part part = CLP_NOTED_PART(run, w);
        clp_value total = CLP_NOTED_VALUE(run->firsts, w); /* not used unless it has one */
        if (part.ends && part.segment != CLP_NONE) {
            const bool has = carry.has || part.has_first;
            if (carry.has) {
                total = part.has_first ? clp_combine_ordered(carry.value, total) : carry.value;
            }
            clp_store_segment(run, part.segment, has, total, &noted);
        }
        clp_carry_take(run, w, &carry);
    }
#endif
#if !CLP_BY_OFFSETS
    if (own.last == run->counts->workers && own.first < own.last && run->counts->n > 0) {
        const ulong heads = run->parts[run->counts->workers + CLP_GROUP].heads;
        clp_store_segment(run, heads - 1, true, carry.value, &noted);
    }
#endif
    run->parts[run->counts->workers + item].empty = noted.empty;
}
#else
static inline void clp_end_segments(const clp_run *run, uint item) {}
#endif

#if CLP_BY_OFFSETS
/* Notes 1 + the lowest of a work-item's offsets that is at fault. */
static inline void clp_find_fault(const clp_run *run, uint item) {
    const ulong offsets = run->counts->segments + 1, each = (offsets + CLP_GROUP - 1) / CLP_GROUP;
    const ulong first = min(item * each, offsets), last = min(first + each, offsets);
    ulong found = 0;
    for (ulong k = first; k < last && found == 0; k++) {
        const long offset = clp_offset(run, k), before = k == 0 ? 0 : clp_offset(run, k - 1);
        if (offset < before || offset < 0 || (ulong)offset > run->counts->n) found = k + 1;
    }
    run->parts[run->counts->workers + item].heads = found;
}
#else
static inline void clp_find_fault(const clp_run *run, uint item) {}
#endif

#if CLP_REDUCES || CLP_BY_OFFSETS
/* By one work-item. */
static inline clp_report clp_found(const clp_run *run) {
    const clp_part whole = run->parts[run->counts->workers + CLP_GROUP];
    clp_report found = {0, -1, -1};
#if CLP_BY_OFFSETS
    ulong lowest = 0;
    found.segments = (long)run->counts->segments;
    for (uint item = 0; item < CLP_GROUP && whole.broken; item++) {
        if (lowest == 0) lowest = run->parts[run->counts->workers + item].heads;
    }
    if (whole.broken) {
        found.fault = CLP_FAULT_OFFSETS;
        found.index = (long)lowest - 1;
    }
#if CLP_REDUCES && CLP_EMPTY
    ulong empty = whole.empty;
    for (uint item = 0; item < CLP_GROUP; item++) {
        const ulong own = run->parts[run->counts->workers + item].empty;
        if (own != 0 && (empty == 0 || own < empty)) empty = own;
    }
    if (!whole.broken && empty != 0) {
        found.fault = CLP_FAULT_EMPTY;
        found.index = (long)empty - 1;
    }
#endif
#else
    found.segments = (long)whole.heads;
#endif
    return found;
}
#endif

/* ---- In a kernel: macros, as barriers stand in kernels alone ---- */

/* Behind the shares: shared.is_last then says, to all work-items, whether their group is the last.
 */
#define CLP_WAIT_FOR_LAST                                                                          \
    clp_device_fence(); /* parts above, ticket below; with the last group's */                     \
    CLP_GROUP_BARRIER(CLK_GLOBAL_MEM_FENCE) /* parts written above by all, ticket taken below */   \
    if (get_local_id(0) == 0) shared.is_last = clp_is_last_at_work(tickets, counts.workers);       \
    CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* is_last written above, read below */                 \
    clp_device_fence(); /* ticket above, parts below; with the other groups' */

#if CLP_SHARE_LANES > 1
/* A scan in the kernel's `carries`, local memory with room for each work-item's sum. */
#define CLP_COMBINE_PARTS                                                                          \
    CLP_WAIT_FOR_LAST                                                                              \
    if (shared.is_last) {                                                                          \
        const clp_run run = CLP_RUN;                                                               \
        carries[get_local_id(0)] = clp_sum_parts(&run, (uint)get_local_id(0));                     \
    }                                                                                              \
    for (uint distance = 1; distance < CLP_GROUP && shared.is_last; distance *= 2) {               \
        const uint at = (uint)get_local_id(0);                                                     \
        CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* sums written above, read below */                \
        clp_carry sum = carries[at >= distance ? at - distance : at];                              \
        CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* sums read above, overwritten below */            \
        if (at >= distance) {                                                                      \
            const clp_carry own = carries[at];                                                     \
            clp_carry_append(&sum, &own);                                                          \
            carries[at] = sum;                                                                     \
        }                                                                                          \
    }                                                                                              \
    CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* sums written above, read below */                    \
    if (shared.is_last) {                                                                          \
        const clp_run run = CLP_RUN;                                                               \
        clp_put_entries(&run, carries, (uint)get_local_id(0));                                     \
    }                                                                                              \
    CLP_GROUP_BARRIER(CLK_GLOBAL_MEM_FENCE) /* entries written above, read below by all */
#else
#define CLP_COMBINE_PARTS                                                                          \
    CLP_WAIT_FOR_LAST                                                                              \
    if (shared.is_last) {                                                                          \
        const clp_run run = CLP_RUN;                                                               \
        const clp_carry carry = clp_sum_parts(&run, (uint)get_local_id(0));                        \
        clp_carry_put(&run, counts.workers + get_local_id(0), &carry);                             \
    }                                                                                              \
    CLP_GROUP_BARRIER(CLK_GLOBAL_MEM_FENCE) /* entries written above by all, scanned below */      \
    if (shared.is_last && get_local_id(0) == 0) {                                                  \
        const clp_run run = CLP_RUN;                                                               \
        clp_scan_parts(&run);                                                                      \
    }                                                                                              \
    CLP_GROUP_BARRIER(CLK_GLOBAL_MEM_FENCE) /* entries scanned above, read below by all */
#endif

/* The end of the first of two launches: parts become what is in front of their shares. */
#define CLP_FINISH_PREFIXES                                                                        \
    CLP_COMBINE_PARTS                                                                              \
    if (shared.is_last) {                                                                          \
        const clp_run run = CLP_RUN;                                                               \
        clp_set_prefixes(&run, (uint)get_local_id(0));                                             \
    }

#if CLP_REDUCES || CLP_BY_OFFSETS
/* The last launch: segments of several shares, and the report. */
#define CLP_FINISH_RUN                                                                             \
    if (CLP_REDUCES && !CLP_BY_OFFSETS && counts.workers == 0 && get_global_id(0) == 0) {          \
        count[count_first] = CLP_REFUSED;                                                          \
    }                                                                                              \
    CLP_COMBINE_PARTS                                                                              \
    if (shared.is_last) {                                                                          \
        const clp_run run = CLP_RUN;                                                               \
        if (run.parts[counts.workers + CLP_GROUP].broken) {                                        \
            clp_find_fault(&run, (uint)get_local_id(0));                                           \
        } else {                                                                                   \
            clp_end_segments(&run, (uint)get_local_id(0));                                         \
        }                                                                                          \
    }                                                                                              \
    CLP_GROUP_BARRIER(CLK_GLOBAL_MEM_FENCE) /* faults noted above by all, read below by one */     \
    if (shared.is_last && get_local_id(0) == 0) {                                                  \
        const clp_run run = CLP_RUN;                                                               \
        const clp_report found = clp_found(&run);                                                  \
        report[report_first] = found;                                                              \
        if (CLP_REDUCES && !CLP_BY_OFFSETS) count[count_first] = (ulong)found.segments;            \
    }
#else
/* Nothing is left to find or to combine. */
#define CLP_FINISH_RUN                                                                             \
    if (counts.workers > 0 && get_global_id(0) == 0) {                                             \
        const clp_report found = {0, -1, -1};                                                      \
        report[report_first] = found;                                                              \
        shared.is_last = 1;                                                                        \
    }
#endif
