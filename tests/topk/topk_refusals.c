/* SPDX-License-Identifier: MIT */
/* What top-k refuses, with the values in the message, and what describe tells. */
#include "topk/topk_suite.h"

static clprims_topk_desc u32_desc(void) {
    clprims_topk_desc desc = CLPRIMS_TOPK_DESC_INIT;
    desc.type = CLPRIMS_U32;
    desc.max_n = 1000;
    desc.max_k = 20;
    desc.indices = CLPRIMS_I32;
    desc.tuning = "GROUP=1 BITS=8 ROOM=80 FEW=0 SAMPLE=64";
    return desc;
}

static void refuse(const clprims_topk_desc *desc, clprims_status status, const char *part) {
    clprims_topk *plan = (clprims_topk *)desc;
    expect_failure(clprims_topk_create(&plan, test_context(), desc), status, part);
    if (plan != NULL) test_fail("the plan is not NULL");
}

static void descriptions(const void *data) {
    clprims_topk_desc desc = u32_desc();
    clprims_topk *plan = NULL;
    (void)data;
    expect_failure(clprims_topk_create(NULL, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "out is NULL");
    expect_failure(clprims_topk_create(&plan, NULL, &desc), CLPRIMS_ERR_ARGUMENT,
                   "context is NULL");
    expect_failure(clprims_topk_create(&plan, test_context(), NULL), CLPRIMS_ERR_ARGUMENT,
                   "desc is NULL");
    desc.struct_size = 3;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "struct_size");
    desc = u32_desc();
    desc.type = CLPRIMS_STRUCT;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "topk: type = 11 (struct)");
    desc = u32_desc();
    desc.floats = (clprims_sort_floats)3;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "topk: floats = 3");
    desc = u32_desc();
    desc.max_n = 0;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "topk: max_n = 0");
    desc = u32_desc();
    desc.max_k = 0;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "max_k = 0; it must be from 1 to max_n = 1000");
    desc.max_k = 1001;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "max_k = 1001; it must be from 1 to max_n = 1000");
    desc = u32_desc();
    desc.no_values = 1;
    desc.indices = CLPRIMS_TYPE_DEFAULT;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "no_values without indices");
    desc.indices = CLPRIMS_F32;
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "topk: indices = 9 (float32)");
    desc = u32_desc();
    desc.max_n = (size_t)INT32_MAX + 2;
    refuse(&desc, CLPRIMS_ERR_TOO_LARGE, "topk: max_n = 2147483649 is beyond");
    desc.indices = CLPRIMS_I64;
    desc.max_k = (size_t)INT32_MAX + 1;
    refuse(&desc, CLPRIMS_ERR_TOO_LARGE, "max_k = 2147483648 exceeds 2147483647");
    desc = u32_desc();
    desc.tuning = "ROWS=3";
    refuse(&desc, CLPRIMS_ERR_ARGUMENT, "ROWS");
    desc.tuning = "GROUP=64 BITS=5";
    refuse(&desc, CLPRIMS_ERR_UNSUPPORTED, "GROUP = 64 exceeds");
}

enum { N = 100 };

/* A plan, its input, and buffers that suit it. */
typedef struct fixture {
    clprims_topk *plan;
    uint32_t in[N];
    test_buffer from, values, indices;
    clprims_topk_buffers b;
} fixture;

static fixture begin(void) {
    const clprims_topk_desc desc = u32_desc();
    const clprims_topk_buffers init = CLPRIMS_TOPK_BUFFERS_INIT;
    fixture f = {.b = init};
    for (uint32_t i = 0; i < N; i++) f.in[i] = i * 37 % N;
    expect_ok(clprims_topk_create(&f.plan, test_context(), &desc));
    f.from = test_buffer_create(f.in, N, 4, 0);
    f.values = test_buffer_create(NULL, N, 4, 0);
    f.indices = test_buffer_create(NULL, N, 4, 0);
    f.b.in = f.from.at;
    f.b.values = f.values.at;
    f.b.indices = f.indices.at;
    return f;
}

static void end(fixture *f) {
    test_buffer_release(&f->from);
    test_buffer_release(&f->values);
    test_buffer_release(&f->indices);
    clprims_topk_destroy(f->plan);
}

static clprims_status enqueue(const fixture *f, const clprims_topk_buffers *b, size_t n, size_t k) {
    return clprims_topk_enqueue(f->plan, test_queue(), b, n, k, 0, NULL, NULL);
}

