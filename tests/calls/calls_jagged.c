/* SPDX-License-Identifier: MIT */
/* Calls of parents and gather, plain and counted. */
#include "calls/calls.h"

enum { N = 100 };

static const clprims_buffer none = {NULL, 0};

static void *create_parents(clprims_parents_result result, const char *tuning) {
    clprims_parents_desc desc = CLPRIMS_PARENTS_DESC_INIT;
    clprims_parents *plan = NULL;
    desc.result = result;
    desc.type = CLPRIMS_I32;
    desc.max_n = desc.max_segments = N;
    desc.tuning = test_bears_shapes() ? tuning : NULL;
    expect_ok(clprims_parents_create(&plan, test_context(), &desc));
    return plan;
}

static void *parents_and_indices(void) {
    return create_parents(CLPRIMS_PARENTS_BOTH, "GROUP=8 SHARE=3");
}

static void *parents_alone(void) {
    return create_parents(CLPRIMS_PARENTS_SEGMENT, "GROUP=1 SHARE=3");
}

static void destroy_parents(void *plan) {
    clprims_parents_destroy(plan);
}

static clprims_status enqueue_parents(void *plan, cl_command_queue queue, const clprims_buffer *at,
                                      cl_uint num_wait, const cl_event *wait, cl_event *event) {
    return clprims_parents_enqueue(plan, queue, at[0], at[1], at[2], N, N, at[3], num_wait, wait,
                                   event);
}

static clprims_status enqueue_counted_parents(void *plan, cl_command_queue queue,
                                              const clprims_buffer *at, cl_uint num_wait,
                                              const cl_event *wait, cl_event *event) {
    return clprims_parents_enqueue_counted(plan, queue, at[0], at[1], none, N, at[2], at[3],
                                           num_wait, wait, event);
}

static clprims_status enqueue_no_parents(void *plan, cl_command_queue queue,
                                         const clprims_buffer *at, cl_uint num_wait,
                                         const cl_event *wait, cl_event *event) {
    return clprims_parents_enqueue(plan, queue, at[0], at[1], none, 0, 0, at[2], num_wait, wait,
                                   event);
}

static void *create_gather(const char *tuning) {
    clprims_gather_desc desc = CLPRIMS_GATHER_DESC_INIT;
    clprims_gather *plan = NULL;
    desc.type = CLPRIMS_U16;
    desc.index_type = CLPRIMS_I32;
    desc.max_n = N;
    desc.tuning = test_bears_shapes() ? tuning : NULL;
    expect_ok(clprims_gather_create(&plan, test_context(), &desc));
    return plan;
}

static void *gather_alone(void) {
    return create_gather("GROUP=1");
}

static void *gather_by_vectors(void) {
    return create_gather("GROUP=8 DEPTH=2");
}

static void destroy_gather(void *plan) {
    clprims_gather_destroy(plan);
}

static clprims_status enqueue_gather(void *plan, cl_command_queue queue, const clprims_buffer *at,
                                     cl_uint num_wait, const cl_event *wait, cl_event *event) {
    return clprims_gather_enqueue(plan, queue, at[0], at[1], at[2], N, N, at[3], num_wait, wait,
                                  event);
}

static clprims_status enqueue_counted_gather(void *plan, cl_command_queue queue,
                                             const clprims_buffer *at, cl_uint num_wait,
                                             const cl_event *wait, cl_event *event) {
    return clprims_gather_enqueue_counted(plan, queue, at[0], at[1], at[2], N, N, at[3], at[4],
                                          at[5], num_wait, wait, event);
}

static clprims_status enqueue_no_gather(void *plan, cl_command_queue queue,
                                        const clprims_buffer *at, cl_uint num_wait,
                                        const cl_event *wait, cl_event *event) {
    return clprims_gather_enqueue(plan, queue, at[0], at[1], at[2], 0, N, at[3], num_wait, wait,
                                  event);
}

#define OFFSETS(name, n)                                                                           \
    { name, n, 8, CALL_ASCENDING, false, false }
#define COUNT(name)                                                                                \
    { name, 1, 8, CALL_COUNT, false, false }

const call calls_of_jagged[] = {
    {"parents",
     parents_and_indices,
     destroy_parents,
     enqueue_parents,
     {OFFSETS("offsets", N + 1), CALL_OUT("parents", N, 4), CALL_OUT("local_index", N, 4),
      CALL_REPORT(clprims_parents_report)},
     {{0, 0, CALL_APART}}},
    {"parents-counted",
     parents_alone,
     destroy_parents,
     enqueue_counted_parents,
     {OFFSETS("offsets", N + 1), CALL_OUT("parents", N, 4), COUNT("segments"),
      CALL_REPORT(clprims_parents_report)},
     {{0, 0, CALL_APART}}},
    {"parents-of-none",
     parents_alone,
     destroy_parents,
     enqueue_no_parents,
     {OFFSETS("offsets", 1), CALL_NO_OUT("parents", 4), CALL_REPORT(clprims_parents_report)},
     {{0, 0, CALL_APART}}},
    {"gather",
     gather_alone,
     destroy_gather,
     enqueue_gather,
     {CALL_IN("index", N, 4), CALL_IN("in", N, 2), CALL_OUT("out", N, 2),
      CALL_REPORT(clprims_gather_report)},
     {{0, 0, CALL_APART}}},
    {"gather-counted",
     gather_by_vectors,
     destroy_gather,
     enqueue_counted_gather,
     {CALL_IN("index", N, 4), CALL_IN("in", N, 2), CALL_OUT("out", N, 2), COUNT("counted_n"),
      COUNT("counted_length"), CALL_REPORT(clprims_gather_report)},
     {{0, 0, CALL_APART}}},
    {"gather-of-none",
     gather_by_vectors,
     destroy_gather,
     enqueue_no_gather,
     {CALL_NO_IN("index", 4), CALL_NO_IN("in", 2), CALL_NO_OUT("out", 2),
      CALL_REPORT(clprims_gather_report)},
     {{0, 0, CALL_APART}}},
};
