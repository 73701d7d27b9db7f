/* SPDX-License-Identifier: MIT */
/**
 * Search: where many needles would stand in a sorted array.
 *
 *   lower bound: out[i] = the number of elements that come before needles[i]
 *   upper bound: out[i] = the number of elements that do not come after needles[i]
 *   both: the elements that equal needles[i] are numbers out[i] to out_upper[i] - 1
 *
 * The array must be sorted by the plan's order. In one that is not, positions are undefined;
 * nothing outside of the arrays is read or written.
 * Source: NumPy's searchsorted (side="left", side="right"); Green, McColl, Bader 2012 (merge path);
 * Rao, Ross 1999 (cache-sensitive search trees).
 */
#ifndef CLPRIMS_SEARCH_H
#define CLPRIMS_SEARCH_H

#include <clprims/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Which positions a search gives. Values are pinned. */
typedef enum clprims_search_bound {
    CLPRIMS_SEARCH_LOWER = 0,
    CLPRIMS_SEARCH_UPPER = 1,
    CLPRIMS_SEARCH_BOTH = 2
} clprims_search_bound;

/** What to search and how. Set type, max_n and max_length. */
typedef struct clprims_search_desc {
    clprims_type type; /**< of the elements and of the needles; CLPRIMS_STRUCT needs `less` */
    size_t max_n; /**< the largest n, of needles, that enqueue and run will be given */
    size_t max_length; /**< the largest length of the sorted array */
    clprims_search_bound bound;
    /** Nonzero: the needles are sorted, too, and both arrays are read in one pass. If the needles
     *  are not sorted, positions are undefined, and some outputs may stay as they were. */
    int needles_sorted;
    clprims_type positions; /**< a 32- or 64-bit integer type; CLPRIMS_TYPE_DEFAULT: int64 */
    /** OpenCL C expression of a and b: whether a must come before b, for example
     *  "a.weight > b.weight". It must be a strict weak order. NULL: ascending numbers; of floats
     *  -0.0 equals 0.0, and NaN comes after all numbers, as clprims_sort has them. Evaluated as
     *  often as binary searches need it: of n elements some log2(n) times for each needle. */
    const char *less;
    clprims_custom custom; /**< the type of CLPRIMS_STRUCT, and declarations that `less` uses */
    const char *tuning; /**< knobs that win over all tuning files; NULL: none */
    /** What `less` may name beside a and b, as core.h says, for example "global const float
     * *weight, int sign". clprims_search_set_parameter gives them values. NULL: none. */
    const char *parameters;
} clprims_search_desc;

/** A run's second size. */
typedef struct clprims_search_sizes {
    size_t length; /**< the number of elements of the sorted array */
} clprims_search_sizes;

/** One run's device buffers; n is the number of needles. Arrays without elements may be
 *  {NULL, 0}. */
typedef struct clprims_search_buffers {
    clprims_buffer sorted; /**< `length` elements */
    clprims_buffer needles; /**< n elements */
    clprims_buffer out; /**< n positions; of BOTH the lower bounds */
    /** Where n.mem is set: one uint64 (`first` counts uint64s), the number of needles, which is
     *  read when the work starts, so that an earlier command may write it. Apart from the
     *  outputs. */
    clprims_buffer n;
    clprims_buffer length; /**< as n, the number of elements of the sorted array */
    clprims_buffer report; /**< one clprims_search_report (`first` counts reports), which a run with
                                n.mem or length.mem writes; or {NULL, 0} */
    clprims_search_sizes sizes;
    clprims_buffer out_upper; /**< of BOTH n positions, the upper bounds; else {NULL, 0} */
} clprims_search_buffers;

/** One run's plain arrays. */
typedef struct clprims_search_arrays {
    const void *sorted; /**< `length` elements */
    const void *needles; /**< n elements */
    void *out; /**< n positions; of BOTH the lower bounds */
    clprims_search_sizes sizes;
    void *out_upper; /**< of BOTH n positions, the upper bounds; else NULL */
} clprims_search_arrays;

/** What a run with n.mem or length.mem may find. Values are pinned. */
typedef enum clprims_search_fault {
    CLPRIMS_SEARCH_VALID = 0,
    CLPRIMS_SEARCH_COUNT = 1, /**< the number of needles exceeds the n of the call */
    CLPRIMS_SEARCH_LENGTH = 2 /**< the sorted array's length exceeds sizes.length; n is right */
} clprims_search_fault;

/** What the run found, as it is in device memory: three 64-bit integers. */
typedef struct clprims_search_report {
    int64_t fault; /**< a clprims_search_fault */
    int64_t n; /**< the number of needles; a uint64 */
    int64_t length; /**< the length of the sorted array; a uint64 */
} clprims_search_report;

/** A compiled search with its scratch. One run at a time; different plans may run at once. */
typedef struct clprims_search clprims_search;

