/* SPDX-License-Identifier: MIT */
/* Calls of the primitives that are made in one pass, and of scans by levels. */
#include "calls/calls.h"

enum { N = 100, LEVELS_N = 2048, BYTES_N = 7173 };
#define ONE_PASS CLPRIMS_ALGORITHM_LOOKBACK
#define TILES "GROUP=1 ROWS=2"

/* ---- Scans ---- */

static void *create_scan(clprims_type type, clprims_type accumulator, clprims_algorithm algorithm,
                         const char *tuning, size_t max_n) {
    clprims_scan_desc desc = CLPRIMS_SCAN_DESC_INIT;
    clprims_scan *plan = NULL;
    desc.type = type;
    desc.accumulator = accumulator;
    desc.algorithm = algorithm;
    desc.tuning = tuning;
    desc.max_n = max_n;
    expect_ok(clprims_scan_create(&plan, test_context(), &desc));
    return plan;
}

static void *scan_in_one_pass(void) {
    return create_scan(CLPRIMS_U32, CLPRIMS_U32, ONE_PASS, TILES, N);
}

static void *scan_widening(void) {
    return create_scan(CLPRIMS_U8, CLPRIMS_U64, ONE_PASS, TILES, N);
}

static void *scan_by_levels(void) {
    return create_scan(CLPRIMS_U32, CLPRIMS_U32, CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN,
                       "GROUP=64 ROWS=1", LEVELS_N);
}

/* Its running values have one byte each, which the kernels do not widen; their number is odd. */
static void *scan_of_bytes_by_levels(void) {
    clprims_scan_desc desc = CLPRIMS_SCAN_DESC_INIT;
    clprims_scan *plan = NULL;
    desc.type = CLPRIMS_U8;
    desc.op = CLPRIMS_CUSTOM;
    desc.custom.op = "a + b";
    desc.inclusive = 1;
    desc.algorithm = CLPRIMS_ALGORITHM_REDUCE_THEN_SCAN;
    desc.tuning = "GROUP=64 ROWS=1";
    desc.max_n = BYTES_N;
    expect_ok(clprims_scan_create(&plan, test_context(), &desc));
    return plan;
}

/* Each run clears the state. */
static void *scan_with_used_numbers(void) {
    return create_scan(CLPRIMS_U32, CLPRIMS_U32, ONE_PASS, TILES " RUN=1073741823", N);
}

static void destroy_scan(void *plan) {
    clprims_scan_destroy(plan);
}

#define SCAN_ENQUEUE(name, n)                                                                      \
    static clprims_status name(void *plan, cl_command_queue queue, const clprims_buffer *at,       \
                               cl_uint num_wait, const cl_event *wait, cl_event *event) {          \
        return clprims_scan_enqueue(plan, queue, at[0], at[1], n, num_wait, wait, event);          \
    }
SCAN_ENQUEUE(enqueue_scan, N)
SCAN_ENQUEUE(enqueue_scan_levels, LEVELS_N)
SCAN_ENQUEUE(enqueue_scan_bytes, BYTES_N)
SCAN_ENQUEUE(enqueue_scan_of_none, 0)

/* ---- Offsets ---- */

static void *create_offsets(bool counts, size_t max_n) {
    clprims_offsets_desc desc = CLPRIMS_OFFSETS_DESC_INIT;
    clprims_offsets *plan = NULL;
    desc.type = CLPRIMS_I32;
    desc.counts = counts;
    desc.max_n = max_n;
    desc.algorithm = ONE_PASS;
    desc.tuning = TILES;
    expect_ok(clprims_offsets_create(&plan, test_context(), &desc));
    return plan;
}

static void *offsets_of_intervals(void) {
    return create_offsets(false, N);
}

static void *offsets_of_counts(void) {
    return create_offsets(true, N);
}

static void destroy_offsets(void *plan) {
    clprims_offsets_destroy(plan);
}

