/* SPDX-License-Identifier: MIT */
/**
 * Merge: two sorted arrays become one, with a payload array in the same order.
 *
 * The merge is stable: elements of a come before equal elements of b, and equal elements of one
 * array keep their order. Both arrays must be sorted by the plan's order. If they are not, each
 * output is one of their elements; nothing outside of the arrays is read or written.
 * Source: Green, McColl, Bader 2012 (merge path).
 */
#ifndef CLPRIMS_MERGE_H
#define CLPRIMS_MERGE_H

#include <clprims/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What to merge and how. Set type, max_n and max_n_b. */
typedef struct clprims_merge_desc {
    clprims_type type; /**< of the elements; CLPRIMS_STRUCT needs `less` */
    size_t max_n; /**< the largest n, of elements of a, that enqueue and run will be given */
    size_t max_n_b; /**< the largest n_b */
    size_t payload_bytes; /**< of an element of the payload arrays, 1 to 256; 0: there are none */
    /** OpenCL C expression of a and b: whether a must come before b, for example
     *  "a.weight > b.weight". It must be a strict weak order. NULL: ascending numbers; of floats
     *  -0.0 equals 0.0, and NaN comes after all numbers, as clprims_sort has them. Evaluated as
     *  often as binary searches need it: of n elements some log2(n) times for each output. */
    const char *less;
    clprims_custom custom; /**< the type of CLPRIMS_STRUCT, and declarations that `less` uses */
    const char *tuning; /**< knobs that win over all tuning files; NULL: none */
    /** What `less` may name beside a and b, as core.h says, for example "global const float
     * *weight, int sign". clprims_merge_set_parameter gives them values. NULL: none. */
    const char *parameters;
} clprims_merge_desc;

/** A run's second size. */
typedef struct clprims_merge_sizes {
    size_t n_b; /**< the number of elements of b */
} clprims_merge_sizes;

/** One run's device buffers; n is the number of elements of a. Payloads stay {NULL, 0} where the
 *  plan has none, and arrays without elements may. */
typedef struct clprims_merge_buffers {
    clprims_buffer a; /**< n elements */
    clprims_buffer b; /**< n_b elements */
    clprims_buffer out; /**< n + n_b elements */
    clprims_buffer payload_a, payload_b, payload_out; /**< as many elements as a, b and out */
    /** Where n.mem is set: one uint64 (`first` counts uint64s), the number of elements of a, which
     *  is read when the work starts, so that an earlier command may write it. Apart from out,
     *  payload_out and report. */
    clprims_buffer n;
    clprims_buffer n_b; /**< as n, the number of elements of b */
    clprims_buffer report; /**< one clprims_merge_report (`first` counts reports), which a run with
                                n.mem or n_b.mem writes; or {NULL, 0} */
    clprims_merge_sizes sizes;
} clprims_merge_buffers;

/** One run's plain arrays; each has as many elements as in clprims_merge_buffers. */
typedef struct clprims_merge_arrays {
    const void *a;
    const void *b;
    void *out;
    const void *payload_a;
    const void *payload_b;
    void *payload_out;
    clprims_merge_sizes sizes;
} clprims_merge_arrays;

/** What a run with n.mem or n_b.mem may find. Values are pinned. */
typedef enum clprims_merge_fault {
    CLPRIMS_MERGE_VALID = 0,
    CLPRIMS_MERGE_COUNT = 1, /**< the number of elements of a exceeds the n of the call */
    CLPRIMS_MERGE_COUNT_B = 2 /**< the number of elements of b exceeds sizes.n_b; n is right */
} clprims_merge_fault;

/** What the run found, as it is in device memory: three 64-bit integers. */
typedef struct clprims_merge_report {
    int64_t fault; /**< a clprims_merge_fault */
    int64_t n; /**< the number of elements of a; a uint64 */
    int64_t n_b; /**< the number of elements of b; a uint64 */
} clprims_merge_report;

/** A compiled merge with its scratch. One run at a time; different plans may run at once. */
typedef struct clprims_merge clprims_merge;

/** What create decided. Texts belong to the library. */
typedef struct clprims_merge_info {
    size_t group; /**< work-items of a work-group */
    size_t groups; /**< work-groups that merge n and n_b elements */
    size_t tile; /**< elements that a work-group merges; 0 for "serial" */
    size_t scratch_bytes; /**< device memory that the plan holds */
    /** "serial": each work-item merges a piece by itself; "tiles": a work-group merges a tile in
     *  local memory. Later versions may have more. */
    const char *variant;
    const char *programs; /**< where its programs are from, as core.h says */
} clprims_merge_info;

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_merge_create_sized(clprims_merge **out, clprims_context *context,
                           const clprims_merge_desc *desc, size_t desc_bytes);

