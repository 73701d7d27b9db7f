/* SPDX-License-Identifier: MIT */
/**
 * Top-k: the k greatest or least elements of an array, or of each segment of an array, and where
 * they stand, the greatest or least one first. Of equal elements the one with the lowest index
 * comes first.
 *
 * The result is what a stable sort gives first: descending for the greatest, ascending for the
 * least, in the orders of sort.h; so NaN comes after all numbers either way. Method: segments are
 * read once: a team of work-items, or on CPUs one work-item, keeps the candidates of a segment, and
 * a long segment is cut into pieces first. On CPUs one array is found so too, where max_k is at
 * most 1024. Else an element of a sample guesses the k-th one; one reading gathers the candidates
 * up to it, which are sorted. Where there are at most 2^20 elements, the sample has all of them, so
 * that they are read twice. On GPUs this is one launch, where max_k is at most 1024. Where the
 * guess is wrong, one work-group finds the k-th of all elements: once in 10^6 runs or less,
 * whatever the elements are, unless they are adversarial to the hash that chooses the sample.
 * Source: Alabi, Blanchard, Gordon, Steinbach 2012.
 */
#ifndef CLPRIMS_TOPK_H
#define CLPRIMS_TOPK_H

#include <clprims/sort.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What to find. Set type, max_n and max_k. */
typedef struct clprims_topk_desc {
    clprims_type type; /**< of the keys: any integer type, float32 or float64 */
    int least; /**< nonzero: the least element first; else the greatest */
    clprims_sort_floats floats; /**< of floats; the default is NumPy's order */
    /** 32- or 64-bit integers: also give the index of each element found; DEFAULT: do not. */
    clprims_type indices;
    int no_values; /**< nonzero: the indices alone are the result */
    size_t max_n; /**< the largest n that enqueue and run will be given */
    size_t max_k; /**< the largest k, up to max_n and below 2^31 */
    const char *tuning; /**< knobs that win over all tuning files; NULL: none */
    /** The key of an element by which it is chosen, as clprims_sort_desc has it; then `in` and
     *  `values` have elements. Evaluated once for an element. NULL: the elements are the keys. */
    const char *key;
    clprims_type elements; /**< with `key`, their type; CLPRIMS_TYPE_DEFAULT: `type` */
    clprims_custom custom; /**< declarations, and of a STRUCT type_name and type_bytes */
    /** What `key` and `then` may name besides, as core.h says; NULL: nothing. */
    const char *parameters;
    /** Further keys, as clprims_sort_desc has them. Keys that have at most 64 bits together are
     *  packed into one integer, by which elements are chosen. Of longer keys, all n elements are
     *  sorted first, and then chosen by their ranks. Needs `key`. */
    const char *then[CLPRIMS_SORT_KEYS - 1];
    clprims_type then_type[CLPRIMS_SORT_KEYS - 1]; /**< of each one; DEFAULT: `type` */
    /** The largest number of segments, of each of which the k first are found; 0: one array. */
    size_t max_segments;
    clprims_segments_by by; /**< CLPRIMS_SEGMENTS_OFFSETS or CLPRIMS_SEGMENTS_EQUAL */
    clprims_type offsets; /**< as clprims_segmented_sort_desc has it */
    int local_indices; /**< of segments: zero: indices in the array, else in the segment */
} clprims_topk_desc;

/** The sizes of a run besides n. */
typedef struct clprims_topk_sizes {
    size_t k; /**< the number of elements to find, from 1 to n; of a segment it may exceed n */
    size_t segments; /**< by offsets: the number of segments */
    size_t length; /**< with CLPRIMS_SEGMENTS_EQUAL: the elements of a segment, at least 1 */
} clprims_topk_sizes;

/** One run's device buffers. Where there are segments, the results of segment s begin at element
 *  s * k of values and indices. */
