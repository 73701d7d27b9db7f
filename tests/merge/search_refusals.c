/* SPDX-License-Identifier: MIT */
/* Bad input: each kind has its own status and a message with the values in it. */
#include "merge/search_groups.h"

/* ---- create ---- */

typedef struct bad_desc {
    const char *name;
    void (*spoil)(clprims_search_desc *desc);
    clprims_status status;
    const char *message; /* a part of it */
} bad_desc;

#define SPOIL(name, statements)                                                                    \
    static void name(clprims_search_desc *d) {                                                     \
        statements;                                                                                \
    }
SPOIL(old_size, d->struct_size = 8)
SPOIL(no_type, d->type = (clprims_type)99)
SPOIL(no_max, d->max_n = d->max_sorted = 0)
SPOIL(huge_max_n, d->max_n = SIZE_MAX)
SPOIL(huge_max_sorted, d->max_sorted = SIZE_MAX)
SPOIL(narrow_positions, d->positions = CLPRIMS_I16)
SPOIL(float_positions, d->positions = CLPRIMS_F64)
SPOIL(beyond_int32, (d->positions = CLPRIMS_I32, d->max_sorted = (size_t)1 << 31))
SPOIL(beyond_uint32, (d->positions = CLPRIMS_U32, d->max_sorted = (size_t)1 << 32))
SPOIL(broken_less, d->less = "a < elephants")
SPOIL(parameters_for_none, d->parameters = "int number")
SPOIL(struct_without_less, d->type = CLPRIMS_STRUCT)
SPOIL(struct_without_text, (d->type = CLPRIMS_STRUCT, d->less = "a.x < b.x"))
SPOIL(unknown_knob, d->tuning = "COLOR=3")
SPOIL(knob_of_sorted, (d->needles_sorted = 1, d->tuning = "PIVOTS=3"))
SPOIL(many_pivots, d->tuning = "PIVOTS=65537")

static const bad_desc bad_descs[] = {
    {"struct-size", old_size, CLPRIMS_ERR_ARGUMENT, "struct_size"},
    {"no-type", no_type, CLPRIMS_ERR_ARGUMENT, "search: type = 99 is none of clprims_type"},
    {"no-max", no_max, CLPRIMS_ERR_ARGUMENT, "max_n = 0 and max_sorted = 0"},
    {"huge-max_n", huge_max_n, CLPRIMS_ERR_TOO_LARGE, "max_n = 18446744073709551615 exceeds"},
    {"huge-max_sorted", huge_max_sorted, CLPRIMS_ERR_TOO_LARGE, "max_sorted = 1844674407370955"},
    {"narrow-positions", narrow_positions, CLPRIMS_ERR_ARGUMENT, "positions = 2 (int16) is no"},
    {"float-positions", float_positions, CLPRIMS_ERR_ARGUMENT, "positions = 10 (float64) is no"},
    {"beyond-int32", beyond_int32, CLPRIMS_ERR_TOO_LARGE,
     "max_sorted = 2147483648 is beyond the reach of positions of type int32"},
    {"beyond-uint32", beyond_uint32, CLPRIMS_ERR_TOO_LARGE, "of type uint32; use int64"},
    {"broken-less", broken_less, CLPRIMS_ERR_BUILD, "elephants"},
    {"parameters-for-none", parameters_for_none, CLPRIMS_ERR_ARGUMENT,
     "1 parameters, but no desc.less"},
    {"struct-without-less", struct_without_less, CLPRIMS_ERR_ARGUMENT, "needs desc.less"},
    {"struct-without-text", struct_without_text, CLPRIMS_ERR_ARGUMENT, "type_name is NULL"},
    {"unknown-knob", unknown_knob, CLPRIMS_ERR_ARGUMENT, "COLOR"},
    {"knob-of-sorted", knob_of_sorted, CLPRIMS_ERR_ARGUMENT, "PIVOTS"},
    {"many-pivots", many_pivots, CLPRIMS_ERR_ARGUMENT, "PIVOTS=65537"},
};

static clprims_search_desc good_desc(void) {
    clprims_search_desc desc = CLPRIMS_SEARCH_DESC_INIT;
    desc.type = CLPRIMS_I32;
    desc.max_n = 100;
    desc.max_sorted = 50;
    return desc;
}

static void create_refuses(const void *data) {
    const bad_desc *bad = data;
    clprims_search_desc desc = good_desc();
    clprims_search *plan = (clprims_search *)&desc;
    bad->spoil(&desc);
    expect_failure(clprims_search_create(&plan, test_context(), &desc), bad->status,
                   bad->status == CLPRIMS_ERR_BUILD ? "search" : bad->message);
    if (bad->status == CLPRIMS_ERR_BUILD) {
        expect_contains(clprims_last_error()->build_log, bad->message);
    }
    if (plan != NULL) test_fail("the plan is not NULL");
}

static void create_refuses_null(const void *data) {
    const clprims_search_desc desc = good_desc();
    clprims_search *plan = NULL;
    (void)data;
    expect_failure(clprims_search_create(NULL, test_context(), &desc), CLPRIMS_ERR_ARGUMENT,
                   "search: out is NULL");
    expect_failure(clprims_search_create(&plan, NULL, &desc), CLPRIMS_ERR_ARGUMENT,
                   "search: context is NULL");
    expect_failure(clprims_search_create(&plan, test_context(), NULL), CLPRIMS_ERR_ARGUMENT,
                   "search: desc is NULL");
    clprims_search_destroy(NULL);
}

/* ---- Calls ---- */

