/* SPDX-License-Identifier: MIT */
/* What top-k refuses, with the values in the message, and what describe tells. */
#include "fixtures/key_cases.h"
#include "topk/topk_suite.h"

static clprims_topk_desc u32_desc(void) {
    clprims_topk_desc desc = {.type = CLPRIMS_U32,
                              .max_n = 1000,
                              .max_k = 20,
                              .indices = CLPRIMS_I32,
                              .tuning = "GROUP=1 ROOM=80 ONE=0 SAMPLE=64"};
    return desc;
}

static void spoil(void *desc, subject_refusal *r) {
    clprims_topk_desc *d = desc;
    SORT_REFUSED(topk)
    REFUSED("no-max_k", ARGUMENT, "max_k = 0; it must be from 1 to max_n = 1000", d->max_k = 0)
    REFUSED("large-max_k", ARGUMENT, "max_k = 1001; it must be from 1 to max_n = 1000",
            d->max_k = 1001)
    REFUSED("no-result", ARGUMENT, "no_values without indices", d->no_values = 1,
            d->indices = CLPRIMS_TYPE_DEFAULT)
    REFUSED("huge-max_k", TOO_LARGE, "max_k = 2147483648 exceeds 2147483647",
            d->indices = CLPRIMS_I64, d->max_n = (size_t)INT32_MAX + 2,
            d->max_k = (size_t)INT32_MAX + 1)
    REFUSED("rows-of-one-array", ARGUMENT, "by = 4 (equal) and offsets = 0, but max_segments",
            d->by = CLPRIMS_SEGMENTS_EQUAL)
    REFUSED("offsets-of-one-array", ARGUMENT, "offsets = 3, but max_segments = 0",
            d->offsets = CLPRIMS_I32)
    REFUSED("local-of-one-array", ARGUMENT, "local_indices = 1, but indices = 3 and max_segm",
            d->local_indices = 1)
    REFUSED("local_indices", ARGUMENT, "local_indices = 1, but indices = 0", d->max_segments = 2,
            d->local_indices = 1, d->indices = CLPRIMS_TYPE_DEFAULT)
    REFUSED("by-flags", ARGUMENT, "topk: by = 2 (flags) is not offsets or equal",
            d->max_segments = 2, d->by = CLPRIMS_SEGMENTS_FLAGS)
    REFUSED("rows-by-offsets", ARGUMENT, "offsets = 3 (int32), but by = 4 (equal) has none",
            d->max_segments = 2, d->by = CLPRIMS_SEGMENTS_EQUAL, d->offsets = CLPRIMS_I32)
    REFUSED("offsets", ARGUMENT, "(uint16); offsets are int32", d->max_segments = 2,
            d->offsets = CLPRIMS_U16)
    REFUSED("huge-max_segments", TOO_LARGE, "max_segments = 4294967296 exceeds 4294967295",
            d->max_segments = (size_t)UINT32_MAX + 1)
}

enum { N = 100 };

static clprims_topk *plan_of(const clprims_topk_desc *desc) {
    clprims_topk *plan = NULL;
    expect_ok(clprims_topk_create(&plan, test_context(), desc));
    return plan;
}

static void submissions(const void *data) {
    const clprims_topk_desc desc = u32_desc();
    clprims_topk *plan = plan_of(&desc);
    (void)data;
#define REFUSE(b, n, part)                                                                         \
    expect_failure(clprims_topk_enqueue(plan, test_queue(), b, n, 0, NULL, NULL),                  \
                   CLPRIMS_ERR_ARGUMENT, part)
    REFUSE(&(clprims_topk_buffers){.sizes.k = 0}, N, "k = 0; it must be from 1 to n = 100");
    REFUSE(&(clprims_topk_buffers){.sizes.k = 5}, 4, "k = 5; it must be from 1 to n = 4");
#undef REFUSE
    clprims_topk_destroy(plan);
}

/* ---- Segments ---- */

enum { SEGMENTS = 10, MOST_K = 5 };

static clprims_topk_desc segments_desc(void) {
    clprims_topk_desc desc = {.type = CLPRIMS_U32, .max_n = N, .max_k = MOST_K};
    desc.indices = CLPRIMS_I32;
    desc.max_segments = SEGMENTS;
    return desc;
}

