/* SPDX-License-Identifier: MIT */
/* What sort refuses, with the values in the message, and what describe tells. */
#include "sort/sort_suite.h"
#include "subjects/runs/subject_refusals.h"

#include <string.h>

static clprims_sort_desc u32_desc(void) {
    clprims_sort_desc desc = CLPRIMS_SORT_DESC_INIT;
    desc.type = CLPRIMS_U32;
    desc.max_n = 1000;
    return desc;
}

static void refuse(const clprims_sort_desc *desc, clprims_status status, const char *part) {
    subject_is_refused(&subject_sort, desc, status, part);
}

static void descriptions(const void *data) {
    clprims_sort_desc desc = u32_desc();
    (void)data;
    subject_null_is_refused(&subject_sort, &desc);
    desc.struct_size = 3;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "struct_size");
    desc = u32_desc();
    desc.type = CLPRIMS_TYPE_DEFAULT;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "type = 0 (unknown) is no integer or float type");
    desc.type = CLPRIMS_STRUCT;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "type = 11 (struct)");
    desc = u32_desc();
    desc.floats = (clprims_sort_floats)3;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "floats = 3");
    desc = u32_desc();
    desc.algorithm = (clprims_sort_algorithm)4;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "algorithm = 4");
    desc = u32_desc();
    desc.max_n = 0;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "max_n = 0");
    desc.max_n = SIZE_MAX;
    refuse(&desc, CLPRIMS_ERR_TOO_LARGE, "exceeds");
}

static void windows(const void *data) {
    clprims_sort_desc desc = u32_desc();
    (void)data;
    desc.begin_bit = 9;
    desc.end_bit = 8;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "bits [9, 8) are no window of the 32 bits");
    desc.begin_bit = 0;
    desc.end_bit = 33;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "bits [0, 33)");
    desc.begin_bit = 33;
    desc.end_bit = CLPRIMS_SORT_ALL_BITS;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "bits [33, 32)");
}

static void arrays(const void *data) {
    clprims_sort_desc desc = u32_desc();
    (void)data;
    desc.payloads = 5;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "payloads = 5; at most 4");
    desc.payloads = 2;
    desc.payload_bytes[0] = 16;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "payload_bytes[1] = 0; it must be from 1 to 16");
    desc.payload_bytes[1] = 17;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "payload_bytes[1] = 17");
    desc = u32_desc();
    desc.no_keys = 1;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "leaves no result");
    desc.indices = CLPRIMS_I16;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "indices = 2 (int16) is no 32- or 64-bit integer type");
    desc.indices = CLPRIMS_F32;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "indices = 9 (float32)");
    desc.indices = CLPRIMS_I32;
    desc.max_n = (size_t)INT32_MAX + 2;
    refuse(&desc, CLPRIMS_ERR_TOO_LARGE, "max_n = 2147483649 is beyond the reach of indices");
    desc.indices = CLPRIMS_U32;
    desc.max_n = (size_t)UINT32_MAX + 2;
    refuse(&desc, CLPRIMS_ERR_TOO_LARGE, "max_n = 4294967297 is beyond the reach of indices");
}

static void knobs(const void *data) {
    clprims_sort_desc desc = u32_desc();
    (void)data;
    desc.tuning = "ROWS=3";
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "ROWS");
    desc.algorithm = CLPRIMS_SORT_SERIAL;
    desc.tuning = "GROUP=2";
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "GROUP");
    desc.algorithm = CLPRIMS_SORT_COUNT_SCATTER;
    desc.tuning = "BITS=9";
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "BITS");
    desc.tuning = "GROUP=8 ITEMS=2 SINGLE=17";
    refuse(&desc, CLPRIMS_ERR_UNSUPPORTED,
           "SINGLE = 17 exceeds the tile of GROUP = 8 by ITEMS = 2");
    desc.tuning = "GROUP=8 ITEMS=2 SINGLE=16";
    clprims_sort *plan = NULL;
    expect_ok(clprims_sort_create(&plan, test_context(), &desc));
    clprims_sort_destroy(plan);
}

