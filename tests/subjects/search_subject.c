/* SPDX-License-Identifier: MIT */
/* Search: of needles in any order and of sorted ones. The first number is that of the needles. */
#include "fixtures/merge_cases.h"

enum { SORTED, NEEDLES, OUT, N, LENGTH, REPORT, OUT_UPPER };
enum { FEW = 100, FEW_SORTED = 60, FAULTS_N = 100000, MOST_OTHER = 100000 };

SUBJECT_PLAN(search)
SUBJECT_DESCRIBE(search, n[0], (clprims_search_sizes){n[1]})
SUBJECT_PARAMETERS(search)
SUBJECT_CHECK(search)

SUBJECT_ENQUEUE(search, s->at[SORTED], s->at[NEEDLES], s->at[OUT], s->at[N], s->at[LENGTH],
                s->at[REPORT], {subject_room(d, 1)}, s->at[OUT_UPPER])

SUBJECT_RUN(search, at[SORTED], at[NEEDLES], at[OUT], {d->n[1]}, at[OUT_UPPER])

/* Every second run has many needles, the others many elements. */
static void numbers(subject_data *d, size_t n) {
    const size_t other = test_random_below((n < MOST_OTHER ? n : MOST_OTHER) + 1);
    const bool has_many = test_random_below(2) == 0;
    d->n[0] = has_many ? n : other;
    d->n[1] = has_many ? other : n;
}

