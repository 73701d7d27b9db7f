/* SPDX-License-Identifier: MIT */
/* Forests. The second number is that of the heads that are given. */
#include "subjects/draws/drawn_list.h"

#include <stdlib.h>

enum { NEXT, RANK, HEAD, HEADS, REPORT };
enum { FEW = 100, FAULTS_N = 100000, LARGE = 33554433 };

/* Whose heads: they are found, the one of a single list is given, or none is given and no rank is
 * wanted. */
enum { FOUND, GIVEN, NONE };

SUBJECT_PLAN(forest)
SUBJECT_CHECK(forest)

static size_t scratch_bytes(const void *plan) {
    return clprims_forest_scratch_bytes(plan);
}

static clprims_status enqueue(void *plan, const subject_data *d, const subject_submission *s) {
    const clprims_forest_arrays arrays = {.struct_size = sizeof arrays,
                                          .next = s->at[NEXT],
                                          .rank = s->at[RANK],
                                          .head = s->at[HEAD],
                                          .heads = s->at[HEADS],
                                          .num_heads = d->variant == GIVEN};
    return clprims_forest_enqueue(plan, s->queue, &arrays, d->n[0], s->at[REPORT],
                                  SUBJECT_WAITS(s));
}

static clprims_status run(void *plan, const subject_data *d, void *const *at) {
    return clprims_forest_run(plan, at[NEXT], at[RANK], at[HEAD], d->n[0]);
}

/* Cuts the list into several, of which each element's rank and first one are expected. */
static void define(subject_data *d, const uint32_t *order, uint64_t length) {
    const subject_array *next = &d->at[NEXT];
    for (size_t i = 0, head = 0; i < d->n[0]; i++) {
        if (d->at[RANK].name != NULL) {
            test_store_integer(next->bytes, d->at[RANK].expected, order[i], i - head);
        }
        test_store_integer(next->bytes, d->at[HEAD].expected, order[i], order[head]);
        if (d->variant != FOUND || test_random_below(length) > 0) continue;
        test_store_integer(next->bytes, next->values, order[i], UINT64_MAX);
        head = i + 1;
    }
}

static void draw(subject_data *d) {
    const clprims_forest_desc *desc = d->desc;
    const size_t n = d->n[0], bytes = clprims_type_bytes(desc->link);
    const bool may_be_malformed = d->may_be_malformed;
    clprims_list_report report;
    d->may_be_malformed = false;
    uint32_t *order = drawn_list(d, NEXT, desc->link, &report);
    d->may_be_malformed = may_be_malformed;
    report.head = -1;
    if (d->variant != NONE) subject_out(d, RANK, "rank", n, n, bytes);
    subject_out(d, HEAD, "head", n, n, bytes);
    define(d, order, 1 + test_random_below(n + 1));
    if (d->variant == GIVEN) {
        test_store_integer(bytes, subject_in(d, HEADS, "heads", 1, 1, bytes), 0, order[0]);
    } else if (d->variant == NONE) {
        subject_in(d, HEADS, "heads", 0, 0, bytes);
        d->at[HEADS].is_needed = true;
        report = (clprims_list_report){CLPRIMS_LIST_HEAD, (int64_t)order[0], -1, -1};
        d->status = d->verdict = CLPRIMS_ERR_DATA;
        drawn_list_settle(d, HEAD);
    }
    for (size_t out = RANK; out <= HEAD; out++) {
        d->at[out].is_optional = true;
        if (d->at[out].name != NULL) subject_may_overlap(d, NEXT, out, SUBJECT_ANYWHERE);
        if (d->variant == GIVEN) subject_may_overlap(d, HEADS, out, SUBJECT_ANYWHERE);
    }
    subject_report(d, REPORT, &report, sizeof report);
    free(order);
}

#define TREES SUBJECT_DESC(forest, .link = CLPRIMS_I32)
#define BUCKETS                                                                                    \
    "SINGLE=500 SINGLE_GROUP=16 SUBLIST=8 LEAST=1 UPPER=4 LAST=16 GROUP=16 LANES=64 CHUNK=64 "     \
    "BUCKET=64 WINDOW=64"

static const subject_call calls[] = {
    {"forest", TREES, "SINGLE=0", .n = {FEW}, .variant = GIVEN},
    {"forest-of-no-heads", TREES, "SINGLE=0", .n = {FEW}, .variant = NONE},
};

static const subject_sample samples[] = {{"forest", TREES, 5000000, LARGE}};

static const subject_fault faults[] = {
    {"forest", "", TREES, .n = {FAULTS_N}, .order = SUBJECT_IN_ORDER}};

static const subject_launch launched[] = {
    {"listscan/default", .desc = TREES},
    {"listscan/buckets", .desc = TREES, BUCKETS, .is_local = true},
};

static const subject_kind kinds[] = {
    {"trees", "i32", .desc = TREES},
};

const subject subject_forest = {
    SUBJECT(forest, max_n),
    .max = {SUBJECT_MAX(forest, max_n)},
    .plain = TREES,
    .scratch_bytes = scratch_bytes,
    .fitting = 1 << 23,
    .check = check,
    .calls = SUBJECT_TABLE(calls),
    .samples = SUBJECT_TABLE(samples),
    .faults = SUBJECT_TABLE(faults),
    .launched = SUBJECT_TABLE(launched),
    .kinds = SUBJECT_TABLE(kinds),
};
