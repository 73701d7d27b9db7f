/* SPDX-License-Identifier: MIT */
/* Histograms that test_faults lets fail, each with the check of its counts: a run that was not
 * submitted whole must leave nothing to the next one. */
#include "faults/faults_stage.h"

enum { BINS = 64 };

static clprims_histogram *made_histogram;
static uint64_t counted[BINS];

static clprims_histogram_desc histogram_desc(void) {
    clprims_histogram_desc desc = CLPRIMS_HISTOGRAM_DESC_INIT;
    desc.type = CLPRIMS_U32;
    desc.by = CLPRIMS_HISTOGRAM_EXPRESSION;
    desc.bin = "x % 65";
    desc.bins = BINS;
    desc.max_n = N;
    return desc;
}

static void plan_histogram(stage *s) {
    (void)s;
    const clprims_histogram_desc desc = histogram_desc();
    expect_ok(clprims_histogram_create(&made_histogram, test_context(), &desc));
}

static void clear_histogram(stage *s) {
    (void)s;
    clprims_histogram_destroy(made_histogram);
    made_histogram = NULL;
}

static clprims_status run_histogram_create(stage *s) {
    clprims_histogram *plan = (clprims_histogram *)s;
    const clprims_histogram_desc desc = histogram_desc();
    const clprims_status status = clprims_histogram_create(&plan, s->context, &desc);
    s->made = plan;
    return status;
}

static void undo_histogram_create(stage *s) {
    clprims_histogram_destroy(s->made);
}

static void expect_counts(const stage *s, const uint64_t *counts) {
    uint64_t expected[BINS] = {0};
    for (size_t i = 0; i < N; i++) {
        if (s->values[i] % 65 < BINS) expected[s->values[i] % 65]++;
    }
    expect_values(CLPRIMS_U64, expected, counts, BINS);
}

static clprims_status run_histogram_enqueue(stage *s) {
    const clprims_buffer none = {NULL, 0}, to = {s->out.at.mem, 0};
    return clprims_histogram_enqueue(made_histogram, s->queue, s->in.at, none, to, N, none, 0, NULL,
                                     &s->event);
}

static void undo_histogram_enqueue(stage *s) {
    uint64_t counts[BINS];
    faults_await(s);
    expect_cl(clEnqueueReadBuffer(test_queue(), s->out.at.mem, CL_TRUE, 0, sizeof counts, counts, 0,
                                  NULL, NULL));
    expect_counts(s, counts);
}

static clprims_status run_histogram_run(stage *s) {
    return clprims_histogram_run(made_histogram, s->values, NULL, counted, N, NULL);
}

static void undo_histogram_run(stage *s) {
    expect_counts(s, counted);
}

static const operation operations[] = {
    FAULTS_OPERATION("histogram_create", NULL, run_histogram_create, undo_histogram_create, false),
    FAULTS_OPERATION("histogram_enqueue", plan_histogram, run_histogram_enqueue,
                     undo_histogram_enqueue, false),
    FAULTS_OPERATION("histogram_enqueue/out-of-order", plan_histogram, run_histogram_enqueue,
                     undo_histogram_enqueue, true),
    FAULTS_OPERATION("histogram_run", plan_histogram, run_histogram_run, undo_histogram_run, false),
};
FAULTS_GROUP(histogram, operations, clear_histogram)
