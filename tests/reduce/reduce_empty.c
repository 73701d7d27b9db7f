/* SPDX-License-Identifier: MIT */
/* No elements; one plan with many n; runs without a report. */
#include "reduce/reduce_cases.h"

/* ---- n = 0 ---- */

typedef struct empty_case {
    clprims_type type;
    clprims_op op;
    bool has_init;
    bool has_identity; /* of a custom operator */
    bool is_fault;
} empty_case;

/* The twin tells a result where the plan has an initial value or an identity. */
static void none_is_right(const void *data) {
    static const uint64_t init = 7, identity = 9;
    static const size_t firsts[SUBJECT_SLOTS] = {0, 2, 1};
    const empty_case *c = data;
    clprims_reduce_desc desc = {0};
    const subject_data like = reduce_data(&desc, 0);
    desc.type = c->type;
    desc.op = c->op;
    desc.max_n = 100;
    if (c->op == CLPRIMS_CUSTOM) desc.custom.op = "a + b";
    if (c->has_init) desc.init = &init;
    if (c->has_identity) desc.custom.identity = &identity;
    for (int by_run = 0; by_run < 2; by_run++) {
        subject_drawn_is_right(&like, reduce_plan(&desc), firsts, by_run);
        if (!c->is_fault) continue;
        expect_contains(clprims_last_error()->message, "reduce: n = 0, and the plan has neither");
    }
}

static const empty_case empty_cases[] = {
    {CLPRIMS_I32, CLPRIMS_ADD, false, false, false},
    {CLPRIMS_I32, CLPRIMS_ADD, true, false, false},
    {CLPRIMS_I8, CLPRIMS_MIN, false, false, false},
    {CLPRIMS_U16, CLPRIMS_AND, false, false, false},
    {CLPRIMS_F32, CLPRIMS_MAX, false, false, false},
    {CLPRIMS_F32, CLPRIMS_MUL, false, false, false},
    {CLPRIMS_I32, CLPRIMS_CUSTOM, false, true, false},
    {CLPRIMS_I32, CLPRIMS_CUSTOM, true, true, false},
    {CLPRIMS_I32, CLPRIMS_CUSTOM, false, false, true},
    {CLPRIMS_F32, CLPRIMS_ARGMIN, false, false, true},
    {CLPRIMS_F32, CLPRIMS_ARGMAX, true, false, false},
};

/* ---- One plan ---- */

/* Runs of many n below max_n and other elements, which must leave nothing behind for the next. The
 * second run finds sums that the first one published for as many blocks. */
static void one_plan_many_runs(const void *data) {
    const clprims_reduce_desc *desc = data;
    const size_t sizes[] = {desc->max_n, desc->max_n - 1, 1,           0,    1000,
                            129,         desc->max_n / 2, desc->max_n, 2048, 1025};
    clprims_reduce *reduce = reduce_plan(desc);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        subject_data d = reduce_data(desc, sizes[i]);
        const size_t firsts[SUBJECT_SLOTS] = {i, i % 3, i % 2};
        test_note("n = %zu", sizes[i]);
        subject_draw(&d);
        subject_placed_is_right(&d, reduce, firsts);
        subject_leave_out(&d, "report");
        subject_enqueue_is_right(&d, reduce);
    }
}

/* What creating a plan writes must not be taken for a published sum of the first run: its initial
 * value looks like one. */
static void creating_leaves_no_sum(void) {
    const int64_t init = ((int64_t)1 << 32) + 5;
    clprims_reduce_desc desc = {0};
    subject_data d = reduce_data(&desc, 5000);
    desc.type = CLPRIMS_I64;
    desc.init = &init;
    d.most[0] = d.n[0];
    subject_draw(&d);
    for (int turn = 0; turn < 9; turn++) {
        subject_enqueue_is_right(&d, subject_opened_plan(&d, "GROUP=128 WAITERS=0 DELAY=5"));
    }
}

/* What describe says of a plan. */
static void describe_says_it(const void *data) {
    const reduce_shape *shape = data;
    clprims_reduce_info info = {0};
    clprims_reduce_desc desc = {
        .type = CLPRIMS_F32, .max_n = ((size_t)1 << 25) + 1, .tuning = shape->tuning};
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
        test_add_row(cases, none_is_right, *c, "reduce/none/%s/%s%s%s", clprims_type_name(c->type),
                     clprims_op_name(c->op), c->has_init ? "/init" : "",
                     c->has_identity ? "/identity" : "");
    }
    for (size_t s = 0; s < 3; s++) {
        if (s > 0 && !test_bears_shapes()) continue;
        clprims_reduce_desc desc = {.type = CLPRIMS_F32,
                                    .max_n = test_small() ? 3001 : 300007,
                                    .tuning = reduce_shapes[s].tuning};
        test_add_row(cases, one_plan_many_runs, desc, "reduce/one-plan/%s", reduce_shapes[s].name);
        if (s == 2) {
            /* While one thread of PoCL is late with block 0, another reaches the group that waits.
             */
            desc.tuning = "GROUP=128 WAITERS=1000000 DELAY=1000 RUN=1073741818";
            test_add_row(cases, one_plan_many_runs, desc, "reduce/one-plan/late-blocks");
            test_add_plain(cases, creating_leaves_no_sum, "reduce/warm-up");
        }
        test_add_row(cases, describe_says_it, reduce_shapes[s], "reduce/describe/%s",
                     reduce_shapes[s].name);
    }
}
