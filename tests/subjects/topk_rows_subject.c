/* SPDX-License-Identifier: MIT */
/* Top-k of segments. */
#include "subjects/draws/sort_order.h"

enum { FEW = 100, FEW_SEGMENTS = 30, K = 7, FAULTS_N = 20000 };
enum { LENGTH = SUBJECT_LENGTH, NUMBER_K };

SUBJECT_PLAN(topk)
SUBJECT_PARAMETERS(topk)
SUBJECT_CHECK(topk)

static bool by_length(const subject_data *d) {
    return ((const clprims_topk_desc *)d->desc)->by == CLPRIMS_SEGMENTS_EQUAL;
}

/* By length, too many segments have one element each. */
static clprims_topk_sizes sizes(const subject_data *d, size_t segments) {
    clprims_topk_sizes sizes = {.k = d->n[NUMBER_K]};
    if (!by_length(d))
        sizes.segments = segments;
    else
        sizes.length = d->n[1] > d->most[1] ? 1 : d->n[LENGTH];
    return sizes;
}

/* A plan refuses the size that it has no use for. */
static clprims_status describe(const void *plan, const size_t *n, void *info, size_t bytes) {
    const size_t k = n[NUMBER_K] > 0 ? n[NUMBER_K] : 1;
    const clprims_topk_sizes by_offsets = {.k = k, .segments = n[1]};
    const clprims_topk_sizes rows = {.k = k, .length = n[LENGTH] > 0 ? n[LENGTH] : 1};
    const clprims_status status = clprims_topk_describe_sized(plan, n[0], rows, info, bytes);
    if (status != CLPRIMS_ERR_ARGUMENT) return status;
    return clprims_topk_describe_sized(plan, n[0], by_offsets, info, bytes);
}

SUBJECT_ENQUEUE(topk, .in = s->at[SORT_IN], .values = s->at[SORT_OUT],
                .indices = s->at[SORT_INDICES], .n = s->at[SORT_N], .report = s->at[SORT_REPORT],
                .sizes = sizes(d, subject_room(d, 1)), .offsets = s->at[SORT_OFFSETS],
                .segments = s->at[SORT_SEGMENTS], .counts = s->at[SORT_COUNTS])

SUBJECT_RUN(topk, .in = at[SORT_IN], .values = at[SORT_OUT], .indices = at[SORT_INDICES],
            .sizes = sizes(d, d->n[1]), .offsets = at[SORT_OFFSETS], .counts = at[SORT_COUNTS])

static void limit(size_t n, size_t most[SUBJECT_NUMBERS]) {
    most[1] = n + 1;
    most[NUMBER_K] = n < 300 ? n : 300;
}

static void limit_of_memory(size_t n, size_t most[SUBJECT_NUMBERS]) {
    most[1] = n / 16;
    most[NUMBER_K] = 100;
}

static void numbers(subject_data *d, size_t n) {
    subject_draw_segments(d, n);
    if (by_length(d)) subject_draw_length(d, n);
    d->n[NUMBER_K] = 1 + test_random_below(d->most[NUMBER_K]);
}

/* The first k places of each segment, from `from`; what a short segment leaves stays. */
static size_t *take_first(const subject_data *d, const size_t *from) {
    const size_t k = d->n[NUMBER_K];
    size_t *first = test_alloc(d->n[1] * k, sizeof *first);
    for (size_t s = 0; s < d->n[1]; s++) {
        const size_t begin = sort_begin_of(d, by_length(d), s);
        const size_t length = sort_begin_of(d, by_length(d), s + 1) - begin;
        for (size_t j = 0; j < k; j++) first[s * k + j] = j < length ? from[begin + j] : SORT_STAYS;
    }
    return first;
}

static void count_in_segments(subject_data *d, const size_t *first) {
    const subject_array *indices = &d->at[SORT_INDICES];
    const size_t k = d->n[NUMBER_K];
    for (size_t i = 0; i < d->n[1] * k; i++) {
        const size_t begin = sort_begin_of(d, by_length(d), i / k);
        if (first[i] == SORT_STAYS) continue;
        test_store_integer(indices->bytes, indices->expected, i, first[i] - begin);
    }
}

static void draw_counts(subject_data *d, size_t room) {
    uint32_t *counts = subject_out(d, SORT_COUNTS, "counts", d->n[1], room, sizeof *counts);
    for (size_t s = 0; s < d->n[1]; s++) {
        const size_t length =
            sort_begin_of(d, by_length(d), s + 1) - sort_begin_of(d, by_length(d), s);
        counts[s] = (uint32_t)(length < d->n[NUMBER_K] ? length : d->n[NUMBER_K]);
    }
    d->at[SORT_COUNTS].is_optional = true;
}

static clprims_sort_desc sort_like(const clprims_topk_desc *desc) {
    clprims_sort_desc like = {0};
    SORT_TAKE_KEYS(&like, desc);
    like.descending = !desc->least;
    like.indices = desc->indices;
    like.no_keys = desc->no_values;
    return like;
}