#define OFFSETS_ENQUEUE(name, starts, stops, offsets, report, n)                                   \
    static clprims_status name(void *plan, cl_command_queue queue, const clprims_buffer *at,       \
                               cl_uint num_wait, const cl_event *wait, cl_event *event) {          \
        const clprims_buffer none = {NULL, 0};                                                     \
        (void)none;                                                                                \
        return clprims_offsets_enqueue(plan, queue, starts, stops, offsets, n, report, num_wait,   \
                                       wait, event);                                               \
    }
OFFSETS_ENQUEUE(enqueue_intervals, at[0], at[1], at[2], at[3], N)
OFFSETS_ENQUEUE(enqueue_counts, none, at[0], at[1], at[2], N)
OFFSETS_ENQUEUE(enqueue_no_intervals, at[0], at[1], at[2], at[3], 0)

/* ---- Select ---- */

static clprims_select_desc select_desc(clprims_select_by by, clprims_type type) {
    clprims_select_desc desc = CLPRIMS_SELECT_DESC_INIT;
    desc.by = by;
    desc.arrays = 1;
    desc.type[0] = type;
    desc.max_n = N;
    desc.algorithm = ONE_PASS;
    desc.tuning = TILES;
    return desc;
}

static void *create_select(const clprims_select_desc *desc) {
    clprims_select *plan = NULL;
    expect_ok(clprims_select_create(&plan, test_context(), desc));
    return plan;
}

static void *select_by_flags(void) {
    clprims_select_desc desc = select_desc(CLPRIMS_SELECT_FLAGS, CLPRIMS_U8);
    desc.arrays = 2;
    desc.type[1] = CLPRIMS_U64;
    desc.indices = CLPRIMS_I32;
    return create_select(&desc);
}

static void *select_by_bits(void) {
    const clprims_select_desc desc = select_desc(CLPRIMS_SELECT_BITS, CLPRIMS_U32);
    return create_select(&desc);
}

static void *select_by_runs(void) {
    clprims_select_desc desc = select_desc(CLPRIMS_SELECT_RUNS, CLPRIMS_U32);
    desc.indices = CLPRIMS_U64;
    desc.lengths = CLPRIMS_I32;
    return create_select(&desc);
}

static void *select_without_values(void) {
    clprims_select_desc desc = select_desc(CLPRIMS_SELECT_NONZERO, CLPRIMS_U32);
    desc.no_values = 1;
    desc.indices = CLPRIMS_U32;
    return create_select(&desc);
}

static void *select_with_fallback(void) {
    clprims_select_desc desc = select_desc(CLPRIMS_SELECT_NONZERO, CLPRIMS_U32);
    desc.algorithm = CLPRIMS_ALGORITHM_LOOKBACK_FALLBACK;
    return create_select(&desc);
}

static void *select_partition(void) {
    clprims_select_desc desc = select_desc(CLPRIMS_SELECT_FLAGS, CLPRIMS_U32);
    desc.partition = 1;
    return create_select(&desc);
}

static void destroy_select(void *plan) {
    clprims_select_destroy(plan);
}

/* The buffers by name; at[...] are in the table's order. */
#define SELECT_ENQUEUE(name, count_n, capacity, ...)                                               \
    static clprims_status name(void *plan, cl_command_queue queue, const clprims_buffer *at,       \
                               cl_uint num_wait, const cl_event *wait, cl_event *event) {          \
        const clprims_select_buffers buffers = {.struct_size = sizeof buffers, __VA_ARGS__};       \
        return clprims_select_enqueue(plan, queue, &buffers, count_n, capacity, num_wait, wait,    \
                                      event);                                                      \
    }
#define BY_FLAGS                                                                                   \
    .in = {at[0], at[1]}, .out = {at[2], at[3]}, .flags = at[4], .indices = at[5], .count = at[6]
SELECT_ENQUEUE(enqueue_flags, N, N, BY_FLAGS)
SELECT_ENQUEUE(enqueue_flags_of_none, 0, N, BY_FLAGS)
SELECT_ENQUEUE(enqueue_flags_without_room, N, 0, BY_FLAGS)
SELECT_ENQUEUE(enqueue_runs, N, N, .in = {at[0]}, .out = {at[1]}, .indices = at[2],
               .lengths = at[3], .count = at[4])
SELECT_ENQUEUE(enqueue_one_by_flags, N, N, .in = {at[0]}, .out = {at[1]}, .flags = at[2],
               .count = at[3])
