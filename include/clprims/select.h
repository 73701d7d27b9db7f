/* SPDX-License-Identifier: MIT */
/**
 * Select (stream compaction): the elements of an array that are kept, contiguous and in order.
 *
 * An element is kept by its byte flag, by its bit in a mask, by a predicate in OpenCL C, if it is
 * not zero, or if it is the first of a run of equal elements. The results are the elements, their
 * indices, or both. Several arrays may be selected by the same flags in one pass. One pass: reads n
 * elements and their flags, writes what is kept.
 */
#ifndef CLPRIMS_SELECT_H
#define CLPRIMS_SELECT_H

#include <clprims/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The most arrays that one plan selects by the same flags. */
#define CLPRIMS_SELECT_ARRAYS 4

/** What decides that an element is kept. Values are pinned. */
typedef enum clprims_select_by {
    CLPRIMS_SELECT_FLAGS = 0, /**< its byte in flags is not 0; flags of other types are a parameter
                                   of a predicate, "flag[i] != 0" */
    CLPRIMS_SELECT_BITS = 1, /**< its bit in flags is 1; the lowest bit of a byte comes first */
    CLPRIMS_SELECT_PREDICATE = 2, /**< desc.predicate, of x in the first array and its index i */
    CLPRIMS_SELECT_NONZERO = 3, /**< it is not 0 in the first array */
    CLPRIMS_SELECT_RUNS = 4 /**< it is the first, or differs from the one before, in the first
                                 array; NaN differs from all */
} clprims_select_by;

/** What to select and how. Set by, arrays, type and max_n. */
typedef struct clprims_select_desc {
    clprims_select_by by;
    size_t arrays; /**< from 1 on; 0 if flags or bits alone give indices */
    clprims_type type[CLPRIMS_SELECT_ARRAYS]; /**< of each array's elements */
    int no_values; /**< nonzero: the first array, the only one, just decides; indices, lengths or
                        the count are the results */
    clprims_type indices; /**< 32- or 64-bit integers: also give the indices; DEFAULT: do not */
    clprims_type lengths; /**< by runs: the same for the length of each run */
    int partition; /**< nonzero: rejected elements follow the kept ones, in their order; not by
                        runs, and without indices */
    /** OpenCL C expression of x and i (ulong), for PREDICATE: "x > 3 && i % 2 == 0". Elements of 1
     *  and 2 bytes are fastest where it compares x with a decimal number and does nothing else.
     *  Evaluated at most three times for an element, as `equal` is; twice as often by
     *  REDUCE_THEN_SCAN, and twice as often again for a partition; by LOOKBACK_FALLBACK three times
     *  more for each work-group that computes what it waits for. */
    const char *predicate;
    /** OpenCL C expression for RUNS of a, an element, and b, the one behind it: whether b goes on
     *  with the run of a, for example "b - a <= 1". It need not be symmetric. NULL: "a == b".
     *  Structs need one. */
    const char *equal;
    /** OpenCL C expression of r or x, the element of the only array, and i, its index (ulong): what
     *  out[0] gets of each element that is kept, for example "r.key". Elements that are kept are
     *  read again, and it is evaluated once. Several results are a struct, or the outputs of a map
     *  (map.h) behind the selection. Not of partitions, nor with `indices`, which are the result
     * "i". NULL: r itself.
     */
    const char *result;
    /** Of out[0] with `result`, which is converted as C does; CLPRIMS_TYPE_DEFAULT: as the array;
     *  CLPRIMS_STRUCT: custom's type, also where the array has another one. */
    clprims_type result_type;
    size_t max_n; /**< the largest n that enqueue and run will be given */
    /** As clprims/core.h describes them. */
    clprims_algorithm algorithm;
    clprims_custom custom; /**< declarations, type_name and type_bytes of CLPRIMS_STRUCT */
    const char *tuning; /**< knobs that win over all tuning files; NULL: none */
    /** What the texts may name beside x, i, a and b, as core.h says. */
    const char *parameters;
} clprims_select_desc;

/** One run's sizes beside n. */
typedef struct clprims_select_sizes {
    size_t capacity; /**< room of each output, in elements; 0: n. What has no room is not written,
                          and the count tells of it. A partition needs room for n. */
} clprims_select_sizes;

/** One run's device buffers. A buffer that the plan does not use stays {NULL, 0}. */
typedef struct clprims_select_buffers {
    clprims_buffer in[CLPRIMS_SELECT_ARRAYS]; /**< n elements each */
    clprims_buffer out[CLPRIMS_SELECT_ARRAYS]; /**< capacity elements each; n for a partition */
    clprims_buffer flags; /**< n bytes, or n bits of which `first` is the first one's number */
    clprims_buffer indices; /**< capacity elements */
    clprims_buffer lengths; /**< capacity elements */
    clprims_buffer count; /**< one uint64: the number of elements that are kept, also where they
                               have no room */
    /** Where n.mem is set: one uint64 (`first` counts uint64s), the number of elements, which is
     *  read when the work starts, so that an earlier command may write it, for example a selection
     *  its count. Apart from all that is written. */
    clprims_buffer n;
    clprims_select_sizes sizes;
} clprims_select_buffers;

