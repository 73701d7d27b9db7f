/* SPDX-License-Identifier: MIT */
/* Offsets: of intervals and of counts. */
#include "subjects/subjects.h"

enum { STARTS, STOPS, OFFSETS, REPORT, N };
enum { FEW = 100, FAULTS_N = 100000 };

SUBJECT_PLAN(offsets)
SUBJECT_DESCRIBE(offsets, n[0])
SUBJECT_CHECK(offsets)

static clprims_status enqueue(void *plan, const subject_data *d, const subject_submission *s) {
    if (d->counted) {
        return clprims_offsets_enqueue_counted(plan, s->queue, s->at[STARTS], s->at[STOPS],
                                               s->at[OFFSETS], s->at[N], s->at[REPORT],
                                               SUBJECT_WAITS(s));
    }
    return clprims_offsets_enqueue(plan, s->queue, s->at[STARTS], s->at[STOPS], s->at[OFFSETS],
                                   d->n[0], s->at[REPORT], SUBJECT_WAITS(s));
}

static clprims_status run(void *plan, const subject_data *d, void *const *at) {
    return clprims_offsets_run(plan, at[STARTS], at[STOPS], at[OFFSETS], d->n[0]);
}

/* At times intervals end before they start, or counts are below zero: what stands behind the first
 * of them is undefined. */
static void draw(subject_data *d) {
    const clprims_offsets_desc *desc = d->desc;
    const size_t n = d->n[0], room = subject_room(d, 0), bytes = clprims_type_bytes(desc->type);
    const uint64_t bits = bytes == 1 ? 5 : bytes == 2 ? 13 : 30; /* of starts, and of lengths */
    const uint64_t most = (uint64_t)1 << (bits - test_random_below(bits));
    const bool counts = desc->counts != 0;
    const bool is_malformed = d->may_be_malformed && test_random_below(3) == 0 && n > 0 &&
                              (!counts || desc->type <= CLPRIMS_I64);
    const size_t fault = is_malformed ? test_random_below(n) : n;
    const uint64_t faults_in = 1 + test_random_below(100); /* behind the first */
    clprims_offsets_report report = {CLPRIMS_OFFSETS_VALID, -1, 0};
    void *starts = counts ? NULL : subject_in(d, STARTS, "starts", n, room, bytes);
    void *stops = subject_in(d, STOPS, counts ? "counts" : "stops", n, room, bytes);
    int64_t *offsets = subject_out(d, OFFSETS, "offsets", n + 1, room + 1, sizeof *offsets);
    for (size_t i = 0; i < n; i++) {
        const bool is_fault = i == fault || (i > fault && test_random_below(faults_in) == 0);
        const uint64_t start = counts ? 0 : 1 + test_random_below((uint64_t)1 << bits);
        const uint64_t length = is_fault ? (uint64_t)-1 : test_random_below(most);
        if (!counts) test_store_integer(bytes, starts, i, start);
        test_store_integer(bytes, stops, i, start + length);
        offsets[i + 1] = offsets[i] + (int64_t)length;
    }
    report.total = offsets[fault];
    if (is_malformed) {
        report.fault = CLPRIMS_OFFSETS_INTERVAL;
        report.index = (int64_t)fault;
        d->at[OFFSETS].written = fault + 1;
        d->at[OFFSETS].is_undefined_behind = true;
        d->status = d->verdict = CLPRIMS_ERR_DATA;
    }
    subject_number(d, N, "n", 0);
    subject_report(d, REPORT, &report, sizeof report);
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
    SUBJECT(offsets, max_n),
    .traits.tells_numbers = true,
    .max = {SUBJECT_MAX(offsets, max_n)},
    .plain = SUBJECT_DESC(offsets, .type = CLPRIMS_I32),
    SUBJECT_GROUP(offsets, algorithm),
    .check = check,
    SUBJECT_PLANS,
    .plans.launched = SUBJECT_TABLE(launched),
    .plans.ways = subject_pass_ways,
    .plans.way_count = SUBJECT_PASS_WAYS,
    .plans.set_way = set_way,
};
