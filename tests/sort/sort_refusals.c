/* SPDX-License-Identifier: MIT */
/* What sort refuses, with the values in the message, and what describe tells. */
#include "sort/sort_suite.h"

#include <string.h>

static clprims_sort_desc u32_desc(void) {
    clprims_sort_desc desc = CLPRIMS_SORT_DESC_INIT;
    desc.type = CLPRIMS_U32;
    desc.max_n = 1000;
    return desc;
}

static void refuse(const clprims_sort_desc *desc, clprims_status status, const char *part) {
    clprims_sort *plan = (clprims_sort *)desc;
    expect_failure(clprims_sort_create(&plan, test_context(), desc), status, part);
    if (plan != NULL) test_fail("the plan is not NULL");
}

static void descriptions(const void *data) {
    clprims_sort_desc desc = u32_desc();
    clprims_sort *plan = NULL;
    (void)data;
    expect_failure(clprims_sort_create(NULL, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "out is NULL");
    expect_failure(clprims_sort_create(&plan, NULL, &desc), CLPRIMS_ERR_ARGUMENT,
                   "context is NULL");
    expect_failure(clprims_sort_create(&plan, test_context(), NULL), CLPRIMS_ERR_ARGUMENT,
                   "desc is NULL");
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

/* A plan with everything, and buffers of 100 elements that suit it. */
typedef struct fixture {
    clprims_sort *plan;
    test_buffer buffers[5];
    clprims_sort_buffers b;
} fixture;

static fixture begin(void) {
    fixture f;
    memset(&f, 0, sizeof f);
    clprims_sort_desc desc = u32_desc();
    desc.payloads = 1;
    desc.payload_bytes[0] = 4;
    desc.indices = CLPRIMS_I32;
    desc.max_n = 100;
    expect_ok(clprims_sort_create(&f.plan, test_context(), &desc));
    for (size_t i = 0; i < 5; i++) f.buffers[i] = test_buffer_create(NULL, 100, 4, 0);
    const clprims_sort_buffers init = CLPRIMS_SORT_BUFFERS_INIT;
    f.b = init;
    f.b.keys_in = f.buffers[0].at;
    f.b.keys_out = f.buffers[1].at;
    f.b.payload_in[0] = f.buffers[2].at;
    f.b.payload_out[0] = f.buffers[3].at;
    f.b.indices = f.buffers[4].at;
    return f;
}

static void end(fixture *f) {
    for (size_t i = 0; i < 5; i++) test_buffer_release(&f->buffers[i]);
    clprims_sort_destroy(f->plan);
}

static clprims_status enqueue(const fixture *f, const clprims_sort_buffers *b, size_t n) {
    return clprims_sort_enqueue(f->plan, test_queue(), b, n, 0, NULL, NULL);
}

static void submissions(const void *data) {
    fixture f = begin();
    clprims_sort_buffers b = f.b;
    (void)data;
    expect_failure(clprims_sort_enqueue(NULL, test_queue(), &b, 1, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    expect_failure(clprims_sort_enqueue(f.plan, NULL, &b, 1, 0, NULL, NULL), CLPRIMS_ERR_ARGUMENT,
                   "queue is NULL");
    expect_failure(enqueue(&f, NULL, 1), CLPRIMS_ERR_ARGUMENT, "buffers is NULL");
    expect_failure(enqueue(&f, &b, 101), CLPRIMS_ERR_TOO_LARGE, "n = 101 exceeds max_n = 100");
    expect_failure(clprims_sort_enqueue(f.plan, test_queue(), &b, 1, 1, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "num_wait = 1");
    b.struct_size = 5;
    expect_failure(enqueue(&f, &b, 1), CLPRIMS_ERR_ARGUMENT, "struct_size");
    b = f.b;
    b.keys_in.mem = NULL;
    expect_failure(enqueue(&f, &b, 1), CLPRIMS_ERR_ARGUMENT, "keys_in");
    b = f.b;
    b.payload_out[0].mem = NULL;
    expect_failure(enqueue(&f, &b, 1), CLPRIMS_ERR_ARGUMENT, "payload_out[0]");
    b = f.b;
    b.indices.first = 1u << 20;
    expect_failure(enqueue(&f, &b, 1), CLPRIMS_ERR_ARGUMENT, "indices");
    expect_ok(enqueue(&f, &b, 0));
    b = f.b;
    b.keys_out = b.keys_in;
    b.payload_out[0] = b.payload_in[0];
    expect_ok(enqueue(&f, &b, 100));
    expect_cl(clFinish(test_queue()));
    end(&f);
}

/* Of two arrays that share a place, or a part of it. */
static void overlaps(const void *data) {
    fixture f = begin();
    clprims_sort_buffers b = f.b;
    (void)data;
    b.keys_out = b.keys_in;
    b.keys_out.first++;
    expect_failure(enqueue(&f, &b, 50), CLPRIMS_ERR_ARGUMENT, "keys_out");
    b = f.b;
    b.keys_out = b.payload_in[0];
    expect_failure(enqueue(&f, &b, 50), CLPRIMS_ERR_ARGUMENT, "payload_in[0]");
    b = f.b;
    b.payload_out[0] = b.keys_in;
    expect_failure(enqueue(&f, &b, 50), CLPRIMS_ERR_ARGUMENT, "payload_out[0]");
    b = f.b;
    b.indices = b.keys_in;
    expect_failure(enqueue(&f, &b, 50), CLPRIMS_ERR_ARGUMENT, "indices");
    b = f.b;
    b.indices = b.payload_out[0];
    expect_failure(enqueue(&f, &b, 50), CLPRIMS_ERR_ARGUMENT, "payload_out[0]");
    b = f.b;
    b.payload_in[0] = b.keys_in;
    expect_ok(enqueue(&f, &b, 50));
    expect_cl(clFinish(test_queue()));
    end(&f);
}

static void plain_arrays(const void *data) {
    fixture f = begin();
    uint32_t in[4] = {3, 1, 2, 0}, out[4], from[4] = {0, 1, 2, 3}, to[4];
    int32_t indices[4];
    clprims_sort_arrays full = CLPRIMS_SORT_ARRAYS_INIT, a;
    (void)data;
    full.keys_in = in;
    full.keys_out = out;
    full.payload_in[0] = from;
    full.payload_out[0] = to;
    full.indices = indices;
    expect_failure(clprims_sort_run(NULL, &full, 4), CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    expect_failure(clprims_sort_run(f.plan, NULL, 4), CLPRIMS_ERR_ARGUMENT, "arrays is NULL");
    expect_failure(clprims_sort_run(f.plan, &full, 101), CLPRIMS_ERR_TOO_LARGE, "n = 101");
    a = full;
    a.keys_in = NULL;
    expect_failure(clprims_sort_run(f.plan, &a, 4), CLPRIMS_ERR_ARGUMENT, "keys_in is NULL");
    a = full;
    a.keys_out = NULL;
    expect_failure(clprims_sort_run(f.plan, &a, 4), CLPRIMS_ERR_ARGUMENT, "keys_out is NULL");
    a = full;
    a.payload_in[0] = NULL;
    expect_failure(clprims_sort_run(f.plan, &a, 4), CLPRIMS_ERR_ARGUMENT, "payload_in[0] is NULL");
    a = full;
    a.payload_out[0] = NULL;
    expect_failure(clprims_sort_run(f.plan, &a, 4), CLPRIMS_ERR_ARGUMENT, "payload_out[0] is NULL");
    a = full;
    a.indices = NULL;
    expect_failure(clprims_sort_run(f.plan, &a, 4), CLPRIMS_ERR_ARGUMENT, "indices is NULL");
    expect_ok(clprims_sort_run(f.plan, &a, 0));
    a = full;
    a.struct_size = 1;
    expect_failure(clprims_sort_run(f.plan, &a, 4), CLPRIMS_ERR_ARGUMENT, "struct_size");
    end(&f);
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
    clprims_sort_info info = CLPRIMS_SORT_INFO_INIT;
    clprims_sort *plan = NULL;
    (void)data;
    desc.algorithm = CLPRIMS_SORT_COUNT_SCATTER;
    desc.tuning = "GROUP=8 ITEMS=3 SINGLE=20 PARTS=2 BITS=7";
    desc.payloads = 1;
    desc.payload_bytes[0] = 2;
    expect_ok(clprims_sort_create(&plan, test_context(), &desc));
    expect_failure(clprims_sort_describe(NULL, 1, &info), CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    expect_failure(clprims_sort_describe(plan, 1, NULL), CLPRIMS_ERR_ARGUMENT, "info is NULL");
    expect_failure(clprims_sort_describe(plan, 1001, &info), CLPRIMS_ERR_TOO_LARGE, "n = 1001");
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
