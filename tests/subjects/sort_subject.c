/* SPDX-License-Identifier: MIT */
/* Sort: keys with a payload and indices, indices alone, elements by an expression. */
#include "subjects/draws/sort_order.h"

enum { FEW = 100, FAULTS_N = 100000 };

SUBJECT_PLAN(sort)
SUBJECT_DESCRIBE(sort, n[0])
SUBJECT_PARAMETERS(sort)
SUBJECT_CHECK(sort)

static clprims_status enqueue(void *plan, const subject_data *d, const subject_submission *s) {
    clprims_sort_buffers buffers = {.keys_in = s->at[SORT_IN],
                                    .keys_out = s->at[SORT_OUT],
                                    .indices = s->at[SORT_INDICES],
                                    .n = s->at[SORT_N],
                                    .report = s->at[SORT_REPORT]};
    memcpy(buffers.payload_in, &s->at[SORT_PAYLOAD_IN], sizeof buffers.payload_in);
    memcpy(buffers.payload_out, &s->at[SORT_PAYLOAD_OUT], sizeof buffers.payload_out);
    return clprims_sort_enqueue(plan, s->queue, SUBJECT_GIVEN(d, &buffers), subject_room(d, 0),
                                SUBJECT_WAITS(s));
}

static clprims_status run(void *plan, const subject_data *d, void *const *at) {
    clprims_sort_arrays arrays = {
        .keys_in = at[SORT_IN], .keys_out = at[SORT_OUT], .indices = at[SORT_INDICES]};
    memcpy(arrays.payload_in, &at[SORT_PAYLOAD_IN], sizeof arrays.payload_in);
    memcpy(arrays.payload_out, &at[SORT_PAYLOAD_OUT], sizeof arrays.payload_out);
    return clprims_sort_run(plan, SUBJECT_GIVEN(d, &arrays), d->n[0]);
}

static void draw(subject_data *d) {
    const clprims_sort_desc *desc = d->desc;
    const clprims_sort_report report = {CLPRIMS_SORT_VALID, (int64_t)d->n[0]};
    size_t *from = sort_order_in(d, desc, "keys_in", d->n[0]);
    sort_order_out(d, desc, "keys_out", from, d->n[0], subject_room(d, 0), true);
    subject_number(d, SORT_N, "n", 0);
    if (d->counted) subject_report(d, SORT_REPORT, &report, sizeof report);
    free(from);
}

#define KEYS(...) SUBJECT_CUSTOM_DESC(sort, __VA_ARGS__)
#define SORT(...) KEYS(__VA_ARGS__)
#define PAIRS(...)                                                                                 \
    SORT(.type = CLPRIMS_U16, .indices = CLPRIMS_I32, .payloads = 1, .payload_bytes = {8},         \
         __VA_ARGS__)
#define INDICES_OF(...) SORT(.type = CLPRIMS_U16, .indices = CLPRIMS_I32, .no_keys = 1, __VA_ARGS__)
#define SERIAL .algorithm = CLPRIMS_SORT_SERIAL
#define SCATTER .algorithm = CLPRIMS_SORT_COUNT_SCATTER
#define ONESWEEP .algorithm = CLPRIMS_SORT_ONESWEEP
#define PARTS "PARTS=3 SINGLE=0"
#define RANKERS "RANKERS=8 ITEMS=4 SINGLE=0"
#define STRUCTS(type_, key_, declarations_, bytes)                                                 \
    SORT(.type = type_, .key = key_, .elements = CLPRIMS_STRUCT,                                   \
         .custom.declarations = declarations_, .custom.type_name = "thing",                        \
         .custom.type_bytes = bytes)

#define BY_KEYS(...)                                                                               \
    SORT(.type = CLPRIMS_U16, .key = "x.k0", .then = {"x.k1"}, .then_type = {CLPRIMS_I32},         \
         .elements = CLPRIMS_STRUCT, .custom.type_name = "thing", .custom.type_bytes = 8,          \
         .custom.declarations = "typedef struct { ushort k0; int k1; } thing;", __VA_ARGS__)

/* On NVIDIA's layer onesweep has the place of the serial sort. */
static const subject_call calls[] = {
    {"sort-parts", PAIRS(SERIAL), PARTS, .n = {FEW}, .nvidia_desc = PAIRS(ONESWEEP),
     .nvidia_tuning = RANKERS},
    {"sort-tiles", PAIRS(SCATTER), "GROUP=4 ITEMS=3 SINGLE=0", .n = {FEW}},
    {"argsort-parts", INDICES_OF(SERIAL), PARTS, .n = {FEW}, .nvidia_desc = INDICES_OF(ONESWEEP),
     .nvidia_tuning = RANKERS},
    {"argsort-single-group", INDICES_OF(.floats = 0), "SINGLE=100", .n = {FEW}},
    {"sort-by-expression",
     STRUCTS(CLPRIMS_U16, "x.words[1]", "typedef struct { uint words[2]; } thing;", 8), NULL,
     .n = {FEW}},
    {"sort-counted", PAIRS(SCATTER), "GROUP=4 ITEMS=3 SINGLE=0", .n = {57}, .most = {FEW},
     .counted = true},
    {"sort-by-keys", BY_KEYS(.payloads = 1, .payload_bytes = {6}), NULL, .n = {FEW}},
};

