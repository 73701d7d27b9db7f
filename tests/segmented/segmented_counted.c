/* SPDX-License-Identifier: MIT */
/* Runs whose numbers stand in device memory give what plain runs of these numbers give, bit by bit,
 * and nothing where a number is too large. */
#include "segmented/segmented_tries.h"
#include "subjects/runs/subject_counted.h"

static size_t most_n(void) {
    return test_small() ? 90 : 1500;
}

static subject_data data_like(const clprims_segmented_desc *desc) {
    return (subject_data){
        .of = &subject_segmented, .desc = desc, .most = {desc->max_n, desc->max_segments}};
}

static void bits_are_those_of_a_plain_run(const clprims_segmented_desc *desc, void *plan) {
    subject_data d = data_like(desc);
    d.fill = segmented_fill_rounding;
    d.counted = true;
    subject_draw_about(&d, desc->max_n / 2);
    d.counted = false;
    subject_expect_as_run(&d, plan);
    d.counted = true;
    subject_enqueue_is_right(&d, plan);
}

/* Each number in turn, the other one read as well or the host's. */
static void counted_is_right(const void *data) {
    const clprims_segmented_desc *desc = data;
    subject_data like = data_like(desc);
    clprims_segmented *plan = segmented_plan(desc);
    like.may_be_malformed = true;
    subject_counted_is_right(&like, plan, 8, false);
    bits_are_those_of_a_plain_run(desc, plan);
}

/* The last offset is compared with the number that was read, not with max_n. */
static void offsets_end_at_the_count(const void *data) {
    const clprims_segmented_desc *desc = data;
    clprims_segmented *plan = segmented_plan(desc);
    for (int beyond = 0; beyond < 2; beyond++) {
        subject_data d = data_like(desc);
        d.n[0] = desc->max_n - 7;
        d.n[1] = 4;
        d.counted = true;
        subject_draw(&d);
        if (beyond) segmented_spoil(&d, 4, (int64_t)d.n[0] + 1, 4);
        subject_enqueue_is_right(&d, plan);
    }
}

/* What the calls of other primitives do not have. */
static void counted_is_refused(const void *data) {
    const clprims_segmented_desc *desc = data;
    clprims_segmented *plan = segmented_plan(desc);
    test_buffer number = test_buffer_create(NULL, 1, 8, 0);
    const clprims_segmented_buffers b = {.segments = number.at,
                                         .sizes.length = desc->by == CLPRIMS_SEGMENTS_EQUAL};
    if (desc->by != CLPRIMS_SEGMENTS_OFFSETS) {
        expect_failure(clprims_segmented_enqueue(plan, test_queue(), &b, 0, 0, NULL, NULL),
                       CLPRIMS_ERR_ARGUMENT, "has no offsets");
    }
}

/* ---- Cases ---- */

static clprims_segmented_desc describe(clprims_segmented_kind kind, clprims_segments_by by,
                                       const char *tuning) {
    clprims_segmented_desc desc = {.kind = kind, .by = by};
    if (by == CLPRIMS_SEGMENTS_KEYS) desc.heads_type = CLPRIMS_U32;
    desc.unique_keys = by == CLPRIMS_SEGMENTS_KEYS && kind == CLPRIMS_SEGMENTED_REDUCE;
    desc.type = CLPRIMS_F32;
    desc.max_n = most_n();
    desc.max_segments = by == CLPRIMS_SEGMENTS_OFFSETS ? 5 * most_n()
                        : by == CLPRIMS_SEGMENTS_EQUAL ? most_n() / 2
                                                       : 0;
    desc.tuning = tuning;
    return desc;
}

void add_counted_cases(test_cases *cases) {
    static const char one[] = "GROUP=1 SHARE=9 GROUPS=16", many[] = "GROUP=8 SHARE=3 GROUPS=64";
    static const struct {
        const char *name, *shape, *tuning;
        clprims_segmented_kind kind;
        clprims_segments_by by;
    } kinds[] = {
        {"reduce/offsets", "many", many, CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_OFFSETS},
        {"exclusive/offsets", "one", one, CLPRIMS_SEGMENTED_EXCLUSIVE, CLPRIMS_SEGMENTS_OFFSETS},
        {"reduce/keys", "one", one, CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_KEYS},
        {"inclusive/flags", "many", many, CLPRIMS_SEGMENTED_INCLUSIVE, CLPRIMS_SEGMENTS_FLAGS},
        {"reduce/bits", "many", many, CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_BITS},
        {"reduce/length", "many", many, CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_EQUAL},
        {"inclusive/length", "one", one, CLPRIMS_SEGMENTED_INCLUSIVE, CLPRIMS_SEGMENTS_EQUAL},
        {"reduce/length", "teams", "TEAM=1 GROUP=16 BLOCK=64", CLPRIMS_SEGMENTED_REDUCE,
         CLPRIMS_SEGMENTS_EQUAL},
        {"reduce/offsets", "teams", "TEAM=1 GROUP=16 BLOCK=64", CLPRIMS_SEGMENTED_REDUCE,
         CLPRIMS_SEGMENTS_OFFSETS},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const bool bears = kinds[k].tuning == one || test_bears_shapes();
        const clprims_segmented_desc desc =
            describe(kinds[k].kind, kinds[k].by, bears ? kinds[k].tuning : one);
        const bool offsets = desc.by == CLPRIMS_SEGMENTS_OFFSETS;
        test_add_row(cases, counted_is_right, desc, "segmented/counted/%s/numbers/%s",
                     kinds[k].name, kinds[k].shape);
        if (offsets || kinds[k].kind == CLPRIMS_SEGMENTED_REDUCE) {
            test_add_row(cases, counted_is_refused, desc, "segmented/counted/%s/refusals/%s",
                         kinds[k].name, kinds[k].shape);
        }
        if (!offsets) continue;
        test_add_row(cases, offsets_end_at_the_count, desc, "segmented/counted/%s/fault/%s",
                     kinds[k].name, kinds[k].shape);
    }
}
