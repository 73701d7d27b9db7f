/* SPDX-License-Identifier: MIT */
/* Runs with nothing in them need no arrays: none of plain ones, and no buffers. */
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

/* ---- Buffers that nobody needs ----------------------------------------------------------------
 */

/* Submits runs of a plan that have nothing, or nothing of one array, and no buffer there. */
typedef void run_without(void *plan);

static void sorts_none(void *plan) {
    const clprims_buffer no = call_no_buffer();
    const clprims_sort_buffers b = {
        .struct_size = sizeof b, no, no, {no, no, no, no}, {no, no, no, no}, no};
    expect_ok(clprims_sort_enqueue(plan, test_queue(), &b, 0, 0, NULL, NULL));
}

static void sorts_no_segments(void *plan) {
    const clprims_buffer no = call_no_buffer();
    clprims_segmented_sort_buffers b = CLPRIMS_SEGMENTED_SORT_BUFFERS_INIT;
    test_buffer offsets = test_buffer_create(&(int64_t){0}, 1, 8, 3);
    b.keys_in = b.keys_out = b.payload_in[0] = b.payload_out[0] = b.indices = no;
    b.offsets = offsets.at;
    expect_ok(clprims_segmented_sort_enqueue(plan, test_queue(), &b, 0, 0, 0, NULL, NULL));
    test_buffer_expect_unchanged(&offsets, &(int64_t){0});
    test_buffer_release(&offsets);
}

/* Of a plan without payload. */
static void merges_with_none(void *plan) {
    const clprims_buffer no = call_no_buffer();
    const uint16_t values[] = {1, 2, 5};
    test_buffer in = test_buffer_create(values, 3, 2, 1);
    clprims_merge_buffers b = CLPRIMS_MERGE_BUFFERS_INIT;
    for (int way = 0; way < 3; way++) {
        const size_t n_a = way == 1 ? 3 : 0, n_b = way == 2 ? 3 : 0;
        test_buffer out = test_buffer_create(NULL, n_a + n_b, 2, 2);
        b.a = n_a > 0 ? in.at : no;
        b.b = n_b > 0 ? in.at : no;
        b.out = way > 0 ? out.at : no;
        expect_ok(clprims_merge_enqueue(plan, test_queue(), &b, n_a, n_b, 0, NULL, NULL));
        test_buffer_expect_unchanged(&out, way > 0 ? values : NULL);
        test_buffer_release(&out);
    }
    test_buffer_release(&in);
}

static void searches_none(void *plan) {
    const clprims_buffer no = call_no_buffer();
    const uint16_t needles[] = {7, 0, 1};
    const uint32_t zeros[3] = {0};
    test_buffer in = test_buffer_create(needles, 3, 2, 1), out = test_buffer_create(NULL, 3, 4, 2);
    expect_ok(clprims_search_enqueue(plan, test_queue(), in.at, 3, no, no, 0, 0, NULL, NULL));
    expect_ok(clprims_search_enqueue(plan, test_queue(), no, 0, in.at, out.at, 3, 0, NULL, NULL));
    test_buffer_expect_unchanged(&out, zeros);
    test_buffer_release(&in);
    test_buffer_release(&out);
}

static void ranks_none(void *plan) {
    const clprims_buffer no = call_no_buffer(), none = {NULL, 0};
    expect_ok(clprims_list_enqueue(plan, test_queue(), no, no, CLPRIMS_LIST_FIND_HEAD, 0, none, 0,
                                   NULL, NULL));
}

static void scans_no_list(void *plan) {
    const clprims_buffer no = call_no_buffer(), none = {NULL, 0};
    expect_ok(clprims_listscan_enqueue(plan, test_queue(), no, no, no, CLPRIMS_LIST_FIND_HEAD, 0,
                                       none, 0, NULL, NULL));
}

static void ranks_no_forest(void *plan) {
    const clprims_buffer no = call_no_buffer(), none = {NULL, 0};
    const clprims_forest_arrays arrays = {
        .struct_size = sizeof arrays, .next = no, .rank = no, .head = no};
    expect_ok(clprims_forest_enqueue(plan, test_queue(), &arrays, 0, none, 0, NULL, NULL));
}

/* All indices are outside; they are looked at. */
static void gathers_from_none(void *plan) {
    const clprims_buffer no = call_no_buffer();
    const clprims_gather_report right = {CLPRIMS_GATHER_INDEX, 0, 4, 2};
    const uint32_t indices[] = {4, 9};
    test_buffer at = test_buffer_create(indices, 2, 4, 1), out = test_buffer_create(NULL, 2, 2, 2);
    test_buffer report = test_buffer_create(NULL, 1, sizeof right, 1);
    expect_ok(clprims_gather_enqueue(plan, test_queue(), at.at, no, out.at, 2, 0, report.at, 0,
                                     NULL, NULL));
    test_buffer_expect_unchanged(&report, &right);
    test_buffer_expect_unchanged(&out, NULL);
    expect_failure(
        clprims_gather_enqueue(plan, test_queue(), no, no, out.at, 2, 0, report.at, 0, NULL, NULL),
        CLPRIMS_ERR_ARGUMENT, "index");
    expect_failure(clprims_gather_enqueue(plan, test_queue(), at.at, no, at.at, 2, 0, report.at, 0,
                                          NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "index");
    test_buffer_release(&at);
    test_buffer_release(&out);
    test_buffer_release(&report);
}

typedef struct unneeded {
    const char *name; /* of the call whose plan it is */
    run_without *run;
} unneeded;

static const unneeded all_unneeded[] = {
    {"sort-parts", sorts_none},          {"segmented-sort-serial", sorts_no_segments},
    {"merge-counted", merges_with_none}, {"search-any", searches_none},
    {"search-tiles", searches_none},     {"list", ranks_none},
    {"listscan", scans_no_list},         {"forest", ranks_no_forest},
    {"gather", gathers_from_none},
};

static void no_buffer_is_seen(const void *data) {
    const unneeded *u = data;
    for (size_t i = 0; i < CALLS; i++) {
        const call *c = call_at(i);
        if (strcmp(c->name, u->name) != 0) continue;
        void *plan = c->create();
        u->run(plan);
        expect_cl(clFinish(test_queue()));
        c->destroy(plan);
        return;
    }
    test_fail("no call has the name %s", u->name);
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
    for (size_t i = 0; i < sizeof all_unneeded / sizeof all_unneeded[0]; i++) {
        test_add(cases, no_buffer_is_seen, &all_unneeded[i], sizeof all_unneeded[i],
                 "calls/no-buffer/%s", all_unneeded[i].name);
    }
}
