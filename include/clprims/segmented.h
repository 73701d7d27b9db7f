/* SPDX-License-Identifier: MIT */
/**
 * Segmented: the combination of each segment of an array, or the scan of each by itself; reduce by
 * key.
 *
 *   reduce      out[s] = init op in[b] op ... op in[e-1]      of segment s = [b, e)
 *   inclusive   out[i] = init op in[b] op ... op in[i]        of the segment [b, e) that i is in
 *   exclusive   out[i] = init op in[b] op ... op in[i-1],     out[b] = init
 *
 * Segments are given by offsets (segment s is [offsets[s], offsets[s + 1])), by runs of equal keys,
 * by flags at first elements, or by one length. The work is shared out by elements and ends of
 * segments together, or segment by segment where long ones are split, so that neither empty
 * segments nor one giant segment is slow. Operands keep their order, unless the operator commutes;
 * how they are grouped depends on the plan, n, the segments and whether `in` begins at a multiple
 * of 16 bytes, so that floats have the same bits whenever these are the same on one device. Source:
 * Merrill and Garland, "Merge-based Parallel Sparse Matrix-Vector Multiplication", 2016.
 */
#ifndef CLPRIMS_SEGMENTED_H
#define CLPRIMS_SEGMENTED_H

#include <clprims/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is made of each segment. Values are pinned. */
typedef enum clprims_segmented_kind {
    CLPRIMS_SEGMENTED_REDUCE = 0, /**< one value a segment */
    CLPRIMS_SEGMENTED_INCLUSIVE = 1, /**< one value an element */
    CLPRIMS_SEGMENTED_EXCLUSIVE = 2 /**< one value an element */
} clprims_segmented_kind;

/** What to combine and how. Set type, max_n and, by
 *  offsets, max_segments. */
typedef struct clprims_segmented_desc {
    clprims_segmented_kind kind;
    clprims_segments_by by;
    clprims_type type; /**< of the input's elements */
    /** Of the running value, in which ARGMIN and ARGMAX compare;
     *  CLPRIMS_TYPE_DEFAULT: as type, in which sums of int8 wrap at 8 bits. The input is converted
     *  as C does, or by `input`. */
    clprims_type accumulator;
    /** ARGMIN, ARGMAX (int64 outputs, of reduce alone): the lowest index of the least or greatest
     *  value of the segment. NaN is behind every other value; -0.0 equals 0.0. */
    clprims_op op;
    int local_index; /**< ARGMIN, ARGMAX; zero: index in the array, else in the segment */
    /** One accumulator value before the first element of each segment, which is what an empty
     *  segment gives; NULL: none, and an empty segment gives the operator's identity or
     *  custom.identity. Of ARGMIN and ARGMAX: the int64 of an empty segment; NULL: -1. An exclusive
     *  scan by a custom operator needs this or custom.identity. */
    const void *init;
    /** By offsets: their type, CLPRIMS_I64 (also the default), CLPRIMS_I32, CLPRIMS_U64, or
     *  CLPRIMS_U32 with max_n of at most 2^31 - 1. By keys: the type of
     *  the keys. Else CLPRIMS_TYPE_DEFAULT. */
    clprims_type heads_type;
    /** By keys: OpenCL C expression of a, a key, and b, the one behind it: whether b's element is
     *  in the segment of a's, for example "b - a <= 1". It need not be symmetric. Evaluated at most
     *  four times for an element. NULL: "a == b". Structs need one. */
    const char *equal;
    int unique_keys; /**< nonzero, reduce by keys: also writes the first key of each segment */
    size_t max_n; /**< the largest n that enqueue and run will be given */
    size_t max_segments; /**< by offsets and by length: the largest number of segments, at least
                              1; else unused */
    /** OpenCL C expression of x, the input's element, and i, its index (ulong): what to combine in
     *  its place, for example "x * x". Evaluated at most twice for an element.
     *  NULL: x itself. */
    const char *input;
    /** Nonzero: there is no input array; `input` is an expression of i alone. */
    int no_input_array;
    /** OpenCL C expression of r, the result, and i (ulong), of a scan the index of its element, of
     *  a reduction the number of its segment: what to store in its place, for example "r.sum". That
     *  of a scan may name x, too: the element is read again then. Evaluated once for what is
     * stored. NULL: r itself. */
    const char *result;
    /** Of the output's elements; CLPRIMS_TYPE_DEFAULT: as r, of ARGMIN and ARGMAX int64;
     *  CLPRIMS_STRUCT: custom's type, also where the input has another one. `result` is converted
     *  as C does. */
    clprims_type result_type;
    clprims_custom custom; /**< for CLPRIMS_CUSTOM and CLPRIMS_STRUCT */
    const char *tuning; /**< knobs that win over all tuning files; NULL: none */
    /** What `input`, `result` and `equal` may name beside their operands, as core.h says, for
     * example "global const float *weight, float limit". clprims_segmented_set_parameter gives them
     * values. NULL: none. */
    const char *parameters;
} clprims_segmented_desc;

