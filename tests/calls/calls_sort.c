/* SPDX-License-Identifier: MIT */
/* Calls of sort: by parts and by tiles, of keys with a payload and indices, of indices alone. */
#include "calls/calls.h"

enum { N = 100, SEGMENTS = 99, K = 40 };

static void *create(clprims_sort_algorithm algorithm, const char *tuning, bool indices_alone) {
    clprims_sort_desc desc = CLPRIMS_SORT_DESC_INIT;
    clprims_sort *plan = NULL;
    desc.type = CLPRIMS_U16;
    desc.max_n = N;
    desc.indices = CLPRIMS_I32;
    desc.no_keys = indices_alone;
    if (!indices_alone) {
        desc.payloads = 1;
        desc.payload_bytes[0] = 8;
    }
    desc.algorithm = algorithm;
    desc.tuning = tuning;
    expect_ok(clprims_sort_create(&plan, test_context(), &desc));
    return plan;
}

/* On NVIDIA's layer onesweep has its place. */
static void *sort_by_parts(void) {
    if (test_info().layer == CLPRIMS_LAYER_NVIDIA) {
        return create(CLPRIMS_SORT_ONESWEEP, "RANKERS=8 ITEMS=4 SINGLE=0", false);
    }
    return create(CLPRIMS_SORT_SERIAL, "PARTS=3 SINGLE=0", false);
}

static void *sort_by_tiles(void) {
    return create(CLPRIMS_SORT_COUNT_SCATTER, "GROUP=4 ITEMS=3 SINGLE=0", false);
}

static void *argsort_by_parts(void) {
    if (test_info().layer == CLPRIMS_LAYER_NVIDIA) {
        return create(CLPRIMS_SORT_ONESWEEP, "RANKERS=8 ITEMS=4 SINGLE=0", true);
    }
    return create(CLPRIMS_SORT_SERIAL, "PARTS=3 SINGLE=0", true);
}

static void *argsort_alone(void) {
    return create(CLPRIMS_SORT_AUTO, "SINGLE=100", true);
}

static void *sort_by_expression(void) {
    clprims_sort_desc desc = CLPRIMS_SORT_DESC_INIT;
    clprims_sort *plan = NULL;
    desc.type = CLPRIMS_U16;
    desc.max_n = N;
    desc.key = "x.words[1]";
    desc.elements = CLPRIMS_STRUCT;
    desc.custom.declarations = "typedef struct { uint words[2]; } thing;";
    desc.custom.type_name = "thing";
    desc.custom.type_bytes = 8;
    expect_ok(clprims_sort_create(&plan, test_context(), &desc));
    return plan;
}

static void destroy_sort(void *plan) {
    clprims_sort_destroy(plan);
}

static clprims_status enqueue_sort(void *plan, cl_command_queue queue, const clprims_buffer *at,
                                   cl_uint num_wait, const cl_event *wait, cl_event *event) {
    clprims_sort_buffers buffers = CLPRIMS_SORT_BUFFERS_INIT;
    buffers.payload_in[0] = at[0];
    buffers.payload_out[0] = at[1];
    buffers.keys_in = at[2];
    buffers.keys_out = at[3];
    buffers.indices = at[4];
    return clprims_sort_enqueue(plan, queue, &buffers, N, num_wait, wait, event);
}

static clprims_status enqueue_argsort(void *plan, cl_command_queue queue, const clprims_buffer *at,
                                      cl_uint num_wait, const cl_event *wait, cl_event *event) {
    clprims_sort_buffers buffers = CLPRIMS_SORT_BUFFERS_INIT;
    buffers.keys_in = at[0];
    buffers.indices = at[1];
    return clprims_sort_enqueue(plan, queue, &buffers, N, num_wait, wait, event);
}

static clprims_status enqueue_elements(void *plan, cl_command_queue queue, const clprims_buffer *at,
                                       cl_uint num_wait, const cl_event *wait, cl_event *event) {
    clprims_sort_buffers buffers = CLPRIMS_SORT_BUFFERS_INIT;
    buffers.keys_in = at[0];
    buffers.keys_out = at[1];
    return clprims_sort_enqueue(plan, queue, &buffers, N, num_wait, wait, event);
}

