/* SPDX-License-Identifier: MIT */
/* Offsets whose number of intervals stands in device memory. */
#include "offsets/offsets_cases.h"
#include "subjects/runs/subject_counted.h"

#include <stdlib.h>
#include <string.h>

typedef struct counted_case {
    const pass_way *way;
    bool counts;
} counted_case;

static size_t most_n(void) {
    return test_small() ? 300 : 9001;
}

static clprims_offsets_desc describe(const counted_case *c) {
    clprims_offsets_desc desc = CLPRIMS_OFFSETS_DESC_INIT;
    desc.type = CLPRIMS_U32;
    desc.counts = c->counts;
    desc.max_n = most_n();
    desc.algorithm = c->way->algorithm;
    desc.tuning = c->way->tuning;
    return desc;
}

static clprims_offsets *make_plan(const counted_case *c) {
    const clprims_offsets_desc desc = describe(c);
    clprims_offsets *plan = NULL;
    expect_ok(clprims_offsets_create(&plan, test_context(), &desc));
    return plan;
}

/* Plain and counted runs of one plan in turn. */
static void counted_is_right(const void *data) {
    const clprims_offsets_desc desc = describe(data);
    const subject_data like = {.of = &subject_offsets, .desc = &desc, .most = {desc.max_n}};
    clprims_offsets *plan = make_plan(data);
    clprims_offsets_info info = CLPRIMS_OFFSETS_INFO_INIT;
    expect_ok(clprims_offsets_describe(plan, desc.max_n, &info));
    subject_counted_is_right(&like, plan, info.tile, false);
    clprims_offsets_destroy(plan);
}

/* The lowest of faults that stand before n counts, none of those behind it. */
static void faults_behind_do_not_count(const void *data) {
    const counted_case *c = data;
    static const uint64_t numbers[] = {70, 71, 72, 300};
    clprims_offsets *plan = make_plan(c);
    const size_t max_n = most_n();
    uint32_t *starts = test_alloc(max_n, 4), *stops = test_alloc(max_n, 4);
    memset(starts, 0, 4 * max_n);
    memset(stops, 0, 4 * max_n);
    starts[71] = starts[200] = 1;
    test_buffer from = test_buffer_create(starts, max_n, 4, 0);
    test_buffer with = test_buffer_create(stops, max_n, 4, 0);
    test_buffer to = test_buffer_create(NULL, max_n + 1, 8, 0);
    test_buffer said = test_buffer_create(NULL, 1, sizeof(clprims_offsets_report), 0);
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        test_buffer number = test_buffer_create(&numbers[k], 1, 8, 0);
        clprims_offsets_report report;
        expect_ok(clprims_offsets_enqueue_counted(plan, test_queue(), from.at, with.at, to.at,
                                                  number.at, said.at, 0, NULL, NULL));
        test_buffer_read(&said, &report);
        assert_int_equal(report.fault,
                         numbers[k] > 71 ? CLPRIMS_OFFSETS_INTERVAL : CLPRIMS_OFFSETS_VALID);
        assert_int_equal(report.index, numbers[k] > 71 ? 71 : -1);
        test_buffer_release(&number);
    }
    test_buffer_release(&from);
    test_buffer_release(&with);
    test_buffer_release(&to);
    test_buffer_release(&said);
    clprims_offsets_destroy(plan);
    free(starts);
    free(stops);
}

static void counted_is_refused(const void *data) {
    const clprims_offsets_desc desc = describe(data);
    const subject_data like = {.of = &subject_offsets, .desc = &desc, .most = {desc.max_n}};
    clprims_offsets *plan = make_plan(data);
    subject_counted_is_refused(&like, plan);
    clprims_offsets_destroy(plan);
}

void add_counted_cases(test_cases *cases) {
    size_t count;
    const pass_way *ways = pass_ways(&count);
    for (size_t w = 0; w < count; w++) {
        const counted_case c = {&ways[w], w % 3 == 1};
        test_add(cases, counted_is_right, &c, sizeof c, "offsets/counted/%s%s", ways[w].name,
                 c.counts ? "/counts" : "");
        if (c.counts) continue;
        test_add(cases, faults_behind_do_not_count, &c, sizeof c, "offsets/counted/faults/%s",
                 ways[w].name);
        if (w == 0) {
            test_add(cases, counted_is_refused, &c, sizeof c, "offsets/counted/refusals");
        }
    }
}
