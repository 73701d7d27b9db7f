/* SPDX-License-Identifier: MIT */
/* No elements; one plan with many n; runs without a report. */
#include "reduce/reduce_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- n = 0 ---- */

typedef struct empty_case {
    clprims_type type;
    clprims_op op;
    bool has_init;
    bool has_identity; /* of a custom operator */
    uint64_t expected; /* the result's bits */
    bool is_fault;
} empty_case;

static clprims_reduce *plan_of(const empty_case *c) {
    static const uint64_t init = 7, identity = 9;
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    clprims_reduce *reduce = NULL;
    desc.type = c->type;
    desc.op = c->op;
    desc.max_n = 100;
    if (c->op == CLPRIMS_CUSTOM) desc.custom.op = "a + b";
    if (c->has_init) desc.init = &init;
    if (c->has_identity) desc.custom.identity = &identity;
    expect_ok(clprims_reduce_create(&reduce, test_context(), &desc));
    return reduce;
}

static void enqueue_none(const empty_case *c, clprims_reduce *reduce, size_t bytes) {
    test_buffer to = test_buffer_create(NULL, 1, bytes, 2);
    test_buffer report = test_buffer_create(NULL, 1, sizeof(clprims_reduce_report), 1);
    const clprims_buffer none = {NULL, 0};
    clprims_reduce_report found;
    unsigned char actual[8];
    expect_ok(
        clprims_reduce_enqueue(reduce, test_queue(), none, to.at, 0, report.at, 0, NULL, NULL));
    test_buffer_read(&report, &found);
    if (found.count != 0) test_fail("the report counts %lld", (long long)found.count);
    if (c->is_fault) {
        test_buffer_expect_unchanged(&to, NULL);
        expect_failure(clprims_reduce_check(&found), CLPRIMS_ERR_DATA, "reduce: no elements");
    } else {
        test_buffer_read(&to, actual);
        expect_ok(clprims_reduce_check(&found));
        expect_elements(&c->expected, actual, 1, bytes);
    }
    test_buffer_release(&to);
    test_buffer_release(&report);
}

static void none_is_right(const void *data) {
    const empty_case *c = data;
    const size_t bytes = c->op >= CLPRIMS_ARGMIN ? 8 : clprims_type_bytes(c->type);
    clprims_reduce *reduce = plan_of(c);
    test_array to = test_array_create(NULL, 1, bytes);
    enqueue_none(c, reduce, bytes);
    if (c->is_fault) {
        expect_failure(clprims_reduce_run(reduce, NULL, to.values, 0), CLPRIMS_ERR_DATA,
                       "reduce: no elements, and the plan has neither");
        test_array_expect_untouched(&to);
    } else {
        expect_ok(clprims_reduce_run(reduce, NULL, to.values, 0));
        expect_elements(&c->expected, to.values, 1, bytes);
    }
    test_array_free(&to);
    clprims_reduce_destroy(reduce);
}

static const empty_case empty_cases[] = {
    {CLPRIMS_I32, CLPRIMS_ADD, false, false, 0, false},
    {CLPRIMS_I32, CLPRIMS_ADD, true, false, 7, false},
    {CLPRIMS_I8, CLPRIMS_MIN, false, false, 0x7f, false},
    {CLPRIMS_U16, CLPRIMS_AND, false, false, 0xffff, false},
    {CLPRIMS_F32, CLPRIMS_MAX, false, false, 0xff800000u, false},
    {CLPRIMS_F32, CLPRIMS_MUL, false, false, 0x3f800000u, false},
    {CLPRIMS_I32, CLPRIMS_CUSTOM, false, true, 9, false},
    {CLPRIMS_I32, CLPRIMS_CUSTOM, true, true, 7, false},
    {CLPRIMS_I32, CLPRIMS_CUSTOM, false, false, 0, true},
    {CLPRIMS_F32, CLPRIMS_ARGMIN, false, false, 0, true},
    {CLPRIMS_F32, CLPRIMS_ARGMAX, true, false, 7, false},
};

/* ---- One plan ---- */

/* Runs of many n below max_n and other elements, which must leave nothing behind for the next. The
 * second run finds sums that the first one published for as many blocks. */
