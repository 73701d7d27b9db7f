/* SPDX-License-Identifier: MIT */
/* Sorts whose number of keys stands in device memory. */
#include "sort/sort_suite.h"
#include "subjects/runs/subject_counted.h"

typedef struct counted_case {
    clprims_sort_desc desc;
    bool in_place;
} counted_case;

static void counted_is_right(const void *data) {
    const counted_case *c = data;
    const subject_data like = {.of = &subject_sort, .desc = &c->desc, .most = {c->desc.max_n}};
    clprims_sort *plan = NULL;
    clprims_sort_info info = CLPRIMS_SORT_INFO_INIT;
    expect_ok(clprims_sort_create(&plan, test_context(), &c->desc));
    expect_ok(clprims_sort_describe(plan, c->desc.max_n, &info));
    subject_counted_is_right(&like, plan, info.tile > 0 ? info.tile : 24, c->in_place);
    clprims_sort_destroy(plan);
}

static void counted_is_refused(const void *data) {
    const counted_case *c = data;
    clprims_sort_desc desc = c->desc;
    const subject_data like = {.of = &subject_sort, .desc = &desc, .most = {desc.max_n}};
    clprims_sort *plan = NULL;
    desc.payloads = 0;
    expect_ok(clprims_sort_create(&plan, test_context(), &desc));
    subject_counted_is_refused(&like, plan);
    clprims_sort_destroy(plan);
}

static void reports_are_checked(const void *data) {
    const clprims_sort_report valid = {CLPRIMS_SORT_VALID, 5}, huge = {CLPRIMS_SORT_COUNT, -1},
                              none = {2, 0};
    (void)data;
    expect_ok(clprims_sort_check(&valid));
    expect_failure(clprims_sort_check(&huge), CLPRIMS_ERR_DATA,
                   "sort: n = 18446744073709551615, as read on the device, exceeds max_n");
    expect_failure(clprims_sort_check(&none), CLPRIMS_ERR_ARGUMENT, "report.fault = 2");
    expect_failure(clprims_sort_check(NULL), CLPRIMS_ERR_ARGUMENT, "report is NULL");
}

/* ---- Cases ---- */

void sort_add_counted(test_cases *cases, clprims_sort_algorithm algorithm, const char *name,
                      const char *tuning, size_t max_n) {
    counted_case c = {.desc = CLPRIMS_SORT_DESC_INIT};
    c.desc.type = CLPRIMS_U32;
    c.desc.payloads = 1;
    c.desc.payload_bytes[0] = 4;
    c.desc.max_n = max_n;
    c.desc.algorithm = algorithm;
    c.desc.tuning = tuning;
    for (int in_place = 0; in_place < 2; in_place++) {
        c.in_place = in_place != 0;
        test_add(cases, counted_is_right, &c, sizeof c, "sort/counted/%s/max=%zu%s", name, max_n,
                 in_place ? "/in-place" : "");
    }
    test_add(cases, counted_is_refused, &c, sizeof c, "sort/counted/%s/max=%zu/refusals", name,
             max_n);
}

void sort_add_counted_reports(test_cases *cases) {
    test_add(cases, reports_are_checked, NULL, 0, "sort/counted/reports");
}
