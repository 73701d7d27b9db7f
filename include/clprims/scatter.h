/* SPDX-License-Identifier: MIT */
/**
 * Scatter: elements go to the places that an array of indices names. The inverse of gather.
 *
 *   out[index[i]] = in[i]                      the last element wins where indices repeat
 *   out[index[i]] = out[index[i]] op in[i]     or all are combined with what is in `out`
 *
 * An index that is negative or not below the length of `out` is a fault of the data: the report has
 * the lowest position of one, its element is not written, and all other elements are. Elements of
 * `out` that no index names stay as they are.
 */
#ifndef CLPRIMS_SCATTER_H
#define CLPRIMS_SCATTER_H

#include <clprims/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What happens where indices repeat. Values are pinned. */
typedef enum clprims_scatter_repeats {
    /** Of the elements with one index the last is stored, on every device. Two launches. */
    CLPRIMS_SCATTER_LAST = 0,
    /** The caller promises that no index repeats. If one does, any of its elements is stored, or of
     *  structs parts of several. One launch. */
    CLPRIMS_SCATTER_DISTINCT = 1,
    /** desc.op combines all of them with the element of `out`. One launch. */
    CLPRIMS_SCATTER_COMBINE = 2
} clprims_scatter_repeats;

/** What to scatter. Set at least type and max_n, and max_length for LAST. */
typedef struct clprims_scatter_desc {
    clprims_type type; /**< of the elements; STRUCT, unless they are combined: custom.type_bytes of
                            any kind */
    clprims_type index_type; /**< CLPRIMS_I64 (also the default), CLPRIMS_I32, CLPRIMS_U32 or
 CLPRIMS_U64 */
    size_t max_n; /**< the largest n, of indices, that enqueue and run will be given; of LAST at
                     most 2^32 - 1: more are several runs, of which the last wins */
    /** The largest length of `out`; the plan for LAST has 4 bytes of device memory for each
     *  element, or 8 where elements have at most 4 bytes and the device a 64-bit atomic maximum. 0,
     *  which LAST does not take: any length. */
    size_t max_length;
    clprims_scatter_repeats repeats;
    /** Of COMBINE: ADD, MIN, MAX, AND, OR or XOR; else ADD, which nothing reads. Operators on
     *  8-byte elements need a device with 64-bit atomics. */
    clprims_op op;
    /** Nonzero: sums of floats are made in any order, and differ from run to run in their last
     *  bits; on NVIDIA GPUs subnormal floats count as 0. Sums of floats need it. */
    int fast_floats;
    clprims_custom custom; /**< of a STRUCT: type_bytes, 1 to 256; no text is needed */
    const char *tuning; /**< knobs that win over all tuning files, "GROUP=256"; NULL: none */
} clprims_scatter_desc;

/** A run's second size. */
typedef struct clprims_scatter_sizes {
    size_t length; /**< the number of elements of `out` */
} clprims_scatter_sizes;

/** One run's device buffers; n is the number of indices. n = 0 needs none of the arrays. */
typedef struct clprims_scatter_buffers {
    clprims_buffer index; /**< n indices */
    clprims_buffer in; /**< n elements */
    clprims_buffer
        out; /**< `length` elements, apart from index and in; where that is 0, {NULL, 0} */
    /** Where n.mem is set: one uint64 (`first` counts uint64s), the number of indices, which is
     *  read when the work starts, so that an earlier command may write it. Apart from out and
     *  report. */
    clprims_buffer n;
    clprims_buffer length; /**< as n, the number of elements of `out` */
    clprims_buffer report; /**< one clprims_scatter_report (`first` counts reports), which each run
                                writes, apart from the others; or {NULL, 0} */
    clprims_scatter_sizes sizes;
} clprims_scatter_buffers;

/** One run's plain arrays. */
typedef struct clprims_scatter_arrays {
    const void *index; /**< n indices */
    const void *in; /**< n elements */
    void *out; /**< `length` elements, changed unless there is a fault; where that is 0, NULL */
    clprims_scatter_sizes sizes;
} clprims_scatter_arrays;

/** What a run may find. Values are pinned. */
typedef enum clprims_scatter_fault {
    CLPRIMS_SCATTER_VALID = 0,
    CLPRIMS_SCATTER_INDEX = 1, /**< an index is outside of `out` */
    CLPRIMS_SCATTER_COUNT = 2, /**< the number of indices on the device exceeds the n of the call */
    CLPRIMS_SCATTER_LENGTH = 3 /**< the length of `out` on the device exceeds sizes.length */
} clprims_scatter_fault;

/** What a run found, as it is in device memory: four 64-bit integers. */
typedef struct clprims_scatter_report {
    int64_t fault; /**< a clprims_scatter_fault */
    int64_t position; /**< with INDEX, the lowest of an index outside; else -1 */
    int64_t index; /**< the index that stands there; else 0 */
    /** How many indices there are; with COUNT or LENGTH, the number that was read, a uint64. */
    int64_t count;
} clprims_scatter_report;

