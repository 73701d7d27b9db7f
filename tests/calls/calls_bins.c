/* SPDX-License-Identifier: MIT */
/* Calls of histogram: by each way to count, of counts and of sums. */
#include "calls/calls.h"

enum { N = 100, BINS = 7, MANY = 1100 };

static void *create(clprims_type weights, clprims_histogram_by by, const char *tuning) {
    static const uint16_t edges[BINS + 1] = {0, 1, 2, 3, 4, 5, 6, 6};
    clprims_histogram_desc desc = CLPRIMS_HISTOGRAM_DESC_INIT;
    clprims_histogram *plan = NULL;
    desc.type = CLPRIMS_U16;
    desc.by = by;
    desc.bins = BINS;
    desc.most = 6;
    desc.edges = edges;
    desc.weights = weights;
    desc.max_n = N;
    desc.tuning = tuning;
    expect_ok(clprims_histogram_create(&plan, test_context(), &desc));
    return plan;
}

static void *histogram_alone(void) {
    return create(CLPRIMS_I32, CLPRIMS_HISTOGRAM_EVEN, "GROUP=1");
}

static void *histogram_in_local(void) {
    return create(CLPRIMS_TYPE_DEFAULT, CLPRIMS_HISTOGRAM_EVEN,
                  test_bears_shapes() ? "GROUP=16 PART_BINS=3 COPIES=2 SLICES=1" : NULL);
}

static void *histogram_in_global(void) {
    return create(CLPRIMS_I32, CLPRIMS_HISTOGRAM_EDGES,
                  test_bears_shapes() ? "GROUP=16 PARTS=0" : NULL);
}

static void *histogram_of_floats(void) {
    return create(CLPRIMS_F32, CLPRIMS_HISTOGRAM_EVEN, "GROUP=1 SLICES=1");
}

/* So many sums of floats are written by a kernel of their own. */
static void *histogram_of_many(void) {
    clprims_histogram_desc desc = CLPRIMS_HISTOGRAM_DESC_INIT;
    clprims_histogram *plan = NULL;
    desc.type = CLPRIMS_U16;
    desc.bins = MANY;
    desc.most = 6;
    desc.weights = CLPRIMS_F32;
    desc.max_n = N;
    desc.tuning = test_bears_shapes() ? "GROUP=16 PARTS=0" : NULL;
    expect_ok(clprims_histogram_create(&plan, test_context(), &desc));
    return plan;
}

static void destroy(void *plan) {
    clprims_histogram_destroy(plan);
}

static clprims_status enqueue(void *plan, cl_command_queue queue, const clprims_buffer *at,
                              cl_uint num_wait, const cl_event *wait, cl_event *event) {
    const clprims_buffer none = {NULL, 0};
    return clprims_histogram_enqueue(plan, queue, at[0], none, at[1], N, at[2], num_wait, wait,
                                     event);
}

static clprims_status enqueue_sums(void *plan, cl_command_queue queue, const clprims_buffer *at,
                                   cl_uint num_wait, const cl_event *wait, cl_event *event) {
    return clprims_histogram_enqueue(plan, queue, at[0], at[1], at[2], N, at[3], num_wait, wait,
                                     event);
}

static clprims_status enqueue_none(void *plan, cl_command_queue queue, const clprims_buffer *at,
                                   cl_uint num_wait, const cl_event *wait, cl_event *event) {
    return clprims_histogram_enqueue(plan, queue, at[0], at[1], at[2], 0, at[3], num_wait, wait,
                                     event);
}

static clprims_status enqueue_counted(void *plan, cl_command_queue queue, const clprims_buffer *at,
                                      cl_uint num_wait, const cl_event *wait, cl_event *event) {
    return clprims_histogram_enqueue_counted(plan, queue, at[0], at[1], at[2], at[4], at[3],
                                             num_wait, wait, event);
}

#define SUMS(bytes)                                                                                \
    {                                                                                              \
        CALL_IN("in", N, 2), CALL_IN("weights", N, 4), CALL_OUT("out", BINS, bytes),               \
            CALL_REPORT(clprims_histogram_report)                                                  \
    }

const call calls_of_bins[] = {
    {"histogram", histogram_alone, destroy, enqueue_sums, SUMS(8), {{0, 0, CALL_APART}}},
    {"histogram-local",
     histogram_in_local,
     destroy,
     enqueue,
     {CALL_IN("in", N, 2), CALL_OUT("out", BINS, 8), CALL_REPORT(clprims_histogram_report)},
     {{0, 0, CALL_APART}}},
    {"histogram-global", histogram_in_global, destroy, enqueue_sums, SUMS(8), {{0, 0, CALL_APART}}},
    {"histogram-floats", histogram_of_floats, destroy, enqueue_sums, SUMS(4), {{0, 0, CALL_APART}}},
    {"histogram-many-bins",
     histogram_of_many,
     destroy,
     enqueue_sums,
     {CALL_IN("in", N, 2), CALL_IN("weights", N, 4), CALL_OUT("out", MANY, 4),
      CALL_REPORT(clprims_histogram_report)},
     {{0, 0, CALL_APART}}},
    {"histogram-counted",
     histogram_of_floats,
     destroy,
     enqueue_counted,
     {CALL_IN("in", N, 2), CALL_IN("weights", N, 4), CALL_OUT("out", BINS, 4),
      CALL_REPORT(clprims_histogram_report), CALL_NUMBER("n")},
     {{0, 0, CALL_APART}}},
    {"histogram-of-none",
     histogram_alone,
     destroy,
     enqueue_none,
     {CALL_NO_IN("in", 2), CALL_NO_IN("weights", 4), CALL_OUT("out", BINS, 8),
      CALL_REPORT(clprims_histogram_report)},
     {{0, 0, CALL_APART}}},
};