/* The number of elements that come before a needle or, for `upper`, not behind it. */
static size_t position_of(const merge_order *order, bool upper, const char *sorted, size_t n,
                          const void *needle) {
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const void *element = sorted + middle * order->bytes;
        if (upper ? !order->less(needle, element) : order->less(element, needle)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Needles that are not said to be sorted are not. */
static void shuffle(char *values, size_t n, size_t bytes) {
    char spare[64];
    for (size_t i = n; i > 1; i--) {
        const size_t k = test_random_below(i);
        memcpy(spare, values + k * bytes, bytes);
        memcpy(values + k * bytes, values + (i - 1) * bytes, bytes);
        memcpy(values + (i - 1) * bytes, spare, bytes);
    }
}

/* Needles of the elements, between them and behind them, unless a case says more. */
static void fill(const subject_data *d, const merge_order *order, char *sorted, char *needles) {
    const merge_case *how = d->how;
    const bool is_sorted = ((const clprims_search_desc *)d->desc)->needles_sorted;
    const size_t n = d->n[0], count = d->n[1], bytes = order->bytes;
    if (how != NULL) {
        merge_fill(order, how->data, needles, n, sorted, count);
        if (!is_sorted) shuffle(needles, n, bytes);
        return;
    }
    subject_ascend(sorted, bytes, count, 5);
    if (is_sorted) {
        subject_ascend(needles, bytes, n, 5);
    } else {
        subject_fill(needles, bytes, n,
                     count == 0 ? 10 : 10 + subject_load(bytes, sorted, count - 1));
    }
}

static void draw(subject_data *d) {
    const clprims_search_desc *desc = d->desc;
    const clprims_search_report report = {CLPRIMS_SEARCH_VALID, (int64_t)d->n[0], (int64_t)d->n[1]};
    const merge_case *how = d->how;
    const merge_order order = how != NULL ? how->order : merge_order_of(desc->type);
    const size_t n = d->n[0], count = d->n[1], bytes = order.bytes;
    const size_t out_bytes =
        desc->positions == CLPRIMS_TYPE_DEFAULT ? 8 : clprims_type_bytes(desc->positions);
    char *sorted = subject_in(d, SORTED, "sorted", count, subject_room(d, 1), bytes);
    char *needles = subject_in(d, NEEDLES, "needles", n, subject_room(d, 0), bytes);
    fill(d, &order, sorted, needles);
    for (int upper = 0; upper < 2; upper++) {
        const bool is_both = desc->bound == CLPRIMS_SEARCH_BOTH;
        const size_t slot = upper && is_both ? OUT_UPPER : OUT;
        if (!is_both && upper != (desc->bound == CLPRIMS_SEARCH_UPPER)) continue;
        void *out = subject_out(d, slot, slot == OUT ? "out" : "out_upper", n, subject_room(d, 0),
                                out_bytes);
        for (size_t i = 0; i < n; i++) {
            const size_t position = position_of(&order, upper, sorted, count, needles + i * bytes);
            test_store_integer(out_bytes, out, i, position);
        }
        d->at[slot].is_judged = how != NULL && how->data == MERGE_UNSORTED;
    }
    subject_number(d, N, "n", 0);
    subject_number(d, LENGTH, "length", 1);
    if (d->counted) subject_report(d, REPORT, &report, sizeof report);
}

#define SEARCH(...) SUBJECT_CUSTOM_DESC(search, __VA_ARGS__)
#define NEEDLES_OF(...) SEARCH(.type = CLPRIMS_U16, .positions = CLPRIMS_I32, __VA_ARGS__)
#define ANY NEEDLES_OF(.needles_sorted = 0)
#define IN_ORDER NEEDLES_OF(.needles_sorted = 1)
#define ANY_BOTH NEEDLES_OF(.bound = CLPRIMS_SEARCH_BOTH)
#define IN_ORDER_BOTH NEEDLES_OF(.needles_sorted = 1, .bound = CLPRIMS_SEARCH_BOTH)
#define PIVOTS "GROUP=4 ITEMS=3 PIVOTS=5 BLOCK=2 LEAST=0"
#define TILES "GROUP=8 ITEMS=3"
#define ALL                                                                                        \
    { FEW, FEW_SORTED }

static const subject_call calls[] = {
    {"search-any", ANY, PIVOTS, .n = ALL},
    {"search-tiles", IN_ORDER, TILES, .n = ALL},
    {"search-serial", IN_ORDER, "GROUP=1", .n = ALL},
    {"search-both-any", ANY_BOTH, PIVOTS, .n = ALL},
    {"search-both-tiles", IN_ORDER_BOTH, TILES, .n = {57, 57}, .most = ALL, .counted = true},
    {"search-any-counted", ANY, PIVOTS, .n = {57, 57}, .most = ALL, .counted = true},
    {"search-tiles-counted", IN_ORDER, TILES, .n = {57, 57}, .most = ALL, .counted = true},
};

#define WORDS(...) SEARCH(.type = CLPRIMS_U32, .positions = CLPRIMS_U32, __VA_ARGS__)

static const subject_sample samples[] = {
    {"search", WORDS(.max_n = 0), 5000000, 33554433},
    {"search/wide", SEARCH(.type = CLPRIMS_I32), 0, 0},
};

static const subject_fault faults[] = {
    {"search", "", SEARCH(.type = CLPRIMS_I32, .positions = CLPRIMS_I32, .needles_sorted = 1),
     .n = {FAULTS_N, FAULTS_N}, .order = SUBJECT_IN_ORDER},
};

static const subject_launch launched[] = {
    {"search/any", .desc = WORDS(.max_n = 0)},
    {"search/sorted", .desc = WORDS(.needles_sorted = 1), TILES},
};

SUBJECT_SET_WAY(search, needles_sorted)

static const subject_way ways[] = {
    {"any", NULL, 0},    {"any-serial", "GROUP=1", 0},    {"any-pivots", "GROUP=64 ITEMS=3", 0},
    {"sorted", NULL, 1}, {"sorted-serial", "GROUP=1", 1}, {"sorted-tiles", "GROUP=64 ITEMS=3", 1}};

static const subject_kind kinds[] = {
    {"words", NULL, .desc = SEARCH(.type = CLPRIMS_U32, .positions = CLPRIMS_U32)},
    {"doubles", NULL,
     .desc = SEARCH(.type = CLPRIMS_F64, .positions = CLPRIMS_I64, .bound = CLPRIMS_SEARCH_UPPER)},
};

const subject subject_search = {
    SUBJECT(search),
    SUBJECT_MEMBER(search, type),
    .set_parameter = set_parameter,
    .traits = {.tells_numbers = true, .has_optional_numbers = true},
    .max = {SUBJECT_MAX(search, max_n), SUBJECT_MAX(search, max_length)},
    .plain = SEARCH(.type = CLPRIMS_I32),
    SUBJECT_GROUPS(search),
    .knobs = {.key = "search", .call = "search-any"},
    .check = check,
    .numbers = numbers,
    SUBJECT_LAUNCHED_PLANS,
    .plans.ways = SUBJECT_TABLE(ways),
    .plans.set_way = set_way,
};