SELECT_ENQUEUE(enqueue_indices, N, N, .in = {at[0]}, .indices = at[1], .count = at[2])
SELECT_ENQUEUE(enqueue_one_by_value, N, N, .in = {at[0]}, .out = {at[1]}, .count = at[2])

/* ---- Reduce ---- */

static void *create_reduce(const char *tuning) {
    clprims_reduce_desc desc = CLPRIMS_REDUCE_DESC_INIT;
    clprims_reduce *plan = NULL;
    desc.type = CLPRIMS_U32;
    desc.max_n = LEVELS_N;
    desc.tuning = tuning;
    expect_ok(clprims_reduce_create(&plan, test_context(), &desc));
    return plan;
}

static void *reduce_serial(void) {
    return create_reduce("GROUP=1 GROUPS=4");
}

static void *reduce_by_teams(void) {
    return create_reduce(test_bears_shapes() ? "GROUP=32" : NULL);
}

static void destroy_reduce(void *plan) {
    clprims_reduce_destroy(plan);
}

#define REDUCE_ENQUEUE(name, n)                                                                    \
    static clprims_status name(void *plan, cl_command_queue queue, const clprims_buffer *at,       \
                               cl_uint num_wait, const cl_event *wait, cl_event *event) {          \
        return clprims_reduce_enqueue(plan, queue, at[0], at[1], n, at[2], num_wait, wait, event); \
    }
REDUCE_ENQUEUE(enqueue_reduce, LEVELS_N)
REDUCE_ENQUEUE(enqueue_reduce_of_none, 0)

/* ---- The table ---- */

