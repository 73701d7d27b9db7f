/* SPDX-License-Identifier: MIT */
/* Calls of sort: by parts and by tiles, of keys with a payload and indices, of indices alone. */
#include "calls/calls.h"

enum { N = 100 };

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
#define ARGSORT_BUFFERS                                                                            \
    { CALL_IN("keys_in", N, 2), CALL_OUT("indices", N, 4) }

const call calls_of_sorts[CALLS_OF_SORTS] = {
    {"sort-parts", sort_by_parts, destroy_sort, enqueue_sort, SORT_BUFFERS, IN_PLACE, false},
    {"sort-tiles", sort_by_tiles, destroy_sort, enqueue_sort, SORT_BUFFERS, IN_PLACE, false},
    {"argsort-parts",
     argsort_by_parts,
     destroy_sort,
     enqueue_argsort,
     ARGSORT_BUFFERS,
     {{0, 0, CALL_APART}},
     false},
    {"argsort-single-group",
     argsort_alone,
     destroy_sort,
     enqueue_argsort,
     ARGSORT_BUFFERS,
     {{0, 0, CALL_APART}},
     false},
};
