/* SPDX-License-Identifier: MIT */
/*
 * Segmented reductions and scans. The kernels, by the variants of segmented_variants.c, and their
 * files in the order in which a program has them, behind this one:
 *   "direct"          clp_segmented_direct
 *       segmented_direct_elements.cl  a team's elements; blocks that long segments cover
 *       segmented_direct_totals.cl    totals that work-groups publish; the report
 *       segmented_direct.cl           the kernel
 *   "serial"          clp_segmented_prefixes, clp_segmented_outputs
 *       segmented_finish.cl           the last work-group, which combines the shares' parts
 *       segmented_serial.cl           a work-item's share; the kernels
 *   "merge-path"      the same two kernels as "serial"
 *       segmented_finish.cl
 *       segmented_path.cl             tiles in local memory, scanned by a work-group
 *   "sub-group"       clp_segmented_outputs
 *       segmented_finish.cl, segmented_subgroup.cl (exchanges, searches by 32 lanes)
 *       segmented_tile.cl             a tile is read, and scanned in registers
 *       segmented_tile_offsets.cl     a share
 *       segmented_subgroup_kernels.cl
 *   "lookahead"       clp_segmented_lookahead; by offsets two kernels before it
 *       segmented_marks.cl, segmented_offsets.cl   clear and mark: offsets become bits
 *       segmented_runs.cl, segmented_lookahead.cl  the pass, on engine/lookahead.cl
 * All of them report by segmented_report.cl.
 *
 * This file has what all but "lookahead" share: the kernels' parameters, the operator, heads, one
 * output, and shares. A share is a range of the work that one worker goes through, a work-item, a
 * sub-group or a work-group. By offsets the work is the list of elements and ends of segments in
 * their order, the merge path of Merrill and Garland, "Merge-based Parallel Sparse Matrix-Vector
 * Multiplication", 2016. Shares have equal numbers of items of this list, so that neither many
 * empty segments nor a giant one makes a share longer. By keys, flags and bits the work is the
 * elements.
 *
 * A segment may begin before a share and end behind it. A worker notes in its share's part
 * (clp_part) what it leaves open at both ends, and the last work-group to end combines the parts in
 * their order. No work-group waits for another one.
 */
#if CLP_ARG
/* The best value so far and its index. */
typedef struct clp_value {
    ulong index;
#if CLP_LOCAL_INDEX
    ulong begin; /* index of the first element that was combined */
#endif
    CLP_A key;
} clp_value;
#else
typedef CLP_A clp_value;
#endif

typedef char clp_value_has_the_stated_size[sizeof(clp_value) == CLP_VALUE_BYTES ? 1 : -1];

/* A value as words of 32 bits, which lanes exchange and work-groups publish. */
#define CLP_VALUE_WORDS ((CLP_VALUE_BYTES + 3) / 4)

typedef union clp_value_split {
    clp_value value;
    uint words[CLP_VALUE_WORDS];
} clp_value_split;

#if CLP_LOCKSTEP
/* Returns the value of another lane. */
CLP_INLINE clp_value clp_value_of_lane(clp_value value, uint lane) {
    clp_value_split split;
    split.words[CLP_VALUE_WORDS - 1] = 0;
    split.value = value;
    for (uint w = 0; w < CLP_VALUE_WORDS; w++) {
        split.words[w] = clp_shuffle_word(split.words[w], lane);
    }
    return split.value;
}
#endif

/* What a worker leaves open of its share, and counts in it. */
typedef struct clp_part {
    ulong heads; /* segments that begin in it, by keys and flags; once summed: in front of it */
    ulong segment; /* the first segment that ends in it; CLP_NONE: there is none */
    ulong empty; /* 1 + the lowest segment that lacks a value; 0: none does */
    uint ends; /* whether a segment begins or ends in it, so that nothing open goes through */
    uint has_first; /* whether it has elements of the first segment that ends in it */
    uint has_tail; /* whether its last segment goes on; once summed: whether one comes in */
    uint broken; /* whether its offsets are malformed */
} clp_part;

typedef char clp_part_has_the_stated_size[sizeof(clp_part) == CLP_PART_BYTES ? 1 : -1];

#define CLP_NONE (~0ul)

