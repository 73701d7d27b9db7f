/* SPDX-License-Identifier: MIT */
/* Segmented sorts whose numbers of elements and segments stand in device memory. */
#include "fixtures/count_cases.h"
#include "fixtures/sort_cases.h"
#include "segmented_sort/segmented_sort_suite.h"

#include <stdlib.h>
#include <string.h>

/* One run of segments of one length, or of as many as are at most where they are not counted. */
typedef struct run {
    uint64_t n, segments;
    bool counts_n, counts_segments, in_place;
} run;

/* Offsets of the run's segments; those behind them are at fault. */
static int64_t *make_offsets(const run *r, uint64_t used, size_t max_segments) {
    int64_t *offsets = test_alloc(max_segments + 1, sizeof *offsets);
    for (size_t s = 0; s <= max_segments; s++) {
        const bool is_given = s <= r->segments;
        offsets[s] = is_given && s > 0 ? (int64_t)(s * used / r->segments) : is_given ? 0 : -7;
    }
    return offsets;
}

static clprims_segmented_sort_report expected_report(const clprims_segmented_sort_desc *desc,
                                                     const run *r) {
    clprims_segmented_sort_report report = {CLPRIMS_SEGMENTED_SORT_VALID, -1};
    if (r->n > desc->max_n) {
        report.fault = CLPRIMS_SEGMENTED_SORT_COUNT;
        report.index = (int64_t)r->n;
    } else if (r->segments > desc->max_segments) {
        report.fault = CLPRIMS_SEGMENTED_SORT_SEGMENTS;
        report.index = (int64_t)r->segments;
    }
    return report;
}

static void run_one(clprims_segmented_sort *plan, const clprims_segmented_sort_desc *desc,
                    const uint32_t *keys, const run *r) {
    const size_t max_n = desc->max_n, max_segments = desc->max_segments;
    const clprims_segmented_sort_report wanted = expected_report(desc, r);
    const bool refused = wanted.fault != CLPRIMS_SEGMENTED_SORT_VALID;
    const clprims_buffer none = {NULL, 0};
    clprims_sort_desc like = CLPRIMS_SORT_DESC_INIT;
    clprims_segmented_sort_buffers b = CLPRIMS_SEGMENTED_SORT_BUFFERS_INIT;
    clprims_segmented_sort_report found;
    int64_t *offsets = make_offsets(r, refused ? max_n : r->n, max_segments);
    uint32_t *expected = count_background(max_n, 4), *out = test_alloc(max_n, 4);
    test_buffer from = test_buffer_create(keys, max_n, 4, 1);
    test_buffer to = test_buffer_create(expected, max_n, 4, 2);
    test_buffer at = test_buffer_create(offsets, max_segments + 1, 8, 3);
    test_buffer numbers[] = {test_buffer_create(&r->n, 1, 8, 1),
                             test_buffer_create(&r->segments, 1, 8, 2)};
    test_buffer report = test_buffer_create(NULL, 1, sizeof found, 1);
    like.type = CLPRIMS_U32;
    if (r->in_place) memcpy(expected, keys, max_n * 4);
    for (uint64_t s = 0; !refused && s < r->segments; s++) {
        const size_t begin = (size_t)offsets[s], length = (size_t)(offsets[s + 1] - offsets[s]);
        size_t *order = sort_define_order(&like, keys + begin, length);
        for (size_t i = 0; i < length; i++) expected[begin + i] = keys[begin + order[i]];
        free(order);
    }
    b.offsets = at.at;
    b.keys_in = from.at;
    b.keys_out = r->in_place ? from.at : to.at;
    b.report = report.at;
    expect_ok(clprims_segmented_sort_enqueue_counted(
        plan, test_queue(), &b, r->counts_n ? numbers[0].at : none,
        r->counts_segments ? numbers[1].at : none, 0, NULL, NULL));
    test_buffer_read(&report, &found);
    expect_elements(&wanted, &found, 1, sizeof found);
    test_buffer_read(r->in_place ? &from : &to, out);
    expect_elements(expected, out, max_n, 4);
    test_buffer_expect_unchanged(&at, offsets);
    test_buffer *const all[] = {&from, &to, &at, &numbers[0], &numbers[1], &report};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) test_buffer_release(all[k]);
    free(offsets);
    free(expected);
    free(out);
}

