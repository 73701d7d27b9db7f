/* SPDX-License-Identifier: MIT */
/**
 * Gather: elements in the order of an array of indices.
 *
 *   out[i] = in[index[i]]
 *
 * An index that is negative or not below the length of `in` is a fault of the data: the report has
 * the lowest position of one, out[position] stays as it is, and all other elements are written.
 */
#ifndef CLPRIMS_GATHER_H
#define CLPRIMS_GATHER_H

#include <clprims/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What to gather. Set at least type and max_n. */
typedef struct clprims_gather_desc {
    clprims_type type; /**< of the elements; STRUCT: custom.type_bytes of any kind */
    clprims_type index_type; /**< CLPRIMS_I64 (also the default), CLPRIMS_I32, CLPRIMS_U32 or
 CLPRIMS_U64 */
    size_t max_n; /**< the largest n, of indices, that enqueue and run will be given */
    clprims_custom custom; /**< of a STRUCT: type_bytes, from 1 to 256; no text is needed */
    const char *tuning; /**< knobs that win over all tuning files, "GROUP=256"; NULL: none */
} clprims_gather_desc;

/** A run's second size. */
typedef struct clprims_gather_sizes {
    size_t length; /**< the number of elements of `in` */
} clprims_gather_sizes;

/** One run's device buffers; n is the number of indices. n = 0 needs none of the arrays. */
typedef struct clprims_gather_buffers {
    clprims_buffer index; /**< n indices */
    clprims_buffer in; /**< `length` elements; where that is 0, {NULL, 0} */
    clprims_buffer out; /**< n elements, apart from index and in */
    /** Where n.mem is set: one uint64 (`first` counts uint64s), the number of indices, which is
     *  read when the work starts, so that an earlier command may write it. Apart from out and
     *  report. */
    clprims_buffer n;
    clprims_buffer length; /**< as n, the number of elements of `in` */
    clprims_buffer report; /**< one clprims_gather_report (`first` counts reports), which each run
                                writes, apart from the others; or {NULL, 0} */
    clprims_gather_sizes sizes;
} clprims_gather_buffers;

/** One run's plain arrays. */
typedef struct clprims_gather_arrays {
    const void *index; /**< n indices */
    const void *in; /**< `length` elements; where that is 0, NULL */
    void *out; /**< n elements, written unless there is a fault */
    clprims_gather_sizes sizes;
} clprims_gather_arrays;

/** What a run may find. Values are pinned. */
typedef enum clprims_gather_fault {
    CLPRIMS_GATHER_VALID = 0,
    CLPRIMS_GATHER_INDEX = 1, /**< an index is outside of `in` */
    CLPRIMS_GATHER_COUNT = 2, /**< the number of indices on the device exceeds the n of the call */
    CLPRIMS_GATHER_LENGTH = 3 /**< the length of `in` on the device exceeds sizes.length */
} clprims_gather_fault;

/** What a run found, as it is in device memory: four 64-bit integers. */
typedef struct clprims_gather_report {
    int64_t fault; /**< a clprims_gather_fault */
    int64_t position; /**< with INDEX, the lowest of an index outside; else -1 */
    int64_t index; /**< the index that stands there; else 0 */
    /** How many indices there are; with COUNT or LENGTH, the number that was read, a uint64. */
    int64_t count;
} clprims_gather_report;

/** A compiled plan with its scratch. One run at a time; different plans may run at once. */
typedef struct clprims_gather clprims_gather;

/** What create decided. Texts belong to the plan. */
typedef struct clprims_gather_info {
    size_t group; /**< work-items of a work-group */
    size_t groups; /**< work-groups that n indices get */
    size_t tile; /**< indices that a work-group takes at a time */
    size_t scratch_bytes; /**< device memory that the plan holds */
    /** "serial": work-items take index after index; "batches": they load some indices, then their
     *  elements, and then store these. Later versions may have more. */
    const char *variant;
    const char *programs; /**< where its programs are from, as core.h says */
} clprims_gather_info;

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_gather_create_sized(clprims_gather **out, clprims_context *context,
                            const clprims_gather_desc *desc, size_t desc_bytes);

/**
 * Creates a plan: checks the description, compiles, allocates scratch. Types of one size have one
 * program.
 *
 * The description and all that it points to may be changed or freed afterwards; the context must
 * outlive the plan.
 * Status: ARGUMENT, TOO_LARGE, and the OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_gather_create(clprims_gather **out, clprims_context *context,
                                                    const clprims_gather_desc *desc) {
    return clprims_gather_create_sized(out, context, desc, sizeof *desc);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_gather_enqueue_sized(
    clprims_gather *plan, cl_command_queue queue, const clprims_gather_buffers *buffers,
    size_t buffers_bytes, size_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

/**
 * Submits one run, one launch, and returns at once. One pass: reads n indices and as many elements,
 * in their order, and writes n elements.
 *
 * Where buffers.n.mem is set, n is the most that the number there may be; where buffers.length.mem
 * is set, sizes.length is. The arrays have room for n and sizes.length elements, and a greater
 * number is a fault, COUNT or LENGTH, which leaves out as it is. The launch is the launch of n
 * indices; work-groups without indices end at once. One plan takes runs of all kinds in any order.
 * The OpenCL triple comes last, with OpenCL's meaning; the event may be NULL. Out-of-order queues
 * are safe. Never waits, reads back, allocates device memory or compiles.
 * Status: ARGUMENT, TOO_LARGE, and the OpenCL ones. Faults of the data are in the report.
 */
CLPRIMS_INLINE clprims_status clprims_gather_enqueue(clprims_gather *plan, cl_command_queue queue,
                                                     const clprims_gather_buffers *buffers,
                                                     size_t n, cl_uint num_wait,
                                                     const cl_event *wait, cl_event *event) {
    return clprims_gather_enqueue_sized(plan, queue, buffers, sizeof *buffers, n, num_wait, wait,
                                        event);
}

/** Turns a report that was read back into a status: OK, ARGUMENT for what is no report, or DATA
 * with a message as "gather: index[17] = -1 is outside ...". */
CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_gather_check(const clprims_gather_report *report);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_gather_run_sized(
    clprims_gather *plan, const clprims_gather_arrays *arrays, size_t arrays_bytes, size_t n);

/**
 * Gathers plain arrays: copies in, gathers on the context's queue, copies out, returns when done.
 * Status: as enqueue; DATA; DEVICE_MEMORY when the arrays do not fit the device.
 */
CLPRIMS_INLINE clprims_status clprims_gather_run(clprims_gather *plan,
                                                 const clprims_gather_arrays *arrays, size_t n) {
    return clprims_gather_run_sized(plan, arrays, sizeof *arrays, n);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_gather_describe_sized(const clprims_gather *plan,
                                                                         size_t n,
                                                                         clprims_gather_sizes sizes,
                                                                         clprims_gather_info *info,
                                                                         size_t info_bytes);

/** Fills *info for n indices, n <= max_n, of sizes.length elements. Status: ARGUMENT, TOO_LARGE. */
CLPRIMS_INLINE clprims_status clprims_gather_describe(const clprims_gather *plan, size_t n,
                                                      clprims_gather_sizes sizes,
                                                      clprims_gather_info *info) {
    return clprims_gather_describe_sized(plan, n, sizes, info, sizeof *info);
}

/** Destroys a plan. A run in flight ends all the same. NULL is fine. */
CLPRIMS_API void clprims_gather_destroy(clprims_gather *plan);

#ifdef __cplusplus
}
#endif

#endif
