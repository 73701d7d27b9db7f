/* SPDX-License-Identifier: MIT */
/* Parameters of the input's and the keys' expressions: values, changes between runs, bad ones. */
#include "segmented/segmented_tries.h"
#include "subjects/runs/subject_parameters.h"

static clprims_segmented_desc describe(const char *tuning) {
    clprims_segmented_desc desc = {0};
    desc.by = CLPRIMS_SEGMENTS_KEYS;
    desc.heads_type = CLPRIMS_U32;
    desc.type = CLPRIMS_U32;
    desc.max_n = 3001;
    desc.input = SUBJECT_WEIGHTED_INPUT;
    desc.parameters = SUBJECT_WEIGHTED_PARAMETERS;
    desc.tuning = tuning;
    return desc;
}

static void parameters_are_used(const void *data) {
    const char *const *tuning = data;
    const clprims_segmented_desc desc = describe(*tuning);
    const subject_data like = {.of = &subject_segmented, .desc = &desc, .most = {desc.max_n}};
    subject_parameters_are_used(&like);
}

static void values_are_checked(const void *data) {
    const char *const *tuning = data;
    const clprims_segmented_desc desc = describe(*tuning);
    const subject_data like = {.of = &subject_segmented, .desc = &desc, .most = {desc.max_n}};
    subject_values_are_checked(&like);
}

/* Keys are equal that are no further apart than the step. */
static void equality_takes_a_parameter(const void *data) {
    static const struct {
        uint32_t step, count, sums[3];
    } runs[] = {{0, 3, {3, 3, 4}}, {3, 2, {6, 4}}, {18, 1, {10}}, {2, 3, {3, 3, 4}}};
    static const uint32_t in[4] = {1, 2, 3, 4}, keys[4] = {9, 9, 12, 30};
    const char *const *tuning = data;
    clprims_segmented_desc desc = describe(*tuning);
    desc.input = NULL;
    desc.equal = "abs_diff(a, b) <= step";
    desc.parameters = "uint step";
    clprims_segmented *plan = segmented_plan(&desc);
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        uint32_t out[4] = {0};
        size_t count = 0;
        const clprims_segmented_arrays a = {in, keys, out, .count = &count};
        expect_ok(clprims_segmented_set_parameter(plan, 0, 4, &runs[k].step));
        expect_ok(clprims_segmented_run(plan, &a, 4));
        assert_int_equal(count, runs[k].count);
        expect_elements(runs[k].sums, out, count, 4);
    }
}

void add_parameter_cases(test_cases *cases) {
    const char *tuning = test_bears_shapes() ? "GROUP=8 SHARE=11 GROUPS=64" : NULL;
    test_add(cases, parameters_are_used, &tuning, sizeof tuning, "segmented/parameters/many");
    test_add(cases, values_are_checked, &tuning, sizeof tuning, "segmented/parameters/values/many");
    test_add(cases, equality_takes_a_parameter, &tuning, sizeof tuning,
             "segmented/parameters/equal");
}
