/* SPDX-License-Identifier: MIT */
/**
 * Parents: from the offsets of a jagged array, the number of the segment that each element is in,
 * and its index within that segment.
 *
 *   parents[i] = s,   local_index[i] = i - offsets[s]   where offsets[s] <= i < offsets[s + 1]
 *
 * The work is shared out by elements and ends of segments together, so that neither empty segments
 * nor one giant segment is slow.
 * Source: Merrill and Garland, "Merge-based Parallel Sparse Matrix-Vector Multiplication", 2016.
 */
#ifndef CLPRIMS_PARENTS_H
#define CLPRIMS_PARENTS_H

#include <clprims/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is written for each element. Values are pinned. */
typedef enum clprims_parents_result {
    CLPRIMS_PARENTS_SEGMENT = 0, /**< the number of its segment */
    CLPRIMS_PARENTS_LOCAL_INDEX = 1, /**< its index in the segment */
    CLPRIMS_PARENTS_BOTH = 2 /**< both, in an array each */
} clprims_parents_result;

/** What to write. Set max_n and max_segments. */
typedef struct clprims_parents_desc {
    clprims_parents_result result;
    clprims_type offsets_type; /**< CLPRIMS_I64 (also the default), CLPRIMS_I32, CLPRIMS_U64, or
 CLPRIMS_U32 with max_n of at most 2^31 - 1 */
    /** Of the outputs, CLPRIMS_I64 (also the default) or CLPRIMS_I32: then max_segments is at most
     *  2^31, and so is max_n where there are local indices. */
    clprims_type type;
    size_t max_n; /**< the largest n that enqueue and run will be given */
    size_t max_segments; /**< the largest number of segments; may be 0 */
    const char *tuning; /**< knobs that win over all tuning files, "GROUP=128"; NULL: none */
} clprims_parents_desc;

/** A run's second size. */
typedef struct clprims_parents_sizes {
    size_t segments; /**< the number of segments */
} clprims_parents_sizes;

/** One run's device buffers; n is the number of elements. n = 0 needs no outputs. */
typedef struct clprims_parents_buffers {
    clprims_buffer offsets; /**< segments + 1 of them, none less than the one before, in [0, n]; the
                                 first need not be 0 */
    clprims_buffer parents; /**< n elements; {NULL, 0} where the plan does not write them */
    clprims_buffer local_index; /**< n elements; {NULL, 0} where the plan does not write them */
    /** Where segments.mem is set: one uint64 (`first` counts uint64s), the number of segments,
     *  which is read when the work starts, so that an earlier command may write it. Apart from
     *  parents, local_index and report. */
    clprims_buffer segments;
    clprims_buffer report; /**< one clprims_parents_report (`first` counts reports), which each run
                                writes, apart from the others; or {NULL, 0} */
    clprims_parents_sizes sizes;
} clprims_parents_buffers;

/** One run's plain arrays. The outputs are written unless there is a fault, but for elements that
 *  are in no segment. */
typedef struct clprims_parents_arrays {
    const void *offsets; /**< segments + 1 of them */
    void *parents; /**< n elements; NULL where the plan does not write them */
    void *local_index; /**< n elements; NULL where the plan does not write them */
    clprims_parents_sizes sizes;
} clprims_parents_arrays;

/** What a run may find. Values are pinned. */
typedef enum clprims_parents_fault {
    CLPRIMS_PARENTS_VALID = 0,
    /** offsets[index] is less than offsets[index - 1], or than 0, or greater than n */
    CLPRIMS_PARENTS_OFFSETS = 1,
    CLPRIMS_PARENTS_COUNT = 2 /**< the number of segments on the device exceeds sizes.segments */
} clprims_parents_fault;

/** What a run found, as it is in device memory: three 64-bit integers. */
typedef struct clprims_parents_report {
    int64_t fault; /**< a clprims_parents_fault */
    int64_t index; /**< with OFFSETS, the lowest that shows it; else -1 */
    int64_t segments; /**< the number of segments; with COUNT as it was read, a uint64 */
} clprims_parents_report;

/** A compiled plan with its scratch. One run at a time; different plans may run at once. */
typedef struct clprims_parents clprims_parents;