static void *create_segments(clprims_segmented_sort_algorithm algorithm, const char *tuning) {
    clprims_segmented_sort_desc desc = CLPRIMS_SEGMENTED_SORT_DESC_INIT;
    clprims_segmented_sort *plan = NULL;
    desc.type = CLPRIMS_U16;
    desc.max_n = N;
    desc.max_segments = SEGMENTS;
    desc.indices = CLPRIMS_I32;
    desc.payloads = 1;
    desc.payload_bytes[0] = 8;
    desc.algorithm = algorithm;
    desc.tuning = tuning;
    expect_ok(clprims_segmented_sort_create(&plan, test_context(), &desc));
    return plan;
}

static void *segments_serial(void) {
    return create_segments(CLPRIMS_SEGMENTED_SORT_SERIAL, "MOST=40");
}

static void *segments_groups(void) {
    return create_segments(CLPRIMS_SEGMENTED_SORT_GROUPS,
                           "GROUP=32 TEAMS=8 ITEMS=5 LARGE=8 LARGE_ITEMS=7 RADIX=0");
}

static void destroy_segments(void *plan) {
    clprims_segmented_sort_destroy(plan);
}

static clprims_status enqueue_segments(void *plan, cl_command_queue queue, const clprims_buffer *at,
                                       cl_uint num_wait, const cl_event *wait, cl_event *event) {
    clprims_segmented_sort_buffers buffers = CLPRIMS_SEGMENTED_SORT_BUFFERS_INIT;
    buffers.payload_in[0] = at[0];
    buffers.payload_out[0] = at[1];
    buffers.keys_in = at[2];
    buffers.keys_out = at[3];
    buffers.indices = at[4];
    buffers.offsets = at[5];
    buffers.report = at[6];
    return clprims_segmented_sort_enqueue(plan, queue, &buffers, N, SEGMENTS, num_wait, wait,
                                          event);
}

static clprims_status enqueue_counted_segments(void *plan, cl_command_queue queue,
                                               const clprims_buffer *at, cl_uint num_wait,
                                               const cl_event *wait, cl_event *event) {
    const clprims_buffer none = {NULL, 0};
    clprims_segmented_sort_buffers buffers = CLPRIMS_SEGMENTED_SORT_BUFFERS_INIT;
    buffers.payload_in[0] = at[0];
    buffers.payload_out[0] = at[1];
    buffers.keys_in = at[2];
    buffers.keys_out = at[3];
    buffers.indices = at[4];
    buffers.offsets = at[5];
    buffers.report = at[6];
    return clprims_segmented_sort_enqueue_counted(plan, queue, &buffers, none, at[7], num_wait,
                                                  wait, event);
}

static void *create_topk(void) {
    clprims_topk_desc desc = CLPRIMS_TOPK_DESC_INIT;
    clprims_topk *plan = NULL;
    desc.type = CLPRIMS_U16;
    desc.max_n = N;
    desc.max_k = K;
    desc.indices = CLPRIMS_I32;
    desc.tuning = "GROUP=1 BITS=8 ROOM=10 FEW=0 SAMPLE=0";
    expect_ok(clprims_topk_create(&plan, test_context(), &desc));
    return plan;
}

static void destroy_topk(void *plan) {
    clprims_topk_destroy(plan);
}

static clprims_status enqueue_topk(void *plan, cl_command_queue queue, const clprims_buffer *at,
                                   cl_uint num_wait, const cl_event *wait, cl_event *event) {
    clprims_topk_buffers buffers = CLPRIMS_TOPK_BUFFERS_INIT;
    buffers.in = at[0];
    buffers.values = at[1];
    buffers.indices = at[2];
    return clprims_topk_enqueue(plan, queue, &buffers, N, K, num_wait, wait, event);
}