/* The number of the run, under which work-groups publish: words of an earlier run have another one,
 * so that nothing is cleared between runs. */
#if CLP_PUBLISHES
#define CLP_NUMBER_PARAMETER , uint number
#else
#define CLP_NUMBER_PARAMETER
#endif

#define CLP_SEGMENTED_PARAMETERS                                                                   \
    const global CLP_E *in, ulong in_first, const global CLP_HEAD *heads, ulong heads_first,       \
        global CLP_OUT *out, ulong out_first, global CLP_HEAD *keys, ulong keys_first,             \
        global ulong *count, ulong count_first, global clp_report *report, ulong report_first,     \
        ulong most_n, ulong most_segments, ulong most_workers, ulong share, CLP_A start,           \
        CLP_R empty, global clp_value *firsts, global clp_value *tails, global clp_part *parts,    \
        volatile global uint *tickets CLP_COUNT_PARAMETERS, const global ulong *counted_segments,  \
        ulong counted_segments_first CLP_NUMBER_PARAMETER CLP_USER_PARAMETERS

/* ---- Numbers of a run ---- */

/* Returns the number of segments of `length` elements, of which the last one may have fewer. */
static inline ulong clp_rows(ulong n, ulong length) {
    return n / length + (n % length > 0);
}

/* Without workers nothing is done: a count was refused. */
typedef struct clp_counts {
    ulong n, segments, workers;
} clp_counts;

/* Returns the host's numbers or, of a counted run, the numbers in device memory, with the workers
 * that the host would have for them. One work-item of the run reports a count that is refused.
 * report: NULL: nothing is reported. */
static inline clp_counts clp_take_counts(clp_counts most, ulong share, const global ulong *counted,
                                         ulong counted_first, const global ulong *counted_segments,
                                         ulong counted_segments_first, ulong heads_first,
                                         global clp_report *report) {
    if (counted == 0 && counted_segments == 0) return most;
    clp_counts found = {clp_read_count(most.n, counted, counted_first, report),
                        clp_read_count(most.segments, counted_segments, counted_segments_first, 0),
                        0};
    if (found.n == CLP_REFUSED) return found;
    if (found.segments == CLP_REFUSED) {
        if (report != 0 && get_global_id(0) == 0) {
            clp_report_segments(report, counted_segments[counted_segments_first]);
        }
        return found;
    }
    if (CLP_BY_LENGTH) found.segments = clp_rows(found.n, heads_first);
    const ulong work = found.n + (CLP_BY_OFFSETS ? found.segments : 0);
    found.workers = clamp(work / share + (work % share > 0), 1ul, most.workers);
    return found;
}

/* Sets the kernel's `counts`, which stand in local memory, as registers are few. report_at: where a
 * refused count is reported, or NULL. (A macro, as barriers stand in kernels alone.) */
#define CLP_TAKE_COUNTS(report_at)                                                                 \
    if (get_local_id(0) == 0) {                                                                    \
        const clp_counts most = {most_n, most_segments, most_workers};                             \
        counts = clp_take_counts(most, share, counted, counted_first, counted_segments,            \
                                 counted_segments_first, heads_first, report_at);                  \
    }                                                                                              \
    CLP_GROUP_BARRIER(CLK_LOCAL_MEM_FENCE) /* numbers written above, read below by all */

/* ---- Arrays of a run ---- */

typedef struct clp_run {
    const global CLP_E *in;
    const global CLP_HEAD *heads;
    global CLP_OUT *out;
    global CLP_HEAD *keys;
    ulong heads_first; /* by bits: the number of the first; by length: the length of a segment */
    const local clp_counts *counts; /* segments: by offsets their number, else the outputs' room */
    CLP_A start;
    CLP_R empty;
    global clp_value *firsts; /* a worker's elements of the first segment that ends in its share */
    global clp_value *tails; /* a worker's elements of the segment that goes on behind its share */
    global clp_part *parts;
#ifdef CLP_USER_VALUES
    clp_user user;
#endif
} clp_run;

/* Whether heads_first counts heads: it is the first bit's number, or the length of all segments. */
#define CLP_HEADS_FIRST (!CLP_BY_BITS && !CLP_BY_LENGTH)