typedef struct clprims_topk_buffers {
    clprims_buffer in; /**< n elements */
    clprims_buffer values; /**< k elements, or k for each segment; with no_values {NULL, 0} */
    clprims_buffer indices; /**< as many, where `indices` of the description names a type */
    /** Where n.mem is set: one uint64 (`first` counts uint64s), the number of elements, which is
     *  read when the work starts, so that an earlier command may write it. Apart from all outputs.
     */
    clprims_buffer n;
    clprims_buffer report; /**< one clprims_topk_report (`first` counts reports), which a run with
                                n.mem writes, or one of segments; or {NULL, 0} */
    clprims_topk_sizes sizes;
    clprims_buffer offsets; /**< by offsets: segments + 1 of them, none less than the one before, in
                                 [0, n]; else {NULL, 0} */
    clprims_buffer segments; /**< by offsets: as n, the number of segments */
    clprims_buffer counts; /**< {NULL, 0}, or a uint32 for each segment: the number of results, k
                                or the number of the segment's elements */
} clprims_topk_buffers;

/** One run's plain arrays, as the buffers are. */
typedef struct clprims_topk_arrays {
    const void *in;
    void *values;
    void *indices;
    clprims_topk_sizes sizes;
    const void *offsets;
    uint32_t *counts; /**< NULL, or as in the buffers */
} clprims_topk_arrays;

/** A compiled plan with its scratch. One run at a time; different plans may run at once. */
typedef struct clprims_topk clprims_topk;

/** What create decided. Texts belong to the library. */
typedef struct clprims_topk_info {
    size_t group; /**< work-items of a work-group */
    size_t room; /**< candidates that are sorted, at most */
    size_t scratch_bytes; /**< device memory that the plan holds */
    /** What n elements get: "teams" where several work-items take a segment, "heaps" where one
     * takes it or a piece of the one array; "groups" where work-groups find the result of the array
     * in one launch; else "sort" where all are candidates, or "sample". */
    const char *variant;
    const char *programs; /**< where its programs are from, as core.h says */
} clprims_topk_info;

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_topk_create_sized(clprims_topk **out,
                                                                     clprims_context *context,
                                                                     const clprims_topk_desc *desc,
                                                                     size_t desc_bytes);

/**
 * Creates a plan. The context must outlive it. Its scratch is what describe says: max_k keys and
 * indices for each piece of a long segment or of the one array, and for each work-item that keeps a
 * heap; of one array that is found otherwise, up to two copies of the candidates and their indices,
 * which are about two times max_k and max_n / 6000, but no more than max_n. With desc.key it has
 * also max_n keys. With desc.then and keys of more than 64 bits together it has two of an index of
 * 4 or 8 bytes more for each of max_n elements, and for each type of the keys two copies of max_n
 * such keys and one of an index each. Status: ARGUMENT, TOO_LARGE (max_n beyond the indices' type
 * too), UNSUPPORTED (knobs that the device can't do; float64 where it has none), BUILD (a text of
 * the caller's does not compile), and the OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_topk_create(clprims_topk **out, clprims_context *context,
                                                  const clprims_topk_desc *desc) {
    return clprims_topk_create_sized(out, context, desc, sizeof *desc);
}

/** Sets parameter k of desc.parameters, counted from 0, as clprims_scan_set_parameter does.
 *  Status: as there. */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_topk_set_parameter(clprims_topk *plan, size_t k,
                                                                      size_t bytes,
                                                                      const void *value);

/** What a run with buffers.n may find. Values are pinned. */
typedef enum clprims_topk_fault {
    CLPRIMS_TOPK_VALID = 0,
    CLPRIMS_TOPK_COUNT = 1, /**< the number of elements exceeds the n of the call */
    /** offsets[count] is less than offsets[count - 1], or than 0, or greater than n */
    CLPRIMS_TOPK_OFFSETS = 2,
    CLPRIMS_TOPK_SEGMENTS = 3 /**< the number in buffers.segments exceeds sizes.segments */
} clprims_topk_fault;

