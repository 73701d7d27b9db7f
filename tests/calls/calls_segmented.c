/* SPDX-License-Identifier: MIT */
/* Calls of segmented: reductions by offsets and keys, scans by flags and bits. */
#include "calls/calls.h"

enum { N = 100, SEGMENTS = 60 };

static void *create(clprims_segmented_result result, clprims_segments_by by) {
    clprims_segmented_desc desc = CLPRIMS_SEGMENTED_DESC_INIT;
    clprims_segmented *plan = NULL;
    desc.result = result;
    desc.by = by;
    desc.type = CLPRIMS_U32;
    if (by == CLPRIMS_SEGMENTS_KEYS) desc.heads_type = CLPRIMS_U16;
    desc.unique_keys = by == CLPRIMS_SEGMENTS_KEYS;
    desc.max_n = N;
    desc.max_segments = SEGMENTS;
    desc.tuning = "GROUP=1 SHARE=7 GROUPS=64";
    expect_ok(clprims_segmented_create(&plan, test_context(), &desc));
    return plan;
}

static void *reduce_by_offsets(void) {
    return create(CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_OFFSETS);
}

static void *scan_by_offsets(void) {
    return create(CLPRIMS_SEGMENTED_EXCLUSIVE, CLPRIMS_SEGMENTS_OFFSETS);
}

static void *reduce_by_keys(void) {
    return create(CLPRIMS_SEGMENTED_REDUCE, CLPRIMS_SEGMENTS_KEYS);
}

static void *scan_by_flags(void) {
    return create(CLPRIMS_SEGMENTED_INCLUSIVE, CLPRIMS_SEGMENTS_FLAGS);
}

static void *scan_by_bits(void) {
    return create(CLPRIMS_SEGMENTED_INCLUSIVE, CLPRIMS_SEGMENTS_BITS);
}

static void destroy(void *plan) {
    clprims_segmented_destroy(plan);
}

/* The buffers by name; at[...] are in the table's order. */
#define ENQUEUE(name, n, segments, ...)                                                            \
    static clprims_status name(void *plan, cl_command_queue queue, const clprims_buffer *at,       \
                               cl_uint num_wait, const cl_event *wait, cl_event *event) {          \
        const clprims_segmented_buffers buffers = {.struct_size = sizeof buffers, __VA_ARGS__};    \
        return clprims_segmented_enqueue(plan, queue, &buffers, n, segments, num_wait, wait,       \
                                         event);                                                   \
    }
#define BY_KEYS                                                                                    \
    .in = at[0], .heads = at[1], .out = at[2], .keys = at[3], .count = at[4], .report = at[5]
ENQUEUE(enqueue_by_heads, N, SEGMENTS, .in = at[0], .heads = at[1], .out = at[2], .report = at[3])
ENQUEUE(enqueue_by_keys, N, N, BY_KEYS)
ENQUEUE(enqueue_by_keys_of_none, 0, N, BY_KEYS)
ENQUEUE(enqueue_by_keys_without_room, N, 0, BY_KEYS)

#define ENQUEUE_COUNTED(name, n, segments, ...)                                                    \
    static clprims_status name(void *plan, cl_command_queue queue, const clprims_buffer *at,       \
                               cl_uint num_wait, const cl_event *wait, cl_event *event) {          \
        const clprims_segmented_buffers buffers = {.struct_size = sizeof buffers, __VA_ARGS__};    \
        return clprims_segmented_enqueue_counted(plan, queue, &buffers, n, segments, N, num_wait,  \
                                                 wait, event);                                     \
    }
#define NONE                                                                                       \
    (clprims_buffer) {                                                                             \
        NULL, 0                                                                                    \
    }
ENQUEUE_COUNTED(enqueue_by_heads_counted, at[4], at[5], .in = at[0], .heads = at[1], .out = at[2],
                .report = at[3])
ENQUEUE_COUNTED(enqueue_by_keys_counted, at[6], NONE, BY_KEYS)

#define OFFSETS                                                                                    \
    { "heads", SEGMENTS + 1, 8, CALL_ASCENDING, false, false }
#define REPORT CALL_REPORT(clprims_segmented_report)
#define APART                                                                                      \
    {                                                                                              \
        { 0, 0, CALL_APART }                                                                       \
    }
#define IN_PLACE                                                                                   \
    {                                                                                              \
        { 0, 2, CALL_SAME_PLACE }                                                                  \
    }

const call calls_of_segmented[] = {
    {"segmented-offsets",
     reduce_by_offsets,
     destroy,
     enqueue_by_heads,
     {CALL_IN("in", N, 4), OFFSETS, CALL_OUT("out", SEGMENTS, 4), REPORT},
     APART},
    {"segmented-scan-offsets",
     scan_by_offsets,
     destroy,
     enqueue_by_heads,
     {CALL_IN("in", N, 4), OFFSETS, CALL_OUT("out", N, 4), REPORT},
     IN_PLACE},
    {"segmented-keys",
     reduce_by_keys,
     destroy,
     enqueue_by_keys,
     {CALL_IN("in", N, 4), CALL_IN("heads", N, 2), CALL_OUT("out", N, 4), CALL_OUT("keys", N, 2),
      CALL_OUT("count", 1, 8), REPORT},
     APART},
    {"segmented-keys-of-none",
     reduce_by_keys,
     destroy,
     enqueue_by_keys_of_none,
     {CALL_NO_IN("in", 4), CALL_NO_IN("heads", 2), CALL_OUT("out", N, 4), CALL_OUT("keys", N, 2),
      CALL_OUT("count", 1, 8), REPORT},
     APART},
    {"segmented-keys-without-room",
     reduce_by_keys,
     destroy,
     enqueue_by_keys_without_room,
     {CALL_IN("in", N, 4), CALL_IN("heads", N, 2), CALL_NO_OUT("out", 4), CALL_NO_OUT("keys", 2),
      CALL_OUT("count", 1, 8), REPORT},
     APART},
    {"segmented-flags",
     scan_by_flags,
     destroy,
     enqueue_by_heads,
     {CALL_IN("in", N, 4), CALL_IN("heads", N, 1), CALL_OUT("out", N, 4), REPORT},
     IN_PLACE},
    {"segmented-bits",
     scan_by_bits,
     destroy,
     enqueue_by_heads,
     {CALL_IN("in", N, 4),
      {"heads", (N + 7) / 8, 1, CALL_VALUES, false, true},
      CALL_OUT("out", N, 4),
      REPORT},
     IN_PLACE},
    {"segmented-offsets-counted",
     reduce_by_offsets,
     destroy,
     enqueue_by_heads_counted,
     {CALL_IN("in", N, 4), OFFSETS, CALL_OUT("out", SEGMENTS, 4), REPORT, CALL_NUMBER("n"),
      CALL_NUMBER("segments")},
     APART},
    {"segmented-keys-counted",
     reduce_by_keys,
     destroy,
     enqueue_by_keys_counted,
     {CALL_IN("in", N, 4), CALL_IN("heads", N, 2), CALL_OUT("out", N, 4), CALL_OUT("keys", N, 2),
      CALL_OUT("count", 1, 8), REPORT, CALL_NUMBER("n")},
     APART},
};
