/* SPDX-License-Identifier: MIT */
/* Segmented sort. */
#include "subjects/draws/sort_order.h"

enum { FEW = 100, FEW_SEGMENTS = 99, FAULTS_N = 5000 };
enum { LENGTH = SUBJECT_LENGTH };

SUBJECT_PLAN(segmented_sort)
SUBJECT_PARAMETERS(segmented_sort)
SUBJECT_CHECK(segmented_sort)

static bool by_length(const subject_data *d) {
    return ((const clprims_segmented_sort_desc *)d->desc)->by == CLPRIMS_SEGMENTS_EQUAL;
}

/* By length, too many segments have one element each. */
static clprims_segmented_sort_sizes sizes(const subject_data *d, size_t segments) {
    if (!by_length(d)) return (clprims_segmented_sort_sizes){.segments = segments};
    return (clprims_segmented_sort_sizes){.length = d->n[1] > d->most[1] ? 1 : d->n[LENGTH]};
}

/* A plan refuses the size that it has no use for. */
static clprims_status describe(const void *plan, const size_t *n, void *info, size_t bytes) {
    const clprims_segmented_sort_sizes by_offsets = {.segments = n[1]};
    const clprims_segmented_sort_sizes rows = {.length = n[LENGTH] > 0 ? n[LENGTH] : 1};
    const clprims_status status =
        clprims_segmented_sort_describe_sized(plan, n[0], rows, info, bytes);
    if (status != CLPRIMS_ERR_ARGUMENT) return status;
    return clprims_segmented_sort_describe_sized(plan, n[0], by_offsets, info, bytes);
}

static clprims_status enqueue(void *plan, const subject_data *d, const subject_submission *s) {
    clprims_segmented_sort_buffers buffers = {.offsets = s->at[SORT_OFFSETS],
                                              .keys_in = s->at[SORT_IN],
                                              .keys_out = s->at[SORT_OUT],
                                              .indices = s->at[SORT_INDICES],
                                              .report = s->at[SORT_REPORT],
                                              .n = s->at[SORT_N],
                                              .segments = s->at[SORT_SEGMENTS],
                                              .sizes = sizes(d, subject_room(d, 1))};
    memcpy(buffers.payload_in, &s->at[SORT_PAYLOAD_IN], sizeof buffers.payload_in);
    memcpy(buffers.payload_out, &s->at[SORT_PAYLOAD_OUT], sizeof buffers.payload_out);
    return clprims_segmented_sort_enqueue(plan, s->queue, SUBJECT_GIVEN(d, &buffers),
                                          subject_room(d, 0), SUBJECT_WAITS(s));
}

static clprims_status run(void *plan, const subject_data *d, void *const *at) {
    clprims_segmented_sort_arrays arrays = {.offsets = at[SORT_OFFSETS],
                                            .keys_in = at[SORT_IN],
                                            .keys_out = at[SORT_OUT],
                                            .indices = at[SORT_INDICES],
                                            .sizes = sizes(d, d->n[1])};
    memcpy(arrays.payload_in, &at[SORT_PAYLOAD_IN], sizeof arrays.payload_in);
    memcpy(arrays.payload_out, &at[SORT_PAYLOAD_OUT], sizeof arrays.payload_out);
    return clprims_segmented_sort_run(plan, SUBJECT_GIVEN(d, &arrays), d->n[0]);
}

static void limit_of_memory(size_t n, size_t most[SUBJECT_NUMBERS]) {
    most[1] = n / 16;
}

static clprims_sort_desc sort_like(const clprims_segmented_sort_desc *desc) {
    clprims_sort_desc like = {0};
    SORT_TAKE_KEYS(&like, desc);
    like.descending = desc->descending;
    like.begin_bit = desc->begin_bit;
    like.end_bit = desc->end_bit;
    like.payloads = desc->payloads;
    memcpy(like.payload_bytes, desc->payload_bytes, sizeof like.payload_bytes);
    like.indices = desc->indices;
    like.no_keys = desc->no_keys;
    return like;
}