static void onesweep(const void *data) {
    clprims_sort_desc desc = u32_desc();
    (void)data;
    desc.algorithm = CLPRIMS_SORT_ONESWEEP;
    if (test_info().layer != CLPRIMS_LAYER_NVIDIA) {
        refuse(&desc, CLPRIMS_ERR_UNSUPPORTED,
               "onesweep is for layer nvidia; the context has layer");
        return;
    }
    desc.tuning = "ITEMS=7";
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "ITEMS = 7 is not even");
    desc.tuning = "RANKERS=31";
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "RANKERS");
    desc.tuning = "RANKERS=30 ITEMS=48";
    desc.payloads = 1;
    desc.payload_bytes[0] = 16;
    refuse(&desc, CLPRIMS_ERR_UNSUPPORTED, "RANKERS = 30, ITEMS = 48 and 20 bytes of a key");
}

/* A plan with everything for 100 elements. */
static clprims_sort_desc full_desc(void) {
    clprims_sort_desc desc = u32_desc();
    desc.payloads = 1;
    desc.payload_bytes[0] = 4;
    desc.indices = CLPRIMS_I32;
    desc.max_n = 100;
    return desc;
}

static clprims_sort *full_plan(void) {
    const clprims_sort_desc desc = full_desc();
    clprims_sort *plan = NULL;
    expect_ok(clprims_sort_create(&plan, test_context(), &desc));
    return plan;
}