static void calls_of_segments(const void *data) {
    const clprims_topk_desc desc = segments_desc();
    const clprims_topk_desc one = u32_desc();
    clprims_topk *plan = plan_of(&desc), *of_one = plan_of(&one);
    clprims_topk_info info = {0};
    (void)data;
#define REFUSE(plan, part, ...)                                                                    \
    expect_failure(clprims_topk_describe(plan, N, (clprims_topk_sizes){__VA_ARGS__}, &info),       \
                   CLPRIMS_ERR_ARGUMENT, part)
    REFUSE(of_one, "sizes.segments = 2 and sizes.length = 0, but the plan has one array", .k = 1,
           .segments = 2);
    REFUSE(of_one, "sizes.length = 3, but the plan has one array", .k = 1, .length = 3);
    REFUSE(plan, "sizes.length = 3, but by = 0 (offsets) has no use for it", .k = 1, .length = 3);
    REFUSE(plan, "k = 0; it must be from 1", .segments = 1);
#undef REFUSE
    expect_ok(clprims_topk_describe(plan, 0, (clprims_topk_sizes){.k = MOST_K}, &info));
    clprims_topk_destroy(plan);
    clprims_topk_destroy(of_one);
}

/* Falling offsets, the first of which, at fault, is as long as all elements: what long segments
 * have room for is not enough then. */
static void offsets_at_fault(const void *data) {
    enum { MANY = 20000, FALLS = 300 };
    static uint32_t in[MANY], values[FALLS];
    int64_t offsets[FALLS + 1];
    clprims_topk_desc desc = {.type = CLPRIMS_U32, .max_n = MANY, .max_k = 1};
    const clprims_topk_report reports[] = {{CLPRIMS_TOPK_OFFSETS, 2}, {CLPRIMS_TOPK_SEGMENTS, 7}};
    (void)data;
    desc.max_segments = FALLS;
    clprims_topk *plan = plan_of(&desc);
    for (size_t s = 0; s <= FALLS; s++) offsets[s] = s % 2 == 0 ? 0 : MANY;
    clprims_topk_arrays arrays = {.in = in, .values = values, .offsets = offsets};
    arrays.sizes = (clprims_topk_sizes){.k = 1, .segments = FALLS};
    expect_failure(clprims_topk_run(plan, &arrays, MANY), CLPRIMS_ERR_DATA,
                   "topk: offsets[2] = 0 is less than offsets[1] = 20000");
    offsets[1] = offsets[2] = MANY + 1;
    expect_failure(clprims_topk_run(plan, &arrays, MANY), CLPRIMS_ERR_DATA,
                   "topk: offsets[1] = 20001 is not within the 20000 elements");
    for (size_t s = 0; s <= FALLS; s++) offsets[s] = s < FALLS ? 0 : MANY + 1;
    expect_failure(clprims_topk_run(plan, &arrays, MANY), CLPRIMS_ERR_DATA,
                   "topk: offsets[300] = 20001 is not within the 20000 elements");
    expect_failure(clprims_topk_check(&reports[0]), CLPRIMS_ERR_DATA, "topk: offsets[2] is");
    expect_failure(clprims_topk_check(&reports[1]), CLPRIMS_ERR_DATA,
                   "topk: segments = 7, as read");
    clprims_topk_destroy(plan);
}

static void expect_variant(const clprims_topk *plan, size_t n, size_t k, const char *variant) {
    clprims_topk_info info = {0};
    expect_ok(clprims_topk_describe(plan, n, (clprims_topk_sizes){.k = k}, &info));
    assert_string_equal(info.variant, variant);
}

static void descriptions_of_plans(const void *data) {
    clprims_topk_desc desc = u32_desc();
    clprims_topk_info info = {0};
    clprims_topk *plan = plan_of(&desc);
    (void)data;
    expect_failure(clprims_topk_describe(plan, 1, (clprims_topk_sizes){.k = 2}, &info),
                   CLPRIMS_ERR_ARGUMENT, "k = 2");
    expect_ok(clprims_topk_describe(plan, 1000, (clprims_topk_sizes){.k = 1}, &info));
    assert_int_equal(info.room, 100);
    assert_int_equal(info.group, 1);
    if (info.scratch_bytes < 1600) test_fail("scratch_bytes = %zu", info.scratch_bytes);
    expect_variant(plan, 100, 20, "sort");
    expect_variant(plan, 101, 20, "sample");
    clprims_topk_destroy(plan);
    /* The most elements that int32 indices reach. */
    desc.max_n = (size_t)INT32_MAX + 1;
    clprims_topk_destroy(plan_of(&desc));
}

void topk_add_refusals(test_cases *cases) {
    const clprims_topk_desc good = u32_desc();
    subject_add_refused(cases, &subject_topk, &good, spoil, "topk/refusals/create");
    test_add(cases, submissions, NULL, 0, "topk/refusals/submissions");
    test_add(cases, calls_of_segments, NULL, 0, "topk/refusals/segments");
    test_add(cases, offsets_at_fault, NULL, 0, "topk/refusals/offsets");
    test_add(cases, descriptions_of_plans, NULL, 0, "topk/describe");
}
