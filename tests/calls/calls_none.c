/* SPDX-License-Identifier: MIT */
/* Runs of plain arrays with nothing in them need no arrays. */
#include "calls/calls.h"

#include <string.h>

/* The run of nothing for a call's plan; false: the primitive is not among these. */
static bool run_of_none(const call *c, void *plan, clprims_status *status) {
    const clprims_minplus_size no_rows = {0, 9, 9, 1}, no_batch = {9, 9, 9, 0};
    if (strcmp(c->name, "scan") == 0) {
        *status = clprims_scan_run(plan, NULL, NULL, 0);
    } else if (strcmp(c->name, "list") == 0) {
        *status = clprims_list_run(plan, NULL, NULL, CLPRIMS_LIST_FIND_HEAD, 0);
    } else if (strcmp(c->name, "listscan") == 0) {
        *status = clprims_listscan_run(plan, NULL, NULL, NULL, CLPRIMS_LIST_FIND_HEAD, 0);
    } else if (strcmp(c->name, "forest") == 0) {
        *status = clprims_forest_run(plan, NULL, NULL, NULL, 0);
    } else if (strcmp(c->name, "minplus") == 0) {
        *status = clprims_minplus_run(plan, NULL, NULL, NULL, NULL, no_rows);
        expect_ok(*status);
        *status = clprims_minplus_run(plan, NULL, NULL, NULL, NULL, no_batch);
    } else if (strcmp(c->name, "paths") == 0) {
        *status = clprims_paths_run(plan, NULL, NULL, 0);
    } else {
        return false;
    }
    return true;
}

static void nothing_is_needed(const void *data) {
    const call *c = *(const call *const *)data;
    clprims_status status = CLPRIMS_ERR_INTERNAL;
    void *plan = c->create();
    assert_true(run_of_none(c, plan, &status));
    expect_ok(status);
    c->destroy(plan);
}

static void nothing_is_selected(const void *data) {
    const clprims_select_arrays none = CLPRIMS_SELECT_ARRAYS_INIT;
    const call *c = *(const call *const *)data;
    void *plan = c->create();
    size_t count = 7;
    expect_ok(clprims_select_run(plan, &none, 0, 0, &count));
    assert_int_equal(count, 0);
    c->destroy(plan);
}

void calls_add_none(test_cases *cases) {
    static const char *const names[] = {"scan", "list", "listscan", "forest", "minplus", "paths"};
    for (size_t i = 0; i < CALLS; i++) {
        const call *c = call_at(i);
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
            if (strcmp(c->name, names[k]) != 0) continue;
            test_add(cases, nothing_is_needed, &c, sizeof c, "calls/run-of-none/%s", c->name);
        }
        if (strcmp(c->name, "select-flags") == 0) {
            test_add(cases, nothing_is_selected, &c, sizeof c, "calls/run-of-none/%s", c->name);
        }
    }
}
