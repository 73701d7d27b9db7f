/* SPDX-License-Identifier: MIT */
/* Merges whose numbers of elements stand in device memory. */
#include "merge/merge_groups.h"
#include "subjects/runs/subject_counted.h"

enum { MAX_N = 700, SMALL_N = 100 };

static void counted_is_right(const void *data) {
    const way *how = data;
    const size_t most = test_small() ? SMALL_N : MAX_N;
    clprims_merge_desc desc = CLPRIMS_MERGE_DESC_INIT;
    const subject_data like = {.of = &subject_merge, .desc = &desc, .most = {most, most}};
    void *plan = NULL;
    desc.type = CLPRIMS_I16;
    expect_ok(subject_plan(&like, test_context(), how->tuning, &plan));
    subject_counted_is_right(&like, plan, how->tile, false);
    clprims_merge_destroy(plan);
}

static void reports_are_checked(const void *data) {
    (void)data;
    clprims_merge_report report = {CLPRIMS_MERGE_VALID, 1, 2};
    expect_ok(clprims_merge_check(&report));
    report.n_a = 5000;
    report.fault = CLPRIMS_MERGE_COUNT_A;
    expect_failure(clprims_merge_check(&report), CLPRIMS_ERR_DATA,
                   "n_a = 5000, as read on the device, exceeds max_a");
    report.n_b = -1;
    report.fault = CLPRIMS_MERGE_COUNT_B;
    expect_failure(clprims_merge_check(&report), CLPRIMS_ERR_DATA,
                   "n_b = 18446744073709551615, as read on the device, exceeds max_b");
    report.fault = 3;
    expect_failure(clprims_merge_check(&report), CLPRIMS_ERR_ARGUMENT, "report.fault = 3 is none");
    expect_failure(clprims_merge_check(NULL), CLPRIMS_ERR_ARGUMENT, "report is NULL");
}

void merge_add_counted(test_cases *cases) {
    for (size_t w = 0; w < 2; w++) {
        test_add(cases, counted_is_right, &merge_ways[w], sizeof merge_ways[w], "merge/counted/%s",
                 merge_ways[w].name);
    }
    test_add(cases, reports_are_checked, NULL, 0, "merge/check");
}
