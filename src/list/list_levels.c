/* SPDX-License-Identifier: MIT */
/* Computes the levels of a list of n elements and the scratch of each algorithm, and the most that
 * any n from 1 to max_n needs. */
#include "list/list_plan.h"

#include <assert.h>

static bool is_last(const clprims_list *list, size_t count) {
    return count <= list->knobs[CLP_LIST_LAST];
}

/* Average sublist length. Long lists get 1 to 2 million sublists, which fit the cache; short lists
 * get one sublist per walk. */
static size_t mean_of(const clprims_list *list, size_t nodes, size_t number) {
    const size_t shortest = list->knobs[number == 0 ? CLP_LIST_SHORT : CLP_LIST_UPPER];
    const size_t longest = list->knobs[CLP_LIST_SUBLIST];
    const size_t mean = (nodes >> 21) * 3;
    if (number > 0 || mean < shortest) return shortest;
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

/* Work-items that walk the level, rounded up to whole work-groups. */
static size_t walking_items(const clprims_list *list, size_t ids, bool is_long) {
    const size_t group = list->knobs[CLP_LIST_GROUP];
    const size_t slots = (ids + list->knobs[CLP_LIST_WALKS] - 1) / list->knobs[CLP_LIST_WALKS];
    const size_t lanes = list->knobs[is_long ? CLP_LIST_LANES : CLP_LIST_WIDE];
    return ((slots < lanes ? slots : lanes) + group - 1) / group * group;
}

/* Few sublists per lane are all assigned statically: contention for one counter would cost more
 * than the imbalance of the lanes. */
static void share_out(const clprims_list *list, clp_list_level *here) {
    const bool is_long =
        here->number == 0 && clp_list_choose(list, here->count) != CLPRIMS_LIST_SCATTERED;
    const size_t lanes = walking_items(list, here->ids, is_long);
    const size_t percent = list->knobs[CLP_LIST_FIXED];
    const bool all = percent > 0 && here->ids / lanes < list->knobs[CLP_LIST_FEW];
    here->batch = list->knobs[CLP_LIST_BATCH];
    here->fixed = all ? (here->ids + lanes - 1) / lanes : here->ids * percent / 100 / lanes;
}

/* Computes the members that depend on the number of nodes alone. */
static clp_list_level level_of(const clprims_list *list, size_t count, size_t number) {
    clp_list_level here = {.count = count, .number = number};
    unsigned bits = 1;
    while (((size_t)1 << bits) < count) bits++;
    const size_t nodes = (size_t)1 << bits;
    const size_t most = number == 0 && list->algorithm == CLPRIMS_LIST_IN_PLACE
                            ? list->most_ids
                            : list->knobs[CLP_LIST_SPLITTERS];
    here.mask = nodes - 1;
    here.shift = (bits + 1) / 2;
    here.ids = nodes / mean_of(list, nodes, number);
    if (here.ids > most) here.ids = most;
    if (is_last(list, count)) here.ids = list->knobs[CLP_LIST_LAST_GROUP];
    if (here.ids > nodes) here.ids = nodes;
    if (here.ids < 1) here.ids = 1;
    const size_t mean = nodes / here.ids;
    const size_t retry_steps = list->knobs[CLP_LIST_RETRY];
    here.stride = power_from(2, mean);
    here.retry_steps = retry_steps == 0 ? ~(cl_ulong)0 : power_from(retry_steps, mean);
    here.seed = list->salt ^ (cl_ulong)number * 0x9e3779b97f4a7c15u;
    here.second_seed = here.seed;
    if (number == 0 && !is_last(list, count)) here.seed = list->knobs[CLP_LIST_SEED];
    if (number > 0) here.retry_steps = ~(cl_ulong)0;
    share_out(list, &here);
    return here;
}

size_t clp_list_lay_out(const clprims_list *list, size_t n, clp_list_level *levels, size_t *nodes) {
    size_t number = 0;
    size_t at = 0;
    levels[0] = level_of(list, n, 0);
    while (!is_last(list, levels[number].count)) {
        assert(number + 1 < CLP_LIST_LEVELS);
        const bool split = number == 0 && clp_list_choose(list, n) == CLPRIMS_LIST_IN_PLACE;
        const size_t spare = split ? clp_list_spare(list, n) : 0;
        levels[number].above = at;
        levels[number + 1] = level_of(list, levels[number].ids + spare, number + 1);
        number++;
        levels[number].links_at = levels[number].at = at;
        at += levels[number].count;
    }
    levels[0].at = at;
    *nodes = at;
    return number;
}

clprims_list_algorithm clp_list_choose(const clprims_list *list, size_t n) {
    const bool is_short =
        list->algorithm == CLPRIMS_LIST_VISIT_LOG && n < list->knobs[CLP_LIST_LEAST];
    return is_short ? CLPRIMS_LIST_SCATTERED : list->algorithm;
}

bool clp_list_is_one_per_item(const clprims_list *list, size_t n) {
    const size_t group = list->knobs[CLP_LIST_LAST_GROUP];
    return group > 1 && n <= group && is_last(list, n);
}

size_t clp_list_spare(const clprims_list *list, size_t n) {
    return n >> list->offset_bits;
}

/* ---- Rows ---- */

/* Full columns, and one unfinished column per lane. */
size_t clp_list_columns(const clprims_list *list, size_t n) {
    const size_t lanes = list->knobs[CLP_LIST_LANES] + list->knobs[CLP_LIST_GROUP];
    const size_t columns = n / list->knobs[CLP_LIST_ROWS] + lanes;
    return (columns / CLP_LIST_SIDE + 1) * CLP_LIST_SIDE;
}

static size_t windows_of(const clprims_list *list, size_t n) {
    return (n - 1) / list->knobs[CLP_LIST_WINDOW] + 1;
}

/* log2 of the windows per bucket of the first pass. Both passes get about as many buckets, and a
 * batch of the second pass lies within one bucket. Grows with the number of windows. */
static size_t bits_of_two_passes(const clprims_list *list, size_t windows) {
    const size_t window = list->knobs[CLP_LIST_WINDOW];
    const size_t batch = list->knobs[CLP_LIST_SORT_GROUP] * list->knobs[CLP_LIST_ROWS];
    size_t bits = 0;
    while (((windows - 1) >> bits) + 1 > (size_t)1 << bits || (window << bits) % batch != 0) bits++;
    return bits;
}

/* One pass has one bucket per window; max_n needs the most. With two passes, the first has no more
 * buckets than the second, which has 2^bits; max_n needs the most again. */
size_t clp_list_most_buckets(const clprims_list *list, bool *two_passes) {
    const size_t windows = windows_of(list, list->max_n);
    *two_passes = windows > list->knobs[CLP_LIST_BUCKETS];
    return *two_passes ? (size_t)1 << bits_of_two_passes(list, windows) : windows;
}

/* Takes one pass if the kernels have a bucket per window. If max_n takes two passes, the kernels
 * have fewer buckets than BUCKETS; BUCKETS must not decide here. */
clp_list_room clp_list_room_of(const clprims_list *list, size_t n) {
    const size_t windows = windows_of(list, n);
    clp_list_room room = {
        .columns = clp_list_columns(list, n), .buckets = windows, .windows = windows};
    if (room.buckets <= list->most.buckets) return room;
    room.bits = bits_of_two_passes(list, room.windows);
    room.buckets = ((room.windows - 1) >> room.bits) + 1;
    return room;
}

/* ---- What every run has room for ---- */

/*
 * Why the needs of max_n suffice. Levels and nodes: the number of splitters of a level depends on
 * the next power of two >= its count. Twice that power has at least as many splitters, since the
 * average length at most doubles. Spare sublists, columns and windows grow with n. Pairs: those of
 * n elements, or with a visit log those of lists below LEAST. Buckets of the first of two passes do
 * not grow with n (4096 windows make 64 buckets, 4097 make 33), so that there are as many cursors
 * as the kernels have buckets.
 */
void clp_list_set_limits(clprims_list *list) {
    clp_list_limits *most = &list->most;
    clp_list_level levels[CLP_LIST_LEVELS];
    const bool logs = list->algorithm == CLPRIMS_LIST_VISIT_LOG;
    most->last = clp_list_lay_out(list, list->max_n, levels, &most->nodes);
    most->pairs = most->last > 0 ? list->max_n : 0;
    if (logs && list->knobs[CLP_LIST_LEAST] < most->pairs)
        most->pairs = list->knobs[CLP_LIST_LEAST];
    if (list->algorithm == CLPRIMS_LIST_IN_PLACE) most->pairs = 0;
    most->columns = most->cursors = most->items = 0;
    if (!logs) return;
    most->columns = clp_list_columns(list, list->max_n);
    if (list->result == CLPRIMS_LIST_ORDER) return;
    most->cursors = most->buckets + windows_of(list, list->max_n);
    most->items = list->max_n;
}
