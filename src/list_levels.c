/* SPDX-License-Identifier: MIT */
/* How a list of n elements is cut into levels, and the room that each way of ranking it needs. All
 * sizes grow with n, so that a plan for max_n has room for every smaller list. */
#include "list_plan.h"

static bool is_last(const clprims_list *list, size_t count) {
    return count <= list->knobs[CLP_LIST_LAST];
}

/* The mean length of sublists: long lists are cut into one or two million, whose memory the caches
 * hold; of short ones each sublist has a walk of its own. */
static size_t mean_of(const clprims_list *list, size_t nodes, size_t number) {
    const size_t shortest = list->knobs[number == 0 ? CLP_LIST_SHORT : CLP_LIST_UPPER];
    const size_t longest = list->knobs[CLP_LIST_SUBLIST];
    const size_t mean = (nodes >> 21) * 3;
    if (number > 0 || mean < shortest) return shortest;
    return mean < longest ? mean : longest;
}

static size_t power_from(size_t least) {
    size_t power = 1;
    while (power < least) power *= 2;
    return power;
}

/* Work-items that walk the level, in whole groups. */
static size_t walking_items(const clprims_list *list, size_t ids, bool is_long) {
    const size_t group = list->knobs[CLP_LIST_GROUP];
    const size_t slots = (ids + list->knobs[CLP_LIST_WALKS] - 1) / list->knobs[CLP_LIST_WALKS];
    const size_t lanes = list->knobs[is_long ? CLP_LIST_LANES : CLP_LIST_WIDE];
    return ((slots < lanes ? slots : lanes) + group - 1) / group * group;
}

/* Few sublists for each lane are all given out beforehand: taking turns at one counter would cost
 * more than the lanes' unequal ends. */
static void share_out(const clprims_list *list, clp_list_level *here) {
    const bool is_long =
        here->number == 0 && clp_list_choose(list, here->count) != CLPRIMS_LIST_PAIRS;
    const size_t lanes = walking_items(list, here->ids, is_long);
    const size_t percent = list->knobs[CLP_LIST_FIXED];
    const bool all = percent > 0 && here->ids / lanes < list->knobs[CLP_LIST_FEW];
    here->batch = list->knobs[CLP_LIST_BATCH];
    here->fixed = all ? (here->ids + lanes - 1) / lanes : here->ids * percent / 100 / lanes;
}

/* Fills what follows from the number of nodes alone. */
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
    const size_t patience = list->knobs[CLP_LIST_PATIENCE];
    here.stride = power_from(2 * mean);
    here.patience = patience == 0 ? ~(cl_ulong)0 : power_from(patience * mean);
    here.seed = list->salt ^ (cl_ulong)number * 0x9e3779b97f4a7c15u;
    here.second_seed = here.seed;
    if (number == 0 && !is_last(list, count)) here.seed = list->knobs[CLP_LIST_SEED];
    if (number > 0) here.patience = ~(cl_ulong)0;
    share_out(list, &here);
    return here;
}

size_t clp_list_lay_out(const clprims_list *list, size_t n, clp_list_level *levels, size_t *nodes) {
    size_t number = 0;
    size_t at = 0;
    levels[0] = level_of(list, n, 0);
    while (!is_last(list, levels[number].count)) {
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
    const bool is_short = list->algorithm == CLPRIMS_LIST_ROWS && n < list->knobs[CLP_LIST_LEAST];
    return is_short ? CLPRIMS_LIST_PAIRS : list->algorithm;
}

bool clp_list_is_brief(const clprims_list *list, size_t n) {
    const size_t group = list->knobs[CLP_LIST_LAST_GROUP];
    return group > 1 && n <= group && is_last(list, n);
}

size_t clp_list_spare(const clprims_list *list, size_t n) {
    return n >> list->place_bits;
}

clp_list_room clp_list_room_of(const clprims_list *list, size_t n) {
    clp_list_room room = {.bits = 0};
    const size_t window = list->knobs[CLP_LIST_WINDOW];
    const size_t lanes = list->knobs[CLP_LIST_LANES] + list->knobs[CLP_LIST_GROUP];
    const size_t columns = n / list->knobs[CLP_LIST_ROWS] + lanes;
    room.columns = (columns / CLP_LIST_SIDE + 1) * CLP_LIST_SIDE;
    room.windows = room.buckets = (n - 1) / window + 1;
    if (room.buckets <= list->knobs[CLP_LIST_BUCKETS]) return room;
    /* Both passes with about as many buckets, in batches that are of one bucket each. */
    const size_t batch = list->knobs[CLP_LIST_SORT_GROUP] * list->knobs[CLP_LIST_ROWS];
    while (((room.windows - 1) >> room.bits) + 1 > (size_t)1 << room.bits ||
           (window << room.bits) % batch != 0)
        room.bits++;
    room.buckets = ((room.windows - 1) >> room.bits) + 1;
    return room;
}