static void counted_is_right(const void *data) {
    const clprims_segmented_sort_desc *desc = data;
    const uint64_t max_n = desc->max_n, most = desc->max_segments;
    const run runs[] = {
        {max_n, most, true, true, false},
        {max_n, 2, true, true, true},
        {7, 1, true, true, false},
        {max_n + 1, 3, true, true, false},
        {max_n, most + 1, true, true, true},
        {0, 0, true, true, false},
        {max_n / 3, 5, true, true, true},
        {max_n, 40, false, true, false},
        {max_n / 2, most, true, false, true},
        {max_n + 1, most, true, false, true},
        {max_n, most + 1, false, true, false},
        {UINT64_MAX, UINT64_MAX, true, true, true},
        {max_n - 1, 1, true, true, false},
    };
    clprims_segmented_sort *plan = NULL;
    uint32_t *keys = test_alloc(desc->max_n, 4);
    expect_ok(clprims_segmented_sort_create(&plan, test_context(), desc));
    for (size_t i = 0; i < desc->max_n; i++) keys[i] = (uint32_t)test_random() % 997;
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        test_note("run %zu: n = %llu, segments = %llu", k, (unsigned long long)runs[k].n,
                  (unsigned long long)runs[k].segments);
        run_one(plan, desc, keys, &runs[k]);
    }
    clprims_segmented_sort_destroy(plan);
    free(keys);
}

static void counted_is_refused(const void *data) {
    const clprims_segmented_sort_desc *desc = data;
    const clprims_buffer none = {NULL, 0};
    cl_command_queue queue = test_queue();
    clprims_segmented_sort *plan = NULL;
    clprims_segmented_sort_buffers b = CLPRIMS_SEGMENTED_SORT_BUFFERS_INIT;
    expect_ok(clprims_segmented_sort_create(&plan, test_context(), desc));
    test_buffer in = test_buffer_create(NULL, desc->max_n, 4, 0);
    test_buffer out = test_buffer_create(NULL, desc->max_n, 8, 0);
    test_buffer at = test_buffer_create(NULL, desc->max_segments + 1, 8, 0);
    test_buffer count = test_buffer_create(NULL, 4, 8, 0);
    const clprims_buffer far = {count.at.mem, count.bytes / 8}, inside = {out.at.mem, 1};
    b.offsets = at.at;
    b.keys_in = in.at;
    b.keys_out = out.at;
#define COUNTED(plan, n, segments)                                                                 \
    clprims_segmented_sort_enqueue_counted(plan, queue, &b, n, segments, 0, NULL, NULL)
    expect_failure(COUNTED(NULL, count.at, none), CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    expect_failure(COUNTED(plan, none, none), CLPRIMS_ERR_ARGUMENT,
                   "n.mem and segments.mem are NULL");
    expect_failure(COUNTED(plan, far, none), CLPRIMS_ERR_ARGUMENT, "n has room for");
    expect_failure(COUNTED(plan, inside, none), CLPRIMS_ERR_ARGUMENT, "overlaps keys_out");
    expect_failure(COUNTED(plan, none, inside), CLPRIMS_ERR_ARGUMENT, "overlaps keys_out");
    b.report = (clprims_buffer){count.at.mem, 0};
    expect_failure(COUNTED(plan, count.at, none), CLPRIMS_ERR_ARGUMENT, "overlaps n");
    expect_failure(COUNTED(plan, none, count.at), CLPRIMS_ERR_ARGUMENT, "overlaps");
    b.report = none;
    b.offsets.first = at.bytes / 8 - desc->max_segments;
    expect_failure(COUNTED(plan, count.at, none), CLPRIMS_ERR_ARGUMENT, "offsets has room for");
#undef COUNTED
    test_buffer_release(&in);
    test_buffer_release(&out);
    test_buffer_release(&at);
    test_buffer_release(&count);
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
