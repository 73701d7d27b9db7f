/* SPDX-License-Identifier: MIT */
/* Histograms whose number of elements stands in device memory. */
#include "fixtures/count_cases.h"
#include "histogram/histogram_cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 200, ALL_BINS = 256, TILE = 256 };

typedef struct counted_case {
    const histogram_shape *shape;
    clprims_type weights;
    size_t max_n;
    bool is_even; /* bins: no value is outside, and sums count slices */
} counted_case;

/* Values from 200 to 255 are outside. */
static uint64_t high_byte(const void *element, uint64_t i) {
    uint32_t x;
    (void)i;
    memcpy(&x, element, sizeof x);
    return x >> 24;
}

static histogram_twin twin_of(const counted_case *c) {
    histogram_twin twin = {CLPRIMS_HISTOGRAM_DESC_INIT, high_byte};
    twin.desc.type = CLPRIMS_U32;
    twin.desc.by = CLPRIMS_HISTOGRAM_EXPRESSION;
    twin.desc.bin = "x >> 24";
    twin.desc.bins = BINS;
    twin.desc.weights = c->weights;
    twin.desc.max_n = c->max_n;
    twin.desc.tuning = c->shape->tuning;
    if (c->is_even) {
        twin.desc.by = CLPRIMS_HISTOGRAM_EVEN;
        twin.desc.bin = NULL;
        twin.desc.most = 4294967296.0;
        twin.desc.bins = ALL_BINS;
    }
    return twin;
}

/* Expects what a run of n elements by the host gives; if refused, only the report. */
static void run_counted(clprims_histogram *plan, const histogram_twin *twin, const uint32_t *in,
                        const float *weights, uint64_t n) {
    const clprims_histogram_desc *desc = &twin->desc;
    const size_t max_n = desc->max_n, bins = desc->bins;
    const size_t bytes = clprims_type_bytes(histogram_sums_type(desc));
    const bool refused = n > max_n;
    const clprims_histogram_report refusal = {CLPRIMS_HISTOGRAM_COUNT, 0, (int64_t)n};
    clprims_histogram_report expected_report = refusal, found;
    void *expected = test_alloc(bins, bytes), *actual = test_alloc(bins, bytes);
    test_buffer from = test_buffer_create(in, max_n, 4, 1), weighing = {.n = 0};
    if (weights != NULL) weighing = test_buffer_create(weights, max_n, 4, 3);
    test_buffer to = test_buffer_create(NULL, bins, bytes, 2);
    test_buffer count = test_buffer_create(&n, 1, 8, 1);
    test_buffer report = test_buffer_create(NULL, 1, sizeof found, 1);
    if (!refused) histogram_find(twin, in, weights, (size_t)n, expected, &expected_report);
    expect_ok(clprims_histogram_enqueue_counted(plan, test_queue(), from.at, weighing.at, to.at,
                                                count.at, report.at, 0, NULL, NULL));
    test_buffer_read(&report, &found);
    expect_elements(&expected_report, &found, 1, sizeof found);
    if (expected_report.fault != CLPRIMS_HISTOGRAM_VALID) {
        test_buffer_expect_unchanged(&to, NULL);
    } else {
        test_buffer_read(&to, actual);
        expect_elements(expected, actual, bins, bytes);
    }
    test_buffer_expect_unchanged(&count, &n);
    test_buffer *const all[] = {&from, &to, &count, &report};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) test_buffer_release(all[k]);
    if (weights != NULL) test_buffer_release(&weighing);
    free(expected);
    free(actual);
}

/* Counted runs, refused ones among them, and plain ones of one plan. */
static void counted_is_right(const void *data) {
    const counted_case *c = data;
    const histogram_twin twin = twin_of(c);
    clprims_histogram *plan = histogram_plan(&twin.desc);
    uint32_t *in = test_alloc(c->max_n, 4);
    float *numbers = test_alloc(c->max_n, 4);
    const float *weights = c->weights == CLPRIMS_TYPE_DEFAULT ? NULL : numbers;
    for (size_t i = 0; i < c->max_n; i++) {
        in[i] = (uint32_t)test_random();
        numbers[i] = (float)(test_random() % 2000) - 1000;
    }
    numbers[c->max_n - 1] = INFINITY; /* which fewer elements do not meet */
    for (size_t k = 0; k < COUNT_CASES; k++) {
        const uint64_t n = count_case(k, TILE, c->max_n);
        test_note("n = %llu", (unsigned long long)n);
        run_counted(plan, &twin, in, weights, n);
        if (k % 4 == 2) histogram_compare(plan, &twin, in, weights, 1, c->max_n / 3);
    }
    free(in);
    free(numbers);
}

