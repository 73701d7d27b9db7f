/* SPDX-License-Identifier: MIT */
/* List ranking. */
#include "subjects/draws/drawn_list.h"

enum { NEXT, OUT, REPORT };
enum { FEW = 100, FAULTS_N = 100000, LARGE = 33554433 };

SUBJECT_PLAN(list)
SUBJECT_DESCRIBE(list, n[0])
SUBJECT_CHECK(list)

static clprims_status enqueue(void *plan, const subject_data *d, const subject_submission *s) {
    const clprims_list_buffers buffers = {s->at[NEXT], s->at[OUT], s->at[REPORT],
                                          head_given(&d->head)};
    return clprims_list_enqueue(plan, s->queue, SUBJECT_GIVEN(d, &buffers), d->n[0],
                                SUBJECT_WAITS(s));
}

SUBJECT_RUN(list, at[NEXT], at[OUT], head_given(&d->head))

static void draw(subject_data *d) {
    const clprims_list_desc *desc = d->desc;
    const size_t n = d->n[0], bytes = clprims_type_bytes(desc->link);
    const bool ranks = desc->result == CLPRIMS_LIST_RANKS;
    clprims_list_report report;
    uint32_t *order = drawn_list(d, NEXT, desc->link, &report);
    void *out = subject_out(d, OUT, ranks ? "rank" : "order", n, n, bytes);
    for (size_t i = 0; i < n; i++) {
        test_store_integer(bytes, out, ranks ? order[i] : i, ranks ? i : order[i]);
    }
    drawn_list_settle(d, OUT);
    d->at[OUT].is_undefined_behind = d->status != CLPRIMS_OK;
    subject_report(d, REPORT, &report, sizeof report);
    free(order);
}

#define LIST(...) SUBJECT_DESC(list, __VA_ARGS__)
#define RANKS LIST(.link = CLPRIMS_I32)
#define LEVELS "LAST=4 SUBLIST=4 SHORT=2 UPPER=2 LAST_GROUP=1"

static const subject_call calls[] = {
    {"list", RANKS, NULL, .n = {FEW}},
    {"list-order", LIST(.link = CLPRIMS_I64, .result = CLPRIMS_LIST_ORDER), NULL, .n = {FEW}},
    {"list-levels", RANKS, LEVELS, .n = {FEW}}, /* as long lists have them */
};

static const subject_sample samples[] = {{"list", RANKS, 5000000, LARGE}};

static const subject_fault faults[] = {
    {"list", "", RANKS, .n = {FAULTS_N}, .order = SUBJECT_BOTH_ORDERS}};

#define GROUPS                                                                                     \
    "SUBLIST=8 SHORT=4 UPPER=4 LAST=64 LAST_GROUP=16 GROUP=16 LANES=64 WIDE=128 WALKS=1 "          \
    "LEAST=5000 ROWS=4 SORT_GROUP=16 WINDOW_GROUP=32 "
#define BY(way, ...) LIST(.link = CLPRIMS_I32, .algorithm = way, __VA_ARGS__)

static const subject_launch launched[] = {
    {"list/default", .desc = RANKS},
    {"list/scattered", .desc = BY(CLPRIMS_LIST_SCATTERED, .tuning = GROUPS)},
    {"list/visit-log",
     .desc = BY(CLPRIMS_LIST_VISIT_LOG, .tuning = GROUPS "BUCKETS=64 WINDOW=100")},
    {"list/visit-log/order",
     .desc = BY(CLPRIMS_LIST_VISIT_LOG, .tuning = GROUPS, .result = CLPRIMS_LIST_ORDER),
     .is_long = true},
    {"list/in-place", .desc = BY(CLPRIMS_LIST_IN_PLACE, .tuning = GROUPS), .is_long = true},
};

#define EVERY_PASS "LEAST=1000 ROWS=4 SORT_GROUP=64 WINDOW_GROUP=64 BUCKETS=64 WINDOW=1000"
#define KIND(link_, result_, way)                                                                  \
    LIST(.link = CLPRIMS_##link_, .result = CLPRIMS_LIST_##result_, .algorithm = CLPRIMS_LIST_##way)
static const subject_kind kinds[] = {
    {"i32.ranks", "scattered", .desc = KIND(I32, RANKS, SCATTERED)},
    {"i64.ranks", "scattered", .desc = KIND(I64, RANKS, SCATTERED)},
    {"i32.order", "scattered", .desc = KIND(I32, ORDER, SCATTERED)},
    {"i64.order", "scattered", .desc = KIND(I64, ORDER, SCATTERED)},
    {"i32.ranks", "visit-log", .desc = KIND(I32, RANKS, VISIT_LOG), EVERY_PASS},
    {"i64.ranks", "visit-log", .desc = KIND(I64, RANKS, VISIT_LOG), EVERY_PASS},
    {"i32.order", "visit-log", .desc = KIND(I32, ORDER, VISIT_LOG), EVERY_PASS},
    {"i64.order", "visit-log", .desc = KIND(I64, ORDER, VISIT_LOG), EVERY_PASS},
    {"i32.ranks", "in-place", .desc = KIND(I32, RANKS, IN_PLACE)},
    {"i64.ranks", "in-place", .desc = KIND(I64, RANKS, IN_PLACE)},
};

const subject subject_list = {
    SUBJECT(list),
    .max = {SUBJECT_MAX(list, max_n)},
    .plain = RANKS,
    SUBJECT_INFO(list),
    SUBJECT_SCRATCH(list),
    .fitting = 1 << 23,
    .knobs = {.key = "list", .call = "list"},
    .check = check,
    SUBJECT_LAUNCHED_PLANS,
};
