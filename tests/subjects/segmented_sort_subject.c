/* SPDX-License-Identifier: MIT */
/* Segmented sort. */
#include "subjects/draws/sort_order.h"

#include <stdlib.h>

enum { OFFSETS = SORT_SLOTS, REPORT, N, SEGMENTS };
enum { FEW = 100, FEW_SEGMENTS = 99, FAULTS_N = 5000 };

SUBJECT_PLAN(segmented_sort)
SUBJECT_DESCRIBE(segmented_sort, n[0], n[1])
SUBJECT_PARAMETERS(segmented_sort)
SUBJECT_CHECK(segmented_sort)

static clprims_status enqueue(void *plan, const subject_data *d, const subject_submission *s) {
    const clprims_segmented_sort_buffers buffers = {.struct_size = sizeof buffers,
                                                    .offsets = s->at[OFFSETS],
                                                    .keys_in = s->at[SORT_KEYS_IN],
                                                    .keys_out = s->at[SORT_KEYS_OUT],
                                                    .payload_in = {s->at[SORT_PAYLOAD_IN]},
                                                    .payload_out = {s->at[SORT_PAYLOAD_OUT]},
                                                    .indices = s->at[SORT_INDICES],
                                                    .report = s->at[REPORT]};
    if (d->counted) {
        return clprims_segmented_sort_enqueue_counted(plan, s->queue, &buffers, s->at[N],
                                                      s->at[SEGMENTS], SUBJECT_WAITS(s));
    }
    return clprims_segmented_sort_enqueue(plan, s->queue, &buffers, d->n[0], d->n[1],
                                          SUBJECT_WAITS(s));
}

static clprims_status run(void *plan, const subject_data *d, void *const *at) {
    const clprims_segmented_sort_arrays arrays = {.struct_size = sizeof arrays,
                                                  .offsets = at[OFFSETS],
                                                  .keys_in = at[SORT_KEYS_IN],
                                                  .keys_out = at[SORT_KEYS_OUT],
                                                  .payload_in = {at[SORT_PAYLOAD_IN]},
                                                  .payload_out = {at[SORT_PAYLOAD_OUT]},
                                                  .indices = at[SORT_INDICES]};
    return clprims_segmented_sort_run(plan, &arrays, d->n[0], d->n[1]);
}

static void limit_of_memory(size_t n, size_t most[SUBJECT_NUMBERS]) {
    most[1] = n / 16;
}

/* Where the element of each place comes from: sorted all together, then put into their segments one
 * after another. */
static uint32_t *define(const subject_data *d, const void *offsets, size_t bytes) {
    const clprims_segmented_sort_desc *desc = d->desc;
    const size_t count = d->n[1], n = count > 0 ? d->n[0] : 0;
    uint32_t *all = test_alloc(n, sizeof *all), *order = test_alloc(n, sizeof *order);
    uint32_t *segments = test_alloc(n, sizeof *segments), *next = test_alloc(count, sizeof *next);
    uint32_t *numbers =
        sort_order_numbers(desc->type, d->at[SORT_KEYS_IN].values, d->at[SORT_KEYS_IN].bytes, n,
                           desc->end_bit, desc->descending);
    subject_order_by(numbers, n, all);
    for (size_t s = 0; s < count; s++) {
        const size_t end = subject_load(bytes, offsets, s + 1);
        next[s] = (uint32_t)subject_load(bytes, offsets, s);
        for (size_t i = next[s]; i < end; i++) segments[i] = (uint32_t)s;
    }
    for (size_t i = 0; i < n; i++) order[next[segments[all[i]]]++] = all[i];
    free(all);
    free(segments);
    free(next);
    free(numbers);
    return order;
}

static void draw(subject_data *d) {
    const clprims_segmented_sort_desc *desc = d->desc;
    const clprims_segmented_sort_report report = {CLPRIMS_SEGMENTED_SORT_VALID, -1};
    /* Elements of no segment are not written. */
    const size_t n = d->n[1] > 0 ? d->n[0] : 0, room = subject_room(d, 0);
    const size_t key_bytes = clprims_type_bytes(desc->type);
    const size_t offset_bytes = desc->offsets == CLPRIMS_I32 ? 4 : 8;
    void *offsets =
        subject_in(d, OFFSETS, "offsets", d->n[1] + 1, subject_room(d, 1) + 1, offset_bytes);
    subject_cut(offsets, offset_bytes, n, d->n[1]);
    sort_order_fill(desc->type, subject_in(d, SORT_KEYS_IN, "keys_in", n, room, key_bytes), n);
    uint32_t *order = define(d, offsets, offset_bytes);
    const sort_results results = {true, desc->payloads > 0 ? desc->payload_bytes[0] : 0,
                                  desc->indices};
    sort_order_results(d, results, order, n);
    subject_report(d, REPORT, &report, sizeof report);
    subject_number(d, N, "n", 0);
    subject_number(d, SEGMENTS, "segments", 1);
    free(order);
}

#define SEGMENTS_OF(...)                                                                           \
    SUBJECT_CUSTOM_DESC(segmented_sort, .end_bit = CLPRIMS_SORT_ALL_BITS, __VA_ARGS__)
#define PAIRS(...)                                                                                 \
    SEGMENTS_OF(.type = CLPRIMS_U16, .indices = CLPRIMS_I32, .payloads = 1, .payload_bytes = {8},  \
                __VA_ARGS__)
#define SERIAL PAIRS(.algorithm = CLPRIMS_SEGMENTED_SORT_SERIAL)
#define GROUPS PAIRS(.algorithm = CLPRIMS_SEGMENTED_SORT_GROUPS)
#define WORDS(...) SEGMENTS_OF(.type = CLPRIMS_U32, .indices = CLPRIMS_I32, __VA_ARGS__)
#define ALL_OF_EACH                                                                                \
    { FEW, FEW_SEGMENTS }

static const subject_call calls[] = {
    {"segmented-sort-serial", SERIAL, "MOST=40", .n = ALL_OF_EACH},
    {"segmented-sort-groups", GROUPS, "GROUP=32 TEAMS=8 ITEMS=5 LARGE=8 LARGE_ITEMS=7 RADIX=0",
     .n = ALL_OF_EACH},
    {"segmented-sort-counted", SERIAL, "MOST=40", .n = {57, 57}, .most = ALL_OF_EACH,
     .counted = true},
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
};

static const subject_launch launched[] = {{"segmented-sort", .desc = WORDS(.tuning = "MOST=100")}};

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
};

const subject subject_segmented_sort = {
    SUBJECT(segmented_sort, max_segments),
    .set_parameter = set_parameter,
    .traits = {.tells_numbers = true, .has_optional_numbers = true},
    .max = {SUBJECT_MAX(segmented_sort, max_n), SUBJECT_MAX(segmented_sort, max_segments)},
    .plain = SEGMENTS_OF(.type = CLPRIMS_I32),
    SUBJECT_INFO(segmented_sort, algorithm),
    SUBJECT_SCRATCH(segmented_sort),
    .fitting = 1 << 25,
    .knobs = {.key = "segmented-sort",
              .call = "segmented-sort-serial",
              .desc = PAIRS(.algorithm = CLPRIMS_SEGMENTED_SORT_AUTO)},
    .check = check,
    .limit = subject_limit_segments,
    .limit_of_memory = limit_of_memory,
    .numbers = subject_draw_segments,
    SUBJECT_PLANS,
    .plans.launched = SUBJECT_TABLE(launched),
    .plans.ways = SUBJECT_TABLE(ways),
    .plans.set_way = set_way,
};