/**
 * Creates a plan: checks the description, compiles, allocates scratch.
 *
 * The description and all that it points to may be changed or freed afterwards; the context must
 * outlive the plan. Scratch is 8 bytes a tile.
 * Status: ARGUMENT, TOO_LARGE, UNSUPPORTED (float64, or knobs that the device can't do), BUILD (a
 * text of the caller's does not compile), and the OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_merge_create(clprims_merge **out, clprims_context *context,
                                                   const clprims_merge_desc *desc) {
    return clprims_merge_create_sized(out, context, desc, sizeof *desc);
}

/**
 * Sets parameter k of desc.parameters, from 0 on, as clSetKernelArg does: `bytes` bytes from
 * `value`, a cl_mem or a clprims_buffer for an array. It stays until it is set again; a run that
 * was submitted before keeps the old one. The plan holds no reference to a buffer: keep it while
 * runs may read it.
 * Status: ARGUMENT (an unknown parameter, a size other than its type's, a buffer of another
 * context), and the OpenCL ones.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_merge_set_parameter(clprims_merge *plan,
                                                                       size_t k, size_t bytes,
                                                                       const void *value);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_merge_enqueue_sized(
    clprims_merge *plan, cl_command_queue queue, const clprims_merge_buffers *buffers,
    size_t buffers_bytes, size_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

/**
 * Submits the merge of n elements of a and sizes.n_b elements of b, and returns at once. Reads both
 * arrays once and writes the output once; the search for the limits of the tiles reads little more.
 *
 * Where buffers.n.mem is set, n is the most that the number there may be; where buffers.n_b.mem is
 * set, sizes.n_b is. The arrays have room for n, sizes.n_b and n + sizes.n_b elements, elements
 * behind the numbers are neither read nor written, and a greater number is a fault, which the
 * report names and which leaves the outputs as they are. The launches are the launches of n and
 * sizes.n_b elements. One plan takes runs of all kinds in any order.
 * The outputs must be apart from each other and from the inputs. Every parameter must have been
 * set. The OpenCL triple comes last, with OpenCL's meaning; the event may be NULL. Out-of-order
 * queues are safe. Never waits, reads back, allocates device memory or compiles.
 * Status: ARGUMENT, TOO_LARGE, and the OpenCL ones. Faults of the data are in the report.
 */
CLPRIMS_INLINE clprims_status clprims_merge_enqueue(clprims_merge *plan, cl_command_queue queue,
                                                    const clprims_merge_buffers *buffers, size_t n,
                                                    cl_uint num_wait, const cl_event *wait,
                                                    cl_event *event) {
    return clprims_merge_enqueue_sized(plan, queue, buffers, sizeof *buffers, n, num_wait, wait,
                                       event);
}

/** Turns a report that was read back into a status: OK, ARGUMENT for what is no report, or DATA
 * with the message "merge: n_b = 5000, as read on the device, exceeds that of the call". */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_merge_check(const clprims_merge_report *report);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_merge_run_sized(
    clprims_merge *plan, const clprims_merge_arrays *arrays, size_t arrays_bytes, size_t n);

/**
 * Merges plain arrays: copies in, merges on the context's queue, copies out, returns when done.
 * Status: as enqueue, and DEVICE_MEMORY when the arrays do not fit the device.
 */
CLPRIMS_INLINE clprims_status clprims_merge_run(clprims_merge *plan,
                                                const clprims_merge_arrays *arrays, size_t n) {
    return clprims_merge_run_sized(plan, arrays, sizeof *arrays, n);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_merge_describe_sized(const clprims_merge *plan,
                                                                        size_t n,
                                                                        clprims_merge_sizes sizes,
                                                                        clprims_merge_info *info,
                                                                        size_t info_bytes);

/** Fills *info for a merge of n and sizes.n_b elements. Status: ARGUMENT, TOO_LARGE. */
CLPRIMS_INLINE clprims_status clprims_merge_describe(const clprims_merge *plan, size_t n,
                                                     clprims_merge_sizes sizes,
                                                     clprims_merge_info *info) {
    return clprims_merge_describe_sized(plan, n, sizes, info, sizeof *info);
}

/** Destroys a plan. A run in flight ends all the same. NULL is fine. */
CLPRIMS_API void clprims_merge_destroy(clprims_merge *plan);

#ifdef __cplusplus
}
#endif

#endif
