/* SPDX-License-Identifier: MIT */
/* Calls of merge and search: by pieces and by tiles, of needles in any order and sorted ones, with
 * numbers of elements from the host and on the device. */
#include "calls/calls.h"

enum { N_A = 100, N_B = 60, N_OUT = N_A + N_B };

/* ---- Plans ---- */

static void *create_merge(const char *tuning, size_t payload_bytes) {
    clprims_merge_desc desc = CLPRIMS_MERGE_DESC_INIT;
    clprims_merge *plan = NULL;
    desc.type = CLPRIMS_U16;
    desc.max_a = N_A;
    desc.max_b = N_B;
    desc.payload_bytes = payload_bytes;
    desc.tuning = tuning;
    expect_ok(clprims_merge_create(&plan, test_context(), &desc));
    return plan;
}

static void *merge_by_pieces(void) {
    return create_merge("GROUP=1", 8);
}

static void *merge_by_tiles(void) {
    return create_merge("GROUP=8 ITEMS=3", 8);
}

static void *merge_alone(void) {
    return create_merge("GROUP=8 ITEMS=3", 0);
}

static void destroy_merge(void *plan) {
    clprims_merge_destroy(plan);
}

static void *create_search(bool sorted, const char *tuning) {
    clprims_search_desc desc = CLPRIMS_SEARCH_DESC_INIT;
    clprims_search *plan = NULL;
    desc.type = CLPRIMS_U16;
    desc.positions = CLPRIMS_I32;
    desc.max_sorted = N_B;
    desc.max_n = N_A;
    desc.needles_sorted = sorted;
    desc.tuning = tuning;
    expect_ok(clprims_search_create(&plan, test_context(), &desc));
    return plan;
}

static void *search_any(void) {
    return create_search(false, "GROUP=4 ITEMS=3 PIVOTS=5 BLOCK=2 LEAST=0");
}

static void *search_tiles(void) {
    return create_search(true, "GROUP=8 ITEMS=3");
}

static void *search_serial(void) {
    return create_search(true, "GROUP=1");
}

static void destroy_search(void *plan) {
    clprims_search_destroy(plan);
}

/* ---- Runs ---- */

static clprims_merge_buffers buffers_at(const clprims_buffer *at, bool payload) {
    clprims_merge_buffers buffers = CLPRIMS_MERGE_BUFFERS_INIT;
    buffers.a = at[0];
    buffers.b = at[1];
    buffers.out = at[2];
    if (!payload) return buffers;
    buffers.payload_a = at[3];
    buffers.payload_b = at[4];
    buffers.payload_out = at[5];
    return buffers;
}

static clprims_status enqueue_merge(void *plan, cl_command_queue queue, const clprims_buffer *at,
                                    cl_uint num_wait, const cl_event *wait, cl_event *event) {
    const clprims_merge_buffers buffers = buffers_at(at, true);
    return clprims_merge_enqueue(plan, queue, &buffers, N_A, N_B, num_wait, wait, event);
}

static clprims_status enqueue_counted(void *plan, cl_command_queue queue, const clprims_buffer *at,
                                      cl_uint num_wait, const cl_event *wait, cl_event *event) {
    const clprims_merge_buffers buffers = buffers_at(at, false);
    return clprims_merge_enqueue_counted(plan, queue, &buffers, at[3], at[4], at[5], num_wait, wait,
                                         event);
}

static clprims_status enqueue_search(void *plan, cl_command_queue queue, const clprims_buffer *at,
                                     cl_uint num_wait, const cl_event *wait, cl_event *event) {
    return clprims_search_enqueue(plan, queue, at[0], N_B, at[1], at[2], N_A, num_wait, wait,
                                  event);
}

static clprims_status count_and_search(void *plan, cl_command_queue queue, const clprims_buffer *at,
                                       cl_uint num_wait, const cl_event *wait, cl_event *event) {
    return clprims_search_enqueue_counted(plan, queue, at[0], at[3], at[1], at[2], at[4], at[5],
                                          num_wait, wait, event);
}

/* ---- The table ---- */

#define RISING(name, n)                                                                            \
    { name, n, 2, CALL_ASCENDING, false, false }
#define NUMBER(name)                                                                               \
    { name, 1, 8, CALL_COUNT, false, false }
#define MERGE_BUFFERS                                                                              \
    {                                                                                              \
        RISING("a", N_A), RISING("b", N_B), CALL_OUT("out", N_OUT, 2),                             \
            CALL_IN("payload_a", N_A, 8), CALL_IN("payload_b", N_B, 8),                            \
            CALL_OUT("payload_out", N_OUT, 8)                                                      \
    }
#define SEARCH_BUFFERS                                                                             \
    { RISING("sorted", N_B), RISING("needles", N_A), CALL_OUT("out", N_A, 4) }
#define COUNTED_BUFFERS                                                                            \
    {                                                                                              \
        RISING("sorted", N_B), RISING("needles", N_A), CALL_OUT("out", N_A, 4),                    \
            NUMBER("n_sorted"), NUMBER("n"), CALL_REPORT(clprims_search_report)                    \
    }
#define APART                                                                                      \
    {                                                                                              \
        { 0, 0, CALL_APART }                                                                       \
    }

const call calls_of_merges[] = {
    {"merge-pieces", merge_by_pieces, destroy_merge, enqueue_merge, MERGE_BUFFERS, APART},
    {"merge-tiles", merge_by_tiles, destroy_merge, enqueue_merge, MERGE_BUFFERS, APART},
    {"merge-counted",
     merge_alone,
     destroy_merge,
     enqueue_counted,
     {RISING("a", N_A), RISING("b", N_B), CALL_OUT("out", N_OUT, 2), NUMBER("n_a"), NUMBER("n_b"),
      CALL_REPORT(clprims_merge_report)},
     APART},
    {"search-any", search_any, destroy_search, enqueue_search, SEARCH_BUFFERS, APART},
    {"search-tiles", search_tiles, destroy_search, enqueue_search, SEARCH_BUFFERS, APART},
    {"search-serial", search_serial, destroy_search, enqueue_search, SEARCH_BUFFERS, APART},
    {"search-any-counted", search_any, destroy_search, count_and_search, COUNTED_BUFFERS, APART},
    {"search-tiles-counted", search_tiles, destroy_search, count_and_search, COUNTED_BUFFERS,
     APART},
};
