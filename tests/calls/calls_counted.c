/* SPDX-License-Identifier: MIT */
/* Calls whose number of elements stands in device memory. */
#include "calls/calls.h"

enum { N = 100, LEVELS_N = 2000 };

/* ---- Plans ---- */

static void *create_scan(clprims_algorithm algorithm, const char *tuning, size_t max_n) {
    clprims_scan_desc desc = CLPRIMS_SCAN_DESC_INIT;
    clprims_scan *plan = NULL;
    desc.type = CLPRIMS_U32;
    desc.algorithm = algorithm;
    desc.tuning = tuning;
    desc.max_n = max_n;
    expect_ok(clprims_scan_create(&plan, test_context(), &desc));
    return plan;
}

static void *scan_in_one_pass(void) {
    return create_scan(CLPRIMS_ALGORITHM_LOOKBACK, "GROUP=1 ROWS=2", N);
}

static void *scan_by_levels(void) {
    return create_scan(CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN, "GROUP=64 ROWS=1", LEVELS_N);
}

static void destroy_scan(void *plan) {
    clprims_scan_destroy(plan);
}

static void *create_offsets(void) {
    clprims_offsets_desc desc = CLPRIMS_OFFSETS_DESC_INIT;
    clprims_offsets *plan = NULL;
    desc.type = CLPRIMS_I32;
    desc.max_n = N;
    desc.algorithm = CLPRIMS_ALGORITHM_LOOKBACK;
    desc.tuning = "GROUP=1 ROWS=2";
    expect_ok(clprims_offsets_create(&plan, test_context(), &desc));
    return plan;
}

static void destroy_offsets(void *plan) {
    clprims_offsets_destroy(plan);
}

static void *create_select(bool partition) {
    clprims_select_desc desc = CLPRIMS_SELECT_DESC_INIT;
    clprims_select *plan = NULL;
    desc.by = CLPRIMS_SELECT_FLAGS;
    desc.arrays = 1;
    desc.type[0] = CLPRIMS_U32;
    desc.partition = partition;
    desc.max_n = N;
    desc.algorithm = CLPRIMS_ALGORITHM_LOOKBACK;
    desc.tuning = "GROUP=1 ROWS=2";
    expect_ok(clprims_select_create(&plan, test_context(), &desc));
    return plan;
}

static void *select_by_flags(void) {
    return create_select(false);
}

static void *select_partition(void) {
    return create_select(true);
}

static void destroy_select(void *plan) {
    clprims_select_destroy(plan);
}

static void *create_reduce(void) {
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    clprims_reduce *plan = NULL;
    desc.type = CLPRIMS_U32;
    desc.max_n = LEVELS_N;
    desc.tuning = "GROUP=1 GROUPS=4";
    expect_ok(clprims_reduce_create(&plan, test_context(), &desc));
    return plan;
}

static void destroy_reduce(void *plan) {
    clprims_reduce_destroy(plan);
}

/* ---- Runs ---- */

static clprims_status enqueue_scan(void *plan, cl_command_queue queue, const clprims_buffer *at,
                                   cl_uint num_wait, const cl_event *wait, cl_event *event) {
    return clprims_scan_enqueue_counted(plan, queue, at[0], at[1], at[2], at[3], num_wait, wait,
                                        event);
}

static clprims_status enqueue_offsets(void *plan, cl_command_queue queue, const clprims_buffer *at,
                                      cl_uint num_wait, const cl_event *wait, cl_event *event) {
    return clprims_offsets_enqueue_counted(plan, queue, at[0], at[1], at[2], at[3], at[4], num_wait,
                                           wait, event);
}

static clprims_status enqueue_select(void *plan, cl_command_queue queue, const clprims_buffer *at,
                                     cl_uint num_wait, const cl_event *wait, cl_event *event) {
    const clprims_select_buffers buffers = {.struct_size = sizeof buffers,
                                            .in = {at[0]},
                                            .out = {at[1]},
                                            .flags = at[2],
                                            .count = at[3]};
    return clprims_select_enqueue_counted(plan, queue, &buffers, at[4], N, num_wait, wait, event);
}

static clprims_status enqueue_reduce(void *plan, cl_command_queue queue, const clprims_buffer *at,
                                     cl_uint num_wait, const cl_event *wait, cl_event *event) {
    return clprims_reduce_enqueue_counted(plan, queue, at[0], at[1], at[2], at[3], num_wait, wait,
                                          event);
}

/* ---- The table ---- */

const call calls_of_counts[] = {
    {"scan-counted",
     scan_in_one_pass,
     destroy_scan,
     enqueue_scan,
     {CALL_IN("in", N, 4), CALL_OUT("out", N, 4), CALL_NUMBER("n"),
      CALL_REPORT(clprims_scan_report)},
     {{0, 1, CALL_SAME_PLACE}}},
    {"scan-levels-counted",
     scan_by_levels,
     destroy_scan,
     enqueue_scan,
     {CALL_IN("in", LEVELS_N, 4), CALL_OUT("out", LEVELS_N, 4), CALL_NUMBER("n"),
      CALL_REPORT(clprims_scan_report)},
     {{0, 1, CALL_SAME_PLACE}}},
    {"offsets-counted",
     create_offsets,
     destroy_offsets,
     enqueue_offsets,
     {CALL_IN("starts", N, 4),
      {"stops", N, 4, CALL_STOPS, false, false},
      CALL_OUT("offsets", N + 1, 8),
      CALL_NUMBER("n"),
      CALL_REPORT(clprims_offsets_report)},
     {{0, 0, CALL_APART}}},
    {"select-counted",
     select_by_flags,
     destroy_select,
     enqueue_select,
     {CALL_IN("in[0]", N, 4), CALL_OUT("out[0]", N, 4), CALL_IN("flags", N, 1),
      CALL_OUT("count", 1, 8), CALL_NUMBER("n")},
     {{0, 1, CALL_SAME_PLACE}}},
    {"select-partition-counted",
     select_partition,
     destroy_select,
     enqueue_select,
     {CALL_IN("in[0]", N, 4), CALL_OUT("out[0]", N, 4), CALL_IN("flags", N, 1),
      CALL_OUT("count", 1, 8), CALL_NUMBER("n")},
     {{0, 0, CALL_APART}}},
    {"reduce-counted",
     create_reduce,
     destroy_reduce,
     enqueue_reduce,
     {CALL_IN("in", LEVELS_N, 4), CALL_OUT("out", 1, 4), CALL_NUMBER("n"),
      CALL_REPORT(clprims_reduce_report)},
     {{0, 0, CALL_APART}}},
};