const call calls_of_passes[] = {
    {"scan",
     scan_in_one_pass,
     destroy_scan,
     enqueue_scan,
     {CALL_IN("in", N, 4), CALL_OUT("out", N, 4)},
     {{0, 1, CALL_SAME_PLACE}}},
    {"scan-of-none",
     scan_in_one_pass,
     destroy_scan,
     enqueue_scan_of_none,
     {CALL_NO_IN("in", 4), CALL_NO_OUT("out", 4)},
     {{0, 0, CALL_APART}}},
    {"scan-widening",
     scan_widening,
     destroy_scan,
     enqueue_scan,
     {CALL_IN("in", N, 1), CALL_OUT("out", N, 8)},
     {{0, 0, CALL_APART}}},
    {"scan-levels",
     scan_by_levels,
     destroy_scan,
     enqueue_scan_levels,
     {CALL_IN("in", LEVELS_N, 4), CALL_OUT("out", LEVELS_N, 4)},
     {{0, 1, CALL_SAME_PLACE}}},
    {"scan-levels-bytes",
     scan_of_bytes_by_levels,
     destroy_scan,
     enqueue_scan_bytes,
     {CALL_IN("in", BYTES_N, 1), CALL_OUT("out", BYTES_N, 1)},
     {{0, 1, CALL_SAME_PLACE}}},
    {"scan-used-numbers",
     scan_with_used_numbers,
     destroy_scan,
     enqueue_scan,
     {CALL_IN("in", N, 4), CALL_OUT("out", N, 4)},
     {{0, 1, CALL_SAME_PLACE}}},
    {"offsets",
     offsets_of_intervals,
     destroy_offsets,
     enqueue_intervals,
     {CALL_IN("starts", N, 4),
      {"stops", N, 4, CALL_STOPS, false, false},
      CALL_OUT("offsets", N + 1, 8),
      CALL_REPORT(clprims_offsets_report)},
     {{0, 0, CALL_APART}}},
    {"offsets-of-none",
     offsets_of_intervals,
     destroy_offsets,
     enqueue_no_intervals,
     {CALL_NO_IN("starts", 4), CALL_NO_IN("stops", 4), CALL_OUT("offsets", 1, 8),
      CALL_REPORT(clprims_offsets_report)},
     {{0, 0, CALL_APART}}},
    {"offsets-counts",
     offsets_of_counts,
     destroy_offsets,
     enqueue_counts,
     {CALL_IN("counts", N, 4), CALL_OUT("offsets", N + 1, 8), CALL_REPORT(clprims_offsets_report)},
     {{0, 0, CALL_APART}}},
    {"reduce",
     reduce_serial,
     destroy_reduce,
     enqueue_reduce,
     {CALL_IN("in", LEVELS_N, 4), CALL_OUT("out", 1, 4), CALL_REPORT(clprims_reduce_report)},
     {{0, 0, CALL_APART}}},
    {"reduce-teams",
     reduce_by_teams,
     destroy_reduce,
     enqueue_reduce,
     {CALL_IN("in", LEVELS_N, 4), CALL_OUT("out", 1, 4), CALL_REPORT(clprims_reduce_report)},
     {{0, 0, CALL_APART}}},
    {"reduce-of-none",
     reduce_serial,
     destroy_reduce,
     enqueue_reduce_of_none,
     {CALL_NO_IN("in", 4), CALL_OUT("out", 1, 4), CALL_REPORT(clprims_reduce_report)},
     {{0, 0, CALL_APART}}},
    {"select-flags",
     select_by_flags,
     destroy_select,
     enqueue_flags,
     {CALL_IN("in[0]", N, 1), CALL_IN("in[1]", N, 8), CALL_OUT("out[0]", N, 1),
      CALL_OUT("out[1]", N, 8), CALL_IN("flags", N, 1), CALL_OUT("indices", N, 4),
      CALL_OUT("count", 1, 8)},
     {{0, 2, CALL_SAME_PLACE}, {1, 3, CALL_SAME_PLACE}}},
    {"select-of-none",
     select_by_flags,
     destroy_select,
     enqueue_flags_of_none,
     {CALL_NO_IN("in[0]", 1), CALL_NO_IN("in[1]", 8), CALL_NO_OUT("out[0]", 1),
      CALL_NO_OUT("out[1]", 8), CALL_NO_IN("flags", 1), CALL_NO_OUT("indices", 4),
      CALL_OUT("count", 1, 8)},
     {{0, 0, CALL_APART}}},
    {"select-without-room",
     select_by_flags,
     destroy_select,
     enqueue_flags_without_room,
     {CALL_IN("in[0]", N, 1), CALL_IN("in[1]", N, 8), CALL_NO_OUT("out[0]", 1),
      CALL_NO_OUT("out[1]", 8), CALL_IN("flags", N, 1), CALL_NO_OUT("indices", 4),
      CALL_OUT("count", 1, 8)},
     {{0, 0, CALL_APART}}},
    {"select-bits",
     select_by_bits,
     destroy_select,
     enqueue_one_by_flags,
     {CALL_IN("in[0]", N, 4),
      CALL_OUT("out[0]", N, 4),
      {"flags", (N + 7) / 8, 1, CALL_VALUES, false, true},
      CALL_OUT("count", 1, 8)},
     {{0, 1, CALL_SAME_PLACE}}},
    {"select-runs",
     select_by_runs,
     destroy_select,
     enqueue_runs,
     {CALL_IN("in[0]", N, 4), CALL_OUT("out[0]", N, 4), CALL_OUT("indices", N, 8),
      CALL_OUT("lengths", N, 4), CALL_OUT("count", 1, 8)},
     {{0, 1, CALL_SAME_PLACE}}},
    {"select-no-values",
     select_without_values,
     destroy_select,
     enqueue_indices,
     {CALL_IN("in[0]", N, 4), CALL_OUT("indices", N, 4), CALL_OUT("count", 1, 8)},
     {{0, 0, CALL_APART}}},
    {"select-fallback",
     select_with_fallback,
     destroy_select,
     enqueue_one_by_value,
     {CALL_IN("in[0]", N, 4), CALL_OUT("out[0]", N, 4), CALL_OUT("count", 1, 8)},
     {{0, 0, CALL_APART}}},
    {"select-partition",
     select_partition,
     destroy_select,
     enqueue_one_by_flags,
     {CALL_IN("in[0]", N, 4), CALL_OUT("out[0]", N, 4), CALL_IN("flags", N, 1),
      CALL_OUT("count", 1, 8)},
     {{0, 0, CALL_APART}}},
};