static const subject_sample samples[] = {
    {"sort", SORT(.type = CLPRIMS_U32, .indices = CLPRIMS_U32), 12345678, 33554433},
    {"sort/signed", SORT(.type = CLPRIMS_I32, .indices = CLPRIMS_U32), 0, 0},
    {"sort/pairs", SORT(.type = CLPRIMS_U32, .descending = 1, .payloads = 1, .payload_bytes = {8}),
     0, 0},
    {"sort/argsort", SORT(.type = CLPRIMS_F32, .no_keys = 1, .indices = CLPRIMS_U32), 0, 0},
};

/* The values by their low bytes. */
static const subject_fault faults[] = {
    {"sort", "",
     KEYS(.type = CLPRIMS_U32, .end_bit = 8, .indices = CLPRIMS_I32, .payloads = 1,
          .payload_bytes = {4}),
     KEYS(.type = CLPRIMS_U32, .end_bit = 8, .indices = CLPRIMS_I32, .payloads = 1,
          .payload_bytes = {4}, .key = "x.weight", .elements = CLPRIMS_STRUCT,
          .custom.declarations = "typedef struct { uint weight, id, rest; } thing;",
          .custom.type_name = "thing", .custom.type_bytes = 12),
     .n = {FAULTS_N}, .order = SUBJECT_BOTH_ORDERS},
    {"sort", "-by-keys", BY_KEYS(.indices = CLPRIMS_I32), NULL, .n = {FAULTS_N}},
};

#define WORDS(...) SORT(.type = CLPRIMS_U32, .indices = CLPRIMS_I32, __VA_ARGS__)
static const subject_launch launched[] = {
    {"sort/serial", .desc = WORDS(SERIAL)},
    {"sort/count-scatter", .desc = WORDS(SCATTER)},
    {"sort/keys", .desc = BY_KEYS(.payloads = 1, .payload_bytes = {6})},
};

static const subject_limit limits[] = {
    {"sort of pairs", SORT(.type = CLPRIMS_I32, .payloads = 1, .payload_bytes = {4})},
    {"argsort", SORT(.type = CLPRIMS_F32, .indices = CLPRIMS_I32, .no_keys = 1)},
};

SUBJECT_SET_WAY(sort, algorithm)

static const subject_way ways[] = {{"auto", NULL, CLPRIMS_SORT_AUTO},
                                   {"count-scatter", NULL, CLPRIMS_SORT_COUNT_SCATTER},
                                   {"serial", NULL, CLPRIMS_SORT_SERIAL}};

static const subject_kind kinds[] = {
    {"words", NULL, .desc = SORT(.type = CLPRIMS_U32)},
    {"shorts", NULL, .desc = SORT(.type = CLPRIMS_I16),
     .most = {4 << 20}}, /* are written by their counts */
    {"argsort", NULL, .desc = SORT(.type = CLPRIMS_F64, .indices = CLPRIMS_I64, .no_keys = 1)},
    {"payloads", NULL,
     .desc = SORT(.type = CLPRIMS_I8, .indices = CLPRIMS_I64, .payloads = 3,
                  .payload_bytes = {16, 12, 3}, .begin_bit = 2, .descending = 1)},
    {"expression", NULL,
     .desc =
         SUBJECT_DESC(sort, .type = CLPRIMS_U32, .key = "x.words[2] < limit ? weight[i % 7] : 0",
                      .elements = CLPRIMS_STRUCT,
                      .custom.declarations = "typedef struct { uint words[3]; } thing;",
                      .custom.type_name = "thing", .custom.type_bytes = 12,
                      .parameters = "global const uint *weight, uint limit")},
    {"keys", NULL,
     .desc = SUBJECT_DESC(
         sort, .type = CLPRIMS_U32, .key = "x.words[2] < limit",
         .then = {"x.words[0]", "weight[i % 7]", "x.words[1]"},
         .then_type = {CLPRIMS_I16, CLPRIMS_U32, CLPRIMS_U8}, .elements = CLPRIMS_STRUCT,
         .custom.declarations = "typedef struct { uint words[3]; } thing;",
         .custom.type_name = "thing", .custom.type_bytes = 12, .payloads = 1, .payload_bytes = {3},
         .parameters = "global const uint *weight, uint limit")},
};

const subject subject_sort = {
    SUBJECT(sort),
    SUBJECT_MEMBER(sort, type),
    .set_parameter = set_parameter,
    .traits = {.tells_numbers = true},
    .max = {SUBJECT_MAX(sort, max_n)},
    .plain = SORT(.type = CLPRIMS_I32),
    SUBJECT_GROUP(sort),
    .knobs = {.key = "sort", .call = "argsort-single-group"},
    .check = check,
    SUBJECT_LAUNCHED_PLANS,
    .plans.limits = SUBJECT_TABLE(limits),
    .plans.ways = SUBJECT_TABLE(ways),
    .plans.set_way = set_way,
};
