/* SPDX-License-Identifier: MIT */
/* The sizes of all that a run of list scan makes use of: they follow from n. */
#include "listscan_engine.h"

#include <assert.h>

static size_t at_least(size_t value, size_t least) {
    return value < least ? least : value;
}

static size_t at_most(size_t value, size_t most) {
    return value > most ? most : value;
}

/* Fills what follows from the number of elements or nodes alone. */
static clp_listscan_level level_of(const clp_listscan *plan, size_t count, size_t number) {
    const size_t *knobs = plan->knobs;
    clp_listscan_level here = {.count = count, .number = number};
    unsigned bits = 1;
    while (((size_t)1 << bits) < count) bits++;
    here.mask = ((size_t)1 << bits) - 1;
    here.shift = (bits + 1) / 2;
    const size_t span = (size_t)1 << bits;
    size_t ids = span / knobs[CLP_LISTSCAN_UPPER];
    if (number == 0) {
        const size_t few = at_most(knobs[CLP_LISTSCAN_LEAST], span / 8);
        ids = at_least(span / knobs[CLP_LISTSCAN_SUBLIST], few);
        ids = at_most(ids, knobs[CLP_LISTSCAN_SPLITTERS]);
    }
    here.ids = at_least(ids, 1);
    here.patience = ~(cl_ulong)0;
    if (number == 0 && knobs[CLP_LISTSCAN_PATIENCE] > 0) {
        const size_t mean = span / here.ids, most = (size_t)1 << 63;
        const size_t factor = knobs[CLP_LISTSCAN_PATIENCE];
        const size_t least = factor > most / mean ? most : mean * factor;
        here.patience = 1;
        while (here.patience < least) here.patience *= 2;
    }
    return here;
}

/* Elements of the output in a bucket of a first pass. */
static size_t bucket_of(const clp_listscan *plan) {
    return at_least(plan->knobs[CLP_LISTSCAN_BUCKET] / plan->spec.what.accumulator_bytes, 1);
}

bool clp_listscan_may_part(const clp_listscan *plan) {
    return plan->held > 0 && plan->spec.max_n / 2 > bucket_of(plan);
}

bool clp_listscan_may_part_finer(const clp_listscan *plan) {
    return clp_listscan_may_part(plan) &&
           (plan->spec.max_n - 1) >> plan->window_bits >= CLP_LISTSCAN_BUCKETS;
}

/* Where the output is larger than two buckets: windows straight away if there are few, else
 * buckets of whole tiles and windows, with no more windows than a tile is parted among. */
static void lay_out_buckets(const clp_listscan *plan, size_t n, clp_listscan_layout *layout) {
    const size_t bucket = bucket_of(plan);
    const size_t least = at_least(plan->knobs[CLP_LISTSCAN_GROUP] * plan->held, 1);
    size_t bits = plan->window_bits;
    layout->bucket_bits = bits;
    layout->buckets = 0;
    layout->windows = ((n - 1) >> bits) + 1;
    layout->cursors = CLP_LISTSCAN_BUCKETS + layout->windows;
    if (n / 2 <= bucket || plan->held == 0) return;
    if (layout->windows > CLP_LISTSCAN_BUCKETS) {
        while (((size_t)2 << bits) <= bucket || (size_t)1 << bits < least) bits++;
        while ((n - 1) >> bits >= CLP_LISTSCAN_BUCKETS) bits++;
        if ((size_t)CLP_LISTSCAN_BUCKETS << plan->window_bits < (size_t)1 << bits) return;
    }
    layout->bucket_bits = bits;
    layout->buckets = ((n - 1) >> bits) + 1;
}

void clp_listscan_lay_out(const clp_listscan *plan, size_t n, clp_listscan_layout *layout) {
    const size_t *knobs = plan->knobs;
    const size_t group = knobs[CLP_LISTSCAN_GROUP];
    const size_t chunk = knobs[CLP_LISTSCAN_CHUNK];
    size_t number = 0;
    size_t at = 0;
    layout->levels[0] = level_of(plan, n, 0);
    do {
        assert(number + 1 < CLP_LISTSCAN_LEVELS);
        layout->levels[number].above = at;
        layout->levels[number + 1] = level_of(plan, layout->levels[number].ids, number + 1);
        number++;
        layout->levels[number].at = at;
        at += layout->levels[number].count;
    } while (layout->levels[number].count > knobs[CLP_LISTSCAN_LAST]);
    layout->last = number;
    layout->nodes = at;
    const size_t walks = knobs[CLP_LISTSCAN_WALKS];
    const size_t wanted = (layout->levels[0].ids + walks - 1) / walks;
    layout->lanes = (at_most(wanted, knobs[CLP_LISTSCAN_LANES]) + group - 1) / group * group;
    /* What a team leaves empty at a chunk's end is less than an entry for each lane. */
    const size_t filled = chunk - plan->team + 1;
    layout->chunks = n / filled + layout->lanes / plan->team + 1;
    layout->words = (n + 15) / 16 + (plan->spec.forest ? (n + 31) / 32 : 0);
    lay_out_buckets(plan, n, layout);
}