static void one_plan_many_runs(const void *data) {
    clprims_reduce_desc desc = *(const clprims_reduce_desc *)data;
    const size_t sizes[] = {desc.max_n, desc.max_n - 1, 1,          0,    1000,
                            129,        desc.max_n / 2, desc.max_n, 2048, 1025};
    clprims_reduce *reduce = reduce_plan(&desc);
    const clprims_buffer none = {NULL, 0};
    float *in = test_alloc(desc.max_n, sizeof *in);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const size_t n = sizes[i];
        float expected = 0, actual;
        test_note("n = %zu", n);
        test_random_unit(CLPRIMS_F32, in, desc.max_n);
        if (n > 0) oracle_reduce(&desc, in, &expected, n);
        reduce_on_device(reduce, &desc, in, i, n, &actual);
        expect_elements(&expected, &actual, 1, sizeof actual);
        test_buffer from = test_buffer_create(in, n, sizeof *in, 0);
        test_buffer to = test_buffer_create(NULL, 1, sizeof *in, 0);
        expect_ok(
            clprims_reduce_enqueue(reduce, test_queue(), from.at, to.at, n, none, 0, NULL, NULL));
        test_buffer_read(&to, &actual);
        expect_elements(&expected, &actual, 1, sizeof actual);
        test_buffer_release(&from);
        test_buffer_release(&to);
    }
    free(in);
}

/* What creating a plan writes must not be taken for a published sum of the first run: its initial
 * value looks like one. */
static void creating_leaves_no_sum(const void *data) {
    enum { N = 5000 };
    const int64_t init = ((int64_t)1 << 32) + 5;
    clprims_reduce *reduce = NULL;
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    int64_t in[N], expected, actual;
    (void)data;
    desc.type = CLPRIMS_I64;
    desc.init = &init;
    desc.max_n = N;
    desc.tuning = "GROUP=128 WAITERS=0 DELAY=5";
    test_random_values(CLPRIMS_I64, CLPRIMS_ADD, in, N);
    oracle_reduce(&desc, in, &expected, N);
    for (int turn = 0; turn < 9; turn++) {
        expect_ok(clprims_reduce_create(&reduce, test_context(), &desc));
        reduce_on_device(reduce, &desc, in, 0, N, &actual);
        expect_elements(&expected, &actual, 1, sizeof actual);
        clprims_reduce_destroy(reduce);
    }
}

/* What describe says of a plan. */
static void describe_says_it(const void *data) {
    const reduce_shape *shape = data;
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    clprims_reduce_info info = CLPRIMS_REDUCE_INFO_INIT;
    desc.type = CLPRIMS_F32;
    desc.max_n = ((size_t)1 << 25) + 1;
    desc.tuning = shape->tuning;
    clprims_reduce *reduce = reduce_plan(&desc);
    const size_t sizes[] = {1, (size_t)1 << 20, ((size_t)1 << 20) + 1, desc.max_n};
    const size_t blocks[] = {1024, 1024, 4096, 8192};
    for (size_t i = 0; i < 4; i++) {
        expect_ok(clprims_reduce_describe(reduce, sizes[i], &info));
        if (info.block != blocks[i]) test_fail("n = %zu: blocks of %zu", sizes[i], info.block);
    }
    char group[20];
    snprintf(group, sizeof group, "GROUP=%zu ", info.group);
    expect_contains(shape->tuning, group);
    expect_contains(info.variant, info.group == 1     ? "serial"
                                  : info.group == 128 ? "group"
                                                      : "sub-group");
    if (info.groups == 0 || info.scratch_bytes < 4 * 4096) test_fail("groups or scratch_bytes");
    expect_failure(clprims_reduce_describe(reduce, desc.max_n + 1, &info), CLPRIMS_ERR_TOO_LARGE,
                   "n = 33554434 exceeds max_n = 33554433");
}

void add_empty_cases(test_cases *cases) {
    for (size_t i = 0; i < sizeof empty_cases / sizeof empty_cases[0]; i++) {
        const empty_case *c = &empty_cases[i];
        if (test_small() && i > 3 && !c->is_fault) continue;
        test_add(cases, none_is_right, c, sizeof *c, "reduce/none/%s/%s%s%s",
                 clprims_type_name(c->type), clprims_op_name(c->op), c->has_init ? "/init" : "",
                 c->has_identity ? "/identity" : "");
    }
    for (size_t s = 0; s < 3; s++) {
        clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
        if (s > 0 && !test_bears_shapes()) continue;
        desc.type = CLPRIMS_F32;
        desc.max_n = test_small() ? 3001 : 300007;
        desc.tuning = reduce_shapes[s].tuning;
        test_add(cases, one_plan_many_runs, &desc, sizeof desc, "reduce/one-plan/%s",
                 reduce_shapes[s].name);
        if (s == 2) {
            /* While one thread of PoCL is late with block 0, another reaches the group that waits.
             */
            desc.tuning = "GROUP=128 WAITERS=1000000 DELAY=1000 RUN=1073741818";
            test_add(cases, one_plan_many_runs, &desc, sizeof desc, "reduce/one-plan/late-blocks");
            test_add(cases, creating_leaves_no_sum, NULL, 0, "reduce/warm-up");
        }
        test_add(cases, describe_says_it, &reduce_shapes[s], sizeof reduce_shapes[s],
                 "reduce/describe/%s", reduce_shapes[s].name);
    }
}