static void count_in_segments(subject_data *d) {
    const subject_array *indices = &d->at[SORT_INDICES];
    for (size_t s = 0; s < d->n[1]; s++) {
        const size_t begin = sort_begin_of(d, by_length(d), s),
                     end = sort_begin_of(d, by_length(d), s + 1);
        for (size_t i = begin; i < end; i++) {
            const uint64_t index = subject_load(indices->bytes, indices->expected, i);
            test_store_integer(indices->bytes, indices->expected, i, index - begin);
        }
    }
}

static void numbers(subject_data *d, size_t n) {
    subject_draw_segments(d, n);
    if (by_length(d)) subject_draw_length(d, n);
}

static void draw(subject_data *d) {
    const clprims_segmented_sort_desc *desc = d->desc;
    if (by_length(d)) d->n[1] = subject_rows(d->n[0], d->n[LENGTH]);
    const clprims_segmented_sort_report report = {CLPRIMS_SEGMENTED_SORT_VALID, -1};
    const clprims_sort_desc like = sort_like(desc);
    /* Without segments nothing is written. */
    const size_t n = d->n[1] > 0 || d->how != NULL ? d->n[0] : 0, room = subject_room(d, 0);
    if (!by_length(d)) sort_draw_offsets(d, desc->offsets, n);
    size_t *order = sort_order_in(d, &like, "keys_in", n),
           *from = sort_define_segments(d, by_length(d), order, n);
    sort_order_out(d, &like, "keys_out", from, n, room, true);
    if (desc->local_indices) count_in_segments(d);
    subject_report(d, SORT_REPORT, &report, sizeof report);
    subject_number(d, SORT_N, "n", 0);
    free(order);
    free(from);
}

#define SEGMENTS_OF(...) SUBJECT_CUSTOM_DESC(segmented_sort, __VA_ARGS__)
#define PAIRS(...)                                                                                 \
    SEGMENTS_OF(.type = CLPRIMS_U16, .indices = CLPRIMS_I32, .payloads = 1, .payload_bytes = {8},  \
                __VA_ARGS__)
#define ROWS .by = CLPRIMS_SEGMENTS_EQUAL
#define SERIAL PAIRS(.algorithm = CLPRIMS_SEGMENTED_SORT_SERIAL)
#define GROUPS PAIRS(.algorithm = CLPRIMS_SEGMENTED_SORT_GROUPS)
#define WORDS(...) SEGMENTS_OF(.type = CLPRIMS_U32, .indices = CLPRIMS_I32, __VA_ARGS__)
/* 64 bits of keys. */
#define BY_KEYS(...)                                                                               \
    SEGMENTS_OF(.type = CLPRIMS_U32, .key = "x.k0", .then = {"x.k1"}, .then_type = {CLPRIMS_I32},  \
                .elements = CLPRIMS_STRUCT, .custom.type_name = "thing", .custom.type_bytes = 8,   \
                .custom.declarations = "typedef struct { uint k0; int k1; } thing;", __VA_ARGS__)
/* 96 bits. */
#define BY_RANKS(...)                                                                              \
    SEGMENTS_OF(.type = CLPRIMS_U32, .key = "x.k0", .then = {"x.k1", "x.k2"},                      \
                .elements = CLPRIMS_STRUCT, .custom.type_name = "thing", .custom.type_bytes = 12,  \
                .custom.declarations = "typedef struct { uint k0, k1, k2; } thing;", __VA_ARGS__)
#define ALL_OF_EACH                                                                                \
    { FEW, FEW_SEGMENTS }

static const subject_call calls[] = {
    {"segmented-sort-serial", SERIAL, "MOST=40", .n = ALL_OF_EACH},
    {"segmented-sort-groups", GROUPS, "GROUP=32 TEAMS=8 ITEMS=5 LARGE=8 LARGE_ITEMS=7 RADIX=0",
     .n = ALL_OF_EACH},
    {"segmented-sort-rows", PAIRS(.algorithm = CLPRIMS_SEGMENTED_SORT_SERIAL, ROWS), "MOST=40",
     .n = {FEW, 15, 7}, .most = ALL_OF_EACH},
    {"segmented-sort-rows-counted", PAIRS(.algorithm = CLPRIMS_SEGMENTED_SORT_SERIAL, ROWS),
     "MOST=40", .n = {57, 19, 3}, .most = ALL_OF_EACH, .counted = true},
    {"segmented-sort-counted", SERIAL, "MOST=40", .n = {57, 57}, .most = ALL_OF_EACH,
     .counted = true},
    {"segmented-sort-by-keys", BY_KEYS(.payloads = 1, .payload_bytes = {6}), "MOST=40",
     .n = ALL_OF_EACH},
};

