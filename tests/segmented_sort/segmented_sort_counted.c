/* SPDX-License-Identifier: MIT */
/* Segmented sorts whose numbers of elements and segments stand in device memory. */
#include "segmented_sort/segmented_sort_suite.h"
#include "subjects/runs/subject_counted.h"

static subject_data data_like(const clprims_segmented_sort_desc *desc) {
    return (subject_data){
        .of = &subject_segmented_sort, .desc = desc, .most = {desc->max_n, desc->max_segments}};
}

static void counted_is_right(const void *data) {
    const subject_data like = data_like(data);
    clprims_segmented_sort *plan = NULL;
    expect_ok(clprims_segmented_sort_create(&plan, test_context(), data));
    subject_counted_is_right(&like, plan, 40, false);
    subject_counted_is_right(&like, plan, 40, true);
    clprims_segmented_sort_destroy(plan);
}

static void counted_is_refused(const void *data) {
    const subject_data like = data_like(data);
    const clprims_buffer none = {NULL, 0};
    clprims_segmented_sort *plan = NULL;
    clprims_segmented_sort_buffers b = CLPRIMS_SEGMENTED_SORT_BUFFERS_INIT;
    expect_ok(clprims_segmented_sort_create(&plan, test_context(), data));
    subject_counted_is_refused(&like, plan);
    expect_failure(
        clprims_segmented_sort_enqueue_counted(plan, test_queue(), &b, none, none, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "n.mem and segments.mem are NULL");
    clprims_segmented_sort_destroy(plan);
}

static void reports_are_checked(const void *data) {
    const clprims_segmented_sort_report huge = {CLPRIMS_SEGMENTED_SORT_COUNT, -1},
                                        many = {CLPRIMS_SEGMENTED_SORT_SEGMENTS, 77};
    (void)data;
    expect_failure(
        clprims_segmented_sort_check(&huge), CLPRIMS_ERR_DATA,
        "segmented_sort: n = 18446744073709551615, as read on the device, exceeds max_n");
    expect_failure(clprims_segmented_sort_check(&many), CLPRIMS_ERR_DATA,
                   "segments = 77, as read on the device, exceeds max_segments");
}

void segmented_sort_add_counted(test_cases *cases, const clprims_segmented_sort_desc *desc,
                                const char *name) {
    test_add(cases, counted_is_right, desc, sizeof *desc, "segmented-sort/counted/%s", name);
}

void segmented_sort_add_counted_refusals(test_cases *cases,
                                         const clprims_segmented_sort_desc *desc) {
    test_add(cases, counted_is_refused, desc, sizeof *desc, "segmented-sort/counted/refusals");
    test_add(cases, reports_are_checked, NULL, 0, "segmented-sort/counted/reports");
}