/** One run's sizes beside n. The one that the plan has no use for is 0. */
typedef struct clprims_segmented_sizes {
    size_t segments; /**< by offsets: the number of segments */
    size_t capacity; /**< of a reduction by keys or flags: room of each output, in segments; 0: n.
                          What has no room is not written, and the count tells of it. */
    size_t length; /**< with CLPRIMS_SEGMENTS_EQUAL: the elements of a segment, at least 1 */
} clprims_segmented_sizes;

/** One run's device buffers. A buffer that the plan does not use stays {NULL, 0}. */
typedef struct clprims_segmented_buffers {
    clprims_buffer in; /**< n elements; with no_input_array {NULL, 0} */
    clprims_buffer heads; /**< segments + 1 offsets, n keys, n bytes, or n bits of which `first` is
                               the first one's number; by length {NULL, 0} */
    clprims_buffer out; /**< n values of a scan; of a reduction a value for each segment. A scan's
                             out may be exactly the place of `in` when both element types have one
                             size. */
    clprims_buffer keys; /**< with unique_keys: a key for each segment */
    clprims_buffer count; /**< reduce by keys or flags: one uint64, the number of segments, also
                               where they have no room */
    clprims_buffer report; /**< one clprims_segmented_report (`first` counts reports), or {NULL, 0}
                            */
    /** Where n.mem is set: one uint64 (`first` counts uint64s), the number of elements, which is
     *  read when the work starts, so that an earlier command may write it, for example a selection
     *  its count. Apart from all that is written. */
    clprims_buffer n;
    clprims_buffer segments; /**< by offsets: as n, the number of segments */
    clprims_segmented_sizes sizes;
} clprims_segmented_buffers;

/** One run's plain arrays. An array that the plan does not use stays NULL. */
typedef struct clprims_segmented_arrays {
    const void *in; /**< as the buffers of clprims_segmented_buffers */
    const void *heads; /**< flags are n bytes, or the bytes of n bits */
    void *out;
    void *keys;
    size_t *count; /**< gets the number of segments: of a reduction by keys or flags, which needs
                        it, also where that is more than the capacity; by offsets and by length
                        that of the run; of other scans 0. NULL: it is not wanted. */
    clprims_segmented_sizes sizes;
} clprims_segmented_arrays;

/** What a run may find. Values are pinned. */
typedef enum clprims_segmented_fault {
    CLPRIMS_SEGMENTED_VALID = 0,
    /** offsets[index] is less than offsets[index - 1], or than 0, or greater than n */
    CLPRIMS_SEGMENTED_OFFSETS = 1,
    /** segment `index` is empty, and the operator has neither an initial value nor an identity */
    CLPRIMS_SEGMENTED_EMPTY = 2,
    CLPRIMS_SEGMENTED_COUNT = 3, /**< the number of elements exceeds the n of the call */
    CLPRIMS_SEGMENTED_SEGMENTS = 4 /**< the number of segments exceeds that of the call */
} clprims_segmented_fault;