static void counted_is_refused(const void *data) {
    const counted_case *c = data;
    const histogram_twin twin = twin_of(c);
    clprims_histogram *plan = histogram_plan(&twin.desc);
    cl_command_queue queue = test_queue();
    const clprims_buffer none = {NULL, 0};
    test_buffer in = test_buffer_create(NULL, c->max_n, 4, 0);
    test_buffer out = test_buffer_create(NULL, BINS, 8, 0);
    test_buffer count = test_buffer_create(NULL, 4, 8, 0);
    const clprims_buffer far = {count.at.mem, count.bytes / 8}, inside = {out.at.mem, 3},
                         report = {count.at.mem, 0}, late = {in.at.mem, in.bytes / 4};
    expect_failure(clprims_histogram_enqueue_counted(NULL, queue, in.at, none, out.at, count.at,
                                                     none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "plan is NULL");
    expect_failure(clprims_histogram_enqueue_counted(plan, NULL, in.at, none, out.at, count.at,
                                                     none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "queue is NULL");
    expect_failure(clprims_histogram_enqueue_counted(plan, queue, in.at, none, out.at, none, none,
                                                     0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "histogram: n.mem is NULL");
    expect_failure(clprims_histogram_enqueue_counted(plan, queue, in.at, none, out.at, far, none, 0,
                                                     NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "n has room for");
    expect_failure(clprims_histogram_enqueue_counted(plan, queue, in.at, none, out.at, inside, none,
                                                     0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "n (first = 3, n = 1) overlaps out");
    expect_failure(clprims_histogram_enqueue_counted(plan, queue, in.at, none, out.at, count.at,
                                                     report, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "report (first = 0, n = 1) overlaps n");
    expect_failure(clprims_histogram_enqueue_counted(plan, queue, late, none, out.at, count.at,
                                                     none, 0, NULL, NULL),
                   CLPRIMS_ERR_ARGUMENT, "in has room for");
    test_buffer_release(&in);
    test_buffer_release(&out);
    test_buffer_release(&count);
}

static void reports_are_checked(const void *data) {
    const clprims_histogram_report huge = {CLPRIMS_HISTOGRAM_COUNT, 0, -1};
    (void)data;
    expect_failure(clprims_histogram_check(&huge), CLPRIMS_ERR_DATA,
                   "histogram: n = 18446744073709551615, as read on the device, exceeds max_n");
}

void add_counted_cases(test_cases *cases) {
    for (size_t s = 0; s < HISTOGRAM_SHAPES; s++) {
        const bool weighted = s == HISTOGRAM_SERIAL || s == HISTOGRAM_GLOBAL;
        const counted_case c = {&histogram_shapes[s], weighted ? CLPRIMS_F32 : CLPRIMS_TYPE_DEFAULT,
                                test_small() ? 300 : 5000, false};
        const char *name = histogram_shapes[s].name;
        if ((s == HISTOGRAM_PARTS || s == HISTOGRAM_BYTEWISE) && !test_long()) continue;
        test_add(cases, counted_is_right, &c, sizeof c, "histogram/counted/%s", name);
        if (s == HISTOGRAM_LOCAL) {
            test_add(cases, counted_is_refused, &c, sizeof c, "histogram/counted/%s/refusals",
                     name);
        }
    }
    const counted_case arrivals = {&histogram_shapes[HISTOGRAM_LOCAL], CLPRIMS_TYPE_DEFAULT,
                                   test_small() ? 300 : 5000, true};
    test_add(cases, counted_is_right, &arrivals, sizeof arrivals, "histogram/counted/arrivals");
    test_add(cases, reports_are_checked, NULL, 0, "histogram/counted/reports");
}
