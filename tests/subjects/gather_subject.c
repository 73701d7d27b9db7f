/* SPDX-License-Identifier: MIT */
/* Gather. The second number is that of the elements, for which a plan has no limit. */
#include "subjects/draws/drawn_indices.h"

enum { INDEX, IN, OUT, N, LENGTH, REPORT };
enum { FEW = 100, FAULTS_N = 100000 };

SUBJECT_PLAN(gather)
SUBJECT_DESCRIBE(gather, n[0], (clprims_gather_sizes){n[1]})
SUBJECT_CHECK(gather)

SUBJECT_ENQUEUE(gather, s->at[INDEX], s->at[IN], s->at[OUT], s->at[N], s->at[LENGTH], s->at[REPORT],
                {subject_room(d, 1)})

SUBJECT_RUN(gather, at[INDEX], at[IN], at[OUT], {d->n[1]})

static void draw(subject_data *d) {
    const clprims_gather_desc *desc = d->desc;
    const size_t n = d->n[0], room = subject_room(d, 0);
    const size_t length = room > 0 ? d->n[1] : 0; /* without indices none is read */
    const size_t bytes = subject_bytes(desc->type, &desc->custom);
    drawn_indices indices = drawn_indices_begin(d, INDEX, desc->index_type, length);
    char *in = subject_in(d, IN, "in", length, room > 0 ? subject_room(d, 1) : 0, bytes);
    char *out = subject_out(d, OUT, "out", n, room, bytes);
    test_random_bytes(in, length * bytes);
    subject_keep(d, OUT);
    for (size_t i = 0; i < n; i++) {
        int64_t from = 0;
        if (drawn_index(d, &indices, i, length, &from)) {
            memcpy(out + i * bytes, in + (size_t)from * bytes, bytes);
        }
    }
    subject_number(d, N, "n", 0);
    subject_number(d, LENGTH, "length", 1);
    subject_report(d, REPORT, &indices.report, sizeof indices.report);
}

#define GATHER(type_, index_) SUBJECT_CUSTOM_DESC(gather, .type = type_, .index_type = index_)
#define SHORTS GATHER(CLPRIMS_U16, CLPRIMS_I32)
#define WORDS GATHER(CLPRIMS_U32, CLPRIMS_U32)
#define BATCHES "GROUP=8 DEPTH=2"
#define ALL                                                                                        \
    { FEW, FEW }

static const subject_call calls[] = {
    {"gather", SHORTS, "GROUP=1", .n = ALL, .needs_shapes = true},
    {"gather-counted", SHORTS, BATCHES, .n = {57, 57}, .most = ALL, .counted = true,
     .needs_shapes = true},
    {"gather-of-none", SHORTS, BATCHES, .n = {0, FEW}, .most = ALL, .needs_shapes = true},
};

static const subject_sample samples[] = {
    {"gather", WORDS, 12345678, 33554433},
    {"gather/signed", GATHER(CLPRIMS_I32, CLPRIMS_I32), 0, 0},
};

static const subject_fault faults[] = {
    {"gather", "", GATHER(CLPRIMS_I32, CLPRIMS_I32), .n = {FAULTS_N, FAULTS_N},
     .order = SUBJECT_BOTH_ORDERS},
};

static const subject_launch launched[] = {{"parents, gather", .desc = WORDS}};

static const subject_way ways[] = {
    {"chosen", NULL, 0}, {"serial", "GROUP=1", 0}, {"small", "GROUP=64 DEPTH=1", 0}};

static const subject_kind kinds[] = {
    {"words", NULL, .desc = GATHER(CLPRIMS_F32, CLPRIMS_I64)},
    {"bytes", NULL, .desc = GATHER(CLPRIMS_U8, CLPRIMS_U32)},
    {"structs", NULL,
     .desc = SUBJECT_CUSTOM_DESC(gather, .type = CLPRIMS_STRUCT, .custom.type_bytes = 12,
                                 .index_type = CLPRIMS_I32)},
};

const subject subject_gather = {
    SUBJECT(gather),
    SUBJECT_MEMBER(gather, type),
    .traits = {.tells_numbers = true, .has_optional_numbers = true},
    .max = {SUBJECT_MAX(gather, max_n)},
    .plain = GATHER(CLPRIMS_I32, CLPRIMS_I64),
    SUBJECT_GROUPS(gather),
    .knobs = {.key = "gather", .call = "gather"},
    .check = check,
    .limit = drawn_indices_limit,
    .numbers = drawn_indices_numbers,
    SUBJECT_LAUNCHED_PLANS,
    .plans.ways = SUBJECT_TABLE(ways),
};
