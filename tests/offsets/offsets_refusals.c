/* SPDX-License-Identifier: MIT */
/* What offsets are refused for. */
#include "offsets/offsets_cases.h"
#include "subjects/runs/subject_refusals.h"

static clprims_offsets *create(clprims_type type, bool counts) {
    clprims_offsets_desc desc = {.type = type, .counts = counts, .max_n = 8};
    return subject_made_plan(&subject_offsets, &desc);
}

static const clprims_offsets_desc good = {.type = CLPRIMS_I32, .max_n = 8};

static void spoil(void *desc, subject_refusal *r) {
    clprims_offsets_desc *d = desc;
    ILLEGAL("floats", "(float32) is no integer type", d->type = CLPRIMS_F32)
    ILLEGAL("algorithm", "algorithm = 77", d->algorithm = (clprims_algorithm)77)
}

static void describe_names_the_algorithm(void) {
    clprims_offsets_info info = {0};
    clprims_offsets *plan = create(CLPRIMS_I32, false);
    const clprims_offsets_report report = {INT64_C(1) << 32, 0, 0};
    expect_ok(clprims_offsets_describe(plan, 8, &info));
    assert_int_not_equal(info.algorithm, CLPRIMS_ALGORITHM_AUTO);
    expect_failure(clprims_offsets_check(&report), CLPRIMS_ERR_ARGUMENT, "fault = 4294967296");
}

/* Faults of plain arrays are told with their values, whichever type they have. */
static void run_names_values(void) {
    const int8_t narrow[2] = {3, -128};
    const uint64_t from[2] = {5, UINT64_MAX}, to[2] = {5, UINT64_MAX - 1};
    int64_t out[3] = {7, 7, 7};
    clprims_offsets *plan = create(CLPRIMS_U64, false), *counts_plan = create(CLPRIMS_I8, true);
    expect_failure(
        clprims_offsets_run(
            plan, &(clprims_offsets_arrays){.starts = from, .stops = to, .offsets = out}, 2),
        CLPRIMS_ERR_DATA,
        "stops[1] = 18446744073709551614 is less than starts[1] = 18446744073709551615");
    expect_failure(clprims_offsets_run(
                       counts_plan, &(clprims_offsets_arrays){.stops = narrow, .offsets = out}, 2),
                   CLPRIMS_ERR_DATA, "counts[1] = -128 is negative");
    for (int i = 0; i < 3; i++) assert_int_equal(out[i], 7);
}

/* n = 0 needs neither input. */
static void run_of_none(void) {
    for (int counts = 0; counts < 2; counts++) {
        const int64_t marks[3] = {7, 7, 7};
        int64_t out[3] = {7, 7, 7};
        clprims_offsets *plan = create(CLPRIMS_I32, counts != 0);
        expect_ok(clprims_offsets_run(plan, &(clprims_offsets_arrays){.offsets = out + 1}, 0));
        assert_int_equal(out[0], marks[0]);
        assert_int_equal(out[1], 0);
        assert_int_equal(out[2], marks[2]);
    }
}

void add_refusal_cases(test_cases *cases) {
    subject_add_refused(cases, &subject_offsets, &good, spoil, "offsets/refusals/create");
    test_add_plain(cases, describe_names_the_algorithm, "offsets/refusals/describe");
    test_add_plain(cases, run_of_none, "offsets/refusals/run/none");
    test_add_plain(cases, run_names_values, "offsets/refusals/run/values");
}
