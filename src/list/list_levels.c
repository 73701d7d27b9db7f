/* SPDX-License-Identifier: MIT */
/* Computes the levels of lists of n elements and the scratch of each way to walk them, and the most
 * that any n from 1 to max_n needs. */
#include "list/list_engine.h"

#include <assert.h>

/* ---- Levels ---- */

size_t clp_list_single_most(const clp_list *plan) {
    return plan->knobs[plan->spec.ranks ? CLP_LIST_LAST : CLP_LISTSCAN_SINGLE];
}

/* Average sublist length of a ranking. Long lists get 1 to 2 million sublists, which fit the cache;
 * short lists get one sublist per walk. */
static size_t mean_of(const clp_list *plan, size_t nodes) {
    const size_t shortest = plan->knobs[CLP_LIST_SHORT];
    const size_t longest = plan->knobs[CLP_LIST_SUBLIST];
    const size_t mean = (nodes >> 21) * 3;
    if (mean < shortest) return shortest;
    return mean < longest ? mean : longest;
}

/* Returns the least power of two >= factor * other; 2^63 if there is none. */
static cl_ulong power_from(cl_ulong factor, cl_ulong other) {
    const cl_ulong largest = (cl_ulong)1 << 63;
    const cl_ulong least = other > 0 && factor > largest / other ? largest : factor * other;
    cl_ulong power = 1;
    while (power < least) power *= 2;
    return power;
}

/* Returns the sublists of level 0 of a long list. span: the power of two >= its elements. */
static size_t sublists_of(const clp_list *plan, size_t span) {
    const size_t *knobs = plan->knobs;
    const bool in_place = plan->spec.ranks && plan->spec.algorithm == CLPRIMS_LIST_IN_PLACE;
    const size_t most = in_place ? plan->most_ids : knobs[CLP_LIST_SPLITTERS];
    const size_t wanted = plan->spec.ranks
                              ? span / mean_of(plan, span)
                              : clp_at_least(span / knobs[CLP_LIST_SUBLIST],
                                             clp_at_most(knobs[CLP_LIST_LEAST], span / 8));
    return clp_at_least(clp_at_most(wanted, most), 1);
}

/* Returns the splitters of a list of one work-group, each lane of which walks a sublist. A single
 * lane walks from the heads. */
static size_t splitters_of_group(const clp_list *plan, size_t span, size_t number) {
    const size_t group = plan->knobs[CLP_LIST_LAST_GROUP];
    const bool ranks = plan->spec.ranks && number == 0;
    const size_t mean = plan->spec.ranks ? 2 : plan->knobs[CLP_LISTSCAN_SINGLE_SUBLIST];
    if (group == 1) return 0;
    return ranks ? clp_at_most(group, span) - 1 : clp_at_least(clp_at_most(group, span / mean), 1);
}

/* Computes the members that depend on the number of nodes alone. */
static clp_list_level level_of(const clp_list *plan, size_t count, size_t number) {
    const size_t most = number == 0 ? clp_list_single_most(plan) : plan->knobs[CLP_LIST_LAST];
    clp_list_level here = {.count = count, .number = number};
    unsigned bits = 1;
    while (((size_t)1 << bits) < count) bits++;
    const size_t span = (size_t)1 << bits;
    here.mask = span - 1;
    here.shift = (bits + 1) / 2;
    here.seed = plan->salt ^ (cl_ulong)number * 0x9e3779b97f4a7c15u;
    here.retry_steps = ~(cl_ulong)0;
    if (count <= most) {
        here.ids = splitters_of_group(plan, span, number);
        here.sublists = here.ids + (number == 0 && plan->spec.ranks);
        return here;
    }
    here.sublists =
        number == 0 ? sublists_of(plan, span) : clp_at_least(span / plan->knobs[CLP_LIST_UPPER], 1);
    here.ids = here.sublists - (number == 0 && plan->spec.ranks);
    here.stride = power_from(2, span / here.sublists);
    if (number > 0) return here;
    if (plan->spec.ranks) here.seed = plan->knobs[CLP_LIST_SEED];
    if (plan->knobs[CLP_LIST_RETRY] > 0)
        here.retry_steps = power_from(plan->knobs[CLP_LIST_RETRY], span / here.sublists);
    return here;
}

/* Shares out the sublists of level 0. In a ranking, few per lane are all assigned statically:
 * contention for one counter would cost more than the imbalance of the lanes. */