#define CLP_RUN                                                                                    \
    {                                                                                              \
        in + in_first, heads + (CLP_HEADS_FIRST ? heads_first : 0), out + out_first,               \
            keys + keys_first, heads_first, &counts, start, empty, firsts, tails,                  \
            parts CLP_USER_IO                                                                      \
    }

/* ---- Combining ---- */

#if CLP_ARG
/* Whether a comes before b. */
static inline bool clp_is_better(CLP_A a, CLP_A b) {
    return CLP_BETTER;
}

/* a stands before b in the array. */
static inline clp_value clp_combine_ordered(clp_value a, clp_value b) {
    if (clp_is_better(b.key, a.key)) {
        a.index = b.index;
        a.key = b.key;
    }
    return a;
}
#else
static inline clp_value clp_combine_ordered(clp_value a, clp_value b) {
    return clp_op(a, b);
}
#endif

/* Returns what is combined of element i, which is x. */
#if CLP_INPUTS == 0
static inline clp_value clp_value_of(const clp_run *run, ulong i) {
    const CLP_A value = clp_input(i CLP_USER(run));
#else
static inline clp_value clp_value_of(const clp_run *run, CLP_E x, ulong i) {
    const CLP_A value = clp_input(x, i CLP_USER(run));
#endif
#if CLP_ARG
    clp_value element;
    element.index = i;
#if CLP_LOCAL_INDEX
    element.begin = i;
#endif
    element.key = value;
    return element;
#else
    return value;
#endif
}

/* The value of element i, x. (A macro, as without an input array there is no x.) */
#if CLP_INPUTS == 0
#define CLP_VALUE_OF(run, x, i) clp_value_of(run, i)
#else
#define CLP_VALUE_OF(run, x, i) clp_value_of(run, x, i)
#endif

static inline clp_value clp_element(const clp_run *run, ulong i) {
    return CLP_VALUE_OF(run, run->in[i], i);
}

/* ---- Outputs ---- */

#if CLP_REDUCES
/* What is stored of a segment's total. */
static inline CLP_OUT clp_result(const clp_run *run, ulong segment, clp_value total) {
#if CLP_ARG && CLP_LOCAL_INDEX
    const CLP_R r = (long)(total.index - total.begin);
#elif CLP_ARG
    const CLP_R r = (long)total.index;
#elif CLP_HAS_START
    const CLP_R r = clp_op(run->start, total);
#else
    const CLP_R r = total;
#endif
    return clp_stored(r, segment CLP_USER(run));
}

/* The same of a segment without elements. */
static inline CLP_OUT clp_result_of_none(const clp_run *run, ulong segment) {
    return clp_stored(run->empty, segment CLP_USER(run));
}

/* Stores a segment's result. has: whether the segment has an element. */
CLP_INLINE void clp_store_segment(const clp_run *run, ulong segment, bool has, clp_value total,
                                  clp_part *part) {
    if (!CLP_BY_OFFSETS && segment >= run->counts->segments) return;
    if (has) {
        run->out[segment] = clp_result(run, segment, total);
    } else if (!CLP_EMPTY) {
        run->out[segment] = clp_result_of_none(run, segment);
    } else if (part->empty == 0) {
        part->empty = segment + 1;
    }
}
#else
/* What is stored of the scan's result at element i. has: whether `before` is the combination of the
 * elements in front of element i in its segment; total: of them and the element. */
static inline CLP_OUT clp_scanned(const clp_run *run, ulong i, bool has, clp_value before,
                                  clp_value total) {
#if CLP_INCLUSIVE
    const CLP_R r = CLP_HAS_START ? clp_op(run->start, total) : total;
#else
    const CLP_R r = has ? clp_op(run->start, before) : run->start;
#endif
#if CLP_STORES_X
    return clp_stored(run->in[i], r, i CLP_USER(run));
#else
    return clp_stored(r, i CLP_USER(run));
#endif
}

/* Stores the scan's output i. has: whether `before` is the combination of the elements in front of
 * element i in its segment. Returns the combination up to element i. */
static inline clp_value clp_store_scanned(const clp_run *run, ulong i, bool has, clp_value before) {
    const clp_value own = clp_element(run, i);
    const clp_value total = has ? clp_combine_ordered(before, own) : own;
    run->out[i] = clp_scanned(run, i, has, before, total);
    return total;
}
#endif

/* ---- Heads ---- */

#if !CLP_BY_OFFSETS
/* Whether element i, behind the first one, begins a segment. */
CLP_INLINE bool clp_begins(const clp_run *run, ulong i) {
#if CLP_BY_KEYS
    return !clp_same(run->heads[i - 1], run->heads[i] CLP_USER(run));
#elif CLP_BY_BITS
    const ulong bit = run->heads_first + i;
    return (run->heads[bit / 8] >> bit % 8 & 1) != 0;
#else
    return run->heads[i] != 0;
#endif
}

/* Whether element i begins a segment. */
CLP_INLINE bool clp_is_head(const clp_run *run, ulong i) {
    return i == 0 || clp_begins(run, i);
}
#else
/* Where segment k begins and the one before it ends. */
static inline long clp_offset(const clp_run *run, ulong k) {
#if CLP_BY_LENGTH
    return (long)min(k * run->heads_first, run->counts->n);
#else
    return run->heads[k];
#endif
}

/* Returns the number of ends among the first d items of the merge path, in whose order an end comes
 * before the element behind it: end k is item number offsets[k + 1] - low + k. low: the first
 * offset; span: the number of elements from there on. */
static inline ulong clp_ends_before(const clp_run *run, long low, ulong span, ulong d) {
    ulong from = d > span ? d - span : 0, to = min(d, run->counts->segments);
    while (from < to) {
        const ulong middle = from + (to - from) / 2;
        const ulong end = (ulong)clp_offset(run, middle + 1) - (ulong)low;
        if (end + middle < d) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}
#endif

/* ---- Shares ---- */

/* Elements [first, last), and by offsets the segments [segment, last_segment) that end there. */
typedef struct clp_share {
    ulong first, last;
    ulong segment, last_segment;
    bool broken; /* by malformed offsets; there are neither elements nor segments then */
} clp_share;

#if CLP_BY_OFFSETS
/* Returns the number of elements from the first offset to the last one; CLP_NONE: they are outside
 * of the array, or fall. */
static inline ulong clp_span_of(const clp_run *run) {
    const long low = clp_offset(run, 0), high = clp_offset(run, run->counts->segments);
    return low < 0 || high < low || (ulong)high > run->counts->n ? CLP_NONE : (ulong)(high - low);
}

/* Returns the number of items of the merge path in front of a worker's share. */
static inline ulong clp_items_before(const clp_run *run, ulong span, ulong worker) {
    const ulong all = span + run->counts->segments;
    const ulong each = (all + run->counts->workers - 1) / run->counts->workers;
    return min(worker * each, all);
}

/* Returns the number of ends in front of a worker's share. */
static inline ulong clp_bound_of(const clp_run *run, ulong worker) {
    const ulong span = clp_span_of(run);
    if (span == CLP_NONE) return 0;
    return clp_ends_before(run, clp_offset(run, 0), span, clp_items_before(run, span, worker));
}

/* Returns a worker's share from the number of ends in front of it, and up to its end. */
static inline clp_share clp_share_between(const clp_run *run, ulong worker, ulong from, ulong to) {
    const clp_share none = {0, 0, 0, 0, true};
    const ulong span = clp_span_of(run);
    if (span == CLP_NONE) return none;
    const ulong low = (ulong)clp_offset(run, 0);
    const clp_share share = {low + clp_items_before(run, span, worker) - from,
                             low + clp_items_before(run, span, worker + 1) - to, from, to, false};
    return to < from || share.last < share.first ? none : share;
}
#endif

static inline clp_share clp_share_of(const clp_run *run, ulong worker) {
#if CLP_BY_OFFSETS
    return clp_share_between(run, worker, clp_bound_of(run, worker), clp_bound_of(run, worker + 1));
#else
    const ulong each = (run->counts->n + run->counts->workers - 1) / run->counts->workers;
    const ulong first = min(worker * each, run->counts->n);
    const clp_share share = {first, min(first + each, run->counts->n), 0, 0, false};
    return share;
#endif
}