static void submissions(const void *data) {
    const clprims_sort_desc desc = full_desc();
    const subject_data like = {.of = &subject_sort, .desc = &desc, .most = {100}};
    clprims_sort *plan = full_plan();
    clprims_sort_buffers b = CLPRIMS_SORT_BUFFERS_INIT;
    (void)data;
    subject_enqueue_refuses(&like);
    expect_failure(clprims_sort_enqueue(plan, test_queue(), NULL, 1, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "buffers is NULL");
    expect_ok(clprims_sort_enqueue(plan, test_queue(), &b, 0, 0, NULL, NULL));
    b.struct_size = 5;
    expect_failure(clprims_sort_enqueue(plan, test_queue(), &b, 1, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "struct_size");
    expect_cl(clFinish(test_queue()));
    clprims_sort_destroy(plan);
}

/* In place, on a part of it, and two inputs in one place; calls/overlaps has all pairs. */
static void overlaps(const void *data) {
    const clprims_sort_desc desc = full_desc();
    subject_data d = {.of = &subject_sort, .desc = &desc, .n = {50}, .most = {100}};
    clprims_sort *plan = full_plan();
    test_buffer places[3];
    clprims_sort_buffers b = CLPRIMS_SORT_BUFFERS_INIT;
    (void)data;
    for (size_t k = 0; k < 3; k++) places[k] = test_buffer_create(NULL, 100, 4, 0);
    b.keys_in = b.payload_in[0] = places[0].at;
    b.keys_out = places[1].at;
    b.payload_out[0] = places[2].at;
    b.indices = b.keys_in;
    expect_failure(clprims_sort_enqueue(plan, test_queue(), &b, 50, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "indices");
    b.indices = (clprims_buffer){places[2].at.mem, 50};
    expect_ok(clprims_sort_enqueue(plan, test_queue(), &b, 50, 0, NULL, NULL));
    b.keys_out = (clprims_buffer){places[0].at.mem, 1};
    expect_failure(clprims_sort_enqueue(plan, test_queue(), &b, 50, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "keys_out");
    subject_draw(&d);
    subject_put_in_place(&d);
    subject_enqueue_is_right(&d, plan);
    subject_free(&d);
    for (size_t k = 0; k < 3; k++) test_buffer_release(&places[k]);
    clprims_sort_destroy(plan);
}

static void plain_arrays(const void *data) {
    const clprims_sort_desc desc = full_desc();
    const subject_data like = {.of = &subject_sort, .desc = &desc, .most = {100}};
    clprims_sort *plan = full_plan();
    clprims_sort_arrays a = CLPRIMS_SORT_ARRAYS_INIT;
    (void)data;
    subject_run_refuses(&like);
    expect_failure(clprims_sort_run(plan, NULL, 4), CLPRIMS_ERR_ARGUMENT, "arrays is NULL");
    expect_ok(clprims_sort_run(plan, &a, 0));
    a.struct_size = 1;
    expect_failure(clprims_sort_run(plan, &a, 4), CLPRIMS_ERR_ARGUMENT, "struct_size");
    clprims_sort_destroy(plan);
}

static void expect_variant(const clprims_sort *plan, size_t n, const char *variant) {
    clprims_sort_info info = CLPRIMS_SORT_INFO_INIT;
    expect_ok(clprims_sort_describe(plan, n, &info));
    if (strcmp(info.variant, variant) != 0) {
        test_fail("n = %zu gets %s, not %s", n, info.variant, variant);
    }
}

static void descriptions_of_plans(const void *data) {
    clprims_sort_desc desc = u32_desc();
    const subject_data like = {.of = &subject_sort, .desc = &desc, .most = {1000}};
    clprims_sort_info info = CLPRIMS_SORT_INFO_INIT;
    clprims_sort *plan = NULL;
    (void)data;
    subject_others_refuse(&like);
    desc.algorithm = CLPRIMS_SORT_COUNT_SCATTER;
    desc.tuning = "GROUP=8 ITEMS=3 SINGLE=20 PARTS=2 BITS=7";
    desc.payloads = 1;
    desc.payload_bytes[0] = 2;
    expect_ok(clprims_sort_create(&plan, test_context(), &desc));
    expect_ok(clprims_sort_describe(plan, 1000, &info));
    expect_variant(plan, 20, "single-group");
    expect_variant(plan, 21, "count-scan-scatter");
    if (info.passes != 5 || info.digit_bits != 7 || info.group != 8 || info.tile != 24) {
        test_fail("passes = %zu, digit_bits = %zu, group = %zu, tile = %zu", info.passes,
                  info.digit_bits, info.group, info.tile);
    }
    /* Keys and payload, 2 counters of 5 passes, their bases, 42 tiles of 128 digits, 64 notes. */
    const size_t scratch = 1000 * 6 + (2 * 5 * 128 + 5 * 128 + 42 * 128 + 64) * 4;
    if (info.scratch_bytes != scratch) {
        test_fail("scratch_bytes = %zu, not %zu", info.scratch_bytes, scratch);
    }
    expect_contains(info.reason, "the description asks for it");
    clprims_sort_destroy(plan);
    desc.algorithm = CLPRIMS_SORT_SERIAL;
    desc.tuning = "SINGLE=30 BITS=8";
    expect_ok(clprims_sort_create(&plan, test_context(), &desc));
    expect_variant(plan, 30, "single-group");
    expect_variant(plan, 31, "serial-parts");
    expect_ok(clprims_sort_describe(plan, 31, &info));
    assert_int_equal(info.passes, 4);
    clprims_sort_destroy(plan);
    /* Digits of eleven bits, unless the lines of all are too many for a cache. */
    desc.tuning = NULL;
    desc.payloads = 0;
    expect_ok(clprims_sort_create(&plan, test_context(), &desc));
    expect_ok(clprims_sort_describe(plan, 31, &info));
    assert_int_equal(info.passes, 3);
    clprims_sort_destroy(plan);
    desc.payloads = 1;
    desc.payload_bytes[0] = 16;
    expect_ok(clprims_sort_create(&plan, test_context(), &desc));
    expect_ok(clprims_sort_describe(plan, 31, &info));
    assert_int_equal(info.passes, 4);
    clprims_sort_destroy(plan);
    desc.begin_bit = desc.end_bit = 7;
    expect_ok(clprims_sort_create(&plan, test_context(), &desc));
    expect_variant(plan, 1, "copy");
    clprims_sort_destroy(plan);
    expect_contains(clprims_sort_algorithm_name(CLPRIMS_SORT_AUTO), "auto");
    expect_contains(clprims_sort_algorithm_name(CLPRIMS_SORT_ONESWEEP), "onesweep");
    expect_contains(clprims_sort_algorithm_name((clprims_sort_algorithm)4), "unknown");
}

void sort_add_refusals(test_cases *cases) {
    test_add(cases, descriptions, NULL, 0, "sort/refusals/descriptions");
    test_add(cases, windows, NULL, 0, "sort/refusals/windows");
    test_add(cases, arrays, NULL, 0, "sort/refusals/arrays");
    test_add(cases, knobs, NULL, 0, "sort/refusals/knobs");
    test_add(cases, onesweep, NULL, 0, "sort/refusals/onesweep");
    test_add(cases, submissions, NULL, 0, "sort/refusals/submissions");
    test_add(cases, overlaps, NULL, 0, "sort/refusals/overlaps");
    test_add(cases, plain_arrays, NULL, 0, "sort/refusals/plain-arrays");
    test_add(cases, descriptions_of_plans, NULL, 0, "sort/describe");
}