static void share_out(const clp_list *plan, clp_list_layout *layout) {
    const size_t *knobs = plan->knobs, walks = knobs[CLP_LIST_WALKS];
    const size_t group = knobs[CLP_LIST_GROUP];
    const bool is_wide = plan->spec.ranks && layout->algorithm == CLPRIMS_LIST_SCATTERED;
    clp_list_level *here = &layout->levels[0];
    const size_t slots = (here->sublists + walks - 1) / walks;
    const size_t most = knobs[is_wide ? CLP_LIST_WIDE : CLP_LIST_LANES];
    layout->lanes = (clp_at_most(slots, most) + group - 1) / group * group;
    here->batch = here->fixed = knobs[CLP_LIST_BATCH];
    if (!plan->spec.ranks) return;
    const size_t percent = knobs[CLP_LIST_FIXED], lanes = layout->lanes;
    const bool all = percent > 0 && here->sublists / lanes < knobs[CLP_LIST_FEW];
    here->fixed =
        all ? (here->sublists + lanes - 1) / lanes : here->sublists * percent / 100 / lanes;
}

static void lay_out_levels(const clp_list *plan, size_t n, clp_list_layout *layout) {
    clp_list_level *levels = layout->levels;
    size_t number = 0, at = 0, spare = 0;
    levels[0] = level_of(plan, n, 0);
    layout->last = layout->nodes = layout->lanes = 0;
    if (n <= clp_list_single_most(plan)) return;
    share_out(plan, layout);
    spare = clp_list_spare(plan, n);
    do {
        assert(number + 1 < CLP_LIST_LEVELS);
        levels[number].above = at;
        levels[number + 1] = level_of(plan, levels[number].sublists + spare, number + 1);
        spare = 0;
        number++;
        levels[number].at = at;
        at += levels[number].count;
    } while (levels[number].count > plan->knobs[CLP_LIST_LAST]);
    layout->last = number;
    layout->nodes = at;
}

/* ---- Rankings ---- */

/* Returns the algorithm for level 0, if n are too many for a single work-group. */
static clprims_list_algorithm choose(const clp_list *plan, size_t n) {
    const bool is_short =
        plan->spec.algorithm == CLPRIMS_LIST_VISIT_LOG && n < plan->knobs[CLP_LIST_LEAST];
    return is_short ? CLPRIMS_LIST_SCATTERED : plan->spec.algorithm;
}

/* Returns whether a single work-group ranks n elements with one node per work-item. */
static bool is_one_per_item(const clp_list *plan, size_t n) {
    const size_t group = plan->knobs[CLP_LIST_LAST_GROUP];
    return group > 1 && n <= group && n <= plan->knobs[CLP_LIST_LAST];
}

size_t clp_list_spare(const clp_list *plan, size_t n) {
    return plan->spec.algorithm == CLPRIMS_LIST_IN_PLACE ? n >> plan->offset_bits : 0;
}

/* Full columns, and one unfinished column per lane. */
size_t clp_list_columns(const clp_list *plan, size_t n) {
    const size_t lanes = plan->knobs[CLP_LIST_LANES] + plan->knobs[CLP_LIST_GROUP];
    const size_t columns = n / plan->knobs[CLP_LIST_ROWS] + lanes;
    return (columns / CLP_LIST_SIDE + 1) * CLP_LIST_SIDE;
}

static size_t windows_of(const clp_list *plan, size_t n) {
    return (n - 1) / plan->window + 1;
}

/* log2 of the windows per bucket of the first pass. Both passes get about as many buckets, and a
 * batch of the second pass lies within one bucket. Grows with the number of windows. */
static size_t bits_of_two_passes(const clp_list *plan, size_t windows) {
    const size_t window = plan->window, batch = clp_list_batch(plan);
    size_t bits = 0;
    while (((windows - 1) >> bits) + 1 > (size_t)1 << bits || (window << bits) % batch != 0) bits++;
    return bits;
}

/* One pass has one bucket per window; max_n needs the most. With two passes, the first has no more
 * buckets than the second, which has 2^bits; max_n needs the most again. */
size_t clp_list_most_buckets(const clp_list *plan, bool *two_passes) {
    const size_t windows = windows_of(plan, plan->spec.max_n);
    *two_passes = windows > plan->knobs[CLP_LIST_BUCKETS];
    return *two_passes ? (size_t)1 << bits_of_two_passes(plan, windows) : windows;
}

/* Takes one pass if the kernels have a bucket per window. If max_n takes two passes, the kernels of
 * a ranking have fewer buckets than BUCKETS; BUCKETS must not decide here. */
