/* SPDX-License-Identifier: MIT */
/* Searches whose numbers of elements stand in device memory. */
#include "merge/search_groups.h"
#include "subjects/runs/subject_counted.h"

enum { MAX_N = 400, MAX_SORTED = 3000 };

static void counted_is_right(const void *data) {
    const search_way *how = data;
    const merge_order order = merge_order_of(CLPRIMS_U32);
    const clprims_search_desc desc = {.struct_size = sizeof desc,
                                      .type = CLPRIMS_U32,
                                      .needles_sorted = how->needles_sorted,
                                      .positions = CLPRIMS_I32};
    const subject_data like = {
        .of = &subject_search,
        .desc = &desc,
        .most = {test_small() ? 60 : MAX_N, test_small() ? 100 : MAX_SORTED}};
    clprims_search *plan = search_plan(&order, how, false, CLPRIMS_I32);
    subject_counted_is_right(&like, plan, how->tile, false);
    clprims_search_destroy(plan);
}

static void reports_are_checked(const void *data) {
    (void)data;
    clprims_search_report report = {CLPRIMS_SEARCH_VALID, 1, 2};
    expect_ok(clprims_search_check(&report));
    report.n = 5000;
    report.fault = CLPRIMS_SEARCH_COUNT;
    expect_failure(clprims_search_check(&report), CLPRIMS_ERR_DATA,
                   "n = 5000, as read on the device, exceeds max_n");
    report.n_sorted = -1;
    report.fault = CLPRIMS_SEARCH_COUNT_SORTED;
    expect_failure(clprims_search_check(&report), CLPRIMS_ERR_DATA,
                   "n_sorted = 18446744073709551615, as read on the device, exceeds max_sorted");
    report.fault = 3;
    expect_failure(clprims_search_check(&report), CLPRIMS_ERR_ARGUMENT, "report.fault = 3 is none");
    expect_failure(clprims_search_check(NULL), CLPRIMS_ERR_ARGUMENT, "report is NULL");
}

void search_add_counted(test_cases *cases) {
    for (size_t w = 0; w < SEARCH_WAYS; w++) {
        if (w == 2) continue;
        test_add(cases, counted_is_right, &search_ways[w], sizeof search_ways[w],
                 "search/counted/%s", search_ways[w].name);
    }
    test_add(cases, reports_are_checked, NULL, 0, "search/check");
}
