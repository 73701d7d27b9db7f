/* SPDX-License-Identifier: MIT */
/* Top-k of as many elements as stand in device memory, fewer than k among them. */
#include "subjects/runs/subject_counted.h"
#include "topk/topk_suite.h"

static subject_data data_like(const clprims_topk_desc *desc) {
    return (subject_data){.of = &subject_topk, .desc = desc, .most = {desc->max_n, desc->max_k}};
}

static void counted_is_right(const void *data) {
    const subject_data like = data_like(data);
    clprims_topk *plan = NULL;
    expect_ok(clprims_topk_create(&plan, test_context(), data));
    subject_counted_is_right(&like, plan, 100, false);
    clprims_topk_destroy(plan);
}

static void counted_is_refused(const void *data) {
    const clprims_topk_desc *desc = data;
    const subject_data like = data_like(desc);
    const clprims_buffer none = {NULL, 0};
    clprims_topk *plan = NULL;
    clprims_topk_buffers b = CLPRIMS_TOPK_BUFFERS_INIT;
    test_buffer count = test_buffer_create(NULL, 1, 8, 0);
    expect_ok(clprims_topk_create(&plan, test_context(), desc));
    subject_counted_is_refused(&like, plan);
    expect_failure(clprims_topk_enqueue_counted(plan, test_queue(), &b, count.at, desc->max_k + 1,
                                                none, 0, NULL, NULL),
                   CLPRIMS_ERR_TOO_LARGE, "exceeds max_k");
    test_buffer_release(&count);
    clprims_topk_destroy(plan);
}

static void reports_are_checked(const void *data) {
    const clprims_topk_report valid = {CLPRIMS_TOPK_VALID, 5}, huge = {CLPRIMS_TOPK_COUNT, -1},
                              none = {2, 0};
    (void)data;
    expect_ok(clprims_topk_check(&valid));
    expect_failure(clprims_topk_check(&huge), CLPRIMS_ERR_DATA,
                   "topk: n = 18446744073709551615, as read on the device, exceeds max_n");
    expect_failure(clprims_topk_check(&none), CLPRIMS_ERR_ARGUMENT, "report.fault = 2");
    expect_failure(clprims_topk_check(NULL), CLPRIMS_ERR_ARGUMENT, "report is NULL");
}

void topk_add_counted(test_cases *cases, const clprims_topk_desc *desc, const char *name) {
    test_add(cases, counted_is_right, desc, sizeof *desc, "topk/counted/%s", name);
}

void topk_add_counted_refusals(test_cases *cases, const clprims_topk_desc *desc) {
    test_add(cases, counted_is_refused, desc, sizeof *desc, "topk/counted/refusals");
    test_add(cases, reports_are_checked, NULL, 0, "topk/counted/reports");
}