/** One run's plain arrays. An array that the plan does not use stays NULL. */
typedef struct clprims_select_arrays {
    const void *in[CLPRIMS_SELECT_ARRAYS]; /**< n elements each */
    void *out[CLPRIMS_SELECT_ARRAYS]; /**< room as in clprims_select_buffers */
    const void *flags; /**< n bytes, or the bytes of n bits */
    void *indices;
    void *lengths;
    size_t *count; /**< gets the number of elements that are kept, also where that is more than the
                        capacity */
    clprims_select_sizes sizes;
} clprims_select_arrays;

/** A compiled selection with its scratch. One run at a time; different plans may run at once. */
typedef struct clprims_select clprims_select;

/** What create decided. Texts belong to the plan. */
typedef struct clprims_select_info {
    clprims_algorithm algorithm; /**< what was chosen, or asked for */
    size_t group; /**< work-items of a work-group of the variant */
    size_t tile; /**< elements of its tile */
    size_t scratch_bytes; /**< device memory that the plan holds */
    const char *variant; /**< what n elements get, as in clprims_scan_info */
    const char *programs; /**< where its programs are from, as core.h says */
} clprims_select_info;

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_select_create_sized(clprims_select **out, clprims_context *context,
                            const clprims_select_desc *desc, size_t desc_bytes);

/**
 * Creates a plan. The description and its texts may be freed afterwards; the context must outlive
 * the plan. A partition costs a second read of what decides.
 * Status: ARGUMENT, TOO_LARGE (max_n beyond the indices' type too), UNSUPPORTED (float64 or an
 * algorithm that the device can't do), BUILD (a text of the caller's does not compile), and the
 * OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_select_create(clprims_select **out, clprims_context *context,
                                                    const clprims_select_desc *desc) {
    return clprims_select_create_sized(out, context, desc, sizeof *desc);
}

/**
 * Sets parameter k of desc.parameters, from 0 on, as clSetKernelArg does: `bytes` bytes from
 * `value`, a cl_mem or a clprims_buffer for an array. It stays until it is set again; a run that
 * was submitted before keeps the old one. The plan holds no reference to a buffer: keep it while
 * runs may read it.
 * Status: ARGUMENT (an unknown parameter, a size other than its type's, a buffer of another
 * context), and the OpenCL ones.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_select_set_parameter(clprims_select *plan,
                                                                        size_t k, size_t bytes,
                                                                        const void *value);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_select_enqueue_sized(
    clprims_select *plan, cl_command_queue queue, const clprims_select_buffers *buffers,
    size_t buffers_bytes, size_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

/** The count of a run with buffers.n where the number of elements exceeds the n of the call: more
 *  than any plan takes, so that the next run that reads it as its n refuses it, too. */
#define CLPRIMS_SELECT_REFUSED UINT64_MAX

/**
 * Submits one selection among n elements and returns at once.
 *
 * Where buffers.n.mem is set, n is the most that the number there may be: inputs have room for n
 * elements, outputs for capacity (of a partition n), elements behind the number are neither read
 * nor written, and a greater number is a fault: the count is CLPRIMS_SELECT_REFUSED, and nothing
 * else is written. The launch is that of n elements; work-groups without elements end at once. One
 * plan takes runs of both kinds in any order.
 * A plan without outputs gives the count. out[k] may be exactly the place of in[k], except with
 * LOOKBACK_FALLBACK and REDUCE_THEN_SCAN (which AUTO takes on devices without 64-bit atomics or
 * known progress of work-groups) and for a partition; nothing else may overlap. n = 0 needs the
 * count alone. Every parameter must have been set.
 * Status: ARGUMENT, TOO_LARGE, UNSUPPORTED (in place with these two), and the OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_select_enqueue(clprims_select *plan, cl_command_queue queue,
                                                     const clprims_select_buffers *buffers,
                                                     size_t n, cl_uint num_wait,
                                                     const cl_event *wait, cl_event *event) {
    return clprims_select_enqueue_sized(plan, queue, buffers, sizeof *buffers, n, num_wait, wait,
                                        event);
}

/** Turns a count that was read back into a status: OK, or DATA where it is CLPRIMS_SELECT_REFUSED.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_select_check(const uint64_t *count);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_select_run_sized(
    clprims_select *plan, const clprims_select_arrays *arrays, size_t arrays_bytes, size_t n);

/**
 * Selects among plain arrays: copies in, runs on the context's queue, copies out what is kept,
 * returns when done.
 * Status: as enqueue; TOO_LARGE where more is kept than the capacity: then *count says how much,
 * and no output is written; DEVICE_MEMORY.
 */
CLPRIMS_INLINE clprims_status clprims_select_run(clprims_select *plan,
                                                 const clprims_select_arrays *arrays, size_t n) {
    return clprims_select_run_sized(plan, arrays, sizeof *arrays, n);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_select_describe_sized(const clprims_select *plan,
                                                                         size_t n,
                                                                         clprims_select_info *info,
                                                                         size_t info_bytes);

/** Fills *info for n elements, n <= max_n. Status: ARGUMENT, TOO_LARGE. */
CLPRIMS_INLINE clprims_status clprims_select_describe(const clprims_select *plan, size_t n,
                                                      clprims_select_info *info) {
    return clprims_select_describe_sized(plan, n, info, sizeof *info);
}

/** Destroys a plan. A run in flight ends all the same. NULL is fine. */
CLPRIMS_API void clprims_select_destroy(clprims_select *plan);

#ifdef __cplusplus
}
#endif

#endif
