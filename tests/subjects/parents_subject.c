/* SPDX-License-Identifier: MIT */
/* Parents: the segment of each element, and its place in it. */
#include "subjects/subjects.h"

enum { OFFSETS, PARENTS, LOCAL_INDEX, SEGMENTS, REPORT };
enum { FEW = 100, FAULTS_N = 100000, FAULTS_SEGMENTS = 10000 };

SUBJECT_PLAN(parents)
SUBJECT_DESCRIBE(parents, n[0], (clprims_parents_sizes){n[1]})
SUBJECT_CHECK(parents)

static clprims_status enqueue(void *plan, const subject_data *d, const subject_submission *s) {
    const clprims_parents_buffers buffers = {s->at[OFFSETS],  s->at[PARENTS], s->at[LOCAL_INDEX],
                                             s->at[SEGMENTS], s->at[REPORT],  {subject_room(d, 1)}};
    return clprims_parents_enqueue(plan, s->queue, SUBJECT_GIVEN(d, &buffers), d->n[0],
                                   SUBJECT_WAITS(s));
}

SUBJECT_RUN(parents, at[OFFSETS], at[PARENTS], at[LOCAL_INDEX], {d->n[1]})

static void draw(subject_data *d) {
    const clprims_parents_desc *desc = d->desc;
    const clprims_parents_report report = {CLPRIMS_PARENTS_VALID, -1, (int64_t)d->n[1]};
    const size_t n = d->n[0], count = d->n[1];
    const size_t offset_bytes =
        desc->offsets_type == CLPRIMS_I32 || desc->offsets_type == CLPRIMS_U32 ? 4 : 8;
    const size_t bytes = desc->type == CLPRIMS_I32 ? 4 : 8;
    void *offsets =
        subject_in(d, OFFSETS, "offsets", count + 1, subject_room(d, 1) + 1, offset_bytes);
    void *parents = NULL, *places = NULL;
    if (d->offsets == NULL) subject_cut(offsets, offset_bytes, n, count);
    for (size_t s = 0; d->offsets != NULL && s <= count; s++) {
        test_store_integer(offset_bytes, offsets, s, (uint64_t)d->offsets[s]);
    }
    if (desc->result != CLPRIMS_PARENTS_LOCAL_INDEX) {
        parents = subject_out(d, PARENTS, "parents", n, n, bytes);
        subject_keep(d, PARENTS);
    }
    if (desc->result != CLPRIMS_PARENTS_SEGMENT) {
        places = subject_out(d, LOCAL_INDEX, "local_index", n, n, bytes);
        subject_keep(d, LOCAL_INDEX);
    }
    for (size_t s = 0; s < count; s++) {
        const size_t begin = subject_load(offset_bytes, offsets, s);
        const size_t end = subject_load(offset_bytes, offsets, s + 1);
        for (size_t i = begin; i < end; i++) {
            if (parents != NULL) test_store_integer(bytes, parents, i, s);
            if (places != NULL) test_store_integer(bytes, places, i, i - begin);
        }
    }
    subject_report(d, REPORT, &report, sizeof report);
    subject_number(d, SEGMENTS, "segments", 1);
}

#define PARENTS_OF(result_, offsets_, type_)                                                       \
    SUBJECT_DESC(parents, .result = result_, .offsets_type = offsets_, .type = type_)
#define BOTH PARENTS_OF(CLPRIMS_PARENTS_BOTH, CLPRIMS_TYPE_DEFAULT, CLPRIMS_I32)
#define ALONE PARENTS_OF(CLPRIMS_PARENTS_SEGMENT, CLPRIMS_TYPE_DEFAULT, CLPRIMS_I32)
#define NARROW PARENTS_OF(CLPRIMS_PARENTS_SEGMENT, CLPRIMS_I32, CLPRIMS_I32)
#define ONE "GROUP=1 SHARE=3"
#define ALL                                                                                        \
    { FEW, FEW }

static const subject_call calls[] = {
    {"parents", BOTH, "GROUP=8 SHARE=3", .n = ALL, .needs_shapes = true},
    {"parents-counted", ALONE, ONE, .n = {FEW, 57}, .most = ALL, .counted = true,
     .needs_shapes = true},
    {"parents-of-none", ALONE, ONE, .n = {0, 0}, .most = ALL, .needs_shapes = true},
};

static const subject_sample samples[] = {
    {"parents", BOTH, 12345678, 33554433},
    {"parents/narrow", PARENTS_OF(CLPRIMS_PARENTS_BOTH, CLPRIMS_I32, CLPRIMS_I32), 0, 0},
};

static const subject_fault faults[] = {
    {"parents", "", NARROW, .n = {FAULTS_N, FAULTS_SEGMENTS}, .order = SUBJECT_BOTH_ORDERS},
};

static const subject_launch launched[] = {{"parents, gather", .desc = NARROW}};

static const subject_way ways[] = {
    {"chosen", NULL, 0}, {"serial", "GROUP=1", 0}, {"small", "GROUP=64 SHARE=100", 0}};

static const subject_kind kinds[] = {
    {"i64", NULL, .desc = PARENTS_OF(CLPRIMS_PARENTS_SEGMENT, CLPRIMS_I64, CLPRIMS_I64)},
    {"both.i32", NULL, .desc = PARENTS_OF(CLPRIMS_PARENTS_BOTH, CLPRIMS_I32, CLPRIMS_I32)},
};

const subject subject_parents = {
    SUBJECT(parents),
    .traits = {.tells_numbers = true},
    .max = {SUBJECT_MAX(parents, max_n), SUBJECT_MAX(parents, max_segments)},
    .plain = SUBJECT_DESC(parents, .tuning = NULL),
    SUBJECT_GROUPS(parents),
    .knobs = {.key = "parents", .call = "parents"},
    .check = check,
    .limit = subject_limit_segments,
    .numbers = subject_draw_segments,
    SUBJECT_LAUNCHED_PLANS,
    .plans.ways = SUBJECT_TABLE(ways),
};
