/* SPDX-License-Identifier: MIT */
/* Top-k. */
#include "subjects/draws/sort_order.h"

#include <stdlib.h>

enum { FEW = 100, K = 40, FAULTS_N = 100000, FAULTS_K = 5 };

SUBJECT_PLAN(topk)
SUBJECT_DESCRIBE(topk, n[0], (clprims_topk_sizes){.k = n[1]})
SUBJECT_PARAMETERS(topk)
SUBJECT_CHECK(topk)

SUBJECT_ENQUEUE(topk, .in = s->at[SORT_IN], .values = s->at[SORT_OUT],
                .indices = s->at[SORT_INDICES], .n = s->at[SORT_N], .report = s->at[SORT_REPORT],
                .sizes.k = d->n[1])

SUBJECT_RUN(topk, .in = at[SORT_IN], .values = at[SORT_OUT], .indices = at[SORT_INDICES],
            .sizes.k = d->n[1])

static void limit(size_t n, size_t most[SUBJECT_NUMBERS]) {
    most[1] = n < 5000 ? n : 5000;
}

static void numbers(subject_data *d, size_t n) {
    if (n == 0) d->n[0] = n = 1;
    d->n[1] = 1 + test_random_below(n < d->most[1] ? n : d->most[1]);
}

static void draw(subject_data *d) {
    const clprims_topk_desc *desc = d->desc;
    const clprims_topk_report report = {CLPRIMS_TOPK_VALID, (int64_t)d->n[0]};
    const size_t n = d->n[0], k = d->n[1];
    clprims_sort_desc like = {0};
    SORT_TAKE_KEYS(&like, desc);
    like.descending = !desc->least;
    like.indices = desc->indices;
    like.no_keys = desc->no_values;
    size_t *from = sort_order_in(d, &like, "in", n);
    /* A counted run may have fewer elements. */
    sort_order_out(d, &like, "values", from, n < k ? n : k, k, false);
    subject_number(d, SORT_N, "n", 0);
    if (d->counted) subject_report(d, SORT_REPORT, &report, sizeof report);
    free(from);
}

#define TOPK(...) SUBJECT_CUSTOM_DESC(topk, __VA_ARGS__)
#define FEW_WORDS TOPK(.type = CLPRIMS_U16, .indices = CLPRIMS_I32)
/* 64 bits of keys, and 96. */
#define BY_KEYS                                                                                    \
    TOPK(.type = CLPRIMS_U32, .key = "x.k0", .then = {"x.k1"}, .then_type = {CLPRIMS_I32},         \
         .indices = CLPRIMS_I32, .elements = CLPRIMS_STRUCT, .custom.type_name = "thing",          \
         .custom.type_bytes = 8,                                                                   \
         .custom.declarations = "typedef struct { uint k0; int k1; } thing;")
#define BY_RANKS(...)                                                                              \
    TOPK(.type = CLPRIMS_U32, .key = "x.k0", .then = {"x.k1", "x.k2"}, .indices = CLPRIMS_I64,     \
         .elements = CLPRIMS_STRUCT, .custom.type_name = "thing", .custom.type_bytes = 12,         \
         .custom.declarations = "typedef struct { uint k0, k1, k2; } thing;", __VA_ARGS__)
#define ROOM "GROUP=1 ROOM=10 ONE=0 SAMPLE=1"

static const subject_call calls[] = {
    {"topk", FEW_WORDS, ROOM, .n = {FEW, K}},
    {"topk-counted", FEW_WORDS, ROOM, .n = {57, K}, .most = {FEW}, .counted = true},
    {"topk-by-keys", BY_KEYS, ROOM, .n = {FEW, K}},
};

static const subject_sample samples[] = {
    {"topk", TOPK(.type = CLPRIMS_U32, .indices = CLPRIMS_U32), 12345678, 33554433},
};

#define FAULTY(...) TOPK(.type = CLPRIMS_U32, .indices = CLPRIMS_I32, __VA_ARGS__)
static const subject_fault faults[] = {
    {"topk", "", FAULTY(.least = 0), FAULTY(.key = "x ^ 1"), "GROUP=1 ROOM=400 ONE=0 SAMPLE=4096",
     .n = {FAULTS_N, FAULTS_K}, .order = SUBJECT_BOTH_ORDERS},
    {"topk", "-by-ranks", BY_RANKS(.least = 1), NULL, .n = {FAULTS_N, FAULTS_K}},
};

static const subject_launch launched[] = {
    {"topk", .desc = TOPK(.type = CLPRIMS_U32), "ROOM=500 ONE=0 SAMPLE=100", .most = {0, 10}},
    {"topk", .desc = BY_RANKS(.least = 0), "ROOM=500 ONE=0 SAMPLE=100", .most = {0, 10}}};

static const subject_limit limits[] = {
    {"topk with indices", TOPK(.type = CLPRIMS_I32, .indices = CLPRIMS_I64)}};

static const subject_way ways[] = {
    {"chosen", NULL, 0}, {"serial", "GROUP=1", 0}, {"groups", "GROUP=64 ITEMS=3 ONE=0", 0}};

static const subject_kind kinds[] = {
    {"words", NULL, .desc = TOPK(.type = CLPRIMS_U32, .indices = CLPRIMS_I64),
     .most = {1 << 20, 100}},
    {"doubles", NULL, .desc = TOPK(.type = CLPRIMS_F64, .indices = CLPRIMS_I64),
     .most = {1 << 20, 100}},
    {"keys", NULL, .desc = BY_RANKS(.parameters = "global const uint *weight, uint limit"),
     .most = {1 << 20, 100}},
};

const subject subject_topk = {
    SUBJECT(topk),
    SUBJECT_MEMBER(topk, type),
    .set_parameter = set_parameter,
    .traits = {.tells_numbers = true},
    .max = {SUBJECT_MAX(topk, max_n), SUBJECT_MAX(topk, max_k)},
    .plain = TOPK(.type = CLPRIMS_I32),
    SUBJECT_GROUP(topk),
    .knobs = {.key = "topk", .call = "topk"},
    .check = check,
    .limit = limit,
    .numbers = numbers,
    SUBJECT_PLANS,
    .plans.launched = SUBJECT_TABLE(launched),
    .plans.limits = SUBJECT_TABLE(limits),
    .plans.ways = SUBJECT_TABLE(ways),
};