/** What create decided. Texts belong to the library. */
typedef struct clprims_search_info {
    size_t group; /**< work-items of a work-group */
    size_t groups; /**< work-groups that search for n needles among `length` elements */
    size_t tile; /**< of "tiles": elements of both arrays that a work-group takes; else 0 */
    size_t pivots; /**< of "pivots" and "levels": elements in local memory, at most; else 0 */
    size_t scratch_bytes; /**< device memory that the plan holds */
    /** How n needles are searched for. "serial": each work-item takes needles by itself. "pivots":
     *  binary searches, which begin among elements in local memory. "levels": the same by way of
     *  samples of the sorted array, which a first launch takes; a search reads one line of the
     *  cache of each level. "tiles": work-groups take tiles of both arrays. Later versions may have
     *  more. */
    const char *variant;
    const char *programs; /**< where its programs are from, as core.h says */
} clprims_search_info;

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_search_create_sized(clprims_search **out, clprims_context *context,
                            const clprims_search_desc *desc, size_t desc_bytes);

/**
 * Creates a plan: checks the description, compiles, allocates scratch.
 *
 * The description and all that it points to may be changed or freed afterwards; the context must
 * outlive the plan. With needles_sorted scratch is 8 bytes a tile; else, on GPUs, up to 1/31 of the
 * sorted array for elements of 4 bytes, 1/15 for elements of 8.
 * Status: ARGUMENT, TOO_LARGE (max_length beyond the positions' type too), UNSUPPORTED (float64, or
 * knobs that the device can't do), BUILD (a text of the caller's does not compile), and the OpenCL
 * ones.
 */
CLPRIMS_INLINE clprims_status clprims_search_create(clprims_search **out, clprims_context *context,
                                                    const clprims_search_desc *desc) {
    return clprims_search_create_sized(out, context, desc, sizeof *desc);
}

/**
 * Sets parameter k of desc.parameters, from 0 on, as clSetKernelArg does: `bytes` bytes from
 * `value`, a cl_mem or a clprims_buffer for an array. It stays until it is set again; a run that
 * was submitted before keeps the old one. The plan holds no reference to a buffer: keep it while
 * runs may read it.
 * Status: ARGUMENT (an unknown parameter, a size other than its type's, a buffer of another
 * context), and the OpenCL ones.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_search_set_parameter(clprims_search *plan,
                                                                        size_t k, size_t bytes,
                                                                        const void *value);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_search_enqueue_sized(
    clprims_search *plan, cl_command_queue queue, const clprims_search_buffers *buffers,
    size_t buffers_bytes, size_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

/**
 * Submits the search for n needles among sizes.length elements and returns at once. Reads the
 * needles and writes the positions once; with needles_sorted it reads the sorted array at most
 * once, else a line of the cache for each needle and level, or, where needles are fewer than
 * length / 64, as often as binary searches do. With BOTH it finds the upper bound from the lower
 * one on, in steps that double: d equal elements cost some 2 log2(d) + 1 more reads.
 *
 * Where buffers.n.mem is set, n is the most that the number there may be; where buffers.length.mem
 * is set, sizes.length is. The arrays have room for n and sizes.length elements, elements behind
 * the numbers are neither read nor written, and a greater number is a fault, which the report names
 * and which leaves the outputs as they are. The launches are the launches of n and sizes.length.
 * One plan takes runs of all kinds in any order. The positions must be apart from both inputs.
 * Every parameter must have been set. The OpenCL triple comes last, with OpenCL's meaning; the
 * event may be NULL. Out-of-order queues are safe. Never waits, reads back, allocates device memory
 * or compiles. Status: ARGUMENT, TOO_LARGE, and the OpenCL ones. Faults of the data are in the
 * report.
 */
CLPRIMS_INLINE clprims_status clprims_search_enqueue(clprims_search *plan, cl_command_queue queue,
                                                     const clprims_search_buffers *buffers,
                                                     size_t n, cl_uint num_wait,
                                                     const cl_event *wait, cl_event *event) {
    return clprims_search_enqueue_sized(plan, queue, buffers, sizeof *buffers, n, num_wait, wait,
                                        event);
}

/** Turns a report that was read back into a status: OK, ARGUMENT for what is no report, or DATA
 * with the message "search: n = 5000, as read on the device, exceeds that of the call". */
CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_search_check(const clprims_search_report *report);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_search_run_sized(
    clprims_search *plan, const clprims_search_arrays *arrays, size_t arrays_bytes, size_t n);

/**
 * Searches plain arrays: copies in, searches on the context's queue, copies out, returns when done.
 * Status: as enqueue, and DEVICE_MEMORY when the arrays do not fit the device.
 */
CLPRIMS_INLINE clprims_status clprims_search_run(clprims_search *plan,
                                                 const clprims_search_arrays *arrays, size_t n) {
    return clprims_search_run_sized(plan, arrays, sizeof *arrays, n);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_search_describe_sized(const clprims_search *plan,
                                                                         size_t n,
                                                                         clprims_search_sizes sizes,
                                                                         clprims_search_info *info,
                                                                         size_t info_bytes);

/** Fills *info for n needles among sizes.length elements. Status: ARGUMENT, TOO_LARGE. */
CLPRIMS_INLINE clprims_status clprims_search_describe(const clprims_search *plan, size_t n,
                                                      clprims_search_sizes sizes,
                                                      clprims_search_info *info) {
    return clprims_search_describe_sized(plan, n, sizes, info, sizeof *info);
}

/** Destroys a plan. A run in flight ends all the same. NULL is fine. */
CLPRIMS_API void clprims_search_destroy(clprims_search *plan);

#ifdef __cplusplus
}
#endif

#endif