/** A compiled plan with its scratch. One run at a time; different plans may run at once. */
typedef struct clprims_scatter clprims_scatter;

/** What create decided. Texts belong to the plan. */
typedef struct clprims_scatter_info {
    size_t group; /**< work-items of a work-group */
    size_t groups; /**< work-groups that n indices get */
    size_t tile; /**< indices that a work-group takes at a time */
    size_t scratch_bytes; /**< device memory that the plan holds */
    /** "last"; "distinct"; "atomic": the device's atomics combine; "exchange": compare-exchange of
     *  words does. Later versions may have more. */
    const char *variant;
    const char *programs; /**< where its programs are from, as core.h says */
} clprims_scatter_info;

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_scatter_create_sized(clprims_scatter **out, clprims_context *context,
                             const clprims_scatter_desc *desc, size_t desc_bytes);

/**
 * Creates a plan: checks the description, compiles, allocates scratch. Types of one size have one
 * program, unless they are combined.
 *
 * The description and all that it points to may be changed or freed afterwards; the context must
 * outlive the plan.
 * Status: ARGUMENT, TOO_LARGE, UNSUPPORTED (float64 or 64-bit atomics that the device lacks, bits
 * of floats), and the OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_scatter_create(clprims_scatter **out,
                                                     clprims_context *context,
                                                     const clprims_scatter_desc *desc) {
    return clprims_scatter_create_sized(out, context, desc, sizeof *desc);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_scatter_enqueue_sized(
    clprims_scatter *plan, cl_command_queue queue, const clprims_scatter_buffers *buffers,
    size_t buffers_bytes, size_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

/**
 * Submits one run and returns at once. One pass: reads n indices and n elements, and writes or
 * combines as many elements of `out`. LAST makes two passes: the first reads the indices and writes
 * n words of scratch, with the elements in them if they have at most 4 bytes. The second reads
 * sizes.length words in order, and the elements if they are not there; or, where sizes.length is
 * more than 8 n, the indices again and n words. It writes each element of `out` once.
 *
 * COMBINE on elements of 1 or 2 bytes exchanges the 4-byte words that hold them. The bytes beside
 * these elements keep their values, and no byte outside of the buffer of `out` is touched; but no
 * other command may store to bytes of these words at that time. MIN and MAX drop NaN, and take -0.0
 * for less than 0.0.
 *
 * Where buffers.n.mem is set, n is the most that the number there may be; where buffers.length.mem
 * is set, sizes.length is. The arrays have room for n and sizes.length elements, and a greater
 * number is a fault, COUNT or LENGTH, which leaves out as it is. The launches are as for n
 * indices; work-groups without indices end at once. One plan takes runs of all kinds in any order.
 * The OpenCL triple comes last, with OpenCL's meaning; the event may be NULL. Out-of-order queues
 * are safe. Never waits, reads back, allocates device memory or compiles.
 * Status: ARGUMENT, TOO_LARGE, and the OpenCL ones. Faults of the data are in the report.
 */
CLPRIMS_INLINE clprims_status clprims_scatter_enqueue(clprims_scatter *plan, cl_command_queue queue,
                                                      const clprims_scatter_buffers *buffers,
                                                      size_t n, cl_uint num_wait,
                                                      const cl_event *wait, cl_event *event) {
    return clprims_scatter_enqueue_sized(plan, queue, buffers, sizeof *buffers, n, num_wait, wait,
                                         event);
}

/** Turns a report that was read back into a status: OK, ARGUMENT for what is no report, or DATA
 * with a message as "scatter: index[17] = -1 is outside ...". */
CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_scatter_check(const clprims_scatter_report *report);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_scatter_run_sized(
    clprims_scatter *plan, const clprims_scatter_arrays *arrays, size_t arrays_bytes, size_t n);

/**
 * Scatters plain arrays: copies in, scatters on the context's queue, copies out, returns when done.
 * Status: as enqueue; DATA; DEVICE_MEMORY when the arrays do not fit the device.
 */
CLPRIMS_INLINE clprims_status clprims_scatter_run(clprims_scatter *plan,
                                                  const clprims_scatter_arrays *arrays, size_t n) {
    return clprims_scatter_run_sized(plan, arrays, sizeof *arrays, n);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_scatter_describe_sized(const clprims_scatter *plan, size_t n, clprims_scatter_sizes sizes,
                               clprims_scatter_info *info, size_t info_bytes);

/** Fills *info for n indices, n <= max_n, of sizes.length elements. Status: ARGUMENT, TOO_LARGE. */
CLPRIMS_INLINE clprims_status clprims_scatter_describe(const clprims_scatter *plan, size_t n,
                                                       clprims_scatter_sizes sizes,
                                                       clprims_scatter_info *info) {
    return clprims_scatter_describe_sized(plan, n, sizes, info, sizeof *info);
}

/** Destroys a plan. A run in flight ends all the same. NULL is fine. */
CLPRIMS_API void clprims_scatter_destroy(clprims_scatter *plan);

#ifdef __cplusplus
}
#endif

#endif