static clprims_search *good_plan(void) {
    const clprims_search_desc desc = good_desc();
    clprims_search *plan = NULL;
    expect_ok(clprims_search_create(&plan, test_context(), &desc));
    return plan;
}

static void enqueue_refuses(const void *data) {
    (void)data;
    const clprims_buffer none = {NULL, 0};
    clprims_search *plan = good_plan();
    cl_command_queue queue = test_queue();
    test_buffer sorted = test_buffer_create(NULL, 50, 4, 0);
    test_buffer needles = test_buffer_create(NULL, 100, 4, 0);
    test_buffer out = test_buffer_create(NULL, 100, 8, 0);
    const clprims_buffer beyond = {out.at.mem, 1 << 20};
#define SEARCH(plan, queue, sorted, n_sorted, needles, out, n)                                     \
    clprims_search_enqueue(plan, queue, sorted, n_sorted, needles, out, n, 0, NULL, NULL)
    expect_failure(SEARCH(NULL, queue, sorted.at, 50, needles.at, out.at, 100),
                   CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    expect_failure(SEARCH(plan, NULL, sorted.at, 50, needles.at, out.at, 100), CLPRIMS_ERR_ARGUMENT,
                   "queue is NULL");
    expect_failure(SEARCH(plan, queue, sorted.at, 51, needles.at, out.at, 100),
                   CLPRIMS_ERR_TOO_LARGE, "n_sorted = 51 exceeds max_sorted = 50");
    expect_failure(SEARCH(plan, queue, sorted.at, 50, needles.at, out.at, 101),
                   CLPRIMS_ERR_TOO_LARGE, "n = 101 exceeds max_n = 100");
    expect_failure(SEARCH(plan, queue, none, 50, needles.at, out.at, 100), CLPRIMS_ERR_ARGUMENT,
                   "sorted");
    expect_failure(SEARCH(plan, queue, sorted.at, 50, none, out.at, 100), CLPRIMS_ERR_ARGUMENT,
                   "needles");
    expect_failure(SEARCH(plan, queue, sorted.at, 50, needles.at, none, 100), CLPRIMS_ERR_ARGUMENT,
                   "out");
    expect_failure(SEARCH(plan, queue, sorted.at, 50, needles.at, beyond, 100),
                   CLPRIMS_ERR_ARGUMENT, "out");
    expect_failure(clprims_search_enqueue_counted(plan, queue, sorted.at, none, needles.at, out.at,
                                                  out.at, none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "n_sorted.mem is NULL");
    expect_failure(clprims_search_enqueue_counted(plan, queue, sorted.at, out.at, needles.at,
                                                  out.at, none, none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "n.mem is NULL");
    expect_ok(SEARCH(plan, queue, sorted.at, 50, none, none, 0));
    expect_ok(SEARCH(plan, queue, none, 0, needles.at, out.at, 100));
    expect_cl(clFinish(queue));
    test_buffer_release(&sorted);
    test_buffer_release(&needles);
    test_buffer_release(&out);
    clprims_search_destroy(plan);
}

static void others_refuse(const void *data) {
    (void)data;
    const int32_t values[4] = {1, 2, 3, 4};
    int64_t out[4];
    clprims_search_info info = CLPRIMS_SEARCH_INFO_INIT;
    clprims_search *plan = good_plan();
    expect_failure(clprims_search_run(NULL, values, 4, values, out, 4), CLPRIMS_ERR_ARGUMENT,
                   "plan is NULL");
    expect_failure(clprims_search_run(plan, NULL, 4, values, out, 4), CLPRIMS_ERR_ARGUMENT,
                   "sorted is NULL, with n = 4");
    expect_failure(clprims_search_run(plan, values, 4, NULL, out, 4), CLPRIMS_ERR_ARGUMENT,
                   "needles is NULL");
    expect_failure(clprims_search_run(plan, values, 4, values, NULL, 4), CLPRIMS_ERR_ARGUMENT,
                   "out is NULL");
    expect_failure(clprims_search_run(plan, values, 51, values, out, 4), CLPRIMS_ERR_TOO_LARGE,
                   "n_sorted = 51");
    expect_failure(clprims_search_describe(NULL, 0, 0, &info), CLPRIMS_ERR_ARGUMENT,
                   "plan is NULL");
    expect_failure(clprims_search_describe(plan, 0, 0, NULL), CLPRIMS_ERR_ARGUMENT, "info is NULL");
    expect_failure(clprims_search_describe(plan, 0, 101, &info), CLPRIMS_ERR_TOO_LARGE,
                   "n = 101 exceeds max_n = 100");
    expect_failure(clprims_search_set_parameter(NULL, 0, 4, values), CLPRIMS_ERR_ARGUMENT,
                   "plan is NULL");
    expect_failure(clprims_search_set_parameter(plan, 0, 4, values), CLPRIMS_ERR_ARGUMENT,
                   "parameter 0 of 0");
    clprims_search_destroy(plan);
}

void search_add_refusals(test_cases *cases) {
    for (size_t i = 0; i < sizeof bad_descs / sizeof bad_descs[0]; i++) {
        test_add(cases, create_refuses, &bad_descs[i], sizeof bad_descs[i],
                 "search/refusals/create/%s", bad_descs[i].name);
    }
    test_add(cases, create_refuses_null, NULL, 0, "search/refusals/create/null");
    test_add(cases, enqueue_refuses, NULL, 0, "search/refusals/enqueue");
    test_add(cases, others_refuse, NULL, 0, "search/refusals/others");
}