/** What the run found, as it is in device memory: two 64-bit integers. */
typedef struct clprims_topk_report {
    int64_t fault; /**< a clprims_topk_fault */
    /** The number of elements or segments, as it was read, a uint64; with OFFSETS the lowest index
     *  that shows it; of segments without a fault -1. */
    int64_t count;
} clprims_topk_report;

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_topk_enqueue_sized(
    clprims_topk *plan, cl_command_queue queue, const clprims_topk_buffers *buffers,
    size_t buffers_bytes, size_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

/**
 * Submits one run and returns at once. Reads the elements once, or few of them twice. With desc.key
 * these are readings of the keys, which are made of the elements before: with desc.then also of
 * packed ones. Where the keys have more than 64 bits together, they are readings of ranks of 4 or 8
 * bytes; what makes these costs more than all else: a sort of n indices by each key, as desc.then
 * of sort.h has it, and a write of n ranks to random places.
 *
 * Where buffers.n.mem is set, n is the most that the number there may be: `in` has room for n
 * elements, elements behind the number are not read, and a greater number is a fault, which the
 * report names and which leaves the outputs as they are. Where there are fewer than k elements, all
 * of them are written in order, and the outputs behind them stay as they are; k may then exceed n.
 * The launches are as for n elements. One plan takes runs of both kinds in any order.
 * Segments of fewer than k elements have all their elements as results, in order, and what is
 * behind these stays as it is. Elements in no segment are not read without desc.key. Where offsets
 * are at fault, nothing is read or written outside the buffers, and the outputs are undefined. A
 * segment of many elements is cut into pieces, of which k elements each are written and read again.
 * n = 0 needs the offsets alone.
 * The outputs must be apart from each other and from the elements, which are only read. Every
 * parameter must have been set.
 * Status: ARGUMENT, TOO_LARGE, and the OpenCL ones. Faults of the data are in the report.
 */
CLPRIMS_INLINE clprims_status clprims_topk_enqueue(clprims_topk *plan, cl_command_queue queue,
                                                   const clprims_topk_buffers *buffers, size_t n,
                                                   cl_uint num_wait, const cl_event *wait,
                                                   cl_event *event) {
    return clprims_topk_enqueue_sized(plan, queue, buffers, sizeof *buffers, n, num_wait, wait,
                                      event);
}

/** Turns a report that was read back into a status: OK, ARGUMENT for what is no report, or DATA
 * with the message "topk: n = 5000, as read on the device, exceeds that of the call". */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_topk_check(const clprims_topk_report *report);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_topk_run_sized(clprims_topk *plan,
                                                                  const clprims_topk_arrays *arrays,
                                                                  size_t arrays_bytes, size_t n);

/**
 * Finds them in a plain array: copies in, runs on the context's queue, copies out, returns when
 * done.
 * Status: as enqueue, and DEVICE_MEMORY when the arrays do not fit the device.
 */
CLPRIMS_INLINE clprims_status clprims_topk_run(clprims_topk *plan,
                                               const clprims_topk_arrays *arrays, size_t n) {
    return clprims_topk_run_sized(plan, arrays, sizeof *arrays, n);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_topk_describe_sized(const clprims_topk *plan,
                                                                       size_t n,
                                                                       clprims_topk_sizes sizes,
                                                                       clprims_topk_info *info,
                                                                       size_t info_bytes);

/** Fills *info for the sizes.k first of n elements. Status: ARGUMENT, TOO_LARGE. */
CLPRIMS_INLINE clprims_status clprims_topk_describe(const clprims_topk *plan, size_t n,
                                                    clprims_topk_sizes sizes,
                                                    clprims_topk_info *info) {
    return clprims_topk_describe_sized(plan, n, sizes, info, sizeof *info);
}

/** Destroys a plan. A run in flight ends all the same. NULL is fine. */
CLPRIMS_API void clprims_topk_destroy(clprims_topk *plan);

#ifdef __cplusplus
}
#endif

#endif