static void draw(subject_data *d) {
    const clprims_topk_desc *desc = d->desc;
    if (by_length(d)) d->n[1] = subject_rows(d->n[0], d->n[LENGTH]);
    const clprims_topk_report report = {CLPRIMS_TOPK_VALID, -1};
    const clprims_sort_desc like = sort_like(desc);
    const size_t n = d->n[1] > 0 || d->how != NULL ? d->n[0] : 0;
    const size_t room =
        by_length(d) && d->counted ? subject_rows(d->most[0], d->n[LENGTH]) : subject_room(d, 1);
    if (!by_length(d)) sort_draw_offsets(d, desc->offsets, n);
    size_t *order = sort_order_in(d, &like, "in", n);
    size_t *from = sort_define_segments(d, by_length(d), order, n), *first = take_first(d, from);
    sort_order_out(d, &like, "values", first, d->n[1] * d->n[NUMBER_K], room * d->n[NUMBER_K],
                   false);
    if (desc->local_indices) count_in_segments(d, first);
    draw_counts(d, room);
    subject_report(d, SORT_REPORT, &report, sizeof report);
    subject_number(d, SORT_N, "n", 0);
    free(order);
    free(from);
    free(first);
}

#define TOPK(...) SUBJECT_CUSTOM_DESC(topk, __VA_ARGS__)
#define PAIRS(...) TOPK(.type = CLPRIMS_U16, .indices = CLPRIMS_I32, __VA_ARGS__)
#define ROWS .by = CLPRIMS_SEGMENTS_EQUAL
/* 64 bits of keys, and 96. */
#define BY_KEYS(...)                                                                               \
    TOPK(.type = CLPRIMS_U32, .key = "x.k0", .then = {"x.k1"}, .then_type = {CLPRIMS_I32},         \
         .indices = CLPRIMS_I32, .elements = CLPRIMS_STRUCT, .custom.type_name = "thing",          \
         .custom.type_bytes = 8,                                                                   \
         .custom.declarations = "typedef struct { uint k0; int k1; } thing;", __VA_ARGS__)
#define BY_RANKS(...)                                                                              \
    TOPK(.type = CLPRIMS_U32, .key = "x.k0", .then = {"x.k1", "x.k2"}, .indices = CLPRIMS_I64,     \
         .elements = CLPRIMS_STRUCT, .custom.type_name = "thing", .custom.type_bytes = 12,         \
         .custom.declarations = "typedef struct { uint k0, k1, k2; } thing;", __VA_ARGS__)
#define MOST_OF_FEW                                                                                \
    { FEW, FEW_SEGMENTS, 0, K }

static const subject_call calls[] = {
    {"topk-segments", PAIRS(.local_indices = 1), NULL, .n = {FEW, FEW_SEGMENTS, 0, K}},
    {"topk-rows", PAIRS(ROWS), NULL, .n = {FEW, 15, 7, K}, .most = MOST_OF_FEW},
    {"topk-rows-counted", PAIRS(ROWS), NULL, .n = {57, 19, 3, K}, .most = {FEW, 34, 0, K},
     .counted = true},
    {"topk-segments-counted", PAIRS(.least = 1), NULL, .n = {57, 20, 0, K}, .most = MOST_OF_FEW,
     .counted = true},
    {"topk-segments-by-keys", BY_KEYS(.least = 1), NULL, .n = {FEW, FEW_SEGMENTS, 0, K}},
};

static const subject_sample samples[] = {
    {"topk_rows", TOPK(.type = CLPRIMS_U32, .indices = CLPRIMS_U32), 1234567, 3554433},
};

#define FAULTY(...) TOPK(.type = CLPRIMS_U32, .indices = CLPRIMS_I32, __VA_ARGS__)
/* One segment is long, and cut into pieces. */
static const subject_fault faults[] = {
    {"topk", "-rows", FAULTY(.offsets = CLPRIMS_I32), FAULTY(.key = "x ^ 1"), NULL,
     .n = {FAULTS_N, 1, 0, K}, .order = SUBJECT_NOT_ENQUEUED},
};

static const subject_launch launched[] = {
    {"topk", .desc = TOPK(.type = CLPRIMS_U32), .most = {0, 0, 0, 10}},
    {"topk", .desc = BY_RANKS(.least = 0, ROWS), .most = {0, 0, 0, 10}}};

#define MANY .most = {1 << 20, 1000, 0, 10}
static const subject_way ways[] = {{"chosen", NULL, 0}, {"groups", "EACH=4 ROWS=128", 0}};
static const subject_kind kinds[] = {
    {"words", NULL, .desc = TOPK(.type = CLPRIMS_U32, .indices = CLPRIMS_I64),
     .most = {1 << 20, 1 << 14, 0, 20}},
    {"doubles", NULL, .desc = TOPK(.type = CLPRIMS_F64, .indices = CLPRIMS_I64), MANY},
    {"keys", NULL, .desc = BY_RANKS(.parameters = "global const uint *weight, uint limit"), MANY},
    {"rows", NULL, .desc = TOPK(.type = CLPRIMS_F32, .indices = CLPRIMS_I32, ROWS),
     .most = {1 << 20, 1 << 13, 0, 10}},
};

const subject subject_topk_rows = {
    SUBJECT_NAMED("topk_rows", topk),
    .set_parameter = set_parameter,
    .traits = {.tells_numbers = true, .has_optional_numbers = true},
    .max = {SUBJECT_MAX(topk, max_n), SUBJECT_MAX(topk, max_segments), 0, SUBJECT_MAX(topk, max_k)},
    .plain = TOPK(.type = CLPRIMS_I32),
    SUBJECT_GROUP(topk),
    .check = check,
    .limit = limit,
    .limit_of_memory = limit_of_memory,
    .numbers = numbers,
    SUBJECT_PLANS,
    .plans.launched = SUBJECT_TABLE(launched),
    .plans.ways = SUBJECT_TABLE(ways),
};