static void lay_out_passes(const clp_list *plan, size_t n, clp_list_layout *layout) {
    layout->windows = layout->buckets = windows_of(plan, n);
    if (layout->buckets > plan->most.buckets) {
        layout->bits = bits_of_two_passes(plan, layout->windows);
        layout->buckets = ((layout->windows - 1) >> layout->bits) + 1;
    }
    layout->cursors = layout->buckets + (layout->bits > 0 ? layout->windows : 0);
}

static void lay_out_columns(const clp_list *plan, size_t n, clp_list_layout *layout) {
    if (layout->algorithm != CLPRIMS_LIST_VISIT_LOG) return;
    layout->chunks = clp_list_columns(plan, n);
    lay_out_passes(plan, n, layout);
    if (plan->spec.result == CLPRIMS_LIST_ORDER) layout->cursors = 0;
}

/* ---- List scans ---- */

bool clp_list_partitions(const clp_list *plan, size_t n) {
    const size_t bytes = plan->spec.what.accumulator_bytes;
    return clp_list_batch(plan) > 0 &&
           n / 2 > clp_at_least(plan->knobs[CLP_LISTSCAN_BUCKET] / bytes, 1);
}

static void lay_out_log(const clp_list *plan, size_t n, clp_list_layout *layout) {
    /* A team leaves less than one entry per lane empty at the end of a chunk. */
    const size_t filled = plan->knobs[CLP_LISTSCAN_CHUNK] - plan->team + 1;
    layout->words = (n + 15) / 16 + (plan->spec.forest ? 2 * ((n + 31) / 32) : 0);
    layout->chunks = n / filled + layout->lanes / plan->team + 1;
    if (!clp_list_partitions(plan, n)) return;
    lay_out_passes(plan, n, layout);
    const bool is_enough = (size_t)1 << layout->bits <= plan->most.buckets;
    if (!is_enough) layout->bits = layout->buckets = layout->cursors = 0;
}

/* ---- All of it ---- */

void clp_list_lay_out(const clp_list *plan, size_t n, clp_list_layout *layout) {
    layout->algorithm = choose(plan, n);
    layout->chunks = layout->words = layout->windows = 0;
    layout->bits = layout->buckets = layout->cursors = 0;
    lay_out_levels(plan, n, layout);
    if (plan->spec.ranks)
        lay_out_columns(plan, n, layout);
    else
        lay_out_log(plan, n, layout);
}

clprims_status clp_list_describe(const clp_list *plan, const char *who, size_t n,
                                 clprims_list_info *info) {
    clp_list_layout layout;
    CLP_TRY(clp_check_n(who, n, plan->spec.max_n));
    if (n == 0) n = 1;
    clp_list_lay_out(plan, n, &layout);
    const bool one_each = plan->spec.ranks && is_one_per_item(plan, n);
    info->algorithm = layout.algorithm;
    info->sublists = one_each ? n : layout.levels[0].sublists;
    info->levels = layout.last + 1;
    return CLPRIMS_OK;
}

/*
 * Why the needs of max_n suffice. Levels and nodes: the number of splitters of a level depends on
 * the next power of two >= its count. Twice that power has at least as many splitters, since the
 * average length at most doubles. Spare sublists, chunks, columns and windows grow with n. Pairs:
 * the sizes for n elements, or with a visit log the sizes of lists below LEAST. Buckets of the
 * first of two passes do not grow with n (4096 windows make 64 buckets, 4097 make 33), so that
 * there are as many cursors as the kernels have buckets.
 */
void clp_list_set_limits(clp_list *plan) {
    clp_list_limits *most = &plan->most;
    clp_list_layout layout;
    const bool ranks = plan->spec.ranks, logs = plan->spec.algorithm == CLPRIMS_LIST_VISIT_LOG;
    clp_list_lay_out(plan, plan->spec.max_n, &layout);
    most->last = layout.last;
    most->nodes = layout.nodes;
    most->chunks = layout.chunks;
    most->words = layout.words;
    most->items = plan->spec.max_n;
    most->cursors = most->buckets + windows_of(plan, plan->spec.max_n);
    if (!ranks) return;
    most->pairs = most->last > 0 ? plan->spec.max_n : 0;
    if (logs) most->pairs = clp_at_most(most->pairs, plan->knobs[CLP_LIST_LEAST]);
    if (plan->spec.algorithm == CLPRIMS_LIST_IN_PLACE) most->pairs = 0;
    most->items = logs && plan->spec.result == CLPRIMS_LIST_RANKS ? plan->spec.max_n : 0;
    if (logs) most->chunks = clp_list_columns(plan, plan->spec.max_n);
    if (most->items == 0) most->cursors = 0;
}