static clprims_status enqueue_topk_counted(void *plan, cl_command_queue queue,
                                           const clprims_buffer *at, cl_uint num_wait,
                                           const cl_event *wait, cl_event *event) {
    clprims_topk_buffers buffers = CLPRIMS_TOPK_BUFFERS_INIT;
    buffers.in = at[0];
    buffers.values = at[1];
    buffers.indices = at[2];
    return clprims_topk_enqueue_counted(plan, queue, &buffers, at[4], K, at[3], num_wait, wait,
                                        event);
}

#define SORT_BUFFERS                                                                               \
    {                                                                                              \
        CALL_IN("payload_in[0]", N, 8), CALL_OUT("payload_out[0]", N, 8),                          \
            CALL_IN("keys_in", N, 2), CALL_OUT("keys_out", N, 2), CALL_OUT("indices", N, 4)        \
    }
#define IN_PLACE                                                                                   \
    {                                                                                              \
        {0, 1, CALL_SAME_PLACE}, {                                                                 \
            2, 3, CALL_SAME_PLACE                                                                  \
        }                                                                                          \
    }
#define SEGMENT_BUFFERS                                                                            \
    {                                                                                              \
        CALL_IN("payload_in[0]", N, 8), CALL_OUT("payload_out[0]", N, 8),                          \
            CALL_IN("keys_in", N, 2), CALL_OUT("keys_out", N, 2), CALL_OUT("indices", N, 4),       \
            {"offsets", SEGMENTS + 1, 8, CALL_ASCENDING, false, false},                            \
            CALL_REPORT(clprims_segmented_sort_report)                                             \
    }
#define TOPK_BUFFERS                                                                               \
    { CALL_IN("in", N, 2), CALL_OUT("values", K, 2), CALL_OUT("indices", K, 4) }
#define ELEMENT_BUFFERS                                                                            \
    { CALL_IN("keys_in", N, 8), CALL_OUT("keys_out", N, 8) }
#define ARGSORT_BUFFERS                                                                            \
    { CALL_IN("keys_in", N, 2), CALL_OUT("indices", N, 4) }

const call calls_of_sorts[] = {
    {"sort-parts", sort_by_parts, destroy_sort, enqueue_sort, SORT_BUFFERS, IN_PLACE},
    {"sort-tiles", sort_by_tiles, destroy_sort, enqueue_sort, SORT_BUFFERS, IN_PLACE},
    {"argsort-parts",
     argsort_by_parts,
     destroy_sort,
     enqueue_argsort,
     ARGSORT_BUFFERS,
     {{0, 0, CALL_APART}}},
    {"argsort-single-group",
     argsort_alone,
     destroy_sort,
     enqueue_argsort,
     ARGSORT_BUFFERS,
     {{0, 0, CALL_APART}}},
    {"sort-by-expression",
     sort_by_expression,
     destroy_sort,
     enqueue_elements,
     ELEMENT_BUFFERS,
     {{0, 1, CALL_SAME_PLACE}}},
    {"segmented-sort-serial", segments_serial, destroy_segments, enqueue_segments, SEGMENT_BUFFERS,
     IN_PLACE},
    {"segmented-sort-groups", segments_groups, destroy_segments, enqueue_segments, SEGMENT_BUFFERS,
     IN_PLACE},
    {"segmented-sort-counted",
     segments_serial,
     destroy_segments,
     enqueue_counted_segments,
     {CALL_IN("payload_in[0]", N, 8),
      CALL_OUT("payload_out[0]", N, 8),
      CALL_IN("keys_in", N, 2),
      CALL_OUT("keys_out", N, 2),
      CALL_OUT("indices", N, 4),
      {"offsets", SEGMENTS + 1, 8, CALL_ASCENDING, false, false},
      CALL_REPORT(clprims_segmented_sort_report),
      CALL_NUMBER("segments")},
     IN_PLACE},
    {"topk", create_topk, destroy_topk, enqueue_topk, TOPK_BUFFERS, {{0, 0, CALL_APART}}},
    {"topk-counted",
     create_topk,
     destroy_topk,
     enqueue_topk_counted,
     {CALL_IN("in", N, 2), CALL_OUT("values", K, 2), CALL_OUT("indices", K, 4),
      CALL_REPORT(clprims_topk_report), CALL_NUMBER("n")},
     {{0, 0, CALL_APART}}},
};