static void submissions(const void *data) {
    fixture f = begin();
    clprims_topk_buffers b = f.b;
    (void)data;
    expect_failure(clprims_topk_enqueue(NULL, test_queue(), &b, N, 5, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    expect_failure(clprims_topk_enqueue(f.plan, NULL, &b, N, 5, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "queue is NULL");
    expect_failure(enqueue(&f, NULL, N, 5), CLPRIMS_ERR_ARGUMENT, "buffers is NULL");
    expect_failure(enqueue(&f, &b, 1001, 5), CLPRIMS_ERR_TOO_LARGE,
                   "n = 1001 exceeds max_n = 1000");
    expect_failure(enqueue(&f, &b, N, 21), CLPRIMS_ERR_TOO_LARGE, "k = 21 exceeds max_k = 20");
    expect_failure(enqueue(&f, &b, N, 0), CLPRIMS_ERR_ARGUMENT,
                   "k = 0; it must be from 1 to n = 100");
    expect_failure(enqueue(&f, &b, 4, 5), CLPRIMS_ERR_ARGUMENT,
                   "k = 5; it must be from 1 to n = 4");
    expect_failure(clprims_topk_enqueue(f.plan, test_queue(), &b, N, 5, 1, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "num_wait = 1");
    b.struct_size = 5;
    expect_failure(enqueue(&f, &b, N, 5), CLPRIMS_ERR_ARGUMENT, "struct_size");
    b = f.b;
    b.in.mem = NULL;
    expect_failure(enqueue(&f, &b, N, 5), CLPRIMS_ERR_ARGUMENT, "in");
    b = f.b;
    b.values = b.in;
    expect_failure(enqueue(&f, &b, N, 5), CLPRIMS_ERR_ARGUMENT, "values");
    b = f.b;
    b.indices = b.values;
    expect_failure(enqueue(&f, &b, N, 5), CLPRIMS_ERR_ARGUMENT, "indices");
    b = f.b;
    b.indices.first = 1u << 20;
    expect_failure(enqueue(&f, &b, N, 5), CLPRIMS_ERR_ARGUMENT, "indices");
    end(&f);
}

static void plain_arrays(const void *data) {
    fixture f = begin();
    uint32_t values[N];
    int32_t indices[N];
    clprims_topk_arrays all = CLPRIMS_TOPK_ARRAYS_INIT, a;
    (void)data;
    all.in = f.in;
    all.values = values;
    all.indices = indices;
    a = all;
    a.in = NULL;
    expect_failure(clprims_topk_run(f.plan, &a, N, 5), CLPRIMS_ERR_ARGUMENT, "in is NULL");
    a = all;
    a.values = NULL;
    expect_failure(clprims_topk_run(f.plan, &a, N, 5), CLPRIMS_ERR_ARGUMENT, "values is NULL");
    a = all;
    a.indices = NULL;
    expect_failure(clprims_topk_run(f.plan, &a, N, 5), CLPRIMS_ERR_ARGUMENT, "indices is NULL");
    a = all;
    a.struct_size = 1;
    expect_failure(clprims_topk_run(f.plan, &a, N, 5), CLPRIMS_ERR_ARGUMENT, "struct_size");
    expect_failure(clprims_topk_run(NULL, &all, N, 5), CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    expect_failure(clprims_topk_run(f.plan, NULL, N, 5), CLPRIMS_ERR_ARGUMENT, "arrays is NULL");
    expect_failure(clprims_topk_run(f.plan, &all, N, 21), CLPRIMS_ERR_TOO_LARGE, "k = 21");
    expect_ok(clprims_topk_run(f.plan, &all, N, 2));
    assert_int_equal(values[0], 99);
    assert_int_equal(values[1], 98);
    end(&f);
}

static void expect_variant(const clprims_topk *plan, size_t n, size_t k, const char *variant) {
    clprims_topk_info info = CLPRIMS_TOPK_INFO_INIT;
    expect_ok(clprims_topk_describe(plan, n, k, &info));
    assert_string_equal(info.variant, variant);
}

static void descriptions_of_plans(const void *data) {
    clprims_topk_desc desc = u32_desc();
    clprims_topk_info info = CLPRIMS_TOPK_INFO_INIT;
    clprims_topk *plan = NULL;
    (void)data;
    expect_ok(clprims_topk_create(&plan, test_context(), &desc));
    expect_failure(clprims_topk_describe(NULL, 1, 1, &info), CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    expect_failure(clprims_topk_describe(plan, 1, 1, NULL), CLPRIMS_ERR_ARGUMENT, "info is NULL");
    expect_failure(clprims_topk_describe(plan, 1, 2, &info), CLPRIMS_ERR_ARGUMENT, "k = 2");
    expect_ok(clprims_topk_describe(plan, 1000, 1, &info));
    assert_int_equal(info.room, 100);
    assert_int_equal(info.passes, 5);
    assert_int_equal(info.group, 1);
    if (info.scratch_bytes < 1600) test_fail("scratch_bytes = %zu", info.scratch_bytes);
    expect_variant(plan, 100, 20, "sort");
    expect_variant(plan, 101, 20, "select");
    expect_variant(plan, 256, 1, "sample");
    expect_variant(plan, 1000, 1, "select");
    clprims_topk_destroy(plan);
    clprims_topk_destroy(NULL);
}

void topk_add_refusals(test_cases *cases) {
    test_add(cases, descriptions, NULL, 0, "topk/refusals/descriptions");
    test_add(cases, submissions, NULL, 0, "topk/refusals/submissions");
    test_add(cases, plain_arrays, NULL, 0, "topk/refusals/plain-arrays");
    test_add(cases, descriptions_of_plans, NULL, 0, "topk/describe");
}