/** What a run found, as it stands in device memory: three 64-bit integers. */
typedef struct clprims_segmented_report {
    int64_t fault; /**< a clprims_segmented_fault */
    int64_t index; /**< the lowest that shows it; -1 if there is none; with COUNT and SEGMENTS the
                        number as it was read, a uint64 */
    int64_t segments; /**< the number of segments of a reduction, and of a scan by offsets or by
                           length; -1 of other scans, and with COUNT and SEGMENTS */
} clprims_segmented_report;

/** A compiled plan with its scratch. One run at a time; different plans may run at once. */
typedef struct clprims_segmented clprims_segmented;

/** What create decided. Texts belong to the plan. */
typedef struct clprims_segmented_info {
    size_t group; /**< work-items of a work-group */
    size_t groups; /**< work-groups of a run */
    size_t launches; /**< kernels of a run */
    size_t scratch_bytes; /**< device memory that the plan holds */
    /** "serial": each work-item combines a share of the elements, and by offsets of the ends of
     *  segments. "merge-path": each work-group does, tile by tile in local memory. "sub-group":
     * each sub-group of 32 work-items does, of reductions by offsets in the nvidia layer. "direct":
     * a team of work-items combines each segment of a reduction by offsets or by length whose
     * operator commutes, and long segments block by block. "rows": a run by length of such a plan
     * of shares, where rows of at most 256 elements are reduced, has each work-group combine whole
     * rows in local memory. "lookahead": a single pass, as a scan's, on NVIDIA GPUs with the local
     * memory of compute capability 9.0, for elements and results of up to 8 bytes. Later versions
     * may have more. */
    const char *variant;
    const char *programs; /**< where its programs are from, as core.h says */
} clprims_segmented_info;

CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_segmented_create_sized(clprims_segmented **out, clprims_context *context,
                               const clprims_segmented_desc *desc, size_t desc_bytes);

/**
 * Creates a plan: checks the description, compiles, allocates scratch.
 *
 * The description and all that it points to may be changed or freed afterwards; the context must
 * outlive the plan.
 * Status: ARGUMENT, TOO_LARGE, UNSUPPORTED (AND, OR, XOR of floats; float64 that the device can't
 * do), BUILD (a text of the caller's does not compile), and the OpenCL ones.
 */
CLPRIMS_INLINE clprims_status clprims_segmented_create(clprims_segmented **out,
                                                       clprims_context *context,
                                                       const clprims_segmented_desc *desc) {
    return clprims_segmented_create_sized(out, context, desc, sizeof *desc);
}

/**
 * Sets parameter k of desc.parameters, from 0 on, as clSetKernelArg does: `bytes` bytes from
 * `value`, a cl_mem or a clprims_buffer for an array. It stays until it is set again; a run that
 * was submitted before keeps the old one. The plan holds no reference to a buffer: keep it while
 * runs may read it.
 * Status: ARGUMENT (an unknown parameter, a size other than its type's, a buffer of another
 * context), and the OpenCL ones.
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_segmented_set_parameter(clprims_segmented *plan,
                                                                           size_t k, size_t bytes,
                                                                           const void *value);

/**
 * Sets the initial value of the runs to come: one value as desc.init has it, which is copied. It
 * takes the place of desc.init and stays until it is set again; a run that was submitted before
 * keeps the old one. Reductions and inclusive scans have an initial value where desc.init was not
 * NULL; exclusive scans, ARGMIN and ARGMAX always have one.
 * Status: ARGUMENT (a plan without an initial value, too).
 */
CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_segmented_set_init(clprims_segmented *plan,
                                                                      const void *init);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_segmented_enqueue_sized(
    clprims_segmented *plan, cl_command_queue queue, const clprims_segmented_buffers *buffers,
    size_t buffers_bytes, size_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

/** The count of a reduction with buffers.n where the number of elements exceeds the n of the call:
 *  more than any plan takes, so that the next run that reads it as its n refuses it, too. */
#define CLPRIMS_SEGMENTED_REFUSED UINT64_MAX

/**
 * Submits one run of n elements and returns at once. Reduce by offsets or by length is one launch
 * and one pass: reads n elements and the offsets, which the variant "direct" reads twice. By keys,
 * flags or bits the variant "lookahead" is, too: it reads n elements and the keys, flags or bits; a
 * scan by offsets has two launches before it, which make bits of the offsets. Else two launches: a
 * scan reads again the elements of segments that two work-groups share; reduce by keys or flags
 * reads the keys or flags twice.
 *
 * Where buffers.n.mem is set, n is the most that the number there may be; where buffers.segments is
 * set, sizes.segments is. The buffers have room for n elements and sizes.segments segments; what is
 * behind the numbers is neither read nor written, and results have the bits of a run with the
 * numbers themselves. A greater number is a fault: the report says COUNT or SEGMENTS, the count is
 * CLPRIMS_SEGMENTED_REFUSED, and nothing else is written. The launches are as for n and
 * sizes.segments; work-groups without work end soon. One plan takes runs of both kinds in any
 * order.
 * No output overlaps another array, but for in and out as said; keys may be `in` itself. n = 0
 * needs no input.
 * Where offsets are at fault, nothing is read or written outside the buffers, and the outputs are
 * undefined. An empty segment without a value leaves its output as it is.
 * Every parameter must have been set. The OpenCL triple comes last, with OpenCL's meaning; the
 * event may be NULL. Out-of-order queues are safe. Never waits, reads back, allocates device memory
 * or compiles. Status: ARGUMENT, TOO_LARGE, and the OpenCL ones. Faults of the data are in the
 * report.
 */
CLPRIMS_INLINE clprims_status clprims_segmented_enqueue(clprims_segmented *plan,
                                                        cl_command_queue queue,
                                                        const clprims_segmented_buffers *buffers,
                                                        size_t n, cl_uint num_wait,
                                                        const cl_event *wait, cl_event *event) {
    return clprims_segmented_enqueue_sized(plan, queue, buffers, sizeof *buffers, n, num_wait, wait,
                                           event);
}

/** Turns a report that was read back into a status: OK, ARGUMENT for what is no report, or DATA
 * with a message ("segmented: offsets[17] is less than the offset before, ...". */
CLPRIMS_API CLPRIMS_CHECKED clprims_status
clprims_segmented_check(const clprims_segmented_report *report);

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_segmented_run_sized(
    clprims_segmented *plan, const clprims_segmented_arrays *arrays, size_t arrays_bytes, size_t n);

/**
 * Runs on plain arrays: copies in, runs on the context's queue, copies out, returns when done.
 * Outputs are written unless there is a fault; a scan by offsets leaves what is in no segment as it
 * is.
 * Status: as enqueue; TOO_LARGE where there are more segments than the capacity: then *count says
 * how many, and no output is written; DATA; DEVICE_MEMORY when the arrays do not fit the device.
 */
CLPRIMS_INLINE clprims_status clprims_segmented_run(clprims_segmented *plan,
                                                    const clprims_segmented_arrays *arrays,
                                                    size_t n) {
    return clprims_segmented_run_sized(plan, arrays, sizeof *arrays, n);
}

CLPRIMS_API CLPRIMS_CHECKED clprims_status clprims_segmented_describe_sized(
    const clprims_segmented *plan, size_t n, clprims_segmented_sizes sizes,
    clprims_segmented_info *info, size_t info_bytes);

/** Fills *info for a run of n elements and, by offsets, sizes.segments segments. Status: ARGUMENT,
 *  TOO_LARGE. */
CLPRIMS_INLINE clprims_status clprims_segmented_describe(const clprims_segmented *plan, size_t n,
                                                         clprims_segmented_sizes sizes,
                                                         clprims_segmented_info *info) {
    return clprims_segmented_describe_sized(plan, n, sizes, info, sizeof *info);
}

/** Destroys a plan. A run in flight ends all the same. NULL is fine. */
CLPRIMS_API void clprims_segmented_destroy(clprims_segmented *plan);

#ifdef __cplusplus
}
#endif

#endif
