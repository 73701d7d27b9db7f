/* SPDX-License-Identifier: MIT */
/* Offsets: of intervals and of counts. */
#include "subjects/subjects.h"

enum { STARTS, STOPS, OFFSETS, N, REPORT };
enum { FEW = 100, FAULTS_N = 100000 };

SUBJECT_PLAN(offsets)
SUBJECT_DESCRIBE(offsets, n[0])
SUBJECT_CHECK(offsets)

SUBJECT_ENQUEUE(offsets, s->at[STARTS], s->at[STOPS], s->at[OFFSETS], s->at[N], s->at[REPORT])

SUBJECT_RUN(offsets, at[STARTS], at[STOPS], at[OFFSETS])

/* Intervals all over the type's range, some of them empty, whose sum stays below 2^63. */
static void draw_interval(const subject_data *d, clprims_type type, size_t i) {
    void *starts = d->at[STARTS].values, *stops = d->at[STOPS].values;
    const size_t bytes = clprims_type_bytes(type);
    const unsigned shift = bytes == 8 ? 24 : 0;
    const uint64_t drawn = test_random() >> shift;
    const bool is_empty = test_random_below(16) == 0;
    test_store_integer(bytes, starts, i, drawn);
    test_store_integer(bytes, stops, i, is_empty ? drawn : test_random() >> shift);
    const uint64_t start = oracle_load_integer(type, starts, i);
    const uint64_t stop = oracle_load_integer(type, stops, i);
    if (!oracle_less_integer(type, stop, start)) return;
    test_store_integer(bytes, starts, i, stop);
    test_store_integer(bytes, stops, i, start);
}

/* Offsets up to the first fault: behind it anything may stand. */
static void define(subject_data *d, clprims_type type, int64_t *offsets) {
    const void *starts = d->at[STARTS].values, *stops = d->at[STOPS].values;
    clprims_offsets_report report = {CLPRIMS_OFFSETS_VALID, -1, 0};
    for (size_t i = 0; i < d->n[0] && report.fault == CLPRIMS_OFFSETS_VALID; i++) {
        const uint64_t start = starts == NULL ? 0 : oracle_load_integer(type, starts, i);
        const uint64_t stop = oracle_load_integer(type, stops, i), length = stop - start;
        const bool backward = oracle_less_integer(type, stop, start);
        if (backward || length > (uint64_t)(INT64_MAX - report.total)) {
            report.fault = backward ? CLPRIMS_OFFSETS_INTERVAL : CLPRIMS_OFFSETS_TOTAL;
            report.index = (int64_t)i;
            d->at[OFFSETS].written = i + 1;
            d->at[OFFSETS].is_undefined_behind = true;
            d->status = d->verdict = CLPRIMS_ERR_DATA;
        } else {
            report.total += (int64_t)length;
            offsets[i + 1] = report.total;
        }
    }
    subject_report(d, REPORT, &report, sizeof report);
}

/* At times an interval ends before it starts, or a count is below zero. fill() changes what was
 * drawn. */
static void draw(subject_data *d) {
    const clprims_offsets_desc *desc = d->desc;
    const size_t n = d->n[0], room = subject_room(d, 0), bytes = clprims_type_bytes(desc->type);
    const uint64_t most = (uint64_t)2 << test_random_below(bytes == 1 ? 6 : 13); /* of counts */
    const uint64_t faults_in = 1 + test_random_below(200);
    const bool counts = desc->counts != 0;
    const bool is_malformed = d->may_be_malformed && test_random_below(3) == 0 && n > 0 &&
                              (!counts || desc->type <= CLPRIMS_I64);
    void *starts = counts ? NULL : subject_in(d, STARTS, "starts", n, room, bytes);
    void *stops = subject_in(d, STOPS, counts ? "counts" : "stops", n, room, bytes);
    for (size_t i = 0; i < n; i++) {
        if (counts) test_store_integer(bytes, stops, i, test_random_below(most));
        if (!counts) draw_interval(d, desc->type, i);
    }
    for (size_t i = is_malformed ? test_random_below(n) : n; i < n;) {
        if (!counts) test_store_integer(bytes, starts, i, 2);
        test_store_integer(bytes, stops, i, counts ? UINT64_MAX : 1);
        i += 1 + test_random_below(faults_in);
    }
    if (d->fill != NULL) d->fill(d, stops, n);
    define(d, desc->type, subject_out(d, OFFSETS, "offsets", n + 1, room + 1, sizeof(int64_t)));
    subject_number(d, N, "n", 0);
}

#define TILES "GROUP=1 ROWS=2"
#define INTERVALS(type_)                                                                           \
    SUBJECT_DESC(offsets, .type = type_, .algorithm = CLPRIMS_ALGORITHM_LOOKBACK)
#define COUNTS(type_, ...) SUBJECT_DESC(offsets, .type = type_, .counts = 1, __VA_ARGS__)

static const subject_call calls[] = {
    {"offsets", INTERVALS(CLPRIMS_I32), TILES, .n = {FEW}},
    {"offsets-of-none", INTERVALS(CLPRIMS_I32), TILES, .n = {0}, .most = {FEW}},
    {"offsets-counts", COUNTS(CLPRIMS_I32, .algorithm = CLPRIMS_ALGORITHM_LOOKBACK), TILES,
     .n = {FEW}},
    {"offsets-counted", INTERVALS(CLPRIMS_I32), TILES, .n = {57}, .most = {FEW}, .counted = true},
};

static const subject_sample samples[] = {
    {"offsets", SUBJECT_DESC(offsets, .type = CLPRIMS_U32), 12345678, 33554433},
    {"offsets/counts", COUNTS(CLPRIMS_I32, .tuning = NULL), 0, 0},
};

static const subject_fault faults[] = {
    {"offsets", "", COUNTS(CLPRIMS_U32, .tuning = NULL), .n = {FAULTS_N},
     .order = SUBJECT_OUT_OF_ORDER},
};

/* Several tiles, for which levels have more kernels. */
static const subject_launch launched[] = {
    {"passes/auto", .desc = COUNTS(CLPRIMS_U32, .tuning = NULL)},
    {"passes/levels", .desc = COUNTS(CLPRIMS_U32, .algorithm = CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN),
     "ROWS=4"},
};

SUBJECT_SET_WAY(offsets, algorithm)

static const subject_kind kinds[] = {
    {"intervals", NULL, .desc = INTERVALS(CLPRIMS_I32)},
    {"wide-intervals", NULL, .desc = INTERVALS(CLPRIMS_U64)},
    {"counts", NULL, .desc = SUBJECT_DESC(offsets, .type = CLPRIMS_U8, .counts = 1)},
};

const subject subject_offsets = {
    SUBJECT(offsets),
    SUBJECT_MEMBER(offsets, type),
    .traits = {.tells_numbers = true},
    .max = {SUBJECT_MAX(offsets, max_n)},
    .plain = SUBJECT_DESC(offsets, .type = CLPRIMS_I32),
    SUBJECT_GROUP(offsets),
    .check = check,
    SUBJECT_LAUNCHED_PLANS,
    .plans.ways = subject_pass_ways,
    .plans.way_count = SUBJECT_PASS_WAYS,
    .plans.set_way = set_way,
};