/** What create decided. Texts belong to the plan. */
typedef struct clprims_parents_info {
    size_t group; /**< work-items of a work-group */
    size_t groups; /**< work-groups that n elements of `segments` segments get */
    size_t scratch_bytes; /**< device memory that the plan holds */
    /** "serial": each work-item has a share of the work; "sub-group": 32 work-items have. Later
     *  versions may have more. */
    const char *variant;
    const char *programs; /**< where its programs are from, as core.h says */
} clprims_parents_info;

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_parents_create_sized(clprims_parents **out, clprims_context *context,
                             const clprims_parents_desc *desc, size_t desc_bytes);

/**
 * Creates a plan: checks the description, compiles, allocates scratch.
 *
 * The description and all that it points to may be changed or freed afterwards; the context must
 * outlive the plan.
 * Status: ARGUMENT, TOO_LARGE, and the OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_parents_create(clprims_parents **out,
                                                     clprims_context *context,
                                                     const clprims_parents_desc *desc) {
    return clprims_parents_create_sized(out, context, desc, sizeof *desc);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_parents_enqueue_sized(
    clprims_parents *plan, cl_command_queue queue, const clprims_parents_buffers *buffers,
    size_t buffers_bytes, size_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

/**
 * Submits one run, one launch, and returns at once. One pass: reads the offsets, writes each output
 * once.
 *
 * Where buffers.segments.mem is set, sizes.segments is the most that the number there may be, and
 * offsets have room for sizes.segments + 1. The offsets say how many elements there are; n is the
 * number that has room. More segments than sizes.segments are a fault: the report says COUNT, and
 * the outputs stay as they are. The launch is the launch of n and sizes.segments; work-groups
 * without work end at once. One plan takes runs of both kinds in any order.
 * Elements before the first offset and from the last one on are in no segment: their outputs stay
 * as they are. parents and local_index are apart from each other and from the offsets. Where
 * offsets are at fault, nothing is read or written outside the arrays, and the outputs are
 * undefined.
 * The OpenCL triple comes last, with OpenCL's meaning; the event may be NULL. Out-of-order queues
 * are safe. Never waits, reads back, allocates device memory or compiles.
 * Status: ARGUMENT, TOO_LARGE, and the OpenCL ones. Faults of the data are in the report.
 */
CLPRIMS_INLINE clprims_status clprims_parents_enqueue(clprims_parents *plan, cl_command_queue queue,
                                                      const clprims_parents_buffers *buffers,
                                                      size_t n, cl_uint num_wait,
                                                      const cl_event *wait, cl_event *event) {
    return clprims_parents_enqueue_sized(plan, queue, buffers, sizeof *buffers, n, num_wait, wait,
                                         event);
}

/** Turns a report that was read back into a status: OK, ARGUMENT for what is no report, or DATA
 * with a message as "parents: offsets[17] is less than the offset before, ...". */
CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_parents_check(const clprims_parents_report *report);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_parents_run_sized(
    clprims_parents *plan, const clprims_parents_arrays *arrays, size_t arrays_bytes, size_t n);

/**
 * Runs on plain arrays: copies in, runs on the context's queue, copies out, returns when done.
 * Status: as enqueue; DATA; DEVICE_MEMORY when the arrays do not fit the device.
 */
CLPRIMS_INLINE clprims_status clprims_parents_run(clprims_parents *plan,
                                                  const clprims_parents_arrays *arrays, size_t n) {
    return clprims_parents_run_sized(plan, arrays, sizeof *arrays, n);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_parents_describe_sized(const clprims_parents *plan, size_t n, clprims_parents_sizes sizes,
                               clprims_parents_info *info, size_t info_bytes);

/** Fills *info for n elements of sizes.segments segments. Status: ARGUMENT, TOO_LARGE. */
CLPRIMS_INLINE clprims_status clprims_parents_describe(const clprims_parents *plan, size_t n,
                                                       clprims_parents_sizes sizes,
                                                       clprims_parents_info *info) {
    return clprims_parents_describe_sized(plan, n, sizes, info, sizeof *info);
}

/** Destroys a plan. A run in flight ends all the same. NULL is fine. */
CLPRIMS_API void clprims_parents_destroy(clprims_parents *plan);

#ifdef __cplusplus
}
#endif

#endif