static const subject_sample samples[] = {
    {"segmented_sort", SEGMENTS_OF(.type = CLPRIMS_U32, .indices = CLPRIMS_U32), 5000000, 33554433},
    {"segmented_sort/signed",
     SEGMENTS_OF(.type = CLPRIMS_I32, .indices = CLPRIMS_U32, .offsets = CLPRIMS_I32), 0, 0},
};

/* Segments that are long for these knobs. */
static const subject_fault faults[] = {
    {"segmented_sort", "",
     WORDS(.offsets = CLPRIMS_I32, .algorithm = CLPRIMS_SEGMENTED_SORT_SERIAL),
     WORDS(.offsets = CLPRIMS_I32, .algorithm = CLPRIMS_SEGMENTED_SORT_SERIAL, .key = "x.y",
           .elements = CLPRIMS_STRUCT, .custom.declarations = "typedef struct { uint y, z; } pair;",
           .custom.type_name = "pair", .custom.type_bytes = 8),
     "MOST=2", .n = {FAULTS_N, 2}, .order = SUBJECT_NOT_ENQUEUED},
    {"segmented_sort", "-by-ranks", BY_RANKS(.indices = CLPRIMS_I32), NULL, "MOST=2",
     .n = {FAULTS_N, 2}},
};

static const subject_launch launched[] = {
    {"segmented-sort", .desc = WORDS(.tuning = "MOST=100")},
    {"segmented-sort", .desc = BY_RANKS(.tuning = "MOST=100", .indices = CLPRIMS_I32)},
};

SUBJECT_SET_WAY(segmented_sort, algorithm)

static const subject_way ways[] = {{"auto", NULL, CLPRIMS_SEGMENTED_SORT_AUTO},
                                   {"groups", NULL, CLPRIMS_SEGMENTED_SORT_GROUPS},
                                   {"serial", NULL, CLPRIMS_SEGMENTED_SORT_SERIAL}};

#define MANY .most = {1 << 20, 1000}
static const subject_kind kinds[] = {
    {"words", NULL, .desc = SEGMENTS_OF(.type = CLPRIMS_U32), MANY},
    {"payloads", NULL,
     .desc = SEGMENTS_OF(.type = CLPRIMS_F64, .offsets = CLPRIMS_I32, .payloads = 1,
                         .payload_bytes = {12}, .indices = CLPRIMS_I64),
     MANY},
    {"keys", NULL,
     .desc = BY_RANKS(.payloads = 1, .payload_bytes = {3},
                      .parameters = "global const uint *weight, uint limit"),
     MANY},
    {"rows", NULL, .desc = SEGMENTS_OF(.type = CLPRIMS_U32, ROWS), MANY},
};

const subject subject_segmented_sort = {
    SUBJECT(segmented_sort),
    SUBJECT_MEMBER(segmented_sort, type),
    .set_parameter = set_parameter,
    .traits = {.tells_numbers = true, .has_optional_numbers = true},
    .max = {SUBJECT_MAX(segmented_sort, max_n), SUBJECT_MAX(segmented_sort, max_segments)},
    .plain = SEGMENTS_OF(.type = CLPRIMS_I32),
    SUBJECT_INFO(segmented_sort),
    SUBJECT_SCRATCH(segmented_sort),
    .fitting = 1 << 25,
    .knobs = {.key = "segmented-sort",
              .call = "segmented-sort-serial",
              .desc = PAIRS(.algorithm = CLPRIMS_SEGMENTED_SORT_AUTO)},
    .check = check,
    .limit = subject_limit_segments,
    .limit_of_memory = limit_of_memory,
    .numbers = numbers,
    SUBJECT_LAUNCHED_PLANS,
    .plans.ways = SUBJECT_TABLE(ways),
    .plans.set_way = set_way,
};
