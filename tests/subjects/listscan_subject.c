/* SPDX-License-Identifier: MIT */
/* List scan: sums along a list. */
#include "harness/custom_operators.h"
#include "subjects/draws/drawn_list.h"

#include <stdlib.h>

enum { NEXT, VALUES, OUT, REPORT };
enum { FEW = 100, FAULTS_N = 100000, LARGE = 33554433 };

SUBJECT_PLAN(listscan)
SUBJECT_CHECK(list)

static size_t scratch_bytes(const void *plan) {
    return clprims_listscan_scratch_bytes(plan);
}

static clprims_status enqueue(void *plan, const subject_data *d, const subject_submission *s) {
    return clprims_listscan_enqueue(plan, s->queue, s->at[NEXT], s->at[VALUES], s->at[OUT], d->head,
                                    d->n[0], s->at[REPORT], SUBJECT_WAITS(s));
}

static clprims_status run(void *plan, const subject_data *d, void *const *at) {
    return clprims_listscan_run(plan, at[NEXT], at[VALUES], at[OUT], d->head, d->n[0]);
}

static void draw(subject_data *d) {
    const clprims_listscan_desc *desc = d->desc;
    const size_t n = d->n[0], bytes = clprims_type_bytes(desc->type);
    clprims_list_report report;
    uint32_t *order = drawn_list(d, NEXT, desc->link, &report);
    const bool has_values = !desc->no_input_array; /* without them each is 1 */
    void *values = has_values ? subject_in(d, VALUES, "values", n, n, bytes) : NULL;
    void *out = subject_out(d, OUT, "out", n, n, bytes);
    uint64_t sum = 0;
    if (has_values) subject_fill(values, bytes, n, 0);
    for (size_t i = 0; i < n; i++) {
        const uint64_t before = sum;
        sum += has_values ? subject_load(bytes, values, order[i]) : 1;
        test_store_integer(bytes, out, order[i], desc->inclusive ? sum : before);
    }
    drawn_list_settle(d, OUT);
    subject_may_overlap(d, NEXT, OUT, SUBJECT_ANYWHERE);
    subject_may_overlap(d, VALUES, OUT, SUBJECT_ANYWHERE);
    subject_report(d, REPORT, &report, sizeof report);
    free(order);
}

#define SCAN(...) SUBJECT_CUSTOM_DESC(listscan, .link = CLPRIMS_I32, __VA_ARGS__)
#define WORDS SCAN(.type = CLPRIMS_U32)
#define INCLUSIVE SCAN(.type = CLPRIMS_U32, .inclusive = 1)
#define BUCKETS                                                                                    \
    "SINGLE=500 SINGLE_GROUP=16 SUBLIST=8 LEAST=1 UPPER=4 LAST=16 GROUP=16 LANES=64 CHUNK=64 "     \
    "BUCKET=64 WINDOW=64"

static const subject_call calls[] = {
    {"listscan", WORDS, NULL, .n = {FEW}},
    {"listscan-levels", WORDS, "SINGLE=0 LAST=4 UPPER=2", .n = {FEW}},
};

static const subject_sample samples[] = {{"listscan", INCLUSIVE, 5000000, LARGE}};

/* The whole chain of kernels. */
static const subject_fault faults[] = {
    {"listscan", "", INCLUSIVE, NULL, "SINGLE=0", .n = {FAULTS_N}, .order = SUBJECT_BOTH_ORDERS}};

static const subject_launch launched[] = {
    {"listscan/default", .desc = WORDS},
    {"listscan/buckets", .desc = WORDS, BUCKETS, .is_local = true},
};

static const subject_kind kinds[] = {
    {"words", "i32", .desc = WORDS},
    {"structs", "i64",
     .desc = SUBJECT_DESC(listscan, .link = CLPRIMS_I64, .type = CLPRIMS_STRUCT,
                          .op = CLPRIMS_CUSTOM, SUBJECT_AFFINE(0))},
};

const subject subject_listscan = {
    SUBJECT(listscan, max_n),
    .max = {SUBJECT_MAX(listscan, max_n)},
    .plain = SCAN(.type = CLPRIMS_I32),
    .scratch_bytes = scratch_bytes,
    .fitting = 1 << 23,
    .knobs = "listscan",
    .knobs_call = "listscan",
    .check = check,
    .calls = SUBJECT_TABLE(calls),
    .samples = SUBJECT_TABLE(samples),
    .faults = SUBJECT_TABLE(faults),
    .launched = SUBJECT_TABLE(launched),
    .kinds = SUBJECT_TABLE(kinds),
};
