/* SPDX-License-Identifier: MIT */
/* What offsets are refused for. */
#include "offsets/offsets_cases.h"
#include "subjects/runs/subject_refusals.h"

static clprims_offsets *create(clprims_type type, bool counts) {
    clprims_offsets_desc desc = CLPRIMS_OFFSETS_DESC_INIT;
    clprims_offsets *plan = NULL;
    desc.type = type;
    desc.counts = counts;
    desc.max_n = 8;
    expect_ok(clprims_offsets_create(&plan, test_context(), &desc));
    return plan;
}

static void create_refuses(const void *data) {
    (void)data;
    clprims_offsets_desc desc = CLPRIMS_OFFSETS_DESC_INIT;
    subject_null_is_refused(&subject_offsets, &desc);
    subject_is_refused(&subject_offsets, &desc, CLPRIMS_ERR_ARGUMENT, "type = 0");
    desc.type = CLPRIMS_F32;
    subject_is_refused(&subject_offsets, &desc, CLPRIMS_ERR_ARGUMENT,
                       "(float32) is no integer type");
    desc.type = CLPRIMS_I32;
    subject_is_refused(&subject_offsets, &desc, CLPRIMS_ERR_ARGUMENT, "max_n = 0");
    desc.max_n = SIZE_MAX / 8;
    subject_is_refused(&subject_offsets, &desc, CLPRIMS_ERR_TOO_LARGE, "the most of all");
    desc.max_n = 8;
    desc.algorithm = (clprims_algorithm)77;
    subject_is_refused(&subject_offsets, &desc, CLPRIMS_ERR_ARGUMENT, "algorithm = 77");
    desc.algorithm = CLPRIMS_ALGORITHM_AUTO;
    desc.tuning = "LEGS=4";
    subject_is_refused(&subject_offsets, &desc, CLPRIMS_ERR_ARGUMENT, "LEGS");
    desc.struct_size = 3;
    subject_is_refused(&subject_offsets, &desc, CLPRIMS_ERR_ARGUMENT, "struct_size = 3");
}

static const clprims_offsets_desc good = {
    .struct_size = sizeof good, .type = CLPRIMS_I32, .max_n = 8};
static const subject_data like = {.of = &subject_offsets, .desc = &good, .most = {8}};

static void describe_refuses(const void *data) {
    (void)data;
    clprims_offsets_info info = CLPRIMS_OFFSETS_INFO_INIT;
    clprims_offsets *plan = create(CLPRIMS_I32, false);
    subject_others_refuse(&like);
    expect_ok(clprims_offsets_describe(plan, 8, &info));
    assert_int_not_equal(info.algorithm, CLPRIMS_ALGORITHM_AUTO);
    clprims_offsets_destroy(plan);
}

static void enqueue_refuses(const void *data) {
    (void)data;
    static const clprims_buffer none = {NULL, 0};
    clprims_offsets *plan = create(CLPRIMS_I32, false), *counts_plan = create(CLPRIMS_I32, true);
    cl_command_queue queue = test_queue();
    int32_t zeros[8] = {0};
    test_buffer in = test_buffer_create(zeros, 8, sizeof(int32_t), 0);
    test_buffer out = test_buffer_create(NULL, 9, sizeof(int64_t), 0);
    subject_enqueue_refuses(&like);
    expect_failure(
        clprims_offsets_enqueue(plan, queue, in.at, in.at, out.at, 8, out.at, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "report (first = 0, n = 1) overlaps offsets");
    expect_failure(
        clprims_offsets_enqueue(plan, queue, out.at, in.at, out.at, 8, none, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "starts (first = 0, n = 8) overlaps offsets (first = 0, n = 9)");
    expect_failure(
        clprims_offsets_enqueue(counts_plan, queue, in.at, in.at, out.at, 8, none, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "starts.mem is not NULL, but the plan takes counts");
    expect_ok(clprims_offsets_enqueue(plan, queue, in.at, in.at, out.at, 8, none, 0, NULL, NULL));
    expect_cl(clFinish(queue));
    test_buffer_release(&in);
    test_buffer_release(&out);
    clprims_offsets_destroy(plan);
    clprims_offsets_destroy(counts_plan);
}

static void run_refuses(const void *data) {
    (void)data;
    int64_t out[3] = {0};
    const int32_t in[2] = {0};
    clprims_offsets *counts_plan = create(CLPRIMS_I32, true);
    const clprims_offsets_report report = {INT64_C(1) << 32, 0, 0};
    subject_run_refuses(&like);
    expect_failure(clprims_offsets_run(counts_plan, in, in, out, 2), CLPRIMS_ERR_ARGUMENT,
                   "the plan takes counts");
    expect_failure(clprims_offsets_check(&report), CLPRIMS_ERR_ARGUMENT, "fault = 4294967296");
    clprims_offsets_destroy(counts_plan);
}

/* Faults of plain arrays are told with their values, whichever type they have. */
static void run_names_values(const void *data) {
    (void)data;
    const int8_t narrow[2] = {3, -128};
    const uint64_t from[2] = {5, UINT64_MAX}, to[2] = {5, UINT64_MAX - 1};
    int64_t out[3] = {7, 7, 7};
    clprims_offsets *plan = create(CLPRIMS_U64, false), *counts_plan = create(CLPRIMS_I8, true);
    expect_failure(clprims_offsets_run(plan, from, to, out, 2), CLPRIMS_ERR_DATA,
                   "stops[1] = 18446744073709551614 is less than starts[1] = 18446744073709551615");
    expect_failure(clprims_offsets_run(counts_plan, NULL, narrow, out, 2), CLPRIMS_ERR_DATA,
                   "counts[1] = -128 is negative");
    for (int i = 0; i < 3; i++) assert_int_equal(out[i], 7);
    clprims_offsets_destroy(plan);
    clprims_offsets_destroy(counts_plan);
}

/* n = 0 needs neither input. */
static void run_of_none(const void *data) {
    (void)data;
    for (int counts = 0; counts < 2; counts++) {
        const int64_t marks[3] = {7, 7, 7};
        int64_t out[3] = {7, 7, 7};
        clprims_offsets *plan = create(CLPRIMS_I32, counts != 0);
        expect_ok(clprims_offsets_run(plan, NULL, NULL, out + 1, 0));
        assert_int_equal(out[0], marks[0]);
        assert_int_equal(out[1], 0);
        assert_int_equal(out[2], marks[2]);
        clprims_offsets_destroy(plan);
    }
}

void add_refusal_cases(test_cases *cases) {
    test_add(cases, create_refuses, NULL, 0, "offsets/refusals/create");
    test_add(cases, enqueue_refuses, NULL, 0, "offsets/refusals/enqueue");
    test_add(cases, describe_refuses, NULL, 0, "offsets/refusals/describe");
    test_add(cases, run_refuses, NULL, 0, "offsets/refusals/run");
    test_add(cases, run_of_none, NULL, 0, "offsets/refusals/run/none");
    test_add(cases, run_names_values, NULL, 0, "offsets/refusals/run/values");
}
